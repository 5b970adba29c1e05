/** What was posted under each tax type. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../../ledger/journal.ts";
import { wholePercent } from "../../../ledger/money.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";
import type { Filed } from "../published.ts";

export interface TaxedRow {
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  /** Where the journals come from a sales invoice or a sales credit note. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | null;
  /** 1 where the tax is not what the rate makes, 2 where it is less. */
  readonly is_entered: 0 | 1 | 2;
  /** Of each posting; null where the tax has one component, which is reclaimed. */
  readonly line_tax: Cents | null;
  /** What each posted on its account, with tax that is not reclaimed; null likewise. */
  readonly line_amount: Cents | null;
  /** Of the document or bank transaction, where it is asked for; null of journals and what is neither. */
  readonly side?: "sales" | "purchases" | null;
  /** How many postings there are. */
  readonly times: number;
  /** Where documents are told apart: their day and what they are; null on what has none. */
  readonly date?: string;
  readonly source_type?: string | null;
  readonly document_id?: string;
  readonly number?: string | null;
  readonly contact?: string | null;
  readonly narration?: string | null;
  /** Debits less credits. */
  readonly net: Cents;
  readonly tax: Cents;
}

/** A tax type of the books. */
export interface TaxTypeRate {
  /** Charged in 10⁻⁴ percent of the net; undefined where part of the tax is not reclaimed. */
  readonly rate: number | undefined;
  /** Its tax has several components, or is not all reclaimed, so that each posting is told. */
  readonly isSplit: boolean;
}

export type TaxTypeRates = ReadonlyMap<string, TaxTypeRate>;

/** What postings are summed by: their tax types alone, or their documents too. */
export interface TaxedBy {
  readonly rates: TaxTypeRates;
  readonly byDocument: boolean;
  /** Whether documents of sales are told from those of purchases. */
  readonly bySide?: boolean;
  /** Most rows that are wanted, of which one more is read; all when not given. */
  readonly rowsMax?: number | undefined;
}

/**
 * Sums of postings by tax type and account over a range of days.
 *
 * The index by date leads to the postings of the range, and to no others.
 *
 * @param until  number of the last journal that counts; all when not given
 */
export function taxedSums(
  tx: Tx,
  { basis, from, to }: { readonly basis: Basis; readonly from: string; readonly to: string },
  by: TaxedBy,
  until?: number,
): Promise<TaxedRow[]> {
  return sums(tx, basis, by, sql`p.date >= ${from} and p.date <= ${to} ${upTo(until)}`);
}

const upTo = (number: number | undefined) =>
  number === undefined ? sql`` : sql`and p.number <= ${number}`;

/**
 * The same sums of late postings: dated within published returns, and posted after the last of
 * these. A void and an edit are posted on the date of the reversed journal, so for a document in an
 * earlier return they give the difference.
 *
 * Postings from before the first return, and dated before it, are in no return, nor are their
 * reversals; nor is what is dated up to `opened`, the day of the opening balances.
 */
export function lateSums(
  tx: Tx,
  basis: Basis,
  { from, first, to, last }: Filed,
  by: TaxedBy,
  { opened = "", until }: { readonly opened?: string | undefined; readonly until?: number } = {},
): Promise<TaxedRow[]> {
  return sums(
    tx,
    basis,
    by,
    sql`p.number > ${last[basis]} ${upTo(until)} and p.date <= ${to} and j.date > ${opened} and not (p.date < ${from} and exists (
      select 1 from journal as o
      where o.org = ${tx.org} and o.source_id = j.source_id and o.basis = j.basis
        and o.number <= ${first[basis]} and o.date < ${from}))`,
  );
}

/** Payments are on the side of what they pay: on the cash basis they post its lines. */
const side = sql`case
  when j.source_type like 'ACCREC%' or j.source_type like 'AR%' or j.source_type = 'CASHREC' then 'sales'
  when j.source_type like 'ACCPAY%' or j.source_type like 'AP%' or j.source_type = 'CASHPAID'
    or j.source_type in ('EXPCLAIM', 'EXPPAYMENT') then 'purchases' end`;

async function sums(
  tx: Tx,
  basis: Basis,
  { rates, byDocument, bySide, rowsMax }: TaxedBy,
  condition: RawBuilder<unknown>,
): Promise<TaxedRow[]> {
  const source = sql`case when j.source_type in ('ACCREC', 'ACCRECCREDIT') then j.source_type end`;
  // More than what rounding and the shares of payments explain.
  const whens = [...rates].flatMap(([taxType, { rate }]) =>
    rate === undefined ? [] : [sql`when ${taxType} then ${sql.lit(rate / wholePercent)}`],
  );
  const rate = sql`case p.tax_type ${sql.join(whens, sql` `)} end`;
  const isEntered =
    whens.length === 0
      ? sql`0`
      : sql`case when abs(coalesce(p.tax_amount, 0) - p.amount * (${rate})) > 2
          then case when abs(coalesce(p.tax_amount, 0)) < abs(p.amount * (${rate})) then 2 else 1 end
          else 0 end`;
  const split = [...rates].filter(([, { isSplit }]) => isSplit).map(([taxType]) => taxType);
  const ofSplit = (amount: RawBuilder<unknown>) =>
    split.length === 0
      ? sql`cast(null as bigint)`
      : sql`case when p.tax_type in (${sql.join(split)}) then ${amount} end`;
  const own = byDocument
    ? sql`, j.date, j.source_type, j.document_id, d.number, c.name as contact, m.narration`
    : sql``;
  const documents = byDocument
    ? sql`left join document as d on d.org = j.org and d.id = j.document_id
      left join contact as c on c.org = d.org and c.id = d.contact_id
      left join manual_journal as m on m.org = j.org and m.id = j.document_id`
    : sql``;
  // Rows of one document, account and rate follow each other: `summed` puts them together.
  const keys = ["tax_type", "account_id", "source", "is_entered"];
  if (bySide) keys.push("side");
  keys.push("line_tax", "line_amount");
  const documentKeys = ["date", "document_id", "source_type", "number", "contact", "narration"];
  const columns = sql.join(
    [...(byDocument ? documentKeys : []), ...keys].map((column) => sql.ref(column)),
  );
  const { rows } = await sql<TaxedRow>`
    select ${columns}, count(*) as times, sum(net) as net, sum(tax) as tax
    from (select p.tax_type, p.account_id, ${source} as source, ${isEntered} as is_entered,
      ${ofSplit(sql`coalesce(p.tax_amount, 0)`)} as line_tax, ${ofSplit(sql`p.amount`)} as line_amount,
      ${bySide ? side : sql`null`} as side, p.amount as net, coalesce(p.tax_amount, 0) as tax${own}
    from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    ${documents}
    where p.org = ${tx.org} and j.org = ${tx.org} and p.basis = ${basisCode[basis]}
      and p.tax_type is not null
      and ${condition}) as taxed
    group by ${columns}
    order by ${columns}
    ${rowsMax === undefined ? sql`` : sql`limit ${rowsMax + 1}`}`.execute(tx.db);
  return rows;
}
