/**
 * What has to agree at the end of every month: each report with the trial balance, the trial balance
 * with what the bank and the tax office know, and all of it with hledger.
 *
 * Each identity is a name and two figures; those that differ are told with the month.
 */
import { addMonths } from "../../src/ledger/dates/calendar.ts";
import { balances, hasHledger } from "../support/hledger.ts";
import { type Bookkeeper, cli, type Words } from "./bookkeeper.ts";
import { customersOf } from "./company.ts";
import type { AccountRole } from "./country.ts";
import type { Year } from "./month.ts";
import { inUnits } from "./plan.ts";
import { cents, Report } from "./report.ts";
import { banks, closingOf } from "./statement-files.ts";

type Basis = "accrual" | "cash";
type Figures = ReadonlyMap<string, number>;

interface Account {
  readonly AccountID: string;
  readonly Code: string;
  readonly Name: string;
  readonly Type: string;
  readonly Class: string;
  readonly SystemAccount?: string;
}

const sum = (figures: Iterable<number>) => [...figures].reduce((total, each) => total + each, 0);

/** The reports of a month, compared. */
export class Checked {
  readonly differences: string[] = [];
  count = 0;
  readonly #month: string;

  constructor(month: string) {
    this.#month = month;
  }

  equal(identity: string, left: number, right: number): void {
    this.count += 1;
    if (left !== right) {
      const apart = `${inUnits(left)} is not ${inUnits(right)}`;
      this.differences.push(`${this.#month}, ${identity}: ${apart}`);
    }
  }

  /** What is in one of them alone is zero in the other. */
  allEqual(identity: string, left: Figures, right: Figures, nameOf: (key: string) => string): void {
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      this.equal(`${identity}, ${nameOf(key)}`, left.get(key) ?? 0, right.get(key) ?? 0);
    }
  }
}

/** What a trial balance has of each account, by AccountID, debit positive. */
class TrialBalance {
  readonly report: Report;
  readonly year: Figures;
  readonly month: Figures;

  constructor(report: Report) {
    this.report = report;
    this.year = this.#net("YTD Debit", "YTD Credit");
    this.month = this.#net("Debit", "Credit");
  }

  #net(debit: string, credit: string): Figures {
    const [debits, credits] = [this.report.byAccount(debit), this.report.byAccount(credit)];
    return new Map([...debits].map(([id, each]) => [id, each - (credits.get(id) ?? 0)]));
  }
}

/**
 * Compares the reports of a month that was closed.
 *
 * @param verifier  who has the books themselves; a served book is not verified over its port
 * @returns how many figures, and those that differ
 */
export async function checked(
  year: Year,
  month: number,
  verifier: Bookkeeper = year.keeper,
): Promise<Checked> {
  const found = new Checked(year.plan.lastDay(month).slice(0, 7));
  const reports = await Reports.of(year, month);
  for (const basis of ["accrual", "cash"] as const) await statements(reports, basis, found);
  await debtors(reports, found);
  await money(reports, found);
  await tax(reports, found);
  await registers(reports, found);
  await trade(reports, found);
  if (hasHledger) await plainText(reports, found);
  const verified = await verifier.run(cli`book verify`);
  if (!verified.stdout.includes("Everything adds up.")) found.differences.push(verified.stderr);
  return found;
}

/** Reports of a month, and the chart. */
class Reports {
  readonly year: Year;
  readonly month: number;
  readonly date: string;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly trial: TrialBalance;

  static async of(year: Year, month: number): Promise<Reports> {
    const accounts: Account[] = await year.keeper.json(cli`account list --all`);
    const date = year.plan.lastDay(month);
    const trial = await Report.of(year.keeper, cli`trial-balance --date ${date}`);
    return new Reports(year, month, accounts, new TrialBalance(trial));
  }

  private constructor(
    year: Year,
    month: number,
    accounts: readonly Account[],
    trial: TrialBalance,
  ) {
    this.year = year;
    this.month = month;
    this.date = year.plan.lastDay(month);
    this.accounts = new Map(accounts.map((each) => [each.AccountID, each]));
    this.trial = trial;
  }

