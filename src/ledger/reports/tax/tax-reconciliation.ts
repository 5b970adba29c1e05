/**
 * Tax reconciliation: from the tax of documents, return by return, to the balance of the tax
 * account.
 *
 * Amounts are positive when they are owed to the tax office.
 */
import type { RuleName } from "../../../resources/figure-rules.ts";
import { type DateRange, type DateText, mediumDate } from "../../dates/calendar.ts";
import type { CountedSource, SumPart, TaxAccountQuery } from "../../figures/counted.ts";
import {
  counted,
  type Figure,
  figureValue,
  ledger,
  listedFigure,
  type Name,
  type Period,
  single,
  sum,
} from "../../figures/expression.ts";
import { add, type Cents, sum as sumOf } from "../../money.ts";
import {
  type AccountInfo,
  headerRow,
  negated,
  type ReportBody,
  sectionRow,
  textRow,
} from "../report-rows.ts";
import type { Cause } from "./returns/causes.ts";

export interface Tax {
  /** Tax on sales. */
  readonly collected: Cents;
  /** Tax on purchases and imports, positive when reclaimed. */
  readonly paid: Cents;
}

/** The tax of a tax type on an account, on one side of a return. */
export interface TypedTax {
  readonly side: keyof Tax;
  readonly name: string;
  readonly accountId: string;
  readonly account: Pick<AccountInfo, "Name" | "Code"> | undefined;
  readonly amount: Cents;
  /** Number of its documents. */
  readonly documents: number;
}

/** The posted tax of the documents of a return. */
export interface PostedTax {
  readonly inTime: readonly TypedTax[];
  /** Tax dated within earlier returns, and posted after they were published. */
  readonly late: readonly TypedTax[];
}

export interface FiledTax extends DateRange, PostedTax {
  /** Tax as published in the return. */
  readonly filed: Tax;
  /** Causes of the difference between filed and posted tax. */
  readonly causes: readonly Cause[];
}

export interface TaxReconciliationRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  readonly isCash: boolean;
  /** Published returns that end up to `to`, in order. */
  readonly returns: readonly FiledTax[];
  /** Posted tax that is in no return yet. */
  readonly unfiled: PostedTax;
  /** Tax posted before the first return, tax of documents in the opening balances, and all tax. */
  readonly before: readonly TypedTax[];
  readonly opening: readonly TypedTax[];
  readonly allTaxes: readonly TypedTax[];
  /**
   * Postings on the tax accounts by kind: opening balances; money spent and received (payments to
   * the tax office, and refunds); lines of other documents and of journals; tax of documents.
   */
  readonly posted: Readonly<Record<TaxAccountPosting, Cents>>;
  readonly query: TaxAccountQuery;
  readonly accounts: readonly AccountInfo[];
  /** The accrual period up to `to`, with the balances of the tax accounts. */
  readonly accrual: Period;
  readonly cash: Period;
}

type TaxAccountPosting = Extract<CountedSource, { readonly of: "tax account" }>["what"];

const sides = ["collected", "paid"] as const;
const netOf = ({ collected, paid }: Tax): Cents => add(collected, negated(paid));

/** Sums tax on sales and tax on purchases, each positive in the usual direction. */
export function taxOf(lines: readonly TypedTax[]): Tax {
  const [collected, paid] = sides.map((taxSide) =>
    sumOf(lines.filter((typedTax) => typedTax.side === taxSide).map(({ amount }) => amount)),
  ) as [Cents, Cents];
  return { collected, paid };
}

const postedTax = ({ inTime, late }: PostedTax) => taxOf([...inTime, ...late]);

/** A figure of tax by type and account, for one side or net of both. */
function taxFigure(name: Name, lines: readonly TypedTax[], taxSide?: keyof Tax): Figure {
  const ownLines = lines
    .filter((typedTax) => taxSide === undefined || typedTax.side === taxSide)
    .map((line) => ({
      ...line,
      amount: taxSide === undefined && line.side === "paid" ? negated(line.amount) : line.amount,
    }));
  const linesByGroup = Map.groupBy(ownLines, (line) => `${line.name} ${line.accountId}`);
  const partOf = (group: typeof ownLines): SumPart => ({
    label: `${group[0]?.name}, ${group[0]?.account?.Name ?? ""}`,
    number: group[0]?.account?.Code,
    amount: sumOf(group.map(({ amount }) => amount)),
    attributes: [{ Value: group[0]?.accountId ?? "", Id: "account" }],
  });
  const value = sumOf(ownLines.map(({ amount }) => amount));
  return listedFigure(name, value, () => [...linesByGroup.values()].map(partOf));
}

