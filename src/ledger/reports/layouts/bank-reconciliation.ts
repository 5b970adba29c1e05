/**
 * Layout of the bank reconciliation for accountants: from the statement balance to the ledger
 * balance of the account, each reconciling item with its contact and age.
 */
import { counted } from "../../../resources/scalar.ts";
import { daysBetween, mediumDate } from "../../dates/calendar.ts";
import { type Figure, figureValue, listedFigure, sum } from "../../figures/expression.ts";
import {
  type BankReconciliationRequest,
  describe,
  notKnownRow,
  originOf,
  reconciliationFigures,
} from "../bank-reconciliation.ts";
import { headerRow, type ReportRow, sectionRow, textRow } from "../report-rows.ts";

/** A difference between statement and book. */
interface Item {
  readonly name: string;
  readonly contact: string;
  readonly date: string;
  /** Amount, positive for money in. */
  readonly figure: Figure;
}

/** Kinds of differences: what is done with them on the way to the balance of the book. */
const kinds = [
  ["receipts-not-credited", "Add receipts not credited", "book", 1],
  ["payments-not-presented", "Less payments not presented", "book", -1],
  ["receipts-not-booked", "Less receipts not in the book", "statement", 1],
  ["payments-not-booked", "Add payments not in the book", "statement", -1],
] as const;

/** The rows of the report. */
export function bankReconciliationLayout(request: BankReconciliationRequest): ReportRow[] {
  const { book, has, items, isKnown } = figuresOf(request);
  const { to } = request.period;
  const row = ({ name, contact, date, figure }: Item) =>
    textRow("Row", [
      name,
      contact,
      mediumDate(date),
      counted(daysBetween(date, to), "day"),
      figure,
    ]);
  const total = (figure: Figure) =>
    textRow("SummaryRow", [figure.label, "", "", "", figure], undefined, figure.id);
  const parts = kinds.map(([id, title, side, sign]) => {
    const own = items[side].filter(({ figure }) => Math.sign(figureValue(figure) ?? 0) === sign);
    const figures = own.map(({ figure }) => figure);
    const [plus, minus] = side === "book" ? [figures, []] : [[], figures];
    return { title, own, total: sum([id, "Subtotal", "SectionTotal"], plus, minus) };
  });
  const should = sum(
    ["book-should-have", "Balance that the book should have", "BankShouldHave"],
    [has, ...parts.map((itemSection) => itemSection.total)],
  );
  const difference = sum(["difference", "Difference", "Difference"], [should], [book]);
  const unknown = listedFigure(["difference", "Difference", "DifferenceNotKnown"], 0, () => []);
  return [
    headerRow(["", ["contact", "Contact"], ["detail-date", "Date"], "Age", "Amount"]),
    sectionRow("", [
      {
        ...textRow("Row", [has.label, "", "", "", has], originOf(request.bank)),
        id: has.id,
      },
    ]),
    ...parts
      .filter(({ own }) => own.length > 0)
      .map((part) => sectionRow(part.title, [...part.own.map(row), total(part.total)])),
    sectionRow("", [
      total(should),
      { ...textRow("Row", [book.label, "", "", "", book]), id: book.id },
      isKnown ? total(difference) : notKnownRow(unknown, 5),
    ]),
  ];
}

function figuresOf(request: BankReconciliationRequest) {
  const { notOnStatement, notInBook } = request;
  const { book, has, outstanding, missing, apart, isKnown } = reconciliationFigures(request);
  const negative = (figure: Figure) =>
    sum([`${figure.id}.book`, figure.label, figure.rule], [], [figure]);
  const ofBook = outstanding.map((figure, at): Item => {
    const { title = "", contact = "", date = "" } = notOnStatement[at] ?? {};
    return { name: title, contact, date, figure: negative(figure) };
  });
  const ofLines = notInBook.map((line, at): Item => {
    return { name: describe(line), contact: "", date: line.date, figure: missing[at] as Figure };
  });
  const ofGaps = apart.map(({ day, figure }): Item => {
    return { name: "Missing among the lines of the statement", contact: "", date: day, figure };
  });
  return { book, has, isKnown, items: { book: ofBook, statement: [...ofLines, ...ofGaps] } };
}
