import { type ReportDescription, type ReportName, reports } from "../../../src/resources/report.ts";
import type { Json, World } from "../fixture.ts";

/** Columns of text that may look like figures. */
const texts = new Set(["Account", "Number", "Reference", "Rate", "Name"]);
const figurePattern = /^-?\d+(?:\.\d{1,4})?%?$/;

export interface ToldFigure {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The figures of a report as it was answered. */
export function figuresOf({ Rows }: Json): ToldFigure[] {
  const [header] = Rows.filter(({ RowType }: Json) => RowType === "Header");
  const headings = (header?.Cells ?? []).map(({ Value }: Json) => Value ?? "");
  const rows = Rows.filter(({ RowType }: Json) => RowType !== "Header").flatMap((row: Json) =>
    row.RowType === "Section" ? (row.Rows ?? []) : [row],
  );
  return rows.flatMap(({ Cells }: Json, at: number) =>
    Cells.flatMap(({ Value = "" }: Json, column: number) =>
      column > 0 && !texts.has(headings[column]) && figurePattern.test(Value)
        ? [{ line: at + 1, column, text: Value }]
        : [],
    ),
  );
}

const whole = (text: string, digits: number): number => {
  const [left = "0", right = ""] = text.replace("%", "").replace("-", "").split(".");
  const value = Number(`${left}${right.padEnd(digits, "0")}`);
  return text.startsWith("-") ? -value : value;
};

/** Half away from zero, as the books round. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const [above, below] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor];
  const size = above < 0n ? -above : above;
  const quotient = (2n * size + below) / (2n * below);
  return above < 0n ? -quotient : quotient;
}

/** Amounts of parts, and the sums that the answer names, each at the scale of its own text. */
function read({ Rows }: Json) {
  const last = (row: Json): string => row.Cells.at(-1).Value;
  const sections = Rows.filter(({ RowType }: Json) => RowType === "Section");
  const lines = sections.map(({ Rows: own = [] }: Json) => ({
    parts: own.filter(({ RowType }: Json) => RowType === "Row").map(last),
    total: own.filter(({ RowType }: Json) => RowType === "SummaryRow").map(last)[0],
  }));
  return { lines, result: lines.at(-1)?.total as string };
}

/** @returns what is wrong with an explanation, if anything is */
export function faultOf(told: Json, figure: string): string | undefined {
  const of = (id: string) => told.Fields.find(({ FieldID }: Json) => FieldID === id)?.Value;
  if (of("Difference") !== undefined) return `not explained: ${of("Difference")}`;
  if (of("Figure") !== figure) return `it is ${figure}, and ${of("Figure")} is explained`;
  if (!of("Rule") || !of("Source")) return "no rule";
  const { lines, result } = read(told);
  if (result.includes("%") || figure.includes("%") || isQuotient(told)) {
    return quotientFault(lines, figure);
  }
  const digits = figure.split(".")[1]?.length ?? 0;
  const scale = lines
    .flatMap(({ parts }: Json) => parts)
    .some((text: string) => /\.\d{4}$/.test(text))
    ? 4
    : digits;
  let all = 0;
  for (const { parts, total } of lines.slice(0, -1)) {
    const sum = parts.reduce((some: number, text: string) => some + whole(text, scale), 0);
    if (total !== undefined && whole(total, scale) !== sum) return `${total} is not its parts`;
    all += sum;
  }
  if (all !== whole(figure, scale)) return `the parts are ${all}, not ${figure}`;
  return whole(result, scale) === all ? undefined : `the sum is ${result}, not ${figure}`;
}

const isQuotient = (told: Json): boolean =>
  told.Rows.at(-1).Rows.some(({ Cells }: Json) => Cells[0].Value === "Quotient");

/** A quotient is worked out anew from the parts of both sums; days and months are in their names. */
function quotientFault(lines: readonly Json[], figure: string): string | undefined {
  const [above, below] = lines;
  const digitsOf = (text: string) => text.split(".")[1]?.replace("%", "").length ?? 0;
  const amounts = [above, below].map(({ parts, total }: Json) => {
    const digits = digitsOf(total);
    const sum = parts.reduce((some: number, text: string) => some + whole(text, digits), 0);
    return { sum, total: whole(total, digits), digits };
  });
  const [dividend, divisor] = amounts as [(typeof amounts)[0], (typeof amounts)[0]];
  for (const { sum, total } of amounts) {
    const isTimes = sum !== 0 && total % sum === 0;
    if (sum !== total && Math.abs(sum) !== total && !isTimes) return `${total} is not ${sum}`;
  }
  if (divisor.total === 0) return Number(figure.replace("%", "")) === 0 ? undefined : "no divisor";
  const digits = digitsOf(figure);
  const scale = 10n ** BigInt(digits + (figure.endsWith("%") ? 2 : 0) + divisor.digits);
  const worked = rounded(
    BigInt(dividend.total) * scale,
    BigInt(divisor.total) * 10n ** BigInt(dividend.digits),
  );
  return Number(worked) === whole(figure, digits) ? undefined : `${worked} is not ${figure}`;
}

/** What is wrong with the explanations of a report, and how many figures it has. */
export async function faultsOfReport(
  given: World,
  name: ReportName,
  query: Readonly<Record<string, string>>,
  take: (figures: readonly ToldFigure[]) => readonly ToldFigure[] = (all) => all,
): Promise<{ figures: number; faults: string[] }> {
  const [report] = (await given.ok("GET", `/Reports/${name}`, undefined, { query })).Reports;
  const faults: string[] = [];
  const figures = take(figuresOf(report));
  for (const { line, column, text } of figures) {
    for (const all of ["true", "false"]) {
      const answer = await given.ask("GET", `/Extensions/Explain/Reports/${name}`, undefined, {
        query: { ...query, line: String(line), column: String(column), all },
      });
      const where = `${name} ${JSON.stringify(query)} line ${line} column ${column} all=${all}`;
      if (answer.status !== 200) faults.push(`${where}: ${answer.text.slice(0, 300)}`);
      else {
        const fault = faultOf(answer.json.Reports[0], text);
        if (fault !== undefined) faults.push(`${where}: ${fault}\n${answer.text.slice(0, 1500)}`);
      }
    }
  }
  return { figures: figures.length, faults };
}

/** Reports as they are asked for in a test: of days of a book, by every parameter that changes figures. */
export async function questionsOf(
  given: World,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<[ReportName, Record<string, string>][]> {
  const range = { fromDate: from, toDate: to };
  const contacts = (await given.ok("GET", "/Contacts")).Contacts.map(
    ({ ContactID }: Json) => ContactID as string,
  );
  const tracking = (await given.ok("GET", "/TrackingCategories")).TrackingCategories;
  const category = tracking[0]?.TrackingCategoryID as string | undefined;
  const option = tracking[0]?.Options?.[0]?.TrackingOptionID as string | undefined;
  const banks = (
    await given.ok("GET", "/Accounts", undefined, { query: { where: 'Type=="BANK"' } })
  ).Accounts;
  const asked: Record<ReportName, Record<string, string>[]> = {
    ProfitAndLoss: [
      range,
      { ...range, periods: "1" },
      { ...range, paymentsOnly: "true" },
      ...(category === undefined ? [] : [{ ...range, trackingCategoryID: category }]),
    ],
    BalanceSheet: [
      { date: to },
      { date: to, paymentsOnly: "true" },
      ...(option === undefined ? [] : [{ date: to, trackingOptionID1: option }]),
    ],
    TrialBalance: [{ date: to }, { date: to, paymentsOnly: "true" }],
    GeneralLedger: [range, { ...range, paymentsOnly: "true" }],
    Equity: [range, { ...range, periods: "1" }],
    AgedReceivables: [{ date: to }, { date: to, by: "invoice", buckets: "14,60" }],
    AgedPayables: [{ date: to }],
    AgedReceivablesByContact: contacts.flatMap((contactID: string) => [
      { contactID, date: to },
      { contactID, date: to, fromDate: from },
    ]),
    AgedPayablesByContact: contacts.map((contactID: string) => ({ contactID, date: to })),
    Statement: contacts.flatMap((contactID: string) => [
      { contactID, date: to },
      { contactID, ...range },
    ]),
    BankSummary: [range],
    CashFlow: [range, { ...range, periods: "1" }],
    BudgetSummary: [{ date: from, periods: "3" }],
    BudgetVariance: [range],
    Sales: ["item", "contact", "tracking"].map((by) => ({ ...range, by })),
    Purchases: ["item", "contact", "tracking"].map((by) => ({ ...range, by })),
    ExecutiveSummary: [{ date: to }],
    BankReconciliation: banks.map(({ AccountID }: Json) => ({ accountID: AccountID, date: to })),
    FixedAssets: [{ date: to }],
    TaxSummary: [range, { ...range, paymentsOnly: "true" }, { ...range, detail: "true" }],
    TaxReconciliation: [range],
    ECSalesList: [],
  };
  return usualReports.flatMap((name) =>
    asked[name].map((query): [ReportName, Record<string, string>] => [name, query]),
  );
}

/** The reports that organisations of every country have. */
export const usualReports = (Object.keys(reports) as ReportName[]).filter(
  (name) => (reports[name] as ReportDescription).countries === undefined,
);

/** What random business does not make: a budget, assets, lines of the bank, a published return. */
export async function furnished(given: World): Promise<void> {
  const months = ["2026-01", "2026-02", "2026-03", "2026-04"];
  const planned = (AccountCode: string, amount: number) => ({
    AccountCode,
    BudgetBalances: months.map((Period, at) => ({ Period, Amount: amount + at })),
  });
  await given.ok("PUT", "/Budgets", {
    Description: "Plan",
    BudgetLines: [planned("200", 900.5), planned("400", 120.25), planned("310", 33.33)],
  });
  const own = {
    ...{ PurchaseDate: "2026-01-10", Method: "StraightLine", Rate: 40 },
    ...{ AssetAccount: { Code: "710" }, AccumulatedAccount: { Code: "711" } },
    ExpenseAccount: { Code: "416" },
  };
  const assets = ["Laptop", "Press"].map((Name, at) => ({ ...own, Name, Cost: 1999.99 + at }));
  const { Assets } = await given.ok("PUT", "/Extensions/Assets", { Assets: assets });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-02-28" },
  });
  await given.ok("POST", `/Extensions/Assets/${Assets[1].AssetID}/Dispose`, {
    Date: "2026-03-20",
    Proceeds: 2100.01,
    ...{ ProceedsAccount: { Code: "260" }, GainAccount: { Code: "270" } },
    CapitalGainAccount: { Code: "200" },
  });
  await given.ok("PUT", "/Extensions/BankStatements", {
    ...{ BankAccount: { Code: "090" }, FromDate: "2026-03-01", ToDate: "2026-03-31" },
    ...{ OpeningBalance: 10, ClosingBalance: 40.5 },
    StatementLines: [
      { Key: "a", Date: "2026-03-05", Amount: 50.75, Payee: "Cuba" },
      { Key: "b", Date: "2026-03-09", Amount: -20.25 },
    ],
  });
  await given.ok("PUT", "/Reports", {
    ...{ ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-02-28" },
    Fields: [{ FieldID: "9", Value: "1.50" }],
  });
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query: { page: "1" } });
  const late = { Description: "Late", Quantity: 1, UnitAmount: 33.33, AccountCode: "200" };
  await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Date: "2026-02-15", DueDate: "2026-03-20", Status: "AUTHORISED" },
    Contact: { ContactID: Invoices[0].Contact.ContactID },
    LineItems: [late],
  });
}
