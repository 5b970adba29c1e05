/** What bank statement lines are reconciled with, and which lines of a bank account are known. */
import { sql } from "kysely";
import type { DateText } from "../../ledger/dates/calendar.ts";
import { bankStatementLine, type MatchKind } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Insertion } from "../dialects/connection.ts";
import { deleteRows, insertRows, keyLists } from "../mapping/bulk.ts";
import type { Tx } from "../transactions/tx.ts";

/** A share of a line. */
export interface BankMatch {
  readonly lineId: string;
  readonly kind: MatchKind;
  readonly recordId: string;
  /** In the currency of the bank account, of the sign that it has there. */
  readonly amount: Cents;
  /** Number of the document that is paid. */
  readonly number: string | undefined;
  /** Made to reconcile the line, and taken back with that. */
  readonly made: boolean;
}

/** The matches of lines, by line; a line without any is not in the map. */
export async function matchesOf(
  tx: Tx,
  lineIds: readonly string[],
): Promise<Map<string, BankMatch[]>> {
  const found: BankMatch[] = [];
  for (const ids of keyLists(lineIds)) {
    const rows = await tx.db
      .selectFrom("bank_match")
      .selectAll()
      .where("org", "=", tx.org)
      .where("line_id", "in", ids)
      .orderBy("line_id")
      .orderBy("record_id")
      .execute();
    for (const row of rows) {
      found.push({
        lineId: row.line_id,
        kind: row.kind as MatchKind,
        recordId: row.record_id,
        amount: row.amount as Cents,
        number: row.number ?? undefined,
        made: row.made === 1,
      });
    }
  }
  return Map.groupBy(found, ({ lineId }) => lineId);
}

/** The dates of the lines that records are reconciled with, by record. */
export async function linesOfRecords(
  tx: Tx,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const dates = new Map<string, string>();
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
    for (const { record_id, date } of rows) dates.set(record_id, date);
  }
  return dates;
}

const insertion: Insertion = {
  table: "bank_match",
  columns: ["org", "line_id", "record_id", "kind", "amount", "number", "made"],
  tail: "",
};

export async function addMatches(tx: Tx, matches: readonly BankMatch[]): Promise<void> {
  const rows = matches.map(({ lineId, recordId, kind, amount, number, made }) => [
    tx.org,
    lineId,
    recordId,
    kind,
    amount,
    number ?? null,
    made ? 1 : 0,
  ]);
  await insertRows(tx, insertion, rows);
}

export async function removeMatches(tx: Tx, lineId: string): Promise<void> {
  await deleteRows(tx, "bank_match", sql`line_id = ${lineId}`);
}

/** What is kept of a line to know it again. */
export interface KnownLineRow {
  readonly key: string;
  readonly date: DateText;
  readonly amount: Cents;
  /** The bank's own id. */
  readonly id: string | undefined;
}

/** Of every status, so that an index on status and date serves a day. */
const lineStatuses = bankStatementLine.fields.Status.values;

export interface LinesOf {
  readonly accountId: string;
  /** A statement whose lines are left out. */
  readonly not?: string | undefined;
}

/** Lines of a bank account that bear one of the values in a column. */
export async function linesKnownBy(
  tx: Tx,
  { accountId, not = "" }: LinesOf,
  column: "line_key" | "bank_reference" | "date",
  values: readonly string[],
): Promise<KnownLineRow[]> {
  const known: KnownLineRow[] = [];
  for (const list of keyLists(values)) {
    const rows = await tx.db
      .selectFrom("bank_statement_line")
      .select(["line_key", "date", "amount", "bank_reference"])
      .where("org", "=", tx.org)
      .where("bank_account_id", "=", accountId)
      .where("bank_statement_id", "<>", not)
      .$if(column === "date", (query) => query.where("status", "in", lineStatuses))
      .where(column, "in", list)
      .execute();
    for (const { line_key, date, amount, bank_reference } of rows) {
      known.push({ key: line_key, date, amount: amount as Cents, id: bank_reference ?? undefined });
    }
  }
  return known;
}

/** Of accepted lines: accounts of other parties with their contact, and texts with their account. */
export async function learntFacts(tx: Tx): Promise<{
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

/** Ids of the lines that came with a statement. */
export async function lineIdsOf(tx: Tx, statementId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom("bank_statement_line")
    .select("id")
    .where("org", "=", tx.org)
    .where("bank_statement_id", "=", statementId)
    .execute();
  return rows.map(({ id }) => id);
}
