/** What the description of a report's figures is, and what the descriptions share. */
import { addDays, mediumDate } from "../../../ledger/dates/calendar.ts";
import { isProfitAndLoss, negated, netProfit } from "../../../ledger/reports/rows.ts";
import type { Account } from "../../../resources/account.ts";
import type { TrackingOption } from "../../../resources/tracking-category.ts";
import { carriesAll, netSums, optionNamed } from "../../reports/columns.ts";
import type { Reading } from "../../reports/frame.ts";
import type { Origins } from "../evaluate.ts";
import { attributeOf, type FigureRow, type Figures } from "../figures.ts";
import { type LedgerSlice, ledger, parts, type Sign, type Source } from "../origin.ts";

/** How the figures of a report come about. */
export interface Explainer {
  /** Column that is meant where none is named: the first figure of a row, or the last. */
  readonly usual: "first" | "last";
  readonly origins: (reading: Reading, figures: Figures) => Promise<Origins> | Origins;
}

/** The account of a row; undefined for a row of none. */
export function accountOfRow({ chart }: Reading, row: FigureRow): Account | undefined {
  const id = attributeOf(row, "account") ?? attributeOf(row, "accountID");
  return id === undefined ? undefined : chart.account(id);
}

/** The options that a report is narrowed to by these parameters. */
export function optionsAsked(
  { call, chart }: Reading,
  ...names: readonly string[]
): readonly TrackingOption[] {
  return names.flatMap((name) => {
    const id = call.query.get(name);
    return id === undefined ? [] : [optionNamed(chart, id)];
  });
}

/**
 * The balance of an account at the end of a day as a trial balance has it: of profit and loss what
 * its year came to, and with Retained Earnings the profit of the years before.
 *
 * @param since  first day of the financial year; later than `to` where that is the last of the year before
 */
export function balanceSources(
  reading: Reading,
  account: Account,
  { since, to }: { readonly since: string; readonly to: string },
  sign: Sign,
  options: readonly TrackingOption[] = [],
): Source[] {
  const carries = carriesAll(options);
  const own = { account, to, basis: reading.basis, carries };
  if (isProfitAndLoss(account)) {
    return since > to ? [] : [ledger(sign, { ...own, from: since })];
  }
  const posted = ledger(sign, { ...own, since: since > to ? to : since });
  if (account.SystemAccount !== "RETAINEDEARNINGS") return [posted];
  return [posted, earlierProfit(reading, since, -sign as Sign, options)];
}

/** The profit of all financial years before a day. */
function earlierProfit(
  reading: Reading,
  since: string,
  sign: Sign,
  options: readonly TrackingOption[] = [],
): Source {
  const day = addDays(since, -1);
  return parts(async () => {
    const profit = netProfit(
      reading.chart.accounts,
      await netSums(reading, undefined, day, options),
    );
    if (profit === 0) return [];
    const amount = sign === 1 ? profit : negated(profit);
    return [{ label: `Net profit of the years up to ${mediumDate(day)}`, date: day, amount }];
  });
}

/** Net postings of accounts over days, each account by itself. */
export function movedOn(
  reading: Reading,
  accounts: readonly Account[],
  days: Pick<LedgerSlice, "from" | "since" | "to">,
  sign: Sign,
): Source {
  return ledger(sign, ...accounts.map((account) => ({ ...days, account, basis: reading.basis })));
}
