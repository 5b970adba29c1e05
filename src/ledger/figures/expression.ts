/** A figure of a report as an expression, from which its value and its parts are computed. */
import { isSafe, multiplyDivide } from "../../resources/decimal.ts";
import type { RuleName } from "../../resources/figure-rules.ts";
import type { CellAmount } from "../../wire/report.ts";
import type { DateRange } from "../dates/calendar.ts";
import type { Basis } from "../journal.ts";
import type { Cents } from "../money.ts";
import type { Accounts, CountedSource, SumPart } from "./counted.ts";

/**
 * How the postings of an account are summed over a period: movements within it (`moved`); balance
 * at its end (`held`, `foreign` in the currency of the account); debits or credits within it.
 * `earned` and `paid` are debits and credits without bank transfers.
 */
export type Measure = "moved" | "held" | "foreign" | "debit" | "credit" | "earned" | "paid";

/** The days of a column, with the sums of each account over them. */
export interface Period extends DateRange {
  readonly basis: Basis;
  /**
   * Sums by AccountID for each measure in use: debit positive, except `credit` and `paid`, which
   * sum credits.
   */
  readonly sums: Readonly<Partial<Record<Measure, Sums>>>;
  /** Filter by tracking options; all postings when undefined. */
  readonly carries?: Carries | undefined;
}

/** Amounts by AccountID; accounts without an amount may be absent. */
export type Sums = ReadonlyMap<string, Cents>;

export type Carries = (options: {
  readonly option1?: string | undefined;
  readonly option2?: string | undefined;
}) => boolean;

/** Decimals and form of the units of figures. */
export const unitForms = {
  money: { scale: 2 },
  count: { scale: 0 },
  quantity: { scale: 4, isShort: true },
  percent: { scale: 1, suffix: "%" },
} as const satisfies Readonly<Record<string, Omit<CellAmount, "amount">>>;
export type Unit = keyof typeof unitForms;

interface FigureBase {
  /** Id of the figure, unique within a report column. */
  readonly id: string;
  readonly label: string;
  readonly rule: RuleName;
}

export interface Ledger extends FigureBase {
  readonly is: "ledger";
  readonly sign: 1 | -1;
  readonly measure: Measure;
  readonly period: Period;
  readonly accounts: Accounts;
}

interface FigureSum extends FigureBase {
  readonly is: "sum";
  readonly terms: readonly (readonly [sign: 1 | -1, figure: Figure])[];
}

/** A figure used as dividend or divisor. */
export interface Operand {
  readonly figure: Figure;
  /** Label in the quotient, if it differs. */
  readonly label?: string;
  readonly times?: number | undefined;
  /** Whether the absolute value is used. */
  readonly unsigned?: true;
}

interface Quotient extends FigureBase {
  readonly is: "quotient";
  readonly of: Operand;
  readonly by: Operand;
  /** Factor by which the quotient is multiplied before it is rounded to a whole number. */
  readonly scale: number;
  /** Value when the divisor is zero; undefined for no value. */
  readonly otherwise?: number | undefined;
}

/** Component figures of a value that is known without adding them up. */
interface Others {
  readonly of: "figures";
  readonly figures: () => readonly Figure[];
}

interface CountedFigure extends FigureBase {
  readonly is: "counted";
  readonly value: number;
  readonly parts: CountedSource | Others;
}

export type Figure = (Ledger | FigureSum | Quotient | CountedFigure) & { readonly unit: Unit };

/** Id, label and calculation rule of a figure. */
export type Name = readonly [id: string, label: string, rule: RuleName];

const toNamed = ([id, label, rule]: Name) => ({ id, label, rule });

export const ledger = (
  name: Name,
  sign: 1 | -1,
  measure: Measure,
  period: Period,
  accounts: Accounts,
): Figure => ({ ...toNamed(name), unit: "money", is: "ledger", sign, measure, period, accounts });

/**
 * A sum of figures.
 * @throws Error for a figure that contains itself
 */
export function sum(name: Name, plus: readonly Figure[], minus: readonly Figure[] = []): Figure {
  const terms = [
    ...plus.map((figure) => [1, figure] as const),
    ...minus.map((figure) => [-1, figure] as const),
  ];
  for (const [, figure] of terms) refuseCircle(name[0], figure);
  return { ...toNamed(name), unit: "money", is: "sum", terms };
}

/** Totals of the figures of rows, one for each column. */
export function columnTotals(
  columns: readonly unknown[],
  rows: readonly { readonly figures: readonly Figure[] }[],
): Figure[] {
  const inColumn = (at: number) => rows.map(({ figures }) => figures[at] as Figure);
  return columns.map((_, at) => sum(["total", "Total", "SectionTotal"], inColumn(at)));
}

const scales = { percent: 1000, ratio: 100, money: 1 } as const;

/**
 * A quotient of figures.
 * @throws Error for a figure that contains itself
 */
export function ratioOf(
  name: Name,
  dividend: Operand | Figure,
  divisor: Operand | Figure,
  result: keyof typeof scales,
  otherwise?: number,
): Figure {
  const [of, by] = [dividend, divisor].map((operand) =>
    "figure" in operand ? operand : { figure: operand },
  ) as [Operand, Operand];
  for (const { figure } of [of, by]) refuseCircle(name[0], figure);
  const unit = result === "percent" ? "percent" : "money";
  return { ...toNamed(name), unit, is: "quotient", of, by, scale: scales[result], otherwise };
}

export const counted = (
  name: Name,
  value: number,
  parts: CountedSource | Others,
  unit: Unit = "money",
): Figure => ({ ...toNamed(name), unit, is: "counted", value, parts });

/** A figure with known parts; zero parts are left out. */
export const listedFigure = (name: Name, value: number, parts: () => readonly SumPart[]): Figure =>
  counted(name, value, {
    ...{ of: "parts", parts: () => parts().filter(({ amount }) => amount !== 0) },
  });

/** A figure with one part, whose label defaults to the figure's label. */
export const single = (name: Name, sumPart: Omit<SumPart, "label"> & Partial<SumPart>): Figure =>
  listedFigure(name, sumPart.amount, () => [{ label: name[1], ...sumPart }]);

function refuseCircle(id: string, figure: Figure): void {
  if (figure.id === id) throw new Error(`The figure ${id} of a report contains itself.`);
  if (figure.is === "sum") for (const [, each] of figure.terms) refuseCircle(id, each);
  if (figure.is === "quotient")
    for (const operand of [figure.of, figure.by]) refuseCircle(id, operand.figure);
}

/** The value at the scale of its unit; undefined when the divisor is zero. */
export function figureValue(figure: Figure): number | undefined {
  switch (figure.is) {
    case "ledger": {
      const sums = figure.period.sums[figure.measure];
      if (sums === undefined) throw new Error(`No ${figure.measure} of the days of ${figure.id}.`);
      const net = figure.accounts.reduce(
        (total, { AccountID }) => total + (sums.get(AccountID) ?? 0) * figure.sign,
        0,
      );
      return isSafe(net);
    }
    case "sum":
      return isSafe(
        figure.terms.reduce((total, [sign, each]) => total + sign * (figureValue(each) ?? 0), 0),
      );
    case "quotient": {
      const [of, by] = [figure.of, figure.by].map(({ figure: each, times = 1, unsigned }) => {
        const value = (figureValue(each) ?? 0) * times;
        return unsigned ? Math.abs(value) : value;
      }) as [number, number];
      if (by === 0) return figure.otherwise;
      return multiplyDivide(by < 0 ? -of : of, figure.scale, Math.abs(by));
    }
    case "counted":
      return figure.value;
  }
}
