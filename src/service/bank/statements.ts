/**
 * Import of bank statements. Lines with known keys add nothing, so that a file may be imported
 * again, also in parts, and statements may overlap.
 */

import { checkSequence } from "../../bank-files/continuity.ts";
import { batchKey } from "../../bank-files/line-keys.ts";
import { addDays, type DateText, mediumDate } from "../../ledger/dates/calendar.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import { type Cents, zeroCents } from "../../ledger/money.ts";
import { amountFault, amountText } from "../../resources/common.ts";
import { refusal } from "../../resources/errors.ts";
import { bankStatement, bankStatementLine } from "../../resources/index.ts";
import { counted } from "../../resources/scalar.ts";
import { fetch, list, remove, save } from "../../store/mapping/records.ts";
import {
  type BalanceOn,
  bankBalance,
  lineSumBetween,
  statedBalance,
  statedNumber,
} from "../../store/queries/bank-balances.ts";
import { keysIn, lineIdsOf, takenKeys } from "../../store/records/bank-matches.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { type Endpoint, locate, type RecordWriter, type WriteItem } from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { recordFrom, withDefaults } from "../request/merge.ts";
import { openingBalance } from "./begun.ts";
import {
  comparedLines,
  enrichLines,
  type LineComparison,
  remembered,
  type SentLine,
  saveBettered,
  toSentLine,
} from "./known-lines.ts";
import type { StoredLine, StoredStatement } from "./stored-statement.ts";

interface StatementContext {
  readonly chart: Chart;
  /** Comparisons by the index of the entry in the batch. */
  readonly comparisons: ReadonlyMap<number, Compared>;
  readonly lines: StoredLine[];
}

/** The stored data that a statement is compared with. */
interface Compared {
  /** The comparison of the imported lines. */
  readonly lines: LineComparison;
  readonly better: Awaited<ReturnType<typeof enrichLines>>;
  /** Keys in use in the account, which a new line must avoid. */
  readonly takenKeys: Set<string>;
  /** For a new statement: the balance of the account before it. */
  readonly before: BalanceOn | undefined;
  readonly numberBefore: string | undefined;
}

export const bankStatements: Endpoint<StoredStatement, StatementContext> = {
  resource: bankStatement,
  async expand(_call, tx, records, view) {
    const chart = await loadChart(tx);
    const known = records.map((storedStatement) => withComputed(storedStatement, chart));
    return view === "single" ? Promise.all(known.map((each) => withBalances(tx, each))) : known;
  },
  writer: async () => statementWriter,
};

/**
 * Sets the currency, and the balance source of statements stored before it was kept: their balances
 * are from files.
 */
function withComputed(statement: StoredStatement, chart: Chart): StoredStatement {
  const { BalanceSource } = statement;
  const source = BalanceSource ?? (hasBalances(statement) ? "FILE" : "COUNTED");
  return {
    ...statement,
    BalanceSource: source,
    CurrencyCode: chart.currencyOf(statement.BankAccount),
  };
}

/** Computes balances that the file lacks from other balances, where any is known. */
async function withBalances(tx: Tx, statement: StoredStatement): Promise<StoredStatement> {
  const { BankAccount, BalanceSource, FromDate, ToDate } = statement;
  const account = (await loadChart(tx)).account(BankAccount.AccountID ?? "");
  if (BalanceSource !== "COUNTED" || FromDate === undefined || ToDate === undefined || !account) {
    return statement;
  }
  const organisation = await organisationOf(tx);
  const on = async (day: string) => {
    const openingOf = () => openingBalance({ tx, organisation }, account);
    const balance = await bankBalance(tx, account.AccountID, day, openingOf);
    return balance.day === "" ? undefined : balance.balance;
  };
  return {
    ...statement,
    CountedOpening: await on(addDays(FromDate as DateText, -1)),
    CountedClosing: await on(ToDate),
  };
}

const hasBalances = ({ OpeningBalance, ClosingBalance }: StatementFacts) =>
  OpeningBalance !== undefined || ClosingBalance !== undefined;

