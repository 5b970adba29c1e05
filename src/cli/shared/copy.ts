/**
 * The verbs `copy`, which creates a draft from a record, and `invoice` and `bill`, which create the
 * document of a quote or order.
 */

import { type BillingInput, billedLine, billing, quantityOf } from "../../resources/billing.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Input, idOf, type Resource, type Shape } from "../../resources/field.ts";
import { type InvoiceInput, invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { purchaseOrder } from "../../resources/purchase-order.ts";
import type { quote } from "../../resources/quote.ts";
import type { Command, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { nameOfRecord, sayChanges } from "../framework/confirm.ts";
import { fieldsInOptions, settleDates } from "../framework/input.ts";
import { parseValue } from "../values/value.ts";
import { type DocumentKind, optionsFollowingDate, withContact } from "./document-verbs.ts";
import { type Noun, withArticle } from "./verbs.ts";

/** Fields specific to one document, which copies omit. */
const ownFields: readonly string[] = ["Status", "SentToContact", "Url", "CurrencyRate", "Date"];

/** Declares `acct NOUN copy NUMBER`. */
export function copyVerb<R extends Resource>(kind: DocumentKind<R>): Command {
  const { resource, word, called, example } = kind;
  const names = kind.fields.filter((name) => name !== "Type");
  return command("copy", `make ${withArticle(called)} with the lines of another`)
    .alias("duplicate")
    .key(resource, word)
    .fields(resource, names, {
      ...optionsFollowingDate(resource),
      Date: { help: "today when not given" },
      Status: { values: kind.newStatuses },
    } as object)
    .note("It is a draft of today with the next number; what is due later is as many days later.")
    .example(`acct ${word} copy ${example}`)
    .example(`acct ${word} copy ${example} --date 2026-04-01`)
    .action(async (ctx, key, options) => {
      const document = (await kind.find(ctx, key)) as Readonly<Record<string, unknown>>;
      const client = await ctx.client();
      const givenFields = fieldsInOptions(resource, options) as { readonly Date?: string };
      const sent = await withContact(client, givenFields);
      const day = sent.Date ?? (await ctx.today());
      const copyInput = { ...copy(kind, document, day), Date: day, ...sent } as unknown as Input<R>;
      const input = settleDates(resource, copyInput, { today: await ctx.today() });
      await ctx.out.record(resource, await client.create(resource, { ...input, ...kind.fixed }));
    });
}

/** Returns the fields that a copy takes from its document. */
function copy<R extends Resource>(
  { resource, fields }: DocumentKind<R>,
  source: Readonly<Record<string, unknown>>,
  day: string,
): object {
  const { Contact, LineItems = [] } = source as {
    Contact?: { ContactID?: string };
    LineItems?: readonly LineItem[];
  };
  const copied: Record<string, unknown> = {};
  for (const name of fields) {
    const field = resource.fields[name];
    const value = source[name];
    if (field === undefined || value === undefined || ownFields.includes(name)) continue;
    if (field.key === true || name === "Contact") continue;
    const follows = field.kind === "date" && field.follows !== undefined;
    copied[name] = follows ? shift(String(value), String(source[field.follows ?? ""]), day) : value;
  }
  return {
    ...copied,
    Contact: { ContactID: Contact?.ContactID },
    LineItems: LineItems.map(lineOf),
  };
}

/**
 * Returns the date that is as long after `day` as `value` is after `from`.
 */
function shift(value: string, from: string, day: string): string {
  const distanceMs = Date.parse(value) - Date.parse(from);
  return new Date(Date.parse(day) + (distanceMs || 0)).toISOString().slice(0, 10);
}

/** Returns the input fields of a line, without those that the service computes. */
function lineOf(line: LineItem) {
  const { Description, Quantity, UnitAmount, ItemCode, AccountCode, TaxType } = line;
  const { DiscountRate, DiscountAmount, Tracking = [] } = line;
  const own = { Description, Quantity, UnitAmount, ItemCode, AccountCode, TaxType };
  const discount = DiscountRate === undefined ? { DiscountAmount } : { DiscountRate };
  const options = Tracking.map(({ Name, Option }) => ({ Name, Option }));
  const lineCopy = { ...own, ...discount, ...(options.length === 0 ? {} : { Tracking: options }) };
  return Object.fromEntries(Object.entries(lineCopy).filter(([, value]) => value !== undefined));
}

type BillableResource = typeof quote | typeof purchaseOrder;
type BillingLine = NonNullable<BillingInput["Lines"]>[number];

/** Differences between the two verbs. */
const methods = {
  quote: {
    verb: "invoice",
    deed: "Invoice",
    path: "/Quotes/{QuoteID}/Invoice",
    type: "ACCREC",
    status: "INVOICED",
    fields: ["InvoiceNumber", "Reference", "Date", "DueDate", "Status", "ExpectedPaymentDate"],
    summary: "make the invoice of a quote, wholly or in part",
    example: "--status AUTHORISED --due-date +20d",
  },
  "purchase-order": {
    verb: "bill",
    deed: "Bill",
    path: "/PurchaseOrders/{PurchaseOrderID}/Bill",
    type: "ACCPAY",
    status: "BILLED",
    fields: ["InvoiceNumber", "Date", "DueDate", "Status", "PlannedPaymentDate"],
    summary: "make the bill of a purchase order, wholly or in part",
    example: "--invoice-number 4711 --status AUTHORISED",
  },
} as const;

type CopyMethod = (typeof methods)[keyof typeof methods];

/** Parses `2` or `2=5`: a line number, and the quantity of that line. */
function readPart(text: string): BillingLine {
  const [place = "", amount] = text.split("=");
  const fields = billing.fields.Lines.fields;
  const LineNumber = parseValue(fields.LineNumber, place.trim(), { name: "--line" }) as number;
  if (amount === undefined) return { LineNumber };
  const Quantity = parseValue(fields.Quantity, amount.trim(), { name: "the quantity in --line" });
  return { LineNumber, Quantity: Quantity as BillingLine["Quantity"] };
}

/** Flag for lines of a document, by line number. */
export const partFlag = { placeholder: "N[=QUANTITY]", repeat: true, read: readPart } as const;

/**
 * Declares `invoice` or `bill`.
 *
 * @param document  quotes or purchase orders
 */
export function billVerb(document: Noun<BillableResource>): Command {
  const { resource, word, example } = document;
  const method = methods[word as keyof typeof methods];
  const { verb, fields, summary } = method;
  return command(verb, summary)
    .key(resource, word)
    .fields(billing, [...fields, "CurrencyRate", "BrandingThemeID", "Url"], {
      Date: { help: "today when not given" },
    })
    .flag(
      "line",
      "one line by its place from 1, and how much of it; what is left of it when not given",
      { ...partFlag },
    )
    .switch("all-lines", "everything that is left, as when no --line is given")
    .answers(invoice)
    .note(
      "What is billed is remembered, so that parts add up to the whole; when all of it is, the " +
        `${document.called} is ${method.status}. What is voided or deleted can be billed again.`,
    )
    .example(`acct ${word} ${verb} ${example}`)
    .example(`acct ${word} ${verb} ${example} ${method.example}`)
    .example(`acct ${word} ${verb} ${example} --line 1=5 --line 3 --dry-run`)
    .action(async (ctx, key, options) => {
      const { line, allLines } = options;
      if (line !== undefined && allLines === true) {
        throw new UsageError("BadFlags", "--all-lines bills every line; leave --line out.");
      }
      const source = await document.find(ctx, key);
      const input = {
        ...(fieldsInOptions(billing, options) as BillingInput),
        ...(line === undefined ? {} : { Lines: line }),
      };
      await billOrCopy(ctx, resource, method, source, input);
    });
}

async function billOrCopy(
  ctx: Context,
  resource: BillableResource,
  copyMethod: CopyMethod,
  source: Shape<BillableResource>,
  input: BillingInput,
): Promise<void> {
  const client = await ctx.client();
  if (await client.offers("POST", copyMethod.path)) {
    const newInvoice = await client.bill(resource, idOf(resource, source), copyMethod.deed, input);
    return ctx.out.record(invoice, newInvoice);
  }
  await billInTwoRequests(ctx, resource, copyMethod, source, input);
}

/** Creates the document with separate requests, for a service without the billing extension. */
async function billInTwoRequests(
  ctx: Context,
  resource: BillableResource,
  way: CopyMethod,
  source: Shape<BillableResource>,
  { Lines, ...fields }: BillingInput,
): Promise<void> {
  const client = await ctx.client();
  const { LineItems = [] } = source;
  const parts = (Lines ?? LineItems.map((_, at): BillingLine => ({ LineNumber: at + 1 }))).map(
    ({ LineNumber = 0, Quantity }) => {
      const line = LineItems[LineNumber - 1];
      if (line === undefined) {
        throw new UsageError(
          "BadValue",
          `${nameOfRecord(resource, source)} has no line ${LineNumber}.`,
        );
      }
      return { line, quantity: Quantity ?? quantityOf(line) };
    },
  );
  const { Contact, LineAmountTypes, CurrencyCode, Reference } = source;
  const input = {
    Contact: { ContactID: Contact?.ContactID },
    LineAmountTypes,
    CurrencyCode,
    ...(way.type === "ACCREC" ? { Reference: Reference ?? nameOfRecord(resource, source) } : {}),
    ...fields,
    Type: way.type,
    LineItems: parts.map(({ line, quantity }) => billedLine(line, quantity, way.type === "ACCREC")),
  } as InvoiceInput;
  const newInvoice = await client.create(invoice, input);
  const isWhole =
    parts.length === LineItems.length &&
    parts.every(({ line, quantity }) => quantity === quantityOf(line));
  const name = nameOfRecord(resource, source);
  if (isWhole) {
    const change = { Status: way.status } as Input<BillableResource>;
    const changedSource = await client.update(resource, idOf(resource, source), change);
    sayChanges(ctx, resource, source, changedSource);
  }
  const tense = ctx.flags.dryRun ? "would be" : "was";
  ctx.out.say(
    `This service does not link the two, nor remember what is billed: it ${tense} made by itself` +
      (isWhole ? `, and ${name} marked as ${way.status}.` : `; ${name} stays as it is.`),
  );
  await ctx.out.record(invoice, newInvoice);
}
