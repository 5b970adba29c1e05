/** Documents of every kind that an e-invoice can be of, in the books of four countries. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Country } from "../../../src/ledger/regions/index.ts";
import type { EInvoiceFormat } from "../../../src/resources/e-invoice.ts";
import { createBook } from "../../../src/service/books/book.ts";
import { asking, type Json, type World } from "../fixture.ts";

/** A document that is made an e-invoice of. */
export interface Kind {
  readonly name: string;
  readonly of: "Invoices" | "CreditNotes";
  readonly id: string;
  readonly formats: readonly EInvoiceFormat[];
}

export interface Trader {
  readonly given: World;
  readonly close: () => Promise<void>;
}

const now = Date.UTC(2026, 1, 28, 23);

/** A book with a seller who says of itself all that the standards demand. */
async function trader(
  made: { readonly name: string; readonly country: Country; readonly currency?: string },
  settings: object,
  bankAccountNumber: string,
): Promise<Trader> {
  const folder = mkdtempSync(join(tmpdir(), "acct-test-e-invoices-"));
  let last = 0;
  const newId = () => {
    last += 1;
    return `00000000-0000-7000-8000-${String(last).padStart(12, "0")}`;
  };
  const given = asking({ now, mail: [], bugs: [], book: undefined as unknown as World["book"] });
  const options = {
    clock: () => given.now,
    newId,
    user: "Tess Tester",
    email: "tess@heron.example",
  };
  const book = await createBook(join(folder, "book.acct"), made, options);
  Object.assign(given, { book });
  await given.ok("POST", "/Organisation/Settings", settings);
  const bank = { Code: "090", Name: "Giro", Type: "BANK", BankAccountNumber: bankAccountNumber };
  await given.ok("PUT", "/Accounts", bank);
  const { BrandingThemes } = await given.ok("GET", "/BrandingThemes");
  const at = `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Settings`;
  await given.ok("POST", at, { BankAccount: { Code: "090" } });
  const close = async () => {
    await book.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { given, close };
}

const address = (street: string, City: string, PostalCode: string, Country: string) => [
  { AddressType: "POBOX", AddressLine1: street, City, PostalCode, Country },
];

export async function party(given: World, fields: object): Promise<Json> {
  return (await given.ok("PUT", "/Contacts", fields)).Contacts[0];
}

export async function rate(
  given: World,
  Name: string,
  Rate: number,
  more: object = {},
): Promise<string> {
  const input = { Name, TaxComponents: [{ Name: "USt", Rate }], ...more };
  return (await given.ok("PUT", "/TaxRates", input)).TaxRates[0].TaxType;
}

interface Sale {
  readonly to: Json;
  readonly lines: readonly object[];
  readonly fields?: object;
}

/** An approved invoice. */
export async function sold(given: World, { to, lines, fields = {} }: Sale): Promise<Json> {
  const input = {
    Type: "ACCREC",
    Status: "AUTHORISED",
    Contact: { ContactID: to.ContactID },
    Date: "2026-03-01",
    DueDate: "2026-03-21",
    Reference: "PO 4711",
    LineItems: lines,
    ...fields,
  };
  return (await given.ok("PUT", "/Invoices", input, { query: { unitdp: "4" } })).Invoices[0];
}

/** An approved credit note. */
export async function credited(given: World, { to, lines, fields = {} }: Sale): Promise<Json> {
  const input = {
    Type: "ACCRECCREDIT",
    Status: "AUTHORISED",
    Contact: { ContactID: to.ContactID },
    Date: "2026-03-05",
    Reference: "PO 4711",
    LineItems: lines,
    ...fields,
  };
  return (await given.ok("PUT", "/CreditNotes", input, { query: { unitdp: "4" } })).CreditNotes[0];
}

const pay = (given: World, { InvoiceID }: Json, Amount: number) =>
  given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID },
    Account: { Code: "090" },
    Date: "2026-03-10",
    Amount,
  });

const apply = (given: World, { CreditNoteID }: Json, { InvoiceID }: Json, AppliedAmount: number) =>
  given.ok("PUT", `/CreditNotes/${CreditNoteID}/Allocations`, {
    Allocations: [{ Invoice: { InvoiceID }, AppliedAmount }],
  });

