/** Credits: documents that may be allocated to invoices or refunded. */

import { controlOf } from "../../ledger/documents/document-kinds.ts";
import type { PostedJournal } from "../../ledger/journal.ts";
import type { OpenCredit } from "../../ledger/postings/allocation.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { bankTransaction } from "../../resources/index.ts";
import { allocationsOf } from "../../store/ledger/allocations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { kindOf, kindOfType } from "./document-registry.ts";
import { paymentsOf } from "./expand.ts";
import { isApplied, openOf, owedOf, type StoredDocument } from "./stored-documents.ts";
import { systemAccounts } from "./writing/posting-buffer.ts";

/**
 * The facts of a credit for an allocation or a refund.
 *
 * @param liveJournals  journals of the credit that are not reversed
 */
export function openCredit(
  credit: StoredDocument,
  liveJournals: readonly PostedJournal[],
  chart: Chart,
): OpenCredit {
  const { resource, credits, bank, posts } = kindOf(credit);
  if (credits === undefined || posts === undefined) {
    throw new Error(`A ${credit.Type} is no credit.`);
  }
  const id = idOf(resource, credit);
  const accrual = liveJournals.filter(({ basis }) => basis === "accrual");
  const account = credit.BankAccount?.AccountID ?? systemAccounts(chart)[controlOf(posts)];
  return {
    id,
    sourceType: posts,
    standsOn: credits,
    isCash: bank !== undefined,
    rate: chart.exchange(credit.CurrencyRate),
    total: owedOf(credit),
    remaining: openOf(resource, credit),
    openBase: credit.BaseDue,
    coded: accrual
      .filter((postedJournal) => isApproval(postedJournal, id))
      .flatMap(postingsOf)
      .filter((posting) => posting.account !== account || posting.line !== undefined),
    released: accrual.filter((postedJournal) => !isApproval(postedJournal, id)).flatMap(postingsOf),
    recognisedTotal: recognisedOf(credit),
    recognised: liveJournals.filter(({ basis }) => basis === "cash").flatMap(postingsOf),
  };
}

/**
 * Returns, by the id of the credit, one sentence per use of a prepayment or overpayment, which says
 * what to reverse before voiding it.
 */
export async function loadUses(
  tx: Tx,
  documents: readonly StoredDocument[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const uses = new Map<string, string[]>();
  const use = (id: string, sentence: string) => uses.set(id, [...(uses.get(id) ?? []), sentence]);
  const applied = documents.filter((document) => isApplied(document) && isBankCredit(document));
  for (const [resource, credits] of Map.groupBy(applied, (document) => kindOf(document).resource)) {
    const { noun } = resource;
    const ids = credits.map(bankCreditId);
    const currencyById = new Map(credits.map((each) => [bankCreditId(each), each.CurrencyCode]));
    for (const shownAllocation of await allocationsOf(tx, "credit", ids)) {
      const invoice = shownAllocation.invoiceNumber ?? shownAllocation.invoiceId;
      const amount = amountText(shownAllocation.amount, currencyById.get(shownAllocation.creditId));
      use(
        shownAllocation.creditId,
        `${amount} of this ${noun} is allocated to ${invoice}: delete the allocation first.`,
      );
    }
    for (const [id, payments] of await paymentsOf(tx, resource, ids)) {
      for (const { Amount = 0, Date: date } of payments) {
        use(
          id,
          `${amountText(Amount, currencyById.get(id))} of this ${noun} was refunded on ${date}: ` +
            "delete the payment first.",
        );
      }
    }
  }
  return uses;
}

/** Refuses to void a credit that was used. @throws RefusedError */
export function checkUses(sentences: readonly string[] = []): void {
  if (sentences.length > 0) throw refusal("Applied", [...sentences]);
}

const isBankCredit = (document: StoredDocument) =>
  kindOfType(document.Type)?.deletedAs === "VOIDED";

/** Returns the id of a prepayment or overpayment, by either of its two field names. */
function bankCreditId(document: StoredDocument): string {
  const { [bankTransaction.id]: id } = document as Readonly<Record<string, unknown>>;
  return typeof id === "string" ? id : idOf(kindOf(document).resource, document);
}

/** Returns the part of a document's total that the cash basis has recognised, in its currency. */
export function recognisedOf({ AmountPaid, CashCredited = 0 as Cents }: StoredDocument): Cents {
  return (AmountPaid + CashCredited) as Cents;
}

/** Whether a journal is the approval of a document. */
export const isApproval = ({ basis, sourceId }: PostedJournal, id: string) =>
  basis === "accrual" && sourceId === id;

export const postingsOf = ({ postings }: PostedJournal) => postings;
