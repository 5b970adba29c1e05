/**
 * Sheets of a PDF document, and drawing on them.
 *
 * A sheet knows the margins and what is repeated on every page; the caller decides the layout
 * between the margins. All content is tagged by its type for screen readers; lines and repeated
 * headings are not.
 */
import PdfDocument from "pdfkit";
import { escapeXml } from "../../wire/xml.ts";
import type { Brand, Logo } from "../letterhead.ts";
import type { QrCode } from "../qr-code.ts";
import { english, type PaperLanguage } from "../words/words.ts";
import { type FontRun, fontRuns } from "./font-runs.ts";
import { type Face, facesFor, languageIn } from "./fonts.ts";
import { canDraw, drawAs, nameLigatures } from "./glyphs.ts";
import { normaliseText, wrapText } from "./text.ts";
import { baselineOf, colors, fontFiles, isLegible, type Style, styles } from "./type.ts";
import { isFromRight } from "./visual-runs.ts";

type Element = PDFKit.PDFStructureElement;

/** Margins in points. */
const margin = { side: 56, wideSide: 40, top: 56, bottom: 64 } as const;
/** Vertical start of a continuation page, in points. */
const nextTop = 84;
const runningTop = 40;
const footHeight = 40;

/** Metadata of a document, printed on every page and stored in the file. */
export interface Imprint {
  readonly title: string;
  readonly number?: string | undefined;
  /** Watermark on every page. */
  readonly mark?: "DRAFT" | "PAID" | "VOID" | undefined;
  readonly brand: Brand;
  readonly organisation: { readonly name: string };
  /** Imprint in the footer of every page. */
  readonly imprint: string;
  /** Language code as in HTML, `en-NZ`. */
  readonly language: string;
  /** What the layout says in that language; English where not given. */
  readonly words?: PaperLanguage | undefined;
  readonly paper: "A4" | "LETTER";
  /** Whether the page is landscape, with narrower margins. */
  readonly isWide?: boolean | undefined;
  /** Time of creation in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Machine-readable data embedded in the PDF, which is then an archive PDF (PDF/A-3). */
  readonly embedded?: Embedded | undefined;
}

/** A file embedded in a PDF that states the same facts, such as an e-invoice. */
export interface Embedded {
  readonly name: string;
  readonly mimeType: string;
  readonly description: string;
  readonly bytes: Uint8Array;
  /** RDF descriptions to add to the XMP metadata of the PDF. */
  readonly metadata: string;
}

/** A font of the machine, or the font of documents ("own"). */
type Font = Face | "own";
type Run = FontRun<Font>;

/** Maximum number of lines whose runs are cached. */
const laidMax = 2000;

/**
 * Font features of a run. Any list of features, even an empty one, makes the library shape the
 * whole run at once.
 */
function featuresOf({ isWhole }: Run): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  return isWhole ? { features: [] } : {};
}

interface Box {
  readonly width: number;
  readonly height: number;
}

/** Draws shapes; coordinates are in points. */
export interface Pen {
  fill(x: number, y: number, width: number, height: number, color: string): void;
  outline(x: number, y: number, width: number, height: number, color: string): void;
  line(points: readonly (readonly [x: number, y: number])[], weight: number, color: string): void;
}

export class Sheet {
  readonly left: number;
  readonly right: number;
  /** Lower end of the content area, in points. */
  readonly bottom: number;
  /** Vertical position of the next content, in points. */
  y: number = margin.top;
  readonly #doc: PDFKit.PDFDocument;
  readonly #imprint: Imprint;
  readonly #root: Element;
  // Fonts are named by file path: under another name the library would read the file at each use.
  readonly #files = fontFiles();
  readonly #chunks: Buffer[] = [];
  readonly #cleaned = new Map<string, string>();
  readonly #laid = new Map<string, readonly Run[]>();
  readonly #faces = new Map<string, Font | undefined>();
  /** Fonts of the machine in use, by weight and language. */
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

