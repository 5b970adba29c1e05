/** Journals of a payment of a document. */

import { laterDate } from "../../ledger/dates/calendar.ts";
import {
  controlOf,
  type DocumentType,
  isMoneyMoved,
  paymentSideOf,
} from "../../ledger/documents/document-kinds.ts";
import { settledStatus } from "../../ledger/documents/lifecycle.ts";
import { type Journal, type PostedJournal, reversed } from "../../ledger/journal.ts";
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
  /** Amount taken off the document in the ledger, in the base currency. */
  readonly baseAmount: Cents;
  /** Amount on the bank account, in its currency. */
  readonly bankAmount: Cents;
}

/** Its `BankAmount` is what the bank has told; at its rate when not given. */
type PaymentMade = Pick<
  Payment,
  "PaymentID" | "Date" | "Amount" | "CurrencyRate" | "Account" | "Reference" | "BankAmount"
>;

/**
 * @param base  the currency of the books
 * @param live  live journals of the document: of its approval, and of its payments on both bases
 * @throws RefusedError when the amount or the account does not do
 */
export function settle(
  payment: PaymentMade,
  document: StoredDocument,
  chart: Chart,
  base: string,
  live: readonly PostedJournal[],
): SettledPayment {
  const accounts = systemAccounts(chart);
  const { posts } = kindOf(document);
  if (posts === undefined) throw new Error(`A ${document.Type} takes no payments.`);
  const currencies = currenciesOf(payment, document, base);
  // Refuses two currencies of which neither is that of the books, also where the bank has told.
  const atRate = bankAmount(payment.Amount, currencies, payment.CurrencyRate);
  const onBank = payment.BankAmount ?? atRate;
  const facts = {
    id: payment.PaymentID,
    date: payment.Date,
    amount: payment.Amount,
    // The rate of a payment on a document in the base currency is that of a foreign bank account.
    rate: chart.exchange(document.CurrencyCode === base ? baseRate : payment.CurrencyRate),
    account: payment.Account?.AccountID ?? "",
    foreign: currencies.bank === base ? undefined : onBank,
    worth: currencies.bank === base ? onBank : undefined,
    reference: payment.Reference,
  };
  if (isMoneyMoved(posts)) {
    const credit = openCredit(document, live, chart);
    const refund = refundJournals(facts, credit, paymentSideOf(posts), accounts);
    return { journals: refund.journals, baseAmount: refund.creditBase, bankAmount: onBank };
  }
  const recognised = live.filter(({ basis }) => basis === "cash");
  const journals = paymentJournals(
    facts,
    openDocument(document, posts, live, chart),
    accounts,
    recognised.flatMap((journal) => journal.postings),
  );
  const moved = movedOn(accounts[controlOf(posts)], journals);
  return { journals, baseAmount: Math.abs(moved) as Cents, bankAmount: onBank };
}

/** Of a document, and of the account that a payment of it moves money on. */
export function currenciesOf(
  { Account }: Pick<Payment, "Account">,
  { CurrencyCode }: StoredDocument,
  base: string,
): Currencies {
  return { document: CurrencyCode, bank: Account?.CurrencyCode ?? base, base };
}

/** The document as the payment finds it. */
function openDocument(
  document: StoredDocument,
  type: DocumentType,
  live: readonly PostedJournal[],
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
    approval: live
      .filter(({ basis, sourceId }) => basis === "accrual" && sourceId === id)
      .flatMap((journal) => journal.postings),
  };
}

/** Movement of an account in the accrual ledger. */
function movedOn(account: string | undefined, journals: readonly Journal[]): number {
  return journals
    .filter(({ basis }) => basis === "accrual")
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.account === account)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** The journals that take a payment back. */
export function unsettle(live: readonly PostedJournal[]): Journal[] {
  return live.map(reversed);
}

/**
 * Works out anew what is open of an approved document and whether it is paid, after payments or
 * allocations of it have changed.
 *
 * @param date  of what has settled it, which is the day it is fully paid on; undefined after a
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
  const left = (owedOf(document) - document.AmountPaid - document.AmountCredited) as Cents;
  document[open] = left;
  document.Status = settledStatus(left);
  document.FullyPaidOnDate =
    document.Status === "PAID" ? (date ?? document.FullyPaidOnDate) : undefined;
  document.UpdatedDateUTC = now;
}
