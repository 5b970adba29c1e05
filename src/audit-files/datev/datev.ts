/**
 * Creates DATEV's posting batch (Buchungsstapel), which German tax advisers import into their
 * bookkeeping.
 *
 * @source DATEV developer portal, DATEV-Format, header and Buchungsstapel
 */
import { addDays, type DateRange, financialYear } from "../../ledger/dates/calendar.ts";
import { percentOf } from "../../ledger/money.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import type { TaxRateSeed } from "../../ledger/regions/region.ts";
import { isReverse } from "../../ledger/tax.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { quotedCell } from "../../wire/csv.ts";
import { type AccountMap, type MappedAccount, numbersOf } from "../account-map.ts";
import type { AuditFile } from "../audit-file.ts";
import { cutText } from "../journal-format.ts";
import { LackError, type Wording } from "../lack.ts";
import type { Entry } from "../ledger/entry.ts";
import {
  controlledBy,
  isMoved,
  type Ledger,
  openingsOf,
  type Party,
} from "../ledger/read-ledger.ts";
import { type SplitLine, taxSplitter } from "../tax-accounts.ts";
import { columnNames, type FilledColumn, filledColumns, isText } from "./batch-columns.ts";
import { type DatevRow, type KeyedTax, type Leg, rowsOf } from "./datev-rows.ts";
import { skrAccount, usualTaxKeys } from "./skr.ts";

export interface DatevOptions {
  readonly consultant?: number | undefined;
  readonly client?: number | undefined;
  readonly accountLength?: number | undefined;
  /** Chart of accounts of the numbers: `03` or `04` (SKR); `04` in a German book without a map. */
  readonly chart?: string | undefined;
  readonly accountMap?: AccountMap | undefined;
  /** Tax keys by TaxType: `OUTPUT=3`. */
  readonly taxKey?: readonly string[] | undefined;
  readonly personalAccounts?: boolean | undefined;
  readonly opening?: boolean | undefined;
}

export interface DatevFacts {
  readonly organisation: Organisation;
  readonly period: DateRange;
  /** 24 */
  readonly now: number;
  /** Tax rates by TaxType. */
  readonly rates: ReadonlyMap<string, TaxRate>;
}

/**
 * Creates the posting batch of a period. In a German book the codes are numbers of SKR04, and tax
 * is on the accounts of its kind, with DATEV's keys.
 *
 * @throws UsageError `NoConsultant`, `NotOneYear`, `BadTaxKey`
 */
export function datev(datevFacts: DatevFacts, asked: DatevOptions): AuditFile {
  const { period, rates, organisation } = datevFacts;
  const { accountLength = 4, accountMap: map } = asked;
  const isGerman = organisation.CountryCode === "DE";
  const chart = asked.chart ?? (isGerman && map === undefined ? "04" : undefined);
  const options = { ...asked, chart };
  const header = batchHeader(datevFacts, options, accountLength);
  const skr = isGerman && (chart === "03" || chart === "04") ? chart : undefined;
  const own = keysOf(asked.taxKey ?? [], rates);
  const keys = new Map([...(skr === undefined ? [] : usualTaxKeys()), ...own]);
  return {
    name: `EXTF_Buchungsstapel_${day(period.from)}_${day(period.to)}.csv`,
    charset: "windows-1252",
    prepare: (ledger) => {
      const batch = new Batch(ledger, { keys, rates, options, accountLength, map, skr });
      return { text: () => linesOf(header, batch) };
    },
  };
}

const day = (date: string) => date.replaceAll("-", "");

// --- the header -------------------------------------------------------------------------------

