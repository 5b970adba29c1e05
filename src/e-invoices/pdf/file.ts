/**
 * A PDF as far as it takes to find the files embedded in it.
 *
 * Cross-reference tables and streams are followed from the end of the file, object streams are
 * unpacked, and the tree of embedded files is walked; nothing is drawn and nothing is run. What is
 * unpacked, how deep it nests and how many objects are looked at is bounded. Encrypted files are
 * refused.
 *
 * @source ISO 32000-1: 7.5 file structure, 7.11.4 embedded files
 */
import { inflateSync } from "node:zlib";
import { EInvoiceError } from "../model.ts";
import { xmlBytesMax } from "../read-xml.ts";
import {
  cutOff,
  type Dictionary,
  damaged,
  depthMax,
  Keyword,
  Lexer,
  Name,
  objectsMax,
  Reference,
  Stream,
  tooLarge,
  type Value,
} from "./objects.ts";

const sectionsMax = 1000;
/** Of all streams that are unpacked together. */
const unpackedMax = 256 * 1024 * 1024;

export interface EmbeddedFile {
  readonly name: string;
  content(): Uint8Array;
}

/** Where an object is: at an offset of the file, or the `index`-th of an object stream. */
type Place = { readonly offset: number } | { readonly stream: number; readonly index: number };

