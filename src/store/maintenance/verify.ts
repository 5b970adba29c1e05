/**
 * Looks a book over: whether everything in it adds up.
 *
 * The service keeps these rules with every write; here they are checked again from what is on disk,
 * by other means. The database does the sums in the order of its indexes and answers only what is
 * wrong, so that a book of any size is looked over in little memory.
 */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { journalSequence, turnoverSum } from "../ledger/journals.ts";
import { keptSequences } from "../ledger/sequences.ts";
import { basisCode, basisOf, type Tables } from "../schema/index.ts";
import type { Tx } from "../store.ts";
import { attachments } from "./attachments.ts";
import { batchPayments } from "./batch-payments.ts";
import { manualJournals } from "./manual-journals.ts";
import { references } from "./references.ts";
import { sources } from "./sources.ts";
import { values } from "./values.ts";

export interface Check {
  /** What was looked at. */
  readonly name: string;
  /** How many of it. */
  readonly count: number;
}

export interface Verification {
  readonly checks: readonly Check[];
  /** One sentence for each thing that does not add up; none when the book is in order. */
  readonly faults: readonly string[];
}

/** Faults shown of one kind. */
const faultsMax = 20;

type Looked = (looking: Looking) => Promise<void>;

/** What is kept once, and told by nothing else. */
const keptOnce: readonly Looked[] = [];

/**
 * What looks at each table. A new table is to say here by what it is checked, or that nothing else
 * in the book tells what it holds.
 */
const checksOf: Readonly<Record<keyof Tables | "bank_transfer", readonly Looked[]>> = {
  journal: [journals, numbers],
  posting: [journals],
  balance: [balances],
  account: [controlAccounts, values],
  document: [documentTotals, bankStatuses],
  document_line: [documentLines],
  payment: [payments, sources],
  allocation: [allocations, sources],
  item: [stock],
  inventory_move: [stock, references],
  batch_payment: [batchPayments],
  manual_journal: [manualJournals, sources],
  bank_transfer: [reversals, sources],
  attachment: [attachments],
  attachment_chunk: [attachments],
  organisation: [values],
  contact: [values],
  tax_rate: [values],
  tracking_category: [values],
  tracking_option: [values],
  currency: [values],
  contact_group: [values],
  branding_theme: [values],
  payment_service: [values],
  budget: [values],
  user_account: [values],
  employee: [values],
  repeating_invoice: [values],
  linked_transaction: [values, references],
  contact_group_member: [references],
  branding_logo: [references],
  branding_theme_payment_service: [references],
  budget_balance: [references],
  box_1099: [references],
  repeating_invoice_date: [references],
  online_document: [references],
  history: [references],
  event: [references],
  delivery: [references],
  sequence: [numbers],
  exchange_rate: [values],
  published_report: keptOnce,
  idempotency: keptOnce,
  webhook: keptOnce,
  call_count: keptOnce,
  secret: keptOnce,
};

export async function verify(tx: Tx): Promise<Verification> {
  const looking = new Looking(tx);
  for (const look of new Set(Object.values(checksOf).flat())) await look(looking);
  return { checks: looking.checks, faults: looking.faults };
}

/** One looking-over: what was looked at so far, and what is wrong. */
export class Looking {
  readonly tx: Tx;
  readonly checks: Check[] = [];
  readonly faults: string[] = [];
  readonly #found = new Map<string, number>();

  constructor(tx: Tx) {
    this.tx = tx;
  }

  async rows<T>(query: RawBuilder<T>): Promise<T[]> {
    return (await query.execute(this.tx.db)).rows;
  }

  /** Notes that all rows of `from` were looked at. */
  async counted(name: string, from: RawBuilder<unknown>): Promise<void> {
    const [row] = await this.rows(sql<{ count: number }>`select count(*) as count from ${from}`);
    this.checks.push({ name, count: row?.count ?? 0 });
  }

  /** Adds a fault that was found one by one, up to a bound for each kind. */
  fault(kind: string, sentence: string): void {
    const before = this.#found.get(kind) ?? 0;
    this.#found.set(kind, before + 1);
    if (before < faultsMax) this.faults.push(sentence);
    else if (before === faultsMax) this.faults.push("… and more of the same kind.");
  }

  /** Adds a fault for each row that `query` answers, up to a bound. */
  async each<T>(query: RawBuilder<T>, faultOf: (row: T) => string): Promise<void> {
    const rows = await this.rows(sql<T>`${query} limit ${faultsMax + 1}`);
    for (const row of rows.slice(0, faultsMax)) this.faults.push(faultOf(row));
    if (rows.length > faultsMax) this.faults.push("… and more of the same kind.");
  }
}

