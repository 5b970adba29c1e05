/**
 * Audit files, read back by readers of their own and held against the ledger: every posting once,
 * every entry balanced, every account at the balance that a trial balance has.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { filesIn } from "../../../src/bank-files/archive.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import type { Json, World } from "../../service/fixture.ts";
import { type Element, parsed, structureFaults } from "./saft-structure.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for the files of one test file; removed with the process. */
export const folder = mkdtempSync(join(tmpdir(), "acct-audit-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line on the book of a world, in its own process. */
export async function acct({ book, now }: World, ...words: string[]): Promise<Ran> {
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(["--book", book.path, ...words], {
    env: { HOME: folder },
    stdout,
    stderr,
    clock: () => now,
    open,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A posting as a file tells it. */
export interface Told {
  /** Number of its journal, or whatever tells its entry from others. */
  readonly entry: string;
  readonly account: string;
  /** Cents, debit positive. */
  readonly amount: number;
}

export interface Period {
  readonly from: string;
  readonly to: string;
}

// --- what the ledger has ------------------------------------------------------------------------

export interface Held {
  readonly journals: readonly Json[];
  /** Cents by AccountID at the end of the period, as the trial balance has them. */
  readonly trialBalance: ReadonlyMap<string, number>;
  readonly chart: readonly Json[];
}

export async function held(given: World, { from, to }: Period): Promise<Held> {
  const journals: Json[] = [];
  for (let offset = 0; ; ) {
    const query = { offset: String(offset) };
    const { Journals } = await given.ok("GET", "/Journals", undefined, { query });
    if (Journals.length === 0) break;
    journals.push(...Journals);
    offset = Journals.at(-1).JournalNumber;
  }
  const report = await given.ok("GET", "/Reports/TrialBalance", undefined, { query: { date: to } });
  const trialBalance = new Map<string, number>();
  const walk = (rows: readonly Json[]) => {
    for (const row of rows) {
      walk(row.Rows ?? []);
      const [first, ...cells] = row.Cells ?? [];
      const id = first?.Attributes?.find((each: Json) => each.Id === "account")?.Value;
      if (id === undefined) continue;
      trialBalance.set(id, cents(cells[2]?.Value ?? "") - cents(cells[3]?.Value ?? ""));
    }
  };
  walk(report.Reports[0].Rows);
  const day = (journal: Json) => journal.JournalDateString.slice(0, 10);
  return {
    journals: journals.filter((each) => day(each) >= from && day(each) <= to),
    trialBalance,
    chart: (await given.ok("GET", "/Accounts")).Accounts,
  };
}

export function cents(text: string): number {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d*)[.,]?(\d*)$/.exec(text) ?? [];
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, "0").slice(0, 2));
  return value === 0 ? 0 : sign === "-" ? -value : value;
}

/** A map of every account to a number of its own, as a CSV. @returns the path, and codes by number */
export function accountMap(
  { chart }: Held,
  name: string,
  numberOf: (account: Json, at: number) => string,
): { readonly path: string; readonly ids: ReadonlyMap<string, string> } {
  const path = join(folder, `${name}.csv`);
  const rows = chart.map((each, at) => [each.Code ?? "", each.Name, numberOf(each, at)]);
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(
    path,
    [["Code", "Name", "Number"], ...rows].map((row) => row.map(cell).join(",")).join("\n"),
  );
  return { path, ids: new Map(rows.map(([, , number], at) => [number, chart[at].AccountID])) };
}

/**
 * Holds postings of a file against the ledger: those of each entry, and what comes out at the end.
 *
 * @param told      accounts by AccountID, entries by the number of their journal
 * @param openings  by AccountID
 */
export function expectLedger(
  { journals, trialBalance }: Held,
  told: readonly Told[],
  openings: ReadonlyMap<string, number>,
): void {
  const line = ({ entry, account, amount }: Told) => `${entry} ${account} ${amount}`;
  const expected = journals.flatMap((journal) =>
    journal.JournalLines.map((each: Json) =>
      line({
        entry: String(journal.JournalNumber),
        account: each.AccountID,
        amount: Math.round(each.NetAmount * 100),
      }),
    ),
  );
  expect(told.map(line).sort()).toEqual(expected.sort());
  expectBalances(trialBalance, told, openings);
}

export function expectBalances(
  trialBalance: ReadonlyMap<string, number>,
  told: readonly Told[],
  openings: ReadonlyMap<string, number>,
): void {
  const sums = new Map(openings);
  for (const { account, amount } of told) sums.set(account, (sums.get(account) ?? 0) + amount);
  const moved = (all: ReadonlyMap<string, number>) =>
    Object.fromEntries([...all].filter(([, amount]) => amount !== 0).sort());
  expect(moved(sums)).toEqual(moved(trialBalance));
}

export function balanced(told: readonly Told[]): void {
  for (const [entry, lines] of Map.groupBy(told, (each) => each.entry)) {
    expect([entry, lines.reduce((sum, { amount }) => sum + amount, 0)]).toEqual([entry, 0]);
  }
}

// --- FEC ------------------------------------------------------------------------------------------

export const fecHeading =
  "JournalCode JournalLib EcritureNum EcritureDate CompteNum CompteLib CompAuxNum CompAuxLib PieceRef PieceDate EcritureLib Debit Credit EcritureLet DateLet ValidDate Montantdevise Idevise".split(
    " ",
  );

export type FecRow = Readonly<Record<string, string>>;

/** The rows of a FEC, and every rule of the law that one of them breaks. */
export function readFec(text: string): { readonly rows: FecRow[]; readonly faults: string[] } {
  const [heading = "", ...lines] = text.split("\r\n");
  const faults: string[] = [];
  if (heading !== fecHeading.join("\t")) faults.push(`the heading is ${heading}`);
  if (lines.pop() !== "") faults.push("the last line does not end");
  const rows = lines.map((line, at) => {
    const cells = line.split("\t");
    if (cells.length !== 18) faults.push(`row ${at + 2} has ${cells.length} columns`);
    return Object.fromEntries(fecHeading.map((name, place) => [name, cells[place] ?? ""]));
  });
  for (const [at, row] of rows.entries())
    faults.push(...fecFaults(row).map((why) => `row ${at + 2}: ${why}`));
  const isOpening = rows.map(({ JournalCode }) => JournalCode === "AN");
  if (isOpening.lastIndexOf(true) > isOpening.indexOf(false) && isOpening.includes(false)) {
    faults.push("balances brought forward are not first");
  }
  const posted = rows.map(({ ValidDate }) => ValidDate ?? "").filter((_, at) => !isOpening[at]);
  if (posted.join() !== posted.toSorted().join()) faults.push("rows are not by their validation");
  for (const [code, own] of Map.groupBy(rows, ({ JournalCode }) => JournalCode)) {
    const numbers = [...new Set(own.map(({ EcritureNum = "" }) => EcritureNum))];
    const expected = numbers.map((_, at) => `${code}${at + 1}`);
    if (numbers.join() !== expected.join()) faults.push(`numbers of ${code} have gaps`);
  }
  for (const [number, own] of Map.groupBy(rows, ({ EcritureNum }) => EcritureNum)) {
    const sum = own.reduce(
      (total, { Debit = "", Credit = "" }) => total + cents(Debit) - cents(Credit),
      0,
    );
    if (sum !== 0) faults.push(`${number} is out of balance by ${sum}`);
    if (new Set(own.map(({ EcritureDate }) => EcritureDate)).size !== 1) {
      faults.push(`${number} has several dates`);
    }
  }
  for (const [code, own] of Map.groupBy(rows, ({ EcritureLet }) => EcritureLet)) {
    if (code === "") continue;
    const sum = own.reduce(
      (total, { Debit = "", Credit = "" }) => total + cents(Debit) - cents(Credit),
      0,
    );
    if (sum !== 0) faults.push(`the lines lettered ${code} are out of balance by ${sum}`);
    if (own.length < 2) faults.push(`a line alone is lettered ${code}`);
    const facts = own.map(({ CompteNum, CompAuxNum, DateLet }) => [CompteNum, CompAuxNum, DateLet]);
    if (new Set(facts.map(String)).size !== 1)
      faults.push(`${code} is of several accounts or days`);
  }
  return { rows, faults };
}

function fecFaults(row: FecRow): string[] {
  const faults: string[] = [];
  const must = (name: string, pattern: RegExp) => {
    if (!pattern.test(row[name] ?? "")) faults.push(`${name} is "${row[name]}"`);
  };
  for (const name of [
    "JournalCode",
    "JournalLib",
    "EcritureNum",
    "CompteLib",
    "PieceRef",
    "EcritureLib",
  ]) {
    must(name, /^\S(.*\S)?$/u);
  }
  for (const name of ["EcritureDate", "PieceDate", "ValidDate"])
    must(name, /^\d{4}(0[1-9]|1[0-2])([0-2]\d|3[01])$/);
  must("DateLet", /^(\d{8})?$/);
  must("CompteNum", /^[1-8]\d{2}[0-9A-Za-z]*$/);
  must("Debit", /^\d+,\d\d$/);
  must("Credit", /^\d+,\d\d$/);
  must("Montantdevise", /^(-?\d+,\d\d)?$/);
  must("Idevise", /^([A-Z]{3})?$/);
  for (const [one, other] of [
    ["CompAuxNum", "CompAuxLib"],
    ["EcritureLet", "DateLet"],
    ["Montantdevise", "Idevise"],
  ] as const) {
    if ((row[one] === "") !== (row[other] === "")) faults.push(`${one} without ${other}`);
  }
  const [debit, credit] = [cents(row.Debit ?? ""), cents(row.Credit ?? "")];
  if ((debit === 0) === (credit === 0)) faults.push("not one of debit and credit");
  return faults;
}

// --- DATEV ----------------------------------------------------------------------------------------

export interface DatevFile {
  readonly header: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly faults: readonly string[];
}

/** Cells as they stand between the semicolons, with their quotes. */
function rawCells(line: string): string[] {
  return [...line.matchAll(/(?:^|;)("(?:[^"]|"")*"|[^;"]*)/g)].map(([, cell = ""]) => cell);
}

