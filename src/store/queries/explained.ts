/**
 * The postings behind a figure, with the source record of each; for many, their sums by month.
 *
 * Reversed journals and their reversals are left out: both have the same day, and cancel out.
 */
import { type RawBuilder, sql } from "kysely";
import type { DateRange } from "../../ledger/dates/calendar.ts";
import type { TaxAccountQuery, TradedQuery } from "../../ledger/figures/counted.ts";
import type { Basis } from "../../ledger/journal.ts";
import { type Cents, isSafe, type Rate, rateFrom } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";
import type { CashFlowsQuery } from "./cash-flows.ts";
import { stockedAmount } from "./contacts/traded.ts";
import { isNotByCard } from "./tax/boxes-1099.ts";
import { isImport } from "./tax/tax-account.ts";

/** A set of postings `p` of journals `j`, and the amount summed of each. */
export interface PostingSet {
  readonly basis: Basis;
  readonly joins?: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  /** Amount to sum; the net amount, debit positive, when undefined. */
  readonly amount?: RawBuilder<unknown>;
}

/** The postings of a day. */
export interface PostingSum {
  readonly date: string;
  readonly count: number;
  readonly amount: Cents;
}

export interface ExplainedPosting {
  readonly date: string;
  readonly journal: number;
  readonly amount: Cents;
  readonly accountId: string;
  readonly description: string | null;
  readonly sourceType: string | null;
  readonly sourceId: string;
  readonly documentId: string;
  readonly documentKind: string | null;
  readonly documentNumber: string | null;
  readonly reference: string | null;
  readonly contact: string | null;
  readonly narration: string | null;
}

function fromClause(tx: Tx, { basis, joins = sql``, where }: PostingSet): RawBuilder<unknown> {
  return sql`from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    ${joins}
    where p.org = ${tx.org} and p.basis = ${basisCode[basis]} and ${where}
      and j.reverses is null and not exists (select 1 from journal as r
        where r.org = p.org and r.basis = p.basis and r.reverses = p.number)`;
}

const net = sql`p.amount`;

/** The sums of a set by day. */
export async function postingSums(tx: Tx, set: PostingSet): Promise<PostingSum[]> {
  const { rows } = await sql<PostingSum>`
    select date, count(*) as count, sum(amount) as amount
    from (select p.date, ${set.amount ?? net} as amount ${fromClause(tx, set)}) as posted
    where amount <> 0
    group by date order by date`.execute(tx.db);
  return rows;
}

/** The first `count` postings of a set, ordered by day and journal. */
export async function firstPostings(
  tx: Tx,
  set: PostingSet,
  count: number,
): Promise<ExplainedPosting[]> {
  const { rows } = await sql<ExplainedPosting>`
    select q.*, e.kind as "documentKind", e.number as "documentNumber", f.name as contact,
      coalesce(q.reference, e.reference) as reference, m.narration
    from (select p.date, p.number as journal, p.ord, ${set.amount ?? net} as amount,
        p.account_id as "accountId", p.description, j.source_type as "sourceType",
        j.source_id as "sourceId", j.document_id as "documentId", j.reference
      ${fromClause(tx, set)} and ${set.amount ?? net} <> 0
      order by p.date, p.number, p.ord limit ${count}) as q
    left join document as e on e.org = ${tx.org} and e.id = q."documentId"
    left join contact as f on f.org = ${tx.org} and f.id = e.contact_id
    left join manual_journal as m on m.org = ${tx.org} and m.id = q."sourceId"
    order by q.date, q.journal, q.ord`.execute(tx.db);
  return rows;
}

// --- sets ---------------------------------------------------------------------------------------

/**
 * The measured amount of a posting: debits less credits, one of the sides, or foreign currency.
 */
export type Measure = "net" | "debit" | "credit" | "foreign";

const measured = {
  net,
  debit: sql`p.debit`,
  credit: sql`(p.debit - p.amount)`,
  foreign: sql`coalesce(p.foreign_amount, 0)`,
} as const satisfies Record<Measure, RawBuilder<unknown>>;

export interface AccountSlice {
  readonly basis: Basis;
  /** AccountID. */
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly measure: Measure;
  /** Filter: pairs of TrackingOptionIDs of the postings, empty for none; undefined for any. */
  readonly pairs?: readonly (readonly [option1: string, option2: string])[] | undefined;
  /** Whether bank transfers are included; true by default. */
  readonly transfers?: boolean | undefined;
}

