/** Parts of a page with a list: its tabs, filters, sums, what an empty list says, further columns. */
import type { ListQuery } from "../../../client/client.ts";
import { choiceText } from "../../../output/field-labels.ts";
import { html, Markup } from "../../../output/markup.ts";
import { contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { isOverdue } from "../../../resources/email-words.ts";
import { type FieldValues, idOf } from "../../../resources/field.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import { addressWith, linkBeside } from "../../frame/breadcrumbs.ts";
import { type Content, filterForm, link } from "../../frame/components.ts";
import { onlyOf, type RecordList } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { currencyOf, isMoneyOut, isOwed, money } from "../shown-values.ts";
import { contactName, filtersOf } from "./list-query.ts";

type Values = Readonly<Record<string, string | undefined>>;

/** A count with separators of thousands. */
export const countText = (count: number): string =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

// --- tabs --------------------------------------------------------------------------------------

/** Statuses in which a record waits for somebody; tabs of these have a count. */
const waitingStatuses: ReadonlySet<string> = new Set(["DRAFT", "SUBMITTED", "AUTHORISED", "SENT"]);

/** Resources whose lists have tabs, by the name of their status. */
const statusOf = ({ resource }: RecordList): "Status" | "ContactStatus" | undefined =>
  resource.document !== undefined ? "Status" : resource === contact ? "ContactStatus" : undefined;

interface Tab {
  readonly words: string;
  /** Filters of the address. */
  readonly own: Values;
  /** What it holds: a count, or an amount. */
  readonly holds?: Content;
}

/** Tabs of a list by status, with counts of what waits; empty for lists without statuses. */
export async function tabsOf(
  ctx: BooksContext,
  list: RecordList,
  values: Values,
): Promise<Content> {
  const tabs = await tabsIn(ctx, list);
  if (tabs.length === 0) return "";
  const { status, due, kind } = values;
  const others = { ...values, status: undefined, due: undefined, kind: undefined };
  return html`<nav class="tabs" aria-label="Parts of the list"><ul class="strip">${tabs.map(
    ({ words, own, holds }) => {
      const isCurrent = own.status === status && own.due === due && own.kind === kind;
      const current = isCurrent ? new Markup(' aria-current="true"') : "";
      const to = linkBeside(ctx, addressWith(list.path, Object.entries({ ...others, ...own })));
      return html`<li><a href="${to}"${current}>${words}${holds === undefined ? "" : html` <span class="held">${holds}</span>`}</a></li>`;
    },
  )}</ul></nav>
`;
}

async function tabsIn(ctx: BooksContext, list: RecordList): Promise<readonly Tab[]> {
  const name = statusOf(list);
  const field = name && list.resource.fields[name];
  if (name === undefined || field?.kind !== "choice" || field.filter !== true) return [];
  const isDeleted = (status: string) => status === "VOIDED" || status === "DELETED";
  // Archived contacts are shown on request alone, so all that are shown first are active.
  const shownStatuses = field.values.filter((status) =>
    name === "ContactStatus" ? status === "ARCHIVED" : !isDeleted(status),
  );
  const lateOnes = list.resource === invoice ? await lateTab(ctx, list) : undefined;
  const tabs: Tab[] = [{ words: "All", own: {} }];
  if (list.resource === contact) {
    tabs.push({ words: "Customers", own: { kind: "customers" } });
    tabs.push({ words: "Suppliers", own: { kind: "suppliers" } });
  }
  for (const status of shownStatuses) {
    const count = waitingStatuses.has(status) ? await countOf(ctx, list, status) : undefined;
    if (count === 0) continue;
    const isDue = list.resource === invoice && status === "AUTHORISED";
    tabs.push({
      words: isDue ? "Awaiting payment" : choiceText(name, status),
      own: { status },
      ...(count === undefined ? {} : { holds: countText(count) }),
    });
    if (isDue && lateOnes !== undefined) tabs.push(lateOnes);
  }
  return tabs;
}

async function countOf({ client }: BooksContext, list: RecordList, status: string) {
  const { fields } = list.resource;
  const condition = allOf([onlyOf(list), compare(fields, "Status", "==", status)]);
  const query = { where: condition, order: orderByDate(list), limit: 1, count: true };
  const records = client.list(list.resource, query);
  const rows = await Array.fromAsync<object>(records);
  return records.itemCount ?? rows.length;
}

/**
 * By date, so that the index on status and date is used; the default order, by change, would scan
 * all statuses.
 */
const orderByDate = ({ resource }: RecordList) =>
  resource.fields.Date === undefined ? undefined : "Date";

/** Maximum number of records that are read for a sum; of more, none is shown. */
const summedMax = 2_000;

/** The tab of overdue documents, with what is overdue of them. */
async function lateTab(ctx: BooksContext, list: RecordList): Promise<Tab> {
  const ownFilter = { due: "overdue" };
  const { fields } = invoice;
  const condition = allOf([
    onlyOf(list),
    compare(fields, "DueDate", "<", ctx.today),
    compare(fields, "AmountDue", ">", 0),
  ]);
  const query = { where: condition, parameters: { Statuses: "AUTHORISED" } };
  const sums = await readSums(ctx, list, query, [summands.owed]);
  const holds = amountsText(ctx, sums?.[0]);
  return { words: "Overdue", own: ownFilter, ...(holds === undefined ? {} : { holds }) };
}

// --- sums --------------------------------------------------------------------------------------

/** Sum of the totals of a list in a status; undefined where there are none, or too many. */
export async function totalText(
  ctx: BooksContext,
  list: RecordList,
  status: string,
): Promise<Content | undefined> {
  const { fields } = list.resource;
  if (fields.Total === undefined) return undefined;
  const filter = allOf([onlyOf(list), compare(fields, "Status", "==", status)]);
  return amountsText(ctx, (await readSums(ctx, list, { where: filter }, [summands.total]))?.[0]);
}

type ByCurrency = ReadonlyMap<string, number>;

/** A sum of amounts of a list. */
interface Summand {
  readonly name: string;
  readonly word: string;
  /** Whether a record counts; all do when not given. */
  readonly counts?: (record: object) => boolean;
}

const summands = {
  total: { name: "Total", word: "total" },
  owed: { name: "AmountDue", word: "owed", counts: isOwed },
  received: { name: "Amount", word: "received", counts: (record) => !isMoneyOut(record) },
  paid: { name: "Amount", word: "paid", counts: isMoneyOut },
} as const satisfies Record<string, Summand>;

/** Sums of fields over all records of a query, by currency; undefined where there are too many. */
async function readSums(
  ctx: BooksContext,
  list: RecordList,
  query: ListQuery,
  summands: readonly Summand[],
): Promise<readonly ByCurrency[] | undefined> {
  const { resource } = list;
  const names = summands.map(({ name }) => name);
  const fields = [resource.id, "CurrencyCode", "Status", "Direction", ...names].filter(
    (name) => resource.fields[name] !== undefined,
  );
  const sumQuery = { ...query, fields, order: orderByDate(list), limit: summedMax, count: false };
  const records = ctx.client.list(resource, sumQuery);
  const sums = summands.map((summand) => ({ ...summand, own: new Map<string, number>() }));
  for await (const record of records) {
    const values = record as FieldValues;
    const currency = currencyOf(ctx, record);
    for (const { name, own, counts } of sums) {
      if (counts?.(record) === false) continue;
      own.set(currency, (own.get(currency) ?? 0) + Number(values[name] ?? 0));
    }
  }
  return records.more ? undefined : sums.map(({ own }) => own);
}

/** Amounts by currency, of which the base currency goes without its name; undefined for none. */
function amountsText(ctx: BooksContext, amounts: ByCurrency = new Map()): Content | undefined {
  const parts = [...amounts].filter(([, cents]) => cents !== 0);
  if (parts.length === 0) return undefined;
  const isForeign = (currency: string) => currency !== ctx.organisation.BaseCurrency;
  return html`${parts.map(
    ([currency, cents], at) =>
      html`${at === 0 ? "" : " + "}<span class="amount">${isForeign(currency) ? `${currency} ` : ""}${money(ctx, cents as Cents, currency)}</span>`,
  )}`;
}

/** Sums of all that is filtered, for payments and lists of one side that have several pages. */
export async function sumsText(
  ctx: BooksContext,
  list: RecordList,
  { query, count }: { readonly query: ListQuery; readonly count: number },
): Promise<Content> {
  const { total, owed, received, paid } = summands;
  const isOneSided = list.section === "sales" || list.section === "purchases";
  const shown = isOneSided ? [total, owed] : list.path === "/payments" ? [received, paid] : [];
  const own = shown.filter(({ name }) => list.columns.includes(name));
  if (own.length === 0 || count > summedMax) return "";
  const sums = await readSums(ctx, list, query, own);
  return html`${own.map(({ word }, at) => {
    const text = amountsText(ctx, sums?.[at]);
    return text === undefined ? "" : html` \u00b7 ${word} ${text}`;
  })}`;
}

// --- filters -----------------------------------------------------------------------------------

/** Maximum number of contacts offered in the filter by contact. */
const offeredMax = 400;

/** The filters of a list, folded where the screen is narrow. */
export async function filtersOn(
  ctx: BooksContext,
  list: RecordList,
  values: Values,
  rows: readonly object[],
): Promise<Content> {
  const namedValues = { ...values, contact: await contactName(ctx, values.contact) };
  const fields = filtersOf(list);
  const isFiltered = fields.some(({ name }) => name === "contact");
  const offered = isFiltered ? await contactsOffered(ctx, rows) : [];
  const filled = fields.filter(({ name }) => (values[name] ?? "") !== "").length;
  const offering = fields.map((field) =>
    field.name === "contact" ? ({ ...field, offered } as typeof field) : field,
  );
  return html`<input type="checkbox" class="fold" id="fold"><label class="fold act other" for="fold">Filter${filled === 0 ? "" : ` (${filled})`}</label>
${filterForm(ctx, list.path, offering, namedValues)}`;
}

/** Names to choose from: of all contacts, or of those on the page where there are many. */
async function contactsOffered(
  { client, allows }: BooksContext,
  rows: readonly object[],
): Promise<readonly string[]> {
  const query = { fields: ["Name"], limit: offeredMax, count: false, order: "Name ASC" };
  if (allows("GET", "/Contacts")) {
    const contacts = client.list(contact, query);
    const allContacts = await Array.fromAsync(contacts);
    if (!contacts.more) return allContacts.map(({ Name }) => Name);
  }
  const names = rows.map((row) => (row as Partial<Invoice>).Contact?.Name ?? "");
  return [...new Set(names)].filter((name) => name !== "").toSorted();
}

// --- an empty list -----------------------------------------------------------------------------

/** Nouns of the terminal that make a record of a list, by its path. */
const makers: Readonly<Record<string, string>> = {
  "/invoices": "invoice",
  "/bills": "bill",
  "/quotes": "quote",
  "/credit-notes": "credit-note",
  "/purchase-orders": "purchase-order",
  "/contacts": "contact",
  "/items": "item",
};

export async function emptyText(
  ctx: BooksContext,
  list: RecordList,
  values: Values,
): Promise<Content> {
  const { path, title, resource } = list;
  const isFiltered = Object.entries(values).some(([name, value]) => name !== "order" && value);
  if (isFiltered) {
    const records = ctx.client.list(resource, { where: onlyOf(list), limit: 1, count: true });
    const rows = await Array.fromAsync<object>(records);
    const count = records.itemCount ?? rows.length;
    return html`<p role="status">None of ${countText(count)} fits. ${link(linkBeside(ctx, path), "Clear the filters")}</p>`;
  }
  const maker = makers[path];
  const how = maker === undefined ? "" : html` <code>acct ${maker} create</code> makes one.`;
  return html`<p role="status">No ${title.toLowerCase()} yet.${how}</p>`;
}

// --- further columns ---------------------------------------------------------------------------

interface FurtherColumns {
  readonly headings: readonly string[];
  readonly cells: (record: object) => readonly Content[];
}

/** What the contacts of a page owe, and are owed. */
export async function owedColumns(
  ctx: BooksContext,
  { resource }: RecordList,
  rows: readonly object[],
): Promise<FurtherColumns> {
  if (resource !== contact || !ctx.allows("GET", "/Invoices")) {
    return { headings: [], cells: () => [] };
  }
  const ids = rows.map((row) => idOf(contact, row));
  const openInvoices = ctx.client.list(invoice, {
    parameters: { Statuses: "AUTHORISED", ContactIDs: ids.join(",") },
    fields: ["InvoiceID", "Type", "Contact", "AmountDue", "DueDate", "Status", "CurrencyCode"],
    count: false,
  });
  const documents = ids.length === 0 ? [] : await Array.fromAsync(openInvoices);
  const byContact = Map.groupBy(documents, (document) => document.Contact?.ContactID ?? "");
  const sum = (invoices: readonly Invoice[]) => {
    const amountByCurrency = new Map<string, number>();
    for (const { CurrencyCode = ctx.organisation.BaseCurrency, AmountDue } of invoices) {
      amountByCurrency.set(CurrencyCode, (amountByCurrency.get(CurrencyCode) ?? 0) + AmountDue);
    }
    return amountsText(ctx, amountByCurrency) ?? "\u2013";
  };
  return {
    headings: ["Owes us", "Overdue", "We owe"],
    cells: (record) => {
      const contactInvoices = byContact.get(idOf(contact, record)) ?? [];
      const sales = contactInvoices.filter(({ Type }) => Type === "ACCREC");
      const lateSales = sales.filter((sale) => isOverdue(sale, ctx.today));
      const overdue = sum(lateSales);
      return [
        sum(sales),
        lateSales.length === 0 ? overdue : html`<strong class="less">${overdue}</strong>`,
        sum(contactInvoices.filter(({ Type }) => Type === "ACCPAY")),
      ];
    },
  };
}
