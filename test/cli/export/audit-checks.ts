/** One book in every format, each held against the ledger. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Json, World } from "../../service/fixture.ts";
import {
  accountMap,
  acct,
  balanced,
  cents,
  datevPostings,
  expectBalances,
  expectLedger,
  folder,
  type Held,
  held,
  type Period,
  readDatev,
  readFec,
  readGobd,
  readSaft,
  type Told,
} from "./audit.ts";

/** The company says of itself what SAF-T asks for. */
export async function describeCompany(given: World): Promise<void> {
  const ran = await acct(
    given,
    "organisation",
    "update",
    ...["--address", "street=1 Rue du Lac,city=Annecy,postcode=74000"],
    ...["--registration-number", "732 829 320"],
  );
  expect([ran.code, ran.stderr]).toEqual([0, expect.anything()]);
}

let files = 0;

async function exported(given: World, period: Period, ...words: string[]): Promise<string> {
  files += 1;
  const path = join(folder, `file-${files}`);
  const days = ["--from", period.from, "--to", period.to];
  const ran = await acct(given, "export", ...words, ...days, "--output-file", path);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/Wrote \d+ journals?/)]);
  return path;
}

/** Everything that a year's files have to fulfil. @returns how many postings were compared */
export async function checkYear(given: World, period: Period): Promise<number> {
  const ledger = await held(given, period);
  const opening = await openingOf(given, period);
  await checkSaft(given, period, ledger, opening);
  await checkGobd(given, period, ledger, opening);
  await checkFec(given, period, ledger);
  await checkDatev(given, period, ledger);
  return ledger.journals.flatMap((each) => each.JournalLines).length;
}

/** Balances at the beginning, by AccountID: what a trial balance of the day before has, closed. */
async function openingOf(given: World, { from, to }: Period): Promise<ReadonlyMap<string, number>> {
  const { trialBalance, journals } = await held(given, { from, to });
  const sums = new Map(trialBalance);
  for (const { JournalLines } of journals) {
    for (const { AccountID, NetAmount } of JournalLines) {
      sums.set(AccountID, (sums.get(AccountID) ?? 0) - Math.round(NetAmount * 100));
    }
  }
  return sums;
}

async function checkSaft(
  given: World,
  period: Period,
  ledger: Held,
  opening: ReadonlyMap<string, number>,
): Promise<void> {
  const words = ["saft", "--country", "LU", "--contact-person", "Ana Lopes"];
  const file = readSaft(readFileSync(await exported(given, period, ...words), "utf8"));
  expect(file.faults).toEqual([]);
  balanced(file.postings);
  const idOf = new Map(ledger.chart.map((each) => [each.Code ?? each.AccountID, each.AccountID]));
  const byId = (balances: ReadonlyMap<string, number>) =>
    new Map([...balances].map(([code, amount]) => [idOf.get(code) as string, amount]));
  const told = file.postings.map((each) => ({
    ...each,
    account: idOf.get(each.account) as string,
  }));
  expectLedger(ledger, told, byId(file.opening));
  expectBalances(ledger.trialBalance, [], byId(file.closing));
  expectBalances(opening, [], byId(file.opening));
}

async function checkGobd(
  given: World,
  period: Period,
  ledger: Held,
  opening: ReadonlyMap<string, number>,
): Promise<void> {
  const { tables, faults } = readGobd(await exported(given, period, "gobd"));
  expect(faults).toEqual([]);
  const idOf = new Map(ledger.chart.map((each) => [each.Code ?? each.AccountID, each.AccountID]));
  const told = (tables.Buchungen?.rows ?? []).map(
    (row): Told => ({
      entry: row.Buchungsnummer ?? "",
      account: idOf.get(row.Konto ?? "") as string,
      amount: cents(row.Soll ?? "") - cents(row.Haben ?? ""),
    }),
  );
  balanced(told);
  const balances = (column: string) =>
    new Map(
      (tables.Sachkonten?.rows ?? []).map((row) => [
        idOf.get(row.Konto ?? "") as string,
        cents(row[column] ?? ""),
      ]),
    );
  expectLedger(ledger, told, balances("Anfangssaldo"));
  expectBalances(ledger.trialBalance, [], balances("Endsaldo"));
  expectBalances(opening, [], balances("Anfangssaldo"));
}

