/** Resources and their fields: Item, Organisation, TaxRate. */
import { expect } from "vitest";
import { updateOrganisation } from "../../../src/store/records/organisations.ts";
import { acted } from "../../support/audit.ts";
import { type Heading, type Row, row } from "../row.ts";

type Desk = Parameters<Row["check"]>[0];

const tracked = {
  Code: "MUG",
  InventoryAssetAccountCode: "630",
  PurchaseDetails: { COGSAccountCode: "310", UnitPrice: 4 },
  SalesDetails: { UnitPrice: 9, AccountCode: "200" },
};

async function bought(desk: Desk, Quantity: number, UnitAmount: number) {
  const LineItems = [{ ItemCode: "MUG", Description: "Mugs", Quantity, UnitAmount }];
  return desk.put("/Invoices", await desk.bill({ LineItems, Status: "AUTHORISED" }));
}

/** A text that may be so long, and no longer. */
const upTo = (field: string, max: number): Row =>
  row(`${field} has at most ${max} characters`, async (desk) => {
    const value = "m".repeat(max);
    expect((await desk.put("/Items", { Code: "A", [field]: value }))[field]).toBe(value);
    await desk.refused("PUT", "/Items", { Code: "B", [field]: `${value}m` });
  });

export const item: Heading = {
  heading: "Resources and their fields: Item",
  rows: [
    row("ItemID is generated", async (desk) => {
      expect((await desk.put("/Items", { Code: "A" })).ItemID).toMatch(/^[0-9a-f-]{36}$/);
    }),
    upTo("Code", 30),
    row("Code is required", async (desk) => {
      expect(await desk.refused("PUT", "/Items", { Name: "x" })).toMatch(/Code/);
      expect(await desk.refused("POST", "/Items", { Name: "x" })).toMatch(/Code/);
    }),
    upTo("Name", 50),
    row("IsSold: false takes Description and SalesDetails away", async (desk) => {
      const made = await desk.put("/Items", {
        Code: "A",
        Description: "d",
        SalesDetails: { UnitPrice: 1 },
      });
      expect(made).toMatchObject({ IsSold: "true", Description: "d" });
      const changed = await desk.post("/Items", { Code: "A", IsSold: "false" });
      expect(changed.IsSold).toBe("false");
      expect(changed.Description).toBeUndefined();
      expect(changed.SalesDetails).toBeUndefined();
    }),
    row("IsPurchased: false takes PurchaseDescription and PurchaseDetails away", async (desk) => {
      const made = await desk.put("/Items", {
        Code: "A",
        PurchaseDescription: "d",
        PurchaseDetails: { UnitPrice: 1 },
      });
      expect(made).toMatchObject({ IsPurchased: "true", PurchaseDescription: "d" });
      const changed = await desk.post("/Items", { Code: "A", IsPurchased: "false" });
      expect(changed.PurchaseDescription).toBeUndefined();
      expect(changed.PurchaseDetails).toBeUndefined();
    }),
    upTo("Description", 4000),
    upTo("PurchaseDescription", 4000),
    row("PurchaseDetails and SalesDetails: price, account and tax type", async (desk) => {
      const PurchaseDetails = { UnitPrice: "1.5", AccountCode: "429", TaxType: "NONE" };
      const SalesDetails = { UnitPrice: "2.5", AccountCode: "200", TaxType: "OUTPUT2" };
      const made = await desk.put("/Items", { Code: "A", PurchaseDetails, SalesDetails });
      expect(made).toMatchObject({ PurchaseDetails, SalesDetails });
    }),
    row("UnitPrice has 2 decimals, and 4 with unitdp=4", async (desk) => {
      const SalesDetails = { UnitPrice: "1.2345" };
      expect((await desk.put("/Items", { Code: "A", SalesDetails })).SalesDetails.UnitPrice).toBe(
        "1.23",
      );
      const four = await desk.put("/Items", { Code: "B", SalesDetails }, { unitdp: "4" });
      expect(four.SalesDetails.UnitPrice).toBe("1.2345");
    }),
    row("AccountCode is not for purchases of tracked items", async (desk) => {
      const PurchaseDetails = { ...tracked.PurchaseDetails, AccountCode: "429" };
      await desk.refused("PUT", "/Items", { ...tracked, PurchaseDetails });
    }),
    row("COGSAccountCode is only for purchases of tracked items", async (desk) => {
      await desk.refused("PUT", "/Items", { Code: "A", SalesDetails: { COGSAccountCode: "310" } });
    }),
    row("IsTrackedAsInventory is true when both accounts are set", async (desk) => {
      expect((await desk.put("/Items", tracked)).IsTrackedAsInventory).toBe("true");
      expect((await desk.put("/Items", { Code: "A" })).IsTrackedAsInventory).toBe("false");
    }),
    row("InventoryAssetAccountCode is an inventory account, and needs the other", async (desk) => {
      await desk.refused("PUT", "/Items", { ...tracked, InventoryAssetAccountCode: "200" });
      await desk.refused("PUT", "/Items", { ...tracked, PurchaseDetails: undefined });
    }),
    row("TotalCostPool and QuantityOnHand are read-only, at average cost", async (desk) => {
      await desk.put("/Items", { ...tracked, TotalCostPool: 5, QuantityOnHand: 5 });
      await bought(desk, 10, 4);
      await bought(desk, 10, 6);
      await desk.approved({
        LineItems: [{ ItemCode: "MUG", Description: "x", Quantity: 5, UnitAmount: 9 }],
      });
      const read = await desk.one("/Items/MUG");
      expect(read).toMatchObject({ QuantityOnHand: "15", TotalCostPool: "75" });
    }),
    row("UpdatedDateUTC is the moment of the change", async (desk) => {
      const made = await desk.put("/Items", { Code: "A", UpdatedDateUTC: "2020-01-01" });
      expect(made.UpdatedDateUTC).toBe("2026-02-28T23:00:00Z");
    }),
    row("a tracked item cannot be sold beyond what is on hand", async (desk) => {
      await desk.put("/Items", tracked);
      await bought(desk, 2, 4);
      const LineItems = [{ ItemCode: "MUG", Description: "x", Quantity: 3, UnitAmount: 9 }];
      await desk.refused("PUT", "/Invoices", await desk.sale({ LineItems, Status: "AUTHORISED" }));
    }),
    row("an untracked item has no quantity and no value", async (desk) => {
      await desk.put("/Items", { Code: "MUG", PurchaseDetails: { AccountCode: "429" } });
      await bought(desk, 2, 4);
      const read = await desk.one("/Items/MUG");
      expect([read.QuantityOnHand, read.TotalCostPool]).toEqual([undefined, undefined]);
    }),
  ],
};

