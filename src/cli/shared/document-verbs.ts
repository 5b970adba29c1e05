/**
 * Shared code of document verbs: line flags, contacts by any of their names, and status
 * transitions. What is specific to one kind of document is with its noun.
 */

import type { Client } from "../../client/client.ts";
import { monthYear } from "../../ledger/dates/calendar.ts";
import { baseRate } from "../../ledger/money.ts";
import { statusText } from "../../output/field-labels.ts";
import { amountText } from "../../resources/common.ts";
import type { CreditNoteInput } from "../../resources/credit-note.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Input, idOf, type Resource } from "../../resources/field.ts";
import type { Command, Context, FieldFlagOptions } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, nameOfRecord, sayChanges } from "../framework/confirm.ts";
import {
  fieldsInOptions,
  fileFlag,
  inputOf,
  inputsOf,
  requireChange,
  requireFields,
  settleDates,
} from "../framework/input.ts";
import { type LineItemInput, lineKeys, parseLine } from "../values/line-flag.ts";
import { createRecords, forEachRecord, recordsOf } from "./bulk-results.ts";
import { type ContactKey, contactId } from "./filters.ts";
import type { TradeSide } from "./reference.ts";
import { type Noun, updateFound, withArticle } from "./verbs.ts";

/** A kind of document, as a noun represents it. */
export interface DocumentKind<R extends Resource> extends Noun<R> {
  /** Role of its contact, for help; the recipient when not given. */
  readonly whose?: string;
  /** Fields of the document head that flags can set. */
  readonly fields: readonly (keyof Input<R> & string)[];
  /** Statuses permitted for a new document. */
  readonly newStatuses: readonly string[];
  /** Types that a user may choose, where not all are permitted. */
  readonly types?: readonly string[];
  /** Fixed fields of every new document. */
  readonly fixed?: Input<R>;
  /** Converts a new document to the form of the service, where the command line differs from it. */
  readonly completed?: (input: Input<R>) => Input<R>;
}

/** Options of every document besides its fields. */
export interface DocumentOptions {
  readonly line?: LineItemInput[] | undefined;
  readonly addLine?: LineItemInput[] | undefined;
  readonly file?: string | undefined;
}

/** Input fields that all kinds of documents share. */
type DocumentInput = Pick<CreditNoteInput, "Contact" | "LineItems" | "Status">;

type FieldOptions = Readonly<Record<string, FieldFlagOptions>>;

const contactFlag = ({ whose = "who it is for" }: { readonly whose?: string }) => ({
  help: `${whose}, by name, number or id`,
});

/** Marks date fields whose relative values count from the document date. */
export function optionsFollowingDate({ fields }: Resource): FieldOptions {
  const following = Object.entries(fields).filter(
    ([, field]) => field.kind === "date" && field.follows !== undefined,
  );
  return Object.fromEntries(following.map(([name]) => [name, { late: true }]));
}

const lineHelp = `one line: ${lineKeys.filter((key) => !key.endsWith("-id")).join(", ")}`;
const lineFlag = {
  placeholder: "KEY=VALUE,...",
  live: "line",
  repeat: true,
  read: (text: string): LineItemInput => parseLine(text),
} as const;

/** Example of a line, for help. */
export const lineExample =
  "--line 'description=Consulting,quantity=10,unit-amount=150,account=200'";

// --- create ----------------------------------------------------------------------------------

/** Starts the declaration of `create`; the noun adds examples and action. */
export function createBuilder<R extends Resource>(kind: DocumentKind<R>) {
  const { resource, called, fields } = kind;
  const options: FieldOptions = {
    ...optionsFollowingDate(resource),
    Contact: contactFlag(kind),
    Status: { values: kind.newStatuses },
    ...(kind.types === undefined ? {} : { Type: { values: kind.types } }),
  };
  return command("create", `make ${withArticle(called)}`)
    .alias("new")
    .creates(resource)
    .fields(resource, fields, options as object)
    .flag("line", lineHelp, lineFlag)
    .flags<{ readonly file?: string }>([fileFlag]);
}

/** Declares `create` for a noun without additions. */
export function createVerb<R extends Resource>(kind: DocumentKind<R>, example: string): Command {
  return createBuilder(kind)
    .example(example)
    .example(`acct ${kind.word} create --file ${kind.word}.json`)
    .action((ctx, options) => createDocuments(ctx, kind, options as DocumentOptions));
}

