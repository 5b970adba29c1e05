/** Tax rates: made one at a time, protected where they are the system's, and held to their accounts. */

import { describe, expect, test } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { regionAt } from "../../../src/ledger/regions/index.ts";
import { rateFlags } from "../../document/rate-flags.ts";
import { contact, invoiced, type Json, movements, type World, world } from "../fixture.ts";

const rate = (fields: object = {}) => ({
  Name: "Kiln levy",
  ReportTaxType: "INPUT",
  TaxComponents: [{ Name: "Levy", Rate: 5 }],
  ...fields,
});

async function made(given: World, fields: object = {}): Promise<Json> {
  return (await given.ok("PUT", "/TaxRates", rate(fields))).TaxRates[0];
}

describe("creating a tax rate", () => {
  test("a created tax rate gets a TaxType, rates and flags", async () => {
    const given = await world();
    expect(await made(given)).toMatchObject({
      TaxType: "TAX001",
      Status: "ACTIVE",
      EffectiveRate: 5,
      DisplayTaxRate: 5,
      CanApplyToAssets: true,
      CanApplyToEquity: true,
      CanApplyToExpenses: true,
      CanApplyToLiabilities: true,
      CanApplyToRevenue: false,
      TaxComponents: [{ Name: "Levy", Rate: 5, IsCompound: false, IsNonRecoverable: false }],
    });
    const second = await made(given, { Name: "Output levy", ReportTaxType: "OUTPUT" });
    expect(second).toMatchObject({
      TaxType: "TAX002",
      CanApplyToExpenses: false,
      CanApplyToRevenue: true,
    });
    const third = await made(given, { Name: "Exempt", ReportTaxType: "EXEMPTOUTPUT" });
    expect([third.CanApplyToExpenses, third.CanApplyToRevenue]).toEqual([true, true]);
  });

  test("a compound tax component is charged on top of the simple components", async () => {
    const given = await world();
    const TaxComponents = [
      { Name: "GST", Rate: 5 },
      { Name: "QST", Rate: 9.5, IsCompound: true },
    ];
    expect((await made(given, { TaxComponents })).EffectiveRate).toBe(14.975);
  });

  test.each<[string, Country, object, string]>([
    ["two at once", "NZ", {}, "A request takes at most 1 TaxRate, not 2."],
    ["a name that is taken", "NZ", { Name: "15% gst on income" }, "Please enter a unique Name."],
    ["no name", "NZ", { Name: "" }, "Name is required."],
    [
      "no report type in New Zealand",
      "NZ",
      { ReportTaxType: undefined },
      "ReportTaxType is required.",
    ],
    [
      "no report type in Australia",
      "AU",
      { ReportTaxType: undefined },
      "ReportTaxType is required.",
    ],
    [
      "no report type in the United Kingdom",
      "GB",
      { ReportTaxType: undefined },
      "ReportTaxType is required.",
    ],
    [
      "a report type of another country",
      "NZ",
      { ReportTaxType: "MOSSSALES" },
      "ReportTaxType must be one of OUTPUT, INPUT, EXEMPTOUTPUT, EXEMPTINPUT, not 'MOSSSALES'.",
    ],
    [
      "a report type where there is none",
      "US",
      {},
      "ReportTaxType is for organisations in Australia, New Zealand and the United Kingdom only.",
    ],
    [
      "a TaxType",
      "NZ",
      { TaxType: "MINE" },
      "TaxType is given by the service and usable on update calls only.",
    ],
    ["no component", "NZ", { TaxComponents: [] }, "A tax rate needs at least one tax component."],
    [
      "two components of one name",
      "NZ",
      {
        TaxComponents: [
          { Name: "A", Rate: 1 },
          { Name: "a", Rate: 2 },
        ],
      },
      "The tax components of a rate need different names.",
    ],
    [
      "two compound components",
      "NZ",
      {
        TaxComponents: [
          { Name: "A", Rate: 1, IsCompound: true },
          { Name: "B", Rate: 2, IsCompound: true },
        ],
      },
      "A tax rate can have only one compound component.",
    ],
    [
      "a rate below zero",
      "NZ",
      { TaxComponents: [{ Name: "A", Rate: -1 }] },
      "The rate of the tax component A must be from 0 to 100 percent.",
    ],
    [
      "a component without a rate",
      "NZ",
      { TaxComponents: [{ Name: "A" }] },
      "TaxComponent 1: Rate is required.",
    ],
    [
      "what only Canada has",
      "NZ",
      { TaxComponents: [{ Name: "A", Rate: 1, IsNonRecoverable: true }] },
      "IsNonRecoverable applies to Canadian organisations only.",
    ],
  ])("creating a tax rate with %s is refused", async (name, country, fields, sentence) => {
    const given = await world(country);
    const body =
      name === "two at once" ? { TaxRates: [rate(), rate({ Name: "b" })] } : rate(fields);
    expect(await given.refused("PUT", "/TaxRates", body)).toContain(sentence);
  });

  test("non-recoverable Canadian tax is posted to the line's expense account", async () => {
    const given = await world("CA");
    const TaxComponents = [
      { Name: "GST", Rate: 5 },
      { Name: "PST", Rate: 7, IsNonRecoverable: true },
    ];
    const { TaxType } = await made(given, { ReportTaxType: undefined, TaxComponents });
    const LineItems = [
      { Description: "x", Quantity: 1, UnitAmount: 100, AccountCode: "660", TaxType },
    ];
    await invoiced(given, { Type: "ACCPAY", Status: "AUTHORISED", LineItems });
    const query = { fromDate: "2026-03-01", toDate: "2026-03-31" };
    const report = await given.ok("GET", "/Reports/ProfitAndLoss", undefined, { query });
    expect(JSON.stringify(report)).toContain('"Value":"107.00"');
  });
});

