/** Writes a worksheet: titles, frozen headings, rows, and formulas for totals. */
import { localMs } from "../../ledger/dates/timezones.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { msOfDay } from "../../wire/dates.ts";
import { escapeXml } from "../../wire/xml.ts";
import { cellFigure } from "../figures.ts";
import {
  type Cell,
  type CellRow,
  type Column,
  type Row,
  scaleOfKind,
  type Table,
} from "../table.ts";
import { formatOf, type Look, type Styles } from "./styles.ts";

/** A worksheet to be written, with the facts that the workbook needs afterwards. */
export interface SheetPlan {
  readonly name: string;
  readonly table: Table;
  /** Code of the paper size: 1 for Letter, 9 for A4. */
  readonly paper: number;
  /**
   * Number of rows down to and including the headings, which are repeated in print on every page.
   */
  headings: number;
  /** Range with an automatic filter, `A1:F20`. */
  filter: string | undefined;
}

/** Maximum number of rows in a worksheet. */
const rowsMax = 1_048_576;
/** Number of rows from which column widths are estimated. */
const sampleRows = 1_000;
/** Height, in points, of a row with a gap above it. */
const gapHeight = 26;
/** Minimum column width in characters; the next is the maximum. */
const widthMin = 9;
const widthMax = 60;
/** Number of columns above which the first column is frozen while the others scroll. */
const shownAtOnce = 6;

/** Buffers rows, so that they can be peeked at before they are taken. */
export class RowQueue {
  readonly #rows: AsyncIterator<Row> | Iterator<Row>;
  #ahead: Row[] = [];
  /** Index of the next row in the buffer. */
  #at = 0;

  constructor({ rows }: Table) {
    this.#rows =
      Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  }

  /** Returns up to `count` of the next rows without taking them. */
  async peek(count: number): Promise<readonly Row[]> {
    await this.#fill(count);
    return this.#ahead;
  }

  /**
   * Takes up to `count` of the next rows; the rest stays in the queue. A consumer that stops early
   * ends the queue.
   */
  async *take(count: number): AsyncGenerator<Row> {
    let isFinished = false;
    try {
      for (let rowCount = 0; rowCount < count; rowCount += 1) {
        if (this.#ahead.length === this.#at) await this.#fill();
        const row = this.#ahead[this.#at];
        if (row === undefined) break;
        this.#at += 1;
        yield row;
      }
      isFinished = true;
    } finally {
      if (!isFinished) await this.#rows.return?.();
    }
  }

  async #fill(count = 1): Promise<void> {
    this.#ahead = this.#ahead.slice(this.#at);
    this.#at = 0;
    while (this.#ahead.length < count) {
      const { value, done } = await this.#rows.next();
      if (done === true) return;
      this.#ahead.push(value);
    }
  }
}

/** Yields the XML of a worksheet, taking as many of `rows` as it can hold. */
export async function* sheetXml(
  plan: SheetPlan,
  rows: RowQueue,
  styles: Styles,
): AsyncGenerator<string> {
  const { table, paper } = plan;
  const { columns } = table;
  // A single title only repeats the sheet name; it is left out, so that headings are in the first
  // row.
  const titles = table.titles.length > 1 ? table.titles : [];
  plan.headings = titles.length === 0 ? 1 : titles.length + 2;
  const sample = await rows.peek(sampleRows);
  yield sheetHead(plan, sample);
  let number = 0;
  for (const [at, title] of titles.entries()) {
    number += 1;
    yield rowXml(number, [textXml(title, styles.of({ role: at === 0 ? "title" : "subtitle" }))]);
  }
  number = plan.headings;
  const headings = columns.map(({ heading, align }) =>
    textXml(heading, styles.of({ role: "heading", align })),
  );
  yield rowXml(number, headings);
  const writer = new RowWriter(table, styles, plan.headings + 1);
  for await (const row of rows.take(rowsMax - plan.headings)) {
    const writtenRow = writer.row(row, number + 1);
    if (writtenRow === undefined) continue;
    number += 1;
    yield writtenRow;
  }
  plan.filter = writer.filter(plan.headings);
  for (const [at, note] of (table.notes ?? []).entries()) {
    yield rowXml(number + 2 + at, [textXml(note, styles.of({ role: "subtitle" }))]);
  }
  yield "</sheetData>";
  if (plan.filter !== undefined) yield `<autoFilter ref="${plan.filter}"/>`;
  yield '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>';
  const orientation = columns.length > shownAtOnce ? "landscape" : "portrait";
  yield `<pageSetup paperSize="${paper}" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/>`;
  yield "<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter></worksheet>";
}

