import { describe, expect, test } from "vitest";
import type { Period } from "../../src/ledger/figures/expression.ts";
import type { Cents } from "../../src/ledger/money.ts";
import { type AccountType, classOf } from "../../src/ledger/regions/region.ts";
import { balanceSheet } from "../../src/ledger/reports/balance-sheet.ts";
import { groupsCurrencyGains, profitAndLoss } from "../../src/ledger/reports/profit-and-loss.ts";
import {
  type AccountInfo,
  areOverlapping,
  balanceDates,
  netProfit,
  type ReportBody,
  type ReportRow,
  reportPeriods,
  reportRange,
  type Sums,
  timeframeOf,
} from "../../src/ledger/reports/report-rows.ts";
import { trialBalance } from "../../src/ledger/reports/trial-balance.ts";
import { readDecimal } from "../../src/resources/decimal.ts";
import { type Cell, valueText } from "../../src/wire/report.ts";
import { fc } from "../support/properties.ts";
import { cents } from "./amounts.ts";

function account(
  Name: string,
  Type: AccountType,
  Code?: string,
  SystemAccount?: string,
): AccountInfo {
  return {
    AccountID: `id of ${Name}`,
    Name,
    Type: Type as AccountInfo["Type"],
    Class: classOf(Type),
    ...(Code === undefined ? {} : { Code }),
    ...(SystemAccount === undefined ? {} : { SystemAccount }),
  };
}

const chart = [
  account("Sales", "REVENUE", "200"),
  account("interest income", "OTHERINCOME", "270"),
  account("Clay and glaze", "DIRECTCOSTS", "310"),
  account("Rent", "EXPENSE", "469"),
  account("Advertising", "OVERHEADS", "400"),
  account("Bank Revaluations", "EXPENSE", "497", "BANKCURRENCYGAIN"),
  account("Unrealised Currency Gains", "EXPENSE", "498", "UNREALISEDCURRENCYGAIN"),
  account("Realised Currency Gains", "EXPENSE", "499", "REALISEDCURRENCYGAIN"),
  account("Everyday Account", "BANK", "090"),
  account("Card", "BANK"),
  account("Accounts Receivable", "CURRENT", "610", "DEBTORS"),
  account("Inventory", "INVENTORY", "630"),
  account("Kiln", "FIXED", "710"),
  account("Bond", "NONCURRENT", "780"),
  account("GST", "CURRLIAB", "820", "GST"),
  account("Loan", "TERMLIAB", "900"),
  account("Retained Earnings", "EQUITY", "960", "RETAINEDEARNINGS"),
  account("Owner A Funds Introduced", "EQUITY", "970"),
];

/** Sums by account name, debit positive. */
function sums(amounts: Record<string, string>): Sums {
  return new Map(
    Object.entries(amounts).map(([name, amount]) => {
      if (!chart.some(({ Name }) => Name === name)) throw new Error(`No account ${name}`);
      return [`id of ${name}`, cents(amount)];
    }),
  );
}

/** Days with what moved in them, and what was held at their end. */
const period = (from: string, to: string, moved: Sums, held: Sums = moved): Period => ({
  ...{ from, to, basis: "accrual" },
  sums: { moved, held },
});

/** A report as the reference writes it: H, S, R and T lines. */
function text({ titles, rows }: ReportBody): string {
  const valuesOf = (row: ReportRow) =>
    (row.Cells ?? []).map(({ Value = "-" }) => valueText(Value)).join(" | ");
  const letters = { Header: "H", Section: "S", Row: "R", SummaryRow: "T" } as const;
  const lines = rows.flatMap((row) =>
    row.RowType === "Section"
      ? [
          `S "${row.Title}"`,
          ...(row.Rows ?? []).map((each) => `  ${letters[each.RowType]} ${valuesOf(each)}`),
        ]
      : [`${letters[row.RowType]} ${valuesOf(row)}`],
  );
  return [titles.join(" / "), ...lines].join("\n");
}

const read = (expected: string): string =>
  expected
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.slice(4))
    .join("\n");