export const unquoted = (cell: string) =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;

export function readDatev(bytes: Uint8Array): DatevFile {
  const lines = new TextDecoder("windows-1252").decode(bytes).split("\r\n");
  const faults: string[] = [];
  if (lines.pop() !== "") faults.push("the last line does not end");
  if (lines.some((line) => /[\r\n]/.test(line))) faults.push("a line breaks otherwise");
  const [header = [], names = [], ...rows] = lines.map(rawCells);
  const wants: Readonly<Record<number, RegExp>> = {
    1: /^"EXTF"$/,
    2: /^700$/,
    3: /^21$/,
    4: /^"Buchungsstapel"$/,
    5: /^13$/,
    6: /^20\d{15}$/,
    8: /^"[A-Z]{0,2}"$/,
    9: /^".{0,25}"$/,
    11: /^\d{4,7}$/,
    12: /^[1-9]\d{0,4}$/,
    13: /^20\d{6}$/,
    14: /^[4-8]$/,
    15: /^20\d{6}$/,
    16: /^20\d{6}$/,
    17: /^"[\w./ -]{0,30}"$/,
    19: /^[12]$/,
    20: /^0$/,
    21: /^[01]$/,
    22: /^"[A-Z]{3}"$/,
    27: /^"\d{0,2}"$/,
  };
  if (header.length !== 31) faults.push(`the header has ${header.length} fields`);
  for (const [place, pattern] of Object.entries(wants)) {
    const field = header[Number(place) - 1] ?? "";
    if (!pattern.test(field)) faults.push(`field ${place} of the header is ${field}`);
  }
  if (names.length !== 125) faults.push(`${names.length} names of columns`);
  const length = Number(header[13]);
  const cellsWanted: Readonly<Record<number, RegExp>> = {
    1: /^(?!0+,00$)\d{1,10},\d\d$/,
    2: /^"[SH]"$/,
    3: /^"[A-Z]{3}"$/,
    7: new RegExp(`^\\d{1,${length + 1}}$`),
    8: new RegExp(`^\\d{1,${length + 1}}$`),
    9: /^"\d{0,4}"$/,
    10: /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])$/,
    11: /^"[A-Za-z0-9$&%*+\-/]{0,36}"$/,
    40: /^"([A-Z]{2}[A-Z0-9]{2,13})?"$/,
    114: /^[01]$/,
    115: /^((0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])20\d{2})?$/,
    116: /^((0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])20\d{2})?$/,
    14: /^"[^\r\n]{0,60}"$/,
    37: /^"[\p{L}\p{Nd}_ ]{0,36}"$/u,
    38: /^"[\p{L}\p{Nd}_ ]{0,36}"$/u,
  };
  for (const [at, row] of rows.entries()) {
    if (row.length !== 125) faults.push(`row ${at + 3} has ${row.length} columns`);
    for (const [place, pattern] of Object.entries(cellsWanted)) {
      const cell = row[Number(place) - 1] ?? "";
      if (!pattern.test(cell)) faults.push(`row ${at + 3}, column ${place} is ${cell}`);
    }
    if (row[6] === row[7] && row[6] !== undefined) {
      // Between one account and itself nothing would move: allowed, as of two lines of one entry.
      if (unquoted(row[1] ?? "") === "") faults.push(`row ${at + 3} has no side`);
    }
  }
  return { header, names, rows, faults };
}

