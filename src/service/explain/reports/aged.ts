/** Figures of what contacts owe and are owed, and of statements of account. */
import { earlierDate, endOfMonth, mediumDate } from "../../../ledger/dates/calendar.ts";
import { type Exchange, toBase } from "../../../ledger/money.ts";
import { bucketAt } from "../../../ledger/reports/contacts/aged-contacts.ts";
import { openItems, type StatementMove } from "../../../ledger/reports/contacts/statement.ts";
import { compareText } from "../../../ledger/reports/rows.ts";
import { type Rate, writeDecimal } from "../../../resources/decimal.ts";
import { type AgedRow, agedDocuments } from "../../../store/queries/contacts/aged.ts";
import { settlementsOf } from "../../../store/queries/explained.ts";
import { agedAt, boundsOf, contactAsked } from "../../reports/contacts/aged.ts";
import { readStatement } from "../../reports/contacts/statement.ts";
import { dateOf, type Reading, yearOf } from "../../reports/frame.ts";
import { attributeOf, type FigureRow } from "../figures.ts";
import { documentAttributes, minus, type Part, parts, plus, sum } from "../origin.ts";
import { type Explainer, movedOn } from "./explainer.ts";

const money = (amount: number) => writeDecimal(amount, 2);
const rateText = (rate: Rate) => writeDecimal(rate, 6);

// --- of all contacts ------------------------------------------------------------------------------

type Entry = Awaited<ReturnType<typeof agedAt>>["entries"][number];

/** An open document as part of what is owed. */
export function openPart({ document, amount, contact, rate }: Entry): Part {
  return {
    label: contact,
    date: document.date,
    number: document.number ?? document.type,
    ...(rate === undefined
      ? {}
      : { working: `${document.currency} ${money(document.open)} / ${rateText(rate)}` }),
    amount,
    attributes: documentAttributes(document.id, document.kind),
  };
}

const agedOfAll = (control: "DEBTORS" | "CREDITORS"): Explainer => ({
  usual: "last",
  async origins(reading, figures) {
    const { call, today } = reading;
    const date = dateOf(call, "date") ?? today;
    const isByDueDate = call.query.choice("by", ["due", "invoice"]) !== "invoice";
    const ageing = { date, isByDueDate, bounds: boundsOf(call) };
    const { entries, account } = await agedAt(reading, control, date, isByDueDate);
    const credits = figures.headings.length - 2;
    const placeOf = ({ amount, from }: Entry) =>
      amount < 0 ? credits : 1 + bucketAt(from, ageing);
    const last = figures.headings.length - 1;
    const byContact = Map.groupBy(entries, ({ contactId }) => contactId);
    return ({ row, column }) => {
      const contactId = attributeOf(row, "contactID");
      if (contactId !== undefined) {
        return sum(
          "Open",
          parts(() =>
            (byContact.get(contactId) ?? [])
              .filter((each) => column === last || placeOf(each) === column)
              .map(openPart),
          ),
        );
      }
      if (row.label === "Difference") {
        return sum(
          "Difference",
          plus(figures.at("Total", column)),
          minus(figures.at(account.Name, column, "")),
        );
      }
      if (row.label === account.Name && row.sectionAt === figures.rows.at(-1)?.sectionAt) {
        const days = { since: yearOf(reading, date).from, to: date };
        return sum("Balance", movedOn(reading, [account], days, control === "DEBTORS" ? 1 : -1));
      }
      return sum("SectionTotal", plus(...figures.linesOf(row, column)));
    };
  },
});

export const agedReceivables = agedOfAll("DEBTORS");
export const agedPayables = agedOfAll("CREDITORS");

// --- of one contact ---------------------------------------------------------------------------------

