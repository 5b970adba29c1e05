/**
 * Encodes the fields of records by their descriptions.
 *
 * The description of a resource is compiled, once for each output style, into a list of small
 * functions that each append one field. Amounts are written from their integers, digit by digit.
 * Elements come in the order of the description, undefined fields are left out, and nothing is ever
 * null.
 */
import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { Field, FieldOf, Fields, FieldValues, Kind } from "../../resources/field.ts";
import type { Format, View } from "../codec.ts";
import { isoDay, isoMoment, isoSeconds, jsonDate, msOfDay } from "../dates.ts";
import { escapeXml } from "../xml.ts";

/** Encodes one value: a field, or the members or elements of an object. */
export type Write = (value: unknown) => string;

/** The output style of records. */
export interface Style {
  readonly view: View;
  /** Number of decimals of unit amounts. */
  readonly unitDecimals: 2 | 4;
  /** Whether a refused record is echoed: it is encoded as sent, with nothing added. */
  readonly echo: boolean;
  /** Whether records have their handles. */
  readonly handles?: boolean | undefined;
}

/** Compiles the writer of one field, including its name; the writer handles undefined values. */
type Compile<K extends Kind> = (name: string, field: FieldOf<K>, style: Style) => Write;

/** JSON flags that mark a refused record, unless the record sets them. */
export const errorFlags: ReadonlySet<string> = new Set(["HasErrors", "HasValidationErrors"]);

// --- JSON ------------------------------------------------------------------------------------

const text = JSON.stringify as (value: unknown) => string;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON writes differently.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Encodes a string as `text` does. Most strings need no escapes, and testing for that takes half
 * the time.
 */
function plainText(value: unknown): string {
  return typeof value !== "string" || escaped.test(value) ? text(value) : `"${value}"`;
}

/** Quotes an id, which contains nothing to escape. */
function quotedValue(value: unknown): string {
  return `"${value as string}"`;
}

/** Encodes a member of an object, preceded by a comma. */
function jsonMember(name: string, write: Write): Write {
  const start = `,${text(name)}:`;
  return (value) => (value === undefined || value === null ? "" : start + write(value));
}

const jsonScalar =
  (write: Write): ((name: string) => Write) =>
  (name) =>
    jsonMember(name, write);

const upper = (value: unknown) => (value as string).toUpperCase();

const jsonDecimal = (scale: number) => jsonScalar((value) => writeDecimal(value as number, scale));

/** Encodes an object from its members. */
export function inBraces(members: string): string {
  return `{${members}}`;
}

/** Appends further members, which begin with a comma. */
export function appendMembers(members: string, moreMembers: string): string {
  return members === "" ? moreMembers.slice(1) : members + moreMembers;
}

/** Encodes a list of objects from a writer of their members. */
export function encodeBrackets(values: readonly object[], write: Write): string {
  let objects = "";
  for (const value of values) objects += `${objects === "" ? "" : ","}${inBraces(write(value))}`;
  return `[${objects}]`;
}

const jsonKinds = {
  id: (name, _field, { echo }) => jsonMember(name, echo ? plainText : quotedValue),
  text: (name, { blank }, { echo }) => {
    const write = jsonMember(name, plainText);
    return blank === true && !echo ? (value) => write(value ?? "") : write;
  },
  // A text that is no valid choice is kept as sent, until validation reports it.
  choice: (name, { capitals }) =>
    jsonMember(name, capitals ? (value) => plainText(upper(value)) : plainText),
  boolean: (name, _field, { echo }) => {
    const write = jsonMember(name, (value) => (value === true ? "true" : "false"));
    return errorFlags.has(name) && !echo ? (value) => write(value === true) : write;
  },
  integer: jsonScalar(String),
  date: (name) => {
    const twin = `,"${name}String":"`;
    const middle = `","${name}":"`;
    return (value) => {
      if (value === undefined || value === null) return "";
      const day = value as string;
      return `${twin}${isoDay(day)}${middle}${jsonDate(msOfDay(day))}"`;
    };
  },
  timestamp: (name, { twin }) => {
    const write = jsonMember(name, (value) => `"${jsonDate(value as number)}"`);
    if (twin === undefined) return write;
    const writeTwin = jsonMember(twin, (value) => `"${isoSeconds(value as number)}"`);
    return (value) => writeTwin(value) + write(value);
  },
  money: (name, { twin }) => {
    const write = (as: string) =>
      jsonMember(as, (value) => writeDecimal(value as number, scaleOf.money));
    if (twin === undefined) return write(name);
    const [first, second] = [write(name), write(twin)];
    return (value) => first(value) + second(value);
  },
  unitAmount: (name, _field, { unitDecimals }) =>
    jsonMember(name, (value) => writeDecimal(value as number, scaleOf.unitAmount, unitDecimals)),
  quantity: jsonDecimal(scaleOf.quantity),
  percent: jsonDecimal(scaleOf.percent),
  rate: jsonDecimal(scaleOf.rate),
  ref: (name, field, style) => jsonObject(name, field.fields, style),
  one: (name, field, style) => jsonObject(name, field.fields, style),
  many: (name, field, style) => {
    const start = `,${text(name)}:`;
    const emptyList = style.echo || field.whenAny === true ? "" : `${start}[]`;
    if (field.emptyInLists === true && style.view === "list") return () => emptyList;
    const write = compiledWriter("json", field.fields, style);
    return (value) => {
      if (value === undefined || value === null) return emptyList;
      return start + encodeBrackets(value as FieldValues[], write);
    };
  },
  texts: (name, _field, { echo }) => {
    const start = `,${text(name)}:`;
    const emptyText = echo ? "" : `${start}[]`;
    return (value) => (value === undefined || value === null ? emptyText : start + text(value));
  },
} satisfies { [K in Kind]: Compile<K> };