/** The row with that label, wherever it stands. */
function rowOf({ rows }: ReportBody, label: string): readonly Cell[] {
  const all = rows.flatMap((row) => row.Rows ?? [row]);
  const found = all.find((row) => row.Cells?.[0]?.Value === label);
  if (found?.Cells === undefined) throw new Error(`No row ${label}`);
  return found.Cells.map(({ Value, Attributes }) => ({
    ...(Value === undefined ? {} : { Value: valueText(Value) }),
    ...(Attributes === undefined ? {} : { Attributes }),
  }));
}

const centsOf = (cell: Cell | undefined): number =>
  readDecimal(cell?.Value ?? "0", 2) ?? Number.NaN;

const everyRow = (rows: readonly ReportRow[]): ReportRow[] =>
  rows.flatMap((row) => (row.RowType === "Section" ? everyRow(row.Rows ?? []) : [row]));

describe("profit and loss", () => {
  const march = sums({
    Sales: "-1840.00",
    "Clay and glaze": "402.10",
    Rent: "600.00",
    "Everyday Account": "1240.00",
    "Accounts Receivable": "-402.10",
  });
  const february = sums({ Sales: "-1210.00", "Clay and glaze": "288.00", Rent: "600.00" });
  const request = {
    organisation: "Blue Kiln Ltd",
    from: "2026-03-01",
    to: "2026-03-31",
    columns: [
      { heading: "31 Mar 26", period: period("2026-03-01", "2026-03-31", march) },
      { heading: "28 Feb 26", period: period("2026-02-01", "2026-02-28", february) },
    ],
    accounts: chart,
  };

  test("the profit and loss example of the specification, with two columns, is reproduced", () => {
    expect(text(profitAndLoss(request))).toBe(
      read(`
    Profit & Loss / Blue Kiln Ltd / 1 March 2026 to 31 March 2026
    H  | 31 Mar 26 | 28 Feb 26
    S "Income"
      R Sales | 1840.00 | 1210.00
      T Total Income | 1840.00 | 1210.00
    S "Less Cost of Sales"
      R Clay and glaze | 402.10 | 288.00
      T Total Cost of Sales | 402.10 | 288.00
    S ""
      R Gross Profit | 1437.90 | 922.00
    S "Less Operating Expenses"
      R Rent | 600.00 | 600.00
      T Total Operating Expenses | 600.00 | 600.00
    S ""
      R Net Profit | 837.90 | 322.00
    `),
    );
  });

  test("cells of an account row have the account id; result rows have none", () => {
    const report = profitAndLoss(request);
    const attribute = [{ Value: "id of Sales", Id: "account" }];
    expect(rowOf(report, "Sales")).toEqual([
      { Value: "Sales", Attributes: attribute },
      { Value: "1840.00", Attributes: attribute },
      { Value: "1210.00", Attributes: attribute },
    ]);
    for (const label of ["Total Income", "Gross Profit", "Net Profit"]) {
      for (const cell of rowOf(report, label)) expect(cell).not.toHaveProperty("Attributes");
    }
  });

  const gains = sums({
    Sales: "-100.00",
    "interest income": "-5.00",
    Advertising: "20.00",
    "Realised Currency Gains": "-25.50",
    "Unrealised Currency Gains": "3.00",
  });
  const one = {
    ...request,
    columns: [{ heading: "31 Mar 26", period: period("2026-03-01", "2026-03-31", gains) }],
  };

  test("currency gains are one line in the standard profit and loss, in alphabetical order with the other lines", () => {
    const report = profitAndLoss({ ...one, groupCurrencyGains: true });
    expect(text(report)).toBe(
      read(`
    Profit & Loss / Blue Kiln Ltd / 1 March 2026 to 31 March 2026
    H  | 31 Mar 26
    S "Income"
      R Sales | 100.00
      T Total Income | 100.00
    S ""
      R Gross Profit | 100.00
    S "Plus Other Income"
      R interest income | 5.00
      T Total Other Income | 5.00
    S "Less Operating Expenses"
      R Advertising | 20.00
      R Foreign Currency Gains and Losses | -22.50
      T Total Operating Expenses | -2.50
    S ""
      R Net Profit | 107.50
    `),
    );
    expect(rowOf(report, "Foreign Currency Gains and Losses")[1]?.Attributes).toEqual([
      { Value: "FXGROUPID", Id: "account" },
    ]);
  });

  test("in a profit and loss without grouping, each currency gain account has its own line", () => {
    const report = profitAndLoss(one);
    expect(rowOf(report, "Realised Currency Gains")[1]).toEqual({
      Value: "-25.50",
      Attributes: [{ Value: "id of Realised Currency Gains", Id: "account" }],
    });
    expect(rowOf(report, "Net Profit")[1]?.Value).toBe("107.50");
  });

  test.each([
    ["NZ", false, true],
    ["AU", false, true],
    ["AU", true, false],
    ["US", false, false],
    ["US", true, false],
    ["GB", true, true],
  ])(
    "a profit and loss in %s, demo company %s, groups currency gains: %s",
    (CountryCode, IsDemoCompany, expected) => {
      expect(groupsCurrencyGains({ CountryCode, IsDemoCompany })).toBe(expected);
    },
  );

  test("a profit and loss of a month without postings, filtered by tracking, has zero totals", () => {
    const columns = [{ heading: "North", period: period("2026-03-01", "2026-03-31", sums({})) }];
    expect(text(profitAndLoss({ ...request, columns, filter: "Region: North" }))).toBe(
      read(`
    Profit & Loss / Blue Kiln Ltd / 1 March 2026 to 31 March 2026 / Region: North
    H  | North
    S ""
      R Gross Profit | 0.00
    S ""
      R Net Profit | 0.00
    `),
    );
  });
});

