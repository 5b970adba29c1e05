/** The currencies of an organisation, and its accounts for exchange gains and losses. */
import { baseRate } from "../../ledger/money.ts";
import { type AccountSeed, classOf } from "../../ledger/regions/region.ts";
import type { Account } from "../../resources/account.ts";
import { unsupportedCurrency } from "../../resources/common.ts";
import type { Rate } from "../../resources/decimal.ts";
import { account, currency } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { type CurrencyOn, latestRates } from "../../store/ledger/exchange-rates.ts";
import { list, save } from "../../store/mapping/records.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { RateSource, RequestContext } from "../request/context.ts";
import type { Faults } from "../request/faults.ts";

/** Clock and id source for new accounts. */
export interface AccountDependencies {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly newId: () => string;
}

/** Returns the codes of the organisation's currencies, including the base currency. */
export async function subscribedCurrencies(tx: Tx): Promise<ReadonlySet<string>> {
  const { records } = await list(tx, currency);
  return new Set(records.map((record) => record.Code));
}

/** Returns the refusal of a currency that the organisation has not added. */
export function notSubscribed(code: string): string {
  return unsupportedCurrency(code) ?? `Users Organisation is not subscribed to currency ${code}`;
}

/** Currency names that differ from those of the Unicode project. */
const ownNames: Readonly<Record<string, string>> = { USD: "United States Dollar" };

/** Returns the English name of a currency: `Euro`, `New Zealand Dollar`. */
export function currencyName(code: string): string {
  return ownNames[code] ?? new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
}

/**
 * Adds the accounts for exchange gains and losses, as far as the chart lacks them.
 *
 * They have the codes of the region's chart, or the next free ones where those are taken.
 */
export async function addCurrencyAccounts(
  making: AccountDependencies,
  tx: Tx,
  organisation: Organisation,
): Promise<void> {
  const { regionAt } = await import("../../ledger/regions/index.ts");
  const accounts = regionAt(organisation.CountryCode).accounts();
  const seeds = accounts.filter((seed) => seed.multicurrency === true);
  await addSystemAccounts(making, tx, seeds);
}

/** Adds accounts that the service posts to by their system marker; existing ones stay unchanged. */
export async function addSystemAccounts(
  { now, newId }: AccountDependencies,
  tx: Tx,
  seeds: readonly Omit<AccountSeed, "multicurrency">[],
): Promise<void> {
  const { records: chart } = await list(tx, account);
  const systemAccounts = new Set(chart.map((record) => record.SystemAccount));
  const liveAccounts = chart.filter((record) => record.Status !== "DELETED");
  const usedCodes = new Set(liveAccounts.map((record) => fold(record.Code ?? "")));
  const usedNames = new Set(liveAccounts.map((record) => fold(record.Name)));
  const newAccounts = seeds
    .filter((seed) => !systemAccounts.has(seed.system))
    .map((seed): Account => {
      const Code = firstFreeCode(seed.code, usedCodes);
      const Name = firstFreeName(seed.name, usedNames);
      return {
        AccountID: newId(),
        Code,
        Name,
        Status: "ACTIVE",
        Type: seed.type as Account["Type"],
        Class: classOf(seed.type),
        TaxType: seed.tax,
        Description: seed.description,
        SystemAccount: seed.system,
        EnablePaymentsToAccount: false,
        ShowInExpenseClaims: false,
        AddToWatchlist: false,
        HasAttachments: false,
        UpdatedDateUTC: now,
      };
    });
  await save(tx, account, newAccounts);
}

/** Returns the wanted code, or the next free number. */
function firstFreeCode(preferred: string, usedCodes: Set<string>): string {
  let code = preferred;
  for (let next = Number(preferred) + 1; usedCodes.has(fold(code)); next += 1) code = String(next);
  usedCodes.add(fold(code));
  return code;
}

function firstFreeName(preferred: string, usedNames: Set<string>): string {
  let name = preferred;
  for (let suffix = 2; usedNames.has(fold(name)); suffix += 1) name = `${preferred} ${suffix}`;
  usedNames.add(fold(name));
  return name;
}

