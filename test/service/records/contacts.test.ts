/** Contacts: unique, archived but never deleted, with what they owe. */
import { describe, expect, test } from "vitest";
import { contact, invoiced, type Json, paid, sale, world } from "../fixture.ts";

describe("creating and updating contacts", () => {
  test("a contact shows its addresses and phones, even empty", async () => {
    const given = await world();
    const made = await contact(given, { Name: "Blue Kiln Pottery" });
    expect(made).toMatchObject({ ContactStatus: "ACTIVE", IsSupplier: false, IsCustomer: false });
    expect(made.Addresses.map((each: Json) => each.AddressType)).toEqual(["STREET", "POBOX"]);
    expect(made.Phones.map((each: Json) => each.PhoneType)).toEqual([
      "DDI",
      "DEFAULT",
      "FAX",
      "MOBILE",
    ]);
  });

  test("an update of a contact merges addresses and phones by type, replaces persons, and keeps the rest", async () => {
    const given = await world();
    const made = await contact(given, {
      FirstName: "Ada",
      Addresses: [{ AddressType: "STREET", AddressLine1: "1 Quay", City: "Nelson" }],
      Phones: [{ PhoneType: "MOBILE", PhoneNumber: "5550101" }],
      ContactPersons: [{ FirstName: "Bo", EmailAddress: "bo@x.example" }],
      PaymentTerms: { Sales: { Day: 7, Type: "DAYSAFTERBILLDATE" } },
    });
    const path = `/Contacts/${made.ContactID}`;
    await given.ok("POST", path, {
      Addresses: [
        { AddressType: "STREET", City: "Picton" },
        { AddressType: "POBOX", City: "Nelson" },
      ],
      Phones: [{ PhoneType: "FAX", PhoneNumber: "5550102" }],
      ContactPersons: [{ FirstName: "Cy" }],
      PaymentTerms: { Bills: { Day: 3, Type: "OFCURRENTMONTH" } },
    });
    const [read] = (await given.ok("GET", path)).Contacts;
    expect(read).toMatchObject({
      FirstName: "Ada",
      Addresses: [
        { AddressType: "STREET", AddressLine1: "1 Quay", City: "Picton" },
        { AddressType: "POBOX", City: "Nelson" },
      ],
      ContactPersons: [{ FirstName: "Cy", IncludeInEmails: false }],
      PaymentTerms: { Sales: { Day: 7 }, Bills: { Day: 3, Type: "OFCURRENTMONTH" } },
    });
    const phone = (type: string) =>
      read.Phones.find((each: Json) => each.PhoneType === type).PhoneNumber;
    expect([phone("MOBILE"), phone("FAX")]).toEqual(["5550101", "5550102"]);
  });

  test("a contact field that is sent empty is cleared", async () => {
    const given = await world();
    const made = await contact(given, { FirstName: "Ada", EmailAddress: "ada@x.example" });
    const [read] = (
      await given.ok("POST", `/Contacts/${made.ContactID}`, { FirstName: null, EmailAddress: "" })
    ).Contacts;
    expect([read.FirstName, read.EmailAddress]).toEqual([undefined, undefined]);
    expect(read.Name).toBe(made.Name);
  });

  test("PUT with a contact name or number in use is refused; POST updates that contact", async () => {
    const given = await world();
    const made = await contact(given, { Name: "Blue Kiln", ContactNumber: "BK1" });
    expect(await given.refused("PUT", "/Contacts", { Name: "blue kiln" })).toEqual([
      "The contact name Blue Kiln is already assigned to another contact. The contact name must be unique across all active contacts.",
    ]);
    expect(
      await given.refused("PUT", "/Contacts", { Name: "Other", ContactNumber: "bk1" }),
    ).toEqual(["The contact number BK1 is already assigned to Blue Kiln."]);
    const [renamed] = (
      await given.ok("POST", "/Contacts", { ContactNumber: "BK1", Name: "Bluer Kiln" })
    ).Contacts;
    expect(renamed).toMatchObject({ ContactID: made.ContactID, Name: "Bluer Kiln" });
    await contact(given, { Name: "Second" });
    expect(
      (await given.refused("POST", `/Contacts/${made.ContactID}`, { Name: "SECOND" }))[0],
    ).toMatch(/^The contact name SECOND/);
    const both = [{ Name: "Twin" }, { Name: "twin" }];
    expect((await given.refused("PUT", "/Contacts", { Contacts: both }))[0]).toMatch(
      /^The contact name twin/i,
    );
  });

  test("an archived contact is not listed and cannot be edited, and its name can be used again", async () => {
    const given = await world();
    const made = await contact(given, { Name: "Gone", ContactNumber: "G1" });
    const path = `/Contacts/${made.ContactID}`;
    await given.ok("POST", path, { ContactStatus: "ARCHIVED" });
    const archived =
      "The specified contact details matched an archived contact. Archived contacts cannot currently be edited via the API.";
    expect(await given.refused("POST", path, { Name: "Back" })).toEqual([archived]);
    expect(await given.refused("POST", path, { ContactStatus: "ACTIVE" })).toEqual([archived]);
    expect(await given.refused("POST", "/Contacts", { ContactNumber: "g1", Name: "x" })).toEqual([
      archived,
    ]);
    const names = async (query: Record<string, string>) =>
      (await given.ok("GET", "/Contacts", undefined, { query })).Contacts.map(
        (each: Json) => each.Name,
      );
    expect(await names({})).toEqual([]);
    expect(await names({ includeArchived: "True" })).toEqual(["Gone"]);
    const [{ ContactID: IDs }] = (await given.ok("GET", path)).Contacts;
    expect(await names({ IDs })).toEqual([]);
    expect(await names({ IDs, includeArchived: "false" })).toEqual([]);
    expect(await names({ IDs, includeArchived: "true" })).toEqual(["Gone"]);
    expect((await given.ok("GET", path)).Contacts[0].ContactStatus).toBe("ARCHIVED");
    await contact(given, { Name: "Gone" });
    const body = {
      Type: "ACCREC",
      Contact: { ContactID: made.ContactID },
      LineItems: [{ Description: "x" }],
    };
    expect(await given.refused("PUT", "/Invoices", body)).toContain(
      "The contact Gone is archived.",
    );
  });

  test("an archived contact can be restored unless its name is in use", async () => {
    const given = await world();
    const made = await contact(given, { Name: "Gone" });
    const path = `/Contacts/${made.ContactID}`;
    expect(await given.refused("POST", `${path}/Restore`)).toEqual(["Gone is not archived."]);
    await given.ok("POST", path, { ContactStatus: "ARCHIVED" });
    const other = await contact(given, { Name: "gone" });
    expect((await given.refused("POST", `${path}/Restore`))[0]).toMatch(
      /^The contact name Gone is already assigned to another contact/,
    );
    await given.ok("POST", `/Contacts/${other.ContactID}`, { Name: "Other" });
    const [restored] = (await given.ok("POST", `${path}/Restore`)).Contacts;
    expect(restored).toMatchObject({ Name: "Gone", ContactStatus: "ACTIVE" });
    await given.ok("POST", path, { EmailAddress: "back@gone.example" });
    const { HistoryRecords } = await given.ok("GET", `${path}/History`);
    expect(HistoryRecords.map((each: Json) => each.Changes)).toContain("Restored");
  });

  test("an invoice of an archived contact can still be paid and edited", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    await given.ok("POST", `/Contacts/${made.Contact.ContactID}`, { ContactStatus: "ARCHIVED" });
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Reference: "late" });
    await paid(given, made);
  });

  test.each<[string, object, string]>([
    ["no name", { Name: "" }, "Name is required."],
    [
      "a name too long",
      { Name: "x".repeat(256) },
      "Name may have at most 255 characters, not 256.",
    ],
    [
      "a number too long",
      { ContactNumber: "x".repeat(51) },
      "ContactNumber may have at most 50 characters, not 51.",
    ],
    ["no email address", { EmailAddress: "nobody" }, "EmailAddress 'nobody' is no email address."],
    [
      "no email address of a person",
      { ContactPersons: [{ EmailAddress: "a b@c" }] },
      "ContactPerson 1: EmailAddress 'a b@c' is no email address.",
    ],
    [
      "six persons",
      { ContactPersons: Array.from({ length: 6 }, () => ({ FirstName: "x" })) },
      "ContactPersons takes at most 5 entries, not 6.",
    ],
    [
      "a delivery address",
      { Addresses: [{ AddressType: "DELIVERY" }] },
      "A contact has addresses of the types STREET and POBOX only.",
    ],
    [
      "an office phone",
      { Phones: [{ PhoneType: "OFFICE" }] },
      "A contact has phones of the types DEFAULT, DDI, MOBILE and FAX only.",
    ],
    [
      "an unknown tax rate",
      { AccountsReceivableTaxType: "NIL" },
      "AccountsReceivableTaxType: there is no tax rate of TaxType 'NIL'.",
    ],
    [
      "an unknown account",
      { SalesDefaultAccountCode: "999" },
      "SalesDefaultAccountCode: there is no active account with code '999'.",
    ],
    [
      "another currency",
      { DefaultCurrency: "USD" },
      "Users Organisation is not subscribed to currency USD",
    ],
    [
      "a day beyond 31",
      { PaymentTerms: { Sales: { Day: 32, Type: "OFCURRENTMONTH" } } },
      "PaymentTerms.Sales.Day must be a whole number from 0 to 31, not 32.",
    ],
  ])("a contact is refused with %s", async (_name, fields, sentence) => {
    const given = await world();
    expect(await given.refused("PUT", "/Contacts", { Name: "Kiln", ...fields })).toContain(
      sentence,
    );
  });

  test("DELETE of a contact is answered as not implemented", async () => {
    const given = await world();
    const made = await contact(given);
    expect((await given.ask("DELETE", `/Contacts/${made.ContactID}`)).status).toBe(501);
  });
});