describe("period columns of reports", () => {
  test.each([
    [
      "2026-06-01",
      "2026-06-30",
      2,
      "MONTH",
      "2026-06-01..2026-06-30 2026-05-01..2026-05-31 2026-04-01..2026-04-30",
    ],
    ["2026-03-01", "2026-03-31", 1, "MONTH", "2026-03-01..2026-03-31 2026-02-01..2026-02-28"],
    ["2026-01-01", "2026-03-31", 1, "QUARTER", "2026-01-01..2026-03-31 2025-10-01..2025-12-31"],
    ["2026-01-01", "2026-12-31", 1, "YEAR", "2026-01-01..2026-12-31 2025-01-01..2025-12-31"],
    ["2026-01-01", "2026-12-31", undefined, undefined, "2026-01-01..2026-12-31"],
  ] as const)(
    "a report from %s to %s with %s more periods of %s has the columns %s",
    (from, to, periods, timeframe, expected) => {
      const ranges = reportPeriods(from, to, periods, timeframe);
      expect(ranges.map((range) => `${range.from}..${range.to}`).join(" ")).toBe(expected);
    },
  );

  test.each([
    [undefined, undefined, "2026-03-01..2026-03-31"],
    [undefined, "2026-02-10", "2026-02-01..2026-02-10"],
    ["2026-02-10", undefined, "2026-02-10..2026-02-28"],
    ["2025-04-01", "2026-03-31", "2025-04-01..2026-03-31"],
  ])("a profit and loss asked for from %s to %s covers %s", (fromDate, toDate, expected) => {
    const { from, to } = reportRange(fromDate, toDate, "2026-03-17");
    expect(`${from}..${to}`).toBe(expected);
  });

  test.each([
    ["2026-03-17", undefined, undefined, "2026-03-31 2025-03-31"],
    ["2026-03-31", 2, undefined, "2026-03-31 2026-02-28 2026-01-31"],
    ["2026-02-28", 1, "MONTH", "2026-02-28 2026-01-31"],
    ["2026-03-31", 1, "QUARTER", "2026-03-31 2025-12-31"],
    ["2024-02-10", 1, "YEAR", "2024-02-29 2023-02-28"],
    ["2026-03-31", undefined, "MONTH", "2026-03-31 2026-02-28"],
  ] as const)(
    "a balance sheet at %s with %s more periods of %s has the dates %s",
    (date, periods, timeframe, expected) => {
      expect(balanceDates(date, periods, timeframe).join(" ")).toBe(expected);
    },
  );

  test.each([0, 12, 1.5, -1, Number.NaN])(
    "a report with %s comparison periods is refused",
    (periods) => {
      const refusal = expect.objectContaining({ code: "Periods" });
      expect(() => reportPeriods("2026-03-01", "2026-03-31", periods)).toThrow(refusal);
      expect(() => balanceDates("2026-03-01", periods)).toThrow(refusal);
    },
  );

  test("a report range that ends before it begins is refused", () => {
    expect(() => reportRange("2026-03-02", "2026-03-01", "2026-03-01")).toThrow(
      expect.objectContaining({ code: "DateRange" }),
    );
  });
});

