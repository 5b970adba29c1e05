/** `--chart` of reports and lists: bars with figures at a terminal, pictures on pages and paper. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chartColumns } from "../../../src/cli/commands/report-chart.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { createOut, type OutOptions } from "../../../src/cli/render/out.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { addDays, addMonths, endOfMonth } from "../../../src/ledger/dates/calendar.ts";
import { listCharts } from "../../../src/output/chart/list-chart.ts";
import { displayWidth } from "../../../src/output/display-width.ts";
import { invoice } from "../../../src/resources/invoice.ts";
import { type ReportDescription, type ReportName, reports } from "../../../src/resources/report.ts";
import { createDemoBook } from "../../../src/service/books/demo.ts";
import { months, names } from "../../output/chart/charts.ts";
import { fc, runs } from "../../support/properties.ts";

/** 24 November 2026 in Auckland, when the sample company has a year behind it. */
const now = Date.UTC(2026, 10, 23, 23);

const folder = mkdtempSync(join(tmpdir(), "acct-charts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const book = join(folder, "demo.acct");
beforeAll(() => createDemoBook(book));

async function acct(line: string, env: Record<string, string> = {}) {
  const words = (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ""));
  const chunks: Uint8Array[] = [];
  const stdout = { write: (piece: string | Uint8Array) => void chunks.push(Buffer.from(piece)) };
  const stderr = memorySink();
  const around = { HOME: folder, ACCT_BOOK: book, LANG: "en_NZ.UTF-8", ...env };
  const code = await run(words, { env: around, stdout, stderr, clock: () => now, open });
  const bytes = Buffer.concat(chunks);
  return { code, stdout: bytes.toString("utf8"), stderr: stderr.text, bytes };
}

describe("a chart on a terminal", () => {
  test.each([
    ["report pl --chart", "pl"],
    ["report pl --chart --period 2026-03", "pl-month"],
    ["report cash-flow --chart --period 2026-10", "cash-flow"],
    ["report aged-receivables --chart", "aged-receivables"],
    ["report sales --by contact --period this-fy --chart", "sales"],
    ["report bank-summary --chart", "bank-summary"],
    ["report budget-variance --chart", "budget-variance"],
    ["invoice list --period 2026 --chart", "invoices"],
  ])("acct %s prints a chart within 80 columns", async (line, name) => {
    const { code, stdout, stderr } = await acct(line);
    expect([code, stderr]).toEqual([0, ""]);
    for (const each of stdout.split("\n")) expect(displayWidth(each)).toBeLessThanOrEqual(80);
    await expect(stdout).toMatchFileSnapshot(`../../golden/chart-${name}.txt`);
  });

  test("a chart on a terminal without block characters has bars in ASCII", async () => {
    const { stdout } = await acct("report pl --chart", { LANG: "C" });
    expect(stdout).toMatch(/^Oct 26 .+ {2}#+$/m);
    expect(stdout).not.toMatch(/[^\n -~]/);
  });

  const drawn = async (options: Partial<OutOptions>) => {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const out = createOut({ format: "table", color: false, stdout, stderr, width: 80, ...options });
    const titles = ["Profit and Loss \u001b[2J", "A company with a name that is long enough"];
    const table = () => Promise.reject(new Error("No table is asked for."));
    const [first] = names.points;
    const named = { ...names, points: names.points.with(0, { ...first, label: "A\u001bB" }) };
    await out.chart({ titles, charts: [months, named], table });
    return stdout.text;
  };

  test.each([30, 40, 80, 120])("no line of a chart is wider than %i columns", async (width) => {
    const text = await drawn({ width, blocks: async () => true });
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(text).not.toContain("\u001b");
  });

  test("colour adds escape sequences to a chart and does not change its text", async () => {
    const text = await drawn({ color: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are such
    expect(text.replace(/\x1b\[\d+m/g, "")).toBe(await drawn({}));
    expect(text).toContain("\u001b[36m");
  });
});

describe("a chart on pages and paper", () => {
  test("a chart in HTML is placed above the table of the same days, with the same sum", async () => {
    const { stdout } = await acct("report pl --chart --period this-fy -o html");
    expect(stdout).toMatch(
      /<svg class="chart"[^>]+role="img" aria-labelledby="c0-0-title c0-0-desc">/,
    );
    expect(stdout.match(/<rect /g)?.length).toBeGreaterThan(16);
    expect(stdout.indexOf("<svg")).toBeLessThan(stdout.indexOf("<table"));
    expect(stdout).not.toMatch(/ style=/);
    expect(stdout).toContain("1 April 2026 to 31 March 2027");
    const bars = [...stdout.matchAll(/, Net profit: (−?)([\d,.]+)<\/title>/g)].map(
      ([, sign, amount = ""]) => Number(amount.replaceAll(",", "")) * (sign === "" ? 1 : -1),
    );
    const total = /Net Profit[\s\S]*?>([\d,]+\.\d\d)</.exec(stdout)?.[1] ?? "";
    expect(bars).toHaveLength(12);
    expect(bars.reduce((sum, each) => sum + each, 0)).toBeCloseTo(
      Number(total.replaceAll(",", "")),
      2,
    );
  });

  test("a PDF has the chart as a figure with a description in words", async () => {
    const { code, bytes } = await acct("report aged-receivables --chart -o pdf");
    expect(code).toBe(0);
    const text = bytes.toString("latin1");
    expect(text).toMatch(/\/S \/Figure/);
    // In UTF-16, since a sum of credits has a minus.
    expect(text.replaceAll("\0", "")).toMatch(
      /\/Alt \(\xfe\xffAged Receivables, Tern & Tide Pottery/,
    );
  });

  test("a chart of a list in HTML is followed by the records", async () => {
    const { stdout } = await acct("invoice list --period 2026-10 --chart -o html");
    expect(stdout.match(/<svg /g)).toHaveLength(1);
    const listed = (await acct("invoice list --period 2026-10 -o id")).stdout.trimEnd().split("\n");
    expect(stdout.match(/>INV-\d+</g)).toHaveLength(listed.length);
  });
});

describe("refused charts", () => {
  test.each([
    ["report pl --chart -o csv", "There is no chart in csv; use -o table, html or pdf."],
    ["invoice list --chart -o xlsx", "There is no chart in xlsx; use -o table, html or pdf."],
    [
      "invoice list --chart --limit 3",
      "--chart draws every record; leave --limit, --page and --count out.",
    ],
    ["report trial-balance --chart", "acct report trial-balance has no flag --chart."],
    ["contact list --chart", "acct contact list has no flag --chart."],
    [
      "report aged-receivables 'Kauri Hotel' --chart",
      "Aged Receivables By Contact has no chart; leave --chart out.",
    ],
  ])("acct %s is refused before any request", async (line, message) => {
    const { code, stdout, stderr } = await acct(line);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("a chart of an empty list prints no chart, and succeeds", async () => {
    const { code, stdout, stderr } = await acct("invoice list --period 2001 --chart");
    expect([code, stdout, stderr]).toEqual([0, "", "No invoices found.\n"]);
  });
});

describe("the period columns that a chart requests of a report", () => {
  const { chart: pl } = reports.ProfitAndLoss;
  const { chart: cash } = reports.CashFlow;
  const today = "2026-11-24";

  test.each([
    [pl, {}, { fromDate: "2026-11-01", toDate: "2026-11-30", periods: "11", timeframe: "MONTH" }],
    [
      pl,
      { fromDate: "2026-03-10", toDate: "2026-05-02" },
      { fromDate: "2026-05-01", toDate: "2026-05-31", periods: "2", timeframe: "MONTH" },
    ],
    [
      pl,
      { fromDate: "2024-04-01", toDate: "2026-03-31" },
      { fromDate: "2026-01-01", toDate: "2026-03-31", periods: "7", timeframe: "QUARTER" },
    ],
    [
      pl,
      { fromDate: "2020-04-01", toDate: "2026-03-31" },
      { fromDate: "2025-04-01", toDate: "2026-03-31", periods: "5", timeframe: "YEAR" },
    ],
    [cash, {}, { fromDate: "2026-09-02", toDate: today, timeframe: "WEEK" }],
    [
      cash,
      { fromDate: "2026-10-01", toDate: "2026-12-31" },
      { fromDate: "2026-10-01", toDate: "2026-12-31", timeframe: "WEEK" },
    ],
    [
      cash,
      { fromDate: "2026-01-01", toDate: "2026-12-31" },
      { fromDate: "2026-12-01", toDate: "2026-12-31", periods: "11", timeframe: "MONTH" },
    ],
    [pl, { periods: "2" }, undefined],
    [pl, { trackingCategoryID: "x" }, undefined],
    [reports.Sales.chart, {}, undefined],
  ])(
    "a chart of a report requests at most twelve columns of the finest step (case %#)",
    (chart, asked, columns) => {
      expect(chartColumns(chart, asked, today)?.flags).toEqual(columns);
    },
  );

  test("the columns of a chart cover the requested days, whatever these are", () => {
    const day = fc.integer({ min: 0, max: 4000 }).map((count) => addDays("2018-01-01", count));
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 4000 }), fc.boolean(), (from, days, isCash) => {
        const to = addDays(from, days);
        const own = { fromDate: from, toDate: to };
        const { flags: asked, isWider } = chartColumns(isCash ? cash : pl, own, today) ?? {};
        const { fromDate = "", toDate = "", periods = "0", timeframe = "" } = asked ?? {};
        expect(Number(periods)).toBeLessThan(12);
        if (timeframe === "WEEK") {
          expect([fromDate, toDate, isWider]).toEqual([from, to, false]);
          return;
        }
        const step = { QUARTER: 3, YEAR: 12 }[timeframe] ?? 1;
        const first = addMonths(fromDate, -Number(periods) * step);
        expect([toDate, first <= from]).toEqual([endOfMonth(to), true]);
        expect(isWider).toBe(first !== from || toDate !== to);
      }),
      { numRuns: runs(800) },
    );
  });

  test("the column steps of a chart are timeframes that the report accepts", () => {
    for (const name of Object.keys(reports) as ReportName[]) {
      const { chart, parameters }: ReportDescription = reports[name];
      if (chart?.steps === undefined) continue;
      const { timeframe } = parameters;
      expect([name, timeframe?.kind === "choice" && timeframe.values]).toEqual([
        name,
        expect.arrayContaining([chart.steps, "QUARTER", "YEAR"]),
      ]);
    }
  });
});

describe("the chart of a list", () => {
  const record = (day: string, Total: number, CurrencyCode = "NZD") => ({
    Date: day,
    Total: Total * 100,
    AmountDue: 0,
    CurrencyCode,
  });

  test("the chart of a list has, for each currency, a point for each month from the first to the last", async () => {
    const charts = await listCharts(invoice, [
      record("2026-03-31", 10),
      record("2026-01-01", 5),
      record("2026-03-01", 1),
      record("2026-02-01", 7, "EUR"),
    ]);
    expect(charts.map(({ title }) => title)).toEqual([
      "Invoices by month, NZD",
      "Invoices by month, EUR",
    ]);
    expect(charts[0]?.points.map(({ label }) => label)).toEqual([
      "Jan 2026",
      "Feb 2026",
      "Mar 2026",
    ]);
    expect(charts[0]?.series[0]?.amounts).toEqual([500, 0, 1100]);
  });

  test.each([
    ["2022-12-31", "Invoices by month, NZD", "Jan 2020", 36],
    ["2023-01-01", "Invoices by quarter, NZD", "2020 Q1", 13],
    ["2029-01-01", "Invoices by year, NZD", "2020", 10],
  ])('the chart of invoices from 2020 to %s is titled "%s"', async (last, title, first, count) => {
    const [chart] = await listCharts(invoice, [record("2020-01-15", 1), record(last, 2)]);
    expect([chart?.title, chart?.points[0]?.label, chart?.points.length]).toEqual([
      title,
      first,
      count,
    ]);
    expect(chart?.series[0]?.amounts.at(-1)).toBe(200);
  });

  test("the chart of a list over too many quarters, with those of its first and last day, steps by year", async () => {
    const [chart] = await listCharts(invoice, [record("2020-02-15", 1), record("2029-01-15", 2)]);
    expect([chart?.title, chart?.points.length]).toEqual(["Invoices by year, NZD", 10]);
  });

  test("the points of a list's chart add up to the amounts of its records", async () => {
    const day = fc.integer({ min: 0, max: 9000 }).map((count) => addDays("2005-01-01", count));
    const one = fc.record({ Date: day, Total: fc.integer({ min: -1e9, max: 1e9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1 }), async (found) => {
        const [chart] = await listCharts(invoice, found);
        const sum = chart?.series[0]?.amounts.reduce((all: number, each) => all + each, 0);
        expect(sum).toBe(found.reduce((all, { Total }) => all + Total, 0));
        expect(chart?.points.length).toBeLessThanOrEqual(36);
      }),
      { numRuns: runs(400) },
    );
  });
});
