/** Resources and their fields: Invoice. */
import { expect } from "vitest";
import { type Heading, type Row, row } from "../row.ts";

const theme = async (desk: Parameters<Row["check"]>[0]) =>
  (await desk.read("/BrandingThemes"))[0].BrandingThemeID;

/** A field that is kept as it was sent, and read back. */
const kept = (field: string, value: string, more: object = {}): Row =>
  row(`${field} is kept as it was sent`, async (desk) => {
    const { InvoiceID } = await desk.invoice({ ...more, [field]: value });
    expect((await desk.one(`/Invoices/${InvoiceID}`))[field]).toBe(value);
  });

/** A field whose value a caller may send, to no effect. */
const readOnly = (field: string, sent: unknown, found: string | undefined): Row =>
  row(`${field} is read-only`, async (desk) => {
    const { InvoiceID } = await desk.approved({ [field]: sent });
    const before = await desk.one(`/Invoices/${InvoiceID}`);
    expect(before[field]).toBe(found ?? before[field]);
    expect(before[field]).not.toBe(String(sent));
    await desk.post(`/Invoices/${InvoiceID}`, { [field]: sent, Url: "https://a.example/1" });
    expect((await desk.one(`/Invoices/${InvoiceID}`))[field]).not.toBe(String(sent));
  });

const longer = "x".repeat(256);

