/** Figures of a document worked out once more from what it says, in whole numbers. */
import type { Json } from "../service/fixture.ts";

const scale = (text: unknown, digits: number): bigint =>
  BigInt(Math.round(Number(text ?? 0) * 10 ** digits));

/** Half away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n;
  return (sign * (2n * numerator * sign + denominator)) / (2n * denominator);
}

/**
 * What a document adds up wrongly, a sentence each.
 *
 * @param rates  percent by tax type
 */
export function faultsOfFigures(document: Json, rates: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  const name = document.InvoiceNumber ?? document.CreditNoteNumber ?? "a document";
  const { LineAmountTypes: types = "Exclusive" } = document;
  let [net, taxes] = [0n, 0n];
  for (const [at, line] of document.LineItems.entries()) {
    const amount = scale(line.LineAmount, 2);
    const tax = scale(line.TaxAmount, 2);
    if (line.Quantity !== undefined && line.UnitAmount !== undefined) {
      const percent = 10_000n - scale(line.DiscountRate, 2);
      const product = scale(line.Quantity, 4) * scale(line.UnitAmount, 4) * percent;
      const wanted = rounded(product, 10n ** 10n);
      if (amount !== wanted)
        faults.push(`${name}: line ${at + 1} is ${amount} cents, not ${wanted}.`);
    }
    const rate = scale(rates.get(line.TaxType), 4);
    const wanted =
      types === "NoTax"
        ? 0n
        : rounded(amount * rate, types === "Inclusive" ? 10n ** 6n + rate : 10n ** 6n);
    if (rates.has(line.TaxType) && tax !== wanted) {
      faults.push(`${name}: the tax of line ${at + 1} is ${tax} cents, not ${wanted}.`);
    }
    net += amount;
    taxes += tax;
  }
  const total = types === "Inclusive" ? net : net + taxes;
  if (scale(document.Total, 2) !== total) {
    faults.push(`${name}: its total is ${document.Total}, and its lines come to ${total} cents.`);
  }
  return faults;
}