  /** Colour of the organisation, if it is legible on paper; the default ink otherwise. */
  get accent(): string {
    const { color } = this.#imprint.brand;
    return color !== undefined && isLegible(color) ? color : colors.ink;
  }

  get width(): number {
    return this.right - this.left;
  }

  /** Height of the content area on a continuation page, in points. */
  get capacity(): number {
    return this.bottom - nextTop;
  }

  get isFresh(): boolean {
    return this.y === nextTop;
  }

  fits(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  /** Starts a new page if there is no room for content of a height. */
  ensureRoom(height: number): void {
    if (!this.fits(height) && !this.isFresh) this.nextPage();
  }

  nextPage(): void {
    this.#doc.addPage();
    this.y = nextTop;
  }

  // --- text --------------------------------------------------------------------------------------

  /** Width of a text in points; of the longest line if it has several. */
  measure(text: string, style: Style): number {
    const lines = this.#clean(text).split("\n");
    return Math.max(...lines.map((line) => this.#widthOf(line, style)));
  }

  wrap(text: string, width: number, style: Style): string[] {
    return wrapText(this.#clean(text), width, (part) => this.#widthOf(part, style));
  }

  /** Draws a line of text with the top of its box at `y` and its left edge at `x`. */
  put(text: string, x: number, y: number, style: Style): void {
    let startX = x;
    for (const run of this.#runs(this.#clean(text).replaceAll("\n", " "), style)) {
      const width = this.#widthOfRun(run, style);
      this.#doc.fillColor(style.color);
      const draw = () =>
        this.#doc.text(run.text, startX, baselineOf(y, style), {
          ...featuresOf(run),
          lineBreak: false,
          baseline: "alphabetic",
        });
      if (run.typed === undefined) draw();
      else drawAs(this.#doc, run.typed, draw);
      startX += width;
    }
  }

  /** Characters that no font has, each once. */
  get missing(): string {
    return [...this.#missing].join("");
  }

  /** Draws a line of text like `put`, but with its right edge at `right`. */
  putRight(text: string, rightX: number, y: number, style: Style): void {
    this.put(text, rightX - this.measure(text, style), y, style);
  }

  /**
   * Draws lines one below the other.
   *
   * @param width  width of their box; right-to-left lines begin at its right edge
   * @returns the vertical position of the next line
   */
  putLines(lines: readonly string[], x: number, y: number, style: Style, width?: number): number {
    for (const [index, line] of lines.entries()) {
      const topY = y + index * style.leading;
      if (width !== undefined && isFromRight(line)) this.putRight(line, x + width, topY, style);
      else this.put(line, x, topY, style);
    }
    return y + lines.length * style.leading;
  }

  #styled({ font, size }: Style, face: Font = "own"): PDFKit.PDFDocument {
    if (face === "own") return this.#doc.font(this.#files[font]).fontSize(size);
    return this.#doc.font(face.file, face.family).fontSize(size);
  }

  #widthOf(text: string, style: Style): number {
    if (isAscii(text)) return this.#styled(style).widthOfString(text);
    return this.#runs(text, style).reduce((width, run) => width + this.#widthOfRun(run, style), 0);
  }

  #widthOfRun(run: Run, style: Style): number {
    return this.#styled(style, run.font).widthOfString(run.text, featuresOf(run));
  }

  #runs(text: string, { font }: Style): readonly Run[] {
    if (isAscii(text)) return [{ text, font: "own", isWhole: false }];
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
      // The cache is bounded, as wrapping measures a line at every length it could have.
      if (this.#laid.size >= laidMax) this.#laid.clear();
      this.#laid.set(key, runs);
    }
    return runs;
  }