type Sent = WriteItem<StoredStatement>;
type StatementFacts = Partial<StoredStatement>;

function accountKey({ input, existing }: Sent): string {
  const { BankAccount } = input as StatementFacts;
  return existing?.BankAccount.AccountID ?? BankAccount?.AccountID ?? BankAccount?.Code ?? "";
}

/** Lines that come twice under one key are one line. */
function sentLines({ input }: Sent): { readonly distinct: SentLine[]; readonly count: number } {
  const sent = (input as StatementFacts).StatementLines ?? [];
  const distinct = new Map<string, SentLine>();
  for (const line of sent)
    if (!distinct.has(line.Key ?? "")) distinct.set(line.Key ?? "", toSentLine(line));
  return { distinct: [...distinct.values()], count: sent.length };
}

/** Compares imported lines with those of the account, except its own from an earlier import. */
async function compareLines(
  call: RequestContext,
  tx: Tx,
  entry: Sent,
  accountId: string,
): Promise<Compared> {
  const { existing, input } = entry;
  const merged = { ...existing, ...(input as StatementFacts) };
  const { distinct } = sentLines(entry);
  const own = existing?.BankStatementID;
  const keys = distinct.map(({ key }) => key);
  const sent = own === undefined ? new Set<string>() : await keysIn(tx, own, { accountId, keys });
  const lines = await comparedLines(
    tx,
    { accountId, not: own },
    distinct.filter(({ key }) => !sent.has(key)),
    {
      format: merged.Format,
      number: merged.Number,
      from: merged.FromDate,
      to: merged.ToDate,
      opening: merged.OpeningBalance,
      closing: merged.ClosingBalance,
      headingKey: merged.HeadingKey,
    },
  );
  const { OnDuplicate } = input as StatementFacts;
  const { doubts, added } = lines;
  const comparison =
    OnDuplicate === "skip"
      ? skipDoubtful(lines)
      : OnDuplicate === "add"
        ? { ...lines, added: [...added, ...doubts.map(({ line }) => line)], doubts: [] }
        : lines;
  const isNew = merged.FromDate !== undefined && existing === undefined;
  const day = isNew ? addDays(merged.FromDate as DateText, -1) : undefined;
  return {
    lines: comparison,
    better: await enrichLines(call, tx, comparison),
    takenKeys: await takenKeys(
      tx,
      accountId,
      comparison.added.map(({ key }) => key),
    ),
    before: day === undefined ? undefined : await statedBalance(tx, accountId, day),
    numberBefore: day === undefined ? undefined : await statedNumber(tx, accountId, day),
  };
}

/** Treats each doubtful line as the stored line it may equal; the other lines are new. */
function skipDoubtful(lines: LineComparison): LineComparison {
  const { added, known, doubts } = lines;
  const pairByBook = new Map(doubts.toReversed().map((pair) => [pair.book, pair]));
  // The payments of a batch may be one line of the book together.
  const isFirst = ({ line: { key }, book }: (typeof doubts)[number]) =>
    batchKey(pairByBook.get(book)?.line.key ?? "") === batchKey(key);
  const doubtful = doubts.filter(isFirst);
  const laterLines = doubts.filter((pair) => !isFirst(pair)).map(({ line }) => line);
  return { ...lines, known: [...known, ...doubtful], added: [...added, ...laterLines], doubts: [] };
}

/** Returns a key that no line of the account has; the own key may be taken by a doubtful line. */
function findFreeKey(key: string, usedKeys: Set<string>): string {
  let free = key;
  for (let at = 2; usedKeys.has(free); at += 1) free = `${key}~${at}`;
  usedKeys.add(free);
  return free;
}

