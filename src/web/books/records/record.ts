/** Page of one record: its fields, lines, settlements, attachments, journals and history. */
import { columnsOf, isNumeric, isPresent } from "../../../output/columns.ts";
import { labelOf } from "../../../output/field-labels.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Attachment } from "../../../resources/attachment.ts";
import { type Cents, rateOfOne } from "../../../resources/decimal.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  type FieldValues,
  idOf,
  pathOf,
  type Resource,
} from "../../../resources/field.ts";
import type { HistoryRecord as HistoryEntry } from "../../../resources/history.ts";
import {
  bankTransfer,
  contact,
  invoice,
  manualJournal,
  payment,
} from "../../../resources/index.ts";
import { isOfBill, remittance } from "../../../resources/remittance.ts";
import { addressWith, linkFrom } from "../../frame/breadcrumbs.ts";
import {
  type Content,
  type Fact,
  facts,
  isolated,
  link,
  pagePart,
  sizeOf,
  table,
} from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import { listOf, type RecordList, recordAddress } from "../catalogue.ts";
import type { BooksContext } from "../context.ts";
import { showPostings } from "../ledger/postings.ts";
import {
  type Around,
  accountAddress,
  type CodeNames,
  codeNames,
  currencyOf,
  day,
  isOwed,
  lateBy,
  money,
  shownValue,
  timeText,
} from "../shown-values.ts";
import { actsOf, otherFaults, saidOf } from "./acts/acts.ts";
import { onlineFact } from "./acts/online.ts";
import { cellsOf, neighboursOf } from "./list.ts";

export async function showRecord(ctx: BooksContext, list: RecordList, id: string): Promise<Page> {
  const { client } = ctx;
  const { resource, noun } = list;
  const record = (await client.find(resource, id)) as FieldValues;
  const name = nameOf(resource, record);
  const title = name === undefined ? noun : `${noun} ${name}`;
  const key = idOf(resource, record);
  const at = { ctx, list, record, key };
  const names = await codeNames(ctx);
  const entries = await historyOf(ctx, resource, key);
  return {
    title,
    heading: html`${noun}${name === undefined ? "" : html` ${isolated(name)}`}${statusOf(ctx, resource, record)}`,
    body: html`${owedText(ctx, record)}${sentText(ctx, entries)}${await saidOf(at)}${otherFaults(at)}${await actsOf(at, [...linksOf(ctx, list, record, key), ...(await neighboursOf(ctx, list, key))])}
${facts([...factsOf(ctx, resource, record, names), ...(await onlineFact(at))])}
${tablesOf(ctx, resource, record, names, true)}
${sumsOf(ctx, resource, record)}
${tablesOf(ctx, resource, record, names, false)}
${resource === contact ? await openDocuments(ctx, key) : ""}
${filesOf(ctx, list, record, key)}
${posts.has(resource) || resource.document !== undefined ? await journalsOf(ctx, key, record, names) : ""}
${historyPart(ctx, entries)}`,
  };
}

/** Resources other than documents whose records post to the ledger. */
const posts: ReadonlySet<Resource> = new Set<Resource>([payment, bankTransfer, manualJournal]);

/** Name of a record for people; undefined for records without a name of their own. */
function nameOf(resource: Resource, record: FieldValues): string | undefined {
  const own = Object.keys(resource.fields).filter((name) => resource.fields[name]?.key === true);
  const names = [resource.document?.number, ...own, "Name", "Handle", "Narration", "Reference"];
  for (const name of names) {
    const value = name === undefined ? undefined : record[name];
    if (typeof value === "string" && value !== "") return value.split("\n", 1)[0];
  }
  return undefined;
}

function statusOf(ctx: BooksContext, resource: Resource, record: FieldValues): Content {
  const field = resource.fields.Status;
  if (field === undefined || record.Status === undefined) return "";
  const valueContext = { ctx, currency: "", name: "Status", record };
  return html` ${shownValue(field, record.Status, valueContext)}${lateBy(ctx, record)}`;
}