/** Creates one document from flags, or those of a file, and shows the result. */
export async function createDocuments<R extends Resource>(
  ctx: Context,
  kind: DocumentKind<R>,
  options: DocumentOptions,
): Promise<void> {
  const { resource, called, fixed } = kind;
  const { line, file } = options;
  const flagFields = {
    ...fieldsInOptions(resource, options),
    ...fixed,
    ...(line === undefined ? {} : { LineItems: line }),
  };
  const inputsRead = await inputsOf(ctx, resource, file, flagFields as Input<R>);
  const inputs = inputsRead.map((input) => kind.completed?.(input) ?? input);
  for (const input of inputs) {
    requireFields({ ...resource, noun: called }, input);
    const { LineItems = [] } = input as DocumentInput;
    if (LineItems.length === 0) {
      throw new UsageError("MissingValue", `A new ${called} needs at least one --line.`);
    }
  }
  const client = await ctx.client();
  const resolved: Input<R>[] = [];
  for (const input of inputs) {
    const datedInput = settleDates(resource, input, { today: await ctx.today() });
    resolved.push(await withNames(client, datedInput, line, sideOf(kind, input)));
  }
  await createRecords(ctx, resource, resolved, called);
}

/** Returns whether a document is a sale or a purchase; undefined where that is not known. */
function sideOf(
  { resource, fixed }: DocumentKind<Resource>,
  document: object,
): TradeSide | undefined {
  if (resource.name === "Quote") return "sale";
  if (resource.name === "PurchaseOrder") return "purchase";
  const { Type } = { ...document, ...fixed } as { Type?: string };
  if (Type === undefined) return undefined;
  return /^(ACCREC|RECEIVE)/.test(Type) ? "sale" : "purchase";
}

/** Resolves the contact of a document to its id, and the names in typed lines to codes. */
async function withNames<T extends object>(
  client: Client,
  input: T,
  typedLines: readonly LineItemInput[] | undefined,
  tradeSide: TradeSide | undefined,
): Promise<T> {
  const namedInput = await withContact(client, input);
  const { LineItems } = namedInput as DocumentInput;
  if (typedLines === undefined || LineItems === undefined) return namedInput;
  const { linesSettled } = await import("./reference.ts");
  const lines: LineItemInput[] = [];
  for (const line of LineItems) {
    // Lines from a file or the existing document already contain codes.
    if (!typedLines.includes(line)) lines.push(line);
    else lines.push(...(await linesSettled(client, [line], tradeSide)));
  }
  return { ...namedInput, LineItems: lines };
}

/** Resolves the contact of a document to its id, since the service matches names exactly. */
export async function withContact<T extends object>(client: Client, input: T): Promise<T> {
  const { Contact } = input as DocumentInput;
  if (Contact === undefined) return input;
  const { ContactID, ContactNumber, Name } = Contact;
  const key: ContactKey = ContactID ? { ContactID } : { Name: Name ?? ContactNumber ?? "" };
  return { ...input, Contact: { ContactID: await contactId(client, key) } };
}

// --- update ----------------------------------------------------------------------------------

/** Starts the declaration of `update`; the noun adds examples and action. */
export function updateBuilder<R extends Resource>(kind: DocumentKind<R>) {
  const { resource, word, called } = kind;
  // An update cannot turn a received document into a spent one.
  const fields =
    kind.types === undefined ? kind.fields : kind.fields.filter((name) => name !== "Type");
  const options: FieldOptions = { ...optionsFollowingDate(resource), Contact: contactFlag(kind) };
  return command("update", `change ${withArticle(called)}`)
    .alias("edit")
    .key(resource, word)
    .fields(resource, fields, options as object)
    .flag("line", "instead of all its lines; see create", lineFlag)
    .flag("add-line", "besides the lines it has; see create", lineFlag)
    .flags<{ readonly file?: string }>([fileFlag])
    .note("What is not given stays as it is.");
}

/**
 * Declares `update`.
 *
 * @param examples  arguments after `acct NOUN update NUMBER`
 */
export function updateVerb<R extends Resource>(
  kind: DocumentKind<R>,
  examples: readonly string[],
): Command {
  const { word, example } = kind;
  let builder = updateBuilder(kind);
  for (const verbExamples of examples) {
    builder = builder.example(`acct ${word} update ${example} ${verbExamples}`);
  }
  return builder.action((ctx, key, options) =>
    updateDocument(ctx, kind, key, options as DocumentOptions),
  );
}

/** Updates one document by flags, or those of a file, and shows the result. */
export async function updateDocument<R extends Resource>(
  ctx: Context,
  kind: DocumentKind<R>,
  key: string,
  options: DocumentOptions,
): Promise<void> {
  const { resource, find } = kind;
  const { line, addLine, file } = options;
  const flagFields = fieldsInOptions(resource, options);
  const input: Input<Resource> = await inputOf(ctx, resource, file, flagFields);
  const client = await ctx.client();
  const record = await find(ctx, key);
  const { LineItems: sent } = input as DocumentInput;
  const lines = line ?? sent ?? (addLine && (record as DocumentInput).LineItems);
  const LineItems = addLine === undefined ? lines : [...(lines ?? []), ...addLine];
  const changedInput = { ...input, ...(LineItems === undefined ? {} : { LineItems }) };
  requireChange(changedInput);
  const settledInput = settleDates(resource, changedInput as Input<R>, {
    held: record,
    today: await ctx.today(),
  });
  const typedLines = [...(line ?? []), ...(addLine ?? [])];
  const namedInput = await withNames(client, settledInput, typedLines, sideOf(kind, record));
  await updateFound(ctx, resource, record, namedInput);
}

