/** E-invoices and paper of Germany and France: the usual format, and what the law wants them to say. */
import { expect, test } from "vitest";
import { isPdf, readEInvoice, vatCountry } from "../../../src/e-invoices/index.ts";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { runAtOnce } from "../../../src/platform/slices.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";
import { document, type Line } from "../reports/tax/returns.ts";
import { amongFrench, ciiOf } from "./french.ts";

const german = {
  ...{ Name: "Werk GmbH", TaxNumber: "DE123456789", EmailAddress: "post@werk.example" },
  ElectronicAddress: "9930:DE123456789",
  Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "+49 30 123456" }],
  ContactPerson: "Ada Krug",
};
const french = {
  Name: "Atelier SARL",
  TaxNumber: "FR11123456782",
  RegistrationNumber: "123456782",
};
const address = (Country: string) => [
  { AddressType: "POBOX", AddressLine1: "1 Quay", City: "Ort", PostalCode: "14600", Country },
];
const buyer = { Name: "Amt", ElectronicAddress: "EM:amt@ort.example", TaxNumber: "ATU12345678" };

async function selling(country: "DE" | "FR", fields: object = {}): Promise<[World, Json]> {
  const given = await world(country as Country);
  const own = country === "DE" ? german : french;
  const Addresses = address(country);
  await given.ok("POST", "/Organisation/Settings", { ...own, PaysTax: true, Addresses });
  const bank = { Code: "1900B", Name: "Giro", Type: "BANK" };
  await given.ok("PUT", "/Accounts", { ...bank, BankAccountNumber: "DE02120300000000202051" });
  const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
  const theme = `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Settings`;
  await given.ok("POST", theme, { BankAccount: { Code: bank.Code } });
  return [given, await contact(given, { ...buyer, Addresses: address("AT"), ...fields })];
}

async function fileAt({ book }: World, path: string, accept = "application/json"): Promise<Buffer> {
  const { status, body } = await book.transport({
    ...{ method: "GET", path, query: [], headers: { accept } },
  });
  expect(status, String(body)).toBe(200);
  return Buffer.from(body as Uint8Array);
}

test.each<[country: "DE" | "FR", reference: string, format: "PDF" | "XRechnung"]>([
  ["DE", "05711-06001-79", "XRechnung"],
  ["DE", "05711-06001-78", "PDF"],
  ["DE", "Order 7", "PDF"],
  ["FR", "05711-06001-79", "PDF"],
])(
  "an e-invoice of %s without a format, for the buyer's reference %s, is a %s",
  async (country, BuyerReference, format) => {
    const [given, party] = await selling(country, { BuyerReference });
    const line =
      country === "DE"
        ? (["4400", 100, "OUTPUT19"] as const)
        : (["707000", 100, "OUTPUT20"] as const);
    const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, [line]);
    const bytes = await fileAt(given, `/Extensions/EInvoices/Invoices/${InvoiceID}`);
    expect(isPdf(bytes)).toBe(format === "PDF");
    if (format !== "PDF") expect(bytes.toString()).toContain("xrechnung_3.0");
  },
);

test.each<["DE" | "FR", account: string, taxType: string, category: string, text: string]>([
  ["DE", "4125", "ECOUTPUT", "K", "Steuerfreie innergemeinschaftliche Lieferung"],
  [
    ...(["DE", "4336", "ECOUTPUTSERVICES", "AE"] as const),
    "Reverse charge: Steuerschuldnerschaft des Leistungsempfängers",
  ],
  ["DE", "4120", "EXPORT", "G", "Steuerfreie Ausfuhrlieferung"],
  [
    "DE",
    "4185",
    "SMALLBUSINESS",
    "E",
    "Kein Ausweis von Umsatzsteuer: Kleinunternehmer nach § 19 UStG",
  ],
  ["FR", "707200", "ECOUTPUT", "K", "Exonération de TVA, article 262 ter, I du CGI"],
  ["FR", "706200", "ECOUTPUTSERVICES", "AE", "Autoliquidation"],
  ["FR", "707300", "EXPORT", "G", "Exonération de TVA, article 262, I du CGI"],
])(
  "an invoice of %s on account %s says why it bears no tax, on paper and as an e-invoice",
  async (country, account, taxType, category, text) => {
    const [given, party] = await selling(country);
    const dates = { DeliveryDate: "2026-03-04", DueDate: "2026-12-31" };
    const { InvoiceID } = await document(given, party, dates, [[account, 100, taxType]]);
    const paper = readPdf(await fileAt(given, `/Invoices/${InvoiceID}`, "application/pdf"));
    expect(paper.pages.flat().join(" ")).toContain(text);
    const pdf = await fileAt(given, `/Extensions/EInvoices/Invoices/${InvoiceID}`);
    const { invoice } = runAtOnce(readEInvoice(pdf));
    expect(invoice.taxes).toMatchObject([{ category, reason: text }]);
  },
);

