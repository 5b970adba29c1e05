/**
 * Verification of a book: whether everything in it is consistent.
 *
 * The service enforces these rules with every write; here they are checked again from what is on
 * disk, by other means. The database computes the sums in index order and returns only faults, so
 * that a book of any size is verified in little memory.
 */
import { sql } from "kysely";
import type { Head } from "../chain/links.ts";
import { tables } from "../schema/all-tables.ts";
import type { Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";
import { attachments } from "./attachment-checks.ts";
import { causes } from "./cause-checks.ts";
import { auditEntries, chain } from "./chain-checks.ts";
import {
  allocations,
  bankMatches,
  bankStatuses,
  batchPayments,
  documentLines,
  documentTotals,
  manualJournals,
  payments,
  reversals,
  sources,
} from "./document-checks.ts";
import { type Check, Findings } from "./findings.ts";
import { handles } from "./handle-checks.ts";
import {
  balances,
  controlAccounts,
  depreciation,
  journals,
  numbers,
  stock,
} from "./ledger-checks.ts";
import { references } from "./reference-checks.ts";
import { values } from "./value-checks.ts";

export interface Verification {
  readonly checks: readonly Check[];
  /** One sentence for each inconsistency; empty when the book is in order. */
  readonly faults: readonly string[];
}

type Verifier = (findings: Findings) => Promise<void>;

/** Checks for data stored only once in the book: only the hash chain proves it unaltered. */
const keptOnce: readonly Verifier[] = [chain];

/** Checks for transient data, of which there are none. */
const passing: readonly Verifier[] = [];

/** The checks of each table; the type demands an entry for a new table. */
const checksOf: Readonly<Record<keyof Tables | "bank_transfer", readonly Verifier[]>> = {
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
  organisation: [values, foreignRows],
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
  bank_statement: [values],
  bank_statement_line: [values, bankMatches],
  bank_match: [bankMatches],
  bank_rule: [values],
  opening_balance: [values],
  asset: [values, depreciation],
  depreciation: [depreciation, references],
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
  sequence: [numbers, handles],
  exchange_rate: [values],
  published_report: keptOnce,
  webhook: keptOnce,
  secret: keptOnce,
  applied_plan: keptOnce,
  kept_plan: keptOnce,
  plan_approval: keptOnce,
  operation: [causes],
  audit_entry: [auditEntries],
  chain_link: [chain],
  idempotency: passing,
  call_count: passing,
};

/**
 * Runs all checks.
 * @param since  a sealed link that the chain must still contain
 */
export async function verify(tx: Tx, since?: Head): Promise<Verification> {
  const findings = new Findings(tx, since);
  for (const check of new Set(Object.values(checksOf).flat())) {
    await check(findings);
    // Yields to the event loop, so that timers of the process run during a long verification, such
    // as in log shipping.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { checks: findings.checks, faults: findings.faults };
}

/**
 * Finds rows of other organisations by index, since keys begin with the organisation: one lookup
 * for each organisation. In a shared database such rows are no fault.
 */
async function foreignRows(findings: Findings): Promise<void> {
  if (!findings.tx.dialect.oneWriter) return;
  for (const name of Object.keys(tables)) {
    if (name === "organisation") continue;
    const table = sql.table(name);
    await findings.each(
      sql<{ org: number; count: number }>`select next as org,
          (select count(*) from ${table} where org = next) as count
        from (select distinct (select min(t.org) from ${table} as t where t.org > o.org) as next
          from (select org from organisation union select 0 union select -9007199254740991) as o
        ) as those
        where next <> 0 and next not in (select org from organisation)`,
      ({ org, count }) =>
        `${name} has ${count} ${Number(count) === 1 ? "row" : "rows"} of an organisation ${org}, which the book does not hold.`,
    );
  }
}