/** A key that DATEV posts a tax by: its rate, and the number of the account of the tax. */
export interface TaxKey {
  /** Percent. */
  readonly rate: number;
  readonly account: string;
  /** Of a reverse charge: the account of the tax deducted, or `line` for that of the row itself. */
  readonly deducted?: string;
}

/**
 * The postings that DATEV makes of the rows.
 *
 * @param keys       by key
 * @param automatic  keys of automatic accounts, by number
 */
export function datevPostings(
  { rows }: DatevFile,
  keys: Readonly<Record<string, TaxKey>>,
  automatic: Readonly<Record<string, string>> = {},
): Told[] {
  return rows.flatMap((row) => {
    const [amount, side, , , , , account = "", contra = "", key = ""] = row.map(unquoted);
    const size = cents(amount ?? "");
    const signed = side === "S" ? size : -size;
    const entry = unquoted(row[48] ?? "") || "opening";
    const own = key === "40" ? undefined : key || automatic[contra];
    const tax = own === undefined ? undefined : keys[own];
    if (tax === undefined) {
      return [
        { entry, account, amount: signed },
        { entry, account: contra, amount: -signed },
      ];
    }
    if (tax.deducted !== undefined) {
      const owed = Math.round((size * tax.rate) / 100) * (side === "S" ? 1 : -1);
      return [
        { entry, account, amount: signed },
        { entry, account: contra, amount: -signed },
        { entry, account: tax.account, amount: owed },
        { entry, account: tax.deducted === "line" ? contra : tax.deducted, amount: -owed },
      ];
    }
    const inside = Math.round((size * tax.rate) / (100 + tax.rate)) * (side === "S" ? 1 : -1);
    return [
      { entry, account, amount: signed },
      { entry, account: contra, amount: inside - signed },
      { entry, account: tax.account, amount: inside === 0 ? 0 : -inside },
    ];
  });
}

