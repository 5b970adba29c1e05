/** Which currencies documents may be in, and what they are worth on the days that a batch names. */
import type { Rate } from "../../resources/decimal.ts";
import type { Tx } from "../../store/store.ts";
import { notSubscribed, subscribedCurrencies } from "../lookups/currencies.ts";
import { type CurrencyOn, ratesOn } from "../lookups/rates.ts";
import type { RequestContext } from "../request/context.ts";
import type { Faults } from "../request/faults.ts";

export class Currencies {
  readonly base: string;
  readonly #subscribed: ReadonlySet<string>;
  readonly #rates: ReadonlyMap<string, Rate>;

  private constructor(
    base: string,
    subscribed: ReadonlySet<string>,
    rates: ReadonlyMap<string, Rate>,
  ) {
    this.base = base;
    this.#subscribed = subscribed;
    this.#rates = rates;
  }

  /** @param asked  the currency of every document on its day; that of the books costs nothing */
  static async load(
    call: RequestContext,
    tx: Tx,
    base: string,
    asked: readonly CurrencyOn[],
  ): Promise<Currencies> {
    const foreign = asked.filter(({ currency }) => currency !== base);
    if (foreign.length === 0) return new Currencies(base, new Set([base]), new Map());
    const subscribed = await subscribedCurrencies(tx);
    const wanted = foreign.filter(({ currency }) => subscribed.has(currency));
    const found = await ratesOn(call, tx, base, wanted);
    const rates = new Map<string, Rate>();
    for (const [index, each] of wanted.entries()) {
      const rate = found[index];
      if (rate !== undefined) rates.set(keyOf(each), rate);
    }
    return new Currencies(base, subscribed, rates);
  }

  /** Adds a fault for a currency that the organisation has not added. */
  check(currency: string, faults: Faults): boolean {
    if (currency === this.base || this.#subscribed.has(currency)) return true;
    faults.add(notSubscribed(currency));
    return false;
  }

  /** Of a day that the batch asked for; undefined where no rate is known. */
  rateOn(currency: string, date: string): Rate | undefined {
    return this.#rates.get(keyOf({ currency, date }));
  }
}

const keyOf = ({ currency, date }: CurrencyOn) => `${currency} ${date}`;

export function noRate(currency: string, date: string): string {
  return (
    `There is no exchange rate of ${currency} on ${date} or before: give a CurrencyRate, ` +
    `or keep one (acct currency rate ${currency} RATE --date ${date}).`
  );
}
