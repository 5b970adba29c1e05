/** Accounts, and the organisation that they belong to. */
import { describe, expect, test } from "vitest";
import { countries, regionOf } from "../../../src/ledger/regions/index.ts";
import { firstOf } from "../../support/properties.ts";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";

const expense = (fields: object = {}) => ({
  Code: "490",
  Name: "Glaze",
  Type: "EXPENSE",
  ...fields,
});

describe("organisation", () => {
  test.each(["/Organisation", "/Organisations", "/organisation/", "/ORGANISATIONS"])(
    "the request %s returns the one organisation of the book",
    async (path) => {
      const given = await world();
      const { Organisations } = await given.ok("GET", path);
      expect(Organisations).toHaveLength(1);
      expect(Organisations[0]).toMatchObject({
        Name: "Heron Lane Ltd",
        Version: "NZ",
        BaseCurrency: "NZD",
        CountryCode: "NZ",
        OrganisationStatus: "ACTIVE",
        FinancialYearEndDay: 31,
        FinancialYearEndMonth: 3,
        Class: "DEMO",
        IsDemoCompany: true,
        Edition: "BUSINESS",
        PaymentTerms: { Bills: { Day: 20, Type: "OFFOLLOWINGMONTH" } },
      });
      expect(Organisations[0].ShortCode).toMatch(/^!.{5}$/);
    },
  );

  test("the organisation's actions list what the user is allowed to do", async () => {
    const given = await world();
    const { Actions } = await given.ok("GET", "/Organisation/Actions");
    expect(Actions).toContainEqual({ Name: "CreateApprovedInvoice", Status: "ALLOWED" });
    expect(Actions).toContainEqual({ Name: "UseMulticurrency", Status: "ALLOWED" });
  });

  test("CIS settings are returned only in the United Kingdom, and only under the organisation's own id", async () => {
    const given = await world("GB");
    const [{ OrganisationID }] = (await given.ok("GET", "/Organisation")).Organisations;
    expect(
      (await given.ok("GET", `/Organisation/${OrganisationID}/CISSettings`)).CISSettings,
    ).toEqual([{ CISContractorEnabled: false, CISSubContractorEnabled: false }]);
    const other = "/Organisation/11111111-1111-1111-1111-111111111111/CISSettings";
    expect((await given.ask("GET", other)).status).toBe(404);
    const abroad = await world("NZ");
    const [own] = (await abroad.ok("GET", "/Organisation")).Organisations;
    expect(
      (await abroad.ask("GET", `/Organisation/${own.OrganisationID}/CISSettings`)).status,
    ).toBe(404);
  });

  test.each(["PUT", "POST", "DELETE"])(
    "the method %s on the organisation is answered as not implemented",
    async (method) => {
      expect((await (await world()).ask(method, "/Organisation", { Name: "x" })).status).toBe(501);
    },
  );
});