// --- SAF-T ----------------------------------------------------------------------------------------

export interface SaftFile {
  readonly root: Element;
  readonly faults: readonly string[];
  readonly postings: readonly Told[];
  /** Cents by AccountID of the file. */
  readonly opening: ReadonlyMap<string, number>;
  readonly closing: ReadonlyMap<string, number>;
}

const child = ({ children }: Element, name: string) => children.find((each) => each.name === name);
export const all = (element: Element | undefined, ...path: readonly string[]): Element[] => {
  const [name, ...rest] = path;
  if (element === undefined) return [];
  if (name === undefined) return [element];
  return element.children
    .filter((each) => each.name === name)
    .flatMap((each) => all(each, ...rest));
};
export const textAt = (element: Element | undefined, ...path: readonly string[]): string =>
  all(element, ...path)[0]?.text ?? "";

export function readSaft(xml: string): SaftFile {
  const root = parsed(xml);
  const faults = structureFaults(root);
  const balance = (account: Element, end: string) =>
    cents(textAt(account, `${end}DebitBalance`)) - cents(textAt(account, `${end}CreditBalance`));
  const accounts = all(root, "MasterFiles", "GeneralLedgerAccounts", "Account");
  const balances = (end: string) =>
    new Map(accounts.map((each) => [textAt(each, "AccountID"), balance(each, end)]));
  const entries = all(root, "GeneralLedgerEntries")[0];
  const transactions = all(entries, "Journal", "Transaction");
  const postings = transactions.flatMap((each) =>
    all(each, "Line").map((line) => ({
      entry: textAt(each, "TransactionID"),
      account: textAt(line, "AccountID"),
      amount:
        cents(textAt(line, "DebitAmount", "Amount")) -
        cents(textAt(line, "CreditAmount", "Amount")),
    })),
  );
  const sum = (told: readonly Told[]) =>
    told.reduce((total, { amount }) => total + Math.abs(amount), 0);
  const debits = postings.filter(({ amount }) => amount > 0);
  const credits = postings.filter(({ amount }) => amount < 0);
  const totals: [string, number, number][] = [
    ["NumberOfEntries", Number(textAt(entries, "NumberOfEntries")), transactions.length],
    ["TotalDebit", cents(textAt(entries, "TotalDebit")), sum(debits)],
    ["TotalCredit", cents(textAt(entries, "TotalCredit")), sum(credits)],
  ];
  for (const [section, document] of [
    ["SalesInvoices", "Invoice"],
    ["PurchaseInvoices", "Invoice"],
    ["Payments", "Payment"],
  ] as const) {
    const found = all(root, "SourceDocuments", section)[0];
    if (found === undefined) continue;
    const lines = all(found, document, "Line");
    const amounts = (side: string) =>
      lines
        .filter((line) => textAt(line, "DebitCreditIndicator") === side)
        .reduce(
          (total, line) =>
            total +
            cents(textAt(line, "InvoiceLineAmount", "Amount")) +
            cents(textAt(line, "PaymentLineAmount", "Amount")),
          0,
        );
    totals.push(
      [
        `${section} NumberOfEntries`,
        Number(textAt(found, "NumberOfEntries")),
        all(found, document).length,
      ],
      [`${section} TotalDebit`, cents(textAt(found, "TotalDebit")), amounts("D")],
      [`${section} TotalCredit`, cents(textAt(found, "TotalCredit")), amounts("C")],
    );
  }
  for (const [name, said, counted] of totals) {
    if (said !== counted) faults.push(`${name} is ${said}, and they are ${counted}`);
  }
  faults.push(...danglingReferences(root));
  return { root, faults, postings, opening: balances("Opening"), closing: balances("Closing") };
}

