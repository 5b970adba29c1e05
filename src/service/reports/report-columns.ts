/** Sums for the columns of a report, by range of days or by tracking option. */

import type { Carries, Period } from "../../ledger/figures/expression.ts";
import type { ColumnHeading, Sums } from "../../ledger/reports/report-rows.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import type { TrackingOption } from "../../resources/tracking-category.ts";
import { type SumsRow, sums } from "../../store/ledger/journals.ts";
import { compareText } from "../../wire/fold.ts";
import type { Chart, TrackedCategory } from "../lookups/chart-of-accounts.ts";
import type { RequestContext } from "../request/context.ts";
import { periodOf, type ReportContext } from "./report-context.ts";

/**
 * Returns sums per account of postings that have all given options. Only without options they
 * include unrealised gains, which have none.
 */
export async function netSums(
  context: ReportContext,
  from: string | undefined,
  to: string,
  options: readonly { readonly TrackingOptionID: string }[] = [],
): Promise<Sums> {
  const { tx, basis, gains } = context;
  const isByOption = options.length > 0;
  const rows = await sums(tx, { basis, to, from, byOption: isByOption });
  if (!isByOption) return gains.in(added(rows), from, to);
  return added(
    rows.filter((row) => options.every((option) => hasOption(row, option.TrackingOptionID))),
  );
}

/** Returns sums of a range of days by account and options; unrealised gains have no options. */
export async function sumsByOption(
  { tx, basis, gains }: ReportContext,
  from: string,
  to: string,
): Promise<SumsRow[]> {
  const rows = await sums(tx, { basis, from, to, byOption: true });
  const gained = [...(await gains.in(new Map(), from, to))].map(([account, amount]) => ({
    account,
    amount,
    debit: (amount > 0 ? amount : 0) as Cents,
    credit: (amount < 0 ? -amount : 0) as Cents,
  }));
  return [...rows, ...gained];
}

/** Returns the balances at the end of a day. */
export const balancesAt = async (context: ReportContext, to: string): Promise<Period> =>
  periodOf(context, { from: to, to }, { held: await netSums(context, undefined, to) });

/** Returns the filter for postings with all given options; undefined without options. */
export function postingFilterOf(options: readonly TrackingOption[]): Carries | undefined {
  if (options.length === 0) return undefined;
  return ({ option1, option2 }) =>
    options.every(({ TrackingOptionID: id }) => option1 === id || option2 === id);
}

/** Adds up rows by account: net amounts, or those of one side. */
export function added(
  rows: readonly SumsRow[],
  of: "amount" | "debit" | "credit" = "amount",
): Sums {
  const all = new Map<string, Cents>();
  for (const row of rows) all.set(row.account, ((all.get(row.account) ?? 0) + row[of]) as Cents);
  return all;
}

function hasOption(row: Options, option: string): boolean {
  return row.option1 === option || row.option2 === option;
}

// --- tracking --------------------------------------------------------------------------------

export interface TrackingColumns {
  /** Text of the filter in the report's titles. */
  readonly title: string;
  columns(rows: readonly SumsRow[]): TrackingColumn[];
}

interface TrackingColumn {
  readonly heading: ColumnHeading;
  readonly sums: Sums;
  /** Whether the column's sums include postings with these options. */
  readonly takes: Carries;
}

/** The tracking options of a posting; empty or undefined for none. */
type Options = { readonly [K in "option1" | "option2"]?: string | undefined };

/** The columns of one category, with the assignment of sums to columns. */
interface Slices {
  readonly title: string;
  readonly slices: readonly Slice[];
  /** Returns the index of the slice for a sum; undefined if the report leaves it out. */
  readonly placeOf: (row: Options) => number | undefined;
  /** Whether there is only one option, so that no total is shown. */
  readonly single: boolean;
}

interface Slice {
  readonly heading: string;
  /** Whether the column is shown only with figures. */
  readonly isOptional: boolean;
}

/** The slices without a second category: one for all sums, which adds nothing to the heading. */
const everything: Slices = {
  title: "",
  slices: [{ heading: "", isOptional: false }],
  placeOf: () => 0,
  single: true,
};

/**
 * Returns columns by one tracking category, one option of it, or the combinations of two.
 *
 * @throws RefusedError for an unknown category or option
 */
