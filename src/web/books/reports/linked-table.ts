/** Renders a report as a table whose figures link to their details, in pages where it is long. */

import { tableMarkup } from "../../../output/html/html-table.ts";
import { html, type Markup } from "../../../output/markup.ts";
import { reportTable as tableOf } from "../../../output/report-table.ts";
import type { Cell, Row } from "../../../output/table.ts";
import type { Report } from "../../../wire/report.ts";
import { addressWith, linkBeside, linkFrom } from "../../frame/breadcrumbs.ts";
import { link, numberedPager, pageIn } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import { day } from "../shown-values.ts";
import { addressesIn, type DrillQuery } from "./drill.ts";

/** Number of rows of a report per page, unless `all` is asked for. */
const rowsMax = 200;

export async function reportTable(
  ctx: BooksContext,
  report: Report,
  query: Omit<DrillQuery, "report">,
): Promise<Markup[]> {
  const table = tableOf(report);
  const addressByCell = addressesIn({ ...query, report }, table);
  const figure = (cell: Cell) => {
    const address = addressByCell.get(cell);
    return address === undefined ? undefined : linkFrom(ctx, address);
  };
  const caption = report.ReportTitles.join(", ");
  const options = { marks: ctx.numberMarks, caption, links: { figure }, day };
  const { rows, pager } = pageOf(ctx, table.rows);
  const tablePieces: Markup[] = [];
  for await (const piece of tableMarkup({ ...table, rows }, options)) tablePieces.push(piece);
  return [...tablePieces, pager];
}

/** Rows of the page that is asked for, with the totals at the end of the report. */
function pageOf(ctx: BooksContext, rows: readonly Row[]): { rows: readonly Row[]; pager: Markup } {
  if (rows.length <= rowsMax || ctx.query.has("rows")) return { rows, pager: html`` };
  const lastLine = rows.findLastIndex(({ role }) => role === "line");
  const totals = lastLine < 0 ? [] : rows.slice(lastLine + 1);
  const listedRows = rows.slice(0, rows.length - totals.length);
  const count = listedRows.filter(({ role }) => role !== "section").length;
  const last = Math.max(1, Math.ceil(count / rowsMax));
  const page = Math.min(pageIn(ctx), last);
  let rowsBefore = 0;
  const onPage = listedRows.filter(({ role }) => {
    const isOnPage = Math.floor(rowsBefore / rowsMax) === page - 1;
    // A heading stands on the page of the row below it.
    if (role !== "section") rowsBefore += 1;
    return isOnPage;
  });
  const path = ctx.here.split("?", 1)[0] ?? "";
  const query = Object.fromEntries(
    [...ctx.query].filter(([name]) => name !== "via" && name !== "page"),
  );
  const all = addressWith(path, [...Object.entries(query), ["rows", "all"]]);
  return {
    rows: [...onPage, ...totals],
    pager: html`${numberedPager(ctx, path, query, { page, last })}<p>${link(linkBeside(ctx, all), `All ${count} rows`)}</p>`,
  };
}
