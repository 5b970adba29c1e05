/** Resources and their fields: PurchaseOrder. */
import { expect } from "vitest";
import { type Heading, type Row, row } from "../row.ts";

type Desk = Parameters<Row["check"]>[0];

/** What an order says of a field that it was made with. */
const kept = (field: string, value: string): Row =>
  row(`${field} is kept as it was sent`, async (desk) => {
    const { PurchaseOrderID } = await desk.order({ [field]: value });
    expect((await desk.one(`/PurchaseOrders/${PurchaseOrderID}`))[field]).toBe(value);
  });

async function ordered(desk: Desk, line: object): Promise<Record<string, unknown>> {
  const LineItems = [desk.line({ AccountCode: "429", ...line })];
  return (await desk.order({ LineItems })).LineItems[0];
}

async function body(desk: Desk, fields: object = {}): Promise<object> {
  const { ContactID } = await desk.contact();
  return { Contact: { ContactID }, LineItems: [desk.line({ AccountCode: "429" })], ...fields };
}

export const purchaseOrder: Heading = {
  heading: "Resources and their fields: PurchaseOrder",
  rows: [
    row("PurchaseOrderID is generated", async (desk) => {
      expect((await desk.order()).PurchaseOrderID).toMatch(/^[0-9a-f-]{36}$/);
    }),
    row("Contact is required on create, and exists already", async (desk) => {
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { Contact: undefined }));
      const Contact = { ContactNumber: "nobody" };
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { Contact }));
    }),
    row("LineItems: at least one on create", async (desk) => {
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { LineItems: undefined }));
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { LineItems: [] }));
    }),
    row("Date is today in the organisation's time zone when it is not given", async (desk) => {
      expect((await desk.order({ Date: undefined })).Date).toBe("2026-03-01");
    }),
    kept("DeliveryDate", "2026-03-09"),
    row("LineAmountTypes is exclusive of tax when it is omitted", async (desk) => {
      expect(await desk.order()).toMatchObject({ LineAmountTypes: "Exclusive", Total: "115" });
      expect((await desk.order({ LineAmountTypes: "Inclusive" })).Total).toBe("100");
    }),
    row("PurchaseOrderNumber is unique, and generated when missing", async (desk) => {
      const { PurchaseOrderNumber } = await desk.order();
      expect(PurchaseOrderNumber).toMatch(/\d+$/);
      const again = await body(desk, { PurchaseOrderNumber });
      expect(await desk.refused("PUT", "/PurchaseOrders", again)).toMatch(/unique/);
    }),
    kept("Reference", "Q 7"),
    row("BrandingThemeID is kept as it was sent", async (desk) => {
      const [{ BrandingThemeID }] = await desk.read("/BrandingThemes");
      expect((await desk.order({ BrandingThemeID })).BrandingThemeID).toBe(BrandingThemeID);
    }),
    row("CurrencyCode and CurrencyRate are the order's own", async (desk) => {
      await desk.put("/Currencies", { Code: "USD" });
      const made = await desk.order({ CurrencyCode: "USD", CurrencyRate: "0.61" });
      expect(made).toMatchObject({ CurrencyCode: "USD", CurrencyRate: "0.61" });
      expect((await desk.order()).CurrencyCode).toBe("NZD");
    }),
    row("Status is DRAFT or DELETED, among others", async (desk) => {
      const made = await desk.order();
      expect(made.Status).toBe("DRAFT");
      const gone = await desk.post(`/PurchaseOrders/${made.PurchaseOrderID}`, {
        Status: "DELETED",
      });
      expect(gone.Status).toBe("DELETED");
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { Status: "OPEN" }));
    }),
    row("SentToContact can be set on approved and billed orders only", async (desk) => {
      const SentToContact = "true";
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { SentToContact }));
      for (const path of [["AUTHORISED"], ["AUTHORISED", "BILLED"]]) {
        const { PurchaseOrderID } = await desk.order();
        for (const Status of path)
          await desk.post(`/PurchaseOrders/${PurchaseOrderID}`, { Status });
        const sent = await desk.post(`/PurchaseOrders/${PurchaseOrderID}`, { SentToContact });
        expect(sent.SentToContact).toBe("true");
      }
    }),
    kept("DeliveryAddress", "1 Kiln Road\nNelson"),
    kept("AttentionTo", "Ada"),
    kept("Telephone", "+64 3 555 0101"),
    row("DeliveryInstructions has at most 500 characters", async (desk) => {
      const DeliveryInstructions = "i".repeat(500);
      const made = await desk.order({ DeliveryInstructions });
      expect(made.DeliveryInstructions).toBe(DeliveryInstructions);
      const more = await body(desk, { DeliveryInstructions: `${DeliveryInstructions}i` });
      await desk.refused("PUT", "/PurchaseOrders", more);
    }),
    kept("ExpectedArrivalDate", "2026-03-11"),
    row("SubTotal, TotalTax, Total and TotalDiscount are read-only", async (desk) => {
      const sent = { SubTotal: 1, TotalTax: 2, Total: 3, TotalDiscount: 4 };
      const LineItems = [desk.line({ AccountCode: "429", DiscountRate: 10 })];
      expect(await desk.order({ ...sent, LineItems })).toMatchObject({
        SubTotal: "90",
        TotalTax: "13.5",
        Total: "103.5",
        TotalDiscount: "10",
      });
    }),
    row("HasAttachments says whether there are files", async (desk) => {
      const { PurchaseOrderID } = await desk.order({ HasAttachments: "true" });
      const path = `/PurchaseOrders/${PurchaseOrderID}`;
      expect((await desk.one(path)).HasAttachments).toBe("false");
      const headers = { "content-type": "text/plain" };
      await desk.well("PUT", `${path}/Attachments/a.txt`, "x", { headers });
      expect((await desk.one(path)).HasAttachments).toBe("true");
    }),
    row("UpdatedDateUTC is the moment of the change", async (desk) => {
      const made = await desk.order({ UpdatedDateUTC: "2020-01-01" });
      expect(made.UpdatedDateUTC).toBe("2026-02-28T23:00:00Z");
      desk.given.now += 60_000;
      const path = `/PurchaseOrders/${made.PurchaseOrderID}`;
      const changed = await desk.post(path, { Reference: "x" });
      expect(changed.UpdatedDateUTC).toBe("2026-02-28T23:01:00Z");
    }),
    row("a line may be a description alone", async (desk) => {
      const LineItems = [{ Description: "As agreed" }];
      const made = await desk.order({ LineItems });
      expect(made.LineItems[0].Description).toBe("As agreed");
    }),
    row("a line with a Quantity needs a UnitAmount", async (desk) => {
      const LineItems = [desk.line({ UnitAmount: undefined, AccountCode: "429" })];
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { LineItems }));
    }),
    row("UnitAmount of a line has four decimals", async (desk) => {
      expect((await ordered(desk, { UnitAmount: "1.23456" })).UnitAmount).toBe("1.2346");
    }),
    row("ItemCode, AccountCode and TaxType of a line", async (desk) => {
      await desk.put("/Items", { Code: "CLAY", PurchaseDetails: { UnitPrice: 3 } });
      const line = await ordered(desk, { ItemCode: "CLAY", UnitAmount: 4, TaxType: "NONE" });
      expect(line).toMatchObject({ ItemCode: "CLAY", AccountCode: "429", TaxType: "NONE" });
    }),
    row("LineAmount is quantity by unit amount, less DiscountRate", async (desk) => {
      const line = await ordered(desk, { Quantity: 3, UnitAmount: 10, DiscountRate: 10 });
      expect(line).toMatchObject({ LineAmount: "27", TaxAmount: "4.05", DiscountRate: "10" });
    }),
    row("Tracking of a line: at most two", async (desk) => {
      for (const Name of ["Region", "Team"]) {
        const made = await desk.put("/TrackingCategories", { Name });
        await desk.put(`/TrackingCategories/${made.TrackingCategoryID}/Options`, { Name: "A" });
      }
      const Tracking = [
        { Name: "Region", Option: "A" },
        { Name: "Team", Option: "A" },
      ];
      expect((await ordered(desk, { Tracking })).Tracking).toMatchObject(Tracking);
      const LineItems = [desk.line({ Tracking: [...Tracking, Tracking[0]] })];
      await desk.refused("PUT", "/PurchaseOrders", await body(desk, { LineItems }));
    }),
    row("LineItemID of a line is generated", async (desk) => {
      expect((await ordered(desk, {})).LineItemID).toMatch(/^[0-9a-f-]{36}$/);
    }),
  ],
};