export function trackingOf(call: RequestContext, chart: Chart): TrackingColumns | undefined {
  const choices = [
    slicesOf(call, chart, "trackingCategoryID", "trackingOptionID"),
    slicesOf(call, chart, "trackingCategoryID2", "trackingOptionID2"),
  ].filter((slices) => slices !== undefined);
  const [first, second = everything] = choices;
  if (first === undefined) return undefined;
  if (first.title === second.title && choices.every(({ single }) => !single)) {
    throw refusal("Form", "The two tracking categories of a report must not be the same.");
  }
  return {
    title: choices.map(({ title }) => title).join(", "),
    columns: (rows) => {
      const rowsByColumn = new Map<string, SumsRow[]>();
      const allRows: SumsRow[] = [];
      for (const row of rows) {
        const [a, b] = [first.placeOf(row), second.placeOf(row)];
        if (a === undefined || b === undefined) continue;
        allRows.push(row);
        const columnRows = rowsByColumn.get(`${a} ${b}`);
        if (columnRows === undefined) rowsByColumn.set(`${a} ${b}`, [row]);
        else columnRows.push(row);
      }
      const columns = first.slices.flatMap((slice, a) =>
        second.slices.flatMap((other, b) => {
          const columnRows = rowsByColumn.get(`${a} ${b}`) ?? [];
          // Active options without postings keep their column; optional columns are dropped.
          if (columnRows.length === 0 && (slice.isOptional || other.isOptional)) return [];
          const heading = [slice.heading, other.heading].filter((name) => name !== "").join(", ");
          const takes = (row: Options) => first.placeOf(row) === a && second.placeOf(row) === b;
          return [{ heading, sums: added(columnRows), takes }];
        }),
      );
      const isSingle = first.single && second.single;
      const takes = (row: Options) =>
        first.placeOf(row) !== undefined && second.placeOf(row) !== undefined;
      return isSingle
        ? columns
        : [...columns, { heading: ["total", "Total"], sums: added(allRows), takes }];
    },
  };
}

function slicesOf(
  call: RequestContext,
  chart: Chart,
  categoryName: string,
  optionName: string,
): Slices | undefined {
  const categoryId = call.query.get(categoryName);
  const optionId = call.query.get(optionName);
  const category = categoryId === undefined ? undefined : categoryNamed(chart, categoryId);
  if (optionId !== undefined) {
    const option = optionNamed(chart, optionId);
    if (category !== undefined && !category.Options.includes(option)) {
      throw refusal("NotFound", `The tracking option ${option.Name} is none of ${category.Name}.`);
    }
    const { Name: title, TrackingOptionID } = option;
    return {
      title,
      single: true,
      slices: [{ heading: title, isOptional: false }],
      placeOf: (row) => (hasOption(row, TrackingOptionID) ? 0 : undefined),
    };
  }
  return category && slicesOfCategory(category);
}

function categoryNamed(chart: Chart, categoryId: string): TrackedCategory {
  const id = readId(categoryId);
  const category = chart.tracking.find((category) => category.TrackingCategoryID === id);
  if (category !== undefined) return category;
  throw refusal("NotFound", `There is no tracking category ${categoryId.slice(0, 60)}.`);
}

/**
 * Returns a slice for each option, and one for sums without an option; archived options only with
 * figures.
 */
function slicesOfCategory(category: TrackedCategory): Slices {
  const options = [...category.Options].sort((a, b) => compareText(a.Name, b.Name));
  const positionById = new Map(options.map((option, index) => [option.TrackingOptionID, index]));
  return {
    title: category.Name,
    single: false,
    slices: [
      ...options.map(({ Name, Status }) => ({ heading: Name, isOptional: Status !== "ACTIVE" })),
      { heading: "Unassigned", isOptional: true },
    ],
    placeOf: ({ option1 = "", option2 = "" }) =>
      positionById.get(option1) ?? positionById.get(option2) ?? options.length,
  };
}

/** @throws RefusedError for an unknown option id */
export function optionNamed(chart: Chart, id: string): TrackingOption {
  const optionId = readId(id);
  for (const category of chart.tracking) {
    const option = category.Options.find((option) => option.TrackingOptionID === optionId);
    if (option !== undefined) return option;
  }
  throw refusal("NotFound", `There is no tracking option ${id.slice(0, 60)}.`);
}
