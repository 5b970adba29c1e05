/** E-invoices of suppliers as drafts: lines, tax, supplier, file; and what is refused. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { doublingTree } from "../../resources/hostile/pdfs.ts";
import { isInstalled } from "../../shell/desk.ts";
import { contact, faultsIn, type Json, type World, world } from "../fixture.ts";
import { german, issued, party, sold } from "./kinds.ts";

interface Sent {
  readonly status: number;
  readonly json: Json;
  /** Sentences of a refusal. */
  readonly said: string[];
}

async function send(
  given: World,
  body: Uint8Array | string,
  query: Readonly<Record<string, string>> = {},
  place = "Bills",
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  given.now += 1;
  const response = await given.book.transport({
    method: "POST",
    path: `/Extensions/EInvoices/${place}`,
    query: Object.entries(query),
    headers: { accept: "application/json", "content-type": "application/xml", ...headers },
    body: Buffer.from(body as Uint8Array),
  });
  const json = JSON.parse(String(response.body));
  const said = (json.Elements ?? []).flatMap((each: Json) =>
    (each.ValidationErrors ?? []).map((error: Json) => error.Message),
  );
  return { status: response.status, json, said: said.length > 0 ? said : [json.Message] };
}

async function made(...args: Parameters<typeof send>): Promise<Json> {
  const { status, json, said } = await send(...args);
  expect({ status, said: status === 200 ? [] : said }).toEqual({ status: 200, said: [] });
  return (json.Invoices ?? json.CreditNotes)[0];
}

/** An invoice as another seller writes it. */
interface Written {
  readonly root?: "Invoice" | "CreditNote";
  readonly number?: string;
  readonly currency?: string;
  readonly seller?: string;
  readonly lines?: string;
  readonly tax?: string;
  readonly totals?: string;
  readonly more?: string;
}

const amounts = (names: Readonly<Record<string, string>>, currency: string) =>
  Object.entries(names)
    .map(([name, amount]) => `<cbc:${name} currencyID="${currency}">${amount}</cbc:${name}>`)
    .join("");

const category = (name: string, rate = "15") =>
  `<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;

function line(net: string, price: string, quantity: string, more = "", rate = "15"): string {
  return `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="HUR">${quantity}</cbc:InvoicedQuantity>${amounts({ LineExtensionAmount: net }, "NZD")}${more}<cac:Item><cbc:Description>of the kiln</cbc:Description><cbc:Name>Repair</cbc:Name>${category("ClassifiedTaxCategory", rate)}</cac:Item><cac:Price>${amounts({ PriceAmount: price }, "NZD")}</cac:Price></cac:InvoiceLine>`;
}

const standardSeller = `<cbc:EndpointID schemeID="0088">9429000106078</cbc:EndpointID><cac:PostalAddress><cbc:StreetName>1 Quay</cbc:StreetName><cbc:CityName>Wellington</cbc:CityName><cbc:PostalZone>6011</cbc:PostalZone><cac:Country><cbc:IdentificationCode>NZ</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>NZ123456789</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Kiln &amp; Clay Ltd</cbc:RegistrationName></cac:PartyLegalEntity>`;

function ubl(written: Written = {}): string {
  const { root = "Invoice", number = "K-7", currency = "NZD", seller = standardSeller } = written;
  const {
    lines = line("150.00", "50", "3"),
    tax = `<cac:TaxTotal>${amounts({ TaxAmount: "22.50" }, currency)}<cac:TaxSubtotal>${amounts({ TaxableAmount: "150.00", TaxAmount: "22.50" }, currency)}${category("TaxCategory")}</cac:TaxSubtotal></cac:TaxTotal>`,
    totals = amounts(
      {
        LineExtensionAmount: "150.00",
        TaxExclusiveAmount: "150.00",
        TaxInclusiveAmount: "172.50",
        PayableAmount: "172.50",
      },
      currency,
    ),
    more = "",
  } = written;
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-02-20</cbc:IssueDate><cbc:DueDate>2026-03-20</cbc:DueDate><cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party>${seller}</cac:Party></cac:AccountingSupplierParty>
<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Heron Lane Ltd</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingCustomerParty>
${more}${tax}<cac:LegalMonetaryTotal>${totals}</cac:LegalMonetaryTotal>${lines.replaceAll("NZD", currency)}</${root}>`;
}

