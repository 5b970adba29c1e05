/** Statement of account of a customer: open documents, or activity over a range of days. */
import { compareText } from "../../../wire/fold.ts";
import {
  type DateRange,
  type DateText,
  earlierDate,
  longDate,
  mediumDate,
} from "../../dates/calendar.ts";
import { documentAttributes, type SumPart } from "../../figures/counted.ts";
import {
  counted,
  type Figure,
  figureValue,
  listedFigure,
  type Name,
  sum,
} from "../../figures/expression.ts";
import { type Cents, sum as sumOf } from "../../money.ts";
import {
  type ColumnHeading,
  headerRow,
  negated,
  type ReportBody,
  type ReportRow,
  sectionRow,
  textRow,
} from "../report-rows.ts";
import { agedFigures, bucketNames } from "./aged-contacts.ts";

/** A movement of a customer's balance, in the currency of its document. */
export interface StatementMove {
  readonly kind: "document" | "payment" | "allocation";
  readonly date: DateText;
  /** Amount, positive when the customer owes more. */
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
  /** Today: open amounts age up to this day at most. */
  readonly today: DateText;
  /** Name of the organisation. */
  readonly organisation: string;
  /** Name of the customer. */
  readonly contact: string;
  /** The first day of the activity; undefined for a statement of open documents at `to`. */
  readonly from?: DateText | undefined;
  readonly to: DateText;
  /** Formats days; as `31 Mar 2026` where not given. */
  readonly day?: (date: DateText) => string;
  /** Movements up to `to`, by day. */
  readonly moves: readonly StatementMove[];
}

/** A document with an open amount, and all its movements. */
export interface OpenItem {
  readonly document: StatementMove;
  readonly moves: readonly StatementMove[];
  readonly open: Cents;
}

const kindNames: Readonly<Record<string, string>> = {
  ACCREC: "Invoice",
  ACCRECCREDIT: "Credit note",
  "RECEIVE-OVERPAYMENT": "Overpayment",
};

/**
 * The documents with an open amount, the oldest first; credits and early payments are negative.
 */
export function openItems(moves: readonly StatementMove[]): OpenItem[] {
  return [...Map.groupBy(moves, ({ documentId }) => documentId).values()].flatMap((own) => {
    const [document] = own;
    const open = sumOf(own.map(({ amount }) => amount));
    return document === undefined || open === 0 ? [] : [{ document, moves: own, open }];
  });
}

/** The statement, a section for each currency in alphabetical order. */
export function statementReport(request: StatementRequest): ReportBody {
  const { organisation, contact, from, to, moves } = request;
  const agedAt = earlierDate(to, request.today);
  const { day = mediumDate } = request;
  const currencies = [...Map.groupBy(moves, ({ currency }) => currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const parts = currencies.flatMap(([currency, own]) =>
    from === undefined
      ? outstanding(currency, own, agedAt, day)
      : activityRows(currency, own, { from, to }, agedAt, day),
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
          ? ["Date", number, reference, "Due", billed, ["paid", "Paid"], balance]
          : ["Date", "Activity", number, reference, "Due", billed, balance],
      ),
      ...parts,
    ],
  };
}

const number: ColumnHeading = ["number", "Number"];
const reference: ColumnHeading = ["reference", "Reference"];
const billed: ColumnHeading = ["amount", "Amount"];
const balance: ColumnHeading = ["balance", "Balance"];

/** The document, payment or credit as a part of a figure. */
function partOf(move: StatementMove): SumPart {
  const { kind, date, amount, type, number, paymentReference, documentId } = move;
  const label =
    kind === "document"
      ? (kindNames[type] ?? type)
      : kind === "payment"
        ? [
            amount < 0 ? "Payment" : "Refund",
            ...(paymentReference === null ? [] : [paymentReference]),
          ].join(", ")
        : "Allocated credit";
  const attributes = documentAttributes(documentId, null);
  return { label, date, number: number ?? undefined, amount, attributes };
}

const movesFigure = (name: Name, events: readonly StatementMove[], sign: 1 | -1 = 1): Figure => {
  const amount = sumOf(events.map((move) => move.amount));
  const parts = () => events.map(partOf).map((part) => ({ ...part, amount: sign * part.amount }));
  return listedFigure(name, sign === 1 ? amount : negated(amount), parts);
};

type DayText = NonNullable<StatementRequest["day"]>;