function jsonObject(name: string, fields: Fields, style: Style): Write {
  const write = compiledWriter("json", fields, style);
  return jsonMember(name, (value) => inBraces(write(value)));
}

// --- XML -------------------------------------------------------------------------------------

export function xmlElement(name: string, write: Write): Write {
  const start = `<${name}>`;
  const endTag = `</${name}>`;
  const empty = `<${name} />`;
  return (value) => {
    if (value === undefined || value === null) return "";
    const content = write(value);
    return content === "" ? empty : start + content + endTag;
  };
}

const xmlScalar =
  (write: Write): ((name: string) => Write) =>
  (name) =>
    xmlElement(name, write);

const xmlText = xmlScalar((value) => escapeXml(value as string));
const xmlDecimal = (scale: number) => xmlScalar((value) => writeDecimal(value as number, scale));

const xmlKinds = {
  id: xmlText,
  text: xmlText,
  choice: (name, { capitals }) =>
    xmlElement(name, (value) => escapeXml(capitals ? upper(value) : (value as string))),
  boolean: xmlScalar((value) => (value === true ? "true" : "false")),
  integer: xmlScalar(String),
  date: xmlScalar((value) => isoDay(value as string)),
  timestamp: xmlScalar((value) => isoMoment(value as number)),
  money: xmlDecimal(scaleOf.money),
  unitAmount: (name, _field, { unitDecimals }) =>
    xmlElement(name, (value) => writeDecimal(value as number, scaleOf.unitAmount, unitDecimals)),
  quantity: xmlDecimal(scaleOf.quantity),
  percent: xmlDecimal(scaleOf.percent),
  rate: xmlDecimal(scaleOf.rate),
  ref: (name, field, style) => xmlElement(name, compiledWriter("xml", field.fields, style)),
  one: (name, field, style) => xmlElement(name, compiledWriter("xml", field.fields, style)),
  many: (name, field, style) => {
    if (field.emptyInLists === true && style.view === "list") return () => "";
    const child = xmlElement(field.child, compiledWriter("xml", field.fields, style));
    return xmlElement(name, (value) => (value as FieldValues[]).map(child).join(""));
  },
  texts: (name, field) => {
    const child = xmlElement(field.child, (value) => escapeXml(value as string));
    return xmlElement(name, (value) => (value as string[]).map(child).join(""));
  },
} satisfies { [K in Kind]: Compile<K> };

// --- compiling -------------------------------------------------------------------------------

const kinds = { json: jsonKinds, xml: xmlKinds } as const;

const viewRank = { list: 0, paged: 1, single: 2 } as const;

function isShown(field: Field, { view, handles }: Style): boolean {
  if (field.kind === "text" && field.handle !== undefined) return handles === true;
  return viewRank[view] >= (field.shown === undefined ? 0 : viewRank[field.shown]);
}

const writersByFields = new WeakMap<Fields, Map<string, Write>>();

/** The writer of the members or elements of an object, compiled at first use. */
export function compiledWriter(format: Format, fields: Fields, style: Style): Write {
  const { view, unitDecimals, echo, handles } = style;
  const key = `${format} ${view} ${unitDecimals} ${echo} ${handles}`;
  let writersByStyle = writersByFields.get(fields);
  if (writersByStyle === undefined) {
    writersByStyle = new Map();
    writersByFields.set(fields, writersByStyle);
  }
  let write = writersByStyle.get(key);
  if (write === undefined) {
    write = compile(format, fields, style);
    writersByStyle.set(key, write);
  }
  return write;
}

interface FieldWriter {
  readonly name: string;
  readonly write: Write;
}

function compile(format: Format, fields: Fields, style: Style): Write {
  const members: FieldWriter[] = Object.entries(fields)
    .filter(([, field]) => isShown(field, style))
    .map(([name, field]) => {
      const compileKind = kinds[format][field.kind] as Compile<Kind>;
      return { name, write: compileKind(name, field, style) };
    });
  // Each JSON member begins with a comma, which the first member of an object loses.
  const parting = format === "json" ? 1 : 0;
  return (value) => {
    const record = value as FieldValues;
    let writtenMembers = "";
    for (const { name, write } of members) {
      const member = write(record[name]);
      writtenMembers += writtenMembers === "" ? member.slice(parting) : member;
    }
    return writtenMembers;
  };
}
