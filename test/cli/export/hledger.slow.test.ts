/**
 * The independent check: another program, which knows nothing of ours, adds up the same ledger.
 *
 * A year of random business is exported by the command that people use, and hledger computes what
 * our reports say: every account, section and total, for every month end, to the cent.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { endOfMonth, financialYear, startOfMonth } from "../../../src/ledger/dates/calendar.ts";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { type Business, opened, simulate } from "../../service/business.ts";
import { faultsIn, type Json, type World, world } from "../../service/fixture.ts";
import { hasBeancount } from "../../support/beancount.ts";
import { balances, type Figures, hasHledger, hledger } from "../../support/hledger.ts";

const program = join(import.meta.dirname, "..", "..", "..", "bin", "acct.js");
const folder = mkdtempSync(join(tmpdir(), "acct-hledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Crosses the end of the financial year of each country. */
const from = "2025-09-01";
const to = "2026-10-31";
const steps = 1000;

/** The month ends from one day to another. */
function monthEnds(first: string, last: string): string[] {
  const ends: string[] = [];
  for (let day = endOfMonth(first); ends.at(-1) !== endOfMonth(last); ) {
    ends.push(day);
    day = endOfMonth(new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10));
  }
  return ends;
}

/** Late steps reach back into the month before. */
const months = monthEnds("2025-08-01", to);
const span = ["-b", "2025-08-01", "-e", "2026-11-01"];

/** Takes over balances at the end of August 2025: what is owned and owed, the rest is history. */
async function convert({ given, accounts }: Business): Promise<void> {
  await given.ok("POST", "/Setup", {
    ConversionDate: { Month: 9, Year: 2025 },
    ConversionBalances: [
      { AccountCode: accounts.banks[0], Balance: 12_345.67 },
      { AccountCode: accounts.capital[0], Balance: 890.12 },
      { AccountCode: accounts.capital.at(-1), Balance: -4321.09 },
    ],
  });
}

/** Exports a ledger by the program itself. */
function exported({ given }: Business, format: string, basis: string): string {
  const file = join(folder, `${given.book.path.replaceAll("/", "_")}.${basis}.${format}`);
  const words = ["export", "journal", "--format", format, "--basis", basis, "--output-file", file];
  const ran = spawnSync(process.execPath, [program, "--book", given.book.path, ...words], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder },
  });
  expect([ran.status, ran.stderr]).toEqual([0, expect.stringMatching(/^Wrote \d+ journals? /)]);
  return file;
}

// --- what hledger says -----------------------------------------------------------------------

interface Reckoned {
  /** Debits less credits of each month. */
  readonly moved: Figures;
  /** At the end of each month, since the beginning. */
  readonly held: Figures;
  /** Of profit and loss accounts, at the end of each month since the year began. */
  readonly yearToDate: readonly ReadonlyMap<string, number>[];
  /** The same figures for the branches: revenues:sales, expenses:direct costs. */
  readonly branches: { readonly moved: Figures; readonly yearToDate: Reckoned["yearToDate"] };
}

function reckoned(file: string, yearEnd: { day: number; month: number }): Reckoned {
  const yearToDate = (...words: string[]) => {
    const byYear = new Map<string, Figures>();
    return months.map((end) => {
      const { from: first } = financialYear(end, yearEnd.day, yearEnd.month);
      const known = byYear.get(first);
      const figures =
        known ??
        balances(file, "type:RX", "--cumulative", "-b", first, "-e", "2027-07-01", ...words);
      byYear.set(first, figures);
      const at = monthEnds(first, end).length - 1;
      return new Map([...figures].map(([account, all]) => [account, all[at] ?? 0]));
    });
  };
  return {
    moved: balances(file, ...span),
    held: balances(file, "--historical", ...span),
    yearToDate: yearToDate(),
    branches: {
      moved: balances(file, "--depth", "2", ...span),
      yearToDate: yearToDate("--depth", "2"),
    },
  };
}

// --- what our reports say --------------------------------------------------------------------

