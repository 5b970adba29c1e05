/**
 * Reads a PDF as far as needed to find the files embedded in it.
 *
 * Objects are found by one scan of the bytes rather than by the cross-reference table: the table is
 * wrong in many files that passed a mail gateway, and the scan costs no more than reading the file.
 * Of several objects with the same number the last counts, as in a file with several revisions.
 * Contents of streams are skipped, object streams are unpacked, and the tree of embedded files is
 * walked; nothing is rendered or executed. Encrypted files are refused.
 *
 * @source ISO 32000-1: 7.5 file structure, 7.11.4 embedded files
 */
import { inflateSync } from "node:zlib";
import { boundsOf, Meter, tooMuch } from "../../resources/bounds.ts";
import { EInvoiceError } from "../model.ts";
import {
  cutOff,
  type Dictionary,
  damaged,
  Lexer,
  Name,
  type PdfValue,
  Reference,
  Stream,
} from "./objects.ts";

export interface EmbeddedFile {
  readonly name: string;
  content(): Uint8Array;
}

/** Location of an object: in the file, or in an object stream at offset `from` of the file. */
interface ObjectLocation {
  readonly bytes: Buffer;
  readonly at: number;
  readonly from: number;
}

/** Number of steps after which the generator yields to other work. */
const sliceSteps = 50_000;

