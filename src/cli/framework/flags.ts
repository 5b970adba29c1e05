/**
 * Derives flags from fields: one function per kind of field defines the flag's placeholder and
 * parser.
 *
 * Values are parsed by `values/value.ts`, which also parses the pairs of `--line` and cells of
 * files. Lists and objects have no derived flag; a command that needs one declares it.
 */
import { choiceLabelled } from "../../output/field-labels.ts";
import type { Field, FieldOf, InputOf, Kind, Resource } from "../../resources/field.ts";
import type { FieldFlagOptions, Flag, Live, ParseContext, Refers } from "../context/context.ts";
import { isDistance } from "../values/date-flags.ts";
import { parseValue } from "../values/value.ts";

/** Fields that a flag can set: not the record's own id, not a list, and not read-only. */
export type FlagField<R extends Resource> = {
  [K in keyof R["fields"] & string]: K extends R["id"]
    ? never
    : R["fields"][K] extends { readOnly: true } | { kind: "one" | "many" | "texts" }
      ? never
      : K;
}[keyof R["fields"] & string];

/**
 * Returns all fields for flags except the named ones, so that a new field becomes a flag without a
 * change here.
 */
export function fieldsOf<R extends Resource, const E extends FlagField<R> = never>(
  { id, fields }: R,
  { except = [] }: { readonly except?: readonly E[] } = {},
): readonly Exclude<FlagField<R>, E>[] {
  const leftOut: readonly string[] = [id, ...except];
  const entries = Object.entries(fields).filter(
    ([name, { kind, readOnly }]) =>
      readOnly !== true && !["one", "many", "texts"].includes(kind) && !leftOut.includes(name),
  );
  return entries.map(([name]) => name as Exclude<FlagField<R>, E>);
}

/** Value type of the flag of a field. */
export type FieldValue<F extends Field> =
  InputOf<{ readonly value: F }> extends { value?: infer V } ? NonNullable<V> : never;

/** Flag properties by kind of field; a switch has no placeholder. */
interface Taken {
  readonly placeholder?: string;
  readonly values?: readonly string[];
  readonly live?: Live | undefined;
  /** A limit, in words for help. */
  readonly limit?: string | undefined;
}

type TakenBy = {
  [K in Kind]: ((field: FieldOf<K>, name: string) => Taken) | undefined;
};

const takenBy: TakenBy = {
  id: () => ({ placeholder: "ID" }),
  text: (field, name) => ({
    placeholder: /Code$|Type$|Number$/.exec(name)?.[0].toUpperCase() ?? "TEXT",
    live: liveOf(name),
    limit: field.max === undefined ? undefined : `at most ${field.max} characters`,
  }),
  choice: (field, name) => ({
    placeholder: choicePlaceholder(field.values, name),
    values: field.values,
    limit: choiceWords(field),
  }),
  boolean: () => ({}),
  integer: (field) => ({
    placeholder: "N",
    limit:
      field.min === undefined || field.max === undefined
        ? undefined
        : `${field.min} to ${field.max}`,
  }),
  date: ({ follows }) => ({
    placeholder: "DATE",
    limit: follows === undefined ? undefined : `+20d counts from --${toKebab(follows)}`,
  }),
  timestamp: () => ({ placeholder: "TIME" }),
  money: () => ({ placeholder: "AMOUNT" }),
  unitAmount: () => ({ placeholder: "PRICE" }),
  quantity: () => ({ placeholder: "QUANTITY" }),
  percent: () => ({ placeholder: "PERCENT" }),
  rate: () => ({ placeholder: "RATE" }),
  ref: (field) => ({
    placeholder: field.by.map(lastWord).reverse().join("|"),
    live: toKebab(field.to),
  }),
  one: undefined,
  many: undefined,
  texts: undefined,
};

/** Returns the record kind of a text field that names another record by code. */
export function liveOf(name: string): Live | undefined {
  if (name.endsWith("AccountCode")) return "account";
  if (name.endsWith("TaxType")) return "tax-rate";
  return name.endsWith("ItemCode") ? "item" : undefined;
}

/** Returns the last word of a field name: `NUMBER` of `InvoiceNumber`, `ID` of `ContactID`. */
function lastWord(name: string): string {
  return (/(ID|[A-Z][a-z]+)$/.exec(name)?.[0] ?? name).toUpperCase();
}

const listedMax = 20;

function choicePlaceholder(values: readonly string[], name: string): string {
  const joinedValues = values.join("|");
  return joinedValues.length <= 32 ? joinedValues : lastWord(name);
}

function choiceWords({ values }: FieldOf<"choice">): string | undefined {
  if (values.join("|").length <= 32) return undefined;
  if (values.length <= listedMax) return `one of ${values.join(", ")}`;
  return `one of ${values.length}, such as ${values.slice(0, 3).join(", ")}`;
}

