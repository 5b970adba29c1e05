/**
 * GET /Extensions/Explain/Reports/{Name}: explains a figure of a report.
 *
 * The report is made again with the same parameters; the figure is found by the label of its row
 * and the heading of its column.
 */

import type { Account } from "../../resources/account.ts";
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { type ReportName, reports } from "../../resources/report.ts";
import { counted } from "../../resources/scalar.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type MakeReport, type ReportContext, readingOf } from "../reports/report-context.ts";
import type { RequestContext } from "../request/context.ts";
import { Evaluation } from "./evaluate.ts";
import { answerExplained } from "./explanation-report.ts";
import {
  amountAt,
  attributeOf,
  type CellRef,
  type FigureRow,
  Figures,
  isFigure,
  textIn,
  valueAt,
} from "./report-figures.ts";
import { originsOf } from "./report-origins.ts";

export async function explainReport(
  call: RequestContext,
  name: ReportName,
  make: MakeReport,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const reading = await readingOf(call, tx);
    const figures = new Figures(await make(reading));
    const { title, meant } = reports[name];
    const place = queriedCell(reading, figures, title, meant);
    const origins = originsOf(reading, figures);
    const origin = origins(place);
    if (origin === undefined) throw noFigure(figures, title, place);
    const detail = { all: call.query.boolean("all") === true };
    // Columns distinguish the figures of one row.
    const nameOfPart = ({ row, column }: CellRef) =>
      (row === place.row ? figures.headings[column] : "") || row.label;
    const explained = await new Evaluation(reading, detail, origins, nameOfPart).explain(
      origin,
      amountAt(place),
    );
    const heading = figures.headings[place.column] ?? "";
    const [, , ...days] = figures.titles;
    const ofCash = reading.basis === "cash" && !days.includes("Cash basis") ? ["cash basis"] : [];
    return answerExplained(
      call,
      {
        figure: nameOf(reading, place.row),
        of: [title, ...days, heading, ...ofCash].filter((text) => text !== "").join(", "),
        shown: valueAt(place),
        shownBy: "the report",
        organisation: reading.organisation.Name,
        today: reading.today,
      },
      explained,
    );
  });
}

/** Returns the account of a row; undefined for other rows. */
function accountOfRow({ chart }: ReportContext, row: FigureRow): Account | undefined {
  const id = attributeOf(row, "account") ?? attributeOf(row, "accountID");
  return id === undefined ? undefined : chart.account(id);
}

/** Returns the label of a row: `Sales (200)`, `Net Profit`, or a document's number. */
function nameOf(reading: ReportContext, row: FigureRow): string {
  const account = accountOfRow(reading, row);
  if (account !== undefined) {
    return account.Code === undefined ? account.Name : `${account.Name} (${account.Code})`;
  }
  const words = [textIn(row.cells[1]), row.label].filter(
    (text) => text !== "" && !/^\d{4}-\d\d-\d\dT/.test(text),
  );
  const [name = "Figure"] =
    attributeOf(row, "invoiceID") === undefined ? words.toReversed() : words;
  return row.section === "" || row.isTotal ? name : `${name}, ${row.section}`;
}

// --- choosing the figure ---------------------------------------------------------------------------

function queriedCell(
  reading: ReportContext,
  figures: Figures,
  title: string,
  which: "first" | "last",
): CellRef {
  const row = queriedRow(reading, figures, title);
  const wanted = reading.call.query.get("column");
  if (wanted !== undefined) return { row, column: queriedColumn(figures, title, wanted) };
  const columns = row.cells
    .map((_, column) => ({ row, column }))
    .filter((place) => isFigure(place) && hasAmounts(figures, place.column));
  const place = which === "first" ? columns[0] : columns.at(-1);
  if (place === undefined) throw noFigure(figures, title, { row, column: 0 });
  return place;
}

