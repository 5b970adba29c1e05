/** Statement of account: what a customer owes, document by document or as it came about. */
import type { Row } from "../../../wire/report.ts";
import {
  type DateRange,
  type DateText,
  earlierDate,
  longDate,
  mediumDate,
} from "../../dates/calendar.ts";
import { add, type Cents, sum, zeroCents } from "../../money.ts";
import { amountText, headerRow, negated, type ReportBody, section, textRow } from "../rows.ts";
import { type AgedEntry, agedAmounts, bucketNames } from "./aged-contacts.ts";

/** Something that moved what a customer owes, in the currency of its document. */
export interface StatementMove {
  readonly kind: "document" | "payment" | "allocation";
  readonly date: DateText;
  /** Above zero what is owed more. */
  readonly amount: Cents;
  readonly paymentReference: string | null;
  readonly documentId: string;
  readonly type: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly documentDate: DateText;
  readonly dueDate: DateText | null;
  readonly currency: string;
}

export interface StatementRequest {
  /** Up to this day at most what is open ages. */
  readonly today: DateText;
  /** Name of the organisation. */
  readonly organisation: string;
  /** Name of the customer. */
  readonly contact: string;
  /** The first day of the activity; what is outstanding at `to` where it is not given. */
  readonly from?: DateText | undefined;
  readonly to: DateText;
  /** Up to `to`, in the order of days. */
  readonly moves: readonly StatementMove[];
}

/** A document of which something is open. */
export interface OpenItem {
  readonly document: StatementMove;
  /** What it came to, and what was paid and credited of it. */
  readonly amount: Cents;
  readonly settled: Cents;
  readonly open: Cents;
}

const kindNames: Readonly<Record<string, string>> = {
  ACCREC: "Invoice",
  ACCRECCREDIT: "Credit note",
  "RECEIVE-OVERPAYMENT": "Overpayment",
};

/** The documents with something open, the oldest first; credits, and what came early, below zero. */
export function openItems(moves: readonly StatementMove[]): OpenItem[] {
  return [...Map.groupBy(moves, ({ documentId }) => documentId).values()].flatMap((own) => {
    const [document] = own;
    const amount = sum(own.filter(({ kind }) => kind === "document").map((each) => each.amount));
    const settled = sum(own.filter(({ kind }) => kind !== "document").map((each) => each.amount));
    const open = add(amount, settled);
    return document === undefined || open === 0 ? [] : [{ document, amount, settled, open }];
  });
}

/** Each currency by itself, as they come in the alphabet. */
export function statement(request: StatementRequest): ReportBody {
  const { organisation, contact, from, to, moves } = request;
  const agedAt = earlierDate(to, request.today);
  const currencies = [...Map.groupBy(moves, ({ currency }) => currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const parts = currencies.flatMap(([currency, own]) =>
    from === undefined
      ? outstanding(currency, own, to)
      : activity(currency, own, { from, to }, agedAt),
  );
  return {
    titles: [
      from === undefined ? "Statement" : "Activity Statement",
      organisation,
      contact,
      from === undefined ? `As at ${longDate(to)}` : `${longDate(from)} to ${longDate(to)}`,
    ],
    rows: [
      headerRow(
        from === undefined
          ? ["Date", "Number", "Reference", "Due", "Amount", "Paid", "Balance"]
          : ["Date", "Activity", "Number", "Reference", "Due", "Amount", "Balance"],
      ),
      ...parts,
    ],
  };
}

const day = (date: DateText | null) => (date === null ? "" : mediumDate(date));

function outstanding(currency: string, moves: readonly StatementMove[], to: DateText): Row[] {
  const items = openItems(moves);
  if (items.length === 0) return [];
  const rows = items.map(({ document: { number, reference, documentDate, dueDate }, ...item }) =>
    textRow("Row", [
      day(documentDate),
      number ?? "",
      reference ?? "",
      day(dueDate),
      amountText(item.amount),
      amountText(negated(item.settled)),
      amountText(item.open),
    ]),
  );
  const due = sum(items.map(({ open }) => open));
  return [
    section(currency, [
      ...rows,
      textRow("SummaryRow", ["Due", "", "", "", "", "", amountText(due)]),
    ]),
    ageing(currency, items, to),
  ];
}

function activity(
  currency: string,
  moves: readonly StatementMove[],
  { from, to }: DateRange,
  agedAt: DateText,
): Row[] {
  const shown = moves.filter(({ date, kind }) => date >= from && kind !== "allocation");
  // A prepayment stands on an account of its own until it is allocated.
  const applied = prepaymentsApplied(moves.filter(({ date }) => date >= from));
  let balance = sum(moves.filter(({ date }) => date < from).map(({ amount }) => amount));
  const opening = balance;
  const rows = [...shown, ...applied]
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((move) => {
      balance = add(balance, move.amount);
      return textRow("Row", [
        day(move.date),
        nameOf(move),
        move.number ?? "",
        (move.kind === "payment" ? move.paymentReference : move.reference) ?? "",
        move.kind === "document" ? day(move.dueDate) : "",
        amountText(move.amount),
        amountText(balance),
      ]);
    });
  if (rows.length === 0 && opening === 0) return [];
  const single = (type: "Row" | "SummaryRow", label: string, on: DateText, amount: Cents) =>
    textRow(type, [day(on), label, "", "", "", "", amountText(amount)]);
  return [
    section(currency, [
      single("Row", "Opening balance", from, opening),
      ...rows,
      single("SummaryRow", "Closing balance", to, balance),
    ]),
    ageing(currency, openItems(moves), agedAt),
  ];
}

/** What allocations of a day took off what is owed, in all: those of other credits cancel out. */
function prepaymentsApplied(moves: readonly StatementMove[]): StatementMove[] {
  const allocations = moves.filter(({ kind }) => kind === "allocation");
  return [...Map.groupBy(allocations, ({ date }) => date).values()].flatMap((ofDay) => {
    const amount = sum(ofDay.map((each) => each.amount));
    const [first] = ofDay;
    return first === undefined || amount === 0
      ? []
      : [{ ...first, amount, number: null, reference: null }];
  });
}

function nameOf({ kind, type, amount }: StatementMove): string {
  if (kind === "document") return kindNames[type] ?? type;
  if (kind === "allocation") return "Prepayment applied";
  return amount < 0 ? "Payment" : "Refund";
}

/** What is open by how long it is overdue, credits apart. */
function ageing(currency: string, items: readonly OpenItem[], date: DateText): Row {
  const request = { bounds: [30, 60, 90], date, isByDueDate: true };
  const entries = items.map(
    ({ document, open }): AgedEntry => ({
      contactId: "",
      contact: "",
      from: document.dueDate ?? document.documentDate,
      amount: open,
    }),
  );
  const amounts = agedAmounts(entries, request);
  return section(
    `Ageing in ${currency} at ${mediumDate(date)}`,
    bucketNames(request).map((label, at) =>
      textRow(label === "Total" ? "SummaryRow" : "Row", [
        label,
        "",
        "",
        "",
        "",
        "",
        amountText(amounts[at] ?? zeroCents),
      ]),
    ),
  );
}
