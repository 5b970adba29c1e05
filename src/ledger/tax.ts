/**
 * Tax rates and the tax of lines.
 *
 * A rate is made of components. The tax of a line is computed at the effective rate and rounded per
 * line; the components only determine how it is divided.
 */

import type { LineAmountTypes } from "../resources/common.ts";
import { divideRounded, multiplyDivide } from "../resources/decimal.ts";
import { RefusedError } from "../resources/errors.ts";
import type { TaxRate } from "../resources/tax-rate.ts";
import {
  add,
  type Cents,
  type Percent,
  percentOf,
  type Smallest,
  share,
  taxInside,
  wholePercent,
  zeroCents,
} from "./money.ts";
import type { AccountClass } from "./regions/region.ts";

export interface Component {
  readonly Rate: Percent;
  /** Whether it is charged on the net amount plus the simple components. */
  readonly IsCompound?: boolean | undefined;
  /** Whether the tax is not reclaimed from the state. */
  readonly IsNonRecoverable?: boolean | undefined;
}

/**
 * The effective rate of components: simple ones add up, the compound one is charged on top of them,
 * s + c × (1 + s/100).
 *
 * @throws RefusedError `TaxComponents` when more than one is compound
 * @source accounting practice of Quebec before 2013 and of any rate marked compound
 */
export function effectiveRate(components: readonly Component[]): Percent {
  let simpleRate = 0;
  let compound: number | undefined;
  for (const { Rate, IsCompound } of components) {
    if (!IsCompound) {
      simpleRate += Rate;
    } else if (compound === undefined) {
      compound = Rate;
    } else {
      throw new RefusedError("TaxComponents", "A tax rate can have only one compound component.");
    }
  }
  if (compound === undefined) return simpleRate as Percent;
  return (simpleRate + compound + divideRounded(compound * simpleRate, wholePercent)) as Percent;
}

/**
 * Divides the tax of a line over the components of its rate.
 *
 * @param taxAmount   either sign, calculated or as the caller sent it
 * @param components  of the line's rate
 * @returns one part per component, in order; the last takes the remainder, so they sum to the tax
 */
export function componentTaxes(
  taxAmount: Cents,
  components: readonly Component[],
  smallest: Smallest = 1,
): Cents[] {
  const simple = components.reduce((sum, part) => (part.IsCompound ? sum : sum + part.Rate), 0);
  // In 10⁻⁴ percent with six more digits, so that the compound share is an integer.
  const weights = components.map((component) =>
    component.IsCompound ? component.Rate * (wholePercent + simple) : component.Rate * wholePercent,
  );
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  let taxLeft: number = taxAmount;
  return weights.map((weight, index) => {
    if (index === weights.length - 1) return taxLeft as Cents;
    const taxPart = totalWeight === 0 ? zeroCents : share(taxAmount, weight, totalWeight, smallest);
    taxLeft -= taxPart;
    return taxPart;
  });
}

/**
 * The part of a line's tax that is not reclaimed and so belongs to the line's own account.
 *
 * @returns same sign as `taxAmount`; 0 when every component is recoverable
 */
export function nonRecoverableShare(
  taxAmount: Cents,
  components: readonly Component[],
  smallest: Smallest = 1,
): Cents {
  if (!components.some((component) => component.IsNonRecoverable)) return zeroCents;
  const parts = componentTaxes(taxAmount, components, smallest);
  const share = parts.reduce<number>(
    (sum, componentTax, index) => (components[index]?.IsNonRecoverable ? sum + componentTax : sum),
    0,
  );
  return share as Cents;
}

/**
 * The non-reclaimed tax included in the amount posted to a line's own account.
 *
 * @param posted     net and that tax together, either sign
 * @param reclaimed  the reclaimed part of the tax, as posted
 * @returns the tax that the rate charges on the net, rounded; for entered tax, its share of the
 *   posted tax; for a reverse charge, the tax that is posted as owed
 */