describe("balance sheet", () => {
  const empty = period("2024-04-01", "2025-03-31", sums({}));

  test("the balance sheet example of the specification is reproduced", () => {
    const balances = sums({
      "Everyday Account": "2310.55",
      "Accounts Receivable": "92.00",
      GST: "-164.65",
      "Owner A Funds Introduced": "-1000.00",
      Sales: "-1840.00",
      Rent: "602.10",
    });
    const yearToDate = sums({ Sales: "-1840.00", Rent: "602.10" });
    const report = balanceSheet({
      organisation: "Blue Kiln Ltd",
      columns: [period("2025-04-01", "2026-03-31", yearToDate, balances), empty],
      accounts: chart,
    });
    expect(text(report)).toBe(
      read(`
    Balance Sheet / Blue Kiln Ltd / As at 31 March 2026
    H  | 31 Mar 2026 | 31 Mar 2025
    S "Assets"
    S "Bank"
      R Everyday Account | 2310.55 | 0.00
      T Total Bank | 2310.55 | 0.00
    S "Current Assets"
      R Accounts Receivable | 92.00 | 0.00
      T Total Current Assets | 92.00 | 0.00
    S ""
      T Total Assets | 2402.55 | 0.00
    S "Liabilities"
    S "Current Liabilities"
      R GST | 164.65 | 0.00
      T Total Current Liabilities | 164.65 | 0.00
    S ""
      T Total Liabilities | 164.65 | 0.00
    S ""
      R Net Assets | 2237.90 | 0.00
    S "Equity"
      R Current Year Earnings | 1237.90 | 0.00
      R Owner A Funds Introduced | 1000.00 | 0.00
      T Total Equity | 2237.90 | 0.00
    `),
    );
    const earnings = (fromDate: string, toDate: string) => [
      { Value: "abababab-abab-abab-abab-abababababab", Id: "account" },
      { Value: fromDate, Id: "fromDate" },
      { Value: toDate, Id: "toDate" },
    ];
    expect(rowOf(report, "Current Year Earnings")).toEqual([
      { Value: "Current Year Earnings", Attributes: earnings("", "").slice(0, 1) },
      { Value: "1237.90", Attributes: earnings("4/1/2025", "3/31/2026") },
      { Value: "0.00", Attributes: earnings("4/1/2024", "3/31/2025") },
    ]);
  });

  test("profit of earlier years is shown in retained earnings, and each account type in its section", () => {
    const balances = sums({
      Card: "-50.00",
      "Everyday Account": "150.00",
      Inventory: "30.00",
      Kiln: "500.00",
      Bond: "70.00",
      Loan: "-200.00",
      Sales: "-900.00",
      Rent: "410.00",
      "Retained Earnings": "-10.00",
    });
    const report = balanceSheet({
      organisation: "Blue Kiln Ltd",
      columns: [
        period("2026-04-01", "2026-06-30", sums({ Sales: "-300.00", Rent: "100.00" }), balances),
      ],
      accounts: chart,
      filter: "Region: North",
    });
    expect(text(report)).toBe(
      read(`
    Balance Sheet / Blue Kiln Ltd / As at 30 June 2026 / Region: North
    H  | 30 Jun 2026
    S "Assets"
    S "Bank"
      R Card | -50.00
      R Everyday Account | 150.00
      T Total Bank | 100.00
    S "Current Assets"
      R Inventory | 30.00
      T Total Current Assets | 30.00
    S "Fixed Assets"
      R Kiln | 500.00
      T Total Fixed Assets | 500.00
    S "Non-current Assets"
      R Bond | 70.00
      T Total Non-current Assets | 70.00
    S ""
      T Total Assets | 700.00
    S "Liabilities"
    S "Non-current Liabilities"
      R Loan | 200.00
      T Total Non-current Liabilities | 200.00
    S ""
      T Total Liabilities | 200.00
    S ""
      R Net Assets | 500.00
    S "Equity"
      R Current Year Earnings | 200.00
      R Retained Earnings | 300.00
      T Total Equity | 500.00
    `),
    );
    expect(rowOf(report, "Retained Earnings")[1]?.Attributes).toEqual([
      { Value: "id of Retained Earnings", Id: "account" },
      { Value: "", Id: "fromDate" },
      { Value: "3/31/2026", Id: "toDate" },
    ]);
  });

  test("a balance sheet of a book without postings has zero totals", () => {
    const report = balanceSheet({
      organisation: "New",
      columns: [empty],
      accounts: chart,
    });
    expect(text(report)).toBe(
      read(`
    Balance Sheet / New / As at 31 March 2025
    H  | 31 Mar 2025
    S "Assets"
    S ""
      T Total Assets | 0.00
    S "Liabilities"
    S ""
      T Total Liabilities | 0.00
    S ""
      R Net Assets | 0.00
    S "Equity"
      T Total Equity | 0.00
    `),
    );
  });
});

