/**
 * Billing of quotes and orders: request, record, and conversion of a line to one of the invoice or
 * bill. An extension: the public API only changes statuses.
 */
import { type LineQuantity, multiplyDivide } from "./decimal.ts";
import { choice, type Input, id, integer, many, quantity, resource } from "./field.ts";
import { invoice } from "./invoice.ts";
import type { LineItem } from "./line-item.ts";

const { fields } = invoice;

/** Request to bill: options for the invoice or bill to create, and quantities of lines to bill. */
export const billing = resource(
  "Billing",
  () => ({
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
  }),
  {
    plural: "Billings",
    id: "InvoiceNumber",
    columns: ["InvoiceNumber", "Date", "Status"],
    noun: "billing",
    summary: "an invoice or a bill that is made from a quote or an order",
  },
);

export type BillingInput = Input<typeof billing>;

type BillingLine = Partial<LineItem>;

const wholeQuantity = 10_000 as LineQuantity;

/** Quantity of a line to bill; one for a line with an amount but no quantity. */
export function quantityOf({ Quantity }: BillingLine): LineQuantity {
  return Quantity || wholeQuantity;
}

/** Whether a line is text only, so that nothing of it is billed. */
export function isText({ Quantity, UnitAmount, LineAmount, ItemCode }: BillingLine): boolean {
  return !Quantity && !UnitAmount && !LineAmount && ItemCode === undefined;
}

/**
 * Line of an invoice or bill for part of a line of a quote or order.
 *
 * @param billed     billed quantity in 10⁻⁴, with the sign of the line's quantity
 * @param allowsDiscounts  false for bills, whose lines have no discount: their amount is after discount
 */
export function billedLine(
  line: BillingLine,
  billed: number | bigint,
  allowsDiscounts: boolean,
): BillingLine {
  if (isText(line)) return { Description: line.Description };
  const { Description, ItemCode, AccountCode, AccountID, TaxType, Tracking, UnitAmount } = line;
  const wholeQuantity = quantityOf(line);
  const isAll = billed === wholeQuantity;
  const partOf = (value: number | undefined) =>
    value === undefined ? undefined : multiplyDivide(value, billed, wholeQuantity);
  const coded = { Description, ItemCode, AccountCode, AccountID, TaxType, Tracking };
  const { DiscountRate, DiscountAmount } = line;
  const isReduced = !allowsDiscounts && Boolean(DiscountRate || DiscountAmount);
  const Quantity = isAll ? line.Quantity : billed;
  // A line that is billed completely keeps its agreed amounts to the cent.
  const agreed = { LineAmount: line.LineAmount, TaxAmount: line.TaxAmount };
  const priced = isReduced
    ? { LineAmount: partOf(line.LineAmount), ...(isAll ? { TaxAmount: line.TaxAmount } : {}) }
    : {
        UnitAmount,
        ...(allowsDiscounts && DiscountRate !== undefined ? { DiscountRate } : {}),
        ...(allowsDiscounts && DiscountRate === undefined
          ? { DiscountAmount: partOf(DiscountAmount) }
          : {}),
        ...(isAll ? agreed : {}),
      };
  const newLine = { ...coded, Quantity, ...priced };
  return Object.fromEntries(
    Object.entries(newLine).filter(([, value]) => value !== undefined),
  ) as BillingLine;
}
