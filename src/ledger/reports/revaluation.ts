/**
 * Revaluation of open foreign-currency amounts at the rates of a day.
 *
 * It is never posted: a report as at a day adds the unrealised gains of open documents and foreign
 * bank accounts to its sums, and a report of a range adds the difference between the gains at its
 * end and before its start. Every adjustment balances, so balanced sums stay balanced.
 */

import { add, type Cents, type Exchange, zeroCents } from "../money.ts";
import { unrealisedGain } from "../postings/currency.ts";
import { type AccountInfo, negated, type Sums } from "./report-rows.ts";

/** A foreign invoice, bill or credit as at the end of a day. */
export interface OpenForeignDocument {
  /** The control account that holds its open amount. */
  readonly control: "DEBTORS" | "CREDITORS";
  /**
   * Side on the control account: 1 for a debit (sales invoices, supplier credits), −1 for a credit.
   */
  readonly side: 1 | -1;
  /** Outstanding amount in its currency, not negative. */
  readonly open: Cents;
  /** Its balance on the control account, in base currency, not negative. */
  readonly openBase: Cents;
  /** Exchange rate of its currency on the day. */
  readonly rate: Exchange;
}

/** A bank account in a foreign currency at the end of a day. */
export interface ForeignBankAccount {
  readonly accountId: string;
  /** Balance in its currency, either sign. */
  readonly balance: Cents;
  /** Balance in the ledger, in base currency. */
  readonly base: Cents;
  /** Exchange rate of its currency on the day. */
  readonly rate: Exchange;
}

/**
 * The adjustments of a revaluation by AccountID, debit positive; they sum to zero.
 *
 * @throws RefusedError `CurrencyRate`, `Overflow`
 * @throws Error when the chart lacks an account that a gain belongs to
 */
export function revaluation(
  accounts: readonly AccountInfo[],
  documents: readonly OpenForeignDocument[],
  banks: readonly ForeignBankAccount[],
): Sums {
  const changeById = new Map<string, Cents>();
  const change = (account: string, amount: Cents) => {
    if (amount !== 0) changeById.set(account, add(changeById.get(account) ?? zeroCents, amount));
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
  return changeById;
}

/** Sums with a revaluation added: for a report as at a day. */
export function addRevaluation(sumsById: Sums, revaluationAtEnd: Sums): Sums {
  const revaluedById = new Map(sumsById);
  for (const [account, amount] of revaluationAtEnd) {
    revaluedById.set(account, add(revaluedById.get(account) ?? zeroCents, amount));
  }
  return revaluedById;
}

/**
 * Sums with the change between two revaluations added: for a report of a range of days.
 *
 * @param revaluationAtEnd   of the last day
 * @param gainsAtStart  of the day before the first
 */
export function revaluedBetween(sumsById: Sums, revaluationAtEnd: Sums, gainsAtStart: Sums): Sums {
  const changes = new Map([...gainsAtStart].map(([account, amount]) => [account, negated(amount)]));
  return addRevaluation(addRevaluation(sumsById, revaluationAtEnd), changes);
}
