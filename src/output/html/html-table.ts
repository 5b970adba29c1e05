/** Renders tables as HTML while their rows arrive. */
import { currencyCodes } from "../../resources/common.ts";
import { cellFigure, type Marks, marksIn } from "../figures.ts";
import { html, type Markup } from "../markup.ts";
import {
  type Cell,
  type CellRow,
  type Column,
  daysOverdue,
  type RecordLink,
  type Table,
} from "../table.ts";

/**
 * CSS for a first column that stays in place while the others scroll under it. Its width is fixed,
 * so that a figure is hidden as soon as it is partly covered and never read without its first
 * digits.
 */
const stickyColumn = (
  tables: string,
  rem: number,
) => `.table:has(${tables}){--lead:${rem}rem;scroll-snap-type:x proximity;scroll-padding-left:${rem}rem}
${tables} :is(th,td):first-child:not([colspan]){position:sticky;left:0;z-index:1;background:var(--card);
width:${rem}rem;min-width:${rem}rem;max-width:${rem}rem;overflow-wrap:anywhere}`;

export const tableStyle = `
.table{overflow-x:auto;margin:0 0 1.5rem}
table{border-collapse:collapse;width:100%;font-size:.925rem;line-height:1.35}
caption,.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{padding:.4rem .75rem;text-align:left;vertical-align:top;overflow-wrap:break-word}
.wide :is(th,td):first-child{min-width:8.5rem}
${stickyColumn(".many", 14)}
th{font-weight:400}
tbody :is(th,td){white-space:pre-line}
th.figure,td.figure{text-align:right}
thead th,thead td{font-weight:600;color:var(--soft);border-bottom:2px solid var(--edge);
vertical-align:bottom;white-space:nowrap}
tbody tr>*{border-bottom:1px solid var(--line)}
.section>*{font-weight:600;padding-top:1.1rem;border-bottom:0}
.in>:first-child{padding-left:1.75rem}
.total>*{font-weight:600;border-top:1px solid var(--edge)}
.result>*{font-weight:700;border-top:1px solid var(--edge);border-bottom:2px solid var(--edge)}
.gap>*{padding-top:1.1rem}
.day,.status{white-space:nowrap}
.less,.overdue{color:var(--late)}.overdue{display:block;font-size:.85rem}
@media screen and (max-width:40rem){
table:not(.narrow){font-size:.875rem}th,td{padding:.4rem .5rem}thead :is(th,.figure){white-space:normal}
${stickyColumn(":is(.wide,.many)", 7.5)}}
@media screen{@keyframes whole{from,to,entry 99%,exit 1%{opacity:0}entry 100%,exit 0%{opacity:1}}
:is(.wide,.many) :is(.figure,.day,td:has(>time)){animation:whole step-end both;animation-timeline:view(inline calc(var(--lead,0px) - 1px) -1px);scroll-snap-align:start}}
@media print{.many :is(th,td):first-child:not([colspan]){position:static}table{font-size:8pt}.table{overflow:visible}tr{break-inside:avoid}
.apart{break-before:page}.section,.section+tr{break-after:avoid}th,td{padding:2pt 4pt}.in>:first-child{padding-left:14pt}thead th{white-space:normal}
body:has(tr>:nth-child(8)){page:wide}body:has(tr>:nth-child(8)) table{font-size:7.5pt}@page wide{size:landscape}}
`;

/** Link addresses of figures and records; a page that is a file has no links. */
export interface TableLinks {
  record?(record: RecordLink): string | undefined;
  figure?(cell: Cell): string | undefined;
}

export interface TableMarkup {
  readonly marks: Marks;
  /** Caption for screen readers. */
  readonly caption: string;
  readonly links?: TableLinks | undefined;
  /** Formats days; `2026-03-31` when not given. */
  readonly day?: ((date: string) => Markup) | undefined;
}

/**
 * Class of a table by its number of columns: fits everywhere, scrolls sideways on small screens, or
 * scrolls on all.
 */