test("a German invoice without a day of delivery says that it is the day of the invoice", async () => {
  const [given, party] = await selling("DE");
  const said = async (fields: object) => {
    const { InvoiceID } = await document(given, party, fields, [["4400", 100, "OUTPUT19"]]);
    const paper = readPdf(await fileAt(given, `/Invoices/${InvoiceID}`, "application/pdf"));
    return paper.pages.flat().join(" ");
  };
  const sentence = "Leistungsdatum entspricht Rechnungsdatum";
  expect(await said({})).toContain(sentence);
  const delivered = await said({ DeliveryDate: "2026-03-04" });
  expect(delivered).not.toContain(sentence);
  expect(delivered).toContain("04.03.2026");
});

test.each<[kind: string, process: string, lines: readonly Line[]]>([
  ["goods", "B1", [["707000", 100, "OUTPUT20"]]],
  ["services", "S1", [["706000", 100, "OUTPUT20S"]]],
  ["exempt services", "S1", [["706000", 100, "EXEMPTOUTPUT"]]],
  ["exempt goods", "B1", [["707000", 100, "EXEMPTOUTPUT"]]],
  [
    "goods and services",
    "M1",
    [
      ["707000", 100, "OUTPUT55"],
      ["706000", 50, "OUTPUT10S"],
    ],
  ],
])(
  "an e-invoice of %s between French businesses has the kind %s, both SIREN and the texts on late payment",
  async (_, process, lines) => {
    const [given, party] = await amongFrench();
    const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, lines);
    const cii = await ciiOf(given, `/Invoices/${InvoiceID}`);
    const { invoice } = runAtOnce(readEInvoice(Buffer.from(cii)));
    expect(invoice.process).toBe(process);
    const numbers = [invoice.seller, invoice.buyer].map((each) => each.registration);
    expect(numbers).toEqual([
      { id: "123456782", scheme: "0002" },
      { id: "732829320", scheme: "0002" },
    ]);
    expect(invoice.seller.electronicAddress).toEqual({ id: "123456782", scheme: "0225" });
    const subjects = [...cii.matchAll(/<ram:SubjectCode>(\w+)</g)].map(([, code]) => code);
    expect(subjects).toEqual(["AAB", "PMD", "PMT"]);
    expect(invoice.notes.join(" ")).toContain("indemnité forfaitaire de 40 €");
  },
);

test("an e-invoice between French businesses without the customer's SIREN is refused, and one to a person is not", async () => {
  const lines = [["707000", 100, "OUTPUT20"]] as const;
  const [given, party] = await amongFrench({ Name: "Galerie", CompanyNumber: "732829321" });
  const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, lines);
  const refused = ciiOf(given, `/Invoices/${InvoiceID}`);
  await expect(refused).rejects.toThrow(
    "BT-47, the SIREN of the buyer, with its right check digit",
  );
  const [other, person] = await amongFrench({ Name: "Ada", TaxNumber: undefined });
  const own = await document(other, person, { DueDate: "2026-12-31" }, lines);
  expect(await ciiOf(other, `/Invoices/${own.InvoiceID}`)).not.toContain("SubjectCode");
});

test.each<
  [
    what: string,
    basis: string,
    lines: readonly Line[],
    cii: string | undefined,
    ubl: string | undefined,
  ]
>([
  ["services by receipt", "CASH", [["706000", 100, "OUTPUT20S"]], "72", "432"],
  ["services by débits", "ACCRUALS", [["706000", 100, "OUTPUT20S"]], "5", "3"],
  ["goods by receipt", "CASH", [["707000", 100, "OUTPUT20"]], undefined, undefined],
  ["goods by débits", "ACCRUALS", [["707000", 100, "OUTPUT20"]], undefined, undefined],
  [
    "goods and services by receipt",
    "CASH",
    [
      ["707000", 100, "OUTPUT20"],
      ["706000", 100, "OUTPUT20S"],
    ],
    undefined,
    undefined,
  ],
  [
    "goods and services by débits",
    "ACCRUALS",
    [
      ["707000", 100, "OUTPUT20"],
      ["706000", 100, "OUTPUT20S"],
    ],
    "5",
    "3",
  ],
])(
  "an e-invoice between French businesses of %s (%s) says when the tax is owed",
  async (_, SalesTaxBasis, lines, cii, ubl) => {
    const [given, party] = await amongFrench();
    await given.ok("POST", "/Organisation/Settings", { SalesTaxBasis });
    const { InvoiceID } = await document(given, party, { DueDate: "2026-12-31" }, lines);
    const [inCii, inUbl] = [
      await ciiOf(given, `/Invoices/${InvoiceID}`),
      await ciiOf(given, `/Invoices/${InvoiceID}`, "ubl"),
    ];
    expect(/<ram:DueDateTypeCode>(\d+)</.exec(inCii)?.[1]).toBe(cii);
    expect(/<cac:InvoicePeriod>\s*<cbc:DescriptionCode>(\d+)</.exec(inUbl)?.[1]).toBe(ubl);
  },
);

