/** Endpoints: Payments, Items, Organisation, TaxRates. */
import { expect } from "vitest";
import { at, type Heading, type Row, row } from "../row.ts";
import { histories } from "./endpoints-documents.ts";

type Desk = Parameters<Row["check"]>[0];

const found = async (desk: Desk, query: Record<string, string>) =>
  (await desk.read("/Payments", query)).map((each) => each.PaymentID);

async function threePayments(desk: Desk) {
  const made = [
    await desk.pay(await desk.approved(), { Date: "2026-03-02", Reference: "first" }),
    await desk.pay(await desk.approved(), { Date: "2026-03-09" }),
    await desk.pay(await desk.put("/Invoices", await desk.bill({ Status: "AUTHORISED" }))),
  ];
  await desk.post(`/Payments/${made[1].PaymentID}`, { Status: "DELETED" });
  return made;
}

export const payments: Heading = {
  heading: "Endpoints: Payments",
  rows: [
    at("GET /Payments", "takes where, order, page and If-Modified-Since", async (desk) => {
      const made = await threePayments(desk);
      const dates = (await desk.read("/Payments", { order: "Date DESC", page: "1" })).map(
        (each) => each.Date,
      );
      expect(dates).toEqual(["2026-03-10", "2026-03-09", "2026-03-02"]);
      expect(await found(desk, { page: "2" })).toEqual([]);
      const headers = { "if-modified-since": "2030-01-01T00:00:00" };
      expect((await desk.well("GET", "/Payments", undefined, { headers })).records).toEqual([]);
      expect(made).toHaveLength(3);
    }),
    at("GET /Payments", "is filtered by every optimised field", async (desk) => {
      const [first, second, third] = await threePayments(desk);
      const ids = [first.PaymentID, second.PaymentID, third.PaymentID];
      const by = async (where: string) => (await found(desk, { where })).sort();
      expect(await by('PaymentType=="ACCPAYPAYMENT"')).toEqual([ids[2]]);
      expect(await by('Status=="DELETED"')).toEqual([ids[1]]);
      expect(await by("Date>DateTime(2026,03,02,00,00,00)")).toEqual([ids[1], ids[2]].sort());
      expect(await by(`Invoice.InvoiceID==Guid("${first.Invoice.InvoiceID}")`)).toEqual([ids[0]]);
      expect(await by('Reference=="first"')).toEqual([ids[0]]);
      expect(await by('Reference=="first" AND Status=="AUTHORISED"')).toEqual([ids[0]]);
      expect(await by(`PaymentID==Guid("${ids[0]}") OR PaymentID==Guid("${ids[2]}")`)).toEqual(
        [ids[0], ids[2]].sort(),
      );
    }),
    at("GET /Payments", "is ordered by UpdatedDateUTC, Date or PaymentId", async (desk) => {
      const made = await threePayments(desk);
      for (const order of ["UpdatedDateUTC", "Date DESC", "PaymentId"]) {
        expect(await found(desk, { order })).toHaveLength(made.length);
      }
    }),
    at("GET /Payments/{id}", "is one payment", async (desk) => {
      const { PaymentID } = await desk.pay(await desk.approved());
      expect(await desk.one(`/Payments/${PaymentID}`)).toMatchObject({ PaymentID, Amount: "115" });
    }),
    at("PUT /Payments", "pays approved sales and bills", async (desk) => {
      for (const Type of ["ACCREC", "ACCPAY"]) {
        const invoice = await desk.approved({ Type });
        await desk.pay(invoice);
        expect((await desk.one(`/Invoices/${invoice.InvoiceID}`)).Status).toBe("PAID");
      }
      const { InvoiceID } = await desk.invoice();
      const draft = {
        Invoice: { InvoiceID },
        Account: { Code: "090" },
        Date: "2026-03-02",
        Amount: 1,
      };
      expect(await desk.refused("PUT", "/Payments", draft)).toMatch(/Authorised/i);
    }),
    at("PUT /Payments", "takes exactly one target", async (desk) => {
      const { InvoiceID } = await desk.approved();
      const of = { Account: { Code: "090" }, Date: "2026-03-02", Amount: 1 };
      await desk.refused("PUT", "/Payments", of);
      const CreditNote = { CreditNoteNumber: "CN-0001" };
      await desk.refused("PUT", "/Payments", { ...of, Invoice: { InvoiceID }, CreditNote });
    }),
    at("POST /Payments/{id}", "reverses it", async (desk) => {
      const { PaymentID } = await desk.pay(await desk.approved());
      const gone = await desk.post(`/Payments/${PaymentID}`, { Status: "DELETED" });
      expect(gone).toMatchObject({ PaymentID, Status: "DELETED" });
    }),
    ...histories("Payments", async (desk) => (await desk.pay(await desk.approved())).PaymentID),
    at(
      "GET /Payments",
      "a full page is followed by the next, to one without records",
      async (desk) => {
        const { InvoiceID } = await desk.approved();
        const each = {
          Invoice: { InvoiceID },
          Account: { Code: "090" },
          Date: "2026-03-02",
          Amount: "0.5",
        };
        await desk.well(
          "PUT",
          "/Payments",
          Array.from({ length: 101 }, () => each),
        );
        const pages = [];
        for (const page of ["1", "2", "3"]) pages.push((await found(desk, { page })).length);
        expect(pages).toEqual([100, 1, 0]);
      },
    ),
  ],
};

