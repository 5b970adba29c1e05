/** Sums of postings by tax type. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../../ledger/journal.ts";
import { wholePercent } from "../../../ledger/money.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";
import type { FiledRange } from "../published.ts";

export interface TaxedRow {
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  /** Source type of sales invoices and sales credit notes; null for other journals. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | null;
  /** 1 when the tax differs from rate times amount, 2 when it is lower. */
  readonly is_entered: 0 | 1 | 2;
  /** Tax of each single posting; null when the rate has one component, wholly reclaimed. */
  readonly line_tax: Cents | null;
  /** Amount of each single posting with non-reclaimable tax; null in the same case. */
  readonly line_amount: Cents | null;
  /** Side of the document or bank transaction, when asked for; null for journals and others. */
  readonly side?: "sales" | "purchases" | null;
  /** Number of postings. */
  readonly times: number;
  /** Date and type of the document, when grouped by document; null where there is none. */
  readonly date?: string;
  readonly source_type?: string | null;
  readonly document_id?: string;
  readonly number?: string | null;
  readonly contact?: string | null;
  readonly tax_number?: string | null;
  readonly narration?: string | null;
  /** Net amount, debits less credits. */
  readonly net: Cents;
  readonly tax: Cents;
}

/** A tax type of the books with its rate. */
export interface TaxTypeRate {
  /** Rate in 10⁻⁴ percent of the net amount; undefined when part of the tax is not reclaimed. */
  readonly rate: number | undefined;
  /**
   * Whether the tax has several components, is partly not reclaimed or is a reverse charge, so that
   * each posting is listed.
   */
  readonly isSplit: boolean;
}

export type TaxTypeRates = ReadonlyMap<string, TaxTypeRate>;

/** Grouping of the sums: by tax type alone, or by document too. */
export interface TaxedBy {
  readonly rates: TaxTypeRates;
  readonly byDocument: boolean;
  /** Whether to group by sales and purchases. */
  readonly bySide?: boolean;
  /** The tax types that count; all when undefined. */
  readonly taxTypes?: readonly string[];
  /** Maximum rows wanted, of which one more is read; all when undefined. */
  readonly rowsMax?: number | undefined;
}

/**
 * Sums of postings by tax type and account over a range of days.
 *
 * The index by date finds exactly the journals of the range, whose postings are then read in the
 * order of their numbers.
 * @param lastNumber  number of the last journal that counts; all when undefined
 */
export function taxedSums(
  tx: Tx,
  { basis, from, to }: { readonly basis: Basis; readonly from: string; readonly to: string },
  by: TaxedBy,
  lastNumber?: number,
): Promise<TaxedRow[]> {
  const inRange = sql`p.number in (select number from posting
    where org = ${tx.org} and basis = ${basisCode[basis]} and date >= ${from} and date <= ${to})`;
  return loadTaxSums(tx, basis, by, sql`${inRange} ${upTo(lastNumber)}`);
}

const upTo = (number: number | undefined) =>
  number === undefined ? sql`` : sql`and p.number <= ${number}`;

/**
 * The same sums of late postings: dated within published returns, and posted after the last of
 * these. A void and an edit are posted on the date of the reversed journal, so for a document in an
 * earlier return they give the difference.
 *
 * Postings made and dated before the first return are in no return, nor are their reversals; nor
 * are postings dated up to `opened`, the day of the opening balances.
 */
export function lateSums(
  tx: Tx,
  basis: Basis,
  { from, first, to, last }: FiledRange,
  by: TaxedBy,
  { opened = "", until }: { readonly opened?: string | undefined; readonly until?: number } = {},
): Promise<TaxedRow[]> {
  return loadTaxSums(
    tx,
    basis,
    by,
    sql`p.number > ${last[basis]} ${upTo(until)} and p.date <= ${to} and j.date > ${opened} and not (p.date < ${from} and exists (
      select 1 from journal as o
      where o.org = ${tx.org} and o.source_id = j.source_id and o.basis = j.basis
        and o.number <= ${first[basis]} and o.date < ${from}))`,
  );
}

/**
 * SQL: sales or purchases; a payment counts on the side of its document, since on the cash basis it
 * posts the document's lines.
 */
const side = sql`case
  when j.source_type like 'ACCREC%' or j.source_type like 'AR%' or j.source_type = 'CASHREC' then 'sales'
  when j.source_type like 'ACCPAY%' or j.source_type like 'AP%' or j.source_type = 'CASHPAID'
    or j.source_type in ('EXPCLAIM', 'EXPPAYMENT') then 'purchases' end`;

async function loadTaxSums(
  tx: Tx,
  basis: Basis,
  { rates, byDocument, bySide, taxTypes, rowsMax }: TaxedBy,
  condition: RawBuilder<unknown>,
): Promise<TaxedRow[]> {
  const source = sql`case when j.source_type in ('ACCREC', 'ACCRECCREDIT') then j.source_type end`;
  // A difference larger than rounding and shares of payments explain.
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
  const splitPart = (amount: RawBuilder<unknown>) =>
    split.length === 0
      ? sql`cast(null as bigint)`
      : sql`case when p.tax_type in (${sql.join(split)}) then ${amount} end`;
  const own = byDocument
    ? sql`, j.date, j.source_type, j.document_id, d.number, c.name as contact, c.tax_number, m.narration`
    : sql``;
  const documents = byDocument
    ? sql`left join document as d on d.org = j.org and d.id = j.document_id
      left join contact as c on c.org = d.org and c.id = d.contact_id
      left join manual_journal as m on m.org = j.org and m.id = j.document_id`
    : sql``;
  // Ordered so that rows of one document, account and rate are adjacent and `taxedDocuments` can join them.
  const keys = ["tax_type", "account_id", "source", "is_entered"];
  if (bySide) keys.push("side");
  keys.push("line_tax", "line_amount");
  const documentKeys = [
    "date",
    "document_id",
    "source_type",
    "number",
    "contact",
    "tax_number",
    "narration",
  ];
  const columns = sql.join(
    [...(byDocument ? documentKeys : []), ...keys].map((column) => sql.ref(column)),
  );
  const { rows } = await sql<TaxedRow>`
    select ${columns}, count(*) as times, sum(net) as net, sum(tax) as tax
    from (select p.tax_type, p.account_id, ${source} as source, ${isEntered} as is_entered,
      ${splitPart(sql`coalesce(p.tax_amount, 0)`)} as line_tax, ${splitPart(sql`p.amount`)} as line_amount,
      ${bySide ? side : sql`null`} as side, p.amount as net, coalesce(p.tax_amount, 0) as tax${own}
    from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    ${documents}
    where p.org = ${tx.org} and j.org = ${tx.org} and p.basis = ${basisCode[basis]}
      and ${taxTypes === undefined ? sql`p.tax_type is not null` : sql`p.tax_type in (${sql.join(taxTypes)})`}
      and ${condition}) as taxed
    group by ${columns}
    order by ${columns}
    ${rowsMax === undefined ? sql`` : sql`limit ${rowsMax + 1}`}`.execute(tx.db);
  return rows;
}