function outstanding(
  currency: string,
  moves: readonly StatementMove[],
  to: DateText,
  day: DayText,
): ReportRow[] {
  const items = openItems(moves).map((item) => {
    const { documentId: id } = item.document;
    const [own, others] = [true, false].map((isDocument) =>
      item.moves.filter(({ kind }) => (kind === "document") === isDocument),
    ) as [StatementMove[], StatementMove[]];
    const amount = movesFigure([`${id}.amount`, "Amount", "DocumentTotal"], own);
    const settled = movesFigure([`${id}.paid`, "Paid", "Settled"], others, -1);
    return { item, figures: [amount, settled, sum([id, "Balance", "Due"], [amount], [settled])] };
  });
  if (items.length === 0) return [];
  const amountDue = sum(
    [`${currency}.due`, "Due", "SectionTotal"],
    items.map(({ figures }) => figures[2] as Figure),
  );
  return [
    sectionRow(currency, [
      ...items.map(({ item: { document }, figures }) => {
        const { number, reference, documentDate, dueDate } = document;
        const cellTexts = [
          day(documentDate),
          number ?? "",
          reference ?? "",
          dueDate === null ? "" : day(dueDate),
        ];
        return textRow("Row", [...cellTexts, ...figures]);
      }),
      lastCell("SummaryRow", [amountDue.label, ""], amountDue),
    ]),
    ageingRow(
      currency,
      items.map(({ item }) => item),
      to,
    ),
  ];
}

/** A row with only a figure, in the last column. */
const lastCell = (
  type: "Row" | "SummaryRow",
  [label = "", activity = ""]: readonly string[],
  figure: Figure,
) => textRow(type, [label, activity, "", "", "", "", figure], undefined, figure.id);

function activityRows(
  currency: string,
  statementMoves: readonly StatementMove[],
  { from, to }: DateRange,
  agedAt: DateText,
  day: DayText,
): ReportRow[] {
  const inPeriod = statementMoves.filter(({ date }) => date >= from);
  const shown = inPeriod.filter(({ kind }) => kind !== "allocation").map((move) => [move] as const);
  const opening = movesFigure(
    [`${currency}.opening`, "Opening balance", "Open"],
    statementMoves.filter(({ date }) => date < from),
  );
  const amounts: Figure[] = [];
  let balance = opening;
  // A prepayment is on an account of its own until it is allocated.
  const rows = [...shown, ...prepaymentsApplied(inPeriod)]
    .toSorted(([a], [b]) => compareText(a.date, b.date))
    .map((moveGroup) => {
      const [move] = moveGroup;
      const isApplied = move.kind === "allocation";
      const id = `${currency}.${amounts.length}`;
      const amount = movesFigure([`${id}.amount`, "Amount", "StatementMove"], moveGroup);
      const balanceBefore = balance;
      const value = (figureValue(balanceBefore) ?? 0) + (figureValue(amount) ?? 0);
      balance = counted([id, "Balance", "RunningBalance"], value, {
        ...{ of: "figures", figures: () => [balanceBefore, amount] },
      });
      amounts.push(amount);
      return textRow("Row", [
        day(move.date),
        nameOf(move),
        isApplied ? "" : (move.number ?? ""),
        isApplied ? "" : ((move.kind === "payment" ? move.paymentReference : move.reference) ?? ""),
        move.kind === "document" && move.dueDate !== null ? day(move.dueDate) : "",
        ...[amount, balance],
      ]);
    });
  if (rows.length === 0 && figureValue(opening) === 0) return [];
  const closing = sum(
    [`${currency}.closing`, "Closing balance", "ClosingBalance"],
    [opening, ...amounts],
  );
  return [
    sectionRow(currency, [
      lastCell("Row", [day(from), opening.label], opening),
      ...rows,
      lastCell("SummaryRow", [day(to), closing.label], closing),
    ]),
    ageingRow(currency, openItems(statementMoves), agedAt),
  ];
}

/**
 * Allocations by day that reduced the total owed: only those of prepayments, since others cancel
 * out.
 */
function prepaymentsApplied(statementMoves: readonly StatementMove[]) {
  const allocations = statementMoves.filter(({ kind }) => kind === "allocation");
  return [...Map.groupBy(allocations, ({ date }) => date).values()].flatMap((ofDay) => {
    const [first, ...others] = ofDay;
    const isZero = sumOf(ofDay.map(({ amount }) => amount)) === 0;
    return first === undefined || isZero ? [] : [[first, ...others] as const];
  });
}

function nameOf({ kind, type, amount }: StatementMove): string {
  if (kind === "document") return kindNames[type] ?? type;
  if (kind === "allocation") return "Prepayment applied";
  return amount < 0 ? "Payment" : "Refund";
}

/** The id of the ageing section of a statement. */
export const ageingId = "ageing";

/** The open amounts by days overdue, with credits separate. */
function ageingRow(currency: string, items: readonly OpenItem[], date: DateText): ReportRow {
  const request = { bounds: [30, 60, 90], date, isByDueDate: true };
  const entries = items.map(({ document, open }) => ({
    from: document.dueDate ?? document.documentDate,
    amount: open,
    part: { ...partOf({ ...document, kind: "document" }), date: document.documentDate },
  }));
  const labels = bucketNames(request);
  const aged = agedFigures([`${currency}.aged`, "", "Open"], entries, request).slice(0, -1);
  const total = sum([`${currency}.aged-total`, labels.at(-1) ?? "", "SectionTotal"], aged);
  return {
    ...sectionRow(`Ageing in ${currency} at ${mediumDate(date)}`, [
      ...aged.map((figure, at) => textRow("Row", [labels[at] ?? "", "", "", "", "", "", figure])),
      lastCell("SummaryRow", [total.label], total),
    ]),
    id: ageingId,
  };
}
