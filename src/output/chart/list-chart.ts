/** Charts of lists: amounts of the records by month, with a chart for each currency. */
import { addMonths, monthOf, shortMonthYear } from "../../ledger/dates/calendar.ts";
import { add, zeroCents } from "../../ledger/money.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { wordsOf } from "../../resources/scalar.ts";
import type { Chart } from "../chart.ts";
import { headingOf } from "../list-table.ts";

/** Maximum number of points; a longer time is charted by quarter, then by year. */
const pointsMost = 36;

const stepNames = { 1: "month", 3: "quarter", 12: "year" } as const;
type StepMonths = keyof typeof stepNames;

/** Fields that the chart of a list needs; undefined for resources without a chart. */
export function fieldsCharted({ chart, fields }: Resource): readonly string[] | undefined {
  if (chart === undefined) return undefined;
  const currency = fields.CurrencyCode === undefined ? [] : ["CurrencyCode"];
  return [chart.date, ...chart.amounts, ...currency];
}

/**
 * Charts of a list, one for each currency, that with the most records first; none without records.
 *
 * @param records  records with at least the charted fields
 */
export async function listCharts(
  resource: Resource,
  records: AsyncIterable<object> | Iterable<object>,
): Promise<Chart[]> {
  const { chart } = resource;
  if (chart === undefined) return [];
  const byCurrency = new Map<string, CurrencyMonths>();
  for await (const value of records) {
    const record = value as Readonly<Record<string, unknown>>;
    const day = record[chart.date];
    if (typeof day !== "string") continue;
    const code = typeof record.CurrencyCode === "string" ? record.CurrencyCode : "";
    const { count = 0, months = new Map<string, Cents[]>() } = byCurrency.get(code) ?? {};
    const amountsBefore = months.get(monthOf(day)) ?? chart.amounts.map(() => zeroCents);
    months.set(
      monthOf(day),
      amountsBefore.map((amount, at) => add(amount, centsOf(record[chart.amounts[at] ?? ""]))),
    );
    byCurrency.set(code, { count: count + 1, months });
  }
  return [...byCurrency]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([currency, { months }]) => chartOfMonths(resource, chart.amounts, currency, months));
}

interface CurrencyMonths {
  readonly count: number;
  /** Amounts of each charted field in cents, by month `YYYY-MM`. */
  readonly months: Map<string, Cents[]>;
}

const centsOf = (value: unknown) => (typeof value === "number" ? value : 0) as Cents;

function chartOfMonths(
  { plural }: Resource,
  amounts: readonly string[],
  currency: string,
  amountsByMonth: ReadonlyMap<string, readonly Cents[]>,
): Chart {
  const knownMonths = [...amountsByMonth.keys()].toSorted();
  const [first = "", last = ""] = [knownMonths[0], knownMonths.at(-1)];
  const pointsBy = (stepMonths: StepMonths) =>
    monthsFrom(beginOf(first, stepMonths), last).filter((_, at) => at % stepMonths === 0);
  const steps = ([1, 3, 12] as const).find((each) => pointsBy(each).length <= pointsMost) ?? 12;
  const points = pointsBy(steps);
  const sumAt = (month: string, of: number) =>
    monthsFrom(month, monthOf(addMonths(`${month}-01`, steps - 1))).reduce(
      (sum, text) => add(sum, amountsByMonth.get(text)?.[of] ?? zeroCents),
      zeroCents,
    );
  return {
    title: [`${wordsOf(plural)} by ${stepNames[steps]}`, currency].filter(Boolean).join(", "),
    currency: currency || undefined,
    axis: "time",
    form: "bars",
    points: points.map((month) => ({ label: labelOf(month, steps) })),
    series: amounts.map((path, of) => ({
      name: headingOf(path),
      amounts: points.map((month) => sumAt(month, of)),
    })),
    measure: 0,
    isSum: true,
  };
}

/** Months from one month to another, both included. */
function monthsFrom(firstMonth: string, lastMonth: string): string[] {
  const months: string[] = [];
  for (let month = firstMonth; month !== "" && month <= lastMonth; ) {
    months.push(month);
    month = monthOf(addMonths(`${month}-01`, 1));
  }
  return months;
}

/** First month of the quarter or year that a month belongs to. */
function beginOf(month: string, stepMonths: StepMonths): string {
  const monthsBefore = (Number(month.slice(5)) - 1) % stepMonths;
  return month === "" ? month : monthOf(addMonths(`${month}-01`, -monthsBefore));
}

/** Label of a point: `Mar 2026`, `2026 Q1`, `2026` */
function labelOf(month: string, stepMonths: StepMonths): string {
  if (stepMonths === 1) return shortMonthYear(`${month}-01`);
  const year = month.slice(0, 4);
  return stepMonths === 12 ? year : `${year} Q${Math.ceil(Number(month.slice(5)) / 3)}`;
}
