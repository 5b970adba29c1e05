/** What an organisation changes of itself after it was made. */
import { expect, test } from "vitest";
import { changeBook, openBookIn } from "../../../src/service/books/book.ts";
import { organisationRoles } from "../../../src/service/request/scopes.ts";
import { invoiced, type World, world } from "../fixture.ts";

const settings = "/Organisation/Settings";

async function own(given: World) {
  return (await given.ok("GET", "/Organisation")).Organisations[0];
}

test("changed organisation settings are returned with the organisation, and listed in its history", async () => {
  const given = await world();
  const before = await own(given);
  await given.ok("POST", settings, {
    Name: "Heron & Sons Ltd",
    TaxNumber: "123-456-789",
    LineOfBusiness: "Pottery",
    PaysTax: false,
    SalesTaxBasis: "PAYMENTS",
    SalesTaxPeriod: "SIXMONTHS",
    DefaultSalesTax: "Tax Inclusive",
    FinancialYearEndDay: 30,
    FinancialYearEndMonth: 6,
    Timezone: "Europe/London",
    Addresses: [{ AddressType: "STREET", AddressLine1: "4 Heron Lane", City: "Wellington" }],
    Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "555 0142", PhoneAreaCode: "4" }],
    ExternalLinks: [{ LinkType: "Website", Url: "https://heron.example" }],
    PaymentTerms: { Sales: { Day: 14, Type: "DAYSAFTERBILLDATE" } },
  });
  expect(await own(given)).toMatchObject({
    Name: "Heron & Sons Ltd",
    TaxNumber: "123-456-789",
    LineOfBusiness: "Pottery",
    PaysTax: false,
    SalesTaxBasis: "PAYMENTS",
    SalesTaxPeriod: "SIXMONTHS",
    DefaultSalesTax: "Tax Inclusive",
    FinancialYearEndDay: 30,
    FinancialYearEndMonth: 6,
    Timezone: "GMTSTANDARDTIME",
    Addresses: [{ AddressType: "STREET", AddressLine1: "4 Heron Lane", City: "Wellington" }],
    Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "555 0142", PhoneAreaCode: "4" }],
    ExternalLinks: [{ LinkType: "Website", Url: "https://heron.example" }],
    PaymentTerms: {
      Sales: { Day: 14, Type: "DAYSAFTERBILLDATE" },
      Bills: before.PaymentTerms.Bills,
    },
  });
  const [entry] = (await given.ok("GET", "/Organisation/History")).HistoryRecords;
  expect(entry).toMatchObject({ Changes: "Edited", User: "Tess Tester" });
  for (const each of [
    "Name Heron Lane Ltd → Heron & Sons Ltd",
    "TaxNumber nothing → 123-456-789",
    "PaysTax true → false",
    "FinancialYearEndDay 31 → 30",
    "Addresses nothing → STREET 4 Heron Lane Wellington",
  ]) {
    expect(entry.Details).toContain(each);
  }
});

test("an organisation setting sent empty is cleared, and one not sent is kept", async () => {
  const given = await world();
  await given.ok("POST", settings, {
    TaxNumber: "123-456-789",
    RegistrationNumber: "9429",
    Addresses: [
      { AddressType: "STREET", AddressLine1: "4 Heron Lane" },
      { AddressType: "POBOX", AddressLine1: "PO Box 17" },
    ],
  });
  await given.ok("POST", settings, {
    TaxNumber: "",
    Addresses: [{ AddressType: "POBOX", AddressLine1: "" }],
  });
  const read = await own(given);
  expect([read.TaxNumber, read.RegistrationNumber]).toEqual([undefined, "9429"]);
  expect(read.Addresses).toEqual([{ AddressType: "STREET", AddressLine1: "4 Heron Lane" }]);
  const history = (await given.ok("GET", "/Organisation/History")).HistoryRecords;
  expect(history).toHaveLength(2);
  await given.ok("POST", settings, { RegistrationNumber: "9429" });
  expect((await given.ok("GET", "/Organisation/History")).HistoryRecords).toEqual(history);
});