export const invoice: Heading = {
  heading: "Resources and their fields: Invoice",
  rows: [
    row("InvoiceID is generated, and not the caller's to choose", async (desk) => {
      const made = await desk.invoice();
      expect(made.InvoiceID).toMatch(/^[0-9a-f-]{36}$/);
    }),
    row("Type is required on create, ACCREC or ACCPAY", async (desk) => {
      for (const Type of ["ACCREC", "ACCPAY"]) {
        expect((await desk.invoice({ Type })).Type).toBe(Type);
      }
      expect(await desk.refused("PUT", "/Invoices", await desk.sale({ Type: undefined }))).toMatch(
        /Type/,
      );
      await desk.refused("PUT", "/Invoices", await desk.sale({ Type: "SALE" }));
    }),
    row("Contact is required on create, by id, number or name", async (desk) => {
      const { ContactID } = await desk.contact({ ContactNumber: "N1", Name: "Ada" });
      for (const Contact of [{ ContactID }, { ContactNumber: "N1" }, { Name: "Ada" }]) {
        expect((await desk.invoice({ Contact })).Contact).toMatchObject({
          ContactID,
          ContactNumber: "N1",
          Name: "Ada",
        });
      }
      await desk.refused("PUT", "/Invoices", await desk.sale({ Contact: undefined }));
    }),
    row("LineItems: at least one on create, and any number", async (desk) => {
      const none = await desk.sale({ LineItems: [], Status: "AUTHORISED" });
      expect(await desk.refused("PUT", "/Invoices", none)).toMatch(/line items/);
      const LineItems = Array.from({ length: 150 }, () => desk.line({ UnitAmount: 1 }));
      expect((await desk.invoice({ LineItems })).LineItems).toHaveLength(150);
    }),
    row("Date is today in the organisation's time zone when it is not given", async (desk) => {
      // It is the evening of the day before in UTC.
      expect((await desk.invoice({ Date: undefined })).Date).toBe("2026-03-01");
    }),
    row("DueDate is optional", async (desk) => {
      const made = await desk.invoice({ DueDate: undefined });
      expect(made.InvoiceID).toBeDefined();
      expect((await desk.invoice({ DueDate: "2026-04-02" })).DueDate).toBe("2026-04-02");
    }),
    row("Status is one of six, and optional", async (desk) => {
      expect((await desk.invoice({ Status: undefined })).Status).toBe("DRAFT");
      expect(await desk.refused("PUT", "/Invoices", await desk.sale({ Status: "OPEN" }))).toMatch(
        /DRAFT, SUBMITTED, AUTHORISED, DELETED, VOIDED, PAID|status/i,
      );
    }),
    row("LineAmountTypes is exclusive of tax when it is omitted", async (desk) => {
      expect(await desk.invoice()).toMatchObject({
        LineAmountTypes: "Exclusive",
        SubTotal: "100",
        TotalTax: "15",
        Total: "115",
      });
      expect((await desk.invoice({ LineAmountTypes: "Inclusive" })).Total).toBe("100");
      expect((await desk.invoice({ LineAmountTypes: "NoTax" })).TotalTax).toBe("0");
    }),
    row("InvoiceNumber of a sale is unique, and generated when missing", async (desk) => {
      const made = await desk.invoice();
      expect(made.InvoiceNumber).toMatch(/^INV-\d+$/);
      const again = await desk.sale({ InvoiceNumber: made.InvoiceNumber });
      expect(await desk.refused("PUT", "/Invoices", again)).toMatch(/unique/);
    }),
    row("InvoiceNumber of a bill is not unique", async (desk) => {
      for (const _ of [1, 2]) {
        const made = await desk.put("/Invoices", await desk.bill({ InvoiceNumber: "B-1" }));
        expect(made.InvoiceNumber).toBe("B-1");
      }
    }),
    row("InvoiceNumber has at most 255 characters", async (desk) => {
      const InvoiceNumber = "n".repeat(255);
      expect((await desk.invoice({ InvoiceNumber })).InvoiceNumber).toBe(InvoiceNumber);
      await desk.refused("PUT", "/Invoices", await desk.sale({ InvoiceNumber: longer }));
    }),
    row("Reference has at most 255 characters", async (desk) => {
      const Reference = "r".repeat(255);
      expect((await desk.invoice({ Reference })).Reference).toBe(Reference);
      await desk.refused("PUT", "/Invoices", await desk.sale({ Reference: longer }));
    }),
    row("Reference is of sales only", async (desk) => {
      const said = await desk.ask("PUT", "/Invoices", await desk.bill({ Reference: "mine" }));
      if (said.status === 200) expect(said.records[0].Reference).toBeUndefined();
      else expect(said.text).toMatch(/Reference/);
    }),
    row("BrandingThemeID is optional", async (desk) => {
      const BrandingThemeID = await theme(desk);
      const made = await desk.invoice({ BrandingThemeID });
      expect(made.BrandingThemeID).toBe(BrandingThemeID);
    }),
    kept("Url", "https://shop.example/orders/7?a=b&c=d"),
    row("CurrencyCode is the invoice's, the base currency when not given", async (desk) => {
      expect((await desk.invoice()).CurrencyCode).toBe("NZD");
      await desk.put("/Currencies", { Code: "USD" });
      const made = await desk.invoice({ CurrencyCode: "USD", CurrencyRate: "0.6" });
      expect(made.CurrencyCode).toBe("USD");
      await desk.refused("PUT", "/Invoices", await desk.sale({ CurrencyCode: "EUR" }));
    }),
    row("CurrencyRate has at most 18 digits and 6 decimals", async (desk) => {
      await desk.put("/Currencies", { Code: "USD" });
      const rate = async (CurrencyRate: string) => desk.sale({ CurrencyCode: "USD", CurrencyRate });
      expect((await desk.put("/Invoices", await rate("0.612345"))).CurrencyRate).toBe("0.612345");
      const longest = await desk.put("/Invoices", await rate("999999999999.5"));
      expect(longest.CurrencyRate).toBe("999999999999.5");
      await desk.refused("PUT", "/Invoices", await rate("1000000000000"));
    }),
    row("CurrencyRate: the day's rate of a source is used when it is omitted", async (desk) => {
      await desk.put("/Currencies", { Code: "USD" });
      await desk.well("PUT", "/Currencies/USD/Rates", { Date: "2026-03-01", Rate: "0.59" });
      const made = await desk.invoice({ CurrencyCode: "USD", Date: "2026-03-01" });
      expect(made.CurrencyRate).toBe("0.59");
    }),
    row("SentToContact can be set on approved invoices only", async (desk) => {
      expect((await desk.approved({ SentToContact: "true" })).SentToContact).toBe("true");
      await desk.refused("PUT", "/Invoices", await desk.sale({ SentToContact: "true" }));
    }),
    row("ExpectedPaymentDate is returned on sales when set", async (desk) => {
      const made = await desk.invoice({ ExpectedPaymentDate: "2026-03-25" });
      expect(made.ExpectedPaymentDate).toBe("2026-03-25");
      expect((await desk.invoice()).ExpectedPaymentDate).toBeUndefined();
    }),
    row("PlannedPaymentDate is returned on bills when set", async (desk) => {
      const bill = await desk.bill({ PlannedPaymentDate: "2026-03-25" });
      expect((await desk.put("/Invoices", bill)).PlannedPaymentDate).toBe("2026-03-25");
    }),
    row("HasAttachments is read-only, and says so", async (desk) => {
      const { InvoiceID } = await desk.invoice({ HasAttachments: "true" });
      expect((await desk.one(`/Invoices/${InvoiceID}`)).HasAttachments).toBe("false");
      await desk.well("PUT", `/Invoices/${InvoiceID}/Attachments/a`, "x", {
        headers: { "content-type": "text/plain" },
      });
      expect((await desk.one(`/Invoices/${InvoiceID}`)).HasAttachments).toBe("true");
    }),
    readOnly("SubTotal", "7", "100"),
    readOnly("TotalTax", "7", "15"),
    readOnly("Total", "7", "115"),
    row("TotalDiscount is the sum of the lines' discounts", async (desk) => {
      const LineItems = [desk.line({ DiscountRate: 10 }), desk.line({ DiscountRate: 25 })];
      const made = await desk.invoice({ LineItems, TotalDiscount: 1 });
      expect(made).toMatchObject({ TotalDiscount: "35", SubTotal: "165" });
    }),
    readOnly("UpdatedDateUTC", "2020-01-01T00:00:00", undefined),
    row("Payments are listed, and read-only", async (desk) => {
      const made = await desk.approved({ Payments: [{ Amount: 5 }] });
      expect(made.Payments).toBeUndefined();
      const payment = await desk.pay(made, { Amount: 40 });
      const { Payments } = await desk.one(`/Invoices/${made.InvoiceID}`);
      expect(Payments).toMatchObject([{ PaymentID: payment.PaymentID, Amount: "40" }]);
    }),
    row("CreditNotes applied are listed, and read-only", async (desk) => {
      const Contact = { ContactID: (await desk.contact()).ContactID };
      const made = await desk.approved({ Contact, CreditNotes: [{ AppliedAmount: 5 }] });
      expect(made.CreditNotes).toBeUndefined();
      const credit = await desk.put("/CreditNotes", {
        Type: "ACCRECCREDIT",
        Status: "AUTHORISED",
        Contact,
        Date: "2026-03-02",
        LineItems: [desk.line()],
      });
      await desk.well("PUT", `/CreditNotes/${credit.CreditNoteID}/Allocations`, {
        Invoice: { InvoiceID: made.InvoiceID },
        AppliedAmount: 15,
      });
      const read = await desk.one(`/Invoices/${made.InvoiceID}`);
      expect(read).toMatchObject({
        CreditNotes: [{ CreditNoteID: credit.CreditNoteID, AppliedAmount: "15" }],
        AmountCredited: "15",
        AmountDue: "100",
      });
    }),
    row("AmountDue is what remains to pay", async (desk) => {
      const made = await desk.approved({ AmountDue: 3 });
      expect(made.AmountDue).toBe("115");
      await desk.pay(made, { Amount: "15.5" });
      expect((await desk.one(`/Invoices/${made.InvoiceID}`)).AmountDue).toBe("99.5");
    }),
    row("AmountPaid is the sum of payments received", async (desk) => {
      const made = await desk.approved({ AmountPaid: 3 });
      expect(made.AmountPaid).toBe("0");
      await desk.pay(made, { Amount: 10 });
      await desk.pay(made, { Amount: 20 });
      expect((await desk.one(`/Invoices/${made.InvoiceID}`)).AmountPaid).toBe("30");
    }),
    row("FullyPaidOnDate is returned on fully paid invoices only", async (desk) => {
      const made = await desk.approved();
      await desk.pay(made, { Amount: 15 });
      const part = await desk.one(`/Invoices/${made.InvoiceID}`);
      expect(part.FullyPaidOnDate).toBeUndefined();
      await desk.pay(made, { Amount: 100, Date: "2026-03-12" });
      const full = await desk.one(`/Invoices/${made.InvoiceID}`);
      expect(full).toMatchObject({ FullyPaidOnDate: "2026-03-12", Status: "PAID" });
    }),
    row(
      "CISDeduction is there under a construction industry scheme alone",
      async (desk) => {
        expect((await desk.approved({ CISDeduction: 9 })).CISDeduction ?? "0").toBe("0");
      },
      "GB",
    ),
  ],
};