const european: readonly EInvoiceFormat[] = [
  "ubl",
  "cii",
  "facturx",
  "xrechnung",
  "xrechnung-cii",
  "peppol",
];
const abroad: readonly EInvoiceFormat[] = ["ubl", "cii", "facturx", "peppol"];
const pint: readonly EInvoiceFormat[] = ["pint-anz", "ubl", "cii"];

type Rate = "S19" | "S7" | "Z" | "E" | "AE" | "K" | "G" | "O";

/** A business in Germany, whose rates are all its own. */
export async function german(): Promise<Trader & { readonly rates: Record<Rate, string> }> {
  const made = { name: "Müller & Söhne Werkzeuge", country: "GLOBAL", currency: "EUR" } as const;
  const settings = {
    LegalName: "Müller & Söhne Werkzeuge GmbH",
    TaxNumber: "DE 123456789",
    RegistrationNumber: "HRB 12345 B",
    ElectronicAddress: "9930:DE123456789",
    ContactPerson: "Buchhaltung <Rechnungen>",
    EmailAddress: "buch@mueller.example",
    Addresses: address("Hauptstr. 1", "Berlin", "10115", "Deutschland"),
    Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "+49 30 123456" }],
  };
  const books = await trader(made, settings, "DE02 1203 0000 0000 2020 51");
  const { given } = books;
  const rates = {
    S19: await rate(given, "USt 19 %", 19),
    S7: await rate(given, "USt 7 %", 7),
    Z: await rate(given, "Photovoltaik 0 %", 0, { TaxCategory: "Z" }),
    E: await rate(given, "Steuerfrei nach § 4 Nr. 12 UStG", 0, { TaxCategory: "E" }),
    AE: await rate(given, "Steuerschuld des Empfängers", 0, { TaxCategory: "AE" }),
    K: await rate(given, "Innergemeinschaftliche Lieferung", 0, { TaxCategory: "K" }),
    G: await rate(given, "Ausfuhr", 0, { TaxCategory: "G" }),
    O: await rate(given, "Nicht steuerbar", 0, { TaxCategory: "O" }),
  };
  return { ...books, rates };
}