/** Adds a fault for each balance, and for the first line amount, with too many decimals. */
function checkDigits(statement: StatementFacts, code: string, faults: Faults): void {
  const { StatementLines = [], OpeningBalance, ClosingBalance, Gap } = statement;
  const fault = ([name, amount, currency = code]: readonly [string, Cents?, string?]) =>
    amount && amountFault(name, amount, currency);
  const inLine = (line: (typeof StatementLines)[number]) => {
    const of = (name: string) => `${name} of ${mediumDate(line.Date)}`;
    const { Amount, Charges, Balance, OriginalAmount, OriginalCurrency, Parts = [] } = line;
    return [
      [of("Amount"), Amount],
      [of("Charges"), Charges],
      [of("Balance"), Balance],
      [of("OriginalAmount"), OriginalAmount, OriginalCurrency],
      ...Parts.map((linePart) => [of("Amount of a part"), linePart.Amount] as const),
    ] as const;
  };
  const messages = [
    fault(["OpeningBalance", OpeningBalance]),
    fault(["ClosingBalance", ClosingBalance]),
    fault(["Gap", Gap]),
    StatementLines.flatMap(inLine).map(fault).find(Boolean),
  ];
  for (const message of messages) if (message) faults.add("Currency", message);
}

const statementWriter: RecordWriter<StoredStatement, StatementContext> = {
  async load({ call, tx, entries }) {
    const chart = await loadChart(tx);
    const comparisonByIndex = new Map<number, Compared>();
    for (const entry of entries) {
      const account = chart.account(accountKey(entry));
      // Lines of a refused statement may lack the fields to compare.
      if (account === undefined || entry.errors.length > 0) continue;
      comparisonByIndex.set(entry.index, await compareLines(call, tx, entry, account.AccountID));
    }
    return { chart, comparisons: comparisonByIndex, lines: [] };
  },

  decide({ call, organisation }, { chart, comparisons, lines }, entry) {
    const { existing, input } = entry;
    const statement = input as StatementFacts;
    const faults = new Faults();
    const bankKey = existing?.BankAccount ?? statement.BankAccount;
    const account = bankAccountNamed("BankAccount", bankKey, chart, (rule, message) =>
      faults.add(rule, message),
    );
    if (statement.BalanceSource === "COUNTED" && hasBalances(statement))
      faults.add("Form", "Balances that are sent are of a FILE or TYPED.");
    if (account !== undefined)
      checkDigits(statement, account.CurrencyCode ?? organisation.BaseCurrency, faults);
    faults.check();
    const compared = comparisons.get(entry.index);
    if (account === undefined || compared === undefined) return;
    // Read-only fields and the fields of lines are not taken from the caller.
    const record = recordFrom<StoredStatement>(bankStatement, call, existing, input);
    record.BankAccount = account;
    record.CurrencyCode = chart.currencyOf(account);
    record.CreatedDateUTC = existing?.CreatedDateUTC ?? call.now();
    if (hasBalances(record)) record.BalanceSource ??= "FILE";
    // An exported statement may contain the source of computed balances, which is not stored.
    else delete record.BalanceSource;
    const { added, doubts, sentences } = compared.lines;
    for (const { key, facts } of added) {
      lines.push({
        ...withDefaults<StoredLine>(bankStatementLine.fields, facts),
        BankStatementLineID: call.newId(),
        BankStatementID: record.BankStatementID,
        BankAccount: account,
        Status: "UNRECONCILED",
        LineKey: findFreeKey(key, compared.takenKeys),
        UpdatedDateUTC: call.now(),
      });
    }
    record.LinesAdded = (existing?.LinesAdded ?? 0) + added.length;
    record.LinesKnown =
      (existing?.LinesKnown ?? 0) + sentLines(entry).count - added.length - doubts.length;
    record.LinesBettered = compared.better.lines.length;
    record.Doubts = doubts.map(({ line: { key }, book: { lineId, row } }) => ({
      Key: key,
      BankStatementLineID: lineId,
      Payee: row.payee ?? undefined,
      Description: row.description ?? undefined,
    }));
    const knownLines = [
      ...(existing === undefined ? [] : remembered(existing)),
      ...compared.better.remembered,
    ];
    record.KnownLines = knownLines.length === 0 ? undefined : JSON.stringify(knownLines);
    entry.warnings.push(...sentences.slice(0, warningsMax), ...sequenceWarnings(compared, record));
    entry.record = record;
  },

  async keep({ call, tx }, { chart, lines, comparisons }, decisions) {
    for (const { index, record } of decisions) {
      const compared = comparisons.get(index);
      if (compared !== undefined) await saveBettered(call, tx, compared.better, record?.Source);
    }
    await save(tx, bankStatementLine, lines);
    for (const { record, input } of decisions) {
      if (record !== undefined) await checkTyped(tx, record, input as StatementFacts);
    }
    await save(
      tx,
      bankStatement,
      decisions.flatMap(({ record }) => record ?? []),
    );
    for (const { record } of decisions)
      if (record) Object.assign(record, withComputed(record, chart));
  },
};

