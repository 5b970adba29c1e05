/** Book data for local validation: accounts, tax rates, tracking and lock dates. */
import type { Client } from "../../../client/client.ts";
import { type Account, account } from "../../../resources/account.ts";
import { unsupportedCurrency } from "../../../resources/common.ts";
import { type Currency, currency } from "../../../resources/currency.ts";
import { type Organisation, organisation } from "../../../resources/organisation.ts";
import { type TaxRate, taxRate } from "../../../resources/tax-rate.ts";
import { type TrackingCategory, trackingCategory } from "../../../resources/tracking-category.ts";
import { didYouMean, findNearest } from "../../values/suggest.ts";
import { fold } from "./lookup.ts";

/** Parts of the data to load; each costs a request. */
export interface WantedData {
  readonly wantsAccounts: boolean;
  readonly wantsTaxRates: boolean;
  readonly wantsTracking: boolean;
  readonly wantsCurrencies: boolean;
}

export class ImportChart {
  readonly organisation: Organisation;
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #taxTypes: ReadonlyMap<string, TaxRate>;
  readonly #taxNames: ReadonlyMap<string, TaxRate>;
  readonly #tracking: readonly TrackingCategory[];
  readonly #currencies: readonly string[];

  constructor(
    owner: Organisation,
    accounts: readonly Account[],
    taxRates: readonly TaxRate[],
    tracking: readonly TrackingCategory[],
    currencies: readonly Currency[],
  ) {
    this.organisation = owner;
    this.#accounts = new Map(accounts.map((account) => [fold(account.Code ?? ""), account]));
    // Documents of the book may have an archived rate; for a new one the service refuses it.
    const rates = ["ARCHIVED", "ACTIVE"].flatMap((status) =>
      taxRates.filter(({ Status }) => Status === status),
    );
    this.#taxTypes = new Map(rates.map((taxRate) => [fold(taxRate.TaxType ?? ""), taxRate]));
    this.#taxNames = new Map(rates.map((taxRate) => [fold(taxRate.Name), taxRate]));
    this.#tracking = tracking;
    this.#currencies = currencies.map(({ Code }) => Code);
  }

  account(code: string): Account | undefined {
    return this.#accounts.get(fold(code));
  }

  /** Returns why an account code cannot be used; undefined when it can. */
  accountFault(code: string): string | undefined {
    const account = this.account(code);
    if (account === undefined || account.Status === "DELETED") {
      const accounts = [...this.#accounts.values()].filter(({ Status }) => Status === "ACTIVE");
      const named = accounts.find(({ Name }) => fold(Name) === fold(code));
      const near = findNearest(
        code,
        accounts.flatMap(({ Code = "", Name }) => [Code, Name]),
      );
      const found = named ?? accounts.find(({ Code, Name }) => near === Code || near === Name);
      return `There is no account ${code}.${found === undefined ? " acct account list shows them." : ` Did you mean ${found.Code} (${found.Name})?`}`;
    }
    return account.Status === "ARCHIVED" ? `The account ${code} is archived.` : undefined;
  }

  /** Returns the tax rate of a tax type. */
  rate(taxType: string): TaxRate | undefined {
    return this.#taxTypes.get(fold(taxType));
  }

  /** Returns the tax type for a tax type or a display name. */
  taxType(text: string): string | undefined {
    const folded = fold(text);
    return (this.#taxTypes.get(folded) ?? this.#taxNames.get(folded))?.TaxType;
  }

  /** Returns why a tax type or a name, written as `shownText`, is of no rate, with the nearest. */
  taxFault(text: string, shownText = text): string {
    const rates = [...this.#taxTypes.values()].filter(({ Status }) => Status !== "ARCHIVED");
    const percent = /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim())?.[1];
    const near = findNearest(
      text,
      rates.flatMap(({ TaxType = "", Name }) => [TaxType, Name]),
    );
    const found = rates.filter(
      ({ TaxType, Name, EffectiveRate }) =>
        near === TaxType ||
        near === Name ||
        (percent && Number(EffectiveRate) === Number(percent) * 10_000),
    );
    const names = found.slice(0, 3).map(({ TaxType, Name }) => `${TaxType} (${Name})`);
    const hint =
      names.length === 0 ? "acct tax-rate list shows them." : `Did you mean ${names.join(" or ")}?`;
    return `There is no tax rate ${shownText} in use. ${hint}`;
  }

  /** Returns tracking of a line in the spelling of the book, or its fault. */
  tracked(name: string, option: string): { Name: string; Option: string } | string {
    const category = this.#tracking.find((category) => fold(category.Name) === fold(name));
    if (category === undefined) {
      const names = this.#tracking.map((trackingCategory) => trackingCategory.Name);
      return `There is no tracking category ${name}.${didYouMean(name, names)}`;
    }
    const options = category.Options ?? [];
    const match = options.find((each) => fold(each.Name) === fold(option));
    if (match !== undefined) return { Name: category.Name, Option: match.Name };
    const hint = didYouMean(
      option,
      options.map((option) => option.Name),
    );
    return `The tracking category ${category.Name} has no option ${option}.${hint}`;
  }

  /** Returns why a document cannot be in a currency; undefined when it can. */
  currencyFault(code: string): string | undefined {
    if (this.#currencies.includes(code) || code === this.organisation.BaseCurrency)
      return undefined;
    return (
      unsupportedCurrency(code) ??
      `The books have no currency ${code}; acct currency add ${code} adds it.`
    );
  }

  /** Returns why a lock date excludes a day; undefined when it does not. */
  lockFault(day: string): string | undefined {
    const { PeriodLockDate, EndOfYearLockDate } = this.organisation;
    const lock = [PeriodLockDate, EndOfYearLockDate].find(
      (text) => text !== undefined && day <= text,
    );
    return lock === undefined
      ? undefined
      : `It is dated ${day}, and the books are locked up to ${lock}.`;
  }
}

export async function loadChart(client: Client, wantedParts: WantedData): Promise<ImportChart> {
  const [owner] = await client.at(organisation, "/Organisation");
  if (owner === undefined) throw new Error("The service answered without an organisation.");
  return new ImportChart(
    owner,
    wantedParts.wantsAccounts ? await Array.fromAsync(client.list(account)) : [],
    wantedParts.wantsTaxRates ? await Array.fromAsync(client.list(taxRate)) : [],
    wantedParts.wantsTracking ? await Array.fromAsync(client.list(trackingCategory)) : [],
    wantedParts.wantsCurrencies ? await Array.fromAsync(client.list(currency)) : [],
  );
}