/** Whether a column has amounts: shares, verdicts and currencies beside amounts are not meant. */
const hasAmounts = ({ columns }: Figures, column: number): boolean =>
  columns[column] !== "share" && columns[column] !== "foreign";

function queriedColumn({ headings }: Figures, title: string, column: string): number {
  const wanted = column.toLowerCase();
  const named = headings.findIndex((heading, at) => at > 0 && heading.toLowerCase() === wanted);
  if (named > 0) return named;
  const number = /^\d{1,2}$/.test(column) ? Number(column) : 0;
  if (number > 0 && number < headings.length) return number;
  const known = headings.slice(1).filter((heading) => heading !== "");
  throw new NotFoundError(
    "NotFound",
    `The ${title} has no column ${column.slice(0, 40)}; it has ${known.join(", ")}.`,
  );
}

function queriedRow(reading: ReportContext, figures: Figures, title: string): FigureRow {
  const { query } = reading.call;
  const line = query.integer("line", 1, 1_000_000);
  if (line !== undefined) {
    const row = figures.rows[line - 1];
    if (row !== undefined) return row;
    throw new NotFoundError(
      "NotFound",
      `The ${title} has ${counted(figures.rows.length, "line of figures")}.`,
    );
  }
  const key = query.get("row");
  if (key === undefined)
    throw refusal("Required", "Say which figure: the parameter row, or line, is required.");
  const rows = rowsNamed(reading, figures, key);
  const [row, second] = rows;
  if (row === undefined) throw noRow(reading, figures, title, key);
  if (second === undefined) return row;
  const names = rows.map((row) => `${row.line} ${row.section}`.trim()).join(", ");
  throw refusal(
    "Ambiguous",
    `In the ${title} there are ${rows.length} rows ${key.slice(0, 40)}: name one by its line (${names}).`,
  );
}

/** Returns the rows that match an account, record or name, only of the closest kind of match. */
function rowsNamed(reading: ReportContext, figures: Figures, key: string): readonly FigureRow[] {
  const wanted = key.trim().toLowerCase();
  const isOne = (text: string | undefined) => text?.toLowerCase() === wanted;
  const accountOf = (row: FigureRow) => accountOfRow(reading, row);
  const ids = ["account", "accountID", "contactID", "invoiceID"];
  const kinds: readonly ((row: FigureRow) => boolean)[] = [
    (row) => isOne(accountOf(row)?.Code),
    (row) => ids.some((id) => isOne(attributeOf(row, id))),
    (row) => isOne(row.label) || isOne(accountOf(row)?.Name),
    (row) => isOne(`${row.section}/${row.label}`),
    (row) => row.cells.slice(1, 3).some((cell) => isOne(textIn(cell))),
  ];
  for (const isMeant of kinds) {
    const rows = figures.rows.filter(isMeant);
    if (rows.length > 0) return rows;
  }
  return [];
}

/** Maximum number of names in a sentence. */
const namesMax = 12;

function noRow(
  reading: ReportContext,
  figures: Figures,
  title: string,
  key: string,
): NotFoundError {
  const account = reading.chart.account(key.trim());
  if (account !== undefined && account.Status !== "DELETED") {
    return new NotFoundError(
      "NotFound",
      `${account.Name} (${key.trim()}) is not in the ${title} of these days: it has no figure there.`,
    );
  }
  const names = [...new Set(figures.rows.map((row) => nameOf(reading, row)))];
  const known = names.slice(0, namesMax).join("; ");
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return new NotFoundError(
    "NotFound",
    `There is no figure ${key.slice(0, 40)} in the ${title} of these days; it has ${known}${more}.`,
  );
}

function noFigure({ headings }: Figures, title: string, { row, column }: CellRef): NotFoundError {
  const heading = headings[column] ?? "";
  const where = heading === "" ? "" : `, ${heading}`;
  return new NotFoundError(
    "NotFound",
    `In the ${title}, ${row.label || row.section || "this line"}${where} is no figure that can be explained.`,
  );
}