const money = (cents: number | null): string => writeDecimal(cents ?? 0, 2);

/** What a person finds a document by. */
interface Named {
  readonly id: string;
  readonly number: string | null;
}

const label = ({ id, number }: Named): string => (number === null ? id : `${number} (${id})`);

async function journals(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("journals", sql`journal where org = ${org}`);
  await looking.each(
    sql<{ basis: number; number: number; amount: number }>`
      select basis, number, sum(amount) as amount from posting where org = ${org}
      group by basis, number having sum(amount) <> 0`,
    ({ basis, number, amount }) =>
      `Journal ${number} (${basisOf[basis]}) is out of balance by ${money(amount)}.`,
  );
  await looking.counted("postings", sql`posting where org = ${org}`);
  await looking.each(
    sql<{ basis: number; number: number; ord: number }>`
      select p.basis, p.number, p.ord from posting as p
      left join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where p.org = ${org} and (j.number is null or j.date <> p.date or p.amount = 0 or p.debit <>
        case when (p.amount > 0) = (j.reverses is null) then p.amount else 0 end)`,
    ({ basis, number, ord }) =>
      `Posting ${ord + 1} of journal ${number} (${basisOf[basis]}) does not agree with its journal.`,
  );
}

async function numbers(looking: Looking): Promise<void> {
  const { tx } = looking;
  const found = await looking.rows(
    sql<{ basis: number; count: number; least: number; most: number }>`
      select basis, count(*) as count, min(number) as least, max(number) as most
      from journal where org = ${tx.org} group by basis order by basis`,
  );
  looking.checks.push({ name: "journal numbers", count: found.length });
  const counters = await keptSequences(tx);
  for (const basis of basisOf) {
    const { count, least, most } = found.find((row) => row.basis === basisCode[basis]) ?? {
      count: 0,
      least: 1,
      most: 0,
    };
    if (count !== most || least !== 1) {
      looking.faults.push(
        `The ${basis} journals are numbered ${least} to ${most}, but there are ${count} of them.`,
      );
    }
    const last = counters.get(journalSequence(basis)) ?? 0;
    if (last !== most) {
      looking.faults.push(
        `The last ${basis} journal is ${most}, but the counter stands at ${last}.`,
      );
    }
    await turnover(looking, basis, counters.get(turnoverSum(basis)) ?? 0);
  }
}

/** The sum by which a posting is refused that would be too large for the sums of reports. */
async function turnover(looking: Looking, basis: Basis, kept: number): Promise<void> {
  const { org } = looking.tx;
  const [row] = await looking.rows(
    sql<{ amount: number | null }>`
      select sum(case when j.reverses is null then ${weight} else -${weight} end) as amount
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where p.org = ${org} and p.basis = ${basisCode[basis]}`,
  );
  const found = row?.amount ?? 0;
  if (found === kept) return;
  looking.faults.push(
    `The turnover of the ${basis} journals is ${money(found)}, but is kept as ${money(kept)}.`,
  );
}

const weight = sql.raw(
  "(abs(p.amount) + abs(coalesce(p.tax_amount, 0)) + abs(coalesce(p.foreign_amount, 0)))",
);

interface BalanceFault {
  readonly basis: number;
  readonly month: string;
  readonly account_id: string;
  readonly debit: number;
  readonly credit: number;
  readonly foreign_amount: number | null;
}

async function balances(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("balances", sql`balance where org = ${org}`);
  // By day first, which the index answers in its own order; by month only what is left.
  await looking.each(
    sql<BalanceFault>`
      select basis, month, account_id, option1, option2, sum(debit) as debit, sum(credit) as credit,
        sum(foreign_amount) as foreign_amount
      from (
        select basis, month, account_id, option1, option2, debit, credit, foreign_amount
        from balance where org = ${org}
        union all
        select basis, substr(date, 1, 7) as month, account_id, option1, option2,
          -sum(debit) as debit, -sum(debit - amount) as credit,
          -sum(foreign_amount) as foreign_amount
        from posting where org = ${org} group by basis, date, account_id, option1, option2
      ) as compared
      group by basis, month, account_id, option1, option2
      having sum(debit) <> 0 or sum(credit) <> 0 or sum(foreign_amount) <> 0`,
    ({ basis, month, account_id, debit, credit, foreign_amount }) =>
      `The ${basisOf[basis]} balance of account ${account_id} in ${month} differs from its postings ` +
      `by ${money(debit)} of debits and ${money(credit)} of credits` +
      (foreign_amount ? `, and by ${money(foreign_amount)} in its currency.` : "."),
  );
}

