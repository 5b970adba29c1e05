/** Figures of the bank reconciliation. */

import { mediumDate } from "../../../ledger/dates/calendar.ts";
import { negated } from "../../../ledger/reports/rows.ts";
import { gapsUpTo, toldBalance } from "../../../store/queries/bank-balances.ts";
import { linesNotInBook, moneyNotOnStatement } from "../../../store/queries/bank-facts.ts";
import { notKnown } from "../../../wire/report.ts";
import { begunWith } from "../../bank/begun.ts";
import { dateOf, yearOf } from "../../reports/frame.ts";
import { textAt } from "../figures.ts";
import { ledger, minus, type Part, parts, plus, single, sum } from "../origin.ts";
import type { Explainer } from "./explainer.ts";

export const bankReconciliation: Explainer = {
  usual: "last",
  async origins(reading, figures) {
    const { call, tx, chart, organisation, today } = reading;
    const date = dateOf(call, "date") ?? today;
    const account = chart.account(call.query.get("accountID") ?? "");
    if (account === undefined) return () => undefined;
    const { AccountID, CurrencyCode = organisation.BaseCurrency } = account;
    const isForeign = CurrencyCode !== organisation.BaseCurrency;
    const money = await moneyNotOnStatement(tx, AccountID, date);
    const lines = await linesNotInBook(tx, AccountID, date);
    const gaps = await gapsUpTo(tx, AccountID, date);
    return ({ row, column }) => {
      const at = (label: string) => figures.at(label, column);
      switch (row.label) {
        case "Balance of the book":
          return sum(
            "Balance",
            ledger(1, {
              ...{ account, since: yearOf(reading, date).from, to: date },
              ...{ basis: "accrual" as const, gains: false as const },
              ...(isForeign ? { measure: "foreign" as const } : {}),
            }),
          );
        case "Total not on the statement":
        case "Total not in the book":
          return sum("SectionTotal", plus(...figures.linesOf(row, column)));
        case "Balance that the bank should have":
          return sum(
            "BankShouldHave",
            plus(
              at("Balance of the book"),
              at("Total not on the statement"),
              at("Total not in the book"),
            ),
          );
        case "Balance of the bank":
          return sum(
            "BankTold",
            parts(() => toldParts(reading, account, date)),
          );
        case "Difference":
          if (textAt({ row, column }) === notKnown) return sum("DifferenceNotKnown");
          return sum(
            "Difference",
            plus(at("Balance of the bank")),
            minus(at("Balance that the bank should have")),
          );
        default:
          break;
      }
      const position = figures.positionOf(row);
      const gap = gaps[position - lines.length];
      if (row.section !== "In the book, not on the statement" && gap !== undefined) {
        const attributes = [{ Value: gap.statementId, Id: "bankStatementID" }];
        const label = "Balances of the statement, less its lines";
        return sum("NotInBook", single({ label, date: gap.date, amount: gap.amount, attributes }));
      }
      if (row.section === "In the book, not on the statement") {
        const found = money[position];
        return (
          found &&
          sum(
            "NotOnStatement",
            single({
              label: found.kind.replace(/(?<=[a-z])(?=[A-Z])/g, " "),
              date: found.date,
              number: found.number ?? found.reference ?? undefined,
              amount: negated(found.amount),
              attributes: [{ Value: found.id, Id: "recordID" }],
            }),
          )
        );
      }
      const line = lines[position];
      return (
        line &&
        sum(
          "NotInBook",
          single({
            label: line.payee ?? line.description ?? "Line of the statement",
            date: line.date,
            amount: line.amount,
            attributes: [{ Value: line.id, Id: "bankStatementLineID" }],
          }),
        )
      );
    };
  },
};

/** The balance that a statement tells, and the lines between its day and the day of the report. */
async function toldParts(
  reading: Parameters<typeof begunWith>[0],
  account: Parameters<typeof begunWith>[1],
  date: string,
): Promise<Part[]> {
  const told = await toldBalance(reading.tx, account.AccountID, date, () =>
    begunWith(reading, account),
  );
  const { day, balance, moved, statement } = told;
  const found: Part[] = [
    {
      label:
        statement === undefined
          ? "What the account held when the books began"
          : statement.isTyped
            ? `Balance as typed for ${mediumDate(day)}`
            : `Balance that a statement tells, at ${mediumDate(day)}`,
      date: day === "" ? undefined : day,
      amount: balance,
    },
    ...moved.map(({ id, date: on, payee, description, amount }) => ({
      label: payee ?? description ?? "Line of the statement",
      date: on,
      amount: day > date ? negated(amount) : amount,
      attributes: [{ Value: id, Id: "bankStatementLineID" }],
    })),
  ];
  return found.filter(({ amount }) => amount !== 0);
}
