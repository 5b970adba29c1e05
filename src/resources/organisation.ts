/**
 * The organisation that the books belong to. It is read-only; its settings are in
 * `organisationSetting`, which other services do not have.
 */
import { addresses, currencyCodes, electronicAddress, paymentTerms, phones } from "./common.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  integer,
  many,
  readOnly,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

const types = [
  "ACCOUNTING_PRACTICE",
  "COMPANY",
  "CHARITY",
  "CLUB_OR_SOCIETY",
  "INDIVIDUAL",
  "LOOK_THROUGH_COMPANY",
  "NOT_FOR_PROFIT",
  "PARTNERSHIP",
  "S_CORPORATION",
  "SELF_MANAGED_SUPERANNUATION_FUND",
  "SOLE_TRADER",
  "SUPERANNUATION_FUND",
  "TRUST",
  "PERSONAL",
  "SINGLEMEMBERLLC",
  "CCORPORATIONLLC",
  "PARTNERSHIPLLC",
  "SCORPORATIONLLC",
  "LLC",
  "NOTLLC",
  "UNSPECIFIED",
] as const;

/** Default tax treatment of amounts, by the names that clients know. */
const defaultTaxes = ["Tax Exclusive", "Tax Inclusive", "No Tax", "Remember previous"] as const;

const alwaysSent = { readOnly: true, always: true } as const;

export const organisation = resource(
  "Organisation",
  () => ({
    APIKey: text(readOnly),
    Name: text({ ...alwaysSent, max: 255, oneLine: true }),
    LegalName: text(readOnly),
    PaysTax: boolean(alwaysSent),
    Version: choice(
      [
        "AU",
        "NZ",
        "GLOBAL",
        "UK",
        "US",
        "AUONRAMP",
        "NZONRAMP",
        "GLOBALONRAMP",
        "UKONRAMP",
        "USONRAMP",
      ],
      alwaysSent,
    ),
    OrganisationType: choice(types, alwaysSent),
    BaseCurrency: choice(currencyCodes, alwaysSent),
    CountryCode: text(alwaysSent),
    IsDemoCompany: boolean(alwaysSent),
    OrganisationStatus: choice(["ACTIVE", "SUSPENDED", "DELETED"], alwaysSent),
    RegistrationNumber: text(readOnly),
    EmployerIdentificationNumber: text(readOnly),
    TaxNumber: text(readOnly),
    FinancialYearEndDay: integer({ ...alwaysSent, min: 0, max: 31 }),
    FinancialYearEndMonth: integer({ ...alwaysSent, min: 1, max: 12 }),
    SalesTaxBasis: choice(
      [
        "PAYMENTS",
        "INVOICE",
        "CASH",
        "ACCRUAL",
        "ACCRUALS",
        "FLATRATECASH",
        "FLATRATEACCRUAL",
        "NONE",
      ],
      alwaysSent,
    ),
    SalesTaxPeriod: choice(
      [
        "MONTHLY",
        "QUARTERLY",
        "QUARTERLY1",
        "QUARTERLY2",
        "QUARTERLY3",
        "YEARLY",
        "ANNUALLY",
        "ONEMONTHS",
        "TWOMONTHS",
        "SIXMONTHS",
        "1MONTHLY",
        "2MONTHLY",
        "3MONTHLY",
        "6MONTHLY",
        "NONE",
      ],
      alwaysSent,
    ),
    DefaultSalesTax: text(alwaysSent),
    DefaultPurchasesTax: text(alwaysSent),
    PeriodLockDate: date(readOnly),
    EndOfYearLockDate: date(readOnly),
    CreatedDateUTC: timestamp(alwaysSent),
    OrganisationEntityType: choice(types, alwaysSent),
    Timezone: text(alwaysSent),
    ShortCode: text(alwaysSent),
    OrganisationID: id(alwaysSent),
    Edition: choice(["BUSINESS", "PARTNER"], alwaysSent),
    Class: choice(
      [
        "DEMO",
        "TRIAL",
        "STARTER",
        "STANDARD",
        "PREMIUM",
        "PREMIUM_20",
        "PREMIUM_50",
        "PREMIUM_100",
        "LEDGER",
        "GST_CASHBOOK",
        "NON_GST_CASHBOOK",
        "ULTIMATE",
        "LITE",
        "ULTIMATE_10",
        "ULTIMATE_20",
        "ULTIMATE_50",
        "ULTIMATE_100",
        "IGNITE",
        "GROW",
        "COMPREHENSIVE",
        "SIMPLE",
        "BASICLITE",
        "ULTRA",
      ],
      alwaysSent,
    ),
    LineOfBusiness: text({ ...readOnly, blank: true }),
    Addresses: { ...addresses, readOnly: true },
    Phones: { ...phones, readOnly: true },
    // Fields for e-invoices; extensions.
    ElectronicAddress: { ...electronicAddress, readOnly: true },
    ContactPerson: text(readOnly),
    EmailAddress: text(readOnly),
    ExternalLinks: many(
      "ExternalLink",
      {
        LinkType: choice(["Facebook", "GooglePlus", "LinkedIn", "Twitter", "Website"]),
        Url: text(),
      },
      readOnly,
    ),
    PaymentTerms: { ...paymentTerms, readOnly: true },
  }),
  {
    plural: "Organisations",
    aliases: ["Organisation"],
    id: "OrganisationID",
    collection: ["GET"],
    columns: [
      "Name",
      "CountryCode",
      "BaseCurrency",
      "FinancialYearEndDay",
      "FinancialYearEndMonth",
      "Class",
    ],
    noun: "organisation",
    summary: "the organisation whose books these are",
  },
);

