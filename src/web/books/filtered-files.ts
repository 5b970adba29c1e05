/** Lists and reports as files: PDF, spreadsheet and CSV of exactly what their filters show. */
import type { ListQuery } from "../../client/client.ts";
import { letterheadAt } from "../../client/organisation-letterhead.ts";
import { columnsOf } from "../../output/columns.ts";
import { listCsv, reportCsv } from "../../output/csv-output.ts";
import type { PaperContext } from "../../output/letterhead.ts";
import { listTable } from "../../output/list-table.ts";
import { html, type Markup } from "../../output/markup.ts";
import { reportTable } from "../../output/report-table.ts";
import type { Tables } from "../../output/table.ts";
import { rowsOfFields } from "../../output/tax-return.ts";
import { fileName } from "../../platform/file-name.ts";
import { AuthError, NotFoundError } from "../../resources/errors.ts";
import type { Chunks } from "../../wire/body.ts";
import type { Report } from "../../wire/report.ts";
import { addressWith, linkBeside } from "../frame/breadcrumbs.ts";
import type { PageResponse } from "../frame/page-context.ts";
import type { RecordList } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";

/** Formats by the value of the parameter `as`. */
const formats = {
  pdf: { words: "PDF", type: "application/pdf" },
  xlsx: {
    words: "Excel",
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  },
  csv: { words: "CSV", type: "text/csv; charset=utf-8" },
} as const;
type ExportFormat = keyof typeof formats;

/** The format that an address asks for; undefined for a page. */
export function formatAsked({ query }: BooksContext): ExportFormat | undefined {
  const askedFormat = query.get("as") ?? "";
  return Object.hasOwn(formats, askedFormat) ? (askedFormat as ExportFormat) : undefined;
}

/** Links to the files of a list or report with its present filters. */
export function exportBar(
  ctx: BooksContext,
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): Markup {
  const links = Object.entries(formats).map(([name, { words, type }]) => {
    const href = linkBeside(ctx, addressWith(path, [...Object.entries(values), ["as", name]]));
    return html`<li><a href="${href}" type="${type}" download>${words}</a></li>`;
  });
  return html`<nav class="exports" aria-label="Download"><ul class="links"><li class="soft" aria-hidden="true">Download</li>${links}</ul></nav>
`;
}

/** All records that fit the filters of a list, with the columns of its CSV at the terminal. */
export function listFile(
  ctx: BooksContext,
  { resource, title }: RecordList,
  query: ListQuery | undefined,
  format: ExportFormat,
): Promise<PageResponse> {
  const records =
    query === undefined
      ? []
      : ctx.client.list(resource, { ...query, fields: undefined, count: false });
  return recordsFile(ctx, { resource, title }, records, format);
}

/** Records of a resource under a title, with the columns of their CSV at the terminal. */
export async function recordsFile(
  ctx: BooksContext,
  { resource, title }: Pick<RecordList, "resource" | "title">,
  records: AsyncIterable<object> | Iterable<object>,
  format: ExportFormat,
): Promise<PageResponse> {
  await announce(ctx, title, format);
  const columns = columnsOf(resource);
  const name = nameOf(ctx, title, ctx.query.get("from"), ctx.query.get("to") ?? ctx.today);
  if (format === "csv") return fileOf(name, format, bytesOf(listCsv(resource, columns, records)));
  const table = listTable(resource, columns, records, { summed: { today: ctx.today } });
  return printList(ctx, name, format, [{ ...table, name: title, titles: [title] }]);
}

/** Reports with the present filters; boxes of a tax return as rows. */
export async function reportFile(
  ctx: BooksContext,
  title: string,
  givenReports: readonly Report[],
  format: ExportFormat,
): Promise<PageResponse> {
  await announce(ctx, title, format);
  const reports = givenReports.map((report) => rowsOfFields(report, format !== "csv"));
  const [first, ...others] = reports;
  if (first === undefined) throw new NotFoundError("NotFound", "There is nothing to download.");
  const dayIn = (name: string) => first.Attributes?.find((each) => each.Name === name)?.Value;
  const to = dayIn("toDate") ?? dayIn("dateTo") ?? dayIn("date") ?? ctx.today;
  const name = nameOf(
    ctx,
    title,
    dayIn("fromDate") ?? ctx.query.get("from"),
    ctx.query.get("to") ?? to,
  );
  if (format === "csv") {
    const text = reports.map((report) => reportCsv(reportTable(report))).join("\n");
    return fileOf(name, format, bytesOf([text]));
  }
  return printList(ctx, name, format, [
    reportTable(first),
    ...others.map((report) => reportTable(report)),
  ]);
}

/** Enters the download in the audit log of a service that keeps one, as exports of the terminal. */
async function announce({ client }: BooksContext, title: string, format: string): Promise<void> {
  await client.announceExport(`${title} as ${format}`).catch((error: unknown) => {
    if (!(error instanceof AuthError)) throw error;
  });
}

/** Name of a file: `Tern & Tide Pottery Profit and Loss 2026-04-01 to 2026-11-24`. */
function nameOf(
  { organisation }: BooksContext,
  title: string,
  from: string | null | undefined,
  to: string,
): string {
  return [organisation.Name, title, ...(from ? [from, "to"] : []), to].join(" ");
}

async function printList(
  ctx: BooksContext,
  name: string,
  format: "pdf" | "xlsx",
  tables: Tables,
): Promise<PageResponse> {
  const making: PaperContext = {
    letterhead: await letterheadAt(ctx.client),
    at: ctx.clock(),
    day: ctx.today,
  };
  if (format === "xlsx") {
    const { writeWorkbook: workbook } = await import("../../output/xlsx/workbook.ts");
    return fileOf(name, format, workbook(tables, making));
  }
  const { printTables } = await import("../../output/pdf/listing.ts");
  const { bytes } = await printTables(tables, making);
  return fileOf(name, format, bytesOf([bytes]));
}

const fileOf = (name: string, format: ExportFormat, body: Chunks): PageResponse => ({
  attachment: { name: fileName(name, "export", format), body, type: formats[format].type },
});

async function* bytesOf(
  pieces: AsyncIterable<string> | Iterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}
