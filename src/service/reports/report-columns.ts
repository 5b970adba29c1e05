/** The figures in the columns of a report: of a range of days, or of tracking options in it. */

import type { Carries, Period } from "../../ledger/figures/expression.ts";
import { type ColumnHeading, compareText, type Sums } from "../../ledger/reports/report-rows.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import type { TrackingOption } from "../../resources/tracking-category.ts";
import { type SumsRow, sums } from "../../store/ledger/journals.ts";
import type { Chart, TrackedCategory } from "../lookups/chart-of-accounts.ts";
import type { RequestContext } from "../request/context.ts";
import { periodOf, type ReportContext } from "./report-context.ts";

/**
 * Sums per account, of postings that carry all of the options. Without options the gains of open
 * foreign documents are among them, which carry none.
 */
export async function netSums(
  reading: ReportContext,
  from: string | undefined,
  to: string,
  options: readonly { readonly TrackingOptionID: string }[] = [],
): Promise<Sums> {
  const { tx, basis, gains } = reading;
  const byOption = options.length > 0;
  const rows = await sums(tx, { basis, to, ...(from === undefined ? {} : { from }), byOption });
  if (!byOption) return gains.in(added(rows), from, to);
  return added(
    rows.filter((row) => options.every((option) => carries(row, option.TrackingOptionID))),
  );
}

/** Sums of a range of days by account and options; the gains among them carry none. */
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

/** All that was held at the end of a day. */
export const heldAt = async (reading: ReportContext, to: string): Promise<Period> =>
  periodOf(reading, { from: to, to }, { held: await netSums(reading, undefined, to) });

/** What carries all of some options; undefined where there are none to carry. */
export function carriesAll(options: readonly TrackingOption[]): Carries | undefined {
  if (options.length === 0) return undefined;
  return ({ option1, option2 }) =>
    options.every(({ TrackingOptionID: id }) => option1 === id || option2 === id);
}

/** Amounts of rows together by account: net ones, or those of a side. */
export function added(
  rows: readonly SumsRow[],
  of: "amount" | "debit" | "credit" = "amount",
): Sums {
  const all = new Map<string, Cents>();
  for (const row of rows) all.set(row.account, ((all.get(row.account) ?? 0) + row[of]) as Cents);
  return all;
}

function carries(row: Options, option: string): boolean {
  return row.option1 === option || row.option2 === option;
}

// --- tracking --------------------------------------------------------------------------------

export interface TrackingColumns {
  /** Names the filter in the titles of the report. */
  readonly title: string;
  columns(rows: readonly SumsRow[]): TrackingColumn[];
}

interface TrackingColumn {
  readonly heading: ColumnHeading;
  readonly sums: Sums;
  /** Whether postings of these options are among its sums. */
  readonly takes: Carries;
}

/** The options that a posting carries; empty, or none, where it carries none. */
type Options = { readonly [K in "option1" | "option2"]?: string | undefined };

/** The columns of one category, and which of them a sum belongs to. */
interface Slices {
  readonly title: string;
  readonly slices: readonly Slice[];
  /** Index of the slice that takes a sum; undefined when it is left out of the report. */
  readonly placeOf: (row: Options) => number | undefined;
  /** One option alone, so there is no total to show. */
  readonly single: boolean;
}

interface Slice {
  readonly heading: string;
  /** Shown only when there is something in it. */
  readonly optional: boolean;
}

/** Without a second category: all that there is, in a column that adds nothing to the heading. */
const everything: Slices = {
  title: "",
  slices: [{ heading: "", optional: false }],
  placeOf: () => 0,
  single: true,
};

/**
 * Columns by one tracking category, one option of it, or the combinations of two.
 *
 * @throws RefusedError for a category or an option that there is not
 */
export function trackingOf(call: RequestContext, chart: Chart): TrackingColumns | undefined {
  const given = [
    slicesOf(call, chart, "trackingCategoryID", "trackingOptionID"),
    slicesOf(call, chart, "trackingCategoryID2", "trackingOptionID2"),
  ].filter((slices) => slices !== undefined);
  const [first, second = everything] = given;
  if (first === undefined) return undefined;
  if (first.title === second.title && given.every(({ single }) => !single)) {
    throw refusal("Form", "The two tracking categories of a report must not be the same.");
  }
  return {
    title: given.map(({ title }) => title).join(", "),
    columns: (rows) => {
      const taken = new Map<string, SumsRow[]>();
      const all: SumsRow[] = [];
      for (const row of rows) {
        const [a, b] = [first.placeOf(row), second.placeOf(row)];
        if (a === undefined || b === undefined) continue;
        all.push(row);
        const others = taken.get(`${a} ${b}`);
        if (others === undefined) taken.set(`${a} ${b}`, [row]);
        else others.push(row);
      }
      const columns = first.slices.flatMap((one, a) =>
        second.slices.flatMap((other, b) => {
          const own = taken.get(`${a} ${b}`) ?? [];
          // Options that nothing was posted to keep their column, what is optional does not.
          if (own.length === 0 && (one.optional || other.optional)) return [];
          const heading = [one.heading, other.heading].filter((name) => name !== "").join(", ");
          const takes = (row: Options) => first.placeOf(row) === a && second.placeOf(row) === b;
          return [{ heading, sums: added(own), takes }];
        }),
      );
      const single = first.single && second.single;
      const takes = (row: Options) =>
        first.placeOf(row) !== undefined && second.placeOf(row) !== undefined;
      return single
        ? columns
        : [...columns, { heading: ["total", "Total"], sums: added(all), takes }];
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
      slices: [{ heading: title, optional: false }],
      placeOf: (row) => (carries(row, TrackingOptionID) ? 0 : undefined),
    };
  }
  return category && slicesOfCategory(category);
}

function categoryNamed(chart: Chart, categoryId: string): TrackedCategory {
  const id = readId(categoryId);
  const category = chart.tracking.find((each) => each.TrackingCategoryID === id);
  if (category !== undefined) return category;
  throw refusal("NotFound", `There is no tracking category ${categoryId.slice(0, 60)}.`);
}

/** A column for each option, and one for what carries none; archived options only with figures. */
function slicesOfCategory(category: TrackedCategory): Slices {
  const options = [...category.Options].sort((a, b) => compareText(a.Name, b.Name));
  const places = new Map(options.map((option, place) => [option.TrackingOptionID, place]));
  return {
    title: category.Name,
    single: false,
    slices: [
      ...options.map(({ Name, Status }) => ({ heading: Name, optional: Status !== "ACTIVE" })),
      { heading: "Unassigned", optional: true },
    ],
    placeOf: ({ option1 = "", option2 = "" }) =>
      places.get(option1) ?? places.get(option2) ?? options.length,
  };
}

/** @throws RefusedError when there is none of that id */
export function optionNamed(chart: Chart, id: string): TrackingOption {
  const wanted = readId(id);
  for (const category of chart.tracking) {
    const option = category.Options.find((each) => each.TrackingOptionID === wanted);
    if (option !== undefined) return option;
  }
  throw refusal("NotFound", `There is no tracking option ${id.slice(0, 60)}.`);
}