function batchHeader(
  { organisation, period, now }: DatevFacts,
  { consultant, client, chart, accountMap }: DatevOptions,
  accountLength: number,
): string {
  const missingOf = ({ option }: Wording) => [
    ...(accountMap === undefined && chart === undefined
      ? [
          `${option("accountMap")}, the numbers of the accounts in DATEV's chart, or ${option("chart")} 03 or 04 where the book has them for codes`,
        ]
      : []),
    ...(consultant === undefined
      ? [`${option("consultant")}, the number of the tax adviser (Beraternummer)`]
      : []),
    ...(client === undefined
      ? [`${option("client")}, the number that the adviser has given the company (Mandantennummer)`]
      : []),
  ];
  if (consultant === undefined || client === undefined || (accountMap ?? chart) === undefined) {
    throw new LackError(
      "NoConsultant",
      (wording) => `DATEV needs what the book does not know: ${missingOf(wording).join("; ")}.`,
    );
  }
  const { FinancialYearEndDay, FinancialYearEndMonth, BaseCurrency, PeriodLockDate } = organisation;
  const year = financialYear(period.from, FinancialYearEndDay, FinancialYearEndMonth);
  if (period.to > year.to) {
    throw new UsageError(
      "NotOneYear",
      `The dates of a posting batch have no year, so that it lies in one financial year: ask for ${period.from}..${year.to}, then for ${addDays(year.to, 1)}..${period.to}.`,
    );
  }
  const created = new Date(now).toISOString().replace(/\D/g, "").slice(0, 17);
  return [
    ...[quotedCell("EXTF"), "700", "21", quotedCell("Buchungsstapel"), "13", created, ""],
    ...[quotedCell("RE"), quotedCell("acct"), quotedCell("")],
    ...[String(consultant), String(client), day(year.from), String(accountLength)],
    ...[day(period.from), day(period.to), quotedCell("Buchungsstapel"), quotedCell("")],
    // Accounting type 1 (financial accounting), purpose 0 (any), final (1) if the period is locked.
    ...[
      "1",
      "0",
      finalText(PeriodLockDate, period),
      quotedCell(BaseCurrency),
      "",
      quotedCell(""),
      "",
      "",
    ],
    ...[quotedCell(chart ?? ""), "", "", quotedCell(""), quotedCell("")],
  ].join(";");
}

/** `1` if the period is locked, and else `0`. */
const finalText = (lockDate: string | undefined, { to }: DateRange): string =>
  lockDate !== undefined && lockDate >= to ? "1" : "0";

/** Parses the tax keys by TaxType. @throws UsageError `BadTaxKey` */
function keysOf(
  taxTypes: readonly string[],
  rates: ReadonlyMap<string, TaxRate>,
): ReadonlyMap<string, string> {
  return new Map(
    taxTypes.map((taxType) => {
      const [, type = "", key = ""] = /^(.+)=(\d{1,4})$/.exec(taxType.trim()) ?? [];
      if (rates.has(type)) return [type, key];
      const why = type === "" ? "is no TaxType=KEY, such as OUTPUT=3" : "names no tax of the book";
      throw new LackError("BadTaxKey", ({ option }) => `${option("taxKey")} ${taxType} ${why}.`);
    }),
  );
}

// --- the rows ---------------------------------------------------------------------------------

interface BatchFacts {
  readonly keys: ReadonlyMap<string, string>;
  readonly rates: ReadonlyMap<string, TaxRate>;
  readonly options: DatevOptions;
  readonly accountLength: number;
  readonly map: AccountMap | undefined;
  /** Chart that the codes of a German book lead to; undefined for numbers of a map alone. */
  readonly skr: string | undefined;
}

/** Writes the entries of a ledger as rows of the batch. */
class Batch {
  readonly #ledger: Ledger;
  readonly #facts: BatchFacts;
  readonly #numbers: ReadonlyMap<string, MappedAccount>;
  /** The tax types of a German book. */
  readonly #taxTypes: ReadonlyMap<string, TaxRateSeed>;

