/**
 * Trial balance as an accountant's paper: by code, with opening balance, debits, credits and closing
 * balance of the financial year, beside the closing balance of the year before.
 */
import { longDate, shortDate, spanName } from "../../dates/calendar.ts";
import { type Figure, figureValue, type Period, sum } from "../../figures/expression.ts";
import { balanceOf } from "../balance-sheet.ts";
import { type GeneralLedgerRequest, ledgerFigures } from "../general-ledger.ts";
import {
  type AccountInfo,
  accountAttribute,
  figureCell,
  hasAmount,
  headerRow,
  type ReportBody,
  type ReportRow,
  sectionRow,
} from "../report-rows.ts";

export interface TrialBalanceLayoutRequest extends GeneralLedgerRequest {
  /** The financial year up to the same day of the year before, with movements and balances. */
  readonly prior: Period;
}

type Side = Figure | undefined;
interface Line {
  readonly account: AccountInfo;
  readonly code: string;
  readonly name: string;
  readonly figures: readonly Side[];
  /** Whether the figures are only a part of the account's balance. */
  readonly isPart?: true;
}

/**
 * The report. Profit of earlier years, which no journal posts, is a row of its own below the
 * postings of Retained Earnings.
 */
export function trialBalanceLayout(request: TrialBalanceLayoutRequest): ReportBody {
  const { organisation, from, to, accounts, prior } = request;
  const lines = accounts.flatMap((account) => linesOf(account, request));
  const columns = ["Opening", "Debit", "Credit", "Dr", "Cr", "Dr", "Cr"];
  const totals = columns.map((_, at) =>
    sum(
      ["total", "Total", "SectionTotal"],
      lines.flatMap(({ figures }) => figures[at] ?? []),
    ),
  );
  const span = spanName({ from, to });
  return {
    titles: ["Trial Balance", organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow([
        "Code",
        ["account", "Account"],
        `Opening ${shortDate(from)}`,
        ...["Debit", "Credit"].map((sideName) => `${sideName} ${span}`),
        ...[to, prior.to].flatMap((day) => [`${shortDate(day)} Dr`, `${shortDate(day)} Cr`]),
      ]),
      sectionRow("", lines.map(rowOf)),
      sectionRow("", [
        {
          ...{ RowType: "SummaryRow", id: "total" },
          Cells: [{ Value: "Total" }, { Value: "" }, ...totals.map(figureCell)],
        },
      ]),
    ],
  };
}

function linesOf(account: AccountInfo, request: TrialBalanceLayoutRequest): Line[] {
  const { Code: code = "", Name: name } = account;
  const [opening, debit, credit, , closing] = ledgerFigures(account, request);
  if (!opening || !debit || !credit || !closing) return [];
  const priorBalance = balanceOf(account, request.accounts, request.prior, 1);
  const line = (ownFigures: readonly Figure[], net: Figure, prior: Figure): Line => ({
    ...{ account, code, name },
    figures: [ownFigures[0], ownFigures[1], ownFigures[2], ...sidesOf(net), ...sidesOf(prior)],
  });
  if (account.SystemAccount !== "RETAINEDEARNINGS") {
    return [line([opening, debit, credit], closing, priorBalance)].filter(hasFigures);
  }
  const [posted = opening, earlier = opening] = termsOf(opening);
  const [priorPosted = priorBalance, priorEarlier = priorBalance] = termsOf(priorBalance);
  const net = sum(
    [`${account.AccountID}.closing`, name, "LedgerClosing"],
    [posted, debit],
    [credit],
  );
  return [
    line([posted, debit, credit], net, priorPosted),
    { ...line([earlier], earlier, priorEarlier), code: "", name: "Profit of earlier years" },
  ]
    .filter(hasFigures)
    .map((each) => ({ ...each, isPart: true }));
}

const termsOf = (figure: Figure): Figure[] =>
  figure.is === "sum" ? figure.terms.map(([, each]) => each) : [figure];

const hasFigures = ({ figures }: Line) => hasAmount(figures.filter((each) => each !== undefined));

/** A balance, debit positive, in the column of its side; in neither when it is zero. */
function sidesOf(net: Figure): readonly [debit: Side, credit: Side] {
  const value = figureValue(net) ?? 0;
  if (value >= 0) return [value === 0 ? undefined : net, undefined];
  return [undefined, sum([`${net.id}-credit`, net.label, "LedgerSide"], [], [net])];
}

function rowOf({ account, code, name, figures, isPart }: Line): ReportRow {
  const { AccountID: Value } = account;
  // A part has no ledger of its own to lead to.
  const Attributes = [isPart ? { Value, Id: "partOf" } : accountAttribute(Value)];
  const cells = [
    { Value: code },
    { Value: name },
    ...figures.map((figure) => figure && figureCell(figure)),
  ];
  return { RowType: "Row", Cells: cells.map((cell) => ({ ...cell, Attributes })) };
}
