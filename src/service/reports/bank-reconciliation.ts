/** /Reports/BankReconciliation: an extension of the API. */

import { longDate } from "../../ledger/dates/calendar.ts";
import { sum, zeroCents } from "../../ledger/money.ts";
import { bankReconciliationRows } from "../../ledger/reports/bank-reconciliation.ts";
import type { Account } from "../../resources/account.ts";
import type { Cents } from "../../resources/decimal.ts";
import { sums } from "../../store/ledger/journals.ts";
import { type BalanceOn, bankBalance, gapsUpTo } from "../../store/queries/bank-balances.ts";
import {
  contactNames,
  linesNotInBook,
  moneyNotOnStatement,
} from "../../store/queries/bank-facts.ts";
import { foreignHeld } from "../../store/queries/foreign-balances.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { Faults } from "../request/faults.ts";
import { dateOf, type MakeReport, type Reading } from "./frame.ts";

/** In the currency of the bank account. */
export const bankReconciliation: MakeReport = async (reading) => {
  const { call, tx, chart, organisation, today } = reading;
  const date = dateOf(call, "date") ?? today;
  const faults = new Faults();
  const key = call.query.get("accountID");
  const account = bankAccountNamed(
    "accountID",
    { AccountID: key, Code: key },
    chart,
    (rule, message) => faults.add(rule, message),
  );
  faults.check();
  if (account === undefined) return { titles: [], rows: [] };
  const id = account.AccountID;
  const money = await moneyNotOnStatement(tx, id, date);
  const contacts = new Map(
    money.length === 0 ? [] : (await contactNames(tx)).map((each) => [each.id, each.name] as const),
  );
  const names = money.map((row) => ({
    ...row,
    name: [
      inWords(row.kind),
      row.number,
      contacts.get(row.contactId ?? ""),
      row.reference === row.number ? undefined : row.reference,
    ]
      .filter(Boolean)
      .join(" "),
  }));
  return {
    titles: [
      "Bank Reconciliation",
      organisation.Name,
      `${account.Code ?? ""} ${account.Name}`.trim(),
      `As at ${longDate(date)}`,
    ],
    rows: bankReconciliationRows({
      date,
      book: await bookBalance(reading, account, date),
      notOnStatement: names,
      notInBook: await linesNotInBook(tx, id, date),
      gaps: await gapsUpTo(tx, id, date),
      bank: await bankBalance(tx, id, date, () => begunWith(reading, account)),
    }),
  };
};

const inWords = (kind: string) => kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ");

/** What the account holds at the end of a day, in its currency. */
async function bookBalance(
  { tx, organisation }: Reading,
  { AccountID, CurrencyCode = organisation.BaseCurrency }: Account,
  date: string,
): Promise<Cents> {
  const accounts = [AccountID];
  const [found] =
    CurrencyCode === organisation.BaseCurrency
      ? await sums(tx, { basis: "accrual", accounts, to: date })
      : await foreignHeld(tx, "accrual", accounts, date);
  return found?.amount ?? zeroCents;
}

/** What the bank had when the books began: their balance, but for what came to the bank later. */
export async function begunWith(
  reading: Reading,
  account: Account,
): Promise<BalanceOn | undefined> {
  const { ConversionDate: date } = reading.organisation;
  if (date === undefined) return undefined;
  const underWay = await moneyNotOnStatement(reading.tx, account.AccountID, date);
  const book = await bookBalance(reading, account, date);
  return { date, balance: (book - sum(underWay.map(({ amount }) => amount))) as Cents };
}