/** What is owed on a document, to whom or by whom, and until when; empty where nothing is. */
function owedText(ctx: BooksContext, record: FieldValues): Content {
  const { AmountDue, DueDate, Type, Contact } = record;
  if (record.Status !== "AUTHORISED" || typeof AmountDue !== "number" || AmountDue <= 0) return "";
  const currency = currencyOf(ctx, record);
  const { ContactID, Name = "" } = (Contact ?? {}) as { ContactID?: string; Name?: string };
  const who = link(ContactID && linkFrom(ctx, `/contacts/${ContactID}`), Name);
  const due = typeof DueDate === "string" ? html`, due ${day(DueDate)}` : "";
  return html`<p class="owed"><span class="big">${currency} ${money(ctx, AmountDue as Cents, currency)}</span> <span>${Type === "ACCPAY" ? "owed to" : "owed by"} ${who}${due}</span></p>
`;
}

/** Links to a record on paper. */
function linksOf(
  ctx: BooksContext,
  list: RecordList,
  record: FieldValues,
  key: string,
): readonly Content[] {
  const { resource, path } = list;
  const below = (subPath: string) => `${ctx.base}${path}/${encodeURIComponent(key)}/${subPath}`;
  const pdf =
    resource.printed === true && record.Type !== "ACCPAY" && record.Type !== "ACCPAYCREDIT"
      ? html`<a class="act other" href="${below("pdf")}" type="application/pdf">PDF</a>`
      : "";
  const statement =
    resource === contact && ctx.allows("GET", "/Extensions/Statements/{ContactID}")
      ? html`<a class="act other" href="${below("statement")}" type="application/pdf">Statement as PDF</a>`
      : "";
  const advice =
    isOfBill(record) && ctx.allows("GET", `${pathOf(remittance)}/{PaymentID}`)
      ? html`<a class="act other" href="${below("remittance")}" type="application/pdf">Remittance advice as PDF</a>`
      : "";
  return [pdf, statement, advice].filter((text) => text !== "");
}

// --- facts -------------------------------------------------------------------------------------

/** Fields that are shown elsewhere on the page, or are of no interest to people. */
const elsewhere: ReadonlySet<string> = new Set([
  "Status",
  "LineItems",
  "SubTotal",
  "TotalTax",
  "Total",
  "AmountDue",
  "AmountPaid",
  "AmountCredited",
  "RemainingCredit",
  "AppliedAmount",
  "HasAttachments",
  "Attachments",
  "HasErrors",
  "HasValidationErrors",
  "HasAccount",
  "IsDiscounted",
  "XeroNetworkKey",
  "AddToWatchlist",
]);

function factsOf(
  ctx: BooksContext,
  resource: Resource,
  record: FieldValues,
  names: CodeNames,
): Fact[] {
  const currency = currencyOf(ctx, record);
  const isOneType = listOf(resource, record)?.types !== undefined;
  return Object.entries(resource.fields).flatMap(([name, field]): Fact[] => {
    const value = record[name];
    const isRepeated = elsewhere.has(name) && (resource.document !== undefined || name !== "Total");
    if (isRepeated || field.kind === "id" || field.kind === "many" || !isPresent(value)) return [];
    if (value === false || (field.kind === "money" && value === 0)) return [];
    const isSaid = name === "Type" ? isOneType : value === record[resource.document?.number ?? ""];
    if (isSaid || (name === "CurrencyRate" && value === rateOfOne)) return [];
    return flattenField(name, field, value, { ctx, currency, name, record, names });
  });
}

/**
 * Facts of a field; an object inside a record yields a fact for each of its fields, unless it
 * refers to a record.
 */