export async function germanKinds(): Promise<Trader & { readonly kinds: readonly Kind[] }> {
  const { rates, ...books } = await german();
  const { given } = books;
  const { S19, S7, Z, E, AE, K, G, O } = rates;
  const town = await party(given, {
    Name: 'Stadt Köln "Amt 1" & <Co>',
    ElectronicAddress: "0204:05315000-12345-30",
    BuyerReference: "05315000-12345-30",
    Addresses: address("Domplatz 1", "Köln", "50667", "Germany"),
  });
  const austrian = await party(given, {
    Name: "Alpenbau GmbH",
    TaxNumber: "ATU12345678",
    ElectronicAddress: "9914:ATU12345678",
    BuyerReference: "AB-1",
    Addresses: address("Ring 5", "Wien", "1010", "Österreich"),
  });
  const french = await party(given, {
    Name: "Outils de Lyon SARL",
    TaxNumber: "FR83404833048",
    ElectronicAddress: "9957:FR83404833048",
    Addresses: [
      ...address("1 rue du Lac", "Lyon", "69001", "France"),
      {
        AddressType: "STREET",
        AddressLine1: "Quai 3",
        City: "Lyon",
        PostalCode: "69002",
        Country: "FR",
      },
    ],
  });
  const american = await party(given, {
    Name: "Acme Inc",
    ElectronicAddress: "0060:123456789",
    Addresses: address("5 Main St", "Reno", "89501", "United States"),
  });
  await given.ok("PUT", "/Items", [
    {
      Code: "HOUR",
      Name: "Beratung",
      UnitCode: "HUR",
      SalesDetails: { UnitPrice: 95.5, AccountCode: "400", TaxType: S19 },
    },
    {
      Code: "SAND",
      Name: "Sand",
      UnitCode: "TNE",
      SalesDetails: { UnitPrice: 31.25, AccountCode: "400", TaxType: S19 },
    },
  ]);
  for (const Code of ["USD", "JPY"]) await given.ok("PUT", "/Currencies", { Code });
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-02-01", Rate: 1.0817 });
  await given.ok("PUT", "/Currencies/JPY/Rates", { Date: "2026-02-01", Rate: 163.21 });
  const line = (TaxType: string, UnitAmount: number, more: object = {}) => ({
    Description: "Ware",
    Quantity: 1,
    UnitAmount,
    AccountCode: "400",
    TaxType,
    ...more,
  });
  /** A line that quantity and line amount price. */
  const part = (TaxType: string, priced: object) => ({
    ...{ Description: "Ware", AccountCode: "400", TaxType },
    ...priced,
  });
  const kinds: Kind[] = [];
  const add = (name: string, made: Json, formats = european) => {
    const of = made.InvoiceID === undefined ? "CreditNotes" : "Invoices";
    kinds.push({ name, of, id: made.InvoiceID ?? made.CreditNoteID, formats });
  };
  const sell = (to: Json, lines: readonly object[], fields?: object) =>
    sold(given, { to, lines, ...(fields && { fields }) });
  const credit = (to: Json, lines: readonly object[], fields?: object) =>
    credited(given, { to, lines, ...(fields && { fields }) });

  add("standard rate", await sell(town, [line(S19, 100)]));
  add("two rates", await sell(town, [line(S19, 100), line(S7, 12.34, { Quantity: 3 })]));
  add(
    "discount in percent",
    await sell(town, [line(S19, 19.99, { Quantity: 3, DiscountRate: 12.5 })]),
  );
  add(
    "discount as an amount",
    await sell(town, [line(S19, 19.99, { Quantity: 7, DiscountAmount: 5.55 })]),
  );
  add("discount of everything", await sell(town, [line(S19, 50, { DiscountRate: 100 })]));
  const inclusive = { LineAmountTypes: "Inclusive" };
  add(
    "inclusive",
    await sell(
      town,
      [line(S19, 9.99, { Quantity: 3 }), line(S7, 4.99, { Quantity: 7 })],
      inclusive,
    ),
  );
  add(
    "inclusive with discount",
    await sell(town, [line(S19, 119, { Quantity: 3, DiscountRate: 10 })], inclusive),
  );
  add(
    "inclusive, many of them",
    await sell(town, [line(S19, 0.37, { Quantity: 12_345 })], inclusive),
  );
  add("credit note", await credit(town, [line(S19, 40)]));
  const open = await sell(town, [line(S19, 200)]);
  const applied = await credit(town, [line(S19, 100), line(S7, 10)]);
  await apply(given, applied, open, 80);
  add("invoice with a credit applied", open);
  add("credit note applied in part", applied);
  const prepaid = await sell(town, [line(S19, 1000)]);
  await pay(given, prepaid, 300);
  add("paid in part", prepaid);
  const settled = await sell(town, [line(S19, 10)]);
  await pay(given, settled, 11.9);
  add("paid wholly", settled);
  add(
    "in dollars",
    await sell(american, [line(S19, 99.99, { Quantity: 3 })], { CurrencyCode: "USD" }),
    abroad,
  );
  add(
    "credit note in dollars",
    await credit(american, [line(S19, 33.33)], { CurrencyCode: "USD" }),
    abroad,
  );
  add(
    "in yen, which has no cents",
    await sell(american, [part(S19, { Quantity: 3, LineAmount: 3704 })], { CurrencyCode: "JPY" }),
    abroad,
  );
  add("reverse charge", await sell(austrian, [line(AE, 500)]));
  const delivered = { DeliveryDate: "2026-02-27" };
  add("supply within the Union", await sell(french, [line(K, 750)], delivered), abroad);
  add(
    "credit note of a supply within the Union",
    await credit(french, [line(K, 75)], delivered),
    abroad,
  );
  add("export", await sell(american, [line(G, 750)]), abroad);
  add("zero rate", await sell(town, [line(Z, 800)]));
  add("exempt", await sell(town, [line(E, 650)]));
  add("not subject to tax", await sell(town, [line(O, 650), line(O, 1, { Quantity: 2 })]));
  add("standard, zero and exempt", await sell(town, [line(S19, 10), line(Z, 20), line(E, 30)]));
  add(
    "a return within an invoice",
    await sell(town, [line(S19, 100), line(S19, 30, { Quantity: -2 }), line(S7, -5)]),
  );
  add(
    "a returned discount",
    await sell(town, [line(S19, 100), line(S19, 30, { Quantity: -2, DiscountRate: 10 })]),
  );
  add(
    "texts between lines",
    await sell(town, [
      { Description: "Baustelle <A> & B" },
      line(S19, 100, { Description: 'Titel\nund "mehr" & <Rest>' }),
      { Description: "Danke" },
    ]),
  );
  add(
    "items with units",
    await sell(town, [
      { ItemCode: "HOUR", Quantity: 7.75 },
      { ItemCode: "SAND", Quantity: 1.2345, Description: "Sand, gewaschen" },
    ]),
  );
  add(
    "fractions",
    await sell(town, [
      line(S19, 0.0333, { Quantity: 333.3333 }),
      line(S7, 19.9999, { Quantity: 0.3333 }),
    ]),
  );
  const many = Array.from({ length: 60 }, (_, at) =>
    line(at % 3 === 0 ? S7 : S19, 0.33 + at / 100, { Quantity: 1 + (at % 7) }),
  );
  add("sixty lines, each rounded", await sell(town, many));
  add("tax by hand", await sell(town, [line(S19, 100, { TaxAmount: 19.02 })]));
  add(
    "with the day of delivery",
    await sell(town, [line(S19, 100)], {
      DeliveryDate: "2026-02-28",
      BuyerReference: "05315000-ABC-11",
    }),
  );
  return { ...books, kinds };
}

