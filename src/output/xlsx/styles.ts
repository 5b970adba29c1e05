/** Cell styles of a workbook: each combination in use is written once, and has a number. */
import { currencyPlaces } from "../../resources/common.ts";
import type { ScalarKind } from "../../resources/field.ts";
import { escapeXml } from "../../wire/xml.ts";
import type { Cell } from "../table.ts";

export type StyleRole = "line" | "total" | "result" | "section" | "heading" | "title" | "subtitle";

export interface Look {
  readonly role: StyleRole;
  /** Number format; general when not given. */
  readonly format?: string | undefined;
  readonly align?: "left" | "right" | undefined;
  /** Indentation level. */
  readonly indent?: number;
}

/** Number format with negative figures in red and with a minus sign. */
const signedFormat = (positive: string) => `${positive};[Red]-${positive}`;

const amountFormat = (currency: string | undefined) =>
  signedFormat(currencyPlaces(currency ?? "") === 0 ? "#,##0" : "#,##0.00");

const formats = {
  id: undefined,
  text: undefined,
  choice: undefined,
  boolean: undefined,
  integer: () => "0",
  date: () => "yyyy\\-mm\\-dd",
  timestamp: () => "yyyy\\-mm\\-dd\\ hh:mm",
  money: amountFormat,
  unitAmount: () => signedFormat("#,##0.00##"),
  quantity: undefined,
  percent: () => "0.00%",
  rate: undefined,
} satisfies Record<ScalarKind, ((currency: string | undefined) => string) | undefined>;

/** Number format of a cell; undefined where the value is shown unformatted. */
export function formatOf({ kind, currency }: Cell, hasDashes = false): string | undefined {
  const format = formats[kind]?.(currency);
  return hasDashes && kind === "money" ? `${format};"\u2013"` : format;
}

/** Font, fill and border by role, as indexes into the lists below. */
const parts = {
  line: [0, 0],
  section: [1, 0],
  total: [1, 1],
  result: [1, 2],
  heading: [1, 3],
  title: [2, 0],
  subtitle: [3, 0],
} as const satisfies Record<StyleRole, readonly [font: number, border: number]>;

const ink = "FF17212B";
const soft = "FF5F6B78";

/** First id for custom number formats. */
const formatBegin = 164;

export class Styles {
  readonly #looks = new Map<string, number>();
  readonly #cells: string[] = [];
  readonly #formats = new Map<string, number>();
  readonly #accent: string;
  /** Time zone in which times are shown; UTC when not given. */
  readonly timezone: string | undefined;

  /** Creates the styles. @param accent  colour of headings, `#1d4f91` */
  constructor(accent: string, timezone?: string | undefined) {
    this.timezone = timezone;
    this.#accent = accent;
    // The first style is the default of cells without a style.
    this.of({ role: "line" });
  }

  /** Number of a style, which is added if it is new. */
  of({ role, format, align, indent = 0 }: Look): number {
    const key = `${role} ${align ?? ""} ${indent} ${format ?? ""}`;
    const knownStyle = this.#looks.get(key);
    if (knownStyle !== undefined) return knownStyle;
    const [font, border] = parts[role];
    const places = [
      ...(align === undefined && indent === 0 ? [] : [`horizontal="${align ?? "left"}"`]),
      ...(indent === 0 ? [] : [`indent="${indent}"`]),
      ...(role === "heading" ? ['vertical="bottom" wrapText="1"'] : []),
    ];
    this.#cells.push(
      `<xf numFmtId="${this.#formatId(format)}" fontId="${font}" fillId="0" borderId="${border}" xfId="0"` +
        ` applyNumberFormat="1" applyFont="1" applyBorder="1"` +
        (places.length === 0 ? "/>" : ` applyAlignment="1"><alignment ${places.join(" ")}/></xf>`),
    );
    const number = this.#cells.length - 1;
    this.#looks.set(key, number);
    return number;
  }

  #formatId(format: string | undefined): number {
    if (format === undefined) return 0;
    const id = this.#formats.get(format) ?? formatBegin + this.#formats.size;
    this.#formats.set(format, id);
    return id;
  }

  /** XML of the style part of the workbook. */
  xml(): string {
    const formats = [...this.#formats].map(
      ([format, id]) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(format)}"/>`,
    );
    const accent = `FF${this.#accent.slice(1).toUpperCase()}`;
    const font = (size: number, color: string, bold = "") =>
      `<font>${bold}<sz val="${size}"/><color rgb="${color}"/><name val="Calibri"/><family val="2"/></font>`;
    const edge = (sideName: string, style: string, color = "FF7B8997") =>
      `<${sideName} style="${style}"><color rgb="${color}"/></${sideName}>`;
    const border = (top = "<top/>", bottom = "<bottom/>") =>
      `<border><left/><right/>${top}${bottom}<diagonal/></border>`;
    return (
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      (formats.length === 0
        ? ""
        : `<numFmts count="${formats.length}">${formats.join("")}</numFmts>`) +
      `<fonts count="4">${font(11, ink)}${font(11, ink, "<b/>")}${font(16, accent, "<b/>")}${font(11, soft)}</fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      `<borders count="4">${border()}${border(edge("top", "thin"))}${border(
        edge("top", "thin"),
        edge("bottom", "double"),
      )}${border(undefined, edge("bottom", "medium", accent))}</borders>` +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${this.#cells.length}">${this.#cells.join("")}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
      "</styleSheet>"
    );
  }
}
