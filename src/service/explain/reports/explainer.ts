/** What the description of a report's figures is, and what the descriptions share. */
import { addDays, mediumDate } from "../../../ledger/dates/calendar.ts";
import {
  type AccountInfo,
  isProfitAndLoss,
  negated,
  netProfit,
} from "../../../ledger/reports/rows.ts";
import type { SpanRequest } from "../../../ledger/reports/spans.ts";
import type { Account } from "../../../resources/account.ts";
import type { TrackingOption } from "../../../resources/tracking-category.ts";
import { netSums, optionNamed } from "../../reports/columns.ts";
import { type Reading, yearEndOf } from "../../reports/frame.ts";
import type { Query } from "../../request/context.ts";
import type { Origins } from "../evaluate.ts";
import { attributeOf, type FigureRow, type Figures } from "../figures.ts";
import {
  type Carries,
  type LedgerSlice,
  ledger,
  parts,
  type Sign,
  type Source,
} from "../origin.ts";

/** How the figures of a report come about. */
export interface Explainer {
  /** Column that is meant where none is named: the first figure of a row, or the last. */
  readonly usual: "first" | "last";
  readonly origins: (reading: Reading, figures: Figures) => Promise<Origins> | Origins;
}

/** The parameters of a report that was asked for, as far as they say which days it is of. */
export function spanRequest(reading: Reading): SpanRequest {
  const { call, today } = reading;
  const names = [
    "fromDate",
    "toDate",
    "date",
    "periods",
    "timeframe",
    "exactDate",
    "trackingOptionID1",
    "trackingOptionID2",
  ];
  const day = ({ query }: { readonly query: Query }, name: string) =>
    /^date$|Date$/.test(name) && name !== "exactDate" ? query.day(name) : query.get(name);
  const parameters = Object.fromEntries(names.map((name) => [name, day(call, name)]));
  return { parameters, today, yearEnd: yearEndOf(reading) };
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

/** What carries all of some options; undefined where there are none to carry. */
export function carriesAll(options: readonly TrackingOption[]): Carries | undefined {
  if (options.length === 0) return undefined;
  return ({ option1, option2 }) =>
    options.every(({ TrackingOptionID: id }) => option1 === id || option2 === id);
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
export function earlierProfit(
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

export const bankAccounts = ({ chart }: Reading): readonly Account[] =>
  chart.accounts.filter(({ Type }) => Type === "BANK");

export const ofProfitAndLoss = ({ chart }: Reading): readonly Account[] =>
  chart.accounts.filter(isProfitAndLoss);

export const isCredit = ({ Class }: AccountInfo): boolean => Class === "REVENUE";
