/**
 * Parses a document line given as one flag: `--line
 * 'description=Consulting,quantity=10,unit-amount=150,account=200,tax=OUTPUT'`.
 *
 * Keys are the line fields in kebab case, with short aliases for common ones; values are parsed by
 * the description of their field.
 */
import { UsageError } from "../../resources/errors.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  fieldNamed,
  type InputOf,
  isScalar,
  type ScalarKind,
} from "../../resources/field.ts";
import { lineItemFields } from "../../resources/line-item.ts";
import { didYouMean } from "./suggest.ts";
import { parseValue } from "./value.ts";

export type LineItemInput = InputOf<typeof lineItemFields>;

/** Short aliases of field names. */
const lineAliases: Readonly<Record<string, keyof LineItemInput>> = {
  account: "AccountCode",
  amount: "LineAmount",
  discount: "DiscountRate",
  item: "ItemCode",
  tax: "TaxType",
};

/** Fields and aliases of the lines of a record kind. */
export interface LineForm<T extends Fields = Fields> {
  readonly fields: T;
  /** Short aliases of field names. */
  readonly aliases: Readonly<Record<string, keyof T & string>>;
}

const documentLine: LineForm = { fields: lineItemFields, aliases: lineAliases };

/** Maximum count of tracking categories on one line. */
const trackingMax = lineItemFields.Tracking.max;

/** Returns all keys of a line, in kebab case, for help and completion. */
export function keysOf({ fields, aliases }: LineForm): string[] {
  return [
    ...Object.keys(aliases),
    ...Object.entries(fields)
      .filter(
        ([name, field]) =>
          name === "Tracking" || (isScalar(field) && !field.readOnly && !field.computed),
      )
      .map(([name]) => kebab(name)),
  ];
}

/** All keys of `--line` for documents. */
export const lineKeys: readonly string[] = keysOf(documentLine);

/** Keys that completion offers: no ids, and the shorter of two names. */
export const shortLineKeys: readonly string[] = lineKeys.filter(
  (key) => !key.endsWith("-id") && !Object.values(lineAliases).some((name) => kebab(name) === key),
);

/**
 * Returns the document line field of a key.
 *
 * @throws UsageError `BadLine`
 */
export const lineField = (key: string): string => nameOf(key, documentLine);

/**
 * Parses one `--line` of a document.
 *
 * @throws UsageError as `readLine`
 */
export function parseLine(text: string): LineItemInput {
  return readLine(text, documentLine) as LineItemInput;
}

/**
 * Parses the text of one `--line`. Pairs are separated by commas. Inside double quotes a comma is
 * text; `\"`, `\\` and `\,` are escapes everywhere. `tracking=Region:North` may be repeated for
 * each category.
 *
 * @throws UsageError `BadLine` for the syntax, `BadValue` for a value
 */
export function readLine<T extends Fields>(text: string, form: LineForm<T>): InputOf<T> {
  const line: Record<string, unknown> = {};
  const tracking: { Name: string; Option: string }[] = [];
  for (const pair of pairsOf(text)) {
    const equalsAt = pair.indexOf("=");
    if (equalsAt <= 0) {
      throw badLine(
        `"${pair}" is not key=value. Text with a comma goes in double quotes: ` +
          'description="Desk, oak".',
      );
    }
    const key = pair.slice(0, equalsAt).trim();
    const value = pair.slice(equalsAt + 1).trim();
    const name = nameOf(key, form);
    if (value === "") throw badLine(`${key} has no value; leave it out or give one.`);
    if (name === "Tracking") {
      tracking.push(trackingOf(value));
      continue;
    }
    const field: Field | undefined = form.fields[name];
    if (!field || !isScalar(field)) throw unknownKeyError(key, form);
    if (line[name] !== undefined) throw badLine(`${kebab(name)} is given twice.`);
    line[name] = parseValue(typedAs(name, value, field), value, { name: `${key} in --line` });
  }
  if (tracking.length > trackingMax) {
    throw badLine(`a line carries at most ${trackingMax} tracking categories.`);
  }
  const twice = tracking.find(({ Name }, at) => tracking.findIndex((t) => t.Name === Name) < at);
  if (twice) throw badLine(`tracking names the category ${twice.Name} twice.`);
  if (tracking.length > 0) line.Tracking = tracking;
  if (Object.keys(line).length === 0) throw badLine("it is empty.");
  return line as InputOf<T>;
}

/** Accounts, tax rates and items may be given by name, which may be longer than a code. */
function typedAs(name: string, value: string, field: FieldOf<ScalarKind>): FieldOf<ScalarKind> {
  const isByName = /^(AccountCode|TaxType|ItemCode)$/.test(name) && !/^\d+$/.test(value);
  return isByName ? { kind: "text", max: 255 } : field;
}

/** Returns the field of a key. */
function nameOf(key: string, form: LineForm): string {
  const typedKey = key.toLowerCase();
  if (Object.hasOwn(form.aliases, typedKey)) return form.aliases[typedKey]!;
  const name = fieldNamed(form.fields, typedKey.replaceAll("-", ""));
  if (name === undefined || !keysOf(form).includes(kebab(name))) throw unknownKeyError(key, form);
  return name;
}

/**
 * Parses `Region:North`.
 *
 * @throws UsageError `BadLine`
 */
export function trackingOf(value: string): { Name: string; Option: string } {
  const colon = value.indexOf(":");
  const Name = value.slice(0, colon).trim();
  const Option = value.slice(colon + 1).trim();
  if (colon <= 0 || Name === "" || Option === "") {
    throw badLine(`tracking is CATEGORY:OPTION, such as Region:North, not "${value}".`);
  }
  return { Name, Option };
}

/** Splits at commas outside quotes, and removes quotes and escapes. */
function pairsOf(text: string): string[] {
  const pairs: string[] = [];
  let pair = "";
  let quotedFrom = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const following = text[at + 1];
    if (character === "\\" && (following === '"' || following === "\\" || following === ",")) {
      pair += following;
      at += 1;
    } else if (character === '"') {
      quotedFrom = quotedFrom < 0 ? at : -1;
    } else if (character === "," && quotedFrom < 0) {
      pairs.push(pair);
      pair = "";
    } else {
      pair += character;
    }
  }
  if (quotedFrom >= 0) {
    throw badLine(
      `the quote before "${text.slice(quotedFrom + 1, quotedFrom + 21)}" is not closed; ` +
        'a quote that is text is written \\".',
    );
  }
  pairs.push(pair);
  // A final comma, as shell loops produce, is ignored.
  return pairs.filter((one, at) => one.trim() !== "" || at < pairs.length - 1);
}

function kebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

function unknownKeyError(key: string, form: LineForm): UsageError {
  const keys = keysOf(form);
  const knownKeys = keys.filter((name) => !name.endsWith("-id"));
  return badLine(`it knows no "${key}".${didYouMean(key, keys)} It takes ${knownKeys.join(", ")}.`);
}

function badLine(problem: string): UsageError {
  return new UsageError("BadLine", `--line: ${problem}`);
}