test("a contact is found by its id and number, and its defaults are copied to its documents", async () => {
  const given = await world();
  const made = await contact(given, {
    ContactNumber: "K-1",
    AccountsReceivableTaxType: "ZERORATED",
    PaymentTerms: { Sales: { Day: 15, Type: "OFFOLLOWINGMONTH" } },
  });
  expect((await given.ok("GET", "/Contacts/k-1")).Contacts[0].ContactID).toBe(made.ContactID);
  expect((await given.ask("GET", "/Contacts/nobody")).status).toBe(404);
  const line = {
    Description: "x",
    Quantity: 1,
    UnitAmount: 10,
    AccountCode: "260",
    TaxType: undefined,
  };
  const body = {
    Type: "ACCREC",
    Date: "2026-03-04",
    Contact: { ContactNumber: "k-1" },
    LineItems: [line],
  };
  const [invoice] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  expect(invoice).toMatchObject({
    DueDateString: "2026-04-15T00:00:00",
    LineItems: [{ TaxType: "ZERORATED" }],
  });
});

test("the first approved document marks its contact as customer or supplier, without changing its modification time", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const bill = await invoiced(given, {
    Type: "ACCPAY",
    Contact: { ContactID: made.Contact.ContactID },
    DueDate: "2026-02-01",
    Date: "2026-01-10",
    Status: "AUTHORISED",
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "429" }],
  });
  const path = `/Contacts/${made.Contact.ContactID}`;
  const [read] = (await given.ok("GET", path)).Contacts;
  expect(read).toMatchObject({
    IsCustomer: true,
    IsSupplier: true,
    Balances: {
      AccountsReceivable: { Outstanding: 115, Overdue: 0 },
      AccountsPayable: { Outstanding: 11.5, Overdue: 11.5 },
    },
  });
  const [listed] = (
    await given.ok("GET", "/Contacts", undefined, { query: { IDs: read.ContactID } })
  ).Contacts;
  expect(listed.UpdatedDateUTC).toBe(read.UpdatedDateUTC);
  expect(listed.Balances).toBeUndefined();
  await paid(given, made);
  await paid(given, bill);
  expect((await given.ok("GET", path)).Contacts[0].Balances).toBeUndefined();
});

