/** Origins of report figures that are given by expressions. */
import { type DateRange, mediumDate, monthOf, monthYear } from "../../ledger/dates/calendar.ts";
import type { CountedSource } from "../../ledger/figures/counted.ts";
import type {
  Figure,
  Operand as Figured,
  Ledger,
  Measure,
} from "../../ledger/figures/expression.ts";
import { sumToBase, toBase } from "../../ledger/money.ts";
import { negated } from "../../ledger/reports/report-rows.ts";
import { amountText } from "../../resources/common.ts";
import { rateFrom, writeDecimal } from "../../resources/decimal.ts";
import { budgetBalances } from "../../store/ledger/budgets.ts";
import { balanceParts } from "../../store/queries/bank-balances.ts";
import {
  cashFlowPostings,
  invoicesIssuedIn,
  openingPostings,
  quantityLines,
  settlementsOf,
  soldFromStock,
  taxAccountPostings,
  tradedPostings,
} from "../../store/queries/explained.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { openingBalance } from "../bank/begun.ts";
import { type ReportContext, yearOf } from "../reports/report-context.ts";
import { depreciationParts } from "./depreciation-workings.ts";
import type { Origins } from "./evaluate.ts";
import {
  type DetailLevel,
  documentAttributes,
  type FigureOrigin,
  type FigureSource,
  type LedgerSlice,
  ledger,
  minus,
  parts,
  plus,
  type QuotientOperand,
  quotientOf,
  type Sign,
  type SumPart,
  signedParts,
} from "./origin.ts";
import { gainParts, monthParts, postingParts } from "./posting-parts.ts";
import type { CellRef, Figures } from "./report-figures.ts";

/**
 * Returns the origins of cells. An operand with a row in the report refers to that row; others are
 * replaced by their own operands.
 */
export function originsOf(context: ReportContext, { rows }: Figures): Origins {
  const cellOfFigure = new Map<Figure, CellRef>();
  for (const row of rows) {
    for (const [column, { figure }] of row.cells.entries()) {
      if (figure !== undefined) cellOfFigure.set(figure, { row, column });
    }
  }
  const sourcesOf = (figure: Figure, sign: Sign): FigureSource[] => {
    const cell = cellOfFigure.get(figure);
    if (cell === undefined) return figureIn(figure, sign);
    return [sign === 1 ? plus(cell) : minus(cell)];
  };
  const figureIn = (figure: Figure, sign: Sign): FigureSource[] => {
    switch (figure.is) {
      case "ledger":
        return [ledger((sign * figure.sign) as Sign, ...slicesOf(context, figure))];
      case "sum":
        return figure.terms.flatMap(([own, each]) => sourcesOf(each, (own * sign) as Sign));
      case "counted": {
        const counted = figure.parts;
        if (counted.of === "figures") {
          return counted.figures().flatMap((figure) => sourcesOf(figure, sign));
        }
        return [
          parts(async (detail) => signedParts(sign, await partsOfCount(context, counted, detail))),
        ];
      }
      case "quotient":
        throw new Error(`${figure.id} is a part of a figure that the report does not show.`);
    }
  };
  const operand = ({ figure, label, times, unsigned }: Figured): QuotientOperand => ({
    ...{ label: label ?? figure.label, times, unsigned, unit: figure.unit },
    sources: sourcesOf(figure, 1),
  });
  return ({ row, column }): FigureOrigin | undefined => {
    const figure = row.cells[column]?.figure;
    if (figure === undefined) return undefined;
    const { rule, unit } = figure;
    if (figure.is !== "quotient") return { rule, unit, sources: figureIn(figure, 1) };
    return quotientOf(rule, {
      ...{ dividend: operand(figure.of), divisor: operand(figure.by), scale: figure.scale },
      ...(unit === "percent" ? { digits: 1, suffix: "%" } : { digits: 2, suffix: "" }),
    });
  };
}