export function widthOf(columnCount: number): "narrow" | "wide" | "many" {
  return columnCount <= 3 ? "narrow" : columnCount <= 9 ? "wide" : "many";
}

/** Yields the HTML of a table piece by piece. */
export async function* tableMarkup(
  table: Table,
  { marks: own, caption, links = {}, day }: TableMarkup,
): AsyncGenerator<Markup> {
  const { columns, rows, notes = [] } = table;
  const numberMarks = marksIn(table, own);
  yield html`<section class="table" aria-label="${caption}" tabindex="0">
<table class="${widthOf(columns.length)}">
<caption>${caption}</caption>
<thead><tr>${columns.map(headingMarkup)}</tr></thead>
<tbody>
`;
  let isTitled = false;
  let isGap = false;
  let count = 0;
  for await (const row of rows) {
    if (row.role === "section") {
      isTitled = row.title !== "";
      isGap = !isTitled && count > 0;
      if (!isTitled) continue;
      yield html`</tbody>
<tbody${count > 0 && currencyCodes.includes(row.title) ? html` class="apart"` : ""}>
<tr class="section"><th colspan="${Math.max(1, columns.length)}" scope="rowgroup">${row.title}</th></tr>
`;
      continue;
    }
    const classes = [
      row.role === "line" ? "" : row.role,
      isTitled && row.role === "line" ? "in" : "",
      isGap ? "gap" : "",
    ].filter((name) => name !== "");
    isGap = false;
    count += 1;
    yield html`<tr${classes.length === 0 ? "" : html` class="${classes.join(" ")}"`}>${columns.map(
      (column, at) => cellMarkup(row, column, at, { marks: numberMarks, links, day }),
    )}</tr>
`;
  }
  if (count === 0) {
    yield html`<tr><td colspan="${Math.max(1, columns.length)}" class="soft">There is nothing here.</td></tr>
`;
  }
  yield html`</tbody>
</table>
</section>
${notes.length === 0 ? "" : html`<p class="soft notes">${notes.map((note, at) => html`${at === 0 ? "" : html`<br>`}<bdi>${note}</bdi>`)}</p>\n`}`;
}

function headingMarkup({ heading, align }: Column): Markup {
  const kind = align === "right" ? "figure" : "";
  if (heading === "") return html`<td></td>`;
  return html`<th scope="col"${classOf(kind)}>${heading}</th>`;
}

const classOf = (name: string) => (name === "" ? "" : html` class="${name}"`);

function cellMarkup(
  row: CellRow,
  { align, isStatus }: Column,
  at: number,
  { marks, links, day }: Pick<TableMarkup, "marks" | "day"> & { readonly links: TableLinks },
): Markup {
  const cell = row.cells[at];
  const text = cell?.kind === "date" && day ? day(String(cell.value)) : cellFigure(cell, marks);
  const isLess = typeof cell?.value === "number" && cell.value < 0;
  const isDay = cell?.kind === "date" || cell?.kind === "timestamp";
  const kinds = [
    align === "right" ? "figure" : "",
    isLess ? "less" : "",
    isDay ? "day" : "",
    isStatus ? "status" : "",
  ].filter((name) => name !== "");
  const overdueDays = isStatus && row.overdueDays !== undefined ? row.overdueDays : undefined;
  const href =
    at === 0 && row.record !== undefined
      ? links.record?.(row.record)
      : cell && links.figure?.(cell);
  const shownText = html`${href === undefined ? text : html`<a href="${href}">${text}</a>`}${
    overdueDays === undefined ? "" : html`<span class="overdue">${daysOverdue(overdueDays)}</span>`
  }`;
  const isName = at === 0 && text !== "";
  const attributes = classOf(kinds.join(" "));
  return isName
    ? html`<th scope="row"${attributes}>${shownText}</th>`
    : html`<td${attributes}>${shownText}</td>`;
}