// --- status transitions ----------------------------------------------------------------------

/** Irreversible verbs. */
const lastVerbs: readonly string[] = ["void", "delete"];

/** Declares a verb that changes the status of documents. */
export function transitionVerb<R extends Resource>(
  { resource, word, called, example, draft = example, find }: Noun<R>,
  verb: string,
  Status: string,
  summary: string,
): Command {
  const mustAsk = lastVerbs.includes(verb);
  const builder = command(verb, summary).writes().keys(resource, word);
  if (verb === "void" && Status === "DELETED") builder.alias("delete");
  if (mustAsk) builder.note("Asks first; without a terminal to ask on, --yes must be given.");
  return builder
    .example(`acct ${word} ${verb} ${verb === "void" ? example : draft}${mustAsk ? " --yes" : ""}`)
    .action(async (ctx, keys) => {
      const documentByKey = await recordsOf(resource, keys, (key) => find(ctx, key));
      if (mustAsk) {
        const names = [...documentByKey.values()].map((document) => describe(resource, document));
        const question = `${verb === "void" ? "Void" : "Delete"} ${names.join(", ")}?`;
        await confirm(ctx, `${question} ${effectOf([...documentByKey.values()])}`);
      }
      await forEachRecord(ctx, { ...resource, noun: called }, documentByKey, async (former, at) => {
        const input = { Status } as unknown as Input<R>;
        const client = await at.client();
        const documentAfter = await client.update(resource, idOf(resource, former), input);
        sayChanges(at, resource, former, documentAfter);
        return documentAfter;
      });
    });
}

/** Describes a document briefly, for the confirmation of a transition. */
function describe(resource: Resource, document: object): string {
  const { Contact, Status, FromBankAccount, ToBankAccount, CurrencyCode, ...sums } =
    document as DescribedDocument;
  const { Total = sums.Amount } = sums;
  const ofContact = Contact?.Name === undefined ? "" : ` of ${Contact.Name}`;
  const amount =
    Total === undefined
      ? ""
      : `, ${[amountText(Total, CurrencyCode), CurrencyCode].filter(Boolean).join(" ")}`;
  const movedText =
    FromBankAccount === undefined ? "" : ` from ${FromBankAccount.Name} to ${ToBankAccount?.Name}`;
  const words = Status === undefined ? "" : statusText(resource.name, Status);
  const status = words && ` (${words})`;
  return `${nameOfRecord(resource, document)}${ofContact}${amount}${movedText}${status}`;
}

interface DescribedDocument extends Pick<DocumentInput, "Contact" | "Status"> {
  readonly Total?: Cents;
  /** Of a bank transfer. */
  readonly Amount?: Cents;
  readonly CurrencyCode?: string;
  readonly FromBankAccount?: { readonly Name?: string };
  readonly ToBankAccount?: { readonly Name?: string };
}

/** Describes the effect on the ledger. */
function effectOf(documents: readonly Posted[]): string {
  const posted = documents.filter(({ Status }) => Status === "AUTHORISED" || Status === "PAID");
  if (posted.length === 0) return "Nothing of it is posted.";
  const moved = posted.flatMap(changeBy).join("; ");
  return `What it posted is posted once more with every sign turned, on the same date${moved && `: ${moved}`}.`;
}

interface Posted extends Pick<DocumentInput, "Status"> {
  readonly Type?: string;
  readonly Date?: string;
  readonly SubTotal?: Cents;
  readonly TotalTax?: Cents;
  readonly CurrencyCode?: string;
  readonly CurrencyRate?: number;
}

/**
 * Returns the change of income or purchases by a void: `Income −1,000.00, tax −150.00 in March 2026`,
 * of another currency than the organisation's `Income −50.00 EUR in March 2026`.
 */
function changeBy({ Type = "", Date: day, SubTotal, TotalTax, ...posted }: Posted): string[] {
  if (!day || SubTotal === undefined || Type === "" || Type.endsWith("PAYMENT")) return [];
  const kind = /^(ACCREC|RECEIVE)/.test(Type) ? "Income" : "Purchases";
  const sign = Type.endsWith("CREDIT") ? "+" : "\u2212";
  const { CurrencyCode, CurrencyRate = baseRate } = posted;
  const unit = CurrencyRate === baseRate ? "" : ` ${CurrencyCode}`;
  const money = (cents: Cents) => `${sign}${amountText(cents, CurrencyCode)}${unit}`;
  const tax = TotalTax ? `, tax ${money(TotalTax)}` : "";
  return [`${kind} ${money(SubTotal)}${tax} in ${monthYear(day)}`];
}
