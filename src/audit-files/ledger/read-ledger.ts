/**
 * Reads the ledger of a period with the opening balances of its accounts.
 *
 * Audit files begin with totals and balances, before the entries. So all journals are read once and
 * totalled, and the entries of the period are kept in a temporary file, from which formats read
 * them as often as needed. Memory use grows only with the number of accounts and contacts.
 *
 * Journals are read in the order of their numbers, which is the order of posting.
 */

import { type DateRange, financialYear } from "../../ledger/dates/calendar.ts";
import { localDay } from "../../ledger/dates/timezones.ts";
import { ScratchLines } from "../../platform/scratch-file.ts";
import { account as accountResource } from "../../resources/account.ts";
import { contact as contactResource } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UnavailableError } from "../../resources/errors.ts";
import {
  type Journal,
  type JournalLine,
  journal as journalResource,
} from "../../resources/journal.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { compareText } from "../../wire/fold.ts";
import { type AccountPath, accountPathOf, type NamedAccount } from "../account-tree.ts";
import type { AuditFacts } from "../audit-source.ts";
import { toOneLine } from "../journal-format.ts";
import { type Entry, type EntryLine, originOf, type Side } from "./entry.ts";
import { type JournalSource, Sources } from "./sources.ts";

/** Opening balance, debits and credits of an account or contact, in cents of base currency. */
export interface Movement {
  /** Opening balance, debit positive. */
  opening: number;
  debit: number;
  credit: number;
}

export interface LedgerAccount extends NamedAccount, Movement {
  /**
   * Marker of a system account that the service posts to: `DEBTORS`, `GST`; undefined for others.
   */
  readonly system: string | undefined;
  readonly currency: string | undefined;
  /** Class of the account in the financial statements. */
  readonly root: AccountPath["root"];
  /**
   * Whether the account is of profit and loss, so that its balance ends with the financial year.
   */
  readonly isProfitAndLoss: boolean;
}

export interface Party {
  readonly id: string;
  readonly name: string;
  /**
   * Unique code of the contact, the first there is of ContactNumber, AccountNumber and ContactID.
   */
  readonly number: string;
  readonly accountNumber: string | undefined;
  readonly taxNumber: string | undefined;
  /** Movements of the contact on the receivable and payable control accounts. */
  readonly movements: Readonly<Record<Side, Movement>>;
  /** Sides, customer or supplier, on which the contact has entries in the period. */
  readonly sides: Set<Side>;
}

export interface Ledger {
  readonly organisation: Organisation;
  readonly period: DateRange;
  /** First day of the financial year in which the period begins, `YYYY-MM-DD`. */
  readonly yearStart: string;
  /** Accounts by AccountID, in the order of their codes. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  readonly byCode: ReadonlyMap<string, LedgerAccount>;
  /** Control accounts of receivables and payables. */
  readonly controls: Readonly<Record<Side, LedgerAccount | undefined>>;
  /** Contacts by ContactID. */
  readonly parties: ReadonlyMap<string, Party>;
  /** Number of entries in the period. */
  readonly entryCount: number;
  readonly lineCount: number;
  readonly debit: number;
  readonly credit: number;
  /** TaxTypes on lines of the period; the next is the tracking options, by category. */
  readonly taxTypes: ReadonlySet<string>;
  readonly tracking: ReadonlyMap<string, ReadonlySet<string>>;
  /** Entries of the period, in the order of their numbers. */
  entries(): Iterable<Entry>;
  remove(): void;
}

export type LedgerQuery = Pick<AuditFacts, "source" | "bounds" | "organisation" | "period">;

/** Number of journals whose source documents are looked up in one batch. */
const chunkSize = 200;

