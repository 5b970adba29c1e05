/** The lines of a printed document and its totals. */

import { lineNet } from "../../ledger/documents/totals.ts";
import { toBase } from "../../ledger/money.ts";
import { exchangeOf } from "../../ledger/postings/currency.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { type LineAmountTypes, lineAmountTypes } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import { amount, formatPercent, formatRate, price, pricePlaces, quantity } from "../figures.ts";
import type { PaperColumn } from "../pdf/paper-table.ts";
import type { TotalLine } from "../pdf/printed.ts";
import type { Phrase } from "../words/german.ts";
import { english } from "../words/words.ts";
import type { Printable, Reader } from "./printed-kinds.ts";

/** Input for printing lines. */
export interface LineInputs extends Reader {
  readonly document: Printable;
  readonly organisation: Organisation;
  /** Tax rates by TaxType. */
  readonly rateByTaxType: ReadonlyMap<string, TaxRate>;
  /** Decimal places of all unit prices, which `tableOf` works out. */
  readonly decimals?: number;
}

interface LineColumn extends Omit<PaperColumn, "heading"> {
  readonly heading: Phrase;
  read(line: LineItem, inputs: LineInputs): string;
}

const discountOf = (
  { DiscountRate, DiscountAmount }: LineItem,
  { document: { CurrencyCode }, marks }: LineInputs,
): string => {
  if (DiscountRate) return formatPercent(DiscountRate, marks);
  return DiscountAmount ? amount(DiscountAmount, CurrencyCode, marks) : "";
};

const cells = {
  item: { heading: "Item", figures: false, read: ({ ItemCode }) => ItemCode ?? "" },
  description: {
    heading: "Description",
    figures: false,
    read: ({ Description, Item, ItemCode }) => Description ?? Item?.Name ?? ItemCode ?? "",
  },
  quantity: {
    heading: "Quantity",
    figures: true,
    read: ({ Quantity }, { marks }) => (Quantity === undefined ? "" : quantity(Quantity, marks)),
  },
  price: {
    heading: "Unit price",
    figures: true,
    read: ({ UnitAmount }, { document: { CurrencyCode }, marks, decimals: places }) =>
      UnitAmount === undefined ? "" : price(UnitAmount, CurrencyCode, marks, places),
  },
  discount: { heading: "Discount", figures: true, read: discountOf },
  tax: {
    heading: "Tax",
    figures: true,
    read: ({ TaxType }, { rateByTaxType, marks }) => {
      const taxRate = rateByTaxType.get(TaxType ?? "");
      return taxRate === undefined ? "" : formatPercent(taxRate.EffectiveRate, marks);
    },
  },
  amount: {
    heading: "Amount",
    figures: true,
    read: ({ LineAmount }, { document: { CurrencyCode }, marks }) =>
      LineAmount === undefined ? "" : amount(LineAmount, CurrencyCode, marks),
  },
} satisfies Record<string, LineColumn>;

/** Returns the tax setting of the amounts, which quotes spell in capitals. */
export function typesOf({ LineAmountTypes: types = "" }: Printable): LineAmountTypes {
  const knownType = lineAmountTypes.find((type) => type.toLowerCase() === types.toLowerCase());
  return knownType ?? "Exclusive";
}

/**
 * Returns the non-empty columns, and a row of cells for each line; without taxes where the reader
 * keeps the books, and has account and tax of each line below it.
 */
export function tableOf(
  inputs: LineInputs,
  withItems: boolean,
): { readonly columns: readonly PaperColumn[]; readonly rows: string[][] } {
  const { document, organisation } = inputs;
  const { LineItems: lines = [], CurrencyCode } = document;
  const units = lines.flatMap(({ UnitAmount }) => UnitAmount ?? []);
  const lineInputs = { ...inputs, decimals: pricePlaces(units, CurrencyCode) };
  const isTaxed =
    lineInputs.accounts === undefined &&
    typesOf(document) !== "NoTax" &&
    lines.some(({ TaxType }) => TaxType);
  const hasColumn = (cell: LineColumn) => lines.some((line) => cell.read(line, lineInputs) !== "");
  const chosenColumns: readonly LineColumn[] = [
    ...(withItems && hasColumn(cells.item) ? [cells.item] : []),
    cells.description,
    ...(hasColumn(cells.quantity) ? [cells.quantity] : []),
    ...(hasColumn(cells.price) ? [cells.price] : []),
    ...(hasColumn(cells.discount) ? [cells.discount] : []),
    ...(isTaxed ? [{ ...cells.tax, heading: regionAt(organisation.CountryCode).taxName }] : []),
    { ...cells.amount, heading: "Amount %" },
  ];
  const { say } = inputs.words ?? english;
  return {
    columns: chosenColumns.map(({ heading, figures }) => ({
      heading: say(heading, CurrencyCode),
      figures,
    })),
    rows: lines.map((line) =>
      isTextOnly(line)
        ? [cells.description.read(line)]
        : chosenColumns.map((cell) => cell.read(line, lineInputs)),
    ),
  };
}