/** Ids that name nothing of the master files, and those that two of them bear. */
function danglingReferences(root: Element): string[] {
  const master = child(root, "MasterFiles") as Element;
  const known: Readonly<Record<string, string[]>> = {
    AccountID: all(master, "GeneralLedgerAccounts", "Account", "AccountID").map(({ text }) => text),
    CustomerID: all(master, "Customers", "Customer", "CustomerID").map(({ text }) => text),
    SupplierID: all(master, "Suppliers", "Supplier", "SupplierID").map(({ text }) => text),
    TaxCode: all(master, "TaxTable", "TaxTableEntry", "TaxCodeDetails", "TaxCode").map(
      ({ text }) => text,
    ),
  };
  const faults = Object.entries(known).flatMap(([name, ids]) =>
    new Set(ids).size === ids.length ? [] : [`${name} is not unique`],
  );
  const analyses = new Set(
    all(master, "AnalysisTypeTable", "AnalysisTypeTableEntry").map(
      (each) => `${textAt(each, "AnalysisType")} ${textAt(each, "AnalysisID")}`,
    ),
  );
  const walk = (element: Element) => {
    const ids = known[element.name];
    if (ids !== undefined && !ids.includes(element.text)) {
      faults.push(`${element.name} ${element.text} is of nothing`);
    }
    if (element.name === "Analysis") {
      const key = `${textAt(element, "AnalysisType")} ${textAt(element, "AnalysisID")}`;
      if (!analyses.has(key)) faults.push(`Analysis ${key} is of nothing`);
    }
    element.children.forEach(walk);
  };
  for (const name of ["GeneralLedgerEntries", "SourceDocuments"]) all(root, name).forEach(walk);
  return faults;
}