// --- returns -------------------------------------------------------------------------------------

type Sided = readonly [collected: Figure, paid: Figure];

function taxRow(type: "Row" | "SummaryRow", [collected, paid]: Sided, id?: string) {
  const { label } = collected;
  const net = sum([`${collected.id}.net`, label, "NetTax"], [collected], [paid]);
  return { net, row: textRow(type, [label, collected, paid, net], undefined, id) };
}

/** The rows of a return, or of unfiled tax, and its net. */
function taxReturnRows(
  id: string,
  label: string,
  { inTime, late }: PostedTax,
  causes: readonly Cause[] = [],
  filedTax?: Tax,
) {
  const bySide = (of: (side: keyof Tax) => Figure) => sides.map(of) as readonly Figure[] as Sided;
  const postedRow = (name: string, text: string, lines: readonly TypedTax[]) =>
    bySide((taxSide) => taxFigure([`${id}.${name}.${taxSide}`, text, "PostedTax"], lines, taxSide));
  const lines = [
    postedRow("in-time", "Posted within its days", inTime),
    ...[postedRow("late", "Late, of earlier days", late)].filter(hasAmount),
    ...causes.map((cause, at) =>
      bySide((taxSide) =>
        single([`${id}.${at}.${taxSide}`, cause.label, "FiledApart"], { amount: cause[taxSide] }),
      ),
    ),
  ];
  const total = bySide((taxSide) => {
    const sideFigures = lines.map((pair) => pair[sides.indexOf(taxSide)] as Figure);
    const restFigures = filedTax === undefined ? [] : restOf(id, sideFigures, filedTax[taxSide]);
    return sum([`${id}.${taxSide}`, label, "SectionTotal"], [...sideFigures, ...restFigures]);
  });
  const lastRow = taxRow("SummaryRow", total, id);
  return { rows: [...lines.map((pair) => taxRow("Row", pair).row), lastRow.row], net: lastRow.net };
}

const hasAmount = (figures: readonly Figure[]) => figures.some((each) => figureValue(each) !== 0);

/** The difference between a total and the sum of figures, as an unexplained rest. */
function restOf(id: string, figures: readonly Figure[], wholeAmount: number): Figure[] {
  const amount = figures.reduce((left, figure) => left - (figureValue(figure) ?? 0), wholeAmount);
  const name = [`${id}.rest`, "Filed otherwise than posted", "FiledApart"] as const;
  return amount === 0 ? [] : [single(name, { amount })];
}

const nameOfReturn = ({ from, to }: FiledTax) =>
  `Return of ${mediumDate(from)} to ${mediumDate(to)}`;

// --- accounts ------------------------------------------------------------------------------------

