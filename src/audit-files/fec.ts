/**
 * FEC, the file of accounting entries that French law requires at an audit.
 *
 * It has a row for each posting of a financial year, without the entries that close revenue and
 * expense; opening balances come first, then the entries in the order of posting. Numbers run
 * without gaps in each journal.
 *
 * @source Livre des procédures fiscales, article A. 47 A-1
 */

import { addDays, type DateRange, financialYear } from "../ledger/dates/calendar.ts";
import { regionAt } from "../ledger/regions/index.ts";
import { passesLuhn } from "../resources/common.ts";
import { writeDecimal } from "../resources/decimal.ts";
import { UsageError } from "../resources/errors.ts";
import type { Organisation } from "../resources/organisation.ts";
import { type AccountMap, type MappedAccount, type NumberRule, numbersOf } from "./account-map.ts";
import type { AuditFile } from "./audit-file.ts";
import type { Charset } from "./charset.ts";
import { isControl, type Lettering, letteringOf } from "./fec-lettering.ts";
import { toOneLine } from "./journal-format.ts";
import { LackError } from "./lack.ts";
import type { DayBook, EntryLine, Foreign } from "./ledger/entry.ts";
import { type Ledger, type LedgerAccount, openingsOf, type Party } from "./ledger/read-ledger.ts";
import { type SplitLine, taxSplitter } from "./tax-accounts.ts";

export interface FecOptions {
  readonly siren?: string | undefined;
  readonly accountMap?: AccountMap | undefined;
  readonly encoding?: Charset | undefined;
}

/** A posting with the facts of its entry, as one row. */
interface FecRow {
  readonly journal: keyof typeof journals;
  readonly entryNumber: string;
  readonly date: string;
  readonly account: MappedAccount & { readonly name: string };
  readonly party: Party | undefined;
  readonly piece: { readonly number: string; readonly date: string };
  readonly text: string;
  /** Amount in cents, debit positive. */
  readonly amount: number;
  readonly foreign: Foreign | undefined;
  readonly posted: string;
  readonly lettering?: Lettering | undefined;
}

const journals = {
  opening: ["AN", "A nouveaux"],
  sales: ["VE", "Ventes"],
  purchases: ["AC", "Achats"],
  bank: ["BQ", "Banque"],
  payroll: ["PA", "Paie"],
  general: ["OD", "Opérations diverses"],
} as const satisfies Record<DayBook | "opening", readonly [code: string, name: string]>;

/**
 * The eighteen columns in the order of the law; in a pair, both columns are filled or both are
 * empty.
 */
const columns = {
  JournalCode: ({ journal }) => journals[journal][0],
  JournalLib: ({ journal }) => journals[journal][1],
  EcritureNum: ({ entryNumber }) => entryNumber,
  EcritureDate: ({ date }) => day(date),
  CompteNum: ({ account }) => account.number,
  CompteLib: ({ account }) => account.label ?? account.name,
  CompAuxNum: ({ party }) => party?.number ?? "",
  CompAuxLib: ({ party }) => party?.name ?? "",
  PieceRef: ({ piece }) => piece.number,
  PieceDate: ({ piece }) => day(piece.date),
  EcritureLib: ({ text }) => text,
  Debit: ({ amount }) => figure(Math.max(amount, 0)),
  Credit: ({ amount }) => figure(Math.max(-amount, 0)),
  EcritureLet: ({ lettering }) => lettering?.code ?? "",
  DateLet: ({ lettering }) => (lettering === undefined ? "" : day(lettering.date)),
  ValidDate: ({ posted }) => day(posted),
  Montantdevise: ({ foreign }) => (foreign === undefined ? "" : figure(foreign.amount)),
  Idevise: ({ foreign }) => foreign?.currency ?? "",
} as const satisfies Readonly<Record<string, (row: FecRow) => string>>;

const cells: readonly ((row: FecRow) => string)[] = Object.values(columns);

/** Formats a date: `20261231`. */
const day = (date: string) => date.replaceAll("-", "");
/** Formats an amount: `-1234,56`. */
const figure = (cents: number) => writeDecimal(cents, 2).replace(".", ",");

/** Classes of the plan comptable by class of account. */
const classes = {
  assets: "2345",
  liabilities: "145",
  equity: "1",
  revenues: "7",
  expenses: "6",
} as const satisfies Record<LedgerAccount["root"], string>;

const planComptable: NumberRule = {
  chart: "of the plan comptable",
  pattern: /^[1-8]\d{2}[0-9A-Za-z]*$/,
  form: "three digits or more, the first of them its class",
  fits: ([first = ""], { root }) => classes[root].includes(first),
};

export function fecFile(
  organisation: Organisation,
  period: DateRange,
  { siren: given, accountMap, encoding = "utf-8" }: FecOptions,
): AuditFile {
  const siren = sirenOf(organisation, given);
  checkYear(organisation, period);
  return {
    name: `${siren}FEC${day(period.to)}.txt`,
    charset: encoding,
    prepare: (ledger) => {
      checkStart(ledger);
      const numberByAccount = numbersOf(ledger, accountMap, planComptable);
      return { text: () => rowsOf(ledger, numberByAccount, accountMap === undefined) };
    },
  };
}

