/** Prepayments: their fields, and their endpoints. */
import { expect } from "vitest";
import type { Desk } from "../desk.ts";
import { at, type Heading, row } from "../row.ts";
import { histories } from "./endpoints-documents.ts";

/** A prepayment of 115.00 and an approved sale of as much, of one contact. */
async function ahead(desk: Desk) {
  const Contact = { ContactID: (await desk.contact()).ContactID };
  const prepaid = await desk.prepaid({ Contact });
  return { prepaid, path: `/Prepayments/${prepaid.PrepaymentID}`, Contact };
}

export const prepayment: Heading = {
  heading: "Resources and their fields: Prepayment",
  rows: [
    row("PrepaymentID is generated", async (desk) => {
      expect((await desk.prepaid()).PrepaymentID).toMatch(/^[0-9a-f-]{36}$/);
    }),
    row("Type, Status and LineAmountTypes", async (desk) => {
      expect(await desk.prepaid()).toMatchObject({
        Type: "RECEIVE-PREPAYMENT",
        Status: "AUTHORISED",
        LineAmountTypes: "Exclusive",
      });
    }),
    row("Contact and Date are the transaction's", async (desk) => {
      const { prepaid, Contact } = await ahead(desk);
      expect(prepaid).toMatchObject({ Contact, Date: "2026-03-02" });
    }),
    row("LineItems: description, quantity, amounts, account and tax", async (desk) => {
      expect((await desk.prepaid()).LineItems).toMatchObject([
        {
          Description: "Work",
          Quantity: "1",
          UnitAmount: "100",
          AccountCode: "200",
          TaxType: "OUTPUT2",
          TaxAmount: "15",
          LineAmount: "100",
        },
      ]);
    }),
    row("Description has at least 1 character", async (desk) => {
      const { ContactID } = await desk.contact();
      const said = await desk.refused("PUT", "/BankTransactions", {
        Type: "RECEIVE-PREPAYMENT",
        Contact: { ContactID },
        BankAccount: { Code: "090" },
        LineItems: [desk.line({ Description: "" })],
      });
      expect(said).toContain("LineItem 1: Description must have at least 1 character, not 0.");
    }),
    row("UnitAmount of a line has 2 decimals, and 4 with unitdp=4", async (desk) => {
      const { ContactID } = await desk.contact();
      const made = await desk.put(
        "/BankTransactions",
        {
          Type: "RECEIVE-PREPAYMENT",
          Contact: { ContactID },
          BankAccount: { Code: "090" },
          LineItems: [desk.line({ UnitAmount: "1.2345" })],
        },
        { unitdp: "4" },
      );
      const path = `/Prepayments/${made.PrepaymentID}`;
      expect((await desk.one(path)).LineItems[0].UnitAmount).toBe("1.23");
      expect((await desk.one(path, { unitdp: "4" })).LineItems[0].UnitAmount).toBe("1.2345");
    }),
    row("LineAmount given without Quantity or UnitAmount brings the other", async (desk) => {
      const lines = [
        desk.line({ Quantity: undefined, UnitAmount: 5, LineAmount: 20 }),
        desk.line({ Quantity: 4, UnitAmount: undefined, LineAmount: 20 }),
      ];
      const made = await desk.prepaid({ LineItems: lines });
      for (const line of made.LineItems) {
        expect(line).toMatchObject({ Quantity: "4", UnitAmount: "5", LineAmount: "20" });
      }
    }),
    row("Total is SubTotal and TotalTax together", async (desk) => {
      const sums = { SubTotal: "100", TotalTax: "15", Total: "115" };
      expect(await desk.prepaid()).toMatchObject(sums);
    }),
    row("UpdatedDateUTC is the moment of the change", async (desk) => {
      expect((await desk.prepaid()).UpdatedDateUTC).toBe("2026-02-28T23:00:00Z");
    }),
    row("CurrencyCode is the bank account's, CurrencyRate 1 in the base currency", async (desk) => {
      expect(await desk.prepaid()).toMatchObject({ CurrencyCode: "NZD", CurrencyRate: "1" });
    }),
    row("Reference is not to be set: it is the number of an invoice", async (desk) => {
      expect((await desk.prepaid({ Reference: "INV-77" })).Reference).toBeUndefined();
    }),
    row("RemainingCredit and Allocations follow what is allocated", async (desk) => {
      const { prepaid, path, Contact } = await ahead(desk);
      expect(prepaid.RemainingCredit).toBe("115");
      const { InvoiceID } = await desk.approved({ Contact });
      await desk.put(`${path}/Allocations`, { Invoice: { InvoiceID }, AppliedAmount: 40 });
      expect(await desk.one(path)).toMatchObject({
        RemainingCredit: "75",
        Allocations: [{ AppliedAmount: "40", Invoice: { InvoiceID } }],
      });
      expect(await desk.one(`/Invoices/${InvoiceID}`)).toMatchObject({
        AmountCredited: "40",
        AmountDue: "75",
        Prepayments: [{ PrepaymentID: prepaid.PrepaymentID, AppliedAmount: "40" }],
      });
    }),
    row("Payments are its refunds", async (desk) => {
      const { prepaid, path } = await ahead(desk);
      const refund = await desk.put("/Payments", {
        Prepayment: { PrepaymentID: prepaid.PrepaymentID },
        Account: { Code: "090" },
        Date: "2026-03-09",
        Amount: 15,
      });
      expect(refund.PaymentType).toBe("ARPREPAYMENTPAYMENT");
      expect(await desk.one(path)).toMatchObject({
        RemainingCredit: "100",
        Payments: [{ PaymentID: refund.PaymentID, Amount: "15" }],
      });
    }),
    row("HasAttachments says whether there are files", async (desk) => {
      expect((await desk.prepaid()).HasAttachments).toBe("false");
    }),
    row("Allocation: Date is the later of the two, whatever is sent", async (desk) => {
      const { path, Contact } = await ahead(desk);
      for (const [invoiceDate, expected] of [
        ["2026-03-05", "2026-03-05"],
        ["2026-02-05", "2026-03-02"],
      ]) {
        const { InvoiceID } = await desk.approved({ Contact, Date: invoiceDate });
        const made = await desk.put(`${path}/Allocations`, {
          Invoice: { InvoiceID },
          AppliedAmount: 5,
          Date: "2026-06-06",
        });
        expect(made).toMatchObject({ Date: expected, AppliedAmount: "5", Invoice: { InvoiceID } });
      }
    }),
  ],
};

