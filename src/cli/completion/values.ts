/**
 * What may be typed for a value, out of the book.
 *
 * Somebody has pressed Tab and waits: every kind of value is one short list, asked for by its
 * beginning. What goes wrong is no business of a person in the middle of a line, so it is never
 * said, and a service elsewhere that does not answer at once is not waited for.
 */
import type { Client, ListQuery } from "../../client/client.ts";
import { allOf, anyOf, compare } from "../../client/condition.ts";
import { type Account, account } from "../../resources/account.ts";
import { contact } from "../../resources/contact.ts";
import { contactGroup } from "../../resources/contact-group.ts";
import { creditNote } from "../../resources/credit-note.ts";
import { currency } from "../../resources/currency.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { item } from "../../resources/item.ts";
import { payment } from "../../resources/payment.ts";
import { purchaseOrder } from "../../resources/purchase-order.ts";
import { quote } from "../../resources/quote.ts";
import { repeatingInvoice } from "../../resources/repeating-invoice.ts";
import { taxRate } from "../../resources/tax-rate.ts";
import { trackingCategory } from "../../resources/tracking-category.ts";
import { quoted } from "../../wire/scanner.ts";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { recordNouns } from "../on.ts";
import { exists, placeOf } from "../place.ts";
import { safeLine } from "../render/safe.ts";
import { lineKeys } from "../values/lines.ts";
import { idOf } from "../verbs.ts";
import { build } from "../version.ts";
import { moneyed } from "./moneyed.ts";

/** A value, and what to say of it. */
export interface Value {
  readonly value: string;
  readonly text?: string | undefined;
}

/** What is being typed. */
export interface Asked {
  /** What kind of value, by the name that the scripts have for it. */
  readonly kind: string;
  /** As far as it is typed. */
  readonly start: string;
  /** The words of the line without the program's name; the last may be half typed. */
  readonly words: readonly string[];
}

/** Most values that are answered. */
const valuesMax = 200;
/** Most records that are asked for where the service can be asked for so many: it takes its time. */
const recordsMax = 50;
/** How long a service elsewhere may take, all in all. */
const remoteMs = 250;

/**
 * Answers what is asked, one value a line, its text after a tab.
 *
 * @returns no text where there is nothing to answer, whatever the reason
 */
export async function answerValues(ctx: Context, asked: Asked): Promise<string> {
  try {
    const { values, more } = await valuesOf(ctx, asked);
    const typeable = values.filter(({ value }) => value !== "" && safeLine(value) === value);
    const shown = typeable.slice(0, valuesMax);
    if (more || shown.length < typeable.length) shown.push(...stemOf(shown, asked.start));
    return shown.map(({ value, text }) => `${value}\t${safeLine(text ?? "")}\n`).join("");
  } catch {
    return "";
  }
}

/**
 * The text so far, as one value among others, for when there are more than are shown.
 *
 * Shells write out what all values have in common, which is too much where some were left out.
 */
function stemOf([first]: readonly Value[], start: string): Value[] {
  const value = first?.value.slice(0, start.length) ?? "";
  return value === "" ? [] : [{ value, text: "and more" }];
}

interface Found {
  readonly values: readonly Value[];
  /** Whether there are others. */
  readonly more: boolean;
}

const all = (values: readonly Value[]): Found => ({ values, more: false });

async function valuesOf(ctx: Context, asked: Asked): Promise<Found> {
  const { kind, start } = asked;
  if (kind === "profile") return all(profiles(ctx, start));
  if (kind === "line") return lineValues(ctx, asked);
  if (kind === "record") return recordValues(ctx, asked);
  const live = sources[kind] ?? newest[kind];
  if (live === undefined) return all([]);
  return withClient(ctx, asked.words, (client) => live(client, asked));
}

// --- from the book ---------------------------------------------------------------------------

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

