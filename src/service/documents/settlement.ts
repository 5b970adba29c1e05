/** What a payment of a document posts, given what the ledger holds of both. */

import { type Journal, type PostedJournal, reversed } from "../../ledger/journal.ts";
import { toBase } from "../../ledger/money.ts";
import { controlOf, paymentJournals } from "../../ledger/posting.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Payment } from "../../resources/payment.ts";
import type { Chart } from "../chart.ts";
import { systemAccounts } from "./posting.ts";

export interface SettledPayment {
  readonly journals: readonly Journal[];
  /** What it takes off the control account, in the base currency. */
  readonly baseAmount: Cents;
  /** What moves on the bank account, in its currency. */
  readonly bankAmount: Cents;
}

/**
 * @param live  live journals of the document: of its approval, and of its payments on both bases
 * @throws RefusedError when the amount or the account does not do
 */
export function settle(
  payment: Pick<
    Payment,
    "PaymentID" | "Date" | "Amount" | "CurrencyRate" | "Account" | "Reference"
  >,
  document: Invoice & { readonly BaseDue: Cents },
  chart: Chart,
  live: readonly PostedJournal[],
): SettledPayment {
  const account = payment.Account?.AccountID ?? "";
  const accounts = systemAccounts(chart);
  const journals = paymentJournals(
    {
      id: payment.PaymentID,
      date: payment.Date,
      amount: payment.Amount,
      rate: payment.CurrencyRate,
      account,
      reference: payment.Reference,
    },
    {
      id: document.InvoiceID,
      type: document.Type,
      rate: document.CurrencyRate,
      total: document.Total,
      due: document.AmountDue,
      paid: document.AmountPaid,
      openBase: document.BaseDue,
      approval: live
        .filter(({ basis, sourceId }) => basis === "accrual" && sourceId === document.InvoiceID)
        .flatMap((journal) => journal.postings),
    },
    accounts,
    live.filter(({ basis }) => basis === "cash").flatMap((journal) => journal.postings),
  );
  const control = accounts[controlOf(document.Type)];
  const moved = journals
    .filter(({ basis }) => basis === "accrual")
    .flatMap((journal) => journal.postings);
  const on = (id: string | undefined) =>
    moved.filter((posting) => posting.account === id).reduce((sum, each) => sum + each.amount, 0);
  return {
    journals,
    baseAmount: Math.abs(on(control)) as Cents,
    bankAmount: toBase(payment.Amount, payment.CurrencyRate),
  };
}

/** The journals that take a payment back. */
export function unsettle(live: readonly PostedJournal[]): Journal[] {
  return live.map(reversed);
}
