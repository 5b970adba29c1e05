/**
 * Opening balances of a book that starts with existing business.
 *
 * The open documents are posted with their own dates, like any other; one journal on the day of the
 * trial balance then brings every account to its given balance.
 */

import type { Account } from "../../resources/account.ts";
import { amountText, smallestAmount } from "../../resources/common.ts";
import { multiplyDivide } from "../../resources/decimal.ts";
import { RefusedError } from "../../resources/errors.ts";
import type { Posting } from "../journal.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";
import { type AccountInfo, figure, negated, type Sums } from "./report-rows.ts";

/** A document line with its tax; or the tax alone, where only that is known. */
export interface TaxedAmount {
  readonly Amount: Cents;
  readonly TaxAmount?: Cents | undefined;
}

/**
 * The lines of a partly paid document, each reduced to its outstanding share. Taxes keep their
 * proportion of the line; the shares sum to the outstanding amount exactly.
 *
 * @param due   above zero, at most the sum of the lines
 * @throws RefusedError `OpeningDocument` when more is outstanding than the total
 */
export function outstandingLines<L extends TaxedAmount>(
  lines: readonly L[],
  due: Cents,
  currency: string,
): L[] {
  const unit = smallestAmount(currency);
  const total = sum(lines.map(({ Amount }) => Amount));
  if (due <= 0 || due > total) {
    throw new RefusedError(
      "OpeningDocument",
      `What is outstanding must be above zero and at most ${amountText(total, currency)}, not ${amountText(due, currency)}.`,
    );
  }
  let amountBefore = 0;
  let shareBefore = 0;
  return lines.map((line) => {
    amountBefore += line.Amount;
    const share = shareOfWhole(amountBefore, due, total, unit);
    const Amount = (share - shareBefore) as Cents;
    shareBefore = share;
    const { TaxAmount } = line;
    if (TaxAmount === undefined || line.Amount === 0) return { ...line, Amount };
    return { ...line, Amount, TaxAmount: shareOfWhole(TaxAmount, Amount, line.Amount, unit) };
  });
}

/** The share `amount ÷ of` of a whole, in units of the currency. */
function shareOfWhole(wholeAmount: number, amount: number, of: number, unit: number): Cents {
  const sign = of < 0 ? -1 : 1;
  return (multiplyDivide(sign * wholeAmount, amount, Math.abs(of) * unit) * unit) as Cents;
}

type OpenedAccount = AccountInfo & Pick<Account, "CurrencyCode">;

/** Input of the opening postings; all sums by AccountID, debit positive. */
export interface OpeningFacts {
  /** The base currency. */
  readonly base: string;
  readonly accounts: readonly OpenedAccount[];
  /** The trial balance to reach, in base currency. */
  readonly wanted: Sums;
  /** Balances to reach on foreign bank accounts, in their currency. */
  readonly wantedForeign: Sums;
  /** Balances of the ledger on the day without the opening journal, as in a trial balance. */
  readonly held: Sums;
  readonly heldForeign: Sums;
  /** Change of those balances by revaluation at the rates of the day. */
  readonly revaluation: Sums;
}

/**
 * The postings that bring every account to its opening balance; their imbalance goes to Historical
 * Adjustment.
 *
 * Receivables, payables and inventory follow from their documents and items, and must agree with
 * them. Foreign receivables and payables may be at the rates of their documents or of the day:
 * reports derive the latter from the former, so neither is posted.
 *
 * @returns postings that are not zero, and the part of the difference on Historical Adjustment
 * @throws RefusedError `OpeningBalance` with every account that does not agree
 */
export function openingPostings(opening: OpeningFacts): {
  readonly postings: Posting[];
  readonly difference: Cents;
} {
  const { accounts, wanted, wantedForeign, held, heldForeign, revaluation } = opening;
  const faults: { message: string }[] = [];
  const difference = negated(sum([...wanted.values()]));
  // The contra of revalued control accounts is on unrealised gains.
  let unrealised = zeroCents;
  const postings: Posting[] = [];
  const otherAccounts: OpenedAccount[] = [];
  for (const account of accounts) {
    if (!followsFromRecords(account)) {
      otherAccounts.push(account);
      continue;
    }
    const apartAmount = figure(wanted, account) - figure(held, account);
    const gain = figure(revaluation, account);
    if (apartAmount === gain) unrealised = add(unrealised, negated(gain));
    else if (apartAmount !== 0) faults.push({ message: disagreementMessage(account, opening) });
  }
  for (const account of otherAccounts) {
    const ownBalance =
      account.SystemAccount === "UNREALISEDCURRENCYGAIN"
        ? unrealised
        : account.SystemAccount === "HISTORICAL"
          ? negated(difference)
          : zeroCents;
    const amount = (figure(wanted, account) - figure(held, account) - ownBalance) as Cents;
    const foreign = (figure(wantedForeign, account) - figure(heldForeign, account)) as Cents;
    if (amount === 0 && foreign !== 0) {
      faults.push({
        message: `${nameOf(account)} would hold ${amountText(foreign, account.CurrencyCode)} in its currency that are worth nothing.`,
      });
    }
    if (amount === 0) continue;
    postings.push({
      account: account.AccountID,
      amount,
      ...(foreign === 0 ? {} : { foreign }),
    });
  }
  const [first] = faults;
  if (first !== undefined) throw new RefusedError("OpeningBalance", first.message, faults);
  return { postings, difference };
}

const isControl = ({ SystemAccount }: AccountInfo) =>
  SystemAccount === "DEBTORS" || SystemAccount === "CREDITORS";

const followsFromRecords = (account: AccountInfo) =>
  isControl(account) || account.Type === "INVENTORY";

const nameOf = ({ Code, Name }: AccountInfo) => (Code === undefined ? Name : `${Name} (${Code})`);

function disagreementMessage(account: AccountInfo, { base, wanted, held }: OpeningFacts): string {
  const amount = amountText(figure(wanted, account), base);
  const known = amountText(figure(held, account), base);
  const noun = isControl(account) ? "open documents" : "items on hand";
  const apart = amountText(figure(wanted, account) - figure(held, account), base);
  return `${nameOf(account)} is ${amount} in the balances, but its ${noun} come to ${known}: ${apart} apart.`;
}
