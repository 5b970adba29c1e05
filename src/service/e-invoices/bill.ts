/**
 * Converts an e-invoice to a bill, or to a supplier's credit note.
 *
 * Every line is booked without tax, and the tax of each rate is spread over its lines, so that the
 * document matches the supplier's totals to the cent. Allowances and charges of the whole document
 * become lines.
 */
import {
  amountOf,
  atScale,
  type EInvoice,
  isZero,
  type Line,
  one,
  percentOf,
  purchaseTaxTypes,
  type TaxKey,
  taxKeyOf,
  toDecimal,
  unitPriceOf,
  writeDecimalOf,
} from "../../e-invoices/index.ts";
import type { Cents } from "../../ledger/money.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { canApply } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import { amountText, smallestAmount } from "../../resources/common.ts";
import {
  divideRounded,
  type Percent,
  type Quantity,
  scaleOf,
  type UnitAmount,
} from "../../resources/decimal.ts";
import type { InputOf } from "../../resources/field.ts";
import type { lineItemFields } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { sellerCountry } from "./compose-e-invoice.ts";

export type BillLine = InputOf<typeof lineItemFields>;

export interface BillOptions {
  readonly organisation: Organisation;
  readonly chart: Chart;
  /** Account of the lines; undefined where it is not chosen yet. */
  readonly account: Account | undefined;
  /** Whether tax is added to the cost, since it cannot be reclaimed. */
  readonly isTaxCost: boolean;
}

/** The lines of the draft, and sentences on what prevents their booking. */
export interface BilledLines {
  readonly lines: readonly BillLine[];
  readonly faults: readonly string[];
}

/** A charged amount: a line, or an allowance or charge of the whole document. */
interface ChargedAmount extends TaxKey {
  readonly line: BillLine;
  readonly net: Cents;
}

export function billLines(invoice: EInvoice, options: BillOptions): BilledLines {
  const charged = [
    ...invoice.lines.map(chargedLine),
    ...invoice.allowances.map((allowance) => {
      const net = (allowance.isCharge ? allowance.amount : -allowance.amount) as Cents;
      const reason = allowance.reason ?? (allowance.isCharge ? "Charge" : "Discount");
      return { ...allowance, net, line: wholeLine(reason, net) };
    }),
  ];
  const taxes = spreadTax(invoice, charged);
  const faultTexts = new Set<string>();
  const lines = charged.map((charged, at) => {
    const tax = taxes[at] ?? (0 as Cents);
    const { line } = charged;
    const AccountCode = options.account?.Code;
    if (options.isTaxCost) {
      const untaxed = { TaxType: noTax(options), TaxAmount: 0 as Cents, AccountCode };
      return tax === 0
        ? { ...line, ...untaxed }
        : { ...grossLine(line, charged.net, tax, invoice.currency), ...untaxed };
    }
    const TaxType = taxTypeFor(charged, options);
    if (TaxType === undefined) faultTexts.add(noRate(charged, invoice));
    return { ...line, TaxType, TaxAmount: tax, AccountCode };
  });
  const { rounding } = invoice.totals;
  if (rounding !== 0) {
    const untaxed = { TaxType: noTax(options), TaxAmount: 0 as Cents };
    const AccountCode = options.account?.Code;
    lines.push({ ...wholeLine("Rounding", rounding), ...untaxed, AccountCode });
  }
  return { lines, faults: [...faultTexts] };
}

// --- amounts ---------------------------------------------------------------------------------------

function chargedLine(line: Line): ChargedAmount {
  const { name, description, note, net, category, rate } = line;
  const text = [name, description, note].filter((text) => text !== undefined).join("\n");
  return {
    category,
    rate,
    net,
    line: { ...quantifyLine(line), Description: text.slice(0, textMax) },
  };
}

/** Maximum length of a description. */
const textMax = 4000;

/**
 * Returns quantity and price if they multiply to the amount with four decimals; else only the
 * amount.
 */
function quantifyLine({ quantity, price, priceQuantity, net, ...line }: Line): BillLine {
  const Quantity = atScale(quantity, scaleOf.quantity);
  if (Quantity !== undefined && !isZero(quantity)) {
    const isSimple = line.allowances.length === 0 && (priceQuantity ?? one).units === 1n;
    const prices = [...(isSimple ? [price] : []), unitPriceOf(net, quantity, scaleOf.unitAmount)];
    for (const price of prices) {
      const UnitAmount = atScale(price, scaleOf.unitAmount);
      if (UnitAmount !== undefined && amountOf(quantity, price) === net) {
        const amounts = { UnitAmount: UnitAmount as UnitAmount, LineAmount: net };
        return { Quantity: Quantity as Quantity, ...amounts };
      }
    }
  }
  return oneLine(net);
}

