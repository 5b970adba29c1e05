/**
 * Lines and totals of documents.
 *
 * A line is completed once, when it is sent: quantity, unit amount and line amount are made
 * consistent, and the tax is computed or taken as sent. From then on totals only add up: tax is
 * rounded per line and summed, never recomputed from a sum.
 */

import {
  amountFault,
  amountText,
  digitsFault,
  type LineAmountTypes,
  smallestAmount,
} from "../../resources/common.ts";
import { divideRounded, isSafe, scaleOf, writeDecimal } from "../../resources/decimal.ts";
import type { Fault } from "../../resources/errors.ts";
import { lineAmountMaxCents } from "../../resources/line-item.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import {
  add,
  type Cents,
  type LineQuantity,
  lineAmount,
  missingFactor,
  type Percent,
  type Smallest,
  type UnitAmount,
  wholePercent,
  zeroCents,
} from "../money.ts";
import { lineTax } from "../tax.ts";

/** The monetary fields of a line item. */
export interface Line {
  readonly Quantity?: LineQuantity | undefined;
  readonly UnitAmount?: UnitAmount | undefined;
  readonly ItemCode?: string | undefined;
  readonly AccountCode?: string | undefined;
  readonly AccountID?: string | undefined;
  readonly TaxAmount?: Cents | undefined;
  readonly LineAmount?: Cents | undefined;
  readonly DiscountRate?: Percent | undefined;
  readonly DiscountAmount?: Cents | undefined;
}

export interface LineContext {
  readonly types: LineAmountTypes;
  /** Effective rate of the line's tax type; undefined without a tax type. */
  readonly rate: Percent | undefined;
  /**
   * Decimals to which a unit amount is rounded. A unit amount with more decimals keeps them when
   * its line amount is their product: such a line was created with them before.
   */
  readonly unitDecimals: 2 | 4;
  /** Whether a discount is allowed; on sales only. */
  readonly discounts: boolean;
  /** Currency of the document, for the number of decimals; undefined means cents. */
  readonly currency?: string | undefined;
  /**
   * On an update, the stored unit amount of the line. It is not rounded again; and a caller who
   * sends it back as displayed, with a consistent line amount, does not lose its further digits.
   */
  readonly stored?: UnitAmount | undefined;
}

export interface CompletedLine<L extends Line> {
  /**
   * The line with Quantity, UnitAmount, LineAmount and TaxAmount filled in where they can be
   * derived.
   */
  readonly line: L;
  /** The faults of the line. */
  readonly faults: readonly Fault[];
}

const smallestOf = ({ currency }: Pick<LineContext, "currency">): Smallest =>
  currency === undefined ? 1 : smallestAmount(currency);

const oneUnit = 10_000 as LineQuantity;
const noFaults: readonly string[] = [];

/** Whether a line charges nothing and has at most a description: such a line posts nothing. */
export function isDescriptionOnly(line: Line): boolean {
  return (
    !line.Quantity &&
    !line.UnitAmount &&
    !line.LineAmount &&
    !line.TaxAmount &&
    line.ItemCode === undefined &&
    line.AccountCode === undefined &&
    line.AccountID === undefined
  );
}

/**
 * Completes a line as a caller sent it.
 *
 * Of quantity, unit amount and line amount, any two give the third; a unit amount or a line amount
 * alone implies a quantity of one. All three must agree to the cent; a derived factor has four
 * decimals, and then the line amount stays as sent even if the product differs. A tax amount that
 * was sent is kept, whatever the rate, except that NoTax has none.
 *
 * @returns the line, unchanged when it is a description only, and its faults
 */
export function completeLine<L extends Line>(line: L, context: LineContext): CompletedLine<L> {
  const lineFault = (rule: RuleName, messages: readonly string[]) => ({
    line,
    faults: messages.map((message) => ({ rule, message })),
  });
  if (isDescriptionOnly(line)) return { line, faults: [] };
  const faults = discountFaults(line, context);
  if (faults.length > 0) return lineFault("Discount", faults);
  const decimals = faultsOfDecimals(line, context);
  if (decimals.length > 0) return lineFault("Currency", decimals);
  const factors = factorsOf(line, context);
  if (typeof factors === "string") return lineFault("LineAmount", [factors]);
  const { Quantity, UnitAmount, LineAmount } = factors;
  if (Math.abs(LineAmount) > lineAmountMaxCents) return lineFault("Limit", [tooLarge]);
  const TaxAmount =
    context.types === "NoTax"
      ? zeroCents
      : (line.TaxAmount ?? lineTax(LineAmount, context.rate, context.types, smallestOf(context)));
  return { line: { ...line, Quantity, UnitAmount, LineAmount, TaxAmount }, faults: [] };
}

