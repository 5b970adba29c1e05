/**
 * Statements as they are imported. Lines that are known by their keys add nothing, so that a file may
 * be sent again, also in parts, and statements may overlap.
 */
import { checkSequence } from "../../bank-files/continuity.ts";
import {
  type KnownLine,
  keysToLookUp,
  type NewLines,
  newLines,
} from "../../bank-files/identity.ts";
import { addDays, type DateText } from "../../ledger/dates/calendar.ts";
import { type Cents, zeroCents } from "../../ledger/money.ts";
import { bankStatement, bankStatementLine } from "../../resources/index.ts";
import { counted } from "../../resources/scalar.ts";
import { fetch, type Kept, remove, save } from "../../store/mapping/records.ts";
import { type BalanceOn, balanceTold, numberTold } from "../../store/queries/bank-balances.ts";
import { type LinesOf, lineIdsOf, linesKnownBy } from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/transactions/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { type Endpoint, locate, type RecordWriter, type WriteItem } from "../endpoints/endpoint.ts";
import { type Chart, loadChart } from "../lookups/chart.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { Faults, refusal } from "../request/faults.ts";
import { recordFrom, withDefaults } from "../request/merge.ts";

export type StoredStatement = Kept<typeof bankStatement.fields>;
export type StoredLine = Kept<typeof bankStatementLine.fields>;

interface StatementContext {
  readonly chart: Chart;
  /** By the index of the entry. */
  readonly comparisons: ReadonlyMap<number, Comparison>;
  readonly lines: StoredLine[];
}

/** What a statement is compared with. */
interface Comparison {
  /** Of the lines that were sent. */
  readonly lines: NewLines<SentLine>;
  /** Of a new statement: what the account had before it, and the number of the statement then. */
  readonly before: BalanceOn | undefined;
  readonly numberBefore: string | undefined;
}

export const bankStatements: Endpoint<StoredStatement, StatementContext> = {
  resource: bankStatement,
  writer: async () => statementWriter,
};

type Sent = WriteItem<StoredStatement>;
type StatementFacts = Partial<StoredStatement>;

/** A line as it was sent, and as it is known again. */
interface SentLine extends KnownLine {
  readonly facts: Omit<NonNullable<StatementFacts["StatementLines"]>[number], "Key">;
}

function accountKey({ input, existing }: Sent): string {
  const { BankAccount } = input as StatementFacts;
  return existing?.BankAccount.AccountID ?? BankAccount?.AccountID ?? BankAccount?.Code ?? "";
}

/** A line that is sent twice under one key is one line. */
function sentLines({ input }: Sent): { readonly distinct: SentLine[]; readonly count: number } {
  const sent = (input as StatementFacts).StatementLines ?? [];
  const distinct = new Map<string, SentLine>();
  for (const { Key = "", ...facts } of sent) {
    const { Date: date, Amount: amount, BankReference: id } = facts;
    if (!distinct.has(Key)) distinct.set(Key, { key: Key, date, amount, id, facts });
  }
  return { distinct: [...distinct.values()], count: sent.length };
}

/**
 * Compares lines with those of the account. Those of the same days are read where none is known by its
 * key: a bank may have given new ids to all of them, or the file may be in another format.
 */
async function comparedLines(
  tx: Tx,
  of: LinesOf,
  lines: readonly SentLine[],
): Promise<NewLines<SentLine>> {
  const keys = lines.flatMap(({ key }) => keysToLookUp(key));
  const byKey = await linesKnownBy(tx, { accountId: of.accountId }, "line_key", keys);
  const days = byKey.length > 0 ? [] : lines.map(({ date }) => date);
  const byDay = await linesKnownBy(tx, of, "date", days);
  const ids = lines.flatMap(({ id }) => id ?? []);
  const byId =
    byKey.length >= lines.length ? [] : await linesKnownBy(tx, of, "bank_reference", ids);
  const known = new Map([...byKey, ...byDay, ...byId].map((line) => [line.key, line]));
  return newLines(known.values(), lines);
}

