/**
 * Totals of an e-invoice, and checks that they agree.
 *
 * @source EN 16931-1: BR-CO-10 to BR-CO-17, BR-S-08 and its likes
 */
import { type Cents, sum } from "../ledger/money.ts";
import { amountText } from "../resources/common.ts";
import {
  amountOf,
  type Decimal,
  negate,
  one,
  percentOf,
  toDecimal,
  writeDecimalOf,
} from "./decimal.ts";
import {
  type Allowance,
  type EInvoice,
  EInvoiceError,
  type Line,
  type TaxKey,
  type TaxSubtotal,
} from "./model.ts";

/** Tolerance in cents between the net amount of a line and quantity, price and allowances. */
const lineSlack = 2;
/** Tolerance in cents between the tax of a breakdown and base times rate. */
const taxSlack = 100;

/** Inverts the sign of all amounts: an invoice with a negative total is a credit note. */
export function negateInvoice(invoice: EInvoice): EInvoice {
  const minus = (amount: Cents) => (amount === 0 ? 0 : -amount) as Cents;
  const { totals } = invoice;
  const allowance = <A extends Allowance>(each: A): A => ({
    ...each,
    amount: minus(each.amount),
    base: each.base === undefined ? undefined : minus(each.base),
  });
  return {
    ...invoice,
    isCreditNote: !invoice.isCreditNote,
    allowances: invoice.allowances.map(allowance),
    taxes: invoice.taxes.map((tax) => ({
      ...tax,
      base: minus(tax.base),
      amount: minus(tax.amount),
    })),
    totals: {
      lines: minus(totals.lines),
      allowances: minus(totals.allowances),
      charges: minus(totals.charges),
      net: minus(totals.net),
      tax: minus(totals.tax),
      gross: minus(totals.gross),
      paid: minus(totals.paid),
      rounding: minus(totals.rounding),
      due: minus(totals.due),
    },
    lines: invoice.lines.map((line) => ({
      ...line,
      quantity: negate(line.quantity),
      allowances: line.allowances.map(allowance),
      net: minus(line.net),
    })),
  };
}

export function taxKeyOf({ category, rate }: TaxKey): string {
  // Category O, not subject to tax, has no rate; any given rate is ignored.
  if (category === "O" || rate === undefined) return category;
  return `${category} ${writeDecimalOf(rate)}`;
}

const signedOf = ({ isCharge, amount }: Allowance): Cents => (isCharge ? amount : -amount) as Cents;

/** Net amount of a line, from quantity, price and allowances. */
export function lineNet({ quantity, price, priceQuantity, allowances }: Line): Cents {
  return sum([amountOf(quantity, price, priceQuantity), ...allowances.map(signedOf)]);
}

/** Whether a tax equals base times rate, within the tolerance of the standard. */
export function isTaxNear(baseAmount: Cents, { rate }: TaxKey, amount: Cents): boolean {
  const computed = rate === undefined ? 0 : percentOf(baseAmount, rate);
  return Math.abs(amount - computed) < taxSlack;
}

/** Error messages for lines whose net amount differs from quantity, price and allowances. */
export function lineFaults({ lines, currency }: EInvoice): string[] {
  const shown = shownIn(currency);
  return lines
    .filter((line) => Math.abs(line.net - lineNet(line)) > lineSlack)
    .map(({ id, net, ...line }) => {
      const parts = shown(lineNet({ id, net, ...line }));
      return `The amount of line ${id} is ${shown(net)}, but quantity and price come to ${parts}`;
    });
}

/** Error messages for document totals that disagree; empty where all agree. */
export function totalsFaults(invoice: EInvoice): string[] {
  const { totals, lines, allowances, taxes } = invoice;
  const moneyText = shownIn(invoice.currency);
  const faults: string[] = [];
  const agree = (sumName: string, stated: number, computed: number, slackCents = 0) => {
    if (Math.abs(stated - computed) <= slackCents) return;
    faults.push(`${sumName} is ${moneyText(stated)}, but its parts come to ${moneyText(computed)}`);
  };
  const charges = allowances.filter((allowance) => allowance.isCharge);
  const discounts = allowances.filter((allowance) => !allowance.isCharge);
  const amountsOf = (list: readonly Allowance[]) => sum(list.map(({ amount }) => amount));
  agree("The sum of the lines", totals.lines, sum(lines.map(({ net }) => net)));
  agree("The sum of allowances", totals.allowances, amountsOf(discounts));
  agree("The sum of charges", totals.charges, amountsOf(charges));
  agree("The total without tax", totals.net, totals.lines - totals.allowances + totals.charges);
  agree("The tax", totals.tax, sum(taxes.map(({ amount }) => amount)));
  agree("The total", totals.gross, totals.net + totals.tax);
  agree("The amount due", totals.due, totals.gross - totals.paid + totals.rounding);
  faults.push(...breakdownFaults(invoice));
  return faults;
}