interface Factors {
  readonly Quantity: LineQuantity | undefined;
  readonly UnitAmount: UnitAmount | undefined;
  readonly LineAmount: Cents;
}

const tooLarge = "The line amount must not be larger than 9999999999.99";
/** The largest unit amount in whole cents that is a safe integer. */
const unitAmountMax = Math.floor(Number.MAX_SAFE_INTEGER / 100) * 100;
const unitTooLarge = `The UnitAmount must not be larger than ${writeDecimal(unitAmountMax, 4, 2)}`;

/** Quantity, unit amount and line amount, as sent or derived from each other; or their fault. */
function factorsOf(line: Line, context: LineContext): Factors | string {
  const sent = line.LineAmount;
  const exact = line.UnitAmount;
  if (exact === undefined) {
    if (sent === undefined) {
      return { Quantity: line.Quantity, UnitAmount: undefined, LineAmount: zeroCents };
    }
    const quantity = line.Quantity ?? oneUnit;
    const unit = missingFactorOf(line, sent, quantity);
    if (unit === undefined) return totalMismatch(sent, zeroCents, context);
    return { Quantity: quantity, UnitAmount: isSafe(Number(unit)) as UnitAmount, LineAmount: sent };
  }
  if (Math.abs(exact) > unitAmountMax) return unitTooLarge;
  const unit = unitAmountOf(line, exact, context);
  if (line.Quantity === undefined) {
    if (sent === undefined) return lineAmountOf(line, oneUnit, unit, context);
    const quantity = missingFactorOf(line, sent, unit);
    if (quantity === undefined) return totalMismatch(sent, zeroCents, context);
    return {
      Quantity: (sent === 0 && unit === 0 ? oneUnit : quantity) as LineQuantity,
      UnitAmount: unit,
      LineAmount: sent,
    };
  }
  const factors = lineAmountOf(line, line.Quantity, unit, context);
  if (typeof factors === "string" || sent === undefined) return factors;
  if (!agree(line, line.Quantity, unit, sent, context))
    return totalMismatch(sent, factors.LineAmount, context);
  return { ...factors, LineAmount: sent };
}

/** The unit amount of a line: as sent, rounded, or with the stored digits. */
function unitAmountOf(line: Line, exact: UnitAmount, context: LineContext): UnitAmount {
  const { stored, unitDecimals } = context;
  if (exact === stored) return exact;
  const shortest = roundUnit(exact, unitDecimals);
  const { Quantity: quantity, LineAmount: sent } = line;
  if (quantity === undefined || sent === undefined) return shortest;
  if (exact !== shortest) return agree(line, quantity, exact, sent, context) ? exact : shortest;
  if (stored === undefined || roundUnit(stored, unitDecimals) !== shortest) return shortest;
  if (agree(line, quantity, shortest, sent, context)) return shortest;
  return agree(line, quantity, stored, sent, context) ? stored : shortest;
}

/**
 * Whether the three amounts agree: the line amount is the product, to the cent, or one factor is
 * the quotient of the line amount and the other factor, to its last digit.
 */
export function agree(
  line: Line,
  quantity: LineQuantity,
  unit: UnitAmount,
  amount: Cents,
  context: Pick<LineContext, "currency">,
): boolean {
  const factors = lineAmountOf(line, quantity, unit, context);
  if (typeof factors === "string") return false;
  return (
    factors.LineAmount === amount ||
    missingFactorOf(line, amount, quantity) === unit ||
    missingFactorOf(line, amount, unit) === quantity
  );
}

/** The line amount from quantity, unit amount and the line's discount. */
function lineAmountOf(
  line: Line,
  quantity: LineQuantity,
  unit: UnitAmount,
  context: Pick<LineContext, "currency">,
): Factors | string {
  // Checked by size first, since the error for the exact product would be less specific.
  if (Math.abs(Number(quantity) * unit) > 1.01e6 * lineAmountMaxCents) return tooLarge;
  const smallest = smallestOf(context);
  const gross = lineAmount(quantity, unit, undefined, smallest);
  const { DiscountRate: rate = 0 as Percent, DiscountAmount: discount } = line;
  let net = rate === 0 ? gross : lineAmount(quantity, unit, rate, smallest);
  if (discount !== undefined && discount !== 0) {
    if (rate !== 0 && gross - net !== discount) {
      return "A line can have a DiscountRate or a DiscountAmount, not both";
    }
    if (gross < 0 ? discount > 0 || discount < gross : discount < 0 || discount > gross) {
      return "The DiscountAmount must be between zero and the undiscounted line amount";
    }
    net = (gross - discount) as Cents;
  }
  return { Quantity: quantity, UnitAmount: unit, LineAmount: net };
}

