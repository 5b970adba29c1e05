/**
 * Verification of the ledger: journals, their numbers, balances, control accounts, stock,
 * depreciation.
 */
import { sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { storedSequences } from "../chain/sequences.ts";
import { journalSequence, turnoverSum } from "../ledger/journals.ts";
import { basisCode, basisOf } from "../schema/index.ts";
import { type Findings, money } from "./findings.ts";

export async function checkJournals(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("journals", sql`journal where org = ${org}`);
  await findings.each(
    sql<{ basis: number; number: number; amount: number }>`
      select basis, number, sum(amount) as amount from posting where org = ${org}
      group by basis, number having sum(amount) <> 0`,
    ({ basis, number, amount }) =>
      `Journal ${number} (${basisOf[basis]}) is out of balance by ${money(amount)}.`,
  );
  await findings.counted("postings", sql`posting where org = ${org}`);
  await findings.each(
    sql<{ basis: number; number: number; ord: number }>`
      select p.basis, p.number, p.ord from posting as p
      left join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where p.org = ${org} and (j.number is null or j.date <> p.date or p.amount = 0 or p.debit <>
        case when (p.amount > 0) = (j.reverses is null) then p.amount else 0 end)`,
    ({ basis, number, ord }) =>
      `Posting ${ord + 1} of journal ${number} (${basisOf[basis]}) does not agree with its journal.`,
  );
}

export async function checkJournalNumbers(findings: Findings): Promise<void> {
  const { tx } = findings;
  const bases = await findings.rows(
    sql<{ basis: number; count: number; least: number; most: number }>`
      select basis, count(*) as count, min(number) as least, max(number) as most
      from journal where org = ${tx.org} group by basis order by basis`,
  );
  findings.checks.push({ name: "journal numbers", count: bases.length });
  const numberBySequence = await storedSequences(tx);
  for (const basis of basisOf) {
    const { count, least, most } = bases.find((row) => row.basis === basisCode[basis]) ?? {
      count: 0,
      least: 1,
      most: 0,
    };
    if (count !== most || least !== 1) {
      findings.faults.push(
        `The ${basis} journals are numbered ${least} to ${most}, but there are ${count} of them.`,
      );
    }
    const lastNumber = numberBySequence.get(journalSequence(basis)) ?? 0;
    if (lastNumber !== most) {
      findings.faults.push(
        `The last ${basis} journal is ${most}, but the counter stands at ${lastNumber}.`,
      );
    }
    await checkTurnover(findings, basis, numberBySequence.get(turnoverSum(basis)) ?? 0);
  }
}

/**
 * Checks the stored turnover, by which postings too large for exact sums of reports are refused.
 */
async function checkTurnover(findings: Findings, basis: Basis, stored: number): Promise<void> {
  const { org } = findings.tx;
  const [row] = await findings.rows(
    sql<{ amount: number | null }>`
      select sum(case when j.reverses is null then ${weight} else -${weight} end) as amount
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where p.org = ${org} and p.basis = ${basisCode[basis]}`,
  );
  const actual = row?.amount ?? 0;
  if (actual === stored) return;
  findings.faults.push(
    `The turnover of the ${basis} journals is ${money(actual)}, but is kept as ${money(stored)}.`,
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
  readonly tax: number;
}

export async function checkBalances(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("balances", sql`balance where org = ${org}`);
  // Compared by day first, which the index yields in order; the rest by month.
  await findings.each(
    sql<BalanceFault>`
      select basis, month, account_id, option1, option2, sum(debit) as debit, sum(credit) as credit,
        sum(foreign_amount) as foreign_amount, sum(tax) as tax
      from (
        select basis, month, account_id, option1, option2, debit, credit, foreign_amount, tax
        from balance where org = ${org}
        union all
        select basis, substr(date, 1, 7) as month, account_id, option1, option2,
          -sum(debit) as debit, -sum(debit - amount) as credit,
          -sum(foreign_amount) as foreign_amount, -sum(coalesce(tax_amount, 0)) as tax
        from posting where org = ${org} group by basis, date, account_id, option1, option2
      ) as compared
      group by basis, month, account_id, option1, option2
      having sum(debit) <> 0 or sum(credit) <> 0 or sum(foreign_amount) <> 0
        or sum(tax) <> 0`,
    ({ basis, month, account_id, debit, credit, foreign_amount, tax }) =>
      `The ${basisOf[basis]} balance of account ${account_id} in ${month} differs from its postings ` +
      `by ${money(debit)} of debits and ${money(credit)} of credits` +
      (foreign_amount ? `, and by ${money(foreign_amount)} in its currency` : "") +
      (tax ? `, and by ${money(tax)} of tax.` : "."),
  );
}

/**
 * The balances of control accounts: open documents that debit them, less open documents that credit
 * them.
 */
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

export async function controlAccounts(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  findings.checks.push({ name: "control accounts", count: controls.length });
  for (const { account, sign, debit, credit } of controls) {
    const [ledger] = await findings.rows(
      sql<{ amount: number | null }>`
        select sum(b.debit - b.credit) as amount from account as a
        join balance as b on b.org = a.org and b.account_id = a.id
        where a.org = ${org} and a.system_account = ${account} and b.basis = ${basisCode.accrual}`,
    );
    const [documents] = await findings.rows(
      sql<{ amount: number | null }>`
        select sum(case when type in (${sql.join(debit)}) then base_due else -base_due end) as amount
        from document where org = ${org} and status = 'AUTHORISED'
        and type in (${sql.join([...debit, ...credit])})`,
    );
    const balance = (ledger?.amount ?? 0) * sign;
    const owed = (documents?.amount ?? 0) * sign;
    if (balance !== owed) {
      findings.faults.push(
        `The account ${account} stands at ${money(balance)}, but its open documents at ${money(owed)}.`,
      );
    }
  }
}

export async function checkStock(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted(
    "tracked items",
    sql`item where org = ${org} and is_tracked_as_inventory = 1`,
  );
  await findings.each(
    sql<{ code: string }>`
      select i.code from item as i
      left join inventory_move as m on m.org = i.org and m.item_id = i.id
      where i.org = ${org} and i.is_tracked_as_inventory = 1
      group by i.org, i.id
      having coalesce(sum(m.quantity), 0) <> max(coalesce(i.quantity_on_hand, 0))
      or coalesce(sum(m.cost), 0) <> max(coalesce(i.total_cost_pool, 0))`,
    (row) => `Item ${row.code}: quantity and cost on hand differ from its moves.`,
  );
  await findings.each(
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

/**
 * Finds accumulated depreciation that differs from the ledger, and unposted depreciation journals.
 *
 * A depreciation journal changes an account of accumulated depreciation by the amounts of its
 * assets there, less those its disposals take off, with the cost where that stands there too.
 */
export async function checkDepreciation(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("fixed assets", sql`asset where org = ${org}`);
  await findings.each(
    sql<{ id: string; date: string }>`
      select distinct d.manual_journal_id as id, d.date from depreciation as d
      left join manual_journal as m on m.org = d.org and m.id = d.manual_journal_id
        and m.status = 'POSTED' and m.date = d.date
      where d.org = ${org} and m.id is null`,
    ({ id, date }) => `The manual journal ${id} of depreciation is not posted on ${date}.`,
  );
  await findings.each(
    sql<{ number: string; status: string }>`
      select a.asset_number as number, a.status from asset as a
      left join depreciation as d on d.org = a.org and d.asset_id = a.id
        and d.manual_journal_id = a.disposal_journal_id
      where a.org = ${org} and (d.asset_id is null) = (a.status = 'DISPOSED')`,
    ({ number, status }) => `The asset ${number} is ${status}, which its disposal is not.`,
  );
  await findings.each(
    sql<{ id: string; name: string; amount: number; posted: number }>`
      select s.id, s.name, s.amount, s.posted from (
        select d.manual_journal_id as id, account.name,
          sum(d.amount) - sum(case when a.disposal_journal_id = d.manual_journal_id
            then a.opening_accumulated + (select sum(o.amount) from depreciation as o
              where o.org = d.org and o.asset_id = d.asset_id)
              - case when a.asset_account_id = a.accumulated_account_id then a.cost else 0 end
            else 0 end) as amount,
          coalesce((select -sum(l.line_amount) from document_line as l
            where l.org = d.org and l.document_id = d.manual_journal_id
              and l.account_id = account.id), 0) as posted
        from depreciation as d
        join asset as a on a.org = d.org and a.id = d.asset_id
        join account on account.org = d.org and account.id = a.accumulated_account_id
        where d.org = ${org}
        group by d.org, d.manual_journal_id, account.id, account.name
      ) as s
      where s.posted <> s.amount`,
    ({ id, name, amount, posted }) =>
      `The manual journal ${id} posts ${money(posted)} to ${name}, but its assets depreciate by ${money(amount)}.`,
  );
}
