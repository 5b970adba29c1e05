/** Postings of one account ordered by day, or of all accounts ordered by journal. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { type Cents, type Rate, rateFrom } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/** The position of a posting in the order. */
export interface PostingPlace {
  readonly date: string;
  /** Number of its journal. */
  readonly number: number;
  /** Index in its journal, from 0. */
  readonly ord: number;
}

export interface PostingsQuery {
  readonly basis: Basis;
  /** Filter by AccountID; undefined for all accounts, ordered by journal. */
  readonly account?: string | undefined;
  /** Only postings after this position; it also excludes all earlier days. */
  readonly after: PostingPlace;
  /** Only postings dated before this day. */
  readonly before: string;
  /** First day, for the order by journal. */
  readonly from?: string | undefined;
  /** Filter by journal number. */
  readonly journal?: number | undefined;
  /** Filter by record id: journals that the record made, or that move its money. */
  readonly record?: string | undefined;
  /** TrackingOptionIDs that a posting must carry, all of them. */
  readonly options: readonly string[];
  /** Whether reversed journals and their reversals are included. */
  readonly undone: boolean;
  readonly limit: number;
}

/** A posting with details of its source record. */
export interface PostingRow extends PostingPlace {
  readonly accountId: string;
  readonly amount: Cents;
  /** Debit amount; `debit - amount` is the credit. */
  readonly debit: Cents;
  readonly foreign: Cents | null;
  readonly description: string | null;
  readonly taxType: string | null;
  readonly taxAmount: Cents | null;
  /** TrackingOptionIDs; empty where there is none. */
  readonly option1: string;
  readonly option2: string;
  readonly sourceType: string | null;
  readonly sourceId: string;
  /** The document whose money moves; for a payment, the document paid. */
  readonly documentId: string;
  readonly reference: string | null;
  readonly documentKind: string | null;
  readonly documentType: string | null;
  readonly documentNumber: string | null;
  readonly documentReference: string | null;
  readonly contact: string | null;
  readonly currency: string | null;
  readonly rate: Rate | undefined;
  readonly narration: string | null;
  /** Bank accounts of a transfer. */
  readonly fromBank: string | null;
  readonly toBank: string | null;
  /** The first and the last of the journal's other accounts; equal when there is only one. */
  readonly otherFirst: string | null;
  readonly otherLast: string | null;
}

export async function postingRows(tx: Tx, query: PostingsQuery): Promise<PostingRow[]> {
  const { basis, account, after, before, from, journal, record, options, undone, limit } = query;
  // When ordering by journal, the expression keeps SQL from using the index by day, which would
  // sort all remaining rows for each page.
  const day = account === undefined ? sql`(p.date || '')` : sql`p.date`;
  const isBeginning = after.number === 0 && journal === undefined && record === undefined;
  const conditions: RawBuilder<unknown>[] = [
    sql`p.org = ${tx.org}`,
    sql`p.basis = ${basisCode[basis]}`,
    sql`${day} < ${before}`,
    ...(account === undefined
      ? [
          isBeginning && from !== undefined
            ? sql`p.number >= (select min(number) from posting
                where org = ${tx.org} and basis = ${basisCode[basis]}
                and date >= ${from} and date < ${before})`
            : sql`(p.number, p.ord) > (${after.number}, ${after.ord})`,
          ...(from === undefined ? [] : [sql`${day} >= ${from}`]),
        ]
      : [
          sql`p.account_id = ${account}`,
          sql`(p.date, p.number, p.ord) > (${after.date}, ${after.number}, ${after.ord})`,
          // The index by account and day serves this condition, but not the comparison of tuples.
          sql`p.date >= ${after.date}`,
        ]),
    ...(journal === undefined ? [] : [sql`p.number = ${journal}`]),
    ...(record === undefined
      ? []
      : [
          sql`p.number in (select number from journal
            where org = ${tx.org} and basis = ${basisCode[basis]} and source_id = ${record}
            union select number from journal
            where org = ${tx.org} and basis = ${basisCode[basis]} and document_id = ${record})`,
        ]),
    ...options.map((option) => sql`${option} in (p.option1, p.option2)`),
    ...(undone
      ? []
      : [
          sql`j.reverses is null`,
          sql`not exists (select 1 from journal as r
            where r.org = p.org and r.basis = p.basis and r.reverses = p.number)`,
        ]),
  ];
  const order = account === undefined ? sql`p.number, p.ord` : sql`p.date, p.number, p.ord`;
  const otherPostings = sql`from posting as o
    where o.org = p.org and o.basis = p.basis and o.number = p.number
    and o.account_id <> p.account_id`;
  const { rows } = await sql<Omit<PostingRow, "rate"> & { readonly rate: string | null }>`
    select q.*, d.kind as "documentKind", d.type as "documentType", d.number as "documentNumber", d.reference as "documentReference",
      d.currency_code as currency, cast(d.currency_rate as text) as rate, c.name as contact,
      m.narration, t.from_bank_account_id as "fromBank", t.to_bank_account_id as "toBank"
    from (
      select p.org, p.date, p.number, p.ord, p.account_id as "accountId", p.amount, p.debit,
        p.foreign_amount as "foreign", p.description, p.tax_type as "taxType",
        p.tax_amount as "taxAmount", p.option1, p.option2, j.source_type as "sourceType",
        j.source_id as "sourceId", j.document_id as "documentId", j.reference,
        (select min(o.account_id) ${otherPostings}) as "otherFirst",
        (select max(o.account_id) ${otherPostings}) as "otherLast"
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where ${sql.join(conditions, sql` and `)}
      order by ${order} limit ${limit}
    ) as q
    left join document as d on d.org = q.org and d.id = q."documentId"
    left join contact as c on c.org = d.org and c.id = d.contact_id
    left join manual_journal as m on m.org = q.org and m.id = q."sourceId"
    left join bank_transfer as t on t.org = q.org and t.id = q."sourceId"
    order by ${account === undefined ? sql`q.number, q.ord` : sql`q.date, q.number, q.ord`}`.execute(
    tx.db,
  );
  return rows.map((row) => ({
    ...row,
    rate: row.rate === null ? undefined : rateFrom(row.rate),
  }));
}
