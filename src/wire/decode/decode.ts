/**
 * Decodes request bodies to typed values.
 *
 * A body is parsed into a tree of JSON values or XML elements; then the description of the resource
 * selects the fields it knows. One table defines how a field of each kind is read from a node of
 * either tree.
 *
 * In the result, an absent key was not sent; a key with undefined was sent empty (`null`,
 * `xsi:nil`, no text) and clears the field. The record's own id cannot be cleared, so an empty or
 * all-zero id counts as not sent. Read-only and unknown names are ignored. References keep only the
 * keys by which records are found.
 */
import { powerOfTen, scaleOf } from "../../resources/decimal.ts";
import { type Detail, RefusedError } from "../../resources/errors.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  fieldNamed,
  type Kind,
} from "../../resources/field.ts";
import {
  faultOfDay,
  nearest,
  type ParseResult,
  readAmount,
  readQuantityText,
  readRateText,
  readScalar,
  shown,
  zeroId,
} from "../../resources/scalar.ts";
import {
  elementOf,
  type FieldLocation,
  faultAt,
  memberOf,
  wholeRecord,
} from "../../resources/validate.ts";
import { type Collection, inOneSentence, nameOf } from "../codec.ts";
import { isNoDate, readDay, readTimestamp } from "../dates.ts";
import { textOfBytes } from "../encoding.ts";
import { bodyFormat } from "../format.ts";
import { readJson, Unreadable } from "../json.ts";
import { readXml, XmlNode } from "../xml.ts";

/** Typed values by field name; for the meaning of undefined see the head of this file. */
export type Decoded = Record<string, unknown>;

/** A node of a body: a JSON value, or an XML element. */
export type Node = unknown;

export interface DecodeOptions {
  /** Decimals to which unit amounts are rounded; they are stored with 4 either way. */
  readonly unitDecimals: 2 | 4;
  /** Whether unknown names are faults, with the nearest known one; ignored when not given. */
  readonly knownOnly?: boolean;
}

/** Maximum records in one body, for any resource. */
export const recordsMax = 10_000;
/** Maximum faults listed in a refusal. */
export const faultsMax = 1_000;

// --- nodes -----------------------------------------------------------------------------------

/** The text of a scalar node; undefined for null, an object or a list. */
function textOf(node: Node): string | undefined {
  if (node instanceof XmlNode) {
    return node.nil || node.children.length > 0 ? undefined : node.text;
  }
  if (node === null || node === undefined || typeof node === "object") return undefined;
  return String(node);
}

function isObject(node: Node): boolean {
  if (node instanceof XmlNode) return node.children.length > 0;
  return typeof node === "object" && node !== null;
}

function isEmpty(node: Node): boolean {
  return !isObject(node) && (textOf(node) ?? "").trim() === "";
}

/** Whether a node is an explicit null. */
function isNull(node: Node): boolean {
  return node instanceof XmlNode ? node.nil : node === null;
}

/** The elements of a list; undefined for other nodes. */
function elementsOf(node: Node, child: string): readonly Node[] | undefined {
  const wantedName = child.toLowerCase();
  if (node instanceof XmlNode) {
    if (isEmpty(node)) return [];
    return node.children.length === 0
      ? undefined
      : node.children.filter((xmlNode) => xmlNode.name.toLowerCase() === wantedName);
  }
  if (Array.isArray(node)) return node;
  if (!isObject(node)) return isEmpty(node) ? [] : undefined;
  // XML converted to JSON by a library keeps the element name: {"LineItem": […]}.
  const [entry, ...others] = Object.entries(node as object);
  if (entry === undefined) return [];
  if (others.length === 0 && entry[0].toLowerCase() === wantedName) {
    return Array.isArray(entry[1]) ? entry[1] : [entry[1]];
  }
  return [node];
}

/** Calls `each` with name and node of every member of an object. */
function forMembers(node: Node, each: (name: string, member: Node) => void): void {
  if (node instanceof XmlNode) {
    for (const child of node.children) each(child.name, child);
  } else if (!Array.isArray(node)) {
    for (const name in node as object) each(name, (node as Record<string, unknown>)[name]);
  }
}

// --- fields ----------------------------------------------------------------------------------

interface Walk extends DecodeOptions {
  /**
   * Whether an answer of a service is decoded rather than a request: then read-only fields are
   * taken too.
   */
  readonly answer: boolean;
  readonly faults: Detail[];
}

type Decode<K extends Kind> = (
  field: FieldOf<K>,
  node: Node,
  locate: () => FieldLocation,
  walk: Walk,
) => unknown;

