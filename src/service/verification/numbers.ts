/** Compares the numbers that were handed out with their counters, and tax rates with their components. */
import { numberValue, receiptSeries, type Series, taxRateSeries } from "../../ledger/numbering.ts";
import { effectiveRate } from "../../ledger/tax.ts";
import { type Percent, writeDecimal } from "../../resources/decimal.ts";
import { keptSequences } from "../../store/ledger/sequences.ts";
import type { Looking } from "../../store/maintenance/verify.ts";
import { numberOf } from "../documents/document-resources.ts";
import { kindOf } from "../documents/kinds.ts";
import type { StoredDocument } from "../documents/stored.ts";
import type { Chart, StoredTaxRate } from "../lookups/chart.ts";

/** The highest numbers in use, by series. */
export class NumbersInUse {
  readonly #highest = new Map<string, { readonly number: string; readonly value: number }>();

  ofDocument(document: StoredDocument): void {
    const { family, series, ofUser } = kindOf(document);
    const own = ofUser === true ? receiptSeries(document.User?.UserID ?? "") : series;
    this.#use(own, numberOf(family, document));
  }

  ofTaxRate({ System, TaxType }: StoredTaxRate): void {
    if (System !== true) this.#use(taxRateSeries, TaxType);
  }

  #use(series: Series | undefined, number: string | undefined): void {
    if (series === undefined || number === undefined) return;
    const value = numberValue(series, number) ?? 0;
    if (value <= (this.#highest.get(series.sequence)?.value ?? 0)) return;
    this.#highest.set(series.sequence, { number, value });
  }

  /** Finds counters that would hand out again what is in use. */
  async compare(looking: Looking): Promise<void> {
    const counters = await keptSequences(looking.tx);
    for (const [sequence, { number, value }] of this.#highest) {
      const last = counters.get(sequence) ?? 0;
      if (last >= value) continue;
      looking.fault(
        "counter",
        `The counter ${sequence} stands at ${last}, but the number ${number} is in use.`,
      );
    }
    looking.checks.push({ name: "counters of numbers", count: this.#highest.size });
  }
}

/** Finds rates that charge or show another percentage than their components come to. */
export function taxRates(looking: Looking, chart: Chart): void {
  for (const rate of chart.taxRates) {
    const { TaxType, Name, System, DisplayTaxRate, EffectiveRate, TaxComponents = [] } = rate;
    const made = percentOf(TaxComponents);
    // A reverse charge of the country's is shown, but charges nothing on the document.
    const charges = EffectiveRate === made || (System === true && EffectiveRate === 0);
    if (charges && DisplayTaxRate === made) continue;
    const [shown, charged] = [DisplayTaxRate, EffectiveRate].map((each) => writeDecimal(each, 4));
    looking.fault(
      "tax rate",
      `The tax rate ${Name} (${TaxType}) charges ${charged} % and shows ${shown} %, which is not ` +
        "what its components come to.",
    );
  }
  looking.checks.push({ name: "tax rates", count: chart.taxRates.length });
}

/** Undefined for components of which no rate can be made. */
function percentOf(components: NonNullable<StoredTaxRate["TaxComponents"]>): Percent | undefined {
  try {
    return effectiveRate(components);
  } catch {
    return undefined;
  }
}
