/**
 * The journal tables: append, number and sum journals. Nothing here changes or removes one.
 *
 * Postings are kept as rows, and as balances per account, tracking options and month, updated in
 * the transaction that posts. A sum over a range of days takes whole months from the balances and
 * only the partial months at its ends from the postings, so that the cost of a report depends on
 * its rows, not on the size of the book.
 */
import { type RawBuilder, sql } from "kysely";
import { endOfMonth, monthOf, startOfMonth } from "../../ledger/dates/calendar.ts";
import { addTurnover, assertBalanced, type Basis, type Journal } from "../../ledger/journal.ts";
import { type Cents, isSafe } from "../../resources/decimal.ts";
import { sequencesOf, setSum, takeNumbers } from "../chain/sequences.ts";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import { insertRows } from "../operations/bulk.ts";
import { basisCode, basisOf } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

// -------------------------------------------------------------------------------------------------
// Appending

const journalInsertion: Insertion = {
  table: "journal",
  columns: [
    "org",
    "basis",
    "number",
    "id",
    "date",
    "source_type",
    "source_id",
    "document_id",
    "reference",
    "reverses",
    "created_at",
  ],
};

const postingInsertion: Insertion = {
  table: "posting",
  columns: [
    "org",
    "basis",
    "number",
    "ord",
    "date",
    "account_id",
    "amount",
    "debit",
    "option1",
    "option2",
    "description",
    "tax_type",
    "tax_amount",
    "line",
    "foreign_amount",
  ],
};

const balanceInsertion: Insertion = {
  table: "balance",
  columns: [
    "org",
    "basis",
    "month",
    "account_id",
    "option1",
    "option2",
    "debit",
    "credit",
    "foreign_amount",
    "tax",
  ],
  tail: `on conflict (org, basis, month, account_id, option1, option2) do update set
    debit = balance.debit + excluded.debit, credit = balance.credit + excluded.credit,
    foreign_amount = case when excluded.foreign_amount is null then balance.foreign_amount
      else coalesce(balance.foreign_amount, 0) + excluded.foreign_amount end,
    tax = balance.tax + excluded.tax`,
  key: ["org", "basis", "month", "account_id", "option1", "option2"],
  merged: (oldRow, newRow) => [
    ...newRow.slice(0, 6),
    sumOf(oldRow[6], newRow[6]),
    sumOf(oldRow[7], newRow[7]),
    oldRow[8] === null && newRow[8] === null ? null : sumOf(oldRow[8], newRow[8]),
    sumOf(oldRow[9], newRow[9]),
  ],
};

const sumOf = (first: Value | undefined, second: Value | undefined) =>
  isSafe(Number(first ?? 0) + Number(second ?? 0));

/** Name of the counter of journal numbers of a basis. */
export function journalSequence(basis: Basis): string {
  return `journal.${basis}`;
}

/** Name of the counter that holds the sum of the turnovers of a basis (`turnoverOf`). */
export function turnoverSum(basis: Basis): string {
  return `turnover.${basis}`;
}

/** The counters that posting journals of a basis reads and raises. */
export function journalCounters(basis: Basis): readonly string[] {
  return [journalSequence(basis), turnoverSum(basis)];
}

/**
 * Posts journals: each gets the next number of its basis, in the order given.
 * @param at     when, in milliseconds since 1970 UTC
 * @param newId  makes the JournalIDs
 * @returns their numbers, in the order given
 * @throws RefusedError `Overflow` when sums of the book would exceed exact integers
 */
