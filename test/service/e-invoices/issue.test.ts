/** Invoices and credit notes as e-invoices: what is in them, and what is refused. */

import { describe, expect, test } from "vitest";
import {
  type EInvoice,
  embeddedXml,
  isPdf,
  lineFaults,
  readEInvoice,
  totalsFaults,
  writeEInvoice,
} from "../../../src/e-invoices/index.ts";
import { profiles } from "../../../src/e-invoices/profiles.ts";
import { runAtOnce } from "../../../src/platform/slices.ts";
import { fc, runs } from "../../support/properties.ts";
import { contact, type Json, sale, world } from "../fixture.ts";
import { jpeg } from "../pdf/pictures.ts";
import {
  britishKinds,
  credited,
  german,
  germanKinds,
  issued,
  type Kind,
  party,
  pintKinds,
  sold,
  type Trader,
} from "./kinds.ts";

const plain = (invoice: EInvoice) =>
  JSON.parse(
    JSON.stringify(invoice, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  );

describe("e-invoices of every kind", () => {
  test.each<[country: string, kinds: () => Promise<Trader & { kinds: readonly Kind[] }>]>([
    ["Germany", germanKinds],
    ["Australia", () => pintKinds("AU")],
    ["New Zealand", () => pintKinds("NZ")],
    ["the United Kingdom", britishKinds],
  ])(
    "the e-invoices of a seller in %s have the same amounts as the documents in the book",
    async (_country, make) => {
      const { given, kinds, close } = await make();
      for (const kind of kinds) {
        const answer = await given.ok("GET", `/${kind.of}/${kind.id}`);
        const [document] = answer[kind.of];
        const open = document.AmountDue ?? document.RemainingCredit;
        for (const format of kind.formats.filter((each) => each !== "facturx")) {
          const { invoice } = runAtOnce(readEInvoice(await issued(given, kind, format)));
          const { totals } = invoice;
          const cents = (amount: number) => Math.round(amount * 100);
          expect({ kind: kind.name, format, totals }).toMatchObject({
            totals: {
              net: cents(document.SubTotal),
              tax: cents(document.TotalTax),
              gross: cents(document.Total),
              due: cents(open),
            },
          });
          expect([...totalsFaults(invoice), ...lineFaults(invoice)]).toEqual([]);
          expect(invoice.specification).toBe(profiles[format].specification);
        }
      }
      await close();
    },
  );
});

describe("data that the e-invoice standard demands", () => {
  test("an e-invoice with missing data is refused with all missing fields and the commands that set them", async () => {
    const given = await world("GLOBAL");
    const customer = await contact(given, { Name: "Stadt Köln" });
    const fields = {
      Status: "AUTHORISED",
      LineItems: [
        { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "400", TaxType: "NONE" },
      ],
    };
    const { Invoices } = await given.ok("PUT", "/Invoices", sale(customer, fields));
    const path = `/Extensions/EInvoices/Invoices/${Invoices[0].InvoiceID}`;
    const refused = await given.refused("GET", path, undefined, { query: { format: "xrechnung" } });
    expect(refused).toEqual([
      expect.stringMatching(
        /^BT-40, the country of the seller: acct organisation update --postal-address /,
      ),
      expect.stringMatching(
        /^BT-55, the country of the buyer: acct contact update 'Stadt Köln' --postal-address /,
      ),
      expect.stringMatching(/^BT-30, .*: acct organisation update --registration-number /),
      expect.stringMatching(/^BT-34, .*: acct organisation update --electronic-address /),
      expect.stringMatching(/^BT-49, .*: acct contact update 'Stadt Köln' --electronic-address /),
      expect.stringMatching(/^BT-10, .*: acct contact update 'Stadt Köln' --buyer-reference /),
      "BT-84, the account that is paid to: acct branding set --bank-account CODE",
      expect.stringMatching(/^BT-37, .*: acct organisation update --postal-address /),
      expect.stringMatching(/^BT-52, .*: acct contact update 'Stadt Köln' --postal-address /),
      expect.stringMatching(/^BT-41, .*: acct organisation update --contact-person /),
      expect.stringMatching(/^BT-42, .*: acct organisation update --phone /),
      expect.stringMatching(/^BT-43, .*: acct organisation update --email-address /),
    ]);
  });

  test("an e-invoice with a zero tax rate without a tax category is refused with the name of the rate", async () => {
    const { given, rates, close } = await german();
    const to = await party(given, {
      Name: "Acme",
      Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
    });
    const { TaxRates } = await given.ok("PUT", "/TaxRates", {
      Name: "Null",
      TaxComponents: [{ Name: "N", Rate: 0 }],
    });
    const { TaxType } = TaxRates[0];
    const lines = [{ Description: "A", Quantity: 1, UnitAmount: 5, AccountCode: "400", TaxType }];
    const { InvoiceID } = await sold(given, { to, lines });
    const ask = () =>
      given.ask("GET", `/Extensions/EInvoices/Invoices/${InvoiceID}`, undefined, {
        query: { format: "ubl" },
      });
    expect((await ask()).text).toContain(`acct tax-rate update ${TaxType} --tax-category Z`);
    await given.ok("POST", "/TaxRates", { TaxType, TaxCategory: "E" });
    expect((await ask()).text).toContain("<cbc:TaxExemptionReason>Null</cbc:TaxExemptionReason>");
    expect(rates.E).toBeDefined();
    await close();
  });

  test.each<[what: string, fields: object, said: RegExp]>([
    ["a draft", { Status: "DRAFT" }, /^Only an approved invoice .*DRAFT/],
    [
      "a bill",
      {
        Type: "ACCPAY",
        LineItems: [{ Description: "A", Quantity: 1, UnitAmount: 5, AccountCode: "429" }],
      },
      /^Only what goes to customers/,
    ],
  ])(
    "the e-invoice of %s is refused, since only approved sales documents have one",
    async (_what, fields, said) => {
      const given = await world();
      const { Invoices } = await given.ok(
        "PUT",
        "/Invoices",
        sale(await contact(given), { Status: "AUTHORISED", ...fields }),
      );
      const path = `/Extensions/EInvoices/Invoices/${Invoices[0].InvoiceID}`;
      expect(await given.refused("GET", path, undefined, { query: { format: "ubl" } })).toEqual([
        expect.stringMatching(said),
      ]);
    },
  );

  test("an e-invoice that mixes lines not subject to tax with taxed lines is refused", async () => {
    const { given, rates, close } = await german();
    const to = await party(given, {
      Name: "Acme",
      Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
    });
    const line = (TaxType: string) => ({
      Description: "A",
      Quantity: 1,
      UnitAmount: 5,
      AccountCode: "400",
      TaxType,
    });
    const { InvoiceID } = await sold(given, { to, lines: [line(rates.S19), line(rates.O)] });
    const refused = await given.refused(
      "GET",
      `/Extensions/EInvoices/Invoices/${InvoiceID}`,
      undefined,
      { query: { format: "cii" } },
    );
    expect(refused).toEqual([
      expect.stringMatching(/^Line 2 is not subject to tax \(O\).*BR-O-11/),
    ]);
    await close();
  });

  test("a request for an e-invoice with an unknown or missing format is refused", async () => {
    const given = await world();
    const { Invoices } = await given.ok(
      "PUT",
      "/Invoices",
      sale(await contact(given), { Status: "AUTHORISED" }),
    );
    const path = `/Extensions/EInvoices/Invoices/${Invoices[0].InvoiceID}`;
    expect(await given.refused("GET", path, undefined, { query: { format: "fatturapa" } })).toEqual(
      [expect.stringContaining("must be one of ubl, cii, facturx")],
    );
    expect(await given.refused("GET", path)).toEqual([
      expect.stringContaining("No format of e-invoices is usual"),
    ]);
  });

  test.each<[field: string, text: string, said: RegExp]>([
    ["an unknown scheme", "1234:5", /no scheme of electronic addresses 1234/],
    ["an NZBN with a wrong check digit", "0088:9429041234560", /check digit is wrong/],
    ["a text without a scheme", "9429041234563", /written as SCHEME:IDENTIFIER/],
    ["an invalid email address", "EM:nobody", /check digit is wrong|form/],
  ])(
    "a contact with %s as its electronic address is refused",
    async (_what, ElectronicAddress, said) => {
      const given = await world();
      expect(await given.refused("PUT", "/Contacts", { Name: "Acme", ElectronicAddress })).toEqual([
        expect.stringMatching(said),
      ]);
      expect(await given.refused("POST", "/Organisation/Settings", { ElectronicAddress })).toEqual([
        expect.stringMatching(said),
      ]);
    },
  );
});

describe("Factur-X", () => {
  test("a Factur-X file is the printed invoice with the same XML as the CII format embedded", async () => {
    const { given, rates, close } = await german();
    const to = await party(given, {
      Name: "Žofie & Co",
      Addresses: [{ AddressType: "POBOX", City: "Praha", Country: "CZ" }],
    });
    const lines = [
      { Description: "Práce", Quantity: 2, UnitAmount: 50, AccountCode: "400", TaxType: rates.S19 },
    ];
    const { InvoiceID: id } = await sold(given, { to, lines });
    const [pdf, cii] = [
      await issued(given, { of: "Invoices", id }, "facturx"),
      await issued(given, { of: "Invoices", id }, "cii"),
    ];
    expect(isPdf(pdf)).toBe(true);
    expect(Buffer.from(runAtOnce(embeddedXml(pdf))).toString()).toBe(cii.toString());
    const text = pdf.toString("latin1");
    for (const part of [
      "<pdfaid:part>3</pdfaid:part>",
      "<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>",
      "/AFRelationship /Alternative",
      "/OutputIntents",
    ]) {
      expect(text).toContain(part);
    }
    await close();
  });

  test("Factur-X with a CMYK logo is refused, since PDF/A does not permit it", async () => {
    const { given, rates, close } = await german();
    const to = await party(given, {
      Name: "Acme",
      Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
    });
    const lines = [
      { Description: "A", Quantity: 1, UnitAmount: 5, AccountCode: "400", TaxType: rates.S19 },
    ];
    const { InvoiceID: id } = await sold(given, { to, lines });
    const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
    const setLogo = (body: Buffer) =>
      given.book.transport({
        method: "PUT",
        path: `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Logo`,
        query: [],
        headers: { accept: "application/json", "content-type": "image/jpeg" },
        body,
      });
    expect((await setLogo(jpeg(7, 5, "", 4))).status).toBe(200);
    await expect(issued(given, { of: "Invoices", id }, "facturx")).rejects.toThrow("CMYK");
    await issued(given, { of: "Invoices", id }, "cii");
    expect((await setLogo(jpeg(7, 5, "", 3))).status).toBe(200);
    expect(isPdf(await issued(given, { of: "Invoices", id }, "facturx"))).toBe(true);
    await close();
  });
});

// --- any document ----------------------------------------------------------------------------------

interface AnyLine {
  readonly Quantity: number;
  readonly UnitAmount: number;
  readonly rate: "S19" | "S7" | "Z" | "E";
  readonly discount: number;
  readonly text: string;
}

const anyLine: fc.Arbitrary<AnyLine> = fc.record({
  Quantity: fc.integer({ min: 1, max: 99_999_999 }).map((units) => units / 10_000),
  UnitAmount: fc.integer({ min: 0, max: 99_999_999 }).map((units) => units / 10_000),
  rate: fc.constantFrom("S19", "S7", "Z", "E"),
  discount: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 10_000 }).map((units) => units / 100),
  ),
  text: fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
    .map((text) => `x${text.replace(/\p{C}/gu, "")}`),
});

