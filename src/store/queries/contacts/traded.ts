/** Sales and purchases by item, contact or tracking. */
import { type RawBuilder, sql } from "kysely";
import type { TradedBy, TradedQuery } from "../../../ledger/figures/counted.ts";
import { type Cents, type LineQuantity, longFrom } from "../../../resources/decimal.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";

export interface TradedRow {
  /**
   * Group key: item code, contact name, or two TrackingOptionIDs joined by a bar; empty for none.
   */
  readonly key: string;
  /** Net amount, debit positive. */
  readonly net: Cents;
  readonly tax: Cents;
  /** The part of `net` on lines of stock items; 0 when not asked for. */
  readonly stocked: Cents;
}

/**
 * SQL: the amount of a posting `p` of a journal `j` whose line moved stock, else 0. After an edit
 * that removes a line from stock, its moves sum to zero.
 */
export const stockedAmount = sql<Cents>`case when coalesce((select sum(m.quantity) from inventory_move as m
  where m.org = j.org and m.document_id = j.document_id and m.line = p.line), 0) <> 0 then p.amount else 0 end`;

/** Sums of document lines over a range of days, as posted. */
export async function tradeSums(tx: Tx, query: TradedQuery): Promise<TradedRow[]> {
  const { by, sources, accounts, hasCosts, from, to } = query;
  if (accounts.length === 0) return [];
  // Each grouping joins only the tables it reads: joining a table just for an id doubles the time.
  const { key, joins } = {
    item: {
      key: sql`coalesce(l.item_code, '')`,
      joins: sql`left join document_line as l on l.org = j.org and l.document_id = j.document_id and l.ord = p.line`,
    },
    contact: {
      key: sql`coalesce(c.name, '')`,
      joins: sql`join document as d on d.org = j.org and d.id = j.document_id
        left join contact as c on c.org = d.org and c.id = d.contact_id`,
    },
    tracking: { key: sql`p.option1 || '|' || p.option2`, joins: sql`` },
  }[by];
  // Journals are read in the order of their numbers, in which those of one day may be far apart.
  const inRange = sql`p.number in (select number from posting
    where org = ${tx.org} and basis = ${basisCode.accrual} and date >= ${from} and date <= ${to}
      and account_id in (${sql.join(accounts)}))`;
  const { rows } = await sql<TradedRow>`
    select key, sum(net) as net, sum(tax) as tax, sum(stocked) as stocked from (
      select ${key} as key, p.amount as net, coalesce(p.tax_amount, 0) as tax,
        ${hasCosts ? stockedAmount : sql`0`} as stocked
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      ${joins}
      where p.org = ${tx.org} and p.basis = ${basisCode.accrual}
        and ${inRange} and p.account_id in (${sql.join(accounts)})
        and p.line is not null and p.tax_type is not null
        and j.source_type in (${sql.join(sources)})) as line
    group by key
    order by key`.execute(tx.db);
  return rows;
}

export interface MovedRow {
  readonly key: string;
  readonly quantity: LineQuantity;
}

/** Quantities of each item sold or bought by approved documents; credits count negatively. */
export async function tradedQuantities(tx: Tx, query: TradedQuery): Promise<MovedRow[]> {
  const { types, credits, from, to } = query;
  const { rows } = await sql<{ readonly key: string; readonly quantity: string }>`
    select l.item_code as key, cast(sum(
      case when d.type in (${sql.join(credits)}) then -l.quantity else l.quantity end) as text) as quantity
    from document as d
    join document_line as l on l.org = d.org and l.document_id = d.id
    where d.org = ${tx.org} and d.type in (${sql.join(types)}) and d.date >= ${from}
      and d.date <= ${to} and l.item_code is not null and l.quantity is not null
      and coalesce(d.bank_status, d.status) in ('AUTHORISED', 'PAID')
    group by l.item_code
    order by l.item_code`.execute(tx.db);
  return rows.map(({ key, quantity }) => ({ key, quantity: longFrom(quantity) as LineQuantity }));
}

export interface CostRow {
  readonly key: string;
  /** Cost of goods sold; positive. */
  readonly cost: Cents;
}

/** The cost of goods sold, by group. */
export async function costOfSold(tx: Tx, query: TradedQuery): Promise<CostRow[]> {
  const { by, types, from, to } = query;
  const keys = {
    item: sql`i.code`,
    contact: sql`coalesce(c.name, '')`,
    tracking: sql`coalesce(l.option1, '') || '|' || coalesce(l.option2, '')`,
  } satisfies Record<TradedBy, RawBuilder<unknown>>;
  const { rows } = await sql<CostRow>`
    select key, sum(cost) as cost from (
      select ${keys[by]} as key, -m.cost as cost
      from inventory_move as m
      join document as d on d.org = m.org and d.id = m.document_id
      join item as i on i.org = m.org and i.id = m.item_id
      left join contact as c on c.org = d.org and c.id = d.contact_id
      left join document_line as l on l.org = m.org and l.document_id = m.document_id and l.ord = m.line
      where m.org = ${tx.org} and d.type in (${sql.join(types)})
        and d.date >= ${from} and d.date <= ${to}) as moved
    group by key
    order by key`.execute(tx.db);
  return rows;
}