const statementWriter: RecordWriter<StoredStatement, StatementContext> = {
  async load({ tx, entries }) {
    const chart = await loadChart(tx);
    const comparisons = new Map<number, Comparison>();
    for (const entry of entries) {
      const account = chart.account(accountKey(entry));
      // The lines of a refused statement may lack what they are compared by.
      if (account === undefined || entry.errors.length > 0) continue;
      const { existing } = entry;
      const others = { accountId: account.AccountID, not: existing?.BankStatementID };
      const lines = await comparedLines(tx, others, sentLines(entry).distinct);
      const { FromDate } = entry.input as StatementFacts;
      const of = [tx, account.AccountID] as const;
      const isNew = FromDate !== undefined && existing === undefined;
      const day = isNew ? addDays(FromDate, -1) : undefined;
      const before = day === undefined ? undefined : await balanceTold(...of, day);
      const numberBefore = day === undefined ? undefined : await numberTold(...of, day);
      comparisons.set(entry.index, { lines, before, numberBefore });
    }
    return { chart, comparisons, lines: [] };
  },

  decide({ call }, { chart, comparisons, lines }, entry) {
    const { existing, input } = entry;
    const faults = new Faults();
    const named = existing?.BankAccount ?? (input as StatementFacts).BankAccount;
    const account = bankAccountNamed("BankAccount", named, chart, (message) => faults.add(message));
    faults.check();
    const compared = comparisons.get(entry.index);
    if (account === undefined || compared === undefined) return;
    // Read-only fields and those of the lines are not the caller's.
    const record = recordFrom<StoredStatement>(bankStatement, call, existing, input);
    record.BankAccount = account;
    record.CreatedDateUTC = existing?.CreatedDateUTC ?? call.now();
    const { added, sentences } = compared.lines;
    for (const { key, facts } of added) {
      lines.push({
        ...withDefaults<StoredLine>(bankStatementLine.fields, facts),
        BankStatementLineID: call.newId(),
        BankStatementID: record.BankStatementID,
        BankAccount: account,
        Status: "UNRECONCILED",
        LineKey: key,
        UpdatedDateUTC: call.now(),
      });
    }
    record.LinesAdded = (existing?.LinesAdded ?? 0) + added.length;
    record.LinesKnown = (existing?.LinesKnown ?? 0) + sentLines(entry).count - added.length;
    entry.warnings.push(...sentences.slice(0, warningsMax), ...sequenceWarnings(compared, record));
    entry.record = record;
  },

  async keep({ tx }, { lines }, decided) {
    await save(
      tx,
      bankStatement,
      decided.flatMap(({ record }) => record ?? []),
    );
    await save(tx, bankStatementLine, lines);
  },
};

/** Most sentences about lines in one answer. */
const warningsMax = 20;

/** Whether a statement goes on where the one before it ended. */
function sequenceWarnings({ before, numberBefore }: Comparison, record: StoredStatement): string[] {
  if (before === undefined) return [];
  const { OpeningBalance, FromDate, ToDate, Number: number } = record;
  const balance = (amount: Cents | undefined, date: DateText | undefined) =>
    amount === undefined ? undefined : { amount, date, isIntermediate: false };
  const last = {
    closing: balance(before.balance, before.date),
    number: numberBefore,
    to: before.date,
  };
  const next = {
    opening: balance(OpeningBalance, FromDate),
    closing: undefined, // it may come with the last part of the lines
    sum: zeroCents,
    isRepeat: false,
    number,
    from: FromDate,
    to: ToDate,
  };
  return checkSequence(last, next).map(({ sentence }) => sentence);
}

/**
 * DELETE: removes a statement with the lines that came with it, as if it had not been imported.
 *
 * @throws RefusedError where one of them is reconciled
 */
export async function removeStatement(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const found = await locate(call, tx, bankStatements, key);
    const ids = await lineIdsOf(tx, found.BankStatementID);
    const lines = await fetch(tx, bankStatementLine, "BankStatementLineID", ids);
    const reconciled = lines.filter(({ Status }) => Status === "RECONCILED");
    const [first] = reconciled;
    if (first !== undefined) {
      const count = counted(reconciled.length, "line");
      throw refusal([
        `${count} of the statement ${reconciled.length === 1 ? "is" : "are"} reconciled, the first of ${first.Date}; take that back first (unmatch).`,
      ]);
    }
    await remove(tx, bankStatementLine, ids);
    await remove(tx, bankStatement, [found.BankStatementID]);
    return answer(call, bankStatement, [found], "single");
  });
}
