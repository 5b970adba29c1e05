/**
 * The chart (accounts, tax rates and tracking categories, some hundred rows): read once per
 * request, and looked up in memory.
 */

import type { Exchange, Smallest } from "../../ledger/money.ts";
import type { Account } from "../../resources/account.ts";
import { smallestAmount } from "../../resources/common.ts";
import type { Rate } from "../../resources/decimal.ts";
import { account, taxRate, trackingCategory, trackingOption } from "../../resources/index.ts";
import type { TrackingCategory, TrackingOption } from "../../resources/tracking-category.ts";
import { list, type StoredFields } from "../../store/mapping/records.ts";
import { hasPartsOfUnits } from "../../store/queries/parts-of-units.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import { loadCached } from "../../store/transactions/reference-cache.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { type Faults, twoRecords } from "../request/faults.ts";

export interface TrackedCategory extends TrackingCategory {
  readonly Options: TrackingOption[];
}

/** The stored form of a tax rate, which also marks rates of the initial chart. */
export type StoredTaxRate = StoredFields<typeof taxRate.fields>;

export class Chart {
  readonly #accounts = new Map<string, Account>();
  readonly #system = new Map<string, Account>();
  readonly #taxRates = new Map<string, StoredTaxRate>();
  readonly accounts: readonly Account[];
  readonly taxRates: readonly StoredTaxRate[];
  /** Tracking categories in order of creation, without deleted ones. */
  readonly tracking: readonly TrackedCategory[];
  readonly base: string;
  /** Smallest unit of the base currency. */
  readonly smallest: Smallest;

  constructor(
    { base, smallest }: Pick<Chart, "base" | "smallest">,
    accounts: readonly Account[],
    taxRates: readonly StoredTaxRate[],
    tracking: readonly TrackedCategory[],
  ) {
    this.base = base;
    this.smallest = smallest;
    this.accounts = accounts;
    this.taxRates = taxRates;
    this.tracking = tracking;
    for (const account of accounts) {
      this.#accounts.set(account.AccountID, account);
      if (account.Code !== undefined && account.Status !== "DELETED") {
        this.#accounts.set(account.Code.toLowerCase(), account);
      }
      if (account.SystemAccount) this.#system.set(account.SystemAccount, account);
    }
    for (const rate of taxRates) this.#taxRates.set((rate.TaxType ?? "").toLowerCase(), rate);
  }

  /** Finds an account by AccountID, or by code in any letter case. */
  account(key: string): Account | undefined {
    return this.#accounts.get(key) ?? this.#accounts.get(key.toLowerCase());
  }

  /** Currency of an account. */
  currencyOf({ AccountID = "" }: { readonly AccountID?: string | undefined }): string {
    return this.account(AccountID)?.CurrencyCode ?? this.base;
  }

  /** Returns the account with a system marker. @throws Error when the chart lacks it */
  system(marker: string): Account {
    const account = this.#system.get(marker);
    if (account === undefined) throw new Error(`The chart of accounts has no ${marker} account.`);
    return account;
  }

  /** Returns the conversion of amounts to the base currency at a rate. */
  exchange(rate: Rate): Exchange {
    return { rate, smallest: this.smallest };
  }

  hasSystem(marker: string): boolean {
    return this.#system.has(marker);
  }

  taxRate(taxType: string): StoredTaxRate | undefined {
    return this.#taxRates.get(taxType.toLowerCase());
  }
}

/** Finds one account. @param key  AccountID, or code in any letter case */
export async function accountByKey(tx: Tx, key: string): Promise<Account | undefined> {
  return (await loadChart(tx)).account(key);
}

/** Loads the chart; the cached object is frozen, since requests share it. */
export function loadChart(tx: Tx): Promise<Chart> {
  return loadCached(tx, "chart", readChart);
}

/** Reads the chart from the store, bypassing the cache. */
export async function readChart(tx: Tx): Promise<Chart> {
  // Queries run together, to save round trips to a remote database.
  const [{ BaseCurrency }, accounts, taxRates, tracking] = await Promise.all([
    organisationOf(tx),
    list(tx, account),
    list(tx, taxRate),
    loadTracking(tx),
  ]);
  return new Chart(
    { base: BaseCurrency, smallest: await smallestIn(tx, BaseCurrency) },
    accounts.records,
    taxRates.records,
    tracking,
  );
}

/**
 * Returns the smallest unit of the base currency for posting. A book posted with decimals of a
 * currency without them keeps doing so, since payments must match its documents and verification
 * its rule.
 */