const oneLine = (net: Cents): BillLine => ({
  Quantity: 10_000 as Quantity,
  UnitAmount: (net * 100) as UnitAmount,
});

const wholeLine = (Description: string, net: Cents): BillLine => ({ ...oneLine(net), Description });

function grossLine(line: BillLine, net: Cents, tax: Cents, currency: string): BillLine {
  const description = `${line.Description}\nwith tax of ${amountText(tax, currency)}`;
  return wholeLine(description.slice(0, textMax), (net + tax) as Cents);
}

/**
 * Returns the tax of each charge by its rate, with the cents that the supplier's tax total differs
 * by on the largest ones.
 */
function spreadTax({ taxes, currency }: EInvoice, charged: readonly ChargedAmount[]): Cents[] {
  const smallest = smallestAmount(currency);
  const spreadTaxes = charged.map(({ net, rate }) =>
    rate === undefined
      ? (0 as Cents)
      : ((divideRounded(percentOf(net, rate), smallest) * smallest) as Cents),
  );
  for (const tax of taxes) {
    const key = taxKeyOf(tax);
    const linePositions = charged.flatMap((charged, at) => (taxKeyOf(charged) === key ? [at] : []));
    const size = (at: number) => Math.abs(charged[at]?.net ?? 0);
    linePositions.sort((a, b) => size(b) - size(a) || a - b);
    const computedSum = linePositions.reduce((sum, at) => sum + (spreadTaxes[at] ?? 0), 0);
    const step = Math.sign(tax.amount - computedSum) * smallest;
    const stepCount = Math.abs(tax.amount - computedSum) / smallest;
    for (let round = 0; round < stepCount; round += 1) {
      const at = linePositions[round % linePositions.length];
      if (at !== undefined) spreadTaxes[at] = ((spreadTaxes[at] ?? 0) + step) as Cents;
    }
  }
  return spreadTaxes;
}

// --- tax rates -------------------------------------------------------------------------------------

const noTax = ({ organisation }: Pick<BillOptions, "organisation">): string =>
  regionAt(organisation.CountryCode).noTax;

/** Returns the book's tax rate for purchases of a tax category; undefined where there is none. */
function taxTypeFor(
  { category, rate }: TaxKey,
  { organisation, chart, account }: BillOptions,
): string | undefined {
  const usable = chart.taxRates.filter(
    (taxRate) =>
      taxRate.Status === "ACTIVE" &&
      taxRate.Unusable !== true &&
      canApply(taxRate, account?.Class ?? "EXPENSE"),
  );
  const percent = (rate === undefined ? 0 : atScale(rate, scaleOf.percent)) as Percent | undefined;
  if (category === "S" && percent !== 0) {
    const { standardPurchases } = regionAt(organisation.CountryCode);
    const ratesOfPercent = usable.filter(({ EffectiveRate }) => EffectiveRate === percent);
    const best =
      ratesOfPercent.find(({ TaxType }) => TaxType === standardPurchases) ??
      ratesOfPercent.find(({ ReportTaxType }) => ReportTaxType === "INPUT") ??
      ratesOfPercent.find(({ CanApplyToRevenue }) => !CanApplyToRevenue) ??
      ratesOfPercent[0];
    return best?.TaxType;
  }
  const bestRate = usable.find(
    ({ TaxCategory, EffectiveRate }) => TaxCategory === category && EffectiveRate === 0,
  );
  if (bestRate !== undefined) return bestRate.TaxType;
  const country = sellerCountry(organisation) ?? organisation.CountryCode;
  const types = [...purchaseTaxTypes(country, category), noTax({ organisation })];
  return types.find((type) => usable.some(({ TaxType }) => TaxType === type));
}

function noRate({ rate }: TaxKey, { seller }: EInvoice): string {
  const percent = writeDecimalOf(rate ?? toDecimal(0, 0));
  return (
    `There is no tax rate of ${percent} % for purchases: make one (acct tax-rate create --name 'VAT ${percent} %' ` +
    `--component 'name=VAT,rate=${percent}'), or take the tax of ${seller.address.country ?? "the supplier"} as cost (--tax-as-cost).`
  );
}