/** The figures of the debt to the tax office, and of the explained balance of the tax accounts. */
function taxAccountFigures(request: TaxReconciliationRequest, unfiledNet: Figure) {
  const { returns, query, accounts, accrual, cash, isCash } = request;
  const postedRow = (id: string, label: string, rule: RuleName, kind: TaxAccountPosting) =>
    counted([id, label, rule], request.posted[kind], { of: "tax account", what: kind, query });
  const returnsFigure = (name: Name, amountOf: (filedTax: FiledTax) => number) => {
    const parts = returns.map((filedTax) => ({
      ...{ label: nameOfReturn(filedTax), date: filedTax.to, amount: amountOf(filedTax) },
    }));
    const value = parts.reduce((total, { amount }) => total + amount, 0);
    return listedFigure(name, value, () => parts);
  };
  const lines: Figure[] = [
    sum(
      ["opening", "Opening balance", "Balance"],
      [
        postedRow("opening-posted", "Opening balance", "Balance", "opening"),
        taxFigure(["opening-typed", "Opening balance", "Balance"], request.opening),
      ],
    ),
    taxFigure(["before", "Documents of before the first return", "PostedTax"], request.before),
    returnsFigure(["filed", "Filed", "FiledTax"], ({ filed }) => netOf(filed)),
    postedRow("settled", "Paid to the tax office, less refunds", "PaidToOffice", "settled"),
    postedRow("coded", "Manual journals and documents on the account", "CodedOnTax", "coded"),
  ];
  const alwaysShownIds = new Set(["filed", "settled"]);
  const owing = lines.filter((figure) => alwaysShownIds.has(figure.id) || hasAmount([figure]));
  const owed = sum(["owed", "Owed", "SectionTotal"], owing);
  const causes = causeFigures(returns, returnsFigure);
  const apartAmount = sumOf(
    returns.map((filedTax) => add(netOf(postedTax(filedTax)), negated(netOf(filedTax.filed)))),
  );
  const balance = (id: string, period: Period) =>
    ledger([id, "Trial balance", "Balance"], -1, "held", period, accounts);
  const restFigures = [
    sum(
      ["rounding", "Rounding line by line", "TaxRounding"],
      [postedRow("tax-posted", "Tax of documents", "TaxRounding", "tax")],
      [taxFigure(["tax-typed", "Tax of lines", "TaxRounding"], request.allTaxes)],
    ),
    ...(isCash
      ? [
          sum(
            ["unpaid", "Of what is not paid yet", "UnpaidTax"],
            [balance("unpaid-accrual", accrual)],
            [balance("unpaid-cash", cash)],
          ),
        ]
      : []),
  ];
  const shownFigures = [
    sum(["owed-again", "Owed", "SectionTotal"], [owed]),
    ...causes,
    sum(["unfiled-again", "Not filed yet", "NetTax"], [unfiledNet]),
    ...restFigures.filter((figure) => hasAmount([figure])),
  ];
  const untold = restOf("returns", causes, apartAmount);
  const explained = sum(["explained", "Explained", "SectionTotal"], [...shownFigures, ...untold]);
  const trial = balance("trial-balance", accrual);
  const difference = sum(["difference", "Difference", "Difference"], [trial], [explained]);
  return { owing, owed, shown: shownFigures, whole: explained, trial, difference };
}

/** Amounts of the causes of the returns, with the sign of the accounts. */
function causeFigures(
  returns: readonly FiledTax[],
  ofReturns: (name: Name, amountOf: (filedTax: FiledTax) => number) => Figure,
): Figure[] {
  const labelByCause = new Map(
    returns.flatMap(({ causes }) => causes.map((cause) => [cause.id, cause.label])),
  );
  return [...labelByCause]
    .map(([id, label], at) =>
      ofReturns([`cause-${at}`, `${label}, of the returns`, "FiledApart"], ({ causes }) =>
        causes.reduce((total, cause) => (cause.id === id ? total - netOf(cause) : total), 0),
      ),
    )
    .filter((figure) => hasAmount([figure]));
}

/** The unexplained part of the balance of the tax accounts. */
export const unexplainedTax = (request: TaxReconciliationRequest): Cents =>
  figureValue(
    taxAccountFigures(request, taxReturnRows("unfiled", "", request.unfiled).net).difference,
  ) as Cents;

/** The report; its last row is zero when every posting of the tax account is explained. */
export function taxReconciliation(request: TaxReconciliationRequest): ReportBody {
  const { organisation, from, to, isCash, returns, accounts } = request;
  const lastDay = returns.at(-1)?.to;
  const unfiled = taxReturnRows("unfiled", "Not filed yet", request.unfiled);
  const { owing, owed, shown, whole, trial, difference } = taxAccountFigures(request, unfiled.net);
  const row = (type: "Row" | "SummaryRow") => (figure: Figure) =>
    textRow(type, [figure.label, "", "", figure], undefined, figure.id);
  const total = row("SummaryRow");
  const title = lastDay === undefined ? `Up to ${mediumDate(to)}` : `After ${mediumDate(lastDay)}`;
  return {
    titles: [
      "Tax Reconciliation",
      organisation,
      `${mediumDate(from)} to ${mediumDate(to)}`,
      isCash ? "Cash basis" : "Accrual basis",
    ],
    rows: [
      headerRow(["", "Collected", "Paid", "Net"]),
      ...returns
        .filter((filedTax) => filedTax.to >= from)
        .map((each) =>
          sectionRow(
            nameOfReturn(each),
            taxReturnRows(`return-${each.to}`, "Filed", each, each.causes, each.filed).rows,
          ),
        ),
      sectionRow(title, unfiled.rows),
      sectionRow("Owed to the tax office", [...owing.map(row("Row")), total(owed)]),
      sectionRow(accounts.map(({ Name, Code }) => `${Name} (${Code})`).join(", "), [
        ...shown.map(row("Row")),
        total(whole),
      ]),
      sectionRow("", [row("Row")(trial), total(difference)]),
    ],
  };
}
