/** Totals of stored documents: net, tax and gross, by currency. */
import { amountText } from "../../../resources/common.ts";

/** Totals of one document, in cents. */
export interface StoredTotals {
  readonly currency: string;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/** Returns the totals in the service's answer; undefined for records other than documents. */
export function totalsOf(record: object): StoredTotals | undefined {
  const { SubTotal, TotalTax, Total, CurrencyCode } = record as {
    readonly [name in "SubTotal" | "TotalTax" | "Total"]?: number;
  } & { readonly CurrencyCode?: string };
  if (SubTotal === undefined || TotalTax === undefined || Total === undefined) return undefined;
  if (CurrencyCode === undefined) return undefined;
  return { currency: CurrencyCode, net: SubTotal, tax: TotalTax, gross: Total };
}

interface DocumentTotals {
  documents: number;
  net: bigint;
  tax: bigint;
  gross: bigint;
}

export class StoredSums {
  readonly #sums = new Map<string, DocumentTotals>();

  /**
   * Adds totals to the sum.
   *
   * @param times  −1 subtracts
   */
  add({ currency, net, tax, gross }: StoredTotals, times: 1 | -1 = 1): void {
    const sum = this.#sums.get(currency) ?? { documents: 0, net: 0n, tax: 0n, gross: 0n };
    sum.documents += times;
    sum.net += BigInt(times * net);
    sum.tax += BigInt(times * tax);
    sum.gross += BigInt(times * gross);
    this.#sums.set(currency, sum);
  }

  /** Returns rows by currency, in alphabetical order: document count, and amounts as text. */
  rows(): [currency: string, documents: number, net: string, tax: string, gross: string][] {
    const text = (cents: bigint, code: string) => amountText(Number(cents), code);
    return [...this.#sums]
      .filter(([, { documents }]) => documents > 0)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([currency, { documents, net, tax, gross }]) => [
        currency,
        documents,
        text(net, currency),
        text(tax, currency),
        text(gross, currency),
      ]);
  }
}