test("any document issued as an e-invoice is read back with the same data, and its sums obey the standard", async () => {
  const { given, rates, close } = await german();
  const to = await party(given, {
    Name: "Acme",
    Addresses: [{ AddressType: "POBOX", City: "Bonn", Country: "DE" }],
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("Exclusive", "Inclusive"),
      fc.boolean(),
      async (drawn, LineAmountTypes, isCredit) => {
        const lines = drawn.map(({ rate, discount, text, ...line }) => ({
          ...line,
          Description: text,
          AccountCode: "400",
          TaxType: rates[rate],
          ...(discount === 0 || isCredit ? {} : { DiscountRate: discount }),
        }));
        const fields = { LineAmountTypes };
        const made: Json = isCredit
          ? await credited(given, { to, lines, fields })
          : await sold(given, { to, lines, fields });
        const of = isCredit ? "CreditNotes" : "Invoices";
        const id = made.InvoiceID ?? made.CreditNoteID;
        const { invoice } = runAtOnce(readEInvoice(await issued(given, { of, id }, "ubl")));
        expect([...totalsFaults(invoice), ...lineFaults(invoice)]).toEqual([]);
        for (const syntax of ["ubl", "cii"] as const) {
          const back = runAtOnce(readEInvoice(Buffer.from(writeEInvoice(invoice, syntax))));
          expect(plain(back.invoice)).toEqual(plain(invoice));
        }
        const cii = runAtOnce(readEInvoice(await issued(given, { of, id }, "cii"))).invoice;
        expect(plain(cii)).toEqual(plain(invoice));
      },
    ),
    { numRuns: runs(120) },
  );
  await close();
});
