/** Workings of a month's depreciation: recomputes it exactly, and shows the calculation as text. */
import {
  type AssetBooks,
  type DepreciationTerms,
  type DepreciationWorking,
  depreciationAt,
  type PassedTime,
  yearIn,
} from "../../ledger/assets.ts";
import { addDays, type DateRange, mediumDate, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { SumPart } from "../../ledger/figures/counted.ts";
import type { Asset } from "../../resources/asset.ts";
import { amountText, inDigitsOf, smallestAmount } from "../../resources/common.ts";
import { type Cents, shortDecimal } from "../../resources/decimal.ts";
import { depreciationOf } from "../../store/queries/explained.ts";
import type { ReportContext } from "../reports/report-context.ts";
import { quotientText } from "./line-workings.ts";

interface PostedDepreciation {
  /** Last day of the posted depreciation. */
  readonly date: string;
  readonly amount: Cents;
  /** Depreciation accumulated before this posting. */
  readonly before: Cents;
}

/**
 * Returns the calculation: `2000.00 x 40 % x 2 / 12 months = 133.333333…, rounded; less 66.67
 * before`.
 *
 * Depreciation posted with a disposal runs to the previous month or year, where the disposal says
 * so.
 *
 * @returns a note instead where the current terms of the asset do not give the posted amount
 */
function depreciationText(
  terms: DepreciationTerms,
  { date, amount, before }: PostedDepreciation,
  books: AssetBooks & { readonly currency: string },
): string {
  const days = [
    date,
    addDays(startOfMonth(date), -1),
    addDays(yearIn(date, books.yearEnd).from, -1),
  ];
  const worked = days
    .map((day) => depreciationAt(terms, day, books))
    .find(({ reached }) => reached - before === amount);
  if (worked === undefined) return "posted so; the terms of the asset make another amount";
  const less = before === 0 ? "" : `; less ${amountText(before, books.currency)} before`;
  return `${workingText(terms, worked, books.currency)}${less}`;
}

function workingText(
  terms: DepreciationTerms,
  { before, value, passed, exact, reached }: DepreciationWorking,
  currency: string,
): string {
  const money = (amount: number) => amountText(amount, currency);
  if (passed.length === 0) return `${money(reached)} accumulated`;
  const [dividend, divisor] = exact;
  const isRound = dividend === BigInt(reached) * divisor;
  const isMost = !isRound && dividend > BigInt(reached + 1) * divisor;
  const start = before === 0 ? "" : `${money(before)} + `;
  const share = `${money(value)} ${rateText(terms)} x ${passedText(passed)}`;
  const end = isRound ? "" : isMost ? `, at most ${money(reached)}` : ", rounded";
  return `${start}${share} = ${inDigitsOf(currency, quotientText(dividend, divisor * 100n))}${end}`;
}

/** Returns the yearly rate as text: `x 40 %`, `/ 3 years`, `x 150 % / 4 years`. */
function rateText({ Method, Rate, Life }: DepreciationTerms): string {
  if (Rate !== undefined) return `x ${shortDecimal(Rate, 4)} %`;
  const factor = Method === "StraightLine" ? "" : `x ${Method.replace("DiminishingValue", "")} % `;
  return `${factor}/ ${shortDecimal(Life ?? 0, 4)} years`;
}

/** Returns the elapsed time as text: `2 / 12 months`, `(45 / 365 + 10 / 366) days`. */
function passedText(passed: readonly PassedTime[]): string {
  const countByDivisor = new Map<number, number>();
  for (const [count, of] of passed) countByDivisor.set(of, (countByDivisor.get(of) ?? 0) + count);
  const unit = countByDivisor.has(12) ? "months" : "days";
  const shares = [...countByDivisor].map(([of, count]) => `${count} / ${of}`);
  return `${shares.length === 1 ? shares[0] : `(${shares.join(" + ")})`} ${unit}`;
}

/** Returns the postings of an asset as parts, each with its calculation. */
export async function depreciationParts(
  { tx, organisation }: ReportContext,
  asset: Asset,
  { from, to }: DateRange,
): Promise<SumPart[]> {
  const { FinancialYearEndDay: day, FinancialYearEndMonth: month, BaseCurrency } = organisation;
  const smallest = smallestAmount(BaseCurrency);
  const books = { yearEnd: { day, month }, smallest, currency: BaseCurrency };
  let postedSum: number = asset.OpeningAccumulated;
  const depreciation = (await depreciationOf(tx, asset.AssetID)).map(
    ({ date, amount, journalId }): SumPart => {
      const working = depreciationText(asset, { date, amount, before: postedSum as Cents }, books);
      postedSum += amount;
      return {
        label: `Up to ${mediumDate(date)}`,
        date,
        number: asset.AssetNumber,
        working,
        amount,
        attributes: [
          { Value: asset.AssetID, Id: "assetID" },
          { Value: journalId, Id: "manualJournalID" },
        ],
      };
    },
  );
  return depreciation.filter(({ date = "" }) => date >= from && date <= to);
}
