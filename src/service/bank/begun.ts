/** Balances of a bank account: its book balance, and the bank's balance at the conversion date. */
import { sum, zeroCents } from "../../ledger/money.ts";
import type { Account } from "../../resources/account.ts";
import type { Cents } from "../../resources/decimal.ts";
import { sums } from "../../store/ledger/journals.ts";
import type { BalanceOn } from "../../store/queries/bank-balances.ts";
import { moneyNotOnStatement } from "../../store/queries/bank-facts.ts";
import { loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import type { StoredOrganisation } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";

interface ConversionContext {
  readonly tx: Tx;
  readonly organisation: Pick<StoredOrganisation, "BaseCurrency" | "ConversionDate">;
}

/** Returns the book balance of the account at the end of a day, in its currency. */
export async function loadBookBalance(
  { tx, organisation }: ConversionContext,
  { AccountID, CurrencyCode = organisation.BaseCurrency }: Account,
  date: string,
): Promise<Cents> {
  const accounts = [AccountID];
  const [balance] =
    CurrencyCode === organisation.BaseCurrency
      ? await sums(tx, { basis: "accrual", accounts, to: date })
      : await loadForeignHeld(tx, "accrual", accounts, date);
  return balance?.amount ?? zeroCents;
}

/**
 * Returns the bank's balance at the conversion date: the book balance less money that reached it
 * later.
 */
export async function openingBalance(
  books: ConversionContext,
  account: Account,
): Promise<BalanceOn | undefined> {
  const { ConversionDate: date } = books.organisation;
  if (date === undefined) return undefined;
  const underWay = await moneyNotOnStatement(books.tx, account.AccountID, date);
  const book = await loadBookBalance(books, account, date);
  return { date, balance: (book - sum(underWay.map(({ amount }) => amount))) as Cents };
}