describe("updating a tax rate", () => {
  test("an update of a tax rate, by TaxType or name, removes components that are not sent", async () => {
    const given = await world();
    const TaxComponents = [
      { Name: "A", Rate: 1 },
      { Name: "B", Rate: 2 },
    ];
    const { TaxType } = await made(given, { TaxComponents });
    const [first] = (
      await given.ok("POST", "/TaxRates", { TaxType, TaxComponents: [{ Name: "B", Rate: 3 }] })
    ).TaxRates;
    expect(first).toMatchObject({
      TaxType,
      Name: "Kiln levy",
      EffectiveRate: 3,
      TaxComponents: [{ Name: "B", Rate: 3 }],
    });
    const [second] = (await given.ok("POST", "/TaxRates", rate({ Name: "KILN LEVY" }))).TaxRates;
    expect(second).toMatchObject({ TaxType, EffectiveRate: 5 });
    const [renamed] = (await given.ok("POST", "/TaxRates", { TaxType, Name: "Levy" })).TaxRates;
    expect(renamed).toMatchObject({ TaxType, Name: "Levy", EffectiveRate: 5 });
    // Not found by the name it no longer has, so this makes another.
    expect((await given.ok("POST", "/TaxRates", rate())).TaxRates[0].TaxType).toBe("TAX002");
  });

  test("a tax rate sent back as it was read is accepted", async () => {
    const given = await world("AU");
    const [read] = (await given.ok("GET", "/TaxRates/CAPEXINPUT")).TaxRates;
    const [sent] = (await given.ok("POST", "/TaxRates", read)).TaxRates;
    expect(sent.ReportTaxType).toBe(read.ReportTaxType);
  });

  test.each<Country>(["AU", "CA", "GB", "NZ", "SG", "US", "ZA", "GLOBAL"])(
    "a default tax rate of a book in %s can be renamed, and any other change is refused",
    async (country) => {
      const given = await world(country);
      const { TaxRates } = await given.ok("GET", "/TaxRates", undefined, {
        query: { where: 'Status=="ACTIVE"' },
      });
      const other = country === "AU" ? "INPUTTAXED" : "EXEMPTINPUT";
      for (const { TaxType, Name, TaxComponents, ReportTaxType } of TaxRates) {
        const [first, ...rest] = TaxComponents;
        const changed = [{ ...first, Rate: first.Rate + 1 }, ...rest];
        const changes: object[] = [{ Status: "DELETED" }, { TaxComponents: changed }];
        if (ReportTaxType !== undefined && ReportTaxType !== other) {
          changes.push({ ReportTaxType: other });
        }
        for (const change of changes) {
          const said = await given.refused("POST", "/TaxRates", { TaxType, Name, ...change });
          expect([TaxType, said]).toEqual([TaxType, ["System-defined rates cannot be updated"]]);
        }
        const renamed = { TaxType, Name: `${Name} *`, TaxComponents };
        const [rate] = (await given.ok("POST", "/TaxRates", renamed)).TaxRates;
        expect(rate).toMatchObject({ TaxType, Name: `${Name} *`, TaxComponents, Status: "ACTIVE" });
      }
    },
  );

  test("an update of an unknown tax rate is refused", async () => {
    const given = await world();
    expect(await given.refused("POST", "/TaxRates", { TaxType: "TAX999", Name: "x" })).toEqual([
      "There is no tax rate TAX999.",
    ]);
  });

  test("Status DELETED deletes a tax rate, or archives it if lines use it", async () => {
    const given = await world();
    const { TaxType } = await made(given);
    const gone = { TaxType, Status: "DELETED" };
    const [deleted] = (await given.ok("POST", "/TaxRates", gone)).TaxRates;
    expect(deleted.Status).toBe("DELETED");
    expect(await given.refused("POST", "/TaxRates", gone)).toEqual([
      "The tax rate Kiln levy is deleted and cannot be updated.",
    ]);
    const { TaxType: used } = await made(given);
    const line = {
      Description: "x",
      Quantity: 1,
      UnitAmount: 100,
      AccountCode: "429",
      TaxType: used,
    };
    const bill = await invoiced(given, { Type: "ACCPAY", LineItems: [line] });
    expect(
      (await given.ok("POST", "/TaxRates", { TaxType: used, Status: "DELETED" })).TaxRates[0]
        .Status,
    ).toBe("ARCHIVED");
    const [kept] = (await given.ok("POST", `/Invoices/${bill.InvoiceID}`, { Status: "AUTHORISED" }))
      .Invoices;
    expect(kept).toMatchObject({ TotalTax: 5, LineItems: [{ TaxType: used }] });
    const again = {
      Type: "ACCPAY",
      Contact: { ContactID: bill.Contact.ContactID },
      LineItems: [line],
    };
    expect(await given.refused("PUT", "/Invoices", again)).toEqual([
      `TaxType code '${used}' does not exist or cannot be used.`,
    ]);
    const types = (await given.ok("GET", "/TaxRates")).TaxRates.map((each: Json) => each.TaxType);
    expect(types).toEqual(expect.arrayContaining([TaxType, used]));
  });

  test("an update of a tax rate to any other status is refused", async () => {
    const given = await world();
    const { TaxType } = await made(given);
    for (const Status of ["ARCHIVED", "PENDING"]) {
      expect((await given.ask("POST", "/TaxRates", { TaxType, Status })).status).toBe(400);
    }
    expect(
      (await given.ask("PUT", "/TaxRates", rate({ Name: "b", Status: "DELETED" }))).status,
    ).toBe(400);
    expect((await given.ask("DELETE", `/TaxRates/${TaxType}`)).status).toBe(501);
  });
});

