/** Creates a book: the organisation, and the initial contents for its country. */
import { type Country, regionOf } from "../../ledger/regions/index.ts";
import { classOf, type Region } from "../../ledger/regions/region.ts";
import { effectiveRate } from "../../ledger/tax.ts";
import type { Account } from "../../resources/account.ts";
import { type addressFields, requireCurrency } from "../../resources/common.ts";
import type { Percent } from "../../resources/decimal.ts";
import type { InputOf } from "../../resources/field.ts";
import { account, taxRate } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { save } from "../../store/mapping/records.ts";
import { type Actor, recordAct } from "../../store/operations/audit-log.ts";
import { apiKeyOf, createOrganisation, type Listing } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { StoredTaxRate } from "../lookups/chart-of-accounts.ts";
import { type Owner, seedMasters } from "./seed.ts";

export interface NewBook {
  readonly name: string;
  readonly country: Country;
  /** ISO 4217 code; by default the currency of the country. */
  readonly currency?: string | undefined;
  /** Day 1 to 31 and month 1 to 12; by default the usual year end of the country. */
  readonly yearEnd?: { readonly day: number; readonly month: number } | undefined;
  /** Tax basis of the organisation: by default the usual one of the country. */
  readonly taxBasis?: Organisation["SalesTaxBasis"] | undefined;
  /** How often a tax return is made: by default as is usual in the country. */
  readonly taxPeriod?: Organisation["SalesTaxPeriod"] | undefined;
  readonly taxNumber?: string | undefined;
  readonly address?: InputOf<typeof addressFields> | undefined;
  /** Number of the bank account that the book begins with, on the usual code; none by default. */
  readonly bankAccountNumber?: string | undefined;
  readonly demo?: boolean;
}

/** Dependencies of a new book. */
interface NewBookDependencies {
  readonly clock: () => number;
  readonly newId: () => string;
  readonly owner: Owner;
  /** The actor, for the audit log of the new book. */
  readonly by: Actor;
}

/**
 * Adds the organisation to a store.
 *
 * @param check  runs in the same transaction, when there is only the organisation
 * @returns its key and its id
 * @throws RefusedError `Currency` for a currency with more decimal places than are supported
 */
export async function newBookIn(
  store: Store,
  newBook: NewBook,
  { clock, newId, owner, by }: NewBookDependencies,
  check?: (tx: Tx) => Promise<void>,
): Promise<Listing> {
  requireCurrency(newBook.currency);
  const region = regionOf(newBook.country);
  const organisation = newOrganisation(newBook, region, clock(), newId);
  // One transaction makes the whole: a book without its chart of accounts would be unusable.
  const org = await createOrganisation(store, organisation, undefined, async (tx) => {
    await check?.(tx);
    await save(tx, account, chartOf(newBook, region, organisation, clock(), newId));
    await save(tx, taxRate, taxRatesOf(region));
    await seedMasters(tx, organisation, owner, { now: clock(), newId });
    const { Name: subject, OrganisationID: subjectId } = organisation;
    await recordAct(tx, { kind: "book.made", by, at: clock(), subject, subjectId });
  });
  return { ...organisation, org };
}

function newOrganisation(
  newBook: NewBook,
  region: Region,
  now: number,
  newId: () => string,
): Organisation {
  const yearEnd = newBook.yearEnd ?? region.yearEnd;
  const organisationId = newId();
  return {
    Name: newBook.name,
    LegalName: newBook.name,
    PaysTax: newBook.taxBasis !== "NONE",
    Version: region.version as Organisation["Version"],
    OrganisationType: "COMPANY",
    BaseCurrency: newBook.currency ?? region.baseCurrency,
    CountryCode: region.countryCode,
    IsDemoCompany: newBook.demo ?? false,
    OrganisationStatus: "ACTIVE",
    FinancialYearEndDay: yearEnd.day,
    FinancialYearEndMonth: yearEnd.month,
    SalesTaxBasis: newBook.taxBasis ?? (region.salesTaxBasis as Organisation["SalesTaxBasis"]),
    SalesTaxPeriod: newBook.taxPeriod ?? (region.salesTaxPeriod as Organisation["SalesTaxPeriod"]),
    ...(newBook.taxNumber === undefined ? {} : { TaxNumber: newBook.taxNumber }),
    DefaultSalesTax: "Tax Exclusive",
    DefaultPurchasesTax: "Tax Exclusive",
    CreatedDateUTC: now,
    OrganisationEntityType: "COMPANY",
    Timezone: region.timezone,
    ShortCode: `!${organisationId.replaceAll("-", "").slice(-5)}`,
    OrganisationID: organisationId,
    APIKey: apiKeyOf(organisationId),
    Edition: "BUSINESS",
    Class: newBook.demo ? "DEMO" : "PREMIUM",
    Addresses: newBook.address === undefined ? [] : [{ ...newBook.address, AddressType: "STREET" }],
    Phones: [],
    ExternalLinks: [],
    PaymentTerms: {
      Sales: { Day: 20, Type: "DAYSAFTERBILLDATE" },
      Bills: { Day: 20, Type: "OFFOLLOWINGMONTH" },
    },
  };
}