const always =
  "Name PaysTax Version OrganisationType BaseCurrency CountryCode IsDemoCompany OrganisationStatus FinancialYearEndDay FinancialYearEndMonth SalesTaxBasis SalesTaxPeriod DefaultSalesTax DefaultPurchasesTax CreatedDateUTC Timezone OrganisationEntityType ShortCode OrganisationID Edition Class".split(
    " ",
  );

const whenSet = {
  APIKey: "k",
  LegalName: "Heron Lane Limited",
  RegistrationNumber: "9429",
  EmployerIdentificationNumber: "12-3456789",
  TaxNumber: "101-202-303",
  PeriodLockDate: "2025-12-31",
  EndOfYearLockDate: "2025-03-31",
  LineOfBusiness: "Pottery",
};

export const organisation: Heading = {
  heading: "Resources and their fields: Organisation",
  rows: [
    row(`${always.join(", ")} are always there`, async (desk) => {
      const read = await desk.one("/Organisation");
      for (const field of always) expect([field, read[field]]).toEqual([field, expect.anything()]);
    }),
    row(
      "APIKey is always the same, and LineOfBusiness in JSON also where it is not set",
      async (desk) => {
        const { APIKey, OrganisationID } = await desk.one("/Organisation");
        expect(APIKey).toMatch(/^[0-9A-F]{30}$/);
        const said = await desk.well("GET", "/Organisations");
        expect(said.records).toMatchObject([{ APIKey, OrganisationID }]);
        expect(said.text.includes('"LineOfBusiness":""')).toBe(desk.format === "JSON");
      },
    ),
    row(`${Object.keys(whenSet).join(", ")} are there when set`, async (desk) => {
      const { store, org } = desk.given.book;
      await store.write(org, (tx) => updateOrganisation(acted(tx), whenSet));
      expect(await desk.one("/Organisation")).toMatchObject(whenSet);
    }),
    row("ExternalLinks have LinkType and Url; PaymentTerms have Bills and Sales", async (desk) => {
      const given = {
        ExternalLinks: [{ LinkType: "Website", Url: "https://heron.example" }],
        PaymentTerms: {
          Bills: { Day: 15, Type: "OFFOLLOWINGMONTH" },
          Sales: { Day: 20, Type: "OFCURRENTMONTH" },
        },
      } as const;
      const { store, org } = desk.given.book;
      await store.write(org, (tx) =>
        updateOrganisation(acted(tx), { ...given, ExternalLinks: [...given.ExternalLinks] }),
      );
      expect(await desk.one("/Organisation")).toMatchObject({
        ExternalLinks: given.ExternalLinks,
        PaymentTerms: {
          Bills: { Day: "15", Type: "OFFOLLOWINGMONTH" },
          Sales: { Day: "20", Type: "OFCURRENTMONTH" },
        },
      });
    }),
    row("BaseCurrency, CountryCode and the financial year are of the country", async (desk) => {
      expect(await desk.one("/Organisation")).toMatchObject({
        BaseCurrency: "NZD",
        CountryCode: "NZ",
        FinancialYearEndDay: "31",
        FinancialYearEndMonth: "3",
        OrganisationStatus: "ACTIVE",
        Class: "DEMO",
        Edition: "BUSINESS",
      });
    }),
    row("nothing of it can be written", async (desk) => {
      for (const method of ["PUT", "POST", "DELETE"]) {
        const said = await desk.ask(method, "/Organisation", { Name: "Mine" });
        expect(said.status).toBe(501);
      }
      expect((await desk.one("/Organisation")).Name).toBe("Heron Lane Ltd");
    }),
    row("Actions have a Name and a Status, ALLOWED or not", async (desk) => {
      const actions = await desk.read("/Organisation/Actions");
      expect(actions.map((each) => each.Name)).toContain("CreateApprovedInvoice");
      for (const { Status } of actions) expect(Status).toMatch(/^(ALLOWED|NOT-ALLOWED)$/);
    }),
    row(
      "CIS settings say whether contractor and subcontractor are enabled",
      async (desk) => {
        const { OrganisationID } = await desk.one("/Organisation");
        expect(await desk.one(`/Organisation/${OrganisationID}/CISSettings`)).toMatchObject({
          CISContractorEnabled: "false",
          CISSubContractorEnabled: "false",
        });
      },
      "GB",
    ),
  ],
};