export async function appendJournals(
  tx: Tx,
  journals: readonly Journal[],
  at: number,
  newId: () => string,
): Promise<number[]> {
  const nextNumbers = { accrual: 0, cash: 0 };
  const bases = basisOf.filter((basis) => journals.some((journal) => journal.basis === basis));
  // Counters not yet known are read in one statement.
  const numberBySequence = await sequencesOf(tx, bases.flatMap(journalCounters));
  for (const basis of bases) {
    const ofBasis = journals.filter((journal) => journal.basis === basis);
    const turnover = addTurnover(numberBySequence.get(turnoverSum(basis)) ?? 0, ofBasis);
    nextNumbers[basis] = await takeNumbers(tx, journalSequence(basis), ofBasis.length);
    await setSum(tx, turnoverSum(basis), turnover);
  }
  const journalRows: Row[] = [];
  const postingRows: Row[] = [];
  const sums = new PostingSums(tx.org);
  const numbers = journals.map((journal) => {
    const { basis, date, sourceType, sourceId, documentId, reference, reverses } =
      assertBalanced(journal);
    const number = nextNumbers[basis];
    nextNumbers[basis] += 1;
    const code = basisCode[basis];
    journalRows.push([
      tx.org,
      code,
      number,
      newId(),
      date,
      sourceType ?? null,
      sourceId,
      documentId,
      reference ?? null,
      reverses ?? null,
      at,
    ]);
    for (const [ord, posting] of journal.postings.entries()) {
      const {
        account,
        amount,
        option1 = "",
        option2 = "",
        description,
        taxType,
        taxAmount,
        foreign,
      } = posting;
      // A reversal reduces the side of the posting that it reverses.
      const debit = amount > 0 === (reverses === undefined) ? amount : 0;
      const movement = { debit, credit: debit - amount, foreign, tax: taxAmount ?? 0 };
      sums.add([code, monthOf(date), account, option1, option2], movement);
      postingRows.push([
        tx.org,
        code,
        number,
        ord,
        date,
        account,
        amount,
        debit,
        option1,
        option2,
        description ?? null,
        taxType ?? null,
        taxAmount ?? null,
        posting.line ?? null,
        foreign ?? null,
      ]);
    }
    return number;
  });
  await insertRows(tx, journalInsertion, journalRows);
  await insertRows(tx, postingInsertion, postingRows);
  await insertRows(tx, balanceInsertion, sums.rows);
  return numbers;
}

/** Amounts that postings add to one row of the balances. */
interface BalanceChange {
  debit: number;
  credit: number;
  foreign: number | undefined;
  tax: number;
}

/**
 * Sums postings by account, tracking options and month, so that each balance row is written once.
 */
class PostingSums {
  readonly #org: number;
  readonly #rows = new Map<string, BalanceChange & { readonly key: Row }>();

  constructor(org: number) {
    this.#org = org;
  }

  /**
   * Adds amounts to a balance.
   * @param key  basis, month, account and options
   */
  add(key: Row, { debit, credit, foreign, tax }: BalanceChange): void {
    const row = this.#rows.get(key.join(" "));
    if (row === undefined) {
      this.#rows.set(key.join(" "), { key, debit, credit, foreign, tax });
      return;
    }
    row.debit = isSafe(row.debit + debit);
    row.credit = isSafe(row.credit + credit);
    row.tax = isSafe(row.tax + tax);
    if (foreign !== undefined) row.foreign = isSafe((row.foreign ?? 0) + foreign);
  }

  get rows(): Row[] {
    return [...this.#rows.values()].map(({ key, debit, credit, foreign, tax }) => [
      this.#org,
      ...key,
      debit,
      credit,
      foreign ?? null,
      tax,
    ]);
  }
}

// -------------------------------------------------------------------------------------------------
// Sums

export interface SumsQuery {
  readonly basis: Basis;
  /** The first day, included; undefined for the beginning of the books. */
  readonly from?: string | undefined;
  /** The last day of the sums, included. */
  readonly to: string;
  /** Groups the sums by the option of the first or second tracking category, or of both. */
  readonly byOption?: 1 | 2 | boolean | undefined;
  /** Filter by tracking option; the empty text selects postings without one. */
  readonly option1?: string | undefined;
  readonly option2?: string | undefined;
  /** Filter by accounts. */
  readonly accounts?: readonly string[] | undefined;
}

/** Movement of an account in a range of days. */
export interface SumsRow {
  /** AccountID. */
  readonly account: string;
  /** The tracking option; present when grouped by it and set on the postings. */
  readonly option1?: string;
  readonly option2?: string;
  /** Net amount, debits less credits. */
  readonly amount: Cents;
  /** Sum of debits, less reversed debits. */
  readonly debit: Cents;
  /** Sum of credits, less reversed credits. */
  readonly credit: Cents;
}

/**
 * Sums of postings by account; accounts with no movement, or a wholly reversed one, are left out.
 */
export async function sums(tx: Tx, query: SumsQuery): Promise<SumsRow[]> {
  const split = splitOf(query.byOption);
  const columns = sql.join(["account_id", ...split].map((column) => sql.ref(column)));
  const { rows } = await sql<{
    account_id: string;
    option1?: string;
    option2?: string;
    debit: number;
    credit: number;
  }>`select ${columns}, sum(debit) as debit, sum(credit) as credit
    from (${sql.join(partsOf(tx, query), sql` union all `)}) as moved
    group by ${columns} order by ${columns}`.execute(tx.db);
  return rows
    .filter((row) => row.debit !== 0 || row.credit !== 0)
    .map((row) => ({
      account: row.account_id,
      ...(row.option1 ? { option1: row.option1 } : {}),
      ...(row.option2 ? { option2: row.option2 } : {}),
      amount: isSafe(row.debit - row.credit) as Cents,
      debit: row.debit as Cents,
      credit: row.credit as Cents,
    }));
}

