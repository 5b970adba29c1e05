/** Reads whole records in the JSON format of the service, from a file or standard input. */
import { longDate } from "../../ledger/dates/calendar.ts";
import { choiceText } from "../../output/field-labels.ts";
import { type InputBounds, readInput } from "../../platform/input-file.ts";
import { inputBounds } from "../../resources/bounds.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Field, type Input, isScalar, type Resource } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import { decodeBody } from "../../wire/decode/decode.ts";
import type { Argument, Context, Flag } from "../context/context.ts";
import { isDistance, parseDate } from "../values/date-flags.ts";
import { ownFlag } from "./command.ts";
import { nameOfRecord } from "./confirm.ts";
import { toKebab } from "./flags.ts";

/** `--file FILE`, for every verb that writes records. */
export const fileFlag: Flag = ownFlag(
  "file",
  "a whole record as JSON or XML, - for standard input; flags go over it",
  { short: "f", placeholder: "FILE", live: "file" },
);

/**
 * Reads a file.
 *
 * @throws UsageError `NoFile`, `FileTooLarge`
 */
export async function readBytes(
  ctx: Context,
  path: string,
  bounds: InputBounds = inputBounds.records,
): Promise<Uint8Array> {
  return readInput(path, bounds, ctx.interrupted);
}

/**
 * Replaces `-` among the keys of records by those on standard input, one a line.
 *
 * @throws UsageError `MissingValue` where it has none
 */
export async function keysFromInput(
  ctx: Context,
  expected: readonly Argument[],
  args: readonly unknown[],
): Promise<readonly unknown[]> {
  const isRead = (keys: unknown) => Array.isArray(keys) && keys.includes("-");
  const at = expected.findIndex(({ isFromInput }, index) => isFromInput && isRead(args[index]));
  if (at < 0) return args;
  const text = Buffer.from(await readBytes(ctx, "-")).toString("utf8");
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  if (lines.length === 0) throw new UsageError("MissingValue", "Standard input names no record.");
  const keys = (args[at] as readonly string[]).flatMap((key) => (key === "-" ? lines : [key]));
  return args.with(at, keys);
}

/**
 * Returns the records to write: those of the file, or a single new one, each with the flags applied
 * over it.
 *
 * @throws RefusedError when the file is not valid
 */
export async function inputsOf<R extends Resource>(
  ctx: Context,
  resource: R,
  file: string | undefined,
  flagInput: Input<R>,
): Promise<Input<R>[]> {
  if (file === undefined) return [flagInput];
  const bytes = await readBytes(ctx, file);
  const records = decodeBody(withTotals(resource), bytes, undefined, {
    unitDecimals: 4,
    knownOnly: true,
  });
  return records.map((record) => ({ ...(record as Input<R>), ...flagInput }));
}

const totalNames = ["SubTotal", "TotalTax", "Total"] as const;

/** Returns a resource whose totals are read of a file, though no request has them. */
function withTotals(resource: Resource): Resource {
  const totals = totalNames.flatMap((name) => {
    const field = resource.fields[name];
    return field === undefined ? [] : [[name, { ...field, readOnly: false }] as const];
  });
  return { ...resource, fields: { ...resource.fields, ...Object.fromEntries(totals) } };
}

/**
 * Reports totals of a file that are not those of the record that was made of it, and a day that it is
 * due by, or good until, before its date.
 */
