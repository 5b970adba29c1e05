/** Postings of a transfer between bank accounts: the same in both ledgers. */

import { assertBalanced, type Basis, type Journal } from "../journal.ts";
import { type Cents, type Rate, type Smallest, toBase } from "../money.ts";

/** One side of a transfer. */
export interface TransferSide {
  /** AccountID. */
  readonly account: string;
  readonly currency: string;
  /** TrackingOptionIDs of the first and the second tracking category. */
  readonly option1?: string | undefined;
  readonly option2?: string | undefined;
}

export interface TransferFacts {
  readonly id: string;
  readonly date: string;
  readonly reference?: string | undefined;
  /** Amount sent, in the currency of `from`, positive. */
  readonly amount: Cents;
  /** Amount received, in the currency of `to`, not negative. */
  readonly received: Cents;
  /** Exchange rate of the foreign currency of the two; 1 when neither is foreign. */
  readonly rate: Rate;
  readonly from: TransferSide;
  readonly to: TransferSide;
}

/**
 * The journals of a transfer.
 * @returns none when the amount is below a cent of the base currency
 */
export function transferJournals(
  transfer: TransferFacts,
  baseCurrency: string,
  smallest: Smallest,
): Journal[] {
  const { from, to, amount, received, rate } = transfer;
  const isInBase = ({ currency }: TransferSide) => currency === baseCurrency;
  const worth = isInBase(from)
    ? amount
    : isInBase(to)
      ? received
      : toBase(amount, { rate, smallest });
  if (worth === 0) return [];
  const posting = (sideSign: 1 | -1, transferSide: TransferSide, moved: Cents) => ({
    account: transferSide.account,
    amount: (sideSign * worth) as Cents,
    ...(transferSide.currency === baseCurrency ? {} : { foreign: (sideSign * moved) as Cents }),
    option1: transferSide.option1,
    option2: transferSide.option2,
  });
  const journal = (basis: Basis): Journal =>
    assertBalanced({
      basis,
      date: transfer.date,
      sourceType: "TRANSFER",
      sourceId: transfer.id,
      documentId: transfer.id,
      reference: transfer.reference,
      postings: [posting(1, to, received), posting(-1, from, amount)],
    });
  return [journal("accrual"), journal("cash")];
}