/** Finds the nine-digit SIREN of the company. @throws UsageError `NoSiren`, `BadSiren` */
function sirenOf({ RegistrationNumber = "" }: Organisation, number: string | undefined): string {
  const digits = (number ?? RegistrationNumber).replace(/[\s.]/g, "");
  if (number === undefined && !/^\d{9}(\d{5})?$/.test(digits)) {
    throw new LackError(
      "NoSiren",
      ({ option, bookField: kept }) =>
        "A FEC is named by the SIREN of the company, which the book does not know: give its nine digits " +
        `as ${option("siren")}, or keep them with ${kept("organisation update --registration-number", "RegistrationNumber of the organisation")}.`,
    );
  }
  // The first nine digits of a SIRET are the SIREN.
  const siren = digits.slice(0, 9);
  if (!/^\d{9}(\d{5})?$/.test(digits) || !passesLuhn(siren)) {
    throw new UsageError(
      "BadSiren",
      `${number ?? RegistrationNumber} is no SIREN: nine digits, the last of which checks the others.`,
    );
  }
  return siren;
}

/** Checks that the period is within one financial year. @throws UsageError `NotOneYear` */
function checkYear(
  { FinancialYearEndDay, FinancialYearEndMonth }: Organisation,
  { from, to }: DateRange,
): void {
  const year = financialYear(from, FinancialYearEndDay, FinancialYearEndMonth);
  if (to <= year.to) return;
  const next = financialYear(addDays(year.to, 1), FinancialYearEndDay, FinancialYearEndMonth);
  throw new UsageError(
    "NotOneYear",
    `A FEC holds one financial year, and ${from} to ${to} is more than that: ask for ${year.from}..${year.to}, then for ${next.from}..${next.to}.`,
  );
}

/**
 * Checks that no entries of the financial year precede the period.
 *
 * @throws UsageError `NotOneYear`
 */
function checkStart({ accounts, period, yearStart }: Ledger): void {
  const isLate = [...accounts.values()].some((each) => each.isProfitAndLoss && each.opening !== 0);
  if (!isLate) return;
  throw new UsageError(
    "NotOneYear",
    `A FEC begins with its financial year: the one that ${period.from} lies in has entries since ${yearStart}. Ask for ${yearStart}..${period.to}.`,
  );
}

/** @param isOwnChart  whether the book has the plan comptable, whose tax accounts are used */
function* rowsOf(
  ledger: Ledger,
  numberByAccount: ReadonlyMap<string, MappedAccount>,
  isOwnChart: boolean,
): Generator<string> {
  yield line(Object.keys(columns));
  const account = (id: string) => {
    const numbered = numberByAccount.get(id);
    if (numbered === undefined) throw new Error(`Account ${id} has moved and bears no number.`);
    return { ...numbered, name: ledger.accounts.get(id)?.name ?? "" };
  };
  const { taxAccounts = {} } = regionAt(ledger.organisation.CountryCode);
  const taxAccount = (number: string | undefined) =>
    number === undefined
      ? undefined
      : { number, label: undefined, automatic: undefined, name: taxAccounts[number] ?? "" };
  const { from } = ledger.period;
  const opening = { number: `AN${from.slice(0, 4)}`, date: from };
  for (const {
    account: { id },
    party,
    amount,
  } of openingsOf(ledger)) {
    yield fecLine({
      journal: "opening",
      entryNumber: "AN1",
      date: from,
      account: account(id),
      party,
      piece: opening,
      text: "A nouveaux",
      amount,
      foreign: undefined,
      posted: from,
    });
  }
  const letters = letteringOf(ledger);
  const split: (lines: readonly EntryLine[]) => readonly SplitLine[] = isOwnChart
    ? taxSplitter(ledger)
    : (lines) => lines;
  const countByDayBook = new Map<DayBook, number>();
  for (const entry of ledger.entries()) {
    const { dayBook } = entry;
    const count = (countByDayBook.get(dayBook) ?? 0) + 1;
    countByDayBook.set(dayBook, count);
    const party = ledger.parties.get(entry.contact ?? "");
    const lettering = letters(entry);
    for (const entryLine of split(entry.lines)) {
      const isOfParty = isControl(ledger, entryLine.account);
      yield fecLine({
        journal: dayBook,
        entryNumber: `${journals[dayBook][0]}${count}`,
        date: entry.date,
        account: taxAccount(entryLine.taxAccount) ?? account(entryLine.account),
        party: isOfParty ? party : undefined,
        piece: entry.document,
        text: entryLine.description || entry.text,
        amount: entryLine.amount,
        foreign: entryLine.foreign,
        posted: entry.posted,
        lettering: isOfParty ? lettering : undefined,
      });
    }
  }
}

function fecLine(written: FecRow): string {
  return line(cells.map((cell) => toOneLine(cell(written))));
}

function line(cellTexts: readonly string[]): string {
  return `${cellTexts.join("\t")}\r\n`;
}
