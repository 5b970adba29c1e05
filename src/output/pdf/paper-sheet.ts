/**
 * The sheets of a paper and what is put on them.
 *
 * A sheet knows where the margins are and what is said again on every page; where things stand
 * between the margins is decided by what is printed. Everything that is read is tagged with what it
 * is, for those who listen to a document instead of looking at it; rules and repeated lines are not.
 */
import PdfDocument from "pdfkit";
import { escapeXml } from "../../wire/xml.ts";
import type { Brand, Logo } from "../letterhead.ts";
import { type FontRun, fontRuns } from "./font-runs.ts";
import { type Face, facesFor, languageIn } from "./fonts.ts";
import { canDraw, drawAs, nameLigatures } from "./glyphs.ts";
import { readable, wrapped } from "./text.ts";
import { baseline, colors, fontFiles, isLegible, type Style, styles } from "./type.ts";
import { isFromRight } from "./visual-runs.ts";

type Element = PDFKit.PDFStructureElement;

/** All in points. */
const margin = { side: 56, wideSide: 40, top: 56, bottom: 64 } as const;
/** Where a page begins that goes on with what another began. */
const nextTop = 84;
const runningTop = 40;
const footHeight = 40;

/** What a paper says of itself, on every page and to whoever lists files. */
export interface Imprint {
  readonly title: string;
  readonly number?: string | undefined;
  /** Mark on every page. */
  readonly mark?: "DRAFT" | "VOID" | undefined;
  readonly brand: Brand;
  readonly organisation: { readonly name: string };
  /** At the foot of every page. */
  readonly imprint: string;
  /** As in HTML, `en-NZ`. */
  readonly language: string;
  readonly paper: "A4" | "LETTER";
  /** On its long side, with narrower margins. */
  readonly isWide?: boolean | undefined;
  /** Milliseconds since 1970 UTC: when the paper is said to be made. */
  readonly at: number;
  /** Data that programs read instead of the paper, which then is one for archives: PDF/A-3. */
  readonly embedded?: Embedded | undefined;
}

/** A file within a paper that says the same. */
export interface Embedded {
  readonly name: string;
  readonly mimeType: string;
  readonly description: string;
  readonly bytes: Uint8Array;
  /** RDF descriptions for the metadata of the paper. */
  readonly metadata: string;
}

/** A font of the machine, or that of the documents. */
type Font = Face | "own";
type Run = FontRun<Font>;

/** Lines whose runs are kept. */
const laidMax = 2000;

/** A whole run is laid out at once, which any list of features does, also an empty one. */
function featuresOf({ isWhole }: Run): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  return isWhole ? { features: [] } : {};
}

interface Box {
  readonly width: number;
  readonly height: number;
}

/** Draws shapes; all in points. */
export interface Pen {
  fill(x: number, y: number, width: number, height: number, color: string): void;
  outline(x: number, y: number, width: number, height: number, color: string): void;
  line(points: readonly (readonly [x: number, y: number])[], weight: number, color: string): void;
}

export class Sheet {
  readonly left: number;
  readonly right: number;
  /** The lowest point of what stands between the margins. */
  readonly bottom: number;
  /** Where the next thing begins. */
  y: number = margin.top;
  readonly #doc: PDFKit.PDFDocument;
  readonly #imprint: Imprint;
  readonly #root: Element;
  // A font goes by the path of its file: by another name it would be read again at each use.
  readonly #files = fontFiles();
  readonly #chunks: Buffer[] = [];
  readonly #cleaned = new Map<string, string>();
  readonly #laid = new Map<string, readonly Run[]>();
  readonly #faces = new Map<string, Font | undefined>();
  /** Fonts of the machine that were taken, by weight and language. */
  readonly #used = new Map<string, Set<Face>>();
  readonly #coverage = new Map<string, boolean>();
  readonly #missing = new Set<string>();