  report(words: Words): Promise<Report> {
    return Report.of(this.year.keeper, words);
  }

  /** Flags of the month, and of the year until its end. */
  get monthDays(): Words {
    return cli`--from ${this.year.plan.day(this.month, 1)} --to ${this.date}`;
  }

  get yearDays(): Words {
    return cli`--from ${this.year.plan.day(0, 1)} --to ${this.date}`;
  }

  nameOf = (id: string): string => {
    const { Code = "", Name = id } = this.accounts.get(id) ?? {};
    return `${Code} ${Name}`;
  };

  /** The name of an account. */
  named(role: AccountRole): string {
    const code = this.year.plan.country.accounts[role];
    return [...this.accounts.values()].find(({ Code }) => Code === code)?.Name ?? "";
  }

  /** What the trial balance has of accounts, debit positive. */
  held(...roles: readonly AccountRole[]): number {
    const codes: readonly string[] = roles.map((role) => this.year.plan.country.accounts[role]);
    return this.total(({ Code }) => codes.includes(Code));
  }

  total(fits: (account: Account) => boolean, figures: Figures = this.trial.year): number {
    const own = [...figures].filter(([id]) => {
      const account = this.accounts.get(id);
      return account !== undefined && fits(account);
    });
    return sum(own.map(([, figure]) => figure));
  }
}

const isProfit = ({ Class }: Account) => Class === "REVENUE" || Class === "EXPENSE";
const isGain = ({ SystemAccount = "" }: Account) => SystemAccount.endsWith("CURRENCYGAIN");

/** General ledger, profit and loss, balance sheet and equity, on a basis. */
async function statements(reports: Reports, basis: Basis, found: Checked): Promise<void> {
  const { date, yearDays, monthDays, nameOf } = reports;
  const on = basis === "cash" ? ["--payments-only"] : [];
  const named = (identity: string) => (basis === "cash" ? `${identity} (cash)` : identity);
  const trial =
    basis === "accrual"
      ? reports.trial
      : new TrialBalance(await reports.report([...cli`trial-balance --date ${date}`, ...on]));
  const { report } = trial;
  for (const [debit, credit] of [
    ["Debit", "Credit"],
    ["YTD Debit", "YTD Credit"],
  ] as const) {
    found.equal(
      named(`trial balance, ${debit} = ${credit}`),
      report.figure("Total", debit),
      report.figure("Total", credit),
    );
  }

  for (const [days, what, figures] of [
    [yearDays, "Closing", trial.year],
    [monthDays, "Net", trial.month],
  ] as const) {
    const ledger = await reports.report([...cli`general-ledger`, ...days, ...on]);
    found.allEqual(
      named(`general ledger, ${what} = trial balance`),
      ledger.byAccount(what),
      figures,
      nameOf,
    );
    for (const column of ["Opening", "Net", "Closing"]) {
      found.equal(named(`general ledger, total ${column} = 0`), ledger.figure("Total", column), 0);
    }
  }

  const profit = await reports.report([...cli`pl`, ...yearDays, ...on]);
  const signed = (account: Account, figure: number) =>
    account.Class === "EXPENSE" ? figure : -figure;
  const lines = new Map<string, number>();
  let gains = 0;
  for (const [id, figure] of trial.year) {
    const account = reports.accounts.get(id);
    if (account === undefined || !isProfit(account)) continue;
    if (isGain(account)) gains += figure;
    else lines.set(id, signed(account, figure));
  }
  const shown = new Map([...profit.byAccount("1")].filter(([id]) => reports.accounts.has(id)));
  const shownGains = sum(
    [...shown]
      .filter(([id]) => isGain(reports.accounts.get(id) as Account))
      .map(([, each]) => each),
  );
  for (const id of shown.keys()) if (isGain(reports.accounts.get(id) as Account)) shown.delete(id);
  found.allEqual(named("profit and loss = trial balance"), shown, lines, nameOf);
  const other = profit.figures("1").get("Foreign Currency Gains and Losses");
  found.equal(
    named("profit and loss, gains on currencies = trial balance"),
    other ?? shownGains,
    gains,
  );
  const net = profit.figure("Net Profit", "1");
  found.equal(named("net profit = trial balance"), net, -reports.total(isProfit, trial.year));

  const sheet = await reports.report([...cli`balance-sheet --date ${date}`, ...on]);
  const positions = new Map(
    [...trial.year].flatMap(([id, figure]) => {
      const account = reports.accounts.get(id);
      if (account === undefined || isProfit(account)) return [];
      return [[id, account.Class === "ASSET" ? figure : -figure] as const];
    }),
  );
  const onSheet = new Map([...sheet.byAccount("1")].filter(([id]) => reports.accounts.has(id)));
  found.allEqual(named("balance sheet = trial balance"), onSheet, positions, nameOf);
  found.equal(
    named("current year earnings = net profit"),
    sheet.figure("Current Year Earnings", "1"),
    net,
  );
  found.equal(
    named("net assets = equity"),
    sheet.figure("Net Assets", "1"),
    sheet.figure("Total Equity", "1"),
  );

  const equity = await reports.report([...cli`equity`, ...yearDays, ...on]);
  found.equal(
    named("closing equity = balance sheet"),
    equity.figure("Closing Equity", "1"),
    sheet.figure("Total Equity", "1"),
  );
  found.equal(named("equity, difference"), equity.figure("Difference", "1"), 0);
}

