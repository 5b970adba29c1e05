/** Workings of document lines: each rounding step to their amounts, exactly and as text. */
import { lineNet } from "../../ledger/documents/totals.ts";
import { lineAmount, percentOf, taxInside } from "../../ledger/money.ts";
import { amountText, inDigitsOf, smallestAmount } from "../../resources/common.ts";
import {
  type Cents,
  type Percent,
  type Quantity,
  shortDecimal,
  type UnitAmount,
  writeDecimal,
} from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { StoredDocument } from "../documents/stored-documents.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import type { SumPart } from "./origin.ts";

/** Maximum digits shown of a quotient without an end. */
const digitsMax = 6;

/** Formats an exact value with as few decimals as it needs, two at least: `8.9955`. */
function exactText(value: bigint, digits: number): string {
  const sign = value < 0n ? "-" : "";
  const text = String(value < 0n ? -value : value).padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "").padEnd(2, "0");
  return `${sign}${text.slice(0, -digits)}.${fraction}`;
}

/**
 * Formats a quotient exactly, `8.9955`, or with its first digits and an ellipsis where it has no
 * end.
 */
export function quotientText(dividend: bigint, divisor: bigint): string {
  const scaled = dividend * 10n ** BigInt(digitsMax);
  const text = exactText(scaled / divisor, digitsMax);
  return scaled % divisor === 0n ? text : `${text}…`;
}

/** Returns label, number and attributes of a line as a part. */
const partOf = (line: LineItem, at: number): Pick<SumPart, "label" | "number" | "attributes"> => ({
  label: line.Description?.split("\n")[0] ?? line.ItemCode ?? `Line ${at + 1}`,
  number: `line ${at + 1}`,
  ...(line.LineItemID === undefined
    ? {}
    : { attributes: [{ Value: line.LineItemID, Id: "lineItemID" }] }),
});

/**
 * Returns the working of a line: `3 x 19.99 less 10 % = 53.973, rounded`; undefined for a plain
 * amount.
 */
export function lineWorking(line: LineItem, currency: string | undefined): string | undefined {
  const { Quantity, UnitAmount, DiscountRate = 0, DiscountAmount, LineAmount } = line;
  if (Quantity === undefined || UnitAmount === undefined || LineAmount === undefined) {
    return undefined;
  }
  const product = `${shortDecimal(Quantity, 4)} x ${priceText(UnitAmount, currency)}`;
  const netShare = BigInt(1_000_000 - DiscountRate);
  const exact = BigInt(Quantity) * BigInt(UnitAmount) * netShare;
  if (DiscountAmount !== undefined && DiscountAmount !== 0 && DiscountRate === 0) {
    return `${product} less ${amountText(DiscountAmount, currency)}`;
  }
  const less = DiscountRate === 0 ? "" : ` less ${shortDecimal(DiscountRate, 4)} %`;
  const isRound = exact % 1_000_000_000_000n === 0n;
  const result = isRound ? "" : ` = ${exactText(exact, 14)}, rounded`;
  return `${product}${less}${result}`;
}

const priceText = (price: UnitAmount, currency: string | undefined): string => {
  const text = shortDecimal(price, 4);
  return /\.\d\d/.test(text) ? text : inDigitsOf(currency, writeDecimal(price, 4, 2));
};

/** Returns the net amounts of lines as parts. */
export function netParts(document: StoredDocument): SumPart[] {
  const { LineItems, LineAmountTypes, CurrencyCode } = document;
  const money = (amount = 0) => amountText(amount, CurrencyCode);
  return LineItems.flatMap((line, at): SumPart[] => {
    const amount = lineNet(line, LineAmountTypes);
    if (amount === 0) return [];
    const ownWorking = lineWorking(line, CurrencyCode);
    const working =
      LineAmountTypes === "Inclusive"
        ? `${money(line.LineAmount)} less tax ${money(line.TaxAmount)}`
        : ownWorking;
    return [{ ...partOf(line, at), working, amount }];
  });
}

/** Returns the tax of each line as a part: by its rate, exact and rounded, or as entered. */
export function taxParts(document: StoredDocument, chart: Chart): SumPart[] {
  const { LineItems, LineAmountTypes, CurrencyCode } = document;
  if (LineAmountTypes === "NoTax") return [];
  return LineItems.flatMap((line, at): SumPart[] => {
    const { TaxAmount: amount = 0, TaxType = "", LineAmount = 0 as Cents } = line;
    const rate = chart.taxRate(TaxType)?.EffectiveRate;
    if (amount === 0 && (rate === undefined || rate === 0 || LineAmount === 0)) return [];
    const text = taxWorking(LineAmount, rate, LineAmountTypes === "Inclusive", CurrencyCode);
    const isEntered = text === undefined || text.rounded !== amount;
    const working =
      text === undefined
        ? "entered"
        : isEntered
          ? `entered; ${text.text} would be ${amountText(text.rounded, CurrencyCode)}`
          : text.text;
    const textPart = partOf(line, at);
    return [
      {
        ...textPart,
        label: `${textPart.label}, ${chart.taxRate(TaxType)?.Name ?? TaxType}`,
        working,
        amount,
        attributes: [
          ...(textPart.attributes ?? []),
          { Value: TaxType, Id: "taxType" },
          ...(text === undefined || isEntered ? [] : [{ Value: text.exact, Id: "exact" }]),
        ],
      },
    ];
  });
}

function taxWorking(amount: Cents, rate: Percent | undefined, isInside: boolean, currency: string) {
  if (rate === undefined) return undefined;
  const smallest = smallestAmount(currency);
  const percent = shortDecimal(rate, 4);
  const exact = isInside
    ? quotientText(BigInt(amount) * BigInt(rate), BigInt(1_000_000 + rate) * 100n)
    : exactText(BigInt(amount) * BigInt(rate), 8);
  const rounded = (isInside ? taxInside : percentOf)(amount, rate, smallest);
  const share = `${amountText(amount, currency)} x ${percent} ${isInside ? `/ ${shortDecimal(1_000_000 + rate, 4)}` : "%"}`;
  const isRound = !exact.includes("…") && Number(exact) * 100 === rounded;
  return {
    text: `${share} = ${inDigitsOf(currency, exact)}${isRound ? "" : ", rounded"}`,
    exact,
    rounded,
  };
}

/** Returns the discount of each line as a part. */
export function discountParts({ LineItems, CurrencyCode }: StoredDocument): SumPart[] {
  return LineItems.flatMap((line, at): SumPart[] => {
    const { Quantity: quantity, UnitAmount: unit, LineAmount = 0, DiscountRate = 0 } = line;
    const isLess = DiscountRate !== 0 || (line.DiscountAmount ?? 0) !== 0;
    if (!isLess || quantity === undefined || unit === undefined) return [];
    const gross = lineAmount(quantity as Quantity, unit as UnitAmount);
    const amount = gross - LineAmount;
    if (amount === 0) return [];
    const [whole, left] = [gross, LineAmount].map((number) => amountText(number, CurrencyCode));
    return [{ ...partOf(line, at), working: `${whole} less ${left}`, amount }];
  });
}
