/**
 * What a currency was worth on a day.
 *
 * A document that names no rate of its own takes that of its day. The book keeps a table of rates
 * (`PUT /Currencies/{Code}/Rates`); a service may be given a further source to ask.
 */
import type { Rate } from "../../resources/decimal.ts";
import { type CurrencyOn, type DatedRate, latestRates } from "../../store/ledger/exchange-rates.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/store.ts";

export type { CurrencyOn, DatedRate } from "../../store/ledger/exchange-rates.ts";

/** Where daily rates come from, in units of a currency for one of the base currency. */
export interface RateSource {
  /**
   * The latest rate of each that is known on its day or before, in the order asked; undefined where
   * there is none.
   *
   * @param base  the currency of the books, which is never asked for
   * @throws UnavailableError when the source cannot be reached and nothing else is known
   */
  ratesOn(
    tx: Tx,
    base: string,
    asked: readonly CurrencyOn[],
  ): Promise<readonly (DatedRate | undefined)[]>;
}

/** The book's own table, which is asked where a service was given nothing else. */
export const ownRates: RateSource = {
  ratesOn: (tx, _base, asked) => latestRates(tx, asked),
};

/** Of a call: where its service looks for rates. */
interface Rated {
  readonly rates?: RateSource | undefined;
}

const one = 1_000_000 as Rate;

/**
 * The rates of a whole batch, in the order asked: the latest known on each day or before. That of
 * the base currency is always 1.
 */
export async function ratesOn(
  { rates = ownRates }: Rated,
  tx: Tx,
  base: string,
  asked: readonly CurrencyOn[],
): Promise<(Rate | undefined)[]> {
  const foreign = asked.filter(({ currency }) => currency !== base);
  if (foreign.length === 0) return asked.map(() => one);
  const found = await rates.ratesOn(tx, base, foreign);
  const byAsked = new Map(foreign.map((each, index) => [each, found[index]?.rate]));
  return asked.map((each) => (each.currency === base ? one : byAsked.get(each)));
}

/** The rate of one currency on one day. @param date `YYYY-MM-DD` */
export async function rateOn(
  call: Rated,
  tx: Tx,
  currency: string,
  date: string,
): Promise<Rate | undefined> {
  const { BaseCurrency } = await organisationOf(tx);
  const [rate] = await ratesOn(call, tx, BaseCurrency, [{ currency, date }]);
  return rate;
}