/** Australia, New Zealand: PINT A-NZ. @param country  `AU` or `NZ` */
export async function pintKinds(
  country: "AU" | "NZ",
): Promise<Trader & { readonly kinds: readonly Kind[] }> {
  const isNz = country === "NZ";
  const settings = isNz
    ? { TaxNumber: "123-456-789", RegistrationNumber: "9429041234563" }
    : { TaxNumber: "51 824 753 556" };
  const made = { name: "Heron Lane Ltd", country } as const;
  const where = isNz
    ? address("4 Heron Lane", "Wellington", "6011", "New Zealand")
    : address("4 Heron Lane", "Sydney", "2000", "Australia");
  const books = await trader(
    made,
    { ...settings, Addresses: where },
    isNz ? "38-9000-0123456-00" : "062-000 12345678",
  );
  const { given } = books;
  const near = await party(given, {
    Name: "Moa Coffee",
    ...(isNz ? { CompanyNumber: "9429000106078" } : { TaxNumber: "33 102 417 032" }),
    Addresses: where.map((each) => ({ ...each, AddressLine1: "1 Quay" })),
  });
  const far = await party(given, {
    Name: "Sakura KK",
    ElectronicAddress: "0188:1234567890123",
    Addresses: address("1 Ginza", "Tokyo", "104-0061", "Japan"),
  });
  await given.ok("PUT", "/Currencies", { Code: "USD" });
  await given.ok("PUT", "/Currencies/USD/Rates", { Date: "2026-02-01", Rate: 0.6123 });
  const types = isNz
    ? { S: "OUTPUT2", Z: "ZERORATED", E: "NONE", G: undefined, O: undefined }
    : { S: "OUTPUT", Z: "EXEMPTOUTPUT", E: "INPUTTAXED", G: "EXEMPTEXPORT", O: "BASEXCLUDED" };
  const line = (TaxType: string, UnitAmount: number, more: object = {}) => ({
    Description: "Mugs",
    Quantity: 1,
    UnitAmount,
    AccountCode: "200",
    TaxType,
    ...more,
  });
  const kinds: Kind[] = [];
  const add = (name: string, made: Json) => {
    const of = made.InvoiceID === undefined ? "CreditNotes" : "Invoices";
    kinds.push({
      name: `${country}: ${name}`,
      of,
      id: made.InvoiceID ?? made.CreditNoteID,
      formats: pint,
    });
  };
  const sell = (to: Json, lines: readonly object[], fields: object = {}) =>
    sold(given, { to, lines, fields });
  const { S, Z, E, G, O } = types;
  add(
    "standard rate",
    await sell(near, [line(S, 19.99, { Quantity: 3 }), line(S, 7.45), line(S, 0.33)]),
  );
  add(
    "inclusive",
    await sell(near, [line(S, 9.99, { Quantity: 7 })], { LineAmountTypes: "Inclusive" }),
  );
  add(
    "discounts",
    await sell(near, [
      line(S, 19.99, { Quantity: 3, DiscountRate: 10 }),
      line(S, 50, { DiscountAmount: 5 }),
    ]),
  );
  add("zero rate", await sell(near, [line(S, 10), line(Z, 90)]));
  add("exempt", await sell(near, [line(S, 10), line(E, 90)]));
  if (G !== undefined) add("export", await sell(far, [line(G, 500)]));
  if (O !== undefined) add("out of scope", await sell(near, [line(O, 500)]));
  const prepaid = await sell(near, [line(S, 100)]);
  await pay(given, prepaid, 50);
  add("paid in part", prepaid);
  add("in dollars", await sell(far, [line(S, 33.33, { Quantity: 3 })], { CurrencyCode: "USD" }));
  add("credit note", await credited(given, { to: near, lines: [line(S, 12.5, { Quantity: 2 })] }));
  add(
    "a return within an invoice",
    await sell(near, [line(S, 100), line(S, -7.5, { Quantity: 2 })]),
  );
  return { ...books, kinds };
}

