/**
 * Bank reconciliation: from the balance of the book to the balance of the bank.
 *
 * Book balance, less book transactions missing on the statement, plus statement lines missing in
 * the book, is the expected balance of the bank.
 */
import { wordsOf } from "../../resources/scalar.ts";
import { type CellAttribute, notKnown } from "../../wire/report.ts";
import { type DateText, longDate, mediumDate } from "../dates/calendar.ts";
import {
  counted,
  type Figure,
  ledger,
  listedFigure,
  type Period,
  single,
  sum,
} from "../figures/expression.ts";
import type { Cents } from "../money.ts";
import {
  type AccountInfo,
  headerRow,
  negated,
  type ReportRow,
  sectionRow,
  textRow,
} from "./report-rows.ts";

/** A book transaction that no statement line shows. */
export interface OutstandingMoney {
  readonly id: string;
  readonly kind: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly name: string;
  /** Kind and number, without the contact. */
  readonly title: string;
  readonly contact: string | undefined;
  readonly date: DateText;
  /** Amount, positive for money in, like all amounts here. */
  readonly amount: Cents;
}

/** A statement line without a book transaction. */
export interface OpenLine {
  readonly id: string;
  readonly date: DateText;
  readonly amount: Cents;
  readonly payee: string | null;
  readonly description: string | null;
  readonly status: string;
}

export interface BankReconciliationRequest {
  readonly account: Pick<AccountInfo, "AccountID">;
  /** The period up to the day, with the account's balance in its currency. */
  readonly period: Period;
  readonly measure: "held" | "foreign";
  readonly notOnStatement: readonly OutstandingMoney[];
  readonly notInBook: readonly OpenLine[];
  /**
   * Statements whose change of balance differs from the sum of their lines, accepted by a person.
   */
  readonly gaps: readonly {
    readonly date: DateText;
    readonly amount: Cents;
    readonly statementId: string;
  }[];
  readonly bank: StatedBalance;
}

/** The balance of the bank, and its source. */
export interface StatedBalance {
  readonly balance: Cents;
  /** The day of the source balance; empty for the opening balance of the books, or none. */
  readonly day: DateText | "";
  /** Whether lines were added after that day, or subtracted back to it. */
  readonly hasLines: boolean;
  readonly statement:
    | {
        readonly statementId: string;
        readonly source?: string | undefined;
        readonly isTyped: boolean;
      }
    | undefined;
}

/** Figures that every layout has: both balances, and each difference between them. */
export function reconciliationFigures(request: BankReconciliationRequest) {
  const { period, measure, account, notOnStatement, notInBook, gaps, bank } = request;
  const book = ledger(["book", "Balance of the book", "Balance"], 1, measure, period, [account]);
  const outstanding = notOnStatement.map(({ id, kind, date: day, number, reference, amount }) =>
    single([id, wordsOf(kind), "NotOnStatement"], {
      ...{ date: day, number: number ?? reference ?? undefined, amount: negated(amount) },
      attributes: [{ Value: id, Id: "recordID" }],
    }),
  );
  const missing = notInBook.map(({ id, payee, description, date: day, amount }) =>
    single([id, payee ?? description ?? "Line of the statement", "NotInBook"], {
      ...{ date: day, amount, attributes: [{ Value: id, Id: "bankStatementLineID" }] },
    }),
  );
  const apart = gaps.map(({ statementId: id, date: day, amount }) => {
    const attributes = [{ Value: id, Id: "bankStatementID" }];
    const name = [`${id}.gap`, "Balances of the statement, less its lines", "NotInBook"] as const;
    return { day, attributes, figure: single(name, { date: day, amount, attributes }) };
  });
  const has = counted(["bank", "Balance of the bank", "BankTold"], bank.balance, {
    ...{ of: "bank balance", account: account.AccountID, days: period },
  });
  return { book, has, outstanding, missing, apart, isKnown: bank.statement !== undefined };
}

export function bankReconciliationRows(request: BankReconciliationRequest): ReportRow[] {
  const { period, notOnStatement, notInBook, bank } = request;
  const { book, has, outstanding, missing, apart, isKnown } = reconciliationFigures(request);
  const { to: date } = period;
  const row = (figure: Figure, label = figure.label, day: DateText | "" = "") =>
    textRow("Row", [label, day && mediumDate(day), figure]);
  const total = (figure: Figure) =>
    textRow("SummaryRow", [figure.label, "", figure], undefined, figure.id);
  const notOn = sum(
    ["total-not-on-statement", "Total not on the statement", "SectionTotal"],
    outstanding,
  );
  const notIn = sum(
    ["total-not-in-book", "Total not in the book", "SectionTotal"],
    [...missing, ...apart.map(({ figure }) => figure)],
  );
  const should = sum(
    ["bank-should-have", "Balance that the bank should have", "BankShouldHave"],
    [book, notOn, notIn],
  );
  const difference = isKnown
    ? sum(["difference", "Difference", "Difference"], [has], [should])
    : listedFigure(["difference", "Difference", "DifferenceNotKnown"], 0, () => []);
  return [
    headerRow(["Description", "Date", "Amount"]),
    sectionRow("", [{ ...row(book), id: book.id }]),
    sectionRow("In the book, not on the statement", [
      ...outstanding.map((figure, at) =>
        row(figure, notOnStatement[at]?.name, notOnStatement[at]?.date),
      ),
      total(notOn),
    ]),
    sectionRow("On the statement, not in the book", [
      ...notInBook.map((line, at) => row(missing[at] as Figure, describe(line), line.date)),
      ...apart.map(({ day, figure, attributes }) =>
        textRow(
          "Row",
          [`Missing among the lines of the statement of ${longDate(day)}`, mediumDate(day), figure],
          attributes,
        ),
      ),
      total(notIn),
    ]),
    sectionRow("", [
      total(should),
      { ...row(has), id: has.id },
      textRow("Row", [balanceSource(bank, date), "", ""], originOf(bank)),
      isKnown ? total(difference) : notKnownRow(difference),
    ]),
  ];
}

export function notKnownRow(figure: Figure, columnCount = 3): ReportRow {
  const empty = Array.from({ length: columnCount - 2 }, () => ({}));
  const cells = [{ Value: figure.label }, ...empty, { Value: notKnown, figure }];
  return { RowType: "SummaryRow", id: figure.id, Cells: cells };
}

/** The source of the bank balance, in words. */
export function balanceSource({ statement, day, hasLines }: StatedBalance, date: DateText): string {
  if (statement === undefined) {
    const since = day === "" ? "" : `; counted on from ${mediumDate(day)}`;
    return `no statement on hand${since}`;
  }
  const of = statement.isTyped ? "as typed for" : "as on the statement of";
  if (day > date) return `${of} ${longDate(day)}, without the lines up to it`;
  return `${of} ${longDate(day)}${hasLines ? ", with the lines after it" : ""}`;
}

export function originOf({ statement }: StatedBalance): CellAttribute[] | undefined {
  if (statement === undefined) return undefined;
  const { statementId, source } = statement;
  const id = { Value: statementId, Id: "bankStatementID" };
  return source === undefined ? [id] : [id, { Value: source, Id: "source" }];
}

export function describe({ payee, description, status }: OpenLine): string {
  const words = [payee, description].filter((text) => text !== null && text !== "").join(" · ");
  return status === "IGNORED" ? `${words} (ignored)`.trim() : words;
}
