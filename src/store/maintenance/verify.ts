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
import { checkAttachments } from "./attachment-checks.ts";
import { checkCauses } from "./cause-checks.ts";
import { auditEntries, checkChain } from "./chain-checks.ts";
import {
  bankMatches,
  bankStatuses,
  batchPayments,
  checkAllocations,
  checkPayments,
  checkReversals,
  checkSources,
  documentLines,
  documentTotals,
  manualJournals,
} from "./document-checks.ts";
import { type Check, Findings } from "./findings.ts";
import { checkHandles } from "./handle-checks.ts";
import {
  checkBalances,
  checkDepreciation,
  checkJournalNumbers,
  checkJournals,
  checkStock,
  controlAccounts,
} from "./ledger-checks.ts";
import { checkReferences } from "./reference-checks.ts";
import { checkValues } from "./value-checks.ts";

export interface Verification {
  readonly checks: readonly Check[];
  /** One sentence for each inconsistency; empty when the book is in order. */
  readonly faults: readonly string[];
}

type Verifier = (findings: Findings) => Promise<void>;

/** Checks for data stored only once in the book: only the hash chain proves it unaltered. */
const keptOnce: readonly Verifier[] = [checkChain];

/** Checks for transient data, of which there are none. */
const passing: readonly Verifier[] = [];

/** The checks of each table; the type demands an entry for a new table. */
const checksOf: Readonly<Record<keyof Tables | "bank_transfer", readonly Verifier[]>> = {
  journal: [checkJournals, checkJournalNumbers],
  posting: [checkJournals],
  balance: [checkBalances],
  account: [controlAccounts, checkValues],
  document: [documentTotals, bankStatuses],
  document_line: [documentLines],
  payment: [checkPayments, checkSources],
  allocation: [checkAllocations, checkSources],
  item: [checkStock],
  inventory_move: [checkStock, checkReferences],
  batch_payment: [batchPayments],
  manual_journal: [manualJournals, checkSources],
  bank_transfer: [checkReversals, checkSources],
  attachment: [checkAttachments],
  attachment_chunk: [checkAttachments],
  organisation: [checkValues, foreignRows],
  contact: [checkValues],
  tax_rate: [checkValues],
  tracking_category: [checkValues],
  tracking_option: [checkValues],
  currency: [checkValues],
  contact_group: [checkValues],
  branding_theme: [checkValues],
  payment_service: [checkValues],
  budget: [checkValues],
  user_account: [checkValues],
  employee: [checkValues],
  bank_statement: [checkValues],
  bank_statement_line: [checkValues, bankMatches],
  bank_match: [bankMatches],
  bank_rule: [checkValues],
  opening_balance: [checkValues],
  asset: [checkValues, checkDepreciation],
  depreciation: [checkDepreciation, checkReferences],
  repeating_invoice: [checkValues],
  linked_transaction: [checkValues, checkReferences],
  contact_group_member: [checkReferences],
  branding_logo: [checkReferences],
  branding_theme_payment_service: [checkReferences],
  budget_balance: [checkReferences],
  box_1099: [checkReferences],
  repeating_invoice_date: [checkReferences],
  online_document: [checkReferences],
  history: [checkReferences],
  event: [checkReferences],
  delivery: [checkReferences],
  sequence: [checkJournalNumbers, checkHandles],
  exchange_rate: [checkValues],
  published_report: keptOnce,
  webhook: keptOnce,
  secret: keptOnce,
  applied_plan: keptOnce,
  kept_plan: keptOnce,
  plan_approval: keptOnce,
  operation: [checkCauses],
  audit_entry: [auditEntries],
  chain_link: [checkChain],
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