export const prepayments: Heading = {
  heading: "Endpoints: Prepayments",
  rows: [
    at("GET /Prepayments", "takes where, order, page, unitdp, If-Modified-Since", async (desk) => {
      await desk.prepaid({ Date: "2026-01-02" });
      await desk.prepaid({ Date: "2026-02-02" });
      const list = async (query: Record<string, string>) =>
        (await desk.read("/Prepayments", query)).map((each) => each.Date);
      expect(await list({ order: "Date DESC", page: "1" })).toEqual(["2026-02-02", "2026-01-02"]);
      expect(await list({ where: "Date<DateTime(2026,02,01)" })).toEqual(["2026-01-02"]);
      expect(await list({ page: "2", unitdp: "4" })).toEqual([]);
      const headers = { "if-modified-since": "2030-01-01T00:00:00" };
      const none = await desk.well("GET", "/Prepayments", undefined, { headers });
      expect(none.records).toEqual([]);
    }),
    at("GET /Prepayments/{id}", "is one prepayment", async (desk) => {
      const { prepaid, path } = await ahead(desk);
      expect((await desk.one(path)).PrepaymentID).toBe(prepaid.PrepaymentID);
    }),
    at("PUT /Prepayments/{id}/Allocations", "applies a part, or all, to invoices", async (desk) => {
      const { path, Contact } = await ahead(desk);
      const [one, two] = [await desk.approved({ Contact }), await desk.approved({ Contact })];
      const part = (invoice: { InvoiceID: string }, AppliedAmount: number) => ({
        Invoice: { InvoiceID: invoice.InvoiceID },
        AppliedAmount,
      });
      const allocations = `${path}/Allocations`;
      const { records } = await desk.well("PUT", allocations, [part(one, 100), part(two, 10)]);
      expect(records).toHaveLength(2);
      expect((await desk.one(path)).RemainingCredit).toBe("5");
      await desk.refused("PUT", allocations, part(one, 16));
      await desk.put(allocations, part(one, 5));
      expect(await desk.one(path)).toMatchObject({ RemainingCredit: "0", Status: "PAID" });
    }),
    ...histories("Prepayments", async (desk) => (await desk.prepaid()).PrepaymentID),
    row("they are made through BankTransactions, and nowhere else", async (desk) => {
      for (const method of ["PUT", "POST"]) {
        const said = await desk.ask(method, "/Prepayments", { Type: "RECEIVE-PREPAYMENT" });
        expect(said.status).toBe(501);
      }
      expect((await desk.prepaid()).Total).toBe("115");
    }),
  ],
};