/** Returns the slices of postings behind a ledger figure. */
function slicesOf(context: ReportContext, { accounts, measure, period }: Ledger): LedgerSlice[] {
  const { from, to, basis, carries } = period;
  const isBalance = measure === "held" || measure === "foreign";
  // A year that begins after the day has no movements, only a balance.
  if (!isBalance && from > to) return [];
  const since = from > to ? to : yearOf(context, to).from;
  const days = isBalance ? { since, to } : { from, to };
  return accounts.flatMap(({ AccountID }) => {
    const account = context.chart.account(AccountID);
    return account === undefined ? [] : { account, basis, carries, ...days, ...posted[measure] };
  });
}

const posted = {
  moved: {},
  held: {},
  foreign: { measure: "foreign" },
  debit: { measure: "debit" },
  credit: { measure: "credit" },
  earned: { measure: "debit", transfers: false },
  paid: { measure: "credit", transfers: false },
} as const satisfies Record<Measure, Partial<LedgerSlice>>;

async function partsOfCount(
  context: ReportContext,
  what: CountedSource,
  detail: DetailLevel,
): Promise<readonly SumPart[]> {
  const { tx, chart, organisation } = context;
  const flows = (days: DateRange) => ({
    ...{ from: days.from, to: days.to, organisation: organisation.OrganisationID },
    banks: chart.accounts.filter(({ Type }) => Type === "BANK").map((account) => account.AccountID),
  });
  switch (what.of) {
    case "invoices":
      return monthParts(
        (await invoicesIssuedIn(tx, what.days)).map((each) => ({ ...issuedPart(each), amount: 1 })),
        detail,
      );
    case "invoice income":
      return incomeParts(context, what.days, detail);
    case "opening balances": {
      const query = flows(what.days);
      return query.banks.length === 0 ? [] : postingParts(context, openingPostings(query), detail);
    }
    case "cash flow": {
      const postings = cashFlowPostings(tx, flows(what.days), what.account);
      return signedParts(-1, await postingParts(context, postings, detail));
    }
    case "budget":
      return budgetParts(tx, what.accounts, what.days);
    case "gains": {
      const accounts = what.accounts.flatMap(({ AccountID }) => chart.account(AccountID) ?? []);
      const gains = accounts.map((account) => gainParts(context, { account, ...what.days }));
      return (await Promise.all(gains)).flat();
    }
    case "traded":
      return tradedParts(context, what, detail);
    case "payment":
    case "allocation":
      return loadSettledParts(tx, what.of, what.document, what.days.to);
    case "depreciation":
      return depreciationParts(context, what.asset, what.days);
    case "bank balance":
      return bankParts(context, what.account, what.days.to, detail);
    case "tax account": {
      const { query } = what;
      if (query.accounts.length === 0) return [];
      const postings = taxAccountPostings(query, what.what);
      return signedParts(-1, await postingParts(context, postings, detail));
    }
    case "parts":
      return what.parts();
    case "documents":
      return monthParts(await what.parts(), detail);
  }
}

/** Returns the monthly amounts of the overall budget for accounts. */
async function budgetParts(
  tx: Tx,
  accounts: readonly { readonly AccountID: string }[],
  { from, to }: DateRange,
): Promise<SumPart[]> {
  const balances = await budgetBalances(tx, { from: monthOf(from), to: monthOf(to) });
  return accounts.flatMap(({ AccountID }) =>
    balances
      .filter(({ accountId }) => accountId === AccountID)
      .map(({ month, amount }) => ({
        label: `Budget of ${monthYear(`${month}-01`)}`,
        date: `${month}-01`,
        amount,
        attributes: [{ Value: AccountID, Id: "account" }],
      })),
  );
}

type IssuedDocument = Awaited<ReturnType<typeof invoicesIssuedIn>>[number];

const issuedPart = ({ date, number, contact, documentId, documentKind }: IssuedDocument) => ({
  label: contact ?? "Invoice",
  date,
  number: number ?? undefined,
  attributes: documentAttributes(documentId, documentKind),
});