function flattenField(
  name: string,
  field: Field,
  value: unknown,
  valueContext: Parameters<typeof shownValue>[2],
): Fact[] {
  if (field.kind !== "one" || recordIn(name, value) !== undefined) {
    return [[labelOf(name), contentOf(name, field, value, valueContext)]];
  }
  return Object.entries(field.fields).flatMap(([inner, of]): Fact[] => {
    const innerValue = (value as FieldValues)[inner];
    if (!isPresent(innerValue) || of.kind === "id") return [];
    const nested = flattenField(inner, of, innerValue, valueContext);
    if (name === "Balances") return nested;
    return nested.map(([label, content]) => [html`${labelOf(name)}: ${label}`, content]);
  });
}

/** Content of a value, with a link if it refers to another record. */
function contentOf(
  name: string,
  field: Field,
  value: unknown,
  valueContext: Parameters<typeof shownValue>[2],
): Content {
  const content = shownValue(field, value, { ...valueContext, name });
  // A reference field is shown with a link already.
  if (field.kind === "ref") return content;
  const address = name === "AccountCode" ? accountAddress(value as string) : recordIn(name, value);
  if (address === undefined) return content;
  const to = linkFrom(valueContext.ctx, address);
  // HTML forbids nested links: the label of the field is the text where the content has links.
  const isWithLinks =
    field.kind === "one" && Object.values(field.fields).some(({ kind }) => kind === "ref");
  return isWithLinks ? link(to, labelOf(name)) : link(to, content);
}

/** Address of the record that an inner object such as `{InvoiceID, InvoiceNumber}` refers to. */
function recordIn(name: string, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const id = (value as FieldValues)[`${name}ID`];
  return typeof id === "string" ? recordAddress(name, id, value) : undefined;
}

// --- lists inside the record -----------------------------------------------------------------------

/** Columns of lists inside records, in display order. */
const ownColumns: Readonly<Record<string, readonly string[]>> = {
  LineItems: [
    "Description",
    "ItemCode",
    "Quantity",
    "UnitAmount",
    "DiscountRate",
    "AccountCode",
    "TaxType",
    "Tracking",
    "LineAmount",
  ],
  JournalLines: ["Description", "AccountCode", "TaxType", "TaxAmount", "Tracking", "LineAmount"],
  Payments: ["Handle", "Date", "Reference", "CurrencyRate", "Amount"],
  CreditNotes: ["CreditNoteNumber", "Date", "AppliedAmount"],
  Prepayments: ["Date", "AppliedAmount"],
  Overpayments: ["Date", "AppliedAmount"],
  Allocations: ["Date", "Invoice", "AppliedAmount"],
};

/**
 * Tables of the lists inside a record.
 *
 * @param isLines  true for the document lines, shown before the totals; false for all other lists
 */
function tablesOf(
  ctx: BooksContext,
  resource: Resource,
  record: FieldValues,
  names: CodeNames,
  isLines: boolean,
): Content {
  const currency = currencyOf(ctx, record);
  const markups = Object.entries(resource.fields).flatMap(([name, field]) => {
    const rows = record[name];
    const isRightKind = (name === "LineItems") === isLines;
    const isShown = field.kind === "many" && name !== "Attachments" && isRightKind;
    if (!isShown || !Array.isArray(rows)) return [];
    const telling = (rows as FieldValues[]).filter((row) => hasValue(field, row));
    return telling.length === 0
      ? []
      : [innerTable({ ctx, currency, names, name, record }, field, telling)];
  });
  return html`${markups}`;
}

/** Whether an element has any value besides its type; blank addresses have only that. */
function hasValue({ fields }: FieldOf<"many">, row: FieldValues): boolean {
  return Object.entries(fields).some(
    ([name, { kind }]) => !(kind === "choice" && /Type$/.test(name)) && isPresent(row[name]),
  );
}

