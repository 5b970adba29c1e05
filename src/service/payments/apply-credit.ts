/** Allocates a credit to an invoice, given the journals of both, and reverses allocations. */

import type { PostedJournal } from "../../ledger/journal.ts";
import {
  type AllocationFacts,
  type AllocationJournals,
  allocationJournals,
} from "../../ledger/postings/allocation.ts";
import type { Cents } from "../../resources/decimal.ts";
import { idOf } from "../../resources/field.ts";
import { isApproval, openCredit, postingsOf, recognisedOf } from "../documents/credit.ts";
import { kindOf } from "../documents/document-registry.ts";
import { openOf, owedOf, type StoredDocument } from "../documents/stored-documents.ts";
import { systemAccounts } from "../documents/writing/posting-buffer.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { settleStatus } from "./settlement.ts";

/** Journals that are not reversed, by the id of the document they settle. */
export type LiveJournals = ReadonlyMap<string, readonly PostedJournal[]>;

/**
 * Allocates a credit to an invoice; both documents are changed.
 *
 * @throws RefusedError when the amount exceeds either open amount, before anything changes
 */
export function applyCredit(
  allocation: AllocationFacts,
  credit: StoredDocument,
  invoice: StoredDocument,
  chart: Chart,
  journalsByDocument: LiveJournals,
  now: number,
): AllocationJournals {
  const { resource, posts } = kindOf(invoice);
  if (posts === undefined) throw new Error(`Nothing is applied to a ${invoice.Type}.`);
  const id = idOf(resource, invoice);
  const ofInvoice = journalsByDocument.get(id) ?? [];
  const creditId = idOf(kindOf(credit).resource, credit);
  const accounts = systemAccounts(chart);
  const allocated = allocationJournals(
    allocation,
    openCredit(credit, journalsByDocument.get(creditId) ?? [], chart),
    {
      id,
      type: posts,
      rate: chart.exchange(invoice.CurrencyRate),
      total: owedOf(invoice),
      due: openOf(resource, invoice),
      openBase: invoice.BaseDue,
      recognisedTotal: recognisedOf(invoice),
      approval: ofInvoice.filter((journal) => isApproval(journal, id)).flatMap(postingsOf),
      recognised: ofInvoice.filter(({ basis }) => basis === "cash").flatMap(postingsOf),
    },
    accounts,
  );
  const { creditBase, invoiceBase } = allocated;
  move(credit, allocation.amount, creditBase);
  move(invoice, allocation.amount, invoiceBase);
  recognise(credit, allocation.amount);
  recognise(invoice, allocation.amount);
  settleStatus(credit, allocation.date, now);
  settleStatus(invoice, allocation.date, now);
  return allocated;
}

/** Restores the open amounts of an allocation's documents; the caller reverses its journals. */
export function reverseCredit(
  allocation: {
    readonly amount: Cents;
    readonly creditBase: Cents;
    readonly invoiceBase: Cents;
    /**
     * Whether the cash basis recognised the allocation; an earlier version did not for credit
     * notes.
     */
    readonly isRecognised: boolean;
  },
  credit: StoredDocument,
  invoice: StoredDocument,
  now: number,
): void {
  const { amount, creditBase, invoiceBase } = allocation;
  move(credit, -amount as Cents, -creditBase as Cents);
  move(invoice, -amount as Cents, -invoiceBase as Cents);
  if (allocation.isRecognised) {
    recognise(credit, -amount as Cents);
    recognise(invoice, -amount as Cents);
  }
  settleStatus(credit, undefined, now);
  settleStatus(invoice, undefined, now);
}

/** Adds an amount recognised on the cash basis by credits; cash documents need none. */
function recognise(document: StoredDocument, amount: Cents): void {
  if (kindOf(document).bank !== undefined) return;
  document.CashCredited = ((document.CashCredited ?? 0) + amount) as Cents;
}

function move(document: StoredDocument, amount: Cents, baseAmount: Cents): void {
  document.AmountCredited = (document.AmountCredited + amount) as Cents;
  document.BaseDue = (document.BaseDue - baseAmount) as Cents;
}