describe("lists of contacts", () => {
  test("the parameter searchTerm searches names, number, company and email of contacts", async () => {
    const given = await world();
    await contact(given, { Name: "Blue Kiln" });
    await contact(given, { Name: "B", FirstName: "KILNER" });
    await contact(given, { Name: "C", EmailAddress: "me@kiln.example" });
    await contact(given, { Name: "D", CompanyNumber: "9-kiln" });
    await contact(given, { Name: "E", AccountNumber: "kiln" });
    const { Contacts } = await given.ok("GET", "/contacts", undefined, {
      query: { searchTerm: "kiln", order: "name" },
    });
    expect(Contacts.map((each: Json) => each.Name)).toEqual(["B", "Blue Kiln", "C", "D"]);
  });

  test("lists of contacts have persons and payment terms only when paged, and summaryOnly leaves out addresses", async () => {
    const given = await world();
    await contact(given, { ContactPersons: [{ FirstName: "Bo" }] });
    const read = async (query: Record<string, string>) =>
      given.ok("GET", "/Contacts", undefined, { query });
    expect((await read({})).Contacts[0].ContactPersons).toBeUndefined();
    expect((await read({ page: "1" })).Contacts[0].ContactPersons).toHaveLength(1);
    const summary = await read({ summaryOnly: "true" });
    expect(summary.pagination).toEqual({ page: 1, pageSize: 100, pageCount: 1, itemCount: 1 });
    expect(summary.Contacts[0].Addresses).toEqual([]);
    expect(Object.keys(summary.Contacts[0])).not.toContain("IsCustomer");
  });
});