  /**
   * Checks accounts and contacts of the ledger.
   *
   * @throws UsageError `NoAccountNumber`, `BadAccountMap`, `NoPersonalAccount`
   */
  constructor(ledger: Ledger, batchFacts: BatchFacts) {
    this.#ledger = ledger;
    this.#facts = batchFacts;
    const { accountLength, map, skr } = batchFacts;
    this.#numbers = numbersOf(ledger, map, {
      chart: `of DATEV with ${accountLength} digits`,
      pattern: new RegExp(`^(?=.*[1-9])\\d{1,${accountLength}}$`),
      form: `up to ${accountLength} digits`,
      usual: skr === undefined ? undefined : (code) => this.#skrAccount(code),
    });
    const { taxRates } = regionAt(ledger.organisation.CountryCode);
    this.#taxTypes = new Map(
      skr === undefined ? [] : taxRates().map((seed) => [seed.taxType, seed]),
    );
    if (batchFacts.options.personalAccounts === true) checkPersonal(ledger, accountLength);
  }

  get currency(): string {
    return this.#ledger.organisation.BaseCurrency;
  }

  get isFinal(): string {
    return finalText(this.#ledger.organisation.PeriodLockDate, this.#ledger.period);
  }

  /** The account that a code of SKR04 leads to, with the digits of the client's accounts. */
  #skrAccount(code: string): MappedAccount | undefined {
    const { skr = "", accountLength } = this.#facts;
    const account = skrAccount(skr, code);
    return account && { ...account, number: account.number.padEnd(accountLength, "0") };
  }

  *rows(): Generator<{ readonly row: DatevRow; readonly entry: RowEntry }> {
    yield* this.#openings();
    const split = this.#facts.skr === undefined ? undefined : taxSplitter(this.#ledger);
    for (const entry of this.#ledger.entries()) {
      const lines: readonly SplitLine[] = split?.(entry.lines) ?? entry.lines;
      for (const row of rowsOf(lines.map((line) => this.#legOf(line, entry)))) {
        yield { row, entry: rowEntry(entry) };
      }
    }
  }

  *#openings(): Generator<{ readonly row: DatevRow; readonly entry: RowEntry }> {
    const { options, accountLength } = this.#facts;
    if (options.opening !== true) return;
    const { from } = this.#ledger.period;
    const entry = { date: from, document: `EB${from.slice(0, 4)}`, journal: "" };
    const brought = "9".padEnd(accountLength, "0");
    for (const { account, party, amount } of openingsOf(this.#ledger)) {
      const row = {
        amount: Math.abs(amount),
        side: amount > 0 ? ("S" as const) : ("H" as const),
        account: this.#numberOf(account.id, party),
        contra: brought,
        taxKey: this.#numbers.get(account.id)?.automatic === undefined ? "" : "40",
        text: party === undefined ? "EB-Wert" : `EB-Wert ${party.name}`,
        costCentres: [],
      };
      yield { row, entry };
    }
  }

  #legOf(line: SplitLine, entry: Entry): Leg {
    const party = this.#ledger.parties.get(entry.contact ?? "");
    const { number, automatic } = this.#accountOf(line, party);
    const { taxType = "" } = line;
    const key = this.#facts.keys.get(taxType);
    const isOwn = automatic !== undefined && (automatic === key || automatic === taxType);
    return {
      account: number,
      amount: line.amount,
      text: line.description || entry.text,
      costCentres: line.tracking.map(({ option }) => option),
      automatic: automatic === undefined ? undefined : isOwn ? "own" : "other",
      tax: key === undefined && !isOwn ? undefined : this.#taxOf(line, key ?? ""),
      isTaxAccount: this.#ledger.accounts.get(line.account)?.system === "GST",
      euNumber: this.#taxTypes.get(taxType)?.toUnion ? party?.taxNumber : undefined,
    };
  }

  /** The tax of a line, as DATEV posts it by a key. */
  #taxOf({ taxType = "", amount, taxAmount }: SplitLine, key: string): KeyedTax | undefined {
    const taxRate = this.#facts.rates.get(taxType);
    if (taxRate === undefined) return undefined;
    const { collected, deducted } = this.#taxTypes.get(taxType)?.taxAccounts ?? {};
    const account = this.#taxAccount(collected ?? deducted);
    const { EffectiveRate, DisplayTaxRate: rate } = taxRate;
    if (!isReverse(taxRate)) return { key, rate: EffectiveRate, amount: taxAmount, account };
    if (taxAmount !== 0) return { key, rate, amount: taxAmount, account, deducted: "line" };
    return {
      key,
      rate,
      amount: percentOf(amount, rate),
      account,
      deducted: this.#taxAccount(deducted),
    };
  }

  /** @param number  in SKR04; the one tax account of the book where undefined */
  #taxAccount(number: string | undefined): string {
    if (number !== undefined) return this.#skrAccount(number)?.number ?? number;
    const tax = this.#ledger.accounts.values().find(({ system }) => system === "GST");
    return this.#numbers.get(tax?.id ?? "")?.number ?? "";
  }

  #accountOf(
    { account, taxAccount }: SplitLine,
    party: Party | undefined,
  ): Pick<MappedAccount, "number" | "automatic"> {
    const split = taxAccount === undefined ? undefined : this.#skrAccount(taxAccount);
    if (split !== undefined) return split;
    return {
      number: this.#numberOf(account, party),
      automatic: this.#numbers.get(account)?.automatic,
    };
  }

  #numberOf(id: string, party: Party | undefined): string {
    const isControl = controlledBy(this.#ledger.accounts.get(id)?.system) !== undefined;
    if (this.#facts.options.personalAccounts === true && isControl && party !== undefined) {
      return party.accountNumber ?? "";
    }
    return this.#numbers.get(id)?.number ?? "";
  }
}

