/**
 * Fixed assets: what they have depreciated by on a day, and the journals of depreciation and disposal.
 *
 * What has accumulated is worked out from the beginning for each day, and a journal posts the
 * difference to what is posted already: rounding never adds up, and a run can be done again.
 */
import type { Asset } from "../resources/asset.ts";
import { multiplyDivide } from "../resources/decimal.ts";
import {
  addDays,
  type DateRange,
  type DateText,
  daysBetween,
  endOfMonth,
  financialYear,
  laterDate,
  monthNumberOf,
  startOfMonth,
  type YearEnd,
  yearOf,
} from "./dates/calendar.ts";
import { add, type Cents, type Smallest, zeroCents } from "./money.ts";

export type DepreciationTerms = Pick<
  Asset,
  | "Cost"
  | "CostLimit"
  | "ResidualValue"
  | "Method"
  | "Averaging"
  | "Rate"
  | "Life"
  | "DepreciationStartDate"
  | "OpeningAccumulated"
  | "OpeningDate"
>;

/** How the organisation counts years and money. */
export interface AssetBooks {
  readonly yearEnd: YearEnd;
  readonly smallest: Smallest;
}

/** Parts of a year of which a month, a day and a day of a leap year are whole numbers. */
const yearParts = 2 * 365 * 366;

const factors: Readonly<Record<Asset["Method"], bigint>> = {
  StraightLine: 100n,
  DiminishingValue100: 100n,
  DiminishingValue150: 150n,
  DiminishingValue200: 200n,
  NoDepreciation: 0n,
};

/** The most that an asset can depreciate by. */
export function depreciableOf({ Cost, CostLimit = Cost, ResidualValue }: DepreciationTerms): Cents {
  return Math.max(0, Math.min(Cost, CostLimit) - ResidualValue) as Cents;
}

/** The first day on which an asset depreciates in these books. */
export function firstDayOf({ DepreciationStartDate, OpeningDate }: DepreciationTerms): DateText {
  return laterDate(DepreciationStartDate, OpeningDate && addDays(OpeningDate, 1));
}

export const yearIn = (date: DateText, { day, month }: YearEnd): DateRange =>
  financialYear(date, day, month);

/** The part of its value that an asset loses in a year, as a fraction. */
function rateOf({ Method, Rate, Life }: DepreciationTerms): readonly [bigint, bigint] {
  if (Method === "NoDepreciation") return [0n, 1n];
  if (Rate !== undefined) return [BigInt(Rate), 1_000_000n];
  return Life === undefined ? [0n, 1n] : [factors[Method] * 100n, BigInt(Life)];
}

/** Months or days of a financial year, and how many it has. */
export type Passed = readonly [count: number, of: number];

/** How much of a financial year passes from one of its days to another, both included. */
function passedIn(
  averaging: Asset["Averaging"],
  from: DateText,
  to: DateText,
  year: DateRange,
): Passed {
  return averaging === "FullMonth"
    ? [wholeMonths(from, to), 12]
    : [daysBetween(from, to) + 1, daysBetween(year.from, year.to) + 1];
}

/** Months that have ended by `to`, of which the first counts whole. */
function wholeMonths(from: DateText, to: DateText): number {
  const ended = addDays(to, 1);
  return (
    (yearOf(ended) - yearOf(from)) * 12 + monthNumberOf(ended) - monthNumberOf(startOfMonth(from))
  );
}

/** How what an asset has depreciated by on a day comes about. */
export interface DepreciationWorking {
  /** What had accumulated before: with the books, or by the diminishing value with the financial year. */
  readonly before: Cents;
  /** What the rest is a share of. */
  readonly value: Cents;
  /** What passed since, year by year. */
  readonly passed: readonly Passed[];
  /** The accumulated depreciation without rounding, as a fraction of cents. */
  readonly exact: readonly [dividend: bigint, divisor: bigint];
  /** The same rounded, and no more than the asset can depreciate by. */
  readonly reached: Cents;
}