  /** Font for a text: the font of documents if it has the text, else a font of the machine. */
  #fontOf(text: string, weight: Style["font"], language: string | undefined): Font | undefined {
    if (this.#hasAll("own", text)) return "own";
    const key = `${weight} ${language}`;
    if (this.#faces.has(`${key} ${text}`)) return this.#faces.get(`${key} ${text}`);
    const isBold = weight === "bold";
    const usedFaces = this.#used.get(key) ?? new Set();
    this.#used.set(key, usedFaces);
    const codePoint = text.codePointAt(0) ?? 0;
    const face =
      [...usedFaces].find((face) => this.#hasAll(face, text)) ??
      facesFor({ codePoint, isBold, language }).find((face) => this.#hasAll(face, text));
    if (face !== undefined) usedFaces.add(face);
    this.#faces.set(`${key} ${text}`, face);
    return face;
  }

  #hasAll(face: Font, text: string): boolean {
    return [...text].every((text) => this.#hasOne(face, text));
  }

  /** Whether a font can draw a character; unreadable fonts and bitmap fonts cannot. */
  #hasOne(face: Font, character: string): boolean {
    const name = face === "own" ? face : `${face.file} ${face.family}`;
    const key = `${name} ${character}`;
    let isCovered = this.#coverage.get(key);
    if (isCovered === undefined) {
      try {
        isCovered = canDraw(this.#styled(styles.body, face), character);
      } catch {
        isCovered = false;
      }
      this.#coverage.set(key, isCovered);
    }
    return isCovered;
  }

  #clean(text: string): string {
    let clean = this.#cleaned.get(text);
    if (clean === undefined) {
      clean = normaliseText(text);
      this.#cleaned.set(text, clean);
    }
    return clean;
  }

  // --- what is said to be what -------------------------------------------------------------------

  /** Opens a structure element that contains others, such as a table. */
  within(type: string, parent: Element = this.#root): Element {
    const element = this.#doc.struct(type);
    parent.add(element);
    return element;
  }

  /** Draws content as a structure element, which screen readers read. */
  tag(type: string, draw: () => void, parent: Element = this.#root): void {
    parent.add(this.#doc.struct(type, {}, [draw]));
  }

  /** Draws decoration or repeated content, which screen readers skip. */
  artifact(draw: () => void, type: "Layout" | "Pagination" = "Layout"): void {
    this.#doc.markContent("Artifact", { type });
    draw();
    this.#doc.endMarkedContent();
  }

  rule(y: number, weight: number, color: string, startX = this.left, to = this.right): void {
    this.artifact(() => {
      this.#doc.moveTo(startX, y).lineTo(to, y).lineWidth(weight).strokeColor(color).stroke();
    });
  }

  /** Draws a dashed line to cut along. */
  drawCutLine(y: number): void {
    this.artifact(() => {
      this.#doc.moveTo(this.left, y).lineTo(this.right, y).lineWidth(0.75);
      this.#doc.strokeColor(colors.line).dash(3, { space: 3 }).stroke().undash();
    });
  }

  /** Draws a QR code as a figure. @param sideLength  in points */
  drawCode({ size, runs }: QrCode, x: number, y: number, sideLength: number): void {
    const step = sideLength / size;
    const draw = () => {
      for (const run of runs) {
        this.#doc.rect(x + run.x * step, y + run.y * step, run.length * step, step);
      }
      this.#doc.fillColor("#000000").fill();
    };
    this.#root.add(this.#doc.struct("Figure", { alt: "QR code of the payment" }, [draw]));
  }

  /** Draws a shaded background; content goes on top of it. */
  drawBand(x: number, y: number, width: number, height: number): void {
    this.artifact(() => {
      this.#doc.roundedRect(x, y, width, height, 3).fillColor(colors.band).fill();
    });
  }

  /**
   * Draws an image scaled to fit a box.
   *
   * @param x  its left edge, or its right one
   * @returns its height
   */
  drawImage(
    { bytes, width, height }: Logo,
    x: number,
    y: number,
    box: Box,
    edge: "left" | "right" = "left",
  ): number {
    const scale = Math.min(box.width / width, box.height / height);
    const imageLeft = edge === "left" ? x : x - width * scale;
    this.artifact(() => {
      const size = { width: width * scale, height: height * scale };
      this.#doc.image(Buffer.from(bytes), imageLeft, y, size);
    });
    return height * scale;
  }

  /**
   * Draws a figure over the whole width with its top at `y`.
   *
   * @param words  text alternative for screen readers
   */
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

  /** Draws a frame around important content. */
  frame(x: number, y: number, width: number, height: number, color: string): void {
    this.artifact(() => {
      this.#doc.roundedRect(x, y, width, height, 3).lineWidth(1).strokeColor(color).stroke();
    });
  }

  // --- the end -----------------------------------------------------------------------------------

  /** Adds footers and page numbers to all pages, and closes the document. */
  async finish(): Promise<Buffer> {
    const { count } = this.#doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page);
      this.artifact(() => {
        if (page > 0) this.#runningHead();
        this.#foot(page + 1, count);
      }, "Pagination");
    }
    const documentEnd = new Promise<void>((resolve) => this.#doc.once("end", resolve));
    nameLigatures(this.#doc);
    this.#doc.end();
    await documentEnd;
    return Buffer.concat(this.#chunks);
  }

  get words(): PaperLanguage {
    return this.#imprint.words ?? english;
  }

  #runningHead(): void {
    const { title, number = "", mark, organisation } = this.#imprint;
    const { small } = styles;
    const name = `${title} ${number}`.trim();
    const shownName = this.#cut(name, this.width / 2, small);
    this.put(shownName, this.left, runningTop, small);
    if (mark !== undefined) {
      const bold: Style = { ...small, font: "bold", color: colors[mark] };
      this.put(
        this.words.say(mark),
        this.left + this.measure(shownName, small) + 8,
        runningTop,
        bold,
      );
    }
    const ownName = this.#cut(organisation.name, this.width / 3, small);
    this.putRight(ownName, this.right, runningTop, small);
  }

  /** A text on one line, cut with \u2026 where it is wider. */
  #cut(text: string, width: number, style: Style): string {
    const [line = "", ...others] = this.wrap(text, width, style);
    if (others.length === 0) return line;
    const letters = [...line];
    while (letters.length > 0 && this.measure(`${letters.join("")}\u2026`, style) > width)
      letters.pop();
    return `${letters.join("").trimEnd()}\u2026`;
  }

  #foot(page: number, count: number): void {
    const y = this.#doc.page.height - footHeight;
    const { small } = styles;
    const [imprint = ""] = this.wrap(this.#imprint.imprint, this.width - 90, small);
    this.put(imprint, this.left, y, small);
    this.putRight(this.words.say("Page % of %", String(page), String(count)), this.right, y, small);
  }
}

/** Prints a paragraph over the whole width, on as many pages as needed. */
export function printParagraph(sheet: Sheet, text: string, style: Style, type = "P"): void {
  const lines = sheet.wrap(text, sheet.width, style);
  while (lines.length > 0) {
    sheet.ensureRoom(style.leading);
    const linesLeft = Math.max(1, Math.floor((sheet.bottom - sheet.y) / style.leading));
    const pageLines = lines.splice(0, linesLeft);
    sheet.tag(type, () => {
      sheet.y = sheet.putLines(pageLines, sheet.left, sheet.y, style, sheet.width);
    });
  }
}

/** Whether text is plain ASCII, which the font of documents draws in one run. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * Escapes the metadata. The library writes title and author into its XML unescaped, after it has
 * stored them in their plain form, so that they can be escaped in between.
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
  // The library has members that its types do not declare.
  const { file, appendXML } = doc as unknown as {
    file(bytes: Uint8Array, options: object): void;
    appendXML(xml: string): void;
  };
  const options = { name, type, description, modifiedDate, relationship: "Alternative" };
  file.call(doc, bytes, options);
  appendXML.call(doc, metadata);
}
