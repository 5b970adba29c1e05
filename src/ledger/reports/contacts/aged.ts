/** Aged receivables and payables: what one contact owes or is owed, document by document. */
import type { Row } from "../../../wire/report.ts";
import { type DateText, daysBetween, longDate } from "../../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../../money.ts";
import { amountText, compareText, headerRow, type ReportBody, section, textRow } from "../rows.ts";

/** An approved invoice or bill; amounts in the base currency. */
export interface AgedDocument {
  readonly id: string;
  readonly date: DateText;
  /** What the report calls it: the invoice number, of a bill else its reference. */
  readonly number: string;
  readonly dueDate: DateText | undefined;
  readonly total: Cents;
  /** What the construction industry scheme withholds of it, which is never due. */
  readonly withheld: Cents;
  /** By payments up to the day of the report. */
  readonly paid: Cents;
  /** By credit notes, prepayments and overpayments allocated up to the day of the report. */
  readonly credited: Cents;
}

export interface AgedRequest {
  readonly side: "receivables" | "payables";
  /** Name of the contact. */
  readonly contact: string;
  /** The day up to which payments and credits count, and overdue days are counted. */
  readonly date: DateText;
  /** The first day of the documents shown; those before it come to the opening balance. */
  readonly from: DateText | undefined;
  /** The last day of the documents shown. */
  readonly to: DateText;
  /** Every document of the contact up to `to`, in any order. */
  readonly documents: readonly AgedDocument[];
}

/** What is due of a document at the day of the report. */
function dueOf({ total, withheld, paid, credited }: AgedDocument): Cents {
  return (total - withheld - paid - credited) as Cents;
}

/** The report; the opening and closing balance stand only where a first day was asked for. */
export function agedByContact(request: AgedRequest): ReportBody {
  const { side, contact, date, from, to, documents } = request;
  const isShown = (document: AgedDocument) => from === undefined || document.date >= from;
  const shown = documents.filter(isShown).sort(byDateAndNumber);
  const opening = sum(documents.filter((document) => !isShown(document)).map(dueOf));
  const totals = {
    total: sum(shown.map(({ total }) => total)),
    paid: sum(shown.map(({ paid }) => paid)),
    credited: sum(shown.map(({ credited }) => credited)),
  };
  const due = sum(shown.map(dueOf));
  const number = side === "receivables" ? "Number" : "Reference";
  return {
    titles: [
      "Invoices",
      contact,
      from === undefined ? `To ${longDate(to)}` : `From ${longDate(from)} to ${longDate(to)}`,
      `Showing payments to ${longDate(date)}`,
    ],
    rows: [
      headerRow(["Date", number, "Due Date", "", "Total", "Paid", "Credited", "Due"]),
      ...(from === undefined ? [] : [section("", [openingRow(from, opening)])]),
      section("", [
        ...shown.map((document) => documentRow(document, date)),
        totalRow("Total", { ...totals, due }),
      ]),
      ...(from === undefined
        ? []
        : [section("", [totalRow("Closing Balance", { ...totals, due: add(opening, due) })])]),
    ],
  };
}

function byDateAndNumber(a: AgedDocument, b: AgedDocument): number {
  return compareText(a.date, b.date) || compareText(a.number, b.number) || compareText(a.id, b.id);
}

function documentRow(document: AgedDocument, date: DateText): Row {
  const { id, number, dueDate, total, paid, credited } = document;
  const due = dueOf(document);
  const late = dueDate !== undefined && due > zeroCents && dueDate < date;
  return textRow(
    "Row",
    [
      dayText(document.date),
      number,
      dueDate === undefined ? "" : dayText(dueDate),
      late ? `${daysBetween(dueDate, date)} days overdue` : "",
      ...[total, paid, credited, due].map(amountText),
    ],
    [{ Value: id, Id: "invoiceID" }],
  );
}

function openingRow(from: DateText, opening: Cents): Row {
  return textRow("Row", [
    dayText(from),
    "Opening Balance",
    ...Array.from({ length: 5 }, () => ""),
    amountText(opening),
  ]);
}

interface Totals {
  readonly total: Cents;
  readonly paid: Cents;
  readonly credited: Cents;
  readonly due: Cents;
}

function totalRow(label: string, { total, paid, credited, due }: Totals): Row {
  return textRow("SummaryRow", [
    label,
    "",
    "",
    "",
    ...[total, paid, credited, due].map(amountText),
  ]);
}

/** A day in a cell of this report: `2026-02-27T00:00:00`. */
const dayText = (date: DateText): string => `${date}T00:00:00`;