/**
 * Checks a closing balance typed by a person against opening balance and lines.
 *
 * @throws RefusedError with the difference, unless a gap is allowed, which is then stored
 */
async function checkTyped(tx: Tx, record: StoredStatement, sent: StatementFacts): Promise<void> {
  const { ClosingBalance, OpeningBalance, BalanceSource, FromDate, ToDate, BankAccount } = record;
  if (BalanceSource !== "TYPED" || sent.ClosingBalance === undefined) return;
  if (ToDate === undefined || FromDate === undefined) {
    throw refusal(
      "Form",
      "A closing balance is that of a day: give the statement a FromDate and a ToDate.",
    );
  }
  const id = BankAccount.AccountID ?? "";
  const day = addDays(FromDate, -1);
  const opening = OpeningBalance ?? (await statedBalance(tx, id, day))?.balance;
  record.Gap = undefined;
  if (opening === undefined) return;
  const { amount } = await lineSumBetween(tx, id, day, ToDate);
  const gap = ((ClosingBalance ?? 0) - opening - amount) as Cents;
  if (gap === 0) return;
  if (sent.AllowGap !== true) {
    const [from, moved, made, typed, apart] = [
      opening,
      amount as Cents,
      (opening + amount) as Cents,
      ClosingBalance as Cents,
      Math.abs(gap) as Cents,
    ].map((cents) => amountText(cents, record.CurrencyCode));
    throw refusal(
      "BankStatement",
      `${from} before ${mediumDate(FromDate)} and lines of ${moved} make ${made}, but the closing balance is ${typed}: ${apart} ${gap > 0 ? "are missing" : "are too much"} (--allow-gap takes it as it is).`,
    );
  }
  record.Gap = gap;
}

/** Maximum number of warnings about lines in a response. */
const warningsMax = 20;

/** Warns where the opening balance or number does not continue the previous statement. */
function sequenceWarnings({ before, numberBefore }: Compared, record: StoredStatement): string[] {
  if (before === undefined) return [];
  const { OpeningBalance, FromDate, ToDate, Number: number } = record;
  const balance = (amount: Cents | undefined, date: DateText | undefined) =>
    amount === undefined ? undefined : { amount, date, isIntermediate: false };
  const lastStatement = {
    closing: balance(before.balance, before.date),
    number: numberBefore,
    to: before.date,
  };
  const nextStatement = {
    opening: balance(OpeningBalance, FromDate),
    closing: undefined, // it may come with the last part of the lines
    sum: zeroCents,
    currency: record.CurrencyCode,
    isRepeat: false,
    number,
    from: FromDate,
    to: ToDate,
  };
  return checkSequence(lastStatement, nextStatement).map(({ sentence }) => sentence);
}

/** Maximum number of reconciled lines that a refusal names. */
const namedMax = 3;

/**
 * DELETE: removes a statement with the lines it imported. A line that another statement had too
 * passes to that one; details that it added to lines of others are removed.
 *
 * @throws RefusedError where one of its lines is reconciled, or in a locked period
 */
