/**
 * XML reader and writer, limited to what records need.
 *
 * The reader accepts elements, text, CDATA, comments and the five predefined entities; anything
 * else (a DOCTYPE, custom entities, processing instructions) is refused or skipped, so nothing can
 * expand and nothing outside is ever fetched. A truncated document or one with mismatched tags is
 * refused rather than guessed at, because half an invoice is worse than none. Depth and size are
 * limited while reading.
 */
import { runAtOnce, type Slices } from "../platform/slices.ts";
import { boundsOf, Meter } from "../resources/bounds.ts";
import { illegalAt } from "../resources/scalar.ts";
import { Unreadable } from "./json.ts";

/** An XML element; its name is without the namespace prefix. */
export class XmlNode {
  readonly name: string;
  /** Whether `xsi:nil` marks the element as having no value. */
  readonly nil: boolean;
  /** Text directly inside the element, CDATA included. */
  text = "";
  children: readonly this[] = noNodes;
  /** Attributes by name without prefix; empty unless the reader was asked to keep them. */
  attributes: Readonly<Record<string, string>> = noAttributes;

  constructor(name: string, isNil: boolean) {
    this.name = name;
    this.nil = isNil;
  }

  /**
   * All descendants at a path of names, `Party/PostalAddress`; the element itself for an empty
   * path.
   */
  all(path: string): readonly this[] {
    let nodes: readonly this[] = [this];
    if (path === "") return nodes;
    for (const name of path.split("/")) {
      nodes = nodes.flatMap((node) => node.children.filter((child) => child.name === name));
    }
    return nodes;
  }
}

const noNodes: readonly never[] = [];
const noAttributes: Readonly<Record<string, string>> = {};

export interface XmlOptions {
  /** Whether to keep attributes, which records do not use. */
  readonly attributes?: true;
  /** Class of which elements are created. */
  readonly node?: typeof XmlNode;
}