describe("details of a contact", () => {
  test("batch payment and bank account details of a contact are stored", async () => {
    const given = await world();
    const BatchPayments = {
      BankAccountNumber: "12-3456-7890123-00",
      BankAccountName: "Kiln Ltd",
      Details: "Pottery",
      Code: "P1",
      Reference: "R1",
    };
    const made = await contact(given, { BatchPayments });
    expect(made.BatchPayments).toEqual(BatchPayments);
    const headers = { accept: "text/xml" };
    const xml = await given.ask("GET", `/Contacts/${made.ContactID}`, undefined, { headers });
    expect(xml.text).toContain("<BatchPayments><BankAccountNumber>12-3456-7890123-00</");
    const british = await world("GB");
    expect(await british.refused("PUT", "/Contacts", { Name: "K", BatchPayments })).toEqual([
      "BatchPayments.Code and BatchPayments.Reference are for New Zealand only.",
    ]);
    const long = { Details: "longer than eighteen" };
    const tooLong = { Name: "K", BatchPayments: long };
    expect(await british.refused("PUT", "/Contacts", tooLong)).toHaveLength(1);
  });

  test("the default tracking of a contact is copied to its lines, spelled as in the tracking categories", async () => {
    const given = await world();
    const { TrackingCategories } = await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
    const path = `/TrackingCategories/${TrackingCategories[0].TrackingCategoryID}/Options`;
    await given.ok("PUT", path, { Name: "North" });
    const SalesTrackingCategories = [
      { TrackingCategoryName: "region", TrackingOptionName: "NORTH" },
    ];
    const made = await contact(given, { SalesTrackingCategories });
    expect(made.SalesTrackingCategories).toEqual([
      { TrackingCategoryName: "Region", TrackingOptionName: "North" },
    ]);
    const unknown = [{ TrackingCategoryName: "Region", TrackingOptionName: "South" }];
    expect(
      await given.refused("PUT", "/Contacts", { Name: "X", PurchasesTrackingCategories: unknown }),
    ).toEqual(["PurchasesTrackingCategories: the tracking category Region has no option 'South'."]);
  });

  test("a contact summary is paged, and leaves out balances, addresses, persons and groups", async () => {
    const given = await world();
    const made = await contact(given, {
      Name: "Summed",
      FirstName: "Sue",
      SalesDefaultAccountCode: "200",
      PaymentTerms: { Sales: { Day: 7, Type: "DAYSAFTERBILLDATE" } },
      ContactPersons: [{ FirstName: "Al" }],
      Addresses: [{ AddressType: "STREET", City: "Hull" }],
    });
    const group = await given.ok("PUT", "/ContactGroups", { Name: "All" });
    const { ContactGroupID } = group.ContactGroups[0];
    await given.ok("PUT", `/ContactGroups/${ContactGroupID}/Contacts`, {
      ContactID: made.ContactID,
    });
    await given.ok("PUT", "/Invoices", {
      ...sale(made),
      Status: "AUTHORISED",
    });
    const query = { summaryOnly: "true", searchTerm: "summed" };
    const answer = await given.ok("GET", "/Contacts", undefined, { query });
    expect(answer.pagination).toMatchObject({ page: 1, itemCount: 1 });
    const [short] = answer.Contacts;
    expect(short).toMatchObject({
      Name: "Summed",
      FirstName: "Sue",
      HasAttachments: false,
      PaymentTerms: { Sales: { Day: 7 } },
      Addresses: [],
      ContactGroups: [],
      ContactPersons: [],
    });
    const left = ["Balances", "IsCustomer", "IsSupplier", "SalesDefaultAccountCode"];
    for (const name of left) expect(short).not.toHaveProperty(name);
    const full = await given.ok("GET", "/Contacts", undefined, { query: { page: "1" } });
    const whole = full.Contacts.find((each: Json) => each.Name === "Summed");
    expect(whole).toMatchObject({
      IsCustomer: true,
      Balances: { AccountsReceivable: { Outstanding: 115, Overdue: 0 } },
      ContactGroups: [{ ContactGroupID, Name: "All", Status: "ACTIVE" }],
    });
    const plain = (await given.ok("GET", "/Contacts")).Contacts.find(
      (each: Json) => each.Name === "Summed",
    );
    for (const name of ["Balances", "PaymentTerms", "HasAttachments"]) {
      expect(plain).not.toHaveProperty(name);
    }
  });

  test.each([
    ["Name", "Kiln Studio"],
    ["FirstName", "Kilna"],
    ["LastName", "McKiln"],
    ["ContactNumber", "KILN-1"],
    ["CompanyNumber", "77KILN"],
    ["EmailAddress", "post@kiln.example"],
  ])("a search of contacts covers their %s", async (field, value) => {
    const given = await world();
    await contact(given, { Name: "Found", [field]: value });
    await contact(given, { Name: "Other", AccountNumber: "kiln" });
    const query = { searchTerm: "KILN" };
    const { Contacts } = await given.ok("GET", "/Contacts", undefined, { query });
    expect(Contacts.map((each: Json) => each[field])).toEqual([value]);
  });
});
