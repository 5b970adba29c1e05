/**
 * Bank reconciliation: from the balance of the book to that of the bank.
 *
 * Book balance, less what the book has and the statement has not, plus what the statement has and
 * the book has not, is the balance that the bank should have.
 */
import { type CellAttribute, notKnown, type Row } from "../../wire/report.ts";
import { type DateText, longDate, mediumDate } from "../dates/calendar.ts";
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
  /** Balances of statements that are more than their lines, allowed by a person. */
  readonly gaps: readonly {
    readonly date: DateText;
    readonly amount: Cents;
    readonly statementId: string;
  }[];
  readonly bank: BankTold;
}

/** The balance of the bank, and where it is from. */
export interface BankTold {
  readonly balance: Cents;
  /** The day of the balance that is told; empty where the books tell none either. */
  readonly day: DateText | "";
  /** Whether lines are counted from that day on, or back to it. */
  readonly hasLines: boolean;
  readonly statement:
    | {
        readonly statementId: string;
        readonly source?: string | undefined;
        readonly isTyped: boolean;
      }
    | undefined;
}

export function bankReconciliationRows(request: BankReconciliationRequest): Row[] {
  const { date, book, notOnStatement, notInBook, gaps, bank } = request;
  const outstanding = negated(sum(notOnStatement.map(({ amount }) => amount)));
  const missing = sum([...notInBook, ...gaps].map(({ amount }) => amount));
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
      ...gaps.map(({ date: day, amount, statementId }) =>
        textRow(
          "Row",
          [
            `Missing among the lines of the statement of ${longDate(day)}`,
            mediumDate(day),
            amountText(amount),
          ],
          [{ Value: statementId, Id: "bankStatementID" }],
        ),
      ),
      total("Total not in the book", missing),
    ]),
    section("", [
      total("Balance that the bank should have", calculated),
      textRow("Row", ["Balance of the bank", "", amountText(bank.balance)]),
      textRow("Row", [whereFrom(bank, date), "", ""], originOf(bank)),
      bank.statement === undefined
        ? textRow("SummaryRow", ["Difference", "", notKnown])
        : total("Difference", add(bank.balance, negated(calculated))),
    ]),
  ];
}

/** Where the balance of the bank is from, in words. */
function whereFrom({ statement, day, hasLines }: BankTold, date: DateText): string {
  if (statement === undefined) {
    return day === "" ? "of no statement" : `of no statement; counted on from ${mediumDate(day)}`;
  }
  const of = statement.isTyped ? "as typed for" : "as on the statement of";
  if (day > date) return `${of} ${longDate(day)}, without the lines up to it`;
  return `${of} ${longDate(day)}${hasLines ? ", with the lines after it" : ""}`;
}

function originOf({ statement }: BankTold): CellAttribute[] | undefined {
  if (statement === undefined) return undefined;
  const { statementId, source } = statement;
  const id = { Value: statementId, Id: "bankStatementID" };
  return source === undefined ? [id] : [id, { Value: source, Id: "source" }];
}

function describe({ payee, description, status }: OpenLine): string {
  const words = [payee, description].filter((each) => each !== null && each !== "").join(" · ");
  return status === "IGNORED" ? `${words} (ignored)`.trim() : words;
}
