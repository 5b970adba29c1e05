/**
 * Fixed assets: accumulated depreciation on a day, and the journals of depreciation and disposal.
 *
 * Accumulated depreciation is computed from the start for each day, and a journal posts the
 * difference to what is posted already: rounding never adds up, and a run can be repeated.
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

/** The financial year and rounding of the organisation, for depreciation. */
export interface AssetBooks {
  readonly yearEnd: YearEnd;
  readonly smallest: Smallest;
}

/**
 * Units in a year, chosen so that a month, a day and a day of a leap year are whole numbers of
 * them.
 */
const yearParts = 2 * 365 * 366;

const factors: Readonly<Record<Asset["Method"], bigint>> = {
  StraightLine: 100n,
  DiminishingValue100: 100n,
  DiminishingValue150: 150n,
  DiminishingValue200: 200n,
  NoDepreciation: 0n,
};

/** The depreciable amount of an asset: the maximum of its depreciation. */
export function depreciableOf({ Cost, CostLimit = Cost, ResidualValue }: DepreciationTerms): Cents {
  return Math.max(0, Math.min(Cost, CostLimit) - ResidualValue) as Cents;
}

/**
 * The first day of an asset's depreciation in these books: its start date or, if later, the day
 * after the opening balances.
 */
export function firstDayOf({ DepreciationStartDate, OpeningDate }: DepreciationTerms): DateText {
  return laterDate(DepreciationStartDate, OpeningDate && addDays(OpeningDate, 1));
}

export const yearIn = (date: DateText, { day, month }: YearEnd): DateRange =>
  financialYear(date, day, month);

/** The yearly depreciation rate of an asset, as a fraction. */
function rateOf({ Method, Rate, Life }: DepreciationTerms): readonly [bigint, bigint] {
  if (Method === "NoDepreciation") return [0n, 1n];
  if (Rate !== undefined) return [BigInt(Rate), 1_000_000n];
  return Life === undefined ? [0n, 1n] : [factors[Method] * 100n, BigInt(Life)];
}

/** Elapsed months or days of a financial year, and their number in the whole year. */
export type PassedTime = readonly [count: number, of: number];

/** The part of a financial year between two of its days, both included. */
function passedTimeOf(
  averaging: Asset["Averaging"],
  from: DateText,
  to: DateText,
  year: DateRange,
): PassedTime {
  return averaging === "FullMonth"
    ? [wholeMonths(from, to), 12]
    : [daysBetween(from, to) + 1, daysBetween(year.from, year.to) + 1];
}

/** Number of months that ended by `to`; the first counts whole. */
function wholeMonths(from: DateText, to: DateText): number {
  const ended = addDays(to, 1);
  return (
    (yearOf(ended) - yearOf(from)) * 12 + monthNumberOf(ended) - monthNumberOf(startOfMonth(from))
  );
}

/** The parts of an accumulated depreciation, for its explanation. */
export interface DepreciationWorking {
  /**
   * Depreciation accumulated before: in the opening balance or, with diminishing value, up to the
   * financial year.
   */
  readonly before: Cents;
  /** The base value of which the rest is a share. */
  readonly value: Cents;
  /** Elapsed parts of each financial year since. */
  readonly passed: readonly PassedTime[];
  /** The accumulated depreciation before rounding, as a fraction of cents. */
  readonly exact: readonly [dividend: bigint, divisor: bigint];
  /** The accumulated depreciation, rounded and limited to the depreciable amount. */
  readonly reached: Cents;
}

/** Computes the accumulated depreciation of an asset at the end of a day, with its parts. */
export function depreciationAt(
  terms: DepreciationTerms,
  date: DateText,
  { yearEnd, smallest }: AssetBooks,
): DepreciationWorking {
  const { OpeningAccumulated: opening, Method, Averaging } = terms;
  const depreciable = depreciableOf(terms);
  const [part, whole] = rateOf(terms);
  const isStraight = Method === "StraightLine";
  let valueBefore: number = opening;
  let value: number = isStraight ? depreciable : depreciable - opening;
  let passed: readonly PassedTime[] = [];
  let exact: readonly [bigint, bigint] = [BigInt(opening), 1n];
  let accumulatedSum: number = opening;
  for (let from = firstDayOf(terms); from <= date && part > 0n && accumulatedSum < depreciable; ) {
    const year = yearIn(from, yearEnd);
    const passedInYear = passedTimeOf(Averaging, from, year.to < date ? year.to : date, year);
    if (!isStraight) {
      valueBefore = accumulatedSum;
      value = depreciable - valueBefore;
      passed = [];
    }
    passed = [...passed, passedInYear];
    const parts = BigInt(passed.reduce((sum, [count, of]) => sum + (count * yearParts) / of, 0));
    const divisor = whole * BigInt(yearParts);
    exact = [BigInt(valueBefore) * divisor + BigInt(value) * part * parts, divisor];
    const amountLost = multiplyDivide(value, part * parts, divisor * BigInt(smallest)) * smallest;
    accumulatedSum = valueBefore + amountLost;
    from = addDays(year.to, 1);
  }
  const reached = Math.max(opening, Math.min(depreciable, accumulatedSum)) as Cents;
  return { before: valueBefore as Cents, value: value as Cents, passed, exact, reached };
}

/** The accumulated depreciation of an asset at the end of a day. */
export const accumulatedAt = (terms: DepreciationTerms, date: DateText, books: AssetBooks): Cents =>
  depreciationAt(terms, date, books).reached;

/** The month ends from the month of `from` up to the last that is not after `to`. */
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

/** A line of an asset journal: debit positive, credit negative. */
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

const withoutZero = (lines: readonly AssetLine[]) => lines.filter(({ amount }) => amount !== 0);

/**
 * The lines of a depreciation journal: debit expense, credit accumulated depreciation, for each
 * pair of accounts.
 */
export function depreciationLines(charges: readonly Charge[]): AssetLine[] {
  const chargesByPair = Map.groupBy(
    charges,
    ({ asset }) => `${asset.ExpenseAccount.AccountID} ${asset.AccumulatedAccount.AccountID}`,
  );
  const lines = [...chargesByPair.values()].flatMap((chargesOfPair) => {
    const { ExpenseAccount, AccumulatedAccount } = (chargesOfPair[0] as Charge).asset;
    const amount = chargesOfPair.reduce((sum, charge) => add(sum, charge.amount), zeroCents);
    return [
      line(ExpenseAccount, amount, "Depreciation"),
      line(AccumulatedAccount, -amount, "Accumulated depreciation"),
    ];
  });
  return withoutZero(lines);
}

/**
 * The gains of a disposal above book value: above cost a capital gain, the rest a gain or loss.
 */
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
  /** Depreciation posted with the disposal; negative when it is taken back. */
  readonly charge: Cents;
  /** Accumulated depreciation including `charge`. */
  readonly accumulated: Cents;
  readonly proceeds: Cents;
  readonly accounts: Readonly<
    Record<"proceeds" | "capital" | "gain" | "loss", { readonly AccountID?: string | undefined }>
  >;
}

/**
 * The lines of a disposal: debit proceeds and accumulated depreciation, credit cost; the rest is
 * gain or loss.
 */
export function disposalLines({
  asset,
  charge,
  accumulated,
  proceeds,
  accounts,
}: DisposalFacts): AssetLine[] {
  const { capital, gain } = gainsOf(asset.Cost, accumulated, proceeds);
  return withoutZero([
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