export function accountPostings({
  basis,
  account,
  from: first,
  to,
  measure,
  pairs,
  transfers = true,
}: AccountSlice): PostingSet {
  const carried =
    pairs === undefined
      ? sql``
      : pairs.length === 0
        ? sql` and 1 = 0`
        : sql` and (${sql.join(
            pairs.map(([one, other]) => sql`(p.option1 = ${one} and p.option2 = ${other})`),
            sql` or `,
          )})`;
  return {
    basis,
    where: sql`p.account_id = ${account} and p.date >= ${first} and p.date <= ${to}${carried}${
      transfers ? sql`` : sql` and coalesce(j.source_type, '') <> 'TRANSFER'`
    }`,
    amount: measured[measure],
  };
}

/** Contra postings of bank accounts: those that `cashFlows` sums. */
export function cashFlowPostings(
  tx: Tx,
  { banks, organisation, from: first, to }: CashFlowsQuery,
  account: string,
): PostingSet {
  return {
    basis: "cash",
    where: sql`p.account_id = ${account} and p.date >= ${first} and p.date <= ${to}
      and j.source_id <> ${organisation} and (p.line is null or p.tax_type is not null)
      and exists (select 1 from posting as b
        where b.org = ${tx.org} and b.basis = p.basis and b.number = p.number
          and b.account_id in (${sql.join(banks)}))`,
  };
}

/** Opening balances of bank accounts: the postings that `cashBegunWith` sums. */
export function openingPostings({
  banks,
  organisation,
  from: first,
  to,
}: CashFlowsQuery): PostingSet {
  return {
    basis: "accrual",
    where: sql`j.source_id = ${organisation} and p.account_id in (${sql.join(banks)})
      and p.date >= ${first} and p.date <= ${to}`,
  };
}

/** Postings of sales or purchases: those that `tradeSums` sums. */
export function tradedPostings(
  query: TradedQuery,
  key: string,
  amountKind: "net" | "tax" | "stocked",
): PostingSet {
  const { by, sources, accounts, from: first, to } = query;
  const keyed = {
    item: sql`coalesce(l.item_code, '') = ${key}`,
    contact: sql`coalesce(c.name, '') = ${key}`,
    tracking: sql`p.option1 || '|' || p.option2 = ${key}`,
  }[by];
  const joins = {
    item: sql`left join document_line as l on l.org = j.org and l.document_id = j.document_id and l.ord = p.line`,
    contact: sql`join document as d on d.org = j.org and d.id = j.document_id
      left join contact as c on c.org = d.org and c.id = d.contact_id`,
    tracking: sql``,
  }[by];
  return {
    basis: "accrual",
    joins,
    where: sql`p.date >= ${first} and p.date <= ${to}
      and ${accounts.length === 0 ? sql`1 = 0` : sql`p.account_id in (${sql.join(accounts)})`}
      and p.line is not null and p.tax_type is not null
      and j.source_type in (${sql.join(sources)}) and ${keyed}`,
    amount: { net, tax: sql`coalesce(p.tax_amount, 0)`, stocked: stockedAmount }[amountKind],
  };
}

// --- what stock left ------------------------------------------------------------------------------

export interface StockMove extends MovedOn {
  /** Change of the stock's value, negative for stock going out. */
  readonly cost: Cents;
  readonly quantity: number;
}

interface MovedOn {
  readonly date: string;
  readonly documentId: string;
  readonly documentKind: string;
  readonly type: string;
  readonly number: string | null;
  readonly contact: string | null;
}

/** Columns for the document of a row. */
const moveColumns = sql`d.date, d.id as "documentId", d.kind as "documentKind", d.type, d.number,
  c.name as contact`;

/** Stock moves of sales, for one key of the report. */
export async function soldFromStock(tx: Tx, query: TradedQuery, key: string): Promise<StockMove[]> {
  const { by, types, from: first, to } = query;
  const keyed = {
    item: sql`i.code = ${key}`,
    contact: sql`coalesce(c.name, '') = ${key}`,
    tracking: sql`coalesce(l.option1, '') || '|' || coalesce(l.option2, '') = ${key}`,
  }[by];
  const { rows } = await sql<StockMove>`
    select ${moveColumns}, m.cost, m.quantity
    from inventory_move as m
    join document as d on d.org = m.org and d.id = m.document_id
    join item as i on i.org = m.org and i.id = m.item_id
    left join contact as c on c.org = d.org and c.id = d.contact_id
    left join document_line as l on l.org = m.org and l.document_id = m.document_id and l.ord = m.line
    where m.org = ${tx.org} and d.type in (${sql.join(types)})
      and d.date >= ${first} and d.date <= ${to} and ${keyed}
    order by d.date, d.id, m.line`.execute(tx.db);
  return rows;
}

