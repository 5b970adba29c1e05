/** Records that documents only refer to: themes, payment services, people, and what may be done. */

import { describe, expect, test } from "vitest";
import type { Percent } from "../../../src/resources/decimal.ts";
import type { OrganisationRole } from "../../../src/resources/user.ts";
import { createService } from "../../../src/service/api/service.ts";
import { changeBook } from "../../../src/service/books/book.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import { serverOf } from "../../support/audit.ts";
import { contact, faultsIn, type Json, type World, world } from "../fixture.ts";

const zero = "11111111-1111-1111-1111-111111111111";

describe("branding themes", () => {
  test("a new book has one branding theme, Standard, which is first in the list", async () => {
    const given = await world();
    const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
    expect(BrandingThemes).toEqual([
      {
        BrandingThemeID: expect.any(String),
        Name: "Standard",
        Type: "INVOICE",
        SortOrder: 0,
        CreatedDateUTC: expect.stringMatching(/^\/Date\(/),
      },
    ]);
    const id = BrandingThemes[0].BrandingThemeID;
    const one = await given.ok("GET", `/BrandingThemes/${id}`);
    expect(one.BrandingThemes).toEqual(BrandingThemes);
  });

  test("creating branding themes is answered as not implemented", async () => {
    const given = await world();
    expect((await given.ask("PUT", "/BrandingThemes", { Name: "Loud" })).status).toBe(501);
    expect((await given.ask("GET", `/BrandingThemes/${zero}`)).status).toBe(404);
  });
});

const till = {
  PaymentServiceName: "Till",
  PaymentServiceUrl: "https://till.example/pay?id=[INVOICENUMBER]",
  PayNowText: "Pay now",
};

describe("payment services", () => {
  test("payment services can be created, listed, and offered by a branding theme", async () => {
    const given = await world();
    const made = await given.ok("PUT", "/PaymentServices", till);
    expect(made.PaymentServices[0]).toEqual({
      ...till,
      PaymentServiceID: expect.any(String),
      PaymentServiceType: "CUSTOM",
    });
    expect((await given.ok("GET", "/PaymentServices")).PaymentServices).toHaveLength(1);
    const [theme] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
    const path = `/BrandingThemes/${theme.BrandingThemeID}/PaymentServices`;
    expect((await given.ok("GET", path)).PaymentServices).toEqual([]);
    const { PaymentServiceID } = made.PaymentServices[0];
    const body = { PaymentServices: [{ PaymentServiceID }] };
    expect((await given.ok("POST", path, body)).PaymentServices).toHaveLength(1);
    await given.ok("POST", path, body);
    expect((await given.ok("GET", path)).PaymentServices).toEqual(made.PaymentServices);
    const unknown = { PaymentServiceID: zero };
    expect(await given.refused("POST", path, unknown)).toEqual([
      `There is no payment service ${zero}.`,
    ]);
    expect(await given.refused("POST", path, { PayNowText: "x" })).toEqual([
      "PaymentServiceID is required.",
    ]);
  });

  test.each<[string, object, string]>([
    ["without a name", { PaymentServiceName: "" }, "PaymentServiceName is required."],
    [
      "without encryption",
      { PaymentServiceUrl: "http://till.example" },
      "PaymentServiceUrl must be an address that begins with https://.",
    ],
    [
      "with a script for an address",
      { PaymentServiceUrl: "javascript:alert(1)" },
      "PaymentServiceUrl must be an address that begins with https://.",
    ],
  ])("a payment service %s is refused", async (_what, fields, sentence) => {
    const given = await world();
    expect(await given.refused("PUT", "/PaymentServices", { ...till, ...fields })).toEqual([
      sentence,
    ]);
  });

  test("a payment service with a name in use is refused", async () => {
    const given = await world();
    await given.ok("PUT", "/PaymentServices", till);
    const again = { ...till, PaymentServiceName: "TILL" };
    expect(await given.refused("PUT", "/PaymentServices", again)).toEqual([
      "There is a payment service Till already.",
    ]);
  });
});

test("the creator of a book is listed as its user, with the role of adviser and as the subscriber", async () => {
  const given = await world();
  const { Users } = await given.ok("GET", "/Users");
  expect(Users).toEqual([
    {
      UserID: expect.any(String),
      EmailAddress: "tess@heron.example",
      FirstName: "Tess",
      LastName: "Tester",
      UpdatedDateUTC: expect.any(String),
      IsSubscriber: true,
      OrganisationRole: "FINANCIALADVISER",
    },
  ]);
  const one = await given.ok("GET", `/Users/${Users[0].UserID}`);
  expect(one.Users).toEqual(Users);
  const ask = (query: Record<string, string>, headers = {}) =>
    given.ok("GET", "/Users", undefined, { query, headers });
  expect((await ask({ where: 'OrganisationRole=="STANDARD"' })).Users).toEqual([]);
  expect((await ask({ order: "LastName DESC" })).Users).toHaveLength(1);
  expect((await ask({}, { "if-modified-since": "2030-01-01T00:00:00" })).Users).toEqual([]);
  expect((await given.ask("PUT", "/Users", { FirstName: "Eve" })).status).toBe(501);
});

/** What the user of a book may do when the user has another role there. */
async function actionsAs(given: World, role: OrganisationRole): Promise<Record<string, string>> {
  const service = createService({
    store: given.book.store,
    clock: () => given.now,
    newId: () => zero,
    responseId: () => zero,
    mailer: async () => undefined,
    baseUrl: "http://127.0.0.1",
    publicUrl: "http://127.0.0.1",
    planKey: planKeyInMemory(),
    server: serverOf(given.book.store),
    authenticate: () => ({
      org: given.book.org,
      app: "acct",
      appName: "acct",
      user: "Tess",
      email: "tess@heron.example",
      reports: true,
      role,
      scopes: "all" as const,
    }),
  });
  const answer = await service.transport({
    method: "GET",
    path: "/Organisation/Actions",
    query: [],
    headers: { accept: "application/json" },
  });
  const { Actions } = JSON.parse(String(answer.body));
  return Object.fromEntries(Actions.map((each: Json) => [each.Name, each.Status]));
}

describe("user actions of an organisation", () => {
  test("all user actions are listed, as allowed where the service has them", async () => {
    const given = await world();
    const { Actions } = await given.ok("GET", "/Organisation/Actions");
    expect(Actions.map((each: Json) => each.Name)).toEqual([
      "CreateApprovedInvoice",
      "CreateDraftInvoice",
      "CreateRepeatingInvoice",
      "CreateInvoicePayment",
      "CreateApprovedBill",
      "CreateDraftBill",
      "CreateRepeatingBill",
      "CreateApprovedPurchaseOrder",
      "CreateDraftPurchaseOrder",
      "CreateDraftQuote",
      "CreateSentQuote",
      "AttachFilesIntoInvoice",
      "UseMulticurrency",
    ]);
    const statuses = Object.fromEntries(Actions.map((each: Json) => [each.Name, each.Status]));
    expect(statuses).toMatchObject({
      CreateApprovedInvoice: "ALLOWED",
      UseMulticurrency: "ALLOWED",
    });
    const paths = { CreateDraftQuote: "/Quotes", CreateRepeatingBill: "/RepeatingInvoices" };
    for (const [name, path] of Object.entries(paths)) {
      const known = (await given.ask("PUT", path, { Nothing: 1 })).status === 400;
      expect([name, statuses[name]]).toEqual([name, known ? "ALLOWED" : "NOT-ALLOWED"]);
    }
  });

  test.each<[OrganisationRole, string, string, string]>([
    ["FINANCIALADVISER", "ALLOWED", "ALLOWED", "ALLOWED"],
    ["STANDARD", "ALLOWED", "ALLOWED", "ALLOWED"],
    ["INVOICEONLY", "ALLOWED", "NOT-ALLOWED", "NOT-ALLOWED"],
    ["READONLY", "NOT-ALLOWED", "NOT-ALLOWED", "NOT-ALLOWED"],
    ["REMOVED", "NOT-ALLOWED", "NOT-ALLOWED", "NOT-ALLOWED"],
  ])(
    "for a user with the role %s, invoices are %s, bills %s, and currencies %s",
    async (role, invoices, bills, currencies) => {
      const statuses = await actionsAs(await world(), role);
      expect(statuses).toMatchObject({
        CreateDraftInvoice: invoices,
        CreateDraftBill: bills,
        UseMulticurrency: currencies,
      });
    },
  );
});

describe("the construction industry scheme", () => {
  const settingsOf = async (given: World) => {
    const { Organisations } = await given.ok("GET", "/Organisation");
    const path = `/Organisation/${Organisations[0].OrganisationID}/CISSettings`;
    return (await given.ask("GET", path)).json;
  };

  test("the construction industry scheme is off until a British book turns it on, which creates its accounts", async () => {
    const given = await world("GB");
    expect((await settingsOf(given)).CISSettings).toEqual([
      { CISContractorEnabled: false, CISSubContractorEnabled: false },
    ]);
    const cis = { contractor: true, subContractor: true, rate: 200_000 as Percent };
    await changeBook(given.book, { cis });
    expect((await settingsOf(given)).CISSettings).toEqual([
      { CISContractorEnabled: true, CISSubContractorEnabled: true, Rate: 20 },
    ]);
    const { Accounts } = await given.ok("GET", "/Accounts");
    const markers = Accounts.map((each: Json) => each.SystemAccount).filter((each: string) =>
      each?.startsWith("CIS"),
    );
    expect(markers.sort()).toEqual([
      "CISASSETS",
      "CISLABOUREXPENSE",
      "CISLABOURINCOME",
      "CISLIABILITY",
      "CISMATERIALS",
    ]);
    await changeBook(given.book, { cis: { contractor: false, rate: null } });
    expect((await settingsOf(given)).CISSettings).toEqual([
      { CISContractorEnabled: false, CISSubContractorEnabled: true },
    ]);
  });

  test("the construction industry scheme can be turned on only in the United Kingdom, with three rates", async () => {
    const given = await world("NZ");
    expect((await settingsOf(given)).Organisations).toBeUndefined();
    await expect(changeBook(given.book, { cis: { contractor: true } })).rejects.toThrow(
      "The construction industry scheme is for United Kingdom organisations only.",
    );
    const british = await world("GB");
    const cis = { rate: 250_000 as Percent };
    await expect(changeBook(british.book, { cis })).rejects.toThrow(/0, 20 or 30 percent/);
  });

  test("a contact has CIS settings only after it has been in the construction industry scheme", async () => {
    const given = await world("GB");
    const { ContactID } = await contact(given);
    const path = `/Contacts/${ContactID}/CISSettings`;
    expect((await given.ask("GET", path)).status).toBe(404);
    expect(await given.refused("POST", path, { CISEnabled: true })).toEqual(["Rate is required."]);
    expect(await given.refused("POST", path, { CISEnabled: true, Rate: 25 })).toHaveLength(1);
    const set = await given.ok("POST", path, { CISEnabled: true, Rate: 30 });
    expect(set.CISSettings).toEqual([{ CISEnabled: true, Rate: 30 }]);
    await given.ok("POST", path, { CISEnabled: false });
    expect((await given.ok("GET", path)).CISSettings).toEqual([{ CISEnabled: false, Rate: 30 }]);
    const xml = await given.ask("GET", path, undefined, { headers: { accept: "text/xml" } });
    expect(xml.text).toContain(
      "<CISSettings><CISSetting><CISEnabled>false</CISEnabled><Rate>30.0000</Rate></CISSetting></CISSettings>",
    );
    // An edit of something else leaves it as it is.
    await given.ok("POST", `/Contacts/${ContactID}`, { FirstName: "Ada" });
    expect((await given.ok("GET", path)).CISSettings).toEqual([{ CISEnabled: false, Rate: 30 }]);
    const nz = await world("NZ");
    const other = await contact(nz);
    const elsewhere = await nz.ask("POST", `/Contacts/${other.ContactID}/CISSettings`, {
      CISEnabled: true,
      Rate: 20,
    });
    expect(elsewhere.status).toBe(404);
  });
});

test("the invoice reminder settings say that reminders are off", async () => {
  const given = await world();
  const answer = await given.ok("GET", "/InvoiceReminders/Settings");
  expect(answer.InvoiceReminders).toEqual([{ Enabled: false }]);
});

describe("employees", () => {
  const ana = { FirstName: "Ana", LastName: "Reid", ExternalLink: { Url: "https://hr.example/7" } };

  async function added(given: World, fields: object = ana): Promise<Json> {
    return (await given.ok("PUT", "/Employees", fields)).Employees[0];
  }

  test("employees can be created, read, changed and archived", async () => {
    const given = await world();
    const made = await added(given);
    expect(made).toMatchObject({ ...ana, Status: "ACTIVE", EmployeeID: expect.any(String) });
    const path = `/Employees/${made.EmployeeID}`;
    expect((await given.ok("GET", path)).Employees).toEqual([made]);
    given.now += 1000;
    const [married] = (await given.ok("POST", path, { LastName: "Reid-Hale" })).Employees;
    expect(married).toMatchObject({ ...ana, LastName: "Reid-Hale" });
    expect(married.UpdatedDateUTC).not.toBe(made.UpdatedDateUTC);
    const both = {
      Employees: [
        { ...married, Status: "ARCHIVED" },
        { FirstName: "Bo", LastName: "Li" },
      ],
    };
    const { Employees } = await given.ok("POST", "/Employees", both);
    expect(Employees).toMatchObject([
      { EmployeeID: made.EmployeeID, Status: "ARCHIVED" },
      { FirstName: "Bo", Status: "ACTIVE" },
    ]);
    await given.ok("POST", path, { Status: "DELETED" });
    expect(await given.refused("POST", path, { FirstName: "x" })).toEqual([
      "A deleted employee cannot be changed.",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("employees can be paged, filtered, ordered, and listed by modification time", async () => {
    const given = await world();
    for (const LastName of ["Reid", "Abel", "Moss"]) {
      await added(given, { FirstName: "Ana", LastName });
      given.now += 60_000;
    }
    const names = async (query: Record<string, string>, headers: Record<string, string> = {}) =>
      (await given.ok("GET", "/Employees", undefined, { query, headers })).Employees.map(
        ({ LastName }: Json) => LastName,
      );
    expect(await names({})).toEqual(["Reid", "Abel", "Moss"]);
    expect(await names({ order: "LastName" })).toEqual(["Abel", "Moss", "Reid"]);
    expect(await names({ where: 'LastName.StartsWith("m")' })).toEqual(["Moss"]);
    expect(await names({ pageSize: "2", page: "2" })).toEqual(["Moss"]);
    const since = new Date(given.now - 90_000).toISOString();
    expect(await names({}, { "if-modified-since": since })).toEqual(["Moss"]);
  });

  test.each<[string, object, string]>([
    ["without a last name", { FirstName: "Ana" }, "LastName is required."],
    ["archived from the first", { ...ana, Status: "ARCHIVED" }, "A new employee is ACTIVE."],
    ["of another status", { ...ana, Status: "AWAY" }, "Status must be one of"],
  ])("an employee %s is refused", async (_what, fields, sentence) => {
    const [said] = await (await world()).refused("PUT", "/Employees", fields);
    expect(said).toContain(sentence);
  });
});
