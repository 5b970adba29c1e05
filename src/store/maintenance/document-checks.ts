/**
 * Verification of documents and their settlement: totals, lines, payments, allocations, reversals,
 * bank lines.
 */
import { type RawBuilder, sql } from "kysely";
import { bankTransaction, documents } from "../../resources/index.ts";
import { basisCode } from "../schema/index.ts";
import { type Findings, type LabelledRow, label, money } from "./findings.ts";

/** Document kinds that are settled, by payments or as credit. */
const settledKinds = documents.flatMap(({ name, document }) =>
  document.open === undefined ? [] : name,
);

export async function documentTotals(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("documents", sql`document where org = ${org}`);
  await findings.each(
    sql<LabelledRow & { total: number; sub_total: number; total_tax: number }>`
      select id, number, total, sub_total, total_tax from document
      where org = ${org} and total <> sub_total + total_tax`,
    (row) =>
      `Document ${label(row)}: the total ${money(row.total)} is not ${money(row.sub_total)} ` +
      `and the tax of ${money(row.total_tax)}.`,
  );
  // A void document has nothing due; a live one must be paid, credited or due. Orders, quotes and
  // money that moved at once are never due, except money that left a credit.
  await findings.each(
    sql<LabelledRow & { total: number; due: number; paid: number; credited: number }>`
      select id, number, total, amount_due as due, amount_paid as paid, amount_credited as credited
      from document
      where org = ${org} and status not in ('VOIDED', 'DELETED')
      and (kind in (${sql.join(settledKinds)})
        or kind = ${bankTransaction.name} and type not in ('RECEIVE', 'SPEND'))
      and total <> amount_due + amount_paid + amount_credited + coalesce(cis_deduction, 0)`,
    (row) =>
      `Document ${label(row)}: the total ${money(row.total)} is not what is due ` +
      `(${money(row.due)}), paid (${money(row.paid)}) and credited (${money(row.credited)}).`,
  );
  await findings.each(
    sql<LabelledRow & { status: string }>`
      select id, number, status from document
      where org = ${org} and status = 'PAID' and (amount_due <> 0 or base_due <> 0)`,
    (row) => `Document ${label(row)} is ${row.status}, but an amount is due.`,
  );
}

/**
 * Checks statuses of bank transactions that leave a credit: they have two, and a void sets both.
 */
export async function bankStatuses(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.each(
    sql<LabelledRow & { status: string; bank: string }>`
      select id, number, status, bank_status as bank from document
      where org = ${org} and kind = 'BankTransaction' and bank_status <>
        case when status in ('VOIDED', 'DELETED') then status else 'AUTHORISED' end`,
    (row) => `Document ${label(row)} is ${row.bank} as a bank transaction, but ${row.status} else.`,
  );
}

export async function documentLines(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("document lines", sql`document_line where org = ${org}`);
  await findings.each(
    sql<LabelledRow>`
      select d.id, d.number from document as d
      left join document_line as l on l.org = d.org and l.document_id = d.id
      where d.org = ${org}
      group by d.org, d.id
      having coalesce(sum(l.tax_amount), 0) <> max(d.total_tax)
      or coalesce(sum(l.line_amount), 0) <>
        max(case when d.line_amount_types = 'Inclusive' then d.total else d.sub_total end)`,
    (row) => `Document ${label(row)}: its lines do not add up to its totals.`,
  );
  await findings.each(
    sql<{ document_id: string }>`
      select distinct l.document_id from document_line as l
      left join document as d on d.org = l.org and d.id = l.document_id
      left join manual_journal as m on m.org = l.org and m.id = l.document_id
      left join repeating_invoice as r on r.org = l.org and r.id = l.document_id
      where l.org = ${org} and d.id is null and m.id is null and r.id is null`,
    (row) => `There are lines of a document ${row.document_id}, which does not exist.`,
  );
}

/** The document that a payment `p` settles, in the column of its family. */
const paidDocument = sql.raw(
  "coalesce(p.invoice_id, p.credit_note_id, p.prepayment_id, p.overpayment_id, p.expense_claim_id)",
);

