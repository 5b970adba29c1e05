/**
 * Tax rates and what they do to a line.
 *
 * A rate is made of components. What a line is charged is the effective rate, on the line, rounded
 * per line; the components only say how the tax of a line divides.
 */

import type { LineAmountTypes } from "../resources/common.ts";
import { divideRounded, multiplyDivide } from "../resources/decimal.ts";
import { RefusedError } from "../resources/errors.ts";
import type { TaxRate } from "../resources/tax-rate.ts";
import {
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
  /** Charged on the net amount and the simple components together. */
  readonly IsCompound?: boolean | undefined;
  /** Not reclaimed from the state. */
  readonly IsNonRecoverable?: boolean | undefined;
}

/**
 * What the components charge together: simple ones add up, the compound one is charged on top of
 * them, s + c × (1 + s/100).
 *
 * @throws RefusedError `TaxComponents` when more than one is compound
 * @source accounting practice of Quebec before 2013 and of any rate marked compound
 */
export function effectiveRate(components: readonly Component[]): Percent {
  let simple = 0;
  let compound: number | undefined;
  for (const { Rate, IsCompound } of components) {
    if (!IsCompound) {
      simple += Rate;
    } else if (compound === undefined) {
      compound = Rate;
    } else {
      throw new RefusedError("TaxComponents", "A tax rate can have only one compound component.");
    }
  }
  if (compound === undefined) return simple as Percent;
  return (simple + compound + divideRounded(compound * simple, wholePercent)) as Percent;
}

/**
 * How the tax of a line divides over the components of its rate.
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
  const simple = components.reduce((all, one) => (one.IsCompound ? all : all + one.Rate), 0);
  // 10⁻⁴ percent, six digits further, so that the compound share is whole.
  const weights = components.map((one) =>
    one.IsCompound ? one.Rate * (wholePercent + simple) : one.Rate * wholePercent,
  );
  const whole = weights.reduce((all, weight) => all + weight, 0);
  let left: number = taxAmount;
  return weights.map((weight, index) => {
    if (index === weights.length - 1) return left as Cents;
    const part = whole === 0 ? zeroCents : share(taxAmount, weight, whole, smallest);
    left -= part;
    return part;
  });
}

/**
 * The part of a line's tax that is not reclaimed and so belongs to the line's own account.
 *
 * @returns same sign as `taxAmount`; 0 where every component is recoverable
 */
export function nonRecoverableShare(
  taxAmount: Cents,
  components: readonly Component[],
  smallest: Smallest = 1,
): Cents {
  if (!components.some((one) => one.IsNonRecoverable)) return zeroCents;
  const parts = componentTaxes(taxAmount, components, smallest);
  const share = parts.reduce<number>(
    (all, part, index) => (components[index]?.IsNonRecoverable ? all + part : all),
    0,
  );
  return share as Cents;
}

/**
 * The tax that is not reclaimed in what a line has posted on its own account.
 *
 * @param posted     net and that tax together, either sign
 * @param reclaimed  the rest of the tax, as it was posted
 * @returns what the net was charged and rounded to; of tax that was entered its share of the rest
 */
export function nonRecoverableInside(
  posted: Cents,
  reclaimed: Cents,
  { EffectiveRate, TaxComponents = [] }: Pick<TaxRate, "EffectiveRate" | "TaxComponents">,
): Cents {
  if (!TaxComponents.some((one) => one.IsNonRecoverable)) return zeroCents;
  const kept = effectiveRate(TaxComponents.filter((one) => !one.IsNonRecoverable));
  const lost = (EffectiveRate - kept) as Percent;
  const likely = taxInside(posted, lost);
  const exact = [0, -1, 1].find((cent) => {
    const whole = (likely + cent + reclaimed) as Cents;
    const net = (posted - likely - cent) as Cents;
    const charged = percentOf(net, EffectiveRate) === whole;
    return charged && nonRecoverableShare(whole, TaxComponents) === likely + cent;
  });
  if (exact !== undefined) return (likely + exact) as Cents;
  return kept === 0 ? likely : (multiplyDivide(reclaimed, lost, kept) as Cents);
}

/**
 * The tax of a line whose buyer accounts for it in place of the supplier: of a rate that is shown,
 * but not charged on the document.
 *
 * @param net  of the line, either sign
 */
export function reverseCharge(
  net: Cents,
  { DisplayTaxRate, EffectiveRate }: Pick<TaxRate, "DisplayTaxRate" | "EffectiveRate">,
  smallest: Smallest,
): Cents {
  return EffectiveRate === 0 ? percentOf(net, DisplayTaxRate, smallest) : zeroCents;
}

/**
 * The tax of a line.
 *
 * @param amount  the line amount, either sign
 * @param rate    effective rate; none charges nothing
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

/** Whether a rate with these flags may stand on an account of this class. */
export function canApply(flags: TaxFlags, accountClass: AccountClass): boolean {
  return flags[flagOf[accountClass]];
}

/** What the service says of a line whose rate may not stand on its account. */
export function taxAccountRefusal(taxType: string, accountCode: string): string {
  return `The TaxType code '${taxType}' cannot be used with account code '${accountCode}'.`;
}

/**
 * Where a new rate may stand, by how it is reported: purchases not on revenue, sales not on
 * expenses, all others anywhere.
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