/** Receivables, payables, and what each customer is told of it. */
async function debtors(reports: Reports, found: Checked): Promise<void> {
  const { date } = reports;
  const statements = new Map<string, number>();
  for (const name of customersOf(reports.year.plan.country)) {
    const report = await reports.report(cli`statement ${name} --date ${date}`);
    for (const row of report.rows.filter(({ cells }) => cells[0] === "Total")) {
      const [, currency = ""] = /^Ageing in ([A-Z]{3})/.exec(row.section) ?? [];
      const { base } = reports.year.plan.country;
      const due = cents(row.cells[6]);
      const rate = reports.year.plan.closingRate(currency, reports.month);
      const inBase = currency === base ? due : reports.year.plan.inBase(due, rate);
      statements.set(name, (statements.get(name) ?? 0) + inBase);
    }
  }
  for (const [command, role] of [
    ["aged-receivables", "receivables"],
    ["aged-payables", "payables"],
  ] as const) {
    const sign = role === "receivables" ? 1 : -1;
    const account = reports.named(role);
    for (const by of ["due", "invoice"]) {
      const aged = await reports.report(cli`${command} --date ${date} --by ${by}`);
      const contacts = aged.rows.filter(
        ({ section, cells }) => section === "" && cells[0] !== null,
      );
      const own = contacts.slice(
        0,
        contacts.findIndex(({ cells }) => cells[0] === "Total"),
      );
      const total = aged.figure("Total", "Total");
      found.equal(`${command} by ${by} = ${role}`, total, sign * reports.held(role));
      found.equal(`${command} by ${by}, ${account}`, aged.figure(account, "Total"), total);
      found.equal(`${command} by ${by}, difference`, aged.figure("Difference", "Total"), 0);
      const rows = new Map(own.map(({ cells }) => [String(cells[0]), cents(cells.at(-1))]));
      found.equal(`${command} by ${by}, rows = total`, sum(rows.values()), total);
      if (role === "receivables")
        found.allEqual("statement of account = ageing", statements, rows, (name) => name);
    }
  }
}

