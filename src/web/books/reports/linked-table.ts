/** Renders a report as a table whose figures link to their details. */

import { tableMarkup } from "../../../output/html/html-table.ts";
import type { Markup } from "../../../output/markup.ts";
import { reportTable as tableOf } from "../../../output/report-table.ts";
import type { Cell } from "../../../output/table.ts";
import type { Report } from "../../../wire/report.ts";
import { linkFrom } from "../../frame/breadcrumbs.ts";
import type { BooksContext } from "../context.ts";
import { day } from "../shown-values.ts";
import { addressesIn, type DrillQuery } from "./drill.ts";

export async function reportTable(
  ctx: BooksContext,
  report: Report,
  query: Omit<DrillQuery, "report">,
): Promise<Markup[]> {
  const table = tableOf(report);
  const addresses = addressesIn({ ...query, report }, table);
  const figure = (cell: Cell) => {
    const address = addresses.get(cell);
    return address === undefined ? undefined : linkFrom(ctx, address);
  };
  const caption = report.ReportTitles.join(", ");
  const options = { marks: ctx.marks, caption, links: { figure }, day };
  const pieces: Markup[] = [];
  for await (const piece of tableMarkup(table, options)) pieces.push(piece);
  return pieces;
}