export const items: Heading = {
  heading: "Endpoints: Items",
  rows: [
    at("GET /Items", "takes where, order, If-Modified-Since and unitdp", async (desk) => {
      const SalesDetails = { UnitPrice: "1.2345" };
      await desk.well("PUT", "/Items", [{ Code: "A", SalesDetails }, { Code: "B" }], {
        query: { unitdp: "4" },
      });
      const codes = (await desk.read("/Items", { order: "Code DESC" })).map((each) => each.Code);
      expect(codes).toEqual(["B", "A"]);
      const where = { where: 'Code=="A"' };
      expect((await desk.one("/Items", where)).SalesDetails.UnitPrice).toBe("1.23");
      const four = await desk.one("/Items", { ...where, unitdp: "4" });
      expect(four.SalesDetails.UnitPrice).toBe("1.2345");
      const headers = { "if-modified-since": "2030-01-01T00:00:00" };
      expect((await desk.well("GET", "/Items", undefined, { headers })).records).toEqual([]);
    }),
    at("GET /Items/{id or Code}", "is one item, by either", async (desk) => {
      const { ItemID } = await desk.put("/Items", { Code: "A" });
      for (const key of [ItemID, "A"]) expect((await desk.one(`/Items/${key}`)).Code).toBe("A");
    }),
    at("PUT /Items", "makes one or several, and only makes", async (desk) => {
      const two = [{ Code: "A" }, { Code: "B" }];
      expect((await desk.well("PUT", "/Items", two)).records).toHaveLength(2);
      await desk.refused("PUT", "/Items", { Code: "A" });
    }),
    at("POST /Items", "makes or updates", async (desk) => {
      const made = await desk.put("/Items", { Code: "A" });
      const { records } = await desk.well("POST", "/Items", [
        { Code: "A", Name: "x" },
        { Code: "B" },
      ]);
      expect(records[0]).toMatchObject({ ItemID: made.ItemID, Name: "x" });
      expect(records[1].Code).toBe("B");
    }),
    at("DELETE /Items/{id}", "removes it", async (desk) => {
      const { ItemID } = await desk.put("/Items", { Code: "A" });
      expect((await desk.ask("DELETE", `/Items/${ItemID}`)).status).toBe(204);
      expect((await desk.ask("GET", "/Items/A")).status).toBe(404);
    }),
    ...histories("Items", async (desk) => (await desk.put("/Items", { Code: "A" })).ItemID),
    row("QuantityOnHand and TotalCostPool move with purchases and sales alone", async (desk) => {
      await desk.put("/Items", {
        Code: "MUG",
        InventoryAssetAccountCode: "630",
        PurchaseDetails: { COGSAccountCode: "310" },
        QuantityOnHand: 7,
        TotalCostPool: 70,
      });
      const stock = async () => {
        const { QuantityOnHand, TotalCostPool } = await desk.one("/Items/MUG");
        return [QuantityOnHand, TotalCostPool];
      };
      expect(await stock()).toEqual(["0", "0"]);
      const line = { ItemCode: "MUG", Description: "x", UnitAmount: 5 };
      const Status = "AUTHORISED";
      const inward = await desk.bill({ Status, LineItems: [{ ...line, Quantity: 4 }] });
      await desk.put("/Invoices", inward);
      expect(await stock()).toEqual(["4", "20"]);
      await desk.approved({ LineItems: [{ ...line, Quantity: 1, AccountCode: "200" }] });
      expect(await stock()).toEqual(["3", "15"]);
      await desk.post("/Items", { Code: "MUG", QuantityOnHand: 99, TotalCostPool: 99 });
      expect(await stock()).toEqual(["3", "15"]);
    }),
  ],
};