describe("accounts", () => {
  test("an account is created with defaults, read by id and by code, and updated", async () => {
    const given = await world();
    const [made] = (await given.ok("PUT", "/Accounts", expense({ TaxType: "input2" }))).Accounts;
    expect(made).toMatchObject({
      Code: "490",
      Class: "EXPENSE",
      Status: "ACTIVE",
      TaxType: "INPUT2",
      EnablePaymentsToAccount: false,
      ShowInExpenseClaims: false,
      AddToWatchlist: false,
    });
    expect(made.SystemAccount).toBeUndefined();
    for (const key of [made.AccountID, made.AccountID.toUpperCase(), "490"]) {
      expect((await given.ok("GET", `/Accounts/${key}`)).Accounts[0].Name).toBe("Glaze");
    }
    const [renamed] = (await given.ok("POST", `/Accounts/${made.AccountID}`, { Name: "Glazes" }))
      .Accounts;
    expect(renamed).toMatchObject({ Name: "Glazes", Code: "490", TaxType: "INPUT2" });
  });

  test.each<[string, object, string]>([
    ["a code that is taken", { Code: "200" }, "Please enter a unique Code: 200 is Sales."],
    ["a name that is taken, in any letter case", { Name: "SALES" }, "Please enter a unique Name."],
    ["no code", { Code: "" }, "Code is required, except for an account of type BANK."],
    [
      "a code that is too long",
      { Code: "12345678901" },
      "Code may have at most 10 characters, not 11.",
    ],
    [
      "a name that is too long",
      { Name: "x".repeat(151) },
      "Name may have at most 150 characters, not 151.",
    ],
    ["no type", { Type: null }, "Type is required."],
    ["an unknown tax rate", { TaxType: "NIL" }, "TaxType: there is no tax rate of TaxType 'NIL'."],
    ["a status of its own", { Status: "ARCHIVED" }, "A new account is ACTIVE."],
    ["a currency", { CurrencyCode: "NZD" }, "CurrencyCode is for bank accounts only."],
    [
      "a bank account number",
      { BankAccountNumber: "12" },
      "BankAccountNumber is for bank accounts only.",
    ],
    [
      "a bank without its number",
      { Type: "BANK" },
      "BankAccountNumber is required for an account of type BANK.",
    ],
    [
      "a description of a bank",
      { Type: "BANK", BankAccountNumber: "1", Description: "x" },
      "A bank account has no Description.",
    ],
    [
      "a bank in another currency",
      { Type: "BANK", BankAccountNumber: "1", CurrencyCode: "USD" },
      "Users Organisation is not subscribed to currency USD",
    ],
    [
      "a PayPal account",
      { Type: "BANK", BankAccountNumber: "1", BankAccountType: "PAYPAL" },
      "An account of BankAccountType PAYPAL cannot be created.",
    ],
  ])("creating an account with %s is refused", async (_name, fields, sentence) => {
    const given = await world();
    expect(await given.refused("PUT", "/Accounts", expense(fields))).toContain(sentence);
  });

  test("a bank account may have no code", async () => {
    const given = await world();
    const body = { Name: "Till", Type: "BANK", BankAccountNumber: "01-0001" };
    const [made] = (await given.ok("PUT", "/Accounts", body)).Accounts;
    expect(made).toMatchObject({ Class: "ASSET", BankAccountType: "BANK", CurrencyCode: "NZD" });
    const bill = await invoiced(given, { Status: "AUTHORISED" });
    await paid(given, bill, { Account: { AccountID: made.AccountID } });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a request creates one account at a time, and POST needs the address of an account", async () => {
    const given = await world();
    const Accounts = [expense(), expense({ Code: "491", Name: "Kiln" })];
    expect(await given.refused("PUT", "/Accounts", { Accounts })).toEqual([
      "A request takes at most 1 Account, not 2.",
    ]);
    expect((await given.ask("POST", "/Accounts", expense())).status).toBe(501);
  });

  test("archiving an account with other changes is refused, and so is a new line on an archived account", async () => {
    const given = await world();
    const [made] = (await given.ok("PUT", "/Accounts", expense())).Accounts;
    const path = `/Accounts/${made.AccountID}`;
    expect(await given.refused("POST", path, { Status: "ARCHIVED", Name: "Other" })).toEqual([
      "Archiving must be the only change in the request.",
    ]);
    // Sent back whole as it was read, only the status differs.
    const [read] = (await given.ok("GET", path)).Accounts;
    await given.ok("POST", path, { ...read, Status: "ARCHIVED" });
    const line = { Description: "Glaze", Quantity: 1, UnitAmount: 5, AccountCode: "490" };
    const body = sale(await contact(given), { Type: "ACCPAY", LineItems: [line] });
    expect(await given.refused("PUT", "/Invoices", body)).toEqual([
      "Account code '490' has been removed as it does not match a recognised account.",
    ]);
    await given.ok("POST", path, { Status: "ACTIVE" });
    await given.ok("PUT", "/Invoices", body);
  });

  test("changing the type of a system account, archiving it or deleting it is refused", async () => {
    const given = await world();
    const sentence =
      "Accounts Receivable is a system account: it keeps its type and cannot be archived.";
    expect(await given.refused("POST", "/Accounts/610", { Status: "ARCHIVED" })).toEqual([
      sentence,
    ]);
    expect(await given.refused("POST", "/Accounts/610", { Type: "FIXED" })).toEqual([sentence]);
    expect(await given.refused("DELETE", "/Accounts/610")).toEqual([
      "Accounts Receivable is a system account and cannot be deleted.",
    ]);
    const [renamed] = (await given.ok("POST", "/Accounts/610", { Name: "Debtors", Code: "611A" }))
      .Accounts;
    expect(renamed).toMatchObject({ Name: "Debtors", Code: "611A", SystemAccount: "DEBTORS" });
    await invoiced(given, { Status: "AUTHORISED" });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("DELETE returns the account as deleted, or is refused if a record refers to the account", async () => {
    const given = await world();
    const [made] = (await given.ok("PUT", "/Accounts", expense())).Accounts;
    const path = `/Accounts/${made.AccountID}`;
    const [deleted] = (await given.ok("DELETE", path)).Accounts;
    expect(deleted.Status).toBe("DELETED");
    expect(await given.refused("DELETE", path)).toEqual(["Glaze is deleted already."]);
    expect(await given.refused("POST", path, { Name: "x" })).toContain(
      "A deleted account cannot be changed.",
    );
    // Its code and name are free again.
    await given.ok("PUT", "/Accounts", expense());
    await invoiced(given);
    expect(await given.refused("DELETE", "/Accounts/200")).toEqual([
      "Sales has transactions and cannot be deleted; archive it instead.",
    ]);
    await given.ok("PUT", "/Items", { Code: "MUG", SalesDetails: { AccountCode: "260" } });
    expect((await given.ask("DELETE", "/Accounts/260")).status).toBe(400);
    await contact(given, { PurchasesDefaultAccountCode: "429" });
    expect((await given.ask("DELETE", "/Accounts/429")).status).toBe(400);
    expect((await given.ask("DELETE", "/Accounts/nil")).status).toBe(404);
  });

  test("a changed account code is shown on items, contacts and journals", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", {
      Code: "LAMP",
      InventoryAssetAccountCode: "630",
      SalesDetails: { UnitPrice: 50, AccountCode: "200" },
      PurchaseDetails: { UnitPrice: 20, COGSAccountCode: "310" },
    });
    const party = await contact(given, { SalesDefaultAccountCode: "200" });
    for (const [code, to] of [
      ["630", "631X"],
      ["310", "311X"],
      ["200", "201X"],
    ] as const) {
      await given.ok("POST", `/Accounts/${code}`, { Code: to });
    }
    expect((await given.ok("GET", "/Items/LAMP")).Items[0]).toMatchObject({
      InventoryAssetAccountCode: "631X",
      SalesDetails: { AccountCode: "201X" },
      PurchaseDetails: { COGSAccountCode: "311X" },
    });
    const [read] = (await given.ok("GET", `/Contacts/${party.ContactID}`)).Contacts;
    expect(read.SalesDefaultAccountCode).toBe("201X");
    const LineItems = [{ ItemCode: "LAMP", Description: "Lamp", Quantity: 2 }];
    await invoiced(given, { Type: "ACCPAY", Status: "AUTHORISED", LineItems });
    await invoiced(given, { Status: "AUTHORISED", LineItems });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an account with transactions cannot be changed to the type INVENTORY", async () => {
    const given = await world();
    await given.ok("PUT", "/Accounts", expense({ Type: "CURRENT" }));
    await given.ok("POST", "/Accounts/490", { Type: "INVENTORY" });
    await given.ok("POST", "/Accounts/490", { Type: "CURRENT" });
    const LineItems = [
      { Description: "x", Quantity: 1, UnitAmount: 5, AccountCode: "490", TaxType: "NONE" },
    ];
    await invoiced(given, { Type: "ACCPAY", Status: "AUTHORISED", LineItems });
    expect(await given.refused("POST", "/Accounts/490", { Type: "INVENTORY" })).toEqual([
      "Glaze has transactions: it cannot become or cease to be of type INVENTORY.",
    ]);
    expect((await given.refused("POST", "/Accounts/490", { Type: "BANK" }))[0]).toMatch(
      /bank account/,
    );
  });

  test("the list of accounts is ordered by code, and can be filtered and ordered", async () => {
    const given = await world();
    const codes = async (query: Record<string, string>) =>
      (await given.ok("GET", "/Accounts", undefined, { query })).Accounts.map(
        (each: Json) => each.Code,
      );
    const all = await codes({});
    expect(all).toEqual([...all].sort());
    expect(await codes({ where: 'Type=="BANK"' })).toEqual(["090", "091"]);
    expect(await codes({ WHERE: 'class=="EQUITY" and SystemAccount!=null' })).toEqual(["960"]);
    expect((await codes({ order: "Name DESC" }))[0]).not.toBe(all[0]);
    expect(await codes({ where: "EnablePaymentsToAccount==true" })).toEqual(["970", "980"]);
  });
});