// --- rates of a day -------------------------------------------------------------------------------

// A document without its own exchange rate takes the rate of its day, from the book's table of
// rates (`PUT /Currencies/{Code}/Rates`), or from a further source of the service.

/** Exchange rates from the book's own table: the source when no other is configured. */
export const ownRates: RateSource = {
  ratesOn: (tx, _base, pairs) => latestRates(tx, pairs),
};

/** A call with its source of exchange rates. */
interface RateContext {
  readonly rates?: RateSource | undefined;
}

const one = 1_000_000 as Rate;

/**
 * Returns the exchange rates for a batch, in order: for each the latest known on or before its day.
 * The rate of the base currency is 1.
 */
export async function ratesOn(
  { rates = ownRates }: RateContext,
  tx: Tx,
  base: string,
  pairs: readonly CurrencyOn[],
): Promise<(Rate | undefined)[]> {
  const foreign = pairs.filter(({ currency }) => currency !== base);
  if (foreign.length === 0) return pairs.map(() => one);
  const datedRates = await rates.ratesOn(tx, base, foreign);
  const byAsked = new Map(foreign.map((each, index) => [each, datedRates[index]?.rate]));
  return pairs.map((currencyOn) => (currencyOn.currency === base ? one : byAsked.get(currencyOn)));
}

/** Returns the exchange rate of a currency on a day. @param date `YYYY-MM-DD` */
export async function rateOn(
  call: RateContext,
  tx: Tx,
  currency: string,
  date: string,
): Promise<Rate | undefined> {
  const { BaseCurrency } = await organisationOf(tx);
  const [rate] = await ratesOn(call, tx, BaseCurrency, [{ currency, date }]);
  return rate;
}

export class Currencies {
  readonly base: string;
  readonly #subscribed: ReadonlySet<string>;
  readonly #rates: ReadonlyMap<string, Rate>;

  private constructor(
    baseCurrency: string,
    subscribedCodes: ReadonlySet<string>,
    rateByKey: ReadonlyMap<string, Rate>,
  ) {
    this.base = baseCurrency;
    this.#subscribed = subscribedCodes;
    this.#rates = rateByKey;
  }

  /**
   * Loads the exchange rates of a batch.
   *
   * @param pairs  currency and date of each document; the base currency needs no look-up
   */
  static async load(
    call: RequestContext,
    tx: Tx,
    base: string,
    pairs: readonly CurrencyOn[],
  ): Promise<Currencies> {
    const foreign = pairs.filter(({ currency }) => currency !== base);
    if (foreign.length === 0) return new Currencies(base, new Set([base]), new Map());
    const subscribedCodes = await subscribedCurrencies(tx);
    const feedPairs = foreign.filter(({ currency }) => subscribedCodes.has(currency));
    const feedRates = await ratesOn(call, tx, base, feedPairs);
    const rateByKey = new Map<string, Rate>();
    for (const [index, each] of feedPairs.entries()) {
      const rate = feedRates[index];
      if (rate !== undefined) rateByKey.set(keyOf(each), rate);
    }
    return new Currencies(base, subscribedCodes, rateByKey);
  }

  /** Adds a fault for a currency that the organisation has not added. */
  check(currency: string, faults: Faults): boolean {
    if (currency === this.base || this.#subscribed.has(currency)) return true;
    faults.add("Currency", notSubscribed(currency));
    return false;
  }

  /** Refuses a rate where all is in the base currency. */
  checkBaseRate(rate: Rate, faults: Faults): void {
    if (rate !== baseRate)
      faults.add("Currency", "CurrencyRate is for documents in a foreign currency only.");
  }

  /** Returns the exchange rate on a day of the batch; undefined where none is known. */
  rateOn(currency: string, date: string): Rate | undefined {
    return this.#rates.get(keyOf({ currency, date }));
  }
}

const keyOf = ({ currency, date }: CurrencyOn) => `${currency} ${date}`;

export function noRateMessage(currency: string, date: string): string {
  return (
    `There is no exchange rate of ${currency} on ${date} or before: give a CurrencyRate, ` +
    `or keep one (acct currency rate ${currency} RATE --date ${date}).`
  );
}
