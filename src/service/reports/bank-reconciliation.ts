/** /Reports/BankReconciliation: book balance against statement balance; an extension of the API. */

import { longDate } from "../../ledger/dates/calendar.ts";
import { balanceSource, bankReconciliationRows } from "../../ledger/reports/bank-reconciliation.ts";
import { bankReconciliationLayout } from "../../ledger/reports/layouts/bank-reconciliation.ts";
import { wordsOf } from "../../resources/scalar.ts";
import { bankBalance, gapsUpTo } from "../../store/queries/bank-balances.ts";
import {
  contactNames,
  linesNotInBook,
  type MoneyRow,
  moneyNotOnStatement,
} from "../../store/queries/bank-facts.ts";
import { loadBookBalance, openingBalance } from "../bank/begun.ts";
import { bankAccountNamed } from "../documents/bank.ts";
import { Faults } from "../request/faults.ts";
import { dateOf, type MakeReport } from "./report-context.ts";

/** The bank reconciliation of an account, in the account's currency. */
export const bankReconciliation: MakeReport = async (context) => {
  const { call, tx, chart, organisation, today } = context;
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
  const { AccountID: id, CurrencyCode = organisation.BaseCurrency } = account;
  const measure = CurrencyCode === organisation.BaseCurrency ? "held" : "foreign";
  const balanceById = new Map([[id, await loadBookBalance(context, account, date)]]);
  const money = await moneyNotOnStatement(tx, id, date);
  const contactNameById = new Map(
    money.length === 0 ? [] : (await contactNames(tx)).map((name) => [name.id, name.name] as const),
  );
  const words = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(" ");
  const names = money.map((row) => {
    const contact = contactNameById.get(row.contactId ?? "");
    const reference = row.reference === row.number ? "" : row.reference;
    return {
      ...{ ...row, contact, title: words([moneyKindName(row), row.number, reference]) },
      name: words([wordsOf(row.kind), row.number, contact, reference]),
    };
  });
  const rowsOf = context.isAccountant ? bankReconciliationLayout : bankReconciliationRows;
  const bank = await bankBalance(tx, id, date, () => openingBalance(context, account));
  return {
    titles: [
      "Bank Reconciliation",
      organisation.Name,
      `${account.Code ?? ""} ${account.Name}`.trim(),
      `As at ${longDate(date)}`,
      ...(context.isAccountant ? [`Balance of the bank: ${balanceSource(bank, date)}`] : []),
    ],
    rows: rowsOf({
      ...{ account, measure, bank },
      period: { from: date, to: date, basis: "accrual", sums: { [measure]: balanceById } },
      notOnStatement: names,
      notInBook: await linesNotInBook(tx, id, date),
      gaps: await gapsUpTo(tx, id, date),
    }),
  };
};

/** Name of money for people: `Payment`, `Money spent`, `Transfer`. */
function moneyKindName({ kind, amount }: MoneyRow): string {
  if (kind === "BankTransaction") return amount < 0 ? "Money spent" : "Money received";
  return kind === "BankTransfer" ? "Transfer" : wordsOf(kind);
}
