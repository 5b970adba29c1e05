/** The values that are records of the book: each kind is one short list, asked for by its beginning. */
import type { Client, ListQuery } from "../../client/client.ts";
import { allOf, anyOf, compare } from "../../client/condition.ts";
import { type Account, account } from "../../resources/account.ts";
import { contact } from "../../resources/contact.ts";
import { contactGroup } from "../../resources/contact-group.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { currency } from "../../resources/currency.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { employee } from "../../resources/employee.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { item } from "../../resources/item.ts";
import { payment } from "../../resources/payment.ts";
import { purchaseOrder } from "../../resources/purchase-order.ts";
import { quote } from "../../resources/quote.ts";
import { repeatingInvoice } from "../../resources/repeating-invoice.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { trackingCategory } from "../../resources/tracking-category.ts";
import { quoted } from "../../wire/query/scanner.ts";
import { idOf } from "../commands/shared/verbs.ts";
import { type Asked, begins, type Found, type Value } from "./asked.ts";
import { moneyed } from "./moneyed.ts";

/** Most records that are asked for where the service can be asked for so many: it takes its time. */
const recordsMax = 50;

/** The source of a kind of value; undefined where records are none of it. */
export function sourceOf(kind: string): Source | undefined {
  return sources[kind] ?? newest[kind];
}

type Source = (client: Client, asked: Asked) => Promise<Found>;

const sources: Readonly<Record<string, Source>> = {
  invoice: (client, asked) => documents(client, asked, "ACCREC"),
  bill: (client, asked) => documents(client, asked, "ACCPAY"),
  "credit-note": (client, asked) =>
    numbered(client, asked, creditNote, ({ CreditNoteNumber }) => CreditNoteNumber),
  quote: (client, asked) => numbered(client, asked, quote, ({ QuoteNumber }) => QuoteNumber),
  "purchase-order": (client, asked) =>
    numbered(client, asked, purchaseOrder, ({ PurchaseOrderNumber }) => PurchaseOrderNumber),
  contact(client, { start }) {
    const query = { where: startsWith("Name", start), order: "Name ASC" };
    return read(client, contact, query, ({ Name, EmailAddress }) => [
      { value: Name, text: EmailAddress },
    ]);
  },
  "contact-group"(client, { start }) {
    const query = { where: startsWith("Name", start), order: "Name ASC" };
    return read(client, contactGroup, query, ({ Name }) => [{ value: Name }]);
  },
  employee(client, { start }) {
    const query = { where: startsWith("LastName", start), order: "LastName ASC" };
    return read(client, employee, query, ({ LastName, FirstName, Status }) =>
      Status === "DELETED" ? [] : [{ value: LastName, text: FirstName }],
    );
  },
  "repeating-invoice"(client, { start }) {
    const query = { where: startsWith("Reference", start), order: "Reference ASC" };
    return read(client, repeatingInvoice, query, ({ Reference = "", Contact, Status }) =>
      Status === "DELETED" ? [] : [{ value: Reference, text: [Contact?.Name, Status].join(", ") }],
    );
  },
  currency(client, { start }) {
    return read(client, currency, { order: "Code ASC" }, ({ Code, Description }) =>
      begins(Code, start) ? [{ value: Code, text: Description }] : [],
    );
  },
  item(client, { start }) {
    const query = { where: startsWith("Code", start), order: "Code ASC" };
    return read(client, item, query, ({ Code, Name }) => [{ value: Code, text: Name }]);
  },
  account(client, { start, words }) {
    const query = { where: startsWith("Code", start), order: "Code ASC" };
    const { noun } = nounAndVerb(words);
    const fits = accountsFor[noun] ?? (() => true);
    return read(client, account, query, (each) =>
      each.Status === "ACTIVE" && fits(each) ? [{ value: each.Code ?? "", text: each.Name }] : [],
    );
  },
  "tax-rate"(client, { start }) {
    return read(client, taxRate, { order: "Name ASC" }, ({ Status, TaxType = "", Name }) =>
      Status === "ACTIVE" && begins(TaxType, start) ? [{ value: TaxType, text: Name }] : [],
    );
  },
  tracking(client, { start }) {
    return read(client, trackingCategory, {}, ({ Name, Options = [] }) => {
      const text = Options.map((option) => option.Name).join(", ");
      return begins(Name, start) ? [{ value: Name, text }] : [];
    });
  },
  "tracking-option"(client, { start }) {
    return read(client, trackingCategory, {}, ({ Name, Options = [] }) =>
      Options.map((option) => ({ value: `${Name}:${option.Name}` })).filter(({ value }) =>
        begins(value, start),
      ),
    );
  },
  payment(client, { start }) {
    // Payments bear no number; the newest are the likeliest to be meant.
    const query = { where: 'Status=="AUTHORISED"', order: "Date DESC" };
    return read(client, payment, query, ({ PaymentID, Date: day, Amount, Invoice: paid }) => {
      const text = [day, writeDecimal(Amount ?? 0, 2), paid?.InvoiceNumber].join(" ");
      return begins(PaymentID, start) ? [{ value: PaymentID, text }] : [];
    });
  },
};

