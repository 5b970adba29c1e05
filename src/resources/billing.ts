/**
 * Quotes and orders that become invoices and bills: what is asked, what is remembered, and how a
 * line becomes one of the invoice. An extension: by the public API only a status changes.
 */
import { type LineQuantity, multiplyDivide } from "./decimal.ts";
import { choice, type Input, id, integer, many, quantity, resource } from "./field.ts";
import { invoice } from "./invoice.ts";
import type { LineItem } from "./line-item.ts";

const { fields } = invoice;

/** What may be said of the invoice or bill that is made, and how much of which lines is billed. */
export const billing = resource(
  "Billing",
  {
    InvoiceNumber: fields.InvoiceNumber,
    Reference: fields.Reference,
    Date: fields.Date,
    DueDate: fields.DueDate,
    Status: choice(["DRAFT", "SUBMITTED", "AUTHORISED"], { default: "DRAFT" }),
    CurrencyRate: fields.CurrencyRate,
    BrandingThemeID: fields.BrandingThemeID,
    Url: fields.Url,
    ExpectedPaymentDate: fields.ExpectedPaymentDate,
    PlannedPaymentDate: fields.PlannedPaymentDate,
    Lines: many(
      "Line",
      {
        LineItemID: id(),
        LineNumber: integer({ min: 1, help: "its place, from 1, instead of its id" }),
        Quantity: quantity({ digits: 13, help: "what is left of it when not given" }),
      },
      { max: 1000, help: "everything that is left when not given" },
    ),
  },
  {
    plural: "Billings",
    id: "InvoiceNumber",
    collection: [],
    record: [],
    batchMax: 1,
    columns: ["InvoiceNumber", "Date", "Status"],
    noun: "billing",
    summary: "an invoice or a bill that is made from a quote or an order",
  },
);

export type BillingInput = Input<typeof billing>;

type BillingLine = Partial<LineItem>;

const whole = 10_000 as LineQuantity;

/** How much of a line there is to bill; one of a line that has an amount and no quantity. */
export function quantityOf({ Quantity }: BillingLine): LineQuantity {
  return Quantity || whole;
}

/** Whether a line has only words, so that nothing of it is billed. */
export function isText({ Quantity, UnitAmount, LineAmount, ItemCode }: BillingLine): boolean {
  return !Quantity && !UnitAmount && !LineAmount && ItemCode === undefined;
}

/**
 * A line of an invoice or a bill for some of a line of a quote or an order.
 *
 * @param billed     10⁻⁴, of the sign of the line's own quantity
 * @param discounts  false for bills, whose lines take none: their amount is what is left by it
 */
export function billedLine(
  line: BillingLine,
  billed: number | bigint,
  discounts: boolean,
): BillingLine {
  if (isText(line)) return { Description: line.Description };
  const { Description, ItemCode, AccountCode, AccountID, TaxType, Tracking, UnitAmount } = line;
  const all = quantityOf(line);
  const isWhole = billed === all;
  const part = (value: number | undefined) =>
    value === undefined ? undefined : multiplyDivide(value, billed, all);
  const coded = { Description, ItemCode, AccountCode, AccountID, TaxType, Tracking };
  const { DiscountRate, DiscountAmount } = line;
  const isReduced = !discounts && Boolean(DiscountRate || DiscountAmount);
  const Quantity = isWhole ? line.Quantity : billed;
  // What was agreed to the cent stands as long as it is billed whole.
  const agreed = { LineAmount: line.LineAmount, TaxAmount: line.TaxAmount };
  const priced = isReduced
    ? { LineAmount: part(line.LineAmount), ...(isWhole ? { TaxAmount: line.TaxAmount } : {}) }
    : {
        UnitAmount,
        ...(discounts && DiscountRate !== undefined ? { DiscountRate } : {}),
        ...(discounts && DiscountRate === undefined
          ? { DiscountAmount: part(DiscountAmount) }
          : {}),
        ...(isWhole ? agreed : {}),
      };
  const made = { ...coded, Quantity, ...priced };
  return Object.fromEntries(
    Object.entries(made).filter(([, value]) => value !== undefined),
  ) as BillingLine;
}
