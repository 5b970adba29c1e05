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
  makeReport: MakeReport,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const figures = new Figures(await makeReport(context));
    const { title, meant } = reports[name];
    const cell = queriedCell(context, figures, title, meant);
    const origins = originsOf(context, figures);
    const origin = origins(cell);
    if (origin === undefined) throw noFigure(figures, title, cell);
    const detail = { all: call.query.boolean("all") === true };
    // Columns distinguish the figures of one row.
    const nameOfPart = ({ row, column }: CellRef) =>
      (row === cell.row ? figures.headings[column] : "") || row.label;
    const explained = await new Evaluation(context, detail, origins, nameOfPart).explain(
      origin,
      amountAt(cell),
    );
    const heading = figures.headings[cell.column] ?? "";
    const [, , ...days] = figures.titles;
    const ofCash = context.basis === "cash" && !days.includes("Cash basis") ? ["cash basis"] : [];
    return answerExplained(
      call,
      {
        figure: nameOf(context, cell.row),
        of: [title, ...days, heading, ...ofCash].filter((text) => text !== "").join(", "),
        shownValue: valueAt(cell),
        shownBy: "the report",
        organisation: context.organisation.Name,
        today: context.today,
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
function nameOf(context: ReportContext, row: FigureRow): string {
  const account = accountOfRow(context, row);
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
  context: ReportContext,
  figures: Figures,
  title: string,
  position: "first" | "last",
): CellRef {
  const row = queriedRow(context, figures, title);
  const wanted = context.call.query.get("column");
  if (wanted !== undefined) return { row, column: queriedColumn(figures, title, wanted) };
  const columns = row.cells
    .map((_, column) => ({ row, column }))
    .filter((cell) => isFigure(cell) && hasAmounts(figures, cell.column));
  const cell = position === "first" ? columns[0] : columns.at(-1);
  if (cell === undefined) throw noFigure(figures, title, { row, column: 0 });
  return cell;
}

/** Whether a column has amounts: shares, verdicts and currencies beside amounts are not meant. */
const hasAmounts = ({ columns }: Figures, column: number): boolean =>
  columns[column] !== "share" && columns[column] !== "foreign";

function queriedColumn({ headings }: Figures, title: string, column: string): number {
  const wantedName = column.toLowerCase();
  const named = headings.findIndex((heading, at) => at > 0 && heading.toLowerCase() === wantedName);
  if (named > 0) return named;
  const number = /^\d{1,2}$/.test(column) ? Number(column) : 0;
  if (number > 0 && number < headings.length) return number;
  const columnNames = headings.slice(1).filter((heading) => heading !== "");
  throw new NotFoundError(
    "NotFound",
    `The ${title} has no column ${column.slice(0, 40)}; it has ${columnNames.join(", ")}.`,
  );
}

function queriedRow(context: ReportContext, figures: Figures, title: string): FigureRow {
  const { query } = context.call;
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
  const rows = rowsNamed(context, figures, key);
  const [row, second] = rows;
  if (row === undefined) throw noRow(context, figures, title, key);
  if (second === undefined) return row;
  const names = rows.map((row) => `${row.line} ${row.section}`.trim()).join(", ");
  throw refusal(
    "Ambiguous",
    `In the ${title} there are ${rows.length} rows ${key.slice(0, 40)}: name one by its line (${names}).`,
  );
}

/** Returns the rows that match an account, record or name, only of the closest kind of match. */
function rowsNamed(context: ReportContext, figures: Figures, key: string): readonly FigureRow[] {
  const wantedName = key.trim().toLowerCase();
  const isSameText = (text: string | undefined) => text?.toLowerCase() === wantedName;
  const accountOf = (row: FigureRow) => accountOfRow(context, row);
  const ids = ["account", "accountID", "contactID", "invoiceID"];
  const kinds: readonly ((row: FigureRow) => boolean)[] = [
    (row) => isSameText(accountOf(row)?.Code),
    (row) => ids.some((id) => isSameText(attributeOf(row, id))),
    (row) => isSameText(row.label) || isSameText(accountOf(row)?.Name),
    (row) => isSameText(`${row.section}/${row.label}`),
    (row) => row.cells.slice(1, 3).some((cell) => isSameText(textIn(cell))),
  ];
  for (const isWanted of kinds) {
    const rows = figures.rows.filter(isWanted);
    if (rows.length > 0) return rows;
  }
  return [];
}

/** Maximum number of names in a sentence. */
const namesMax = 12;

function noRow(
  context: ReportContext,
  figures: Figures,
  title: string,
  key: string,
): NotFoundError {
  const account = context.chart.account(key.trim());
  if (account !== undefined && account.Status !== "DELETED") {
    return new NotFoundError(
      "NotFound",
      `${account.Name} (${key.trim()}) is not in the ${title} of these days: it has no figure there.`,
    );
  }
  const names = [...new Set(figures.rows.map((row) => nameOf(context, row)))];
  const known = names.slice(0, namesMax).join("; ") || "none";
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
