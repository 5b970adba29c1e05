/**
 * Formats one record for people: fields line by line, lists as tables, totals at the end.
 *
 * Empty fields are omitted. Nothing is truncated: a long value wraps under itself.
 */

import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { type FieldColumn, isNumeric } from "../../../output/columns.ts";
import { displayWidth, pad, wrapText } from "../../../output/display-width.ts";
import { idLabel, labelOf } from "../../../output/field-labels.ts";
import type { Marks } from "../../../output/figures.ts";
import { cellOf } from "../../../output/list-table.ts";
import { type RecordField, type RecordList, recordParts } from "../../../output/record-parts.ts";
import type { Field, Resource } from "../../../resources/field.ts";
import { type Paint, plainPaint, statusStroke } from "../paint.ts";
import { safeLine, safeText } from "../safe.ts";
import { Table, type TableColumn } from "../table-layout.ts";
import { shownText, textInWords } from "../value-text.ts";
import { joinedFields } from "./joined-fields.ts";

export interface RecordOptions {
  /** Terminal width in columns; undefined for no limit. */
  readonly width: number | undefined;
  /** Number format for people; exact values when not given. */
  readonly marks?: Marks | undefined;
  readonly paint?: Paint;
  /** Fields to show, in this order; all non-empty ones when not given. */
  readonly columns?: readonly FieldColumn[] | undefined;
  /** Whether names and values are in words and ids are left out, as for people. */
  readonly inWords?: boolean;
}

/** The name and text of a field. */
interface FieldLine {
  readonly name: string;
  readonly text: string;
  readonly field: Field;
}

const gap = "  ";
/** Width of an id, which values get where possible, so that ids can be copied whole. */
const idWidth = 36;

/** Returns the lines of a record. */
export function recordLines(
  resource: Resource,
  record: object,
  { width, marks, paint = plainPaint, columns, inWords = false }: RecordOptions,
): string[] {
  const parts = recordParts(resource, record, columns);
  const { lists, totals } = parts;
  const fields = inWords ? joinedFields(parts.fields) : parts.fields;
  const words = { marks, day: mediumDate, statusOf: resource.name };
  const hasKey = Object.entries(resource.fields).some(
    ([name, { key }]) => key === true || name === "Handle",
  );
  const labels = fields.map(({ path }) => labelOf(path));
  const nameOf = (path: string) => {
    if (path === resource.id) return idLabel(resource.fields[path]);
    const [label, parts] = [labelOf(path), path.split(".")];
    const isClear = parts.length < 3 && labels.indexOf(label) === labels.lastIndexOf(label);
    return isClear ? label : parts.slice(-2).map(labelOf).join(": ");
  };
  const lineOf = ({ path, field, cell }: RecordField): FieldLine => ({
    name: inWords ? nameOf(path) : shownPath(path, marks),
    text: inWords ? textInWords({ path, field }, cell, words) : shownText(cell, marks),
    field,
  });
  const shownFields = fields.filter(({ field }) => !(inWords && hasKey && field.kind === "id"));
  const blocks = [
    detailLines(
      shownFields.map(lineOf).filter(({ text }) => text !== ""),
      width,
      paint,
    ),
    ...lists.map((list) => listLines(list, { width, marks, paint, inWords })),
    totalLines(totals.map(lineOf), width, paint),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

/** Removes `UTC` from the name of a time field that is shown in another time zone. */
const shownPath = (path: string, numberMarks: Marks | undefined) =>
  numberMarks?.timezone === undefined ? path : path.replace(/UTC$/, "");

/** Returns the table column of a field. */
export function tableColumn(
  { path, field, listed }: Omit<FieldColumn, "read">,
  numberMarks?: Marks,
): TableColumn {
  const isOwnKey = field.key === true && !path.includes(".");
  return {
    heading: shownPath(path, numberMarks),
    align: isNumeric[field.kind] && !listed ? "right" : "left",
    shrinks: listed ? "text" : isOwnKey && field.kind !== "id" ? "name" : shrinks[field.kind],
    status: field.kind === "choice" && path.endsWith("Status"),
  };
}

const shrinks = {
  id: "id",
  text: "text",
  choice: "name",
  boolean: "never",
  integer: "never",
  date: "never",
  timestamp: "never",
  money: "never",
  unitAmount: "never",
  quantity: "never",
  percent: "never",
  rate: "never",
  ref: "text",
  one: "text",
  many: "text",
  texts: "text",
} satisfies Record<Field["kind"], TableColumn["shrinks"]>;

function detailLines(
  lines: readonly FieldLine[],
  width: number | undefined,
  paint: Paint,
): string[] {
  const leftWidth = nameWidth(lines, width);
  const textWidth = width === undefined ? undefined : Math.max(2, width - leftWidth - gap.length);
  return lines.flatMap(({ name, text, field }) => {
    const stroke =
      field.kind === "choice" && name.endsWith("Status") ? statusStroke(text) : undefined;
    const textPieces = safeText(text)
      .split("\n")
      .flatMap((line) => wrapText(safeLine(line), isNumeric[field.kind] ? undefined : textWidth));
    return textPieces.map((piece, at) => {
      const labelText = at === 0 ? lastOf(name, leftWidth) : "";
      const shownPiece = stroke && piece !== "" ? paint[stroke](piece) : piece;
      return `${padName(labelText, leftWidth, paint)}${gap}${shownPiece}`.trimEnd();
    });
  });
}

function listLines(
  { path, columns, elements, currency }: RecordList,
  {
    width,
    marks,
    paint,
    inWords,
  }: Required<Pick<RecordOptions, "width" | "paint">> & RecordOptions,
): string[] {
  const words = { marks, day: mediumDate, statusOf: "" };
  const rows = elements.map((element) =>
    columns.map((column) => {
      const cell = cellOf(column, element, currency);
      return inWords ? textInWords(column, cell, words) : shownText(cell, marks);
    }),
  );
  const tableColumns = columns.map((column) => {
    const plainColumn = tableColumn(column, marks);
    return inWords ? { ...plainColumn, heading: labelOf(column.path) } : plainColumn;
  });
  const table = new Table(tableColumns, { width, paint });
  return [paint.strong(safeLine(inWords ? labelOf(path) : path)), ...table.lines(rows)];
}

function totalLines(
  totals: readonly FieldLine[],
  width: number | undefined,
  paint: Paint,
): string[] {
  const left = nameWidth(totals, width);
  const right = Math.max(0, ...totals.map(({ text }) => displayWidth(text)));
  return totals.map(
    ({ name, text }) => padName(lastOf(name, left), left, paint) + gap + pad(text, right, "right"),
  );
}

function padName(name: string, width: number, paint: Paint): string {
  const spaces = " ".repeat(width - displayWidth(name));
  return name === "" ? spaces : paint.strong(name) + spaces;
}

/** Shortens a long path at its beginning, since paths differ at their ends. */
function lastOf(name: string, width: number): string {
  return displayWidth(name) <= width ? name : `…${name.slice(name.length - width + 1)}`;
}

function nameWidth(lines: readonly FieldLine[], width: number | undefined): number {
  const longestWidth = Math.max(0, ...lines.map(({ name }) => displayWidth(name)));
  if (width === undefined) return longestWidth;
  const halfWidth = Math.max(3, Math.floor(width / 2));
  return Math.min(longestWidth, halfWidth, Math.max(16, width - gap.length - idWidth));
}