/**
 * Tax of all postings in a range of days, debit positive: tax on sales is negative, input tax
 * positive.
 */
export async function taxSum(
  tx: Tx,
  { basis, from, to }: Required<Pick<SumsQuery, "basis" | "from" | "to">>,
): Promise<Cents> {
  const parts = partsOf(tx, { basis, from, to }, taxColumns);
  const { rows } = await sql<{ tax: number | null }>`
    select sum(tax) as tax from (${sql.join(parts, sql` union all `)}) as moved`.execute(tx.db);
  return (rows[0]?.tax ?? 0) as Cents;
}

function splitOf(byOption: SumsQuery["byOption"]): ("option1" | "option2")[] {
  if (byOption === true) return ["option1", "option2"];
  return byOption === 1 ? ["option1"] : byOption === 2 ? ["option2"] : [];
}

/** A text below every month. */
const noMonth = "0000-00";

/** The columns summed from the balances, and the matching ones of postings. */
interface SummedColumns {
  readonly balance: RawBuilder<unknown>;
  readonly posting: RawBuilder<unknown>;
}

const sidesColumns: SummedColumns = {
  balance: sql`account_id, option1, option2, debit, credit`,
  posting: sql`account_id, option1, option2, debit, debit - amount as credit`,
};

const taxColumns: SummedColumns = {
  balance: sql`tax`,
  posting: sql`coalesce(tax_amount, 0) as tax`,
};

/** The parts of a sum: whole months from the balances, partial months from the postings. */
function partsOf(tx: Tx, query: SumsQuery, columns = sidesColumns): RawBuilder<unknown>[] {
  const { from, to } = query;
  const firstMonth =
    from === undefined ? noMonth : from === startOfMonth(from) ? monthOf(from) : monthAfter(from);
  const lastMonth = to === endOfMonth(to) ? monthOf(to) : monthBefore(to);
  if (firstMonth > lastMonth) {
    return from !== undefined && from <= to
      ? [postingsBetween(tx, query, columns, from, to)]
      : [zeroOf(tx, columns)];
  }
  const parts = [monthsBetween(tx, query, columns, firstMonth, lastMonth)];
  if (from !== undefined && monthOf(from) < firstMonth) {
    parts.push(postingsBetween(tx, query, columns, from, endOfMonth(from)));
  }
  if (monthOf(to) > lastMonth) {
    parts.push(postingsBetween(tx, query, columns, startOfMonth(to), to));
  }
  return parts;
}

const zeroOf = ({ org }: Tx, { balance }: SummedColumns) =>
  sql`select ${balance} from balance where org = ${org} and 1 = 0`;

function monthsBetween(
  tx: Tx,
  query: SumsQuery,
  { balance }: SummedColumns,
  firstMonth: string,
  lastMonth: string,
) {
  return sql`select ${balance} from balance
    where org = ${tx.org} and basis = ${basisCode[query.basis]}
    and month >= ${firstMonth} and month <= ${lastMonth}${filterOf(query)}`;
}

function postingsBetween(
  tx: Tx,
  query: SumsQuery,
  { posting }: SummedColumns,
  from: string,
  to: string,
) {
  return sql`select ${posting} from posting
    where org = ${tx.org} and basis = ${basisCode[query.basis]}
    and date >= ${from} and date <= ${to}${filterOf(query)}`;
}

function filterOf({ option1, option2, accounts }: SumsQuery) {
  return sql`${option1 === undefined ? sql`` : sql` and option1 = ${option1}`}${
    option2 === undefined ? sql`` : sql` and option2 = ${option2}`
  }${accounts === undefined ? sql`` : ofAccounts(accounts)}`;
}

function ofAccounts(accounts: readonly string[]) {
  return accounts.length === 0 ? sql` and 1 = 0` : sql` and account_id in (${sql.join(accounts)})`;
}

function monthAfter(date: string): string {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  return month === 12 ? monthName(year + 1, 1) : monthName(year, month + 1);
}

function monthBefore(date: string): string {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  return month === 1 ? monthName(year - 1, 12) : monthName(year, month - 1);
}

function monthName(year: number, month: number): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}
