/** Journals that settle a document by a payment. */

import { laterDate } from "../../ledger/dates/calendar.ts";
import {
  controlOf,
  type DocumentType,
  isMoneyMoved,
  paymentSideOf,
} from "../../ledger/documents/document-kinds.ts";
import { settledStatus } from "../../ledger/documents/lifecycle.ts";
import { type Journal, type PostedJournal, reversalJournal } from "../../ledger/journal.ts";
import { baseRate } from "../../ledger/money.ts";
import { bankAmount, type Currencies } from "../../ledger/postings/currency.ts";
import { type PaidDocument, paymentJournals } from "../../ledger/postings/posting.ts";
import { refundJournals } from "../../ledger/postings/refund.ts";
import type { Cents } from "../../resources/decimal.ts";
import { idOf } from "../../resources/field.ts";
import type { Payment } from "../../resources/payment.ts";
import { openCredit, recognisedOf } from "../documents/credit.ts";
import { kindOf } from "../documents/document-registry.ts";
import { openOf, owedOf, type StoredDocument } from "../documents/stored-documents.ts";
import { systemAccounts } from "../documents/writing/posting-buffer.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";

export interface SettledPayment {
  readonly journals: readonly Journal[];
  /** Reduction of the open amount in the ledger, in the base currency. */
  readonly baseAmount: Cents;
  /** Amount on the bank account, in the account's currency. */
  readonly bankAmount: Cents;
}

/**
 * Fields of a payment; `BankAmount` is the amount told by the bank, by default converted at its
 * rate.
 */
type PaymentMade = Pick<
  Payment,
  "PaymentID" | "Date" | "Amount" | "CurrencyRate" | "Account" | "Reference" | "BankAmount"
>;

/**
 * Computes the journals of a payment.
 *
 * @param baseCurrency  base currency
 * @param liveJournals  journals of the document that are not reversed: of its approval, and of its
 *   payments on both bases
 * @throws RefusedError when amount or account is unfit
 */
export function settleDocument(
  payment: PaymentMade,
  document: StoredDocument,
  chart: Chart,
  baseCurrency: string,
  liveJournals: readonly PostedJournal[],
): SettledPayment {
  const accounts = systemAccounts(chart);
  const { posts } = kindOf(document);
  if (posts === undefined) throw new Error(`A ${document.Type} takes no payments.`);
  const currencies = currenciesOf(payment, document, baseCurrency);
  // Computed in any case: it refuses two different foreign currencies.
  const atRate = bankAmount(payment.Amount, currencies, payment.CurrencyRate);
  const onBank = payment.BankAmount ?? atRate;
  const refundFacts = {
    id: payment.PaymentID,
    date: payment.Date,
    amount: payment.Amount,
    // For a document in base currency, the rate belongs to a foreign bank account.
    rate: chart.exchange(document.CurrencyCode === baseCurrency ? baseRate : payment.CurrencyRate),
    account: payment.Account?.AccountID ?? "",
    foreign: currencies.bank === baseCurrency ? undefined : onBank,
    worth: currencies.bank === baseCurrency ? onBank : undefined,
    reference: payment.Reference,
  };
  if (isMoneyMoved(posts)) {
    const credit = openCredit(document, liveJournals, chart);
    const refund = refundJournals(refundFacts, credit, paymentSideOf(posts), accounts);
    return { journals: refund.journals, baseAmount: refund.creditBase, bankAmount: onBank };
  }
  const recognised = liveJournals.filter(({ basis }) => basis === "cash");
  const journals = paymentJournals(
    refundFacts,
    openDocument(document, posts, liveJournals, chart),
    accounts,
    recognised.flatMap((journal) => journal.postings),
  );
  const controlMovement = movedOn(accounts[controlOf(posts)], journals);
  return { journals, baseAmount: Math.abs(controlMovement) as Cents, bankAmount: onBank };
}

/** Returns the currencies of a document and of the payment's account. */
export function currenciesOf(
  { Account }: Pick<Payment, "Account">,
  { CurrencyCode }: StoredDocument,
  base: string,
): Currencies {
  return { document: CurrencyCode, bank: Account?.CurrencyCode ?? base, base };
}

/** Returns the document's open state before the payment. */
function openDocument(
  document: StoredDocument,
  type: DocumentType,
  liveJournals: readonly PostedJournal[],
  chart: Chart,
): PaidDocument {
  const { resource } = kindOf(document);
  const id = idOf(resource, document);
  return {
    id,
    type,
    rate: chart.exchange(document.CurrencyRate),
    total: owedOf(document),
    due: openOf(resource, document),
    paid: recognisedOf(document),
    openBase: document.BaseDue,
    approval: liveJournals
      .filter(({ basis, sourceId }) => basis === "accrual" && sourceId === id)
      .flatMap((journal) => journal.postings),
  };
}

/** Returns the movement of an account in accrual journals. */
function movedOn(account: string | undefined, journals: readonly Journal[]): number {
  return journals
    .filter(({ basis }) => basis === "accrual")
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.account === account)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns the journals that reverse a payment. */
export function unsettle(liveJournals: readonly PostedJournal[]): Journal[] {
  return liveJournals.map(reversalJournal);
}

/**
 * Recomputes the open amount and the paid status of an approved document, after its payments or
 * allocations changed.
 *
 * @param date  date of the settlement, used as the day of full payment; undefined after a
 *   reversal
 */
export function settleStatus(
  document: StoredDocument,
  date: string | undefined,
  now: number,
): void {
  const { open } = kindOf(document).resource.document;
  if (open === undefined) return;
  if (document.LastSettled !== undefined) {
    document.LastSettled = laterDate(document.LastSettled, date);
  }
  const openAmount = (owedOf(document) - document.AmountPaid - document.AmountCredited) as Cents;
  document[open] = openAmount;
  document.Status = settledStatus(openAmount);
  document.FullyPaidOnDate =
    document.Status === "PAID" ? (date ?? document.FullyPaidOnDate) : undefined;
  document.UpdatedDateUTC = now;
}