export const organisations: Heading = {
  heading: "Endpoints: Organisation",
  rows: [
    ...["Organisation", "Organisations"].map((name) =>
      at(`GET /${name}`, "is the organisation", async (desk) => {
        expect((await desk.one(`/${name}`)).Name).toBe("Heron Lane Ltd");
      }),
    ),
    at("GET /Organisation/Actions", "lists what may be done", async (desk) => {
      const actions = await desk.read("/Organisation/Actions");
      expect(actions).toContainEqual({ Name: "CreateApprovedInvoice", Status: "ALLOWED" });
    }),
    at(
      "GET /Organisation/{OrganisationID}/CISSettings",
      "is the scheme's settings",
      async (desk) => {
        const { OrganisationID } = await desk.one("/Organisation");
        const settings = await desk.one(`/Organisation/${OrganisationID}/CISSettings`);
        expect(settings.CISContractorEnabled).toMatch(/^(true|false)$/);
      },
      "GB",
    ),
  ],
};

const levy = { Name: "Levy", ReportTaxType: "OUTPUT", TaxComponents: [{ Name: "L", Rate: 3 }] };

export const taxRates: Heading = {
  heading: "Endpoints: TaxRates",
  rows: [
    at("GET /TaxRates", "takes TaxType, where and order", async (desk) => {
      expect((await desk.one("/TaxRates", { TaxType: "OUTPUT2" })).TaxType).toBe("OUTPUT2");
      expect((await desk.one("/TaxRates", { where: 'TaxType=="NONE"' })).TaxType).toBe("NONE");
      const all = await desk.read("/TaxRates", { order: "Name" });
      const turned = await desk.read("/TaxRates", { order: "Name DESC" });
      expect(turned.map((each) => each.Name)).toEqual(all.map((each) => each.Name).reverse());
    }),
    at("PUT /TaxRates", "makes one, and only makes", async (desk) => {
      const { TaxType } = await desk.put("/TaxRates", levy);
      await desk.refused("PUT", "/TaxRates", { ...levy, TaxType });
      await desk.refused("PUT", "/TaxRates", levy);
    }),
    at("POST /TaxRates", "makes or updates", async (desk) => {
      const { TaxType } = await desk.post("/TaxRates", levy);
      const changed = await desk.post("/TaxRates", { ...levy, TaxType, Name: "Other" });
      expect(changed).toMatchObject({ TaxType, Name: "Other" });
    }),
    row("one rate in a request", async (desk) => {
      const two = [levy, { ...levy, Name: "Two" }];
      for (const method of ["PUT", "POST"]) await desk.refused(method, "/TaxRates", two);
    }),
    ...["NONE", "OUTPUT2", "INPUT2"].map((TaxType) =>
      row(`${TaxType} is of the system and cannot be updated`, async (desk) => {
        for (const change of [levy, { Status: "DELETED" }]) {
          const said = await desk.refused("POST", "/TaxRates", { ...change, TaxType });
          expect(said).toContain("System-defined rates cannot be updated");
        }
        const renamed = await desk.post("/TaxRates", { TaxType, Name: "Renamed" });
        expect(renamed).toMatchObject({ TaxType, Name: "Renamed" });
      }),
    ),
    row("a component that an update leaves out is deleted", async (desk) => {
      const both = [
        { Name: "L", Rate: 3 },
        { Name: "M", Rate: 4 },
      ];
      const { TaxType } = await desk.put("/TaxRates", { ...levy, TaxComponents: both });
      const TaxComponents = [both[1]];
      const changed = await desk.post("/TaxRates", { ...levy, TaxType, TaxComponents });
      expect(changed.TaxComponents).toHaveLength(1);
      expect(changed).toMatchObject({ TaxComponents: [{ Name: "M" }], EffectiveRate: "4" });
    }),
    row("a line whose tax type its account cannot bear is rejected", async (desk) => {
      const LineItems = [desk.line({ AccountCode: "429", TaxType: "OUTPUT2" })];
      const said = await desk.refused("PUT", "/Invoices", await desk.bill({ LineItems }));
      expect(said).toContain("The TaxType code 'OUTPUT2' cannot be used with account code '429'");
    }),
  ],
};