test.each([
  [{ SalesTaxBasis: "CASH" }, "SalesTaxBasis is one of PAYMENTS, INVOICE, NONE here, not CASH."],
  [
    { SalesTaxPeriod: "QUARTERLY1" },
    "SalesTaxPeriod is one of ONEMONTHS, TWOMONTHS, SIXMONTHS, NONE here, not QUARTERLY1.",
  ],
  [
    { Timezone: "Mars/Olympus" },
    "The time zone 'Mars/Olympus' is not known; give it as Pacific/Auckland.",
  ],
  [
    { FinancialYearEndDay: 31, FinancialYearEndMonth: 6 },
    "Month 6 has no day 31 on which a financial year could end.",
  ],
  [
    { EmployerIdentificationNumber: "12-3456789" },
    "An EmployerIdentificationNumber is for United States organisations only.",
  ],
  [
    { ExternalLinks: [{ LinkType: "Website", Url: "javascript:alert(1)" }] },
    "The address javascript:alert(1) is none that begins with https:// or http://.",
  ],
])("the organisation setting %j is refused", async (sent, message) => {
  const given = await world();
  const before = await own(given);
  expect(await given.refused("POST", settings, sent)).toContain(message);
  expect(await own(given)).toEqual(before);
  expect((await given.ok("GET", "/Organisation/History")).HistoryRecords).toEqual([]);
});

test("a dry run changes no organisation setting", async () => {
  const given = await world();
  const before = await own(given);
  const headers = { "x-dry-run": "true" };
  const shown = await given.ok("POST", settings, { TaxNumber: "7" }, { headers });
  expect(shown.Settings[0].TaxNumber).toBe("7");
  expect(await own(given)).toEqual(before);
});

test("changing the year end is refused while figures on or before a lock date depend on it", async () => {
  const given = await world();
  const june = { FinancialYearEndDay: 30, FinancialYearEndMonth: 6 };
  // Nothing is posted before the lock date yet.
  await given.ok("POST", settings, { PeriodLockDate: "2026-01-31" });
  await given.ok("POST", settings, june);
  await given.ok("POST", settings, { PeriodLockDate: "" });
  await invoiced(given, { Status: "AUTHORISED", Date: "2026-01-15", DueDate: "2026-02-15" });
  await given.ok("POST", settings, { PeriodLockDate: "2026-01-31" });
  const march = { FinancialYearEndDay: 31, FinancialYearEndMonth: 3 };
  const [message] = await given.refused("POST", settings, march);
  expect(message).toContain("The books are locked until 31-Jan-2026");
  await given.ok("POST", settings, { ...june, TaxNumber: "1" });
});

test("lock dates and the year end can be changed only by advisers", async () => {
  const given = await world();
  const { store, org, tenant } = given.book;
  const as = (role: "standard" | "adviser") =>
    openBookIn(store, { org, OrganisationID: tenant, Name: "Heron Lane Ltd" }, {
      clock: () => given.now,
      serving: {
        callers: () => () => ({
          org,
          app: "till",
          appName: "Till",
          user: "Ana",
          email: "ana@heron.example",
          ...organisationRoles[role],
          scopes: "all",
        }),
      },
    } as never);
  const post = async (role: "standard" | "adviser", body: object) =>
    (
      await as(role).transport({
        method: "POST",
        path: settings,
        query: [],
        headers: { accept: "application/json", "content-type": "application/json" },
        body: Buffer.from(JSON.stringify(body)),
      })
    ).status;
  expect(await post("standard", { TaxNumber: "1" })).toBe(200);
  expect(await post("standard", { PeriodLockDate: "2026-01-31" })).toBe(403);
  expect(await post("standard", { FinancialYearEndMonth: 6 })).toBe(403);
  expect(await post("adviser", { PeriodLockDate: "2026-01-31" })).toBe(200);
});

test("a lock date set without an API request is listed in the organisation's history too", async () => {
  const given = await world();
  await changeBook(given.book, { PeriodLockDate: "2026-01-31" });
  await changeBook(given.book, { PeriodLockDate: undefined });
  const history = (await given.ok("GET", "/Organisation/History")).HistoryRecords;
  expect(history.map(({ Details }: { Details: string }) => Details)).toEqual(
    expect.arrayContaining([
      "PeriodLockDate nothing → 2026-01-31.",
      "PeriodLockDate 2026-01-31 → nothing.",
    ]),
  );
});

test.each([
  ["GB", "FLATRATECASH", "QUARTERLY"],
  ["AU", "CASH", "QUARTERLY1"],
  ["US", "ACCRUALS", "3MONTHLY"],
  ["SG", "CASH", "3MONTHLY"],
] as const)(
  "the organisation in %s accepts the tax basis %s and the tax period %s",
  async (country, SalesTaxBasis, SalesTaxPeriod) => {
    const given = await world(country);
    await given.ok("POST", settings, { SalesTaxBasis, SalesTaxPeriod });
    expect(await own(given)).toMatchObject({ SalesTaxBasis, SalesTaxPeriod });
    await given.refused("POST", settings, { SalesTaxBasis: "PAYMENTS" });
  },
);
