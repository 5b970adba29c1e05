/**
 * Unrealised exchange gains: revaluation of open foreign documents and foreign bank accounts on a
 * day.
 */

import { addDays } from "../../ledger/dates/calendar.ts";
import type { Basis } from "../../ledger/journal.ts";
import type { Sums } from "../../ledger/reports/report-rows.ts";
import { addRevaluation, revaluation, revaluedBetween } from "../../ledger/reports/revaluation.ts";
import type { Rate } from "../../resources/decimal.ts";
import { UnavailableError } from "../../resources/errors.ts";
import { foreignOpen, loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { controlPlaces } from "../documents/document-registry.ts";
import type { Chart } from "../lookups/chart-of-accounts.ts";
import { ownRates, ratesOn } from "../lookups/currencies.ts";
import type { OrganisationContext, RequestContext } from "../request/context.ts";
import { unique } from "../request/unique.ts";

/** Context for computing exchange gains. */
export interface GainsContext extends OrganisationContext {
  readonly call: Pick<RequestContext, "rates">;
  readonly tx: Tx;
  readonly chart: Chart;
  readonly basis: Basis;
}

const controls = controlPlaces();

const noSums: Sums = new Map();

/** The exchange gains at the days of one report, each computed once. */
export class Gains {
  readonly #books: GainsContext;
  readonly #days = new Map<string, Promise<Sums>>();

  constructor(books: GainsContext) {
    this.#books = books;
  }

  /** Returns sums up to a day, or of a range of days, with their unrealised gains. */
  async in(sumsById: Sums, from: string | undefined, to: string): Promise<Sums> {
    const gainsAtEnd = await this.at(to);
    if (from === undefined) return addRevaluation(sumsById, gainsAtEnd);
    return revaluedBetween(sumsById, gainsAtEnd, await this.at(addDays(from, -1)));
  }

  /**
   * Returns the unrealised gains in the sums up to a day; none in books of one currency. A currency
   * without a known rate stays at the rates of its records.
   */
  at(date: string): Promise<Sums> {
    // The gain accounts are added together with the first foreign currency.
    if (!this.#books.chart.hasSystem("UNREALISEDCURRENCYGAIN")) return Promise.resolve(noSums);
    const daySums = this.#days.get(date) ?? this.#workedOut(date);
    this.#days.set(date, daySums);
    return daySums;
  }

  async #workedOut(date: string): Promise<Sums> {
    const { tx, chart, basis } = this.#books;
    // The cash ledger has no open documents.
    const openDocuments = basis === "cash" ? [] : await foreignOpen(tx, [...controls.keys()], date);
    const banks = foreignBanks(this.#books);
    const accounts = banks.map(({ AccountID }) => AccountID);
    const holdings = accounts.length === 0 ? [] : await loadForeignHeld(tx, basis, accounts, date);
    const rateOf = await loadKnownRates(this.#books, date, [
      ...openDocuments.map(({ currency }) => currency),
      ...banks.map(currencyOf),
    ]);
    const documents = openDocuments.flatMap(({ type, currency, open: amount, openBase }) => {
      const rate = rateOf.get(currency);
      const controlPlace = controls.get(type);
      if (rate === undefined || controlPlace === undefined) return [];
      return [{ ...controlPlace, open: amount, openBase, rate: chart.exchange(rate) }];
    });
    const money = holdings.flatMap(({ account, amount, base }) => {
      const bank = chart.account(account);
      const rate = bank && rateOf.get(currencyOf(bank));
      if (rate === undefined) return [];
      return [{ accountId: account, balance: amount, base, rate: chart.exchange(rate) }];
    });
    return revaluation(chart.accounts, documents, money);
  }
}

/** Returns the bank accounts in foreign currencies. */
export function foreignBanks({
  chart,
  organisation,
}: Pick<GainsContext, "chart" | "organisation">) {
  const { BaseCurrency } = organisation;
  return chart.accounts.filter(
    ({ Type, CurrencyCode = BaseCurrency }) => Type === "BANK" && CurrencyCode !== BaseCurrency,
  );
}

const currencyOf = ({ CurrencyCode = "" }: { readonly CurrencyCode?: string | undefined }) =>
  CurrencyCode;

/** Returns the known exchange rates of a day; if the rate source fails, those in the book. */
export async function loadKnownRates(
  { call, tx, organisation }: Pick<GainsContext, "call" | "tx" | "organisation">,
  date: string,
  currencies: readonly string[],
): Promise<ReadonlyMap<string, Rate>> {
  const pairs = unique(currencies).map((currency) => ({ currency, date }));
  const from = (rated: Pick<RequestContext, "rates">) =>
    ratesOn(rated, tx, organisation.BaseCurrency, pairs);
  const rates = await from(call).catch((error: unknown) => {
    if (error instanceof UnavailableError) return from({ rates: ownRates });
    throw error;
  });
  return new Map(
    pairs.flatMap(({ currency }, index) => {
      const rate = rates[index];
      return rate === undefined ? [] : [[currency, rate]];
    }),
  );
}