/** Decodes a scalar node with `read`. */
function decodeScalar<K extends Kind>(
  parse: (field: FieldOf<K>, text: string, walk: Walk) => ParseResult,
): Decode<K> {
  return (field, node, locate, walk) => {
    const text = textOf(node);
    if (text === undefined) {
      if (isObject(node)) note(walk, locate, "must be a single value, not an object or a list");
      return undefined;
    }
    const parsed = parse(field, text, walk);
    if ("value" in parsed) return parsed.value;
    note(walk, locate, parsed.fault);
    return undefined;
  };
}

/** Decodes a number: as it is in an answer; in a request, only if no digit would be lost. */
function number<K extends "money" | "percent">(kind: K): Decode<K> {
  return decodeScalar((_field, text, { answer }) =>
    answer ? readAmount(text, scaleOf[kind]) : readScalar[kind](undefined, text),
  );
}

function note(walk: Walk, locate: () => FieldLocation, fault: string): void {
  if (walk.faults.length < faultsMax) walk.faults.push(faultAt(locate(), fault));
}

const decoders = {
  id: decodeScalar((field, text, { answer }) => {
    const parsed = readScalar.id(field, text);
    return !answer && "value" in parsed && parsed.value === zeroId ? { value: undefined } : parsed;
  }),
  // Text of an answer is taken unchanged, empty text as none. Text of a request is trimmed and
  // checked; empty text clears a field, unless the field has a minimum length.
  text: decodeScalar((field, text, { answer }) => {
    // A field present in every record is kept in an answer even when empty.
    if (text === "" && answer) return { value: field.always === true ? text : undefined };
    if (text === "") return { value: field.min === undefined ? undefined : text };
    return answer ? { value: text } : readScalar.text(field, text);
  }),
  choice: decodeScalar(readScalar.choice),
  boolean: decodeScalar(readScalar.boolean),
  integer: decodeScalar(readScalar.integer),
  date: decodeScalar((_field, text, { answer }) => {
    const trimmed = text.trim();
    if (trimmed === "" || (answer && isNoDate(trimmed))) return { value: undefined };
    const value = readDay(trimmed);
    return value === undefined ? { fault: faultOfDay(trimmed) } : { value };
  }),
  timestamp: decodeScalar((field, text, { answer }) => {
    const trimmed = text.trim();
    if (answer && isNoDate(trimmed)) return { value: undefined };
    const value = readTimestamp(trimmed);
    return value === undefined ? readScalar.timestamp(field, text) : { value };
  }),
  // An answer is taken unchanged; an amount in a request is refused rather than rounded.
  money: number("money"),
  unitAmount: decodeScalar((field, text, { unitDecimals, answer }) => {
    const wholeUnits = answer
      ? readAmount(text, scaleOf.unitAmount)
      : readScalar.unitAmount(field, text);
    if ("fault" in wholeUnits) return wholeUnits;
    // Read with the stored number of decimals, so that nothing is rounded twice.
    const parsed = readAmount(text, unitDecimals);
    if ("fault" in parsed || parsed.value === undefined) return parsed;
    return { value: Number(parsed.value) * powerOfTen(scaleOf.unitAmount - unitDecimals) };
  }),
  quantity: decodeScalar((field, text, { answer }) =>
    answer ? readQuantityText(text) : readScalar.quantity(field, text),
  ),
  percent: number("percent"),
  rate: decodeScalar((field, text, { answer }) =>
    answer ? readRateText(text) : readScalar.rate(field, text),
  ),
  ref: (field, node, locate, walk) => {
    const value = decode(field.fields, node, locate, walk, walk.answer ? undefined : field.by);
    if (value === undefined) return undefined;
    for (const [name, child] of Object.entries(value)) {
      // An empty key finds no record, and an empty list in a reference has no meaning.
      if (child === undefined || (Array.isArray(child) && child.length === 0)) delete value[name];
    }
    return value;
  },
  one: (field, node, locate, walk) => decode(field.fields, node, locate, walk),
  many: (field, node, locate, walk) => {
    if (isNull(node)) return undefined;
    const elements = elementsOf(node, field.child);
    if (elements === undefined) {
      note(walk, locate, `must be a list, not ${shown(textOf(node))}`);
      return undefined;
    }
    return elements.map((element, index) => {
      const locateElement = () => elementOf(locate(), field.child, index);
      if (isNull(element)) note(walk, locateElement, "must be an object, not null");
      return decode(field.fields, element, locateElement, walk) ?? {};
    });
  },
  texts: (field, node, locate, walk) => {
    if (isNull(node)) return undefined;
    const elements = elementsOf(node, field.child);
    const elementTexts = elements?.map((element) => textOf(element) ?? "");
    if (elementTexts === undefined || elements?.some(isObject)) {
      note(walk, locate, "must be a list of texts");
      return undefined;
    }
    return elementTexts;
  },
} satisfies { [K in Kind]: Decode<K> };