const lines = async (desk: Parameters<Row["check"]>[0], fields: object, query = {}) => {
  const LineItems = [desk.line(fields)];
  const { InvoiceID } = await desk.put("/Invoices", await desk.sale({ LineItems }), query);
  return (await desk.one(`/Invoices/${InvoiceID}`, query)).LineItems[0];
};

const refusedLine = async (desk: Parameters<Row["check"]>[0], fields: object) =>
  desk.refused("PUT", "/Invoices", await desk.sale({ LineItems: [desk.line(fields)] }));

export const invoiceLine: Heading = {
  heading: "Resources and their fields: Invoice LineItem",
  rows: [
    row("Description has 1 to 4000 characters", async (desk) => {
      const Description = "d".repeat(4000);
      expect((await lines(desk, { Description })).Description).toBe(Description);
      await refusedLine(desk, { Description: `${Description}d` });
      const empty = "LineItem 1: Description must have at least 1 character, not 0.";
      for (const Status of ["DRAFT", "SUBMITTED", "AUTHORISED"]) {
        for (const make of [desk.sale, desk.bill]) {
          const LineItems = [desk.line({ Description: "" })];
          const body = await make.call(desk, { LineItems, Status });
          expect(await desk.refused("PUT", "/Invoices", body)).toContain(empty);
        }
      }
      const { InvoiceID, LineItems } = await desk.invoice();
      const cleared = [{ LineItemID: LineItems[0].LineItemID, Description: "" }];
      const said = await desk.refused("POST", `/Invoices/${InvoiceID}`, { LineItems: cleared });
      expect(said).toContain(empty);
    }),
    row("a line may be a Description alone", async (desk) => {
      const LineItems = [{ Description: "Note" }, desk.line()];
      const made = await desk.approved({ LineItems });
      expect(made.LineItems[0].Description).toBe("Note");
      expect(made.SubTotal).toBe("100");
    }),
    row("Quantity is optional, of at most 13 digits", async (desk) => {
      const free = await lines(desk, { Quantity: undefined, UnitAmount: 7 });
      expect(free).toMatchObject({ LineAmount: "7" });
      const exact = await lines(desk, { Quantity: "123456789.1234", UnitAmount: "0.01" });
      expect(exact.Quantity).toBe("123456789.1234");
      await refusedLine(desk, { Quantity: "12345678901.1234", UnitAmount: 0 });
    }),
    row("UnitAmount has 2 decimals, and 4 with unitdp=4", async (desk) => {
      expect((await lines(desk, { UnitAmount: "1.2345" })).UnitAmount).toBe("1.23");
      const four = await lines(desk, { UnitAmount: "1.2345" }, { unitdp: "4" });
      expect(four.UnitAmount).toBe("1.2345");
    }),
    row("ItemCode brings price and account, which what is sent overrides", async (desk) => {
      await desk.put("/Items", {
        Code: "MUG",
        Description: "Mug",
        SalesDetails: { UnitPrice: 12, AccountCode: "260" },
      });
      const plain = { ItemCode: "MUG", UnitAmount: undefined, AccountCode: undefined };
      expect(await lines(desk, plain)).toMatchObject({ UnitAmount: "12", AccountCode: "260" });
      const own = { ItemCode: "MUG", UnitAmount: 9, AccountCode: "200" };
      expect(await lines(desk, own)).toMatchObject({ UnitAmount: "9", AccountCode: "200" });
    }),
    row("AccountCode refers to an account", async (desk) => {
      expect((await lines(desk, { AccountCode: "200" })).AccountCode).toBe("200");
      await refusedLine(desk, { AccountCode: "99999" });
    }),
    row("LineItemID is generated; a line sent without it is made anew", async (desk) => {
      const made = await desk.invoice({ LineItems: [desk.line(), desk.line()] });
      const [first, second] = made.LineItems;
      const LineItems = [{ ...first, Description: "Kept" }, desk.line({ Description: "New" })];
      const changed = await desk.post(`/Invoices/${made.InvoiceID}`, { LineItems });
      const ids = changed.LineItems.map((each: { LineItemID: string }) => each.LineItemID);
      expect(ids[0]).toBe(first.LineItemID);
      expect(ids).toHaveLength(2);
      expect(ids).not.toContain(second.LineItemID);
    }),
    row("TaxType overrides the account's", async (desk) => {
      expect(await lines(desk, {})).toMatchObject({ TaxType: "OUTPUT2", TaxAmount: "15" });
      const none = await lines(desk, { TaxType: "NONE" });
      expect([none.TaxType, none.TaxAmount ?? "0"]).toEqual(["NONE", "0"]);
    }),
    row("TaxAmount is calculated, and may be overridden", async (desk) => {
      expect((await lines(desk, { UnitAmount: 50 })).TaxAmount).toBe("7.5");
      expect((await lines(desk, { UnitAmount: 50, TaxAmount: "7.49" })).TaxAmount).toBe("7.49");
    }),
    row("LineAmount is quantity by unit amount, less the discount", async (desk) => {
      const line = await lines(desk, { Quantity: 3, UnitAmount: 10, DiscountRate: 10 });
      expect(line).toMatchObject({ LineAmount: "27", DiscountRate: "10" });
    }),
    row("LineAmount is at most 9,999,999,999.99", async (desk) => {
      const most = { Quantity: 1, UnitAmount: "9999999999.99", TaxType: "NONE" };
      expect((await lines(desk, most)).LineAmount).toBe("9999999999.99");
      await refusedLine(desk, { Quantity: 1, UnitAmount: "10000000000", TaxType: "NONE" });
    }),
    row("DiscountRate is of sales only", async (desk) => {
      const LineItems = [desk.line({ AccountCode: "429", DiscountRate: 10 })];
      expect(await desk.refused("PUT", "/Invoices", await desk.bill({ LineItems }))).toMatch(
        /iscount/,
      );
      const { ContactID } = await desk.contact();
      await desk.refused("PUT", "/CreditNotes", {
        Type: "ACCRECCREDIT",
        Contact: { ContactID },
        LineItems: [desk.line({ DiscountRate: 10 })],
      });
    }),
    row("Tracking: at most two, each by its name and an option", async (desk) => {
      for (const Name of ["Region", "Team"]) {
        const made = await desk.put("/TrackingCategories", { Name });
        await desk.put(`/TrackingCategories/${made.TrackingCategoryID}/Options`, { Name: "North" });
      }
      const both = [
        { Name: "Region", Option: "North" },
        { Name: "Team", Option: "North" },
      ];
      const { Tracking } = await lines(desk, { Tracking: both });
      expect(Tracking).toMatchObject(both);
      expect(Tracking[0].TrackingCategoryID).toMatch(/^[0-9a-f-]{36}$/);
      await refusedLine(desk, { Tracking: [...both, both[0]] });
      await refusedLine(desk, { Tracking: [{ Name: "Region" }] });
      await refusedLine(desk, { Tracking: [{ Option: "North" }] });
      await refusedLine(desk, { Tracking: [{ Name: "Region", Option: "Nowhere" }] });
    }),
  ],
};