/** Facts of an entry that each of its rows repeats. */
interface RowEntry {
  readonly date: string;
  readonly document: string;
  /** Number of the journal. */
  readonly journal: string;
  /** Day of supply that its document states. */
  readonly supplied?: string | undefined;
}

function rowEntry({ date, document, number, supplied }: Entry): RowEntry {
  return { date, document: document.number, journal: String(number), supplied };
}

/**
 * Checks that every contact has a personal account number.
 *
 * @throws UsageError `NoPersonalAccount` with all contacts that have none
 */
function checkPersonal({ parties }: Ledger, accountLength: number): void {
  const pattern = new RegExp(`^[1-9]\\d{${accountLength}}$`);
  const lacking = [...parties.values()].filter(
    ({ movements, accountNumber = "" }) =>
      Object.values(movements).some(isMoved) && !pattern.test(accountNumber),
  );
  if (lacking.length === 0) return;
  throw new LackError(
    "NoPersonalAccount",
    ({ option, bookField: kept }) =>
      `The account number of ${lacking.map(({ name }) => name).join(", ")} is no personal account of ${accountLength + 1} digits: ` +
      `set it with ${kept("contact update NAME --account-number 10001", "AccountNumber of the contact")}, or leave out ${option("personalAccounts")}.`,
  );
}

const amountMax = 999_999_999_999;

type DatevCell = (
  row: DatevRow,
  entry: RowEntry,
  batch: { readonly currency: string; readonly isFinal: string },
) => string;

const cells = {
  amount: ({ amount }) => germanAmount(amount),
  side: ({ side }) => side,
  currency: (_, __, { currency }) => currency,
  account: ({ account }) => account,
  contra: ({ contra }) => contra,
  taxKey: ({ taxKey }) => taxKey,
  date: (_, { date }) => `${date.slice(8, 10)}${date.slice(5, 7)}`,
  document: (_, { document }) => document.replace(/[^A-Za-z0-9$&%*+\-/]/g, "").slice(0, 36),
  text: ({ text }) => cutText(text, 60),
  costCentre1: ({ costCentres: [first = ""] }) => costCentre(first),
  costCentre2: ({ costCentres: [, second = ""] }) => costCentre(second),
  euNumber: ({ euNumber = "" }) => euNumber.replace(/[^A-Za-z0-9]/g, "").slice(0, 15),
  infoKind: (_, { journal }) => (journal === "" ? "" : "Journal"),
  info: (_, { journal }) => journal,
  isFinal: (_, __, batch) => batch.isFinal,
  supplied: (_, { supplied = "" }) => longDay(supplied),
  // DATEV reads a day of supply only beside the day that decides the tax period.
  taxDay: (_, { supplied, date }) => (supplied === undefined ? "" : longDay(date)),
} as const satisfies Record<FilledColumn, DatevCell>;

/** Formats a date: `31122026`. */
const longDay = (date: string) => date.split("-").reverse().join("");

/** Functions that write the cells, by column; undefined for columns that stay empty. */
const cellAt: readonly (DatevCell | undefined)[] = columnNames.map((name) => {
  const key = Object.entries(filledColumns).find(([, each]) => each === name)?.[0];
  return key === undefined ? undefined : cells[key as FilledColumn];
});

/** Writes an amount with a decimal comma. @throws RefusedError `AmountTooLarge` */
function germanAmount(cents: number): string {
  if (cents <= amountMax) return writeDecimal(cents, 2).replace(".", ",");
  throw new RefusedError(
    "AmountTooLarge",
    `DATEV takes amounts up to ${writeDecimal(amountMax, 2)}, and a posting is of ${writeDecimal(cents, 2)}.`,
  );
}

/** Reduces the name of a tracking option to letters, digits and spaces. */
function costCentre(option: string): string {
  return cutText(option.replace(/[^\p{L}\p{Nd}_ ]+/gu, " "), 36);
}

function* linesOf(header: string, batch: Batch): Generator<string> {
  yield `${header}\r\n`;
  yield `${columnNames.join(";")}\r\n`;
  for (const { row, entry } of batch.rows()) {
    const line = cellAt.map((cell, at) => {
      const text = cell === undefined ? "" : cell(row, entry, batch);
      return isText[at] === true ? quotedCell(text) : text;
    });
    yield `${line.join(";")}\r\n`;
  }
}