/** Reads the ledger of a period. @throws UnavailableError `NoRetainedEarnings`, `UnknownType` */
export async function readLedger(query: LedgerQuery): Promise<Ledger> {
  const { source, organisation, period } = query;
  const { FinancialYearEndDay: day, FinancialYearEndMonth: month } = organisation;
  const books = new LedgerBooks(query, financialYear(period.from, day, month).from);
  try {
    await books.readChart();
    await books.readParties();
    let chunk: Journal[] = [];
    const parameters = { paymentsOnly: "false" };
    for await (const record of source.list(journalResource, { parameters })) {
      if (record.JournalDate > period.to) continue;
      chunk.push(record);
      if (chunk.length < chunkSize) continue;
      await books.add(chunk);
      chunk = [];
    }
    await books.add(chunk);
    return books.finish();
  } catch (error) {
    books.remove();
    throw error;
  }
}

class LedgerBooks {
  readonly #query: LedgerQuery;
  readonly #yearStart: string;
  readonly #accounts = new Map<string, LedgerAccount>();
  readonly #parties = new Map<string, Party>();
  readonly #lines = new ScratchLines();
  readonly #sources: Sources;
  #entryCount = 0;
  #lineCount = 0;
  #debit = 0;
  #credit = 0;
  readonly #taxTypes = new Set<string>();
  readonly #tracking = new Map<string, Set<string>>();
  /** Profit of earlier financial years in cents, credit negative. */
  #earlier = 0;