function chartOf(
  newBook: NewBook,
  region: Region,
  organisation: Organisation,
  now: number,
  newId: () => string,
): Account[] {
  const commonFields = {
    Status: "ACTIVE",
    ShowInExpenseClaims: false,
    AddToWatchlist: false,
    HasAttachments: false,
    UpdatedDateUTC: now,
  } as const;
  const accounts: Account[] = region
    .accounts()
    .filter((seed) => seed.multicurrency !== true)
    .map((seed) => ({
      ...commonFields,
      AccountID: newId(),
      Code: seed.code,
      Name: seed.name,
      Type: seed.type as Account["Type"],
      Class: classOf(seed.type),
      TaxType: seed.tax,
      Description: seed.description,
      SystemAccount: seed.system,
      // Payments to owner accounts are enabled: owners may settle documents without a bank account.
      EnablePaymentsToAccount:
        /^Owner|^Directors/.test(seed.name) || region.ownersAccounts?.includes(seed.code) === true,
    }));
  return [
    ...bankAccountsOf(newBook, region).map((seed) => ({
      ...commonFields,
      AccountID: newId(),
      Code: seed.code,
      Name: seed.name,
      Type: "BANK" as const,
      Class: "ASSET" as const,
      TaxType: seed.tax,
      BankAccountNumber: seed.bankAccountNumber,
      BankAccountType: "BANK" as const,
      CurrencyCode: organisation.BaseCurrency as NonNullable<Account["CurrencyCode"]>,
      EnablePaymentsToAccount: false,
    })),
    ...accounts,
  ];
}

/** The bank accounts that a book begins with. */
function bankAccountsOf({ demo, bankAccountNumber }: NewBook, { demoBankAccounts }: Region) {
  if (demo) return demoBankAccounts;
  if (bankAccountNumber === undefined) return [];
  return demoBankAccounts.slice(0, 1).map((seed) => ({ ...seed, bankAccountNumber }));
}

function taxRatesOf(region: Region): StoredTaxRate[] {
  return region.taxRates().map((seed) => {
    const components = seed.components.map((component) => ({
      Name: component.name,
      Rate: component.rate as Percent,
      IsCompound: component.compound ?? false,
      IsNonRecoverable: component.nonRecoverable ?? false,
    }));
    const effective = (seed.effectiveRate ?? effectiveRate(components)) as Percent;
    const [assets, equity, expenses, liabilities, revenue] = [...seed.flags].map((f) => f === "T");
    return {
      Name: seed.name,
      TaxType: seed.taxType,
      ReportTaxType: seed.reportTaxType as StoredTaxRate["ReportTaxType"],
      CanApplyToAssets: assets ?? false,
      CanApplyToEquity: equity ?? false,
      CanApplyToExpenses: expenses ?? false,
      CanApplyToLiabilities: liabilities ?? false,
      CanApplyToRevenue: revenue ?? false,
      DisplayTaxRate: (seed.displayRate ?? effective) as Percent,
      EffectiveRate: effective,
      Status: seed.status ?? "ACTIVE",
      TaxComponents: components,
      System: true,
      Unusable: seed.unusable ?? false,
    };
  });
}
