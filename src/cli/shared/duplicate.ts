/**
 * Finds likely duplicates.
 *
 * A command that is run twice, or a bill that two people enter, creates two valid records where one
 * is meant. The identity fields of each resource are in its description (`alike`); one request asks
 * the service for matching records, and the user or script decides.
 */

import type { Client, ListQuery } from "../../client/client.ts";
import { mediumDate } from "../../ledger/dates/calendar.ts";
import { statusText } from "../../output/field-labels.ts";
import { amountText } from "../../resources/common.ts";
import { AuthError, RefusedError } from "../../resources/errors.ts";
import {
  type FieldValues,
  type Input,
  idOf,
  type Resource,
  type Shape,
} from "../../resources/field.ts";
import { pluralOf } from "../../resources/scalar.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { confirm, nameOfRecord } from "../framework/confirm.ts";
import { parseDate } from "../values/date-flags.ts";
import type { DuplicateQuery } from "./duplicate-match.ts";

interface Duplicate {
  readonly sought: DuplicateQuery;
  readonly record: FieldValues;
}

/** Maximum count of conditions in one request, to limit the length of its URL. */
const conditionsMax = 10;
/** Maximum count of records compared for each condition. */
const recordsMax = 100;
/** How long the service remembers an idempotency key, in milliseconds. */
const windowMs = 6 * 60_000;
const goneStatuses: readonly unknown[] = ["VOIDED", "DELETED", "DECLINED"];

/**
 * Asks before records with likely duplicates are created; without a terminal that is refused,
 * unless `--yes` is given.
 *
 * @param noun  name of a record in messages, `bill`
 * @throws RefusedError `Duplicate`, InterruptedError when the answer is no
 */
export async function confirmNew<R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly Input<R>[],
  noun: string,
): Promise<void> {
  const duplicates = await duplicatesOf(ctx, resource, inputs);
  if (duplicates.length === 0) return;
  if (await isRepeat(ctx, resource, inputs, duplicates)) return;
  const lines = duplicates.map((duplicate) => sentence(resource, noun, duplicate));
  const { dryRun, yes, input } = ctx.flags;
  if (!dryRun && !yes && !input) throw refuse(resource, noun, duplicates, lines, inputs.length);
  for (const text of lines) ctx.out.say(`${text}.`);
  await confirm(ctx, "Make another all the same?");
}

/** Returns the likely duplicates of new records, at most one for each. */
async function duplicatesOf(
  ctx: Context,
  resource: Resource,
  inputs: readonly object[],
): Promise<Duplicate[]> {
  const sought = inputs.flatMap((input) => soughtBy(resource, input as FieldValues));
  const liveRecords: FieldValues[] = [];
  try {
    const client = await ctx.client();
    for (const query of queriesFor(resource, sought, await ctx.today())) {
      for await (const record of client.list(resource, query)) {
        const storedRecord = record as FieldValues;
        if (!goneStatuses.includes(storedRecord.Status)) liveRecords.push(storedRecord);
      }
    }
    if (liveRecords.length === 0) return [];
    const { areSameRecords: isSame } = await import("./duplicate-match.ts");
    const alikeRecords = sought.flatMap((duplicateQuery) =>
      liveRecords
        .filter((record) => isSame(resource, duplicateQuery, record))
        .map((record) => ({ sought: duplicateQuery, record })),
    );
    const day = alikeRecords.some(isUndated) ? await ctx.today() : undefined;
    const certainOnes = alikeRecords.filter((each) => !isUndated(each) || each.record.Date === day);
    return sought.flatMap((query) => certainOnes.find((one) => one.sought === query) ?? []);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    ctx.out.say(`Whether one like it is there already cannot be seen: ${error.message}`);
    return [];
  }
}

/** Whether the date is an identity field that is not given. */
function isUndated({ sought: { input, fields } }: Duplicate): boolean {
  return fields.includes("Date") && isBlank(input, "Date");
}

/**
 * Returns the duplicate queries of a record; none where the service refuses a second of its number
 * itself.
 */
function soughtBy({ fields, alike }: Resource, record: FieldValues): DuplicateQuery[] {
  if (alike === undefined) return [];
  // The service returns the invoice number of a prepayment as its reference.
  const isShown = fields.InvoiceNumber?.computed === true;
  const input = isShown ? { Reference: record.InvoiceNumber, ...record } : record;
  const { number } = alike;
  const isTheirs = number?.types.includes(String(input.Type)) === true;
  const key = Object.keys(fields).find((name) => fields[name]?.key === true);
  if (isTheirs && !isBlank(input, number.field)) {
    return [{ input, fields: ["Type", "Contact", number.field], byNumber: true }];
  }
  if (key !== undefined && !isBlank(input, key)) return [];
  const ownFields = isTheirs ? [...alike.fields, number.field] : alike.fields;
  return [{ input, fields: ownFields, byNumber: false }];
}

function isBlank(values: FieldValues, name: string): boolean {
  return (values[name] ?? "") === "";
}

// --- queries -----------------------------------------------------------------------------------

function queriesFor(
  resource: Resource,
  sought: readonly DuplicateQuery[],
  today: string,
): ListQuery[] {
  if (resource.where !== true) {
    const queryTexts = sought.map((query) => JSON.stringify(parametersOf(resource, query, today)));
    return [...new Set(queryTexts)].map((text) => ({
      parameters: JSON.parse(text) as Record<string, string>,
      ...short(1),
    }));
  }
  const conditionTexts = new Set(sought.map((query) => conditionOf(resource, query, today)));
  const queries: ListQuery[] = [];
  for (let rest = [...conditionTexts]; rest.length > 0; rest = rest.slice(conditionsMax)) {
    const some = rest.slice(0, conditionsMax);
    queries.push({ where: anyOf(some), ...short(some.length) });
  }
  return queries;
}