/** Decodes an object; `only` restricts the fields taken. */
function decode(
  fields: Fields,
  node: Node,
  locate: () => FieldLocation,
  walk: Walk,
  only?: readonly string[],
): Decoded | undefined {
  if (isNull(node)) return undefined;
  // An unset object may be sent as an empty list.
  if (isObject(node) ? Array.isArray(node) && node.length > 0 : !isEmpty(node)) {
    note(
      walk,
      locate,
      `must be an object, not ${Array.isArray(node) ? "a list" : shown(textOf(node))}`,
    );
    return undefined;
  }
  const value: Decoded = {};
  forMembers(node, (sent, member) => {
    const name = fieldNamed(fields, sent);
    const field = name === undefined ? undefined : fields[name];
    if (name === undefined || field === undefined) {
      if (walk.knownOnly === true && only === undefined) noteUnknown(fields, sent, locate, walk);
      return;
    }
    if (only === undefined ? field.readOnly === true && !walk.answer : !only.includes(name)) return;
    const locateMember = () => memberOf(locate(), name);
    if (Object.hasOwn(value, name)) return note(walk, locateMember, "is given twice");
    const decode = decoders[field.kind] as Decode<Kind>;
    const faultsBefore = walk.faults.length;
    const decoded = decode(field as Field, member, locateMember, walk);
    const isCleared = !walk.answer && walk.faults.length === faultsBefore;
    if (decoded !== undefined || isCleared) value[name] = decoded;
  });
  return value;
}

/** Names in API responses that are no fields; a saved response may contain them. */
const ofAnswers =
  /^(?:Handle|HasErrors|HasValidationErrors|ValidationErrors|Warnings|StatusAttributeString)$/;

function noteUnknown(fields: Fields, sent: string, locate: () => FieldLocation, walk: Walk): void {
  const isText = /String$/.test(sent) && fieldNamed(fields, sent.slice(0, -6)) !== undefined;
  if (isText || ofAnswers.test(sent)) return;
  const nearestField = nearest(sent.toLowerCase(), Object.keys(fields));
  const hint = nearestField === undefined ? "" : `; did you mean ${nearestField}?`;
  note(walk, () => memberOf(locate(), sent), `is no field${hint}`);
}

/**
 * Decodes one object of a request.
 * @param node  an object of a body, from `readDocument` or `recordsIn`
 * @returns the readable values, and a fault for each unreadable one
 */
export function decodeFields(
  fields: Fields,
  node: Node,
  options: DecodeOptions,
): { value: Decoded; faults: Detail[] } {
  const faults: Detail[] = [];
  const walk = { ...options, answer: false, faults };
  const value = decode(fields, node, () => wholeRecord, walk) ?? {};
  return { value, faults };
}

/** Decodes one object of an answer: read-only fields included, text untrimmed, nulls left out. */
export function decodeAnswered(fields: Fields, node: Node): { value: Decoded; faults: Detail[] } {
  const faults: Detail[] = [];
  const walk = { unitDecimals: 4, answer: true, faults } as const;
  const value = decode(fields, node, () => wholeRecord, walk) ?? {};
  return { value, faults };
}

// --- bodies ----------------------------------------------------------------------------------

/**
 * Parses a body into a tree: XML, JSON, or a form with a document in its field `xml`.
 * @param contentType  the request header; when missing, the body itself is inspected
 * @throws RefusedError `PostDataInvalidException`
 */
function readDocument(body: Uint8Array, contentType: string | undefined): Node {
  try {
    return documentOf(textOfBytes(body, contentType), contentType);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw invalidData(`The body cannot be read: ${error.message}.`);
  }
}

function documentOf(text: string, contentType: string | undefined): Node {
  if (!/\S/.test(text)) throw new Unreadable("it is empty");
  const format = bodyFormat(contentType, text);
  if (format === "json") return readJson(text);
  if (format === "xml") return readXml(text);
  if (format === undefined) throw new Unreadable("it is neither XML nor JSON");
  const [document, another] = formFields(text, "xml");
  if (document === undefined) throw new Unreadable("the form has no field xml");
  if (another !== undefined) throw new Unreadable("the form has several fields xml");
  const inside = bodyFormat(undefined, document);
  if (inside === "json") return readJson(document);
  return readXml(document);
}

function formFields(form: string, wantedName: string): string[] {
  return form.split("&", 100).flatMap((pair) => {
    const equalsAt = pair.indexOf("=");
    if (pair.slice(0, equalsAt).trim().toLowerCase() !== wantedName) return [];
    return fromForm(pair.slice(equalsAt + 1));
  });
}

/**
 * Decodes the value of a form field.
 * @throws Unreadable
 */
export function fromForm(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    throw new Unreadable("the form is not percent-encoded UTF-8");
  }
}

/**
 * Finds the records of a body in any accepted form: a list under its name, one record under its
 * name or bare or, in JSON, a bare list.
 * @throws RefusedError `NoDataProcessedException` when the body has none of that kind
 */
