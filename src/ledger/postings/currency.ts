/**
 * Documents in a foreign currency: what settling them does, and what open ones are worth.
 *
 * A rate is foreign units for one unit of the base currency. A document keeps the rate it was
 * approved at; money that settles it has the rate of its own day, and the difference is a realised
 * gain or loss. What is still open is never revalued in the ledger, only in reports.
 */
import { smallestAmount } from "../../resources/common.ts";
import { RefusedError } from "../../resources/errors.ts";
import { accountOf, type SystemAccounts, signed } from "../documents/document-kinds.ts";
import type { Posting } from "../journal.ts";
import {
  type Cents,
  type Exchange,
  fromBase,
  type Rate,
  rateBetween,
  type Smallest,
  toBase,
} from "../money.ts";

/** @param base  code of the base currency */
export const exchangeOf = (rate: Rate, base: string): Exchange => ({
  rate,
  smallest: smallestAmount(base),
});

export interface Settlement {
  /** What is settled, in the currency of the document, above zero. */
  readonly amount: Cents;
  /** What was outstanding before, in the currency of the document. */
  readonly due: Cents;
  /** What the control account still held of the document before, in base, not negative. */
  readonly openBase: Cents;
  readonly documentRate: Exchange;
  readonly settlementRate: Exchange;
  /** What the money is worth in base, where the bank has told; at the rate when not given. */
  readonly worth?: Cents | undefined;
}

/** In base currency. */
export interface Settled {
  /** What the money is worth on the day it moves. */
  readonly bank: Cents;
  /** What leaves the control account. */
  readonly control: Cents;
  /** `bank − control`: a gain on a receivable, a loss on a payable when positive. */
  readonly gain: Cents;
}

/**
 * What settling an amount moves, in base currency.
 *
 * The settlement that leaves nothing outstanding takes all that the control account still holds of
 * the document, so that it ends at exactly 0.00 there.
 *
 * @throws RefusedError `CurrencyRate`, `Overflow`
 */
export function settle(settlement: Settlement): Settled {
  const { amount, due, openBase, documentRate, settlementRate, worth } = settlement;
  const bank = worth ?? toBase(amount, settlementRate);
  const control = shareOfBase(amount, due, openBase, documentRate);
  return { bank, control, gain: (bank - control) as Cents };
}

/**
 * What an amount takes off the base that is left: its share at the document's rate, never more than
 * there is, and of the last amount all of it.
 *
 * @param amount    in the currency of the document, above zero
 * @param left      what was outstanding before, in the same
 * @param openBase  base currency, not negative; so is what is returned
 * @throws RefusedError `CurrencyRate`, `Overflow`
 */
export function shareOfBase(amount: Cents, left: Cents, openBase: Cents, rate: Exchange): Cents {
  const base = toBase(amount, rate);
  return amount === left || base > openBase ? openBase : base;
}

/**
 * The posting of a gain to the account of realised gains: a credit where something was gained.
 *
 * @param side  1 for what debits its control account (sales invoices), −1 for what credits it
 * @param gain  `bank − control` of the settlement: a gain where positive on a receivable, negative
 *   on a payable
 * @returns none where nothing was gained or lost
 * @throws Error where the organisation has no such account
 */
export function gainPostings(side: 1 | -1, gain: Cents, accounts: SystemAccounts): Posting[] {
  if (gain === 0) return [];
  return [{ account: accountOf(accounts, "REALISEDCURRENCYGAIN"), amount: signed(-side, gain) }];
}

/**
 * What an open document would gain if it were settled at `rate`, sign as for a receivable.
 *
 * Turn the sign for a payable. Not posted: reports add it to the unrealised gains.
 *
 * @param open      outstanding, in the currency of the document
 * @param openBase  what the control account holds of it, in base
 */
export function unrealisedGain(open: Cents, openBase: Cents, rate: Exchange): Cents {
  return (toBase(open, rate) - openBase) as Cents;
}

export interface Currencies {
  readonly document: string;
  readonly bank: string;
  readonly base: string;
}

/**
 * What a payment moves on the bank account, in the currency of that account.
 *
 * @param amount  in the currency of the document
 * @param rate      of whichever of the two is foreign
 * @param smallest  of the base currency
 * @throws RefusedError `Currency` when both are foreign and not the same
 */
export function bankAmount(
  amount: Cents,
  { document, bank, base }: Currencies,
  rate: Rate,
  smallest: Smallest = smallestAmount(base),
): Cents {
  if (document === bank) return amount;
  if (bank === base) return toBase(amount, { rate, smallest });
  if (document === base) return fromBase(amount, rate, smallestAmount(bank));
  throw new RefusedError(
    "Currency",
    `A document in ${document} cannot be paid from an account in ${bank}: ` +
      `one of the two must be in ${base}.`,
  );
}

/** Whether two amounts in different currencies are one money at a rate, which has six decimals. */
export function isBankAmount(
  amount: Cents,
  onBank: Cents,
  currencies: Currencies,
  rate: Rate,
): boolean {
  // In hundredths too: earlier versions kept parts of a currency without decimal places.
  if (bankAmount(amount, currencies, rate) === onBank) return true;
  if (bankAmount(amount, currencies, rate, 1) === onBank) return true;
  const { document, bank, base } = currencies;
  if (document === bank) return false;
  const [foreign, worth] = bank === base ? [amount, onBank] : [onBank, amount];
  return rateBetween(foreign, worth) === rate;
}