describe("accounts with transactions on or before a lock date", () => {
  async function closed(given: World, lock: object = { EndOfYearLockDate: "2026-03-31" }) {
    const { changeBook } = await import("../../../src/service/books/book.ts");
    await changeBook(given.book, lock);
  }
  const typeOf = async (given: World, code: string) =>
    (await given.ok("GET", `/Accounts/${code}`)).Accounts[0].Type;

  test.each(["EQUITY", "CURRLIAB", "OTHERINCOME"])(
    "an account with transactions before the lock date cannot change its type to %s",
    async (Type) => {
      const given = await world();
      await invoiced(given, { Status: "AUTHORISED" });
      await closed(given);
      const before = await reportRows(given, "ProfitAndLoss", { date: "2026-03-31" });
      expect(await given.refused("POST", "/Accounts/200", { Type })).toEqual([
        "Sales has transactions in the period that is locked until 31-Mar-2026, whose figures " +
          "would change: it keeps the type REVENUE. Make another account for what comes after.",
      ]);
      expect(await typeOf(given, "200")).toBe("REVENUE");
      expect(await reportRows(given, "ProfitAndLoss", { date: "2026-03-31" })).toEqual(before);
      await given.ok("POST", "/Accounts/200", { Type: "REVENUE", Name: "Pots sold" });
    },
  );

  test("an account without transactions before the lock date may change its type", async () => {
    const given = await world();
    await invoiced(given, { Status: "AUTHORISED" });
    await closed(given, { PeriodLockDate: "2026-02-28" });
    await given.ok("POST", "/Accounts/200", { Type: "OTHERINCOME" });
    expect(await typeOf(given, "200")).toBe("OTHERINCOME");
  });

  test("a tax rate with transactions before the lock date cannot change its report type, but its name", async () => {
    const given = await world();
    const components = { TaxComponents: [{ Name: "GST", Rate: 15 }] };
    const rate = { Name: "Kiln", ReportTaxType: "OUTPUT", ...components };
    const [{ TaxType }] = (await given.ok("PUT", "/TaxRates", rate)).TaxRates;
    const LineItems = [
      { Description: "Work", Quantity: 1, UnitAmount: 1, AccountCode: "200", TaxType },
    ];
    await invoiced(given, { Status: "AUTHORISED", LineItems });
    await closed(given);
    const changed = { ...rate, TaxType, ReportTaxType: "EXEMPTOUTPUT" };
    expect((await given.refused("POST", "/TaxRates", changed))[0]).toContain(
      "is on transactions of the period that is locked until 31-Mar-2026",
    );
    await given.ok("POST", "/TaxRates", { ...rate, TaxType, Name: "Kiln 2" });
  });
});