/** What the control accounts stand for: open documents that debit them less those that credit them. */
const controls = [
  {
    account: "DEBTORS",
    sign: 1,
    debit: ["ACCREC"],
    credit: ["ACCRECCREDIT", "RECEIVE-OVERPAYMENT"],
  },
  {
    account: "CREDITORS",
    sign: -1,
    debit: ["ACCPAYCREDIT", "SPEND-OVERPAYMENT"],
    credit: ["ACCPAY"],
  },
] as const;

async function controlAccounts(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  looking.checks.push({ name: "control accounts", count: controls.length });
  for (const { account, sign, debit, credit } of controls) {
    const [ledger] = await looking.rows(
      sql<{ amount: number | null }>`
        select sum(b.debit - b.credit) as amount from account as a
        join balance as b on b.org = a.org and b.account_id = a.id
        where a.org = ${org} and a.system_account = ${account} and b.basis = ${basisCode.accrual}`,
    );
    const [documents] = await looking.rows(
      sql<{ amount: number | null }>`
        select sum(case when type in (${sql.join(debit)}) then base_due else -base_due end) as amount
        from document where org = ${org} and status = 'AUTHORISED'
        and type in (${sql.join([...debit, ...credit])})`,
    );
    const held = (ledger?.amount ?? 0) * sign;
    const open = (documents?.amount ?? 0) * sign;
    if (held !== open) {
      looking.faults.push(
        `The account ${account} stands at ${money(held)}, but its open documents at ${money(open)}.`,
      );
    }
  }
}

async function documentTotals(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("documents", sql`document where org = ${org}`);
  await looking.each(
    sql<Named & { total: number; sub_total: number; total_tax: number }>`
      select id, number, total, sub_total, total_tax from document
      where org = ${org} and total <> sub_total + total_tax`,
    (row) =>
      `Document ${label(row)}: the total ${money(row.total)} is not ${money(row.sub_total)} ` +
      `and the tax of ${money(row.total_tax)}.`,
  );
  // Nothing is due on what is void; what is live must be paid, credited or due. Of orders,
  // quotes and receipts nothing ever is, nor of money that moved at once.
  await looking.each(
    sql<Named & { total: number; due: number; paid: number; credited: number }>`
      select id, number, total, amount_due as due, amount_paid as paid, amount_credited as credited
      from document
      where org = ${org} and status not in ('VOIDED', 'DELETED')
      and kind not in ('PurchaseOrder', 'Quote', 'Receipt') and type not in ('RECEIVE', 'SPEND')
      and total <> amount_due + amount_paid + amount_credited + coalesce(cis_deduction, 0)`,
    (row) =>
      `Document ${label(row)}: the total ${money(row.total)} is not what is due ` +
      `(${money(row.due)}), paid (${money(row.paid)}) and credited (${money(row.credited)}).`,
  );
  await looking.each(
    sql<Named & { status: string }>`
      select id, number, status from document
      where org = ${org} and status = 'PAID' and (amount_due <> 0 or base_due <> 0)`,
    (row) => `Document ${label(row)} is ${row.status}, but an amount is due.`,
  );
}

/** A bank transaction that leaves a credit has two statuses, and is voided in both. */
async function bankStatuses(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.each(
    sql<Named & { status: string; bank: string }>`
      select id, number, status, bank_status as bank from document
      where org = ${org} and kind = 'BankTransaction' and bank_status <>
        case when status in ('VOIDED', 'DELETED') then status else 'AUTHORISED' end`,
    (row) => `Document ${label(row)} is ${row.bank} as a bank transaction, but ${row.status} else.`,
  );
}

async function documentLines(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("document lines", sql`document_line where org = ${org}`);
  await looking.each(
    sql<Named>`
      select d.id, d.number from document as d
      left join document_line as l on l.org = d.org and l.document_id = d.id
      where d.org = ${org}
      group by d.org, d.id
      having coalesce(sum(l.tax_amount), 0) <> max(d.total_tax)
      or coalesce(sum(l.line_amount), 0) <>
        max(case when d.line_amount_types = 'Inclusive' then d.total else d.sub_total end)`,
    (row) => `Document ${label(row)}: its lines do not add up to its totals.`,
  );
  await looking.each(
    sql<{ document_id: string }>`
      select distinct l.document_id from document_line as l
      left join document as d on d.org = l.org and d.id = l.document_id
      left join manual_journal as m on m.org = l.org and m.id = l.document_id
      left join repeating_invoice as r on r.org = l.org and r.id = l.document_id
      where l.org = ${org} and d.id is null and m.id is null and r.id is null`,
    (row) => `There are lines of a document ${row.document_id}, which does not exist.`,
  );
}

/** What a payment settles: it names one document, in the column of its family. */
const paidDocument = sql.raw("coalesce(invoice_id, credit_note_id, prepayment_id, overpayment_id)");