test("a credit note between French businesses needs its invoice, applied to it or as its reference", async () => {
  const [given, party] = await amongFrench();
  const invoice = await document(given, party, { DueDate: "2026-12-31", InvoiceNumber: "F-1" }, [
    ["707000", 100, "OUTPUT20"],
  ]);
  const credit = async (Reference: string) => {
    const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
      ...{ Type: "ACCRECCREDIT", Contact: { ContactID: party.ContactID }, Status: "AUTHORISED" },
      ...{ Date: "2026-03-09", Reference },
      LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "707000" }],
    });
    return `/CreditNotes/${CreditNotes[0].CreditNoteID}`;
  };
  for (const Reference of ["", "F-2"]) {
    const refused = ciiOf(given, await credit(Reference));
    await expect(refused).rejects.toThrow(
      /BT-25, the invoice that it corrects.*acct credit-note update \S+ --reference INVOICE-NUMBER/,
    );
  }
  const named = await ciiOf(given, await credit("F-1"));
  const { preceding, orderReference } = runAtOnce(readEInvoice(Buffer.from(named))).invoice;
  expect(preceding).toEqual([{ number: "F-1", date: invoice.DateString.slice(0, 10) }]);
  expect(orderReference).toBeUndefined();
});

test("a number or a rate that platforms in France do not take is refused, and so is a due day before the invoice", async () => {
  const [given, party] = await amongFrench();
  const { TaxRates } = await given.ok("PUT", "/TaxRates", {
    Name: "TVA 12 %",
    TaxComponents: [{ Name: "TVA", Rate: 12 }],
  });
  const fields = { DueDate: "2026-12-31" };
  const refusalOf = async (own: object, taxType = "OUTPUT20") => {
    const lines: Line[] = [["707000", 100, taxType]];
    const { InvoiceID } = await document(given, party, { ...fields, ...own }, lines);
    return ciiOf(given, `/Invoices/${InvoiceID}`).catch((error: Error) => error.message);
  };
  expect(await refusalOf({ InvoiceNumber: "F 7" })).toContain("not 'F 7' (BR-FR-01)");
  expect(await refusalOf({}, TaxRates[0].TaxType)).toContain("no rate of tax of 12 % in France");
  expect(await refusalOf({ Date: "2026-03-09", DueDate: "2026-03-08" })).toContain("BT-9");
});

test.each([
  ["FR44732829320", "FR"],
  ["FR45732829320", undefined],
  ["FRK7399859412", "FR"],
])(
  "the French VAT number %s is of %s: digits before the SIREN follow from it",
  (number, country) => {
    expect(vatCountry(number)).toBe(country);
  },
);

test.each([
  ["DE", "4400", "1800", "3272", "Anzahlung, 01.03.2026, davon Umsatzsteuer 16,00"],
  ["FR", "707000", "512100", "419100", "Acompte, 01/03/2026, dont TVA 16,70"],
] as const)(
  "an invoice of %s that takes off a deposit states the tax in it",
  async (country, sales, bank, account, words) => {
    const given = await world(country);
    const party = await contact(given, {});
    const { InvoiceID } = await document(given, party, {}, [
      [sales, 500, `OUTPUT${country === "DE" ? 19 : 20}`],
    ]);
    const Contact = { ContactID: party.ContactID };
    const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
      ...{ Type: "RECEIVE-PREPAYMENT", Contact, BankAccount: { Code: bank } },
      ...{ Date: "2026-03-01", LineAmountTypes: "Inclusive" },
      LineItems: [{ Description: "x", UnitAmount: 119, AccountCode: account }],
    });
    const path = `/Prepayments/${BankTransactions[0].PrepaymentID}/Allocations`;
    await given.ok("PUT", path, { Amount: 100.21, Invoice: { InvoiceID } });
    const { pages } = readPdf(await fileAt(given, `/Invoices/${InvoiceID}`, "application/pdf"));
    expect(pages.flat().join(" ")).toContain(words);
  },
);