/** Works out what an asset has depreciated by at the end of a day. */
export function depreciationAt(
  terms: DepreciationTerms,
  date: DateText,
  { yearEnd, smallest }: AssetBooks,
): DepreciationWorking {
  const { OpeningAccumulated: opening, Method, Averaging } = terms;
  const most = depreciableOf(terms);
  const [part, whole] = rateOf(terms);
  const isStraight = Method === "StraightLine";
  let before: number = opening;
  let value: number = isStraight ? most : most - opening;
  let passed: readonly Passed[] = [];
  let exact: readonly [bigint, bigint] = [BigInt(opening), 1n];
  let accumulated: number = opening;
  for (let from = firstDayOf(terms); from <= date && part > 0n && accumulated < most; ) {
    const year = yearIn(from, yearEnd);
    const own = passedIn(Averaging, from, year.to < date ? year.to : date, year);
    if (!isStraight) {
      before = accumulated;
      value = most - before;
      passed = [];
    }
    passed = [...passed, own];
    const parts = BigInt(passed.reduce((sum, [count, of]) => sum + (count * yearParts) / of, 0));
    const divisor = whole * BigInt(yearParts);
    exact = [BigInt(before) * divisor + BigInt(value) * part * parts, divisor];
    const lost = multiplyDivide(value, part * parts, divisor * BigInt(smallest)) * smallest;
    accumulated = before + lost;
    from = addDays(year.to, 1);
  }
  const reached = Math.max(opening, Math.min(most, accumulated)) as Cents;
  return { before: before as Cents, value: value as Cents, passed, exact, reached };
}

/** The accumulated depreciation of an asset at the end of a day. */
export const accumulatedAt = (terms: DepreciationTerms, date: DateText, books: AssetBooks): Cents =>
  depreciationAt(terms, date, books).reached;

/** The ends of the months from the one that holds `from` up to those that have ended by `to`. */
export function* monthEnds(from: DateText, to: DateText): Generator<DateText> {
  for (let end = endOfMonth(from); end <= to; end = endOfMonth(addDays(end, 1))) yield end;
}

// --- journals --------------------------------------------------------------------------------

export type AssetAccounts = Required<
  Pick<Asset, "AssetAccount" | "AccumulatedAccount" | "ExpenseAccount">
>;

export interface Charge {
  readonly asset: AssetAccounts;
  readonly amount: Cents;
}

/** A debit above zero, or a credit below it. */
export interface AssetLine {
  readonly account: string;
  readonly amount: Cents;
  readonly description: string;
}

const line = (
  account: { readonly AccountID?: string | undefined },
  amount: number,
  description: string,
): AssetLine => ({ account: account.AccountID ?? "", amount: amount as Cents, description });

const counted = (lines: readonly AssetLine[]) => lines.filter(({ amount }) => amount !== 0);

/** DR expense, CR accumulated depreciation, for each pair of accounts. */
export function depreciationLines(charges: readonly Charge[]): AssetLine[] {
  const pairs = Map.groupBy(
    charges,
    ({ asset }) => `${asset.ExpenseAccount.AccountID} ${asset.AccumulatedAccount.AccountID}`,
  );
  const lines = [...pairs.values()].flatMap((own) => {
    const { ExpenseAccount, AccumulatedAccount } = (own[0] as Charge).asset;
    const amount = own.reduce((sum, each) => add(sum, each.amount), zeroCents);
    return [
      line(ExpenseAccount, amount, "Depreciation"),
      line(AccumulatedAccount, -amount, "Accumulated depreciation"),
    ];
  });
  return counted(lines);
}

/** What comes in above the book value: above the cost a capital gain, the rest a gain or a loss. */
export function gainsOf(
  cost: Cents,
  accumulated: Cents,
  proceeds: Cents,
): { readonly capital: Cents; readonly gain: Cents } {
  const capital = Math.max(0, proceeds - cost) as Cents;
  return { capital, gain: (proceeds - (cost - accumulated) - capital) as Cents };
}

export interface DisposalFacts {
  readonly asset: AssetAccounts & Pick<Asset, "Cost">;
  /** Depreciation that is posted with the disposal; below zero where it is taken back. */
  readonly charge: Cents;
  /** Accumulated depreciation with that. */
  readonly accumulated: Cents;
  readonly proceeds: Cents;
  readonly accounts: Readonly<
    Record<"proceeds" | "capital" | "gain" | "loss", { readonly AccountID?: string | undefined }>
  >;
}

/** DR proceeds and accumulated depreciation, CR cost; the rest is gain or loss. */
export function disposalLines({
  asset,
  charge,
  accumulated,
  proceeds,
  accounts,
}: DisposalFacts): AssetLine[] {
  const { capital, gain } = gainsOf(asset.Cost, accumulated, proceeds);
  return counted([
    ...depreciationLines([{ asset, amount: charge }]),
    line(accounts.proceeds, proceeds, "Proceeds"),
    line(asset.AccumulatedAccount, accumulated, "Accumulated depreciation"),
    line(asset.AssetAccount, -asset.Cost, "Cost"),
    line(accounts.capital, -capital, "Capital gain"),
    line(
      gain < 0 ? accounts.loss : accounts.gain,
      -gain,
      gain < 0 ? "Loss on disposal" : "Gain on disposal",
    ),
  ]);
}
