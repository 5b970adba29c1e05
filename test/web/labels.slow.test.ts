/** No behaviour depends on the labels of figures and columns: another language changes words alone. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { chartOf } from "../../src/output/chart/report-chart.ts";
import { type ReportName, reports } from "../../src/resources/report.ts";
import type { Report, Row } from "../../src/wire/report.ts";
import { valueText } from "../../src/wire/report.ts";
import { newDesk } from "../cli/real.ts";
import { opened, simulate } from "../service/business.ts";
import { figuresOf, furnished, questionsOf, usualReports } from "../service/explain/figures.ts";
import { type Json, type World, world } from "../service/fixture.ts";
import { browsing, ledFigures } from "./browsing.ts";

const language = vi.hoisted(() => ({ isOther: false }));

vi.mock("../../src/ledger/reports/report-rows.ts", async (load) => {
  const rows = await load<typeof import("../../src/ledger/reports/report-rows.ts")>();
  const other = (text: string) =>
    language.isOther && text !== "" ? `Renamed ${[...text].toReversed().join("")}` : text;
  const figureRow: typeof rows.figureRow = (type, figures) => {
    const row = rows.figureRow(type, figures);
    const [{ Value = "" } = {}, ...cells] = row.Cells ?? [];
    return { ...row, Cells: [{ Value: other(valueText(Value)) }, ...cells] };
  };
  const textRow: typeof rows.textRow = (type, values, ...rest) => {
    const renamed = values.map((each) => (typeof each === "string" ? other(each) : each));
    return rows.textRow(type, renamed, ...rest);
  };
  const sectionRow: typeof rows.sectionRow = (title, own) => rows.sectionRow(other(title), own);
  // Headings of days and of tracking options say what they are of.
  const isDay = (text: string) => /\d{2}$/.test(text);
  const headerRow: typeof rows.headerRow = (headings) =>
    rows.headerRow(
      headings.map((each) => {
        if (typeof each !== "string") return [each[0], other(each[1])] as const;
        return isDay(each) ? each : other(each);
      }),
    );
  return { ...rows, figureRow, textRow, sectionRow, headerRow };
});

const names = Object.keys(reports) as ReportName[];

const range = "from=2026-02-10&to=2026-04-30";
const pages = [
  ...["profit-and-loss", "equity", "cash-flow", "bank-summary", "budget-variance"].map(
    (slug) => `/reports/${slug}?${range}`,
  ),
  "/reports/balance-sheet?date=2026-04-30",
  "/reports/trial-balance?date=2026-04-30",
  ...["general-ledger", "sales", "purchases", "tax-summary", "tax-reconciliation"].map(
    (slug) => `/reports/${slug}?${range}`,
  ),
  ...["fixed-assets", "aged-receivables", "aged-payables"].map(
    (slug) => `/reports/${slug}?date=2026-04-30`,
  ),
];

const cellRows = ({ Rows }: Report): Row[] =>
  Rows.flatMap((row) => (row.RowType === "Section" ? (row.Rows ?? []) : [row]));

/** The figures of the rows, and what identifies these, without what they are called. */
const figuresIn = (report: Report) => [
  figuresOf(report),
  cellRows(report).map(({ RowType, Cells = [] }) => [RowType, Cells[0]?.Attributes]),
];

/** What shows figures, by report, explanation, chart and link, without any label of them. */
async function shown(given: World, questions: [ReportName, Record<string, string>][]) {
  const found: Record<string, unknown> = {};
  const drawn = new Set<ReportName>();
  for (const [name, query] of questions) {
    const asked = { ...query, described: "true" };
    const [report] = (await given.ok("GET", `/Reports/${name}`, undefined, { query: asked }))
      .Reports;
    const where = `${name} ${JSON.stringify(query)}`;
    const chart = chartOf(report, "NZD");
    const amounts = chart?.series.flatMap((each) => each.amounts) ?? [];
    if (amounts.some((amount) => amount !== 0)) drawn.add(name);
    found[where] = [figuresIn(report), chart?.series];
    for (const { line, column } of figuresOf(report).slice(-12)) {
      const place = { line: String(line), column: String(column) };
      const told = await given.ok("GET", `/Extensions/Explain/Reports/${name}`, undefined, {
        query: { ...query, ...place },
      });
      const [explanation] = told.Reports;
      const rows = cellRows(explanation).filter(({ RowType }) => RowType !== "Header");
      const amounts = rows.map(({ Cells = [] }) => Cells.at(-1)?.Value);
      const fields = explanation.Fields.map(({ FieldID, Value }: Json) => [FieldID, Value]);
      found[`${where} ${line} ${column}`] = [amounts, fields];
    }
  }
  const charted = names.filter((name) => reports[name].chart !== undefined);
  expect(drawn).toEqual(new Set(charted));
  const browser = browsing(given);
  for (const page of pages) {
    const figures = ledFigures((await browser.see(page)).html);
    expect(figures.length, page).toBeGreaterThan(0);
    found[page] = figures.map(({ text, address }) => [text, address.split("&via=")[0]]);
  }
  return found;
}

test("translated labels of report rows and columns change no figure, explanation, chart or link", {
  timeout: 600_000,
}, async () => {
  const given = await world();
  const business = await opened(given);
  const days = { from: "2026-02-01", to: "2026-04-20", count: 60, seed: 3 };
  await simulate(business, { ...days, without: ["trade abroad", "move money abroad"] });
  await furnished(given);
  const all = await questionsOf(given, { from: "2026-02-10", to: "2026-04-30" });
  // Of the reports of single contacts, those of one that owes and is owed.
  const some = all.find(([, { contactID }]) => contactID !== undefined)?.[1].contactID;
  const questions = all.filter(([, { contactID = some }]) => contactID === some);
  expect(new Set(questions.map(([name]) => name))).toEqual(new Set(usualReports));
  const labels = async () => {
    const query = { fromDate: "2026-02-10", toDate: "2026-04-30" };
    const made = [];
    for (const name of ["ProfitAndLoss", "FixedAssets", "BankSummary"]) {
      made.push(await given.ok("GET", `/Reports/${name}`, undefined, { query }));
    }
    return JSON.stringify(made.map(({ Reports }) => Reports[0].Rows));
  };
  expect(await labels()).toMatch(
    /"Net Profit"[\s\S]*"Compared with the accounts"[\s\S]*"Register"[\s\S]*"Closing Balance"/,
  );
  const before = await shown(given, questions);
  language.isOther = true;
  expect(await labels()).not.toMatch(
    /"Net Profit"|"Compared with the accounts"|"Register"|"Closing Balance"/,
  );
  expect(await shown(given, questions)).toEqual(before);
});

test("with translated labels of report rows, closing a year still shows the profit", async () => {
  const desk = newDesk();
  const acct = (line: string) =>
    desk.acct(line, { daysLater: 30, env: { ACCT_BOOK: join(desk.home, "other.acct") } });
  language.isOther = true;
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Kowhai");
  const line = "--line 'description=Mugs,unit-amount=100,account=200,tax-type=NONE'";
  await acct(
    `invoice create --contact Kowhai --date 2026-03-05 --due-date 2026-03-20 ${line} --status AUTHORISED`,
  );
  const { stderr } = await acct("close 2026-02 --year");
  expect(stderr).toContain("Net profit of 1 April 2025 to 31 March 2026: 100.00, in Retained");
});