/** All stock moves of an item, in the order in which they were posted. */
export async function loadItemMoves(tx: Tx, itemId: string): Promise<StockMove[]> {
  const { rows } = await sql<StockMove>`
    select ${moveColumns}, m.cost, m.quantity
    from inventory_move as m
    join document as d on d.org = m.org and d.id = m.document_id
    left join contact as c on c.org = d.org and c.id = d.contact_id
    where m.org = ${tx.org} and m.item_id = ${itemId}
    order by d.date, d.id, m.line`.execute(tx.db);
  return rows;
}

export interface QuantityRow extends MovedOn {
  readonly quantity: number;
}

/** The document lines that `tradedQuantities` sums. */
export async function quantityLines(
  tx: Tx,
  { types, credits, from: first, to }: TradedQuery,
  code: string,
): Promise<QuantityRow[]> {
  const { rows } = await sql<MovedOn & { readonly quantity: string }>`
    select ${moveColumns}, cast(
      case when d.type in (${sql.join(credits)}) then -l.quantity else l.quantity end as text) as quantity
    from document as d
    join document_line as l on l.org = d.org and l.document_id = d.id
    left join contact as c on c.org = d.org and c.id = d.contact_id
    where d.org = ${tx.org} and d.type in (${sql.join(types)}) and d.date >= ${first}
      and d.date <= ${to} and l.item_code = ${code} and l.quantity is not null
      and coalesce(d.bank_status, d.status) in ('AUTHORISED', 'PAID')
    order by d.date, d.id, l.ord`.execute(tx.db);
  return rows.map((row) => ({ ...row, quantity: isSafe(Number(row.quantity)) }));
}

// --- what settled a document ---------------------------------------------------------------------

export interface SettlementRow {
  readonly kind: "payment" | "allocation";
  readonly id: string;
  readonly date: string;
  /** Amount in the currency of the document. */
  readonly amount: Cents;
  readonly currency: string;
  /** Reduction of the document's balance, in the base currency. */
  readonly base: Cents;
  readonly reference: string | null;
  /** For a payment: the exchange rate of its day. */
  readonly rate: string | null;
  /** For an allocation: id of the other document. */
  readonly otherId: string | null;
  readonly otherKind: string | null;
  readonly other: string | null;
}

/** Payments and allocations of a document up to a day, by day. */
export async function settlementsOf(
  tx: Tx,
  documentId: string,
  to: string,
): Promise<SettlementRow[]> {
  const nullText = sql`cast(null as text)`;
  const paymentSelect = (column: string) => sql`
    select 'payment' as kind, s.id, s.date, s.amount, coalesce(s.base_amount, s.amount) as base,
      s.reference, cast(s.currency_rate as text) as rate, ${nullText} as "otherId",
      ${nullText} as "otherKind", ${nullText} as other
    from payment as s
    where s.org = ${tx.org} and s.${sql.ref(column)} = ${documentId}
      and s.status <> 'DELETED' and s.date <= ${to}`;
  const allocationSelect = (ownColumn: string, baseColumn: string, otherColumn: string) => sql`
    select 'allocation' as kind, s.id, s.date, s.amount, s.${sql.ref(baseColumn)} as base,
      ${nullText} as reference, ${nullText} as rate, o.id as "otherId", o.kind as "otherKind",
      o.number as other
    from allocation as s
    join document as o on o.org = s.org and o.id = s.${sql.ref(otherColumn)}
    where s.org = ${tx.org} and s.${sql.ref(ownColumn)} = ${documentId}
      and s.status <> 'DELETED' and s.date <= ${to}`;
  const { rows } = await sql<SettlementRow>`
    select settled.*, (select currency_code from document
      where org = ${tx.org} and id = ${documentId}) as currency
    from (
      ${paymentSelect("invoice_id")} union all ${paymentSelect("credit_note_id")}
      union all ${paymentSelect("prepayment_id")} union all ${paymentSelect("overpayment_id")}
      union all ${paymentSelect("expense_claim_id")}
      union all ${allocationSelect("invoice_id", "invoice_base", "credit_id")}
      union all ${allocationSelect("credit_id", "credit_base", "invoice_id")}) as settled
    order by date, kind, id`.execute(tx.db);
  return rows;
}