export function nonRecoverableInside(
  posted: Cents,
  reclaimed: Cents,
  rate: Pick<TaxRate, "DisplayTaxRate" | "EffectiveRate" | "TaxComponents">,
): Cents {
  const { EffectiveRate, TaxComponents = [] } = rate;
  if (!TaxComponents.some((component) => component.IsNonRecoverable)) return zeroCents;
  if (isReverse(rate)) return -reclaimed as Cents;
  const recoverable = effectiveRate(TaxComponents.filter((part) => !part.IsNonRecoverable));
  const lost = (EffectiveRate - recoverable) as Percent;
  const likely = taxInside(posted, lost);
  const correction = [0, -1, 1].find((cent) => {
    const grossGuess = (likely + cent + reclaimed) as Cents;
    const net = (posted - likely - cent) as Cents;
    const isCharged = percentOf(net, EffectiveRate) === grossGuess;
    return isCharged && nonRecoverableShare(grossGuess, TaxComponents) === likely + cent;
  });
  if (correction !== undefined) return (likely + correction) as Cents;
  return recoverable === 0 ? likely : (multiplyDivide(reclaimed, lost, recoverable) as Cents);
}

/** Whether the buyer owes the tax in place of the supplier: it is displayed, but not charged. */
export const isReverse = ({
  DisplayTaxRate,
  EffectiveRate,
}: Pick<TaxRate, "DisplayTaxRate" | "EffectiveRate">): boolean =>
  EffectiveRate === 0 && DisplayTaxRate !== 0;

/**
 * The tax of a line beside that of its document.
 *
 * @param net  of the line, either sign
 * @param tax  of the line, as on the document
 * @returns the tax that is not reclaimed, charged or owed in place of the supplier; and the tax of a
 *   reverse charge that is reclaimed
 */
export function buyersTax(
  net: Cents,
  tax: Cents,
  rate: Pick<TaxRate, "DisplayTaxRate" | "EffectiveRate" | "TaxComponents"> | undefined,
  smallest: Smallest,
): { nonRecoverable: Cents; reverseCharge: Cents } {
  if (rate === undefined) return { nonRecoverable: zeroCents, reverseCharge: zeroCents };
  const reverseTax = isReverse(rate) ? percentOf(net, rate.DisplayTaxRate, smallest) : zeroCents;
  const components = rate.TaxComponents ?? [];
  const owed = nonRecoverableShare(reverseTax, components, smallest);
  return {
    nonRecoverable: add(nonRecoverableShare(tax, components, smallest), owed),
    reverseCharge: add(reverseTax, -owed as Cents),
  };
}

/**
 * Computes the tax of a line.
 *
 * @param amount  the line amount, either sign
 * @param rate    effective rate; undefined charges nothing
 * @param types   whether the amount excludes the tax, includes it, or has none
 */
export function lineTax(
  amount: Cents,
  rate: Percent | undefined,
  types: LineAmountTypes,
  smallest: Smallest = 1,
): Cents {
  if (rate === undefined || rate === 0 || types === "NoTax") return zeroCents;
  const taxOf = types === "Inclusive" ? taxInside : percentOf;
  return taxOf(amount, rate, smallest);
}

export type TaxFlags = Pick<
  TaxRate,
  | "CanApplyToAssets"
  | "CanApplyToEquity"
  | "CanApplyToExpenses"
  | "CanApplyToLiabilities"
  | "CanApplyToRevenue"
>;

const flagOf = {
  ASSET: "CanApplyToAssets",
  EQUITY: "CanApplyToEquity",
  EXPENSE: "CanApplyToExpenses",
  LIABILITY: "CanApplyToLiabilities",
  REVENUE: "CanApplyToRevenue",
} as const satisfies Record<AccountClass, keyof TaxFlags>;

/** Whether a rate with these flags is allowed on an account of this class. */
export function canApply(flags: TaxFlags, accountClass: AccountClass): boolean {
  return flags[flagOf[accountClass]];
}

/** The error message for a line whose rate is not allowed on its account. */
export function taxAccountRefusal(taxType: string, accountCode: string): string {
  return `The TaxType code '${taxType}' cannot be used with account code '${accountCode}'.`;
}

/**
 * The permitted account classes of a new rate, by its ReportTaxType: purchase rates not on revenue,
 * sales rates not on expenses, all others anywhere.
 */
export function canApplyOf(reportTaxType: string | undefined): TaxFlags {
  return {
    CanApplyToAssets: true,
    CanApplyToEquity: true,
    CanApplyToExpenses: reportTaxType !== "OUTPUT",
    CanApplyToLiabilities: true,
    CanApplyToRevenue: reportTaxType !== "INPUT",
  };
}