test("the TaxType of a deleted tax rate is not assigned to a new rate", async () => {
  const given = await world();
  const { TaxType } = await made(given);
  await given.ok("POST", "/TaxRates", { TaxType, Status: "DELETED" });
  expect(await made(given)).toMatchObject({ TaxType: "TAX002" });
  await given.refused("PUT", "/TaxRates", rate());
  expect((await made(given, { Name: "Third" })).TaxType).toBe("TAX003");
});

test("tax rates are found by TaxType, and listed by name", async () => {
  const given = await world();
  expect((await given.ok("GET", "/TaxRates/output2")).TaxRates[0].EffectiveRate).toBe(15);
  const list = async (query: Record<string, string>) =>
    (await given.ok("GET", "/TaxRates", undefined, { query })).TaxRates.map(
      (each: Json) => each.TaxType,
    );
  expect(await list({ taxtype: "INPUT2, output2" })).toEqual(["INPUT2", "OUTPUT2"]);
  expect(await list({ where: 'Status=="DELETED"', order: "TaxType DESC" })).toEqual([
    "OUTPUT",
    "INPUT",
  ]);
  expect(await list({ where: "EffectiveRate==15 AND CanApplyToRevenue==true" })).toEqual([
    "OUTPUT2",
  ]);
});

// --- every region's flags --------------------------------------------------------------------