describe.each(firstOf([...countries], 2))("an account without a TaxType in %s", (country) => {
  const { standardSales, standardPurchases, noTax } = regionOf(country);
  test.each([
    ["REVENUE", "ACCREC", standardSales],
    ["SALES", "ACCREC", standardSales],
    ["OTHERINCOME", "ACCREC", standardSales],
    ["EXPENSE", "ACCPAY", standardPurchases],
    ["DIRECTCOSTS", "ACCPAY", standardPurchases],
    ["OVERHEADS", "ACCPAY", standardPurchases],
    ["FIXED", "ACCPAY", standardPurchases],
    ["DEPRECIATN", "ACCPAY", noTax],
    ["CURRENT", "ACCPAY", noTax],
    ["CURRLIAB", "ACCREC", noTax],
    ["EQUITY", "ACCREC", noTax],
  ])(
    "an account of type %s created without a TaxType can be used on a document of type %s",
    async (type, Type, TaxType) => {
      const given = await world(country);
      const [made] = (await given.ok("PUT", "/Accounts", expense({ Code: "99", Type: type })))
        .Accounts;
      expect(made.TaxType).toBe(TaxType);
      const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 100, AccountCode: "99" }];
      const posted = await invoiced(given, { Type, Status: "AUTHORISED", LineItems });
      expect(posted.LineItems).toMatchObject([{ TaxType }]);
      expect(await faultsIn(given)).toEqual([]);
    },
  );
});