const agedOfOne = (type: "ACCREC" | "ACCPAY"): Explainer => ({
  usual: "last",
  async origins(reading, figures) {
    const { call, tx, today, chart } = reading;
    const exchange = ({ currency_rate }: AgedRow) => chart.exchange(currency_rate);
    const party = await contactAsked(tx, call.query.get("contactID"));
    const date = dateOf(call, "date") ?? endOfMonth(today);
    const from = dateOf(call, "fromDate");
    const to = dateOf(call, "toDate") ?? date;
    const rows = await agedDocuments(tx, { contactId: party.ContactID, type, to, date });
    const before = rows.filter((row) => from !== undefined && row.date < from);
    const documentOf = (row: FigureRow) => {
      const id = attributeOf(row, "invoiceID");
      return rows.find((each) => each.id === id);
    };
    return ({ row, column }) => {
      const document = documentOf(row);
      const [total, paid, credited] = [4, 5, 6].map((each) => ({ row, column: each }));
      if (document !== undefined) {
        switch (column) {
          case 4:
            return sum(
              "BaseTotal",
              parts(() => [totalPart(document, exchange(document))]),
            );
          case 5:
          case 6: {
            const kind = column === 5 ? "payment" : "allocation";
            return sum(
              column === 5 ? "Paid" : "Credited",
              parts(() => settledParts(reading, document.id, date, kind)),
            );
          }
          case 7:
            return sum(
              "Due",
              plus(total),
              parts(() => withheldParts(document, exchange(document))),
              minus(paid, credited),
            );
          default:
            return undefined;
        }
      }
      const opening = figures.rows.find((each) => each.cells[1]?.Value === "Opening Balance");
      if (row === opening) {
        return sum(
          "Open",
          parts(async () => {
            const found: Part[] = [];
            for (const each of before) {
              const own = rest(each, exchange(each));
              if (own !== 0) found.push({ ...named(each), amount: own });
            }
            return found;
          }),
        );
      }
      const totalRow = figures.rows.find((each) => each.isTotal && each.label === "Total");
      if (row.label === "Closing Balance") {
        return sum(
          "ClosingBalance",
          plus(
            column === 7 && opening !== undefined ? { row: opening, column } : undefined,
            totalRow && { row: totalRow, column },
          ),
        );
      }
      return sum("SectionTotal", plus(...figures.linesOf(row, column)));
    };
  },
});

export const agedReceivablesByContact = agedOfOne("ACCREC");
export const agedPayablesByContact = agedOfOne("ACCPAY");

const named = ({ id, number, reference, date }: AgedRow) => ({
  label: "Document",
  date,
  number: number ?? reference ?? undefined,
  attributes: documentAttributes(id, "Invoice"),
});

const rest = ({ total, withheld, paid, credited }: AgedRow, exchange: Exchange): number =>
  toBase(total, exchange) - toBase(withheld, exchange) - paid - credited;

function totalPart(document: AgedRow, exchange: Exchange): Part {
  const { total, currency_rate: rate } = document;
  return {
    ...named(document),
    label: "Total of the document",
    ...(rate === 1_000_000 ? {} : { working: `${money(total)} / ${rateText(rate)}` }),
    amount: toBase(total, exchange),
  };
}

function withheldParts(document: AgedRow, exchange: Exchange): Part[] {
  const amount = toBase(document.withheld, exchange);
  if (amount === 0) return [];
  return [{ ...named(document), label: "Withheld, construction scheme", amount: -amount }];
}

/** What took something off a document, in the base currency. */
async function settledParts(
  { tx }: Pick<Reading, "tx">,
  documentId: string,
  to: string,
  kind: "payment" | "allocation",
): Promise<Part[]> {
  const found = await settlementsOf(tx, documentId, to);
  return found
    .filter((each) => each.kind === kind)
    .map((each) => ({
      label: kind === "payment" ? "Payment" : "Allocated credit",
      date: each.date,
      number: each.other ?? each.reference ?? undefined,
      ...(each.base === each.amount ? {} : { working: `${money(each.amount)} in its currency` }),
      amount: each.base,
      attributes: [{ Value: each.id, Id: kind === "payment" ? "paymentID" : "allocationID" }],
    }));
}

// --- statements ----------------------------------------------------------------------------------

const kindNames: Readonly<Record<string, string>> = {
  ACCREC: "Invoice",
  ACCRECCREDIT: "Credit note",
  "RECEIVE-OVERPAYMENT": "Overpayment",
};

function movePart(move: StatementMove): Part {
  const { kind, date, amount, type, number, paymentReference, documentId } = move;
  const label =
    kind === "document"
      ? (kindNames[type] ?? type)
      : kind === "payment"
        ? `${amount < 0 ? "Payment" : "Refund"}${paymentReference === null ? "" : `, ${paymentReference}`}`
        : "Allocated credit";
  return {
    label,
    date,
    number: number ?? undefined,
    amount,
    attributes: documentAttributes(documentId, null),
  };
}