function innerTable(context: Around, field: FieldOf<"many">, rows: readonly FieldValues[]): Markup {
  const { ctx, name } = context;
  const columns = (ownColumns[name] ?? visibleIn(field)).filter((column) =>
    rows.some(
      (row) => isPresent(row[column]) && !(column === "CurrencyRate" && row[column] === rateOfOne),
    ),
  );
  const content = (row: FieldValues, column: string): Content => {
    const of = field.fields[column];
    const value = row[column];
    if (of === undefined || !isPresent(value)) return "";
    return contentOf(column, of, value, { ...context, name: column, record: row });
  };
  const id = name.toLowerCase();
  return pagePart(
    id,
    name === "LineItems" ? "Lines" : labelOf(name),
    table({
      caption: labelOf(name),
      columns: columns.map((column) => ({
        heading: labelOf(column),
        figures: isNumeric[field.fields[column]?.kind ?? "text"],
      })),
      rows: rows.map((row) => {
        const cells = columns.map((column) => content(row, column));
        const rowAddress = ownAddress(field, row);
        const [first = ""] = cells;
        if (rowAddress === undefined) return cells;
        return [
          link(linkFrom(ctx, rowAddress), first === "" ? labelOf(field.child) : first),
          ...cells.slice(1),
        ];
      }),
    }),
  );
}

const visibleIn = ({ fields, columns }: FieldOf<"many">): readonly string[] =>
  columns ?? Object.keys(fields).filter((name) => fields[name]?.kind !== "id");

/**
 * Address of the record that a list element represents: the payment of an invoice, the match of a
 * line.
 */
function ownAddress({ child }: FieldOf<"many">, row: FieldValues): string | undefined {
  const { Kind, RecordID } = row as { readonly Kind?: string; readonly RecordID?: string };
  if (Kind !== undefined && RecordID !== undefined) return recordAddress(Kind, RecordID);
  const id = row[`${child}ID`];
  return typeof id === "string" ? recordAddress(child, id, row) : undefined;
}

// --- sums --------------------------------------------------------------------------------------

const sums = [
  ["SubTotal", "Subtotal", ""],
  ["TotalDiscount", "Discount in it", ""],
  ["TotalTax", "Tax", ""],
  ["Total", "Total", "total"],
  ["CISDeduction", "CIS deduction", ""],
  ["AmountPaid", "Paid", ""],
  ["AmountCredited", "Credited", ""],
  ["AmountDue", "Due", "due"],
  ["RemainingCredit", "Remaining", "due"],
] as const;

function sumsOf(ctx: BooksContext, resource: Resource, record: FieldValues): Content {
  if (resource.document === undefined) return "";
  const currency = currencyOf(ctx, record);
  const shownSums = sums.flatMap(([name, label, weight]) => {
    const cents = record[name];
    if (weight === "due" && !isOwed(record)) return [];
    const isShownSum = weight !== "" || (typeof cents === "number" && cents !== 0);
    if (typeof cents !== "number" || !isShownSum) return [];
    return [
      html`<dt class="${weight}">${label}${weight === "total" ? ` ${currency}` : ""}</dt><dd class="${weight}">${money(ctx, cents as Cents, currency)}</dd>`,
    ];
  });
  return shownSums.length === 0 ? "" : html`<dl class="sums">${shownSums}</dl>`;
}

// --- a contact's documents -------------------------------------------------------------------------

/** Number of the latest documents shown on the page of a contact. */
const latestMax = 10;

async function openDocuments(ctx: BooksContext, id: string): Promise<Content> {
  const { client } = ctx;
  const columns = ["InvoiceNumber", "Type", "Date", "DueDate", "Status", "Total", "AmountDue"];
  const rows: object[] = [];
  const parameters = { ContactIDs: id };
  for await (const record of client.list(invoice, {
    parameters,
    order: "Date DESC",
    limit: latestMax,
    fields: ["InvoiceID", "CurrencyCode", ...columns],
    count: false,
  })) {
    rows.push(record);
  }
  if (rows.length === 0) return "";
  const shownColumns = columnsOf(invoice, columns);
  const moreLink = (path: string, words: string) =>
    link(linkFrom(ctx, addressWith(path, [["contact", id]])), words);
  return pagePart(
    "dealings",
    "Latest invoices and bills",
    table({
      caption: "Latest invoices and bills",
      columns: shownColumns.map(({ path, field }) => ({
        heading: labelOf(path),
        figures: isNumeric[field.kind],
      })),
      rows: rows.map((record) => cellsOf(ctx, documentList(record), shownColumns, record)),
    }),
    html`<p>${moreLink("/invoices", "All invoices")} \u00b7 ${moreLink("/bills", "All bills")}</p>
${
  ctx.allows("GET", "/Reports/AgedReceivablesByContact")
    ? html`<p>By age: ${moreLink("/reports/aged-receivables-by-contact", "what is owed by it")} \u00b7 ${moreLink("/reports/aged-payables-by-contact", "what is owed to it")}</p>`
    : ""
}`,
  );
}