/** Cents by AccountID where a row is of an account, and by its label otherwise. */
type Sheet = Map<string, number>;

const cents = (text: string) => (text === "" ? 0 : Math.round(Number(text) * 100));

async function sheet(
  given: World,
  name: string,
  query: Record<string, string>,
  read: (cells: readonly string[]) => number,
): Promise<Sheet> {
  return figuresOf(await given.ok("GET", `/Reports/${name}`, undefined, { query }), read);
}

function figuresOf(answer: Json, read: (cells: readonly string[]) => number): Sheet {
  const found: Sheet = new Map();
  const walk = (rows: readonly Json[]) => {
    for (const row of rows) {
      if (row.Rows !== undefined) walk(row.Rows);
      if (row.Cells === undefined || row.RowType === "Header") continue;
      const [first, ...rest] = row.Cells;
      const id = first.Attributes?.find((each: Json) => each.Id === "account")?.Value;
      const figure = read(rest.map((cell: Json) => cell.Value));
      found.set(id ?? first.Value, figure);
    }
  };
  walk(answer.Reports[0].Rows);
  return found;
}

// --- side by side ----------------------------------------------------------------------------

interface Compared {
  readonly accounts: Set<string>;
  figures: number;
  readonly differences: string[];
}

/** What is not in one of them is zero there; debits are positive in both. */
function compare(what: string, ours: Sheet, theirs: Sheet, result: Compared): void {
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [mine, other] = [ours.get(name) ?? 0, theirs.get(name) ?? 0];
    result.figures += 1;
    result.accounts.add(name);
    if (mine !== other) result.differences.push(`${what}: ${name} is ${mine}, hledger ${other}`);
  }
}

const sum = (figures: Iterable<number>) => [...figures].reduce((total, each) => total + each, 0);

const currentYearEarnings = "abababab-abab-abab-abab-abababababab";