const sent = { readOnly: false } as const;

const own = organisation.fields;

/** Settings that an organisation may change after its creation: an extension. */
export const organisationSetting = resource(
  "OrganisationSetting",
  () => ({
    Name: { ...own.Name, ...sent },
    LegalName: { ...own.LegalName, ...sent, max: 255, help: "as it stands on documents" },
    OrganisationType: { ...own.OrganisationType, ...sent, help: "what kind of body it is" },
    LineOfBusiness: { ...own.LineOfBusiness, ...sent, max: 255, help: "what it does" },
    RegistrationNumber: {
      ...own.RegistrationNumber,
      ...sent,
      max: 50,
      help: "its number in the register of companies",
    },
    EmployerIdentificationNumber: {
      ...own.EmployerIdentificationNumber,
      ...sent,
      max: 50,
      help: "United States only",
    },
    TaxNumber: { ...own.TaxNumber, ...sent, max: 50, help: "its number with the tax office" },
    PaysTax: {
      ...own.PaysTax,
      ...sent,
      help: "registered for tax: lines take the rate of their account",
    },
    SalesTaxBasis: {
      ...own.SalesTaxBasis,
      ...sent,
      help: "when tax is owed; none, where no return is made",
    },
    SalesTaxPeriod: { ...own.SalesTaxPeriod, ...sent, help: "how often a return is made" },
    DefaultSalesTax: choice(defaultTaxes, {
      always: true,
      help: "how amounts of sales are entered",
    }),
    DefaultPurchasesTax: choice(defaultTaxes, {
      always: true,
      help: "how amounts of purchases are entered",
    }),
    FinancialYearEndDay: { ...own.FinancialYearEndDay, ...sent, min: 1 },
    FinancialYearEndMonth: { ...own.FinancialYearEndMonth, ...sent },
    PeriodLockDate: { ...own.PeriodLockDate, ...sent, help: "nothing may change on or before it" },
    EndOfYearLockDate: {
      ...own.EndOfYearLockDate,
      ...sent,
      help: "as the period lock date, for years that are closed",
    },
    Timezone: {
      ...own.Timezone,
      ...sent,
      max: 100,
      help: "whose day it is: NEWZEALANDSTANDARDTIME, Pacific/Auckland",
    },
    Addresses: { ...own.Addresses, ...sent },
    Phones: { ...own.Phones, ...sent },
    ElectronicAddress: { ...own.ElectronicAddress, ...sent },
    ContactPerson: {
      ...own.ContactPerson,
      ...sent,
      max: 100,
      oneLine: true,
      help: "a person or department whom customers may ask, on e-invoices",
    },
    EmailAddress: {
      ...own.EmailAddress,
      ...sent,
      max: 255,
      help: "where they write to, on e-invoices",
    },
    ExternalLinks: { ...own.ExternalLinks, ...sent, mergeBy: "LinkType" },
    PaymentTerms: { ...own.PaymentTerms, ...sent },
  }),
  {
    plural: "Settings",
    id: "Name",
    columns: ["Name", "TaxNumber", "SalesTaxBasis", "SalesTaxPeriod"],
    noun: "setting",
    summary: "what an organisation may change of itself",
  },
);

export type Organisation = Shape<typeof organisation>;
export type OrganisationSettings = Input<typeof organisationSetting>;

type Version = "AU" | "NZ" | "UK" | "US" | "GLOBAL";
type SalesTaxBasis = Organisation["SalesTaxBasis"];
type SalesTaxPeriod = Organisation["SalesTaxPeriod"];

const commonBases: readonly SalesTaxBasis[] = ["CASH", "ACCRUALS", "NONE"];
const commonPeriods: readonly SalesTaxPeriod[] = [
  "1MONTHLY",
  "2MONTHLY",
  "3MONTHLY",
  "6MONTHLY",
  "ANNUALLY",
  "NONE",
];

/** Tax accounting bases that an organisation may choose, by its version. */
export const taxBases: Readonly<Record<Version, readonly SalesTaxBasis[]>> = {
  AU: commonBases,
  NZ: ["PAYMENTS", "INVOICE", "NONE"],
  UK: ["CASH", "ACCRUAL", "FLATRATECASH", "FLATRATEACCRUAL", "NONE"],
  US: commonBases,
  GLOBAL: commonBases,
};

/** Tax return periods that an organisation may choose, by its version. */
export const taxPeriods: Readonly<Record<Version, readonly SalesTaxPeriod[]>> = {
  AU: ["MONTHLY", "QUARTERLY1", "QUARTERLY2", "QUARTERLY3", "ANNUALLY", "NONE"],
  NZ: ["ONEMONTHS", "TWOMONTHS", "SIXMONTHS", "NONE"],
  UK: ["MONTHLY", "QUARTERLY", "YEARLY", "NONE"],
  US: commonPeriods,
  GLOBAL: commonPeriods,
};