export const statement: Explainer = {
  usual: "last",
  async origins(reading, figures) {
    const { from, to, today, moves } = await readStatement(
      reading,
      reading.call.query.get("contactID"),
    );
    const byCurrency = Map.groupBy(moves, ({ currency }) => currency);
    const movesOf = (currency: string) => byCurrency.get(currency) ?? [];
    return ({ row, column }) => {
      const ageing = /^Ageing in (\w+) at /.exec(row.section)?.[1];
      if (ageing !== undefined) {
        if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
        return sum(
          "Open",
          parts(() =>
            bucketParts(
              movesOf(ageing),
              row,
              figures,
              from === undefined ? to : earlierDate(to, today),
            ),
          ),
        );
      }
      const own = movesOf(row.section);
      if (from === undefined) {
        if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
        const item = openItems(own)[figures.positionOf(row)];
        if (item === undefined) return undefined;
        const ofDocument = own.filter(({ documentId }) => documentId === item.document.documentId);
        const of = (isDocument: boolean, sign: 1 | -1) =>
          parts(() =>
            ofDocument
              .filter(({ kind }) => (kind === "document") === isDocument)
              .map(movePart)
              .map((part) => ({ ...part, amount: sign * part.amount })),
          );
        if (column === 4) return sum("DocumentTotal", of(true, 1));
        if (column === 5) return sum("Settled", of(false, -1));
        return sum("Due", plus({ row, column: 4 }), minus({ row, column: 5 }));
      }
      const before = own.filter(({ date }) => date < from);
      const label = row.cells[1]?.Value ?? "";
      const lines = figures.linesOf(row, column);
      if (label === "Opening balance")
        return sum(
          "Open",
          parts(() => before.map(movePart)),
        );
      const [opening, ...activity] = lines;
      if (label === "Closing balance") {
        const amounts = activity.map((place) => ({ ...place, column: 5 }));
        return sum("ClosingBalance", plus(opening, ...amounts));
      }
      const previous = lines[figures.positionOf(row) - 1];
      if (column === 6) return sum("RunningBalance", plus(previous, { row, column: 5 }));
      return sum(
        "StatementMove",
        parts(() => activityParts(own, from, row, figures)),
      );
    };
  },
};

/** The open documents of one row of the ageing; credits stand apart, after the buckets. */
function bucketParts(
  moves: readonly StatementMove[],
  row: FigureRow,
  figures: Parameters<Explainer["origins"]>[1],
  to: string,
): Part[] {
  const position = figures.positionOf(row);
  const request = { bounds: [30, 60, 90], date: to, isByDueDate: true };
  return openItems(moves).flatMap(({ document, open }): Part[] => {
    const place = open < 0 ? 5 : bucketAt(document.dueDate ?? document.documentDate, request);
    if (place !== position) return [];
    return [
      { ...movePart({ ...document, kind: "document" }), date: document.documentDate, amount: open },
    ];
  });
}

/** What one row of an activity statement shows: a document, a payment, or prepayments applied. */
function activityParts(
  moves: readonly StatementMove[],
  from: string,
  row: FigureRow,
  figures: Parameters<Explainer["origins"]>[1],
): Part[] {
  const within = moves.filter(({ date }) => date >= from);
  if (row.cells[1]?.Value === "Prepayment applied") {
    const day = row.cells[0]?.Value ?? "";
    return within
      .filter(({ kind, date }) => kind === "allocation" && mediumDate(date) === day)
      .map(movePart);
  }
  // Rows are in the order of days, prepayments of a day after what else it has.
  const before = figures
    .linesOf(row, 0)
    .filter(
      (each) =>
        each.row.line < row.line &&
        each.row.cells[1]?.Value !== "Prepayment applied" &&
        each.row.cells[1]?.Value !== "Opening balance",
    ).length;
  const shown = within
    .filter(({ kind }) => kind !== "allocation")
    .toSorted((a, b) => compareText(a.date, b.date));
  const move = shown[before];
  return move === undefined ? [] : [movePart(move)];
}