async function checkFec(given: World, period: Period, ledger: Held): Promise<void> {
  const classes: Readonly<Record<string, string>> = {
    ASSET: "2",
    LIABILITY: "4",
    EQUITY: "1",
    REVENUE: "7",
    EXPENSE: "6",
  };
  const { path, ids } = accountMap(
    ledger,
    "pcg",
    (each, at) => `${classes[each.Class]}${String(10_000 + at)}`,
  );
  const file = await exported(given, period, "fec", "--account-map", path);
  const { rows, faults } = readFec(readFileSync(file, "utf8"));
  expect(faults).toEqual([]);
  const told = rows.map(
    (row): Told => ({
      entry: row.EcritureNum ?? "",
      account: ids.get(row.CompteNum ?? "") as string,
      amount: cents(row.Debit ?? "") - cents(row.Credit ?? ""),
    }),
  );
  const openings = new Map<string, number>();
  for (const { account, amount } of told.filter(({ entry }) => entry === "AN1")) {
    openings.set(account, (openings.get(account) ?? 0) + amount);
  }
  // The entries come in the order of the journals.
  const numbers = [...new Set(told.map(({ entry }) => entry))].filter((each) => each !== "AN1");
  const journals = ledger.journals.map(({ JournalNumber }) => String(JournalNumber));
  expect(numbers).toHaveLength(journals.length);
  const journalOf = new Map(numbers.map((each, at) => [each, journals[at] as string]));
  const posted = told
    .filter(({ entry }) => entry !== "AN1")
    .map((each) => ({ ...each, entry: journalOf.get(each.entry) as string }));
  expectLedger(ledger, posted, openings);
  checkParties(ledger, rows);
}

/** Of the accounts that documents are owed on every row of a document names its contact. */
function checkParties({ chart }: Held, rows: readonly Readonly<Record<string, string>>[]): void {
  const names = new Set(
    chart
      .filter(({ SystemAccount }) => ["DEBTORS", "CREDITORS"].includes(SystemAccount))
      .map(({ Name }) => Name),
  );
  for (const row of rows) {
    if (!names.has(row.CompteLib)) expect(row.CompAuxNum).toBe("");
  }
}

async function checkDatev(given: World, period: Period, ledger: Held): Promise<void> {
  const { path, ids } = accountMap(ledger, "skr", (_, at) => String(1000 + at));
  const rates: Json[] = (await given.ok("GET", "/TaxRates")).TaxRates;
  const numberOf = new Map([...ids].map(([number, id]) => [id, number]));
  const taxAccount = ledger.chart.find(({ SystemAccount }) => SystemAccount === "GST");
  const account = numberOf.get(taxAccount.AccountID) as string;
  const keys = rates.map(({ TaxType, EffectiveRate: rate }, at) => ({
    TaxType,
    key: String(100 + at),
    rate,
  }));
  const required = ["--consultant", "29098", "--client", "55003", "--account-map", path];
  for (const given_ of [[], keys]) {
    const words = given_.flatMap(({ TaxType, key }) => ["--tax-key", `${TaxType}=${key}`]);
    const bytes = readFileSync(
      await exported(given, period, "datev", "--opening", ...required, ...words),
    );
    const file = readDatev(bytes);
    expect(file.faults).toEqual([]);
    const known = Object.fromEntries(given_.map(({ key, rate }) => [key, { rate, account }]));
    const told = datevPostings(file, known).map((each) => ({
      ...each,
      account: ids.get(each.account) ?? each.account,
    }));
    balanced(told);
    const entries = told.filter(({ entry }) => entry !== "opening");
    const net = (postings: readonly Told[]) => {
      const sums = new Map<string, number>();
      for (const { entry, account: own, amount } of postings) {
        const key = `${entry} ${own}`;
        sums.set(key, (sums.get(key) ?? 0) + amount);
      }
      return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort());
    };
    // An entry moves what its journal moves: rows split its postings, and sum up to them.
    const journals = ledger.journals.flatMap((journal) =>
      journal.JournalLines.map((each: Json) => ({
        entry: String(journal.JournalNumber),
        account: each.AccountID,
        amount: Math.round(each.NetAmount * 100),
      })),
    );
    expect(net(entries)).toEqual(net(journals));
    expectBalances(
      ledger.trialBalance,
      told.filter(({ account: own }) => own !== "9000"),
      new Map(),
    );
    if (given_.length > 0 && journals.length > 50) {
      expect(
        file.rows.filter((row) => !['""', '"40"'].includes(row[8] ?? "")).length,
      ).toBeGreaterThan(0);
    }
  }
}