export function sayDoubts(ctx: Context, resource: Resource, input: object, record: object) {
  const { Date: day, DueDate, ExpiryDate } = record as { readonly [name: string]: string };
  const end = DueDate ?? ExpiryDate;
  const isGiven = ["Date", "DueDate", "ExpiryDate"].some((name) => Object.hasOwn(input, name));
  if (isGiven && day && end && end < day) {
    const what = DueDate === undefined ? "expires on" : "is due on";
    ctx.out.say(
      `${nameOfRecord(resource, record)} ${what} ${longDate(end)}, before its date, ${longDate(day)}.`,
    );
  }
  const [said, kept] = [input, record] as { readonly [name: string]: Cents | undefined }[];
  for (const name of totalNames) {
    const [own, other] = [kept?.[name], said?.[name]];
    if (own === undefined || other === undefined || own === other) continue;
    const { CurrencyCode: code } = record as { readonly CurrencyCode?: string };
    ctx.out.say(
      `${name} of ${nameOfRecord(resource, record)} is ${amountText(own, code)}, by its lines; ${amountText(other, code)} in the file is not read.`,
    );
  }
}

/**
 * Returns the single record to write.
 *
 * @throws UsageError `BadFile` for a file with several
 */
export async function inputOf<R extends Resource>(
  ctx: Context,
  resource: R,
  file: string | undefined,
  flagInput: Input<R>,
): Promise<Input<R>> {
  const [input = {} as Input<R>, ...others] = await inputsOf(ctx, resource, file, flagInput);
  if (others.length === 0) return input;
  const holds = `${file} holds ${counted(others.length + 1, resource.noun)}`;
  throw new UsageError("BadFile", `${holds}; give a file with one.`);
}

/**
 * Resolves relative dates (`+20d`) of a record against the date field that each follows.
 *
 * @param held   the current record, in an update
 * @param today  base date where the record has none
 */
export function settleDates<R extends Resource>(
  resource: R,
  input: Input<R>,
  { held = {}, today }: { readonly held?: object; readonly today: string },
): Input<R> {
  const settledFields: Record<string, unknown> = { ...input };
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = settledFields[name];
    if (field.kind !== "date" || field.follows === undefined || typeof value !== "string") continue;
    if (!isDistance(value)) continue;
    const from = settledFields[field.follows] ?? (held as Record<string, unknown>)[field.follows];
    settledFields[name] = parseDate(value, typeof from === "string" && from !== "" ? from : today);
  }
  return settledFields as Input<R>;
}

/** Returns the options that are fields of the resource. */
export function fieldsInOptions<R extends Resource>(resource: R, options: object): Input<R> {
  return Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) => Object.hasOwn(resource.fields, name) && value !== undefined,
    ),
  ) as Input<R>;
}

/**
 * Refuses a new record without its required fields, with the flag names in the message.
 *
 * @param flags  flag names of fields whose flag has another name
 * @throws UsageError `MissingValue`
 */
export function requireFields(
  resource: Resource,
  input: object,
  flags: Readonly<Record<string, string>> = {},
): void {
  const missing = Object.entries(resource.fields)
    .filter(
      ([name, field]) => isNeeded(field) && (input as Record<string, unknown>)[name] === undefined,
    )
    .map(([name, field]) => `${flags[name] ?? `--${toKebab(name)}`}${choiceHint(name, field)}`);
  if (missing.length === 0) return;
  const lastMissing = missing.pop();
  const names = missing.length === 0 ? lastMissing : `${missing.join(", ")} and ${lastMissing}`;
  throw new UsageError(
    "MissingValue",
    `A new ${resource.noun} needs ${names}, or --file with the whole record.`,
  );
}

/** Values of a choice in their words, where there are few: ` ("Credit note" or "Supplier credit note")`. */
function choiceHint(name: string, field: Field): string {
  if (field.kind !== "choice" || field.values.length > 4) return "";
  return ` (${field.values.map((value) => `"${choiceText(name, value)}"`).join(" or ")})`;
}

/**
 * Refuses an update without changes.
 *
 * @throws UsageError
 */
export function requireChange(input: object): void {
  if (Object.keys(input).length > 0) return;
  throw new UsageError("MissingValue", "Nothing to change was given; see --help for what can be.");
}

function isNeeded(field: Field): boolean {
  return (
    field.required === true && field.readOnly !== true && (isScalar(field) || field.kind === "ref")
  );
}
