/** The figures in the columns of a report: of a range of days, or of tracking options in it. */

import type { Basis } from "../../ledger/journal.ts";
import type { Sums } from "../../ledger/reports/rows.ts";
import type { Cents } from "../../resources/decimal.ts";
import { readId } from "../../resources/scalar.ts";
import type { TrackingOption } from "../../resources/tracking-category.ts";
import { type SumsRow, sums } from "../../store/journals.ts";
import type { Tx } from "../../store/store.ts";
import { type Call, type Here, invalid } from "../call.ts";
import type { Chart, TrackedCategory } from "../chart.ts";

/** What every report reads first. */
export interface Reading extends Here {
  readonly tx: Tx;
  readonly chart: Chart;
  readonly basis: Basis;
}

/** Sums per account, of postings that carry all of the options. */
export async function netSums(
  { tx, basis }: Reading,
  from: string | undefined,
  to: string,
  options: readonly { readonly TrackingOptionID: string }[] = [],
): Promise<Sums> {
  const byOption = options.length > 0;
  const rows = await sums(tx, { basis, to, ...(from === undefined ? {} : { from }), byOption });
  return added(
    rows.filter((row) => options.every((option) => carries(row, option.TrackingOptionID))),
  );
}

function added(rows: readonly SumsRow[]): Sums {
  const net = new Map<string, Cents>();
  for (const row of rows) {
    net.set(row.account, ((net.get(row.account) ?? 0) + row.amount) as Cents);
  }
  return net;
}

function carries(row: SumsRow, option: string): boolean {
  return row.option1 === option || row.option2 === option;
}

// --- tracking --------------------------------------------------------------------------------

export interface TrackingColumns {
  /** Names the filter in the titles of the report. */
  readonly title: string;
  columns(rows: readonly SumsRow[]): { heading: string; sums: Sums }[];
}

/** What a column takes: sums with an option of a category, or with none of it. */
interface Slice {
  readonly heading: string;
  /** Shown only when there is something in it. */
  readonly optional: boolean;
  readonly takes: (row: SumsRow) => boolean;
}

/** Columns by one tracking category, one option of it, or the combinations of two. */
export function trackingOf(call: Call, chart: Chart): TrackingColumns | undefined {
  const first = slicesOf(call, chart, "trackingCategoryID", "trackingOptionID");
  const second = slicesOf(call, chart, "trackingCategoryID2", "trackingOptionID2");
  if (first === undefined && second === undefined) return undefined;
  const slices: readonly Slice[] =
    first === undefined || second === undefined
      ? ((first ?? second) as Slices).slices
      : first.slices.flatMap((a) =>
          second.slices.map((b) => ({
            heading: `${a.heading}, ${b.heading}`,
            optional: a.optional || b.optional,
            takes: (row: SumsRow) => a.takes(row) && b.takes(row),
          })),
        );
  const single = [first, second].every((each) => each === undefined || each.single);
  return {
    title: [first?.title, second?.title].filter((title) => title !== undefined).join(", "),
    columns: (rows) => {
      const made = slices.map((slice) => ({ ...slice, rows: rows.filter(slice.takes) }));
      // Options that nothing was posted to keep their column; lines without any get theirs if any.
      const shown = made.filter((each) => !each.optional || each.rows.length > 0);
      const columns = shown.map((each) => ({ heading: each.heading, sums: added(each.rows) }));
      return single ? columns : [...columns, { heading: "Total", sums: added(rows) }];
    },
  };
}

interface Slices {
  readonly title: string;
  readonly slices: readonly Slice[];
  /** One option alone, so there is no total to show. */
  readonly single: boolean;
}

function slicesOf(
  call: Call,
  chart: Chart,
  categoryName: string,
  optionName: string,
): Slices | undefined {
  const categoryId = call.query.get(categoryName);
  const optionId = call.query.get(optionName);
  if (optionId !== undefined) {
    const option = optionNamed(chart, optionId);
    return {
      title: option.Name,
      single: true,
      slices: [sliceOf(option)],
    };
  }
  if (categoryId === undefined) return undefined;
  const id = readId(categoryId);
  const category = chart.tracking.find((each) => each.TrackingCategoryID === id);
  if (category === undefined)
    throw invalid(`There is no tracking category ${categoryId.slice(0, 60)}.`);
  return { title: category.Name, single: false, slices: slicesOfCategory(category) };
}

function sliceOf(option: { readonly Name: string; readonly TrackingOptionID: string }): Slice {
  return {
    heading: option.Name,
    optional: false,
    takes: (row) => carries(row, option.TrackingOptionID),
  };
}

function slicesOfCategory(category: TrackedCategory): Slice[] {
  const options = [...category.Options].sort((a, b) => (a.Name < b.Name ? -1 : 1));
  return [
    ...options.filter((option) => option.Status === "ACTIVE").map(sliceOf),
    {
      heading: "Unassigned",
      optional: true,
      takes: (row) => !options.some((option) => carries(row, option.TrackingOptionID)),
    },
  ];
}

/** @throws RefusedError when there is none of that id */
export function optionNamed(chart: Chart, id: string): TrackingOption {
  const wanted = readId(id);
  for (const category of chart.tracking) {
    const option = category.Options.find((each) => each.TrackingOptionID === wanted);
    if (option !== undefined) return option;
  }
  throw invalid(`There is no tracking option ${id.slice(0, 60)}.`);
}