export async function removeStatement(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const statement = await locate(call, tx, bankStatements, key);
    const ids = await lineIdsOf(tx, statement.BankStatementID);
    const heirByLine = await findNextOwners(tx, statement);
    const lines = await fetch(tx, bankStatementLine, "BankStatementLineID", ids);
    const going = lines.filter(({ BankStatementLineID: id }) => !heirByLine.has(id));
    await checkRemovable(call, tx, going);
    await save(
      tx,
      bankStatementLine,
      lines.flatMap((line) => {
        const BankStatementID = heirByLine.get(line.BankStatementLineID);
        return BankStatementID === undefined ? [] : [{ ...line, BankStatementID }];
      }),
    );
    await restore(call, tx, statement);
    await remove(
      tx,
      bankStatementLine,
      going.map(({ BankStatementLineID: id }) => id),
    );
    await remove(tx, bankStatement, [statement.BankStatementID]);
    return answer(call, bankStatement, [{ ...statement, LinesAdded: going.length }], "single");
  });
}

async function checkRemovable(
  call: RequestContext,
  tx: Tx,
  lines: readonly StoredLine[],
): Promise<void> {
  const { organisation } = await organisationContext(call, tx);
  const lockDate = lockedUntil({ ...organisation, ConversionDate: undefined });
  const locked = lines.find(({ Date: date }) => lockDate !== undefined && date <= lockDate);
  if (locked !== undefined) {
    throw refusal(
      "LockDate",
      `A line of the statement is of ${locked.Date}, and the book is locked up to ${lockDate}.`,
    );
  }
  const reconciled = lines
    .filter(({ Status }) => Status === "RECONCILED")
    .toSorted((a, b) => (a.Date < b.Date ? -1 : 1));
  if (reconciled.length === 0) return;
  const named = reconciled.slice(0, namedMax).map((line) => {
    const currency = line.BankAccount.CurrencyCode ?? organisation.BaseCurrency;
    const amount = amountText(line.Amount, currency);
    return `${line.Date} ${amount} ${line.Payee ?? line.Description ?? ""}`.trim();
  });
  const more = reconciled.length > namedMax ? ", …" : "";
  const free = reconciled.slice(0, namedMax).map(({ BankStatementLineID: id }) => id);
  throw refusal(
    "Reconciled",
    `${counted(reconciled.length, "line")} of the statement ${reconciled.length === 1 ? "is" : "are"} reconciled: ${named.join("; ")}${more}. Take that back first: acct bank unmatch ${free.join(" ")}`,
  );
}

/** Returns by line the first other statement that has it too, which becomes its owner. */
async function findNextOwners(tx: Tx, statement: StoredStatement): Promise<Map<string, string>> {
  const { AccountID = "" } = statement.BankAccount;
  const { records } = await list(tx, bankStatement, {
    in: [{ field: "BankAccount.AccountID", values: [AccountID] }],
  });
  const heirByLine = new Map<string, string>();
  const otherRecords = records
    .filter(({ BankStatementID }) => BankStatementID !== statement.BankStatementID)
    .toSorted((a, b) => a.CreatedDateUTC - b.CreatedDateUTC);
  for (const otherRecord of otherRecords) {
    for (const [id] of remembered(otherRecord)) {
      if (!heirByLine.has(id)) heirByLine.set(id, otherRecord.BankStatementID);
    }
  }
  return heirByLine;
}

/** Restores the fields of lines that a removed statement had changed. */
async function restore(call: RequestContext, tx: Tx, statement: StoredStatement): Promise<void> {
  const formerById = new Map(remembered(statement));
  const ids = [...formerById].flatMap(([id, was]) => (was === null ? [] : [id]));
  const lines = await fetch(tx, bankStatementLine, "BankStatementLineID", ids);
  await save(
    tx,
    bankStatementLine,
    lines.map((line) => {
      const was = Object.entries(formerById.get(line.BankStatementLineID) ?? {});
      const former = Object.fromEntries(was.map(([name, value]) => [name, value ?? undefined]));
      return { ...line, ...former, UpdatedDateUTC: call.now() };
    }),
  );
}