/** The newest of what bears no number, which are the likeliest to be meant. */
const newest: Readonly<Record<string, Source>> = Object.fromEntries(
  Object.entries(moneyed).map(([kind, { resource, textOf }]): [string, Source] => [
    kind,
    (client, { start }) =>
      read(client, resource, { order: "Date DESC" }, (record) => {
        const value = idOf(resource, record);
        const text = textOf(record as never).filter((each) => each !== undefined);
        return begins(value, start) ? [{ value, text: text.join(" ") }] : [];
      }),
  ]),
);

/** The accounts that a noun has to do with, where not with all of them. */
const accountsFor: Readonly<Record<string, (account: Account) => boolean>> = {
  payment: takesPayments,
  prepayment: takesPayments,
  overpayment: takesPayments,
  "bank-transfer": ({ Type }) => Type === "BANK",
};

/** The statuses in which a document may go through a verb. */
const statusesFor: Readonly<Record<string, readonly string[]>> = {
  submit: ["DRAFT"],
  approve: ["DRAFT", "SUBMITTED"],
  delete: ["DRAFT", "SUBMITTED"],
  void: ["AUTHORISED"],
  email: ["SUBMITTED", "AUTHORISED", "PAID"],
  apply: ["AUTHORISED"],
  bill: ["AUTHORISED"],
  send: ["DRAFT", "ACCEPTED", "DECLINED"],
  accept: ["SENT", "DECLINED"],
  decline: ["SENT", "ACCEPTED"],
  invoice: ["SENT", "ACCEPTED"],
};

/** Documents by number, the newest first, and only those with which the verb can do something. */
async function documents(
  client: Client,
  { start, words }: Asked,
  type: Invoice["Type"],
): Promise<Found> {
  const { noun, verb } = nounAndVerb(words);
  const statuses = Object.hasOwn(statusesFor, verb) ? statusesFor[verb] : undefined;
  const where = allOf([
    // What is paid may be an invoice or a bill.
    noun === "payment" ? undefined : compare(invoice.fields, "Type", "==", type),
    startsWith("InvoiceNumber", start),
    statuses && anyOf(statuses.map((each) => compare(invoice.fields, "Status", "==", each))),
  ]);
  const found: Invoice[] = [];
  // By the day alone, which has an index; within a day there are few.
  const query = { where, order: "Date DESC" };
  const { more } = await read(client, invoice, query, (each) => {
    found.push(each);
    return [];
  });
  found.sort((a, b) => compared(b.Date, a.Date) || compared(b.InvoiceNumber, a.InvoiceNumber));
  return { values: found.map(documentValue), more };
}

type Numbered = typeof creditNote | typeof quote | typeof purchaseOrder;

/**
 * Documents of which there are not so many, by number, the newest first. Not all of their lists take
 * a condition, so that they are looked through here.
 */
function numbered<R extends Numbered>(
  client: Client,
  { start, words }: Asked,
  resource: R,
  numberOf: (document: Shape<R>) => string | undefined,
): Promise<Found> {
  const { verb } = nounAndVerb(words);
  const statuses = Object.hasOwn(statusesFor, verb) ? statusesFor[verb] : undefined;
  return read(client, resource, { order: "Date DESC" }, (document) => {
    const { Contact, Status, CurrencyCode, Total } = document as Shape<Numbered>;
    const value = numberOf(document) ?? "";
    if (!begins(value, start) || statuses?.includes(Status) === false) return [];
    const amount = `${CurrencyCode} ${writeDecimal(Total, 2)}`;
    return [{ value, text: [Contact?.Name, amount, Status].join(", ") }];
  });
}

function documentValue(document: Invoice): Value {
  const { InvoiceNumber = "", Contact, Status, CurrencyCode, Total, AmountDue } = document;
  const isPart = AmountDue !== 0 && AmountDue !== Total;
  const due = isPart ? `, ${writeDecimal(AmountDue, 2)} due` : "";
  const amount = `${CurrencyCode} ${writeDecimal(Total, 2)}${due}`;
  return { value: InvoiceNumber, text: [Contact?.Name, amount, Status].join(", ") };
}

const nounPattern =
  /^(invoice|bill|(pre|over)?payment|bank-transfer|credit-note|quote|purchase-order|po)s?$/;

/** The noun among the words, whatever global flags stand before it, and what follows it. */
function nounAndVerb(words: readonly string[]): { noun: string; verb: string } {
  const at = words.findIndex((word) => nounPattern.test(word));
  return { noun: words[at]?.replace(/s$/, "") ?? "", verb: words[at + 1] ?? "" };
}

function compared(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function takesPayments({ Type, EnablePaymentsToAccount }: Account): boolean {
  return Type === "BANK" || EnablePaymentsToAccount;
}

/** The condition that a field begins with a text; none for an empty one. */
function startsWith(field: string, start: string): string | undefined {
  return start === "" ? undefined : `${field}.StartsWith(${quoted(start)})`;
}

/** What records have to offer; documents come without their lines, which nobody needs here. */
async function read<R extends Resource>(
  client: Client,
  resource: R,
  query: ListQuery,
  values: (record: Shape<R>) => readonly Value[],
): Promise<Found> {
  const isPaged = resource.paged !== undefined;
  const records = client.list(resource, {
    ...query,
    ...(isPaged ? { parameters: { summaryOnly: "true" }, limit: recordsMax } : {}),
  });
  const found: Value[] = [];
  for await (const record of records) found.push(...values(record));
  return { values: found, more: records.more };
}
