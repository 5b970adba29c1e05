/** Page of a list of records, with filters, search and paging. */
import type { ListQuery } from "../../../client/client.ts";
import {
  columnsShown,
  isNumeric,
  type FieldColumn as RecordColumn,
} from "../../../output/columns.ts";
import { labelOf } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { idOf } from "../../../resources/field.ts";
import { addressWith, linkBeside, linkFrom } from "../../frame/breadcrumbs.ts";
import {
  alert,
  type Column,
  type Content,
  link,
  numberedPager,
  pageIn,
  pagePart,
  table,
} from "../../frame/components.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import type { RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { exportBar, formatAsked, listFile } from "../filtered-files.ts";
import {
  accountAddress,
  currencyOf,
  isMoneyOut,
  isOwed,
  lateBy,
  money,
  shownValue,
} from "../shown-values.ts";
import { type MarkedOutcome, markedNotice, marksOf } from "./list-marks.ts";
import { countText, emptyText, filtersOn, owedColumns, sumsText, tabsOf } from "./list-parts.ts";
import { isOrderable, orderOf, type ParsedQuery, parsedOf, queryOf } from "./list-query.ts";

/** Number of records per page. */
export const rowsMax = 50;

export async function showList(
  ctx: BooksContext,
  list: RecordList,
  outcome?: MarkedOutcome,
): Promise<PageResponse> {
  const { path, title, resource } = list;
  const parsedQuery = parsedOf(ctx, list);
  const { values, faults } = parsedQuery;
  const query = await queryOf(ctx, list, parsedQuery);
  const format = formatAsked(ctx);
  if (format !== undefined) return listFile(ctx, list, query, format);
  const listPage = query === undefined ? emptyPage : await pageOf(ctx, list, query, pageIn(ctx));
  const { rows, page, count } = listPage;
  const isWhole = count <= rowsMax;
  const columns = columnsShown(resource, undefined, list.columns);
  const order = orderOf(list, values.order);
  const besides = await owedColumns(ctx, list, rows);
  const marks = marksOf(ctx, list, rows, outcome);
  return {
    title,
    status: outcome === undefined ? 200 : 400,
    body: html`${markedNotice(ctx, list, outcome)}${faults.map(alert)}${await tabsOf(ctx, list, values)}${await filtersOn(ctx, list, values, rows)}
<p class="soft">${rangeText(listPage)}${query === undefined || isWhole ? "" : await sumsText(ctx, list, { query, count })}</p>
${
  rows.length === 0
    ? await emptyText(ctx, list, values)
    : table({
        caption: title,
        isCards: true,
        columns: [
          ...columns.map((column) => headOf(ctx, list, column, { ...parsedQuery, order })),
          ...besides.headings.map((heading) => ({ heading, label: heading, figures: true })),
        ],
        rows: [
          ...rows.map((record) => {
            const [first = "", ...cells] = cellsOf(ctx, list, columns, record);
            return { cells: [marks.markCell(record, first), ...cells, ...besides.cells(record)] };
          }),
          ...(isWhole ? totalsOf(ctx, list, columns, rows) : []),
        ],
      })
}
${marks.form}${rows.length === 0 ? "" : exportBar(ctx, path, values)}${numberedPager(ctx, path, values, { page, last: Math.ceil(count / rowsMax) })}`,
  };
}

interface ListPage {
  /** Number of the page; the last page if the requested one does not exist. */
  readonly page: number;
  readonly rows: readonly object[];
  /** Number of all records that fit. */
  readonly count: number;
}

const emptyPage: ListPage = { page: 1, rows: [], count: 0 };

/** Range of the page in the list: `1 to 50 of 218`. */
function rangeText({ page, rows, count }: ListPage): string {
  if (rows.length === 0) return "";
  const first = (page - 1) * rowsMax + 1;
  return `${countText(first)} to ${countText(first + rows.length - 1)} of ${countText(count)}`;
}

