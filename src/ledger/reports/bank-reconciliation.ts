/**
 * Bank reconciliation: from the balance of the book to that of the bank.
 *
 * Book balance, less what the book has and the statement has not, plus what the statement has and
 * the book has not, is the balance that the bank should have.
 */
import type { Row } from "../../wire/report.ts";
import { type DateText, mediumDate } from "../dates/calendar.ts";
import { add, type Cents, sum } from "../money.ts";
import { amountText, headerRow, negated, section, textRow } from "./rows.ts";

/** Money of the book that no line of the statement shows. */
export interface OutstandingMoney {
  readonly name: string;
  readonly date: DateText;
  /** Positive where money came in, as all amounts here. */
  readonly amount: Cents;
}

/** A line that the book does not show. */
export interface OpenLine {
  readonly date: DateText;
  readonly amount: Cents;
  readonly payee: string | null;
  readonly description: string | null;
  readonly status: string;
}

export interface BankReconciliationRequest {
  readonly date: DateText;
  readonly book: Cents;
  readonly notOnStatement: readonly OutstandingMoney[];
  readonly notInBook: readonly OpenLine[];
  /** Balance of the bank. */
  readonly bank: Cents;
}

export function bankReconciliationRows(request: BankReconciliationRequest): Row[] {
  const { book, notOnStatement, notInBook, bank } = request;
  const outstanding = negated(sum(notOnStatement.map(({ amount }) => amount)));
  const missing = sum(notInBook.map(({ amount }) => amount));
  const calculated = add(add(book, outstanding), missing);
  const total = (name: string, amount: Cents) =>
    textRow("SummaryRow", [name, "", amountText(amount)]);
  return [
    headerRow(["Description", "Date", "Amount"]),
    section("", [textRow("Row", ["Balance of the book", "", amountText(book)])]),
    section("In the book, not on the statement", [
      ...notOnStatement.map(({ date, name, amount }) =>
        textRow("Row", [name, mediumDate(date), amountText(negated(amount))]),
      ),
      total("Total not on the statement", outstanding),
    ]),
    section("On the statement, not in the book", [
      ...notInBook.map((line) =>
        textRow("Row", [describe(line), mediumDate(line.date), amountText(line.amount)]),
      ),
      total("Total not in the book", missing),
    ]),
    section("", [
      total("Balance that the bank should have", calculated),
      textRow("Row", ["Balance of the bank", "", amountText(bank)]),
      total("Difference", add(bank, negated(calculated))),
    ]),
  ];
}

function describe({ payee, description, status }: OpenLine): string {
  const words = [payee, description].filter((each) => each !== null && each !== "").join(" · ");
  return status === "IGNORED" ? `${words} (ignored)`.trim() : words;
}