const namePattern = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y;
const attributePattern =
  /\s+([A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const tagEndPattern = /\s*(\/?)>/y;
const closingPattern = /\s*>/y;

interface Open {
  readonly element: XmlNode;
  /** The tag name with its prefix, which the closing tag must repeat. */
  readonly tag: string;
}

/**
 * Parses a document and returns its root element.
 * @throws Unreadable, naming the line; RefusedError `TooMuch`
 */
export function readXml(source: string, options: XmlOptions = {}): XmlNode {
  return runAtOnce(xmlSlices(source, options));
}

/** Parses as `readXml`, in slices between which other work can run. */
export function* xmlSlices(source: string, options: XmlOptions = {}): Slices<XmlNode> {
  // Line ends are normalised to a line feed; a significant carriage return is `&#13;`.
  const text = source.includes("\r")
    ? source.replaceAll("\r\n", "\n").replaceAll("\r", "\n")
    : source;
  const illegal = illegalAt(text);
  if (illegal >= 0) throw badXml(text, illegal, "there is a character that XML does not allow");
  return yield* new XmlReader(text, options).root();
}

/** Number of elements and attributes in a slice. */
const sliceNodes = 20_000;

class XmlReader {
  readonly #text: string;
  readonly #keepsAttributes: boolean;
  readonly #node: typeof XmlNode;
  readonly #open: Open[] = [];
  readonly #meter: Meter;
  #root: XmlNode | undefined;
  #at = 0;

  constructor(text: string, { attributes, node = XmlNode }: XmlOptions) {
    this.#text = text;
    this.#node = node;
    this.#keepsAttributes = attributes === true;
    this.#meter = new Meter(boundsOf.xml, text.length);
  }

  *root(): Slices<XmlNode> {
    const text = this.#text;
    let slice = sliceNodes;
    while (this.#at < text.length) {
      if (this.#meter.steps >= slice) {
        slice = this.#meter.steps + sliceNodes;
        yield;
      }
      const tagAt = text.indexOf("<", this.#at);
      const textEnd = tagAt < 0 ? text.length : tagAt;
      if (textEnd > this.#at) this.#addText(this.#at, decodeText(text, this.#at, textEnd));
      if (tagAt < 0) break;
      this.#at = tagAt; // where a fault is, until the next begins
      this.#at = this.#markup(tagAt);
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) throw this.#fault(`the element ${unclosed.tag} is not closed`);
    if (this.#root === undefined) throw new Unreadable("there is no XML element");
    return this.#root;
  }

  /**
   * Reads markup that begins with `<`.
   * @returns its end position
   */
  #markup(at: number): number {
    const text = this.#text;
    if (text.startsWith("</", at)) return this.#closingTag(at);
    if (text.startsWith("<!--", at)) return this.#upTo("-->", at + 4, "a comment") + 3;
    if (text.startsWith("<?", at)) return this.#upTo("?>", at + 2, "an instruction") + 2;
    if (text.startsWith("<![CDATA[", at)) {
      const closeAt = this.#upTo("]]>", at + 9, "a CDATA section");
      this.#addText(at, text.slice(at + 9, closeAt));
      if (this.#open.length === 0) throw this.#fault("there is text outside the root element");
      return closeAt + 3;
    }
    if (text.startsWith("<!", at)) throw this.#fault("a DOCTYPE is not allowed");
    return this.#openingTag(at);
  }

  #closingTag(at: number): number {
    const lastOpen = this.#open.pop();
    const name = matchAt(namePattern, this.#text, at + 2)?.[0];
    if (lastOpen === undefined || name !== lastOpen.tag) {
      const expected = lastOpen === undefined ? "nothing is open" : `${lastOpen.tag} is open`;
      throw this.#fault(`${name ?? "a tag"} is closed, but ${expected}`);
    }
    const close = matchAt(closingPattern, this.#text, at + 2 + name.length);
    if (close === null) throw this.#fault("a closing tag does not end");
    return at + 2 + name.length + close[0].length;
  }

  #openingTag(at: number): number {
    const name = matchAt(namePattern, this.#text, at + 1)?.[0];
    if (name === undefined) throw this.#fault("there is a < that begins no tag");
    this.#meter.step();
    let position = at + 1 + name.length;
    let isNil = false;
    let attributes: Record<string, string> | undefined;
    for (;;) {
      const attribute = matchAt(attributePattern, this.#text, position);
      if (attribute === null) break;
      this.#meter.step();
      const [all, attributeName = "", double, single] = attribute;
      if (localName(attributeName) === "nil") {
        isNil = /^\s*(true|1)\s*$/.test(double ?? single ?? "");
      }
      if (this.#keepsAttributes) {
        attributes ??= {};
        const valueEnd = position + all.length - 1;
        const value = decodeText(this.#text, valueEnd - (double ?? single ?? "").length, valueEnd);
        attributes[localName(attributeName)] = value;
      }
      position += all.length;
    }
    const close = matchAt(tagEndPattern, this.#text, position);
    if (close === null) throw this.#fault(`the tag ${name.slice(0, 60)} is not correct`);
    const element = new this.#node(localName(name), isNil);
    if (attributes !== undefined) element.attributes = attributes;
    this.#add(element);
    if (close[1] === "") {
      this.#open.push({ element, tag: name });
      this.#meter.deep(this.#open.length);
    }
    return position + close[0].length;
  }

  /** Adds an element to the open one, or makes it the root. */
  #add(element: XmlNode): void {
    const parent = this.#open.at(-1)?.element;
    if (parent !== undefined) {
      if (parent.children === noNodes) parent.children = [element];
      else (parent.children as XmlNode[]).push(element);
    } else if (this.#root === undefined) this.#root = element;
    else throw this.#fault("there is a second root element");
  }

  #addText(start: number, textPiece: string): void {
    const inside = this.#open.at(-1);
    if (inside !== undefined) inside.element.text += textPiece;
    else if (/\S/.test(textPiece)) {
      throw badXml(this.#text, start, "there is text outside the root element");
    }
  }

  #upTo(terminator: string, startIndex: number, missingPart: string): number {
    const index = this.#text.indexOf(terminator, startIndex);
    if (index < 0) throw this.#fault(`${missingPart} does not end`);
    return index;
  }

  /** Makes the error for the current position. */
  #fault(problem: string): Unreadable {
    return badXml(this.#text, this.#at, problem);
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function badXml(text: string, at: number, problem: string): Unreadable {
  const line = text.slice(0, at).split("\n").length;
  return new Unreadable(`the XML is not correct: ${problem} in line ${line}`);
}

const characterByEntity = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);
const referencePattern = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([A-Za-z]{1,8}));|&/g;

function decodeText(text: string, start: number, endAt: number): string {
  return withoutReferences(text.slice(start, endAt), (unknown) => {
    throw badXml(text, start, `there is an entity that is not known, ${unknown.slice(0, 12)}`);
  });
}

/**
 * Replaces references to characters and to the five entities of XML.
 * @param unknown  replacement for any other reference, and for a single `&`
 */
export function withoutReferences(text: string, unknown: (reference: string) => string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    referencePattern,
    (reference: string, decimal?: string, hex?: string, name?: string) => {
      const character =
        name !== undefined
          ? characterByEntity.get(name)
          : fromCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
      return character ?? unknown(reference);
    },
  );
}

function fromCode(code: number): string | undefined {
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(code);
  return illegalAt(character) < 0 ? character : undefined;
}

// --- writing ---------------------------------------------------------------------------------

const special = /[&<>\r]/;
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\r": "&#13;",
};

/** Escapes text for an element; characters that XML cannot carry become U+FFFD. */
export function escapeXml(text: string): string {
  let safe = text;
  for (let at = illegalAt(safe); at >= 0; at = illegalAt(safe)) {
    safe = safe.replaceAll(safe.charAt(at), "\ufffd");
  }
  return special.test(safe) ? safe.replace(/[&<>\r]/g, (char) => escapes[char] ?? char) : safe;
}

/** Escapes text for a quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', "&quot;");
}
