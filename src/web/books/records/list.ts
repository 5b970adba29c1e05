/** Page of a list of records, with filters, search and paging. */
import type { ListQuery } from "../../../client/client.ts";
import { addDays } from "../../../ledger/dates/calendar.ts";
import {
  columnsShown,
  isNumeric,
  type FieldColumn as RecordColumn,
} from "../../../output/columns.ts";
import { choiceText, labelOf } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import { contact } from "../../../resources/contact.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { type Fields, fieldAt, idOf, type Resource } from "../../../resources/field.ts";
import { isDay, readId } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import { addressWith, linkBeside, linkFrom } from "../../frame/breadcrumbs.ts";
import {
  alert,
  type Column,
  type Content,
  type FilterField,
  filterForm,
  link,
  pageIn,
  pager,
  part,
  table,
} from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import { onlyOf, type RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { ignoreForbidden } from "../ledger/postings.ts";
import { accountAddress, currencyOf, isOwed, money, shownValue } from "../shown-values.ts";
import { isSearched, termCondition } from "./term.ts";

/** Number of records per page. */
export const rowsMax = 50;

export async function showList(ctx: BooksContext, list: RecordList): Promise<Page> {
  const { path, title, resource } = list;
  const parsedQuery = parsedOf(ctx, list);
  const named = {
    ...parsedQuery.values,
    contact: await contactName(ctx, parsedQuery.values.contact),
  };
  const form = filterForm(ctx, path, filtersOf(list), named);
  const query = await queryOf(ctx, list, parsedQuery);
  const listPage = query === undefined ? nothing : await pageOf(ctx, list, query);
  const columns = columnsShown(resource, undefined, list.columns);
  const { rows, isLast, page } = listPage;
  const order = orderOf(list, parsedQuery.values.order);
  return {
    title,
    body: html`${parsedQuery.faults.map(alert)}${form}
<p class="soft">${countOf(listPage)}</p>
${table({
  caption: title,
  columns: columns.map((column) => headOf(ctx, list, column, { ...parsedQuery, order })),
  rows: [
    ...rows.map((record) => ({ cells: cellsOf(ctx, list, columns, record) })),
    ...(page === 1 && isLast ? totalsOf(ctx, list, columns, rows) : []),
  ],
  empty: "Nothing fits these filters.",
})}
${pager(ctx, path, parsedQuery.values, { page, isLast })}`,
  };
}

interface ListPage {
  /** Number of the page; the last page if the requested one does not exist. */
  readonly page: number;
  readonly rows: readonly object[];
  readonly isLast: boolean;
  readonly count: number | undefined;
}

const nothing: ListPage = { page: 1, rows: [], isLast: true, count: 0 };

/** Range of the page in the list: `1 to 50 of 218`; without a total `1 to 50, and more`. */
function countOf({ page, rows, count }: ListPage): string {
  if (rows.length === 0) return "";
  const first = (page - 1) * rowsMax + 1;
  const of =
    count === undefined ? ", and more" : ` of ${String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")}`;
  return `${first} to ${first + rows.length - 1}${of}`;
}

async function pageOf(
  ctx: BooksContext,
  { resource }: RecordList,
  query: ListQuery,
): Promise<ListPage> {
  const { client } = ctx;
  const pageNumber = pageIn(ctx);
  const lastOf = (count: number) => Math.max(1, Math.min(pageNumber, Math.ceil(count / rowsMax)));
  if (resource.paged === undefined) {
    const all: object[] = [];
    for await (const each of client.list(resource, query)) all.push(each);
    const page = lastOf(all.length);
    const rows = all.slice((page - 1) * rowsMax, page * rowsMax);
    return { page, rows, isLast: all.length <= page * rowsMax, count: all.length };
  }
  // The total is not counted for each page, as that costs more the larger a book is; the last page
  // knows it.
  const read = async (page: number) => {
    const records = client.list(resource, { ...query, page, limit: rowsMax, count: false });
    const rows: object[] = [];
    for await (const each of records) rows.push(each);
    const count = records.more ? undefined : (page - 1) * rowsMax + rows.length;
    return { page, rows, isLast: !records.more, count };
  };
  const result = await read(pageNumber);
  if (result.rows.length > 0 || pageNumber === 1) return result;
  const counted = client.list(resource, { ...query, limit: 1, count: true });
  for await (const _ of counted) break;
  return read(lastOf(counted.itemCount ?? 0));
}

// --- what is asked -----------------------------------------------------------------------------

interface ParsedQuery {
  /** Values of the form fields and of the order, as given in the query. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly faults: readonly string[];
}

/** Fields with the date that a list can be filtered by. */
const mainDates = ["Date", "PurchaseDate", "FromDate"] as const;
/** Fields with the amount that a list can be filtered by. */
const mainAmounts = ["Total", "Amount", "TotalAmount", "Cost"] as const;
const choiceFields = [
  "Status",
  "ContactStatus",
  "Type",
  "Class",
  "Direction",
  "PaymentType",
] as const;

const filterable = ({ fields }: Resource, names: readonly string[]) =>
  names.find((name) => fields[name]?.filter === true);

function filtersOf({ resource, types }: RecordList): FilterField[] {
  const { fields } = resource;
  const choices = choiceFields.flatMap((name): FilterField[] => {
    const field = fields[name];
    if (field?.kind !== "choice" || field.filter !== true) return [];
    if (name === "Type" && types !== undefined) return [];
    const values = field.values.map((value) => [value, choiceText(name, value)] as const);
    const none = name === "Status" && deadIn(resource).length > 0 ? "All but what is gone" : "All";
    return [{ kind: "choice", name: parameterOf(name), label: labelOf(name), values, none }];
  });
  const date = filterable(resource, mainDates);
  const amount = filterable(resource, mainAmounts);
  return [
    ...(isSearched(resource) ? [{ kind: "search", name: "q", label: "Search" } as const] : []),
    ...choices,
    ...(resource.fields.DueDate?.filter === true ? [dueField] : []),
    ...(contactPathOf(resource) === undefined
      ? []
      : [{ kind: "text", name: "contact", label: "Contact" } as const]),
    ...(date === undefined
      ? []
      : [
          { kind: "date", name: "from", label: "From" } as const,
          { kind: "date", name: "to", label: "To" } as const,
        ]),
    ...(amount === undefined
      ? []
      : [
          { kind: "amount", name: "least", label: `${labelOf(amount)} from` } as const,
          { kind: "amount", name: "most", label: "to" } as const,
        ]),
  ];
}

/** Filter of unpaid documents by due date. */
const dueField: FilterField = {
  kind: "choice",
  name: "due",
  label: "Due",
  values: [
    ["overdue", "Overdue"],
    ["week", "This week"],
  ],
  none: "Any day",
};

/** Number of days in the filter "This week", today included. */
const weekDays = 7;

function dueConditions({ fields }: Resource, due: string | undefined, today: string): string[] {
  if (due === undefined) return [];
  const open = compare(fields, "AmountDue", ">", 0);
  if (due === "overdue") return [open, compare(fields, "DueDate", "<", today)];
  const last = addDays(today, weekDays - 1);
  return [open, ...rangeOf(fields, "DueDate", today, last)];
}

/** Statuses of voided and deleted records, which a list shows only on request. */
const dead: readonly string[] = ["VOIDED", "DELETED"];

function deadIn({ fields: { Status } }: Resource): readonly string[] {
  if (Status?.kind !== "choice" || Status.filter !== true) return [];
  return Status.values.filter((status) => dead.includes(status));
}

/**
 * Query that excludes voided and deleted records, by the status parameter or else by a condition.
 */
function liveAlone(resource: Resource, due: string | undefined): Partial<ListQuery> {
  const { Status } = resource.fields;
  const gone = deadIn(resource);
  if (gone.length === 0 || Status?.kind !== "choice") return {};
  const parameter = resource.parameters?.find(({ field }) => field === "Status");
  if (parameter === undefined) {
    return { where: allOf(gone.map((each) => compare(resource.fields, "Status", "!=", each))) };
  }
  const live = Status.values.filter((each) => !dead.includes(each));
  // Documents due are approved and unpaid; an index on that status finds them.
  return { parameters: { [parameter.name]: due === undefined ? live.join(",") : "AUTHORISED" } };
}

const parameterOf = (field: string) => (/Status$/.test(field) ? "status" : field.toLowerCase());

/** Path of the contact's id in a record, if the list can be filtered by it. */
function contactPathOf({ fields }: Resource): string | undefined {
  const field = fields.Contact;
  return field?.kind === "ref" && field.filter === true ? "Contact.ContactID" : undefined;
}

function parsedOf({ query }: BooksContext, list: RecordList): ParsedQuery {
  const faults: string[] = [];
  const values: Record<string, string | undefined> = {};
  for (const field of filtersOf(list)) {
    const text = query.get(field.name)?.trim() ?? "";
    if (text === "") continue;
    const fault = faultIn(field, text);
    if (fault === undefined) values[field.name] = text;
    else faults.push(fault);
  }
  const order = query.get("order") ?? undefined;
  if (order !== undefined && isOrder(list, order)) values.order = order;
  return { values, faults };
}

function faultIn(field: FilterField, text: string): string | undefined {
  const { label } = field;
  const shown = text.slice(0, 40);
  switch (field.kind) {
    case "date":
      return isDay(text) ? undefined : `${label} is a day such as 2026-03-31, not “${shown}”.`;
    case "amount":
      return readDecimal(text.replaceAll(",", ""), scaleOf.money) === undefined
        ? `${label} is an amount such as 120.50, not “${shown}”.`
        : undefined;
    case "choice":
      return field.values.some(([value]) => value === text)
        ? undefined
        : `${label} is none of those there are: “${shown}”.`;
    default:
      return undefined;
  }
}

/** Query for the service; undefined where no record can match. */
async function queryOf(
  ctx: BooksContext,
  list: RecordList,
  { values }: ParsedQuery,
): Promise<ListQuery | undefined> {
  const { resource } = list;
  const { fields } = resource;
  const parameters: Record<string, string> = {};
  const conditions: (string | undefined)[] = [onlyOf(list)];
  for (const name of choiceFields) {
    const value = values[parameterOf(name)];
    if (fields[name]?.filter !== true || value === undefined) continue;
    const parameter = resource.parameters?.find((each) => each.field === name);
    if (parameter === undefined) conditions.push(compare(fields, name, "==", value));
    else parameters[parameter.name] = value;
  }
  const contactPath = contactPathOf(resource);
  if (values.contact !== undefined && contactPath !== undefined) {
    const ids = await contactIds(ctx, values.contact);
    if (ids.length === 0) return undefined;
    const parameter = resource.parameters?.find((each) => each.field === contactPath);
    if (parameter === undefined) conditions.push(anyIdOf(fields, contactPath, ids));
    else parameters[parameter.name] = ids.join(",");
  }
  const live = values.status === undefined ? liveAlone(resource, values.due) : {};
  Object.assign(parameters, live.parameters);
  conditions.push(live.where, ...dueConditions(resource, values.due, ctx.today));
  conditions.push(...rangeOf(fields, filterable(resource, mainDates), values.from, values.to));
  const cents = (text: string | undefined) =>
    text === undefined
      ? undefined
      : (readDecimal(text.replaceAll(",", ""), scaleOf.money) as Cents);
  const amount = filterable(resource, mainAmounts);
  if (values.q !== undefined) conditions.push(termCondition(resource, values.q));
  conditions.push(...rangeOf(fields, amount, cents(values.least), cents(values.most)));
  const where = allOf(conditions);
  return {
    parameters,
    where,
    order: orderOf(list, values.order),
    fields: fieldsOf(list),
  };
}

function rangeOf(
  fields: Fields,
  name: string | undefined,
  from: string | number | undefined,
  to: string | number | undefined,
): string[] {
  if (name === undefined) return [];
  return [
    ...(from === undefined ? [] : [compare(fields, name, ">=", from)]),
    ...(to === undefined ? [] : [compare(fields, name, "<=", to)]),
  ];
}

function anyIdOf(fields: Fields, path: string, ids: readonly string[]): string {
  return `(${ids.map((id) => compare(fields, path, "==", id)).join(" OR ")})`;
}

/** Maximum number of contacts that a contact filter matches at a time. */
const contactsMax = 50;

/** Name of the contact if the filter is a ContactID; any other text is returned as it is. */
export async function contactName(
  { client }: BooksContext,
  key: string | undefined,
): Promise<string | undefined> {
  const id = readId(key ?? "");
  if (id === undefined) return key;
  return (await client.find(contact, id).catch(ignoreForbidden))?.Name ?? key;
}

/**
 * Ids of the contacts with exactly that name; where there are none, of those found by searching.
 */
async function contactIds({ client }: BooksContext, text: string): Promise<string[]> {
  const id = readId(text);
  if (id !== undefined) return [id];
  const parameters = { includeArchived: "true" };
  const read = async (query: ListQuery) => {
    const ids: string[] = [];
    const request = { ...query, parameters, limit: contactsMax, fields: ["ContactID"] };
    for await (const { ContactID } of client.list(contact, request)) ids.push(ContactID);
    return ids;
  };
  const exact = await read({ where: compare(contact.fields, "Name", "==", text) });
  return exact.length > 0 ? exact : read({ searchTerm: text });
}

/** Fields that the columns read, and those shown beside them. */
function fieldsOf({ resource, columns }: RecordList): readonly string[] {
  const besides = ["CurrencyCode", "Type", "AmountDue", "Status", "DueDate"];
  const first = columns.map((column) => column.split(".")[0] ?? "");
  return [...new Set([resource.id, ...first, ...besides])].filter(
    (name) => resource.fields[name] !== undefined,
  );
}

// --- order -------------------------------------------------------------------------------------

/**
 * Whether a column can be ordered by in a list of any size: it must be indexed, unless the resource
 * is small.
 */
function isOrderable({ resource }: RecordList, path: string): boolean {
  const field = fieldAt(resource.fields, path.split("."))?.field;
  if (resource.order !== true || field === undefined || path.includes(".")) return false;
  if (field.computed === true || ["many", "one", "ref", "texts"].includes(field.kind)) return false;
  return resource.indexed?.includes(path) ?? true;
}

function isOrder(list: RecordList, order: string): boolean {
  const [path = "", way = "", more] = order.split(" ");
  return more === undefined && /^(ASC|DESC)$/.test(way) && isOrderable(list, path);
}

function orderOf({ resource }: RecordList, order: string | undefined): string | undefined {
  return order ?? (resource.order === true ? resource.listOrder : undefined);
}

function headOf(
  ctx: BooksContext,
  list: RecordList,
  { path, field }: RecordColumn,
  { values, order }: ParsedQuery & { readonly order: string | undefined },
): Column {
  const label = labelOf(path);
  const figures = isNumeric[field.kind];
  if (!isOrderable(list, path)) return { heading: label, figures };
  const isFirst = order?.split(",")[0]?.split(" ")[0] === path;
  const isDown = / DESC\b/.test(order?.split(",")[0] ?? "");
  const next = isFirst && !isDown ? "DESC" : "ASC";
  const to = addressWith(list.path, Object.entries({ ...values, order: `${path} ${next}` }));
  return {
    heading: html`<a class="sort" href="${linkBeside(ctx, to)}">${label}${
      isFirst ? html`<span aria-hidden="true"> ${isDown ? "\u2193" : "\u2191"}</span>` : ""
    }</a>`,
    figures,
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
  const own =
    path === "/accounts"
      ? accountAddress((record as { Code?: string }).Code ?? id)
      : `${path}/${encodeURIComponent(id)}`;
  const currency = currencyOf(ctx, record);
  const isForeign = currency !== ctx.organisation.BaseCurrency;
  return columns.map((column, at) => {
    if (column.path === "AmountDue" && !isOwed(record)) return "";
    const content = shownValue(column.field, column.read(record), {
      ctx,
      currency,
      name: column.path.split(".").at(-1) ?? "",
      record,
    });
    if (at === 0) return link(linkFrom(ctx, own ?? path), content === "" ? list.noun : content);
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
  const part = (record as Readonly<Record<string, Readonly<Record<string, string>>>>)[head];
  const address =
    tail === "Code" && /Account$/.test(head)
      ? accountAddress(part?.Code)
      : head === "Contact" && part?.ContactID !== undefined
        ? `/contacts/${encodeURIComponent(part.ContactID)}`
        : undefined;
  return address === undefined ? undefined : link(linkFrom(ctx, address), content);
}

/** Fields whose amounts are summed in the total row of a list. */
const summed: ReadonlySet<string> = new Set([
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
  const isOneSided = section === "sales" || section === "purchases" || path === "/assets";
  if (!isOneSided || rows.length < 2 || !columns.some(({ path }) => summed.has(path))) return [];
  const byCurrency = Map.groupBy(rows, (record) => currencyOf(ctx, record));
  return [...byCurrency].map(([currency, of]) => ({
    kind: "total" as const,
    cells: columns.map((column, at) => {
      if (at === 0) return byCurrency.size === 1 ? "Total" : `Total ${currency}`;
      if (!summed.has(column.path)) return "";
      const counted = column.path === "AmountDue" ? of.filter(isOwed) : of;
      const cents = counted.reduce(
        (sum, record) => sum + ((column.read(record) as number) ?? 0),
        0,
      );
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
  for await (const each of ctx.client.list(list.resource, latest)) rows.push(each);
  if (rows.length === 0) return undefined;
  const columns = columnsShown(list.resource, undefined, list.columns);
  return part(
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