function documentList(record: object): RecordList {
  const { Type, InvoiceID } = record as { readonly Type: string; readonly InvoiceID: string };
  const address = recordAddress("Invoice", InvoiceID, { Type }) ?? "";
  return {
    resource: invoice,
    path: address.slice(0, address.lastIndexOf("/")),
    section: "contacts",
    title: "",
    noun: Type === "ACCPAY" ? "Bill" : "Invoice",
    columns: [],
    asked: "",
  };
}

// --- files, journals, history ------------------------------------------------------------------------

function filesOf(
  ctx: BooksContext,
  { path }: RecordList,
  record: FieldValues,
  key: string,
): Content {
  const files = (record.Attachments ?? []) as readonly Attachment[];
  if (files.length === 0) return "";
  const below = `${ctx.base}${path}/${encodeURIComponent(key)}/files/`;
  return pagePart(
    "files",
    "Files",
    html`<ul>${files.map(
      ({ FileName, ContentLength }) =>
        html`<li><a href="${below}${encodeURIComponent(FileName)}" download>${isolated(FileName)}</a> <span class="soft">${sizeOf(ContentLength)}</span></li>`,
    )}</ul>`,
  );
}

/** Journals of a record; for a voided or deleted record, the reversals too. */
async function journalsOf(
  ctx: BooksContext,
  key: string,
  { Status }: FieldValues,
  names: CodeNames,
): Promise<Content> {
  const isDeleted = Status === "VOIDED" || Status === "DELETED";
  const parameters = { record: key, ...(isDeleted ? { undone: "true" } : {}) };
  const postingsShown = await showPostings(ctx, parameters, names);
  return postingsShown === undefined ? "" : pagePart("journals", "Journals", postingsShown);
}

async function historyOf(
  ctx: BooksContext,
  resource: Resource,
  key: string,
): Promise<readonly HistoryEntry[]> {
  if (resource.history !== true) return [];
  return ctx.client.history(resource, key).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
}

/** To whom a document was mailed last, and when; empty where it was not. */
function sentText(ctx: BooksContext, entries: readonly HistoryEntry[]): Content {
  const sent = entries.find(({ Changes = "" }) => / sent$/.test(Changes) && !/ not /.test(Changes));
  const [, to] = /sent to (.+?)\.?$/.exec(sent?.Details ?? "") ?? [];
  if (sent === undefined || to === undefined) return "";
  return html`<p>Sent to ${isolated(to)} on ${timeText(sent.DateUTC, ctx.numberMarks.timezone)}</p>
`;
}

function historyPart(ctx: BooksContext, entries: readonly HistoryEntry[]): Content {
  if (entries.length === 0) return "";
  return pagePart(
    "history",
    "History",
    table({
      caption: "History",
      columns: [
        { heading: "When" },
        { heading: "Who" },
        { heading: "What" },
        { heading: "Details" },
      ],
      rows: entries.map(({ DateUTC, User = "", Changes = "", Details }) => [
        timeText(DateUTC, ctx.numberMarks.timezone),
        isolated(User),
        isolated(Changes),
        html`<span class="text">${isolated(Details)}</span>`,
      ]),
    }),
  );
}

export type { Fields };
