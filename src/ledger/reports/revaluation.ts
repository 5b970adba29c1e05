/**
 * What is open in foreign currencies, at the rates of a day.
 *
 * Nothing of it is posted: a report at a day adds to its sums what open documents and foreign bank
 * accounts have gained or lost by then, and a report of a range the difference between the gain at
 * its end and the gain before its start. Every adjustment balances, so that what balanced before
 * balances after.
 */

import { add, type Cents, type Exchange, zeroCents } from "../money.ts";
import { unrealisedGain } from "../postings/currency.ts";
import { type AccountInfo, negated, type Sums } from "./report-rows.ts";

/** A foreign invoice, bill or credit as it stood at the end of a day. */
export interface OpenForeignDocument {
  /** The system account that holds what is open of it. */
  readonly control: "DEBTORS" | "CREDITORS";
  /** 1 when it is a debit there (sales invoices, supplier credits), −1 when it is a credit. */
  readonly side: 1 | -1;
  /** Outstanding, in its currency, not negative. */
  readonly open: Cents;
  /** What the control account holds of it, in base, not negative. */
  readonly openBase: Cents;
  /** Of its currency on that day. */
  readonly rate: Exchange;
}

/** A bank account in a foreign currency at the end of a day. */
export interface ForeignBankAccount {
  readonly accountId: string;
  /** In its currency, either sign. */
  readonly balance: Cents;
  /** What the ledger holds of it, in base. */
  readonly base: Cents;
  /** Of its currency on that day. */
  readonly rate: Exchange;
}

/**
 * What the gains of a day change, by AccountID, debit positive; it sums to zero.
 *
 * @throws RefusedError `CurrencyRate`, `Overflow`
 * @throws Error when the chart lacks an account that a gain belongs to
 */
export function revaluation(
  accounts: readonly AccountInfo[],
  documents: readonly OpenForeignDocument[],
  banks: readonly ForeignBankAccount[],
): Sums {
  const changes = new Map<string, Cents>();
  const change = (account: string, amount: Cents) => {
    if (amount !== 0) changes.set(account, add(changes.get(account) ?? zeroCents, amount));
  };
  const system = (marker: string) => {
    const account = accounts.find(({ SystemAccount }) => SystemAccount === marker);
    if (account === undefined) throw new Error(`The chart of accounts has no ${marker} account.`);
    return account.AccountID;
  };
  for (const { control, side, open, openBase, rate } of documents) {
    const gain = unrealisedGain(open, openBase, rate);
    if (gain === 0) continue;
    const debit = side === 1 ? gain : negated(gain);
    change(system(control), debit);
    change(system("UNREALISEDCURRENCYGAIN"), negated(debit));
  }
  for (const { accountId, balance, base, rate } of banks) {
    const gain = unrealisedGain(balance, base, rate);
    if (gain === 0) continue;
    change(accountId, gain);
    change(system("BANKCURRENCYGAIN"), negated(gain));
  }
  return changes;
}

/** Sums with what a revaluation changes: of a report at a day. */
export function revalued(sums: Sums, atEnd: Sums): Sums {
  const all = new Map(sums);
  for (const [account, amount] of atEnd) {
    all.set(account, add(all.get(account) ?? zeroCents, amount));
  }
  return all;
}

/**
 * Sums with the change between two revaluations: of a report of a range of days.
 *
 * @param atEnd   of the last day
 * @param before  of the day before the first
 */
export function revaluedBetween(sums: Sums, atEnd: Sums, before: Sums): Sums {
  const taken = new Map([...before].map(([account, amount]) => [account, negated(amount)]));
  return revalued(revalued(sums, atEnd), taken);
}