describe("trial balance", () => {
  test("the trial balance has columns for the month and the year to date", () => {
    const report = trialBalance({
      organisation: "Blue Kiln Ltd",
      date: "2026-03-31",
      accounts: chart,
      month: period(
        "2026-03-01",
        "2026-03-31",
        sums({
          Sales: "-1840.00",
          Rent: "600.00",
          "Everyday Account": "1290.00",
          Card: "-50.00",
        }),
      ),
      year: period(
        "2025-04-01",
        "2026-03-31",
        sums({ Sales: "-9420.00", Rent: "7200.00", Advertising: "20.00" }),
        sums({
          Sales: "-9920.00",
          Rent: "7600.00",
          Advertising: "20.00",
          "Everyday Account": "2350.00",
          Card: "-50.00",
        }),
      ),
    });
    expect(text(report)).toBe(
      read(`
    Trial Balance / Blue Kiln Ltd / As at 31 March 2026
    H Account | Debit | Credit | YTD Debit | YTD Credit
    S "Revenue"
      R Sales (200) | - | 1840.00 | - | 9420.00
    S "Expenses"
      R Advertising (400) | 0.00 | - | 20.00 | -
      R Rent (469) | 600.00 | - | 7200.00 | -
    S "Assets"
      R Card | - | 50.00 | - | 50.00
      R Everyday Account (090) | 1290.00 | - | 2350.00 | -
    S "Equity"
      R Retained Earnings (960) | - | 0.00 | - | 100.00
    S ""
      T Total | 1890.00 | 1890.00 | 9570.00 | 9570.00
    `),
    );
    const own = { Value: "id of Card", Id: "account" };
    expect(rowOf(report, "Card")).toEqual([
      { Value: "Card", Attributes: [own] },
      { Attributes: [own] },
      { Value: "50.00", Attributes: [own] },
      { Attributes: [own] },
      { Value: "50.00", Attributes: [own] },
    ]);
    expect(rowOf(report, "Retained Earnings (960)")[4]?.Attributes).toEqual([
      { Value: "id of Retained Earnings", Id: "account" },
      { Value: "", Id: "fromDate" },
      { Value: "3/31/2025", Id: "toDate" },
    ]);
    expect(rowOf(report, "Total")[1]).toEqual({ Value: "1890.00" });
  });

  test("a trial balance of a book without postings has zero totals", () => {
    const none = sums({});
    const report = trialBalance({
      organisation: "New",
      date: "2026-03-31",
      accounts: chart,
      month: period("2026-03-01", "2026-03-31", none),
      year: period("2025-04-01", "2026-03-31", none),
    });
    expect(text(report)).toBe(
      read(`
    Trial Balance / New / As at 31 March 2026
    H Account | Debit | Credit | YTD Debit | YTD Credit
    S ""
      T Total | 0.00 | 0.00 | 0.00 | 0.00
    `),
    );
  });
});