const levy = (fields: object = {}) => ({
  Name: "Levy",
  ReportTaxType: "OUTPUT",
  TaxComponents: [{ Name: "L", Rate: "3.1234" }],
  ...fields,
});

export const taxRate: Heading = {
  heading: "Resources and their fields: TaxRate",
  rows: [
    row("Name is kept", async (desk) => {
      expect((await desk.put("/TaxRates", levy())).Name).toBe("Levy");
    }),
    row("TaxType is given by the service, and names the rate on updates", async (desk) => {
      const { TaxType } = await desk.put("/TaxRates", levy());
      expect(TaxType).toMatch(/^TAX\d+$/);
      const changed = await desk.post("/TaxRates", levy({ TaxType, Name: "Other" }));
      expect(changed).toMatchObject({ TaxType, Name: "Other" });
    }),
    row("TaxComponents: name, rate of 4 decimals, compound or not", async (desk) => {
      const TaxComponents = [
        { Name: "a", Rate: "5.1234", IsCompound: "false" },
        { Name: "b", Rate: "10", IsCompound: "true" },
      ];
      const made = await desk.put("/TaxRates", levy({ TaxComponents }));
      expect(made.TaxComponents).toMatchObject(TaxComponents);
    }),
    row("IsNonRecoverable is false by default, and Canadian", async (desk) => {
      const made = await desk.put("/TaxRates", levy());
      expect(made.TaxComponents[0].IsNonRecoverable).toBe("false");
      const TaxComponents = [{ Name: "L", Rate: 3, IsNonRecoverable: "true" }];
      await desk.refused("PUT", "/TaxRates", levy({ Name: "Two", TaxComponents }));
    }),
    row(
      "IsNonRecoverable applies in Canada",
      async (desk) => {
        const TaxComponents = [{ Name: "L", Rate: 3, IsNonRecoverable: "true" }];
        const made = await desk.put("/TaxRates", levy({ ReportTaxType: undefined, TaxComponents }));
        expect(made.TaxComponents[0].IsNonRecoverable).toBe("true");
      },
      "CA",
    ),
    row("Status DELETED deletes", async (desk) => {
      const { TaxType } = await desk.put("/TaxRates", levy());
      const gone = await desk.post("/TaxRates", levy({ TaxType, Status: "DELETED" }));
      expect(gone.Status).toBe("DELETED");
    }),
    ...(["AU", "NZ", "GB"] as const).map((country) =>
      row(
        `ReportTaxType is required on create in ${country}`,
        async (desk) => {
          const said = await desk.refused("PUT", "/TaxRates", levy({ ReportTaxType: undefined }));
          expect(said).toMatch(/ReportTaxType/);
        },
        country,
      ),
    ),
    row("CanApplyTo… say which types of account may use it", async (desk) => {
      const made = await desk.put("/TaxRates", levy());
      for (const each of ["Assets", "Equity", "Expenses", "Liabilities", "Revenue"]) {
        expect(made[`CanApplyTo${each}`]).toMatch(/^(true|false)$/);
      }
      expect(made.CanApplyToExpenses).toBe("false");
      const LineItems = [desk.line({ AccountCode: "429", TaxType: made.TaxType })];
      await desk.refused("PUT", "/Invoices", await desk.bill({ LineItems }));
    }),
    row("DisplayTaxRate and EffectiveRate have 4 decimals", async (desk) => {
      const made = await desk.put("/TaxRates", levy());
      expect(made).toMatchObject({ DisplayTaxRate: "3.1234", EffectiveRate: "3.1234" });
    }),
  ],
};