/** The bank: cash flow, bank summary, and the statements of the bank itself. */
async function money(reports: Reports, found: Checked): Promise<void> {
  const { date, monthDays, month, year } = reports;
  const { accounts } = year.plan.country;
  const held = reports.total(({ Type }) => Type === "BANK");
  const flow = await reports.report([...cli`cash-flow`, ...monthDays]);
  found.equal("cash flow, closing = bank accounts", flow.figure("Closing Balance", "1"), held);
  found.equal("cash flow, bank accounts", flow.figure("Bank Accounts", "1"), held);
  found.equal("cash flow, difference", flow.figure("Difference", "1"), 0);
  const summary = await reports.report([...cli`bank-summary`, ...monthDays]);
  found.allEqual(
    "bank summary = trial balance",
    new Map([...summary.figures("Closing Balance")].filter(([name]) => name !== "Total")),
    new Map(
      [...reports.trial.year].flatMap(([id, figure]) => {
        const { Type, Name = "" } = reports.accounts.get(id) ?? {};
        return Type === "BANK" ? [[Name, figure] as const] : [];
      }),
    ),
    (name) => name,
  );
  for (const account of banks) {
    const report = await reports.report(
      cli`bank-reconciliation ${accounts[account]} --date ${date}`,
    );
    const told = closingOf(year.statement(account, month));
    found.equal(
      `bank reconciliation ${account}, the bank`,
      report.figure("Balance of the bank", "Amount"),
      told,
    );
    found.equal(
      `bank reconciliation ${account}, difference`,
      report.figure("Difference", "Amount"),
      0,
    );
    const book = report.figure("Balance of the book", "Amount");
    const own =
      account === "dollars"
        ? summary.figure("Dollar Account", "Balance in Currency")
        : reports.held(account);
    found.equal(`bank reconciliation ${account}, the book`, book, own);
  }
}

/** The tax account, and what was filed against what the year comes to. */
async function tax(reports: Reports, found: Checked): Promise<void> {
  const { year, month, yearDays } = reports;
  const report = await reports.report([...cli`tax-reconciliation`, ...yearDays]);
  const balance = report.figure("Trial balance", "Net");
  found.equal("tax reconciliation = tax accounts", balance, -reports.held("tax", "importTax"));
  found.equal("tax reconciliation, difference", report.figure("Difference", "Net"), 0);
  const filed = report.rows.filter(({ cells }) => cells[0] === "Filed" && cells[1] !== null);
  const due = Array.from({ length: month + 1 }, (_, at) => at).filter((at) =>
    year.plan.isReturnDue(at),
  );
  found.equal("tax returns filed", filed.length, due.length);
  for (const [place, at] of due.entries()) {
    const period = year.plan.lastDay(at).slice(0, 7);
    found.equal(
      `tax return to ${period} = the year's own`,
      cents(filed[place]?.cells[3]),
      year.plan.declared(at),
    );
  }
  if (year.plan.isReturnDue(month)) await taxReturn(reports, found);
}

/** The boxes of the return of a month, and the documents behind each, where the year has the form. */
async function taxReturn({ year: { plan, keeper, behindReturn }, month }: Reports, found: Checked) {
  const expected = plan.boxes(month);
  if (expected === undefined) return;
  // The first one was withdrawn.
  const { rows } = await Report.of(keeper, cli`show ${`R-${month + 2}`}`);
  const boxes = new Map(
    rows.flatMap(({ cells: [id, , value] }) =>
      // Remarks, such as `Late tax INPUT19`, tell what the boxes have.
      typeof value === "number" && !/ /.test(String(id))
        ? [[String(id), cents(value)] as const]
        : [],
    ),
  );
  found.allEqual("tax return, box", boxes, expected, (id) => id);
  for (const { Title, Rows } of behindReturn?.Sections ?? []) {
    const [id = ""] = Title.split(" ");
    const documents = Rows.filter(({ RowType }) => RowType === "Row");
    const total = sum(documents.map(({ Cells }) => cents(Cells.at(-1))));
    found.equal(`documents behind box ${id}`, total, expected.get(id) ?? 0);
  }
}