async function payments(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("payments", sql`payment where org = ${org}`);
  await looking.each(
    sql<Named & { paid: number; payments: number }>`
      select id, max(number) as number, sum(paid) as paid, sum(payments) as payments from (
        select id, number, amount_paid as paid, 0 as payments from document where org = ${org}
        union all
        select ${paidDocument} as id, null as number, 0 as paid, amount as payments from payment
        where org = ${org} and status = 'AUTHORISED'
      ) as compared group by id having sum(paid) <> sum(payments)`,
    (row) =>
      `Document ${label(row)}: ${money(row.paid)} is paid, but its payments are ${money(row.payments)}.`,
  );
  await looking.each(
    sql<{ id: string }>`
      select p.id from payment as p
      left join document as d on d.org = p.org and d.id = ${paidDocument}
      where p.org = ${org} and d.id is null`,
    (row) => `Payment ${row.id} is of a document that does not exist.`,
  );
}

async function allocations(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("allocations", sql`allocation where org = ${org}`);
  await looking.each(
    sql<Named & { credited: number; allocations: number }>`
      select id, max(number) as number, sum(credited) as credited, sum(allocations) as allocations
      from (
        select id, number, amount_credited as credited, 0 as allocations
        from document where org = ${org}
        union all
        select invoice_id as id, null as number, 0 as credited, amount as allocations
        from allocation where org = ${org} and status = 'AUTHORISED'
        union all
        select credit_id as id, null as number, 0 as credited, amount as allocations
        from allocation where org = ${org} and status = 'AUTHORISED'
      ) as compared group by id having sum(credited) <> sum(allocations)`,
    (row) =>
      `Document ${label(row)}: ${money(row.credited)} is credited, but its allocations are ` +
      `${money(row.allocations)}.`,
  );
}

async function stock(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted(
    "tracked items",
    sql`item where org = ${org} and is_tracked_as_inventory = 1`,
  );
  await looking.each(
    sql<{ code: string }>`
      select i.code from item as i
      left join inventory_move as m on m.org = i.org and m.item_id = i.id
      where i.org = ${org} and i.is_tracked_as_inventory = 1
      group by i.org, i.id
      having coalesce(sum(m.quantity), 0) <> max(coalesce(i.quantity_on_hand, 0))
      or coalesce(sum(m.cost), 0) <> max(coalesce(i.total_cost_pool, 0))`,
    (row) => `Item ${row.code}: quantity and cost on hand differ from its moves.`,
  );
  await looking.each(
    sql<{ code: string; items: number; ledger: number }>`
      select held.code, held.amount as items, coalesce(sum(b.debit - b.credit), 0) as ledger
      from (
        select inventory_asset_account_code as code, sum(coalesce(total_cost_pool, 0)) as amount
        from item where org = ${org} and is_tracked_as_inventory = 1
        group by inventory_asset_account_code
      ) as held
      left join account as a on a.org = ${org} and a.code = held.code and a.status <> 'DELETED'
      left join balance as b
        on b.org = ${org} and b.account_id = a.id and b.basis = ${basisCode.accrual}
      group by held.code, held.amount
      having coalesce(sum(b.debit - b.credit), 0) <> held.amount`,
    (row) =>
      `The inventory account ${row.code} stands at ${money(row.ledger)}, but the items on it ` +
      `at ${money(row.items)}.`,
  );
}

async function reversals(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted(
    "reversed records",
    sql`(select id from document where org = ${org} and status in ('VOIDED', 'DELETED')
      union all select id from payment where org = ${org} and status = 'DELETED'
      union all select id from bank_transfer where org = ${org} and status = 'DELETED') as reversed`,
  );
  const left = (records: RawBuilder<unknown>) => sql<{ id: string; amount: number }>`
    select r.id, p.account_id, sum(p.amount) as amount from ${records} as r
    join journal as j on j.org = ${org} and j.source_id = r.id
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    group by r.id, j.basis, p.account_id having sum(p.amount) <> 0`;
  await looking.each(
    left(sql`(select id from document where org = ${org} and status in ('VOIDED', 'DELETED'))`),
    ({ id, amount }) => `Document ${id} is void, but ${money(amount)} of it is still posted.`,
  );
  await looking.each(
    left(sql`(select id from payment where org = ${org} and status = 'DELETED')`),
    ({ id, amount }) => `Payment ${id} is reversed, but ${money(amount)} of it is still posted.`,
  );
  await looking.each(
    left(sql`(select id from bank_transfer where org = ${org} and status = 'DELETED')`),
    ({ id, amount }) =>
      `Bank transfer ${id} is deleted, but ${money(amount)} of it is still posted.`,
  );
}
