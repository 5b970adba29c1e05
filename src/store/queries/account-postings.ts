/** Postings of an account in the order of days, or of the ledger in that of its journals. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { type Cents, type Rate, rateFrom } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/** Where a posting stands. */
export interface PostingPlace {
  readonly date: string;
  /** Of its journal. */
  readonly number: number;
  /** Place in its journal, from 0. */
  readonly ord: number;
}

export interface PostingsQuery {
  readonly basis: Basis;
  /** AccountID; every account when not given, in the order of journals. */
  readonly account?: string | undefined;
  /** Only those after this place; of days before it none. */
  readonly after: PostingPlace;
  /** Only those dated before this day. */
  readonly before: string;
  /** First day, in the order of journals. */
  readonly from?: string | undefined;
  /** Those of one journal, by its number. */
  readonly journal?: number | undefined;
  /** Those of journals that a record made, or that move its money: its id. */
  readonly record?: string | undefined;
  /** TrackingOptionIDs that a posting carries, all of them. */
  readonly options: readonly string[];
  /** With what was undone, and what undid it. */
  readonly undone: boolean;
  readonly limit: number;
}

/** A posting with what there is to say of the record that made it. */
export interface PostingRow extends PostingPlace {
  readonly accountId: string;
  readonly amount: Cents;
  /** What it adds to the debits; `debit - amount` goes to the credits. */
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
  /** The document whose money moves; of a payment, the one that is paid. */
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
  /** The first and the last of the other accounts of its journal; the same where there is one. */
  readonly otherFirst: string | null;
  readonly otherLast: string | null;
}

export async function postingRows(tx: Tx, query: PostingsQuery): Promise<PostingRow[]> {
  const { basis, account, after, before, from, journal, record, options, undone, limit } = query;
  // In the order of journals the index by day would sort all that is left, page after page.
  const day = account === undefined ? sql`(p.date || '')` : sql`p.date`;
  const begins = after.number === 0 && journal === undefined && record === undefined;
  const conditions: RawBuilder<unknown>[] = [
    sql`p.org = ${tx.org}`,
    sql`p.basis = ${basisCode[basis]}`,
    sql`${day} < ${before}`,
    ...(account === undefined
      ? [
          begins && from !== undefined
            ? sql`p.number >= (select min(number) from posting
                where org = ${tx.org} and basis = ${basisCode[basis]}
                and date >= ${from} and date < ${before})`
            : sql`(p.number, p.ord) > (${after.number}, ${after.ord})`,
          ...(from === undefined ? [] : [sql`${day} >= ${from}`]),
        ]
      : [
          sql`p.account_id = ${account}`,
          sql`(p.date, p.number, p.ord) > (${after.date}, ${after.number}, ${after.ord})`,
          // The index by account and day takes this, where it does not take the tuple.
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
  const other = sql`from posting as o
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
        (select min(o.account_id) ${other}) as "otherFirst",
        (select max(o.account_id) ${other}) as "otherLast"
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