/** Fixed assets and stock. */
async function registers(reports: Reports, found: Checked): Promise<void> {
  const report = await reports.report(cli`fixed-assets --date ${reports.date}`);
  const { accounts } = reports.year.plan.country;
  const isFixed = ({ Type }: Account) => Type === "FIXED";
  const isTaken = ({ Type, Name }: Account) =>
    Type === "FIXED" && /accumulated|amortissements/i.test(Name);
  // Where assets are written off on the account of their cost, that has their book value.
  const isDirect = accounts.equipment === accounts.equipmentWorn;
  const value = reports.total(isFixed);
  for (const row of ["Register", "Accounts"]) {
    found.equal(`fixed assets, ${row}, book value`, report.figure(row, "Book value"), value);
    if (isDirect) continue;
    const accumulated = report.figure(row, "Accumulated");
    found.equal(`fixed assets, ${row}, accumulated`, accumulated, -reports.total(isTaken));
  }
  found.equal("fixed assets, difference", report.figure("Difference", "Book value"), 0);
  const items = await reports.year.keeper.json(cli`item list --all`);
  const cost = sum(items.map(({ TotalCostPool = 0 }) => cents(TotalCostPool)));
  found.equal("items = stock account", cost, reports.held("stock"));
  const stock = reports.year.plan.stockAt(reports.date);
  for (const { Code, QuantityOnHand, TotalCostPool } of items) {
    found.equal(`item ${Code}, quantity`, QuantityOnHand, stock.get(Code)?.quantity ?? 0);
    found.equal(`item ${Code}, value`, cents(TotalCostPool), stock.get(Code)?.cost ?? 0);
  }
}

/** Sales and purchases go on to the profit and loss. */
async function trade(reports: Reports, found: Checked): Promise<void> {
  const { monthDays } = reports;
  const profit = await reports.report([...cli`pl`, ...monthDays]);
  for (const by of ["item", "contact"]) {
    const sales = await reports.report([...cli`sales --by ${by}`, ...monthDays]);
    found.equal(
      `sales by ${by} = income`,
      sales.figure("Income of the profit and loss", "Net"),
      profit.figure("Total Income", "1") + (profit.figures("1").get("Total Other Income") ?? 0),
    );
  }
  const postings = await reports.year.keeper.json([...cli`report journal`, ...monthDays]);
  const all = (side: "Debit" | "Credit") =>
    sum(postings.map((each: Partial<Record<typeof side, number>>) => cents(each[side])));
  found.equal("journal, debits = credits", all("Debit"), all("Credit"));
}

/** The export, read by hledger. */
async function plainText(reports: Reports, found: Checked): Promise<void> {
  const { year, date } = reports;
  const file = year.keeper.file("export/books.journal", "");
  await year.keeper.ok(
    cli`export journal --format hledger --to ${date} --revaluation --output-file ${file}`,
  );
  const before = year.plan.lastDay(-1);
  const span = [
    "-b",
    before.slice(0, 8).concat("01"),
    "-e",
    addMonths(year.plan.day(reports.month, 1), 1),
  ];
  const figures = balances(file, "--historical", ...span);
  const ours = new Map(reports.trial.year);
  const theirs = new Map<string, number>();
  let earlier = 0;
  for (const [name, columns] of figures) {
    const account = [...reports.accounts.values()].find((each) =>
      name.endsWith(`:${each.Code} ${each.Name}`),
    );
    if (account === undefined) throw new Error(`hledger names an account that is none: ${name}`);
    const [first = 0, last = 0] = [columns[0], columns.at(-1)];
    if (isProfit(account)) earlier += first;
    theirs.set(account.AccountID, isProfit(account) ? last - first : last);
  }
  const retained = [...reports.accounts.values()].find(
    ({ SystemAccount }) => SystemAccount === "RETAINEDEARNINGS",
  );
  const id = retained?.AccountID ?? "";
  theirs.set(id, (theirs.get(id) ?? 0) + earlier);
  found.allEqual(`hledger at ${date} = trial balance`, theirs, ours, reports.nameOf);
}