/** Links to the records before and after one in the list that led to it; none on other ways. */
export async function neighboursOf(
  ctx: BooksContext,
  list: RecordList,
  key: string,
): Promise<readonly Content[]> {
  const { resource, path } = list;
  const from = ctx.trail.findLast((step) => step.split("?", 1)[0] === path) ?? path;
  const listContext = { ...ctx, query: new URLSearchParams(from.split("?")[1]) };
  const query = await queryOf(listContext, list, parsedOf(listContext, list));
  if (query === undefined) return [];
  const read = async (page: number) => {
    const { rows, count } = await pageOf(ctx, list, { ...query, fields: [resource.id] }, page);
    return { ids: rows.map((row) => idOf(resource, row)), count };
  };
  const page = pageIn(listContext);
  const { ids, count } = await read(page);
  const at = ids.indexOf(key);
  if (at < 0) return [];
  const isLast = at === ids.length - 1;
  const isMore = isLast && count > page * rowsMax;
  const idBefore = at === 0 && page > 1 ? (await read(page - 1)).ids.at(-1) : ids[at - 1];
  const idAfter = isMore ? (await read(page + 1)).ids[0] : ids[at + 1];
  const to = (id: string | undefined, rel: string, shortcut: string, words: string) =>
    id === undefined
      ? []
      : [
          html`<a class="act other" rel="${rel}" aria-keyshortcuts="${shortcut}" href="${linkBeside(ctx, `${path}/${encodeURIComponent(id)}`)}">${words}</a>`,
        ];
  return [...to(idBefore, "prev", "[", "Previous"), ...to(idAfter, "next", "]", "Next")];
}

async function pageOf(
  ctx: BooksContext,
  { resource }: RecordList,
  query: ListQuery,
  pageNumber: number,
): Promise<ListPage> {
  const { client } = ctx;
  const lastOf = (count: number) => Math.max(1, Math.min(pageNumber, Math.ceil(count / rowsMax)));
  if (resource.paged === undefined) {
    const all = await Array.fromAsync<object>(client.list(resource, query));
    const page = lastOf(all.length);
    return { page, rows: all.slice((page - 1) * rowsMax, page * rowsMax), count: all.length };
  }
  const read = async (page: number): Promise<ListPage> => {
    const records = client.list(resource, { ...query, page, limit: rowsMax, count: true });
    const rows = await Array.fromAsync<object>(records);
    return { page, rows, count: records.itemCount ?? (page - 1) * rowsMax + rows.length };
  };
  const result = await read(pageNumber);
  const isBeyond = result.rows.length === 0 && pageNumber > 1;
  return isBeyond ? read(lastOf(result.count)) : result;
}

// --- headings ----------------------------------------------------------------------------------

function headOf(
  ctx: BooksContext,
  list: RecordList,
  { path, field }: RecordColumn,
  { values, order }: ParsedQuery & { readonly order: string | undefined },
): Column {
  const label = labelOf(path);
  const isFigure = isNumeric[field.kind];
  const labelPart = isFigure || /Date$/.test(path) ? { label } : {};
  if (!isOrderable(list, path)) return { heading: label, figures: isFigure, ...labelPart };
  const isFirst = order?.split(",")[0]?.split(" ")[0] === path;
  const isDown = / DESC\b/.test(order?.split(",")[0] ?? "");
  const nextOrder = isFirst && !isDown ? "DESC" : "ASC";
  const to = addressWith(list.path, Object.entries({ ...values, order: `${path} ${nextOrder}` }));
  return {
    heading: html`<a class="sort" href="${linkBeside(ctx, to)}">${label}${
      isFirst ? html`<span aria-hidden="true"> ${isDown ? "\u2193" : "\u2191"}</span>` : ""
    }</a>`,
    ...{ figures: isFigure, ...labelPart },
    sorted: isFirst ? (isDown ? "descending" : "ascending") : undefined,
  };
}

// --- rows --------------------------------------------------------------------------------------

