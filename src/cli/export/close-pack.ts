/**
 * Writes the papers of a period into a folder: reports as PDF and spreadsheet, the ledger as CSV,
 * attachments, and a page with links to them.
 */
import { join } from "node:path";
import { transactionsOf } from "../../client/journal-queries.ts";
import { letterheadAt } from "../../client/organisation-letterhead.ts";
import type { Client } from "../../client/types.ts";
import { formatRange, longDate } from "../../ledger/dates/calendar.ts";
import { dayIn } from "../../ledger/dates/timezones.ts";
import { nextReturn, returnTypeOf } from "../../ledger/reports/tax/returns/periods.ts";
import { columnsOf } from "../../output/columns.ts";
import { baseStyle, framePage, policyOf } from "../../output/html/frame.ts";
import type { PaperContext } from "../../output/letterhead.ts";
import { listTable } from "../../output/list-table.ts";
import { html, type Markup } from "../../output/markup.ts";
import { printTables } from "../../output/pdf/listing.ts";
import { reportTable } from "../../output/report-table.ts";
import { plainCell, type Table } from "../../output/table.ts";
import { rowsOfFields } from "../../output/tax-return.ts";
import { writeWorkbook } from "../../output/xlsx/workbook.ts";
import { fileName } from "../../platform/file-name.ts";
import { makeFolder } from "../../platform/folder.ts";
import { account } from "../../resources/account.ts";
import { accountTransaction } from "../../resources/account-transaction.ts";
import { type FieldValues, idOf, type Resource } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import {
  accountantLayout,
  presetsOf,
  type ReportDescription,
  type ReportName,
  reports,
} from "../../resources/report.ts";
import { counted } from "../../resources/scalar.ts";
import { taxReturns } from "../../resources/tax-report.ts";
import { nameOf } from "../../wire/codec.ts";
import { plainValue } from "../../wire/plain.ts";
import { allOf, compare } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { csvRow } from "../render/csv-row.ts";
import { missingFont } from "../render/formats/paper.ts";
import { writeTo } from "../render/sinks/file-sink.ts";
import { newFolder } from "./export-folder.ts";
import { postingReport } from "./posting-report.ts";

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The reports of a pack in the order of its index; bank reconciliations come after them. */
const packReports = [
  ...(["ProfitAndLoss", "BalanceSheet", "TrialBalance", "CashFlow", "Equity"] as const),
  ...(["GeneralLedger", "AgedReceivables", "AgedPayables", "BankSummary", "FixedAssets"] as const),
  ...(["TaxSummary", "TaxReconciliation"] as const),
] satisfies readonly ReportName[];

const ledgerColumns = [
  ...["Date", "JournalNumber", "Source", "Number", "AccountCode", "AccountName", "Contact"],
  ...["Description", "Reference", "Debit", "Credit", "TaxType", "TaxAmount", "Tracking"],
];

/** A file of the pack, by its path within it. */
interface PackedFile {
  readonly title: string;
  readonly paths: readonly string[];
}

/** Checks that the pack can be written. @throws UsageError; DiskError */
export const checkPack = (ctx: Context, folder: string): void => newFolder(ctx, folder);

/**
 * Writes a pack; a dry run only says what would be written.
 *
 * @param folder  new or empty
 */
export async function writePack(
  ctx: Context,
  folder: string,
  ownRecord: Organisation,
  days: Days,
): Promise<void> {
  const client = await ctx.client();
  if (ctx.flags.dryRun) return ctx.out.say(`The papers would be written to ${folder}.`);
  newFolder(ctx, folder);
  const at = ctx.clock();
  const making = { letterhead: await letterheadAt(client), at, day: dayIn(at, ownRecord.Timezone) };
  const papers: PackedFile[] = [];
  const add = async (name: string, title: string, path: string, query: Record<string, string>) => {
    if (!(await client.offers("GET", `/Reports/${path}`))) return;
    const report = await client.report(path, { ...query, ...accountantLayout });
    const table = reportTable(rowsOfFields(report, true));
    papers.push({ title, paths: await writePaper(ctx, join(folder), name, { table, making }) });
  };
  for (const name of packReports) {
    const report: ReportDescription = reports[name];
    await add(fileStem(report.title), report.title, name, parametersOf(report, days));
  }
  const note = { ...parametersOf(reports.FixedAssets, days), note: "true" };
  await add("note-of-fixed-assets", "Note of fixed assets", "FixedAssets", note);
  const [type, period] = [returnTypeOf(ownRecord), nextReturn(ownRecord, days.to, undefined)];
  if (type !== undefined && period !== undefined) {
    const { title } = taxReturns[type];
    const query = { fromDate: period.from, toDate: period.to, described: "true" };
    await add(fileStem(title), `${title}, ${formatRange(period)}`, type, query);
  }
  for (const order of ["account", "journal"]) {
    const postings = { fromDate: days.from, toDate: days.to, order };
    const table = reportTable(await postingReport(client, postings));
    const name = fileStem(table.name);
    const paths = await writePaper(ctx, join(folder), name, { table, making });
    papers.push({ title: table.name, paths });
  }
  for await (const bank of client.list(account, { where: 'Type=="BANK" AND Status=="ACTIVE"' })) {
    const title = `Bank Reconciliation ${bank.Code ?? ""} ${bank.Name}`.replace(/ +/g, " ");
    const query = { date: days.to, accountID: bank.AccountID, described: "true" };
    await add(fileStem(title), title, "BankReconciliation", query);
  }
  await writeLedger(ctx, client, join(folder, "ledger.csv"), days);
  papers.push({ title: "The ledger, a row a posting", paths: ["ledger.csv"] });
  const files = await writeAttachments(ctx, client, folder, days);
  const index = indexPage(ownRecord, days, papers, files);
  await writeTo(ctx, join(folder, "index.html"), async ({ write }) => void (await write(index)));
  ctx.out.say(
    `Wrote ${counted(papers.length, "paper")} and ${counted(files.length, "attachment")} to ${join(folder, "index.html")}.`,
  );
}