export class PdfFile {
  readonly #bytes: Buffer;
  readonly #places = new Map<number, Place>();
  readonly #packed = new Map<number, readonly Value[]>();
  #trailer: Dictionary = new Map();
  #unpacked = 0;
  #depth = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#readSections();
    if (this.#trailer.has("Encrypt")) {
      throw new EInvoiceError(
        "BadFile",
        "The PDF is protected by a password; save it without one.",
      );
    }
  }

  files(): EmbeddedFile[] {
    const catalog = this.#dictionary(this.#trailer.get("Root"));
    const names = this.#dictionary(catalog.get("Names"));
    const files: EmbeddedFile[] = [];
    this.#walk(names.get("EmbeddedFiles"), files, 0);
    // Files that belong to the document as a whole, where no tree names them.
    for (const each of this.#array(catalog.get("AF"))) this.#addFile(undefined, each, files);
    return files;
  }

  #walk(node: Value | undefined, files: EmbeddedFile[], depth: number): void {
    if (depth > depthMax || files.length > objectsMax) throw damaged();
    const tree = this.#dictionary(node);
    const pairs = this.#array(tree.get("Names"));
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      this.#addFile(this.#resolve(pairs[at]), pairs[at + 1], files);
    }
    for (const kid of this.#array(tree.get("Kids"))) this.#walk(kid, files, depth + 1);
  }

  #addFile(key: Value | undefined, specification: Value | undefined, files: EmbeddedFile[]): void {
    const described = this.#dictionary(specification);
    const embedded = this.#dictionary(described.get("EF"));
    const stream = this.#resolve(embedded.get("UF") ?? embedded.get("F"));
    if (!(stream instanceof Stream)) return;
    const said = [described.get("UF"), described.get("F")].map((each) => this.#resolve(each));
    const name = [...said, key].find((each) => typeof each === "string" && each !== "");
    files.push({ name: textOf(String(name ?? "")), content: () => this.#content(stream) });
  }

  // --- objects -----------------------------------------------------------------------------------

  #resolve(value: Value | undefined): Value {
    let found: Value = value ?? null;
    for (let steps = 0; found instanceof Reference; steps += 1) {
      if (steps > depthMax) throw damaged();
      found = this.#object(found.number);
    }
    return found;
  }

  #dictionary(value: Value | undefined): Dictionary {
    const found = this.#resolve(value);
    if (found instanceof Stream) return found.dictionary;
    return found instanceof Map ? found : new Map();
  }

  #array(value: Value | undefined): readonly Value[] {
    const found = this.#resolve(value);
    return Array.isArray(found) ? (found as readonly Value[]) : [];
  }

  #number(value: Value | undefined): number {
    const found = this.#resolve(value);
    if (typeof found !== "number") throw damaged();
    return found;
  }

  #object(number: number): Value {
    const place = this.#places.get(number);
    if (place === undefined) return null;
    // An object stream whose length is an object in itself, and the like.
    this.#depth += 1;
    if (this.#depth > depthMax) throw damaged();
    try {
      if ("offset" in place) return this.#objectAt(place.offset, number);
      let packed = this.#packed.get(place.stream);
      if (packed === undefined) {
        packed = this.#unpack(place.stream);
        this.#packed.set(place.stream, packed);
      }
      return packed[place.index] ?? null;
    } finally {
      this.#depth -= 1;
    }
  }

  #objectAt(offset: number, number: number): Value {
    const lexer = new Lexer(this.#bytes, offset);
    const said = lexer.value();
    lexer.value();
    const begin = lexer.token();
    if (said !== number || !(begin instanceof Keyword) || begin.text !== "obj") throw damaged();
    return lexer.value();
  }

  #unpack(number: number): readonly Value[] {
    const stream = this.#object(number);
    if (!(stream instanceof Stream)) throw damaged();
    const content = Buffer.from(this.#content(stream));
    const count = this.#number(stream.dictionary.get("N"));
    const first = this.#number(stream.dictionary.get("First"));
    if (count > objectsMax) throw damaged();
    const head = new Lexer(content, 0);
    const offsets: number[] = [];
    for (let at = 0; at < count; at += 1) {
      head.value();
      const offset = head.value();
      if (typeof offset !== "number") throw damaged();
      offsets.push(first + offset);
    }
    return offsets.map((offset) => new Lexer(content, offset).value());
  }

  #content({ dictionary, start }: Stream): Uint8Array {
    const length = this.#number(dictionary.get("Length"));
    const raw = this.#bytes.subarray(start, start + length);
    if (length < 0 || raw.length !== length) throw cutOff();
    const filter = this.#resolve(dictionary.get("Filter"));
    const filters = filter === null ? [] : Array.isArray(filter) ? this.#array(filter) : [filter];
    const names = filters.map((each) => this.#resolve(each));
    const [only] = names;
    if (only === undefined) return this.#counted(raw);
    if (names.length > 1 || !(only instanceof Name) || !/^(?:FlateDecode|Fl)$/.test(only.text)) {
      throw new EInvoiceError("BadFile", "A file within the PDF is packed in an unusual way.");
    }
    const parameters = this.#dictionary(
      this.#array(dictionary.get("DecodeParms"))[0] ?? dictionary.get("DecodeParms"),
    );
    return unpredicted(this.#counted(this.#inflated(raw)), (name, usual) => {
      const said = this.#resolve(parameters.get(name));
      return typeof said === "number" ? said : usual;
    });
  }

  #inflated(raw: Buffer): Buffer {
    try {
      return inflateSync(raw, { maxOutputLength: xmlBytesMax });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw damaged(error);
      throw tooLarge();
    }
  }

  #counted(content: Buffer): Buffer {
    this.#unpacked += content.length;
    if (content.length > xmlBytesMax || this.#unpacked > unpackedMax) throw tooLarge();
    return content;
  }

  // --- where objects are -------------------------------------------------------------------------

  /** Reads the sections of the cross-reference from the last, which goes before those it replaces. */
  #readSections(): void {
    const tail = this.#bytes.subarray(-2048).toString("latin1");
    const said = /startxref\s+(\d{1,12})\s+%%EOF(?![\s\S]*startxref)/.exec(tail)?.[1];
    if (said === undefined) throw cutOff();
    const begun = new Set<number>();
    const waiting = [Number(said)];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (begun.has(at)) continue;
      begun.add(at);
      if (begun.size > sectionsMax) throw damaged();
      const trailer = this.#section(at);
      if (this.#trailer.size === 0) this.#trailer = trailer;
      for (const name of ["XRefStm", "Prev"]) {
        const next = trailer.get(name);
        if (typeof next === "number") waiting.push(next);
      }
    }
  }

  #section(offset: number): Dictionary {
    if (offset < 0 || offset >= this.#bytes.length) throw cutOff();
    const lexer = new Lexer(this.#bytes, offset);
    const begin = lexer.token();
    if (begin instanceof Keyword && begin.text === "xref") return this.#table(lexer);
    if (typeof begin !== "number") throw damaged();
    const stream = this.#objectAt(offset, begin);
    if (!(stream instanceof Stream)) throw damaged();
    this.#stream(stream);
    return stream.dictionary;
  }

  #add(number: number, place: Place): void {
    if (this.#places.has(number)) return;
    if (this.#places.size > objectsMax) throw damaged();
    this.#places.set(number, place);
  }

  #table(lexer: Lexer): Dictionary {
    for (;;) {
      const first = lexer.token();
      if (first instanceof Keyword && first.text === "trailer") break;
      const count = lexer.token();
      if (typeof first !== "number" || typeof count !== "number" || count > objectsMax) {
        throw damaged();
      }
      for (let at = 0; at < count; at += 1) {
        const offset = lexer.token();
        lexer.token();
        const kind = lexer.token();
        if (!(kind instanceof Keyword) || typeof offset !== "number") throw damaged();
        if (kind.text === "n") this.#add(first + at, { offset });
      }
    }
    const trailer = lexer.value();
    if (!(trailer instanceof Map)) throw damaged();
    return trailer;
  }

  #stream(stream: Stream): void {
    const { dictionary } = stream;
    const widths = this.#array(dictionary.get("W")).map((each) => this.#number(each));
    const [kindWidth = 0, placeWidth = 0, indexWidth = 0] = widths;
    const size = kindWidth + placeWidth + indexWidth;
    if (widths.some((each) => each < 0 || each > 6) || size === 0) throw damaged();
    const content = Buffer.from(this.#content(stream));
    const index = this.#array(dictionary.get("Index")).map((each) => this.#number(each));
    const ranges = index.length > 0 ? index : [0, this.#number(dictionary.get("Size"))];
    const read = (at: number, width: number) => (width === 0 ? 0 : content.readUIntBE(at, width));
    let at = 0;
    for (let range = 0; range + 1 < ranges.length; range += 2) {
      const [first = 0, count = 0] = ranges.slice(range, range + 2);
      for (let entry = 0; entry < count && at + size <= content.length; entry += 1, at += size) {
        const kind = kindWidth === 0 ? 1 : read(at, kindWidth);
        const place = read(at + kindWidth, placeWidth);
        const last = read(at + kindWidth + placeWidth, indexWidth);
        if (kind === 1) this.#add(first + entry, { offset: place });
        else if (kind === 2) this.#add(first + entry, { stream: place, index: last });
      }
    }
  }
}

/** Takes back the prediction of PNG, by which tables are packed. */
function unpredicted(
  content: Buffer,
  parameter: (name: string, usual: number) => number,
): Uint8Array {
  const predictor = parameter("Predictor", 1);
  if (predictor === 1) return content;
  const bits = parameter("Colors", 1) * parameter("BitsPerComponent", 8);
  const unit = Math.max(1, Math.floor(bits / 8));
  const row = Math.ceil((bits * parameter("Columns", 1)) / 8);
  if (predictor < 10 || !(row > 0 && row < content.length + 1)) throw damaged();
  const rows = Math.floor(content.length / (row + 1));
  const plain = Buffer.alloc(rows * row);
  for (let line = 0; line < rows; line += 1) {
    const filter = content[line * (row + 1)];
    for (let at = 0; at < row; at += 1) {
      const to = line * row + at;
      const left = at < unit ? 0 : (plain[to - unit] as number);
      const above = line === 0 ? 0 : (plain[to - row] as number);
      const corner = line === 0 || at < unit ? 0 : (plain[to - row - unit] as number);
      const guess =
        filter === 0
          ? 0
          : filter === 1
            ? left
            : filter === 2
              ? above
              : filter === 3
                ? (left + above) >> 1
                : paeth(left, above, corner);
      plain[to] = ((content[line * (row + 1) + 1 + at] as number) + guess) & 0xff;
    }
  }
  return plain;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) =>
    Math.abs(guess - each),
  ) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Text of PDF: UTF-16 or UTF-8 by its mark, else as good as Latin. */
function textOf(raw: string): string {
  const bytes = Buffer.from(raw, "latin1");
  if (raw.startsWith("\xfe\xff")) return new TextDecoder("utf-16be").decode(bytes.subarray(2));
  if (raw.startsWith("\xef\xbb\xbf")) return bytes.subarray(3).toString("utf8");
  return raw;
}