  constructor(query: LedgerQuery, yearStart: string) {
    this.#query = query;
    this.#yearStart = yearStart;
    this.#sources = new Sources({
      records: query.source,
      bounds: query.bounds,
      baseCurrency: query.organisation.BaseCurrency,
      currencyOf: (id) => this.#accounts.get(id)?.currency ?? query.organisation.BaseCurrency,
      isControl: (id) => this.#controlled(id) !== undefined,
    });
  }

  async readChart(): Promise<void> {
    for await (const record of this.#query.source.list(accountResource)) {
      const { AccountID, Code, Name, Type, SystemAccount, CurrencyCode } = record;
      this.#addAccount(
        { id: AccountID, code: Code, name: Name, type: Type },
        SystemAccount,
        CurrencyCode,
      );
    }
  }

  #addAccount(namedAccount: NamedAccount, system?: string, currency?: string): LedgerAccount {
    const { root } = accountPathOf(namedAccount);
    const isProfitAndLoss = root === "revenues" || root === "expenses";
    const newAccount = { ...namedAccount, system, currency, root, isProfitAndLoss, ...zeros() };
    this.#accounts.set(namedAccount.id, newAccount);
    return newAccount;
  }

  async readParties(): Promise<void> {
    const fields = ["ContactID", "Name", "ContactNumber", "AccountNumber", "TaxNumber"];
    const parameters = { includeArchived: "true" };
    const contacts: Omit<Party, "movements" | "sides">[] = [];
    for await (const record of this.#query.source.list(contactResource, { parameters, fields })) {
      const { ContactID: id, Name: name, ContactNumber, AccountNumber, TaxNumber } = record;
      const number = ContactNumber ?? "";
      contacts.push({ id, name, number, accountNumber: AccountNumber, taxNumber: TaxNumber });
    }
    const usedNumbers = new Set(contacts.map(({ number }) => number));
    for (const party of contacts) {
      const { id, accountNumber } = party;
      const isUnused = accountNumber !== undefined && !usedNumbers.has(accountNumber);
      const number = party.number || (isUnused ? accountNumber : id);
      usedNumbers.add(number);
      const movements = { customer: zeros(), supplier: zeros() };
      this.#parties.set(id, { ...party, number, movements, sides: new Set() });
    }
  }

  async add(journals: readonly Journal[]): Promise<void> {
    const { from } = this.#query.period;
    const isNeeded = ({ JournalDate, JournalLines }: Journal) =>
      JournalDate >= from || JournalLines.some(({ AccountID }) => this.#controlled(AccountID));
    const sourceById = await this.#sources.of(journals.filter(isNeeded));
    for (const journal of journals) {
      const source = sourceById.get(journal.SourceID ?? "") ?? {};
      if (journal.JournalDate < from) this.#bringForward(journal, source);
      else this.#addEntry(journal, source);
    }
  }

  #bringForward({ JournalDate, JournalLines }: Journal, source: JournalSource): void {
    for (const line of JournalLines) {
      const account = this.#account(line);
      if (account.isProfitAndLoss && JournalDate < this.#yearStart) this.#earlier += line.NetAmount;
      else account.opening += line.NetAmount;
      const party = this.#partyOf(account, source);
      if (party !== undefined) party.opening += line.NetAmount;
    }
  }

  #addEntry(journal: Journal, source: JournalSource): void {
    const { JournalID, JournalNumber, JournalDate, CreatedDateUTC, JournalLines } = journal;
    const lines = JournalLines.map((line): EntryLine => {
      const account = this.#account(line);
      const { NetAmount: amount } = line;
      for (const movement of [account, this.#partyOf(account, source)]) {
        if (movement === undefined) continue;
        if (amount < 0) movement.credit -= amount;
        else movement.debit += amount;
      }
      if (amount < 0) this.#credit -= amount;
      else this.#debit += amount;
      this.#note(line);
      return lineOf(line, source);
    });
    const { book, side } = originOf(journal.SourceType);
    const party = this.#parties.get(source.contact ?? "");
    if (side !== undefined) party?.sides.add(side);
    const entry: Entry = {
      number: JournalNumber,
      id: JournalID,
      date: JournalDate,
      posted: localDay(CreatedDateUTC, this.#query.organisation.Timezone),
      dayBook: source.isAllocation ? "general" : book,
      sourceType: journal.SourceType,
      sourceId: journal.SourceID,
      document: {
        number: toOneLine(source.number ?? "") || String(JournalNumber),
        date: source.date ?? JournalDate,
      },
      contact: party?.id,
      side: party === undefined ? undefined : side,
      documents: source.documents,
      supplied: source.supplied,
      text: this.#textOf(journal, source),
      lines,
    };
    this.#entryCount += 1;
    this.#lineCount += lines.length;
    this.#lines.add(JSON.stringify(entry));
  }

  #note({ TaxType, TrackingCategories }: JournalLine): void {
    if (TaxType !== undefined) this.#taxTypes.add(TaxType);
    for (const { Name = "", Option = "" } of TrackingCategories) {
      const trackingOptions = this.#tracking.get(Name) ?? new Set();
      this.#tracking.set(Name, trackingOptions.add(Option));
    }
  }

  /** Description of an entry: `Kauri Hotel INV-0217 Spring order`. */
  #textOf({ Reference, SourceType, JournalNumber }: Journal, source: JournalSource): string {
    const name = this.#parties.get(source.contact ?? "")?.name;
    const parts = [name, source.number, source.text ?? Reference].map((textPart) =>
      toOneLine(textPart ?? ""),
    );
    const text = [...new Set(parts)].filter((textPart) => textPart !== "").join(" ");
    return text || `${SourceType ?? "Conversion balances"} ${JournalNumber}`;
  }

  #account({ AccountID, AccountCode, AccountName, AccountType }: JournalLine): LedgerAccount {
    const namedAccount = { id: AccountID, code: AccountCode, name: AccountName, type: AccountType };
    return this.#accounts.get(AccountID) ?? this.#addAccount(namedAccount);
  }

  #controlled(id: string): Side | undefined {
    return controlledBy(this.#accounts.get(id)?.system);
  }

  #partyOf({ id }: LedgerAccount, { contact }: JournalSource): Movement | undefined {
    const side = this.#controlled(id);
    return side === undefined ? undefined : this.#parties.get(contact ?? "")?.movements[side];
  }

  /**
   * Completes the ledger; the profit of earlier years goes to retained earnings, as in a trial
   * balance.
   */
  finish(): Ledger {
    if (this.#earlier !== 0) {
      const retained = this.#accounts.values().find(({ system }) => system === "RETAINEDEARNINGS");
      if (retained === undefined) {
        throw new UnavailableError(
          "NoRetainedEarnings",
          "The chart has no account of retained earnings for the profit of earlier years to stand on.",
        );
      }
      retained.opening += this.#earlier;
    }
    const byCode = [...this.#accounts.values()].toSorted(
      (a, b) => compareText(a.code ?? "\uffff", b.code ?? "\uffff") || compareText(a.name, b.name),
    );
    const lines = this.#lines;
    const control = (side: Side) => byCode.find(({ system }) => system === controlOf[side]);
    return {
      organisation: this.#query.organisation,
      period: this.#query.period,
      yearStart: this.#yearStart,
      accounts: new Map(byCode.map((ledgerAccount) => [ledgerAccount.id, ledgerAccount])),
      byCode: new Map(byCode.map((ledgerAccount) => [ledgerAccount.code ?? "", ledgerAccount])),
      controls: { customer: control("customer"), supplier: control("supplier") },
      parties: this.#parties,
      entryCount: this.#entryCount,
      lineCount: this.#lineCount,
      debit: this.#debit,
      credit: this.#credit,
      taxTypes: this.#taxTypes,
      tracking: this.#tracking,
      *entries() {
        for (const line of lines.read()) yield JSON.parse(line) as Entry;
      },
      remove: () => this.remove(),
    };
  }

  remove(): void {
    this.#lines.remove();
  }
}