/** The United Kingdom, whose rates say by their types what they are. */
export async function britishKinds(): Promise<Trader & { readonly kinds: readonly Kind[] }> {
  const settings = {
    TaxNumber: "123456789",
    RegistrationNumber: "01234567",
    ElectronicAddress: "9932:GB123456789",
    Addresses: address("1 High St", "Leeds", "LS1 1AA", "England"),
  };
  const books = await trader({ name: "Dale Ltd", country: "GB" }, settings, "20-00-00 12345678");
  const { given } = books;
  const near = await party(given, {
    Name: "Roofing Ltd",
    TaxNumber: "GB 987 6543 21",
    ElectronicAddress: "9932:GB987654321",
    Addresses: address("2 Low St", "Hull", "HU1 1AA", "UK"),
  });
  const line = (TaxType: string, UnitAmount = 100) => ({
    Description: "Work",
    Quantity: 1,
    UnitAmount,
    AccountCode: "200",
    TaxType,
  });
  const formats: readonly EInvoiceFormat[] = ["ubl", "cii", "facturx", "peppol"];
  const kinds: Kind[] = [];
  for (const [name, ...types] of [
    ["standard and reduced rate", "OUTPUT2", "RROUTPUT"],
    ["zero rate", "ZERORATEDOUTPUT"],
    ["exempt", "EXEMPTOUTPUT"],
    ["no tax", "NONE", "OUTPUT2"],
    ["domestic reverse charge", "DRCHARGE20"],
    ["goods to the Union", "ECZROUTPUT"],
    ["services to the Union", "ECZROUTPUTSERVICES"],
  ] as const) {
    const made = await sold(given, { to: near, lines: types.map((type) => line(type)) });
    kinds.push({ name: `GB: ${name}`, of: "Invoices", id: made.InvoiceID, formats });
  }
  return { ...books, kinds };
}

/** The e-invoice, as it is served. @throws Error where it is refused */
export async function issued(
  given: World,
  { of, id }: Pick<Kind, "of" | "id">,
  format: string,
): Promise<Buffer> {
  const response = await given.book.transport({
    method: "GET",
    path: `/Extensions/EInvoices/${of}/${id}`,
    query: [["format", format]],
    headers: { accept: "application/json" },
  });
  if (response.status !== 200) throw new Error(`${format}: ${String(response.body)}`);
  return Buffer.from(response.body as Uint8Array);
}