export async function checkPayments(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("payments", sql`payment where org = ${org}`);
  await findings.each(
    sql<LabelledRow & { paid: number; payments: number }>`
      select id, max(number) as number, sum(paid) as paid, sum(payments) as payments from (
        select id, number, amount_paid as paid, 0 as payments from document where org = ${org}
        union all
        select ${paidDocument} as id, null as number, 0 as paid, amount as payments from payment as p
        where org = ${org} and status = 'AUTHORISED'
      ) as compared group by id having sum(paid) <> sum(payments)`,
    (row) =>
      `Document ${label(row)}: ${money(row.paid)} is paid, but its payments are ${money(row.payments)}.`,
  );
  await findings.each(
    sql<{ id: string }>`
      select p.id from payment as p
      left join document as d on d.org = p.org and d.id = ${paidDocument}
      where p.org = ${org} and d.id is null`,
    (row) => `Payment ${row.id} is of a document that does not exist.`,
  );
}

export async function checkAllocations(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("allocations", sql`allocation where org = ${org}`);
  await findings.each(
    sql<LabelledRow & { credited: number; allocations: number }>`
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

export async function checkReversals(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted(
    "reversed records",
    sql`(select id from document where org = ${org} and status in ('VOIDED', 'DELETED')
      union all select id from payment where org = ${org} and status = 'DELETED'
      union all select id from bank_transfer where org = ${org} and status = 'DELETED') as reversed`,
  );
  const sumLeft = (records: RawBuilder<unknown>) => sql<{ id: string; amount: number }>`
    select r.id, p.account_id, sum(p.amount) as amount from ${records} as r
    join journal as j on j.org = ${org} and j.source_id = r.id
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    group by r.id, j.basis, p.account_id having sum(p.amount) <> 0`;
  await findings.each(
    sumLeft(sql`(select id from document where org = ${org} and status in ('VOIDED', 'DELETED'))`),
    ({ id, amount }) => `Document ${id} is void, but ${money(amount)} of it is still posted.`,
  );
  await findings.each(
    sumLeft(sql`(select id from payment where org = ${org} and status = 'DELETED')`),
    ({ id, amount }) => `Payment ${id} is reversed, but ${money(amount)} of it is still posted.`,
  );
  await findings.each(
    sumLeft(sql`(select id from bank_transfer where org = ${org} and status = 'DELETED')`),
    ({ id, amount }) =>
      `Bank transfer ${id} is deleted, but ${money(amount)} of it is still posted.`,
  );
}

/**
 * Finds batch payments whose amount differs from the sum of their payments, and payments whose
 * status differs from the status of their batch.
 */
export async function batchPayments(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("batch payments", sql`batch_payment where org = ${org}`);
  await findings.each(
    sql<{ id: string; total: number; amount: number }>`
      select b.id, b.total_amount as total, coalesce(sum(p.amount), 0) as amount
      from batch_payment as b
      left join payment as p on p.org = b.org and p.batch_payment_id = b.id
      where b.org = ${org} group by b.org, b.id, b.total_amount
      having coalesce(sum(p.amount), 0) <> b.total_amount`,
    ({ id, total, amount }) =>
      `Batch payment ${id}: the total ${money(total)} is not that of its payments, ` +
      `${money(amount)}.`,
  );
  await findings.each(
    sql<{ id: string; batch: string }>`
      select p.id, p.batch_payment_id as batch from payment as p
      left join batch_payment as b on b.org = p.org and b.id = p.batch_payment_id
      where p.org = ${org} and p.batch_payment_id is not null
      and (b.id is null or b.status <> p.status or b.date <> p.date
        or b.account_id <> p.account_id or p.payment_type <>
          case when b.type = 'PAYBATCH' then 'ACCPAYPAYMENT' else 'ACCRECPAYMENT' end)`,
    ({ id, batch }) => `Payment ${id} does not agree with its batch ${batch}.`,
  );
}

/** SQL for the amount of a line with its tax. */
const gross = sql.raw(`coalesce(l.line_amount, 0) +
  case when m.line_amount_types = 'Exclusive' then coalesce(l.tax_amount, 0) else 0 end`);

// A literal, since PostgreSQL takes a parameter without a type for text.
const accrual = sql.lit(basisCode.accrual);
const cash = sql.lit(basisCode.cash);

/** Finds manual journals that do not balance, or that differ from their postings. */
export async function manualJournals(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("manual journals", sql`manual_journal where org = ${org}`);
  await findings.each(
    sql<{ id: string; amount: number }>`
      select m.id, sum(${gross}) as amount from manual_journal as m
      join document_line as l on l.org = m.org and l.document_id = m.id
      where m.org = ${org} group by m.id having sum(${gross}) <> 0`,
    ({ id, amount }) => `Manual journal ${id} is out of balance by ${money(amount)}.`,
  );
  // Postings of a manual journal carry the number of their line, and sum to its amount.
  await findings.each(
    sql<{ id: string; basis: number; line: number | null; posted: number; amount: number }>`
      select id, basis, line, sum(posted) as posted, sum(amount) as amount from (
        select m.id, b.basis, l.ord as line, 0 as posted, ${gross} as amount
        from manual_journal as m
        join document_line as l on l.org = m.org and l.document_id = m.id
        join (select ${accrual} as basis union all select ${cash} as basis) as b
          on b.basis = ${accrual} or m.show_on_cash_basis_reports = 1
        where m.org = ${org} and m.status = 'POSTED'
        union all
        select j.source_id as id, j.basis, p.line, p.amount as posted, 0 as amount
        from journal as j
        join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
        where j.org = ${org} and j.source_type = 'MANJOURNAL'
      ) as compared
      group by id, basis, line having sum(posted) <> sum(amount)`,
    ({ id, basis, line, posted, amount }) =>
      `Manual journal ${id}: ${money(posted)} of line ${(line ?? -1) + 1} is posted` +
      `${basis === basisCode.cash ? " on cash basis" : ""}, not ${money(amount)}.`,
  );
}

const sourcesOf = [
  { table: "payment", called: "Payment" },
  { table: "allocation", called: "Allocation" },
  { table: "bank_transfer", called: "Bank transfer" },
  { table: "manual_journal", called: "Manual journal" },
] as const;

/** Finds records whose journals in force have another date. */
export async function checkSources(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  for (const { table, called } of sourcesOf) {
    await findings.each(
      sql<{ id: string; date: string; posted: string }>`
        select r.id, r.date as date, j.date as posted from ${sql.table(table)} as r
        join journal as j on j.org = r.org and j.source_id = r.id and j.date <> r.date
        where r.org = ${org} and j.reverses is null and not exists (
          select 1 from journal as u
          where u.org = j.org and u.basis = j.basis and u.reverses = j.number)`,
      ({ id, date, posted }) => `${called} ${id} is of ${date}, but posted on ${posted}.`,
    );
  }
}

/** Finds bank lines whose matches sum to another amount, and matches of unreconciled records. */
export async function bankMatches(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("bank statement lines", sql`bank_statement_line where org = ${org}`);
  await findings.each(
    sql<{ id: string; amount: number; matched: number; status: string }>`
      select l.id, l.amount, l.status, coalesce(sum(m.amount), 0) as matched
      from bank_statement_line as l
      left join bank_match as m on m.org = l.org and m.line_id = l.id
      where l.org = ${org} group by l.org, l.id, l.amount, l.status
      having coalesce(sum(m.amount), 0) <>
        case when l.status = 'RECONCILED' then l.amount else 0 end`,
    ({ id, amount, matched, status }) =>
      `Bank statement line ${id} of ${money(amount)} is ${status}, but its matches come to ${money(matched)}.`,
  );
  await findings.each(
    sql<{ line_id: string; kind: string; record_id: string }>`
      select m.line_id, m.kind, m.record_id from bank_match as m
      left join payment as p on p.org = m.org and p.id = m.record_id
        and p.status = 'AUTHORISED' and p.is_reconciled = 1
      left join document as d on d.org = m.org and d.id = m.record_id
        and d.bank_status = 'AUTHORISED' and d.is_reconciled = 1
      left join bank_transfer as t on t.org = m.org and t.id = m.record_id
        and t.status = 'AUTHORISED'
      left join batch_payment as b on b.org = m.org and b.id = m.record_id
        and b.status = 'AUTHORISED'
      where m.org = ${org}
        and p.id is null and d.id is null and t.id is null and b.id is null`,
    ({ line_id, kind, record_id }) =>
      `Bank statement line ${line_id} is reconciled with the ${kind} ${record_id}, which is not reconciled.`,
  );
}
