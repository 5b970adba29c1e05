/** Matches of bank statement lines with records, and the known lines of a bank account. */
import { sql } from "kysely";
import type { DateText } from "../../ledger/dates/calendar.ts";
import { bankStatementLine, type MatchKind } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import { deleteRows, insertNew, keyLists, ownRows, rowsFor } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** A match of a bank line, or of a share of it, with a record. */
export interface BankMatch {
  readonly lineId: string;
  readonly kind: MatchKind;
  readonly recordId: string;
  /** Amount in the currency of the bank account, positive for money in. */
  readonly amount: Cents;
  /** Number of the document paid. */
  readonly number: string | undefined;
  /**
   * Whether the record was created by reconciling the line, and is removed when that is undone.
   */
  readonly made: boolean;
}

/** The matches of bank lines, by line; lines without matches are left out of the map. */
export async function matchesOf(
  tx: Tx,
  lineIds: readonly string[],
): Promise<Map<string, BankMatch[]>> {
  const rows = await rowsFor(lineIds, (ids) =>
    ownRows(tx, "bank_match", { line_id: ids })
      .selectAll()
      .orderBy("line_id")
      .orderBy("record_id")
      .execute(),
  );
  const matches = rows.map(
    (row): BankMatch => ({
      lineId: row.line_id,
      kind: row.kind as MatchKind,
      recordId: row.record_id,
      amount: row.amount as Cents,
      number: row.number ?? undefined,
      made: row.made === 1,
    }),
  );
  return Map.groupBy(matches, ({ lineId }) => lineId);
}

/** The dates of the bank lines with which records are reconciled, by record. */
export async function linesOfRecords(
  tx: Tx,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const dateByRecord = new Map<string, string>();
  for (const ids of keyLists(recordIds)) {
    const rows = await tx.db
      .selectFrom("bank_match")
      .innerJoin("bank_statement_line as line", (join) =>
        join.onRef("line.org", "=", "bank_match.org").onRef("line.id", "=", "bank_match.line_id"),
      )
      .select(["bank_match.record_id", "line.date"])
      .where("bank_match.org", "=", tx.org)
      .where("bank_match.record_id", "in", ids)
      .execute();
    for (const { record_id, date } of rows) dateByRecord.set(record_id, date);
  }
  return dateByRecord;
}

export async function addMatches(tx: Tx, matches: readonly BankMatch[]): Promise<void> {
  const rows = matches.map(({ lineId, recordId, kind, amount, number, made }) => {
    return { line_id: lineId, record_id: recordId, kind, amount, number, made: made ? 1 : 0 };
  });
  await insertNew(tx, "bank_match", rows);
}

export async function removeMatches(tx: Tx, lineId: string): Promise<void> {
  await deleteRows(tx, "bank_match", sql`line_id = ${lineId}`);
}

/** A line of a bank account with its statement, as compared to detect duplicates. */
export interface ComparedRow {
  readonly id: string;
  readonly key: string;
  readonly date: DateText;
  readonly amount: Cents;
  readonly bankReference: string | null;
  readonly payee: string | null;
  readonly description: string | null;
  /** JSON, in the form of `cells`. */
  readonly references: string | null;
  readonly cells: string | null;
  readonly source: string | null;
  readonly balance: Cents | null;
  readonly statementId: string;
  readonly format: string | null;
  readonly number: string | null;
  readonly from: DateText | null;
  readonly to: DateText | null;
  readonly opening: Cents | null;
  readonly closing: Cents | null;
  readonly headingKey: string | null;
}

/** All statuses, listed so that an index on status and date serves a day. */
const lineStatuses = bankStatementLine.fields.Status.values;

export interface LinesOf {
  readonly accountId: string;
  /** Id of a statement whose lines are left out. */
  readonly not?: string | undefined;
}