interface IssuedInvoice extends MovedOn {
  readonly subTotal: Cents;
  readonly currency: string;
  readonly rate: string;
}

/** Sales invoices issued in a range of days. */
export async function invoicesIssuedIn(
  tx: Tx,
  { from: first, to }: DateRange,
): Promise<IssuedInvoice[]> {
  const { rows } = await sql<IssuedInvoice>`
    select ${moveColumns}, d.sub_total as "subTotal", d.currency_code as currency,
      cast(d.currency_rate as text) as rate
    from document as d
    left join contact as c on c.org = d.org and c.id = d.contact_id
    where d.org = ${tx.org} and d.kind = 'Invoice' and d.date >= ${first} and d.date <= ${to}
      and d.type = 'ACCREC' and d.status in ('AUTHORISED', 'PAID')
    order by d.date, d.number, d.id`.execute(tx.db);
  return rows;
}

/** Depreciation of an asset, by journal. */
export async function depreciationOf(
  tx: Tx,
  assetId: string,
): Promise<{ readonly date: string; readonly amount: Cents; readonly journalId: string }[]> {
  const { rows } = await sql<{ date: string; amount: Cents; journalId: string }>`
    select date, amount, manual_journal_id as "journalId" from depreciation
    where org = ${tx.org} and asset_id = ${assetId}
    order by date, manual_journal_id`.execute(tx.db);
  return rows;
}

// --- tax ------------------------------------------------------------------------------------------

/**
 * Postings made directly on the tax accounts, other than tax of lines: those that `taxAccountSums`
 * sums.
 */
export function taxAccountPostings(
  { basis, accounts, to, organisation }: TaxAccountQuery,
  kind: "opening" | "settled" | "coded" | "tax",
): PostingSet {
  const isOpening = sql`j.source_id = ${organisation}`;
  const isLine = sql`p.tax_type is not null and not (${isImport})`;
  const conditions = {
    opening: isOpening,
    settled: sql`not (${isOpening}) and ${isLine} and j.source_type like 'CASH%'`,
    coded: sql`not (${isOpening}) and ${isLine} and j.source_type not like 'CASH%'`,
    tax: sql`not (${isOpening}) and not (${isLine})`,
  } as const;
  return {
    basis,
    where: sql`p.account_id in (${sql.join(accounts)}) and p.date <= ${to} and ${conditions[kind]}`,
  };
}

/** Payments to a contact for accounts in boxes of 1099 forms: those that `payments1099` sums. */
export function paidPostings(
  tx: Tx,
  contactId: string,
  accountIds: readonly string[],
  { from: first, to }: DateRange,
  currency: string,
): PostingSet {
  return {
    basis: "cash",
    joins: sql`join document as d on d.org = j.org and d.id = j.document_id`,
    where: sql`p.account_id in (${sql.join(accountIds)}) and p.date >= ${first} and p.date <= ${to}
      and d.contact_id = ${contactId} and d.currency_code = ${currency} and ${isNotByCard(tx)}`,
    amount: sql`p.amount + coalesce(p.tax_amount, 0)`,
  };
}

// --- what is open with a contact --------------------------------------------------------------------

export interface OpenOfContact {
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  readonly number: string | null;
  readonly date: string;
  readonly currency: string;
  readonly rate: Rate;
  readonly total: Cents;
  readonly due: Cents;
  /** Amount due in the base currency, as on the control account. */
  readonly baseDue: Cents;
}

/** The currently open documents of a contact, the oldest first. */
export async function openDocumentsOf(
  tx: Tx,
  contactId: string,
  types: readonly string[],
): Promise<OpenOfContact[]> {
  const { rows } = await sql<Omit<OpenOfContact, "rate"> & { readonly rate: string }>`
    select id, kind, type, number, date, currency_code as currency,
      cast(currency_rate as text) as rate, total, amount_due as due, base_due as "baseDue"
    from document
    where org = ${tx.org} and contact_id = ${contactId} and status = 'AUTHORISED'
      and type in (${sql.join(types)}) and (amount_due <> 0 or base_due <> 0)
    order by date, number, id`.execute(tx.db);
  return rows.map((row) => ({ ...row, rate: rateFrom(row.rate) }));
}