/** The factor that with `factor` and the line's discount gives `amount`, if there is one. */
function missingFactorOf(
  line: Line,
  amount: Cents,
  factor: number | bigint,
): number | bigint | undefined {
  const gross = add(amount, line.DiscountRate ? zeroCents : (line.DiscountAmount ?? zeroCents));
  if (gross === 0) return 0;
  if (factor === 0 || line.DiscountRate === wholePercent) return undefined;
  return missingFactor(gross, factor, line.DiscountRate);
}

/** Faults of amounts and prices with decimals in a currency that has none. */
function faultsOfDecimals(line: Line, context: LineContext): readonly string[] {
  const { currency } = context;
  if (currency === undefined || smallestOf(context) === 1) return noFaults;
  const inPrice = digitsFault(line.UnitAmount ?? 0, scaleOf.unitAmount, currency);
  const inAmounts = (["LineAmount", "TaxAmount", "DiscountAmount"] as const).flatMap(
    (name) => amountFault(name, line[name] ?? 0, currency) ?? [],
  );
  if (inPrice === undefined || isDerivedPrice(line, context)) return inAmounts;
  return [
    `The UnitAmount ${inPrice}, or say a part of a unit by Quantity and LineAmount.`,
    ...inAmounts,
  ];
}

/** Whether a price is the quotient of line amount and quantity, or the stored price. */
function isDerivedPrice(line: Line, { unitDecimals, stored }: LineContext): boolean {
  const { Quantity, UnitAmount = 0, LineAmount } = line;
  if (stored !== undefined && UnitAmount === roundUnit(stored, unitDecimals)) return true;
  if (UnitAmount === stored) return true;
  const computed = LineAmount && Quantity ? missingFactorOf(line, LineAmount, Quantity) : undefined;
  return computed !== undefined && UnitAmount === roundUnit(computed as UnitAmount, unitDecimals);
}

function discountFaults(line: Line, { discounts }: LineContext): readonly string[] {
  const { DiscountRate: rate, DiscountAmount: amount } = line;
  if (!rate && !amount) return noFaults;
  if (!discounts) return ["A discount can be given on sales invoices only"];
  if (rate !== undefined && (rate < 0 || rate > wholePercent)) {
    return ["The DiscountRate must be between 0 and 100"];
  }
  return noFaults;
}

function totalMismatch(sentAmount: Cents, expected: Cents, { currency }: LineContext): string {
  return (
    `The line total ${amountText(sentAmount, currency)} does not match ` +
    `the expected line total ${amountText(expected, currency)}`
  );
}

export function roundUnit(unit: UnitAmount, decimals: 2 | 4): UnitAmount {
  return decimals === 4 ? unit : ((divideRounded(unit, 100) * 100) as UnitAmount);
}

export interface Totals {
  readonly SubTotal: Cents;
  readonly TotalTax: Cents;
  readonly Total: Cents;
  /** Total of the discounts, 0 without any. */
  readonly TotalDiscount: Cents;
}

/**
 * The totals of a document; `Total = SubTotal + TotalTax` always.
 *
 * @param lines  completed lines
 * @throws RefusedError `Overflow`
 */
export function documentTotals(
  lines: readonly Line[],
  types: LineAmountTypes,
  smallest: Smallest = 1,
): Totals {
  let amount = zeroCents;
  let tax = zeroCents;
  let discount = zeroCents;
  for (const line of lines) {
    const { LineAmount = zeroCents, TaxAmount, Quantity, UnitAmount } = line;
    amount = add(amount, LineAmount);
    if (types !== "NoTax" && TaxAmount !== undefined) tax = add(tax, TaxAmount);
    if (!line.DiscountRate && !line.DiscountAmount) continue;
    if (Quantity === undefined || UnitAmount === undefined) continue;
    const gross = lineAmount(Quantity, UnitAmount, undefined, smallest);
    discount = add(discount, (gross - LineAmount) as Cents);
  }
  const Total = types === "Inclusive" ? amount : add(amount, tax);
  const SubTotal = types === "Inclusive" ? ((amount - tax) as Cents) : amount;
  return { SubTotal, TotalTax: tax, Total, TotalDiscount: discount };
}

/** The net amount of a completed line, without tax, in the currency of the document. */
export function lineNet(line: Line, types: LineAmountTypes): Cents {
  const { LineAmount = zeroCents, TaxAmount = zeroCents } = line;
  return types === "Inclusive" ? ((LineAmount - TaxAmount) as Cents) : LineAmount;
}