function zeros(): Movement {
  return { opening: 0, debit: 0, credit: 0 };
}

function lineOf(line: JournalLine, source: JournalSource): EntryLine {
  const { AccountID, NetAmount, Description, TaxType, TaxAmount, TrackingCategories } = line;
  return {
    account: AccountID,
    amount: NetAmount,
    description: toOneLine(Description),
    taxType: TaxType,
    taxAmount: TaxAmount,
    tracking: TrackingCategories.map(({ Name = "", Option = "" }) => ({
      category: Name,
      option: Option,
    })),
    foreign: source.foreign?.(line),
  };
}

/** Closing balance of an account, debit positive. */
export function closingOf({ opening, debit, credit }: Movement): Cents {
  return (opening + debit - credit) as Cents;
}

/** Whether an account has an opening balance or postings in the period. */
export function isMoved({ opening, debit, credit }: Movement): boolean {
  return opening !== 0 || debit !== 0 || credit !== 0;
}

/** System marker of the control account of each side. */
const controlOf = { customer: "DEBTORS", supplier: "CREDITORS" } as const satisfies Record<
  Side,
  string
>;

/** Side whose documents an account controls; undefined for accounts that are no control account. */
export function controlledBy(system: string | undefined): Side | undefined {
  if (system === controlOf.customer) return "customer";
  return system === controlOf.supplier ? "supplier" : undefined;
}

/** Whether a file must list a contact on a side. */
export function standsOn({ sides, movements }: Party, partySide: Side): boolean {
  return sides.has(partySide) || isMoved(movements[partySide]);
}

/** Opening balance of an account, or of a contact on its control account. */
export interface OpeningLine {
  readonly account: LedgerAccount;
  readonly party?: Party;
  /** Amount in cents, debit positive, never zero. */
  readonly amount: Cents;
}

/**
 * Opening balances of the period. A control account is split by contact, plus a rest without
 * contact, so that the parts add up to its balance.
 */
export function openingsOf({ accounts, parties }: Ledger): OpeningLine[] {
  return [...accounts.values()].flatMap((account): OpeningLine[] => {
    const partySide = controlledBy(account.system);
    let openingRest = account.opening;
    const lines: OpeningLine[] = [];
    for (const party of partySide === undefined ? [] : parties.values()) {
      const opening = partySide === undefined ? 0 : party.movements[partySide].opening;
      if (opening === 0) continue;
      lines.push({ account, party, amount: opening as Cents });
      openingRest -= opening;
    }
    return openingRest === 0 ? lines : [...lines, { account, amount: openingRest as Cents }];
  });
}