async function compared(
  { given }: Business,
  file: string,
  basis: "accrual" | "cash",
): Promise<Compared> {
  const paymentsOnly = String(basis === "cash");
  const [own] = (await given.ok("GET", "/Organisation")).Organisations;
  const yearEnd = { day: own.FinancialYearEndDay, month: own.FinancialYearEndMonth };
  const chart: Json[] = (await given.ok("GET", "/Accounts")).Accounts;
  const theirs = reckoned(file, yearEnd);
  const result: Compared = { accounts: new Set(), figures: 0, differences: [] };
  /** An account of the chart by the name that hledger has it under. */
  const accountOf = (name: string): Json => {
    const found = chart.find((each) => name.endsWith(`:${each.Code} ${each.Name}`));
    if (found === undefined) throw new Error(`hledger names an account that is none: ${name}`);
    return found;
  };
  /** Gains on currencies are one line of a profit and loss, but for demo companies in Australia. */
  const lineOf = ({ AccountID, SystemAccount }: Json): string =>
    SystemAccount?.endsWith("CURRENCYGAIN") && own.CountryCode !== "AU" ? "FXGROUPID" : AccountID;
  const isProfit = ({ Class }: Json) => Class === "REVENUE" || Class === "EXPENSE";
  const retained = chart.find((each) => each.SystemAccount === "RETAINEDEARNINGS").AccountID;

  for (const [at, date] of months.entries()) {
    const year = theirs.yearToDate[at] as ReadonlyMap<string, number>;
    const held = [...theirs.held].map(([name, all]) => [accountOf(name), all[at] ?? 0] as const);
    const moved = [...theirs.moved].map(([name, all]) => [accountOf(name), all[at] ?? 0] as const);
    const thisYear = [...year].map(([name, figure]) => [accountOf(name), figure] as const);
    const current = sum(thisYear.map(([, figure]) => figure));
    const earlier = sum(held.filter(([each]) => isProfit(each)).map(([, all]) => all)) - current;
    const byId = (figures: readonly (readonly [Json, number])[]): Sheet =>
      new Map(figures.map(([each, figure]) => [each.AccountID, figure]));
    const withEarlier = (figures: Sheet): Sheet =>
      figures.set(retained, (figures.get(retained) ?? 0) + earlier);
    const positions = withEarlier(byId(held.filter(([each]) => !isProfit(each))));

    // Trial balance: the month, and the year to date with earlier years in retained earnings.
    const ledger: Sheet = new Map([...positions, ...byId(thisYear)]);
    const debits = (figures: Iterable<number>) => sum([...figures].filter((each) => each > 0));
    const query = { date, paymentsOnly };
    const trial = await given.ok("GET", "/Reports/TrialBalance", undefined, { query });
    for (const [what, pair, expected] of [
      ["trial balance, month", 0, byId(moved)],
      ["trial balance, year to date", 2, ledger],
    ] as const) {
      const net = figuresOf(trial, (cells) => {
        return cents(cells[pair] ?? "") - cents(cells[pair + 1] ?? "");
      });
      net.delete("Total"); // debits less credits, which is zero
      const debit = figuresOf(trial, (cells) => cents(cells[pair] ?? ""));
      compare(`${what}, ${date}`, net, expected, result);
      compare(
        `${what}, ${date}`,
        new Map([["Total", debit.get("Total") ?? 0]]),
        new Map([["Total", debits(expected.values())]]),
        result,
      );
    }

    // Profit and loss: of the month and of the year to date, with its sections.
    for (const [what, first, figures, branches] of [
      ["profit and loss, month", startOfMonth(date), moved, at],
      [
        "profit and loss, year to date",
        financialYear(date, yearEnd.day, yearEnd.month).from,
        thisYear,
        theirs.branches.yearToDate[at] as ReadonlyMap<string, number>,
      ],
    ] as const) {
      const branch = (name: string) =>
        typeof branches === "number"
          ? (theirs.branches.moved.get(name)?.[branches] ?? 0)
          : (branches.get(name) ?? 0);
      const ours = await sheet(
        given,
        "ProfitAndLoss",
        { fromDate: first, toDate: date, paymentsOnly },
        ([figure = ""]) => cents(figure),
      );
      const expected: Sheet = new Map();
      for (const [each, figure] of figures.filter(([account]) => isProfit(account))) {
        const line = lineOf(each);
        const shown = each.Class === "REVENUE" ? 0 - figure : figure;
        expected.set(line, (expected.get(line) ?? 0) + shown);
      }
      const income = 0 - branch("revenues:revenue") - branch("revenues:sales");
      const other = 0 - branch("revenues:other");
      const costs = branch("expenses:direct costs");
      const expenses = sum(
        ["expense", "overheads", "depreciation"].map((name) => branch(`expenses:${name}`)),
      );
      expected.set("Total Income", income);
      expected.set("Total Cost of Sales", costs);
      expected.set("Gross Profit", income - costs);
      expected.set("Total Other Income", other);
      expected.set("Total Operating Expenses", expenses);
      expected.set("Net Profit", income - costs + other - expenses);
      compare(`${what}, ${date}`, ours, expected, result);
    }

    // Balance sheet: with the profit of this year and of those before.
    const ours = await sheet(given, "BalanceSheet", { date, paymentsOnly }, ([figure = ""]) =>
      cents(figure),
    );
    const expected: Sheet = new Map();
    const total = (fits: (account: Json) => boolean, sign: 1 | -1) =>
      sign *
      sum([...positions].filter(([id]) => fits(accountWith(id))).map(([, figure]) => figure));
    const accountWith = (id: string): Json => chart.find((each) => each.AccountID === id);
    for (const [id, figure] of positions) {
      expected.set(id, accountWith(id).Class === "ASSET" ? figure : 0 - figure);
    }
    expected.set(currentYearEarnings, 0 - current);
    const types =
      (...names: string[]) =>
      ({ Type }: Json) =>
        names.includes(Type);
    const classed =
      (name: string) =>
      ({ Class }: Json) =>
        Class === name;
    expected.set("Total Bank", total(types("BANK"), 1));
    expected.set("Total Current Assets", total(types("CURRENT", "INVENTORY", "PREPAYMENT"), 1));
    expected.set("Total Fixed Assets", total(types("FIXED"), 1));
    expected.set("Total Non-current Assets", total(types("NONCURRENT"), 1));
    expected.set("Total Assets", total(classed("ASSET"), 1));
    expected.set("Total Non-current Liabilities", 0 - total(types("TERMLIAB"), 1));
    expected.set("Total Current Liabilities", 0 - total(types("CURRLIAB", "LIABILITY"), 1));
    expected.set("Total Liabilities", 0 - total(classed("LIABILITY"), 1));
    expected.set(
      "Net Assets",
      total(({ Class }) => Class === "ASSET" || Class === "LIABILITY", 1),
    );
    expected.set("Total Equity", 0 - total(classed("EQUITY"), 1) - current);
    compare(`balance sheet, ${date}`, ours, expected, result);
  }
  return result;
}

