/** Chart of an account by month: its movement, or its balance, depending on its class. */
import { addMonths, endOfMonth, shortDate, startOfMonth } from "../../../ledger/dates/calendar.ts";
import { chartSvg } from "../../../output/chart/svg.ts";
import type { Account } from "../../../resources/account.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import type { Row } from "../../../wire/report.ts";
import { addressWith, linkBeside } from "../../frame/breadcrumbs.ts";
import type { Content } from "../../frame/components.ts";
import type { BooksContext } from "../context.ts";
import type { Basis } from "./postings.ts";
import { ignoreForbidden } from "./postings.ts";

/** Number of months shown before the last one. */
const earlierMonths = 11;
/** Width of the drawing in points. */
const width = 560;

/**
 * Chart of the twelve months up to the month of a day; nothing without movements, or without
 * permission.
 *
 * @param path  page of the account; each bar links to it with the days of a month
 */
export async function accountChart(
  ctx: BooksContext,
  account: Account,
  path: string,
  { to, basis }: { readonly to: string; readonly basis: Basis },
): Promise<Content> {
  const isFlow = account.Class === "REVENUE" || account.Class === "EXPENSE";
  const name = isFlow ? "ProfitAndLoss" : "BalanceSheet";
  const month = { fromDate: startOfMonth(to), toDate: endOfMonth(to) };
  const report = await ctx.client
    .report(name, {
      ...(isFlow ? month : { date: to }),
      periods: String(earlierMonths),
      timeframe: "MONTH",
      ...(basis === "cash" ? { paymentsOnly: "true" } : {}),
    })
    .catch(ignoreForbidden);
  const cells = report && rowOf(report.Rows, account.AccountID);
  if (cells === undefined) return "";
  const amounts = cells.map((text) => (readDecimal(text, scaleOf.money) ?? 0) as Cents);
  const points = amounts.map((_, at) => {
    const from = startOfMonth(addMonths(month.fromDate, -at));
    const days = [
      ["from", from],
      ["to", endOfMonth(from)],
      ["basis", basis === "cash" ? "cash" : undefined],
    ] as const;
    return {
      label: shortDate(from).replace(/^\d+ /, ""),
      href: linkBeside(ctx, addressWith(path, days)),
    };
  });
  return chartSvg(
    {
      title: isFlow ? "By month" : "At the end of each month",
      currency: ctx.organisation.BaseCurrency,
      axis: "time",
      form: "bars",
      series: [{ name: account.Name, amounts: amounts.toReversed() }],
      points: points.toReversed(),
      measure: 0,
      isSum: isFlow,
    },
    { id: "account-chart", width, marks: ctx.numberMarks },
  );
}

/** Figures of an account in a report, the latest month first. */
function rowOf(rows: readonly Row[], accountId: string): readonly string[] | undefined {
  for (const { Cells = [], Rows = [] } of rows) {
    const isOfAccount = Cells[0]?.Attributes?.some(({ Value }) => Value === accountId);
    if (isOfAccount === true) return Cells.slice(1).map(({ Value = "" }) => Value);
    const innerCells = rowOf(Rows, accountId);
    if (innerCells !== undefined) return innerCells;
  }
  return undefined;
}