/** Builds the flag of a field. */
export function fieldFlag(name: string, field: Field, options: FieldFlagOptions = {}): Flag {
  // The API's name is taken too.
  const isTheme = name === "BrandingThemeID" && options.name === undefined;
  const flagName = options.name ?? (isTheme ? "theme" : toKebab(name));
  const refers = options.refers ?? refersTo(name, field);
  const narrowedField = narrowedTo(refers === undefined ? field : asTyped(field), options.values);
  const flagOf = takenOf(narrowedField, name);
  if (flagOf === undefined) throw new Error(`${name} is a ${field.kind}, which has no flag`);
  const isClearable = options.clears === true && clearableKinds.has(field.kind);
  return {
    name: flagName,
    clears: isClearable,
    short: options.short,
    ...(isTheme ? { also: [toKebab(name)] } : {}),
    key: name,
    help: helpOf(narrowedField, flagOf, options.help),
    placeholder: refers === undefined || field.kind === "ref" ? flagOf.placeholder : byKind[refers],
    negatable: flagOf.placeholder === undefined,
    repeat: false,
    required: options.required ?? false,
    values: flagOf.values,
    commas: false,
    live: flagOf.live,
    refers,
    read: (text, context) => {
      if (isClearable && text === "") return "";
      const { kind, values = [] } = narrowedField as Partial<FieldOf<"choice">>;
      const word = kind === "choice" ? choiceLabelled("", name, values, text) : text;
      const value = readField(narrowedField, word, `--${flagName}`, context);
      const isLate = options.late === true && field.kind === "date" && field.follows !== undefined;
      return isLate && isDistance(text) ? text.trim() : value;
    },
  };
}

/** Returns the record kind that a field refers to, if any. */
function refersTo(name: string, field: Field): Refers | undefined {
  if (name === "BrandingThemeID") return "theme";
  if (field.kind === "ref") return field.to === "Account" ? "account" : undefined;
  if (field.kind !== "text") return undefined;
  const live = liveOf(name);
  return live === "account" || live === "tax-rate" || live === "item" ? live : undefined;
}

/** Kinds of fields that an empty text clears. */
const clearableKinds: ReadonlySet<Kind> = new Set(["text", "date", "id"]);

/** Extends a field for a record name, which may be longer than its code. */
function asTyped(field: Field): Field {
  if (field.kind === "ref") return field;
  return { kind: "text", help: field.help };
}

/** Placeholders of flags that name a record. */
const byKind: Readonly<Record<Refers, string>> = {
  account: "NAME|CODE",
  contact: "NAME|ID",
  group: "NAME|ID",
  item: "NAME|CODE",
  "tax-rate": "NAME|TYPE",
  theme: "NAME|ID",
  tracking: "NAME|ID",
};

/** Restricts a choice to the values that a command accepts. */
function narrowedTo(field: Field, values: readonly string[] | undefined): Field {
  return values === undefined || field.kind !== "choice" ? field : { ...field, values };
}

/** Returns the flag properties of a field; undefined when it has no flag. */
export function takenOf(field: Field, name: string): Taken | undefined {
  const takeField = takenBy[field.kind] as ((field: Field, name: string) => Taken) | undefined;
  return takeField?.(field, name);
}

/**
 * Parses a value of a field. A reference becomes `{ <key>: text }`, with the id as the key when the
 * text looks like one, and otherwise the last key.
 */
export function readField(
  field: Field,
  text: string,
  name: string,
  context: ParseContext,
): unknown {
  if (field.kind === "ref") return readReference(field, text);
  if (field.kind === "one" || field.kind === "many" || field.kind === "texts") {
    throw new Error(`${name} cannot be read from one text`);
  }
  const isDay = field.kind === "date" || field.kind === "timestamp";
  return parseValue(field, text, isDay ? { name, today: context.today, days: context } : { name });
}

/** Parses a date, or null for `none`, which clears the field. */
export const dayOrNone =
  (flag: string) =>
  (text: string, context: ParseContext): string | null =>
    text.trim().toLowerCase() === "none"
      ? null
      : (readField({ kind: "date" }, text, flag, context) as string);

const guidPattern = /^\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}?$/i;

function readReference(field: FieldOf<"ref">, text: string): Record<string, string> {
  const key = text.trim();
  const guid = guidPattern.exec(key)?.[1];
  const [id, other] = [field.by[0], field.by.at(-1)];
  return guid === undefined ? { [other ?? ""]: key } : { [id ?? ""]: guid.toLowerCase() };
}

function helpOf(field: Field, { limit }: Taken, help: string | undefined): string {
  const fallback = "default" in field ? field.default : undefined;
  const asides = [
    help === undefined && field.help === undefined ? undefined : (help ?? field.help),
    limit,
    fallback === undefined || fallback === false ? undefined : `${fallback} when not given`,
  ];
  return asides.filter((aside) => aside !== undefined).join("; ");
}

/** Converts `LineAmountTypes` to `line-amount-types`; an abbreviation stays one word. */
export function toKebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