/**
 * Replaces the missing lines of an e-invoice by one line for each tax rate, with its base; document
 * allowances are included in the bases.
 *
 * @param rates candidate rates for profiles without rate (MINIMUM): the one that yields the tax to
 * the cent
 *
 * @throws EInvoiceError `TotalsOnly` where none does, or more than one
 */
export function linedByTotals(invoice: EInvoice, rates: readonly Decimal[]): EInvoice {
  const { totals, number } = invoice;
  const zero = 0 as Cents;
  const taxes = invoice.taxes.length > 0 ? invoice.taxes : [singleTaxSubtotal(invoice, rates)];
  const lines = taxes.map(({ category, rate, base }, at): Line => {
    const percent = category === "O" || rate === undefined ? "" : ` at ${writeDecimalOf(rate)} %`;
    return {
      id: String(at + 1),
      name: `Invoice ${number}${percent}`,
      quantity: one,
      unit: "C62",
      price: toDecimal(base, 2),
      allowances: [],
      net: base,
      category,
      rate: category === "O" ? undefined : rate,
    };
  });
  const sums = { ...totals, lines: totals.net, allowances: zero, charges: zero };
  return { ...invoice, taxes, lines, allowances: [], totals: sums };
}

function singleTaxSubtotal({ totals, currency }: EInvoice, rates: readonly Decimal[]): TaxSubtotal {
  const { net, tax } = totals;
  const shown = shownIn(currency);
  if (tax === 0) return { category: "Z", rate: toDecimal(0, 0), base: net, amount: tax };
  const rateByText = new Map(
    rates
      .filter((rate) => percentOf(net, rate) === tax)
      .map((rate) => [writeDecimalOf(rate), rate]),
  );
  const [rate, ...others] = rateByText.values();
  if (rate !== undefined && others.length === 0)
    return { category: "S", rate, base: net, amount: tax };
  throw new EInvoiceError(
    "TotalsOnly",
    `The e-invoice names no tax rate, and ${rate === undefined ? "no rate" : "more than one rate"} of the book comes to its tax of ${shown(tax)} on ${shown(net)}: --tax-as-cost takes the tax as part of the cost.`,
  );
}

/** Replaces the lines of an e-invoice by one line with the gross total, without tax. */
export function asSingleGrossLine(invoice: EInvoice): EInvoice {
  const { totals } = invoice;
  const { net, tax, gross } = totals;
  const untaxed = { ...totals, net: (net + tax) as Cents, tax: 0 as Cents, gross };
  return linedByTotals({ ...invoice, taxes: [], totals: untaxed }, []);
}

/** Taxable bases by category and rate, from lines and document allowances and charges. */
function basesOf({ lines, allowances }: EInvoice): Map<string, Cents> {
  const baseByCategory = new Map<string, Cents>();
  const count = (key: TaxKey, amount: Cents) => {
    const name = taxKeyOf(key);
    baseByCategory.set(name, ((baseByCategory.get(name) ?? 0) + amount) as Cents);
  };
  for (const line of lines) count(line, line.net);
  for (const allowance of allowances) count(allowance, signedOf(allowance));
  return baseByCategory;
}

function breakdownFaults(invoice: EInvoice): string[] {
  const baseByCategory = basesOf(invoice);
  const shown = shownIn(invoice.currency);
  const subtotalByKey = new Map<string, TaxSubtotal>();
  for (const tax of invoice.taxes) subtotalByKey.set(taxKeyOf(tax), tax);
  const faults: string[] = [];
  for (const [key, tax] of subtotalByKey) {
    const base = baseByCategory.get(key) ?? (0 as Cents);
    if (tax.base !== base) {
      faults.push(
        `The base of the tax ${key} is ${shown(tax.base)}, but its lines come to ${shown(base)}`,
      );
    }
    if (!isTaxNear(tax.base, tax, tax.amount)) {
      faults.push(
        `The tax ${key} of ${shown(tax.base)} is ${shown(tax.amount)}, which is not its rate`,
      );
    }
  }
  for (const key of baseByCategory.keys()) {
    if (!subtotalByKey.has(key))
      faults.push(`The lines with the tax ${key} are missing from the breakdown of taxes`);
  }
  return faults;
}

const shownIn =
  (currency: string) =>
  (cents: number): string =>
    amountText(cents, currency);