function sheetHead({ table: { columns }, headings }: SheetPlan, sample: readonly Row[]): string {
  const widths = columns.map(({ heading }, at) => {
    const texts = sample.map((row) => (row.role === "line" ? cellFigure(row.cells[at]).length : 0));
    // Headings are wrapped, and totals are wider than the amounts they sum.
    const words = heading.split(" ").map(({ length }) => length);
    return Math.min(widthMax, Math.max(widthMin, ...words, ...texts) + 3);
  });
  const cols = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const beside = columns.length > shownAtOnce ? ' xSplit="1"' : "";
  const pane = beside === "" ? "bottomLeft" : "bottomRight";
  const firstCell = `${beside === "" ? "A" : "B"}${headings + 1}`;
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
    `<sheetViews><sheetView workbookViewId="0" showGridLines="0"><pane${beside} ySplit="${headings}" ` +
    `topLeftCell="${firstCell}" activePane="${pane}" state="frozen"/><selection pane="${pane}" ` +
    `activeCell="${firstCell}" sqref="${firstCell}"/></sheetView></sheetViews>` +
    '<sheetFormatPr defaultRowHeight="15"/>' +
    (cols.length === 0 ? "" : `<cols>${cols.join("")}</cols>`) +
    "<sheetData>"
  );
}

/** Writes rows, and tracks what the formulas of totals need. */
class RowWriter {
  readonly #columns: readonly Column[];
  readonly #hasDashes: boolean | undefined;
  readonly #styles: Styles;
  /** Number of the first row below the headings. */
  readonly #begin: number;
  readonly #paths: ReadonlyMap<string, number>;
  #isTitled = false;
  /** Whether the next row has a gap above it. */
  #isGap = false;
  #hasSections = false;
  /**
   * Number of the first row of the section; the next field is the row of the last line that is no
   * total.
   */
  #from: number;
  #lastLine = 0;
  /** Sums of lines by column: of the section, and of the sheet. */
  #section: Figures[];
  #all: Figures[];

  constructor({ columns, hasDashes }: Table, styles: Styles, beginRow: number) {
    this.#columns = columns;
    this.#hasDashes = hasDashes;
    this.#styles = styles;
    this.#begin = beginRow;
    this.#from = beginRow;
    this.#paths = new Map(columns.map(({ path }, at) => [path, at]));
    this.#section = columns.map(() => noFigures());
    this.#all = columns.map(() => noFigures());
  }