function recordsIn(collection: Collection, document: Node): readonly Node[] {
  const records =
    document instanceof XmlNode ? recordNodes(collection, document) : inJson(collection, document);
  if (records.length === 0) {
    throw new RefusedError(
      "NoDataProcessedException",
      `The body holds no ${collection.name}; send one as ${collection.name}, or several in ${collection.plural}.`,
    );
  }
  if (records.length > recordsMax) {
    throw invalidData(
      `The body holds more than ${recordsMax} ${collection.plural}; send them in parts.`,
    );
  }
  return records;
}

function namesOf({ plural, aliases = [] }: Collection): readonly string[] {
  return [plural, ...aliases].map((name) => name.toLowerCase());
}

/**
 * The only element, or undefined.
 * @throws RefusedError when a body has records in several places, all but one of which would be
 *   ignored
 */
function requireSingle<T>({ plural }: Collection, records: readonly T[]): T | undefined {
  if (records.length > 1) throw invalidData(`The body has several lists of ${plural}; send one.`);
  return records[0];
}

function recordNodes(collection: Collection, root: XmlNode): readonly Node[] {
  const name = root.name.toLowerCase();
  const single = collection.name.toLowerCase();
  const lists = namesOf(collection);
  const isWrapper = (element: XmlNode) => lists.includes(element.name.toLowerCase());
  // A whole answer sent back as a request is searched for its list.
  const roots = name === "response" ? root.children : [root];
  const list = requireSingle(collection, roots.filter(isWrapper));
  const records = list?.children.filter((xmlNode) => xmlNode.name.toLowerCase() === single) ?? [];
  return records.length === 0 && name === single ? [root] : records;
}

function inJson(collection: Collection, document: Node): readonly Node[] {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) {
    throw invalidData("The body must be a JSON object or list.");
  }
  const single = collection.name.toLowerCase();
  const lists = namesOf(collection);
  const isWrapper = ([name, member]: readonly [string, Node]) =>
    (name.toLowerCase() === single || lists.includes(name.toLowerCase())) &&
    fieldNamed(collection.fields, name) === undefined &&
    isObject(member);
  const list = requireSingle(collection, Object.entries(document as object).filter(isWrapper));
  if (list !== undefined) return elementsOf(list[1], collection.name) ?? [];
  const isRecord = Object.keys(document as object).some(
    (name) => fieldNamed(collection.fields, name) !== undefined,
  );
  return isRecord ? [document] : [];
}

/** A record of a request body, with a fault for each value that cannot be read. */
export interface DecodedRecord {
  readonly value: Decoded;
  readonly faults: readonly Detail[];
}

/**
 * Decodes all records of a request body.
 * @param contentType  the request header, if any
 * @returns the records in the order sent, at least one; see the head of this file
 * @throws RefusedError `PostDataInvalidException` when the body cannot be parsed, or one value of it
 *   cannot be converted, with every such value in `details`; `NoDataProcessedException` when there
 *   is no record of that kind
 */
export function decodeBody(...body: Parameters<typeof decodeRecords>): Decoded[] {
  const records = decodeRecords(...body);
  const refused = unreadableRefusal(body[0], records);
  if (refused !== undefined) throw refused;
  return records.map(({ value }) => value);
}

/** Like `decodeBody`, with the faults of each record instead of a refusal because of them. */
export function decodeRecords(
  collection: Collection,
  body: Uint8Array,
  contentType: string | undefined,
  options: DecodeOptions,
): DecodedRecord[] {
  let count = 0;
  return recordsIn(collection, readDocument(body, contentType)).map((node) => {
    const { value, faults } = decodeFields(collection.fields, node, options);
    if (isNull(node)) faults.push({ message: "It must be an object, not null." });
    const { id } = collection;
    if (id !== undefined && value[id] === undefined) delete value[id];
    // Every unreadable record keeps a fault, so that it is not taken for a readable one.
    const keptFaults = faults.slice(0, Math.max(1, faultsMax - count));
    count += keptFaults.length;
    return { value, faults: keptFaults };
  });
}

/** Returns the refusal of records with unreadable values, each fault with its record's name. */
export function unreadableRefusal(
  collection: Collection,
  records: readonly DecodedRecord[],
): RefusedError | undefined {
  const all = records.flatMap(({ value, faults }, index) => {
    const name = nameOf(collection, value);
    const record = name === undefined ? `Record ${index + 1}` : `Record ${index + 1} (${name})`;
    return faults.map(({ message, field }) => ({
      message: `${record}: ${message}`,
      field,
      record: name ?? `record ${index + 1}`,
    }));
  });
  return all.length === 0 ? undefined : invalidData(inOneSentence(all), all.slice(0, faultsMax));
}

function invalidData(message: string, details: readonly Detail[] = []): RefusedError {
  return new RefusedError("PostDataInvalidException", message, details);
}