export class PdfFile {
  readonly #bytes: Buffer;
  readonly #meter: Meter;
  readonly #located = new Map<number, ObjectLocation>();
  readonly #read = new Map<number, PdfValue>();
  #catalog: PdfValue = null;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#meter = new Meter(boundsOf.pdf, bytes.length);
  }

  /**
   * Opens a PDF; yields between slices of the work.
   *
   * @throws EInvoiceError; RefusedError `TooMuch`
   */
  static *open(bytes: Buffer): Generator<void, PdfFile> {
    const file = new PdfFile(bytes);
    yield* file.#findObjects();
    return file;
  }

  files(): EmbeddedFile[] {
    const catalog = this.#dictionary(this.#catalog);
    const files: EmbeddedFile[] = [];
    this.#walk(this.#dictionary(catalog.get("Names")).get("EmbeddedFiles"), files);
    // Associated files of the document, for PDFs whose name tree does not list them.
    for (const text of this.#array(catalog.get("AF"))) this.#addFile(undefined, text, files);
    return files;
  }

  /** Walks a name tree; each node is visited once. */
  #walk(root: PdfValue | undefined, files: EmbeddedFile[]): void {
    const seenNodes = new Set<number>();
    const waitingNodes = [root];
    for (let node = waitingNodes.pop(); node !== undefined; node = waitingNodes.pop()) {
      this.#meter.step();
      if (node instanceof Reference) {
        if (seenNodes.has(node.number)) throw tooMuch(boundsOf.pdf, "names a part of itself again");
        seenNodes.add(node.number);
      }
      const tree = this.#dictionary(node);
      const pairs = this.#array(tree.get("Names"));
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        this.#addFile(this.#resolve(pairs[at]), pairs[at + 1], files);
      }
      for (const kid of this.#array(tree.get("Kids")).toReversed()) waitingNodes.push(kid);
    }
  }

  #addFile(
    key: PdfValue | undefined,
    specification: PdfValue | undefined,
    files: EmbeddedFile[],
  ): void {
    this.#meter.step();
    const described = this.#dictionary(specification);
    const embeddedFiles = this.#dictionary(described.get("EF"));
    const stream = this.#resolve(embeddedFiles.get("UF") ?? embeddedFiles.get("F"));
    if (!(stream instanceof Stream)) return;
    const names = [described.get("UF"), described.get("F")].map((text) => this.#resolve(text));
    const name = [...names, key].find((text) => typeof text === "string" && text !== "");
    files.push({ name: textOf(String(name ?? "")), content: () => this.#content(stream) });
  }

  // --- objects -----------------------------------------------------------------------------------

  #resolve(value: PdfValue | undefined): PdfValue {
    let object: PdfValue = value ?? null;
    for (let stepCount = 0; object instanceof Reference; stepCount += 1) {
      this.#meter.deep(stepCount);
      object = this.#object(object.number);
    }
    return object;
  }

  #object(number: number): PdfValue {
    const readValue = this.#read.get(number);
    if (readValue !== undefined) return readValue;
    const located = this.#located.get(number);
    const object =
      located === undefined ? null : new Lexer(located.bytes, located.at, this.#meter).value();
    // A stream cannot be inside another stream.
    const value = object instanceof Stream && located?.bytes !== this.#bytes ? null : object;
    this.#read.set(number, value);
    return value;
  }

  #dictionary(value: PdfValue | undefined): Dictionary {
    const dictionary = this.#resolve(value);
    if (dictionary instanceof Stream) return dictionary.dictionary;
    return dictionary instanceof Map ? dictionary : new Map();
  }

  #array(value: PdfValue | undefined): readonly PdfValue[] {
    const array = this.#resolve(value);
    return Array.isArray(array) ? (array as readonly PdfValue[]) : [];
  }

  #content(stream: Stream): Buffer {
    const { dictionary, start } = stream;
    const endOffset = this.#endOf(stream);
    if (endOffset === undefined) throw cutOff();
    const raw = this.#bytes.subarray(start, endOffset);
    const filter = this.#resolve(dictionary.get("Filter"));
    const filters = filter === null ? [] : Array.isArray(filter) ? this.#array(filter) : [filter];
    const [only, ...more] = filters.map((filter) => this.#resolve(filter));
    if (only === undefined) return raw;
    const parameters = dictionary.get("DecodeParms");
    const predictor = this.#dictionary(this.#array(parameters)[0] ?? parameters).get("Predictor");
    const isUsual = only instanceof Name && /^(?:FlateDecode|Fl)$/.test(only.text);
    if (more.length > 0 || !isUsual || (predictor ?? 1) !== 1) {
      throw new EInvoiceError("BadFile", "A file within the PDF is packed in an unusual way.");
    }
    return this.#inflated(raw);
  }

  #inflated(raw: Buffer): Buffer {
    try {
      const content = inflateSync(raw, { maxOutputLength: this.#meter.left + 1 });
      this.#meter.unpack(content.length);
      return content;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw damaged(error);
      this.#meter.unpack(this.#meter.left + 1);
      throw error;
    }
  }

  // --- where objects are -------------------------------------------------------------------------

  /** Scans the file and records the location of each object and the catalog. */
  *#findObjects(): Generator<void> {
    const bytes = this.#bytes;
    const text = bytes.toString("latin1");
    const marks = /obj|trailer/g;
    const packedStreams: { readonly stream: Stream; readonly from: number }[] = [];
    let [lastObject, end, slice, isEncrypted] = [-1, text.lastIndexOf("startxref"), 0, false];
    for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
      this.#meter.step();
      if (this.#meter.steps >= slice + sliceSteps) {
        slice = this.#meter.steps;
        yield;
      }
      const from = mark.index;
      const number = /(\d{1,10})[\s\0]+\d{1,5}[\s\0]+$/.exec(
        text.slice(Math.max(0, from - 40), from),
      )?.[1];
      if (mark[0] === "obj" && number === undefined) continue;
      const object = this.#valueAt(marks.lastIndex);
      if (object === undefined) continue;
      const { value } = object;
      const stream = value instanceof Stream ? value : undefined;
      const dictionary =
        stream?.dictionary ?? (value instanceof Map ? (value as Dictionary) : noEntries);
      const type = dictionary.get("Type");
      const kind = type instanceof Name ? type.text : undefined;
      if (mark[0] === "obj") this.#locate(Number(number), { bytes, at: marks.lastIndex, from });
      if (mark[0] === "trailer" || kind === "XRef") {
        if (dictionary.has("Root")) this.#catalog = dictionary.get("Root") ?? null;
        isEncrypted ||= dictionary.has("Encrypt");
        end = Math.max(end, from);
      } else lastObject = from;
      if (kind === "Catalog") this.#catalog ??= value;
      if (kind === "ObjStm" && stream !== undefined) packedStreams.push({ stream, from });
      marks.lastIndex = (stream && this.#endOf(stream)) ?? object.next;
    }
    if (isEncrypted) {
      throw new EInvoiceError(
        "BadFile",
        "The PDF is protected by a password; save it without one.",
      );
    }
    // A truncated file may lack the revision that counts.
    if (lastObject < 0 || end < lastObject) throw cutOff();
    for (const { stream, from } of packedStreams) {
      yield;
      this.#locateWithin(this.#content(stream), stream.dictionary, from);
    }
  }

  /** Records the location of an object; of several with the same number the last counts. */
  #locate(number: number, located: ObjectLocation): void {
    if ((this.#located.get(number)?.from ?? -1) > located.from) return;
    this.#located.set(number, located);
    this.#read.delete(number);
  }

  #locateWithin(bytes: Buffer, dictionary: Dictionary, startIndex: number): void {
    const [count, first] = ["N", "First"].map((name) => this.#resolve(dictionary.get(name)));
    if (typeof count !== "number" || typeof first !== "number") throw damaged();
    const headLexer = new Lexer(bytes, 0, this.#meter);
    for (let index = 0; index < count; index += 1) {
      const [number, offset] = [headLexer.token(), headLexer.token()];
      if (typeof number !== "number" || typeof offset !== "number") throw damaged();
      this.#locate(number, { bytes, at: first + offset, from: startIndex });
    }
  }

  /** Value at an offset, and the offset after it; undefined where there is none. */
  #valueAt(at: number): { readonly value: PdfValue; readonly next: number } | undefined {
    const lexer = new Lexer(this.#bytes, at, this.#meter);
    try {
      return { value: lexer.value(), next: lexer.at };
    } catch (error) {
      if (error instanceof EInvoiceError) return undefined;
      throw error;
    }
  }

  /** End of a stream's contents: by its length if that is right, else at its end keyword. */
  #endOf({ dictionary, start }: Stream): number | undefined {
    const length = this.#resolve(dictionary.get("Length"));
    if (typeof length === "number" && length >= 0) {
      const textAfter = this.#bytes.toString("latin1", start + length, start + length + 11);
      if (/^[\s\0]{0,2}endstream/.test(textAfter)) return start + length;
    }
    const endOffset = this.#bytes.indexOf("endstream", start);
    this.#meter.step(Math.max(0, endOffset - start) >> 8);
    if (endOffset < 0) return undefined;
    const lineEnd = /(?:\r\n|\r|\n)?$/.exec(
      this.#bytes.toString("latin1", Math.max(start, endOffset - 2), endOffset),
    );
    return endOffset - (lineEnd?.[0].length ?? 0);
  }
}

const noEntries: Dictionary = new Map();

/** Decodes a PDF string: UTF-16 or UTF-8 by its byte order mark, else Latin-1. */
function textOf(raw: string): string {
  const bytes = Buffer.from(raw, "latin1");
  if (raw.startsWith("\xfe\xff")) return new TextDecoder("utf-16be").decode(bytes.subarray(2));
  if (raw.startsWith("\xef\xbb\xbf")) return bytes.subarray(3).toString("utf8");
  return raw;
}