  /** Writes a row. @returns undefined for a section without title, which takes no row */
  row(row: Row, number: number): string | undefined {
    if (row.role === "section") return this.#beginSection(row.title, number);
    const indent = this.#isTitled && row.role === "line" ? 1 : 0;
    const cells = this.#columns.map(({ align }, at) => {
      const cell = row.cells[at];
      if (row.role === "line") this.#count(at, cell);
      const formula = row.role === "total" ? this.#formula(row, at, number) : undefined;
      if (row.role === "total" && formula === undefined && scaleOfCell(cell) !== undefined) {
        this.#section[at]?.kinds.add("total");
        this.#all[at]?.kinds.add("total");
      }
      return this.#cell(
        cell,
        {
          role: row.role,
          align: align === "right" ? align : undefined,
          indent: at === 0 ? indent : 0,
        },
        formula,
      );
    });
    if (row.role === "line") this.#lastLine = number;
    const height = this.#isGap ? gapHeight : undefined;
    this.#isGap = false;
    return rowXml(number, cells, height);
  }

  /** Range to filter: for lists, from the headings to the last line. */
  filter(headingCount: number): string | undefined {
    if (this.#hasSections || this.#lastLine === 0) return undefined;
    return `A${headingCount}:${letters(this.#columns.length - 1)}${this.#lastLine}`;
  }

  #beginSection(title: string, number: number): string | undefined {
    const isFirst = number === this.#begin;
    this.#hasSections = true;
    this.#isTitled = title !== "";
    this.#from = this.#isTitled ? number + 1 : number;
    this.#section = this.#columns.map(() => noFigures());
    this.#isGap = !this.#isTitled && !isFirst;
    if (!this.#isTitled) return undefined;
    const cell = textXml(title, this.#styles.of({ role: "section" }));
    return rowXml(number, [cell], isFirst ? undefined : gapHeight);
  }

  #count(at: number, cell: Cell | undefined): void {
    if (cell === undefined || scaleOfCell(cell) === undefined) return;
    for (const figures of [this.#section[at], this.#all[at]]) {
      if (figures === undefined) continue;
      figures.count += 1;
      figures.kinds.add(cell.kind);
      figures.sum += BigInt(cell.value);
    }
  }

  /**
   * Formula of a total. In a list it follows from the condition of the total. A report gives none,
   * so a formula is written only if the lines above, of the section or of all, have that sum.
   */
  #formula({ cells, sumOf, without = [] }: CellRow, at: number, number: number) {
    const cell = cells[at];
    const column = letters(at);
    if (cell?.kind !== "money") return undefined;
    if (sumOf === undefined) {
      const isSum = (figures: Figures | undefined) =>
        figures !== undefined &&
        figures.count > 0 &&
        figures.kinds.size === 1 &&
        figures.sum === BigInt(cell.value as number | bigint);
      // SUBTOTAL ignores other subtotals in its range.
      if (isSum(this.#section[at]))
        return `SUBTOTAL(9,${column}${this.#from}:${column}${number - 1})`;
      if (isSum(this.#all[at])) return `SUBTOTAL(9,${column}${this.#begin}:${column}${number - 1})`;
      return undefined;
    }
    const range = (of: number) => `${letters(of)}$${this.#begin}:${letters(of)}$${this.#lastLine}`;
    const criteria = [
      ...Object.entries(sumOf).map(([path, value]) => [path, value] as const),
      ...without.map((status) => ["Status", `<>${status}`] as const),
    ];
    if (criteria.length === 0) return `SUBTOTAL(9,${range(at)})`;
    const conditions = criteria.map(([path, value]) => [this.#paths.get(path), value] as const);
    if (conditions.some(([place]) => place === undefined)) return undefined;
    const tests = conditions.map(([place = 0, value]) => `,${range(place)},"${value}"`);
    return `SUMIFS(${range(at)}${tests.join("")})`;
  }

  #cell(cell: Cell | undefined, look: Look, formula: string | undefined): string {
    if (cell === undefined) {
      return look.role === "line" ? "" : `<c s="${this.#styles.of(look)}"/>`;
    }
    const number = numberText(cell, this.#styles.timezone);
    if (number === undefined) return textXml(cellFigure(cell), this.#styles.of(look));
    // Days are numbers in a spreadsheet, and would be right-aligned by default.
    const isDay = cell.kind === "date" || cell.kind === "timestamp";
    const dayLook: Look = isDay ? { ...look, align: look.align ?? "left" } : look;
    const style = this.#styles.of({ ...dayLook, format: formatOf(cell, this.#hasDashes) });
    const calculated = formula === undefined ? "" : `<f>${escapeXml(formula)}</f>`;
    return `<c s="${style}">${calculated}<v>${number}</v></c>`;
  }
}

/** Sum of the lines of a range in a column. */
interface Figures {
  count: number;
  sum: bigint;
  /**
   * Kinds of the figures; `total` is a total without formula, which SUBTOTAL would count as a line.
   */
  readonly kinds: Set<Cell["kind"] | "total">;
}

function scaleOfCell(cell: Cell | undefined): number | undefined {
  return cell === undefined ? undefined : scaleOfKind(cell.kind);
}

const noFigures = (): Figures => ({ count: 0, sum: 0n, kinds: new Set() });

const dayMs = 86_400_000;
/** Days from 1899-12-30, the epoch of spreadsheets, to 1970-01-01. */
const epochDays = 25_569;
/** Number of 1 March 1900; programs disagree about the numbers of earlier days. */
const firstDay = 61;

/** Exact number of a cell in the file; undefined for text cells. */
function numberText({ kind, value }: Cell, timezone: string | undefined): string | undefined {
  if (kind === "date" || kind === "timestamp") {
    const ms = kind === "date" ? msOfDay(value as string) : localMs(value as number, timezone);
    const dayCount = ms / dayMs + epochDays;
    return dayCount >= firstDay ? String(dayCount) : undefined;
  }
  const scale = scaleOfKind(kind);
  if (scale === undefined) return undefined;
  // A percentage is stored as a fraction.
  return writeDecimal(value as number | bigint, kind === "percent" ? scale + 2 : scale);
}

const textMax = 32_767;
/** Characters that XML does not allow, and text that looks like their escape, `_x0000_`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const encoded = /[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;

/** XML of a text cell, which no program reads as a formula, whatever it begins with. */
function textXml(text: string, style: number): string {
  if (text === "") return `<c s="${style}"/>`;
  const content = text.slice(0, textMax).toWellFormed();
  const safe = content.replace(
    encoded,
    (text) => `_x${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(safe)}</t></is></c>`;
}

/** XML of a row; adds references to its cells, and leaves out empty ones. */
function rowXml(number: number, cells: readonly string[], height?: number): string {
  let cellsXml = "";
  for (const [at, cell] of cells.entries()) {
    if (cell !== "") cellsXml += `<c r="${letters(at)}${number}"${cell.slice(2)}`;
  }
  const heightAttribute = height === undefined ? "" : ` ht="${height}" customHeight="1"`;
  return `<row r="${number}"${heightAttribute}>${cellsXml}</row>`;
}

/** Name of a column by its index: `A` for 0, `AA` for 26. */
export function letters(at: number): string {
  const lastLetter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? lastLetter : letters(Math.floor(at / 26) - 1) + lastLetter;
}