// --- GoBD -----------------------------------------------------------------------------------------

export interface GobdTable {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

export interface GobdFile {
  readonly tables: Readonly<Record<string, GobdTable>>;
  readonly faults: readonly string[];
  /** Whatever else is in it, by path. */
  readonly others: ReadonlyMap<string, Buffer>;
}

/** Reads an archive by its own description. */
export function readGobd(path: string): GobdFile {
  const faults: string[] = [];
  const archive = readFileSync(path);
  const files = new Map(
    filesIn(function* () {
      yield archive;
    }).map(({ name = "", open: unpack }) => [name, Buffer.concat([...unpack()])]),
  );
  const tested = spawnSync("unzip", ["-tq", path], { encoding: "utf8" });
  if (tested.error === undefined && tested.status !== 0) faults.push(tested.stdout);
  const read = (name: string) => files.get(name) ?? Buffer.alloc(0);
  const index = parsed(String(read("index.xml")).replace(/<!DOCTYPE[^>]*>/, ""));
  if (!String(read("index.xml")).includes('<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">')) {
    faults.push("index.xml names no DTD");
  }
  if (!String(read("gdpdu-01-09-2004.dtd")).includes("<!ELEMENT DataSet")) faults.push("no DTD");
  const order =
    "URL Name Description Validity UTF8 DecimalSymbol DigitGroupingSymbol Range VariableLength";
  const tables: Record<string, GobdTable> = {};
  for (const table of all(index, "Media", "Table")) {
    const name = textAt(table, "Name");
    if (table.children.map((each) => each.name).join(" ") !== order) faults.push(`${name}: order`);
    const layout = child(table, "VariableLength") as Element;
    const columns = layout.children.filter(({ name: own }) => /^Variable/.test(own));
    const kinds = columns.map((each) => ({
      heading: textAt(each, "Name"),
      kind: each.children.at(-1),
    }));
    const file = textAt(table, "URL");
    const bytes = String(read(file));
    const parsedRows: string[][] = parse(bytes, { delimiter: ";", record_delimiter: "\r\n" });
    const [heading = [], ...rows] = parsedRows;
    if (heading.join() !== kinds.map((each) => each.heading).join()) {
      faults.push(`${file} has ${heading}, described as ${kinds.map((each) => each.heading)}`);
    }
    const keys = columns.filter(({ name: own }) => own === "VariablePrimaryKey").length;
    const ids = rows.map((row) => row.slice(0, keys).join("\u0000"));
    if (new Set(ids).size !== ids.length) faults.push(`${file}: keys are not unique`);
    for (const row of rows) {
      for (const [at, { heading: column, kind }] of kinds.entries()) {
        const cell = row[at] ?? "";
        const places = Number(textAt(kind, "Accuracy"));
        const number = places === 0 ? /^-?\d*$/ : new RegExp(`^(-?\\d+,\\d{${places}})?$`);
        const isFine =
          kind?.name === "Numeric"
            ? number.test(cell)
            : kind?.name !== "Date" || /^(\d{4}-\d\d-\d\d)?$/.test(cell);
        if (!isFine) faults.push(`${file}, ${column}: ${cell}`);
      }
    }
    tables[name] = {
      name,
      rows: rows.map((row) => Object.fromEntries(heading.map((each, at) => [each, row[at] ?? ""]))),
    };
    for (const key of all(layout, "ForeignKey")) {
      const [own, of] = [textAt(key, "Name"), textAt(key, "References")];
      const there = new Set(tables[of]?.rows.map((row) => Object.values(row)[0]));
      const lost = tables[name]?.rows.filter(
        (row) => row[own] !== "" && !there.has(row[own] ?? ""),
      );
      if ((lost?.length ?? 0) > 0)
        faults.push(`${file}: ${own} ${lost?.[0]?.[own]} is of no ${of}`);
    }
  }
  const others = new Map([...files].filter(([name]) => name.startsWith("belege/")));
  return { tables, faults, others };
}