const fileStem = (title: string) =>
  fileName(title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"), "paper", "x").slice(0, -2);

function parametersOf(report: ReportDescription, { from, to }: Days): Record<string, string> {
  const { parameters } = report;
  const presets = presetsOf(report);
  return "fromDate" in parameters
    ? { fromDate: from, toDate: to, ...presets }
    : { date: to, ...presets };
}

/** Writes a report as PDF and as spreadsheet. @returns the names of the files */
async function writePaper(
  ctx: Context,
  folder: string,
  name: string,
  { table, making }: { readonly table: Table; readonly making: PaperContext },
): Promise<string[]> {
  const { bytes, missing } = await printTables([table], making);
  if (missing !== "") ctx.out.say(missingFont(missing));
  await writeTo(ctx, join(folder, `${name}.pdf`), async ({ write }) => void (await write(bytes)));
  await writeTo(ctx, join(folder, `${name}.xlsx`), async ({ write }) => {
    for await (const workbookPiece of writeWorkbook([table], making)) await write(workbookPiece);
  });
  return [`${name}.pdf`, `${name}.xlsx`];
}

/** Writes the postings of the period as CSV, in the order of journals. */
async function writeLedger(
  ctx: Context,
  client: Client,
  path: string,
  { from, to }: Days,
): Promise<void> {
  const query = { fromDate: from, toDate: to, order: "journal" };
  const columns = columnsOf(accountTransaction, ledgerColumns);
  const { rows } = listTable(accountTransaction, columns, transactionsOf(client, query), {
    text: plainValue,
  });
  await writeTo(ctx, path, async ({ write }) => {
    await write(csvRow(ledgerColumns));
    for await (const row of rows) {
      if (row.role !== "section") await write(csvRow(row.cells.map(plainCell)));
    }
  });
}

/** Saves the attachments of records dated within the period, in a folder a record. */
async function writeAttachments(
  ctx: Context,
  client: Client,
  folder: string,
  { from, to }: Days,
): Promise<PackedFile[]> {
  const files: PackedFile[] = [];
  const datedResources = resources.filter(
    ({ fields, attachments }) => attachments !== undefined && "Date" in fields,
  );
  for (const resource of datedResources as readonly Resource[]) {
    if (!(await client.offers("GET", `/${resource.plural}`))) continue;
    const { fields } = resource;
    const filter = allOf([compare(fields, "Date", ">=", from), compare(fields, "Date", "<=", to)]);
    for await (const record of client.list<Resource>(resource, { where: filter })) {
      const values = record as FieldValues;
      if (values.HasAttachments !== true) continue;
      const id = idOf(resource, record);
      const noun = values.Type === "ACCPAY" ? "bill" : resource.noun;
      const recordName = `${noun} ${nameOf(resource, values as Record<string, unknown>)}`;
      const attachmentPath = join("attachments", fileName(recordName, id, "x").slice(0, -2));
      makeFolder(join(folder, attachmentPath));
      for (const { FileName, AttachmentID } of await client.attachments(resource, id)) {
        const [, stem = FileName, ending = "bin"] = /^(.+)\.(\w{1,16})$/.exec(FileName) ?? [];
        const path = join(attachmentPath, fileName(stem, AttachmentID, ending));
        await writeTo(ctx, join(folder, path), async ({ write }) => {
          for await (const filePiece of await client.download(resource, id, FileName)) {
            await write(Buffer.from(filePiece));
          }
        });
        files.push({ title: `${FileName} of ${recordName}`, paths: [path] });
      }
    }
  }
  return files;
}

const style = `${baseStyle}
main{max-width:60rem;margin:1.5rem auto;padding:1rem 2rem;background:var(--card)}
td,th{text-align:left;padding:.3rem 1.5rem .3rem 0;font-weight:400}a{color:var(--act)}
`;

/** The page with links to all files of a pack. */
function indexPage(
  { Name }: Organisation,
  { from, to }: Days,
  papers: readonly PackedFile[],
  files: readonly PackedFile[],
): string {
  const row = ({ title, paths }: PackedFile): Markup => {
    const links = paths.map((path) => {
      const href = path.split(/[\\/]/).map(encodeURIComponent).join("/");
      return html` <a href="${href}">${path.split(".").at(-1)?.toUpperCase() ?? ""}</a>`;
    });
    return html`<tr><th scope="row">${title}</th><td>${links}</td></tr>\n`;
  };
  const listPart = (heading: string, entries: readonly PackedFile[]) =>
    entries.length === 0 ? "" : html`<h2>${heading}</h2>\n<table>\n${entries.map(row)}</table>\n`;
  const span = `${longDate(from)} to ${longDate(to)}`;
  const policy = `${policyOf(style)}; base-uri 'none'; form-action 'none'`;
  const body = html`<main>
<h1>${Name}</h1>
<p>${span}</p>
${listPart("Papers", papers)}${listPart("Attachments", files)}</main>`;
  return framePage({ title: `${Name}, ${span}`, language: "en", style, policy }, body).text;
}
