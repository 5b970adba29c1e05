/**
 * Statements as they are imported. Lines that are known by their keys add nothing, so that a file may
 * be sent again, also in parts, and statements may overlap.
 */
import { addDays, mediumDate } from "../../ledger/dates/calendar.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { bankStatement, bankStatementLine } from "../../resources/index.ts";
import { type Kept, save } from "../../store/mapping/records.ts";
import { type BalanceOn, balanceTold } from "../../store/queries/bank-balances.ts";
import { knownLineKeys } from "../../store/records/bank-matches.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import type { Endpoint, RecordWriter, WriteItem } from "../endpoints/endpoint.ts";
import { type Chart, loadChart } from "../lookups/chart.ts";
import { Faults } from "../request/faults.ts";
import { recordFrom, withDefaults } from "../request/merge.ts";

export type StoredStatement = Kept<typeof bankStatement.fields>;
export type StoredLine = Kept<typeof bankStatementLine.fields>;

interface StatementContext {
  readonly chart: Chart;
  /** Keys that the lines of each bank account have, by AccountID. */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
  /** What is known of the account before each entry, by its index. */
  readonly before: ReadonlyMap<number, BalanceOn>;
  readonly lines: StoredLine[];
}

export const bankStatements: Endpoint<StoredStatement, StatementContext> = {
  resource: bankStatement,
  writer: async () => statementWriter,
};

type Sent = WriteItem<StoredStatement>;

function accountKey({ input, existing }: Sent): string {
  const { BankAccount } = input as Partial<StoredStatement>;
  return existing?.BankAccount.AccountID ?? BankAccount?.AccountID ?? BankAccount?.Code ?? "";
}

const sentLines = ({ input }: Sent) => (input as Partial<StoredStatement>).StatementLines ?? [];

const statementWriter: RecordWriter<StoredStatement, StatementContext> = {
  async load({ tx, entries }) {
    const chart = await loadChart(tx);
    const known = new Map<string, ReadonlySet<string>>();
    const before = new Map<number, BalanceOn>();
    for (const entry of entries) {
      const account = chart.account(accountKey(entry))?.AccountID;
      if (account === undefined) continue;
      const keys = sentLines(entry).map(({ Key = "" }) => Key);
      known.set(account, await knownLineKeys(tx, account, keys));
      const { FromDate } = entry.input as Partial<StoredStatement>;
      if (FromDate !== undefined && entry.existing === undefined) {
        const last = await balanceTold(tx, account, addDays(FromDate, -1));
        if (last !== undefined) before.set(entry.index, last);
      }
    }
    return { chart, known, before, lines: [] };
  },

  decide({ call }, { chart, known, before, lines }, entry) {
    const { existing, input } = entry;
    const faults = new Faults();
    const named = existing?.BankAccount ?? (input as Partial<StoredStatement>).BankAccount;
    const account = bankAccountNamed("BankAccount", named, chart, (message) => faults.add(message));
    faults.check();
    if (account === undefined) return;
    const sent = sentLines(entry);
    // Read-only fields and those of the lines are not the caller's.
    const record = recordFrom<StoredStatement>(bankStatement, call, existing, input);
    record.BankAccount = account;
    record.CreatedDateUTC = existing?.CreatedDateUTC ?? call.now;
    const taken = new Set(known.get(account.AccountID));
    const added = sent.filter(({ Key = "" }) => {
      if (taken.has(Key)) return false;
      taken.add(Key);
      return true;
    });
    for (const { Key = "", ...facts } of added) {
      lines.push({
        ...withDefaults<StoredLine>(bankStatementLine.fields, facts),
        BankStatementLineID: call.newId(),
        BankStatementID: record.BankStatementID,
        BankAccount: account,
        Status: "UNRECONCILED",
        LineKey: Key,
        UpdatedDateUTC: call.now,
      });
    }
    record.LinesAdded = (existing?.LinesAdded ?? 0) + added.length;
    record.LinesKnown = (existing?.LinesKnown ?? 0) + sent.length - added.length;
    const previous = before.get(entry.index);
    if (previous !== undefined && record.OpeningBalance !== undefined) {
      const { date, balance } = previous;
      if (balance !== record.OpeningBalance) {
        entry.warnings.push(
          `The statement begins at ${writeDecimal(record.OpeningBalance, 2)}, but on ${mediumDate(date)} the account had ${writeDecimal(balance, 2)}: lines between are missing.`,
        );
      }
    }
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
