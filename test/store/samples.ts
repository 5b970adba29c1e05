/** Records to keep: by hand, and any that their description allows. */
import type { Account } from "../../src/resources/account.ts";
import type { Cents } from "../../src/resources/decimal.ts";
import type { Field, FieldOf, Fields, Kind, Resource } from "../../src/resources/field.ts";
import type { Organisation } from "../../src/resources/organisation.ts";
import { fc } from "../support/properties.ts";

let count = 0;

/** A new GUID; later ones sort after earlier ones. */
export function newId(): string {
  count += 1;
  return `01990000-0000-7000-8000-${count.toString(16).padStart(12, "0")}`;
}

/** The GUID of a number, for records that must be the same in every run. */
export function guid(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

export const cents = (value: number) => value as Cents;

export function organisation(more: Partial<Organisation> = {}): Organisation {
  return {
    Name: "Heron Lane Ltd",
    PaysTax: true,
    Version: "NZ",
    OrganisationType: "COMPANY",
    BaseCurrency: "NZD",
    CountryCode: "NZ",
    IsDemoCompany: false,
    OrganisationStatus: "ACTIVE",
    FinancialYearEndDay: 31,
    FinancialYearEndMonth: 3,
    SalesTaxBasis: "PAYMENTS",
    SalesTaxPeriod: "TWOMONTHS",
    DefaultSalesTax: "Tax Exclusive",
    DefaultPurchasesTax: "Tax Exclusive",
    CreatedDateUTC: 1_772_000_000_000,
    OrganisationEntityType: "COMPANY",
    Timezone: "NEWZEALANDSTANDARDTIME",
    ShortCode: "!abcde",
    OrganisationID: guid(0xa),
    Edition: "BUSINESS",
    Class: "PREMIUM",
    ...more,
  };
}

export function account(more: Partial<Account> & { AccountID: string; Name: string }): Account {
  return {
    Code: more.Name,
    Status: "ACTIVE",
    Type: "EXPENSE",
    Class: "EXPENSE",
    EnablePaymentsToAccount: false,
    ShowInExpenseClaims: false,
    HasAttachments: false,
    UpdatedDateUTC: 0,
    AddToWatchlist: false,
    ...more,
  };
}

// -------------------------------------------------------------------------------------------------
// Any record

const anyGuid = fc
  .tuple(fc.nat(0xffffffff), fc.nat(0xffffffff))
  .map(
    ([a, b]) =>
      `${a.toString(16).padStart(8, "0")}-0000-7000-8000-${b.toString(16).padStart(12, "0")}`,
  );

/** Text with letters that fold: capitals, accents, other scripts, what lies beyond 16 bits. */
export const anyText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(..."aAbBéÉñÑßøØæÆıİſςΣσžŽ \"'%_\\ЖжÅå한가😀ậǅ") },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    ),
    { maxLength: 8 },
  )
  .map((letters) => letters.join("").replaceAll("\0", "").toWellFormed());

const anyDay = fc
  .tuple(
    fc.integer({ min: 2019, max: 2031 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([y, m, d]) => `${y}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`);

const amounts = fc.oneof(fc.integer({ min: -500, max: 500 }), fc.maxSafeInteger());

type Arbitrary<K extends Kind> = (field: FieldOf<K>) => fc.Arbitrary<unknown>;

const arbitraries = {
  id: () => anyGuid,
  text: () => anyText,
  choice: (field) => fc.constantFrom(...field.values),
  boolean: () => fc.boolean(),
  integer: () => fc.integer({ min: 0, max: 31 }),
  date: () => anyDay,
  timestamp: () => fc.integer({ min: 0, max: 4_000_000_000_000 }),
  money: () => amounts,
  unitAmount: () => amounts,
  quantity: () => amounts,
  percent: () => amounts,
  rate: () => amounts,
  ref: (field) => fc.record({ [field.by[0] ?? ""]: anyGuid }),
  one: (field) => anyObject(field.fields),
  many: (field) => fc.array(anyObject(field.fields), { maxLength: 2 }),
  texts: () => fc.array(anyText, { maxLength: 2 }),
} satisfies { [K in Kind]: Arbitrary<K> };

export function anyValue(field: Field): fc.Arbitrary<unknown> {
  return (arbitraries[field.kind] as Arbitrary<Kind>)(field);
}

function anyObject(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  // Handles are given by the store.
  const described = Object.entries(fields).filter(
    ([name, field]) => field.computed !== true && name !== "Handle",
  );
  const required = described
    .filter(([, field]) => field.always === true || field.required === true)
    .map(([name]) => name);
  return fc.record(Object.fromEntries(described.map(([name, field]) => [name, anyValue(field)])), {
    requiredKeys: required,
  });
}

/** Any record of a resource, with what the store keeps of it beyond its description. */
export function anyRecord(
  resource: Resource,
  hidden: Fields = {},
): fc.Arbitrary<Record<string, unknown>> {
  return anyObject({ ...resource.fields, ...hidden });
}
