/**
 * Completions from records of the book: each kind is one short list, queried by prefix.
 *
 * The naming fields of a record, its lookup and its description follow from its resource.
 */

import type { Client } from "../../client/client.ts";
import { columnsOf } from "../../output/columns.ts";
import { brandingTheme } from "../../resources/branding-theme.ts";
import { amountText } from "../../resources/common.ts";
import { mailed } from "../../resources/email-words.ts";
import { expenseClaim } from "../../resources/expense-claim.ts";
import { isHandle, type Resource, type Shape } from "../../resources/field.ts";
import { account, invoice, resources, trackingCategory } from "../../resources/index.ts";
import { compareText } from "../../wire/fold.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import { quotedText } from "../../wire/query/scanner.ts";
import { wordOf } from "../framework/command.ts";
import { toKebab } from "../framework/flags.ts";
import {
  begins,
  type Completion,
  type CompletionLine,
  type Completions,
} from "./completion-line.ts";

/** Maximum count of records requested where the service supports a limit, to keep it fast. */
const recordsMax = 50;

interface CompletionRequest {
  readonly line: CompletionLine;
  /** The typed part of the value. */
  readonly start: string;
}

type CompletionSource = (client: Client, request: CompletionRequest) => Promise<Completions>;
type AnyRecord = Readonly<Record<string, unknown>>;

/**
 * Returns the completion source of a kind of value; undefined where its values are not records.
 *
 * @param kind  a noun of the command line, or the name of a resource in kebab case
 */
export function sourceOf(kind: string): CompletionSource | undefined {
  if (Object.hasOwn(sources, kind)) return sources[kind];
  const resource = resources.find((each) => kind === wordOf(each) || kind === toKebab(each.name));
  return resource && ((client, request) => recordsOf(client, resource, request));
}

/** The kind of record whose handle begins with a text. */
export function handleKind(start: string): string | undefined {
  const resource = resources.findLast((resource) => beginsHandle(resource, start));
  return resource?.name === invoice.name ? "bill" : resource && toKebab(resource.name);
}

/** Sources of kinds whose completion needs more than the description of the resource. */
const sources: Readonly<Record<string, CompletionSource>> = {
  invoice: (client, request) => recordsOf(client, invoice, request, ofType("ACCREC", request)),
  bill: (client, request) => recordsOf(client, invoice, request, ofType("ACCPAY", request)),
  account: (client, request) =>
    recordsOf(client, account, request, undefined, accountsFor[request.line.path[0] ?? ""]),
  branding: (client, request) => recordsOf(client, brandingTheme, request),
  expense: (client, request) => recordsOf(client, expenseClaim, request),
  tracking: (client, { start }) =>
    trackingCompletions(client, start, ({ Name, Options = [] }) => [
      { value: Name, text: Options.map((option) => option.Name).join(", ") },
    ]),
  "tracking-option": (client, { start }) =>
    trackingCompletions(client, start, ({ Name, Options = [] }) =>
      Options.map((option) => ({ value: `${Name}:${option.Name}` })),
    ),
};

/** Completes payable documents: invoices or bills, whichever the command line asks for. */
function ofType(type: "ACCREC" | "ACCPAY", { line }: CompletionRequest): string | undefined {
  return line.path[0] === "payment" ? undefined : compare(invoice.fields, "Type", "==", type);
}

async function trackingCompletions(
  client: Client,
  start: string,
  valuesOf: (category: Shape<typeof trackingCategory>) => readonly Completion[],
): Promise<Completions> {
  const completions = (await Array.fromAsync(client.list(trackingCategory), valuesOf)).flat();
  return { values: completions.filter(({ value }) => begins(value, start)) };
}

/** Filters on the accounts that a noun accepts, where it does not accept all. */
const accountsFor: Readonly<Record<string, (account: AnyRecord) => boolean>> = {
  payment: takesPayments,
  prepayment: takesPayments,
  overpayment: takesPayments,
  "bank-transfer": ({ Type }) => Type === "BANK",
};

function takesPayments({ Type, EnablePaymentsToAccount }: AnyRecord): boolean {
  return Type === "BANK" || EnablePaymentsToAccount === true;
}

/** Document statuses in which a verb applies. */
const statusesFor: Readonly<Record<string, readonly string[]>> = {
  submit: ["DRAFT"],
  approve: ["DRAFT", "SUBMITTED"],
  delete: ["DRAFT", "SUBMITTED"],
  void: ["AUTHORISED"],
  email: Object.values(mailed).flatMap(({ statuses }) => statuses),
  apply: ["AUTHORISED"],
  bill: ["AUTHORISED"],
  send: ["DRAFT", "ACCEPTED", "DECLINED"],
  accept: ["SENT", "DECLINED"],
  decline: ["SENT", "ACCEPTED"],
  invoice: ["SENT", "ACCEPTED"],
};