/** The given line keys that lines of a statement already have. */
export async function keysIn(
  tx: Tx,
  statementId: string,
  { accountId, keys }: { readonly accountId: string; readonly keys: readonly string[] },
): Promise<Set<string>> {
  const ofStatement = { bank_account_id: accountId, bank_statement_id: statementId };
  const rows = await rowsFor(keys, (list) =>
    ownRows(tx, "bank_statement_line", { ...ofStatement, line_key: list })
      .select("line_key")
      .execute(),
  );
  return new Set(rows.map((row) => row.line_key));
}

/**
 * The keys of a bank account's lines that new lines with some keys cannot have: these themselves, and,
 * where there are any, all keys with a number behind them.
 */
export async function takenKeys(
  tx: Tx,
  accountId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const lines = ownRows(tx, "bank_statement_line", { bank_account_id: accountId }).select(
    "line_key",
  );
  const used = await rowsFor(keys, (list) => lines.where("line_key", "in", list).execute());
  const numbered = used.length === 0 ? [] : await lines.where("line_key", "like", "%~%").execute();
  return new Set([...used, ...numbered].map((row) => row.line_key));
}

/** Lines of a bank account that bear one of the values in a column. */
export async function linesToCompare(
  tx: Tx,
  { accountId, not = "" }: LinesOf,
  column: "bank_reference" | "date",
  values: readonly string[],
): Promise<ComparedRow[]> {
  const comparedRows: ComparedRow[] = [];
  for (const list of keyLists(values)) {
    const ofValues =
      column === "date"
        ? sql`l.status in (${sql.join(lineStatuses)}) and l.date in (${sql.join(list)})`
        : sql`l.bank_reference in (${sql.join(list)})`;
    const { rows } = await sql<ComparedRow>`
      select l.id, l.line_key as key, l.date, l.amount, l.bank_reference as "bankReference", l.payee,
        l.description, l.reference_texts as "references", l.cells, l.balance,
        case when l.cells is null and s.format = 'csv' then l.source_text end as source,
        s.id as "statementId", s.format, s.number, s.from_date as "from", s.to_date as "to",
        s.opening_balance as opening, s.closing_balance as closing,
        s.heading_key as "headingKey"
      from bank_statement_line as l
      join bank_statement as s on s.org = l.org and s.id = l.bank_statement_id
      where l.org = ${tx.org} and l.bank_account_id = ${accountId}
        and l.bank_statement_id <> ${not} and ${ofValues}`.execute(tx.db);
    comparedRows.push(...rows);
  }
  return comparedRows;
}

/**
 * Facts learnt from accepted matches: bank accounts of other parties with their contact, and texts
 * with their ledger account.
 */
export async function loadLearntFacts(tx: Tx): Promise<{
  readonly contacts: readonly { otherAccount: string; contactId: string; count: number }[];
  readonly accounts: readonly {
    payee: string | null;
    description: string | null;
    code: string;
    count: number;
  }[];
}> {
  const { rows: contacts } = await sql<{
    otherAccount: string;
    contactId: string;
    count: number;
  }>`
    select other_account as "otherAccount", matched_contact_id as "contactId", count(*) as count
    from bank_statement_line
    where org = ${tx.org} and other_account is not null and matched_contact_id is not null
    group by other_account, matched_contact_id order by 1, 2`.execute(tx.db);
  const { rows: accounts } = await sql<{
    payee: string | null;
    description: string | null;
    code: string;
    count: number;
  }>`
    select payee, description, matched_account_code as code, count(*) as count
    from bank_statement_line
    where org = ${tx.org} and matched_account_code is not null
    group by payee, description, matched_account_code order by 1, 2, 3`.execute(tx.db);
  return { contacts, accounts };
}

/** Ids of the lines imported with a statement. */
export async function lineIdsOf(tx: Tx, statementId: string): Promise<string[]> {
  const rows = await ownRows(tx, "bank_statement_line", { bank_statement_id: statementId })
    .select("id")
    .execute();
  return rows.map(({ id }) => id);
}