const supplier = { Name: "Kiln & Clay Ltd" };

describe("receiving an e-invoice of a supplier", () => {
  test("a supplier's e-invoice becomes a draft bill with its lines, tax, dates and attached file", async () => {
    const given = await world();
    await contact(given, { ...supplier, PurchasesDefaultAccountCode: "473" });
    const bill = await made(given, ubl(), { fileName: "kiln.xml" });
    expect(bill).toMatchObject({
      Type: "ACCPAY",
      Status: "DRAFT",
      InvoiceNumber: "K-7",
      Contact: { Name: "Kiln & Clay Ltd" },
      SubTotal: 150,
      TotalTax: 22.5,
      Total: 172.5,
      HasAttachments: true,
      LineItems: [
        {
          Description: "Repair\nof the kiln",
          Quantity: 3,
          UnitAmount: 50,
          TaxType: "INPUT2",
          TaxAmount: 22.5,
          AccountCode: "473",
        },
      ],
    });
    expect(bill.DateString).toMatch(/^2026-02-20/);
    expect(bill.DueDateString).toMatch(/^2026-03-20/);
    const { Attachments } = await given.ok("GET", `/Invoices/${bill.InvoiceID}/Attachments`);
    expect(Attachments).toEqual([
      expect.objectContaining({
        FileName: "kiln.xml",
        MimeType: "application/xml",
        ContentLength: Buffer.byteLength(ubl()),
      }),
    ]);
    const { HistoryRecords } = await given.ok("GET", `/Invoices/${bill.InvoiceID}/History`);
    expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual(
      expect.arrayContaining(["Imported", "Attached a file"]),
    );
    await given.ok("POST", `/Invoices/${bill.InvoiceID}`, { Status: "AUTHORISED" });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a dry run of receiving an e-invoice stores no record", async () => {
    const given = await world();
    await contact(given, supplier);
    const { json } = await send(given, ubl(), {}, "Bills", { "x-dry-run": "true" });
    expect(json.Invoices[0].Total).toBe(172.5);
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
    expect((await made(given, ubl())).Total).toBe(172.5);
  });

  test("a second e-invoice with the same number from the same supplier is refused", async () => {
    const given = await world();
    await contact(given, supplier);
    const bill = await made(given, ubl());
    const again = await send(given, ubl());
    expect(again.said).toEqual([
      "The bill K-7 of Kiln & Clay Ltd is there already (2026-02-20, 172.50, DRAFT): nothing was made.",
    ]);
    await given.ok("POST", `/Invoices/${bill.InvoiceID}`, { Status: "DELETED" });
    expect((await made(given, ubl())).InvoiceNumber).toBe("K-7");
  });

  test("document-level allowances, charges and rounding of a received e-invoice become lines of the bill", async () => {
    const given = await world();
    await contact(given, supplier);
    const charge = (isCharge: boolean, amount: string) =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${isCharge ? "Freight" : "Loyalty"}</cbc:AllowanceChargeReason>${amounts({ Amount: amount }, "NZD")}${category("TaxCategory")}</cac:AllowanceCharge>`;
    const bill = await made(
      given,
      ubl({
        more: charge(true, "10.00") + charge(false, "4.99"),
        tax: `<cac:TaxTotal>${amounts({ TaxAmount: "23.26" }, "NZD")}<cac:TaxSubtotal>${amounts({ TaxableAmount: "155.01", TaxAmount: "23.26" }, "NZD")}${category("TaxCategory")}</cac:TaxSubtotal></cac:TaxTotal>`,
        totals: amounts(
          {
            LineExtensionAmount: "150.00",
            TaxExclusiveAmount: "155.01",
            TaxInclusiveAmount: "178.27",
            AllowanceTotalAmount: "4.99",
            ChargeTotalAmount: "10.00",
            PayableRoundingAmount: "0.03",
            PayableAmount: "178.30",
          },
          "NZD",
        ),
      }),
    );
    expect(bill.Total).toBe(178.3);
    expect(bill.TotalTax).toBe(23.26);
    expect(
      bill.LineItems.map((each: Json) => [each.Description.split("\n")[0], each.LineAmount]),
    ).toEqual([
      ["Repair", 150],
      ["Freight", 10],
      ["Loyalty", -4.99],
      ["Rounding", 0.03],
    ]);
  });

  test("an e-invoice whose tax differs from the rate by cents has the difference put on its largest lines", async () => {
    const given = await world();
    await contact(given, supplier);
    const bill = await made(
      given,
      ubl({
        lines: line("100.00", "100", "1") + line("50.00", "50", "1"),
        tax: `<cac:TaxTotal>${amounts({ TaxAmount: "22.53" }, "NZD")}<cac:TaxSubtotal>${amounts({ TaxableAmount: "150.00", TaxAmount: "22.53" }, "NZD")}${category("TaxCategory")}</cac:TaxSubtotal></cac:TaxTotal>`,
        totals: amounts(
          {
            LineExtensionAmount: "150.00",
            TaxExclusiveAmount: "150.00",
            TaxInclusiveAmount: "172.53",
            PayableAmount: "172.53",
          },
          "NZD",
        ),
      }),
    );
    expect(bill.LineItems.map((each: Json) => each.TaxAmount)).toEqual([15.02, 7.51]);
  });

  test("an e-invoice with prices beyond four decimals or discounts is recorded by its line amounts", async () => {
    const given = await world();
    await contact(given, supplier);
    const bill = await made(
      given,
      ubl({
        lines:
          line("100.00", "33.333333", "3") +
          line(
            "50.00",
            "60",
            "1",
            `<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>${amounts({ Amount: "10.00" }, "NZD")}</cac:AllowanceCharge>`,
          ),
      }),
    );
    expect(bill.LineItems.map((each: Json) => [each.Quantity, each.LineAmount])).toEqual([
      [3, 100],
      [1, 50],
    ]);
  });

  test("an e-invoice from another country is recorded with its tax as part of the cost, if requested", async () => {
    const given = await world();
    await contact(given, supplier);
    const foreign = {
      lines: line("150.00", "50", "3", "", "19"),
      tax: `<cac:TaxTotal>${amounts({ TaxAmount: "28.50" }, "NZD")}<cac:TaxSubtotal>${amounts({ TaxableAmount: "150.00", TaxAmount: "28.50" }, "NZD")}${category("TaxCategory", "19")}</cac:TaxSubtotal></cac:TaxTotal>`,
      totals: amounts(
        {
          LineExtensionAmount: "150.00",
          TaxExclusiveAmount: "150.00",
          TaxInclusiveAmount: "178.50",
          PayableAmount: "178.50",
        },
        "NZD",
      ),
    };
    expect((await send(given, ubl(foreign))).said).toEqual([
      expect.stringMatching(/^There is no tax rate of 19 % for purchases: .*--tax-as-cost/),
    ]);
    const bill = await made(given, ubl(foreign), { taxAsCost: "true" });
    expect([bill.SubTotal, bill.TotalTax, bill.Total]).toEqual([178.5, 0, 178.5]);
  });

  test("an e-invoice in a currency of three decimals is refused with what to do", async () => {
    const given = await world();
    await contact(given, { ...supplier, PurchasesDefaultAccountCode: "473" });
    const query = { currencyRate: "0.18" };
    expect((await send(given, ubl({ currency: "KWD" }), query)).said).toEqual([
      "KWD has three decimal places, which this service cannot keep exactly; book what it comes to in another currency.",
    ]);
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  });

  test("an e-invoice in a foreign currency takes the given exchange rate", async () => {
    const given = await world();
    await contact(given, supplier);
    expect((await send(given, ubl({ currency: "EUR" }))).said).toEqual([
      expect.stringContaining("EUR"),
    ]);
    await given.ok("PUT", "/Currencies", { Code: "EUR" });
    const bill = await made(given, ubl({ currency: "EUR" }), { currencyRate: "0.55" });
    expect([bill.CurrencyCode, bill.CurrencyRate]).toEqual(["EUR", 0.55]);
  });

  test("a received e-invoice that is a credit note becomes a supplier's credit note, not a bill", async () => {
    const given = await world();
    await contact(given, supplier);
    const note = ubl({ root: "CreditNote" })
      .replaceAll("InvoiceLine", "CreditNoteLine")
      .replaceAll("InvoicedQuantity", "CreditedQuantity");
    expect((await send(given, note)).said).toEqual([
      expect.stringContaining("acct credit-note import-e-invoice"),
    ]);
    expect((await send(given, ubl(), {}, "CreditNotes")).said).toEqual([
      expect.stringContaining("acct bill import-e-invoice"),
    ]);
    const credit = await made(given, note, {}, "CreditNotes");
    expect(credit).toMatchObject({
      Type: "ACCPAYCREDIT",
      Status: "DRAFT",
      CreditNoteNumber: "K-7",
      Total: 172.5,
    });
  });

  const coded = (code: string) =>
    ubl({ number: "K-8" }).replace(
      "<cbc:DocumentCurrencyCode>",
      `<cbc:InvoiceTypeCode>${code}</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>`,
    );

  test("an e-invoice in UBL whose code says that it is a credit note becomes one", async () => {
    const given = await world();
    await contact(given, supplier);
    expect((await send(given, coded("381"))).said).toEqual([
      expect.stringContaining("acct credit-note import-e-invoice"),
    ]);
    expect(await made(given, coded("381"), {}, "CreditNotes")).toMatchObject({
      Type: "ACCPAYCREDIT",
      Total: 172.5,
    });
  });

  test("a pro forma e-invoice is refused, and one of a prepayment becomes a bill with a warning", async () => {
    const given = await world();
    await contact(given, supplier);
    expect((await send(given, coded("325"))).said).toEqual([
      "The e-invoice is a pro forma invoice (325), which is no invoice yet: wait for that of the supplier.",
    ]);
    const { Warnings } = await made(given, coded("386"));
    expect(Warnings.map((each: Json) => each.Message)).toEqual([
      "It is an invoice of a prepayment (386), which the final invoice deducts.",
    ]);
  });

  test("a corrected e-invoice, and one to a buyer of another name, become bills with a warning", async () => {
    const given = await world();
    await contact(given, supplier);
    const { Warnings } = await made(given, coded("384").replace("Heron Lane Ltd", "Somebody Else"));
    expect(Warnings.map((each: Json) => each.Message)).toEqual([
      "It is addressed to Somebody Else, which is not this organisation's name.",
      "It is a corrected invoice (384) for one before: void or credit the bill that it replaces.",
    ]);
  });
});

test.each(["Z", "AE"])(
  "an e-invoice with the tax category %s, for which the book has no rate of purchases, becomes a bill with a warning",
  async (category) => {
    const given = await world();
    await contact(given, supplier);
    const untaxed = ubl()
      .replaceAll(
        "<cbc:ID>S</cbc:ID><cbc:Percent>15<",
        `<cbc:ID>${category}</cbc:ID><cbc:Percent>0<`,
      )
      .replaceAll("22.50", "0.00")
      .replaceAll("172.50", "150.00");
    const { Warnings, LineItems } = await made(given, untaxed);
    expect(LineItems[0].TaxType).toBe("NONE");
    expect(Warnings[0].Message).toContain(`--tax-category ${category}`);
  },
);

describe("the supplier of a received e-invoice", () => {
  test.each<[by: string, fields: object]>([
    ["tax number", { TaxNumber: "NZ 123-456-789" }],
    ["electronic address", { ElectronicAddress: "0088:9429000106078" }],
    ["name, whatever its letters", { Name: "KILN & CLAY LTD" }],
  ])("the supplier of an e-invoice is found by %s", async (_by, fields) => {
    const given = await world();
    await contact(given, { Name: "Another", TaxNumber: "987654321" });
    const known = await contact(given, fields);
    expect((await made(given, ubl())).Contact.ContactID).toBe(known.ContactID);
  });

  test("the supplier of an e-invoice is found by the bank account to be paid", async () => {
    const given = await world();
    const known = await contact(given, { BankAccountDetails: "DE02 1203 0000 0000 2020 51" });
    const more =
      "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>DE02120300000000202051</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>";
    expect((await made(given, ubl({ more }))).Contact.ContactID).toBe(known.ContactID);
  });

  test("an e-invoice of an unknown supplier is refused, or creates the contact from its data if requested", async () => {
    const given = await world();
    expect((await send(given, ubl())).said).toEqual([
      "No contact is the supplier Kiln & Clay Ltd (NZ123456789, 0088:9429000106078): name one with --contact, or make it with --create-contact.",
    ]);
    const bill = await made(given, ubl(), { createContact: "true" });
    const { Contacts } = await given.ok("GET", `/Contacts/${bill.Contact.ContactID}`);
    expect(Contacts[0]).toMatchObject({
      Name: "Kiln & Clay Ltd",
      TaxNumber: "NZ123456789",
      ElectronicAddress: "0088:9429000106078",
    });
    expect(Contacts[0].Addresses).toContainEqual(
      expect.objectContaining({ AddressType: "STREET", City: "Wellington", Country: "NZ" }),
    );
  });

  test("an e-invoice that fits several or only archived suppliers is refused until the contact is given", async () => {
    const given = await world();
    await contact(given, { Name: "A", TaxNumber: "123456789" });
    await contact(given, { Name: "B", TaxNumber: "NZ123456789" });
    expect((await send(given, ubl())).said).toEqual([
      expect.stringMatching(
        /^Several contacts have the tax number .*: A, B; name one with --contact/,
      ),
    ]);
    const known = await contact(given, { Name: "C" });
    expect((await made(given, ubl(), { contact: "C" })).Contact.ContactID).toBe(known.ContactID);
    expect((await send(given, ubl(), { contact: "Nobody" })).said).toEqual([
      "There is no contact Nobody.",
    ]);
  });

  test.each([
    [
      "20.00",
      "152.50",
      "It says that NZD 20.00 is paid already: book the payment or the credit as well.",
    ],
    ["-20.00", "192.50", "It asks for NZD 20.00 of before besides: that is not booked with it."],
  ])("an e-invoice of which %s is paid says what else is to be booked", async (paid, due, said) => {
    const given = await world();
    await contact(given, supplier);
    const xml = ubl().replace(
      '<cbc:PayableAmount currencyID="NZD">172.50',
      `<cbc:PrepaidAmount currencyID="NZD">${paid}</cbc:PrepaidAmount><cbc:PayableAmount currencyID="NZD">${due}`,
    );
    const bill = await made(given, xml);
    expect(bill.Total).toBe(172.5);
    expect(bill.Warnings.map((each: Json) => each.Message)).toEqual([said]);
  });

  test("an e-invoice with another bank account, or addressed to another buyer, is recorded with a warning", async () => {
    const given = await world();
    await given.ok("POST", "/Organisation/Settings", { TaxNumber: "111-222-333" });
    await contact(given, {
      ...supplier,
      BankAccountDetails: "38-9000-0123456-00",
      TaxNumber: "123456789",
    });
    const more =
      "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>DE02120300000000202051</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>";
    const xml = ubl({ more }).replace(
      "<cac:PartyLegalEntity><cbc:RegistrationName>Heron",
      "<cac:PartyTaxScheme><cbc:CompanyID>NZ999888777</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Heron",
    );
    const { json } = await send(given, xml);
    expect(json.Invoices[0].Warnings.map((each: Json) => each.Message)).toEqual([
      expect.stringMatching(/^It is addressed to Heron Lane Ltd \(NZ999888777\)/),
      expect.stringMatching(
        /^It asks to be paid on DE02120300000000202051, which is not the bank account of/,
      ),
    ]);
  });
});

describe("files that are refused as e-invoices", () => {
  const doctype = '<!DOCTYPE x [<!ENTITY a "aaaa">]>';
  test.each<[what: string, file: Uint8Array | string, said: RegExp]>([
    ["an empty file", "", /empty/],
    ["a text file", "Hello", /cannot be read/],
    ["other XML", "<a/>", /no e-invoice in UBL or CII/],
    [
      "a line in another currency",
      ubl().replace(
        'LineExtensionAmount currencyID="NZD">150.00</cbc:LineExtensionAmount><cac:Item>',
        'LineExtensionAmount currencyID="USD">150.00</cbc:LineExtensionAmount><cac:Item>',
      ),
      /is in NZD, but its LineExtensionAmount in USD; ask the supplier/,
    ],
    [
      "an invoice of another standard",
      "<Invoice><ID>1</ID></Invoice>",
      /no e-invoice in UBL or CII/,
    ],
    [
      "a document type",
      ubl().replace("\n<Invoice", `\n${doctype}<Invoice`),
      /document type or entities/,
    ],
    ["entities that nobody declared", ubl({ number: "&boom;" }), /entity that is not known/],
    ["a file that was cut off", ubl().slice(0, -400), /cut off/],
    [
      "totals that do not agree",
      ubl({
        totals: amounts(
          {
            LineExtensionAmount: "150.00",
            TaxExclusiveAmount: "150.00",
            TaxInclusiveAmount: "172.51",
            PayableAmount: "172.51",
          },
          "NZD",
        ),
      }),
      /^The total is 172\.51, but its parts come to 172\.50/,
    ],
    [
      "a line that is not quantity times price",
      ubl({ lines: line("150.00", "100", "2") }),
      /^The amount of line 1 is 150\.00, but quantity and price come to 200\.00: .*not agree with itself/,
    ],
    [
      "an invalid number",
      ubl({ lines: line("1e2", "50", "3") }),
      /"1e2" is no number \(LineExtensionAmount\)/,
    ],
    ["parts of a cent", ubl({ lines: line("150.001", "50", "3") }), /150\.001 has parts of a cent/],
    ["an endless number", ubl({ lines: line("9".repeat(60), "50", "3") }), /is no number/],
    [
      "an amount that is too large",
      ubl({ lines: line("9".repeat(30), "50", "3") }),
      /is too large/,
    ],
    ["an invalid date", ubl().replace("2026-02-20", "2026-02-30"), /"2026-02-30" is no date/],
    ["a number that is missing", ubl().replace("<cbc:ID>K-7</cbc:ID>", ""), /lacks its number/],
    ["no lines", ubl({ lines: "" }), /has no lines/],
    [
      "claims of others that are collected with it",
      ubl().replace(
        "<cac:LegalMonetaryTotal",
        "<cac:PrepaidPayment><cbc:ID>A</cbc:ID><cbc:PaidAmount>19.96</cbc:PaidAmount><cbc:InstructionID>B</cbc:InstructionID></cac:PrepaidPayment><cac:LegalMonetaryTotal",
      ),
      /collects 19\.96 for others .*; ask the supplier/,
    ],
    [
      "a tax category of one country",
      ubl().replaceAll("<cbc:ID>S</cbc:ID>", "<cbc:ID>B</cbc:ID>"),
      /tax category B is none that is known .*; ask the supplier/,
    ],
    ["deep nesting", `<Invoice>${"<a>".repeat(5000)}`, /nests deeper|cut off/],
    ["an invoice number that is too long", ubl({ number: "9".repeat(300) }), /InvoiceNumber/],
    ["a PDF that was cut off", "%PDF-1.7\n1 0 obj\n<<", /cut off/],
  ])("a file is refused as an e-invoice: %s", async (_what, file, said) => {
    const given = await world();
    await contact(given, supplier);
    const answer = await send(given, file);
    expect({ status: answer.status, said: answer.said }).toEqual({
      status: 400,
      said: expect.arrayContaining([expect.stringMatching(said)]),
    });
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
    expect(given.bugs).toEqual([]);
  });
});

describe("e-invoices that have totals but no lines", () => {
  const cii = (profile: string, taxes: string, sums: string) =>
    `<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"><rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:factur-x.eu:1p0:${profile}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext><rsm:ExchangedDocument><ram:ID>WL-1</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260301</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Atelier du Nord</ram:Name></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Moa Coffee</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement><ram:ApplicableHeaderTradeDelivery/><ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>NZD</ram:InvoiceCurrencyCode>${taxes}<ram:SpecifiedTradeSettlementHeaderMonetarySummation>${sums}</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
  const tax = (base: string, amount: string, rate: string, category = "S") =>
    `<ram:ApplicableTradeTax><ram:CalculatedAmount>${amount}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>${base}</ram:BasisAmount><ram:CategoryCode>${category}</ram:CategoryCode><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`;
  const sums = (net: string, taxed: string, gross: string) =>
    `<ram:TaxBasisTotalAmount>${net}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="NZD">${taxed}</ram:TaxTotalAmount><ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount><ram:DuePayableAmount>${gross}</ram:DuePayableAmount>`;
  const basic = cii(
    "basicwl",
    tax("100.03", "15.01", "15") + tax("20.00", "0.00", "0", "Z"),
    `<ram:LineTotalAmount>120.03</ram:LineTotalAmount>${sums("120.03", "15.01", "135.04")}`,
  );
  const minimum = (taxed = "15.00", gross = "115.00") =>
    cii("minimum", "", sums("100.00", taxed, gross));
  const asked = { createContact: "true", totalsOnly: "true" };

  test("an e-invoice in the syntax CII and a currency of three decimals is refused with what to do", async () => {
    const given = await world();
    const text = minimum().replaceAll("NZD", "KWD");
    expect((await send(given, text, { ...asked, currencyRate: "0.18" })).said).toEqual([
      "KWD has three decimal places, which this service cannot keep exactly; book what it comes to in another currency.",
    ]);
  });

  test("an e-invoice without lines is refused, and the message names the parameter that accepts its totals", async () => {
    const given = await world();
    const { status, json, said } = await send(given, basic, { createContact: "true" });
    expect([status, json.Type, said]).toEqual([
      400,
      "TotalsOnly",
      [expect.stringContaining("--totals-only makes one line for each tax rate")],
    ]);
    expect((await given.ok("GET", "/Contacts")).Contacts).toEqual([]);
  });

  test.each<[name: string, file: string, query: Readonly<Record<string, string>>, lines: Json[]]>([
    [
      "BASIC WL",
      basic,
      asked,
      [
        { LineAmount: 100.03, TaxAmount: 15.01, TaxType: "INPUT2" },
        { LineAmount: 20, TaxAmount: 0 },
      ],
    ],
    [
      "BASIC WL with an account for all",
      basic,
      { createContact: "true", account: "429" },
      [
        { LineAmount: 100.03, TaxAmount: 15.01, AccountCode: "429" },
        { LineAmount: 20, TaxAmount: 0, AccountCode: "429" },
      ],
    ],
    [
      "MINIMUM of the one rate that comes to its tax",
      minimum(),
      asked,
      [{ LineAmount: 100, TaxAmount: 15, TaxType: "INPUT2" }],
    ],
    [
      "MINIMUM of which a part is paid, which that profile cannot say,",
      minimum().replace(">115.00</ram:Due", ">65.00</ram:Due"),
      asked,
      [{ LineAmount: 100, TaxAmount: 15, TaxType: "INPUT2" }],
    ],
    ["MINIMUM without tax", minimum("0.00", "100.00"), asked, [{ LineAmount: 100, TaxAmount: 0 }]],
    [
      "MINIMUM with tax as cost",
      minimum("19.00", "119.00"),
      { ...asked, taxAsCost: "true" },
      [{ LineAmount: 119, TaxAmount: 0 }],
    ],
  ])(
    "an e-invoice with totals only, %s becomes a bill with one line for each tax rate, to the cent",
    async (_name, file, query, lines) => {
      const given = await world();
      const { InvoiceID, InvoiceNumber } = await made(given, file, query);
      const bill = (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0];
      expect([InvoiceNumber, bill.LineItems]).toEqual([
        "WL-1",
        lines.map((line) => expect.objectContaining(line)),
      ]);
    },
  );

  test("a MINIMUM profile e-invoice whose tax fits no rate of the book is refused with the remedy", async () => {
    const given = await world();
    const { said } = await send(given, minimum("19.00", "119.00"), asked);
    expect(said).toEqual([expect.stringContaining("--tax-as-cost takes the tax as part of")]);
  });
});

test("an e-invoice file beyond the limits of the XML reader is refused with the error code of the limit", async () => {
  const given = await world();
  const { status, json } = await send(given, doublingTree(45));
  expect([status, json.Type]).toEqual([400, "TooMuch"]);
});

test("an e-invoice issued by one book is received by another with equal amounts, in every format", async () => {
  const { given: seller, rates, close } = await german();
  onTestFinished(close);
  const to = await party(seller, {
    Name: "Heron Lane Ltd",
    ElectronicAddress: "0204:05315000-12345-30",
    BuyerReference: "X-1",
    Addresses: [
      {
        AddressType: "POBOX",
        AddressLine1: "1 Quay",
        City: "Bonn",
        PostalCode: "53111",
        Country: "DE",
      },
    ],
  });
  const lines = [
    {
      Description: "A",
      Quantity: 3,
      UnitAmount: 19.99,
      AccountCode: "400",
      TaxType: rates.S19,
      DiscountRate: 10,
    },
    { Description: "B", Quantity: 7, UnitAmount: 4.99, AccountCode: "400", TaxType: rates.S7 },
    { Description: "C", Quantity: 1, UnitAmount: 20, AccountCode: "400", TaxType: rates.E },
  ];
  const sale = await sold(seller, { to, lines, fields: { LineAmountTypes: "Inclusive" } });
  for (const format of ["ubl", "cii", "facturx", "xrechnung", "xrechnung-cii", "peppol"]) {
    const { given: buyer, close } = await german();
    const file = await issued(seller, { of: "Invoices", id: sale.InvoiceID }, format);
    const bill = await made(buyer, file, { createContact: "true", fileName: `b.${format}` });
    expect([format, bill.SubTotal, bill.TotalTax, bill.Total]).toEqual([
      format,
      sale.SubTotal,
      sale.TotalTax,
      sale.Total,
    ]);
    await close();
  }
});

describe.skipIf(!isInstalled("qpdf", "e-invoices in PDF of other programs"))(
  "e-invoice XML embedded in PDFs of other programs",
  () => {
    test.each<[how: string, options: readonly string[]]>([
      ["with objects in streams", ["--object-streams=generate"]],
      ["that is linearized", ["--linearize"]],
      ["with everything unpacked", ["--qdf", "--stream-data=uncompress"]],
      ["of an older version", ["--object-streams=disable", "--force-version=1.4"]],
    ])("the e-invoice XML is found in a PDF %s", async (_how, options) => {
      const { given, rates, close } = await german();
      onTestFinished(close);
      const to = await party(given, {
        Name: "Acme",
        Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
      });
      const lines = [
        { Description: "A", Quantity: 1, UnitAmount: 5, AccountCode: "400", TaxType: rates.S19 },
      ];
      const { InvoiceID: id } = await sold(given, { to, lines });
      const folder = mkdtempSync(join(tmpdir(), "acct-test-pdf-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [from, into] = [join(folder, "a.pdf"), join(folder, "b.pdf")];
      writeFileSync(from, await issued(given, { of: "Invoices", id }, "facturx"));
      execFileSync("qpdf", [...options, from, into]);
      const bill = await made(given, readFileSync(into), { createContact: "true" });
      expect(bill.Total).toBe(5.95);
    });

    test("a password-protected PDF is refused as an e-invoice", async () => {
      const { given, rates, close } = await german();
      onTestFinished(close);
      const to = await party(given, {
        Name: "Acme",
        Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
      });
      const lines = [
        { Description: "A", Quantity: 1, UnitAmount: 5, AccountCode: "400", TaxType: rates.S19 },
      ];
      const { InvoiceID: id } = await sold(given, { to, lines });
      const folder = mkdtempSync(join(tmpdir(), "acct-test-pdf-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [from, into] = [join(folder, "a.pdf"), join(folder, "b.pdf")];
      writeFileSync(from, await issued(given, { of: "Invoices", id }, "facturx"));
      execFileSync("qpdf", ["--encrypt", "a", "b", "256", "--", from, into]);
      expect((await send(given, readFileSync(into))).said).toEqual([
        expect.stringContaining("protected by a password"),
      ]);
    });
  },
);