function begins(value: string, start: string): boolean {
  return value.toLowerCase().startsWith(start.toLowerCase());
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

// --- values of several parts -----------------------------------------------------------------

/** `item=WIDGET,account=2…`: keys, and after a key what belongs to it. */
async function lineValues(ctx: Context, { start, words }: Asked): Promise<Found> {
  const comma = lastCommaOutsideQuotes(start) + 1;
  const [before, pair] = [start.slice(0, comma), start.slice(comma)];
  const equals = pair.indexOf("=");
  if (equals < 0) {
    const given = new Set(before.split(",").map((each) => each.split("=")[0]));
    const keys = lineKeys.filter(
      (key) => !key.endsWith("-id") && !longForms.has(key) && !given.has(key) && begins(key, pair),
    );
    return all(keys.map((key) => ({ value: `${before}${key}=` })));
  }
  const kind = kindOfKey[pair.slice(0, equals)];
  if (kind === undefined) return all([]);
  const found = await valuesOf(ctx, { kind, start: pair.slice(equals + 1), words });
  const head = before + pair.slice(0, equals + 1);
  // As `--line` wants it: what would end the value is text.
  const escaped = (value: string) => value.replace(/[\\",]/g, "\\$&");
  const values = found.values.map(({ value, text }) => ({ value: head + escaped(value), text }));
  return { ...found, values };
}

/** Keys for which there is a shorter one. */
const longForms = new Set([
  "account-code",
  "discount-rate",
  "item-code",
  "line-amount",
  "tax-type",
]);

const kindOfKey: Readonly<Record<string, string>> = {
  account: "account",
  "account-code": "account",
  item: "item",
  "item-code": "item",
  tax: "tax-rate",
  "tax-type": "tax-rate",
  tracking: "tracking-option",
};

function lastCommaOutsideQuotes(text: string): number {
  let last = -1;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === "," && !isQuoted) last = at;
  }
  return last;
}

/** `invoice:INV-0042`. */
async function recordValues(ctx: Context, { start, words }: Asked): Promise<Found> {
  const colon = start.indexOf(":");
  if (colon < 0) {
    const nouns = recordNouns.filter((noun) => begins(noun, start));
    return all(nouns.map((noun) => ({ value: `${noun}:` })));
  }
  const kind = start.slice(0, colon).toLowerCase();
  if (!recordNouns.includes(kind)) return all([]);
  const found = await valuesOf(ctx, { kind, start: start.slice(colon + 1), words });
  const values = found.values.map(({ value, text }) => ({ value: `${kind}:${value}`, text }));
  return { ...found, values };
}

// --- where to ask ----------------------------------------------------------------------------

function profiles({ env }: Context, start: string): Value[] {
  return Object.entries(readConfig(env).profiles)
    .map(([value, { book, baseUrl }]) => ({ value, text: baseUrl ?? book }))
    .filter(({ value }) => begins(value, start));
}

/** Opens what the words of the line name, if it is there, and keeps quiet about all of it. */
async function withClient(
  ctx: Context,
  words: readonly string[],
  ask: (client: Client) => Promise<Found>,
): Promise<Found> {
  const flags = { ...placeFlags(words, ctx.env), ...quietFlags };
  const place = placeOf(flags, ctx.env, build);
  if (!exists(place)) return all([]);
  const signals = [ctx.interrupted];
  if (place.kind === "remote") signals.push(AbortSignal.timeout(remoteMs));
  const { open } = await import("../open.ts");
  const { client } = await open(
    {
      ...ctx,
      flags,
      place: () => place,
      out: { ...ctx.out, say: () => undefined },
      interrupted: AbortSignal.any(signals),
    },
    { mayRenew: false },
  );
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

const quietFlags = {
  output: "table",
  dryRun: false,
  yes: false,
  input: false,
  verbose: false,
  color: false,
} as const;

/** The flags that say where, out of words of which the last is not finished. */
function placeFlags(words: readonly string[], env: Context["env"]) {
  const given = (name: string): string | undefined => {
    const at = words.findLastIndex((word) => word === name || word.startsWith(`${name}=`));
    if (at < 0) return undefined;
    const value = words[at] === name ? words[at + 1] : words[at]?.slice(name.length + 1);
    return value && typed(value, env);
  };
  return {
    book: given("--book"),
    profile: given("--profile"),
    baseUrl: given("--base-url"),
    tenant: given("--tenant"),
    demo: words.includes("--demo"),
  };
}

/** A word that a shell hands on as it stands on the line, with its quotes and its `~`. */
function typed(word: string, { HOME }: Context["env"]): string {
  const quote = /^(["'])(.*?)\1?$/.exec(word);
  if (quote) return quote[2] ?? "";
  const plain = word.replace(/\\(.)/g, "$1");
  return HOME !== undefined && /^~(\/|$)/.test(plain) ? HOME + plain.slice(1) : plain;
}