  constructor(imprint: Imprint) {
    const { title, number, organisation, language, paper, isWide = false, at, embedded } = imprint;
    this.left = isWide ? margin.wideSide : margin.side;
    this.#imprint = imprint;
    this.#doc = new PdfDocument({
      size: paper,
      layout: isWide ? "landscape" : "portrait",
      margin: 0,
      font: this.#files.regular,
      pdfVersion: "1.7",
      lang: language,
      tagged: true,
      displayTitle: true,
      bufferPages: true,
      ...(embedded === undefined ? {} : { subset: "PDF/A-3b" }),
      info: {
        Title: number === undefined ? title : `${title} ${number}`,
        Author: organisation.name,
        Creator: "acct",
        Producer: "acct",
        CreationDate: new Date(at),
        ModDate: new Date(at),
      },
    } as PDFKit.PDFDocumentOptions);
    this.#doc.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
    escapeMetadata(this.#doc);
    if (embedded !== undefined) embed(this.#doc, embedded, new Date(at));
    this.right = this.#doc.page.width - this.left;
    this.bottom = this.#doc.page.height - margin.bottom;
    this.#root = this.#doc.struct("Document");
    this.#doc.addStructure(this.#root);
  }

  /** The colour of the organisation, where it can be read on paper; the ink otherwise. */
  get accent(): string {
    const { color } = this.#imprint.brand;
    return color !== undefined && isLegible(color) ? color : colors.ink;
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Heading of a page that continues another. */
  get capacity(): number {
    return this.bottom - nextTop;
  }

  get isFresh(): boolean {
    return this.y === nextTop;
  }

  fits(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  /** Goes on to another page if there is no room for something of that height. */
  need(height: number): void {
    if (!this.fits(height) && !this.isFresh) this.nextPage();
  }

  nextPage(): void {
    this.#doc.addPage();
    this.y = nextTop;
  }

  // --- text --------------------------------------------------------------------------------------

  /** Width of a text, of its longest line where it has several. */
  measure(text: string, style: Style): number {
    const lines = this.#clean(text).split("\n");
    return Math.max(...lines.map((line) => this.#widthOf(line, style)));
  }

  wrap(text: string, width: number, style: Style): string[] {
    return wrapped(this.#clean(text), width, (part) => this.#widthOf(part, style));
  }

  /** Puts one line with the top of its box at `y`, its left edge at `x`. */
  put(text: string, x: number, y: number, style: Style): void {
    let from = x;
    for (const run of this.#runs(this.#clean(text).replaceAll("\n", " "), style)) {
      const width = this.#widthOfRun(run, style);
      this.#doc.fillColor(style.color);
      const draw = () =>
        this.#doc.text(run.text, from, baseline(y, style), {
          ...featuresOf(run),
          lineBreak: false,
          baseline: "alphabetic",
        });
      if (run.typed === undefined) draw();
      else drawAs(this.#doc, run.typed, draw);
      from += width;
    }
  }

  /** Characters without a glyph in any font here, each once. */
  get missing(): string {
    return [...this.#missing].join("");
  }

  /** As `put`, its right edge at `right`. */
  putRight(text: string, right: number, y: number, style: Style): void {
    this.put(text, right - this.measure(text, style), y, style);
  }

  /**
   * Puts lines below each other.
   *
   * @param width  of their box: lines that go from the right begin at its right edge
   * @returns where the next would begin
   */
  putLines(lines: readonly string[], x: number, y: number, style: Style, width?: number): number {
    for (const [index, line] of lines.entries()) {
      const top = y + index * style.leading;
      if (width !== undefined && isFromRight(line)) this.putRight(line, x + width, top, style);
      else this.put(line, x, top, style);
    }
    return y + lines.length * style.leading;
  }

  #styled({ font, size }: Style, face: Font = "own"): PDFKit.PDFDocument {
    if (face === "own") return this.#doc.font(this.#files[font]).fontSize(size);
    return this.#doc.font(face.file, face.family).fontSize(size);
  }

  #widthOf(text: string, style: Style): number {
    if (isPlain(text)) return this.#styled(style).widthOfString(text);
    return this.#runs(text, style).reduce((width, run) => width + this.#widthOfRun(run, style), 0);
  }

  #widthOfRun(run: Run, style: Style): number {
    return this.#styled(style, run.font).widthOfString(run.text, featuresOf(run));
  }

  #runs(text: string, { font }: Style): readonly Run[] {
    if (isPlain(text)) return [{ text, font: "own", isWhole: false }];
    const key = `${font} ${text}`;
    let runs = this.#laid.get(key);
    if (runs === undefined) {
      const language = languageIn(text, this.#imprint.language.slice(-2));
      runs = fontRuns<Font>(text, {
        own: "own",
        fontOf: (part) => this.#fontOf(part, font, language),
        has: (face, part) => this.#hasAll(face, part),
        missing: (part) => this.#missing.add(part),
      });
      // Lines are measured at every length that they could have.
      if (this.#laid.size >= laidMax) this.#laid.clear();
      this.#laid.set(key, runs);
    }
    return runs;
  }

  /** The font that has a text: that of the documents before any other of the machine. */
  #fontOf(text: string, weight: Style["font"], language: string | undefined): Font | undefined {
    if (this.#hasAll("own", text)) return "own";
    const key = `${weight} ${language}`;
    if (this.#faces.has(`${key} ${text}`)) return this.#faces.get(`${key} ${text}`);
    const isBold = weight === "bold";
    const used = this.#used.get(key) ?? new Set();
    this.#used.set(key, used);
    const codePoint = text.codePointAt(0) ?? 0;
    const face =
      [...used].find((each) => this.#hasAll(each, text)) ??
      facesFor({ codePoint, isBold, language }).find((each) => this.#hasAll(each, text));
    if (face !== undefined) used.add(face);
    this.#faces.set(`${key} ${text}`, face);
    return face;
  }

  #hasAll(face: Font, text: string): boolean {
    return [...text].every((each) => this.#hasOne(face, each));
  }

  /** Whether a font can draw a character: one that cannot be read has none, nor one of pictures. */
  #hasOne(face: Font, character: string): boolean {
    const name = face === "own" ? face : `${face.file} ${face.family}`;
    const key = `${name} ${character}`;
    let has = this.#coverage.get(key);
    if (has === undefined) {
      try {
        has = canDraw(this.#styled(styles.body, face), character);
      } catch {
        has = false;
      }
      this.#coverage.set(key, has);
    }
    return has;
  }

  #clean(text: string): string {
    let clean = this.#cleaned.get(text);
    if (clean === undefined) {
      clean = readable(text);
      this.#cleaned.set(text, clean);
    }
    return clean;
  }

  // --- what is said to be what -------------------------------------------------------------------

  /** Something that holds others, such as a table. */
  within(type: string, parent: Element = this.#root): Element {
    const element = this.#doc.struct(type);
    parent.add(element);
    return element;
  }

  /** Something that is read. */
  tag(type: string, draw: () => void, parent: Element = this.#root): void {
    parent.add(this.#doc.struct(type, {}, [draw]));
  }

  /** Something that is only looked at, or was said before. */
  artifact(draw: () => void, type: "Layout" | "Pagination" = "Layout"): void {
    this.#doc.markContent("Artifact", { type });
    draw();
    this.#doc.endMarkedContent();
  }

  rule(y: number, weight: number, color: string, from = this.left, to = this.right): void {
    this.artifact(() => {
      this.#doc.moveTo(from, y).lineTo(to, y).lineWidth(weight).strokeColor(color).stroke();
    });
  }

  /** A line to cut along. */
  cutLine(y: number): void {
    this.artifact(() => {
      this.#doc.moveTo(this.left, y).lineTo(this.right, y).lineWidth(0.75);
      this.#doc.strokeColor(colors.line).dash(3, { space: 3 }).stroke().undash();
    });
  }

  /** A shade behind what is put there next. */
  band(x: number, y: number, width: number, height: number): void {
    this.artifact(() => {
      this.#doc.roundedRect(x, y, width, height, 3).fillColor(colors.band).fill();
    });
  }

  /**
   * A picture in a box, as large as it fits.
   *
   * @param x  its left edge, or its right one
   * @returns its height
   */
  picture(
    { bytes, width, height }: Logo,
    x: number,
    y: number,
    box: Box,
    edge: "left" | "right" = "left",
  ): number {
    const scale = Math.min(box.width / width, box.height / height);
    const left = edge === "left" ? x : x - width * scale;
    this.artifact(() => {
      const size = { width: width * scale, height: height * scale };
      this.#doc.image(Buffer.from(bytes), left, y, size);
    });
    return height * scale;
  }

  /** Something that is drawn and said in words, over the whole width, its top at `y`. */
  figure(words: string, draw: (pen: Pen) => void): void {
    this.#root.add(this.#doc.struct("Figure", { alt: words }, [() => draw(this.#pen)]));
  }

  readonly #pen: Pen = {
    fill: (x, y, width, height, color) => {
      this.#doc.rect(x, y, width, height).fillColor(color).fill();
    },
    outline: (x, y, width, height, color) => {
      this.#doc.rect(x, y, width, height).lineWidth(1).strokeColor(color).stroke();
    },
    line: (points, weight, color) => {
      const [[x, y] = [0, 0], ...others] = points;
      this.#doc.moveTo(x, y);
      for (const [toX, toY] of others) this.#doc.lineTo(toX, toY);
      this.#doc.lineWidth(weight).strokeColor(color).stroke();
    },
  };

  /** A frame around what nobody may miss. */
  frame(x: number, y: number, width: number, height: number, color: string): void {
    this.artifact(() => {
      this.#doc.roundedRect(x, y, width, height, 3).lineWidth(1).strokeColor(color).stroke();
    });
  }

  // --- the end -----------------------------------------------------------------------------------

  /** Says on every page what it belongs to and which it is, and closes the document. */
  async finish(): Promise<Buffer> {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page);
      this.artifact(() => {
        if (page > 0) this.#runningHead();
        this.#foot(page + 1, count);
      }, "Pagination");
    }
    const ended = new Promise<void>((resolve) => this.#doc.once("end", resolve));
    nameLigatures(this.#doc);
    this.#doc.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }

  #runningHead(): void {
    const { title, number = "", mark, organisation } = this.#imprint;
    const { small } = styles;
    const name = `${title} ${number}`.trim();
    const [shown = ""] = this.wrap(name, this.width / 2, small);
    this.put(shown, this.left, runningTop, small);
    if (mark !== undefined) {
      const bold: Style = { ...small, font: "bold", color: colors[mark] };
      this.put(mark, this.left + this.measure(shown, small) + 8, runningTop, bold);
    }
    const [own = ""] = this.wrap(organisation.name, this.width / 3, small);
    this.putRight(own, this.right, runningTop, small);
  }

  #foot(page: number, count: number): void {
    const y = this.#doc.page.height - footHeight;
    const { small } = styles;
    const [imprint = ""] = this.wrap(this.#imprint.imprint, this.width - 90, small);
    this.put(imprint, this.left, y, small);
    this.putRight(`Page ${page} of ${count}`, this.right, y, small);
  }
}

/** Text over the whole width, over as many pages as it takes. */
export function paragraph(sheet: Sheet, text: string, style: Style, type = "P"): void {
  const lines = sheet.wrap(text, sheet.width, style);
  while (lines.length > 0) {
    sheet.need(style.leading);
    const room = Math.max(1, Math.floor((sheet.bottom - sheet.y) / style.leading));
    const part = lines.splice(0, room);
    sheet.tag(type, () => {
      sheet.y = sheet.putLines(part, sheet.left, sheet.y, style, sheet.width);
    });
  }
}

/** Text in the fonts of documents, in one run. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * The library writes title and author into its XML as they are. By then it has them where they are
 * no XML, so that they can be made fit for it.
 */
function escapeMetadata(doc: PDFKit.PDFDocument): void {
  const writer = doc as unknown as { endMetadata(): void };
  const write = writer.endMetadata.bind(doc);
  writer.endMetadata = () => {
    for (const name of ["Title", "Author"] as const) {
      doc.info[name] = escapeXml((doc.info[name] ?? "").replace(/\p{C}+/gu, " "));
    }
    write();
  };
}

function embed(doc: PDFKit.PDFDocument, embedded: Embedded, modifiedDate: Date): void {
  const { name, mimeType: type, description, bytes, metadata } = embedded;
  // The library knows more than its types.
  const { file, appendXML } = doc as unknown as {
    file(bytes: Uint8Array, options: object): void;
    appendXML(xml: string): void;
  };
  const options = { name, type, description, modifiedDate, relationship: "Alternative" };
  file.call(doc, bytes, options);
  appendXML.call(doc, metadata);
}