export function cellsOf(
  ctx: BooksContext,
  list: RecordList,
  columns: readonly RecordColumn[],
  record: object,
): Content[] {
  const { resource, path } = list;
  const id = idOf(resource, record);
  const ownPath =
    path === "/accounts"
      ? accountAddress((record as { Code?: string }).Code ?? id)
      : `${path}/${encodeURIComponent(id)}`;
  const currency = currencyOf(ctx, record);
  const isForeign = currency !== ctx.organisation.BaseCurrency;
  return columns.map((column, at) => {
    const value = column.read(record);
    if (column.path === "AmountDue" && !isOwed(record)) return "\u2013";
    if (column.field.kind === "money" && value === 0) return "\u2013";
    const name = column.path.split(".").at(-1) ?? "";
    const shownAmount = isMoneyOut(record) && name === "Amount" ? -Number(value) : value;
    const content = shownValue(column.field, shownAmount, { ctx, currency, name, record });
    if (column.path === "Status") return html`${content}${lateBy(ctx, record)}`;
    if (at === 0) return link(linkFrom(ctx, ownPath ?? path), content === "" ? list.noun : content);
    const linked = linkedCell(ctx, column, record, content);
    if (linked !== undefined) return linked;
    if (isForeign && column.field.kind === "money" && content !== "") {
      return html`<span class="soft">${currency}</span> ${content}`;
    }
    return content;
  });
}

/** Name of another record, with a link to it. */
function linkedCell(
  ctx: BooksContext,
  { path }: RecordColumn,
  record: object,
  content: Content,
): Content | undefined {
  const [head = "", tail] = path.split(".");
  if (tail === undefined || content === "") return undefined;
  const accountPart = (record as Readonly<Record<string, Readonly<Record<string, string>>>>)[head];
  const address =
    tail === "Code" && /Account$/.test(head)
      ? accountAddress(accountPart?.Code)
      : head === "Contact" && accountPart?.ContactID !== undefined
        ? `/contacts/${encodeURIComponent(accountPart.ContactID)}`
        : head === "Invoice" && accountPart?.InvoiceID !== undefined
          ? `/documents/${encodeURIComponent(accountPart.InvoiceID)}`
          : undefined;
  return address === undefined ? undefined : link(linkFrom(ctx, address), content);
}

/** Fields whose amounts are summed in the total row of a list. */
const summed: ReadonlySet<string> = new Set([
  "Amount",
  "Total",
  "AmountDue",
  "RemainingCredit",
  "Cost",
  "AccumulatedDepreciation",
  "BookValue",
]);

/**
 * Total rows of a list, one for each currency; none for lists that mix incoming and outgoing
 * amounts.
 */
function totalsOf(
  ctx: BooksContext,
  { section, path }: RecordList,
  columns: readonly RecordColumn[],
  rows: readonly object[],
) {
  const isOneSided =
    section === "sales" || section === "purchases" || ["/assets", "/payments"].includes(path);
  if (!isOneSided || rows.length < 2 || !columns.some(({ path }) => summed.has(path))) return [];
  const byCurrency = Map.groupBy(rows, (record) => currencyOf(ctx, record));
  return [...byCurrency].map(([currency, of]) => ({
    kind: "total" as const,
    cells: columns.map((column, at) => {
      if (at === 0) return byCurrency.size === 1 ? "Total" : `Total ${currency}`;
      if (!summed.has(column.path)) return "";
      const countedRecords = column.path === "AmountDue" ? of.filter(isOwed) : of;
      const cents = countedRecords.reduce((sum, record) => {
        const amount = (column.read(record) as number) ?? 0;
        return sum + (isMoneyOut(record) ? -amount : amount);
      }, 0);
      return money(ctx, cents as Cents, currency);
    }),
  }));
}

// --- on other pages --------------------------------------------------------------------------------

/** Maximum number of records of a list on another page. */
const latestMax = 8;

/** First records of a list with a heading, for other pages; undefined where there are none. */
export async function latestIn(ctx: BooksContext, list: RecordList): Promise<Markup | undefined> {
  const query = await queryOf(ctx, list, { values: {}, faults: [] });
  const rows: object[] = [];
  const latest = { ...query, limit: latestMax, count: false };
  for await (const record of ctx.client.list(list.resource, latest)) rows.push(record);
  if (rows.length === 0) return undefined;
  const columns = columnsShown(list.resource, undefined, list.columns);
  return pagePart(
    `latest${list.path.replaceAll("/", "-")}`,
    link(linkFrom(ctx, list.path), list.title),
    table({
      caption: list.title,
      columns: columns.map(({ path, field }) => ({
        heading: labelOf(path),
        figures: isNumeric[field.kind],
      })),
      rows: rows.map((record) => cellsOf(ctx, list, columns, record)),
    }),
  );
}