async function smallestIn(tx: Tx, baseCurrency: string): Promise<Smallest> {
  const smallest = smallestAmount(baseCurrency);
  return smallest !== 1 && (await hasPartsOfUnits(tx, baseCurrency)) ? 1 : smallest;
}

/** Loads the tracking categories with their options, without deleted ones. */
export async function loadTracking(tx: Tx): Promise<TrackedCategory[]> {
  const { records: categories } = await list(tx, trackingCategory);
  if (categories.length === 0) return [];
  const { records: options } = await list(tx, trackingOption);
  return categories
    .filter((category) => category.Status !== "DELETED")
    .map((category) => ({
      ...category,
      Options: options.filter(
        (option) =>
          option.TrackingCategoryID === category.TrackingCategoryID && option.Status !== "DELETED",
      ),
    }));
}

/** Returns the active account of a code, or undefined with the reason added to `faults`. */
export function activeAccount(
  chart: Chart,
  field: string,
  code: string,
  faults: Faults,
): Account | undefined {
  const account = chart.account(code);
  if (account?.Status === "ACTIVE") return account;
  faults.add("NotFound", `${field}: there is no active account with code '${code}'.`);
  return undefined;
}

/** Returns the TaxType of an active rate, or undefined with the reason added to `faults`. */
export function activeTaxType(
  chart: Chart,
  field: string,
  taxType: string,
  faults: Faults,
): string | undefined {
  const taxRate = chart.taxRate(taxType);
  if (taxRate?.Status === "ACTIVE") return taxRate.TaxType;
  faults.add("NotFound", `${field}: there is no tax rate of TaxType '${taxType}'.`);
  return undefined;
}

/** Reference to a tracking option in a record: category and option, by id or by name. */
export interface NamedOption {
  readonly TrackingCategoryID?: string | undefined;
  readonly TrackingOptionID?: string | undefined;
  readonly Name?: string | undefined;
  readonly Option?: string | undefined;
}

/**
 * Returns the active option with its category, in their stored spelling; or undefined, with a
 * fault.
 */
export function activeOption(
  { tracking }: Chart,
  field: string,
  { TrackingCategoryID, TrackingOptionID, Name, Option }: NamedOption,
  faults: Faults,
): Required<{ [K in keyof NamedOption]: string }> | undefined {
  const category = tracking.find(
    (trackedCategory) =>
      trackedCategory.Status === "ACTIVE" &&
      (TrackingCategoryID === undefined
        ? Name !== undefined && fold(trackedCategory.Name) === fold(Name)
        : trackedCategory.TrackingCategoryID === TrackingCategoryID),
  );
  if (category === undefined) {
    faults.add(
      "NotFound",
      `${field}: there is no tracking category '${Name ?? TrackingCategoryID ?? ""}'.`,
    );
    return undefined;
  }
  const option = category.Options.find(
    (option) =>
      option.Status === "ACTIVE" &&
      (TrackingOptionID === undefined
        ? Option !== undefined && fold(option.Name) === fold(Option)
        : option.TrackingOptionID === TrackingOptionID),
  );
  if (option === undefined) {
    const optionKey = Option ?? TrackingOptionID ?? "";
    faults.add(
      "NotFound",
      `${field}: the tracking category ${category.Name} has no option '${optionKey}'.`,
    );
    return undefined;
  }
  for (const message of findContradictions(
    { TrackingCategoryID, TrackingOptionID, Name, Option },
    { category, option },
  )) {
    faults.add("Form", `${field}: ${message}`);
  }
  return {
    TrackingCategoryID: category.TrackingCategoryID,
    TrackingOptionID: option.TrackingOptionID,
    Name: category.Name,
    Option: option.Name,
  };
}

/** Returns faults where a sent name of a category or an option contradicts the sent id. */
export function findContradictions(
  sentOption: NamedOption,
  { category, option }: { readonly category: TrackedCategory; readonly option: TrackingOption },
): string[] {
  const isDifferent = (name: string, sentName: string | undefined) =>
    sentName !== undefined && fold(sentName) !== fold(name);
  return [
    ...(isDifferent(category.Name, sentOption.Name)
      ? [
          twoRecords(
            "The tracking category",
            `${sentOption.TrackingCategoryID}, ${category.Name},`,
            `the Name ${sentOption.Name}`,
          ),
        ]
      : []),
    ...(isDifferent(option.Name, sentOption.Option)
      ? [
          twoRecords(
            "The tracking option",
            `${sentOption.TrackingOptionID}, ${option.Name},`,
            `the Option ${sentOption.Option}`,
          ),
        ]
      : []),
  ];
}
