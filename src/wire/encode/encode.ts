/** Encodes typed records as the text of an answer. */
import type { Detail } from "../../resources/errors.ts";
import type { Fields, FieldValues } from "../../resources/field.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import { zeroId } from "../../resources/scalar.ts";
import type { Collection, Envelope, Format, View, WriteOutcome } from "../codec.ts";
import { escapeXml } from "../xml.ts";
import {
  envelop,
  jsonFaults,
  jsonMessages,
  namespaces,
  xmlFaults,
  xmlMessages,
} from "./envelope.ts";
import {
  appendMembers,
  compiledWriter,
  encodeBrackets,
  errorFlags,
  inBraces,
  type Style,
  xmlElement,
} from "./fields.ts";

export type { Envelope, View, WriteOutcome } from "../codec.ts";

export interface EncodeOptions {
  readonly view: View;
  /** Number of decimals of unit amounts. */
  readonly unitDecimals: 2 | 4;
  /** Whether records have their handles. */
  readonly handles?: boolean | undefined;
  /** The outcome of each record of a write, in record order. */
  readonly outcomes?: readonly WriteOutcome[] | undefined;
}

/**
 * Encodes an answer with a list of records.
 * @param records  typed values by field name; names that the description lacks are left out
 * @returns the whole body
 */
export function encodeCollection(
  format: Format,
  collection: Collection,
  records: readonly object[],
  envelope: Envelope,
  options: EncodeOptions,
): string {
  return envelop(format, envelope, encodeRecords(format, collection, records, options));
}

/** Encodes the list of records alone, for `envelop` to add the envelope. */
export function encodeRecords(
  format: Format,
  collection: Collection,
  records: readonly object[],
  options: EncodeOptions,
): string {
  const { outcomes, ...form } = options;
  const { plural, name, fields } = collection;
  const style = { ...form, echo: false } as const;
  const write = compiledWriter(format, fields, style);
  if (format === "json" && outcomes === undefined) {
    return `,${JSON.stringify(plural)}:${encodeBrackets(records, write)}`;
  }
  const writeOne =
    outcomes === undefined
      ? xmlElement(name, write)
      : (record: object, index: number) =>
          withOutcome(format, collection, record, style, outcomes[index]);
  if (format === "json") {
    return `,${JSON.stringify(plural)}:[${records.map(writeOne).join(",")}]`;
  }
  return records.length === 0
    ? `<${plural} />`
    : `<${plural}>${records.map(writeOne).join("")}</${plural}>`;
}

function withOutcome(
  format: Format,
  collection: Collection,
  record: object,
  style: Style,
  outcome: WriteOutcome = { status: "OK", errors: [] },
): string {
  const { status, errors, warnings = [] } = outcome;
  const isRefused = status === "ERROR";
  const content = isRefused
    ? encodeEcho(format, collection, withErrorFlag(collection, record))
    : compiledWriter(format, collection.fields, style)(record);
  if (format === "xml") {
    const faults = errors.length === 0 ? "" : xmlFaults(errors);
    const warned = warnings.length === 0 ? "" : xmlMessages("Warnings", "Warning", warnings);
    const { name } = collection;
    return `<${name} status="${status}">${faults}${warned}${content}</${name}>`;
  }
  const faults = errors.length === 0 ? "" : `,"ValidationErrors":${jsonFaults(errors)}`;
  const warned = warnings.length === 0 ? "" : `,"Warnings":${jsonMessages(warnings)}`;
  return inBraces(appendMembers(content, `,"StatusAttributeString":"${status}"${faults}${warned}`));
}

/** Adds the error flag to a refused record, if its kind has one. */
function withErrorFlag({ fields }: Collection, record: object): object {
  const flags = [...errorFlags].filter((name) => fields[name]?.kind === "boolean");
  return { ...record, ...Object.fromEntries(flags.map((name) => [name, true])) };
}

/** Encodes a refused record as it was sent, with the zero id if it has none. */
function encodeEcho(format: Format, collection: Collection, record: object): string {
  const { fields, id } = collection;
  const write = compiledWriter(format, fields, { view: "single", unitDecimals: 4, echo: true });
  const isNameless =
    id !== undefined && fields[id]?.kind === "id" && (record as FieldValues)[id] === undefined;
  return write(isNameless ? { ...record, [id]: zeroId } : record);
}

/** Encodes an answer with a list that is no resource, such as the online link of an invoice. */
export function encodeObjects(
  format: Format,
  plural: string,
  child: string,
  fields: Fields,
  records: readonly object[],
  envelope: Envelope,
): string {
  const collection = { plural, name: child, fields };
  return encodeCollection(format, collection, records, envelope, {
    view: "single",
    unitDecimals: 4,
  });
}

/** Encodes one object under its name when an envelope is given, bare otherwise. */
export function encodeObject(
  format: Format,
  name: string,
  fields: Fields,
  value: object,
  envelope?: Envelope,
): string {
  const write = compiledWriter(format, fields, { view: "single", unitDecimals: 4, echo: false });
  const content = write(value);
  if (format === "xml") {
    const element = content === "" ? `<${name} />` : `<${name}>${content}</${name}>`;
    return envelope === undefined ? element : envelop(format, envelope, element);
  }
  const object = inBraces(content);
  return envelope === undefined
    ? object
    : envelop(format, envelope, `,${JSON.stringify(name)}:${object}`);
}

// --- refusals --------------------------------------------------------------------------------

/** A refused record as it was sent, with its faults. */
export interface Rejected {
  readonly record: object;
  readonly errors: readonly Detail[];
}

export interface Refusal {
  readonly number: number;
  readonly type: string;
  readonly message: string;
  /** The rule violated by the request as a whole. */
  readonly rule?: RuleName | undefined;
  readonly rejected: readonly Rejected[];
}

/**
 * Encodes the body of a refused request.
 * @param collection  kind of the records; undefined when the request failed before records were
 *   read
 */
export function encodeRefusal(
  format: Format,
  collection: Collection | undefined,
  { number, type, message, rule, rejected }: Refusal,
): string {
  const echo = (record: object) =>
    collection === undefined || Object.keys(record).length === 0
      ? ""
      : encodeEcho(format, collection, record);
  if (format === "json") {
    const elements = rejected.map(({ record, errors }) =>
      inBraces(appendMembers(echo(record), `,"ValidationErrors":${jsonFaults(errors)}`)),
    );
    const named = rule === undefined ? "" : `,"Rule":"${rule}"`;
    const list = elements.length === 0 ? "" : `,"Elements":[${elements.join(",")}]`;
    return `{"ErrorNumber":${number},"Type":${JSON.stringify(type)},"Message":${JSON.stringify(message)}${named}${list}}`;
  }
  const kind = collection === undefined ? "" : ` xsi:type="${collection.name}"`;
  const elements = rejected.map(
    ({ record, errors }) =>
      `<DataContractBase${kind}>${xmlFaults(errors)}` +
      `<Warnings />${echo(record)}</DataContractBase>`,
  );
  const ruleElement = rule === undefined ? "" : `<Rule>${rule}</Rule>`;
  const list = elements.length === 0 ? "" : `<Elements>${elements.join("")}</Elements>`;
  return (
    `<ApiException ${namespaces}><ErrorNumber>${number}</ErrorNumber><Type>${escapeXml(type)}</Type>` +
    `<Message>${escapeXml(message)}</Message>${ruleElement}${list}</ApiException>`
  );
}