describe.skipIf(!hasHledger).each([
  ["NZ", 2026],
  ["AU", 704],
  ["GB", 1066],
] as [Country, number][])("a year of business in %s", (country, seed) => {
  test("hledger on the exported ledger has the same figures as the reports, by account and by month", {
    timeout: 600_000,
  }, async () => {
    const given = await world(country);
    const business = await opened(given);
    given.now = Date.parse(from);
    await convert(business);
    const outcomes = await simulate(business, { from, to, count: steps, seed });
    // Every kind of business was done, or the figures would show less than they seem to.
    expect(Object.entries(outcomes).filter(([, { done }]) => done === 0)).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
    for (const basis of ["accrual", "cash"] as const) {
      const file = exported(business, "hledger", basis);
      expect(hledger(file, "check", "--strict")).toBe("");
      const result = await compared(business, file, basis);
      const text = readFileSync(file, "utf8");
      const journals = text.match(/^\d{4}-\d\d-\d\d \(/gm)?.length ?? 0;
      const postings = text.match(/^ {4}\S/gm)?.length ?? 0;
      console.log(
        `${country}, ${basis}: ${journals} journals, ${postings} postings, ${months.length} months, ` +
          `${result.accounts.size} accounts and totals, ${result.figures} figures compared, ` +
          `${result.differences.length} differences`,
      );
      expect(result.differences).toEqual([]);
      expect(journals).toBeGreaterThan(100);
      expect(result.figures).toBeGreaterThan(months.length * 50);
      if (hasBeancount) {
        const ran = spawnSync("bean-check", [exported(business, "beancount", basis)], {
          encoding: "utf8",
        });
        expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, "", ""]);
      }
    }
  });
});

describe.skipIf(!hasHledger)("an error of a cent", () => {
  test("an error of a cent in one posting is found by hledger, and between two accounts by comparing with the reports", {
    timeout: 600_000,
  }, async () => {
    const given = await world("NZ");
    const business = await opened(given);
    given.now = Date.parse(from);
    await simulate(business, { from, to, count: 60, seed: 7 });
    const file = exported(business, "hledger", "accrual");
    expect((await compared(business, file, "accrual")).differences).toEqual([]);
    const text = readFileSync(file, "utf8");
    const alter = (line: RegExp, by: number, all: string) =>
      all.replace(line, (_, before: string, amount: string) => {
        return `${before}${(Number(amount) + by / 100).toFixed(2)} NZD`;
      });
    const first = /^( {4}assets:current:610 Accounts Receivable {2})(-?[\d.]+) NZD/m;
    const one = alter(first, 1, text);
    writeFileSync(file, one);
    expect(() => hledger(file, "check")).toThrow(/could not balance this transaction/);
    const second = /(?<=^ {4}assets:current:610 .*\n)( {4}\S.* {2})(-?[\d.]+) NZD/m;
    writeFileSync(file, alter(second, -1, one));
    expect(hledger(file, "check", "--strict")).toBe("");
    const { differences } = await compared(business, file, "accrual");
    // The account itself, in every report from that month on.
    expect(differences.length).toBeGreaterThan(10);
    expect(differences.join("\n")).toMatch(/trial balance.*balance sheet/s);
  });
});