/** Returns what whoever keeps the books reads below a line: item, account, tax and tracking. */
export function lineDetails(
  { ItemCode, AccountCode = "", TaxType, TaxAmount, Tracking = [] }: LineItem,
  { accounts, rateByTaxType, document, marks }: LineInputs,
): string[] {
  const tax = TaxType === undefined ? undefined : (rateByTaxType.get(TaxType)?.Name ?? TaxType);
  const taxed =
    tax && TaxAmount ? `${tax} ${amount(TaxAmount, document.CurrencyCode, marks)}` : tax;
  return [
    ItemCode,
    accounts?.get(AccountCode) ?? AccountCode,
    taxed,
    ...Tracking.map(({ Option }) => Option),
  ].flatMap((text) => text || []);
}

function isTextOnly({ LineAmount, Quantity, UnitAmount }: LineItem): boolean {
  return !LineAmount && Quantity === undefined && UnitAmount === undefined;
}

/** Returns the totals: net amount, tax by rate, and total. */
export function sumsOf(inputs: LineInputs): TotalLine[] {
  const { document } = inputs;
  const { SubTotal, Total, TotalDiscount, CurrencyCode } = document;
  const { say } = inputs.words ?? english;
  const types = typesOf(document);
  const taxes = types === "NoTax" ? [] : taxSums(inputs);
  const amountOf = (cents: Cents) => amount(cents, CurrencyCode, inputs.marks);
  const sums: TotalLine[] = [];
  if (TotalDiscount)
    sums.push({ label: say("Discounts given above"), amount: amountOf(TotalDiscount) });
  if (taxes.length > 0) {
    const label = say(types === "Inclusive" ? "Subtotal without tax" : "Subtotal");
    sums.push({ label, amount: amountOf(SubTotal) }, ...taxes);
  }
  return [
    ...sums,
    { label: say("Total %", CurrencyCode), amount: amountOf(Total), weight: "total" },
  ];
}

/** Returns tax by rate, in the order of first use. */
function taxSums(inputs: LineInputs): TotalLine[] {
  const { document, rateByTaxType, marks, words = english } = inputs;
  const { LineItems: lines = [], CurrencyCode } = document;
  const types = typesOf(document);
  const byLabel = new Map<string, { net: number; tax: number }>();
  for (const line of lines) {
    const taxRate = rateByTaxType.get(line.TaxType ?? "");
    if (isTextOnly(line) || (taxRate === undefined && !line.TaxAmount)) continue;
    const label = taxLabel(inputs, taxRate);
    const sum = byLabel.get(label) ?? { net: 0, tax: 0 };
    sum.net += lineNet(line, types);
    sum.tax += line.TaxAmount ?? 0;
    byLabel.set(label, sum);
  }
  const isSeveral = byLabel.size > 1;
  return [...byLabel].flatMap(([label, { net, tax }]) => {
    if (!isSeveral && tax === 0) return [];
    const onNet = () => words.say("% on %", label, amount(net as Cents, CurrencyCode, marks));
    const wholeLabel = isSeveral ? onNet() : label;
    return [{ label: wholeLabel, amount: amount(tax as Cents, CurrencyCode, marks) }];
  });
}

/** Returns the label of a tax: `GST 15%`; for no tax or several components the rate's name. */
function taxLabel(
  { organisation, words = english, marks }: LineInputs,
  taxRate: TaxRate | undefined,
): string {
  const tax = words.say(regionAt(organisation.CountryCode).taxName);
  if (taxRate === undefined) return tax;
  const { Name, EffectiveRate, TaxComponents = [] } = taxRate;
  const percentText = formatPercent(EffectiveRate, marks);
  if (EffectiveRate === 0) return Name;
  if (TaxComponents.length > 1) return Name.includes("%") ? Name : `${Name} ${percentText}`;
  return `${tax} ${percentText}`;
}

/** Returns the remarks below the totals: whether amounts include tax, and what a foreign total is. */
export function remarksOf(inputs: LineInputs): string[] {
  const { document, words = english } = inputs;
  const isInclusive = typesOf(document) === "Inclusive" && document.TotalTax !== 0;
  return [...(isInclusive ? [words.say("Amounts include tax.")] : []), ...exchangeRemarks(inputs)];
}

/** Returns the total of a foreign document in the base currency, as a remark. */
function exchangeRemarks({ document, organisation, marks, words = english }: LineInputs): string[] {
  const { CurrencyCode, CurrencyRate, Total, TotalTax } = document;
  const { BaseCurrency } = organisation;
  if (CurrencyCode === BaseCurrency || !CurrencyRate) return [];
  const at = `1 ${BaseCurrency} = ${formatRate(CurrencyRate, marks)} ${CurrencyCode}`;
  const exchange = exchangeOf(CurrencyRate, BaseCurrency);
  const home = (cents: Cents) =>
    `${BaseCurrency} ${amount(toBase(cents, exchange), BaseCurrency, marks)}`;
  const tax = TotalTax ? words.say(", of which tax %", home(TotalTax)) : "";
  return [`${words.say("At %: %", at, home(Total))}${tax}`];
}
