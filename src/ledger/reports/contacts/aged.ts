/** Aged receivables and payables of one contact, document by document. */
import { compareText } from "../../../wire/fold.ts";
import { type DateText, daysBetween, longDate } from "../../dates/calendar.ts";
import type { SumPart } from "../../figures/counted.ts";
import {
  columnTotals,
  counted,
  type Figure,
  figureValue,
  listedFigure,
  single,
  sum,
} from "../../figures/expression.ts";
import type { Cents } from "../../money.ts";
import { headerRow, type ReportBody, type ReportRow, sectionRow, textRow } from "../report-rows.ts";

/** An approved invoice or bill; amounts in the base currency. */
export interface AgedDocument {
  readonly id: string;
  readonly date: DateText;
  /** Displayed number: the invoice number or, for a bill without one, its reference. */
  readonly number: string;
  readonly dueDate: DateText | undefined;
  readonly total: Cents;
  /** Amount withheld under the construction industry scheme, which is never due. */
  readonly withheld: Cents;
  /** Amount settled by payments up to the day of the report. */
  readonly paid: Cents;
  /**
   * Amount settled by allocations of credit notes, prepayments and overpayments up to the day of
   * the report.
   */
  readonly credited: Cents;
  /** The document as a part of figures, with the calculation of its total. */
  readonly part: Omit<SumPart, "label" | "amount">;
}

export interface AgedRequest {
  readonly side: "receivables" | "payables";
  /** Name of the contact. */
  readonly contact: string;
  /** The day up to which payments and credits count, and for which overdue days are computed. */
  readonly date: DateText;
  /** The first day of the documents shown; earlier ones are in the opening balance. */
  readonly from: DateText | undefined;
  /** The last day of the documents shown. */
  readonly to: DateText;
  /** Every document of the contact up to `to`, in any order. */
  readonly documents: readonly AgedDocument[];
}

/** The figures of a document, in column order. */
function figuresOf(document: AgedDocument, date: DateText): Figure[] {
  const { id, part, withheld } = document;
  const to = { from: "", to: date };
  const total = single([`${id}.total`, "Total of the document", "BaseTotal"], {
    ...{ ...part, label: "Total of the document", amount: document.total },
  });
  const { working, ...own } = part;
  const withheldSum = single([`${id}.withheld`, "Withheld, construction scheme", "Withheld"], {
    ...{ ...own, amount: withheld },
  });
  const paid = counted([`${id}.paid`, "Paid", "Paid"], document.paid, {
    ...{ of: "payment", document: id, days: to },
  });
  const credited = counted([`${id}.credited`, "Credited", "Credited"], document.credited, {
    ...{ of: "allocation", document: id, days: to },
  });
  const amountDue = sum([`${id}.due`, "Due", "Due"], [total], [withheldSum, paid, credited]);
  return [total, paid, credited, amountDue];
}

/** The report; it has opening and closing balances only when a first day is given. */
export function agedByContact(request: AgedRequest): ReportBody {
  const { side, contact, date, from, to } = request;
  const documents = request.documents.map((document) => ({
    document,
    figures: figuresOf(document, date),
  }));
  const isShown = ({ document }: (typeof documents)[number]) =>
    from === undefined || document.date >= from;
  const shown = documents.filter(isShown).sort((a, b) => compareDateNumber(a.document, b.document));
  const earlierParts = documents
    .filter((document) => !isShown(document))
    .map(
      ({
        document: {
          part: { working, ...part },
        },
        figures,
      }) => ({
        ...{ ...part, label: "Document", amount: figureValue(figures[3] as Figure) ?? 0 },
      }),
    );
  const opening = listedFigure(
    ["opening", "Opening Balance", "Open"],
    earlierParts.reduce((soFar, { amount }) => soFar + amount, 0),
    () => earlierParts,
  );
  const headings = ["Total", "Paid", "Credited", "Due"];
  const totals = columnTotals(headings, shown);
  const closing = totals.map((total, at) =>
    sum(["closing", "Closing Balance", "ClosingBalance"], at === 3 ? [opening, total] : [total]),
  );
  const total = (figures: readonly Figure[]) =>
    textRow(
      "SummaryRow",
      [figures[0]?.label ?? "", "", "", "", ...figures],
      undefined,
      figures[0]?.id,
    );
  return {
    titles: [
      "Invoices",
      contact,
      from === undefined ? `To ${longDate(to)}` : `From ${longDate(from)} to ${longDate(to)}`,
      `Showing payments to ${longDate(date)}`,
    ],
    rows: [
      headerRow([
        "Date",
        side === "receivables" ? ["number", "Number"] : ["reference", "Reference"],
        "Due Date",
        "",
        ...headings,
      ]),
      ...(from === undefined ? [] : [sectionRow("", [openingRow(from, opening)])]),
      sectionRow("", [
        ...shown.map(({ document, figures }) => documentRow(document, figures, date)),
        total(totals),
      ]),
      ...(from === undefined ? [] : [sectionRow("", [total(closing)])]),
    ],
  };
}

function compareDateNumber(a: AgedDocument, b: AgedDocument): number {
  return compareText(a.date, b.date) || compareText(a.number, b.number) || compareText(a.id, b.id);
}

function documentRow(
  { id, date: on, number, dueDate }: AgedDocument,
  figures: readonly Figure[],
  date: DateText,
): ReportRow {
  const amountDue = figureValue(figures[3] as Figure) ?? 0;
  const isOverdue = dueDate !== undefined && amountDue > 0 && dueDate < date;
  return textRow(
    "Row",
    [
      dayText(on),
      number,
      dueDate === undefined ? "" : dayText(dueDate),
      isOverdue ? `${daysBetween(dueDate, date)} days overdue` : "",
      ...figures,
    ],
    [{ Value: id, Id: "invoiceID" }],
  );
}

function openingRow(from: DateText, opening: Figure): ReportRow {
  const blank = Array.from({ length: 5 }, () => "");
  return textRow("Row", [dayText(from), opening.label, ...blank, opening], undefined, opening.id);
}

/** A day in a cell of this report: `2026-02-27T00:00:00`. */
const dayText = (date: DateText): string => `${date}T00:00:00`;