/** Up to when a rate may be named that the law has ended. */
const lastDay = (country: Country, code: string) =>
  regionAt(country)
    .taxRates()
    .find(({ taxType }) => taxType === code)?.ended?.lastDay;
const types = ["FIXED", "EQUITY", "EXPENSE", "CURRLIAB", "REVENUE"] as const;
/** Rates of import in South Africa whose whole line is tax: they stand on the accounts of VAT alone. */
const wholeTax = new Set(["ZA IMINPUT", "ZA GSTONCAPIMPORTS", "DE GSTONIMPORTS"]);
const taxAccounts = (country: string) => (country === "DE" ? ["1433", "3800"] : ["820", "821"]);

test.each(Object.keys(rateFlags) as Country[])(
  "in %s, a line is refused exactly when its tax rate does not allow the class of its account",
  async (country) => {
    const given = await world(country);
    for (const [index, Type] of types.entries()) {
      await given.ok("PUT", "/Accounts", { Code: `T${index}`, Name: `Test ${Type}`, Type });
    }
    const party = await contact(given);
    const lines = Object.entries(rateFlags[country]).flatMap(([pattern, codes]) =>
      codes.split(" ").flatMap((TaxType) =>
        types.map((_, index) => ({
          TaxType,
          AccountCode: `T${index}`,
          may: pattern[index] === "T",
          isTax: wholeTax.has(`${country} ${TaxType}`),
        })),
      ),
    );
    const Invoices = lines.map(({ TaxType, AccountCode }) => ({
      Type: "ACCPAY",
      Contact: { ContactID: party.ContactID },
      Date: lastDay(country, TaxType),
      LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, TaxType, AccountCode }],
    }));
    const { Invoices: answered } = await given.ok(
      "PUT",
      "/Invoices",
      { Invoices },
      { query: { SummarizeErrors: "false" } },
    );
    const said = answered.map((each: Json) =>
      (each.ValidationErrors ?? []).map((error: Json) => error.Message),
    );
    expect(said).toEqual(
      lines.map(({ TaxType, AccountCode, may, isTax }) => {
        const refusal = `The TaxType code '${TaxType}' cannot be used with account code '${AccountCode}'.`;
        if (!may) return [refusal];
        const where = taxAccounts(country).join(" or ");
        return isTax ? [`${refusal} The whole line is tax: it stands on ${where}.`] : [];
      }),
    );
  },
);

test.each([...wholeTax])(
  "the tax rate %s is allowed on the tax accounts of its country",
  async (rate) => {
    const [country, TaxType] = rate.split(" ") as [Country, string];
    const given = await world(country);
    for (const AccountCode of taxAccounts(country)) {
      const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 150, TaxType, AccountCode }];
      const made = await invoiced(given, { Type: "ACCPAY", LineItems });
      expect(made.LineItems).toMatchObject([{ TaxType, AccountCode }]);
    }
  },
);

test("the US tax rate for automatic look-up is listed, and refused on every line", async () => {
  const given = await world("US");
  const body = {
    Type: "ACCREC",
    Contact: { ContactID: (await contact(given)).ContactID },
    LineItems: [
      { Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "400", TaxType: "AVALARA" },
    ],
  };
  expect((await given.ok("GET", "/TaxRates/AVALARA")).TaxRates).toHaveLength(1);
  expect(await given.refused("PUT", "/Invoices", body)).toEqual([
    "TaxType code 'AVALARA' does not exist or cannot be used.",
  ]);
});

test("GST on disallowed expenses in Singapore is posted as part of their cost", async () => {
  const given = await world("SG");
  const line = { Description: "Club", Quantity: 1, UnitAmount: 100, AccountCode: "420" };
  await invoiced(given, {
    Type: "ACCPAY",
    Status: "AUTHORISED",
    LineItems: [
      { ...line, TaxType: "BLINPUT3Y24" },
      { ...line, AccountCode: "429", TaxType: "INPUTY24" },
    ],
  });
  const moved = await movements(given);
  expect(moved).toMatchObject({
    "Entertainment (420)": 109,
    "General Expenses (429)": 100,
    "GST (820)": 9,
    "Accounts Payable (800)": -218,
  });
});
