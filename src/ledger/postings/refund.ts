/**
 * Postings of the refund of a prepayment or an overpayment: the money is paid back, and the
 * postings to its lines are reversed in proportion, with tax. The money moved when the credit was
 * made, so both ledgers are alike.
 */
import { RefusedError } from "../../resources/errors.ts";
import { foreignAmount, type SystemAccounts } from "../documents/document-kinds.ts";
import { assertBalanced, type Basis, type Journal } from "../journal.ts";
import type { Cents } from "../money.ts";
import { type OpenCredit, release } from "./allocation.ts";
import { gainPostings, settleAmount } from "./currency.ts";
import type { PaymentFacts } from "./posting.ts";

export interface RefundJournals {
  readonly journals: readonly Journal[];
  /** Reduction of the credit, in base currency, not negative. */
  readonly creditBase: Cents;
}

/**
 * The journals of a refund.
 * @param sideSign  1 when the refund brings money in, −1 when it takes money out
 * @throws RefusedError `PaymentAmount` when it is not above zero or exceeds the remaining credit,
 *   `PaymentAccount` when the account holds the tax or the rounding of the credit; `CurrencyRate`
 */
export function refundJournals(
  payment: PaymentFacts,
  credit: OpenCredit,
  sideSign: 1 | -1,
  accounts: SystemAccounts,
): RefundJournals {
  check(payment, credit);
  const { bank, control, gain } = settleAmount({
    amount: payment.amount,
    due: credit.remaining,
    openBase: credit.openBase,
    documentRate: credit.rate,
    settlementRate: payment.rate,
    worth: payment.worth,
  });
  const money = {
    account: payment.account,
    amount: (sideSign * bank) as Cents,
    ...foreignAmount(sideSign, payment.foreign),
  };
  const lines = release(credit, payment.amount, (-sideSign * control) as Cents);
  const paid = sideSign === 1 ? [money, ...lines] : [...lines, money];
  const nonZero = [...paid, ...gainPostings(sideSign, gain, accounts)].filter(
    ({ amount }) => amount !== 0,
  );
  const journal = (basis: Basis): Journal =>
    assertBalanced({
      basis,
      date: payment.date,
      sourceType: credit.sourceType,
      sourceId: payment.id,
      documentId: credit.id,
      reference: payment.reference,
      postings: nonZero,
    });
  return {
    journals: nonZero.length === 0 ? [] : [journal("accrual"), journal("cash")],
    creditBase: control,
  };
}

function check(payment: PaymentFacts, { remaining, coded }: OpenCredit): void {
  if (!(payment.amount > 0)) {
    throw new RefusedError("PaymentAmount", "The payment amount must be above zero.");
  }
  if (payment.amount > remaining) {
    throw new RefusedError(
      "PaymentAmount",
      "Payment amount exceeds the amount outstanding on this document",
    );
  }
  // A refund on the credit's own tax or rounding account would be indistinguishable.
  if (coded.some(({ line, account }) => line === undefined && account === payment.account)) {
    throw new RefusedError(
      "PaymentAccount",
      "Account type is invalid for making a payment to/from",
    );
  }
}