describe("reports of any journals", () => {
  /** Balanced sums: the last account takes what the others leave. */
  const someSums = fc
    .array(fc.oneof(fc.constant(0), fc.integer({ min: -1_000_000, max: 1_000_000 })), {
      minLength: chart.length - 1,
      maxLength: chart.length - 1,
    })
    .map((amounts) => {
      const rest = -amounts.reduce((all, amount) => all + amount, 0);
      const all = [...amounts, rest === 0 ? 0 : rest];
      return new Map(chart.map(({ AccountID }, index) => [AccountID, all[index] as Cents]));
    });

  function plus(...all: Sums[]): Sums {
    const result = new Map<string, Cents>();
    for (const some of all) {
      for (const [id, amount] of some) {
        result.set(id, ((result.get(id) ?? 0) + amount) as Cents);
      }
    }
    return result;
  }

  test("for any journals, debits equal credits, assets equal liabilities plus equity, and all reports agree", () => {
    fc.assert(
      fc.property(someSums, someSums, someSums, (before, year, month) => {
        const yearToDate = plus(year, month);
        const balances = plus(before, yearToDate);
        const base = { organisation: "Any", accounts: chart };
        const date = "2026-06-30";

        const days = period("2026-01-01", date, yearToDate, balances);
        const ofMonth = period("2026-06-01", date, month);
        const trial = trialBalance({ ...base, date, month: ofMonth, year: days });
        const [, debit, credit, ytdDebit, ytdCredit] = rowOf(trial, "Total");
        expect(debit?.Value).toBe(credit?.Value);
        expect(ytdDebit?.Value).toBe(ytdCredit?.Value);

        const sheet = balanceSheet({ ...base, columns: [days] });
        const net = rowOf(sheet, "Net Assets")[1]?.Value;
        expect(rowOf(sheet, "Total Equity")[1]?.Value).toBe(net);

        const columns = [{ heading: "x", period: days }];
        const profit = profitAndLoss({
          ...base,
          columns,
          from: "2026-01-01",
          to: date,
          groupCurrencyGains: true,
        });
        const net2 = centsOf(rowOf(profit, "Net Profit")[1]);
        expect(net2).toBe(netProfit(chart, yearToDate));
        if (net2 !== 0) {
          expect(centsOf(rowOf(sheet, "Current Year Earnings")[1])).toBe(net2);
        }

        for (const report of [trial, sheet, profit]) {
          const width = report.rows[0]?.Cells?.length;
          for (const row of everyRow(report.rows)) {
            expect(row.Cells).toHaveLength(width ?? 0);
            for (const cell of row.Cells ?? []) {
              expect(valueText(cell.Value ?? "")).not.toMatch(/^-0\.00$/);
            }
          }
        }
        for (const row of everyRow(trial.rows).slice(1, -1)) {
          for (const pair of [row.Cells?.slice(1, 3), row.Cells?.slice(3, 5)]) {
            expect(pair?.filter((cell) => cell.Value !== undefined)).toHaveLength(1);
          }
        }
      }),
    );
  });
});

test.each([
  ["2026-06-01", "2026-06-30", "MONTH"],
  ["2026-02-06", "2026-03-05", "MONTH"],
  ["2026-06-01", "2026-06-07", "MONTH"],
  ["2026-07-01", "2026-09-30", "QUARTER"],
  ["2026-04-01", "2027-03-31", "YEAR"],
  ["2026-04-06", "2027-04-05", "YEAR"],
  ["2025-06-29", "2026-06-27", "YEAR"],
  ["2026-01-01", "2026-06-30", undefined],
  ["2026-04-01", "2026-05-15", undefined],
  ["2025-06-28", "2026-07-04", undefined],
] as const)(
  "a report from %s to %s is compared with earlier periods by %s",
  (from, to, timeframe) => {
    expect(timeframeOf({ from, to })).toBe(timeframe);
    if (timeframe !== undefined) expect(areOverlapping({ from, to }, timeframe)).toBe(false);
  },
);