/** Returns net invoice amounts; each tax rate is applied to the sum of its invoices. */
async function incomeParts(
  { tx, chart }: ReportContext,
  days: DateRange,
  detail: DetailLevel,
): Promise<SumPart[]> {
  const parts: SumPart[] = [];
  for (const [text, own] of Map.groupBy(await invoicesIssuedIn(tx, days), ({ rate }) => rate)) {
    const rate = rateFrom(text);
    const exchange = chart.exchange(rate);
    const shownParts = own.map((each) => ({
      ...issuedPart(each),
      ...(rate === 1_000_000
        ? {}
        : {
            working: `${each.currency} ${amountText(each.subTotal, each.currency)} / ${writeDecimal(rate, 6)}`,
          }),
      amount: toBase(each.subTotal, exchange),
    }));
    const subTotals = own.reduce((total, { subTotal }) => total + BigInt(subTotal), 0n);
    const rest = shownParts.reduce(
      (amountLeft, { amount }) => amountLeft - amount,
      sumToBase(subTotals, exchange) as number,
    );
    parts.push(...monthParts(shownParts, detail));
    if (rest !== 0) parts.push({ label: "Rounding of the sum at one rate", amount: rest });
  }
  return parts;
}

/** Returns the last statement balance, and the lines between its day and the report's day. */
async function bankParts(
  context: ReportContext,
  id: string,
  date: string,
  detail: DetailLevel,
): Promise<readonly SumPart[]> {
  const account = context.chart.account(id);
  const sums = await balanceParts(context.tx, id, date, async () =>
    account === undefined ? undefined : openingBalance(context, account),
  );
  const { day, balance, moved, statement } = sums;
  const parts: SumPart[] = [
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
    ...monthParts(
      moved.map(({ id, date: on, payee, description, amount }) => ({
        label: payee ?? description ?? "Line of the statement",
        date: on,
        amount: day > date ? negated(amount) : amount,
        attributes: [{ Value: id, Id: "bankStatementLineID" }],
      })),
      detail,
      "line",
    ),
  ];
  return parts.filter(({ amount }) => amount !== 0);
}

/** Returns payments and credits of a document in the base currency. */
async function loadSettledParts(
  tx: Tx,
  kind: "payment" | "allocation",
  documentId: string,
  to: string,
): Promise<SumPart[]> {
  const settlements = await settlementsOf(tx, documentId, to);
  return settlements
    .filter((settlement) => settlement.kind === kind)
    .map((each) => ({
      label: kind === "payment" ? "Payment" : "Allocated credit",
      date: each.date,
      number: each.other ?? each.reference ?? undefined,
      ...(each.base === each.amount
        ? {}
        : {
            working: `${each.currency} ${amountText(each.amount, each.currency)} in its currency`,
          }),
      amount: each.base,
      attributes: [{ Value: each.id, Id: kind === "payment" ? "paymentID" : "allocationID" }],
    }));
}

/** Returns document lines that traded an item, and its stock movements. */
async function tradedParts(
  context: ReportContext,
  { what, key, query }: Extract<CountedSource, { readonly of: "traded" }>,
  detail: DetailLevel,
): Promise<readonly SumPart[]> {
  const { tx } = context;
  if (what === "quantity" || what === "cost") {
    const stockMoves =
      what === "quantity"
        ? (await quantityLines(tx, query, key)).map((each) => ({ ...each, amount: each.quantity }))
        : (await soldFromStock(tx, query, key)).map((move) => ({ ...move, amount: -move.cost }));
    return monthParts(
      stockMoves.map(({ contact, type, date, number, documentId, documentKind, amount }) => ({
        ...{ label: contact ?? type, date, number: number ?? undefined, amount },
        attributes: documentAttributes(documentId, documentKind),
      })),
      detail,
    );
  }
  const set = tradedPostings(query, key, what);
  return signedParts(query.sign, await postingParts(context, set, detail));
}
