/** The currencies an organisation keeps books in, and the accounts that take their gains. */
import { type AccountSeed, classOf } from "../../ledger/regions/region.ts";
import type { Account } from "../../resources/account.ts";
import { unkeptCurrency } from "../../resources/common.ts";
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

/** The moment at which records are made, and their ids. */
export interface AccountDependencies {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly newId: () => string;
}

/** The codes of the currencies of documents, the base currency among them. */
export async function subscribedCurrencies(tx: Tx): Promise<ReadonlySet<string>> {
  const { records } = await list(tx, currency);
  return new Set(records.map((each) => each.Code));
}

/** The refusal of a currency that the organisation has not added. */
export function notSubscribed(code: string): string {
  return unkeptCurrency(code) ?? `Users Organisation is not subscribed to currency ${code}`;
}

/** Names that differ from those of the Unicode project. */
const ownNames: Readonly<Record<string, string>> = { USD: "United States Dollar" };

/** English name of a currency: `Euro`, `New Zealand Dollar`. */
export function currencyName(code: string): string {
  return ownNames[code] ?? new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
}

/**
 * Makes the accounts that gains and losses on currencies go to, as far as the chart lacks them.
 *
 * They have the codes of the region's chart, or the next free ones where those are taken.
 */
export async function addCurrencyAccounts(
  making: AccountDependencies,
  tx: Tx,
  organisation: Organisation,
): Promise<void> {
  const { regionAt } = await import("../../ledger/regions/index.ts");
  const { accounts } = regionAt(organisation.CountryCode);
  const seeds = accounts.filter((seed) => seed.multicurrency === true);
  await addSystemAccounts(making, tx, seeds);
}

/** Adds accounts that the service posts to by their marker; those that are there stay as they are. */
export async function addSystemAccounts(
  { now, newId }: AccountDependencies,
  tx: Tx,
  seeds: readonly Omit<AccountSeed, "multicurrency">[],
): Promise<void> {
  const { records: chart } = await list(tx, account);
  const markers = new Set(chart.map((each) => each.SystemAccount));
  const live = chart.filter((each) => each.Status !== "DELETED");
  const codes = new Set(live.map((each) => fold(each.Code ?? "")));
  const names = new Set(live.map((each) => fold(each.Name)));
  const made = seeds
    .filter((seed) => !markers.has(seed.system))
    .map((seed): Account => {
      const Code = freeCode(seed.code, codes);
      const Name = freeName(seed.name, names);
      return {
        AccountID: newId(),
        Code,
        Name,
        Status: "ACTIVE",
        Type: seed.type as Account["Type"],
        Class: classOf(seed.type),
        TaxType: seed.tax,
        SystemAccount: seed.system,
        EnablePaymentsToAccount: false,
        ShowInExpenseClaims: false,
        AddToWatchlist: false,
        HasAttachments: false,
        UpdatedDateUTC: now,
      };
    });
  await save(tx, account, made);
}

/** The code, or the next number that is free. */
function freeCode(wanted: string, taken: Set<string>): string {
  let code = wanted;
  for (let next = Number(wanted) + 1; taken.has(fold(code)); next += 1) code = String(next);
  taken.add(fold(code));
  return code;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let next = 2; taken.has(fold(name)); next += 1) name = `${wanted} ${next}`;
  taken.add(fold(name));
  return name;
}

// --- rates of a day -------------------------------------------------------------------------------

// A document that names no rate of its own takes that of its day. The book keeps a table of rates
// (`PUT /Currencies/{Code}/Rates`); a service may be given a further source.

/** The book's own table, which is asked where a service was given nothing else. */
export const ownRates: RateSource = {
  ratesOn: (tx, _base, wanted) => latestRates(tx, wanted),
};

/** Of a call: where its service looks for rates. */
interface Rated {
  readonly rates?: RateSource | undefined;
}

const one = 1_000_000 as Rate;

/**
 * The rates of a whole batch, in the order asked: the latest known on each day or before. The rate
 * of the base currency is always 1.
 */
export async function ratesOn(
  { rates = ownRates }: Rated,
  tx: Tx,
  base: string,
  wanted: readonly CurrencyOn[],
): Promise<(Rate | undefined)[]> {
  const foreign = wanted.filter(({ currency }) => currency !== base);
  if (foreign.length === 0) return wanted.map(() => one);
  const datedRates = await rates.ratesOn(tx, base, foreign);
  const byAsked = new Map(foreign.map((each, index) => [each, datedRates[index]?.rate]));
  return wanted.map((each) => (each.currency === base ? one : byAsked.get(each)));
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
    faults.add("Currency", notSubscribed(currency));
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
