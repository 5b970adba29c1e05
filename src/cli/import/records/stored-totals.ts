/** Totals of stored documents: net, tax and gross, by currency. */
import { amountText } from "../../../resources/common.ts";

/** Totals of one document, in cents. */
export interface StoredTotals {
  readonly currency: string;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/** Totals that a row of a file says, in cents: of the document, or of its own line. */
export type SaidTotals = Partial<Record<"SubTotal" | "TotalTax" | "Total", number>>;

/**
 * Returns where a document comes to another total than its rows say; undefined where all agree.
 *
 * @param hasTax  whether the file says the tax apart; otherwise a total may be without it
 */
export function totalsFault(
  {
    stored,
    totals = [],
  }: {
    readonly stored?: StoredTotals | undefined;
    readonly totals?: readonly SaidTotals[] | undefined;
  },
  hasTax: boolean,
): string | undefined {
  if (stored === undefined) return undefined;
  const { net, tax, gross, currency } = stored;
  const figures = { SubTotal: [net], TotalTax: [tax], Total: hasTax ? [gross] : [gross, net] };
  for (const name of ["SubTotal", "TotalTax", "Total"] as const) {
    const statedTotals = totals.flatMap((total) => total[name] ?? []);
    const [first] = statedTotals;
    if (first === undefined) continue;
    const sums = [statedTotals.reduce((sum, number) => sum + number, 0)];
    if (statedTotals.every((number) => number === first)) sums.push(first);
    if (sums.some((sum) => figures[name].includes(sum))) continue;
    const [own = 0] = figures[name];
    const fileTotal = `the file says ${amountText(sums.at(-1) ?? 0, currency)}`;
    const remedies = `--set LineAmountTypes says whether prices include tax, --map ${name}= leaves the column out`;
    return `It comes to a ${name} of ${amountText(own, currency)}, and ${fileTotal}; ${remedies}.`;
  }
  return undefined;
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