/** Whether a text is the beginning of a handle of these records: `P-`, `p-31`. */
const beginsHandle = (resource: Resource, text: string): boolean => isHandle(resource, `${text}1`);

const goneStatuses: readonly unknown[] = ["ARCHIVED", "DELETED"];

/** Returns records by their naming field, dated ones newest first, to which the verb applies. */
async function recordsOf(
  client: Client,
  resource: Resource,
  { line, start }: CompletionRequest,
  onlyFields?: string,
  isFitting: (record: AnyRecord) => boolean = () => true,
): Promise<Completions> {
  const { fields, id } = resource;
  const nameField = Object.keys(fields).find((name) => fields[name]?.key === true);
  const isByHandle = fields.Handle !== undefined && (!nameField || beginsHandle(resource, start));
  const key = isByHandle ? "Handle" : (nameField ?? id);
  const isTextFilter = fields[key]?.kind === "text" && fields[key].filter === true;
  const typedStart = isByHandle ? start.toUpperCase() : start;
  const verb = line.path[1] ?? "";
  const isPrinted = resource.printed === true;
  const statuses = isPrinted && Object.hasOwn(statusesFor, verb) ? statusesFor[verb] : undefined;
  const condition = allOf([
    onlyFields,
    (isTextFilter || isByHandle) && typedStart !== ""
      ? `${key}.StartsWith(${quotedText(typedStart)})`
      : undefined,
    statuses && anyOf(statuses.map((status) => compare(fields, "Status", "==", status))),
  ]);
  const isDated = fields.Date?.filter === true;
  const records = client.list(resource, {
    // Not every list supports a filter, so all conditions are checked again below.
    where: resource.where === true ? condition : undefined,
    // Sorts by the date alone, which has an index; few records share a date.
    order: isDated ? "Date DESC" : isTextFilter ? `${key} ASC` : resource.listOrder,
    // The service in this process returns whole records without it.
    fields: resource.summaryOnly === true ? fieldsNeeded(resource, key) : undefined,
    limit: resource.paged === undefined ? undefined : recordsMax,
    count: false,
  });
  const completions: (Completion & { readonly day: string })[] = [];
  for await (const listed of records) {
    const record: AnyRecord = listed;
    const isById = record[key] === undefined || (start !== "" && begins(String(record[id]), start));
    const value = String(record[isById ? id : key] ?? "");
    const isUsable = isPrinted
      ? statuses?.includes(String(record.Status)) !== false
      : !goneStatuses.includes(record.Status);
    if (!begins(value, start) || !isUsable || !isFitting(record)) continue;
    const text = textOf(resource, key, record);
    completions.push({ value, text, day: isDated ? String(record.Date) : "" });
  }
  if (isDated) {
    completions.sort((a, b) => compareText(b.day, a.day) || compareText(b.value, a.value));
  }
  return { values: completions, more: records.more };
}

/** Returns the fields needed for a value and its description; computing others may be slow. */
function fieldsNeeded(resource: Resource, key: string): string[] {
  const { fields, document } = resource;
  const heads = columnsOf(resource)
    .filter(({ field }) => ["choice", "date", "money", "text"].includes(field.kind))
    .map(({ path }) => path.split(".")[0] ?? "");
  const names = new Set([key, "Status", "Date", "CurrencyCode", document?.open ?? "", ...heads]);
  return [...names].filter((name) => name in fields);
}

/** Returns the description of a record beside its name; longer for a record known by id alone. */
function textOf(resource: Resource, key: string, record: AnyRecord): string {
  const isNamed = resource.fields[key]?.key === true;
  const naming = [key, "Handle", ...(resource.keys ?? []), "Status"];
  const columns = columnsOf(resource).filter(({ path }) => !naming.includes(path));
  const textsOfKind = (kind: string) =>
    columns
      .filter(({ field }) => field.kind === kind)
      .map((column) => column.read(record))
      .filter((value) => value !== undefined && value !== "");
  const amount = textsOfKind("money")[0] as number | undefined;
  const openField = resource.document?.open;
  const currency = record.CurrencyCode as string | undefined;
  const openAmount = openField && (record[openField] as number | undefined);
  return [
    ...(isNamed ? [] : [textsOfKind("date")[0], ...textsOfKind("choice")]),
    ...textsOfKind("text").slice(0, isNamed ? 1 : 2),
    amount === undefined ? undefined : `${currency ?? ""} ${amountText(amount, currency)}`.trim(),
    openAmount === undefined || openAmount === 0 || openAmount === amount
      ? undefined
      : `${amountText(openAmount, currency)} ${openField === "AmountDue" ? "due" : "left"}`,
    resource.document === undefined ? undefined : record.Status,
  ]
    .filter((value) => value !== undefined)
    .join(", ");
}
