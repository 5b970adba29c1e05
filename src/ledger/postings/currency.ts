/**
 * Documents in a foreign currency: realised gains on settlement, and unrealised gains of open ones.
 *
 * A rate is foreign units for one unit of the base currency. A document keeps the rate of its
 * approval; a settlement has the rate of its own day, and the difference is a realised gain or
 * loss. Open amounts are never revalued in the ledger, only in reports.
 */
import { smallestAmount } from "../../resources/common.ts";
import { RefusedError } from "../../resources/errors.ts";
import { accountOf, onSide, type SystemAccounts } from "../documents/document-kinds.ts";
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

/**
 * The exchange for a document.
 * @param baseCurrency  code of the base currency
 */
export const exchangeOf = (rate: Rate, baseCurrency: string): Exchange => ({
  rate,
  smallest: smallestAmount(baseCurrency),
});

export interface Settlement {
  /** Settled amount in the currency of the document, positive. */
  readonly amount: Cents;
  /** Amount outstanding before, in the currency of the document. */
  readonly due: Cents;
  /** The document's balance on the control account before, in base currency, not negative. */
  readonly openBase: Cents;
  readonly documentRate: Exchange;
  readonly settlementRate: Exchange;
  /** The bank's amount in base currency, if known; otherwise converted at the rate. */
  readonly worth?: Cents | undefined;
}

/** The amounts of a settlement in base currency. */
export interface SettledAmounts {
  /** Value of the money on the day it moves. */
  readonly bank: Cents;
  /** Reduction of the control account. */
  readonly control: Cents;
  /**
   * Realised gain, `bank − control`: when positive, a gain on a receivable, a loss on a payable.
   */
  readonly gain: Cents;
}

/**
 * Computes the amounts of a settlement in base currency.
 *
 * The settlement that leaves nothing outstanding clears the document's whole balance on the control
 * account, so that it ends at exactly 0.00 there.
 *
 * @throws RefusedError `CurrencyRate`, `Overflow`
 */
export function settleAmount(settlement: Settlement): SettledAmounts {
  const { amount, due, openBase, documentRate, settlementRate, worth } = settlement;
  const bank = worth ?? toBase(amount, settlementRate);
  const control = baseShareOf(amount, due, openBase, documentRate);
  return { bank, control, gain: (bank - control) as Cents };
}

/**
 * The base-currency share of an amount: at the document's rate, limited to the base amount left;
 * the last amount takes all of it.
 *
 * @param amount    in the currency of the document, above zero
 * @param left      amount outstanding before, in the same currency
 * @param openBase  base currency, not negative, like the result
 * @throws RefusedError `CurrencyRate`, `Overflow`
 */
export function baseShareOf(amount: Cents, left: Cents, openBase: Cents, rate: Exchange): Cents {
  const baseAmount = toBase(amount, rate);
  return amount === left || baseAmount > openBase ? openBase : baseAmount;
}

/**
 * The posting of a realised gain or loss: a credit for a gain.
 *
 * @param sign  1 for what debits its control account (sales invoices), −1 for what credits it
 * @param gain  `bank − control` of the settlement: a gain when positive on a receivable, negative
 *   on a payable
 * @returns none when the gain is zero
 * @throws Error when the organisation has no such account
 */
export function gainPostings(sign: 1 | -1, gain: Cents, accounts: SystemAccounts): Posting[] {
  if (gain === 0) return [];
  return [{ account: accountOf(accounts, "REALISEDCURRENCYGAIN"), amount: onSide(-sign, gain) }];
}

/**
 * The unrealised gain of an open document at `rate`, signed for a receivable; invert it for a
 * payable. Not posted: reports add it to the unrealised gains.
 *
 * @param openAmount      outstanding, in the currency of the document
 * @param openBase  its balance on the control account, in base currency
 */
export function unrealisedGain(openAmount: Cents, openBase: Cents, rate: Exchange): Cents {
  return (toBase(openAmount, rate) - openBase) as Cents;
}

export interface Currencies {
  readonly document: string;
  readonly bank: string;
  readonly base: string;
}

/**
 * The amount of a payment on the bank account, in the currency of that account.
 *
 * @param amount    in the currency of the document
 * @param rate      of the foreign currency of the two
 * @param smallest  of the base currency
 * @throws RefusedError `Currency` when both are foreign and different
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

/** Whether two amounts in different currencies correspond at a rate, which has six decimals. */
export function isBankAmount(
  amount: Cents,
  onBank: Cents,
  currencies: Currencies,
  rate: Rate,
): boolean {
  // Rounded to hundredths too: earlier versions kept fractions of currencies without decimals.
  if (bankAmount(amount, currencies, rate) === onBank) return true;
  if (bankAmount(amount, currencies, rate, 1) === onBank) return true;
  const { document, bank, base } = currencies;
  if (document === bank) return false;
  const [foreign, worth] = bank === base ? [amount, onBank] : [onBank, amount];
  return rateBetween(foreign, worth) === rate;
}