const short = (conditions: number) => ({ limit: recordsMax * conditions, count: false }) as const;

/**
 * Returns the filter for the fields that the service can filter by; others are compared locally.
 */
function conditionOf(
  { fields }: Resource,
  { input, fields: names }: DuplicateQuery,
  today: string,
): string {
  const conditions = names.map((name) => {
    const field = fields[name];
    if (name === "Date" && field !== undefined) {
      const [from, to] = daysOf(input, today);
      return allOf([compare(fields, name, ">=", from), compare(fields, name, "<=", to)]);
    }
    if (field?.filter !== true || isBlank(input, name)) return undefined;
    if (field.kind !== "ref") return compare(fields, name, "==", input[name] as string | number);
    const value = input[name] as FieldValues;
    const by = field.by.find((text) => !isBlank(value, text));
    return by === undefined ? undefined : compare(fields, `${name}.${by}`, "==", String(value[by]));
  });
  return allOf(conditions) ?? "";
}

/** Returns list parameters, for a list without filters. */
function parametersOf(
  { parameters = [] }: Resource,
  { input }: DuplicateQuery,
  today: string,
): Record<string, string> {
  const [from, to] = daysOf(input, today);
  const { ContactID } = (input.Contact ?? {}) as { readonly ContactID?: string };
  const values = parameters.flatMap(({ name, field, test }) => {
    if (field === "Contact.ContactID" && ContactID !== undefined) return [[name, ContactID]];
    return field === "Date" ? [[name, test === "from" ? from : to]] : [];
  });
  return Object.fromEntries(values) as Record<string, string>;
}

/** Returns the date of a record, or the possible dates in the organisation's time zone. */
function daysOf({ Date: given }: FieldValues, today: string): readonly [from: string, to: string] {
  if (typeof given === "string" && given !== "") return [given, given];
  return [parseDate("-1d", today), parseDate("+1d", today)];
}

// --- messages ----------------------------------------------------------------------------------

/**
 * Whether a likely duplicate was created by the same command under its idempotency key: the service
 * then repeats its answer, and creates nothing. A service without dry runs is trusted for as long
 * as it remembers a key.
 */
async function isRepeat<R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly Input<R>[],
  duplicates: readonly Duplicate[],
): Promise<boolean> {
  if (ctx.flags.idempotencyKey === undefined) return false;
  const triedRecords = await tryCreating(await ctx.client(), resource, inputs);
  const triedIds = new Set(triedRecords.map((record) => (record as FieldValues)[resource.id]));
  return duplicates.some(({ record }) => {
    if (!triedIds.has(undefined)) return triedIds.has(record[resource.id]);
    const changedAt = Number(record[resource.changedAt ?? "UpdatedDateUTC"]);
    return changedAt > ctx.clock() - windowMs;
  });
}

/** Returns the result of a dry run; records without ids where the service does not support it. */
async function tryCreating<R extends Resource>(
  client: Client,
  resource: R,
  inputs: readonly Input<R>[],
): Promise<Shape<R>[]> {
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0) {
    return [await client.create(resource, only, { dryRun: true })];
  }
  const results = await client.writeMany("PUT", resource, inputs, { dryRun: true });
  return results.map(({ record }) => record);
}

/** Formats `The bill B-1017 of Acme (1 Mar 2026, 115.00, Draft) bears that number already`. */
function sentence(resource: Resource, noun: string, { sought, record }: Duplicate): string {
  const {
    Date: day,
    Status,
    Contact,
    Invoice,
    CurrencyCode,
  } = record as {
    readonly Date?: string;
    readonly Status?: string;
    readonly Contact?: { readonly Name?: string };
    readonly Invoice?: { readonly InvoiceNumber?: string };
    readonly CurrencyCode?: string;
  };
  const amount = (record.Total ?? record.Amount ?? record.TotalAmount) as number | undefined;
  const shownAmount = amount === undefined ? undefined : amountText(amount, CurrencyCode);
  const ofWhom = Invoice?.InvoiceNumber ?? Contact?.Name;
  const asides = [
    day && mediumDate(day),
    shownAmount,
    Status && statusText(resource.name, Status),
  ].filter(Boolean);
  const name = `The ${noun} ${nameFor(resource, record)}${ofWhom ? ` of ${ofWhom}` : ""}`;
  const how = sought.byNumber ? "bears that number already" : "looks the same";
  return `${name} (${asides.join(", ")}) ${how}`;
}

/** Returns the number of a record, or its id where it has none. */
function nameFor(resource: Resource, record: FieldValues): string {
  const name = nameOfRecord(resource, record);
  return name === "" || name === resource.noun ? idOf(resource, record) : name;
}

function refuse(
  resource: Resource,
  noun: string,
  duplicates: readonly Duplicate[],
  sentences: readonly string[],
  count: number,
): RefusedError {
  const details = sentences.map((message, at) => ({
    message,
    record: nameFor(resource, duplicates[at]?.record ?? {}),
  }));
  const remedy = "nothing was made; --allow-duplicate makes";
  const [only] = details;
  if (count === 1 && only !== undefined) {
    const message = `${only.message}: ${remedy} another.`;
    return new RefusedError("Duplicate", message, [{ ...only, message }]);
  }
  const some = details.length === 1 ? "1 looks" : `${details.length} look`;
  const message = `Of ${count} ${pluralOf(noun)} ${some} as if there already: ${remedy} them all the same.`;
  return new RefusedError("Duplicate", message, details);
}
