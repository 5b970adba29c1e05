/** Audit files of small books: what each format says, and what is named where the book lacks it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readLedger } from "../../../src/audit-files/ledger/read-ledger.ts";
import { createClient } from "../../../src/client/client.ts";
import { embeddedBounds, remoteBounds } from "../../../src/wire/query/lookup-bounds.ts";
import { opened, simulate } from "../../service/business.ts";
import { contact, openedWorld, type World, world } from "../../service/fixture.ts";
import {
  acct,
  all,
  cents,
  datevPostings,
  fecHeading,
  folder,
  readDatev,
  readFec,
  readGobd,
  readSaft,
  textAt,
  unquoted,
} from "./audit.ts";
import { checkYear, describeCompany } from "./audit-checks.ts";

const year = { from: "2026-04-01", to: "2027-03-31" };

/** A year with something of everything: two currencies, a discount in cents, an old balance. */
async function small(): Promise<World> {
  const given = await openedWorld("NZ", {});
  await describeCompany(given);
  given.now = Date.parse("2026-05-31T10:00:00Z");
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await contact(given, { Name: "Café Zoë & Söhne", ContactNumber: "K-7", AccountNumber: "10007" });
  await contact(given, { Name: "Łódź Supplies", AccountNumber: "70001" });
  const invoice = (fields: object) =>
    given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      Contact: { Name: "Café Zoë & Söhne" },
      Status: "AUTHORISED",
      DueDate: "2026-12-31",
      ...fields,
    });
  // The year before: profit that has become retained earnings, and a debt that is brought forward.
  await invoice({
    InvoiceNumber: "OLD-1",
    Date: "2026-03-31",
    LineItems: [{ Description: "Before", UnitAmount: 100, AccountCode: "200" }],
  });
  await invoice({
    InvoiceNumber: "INV 1/2026",
    Date: "2026-04-02",
    LineItems: [
      { Description: "Œuvre d’art; “rare”", UnitAmount: 33.33, AccountCode: "200" },
      { Description: "Delivery", UnitAmount: 4.5, AccountCode: "260" },
    ],
  });
  await invoice({
    InvoiceNumber: "EUR-1",
    Date: "2026-04-10",
    CurrencyCode: "EUR",
    CurrencyRate: 0.5,
    LineItems: [
      { Description: "Abroad", UnitAmount: 990, AccountCode: "200", TaxType: "ZERORATED" },
    ],
  });
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceNumber: "EUR-1" },
    Account: { Code: "090" },
    Date: "2026-05-01",
    Amount: 990,
    CurrencyRate: 0.55,
  });
  await given.ok("PUT", "/Invoices", {
    Type: "ACCPAY",
    InvoiceNumber: "S-9",
    Contact: { Name: "Łódź Supplies" },
    Status: "AUTHORISED",
    Date: "2026-04-20",
    DueDate: "2026-05-20",
    LineAmountTypes: "Inclusive",
    LineItems: [{ Description: "Clay\tred\r\nand white", UnitAmount: 115, AccountCode: "300" }],
  });
  return given;
}

let given: World;
beforeAll(async () => {
  given = await small();
  return () => given.book.close();
});

const file = (name: string) => join(folder, name);
const days = ["--from", year.from, "--to", year.to];

/** Writes a map of the accounts that the small book uses. */
function map(name: string, rows: readonly string[], heading = "Code,Number"): string {
  writeFileSync(file(name), `${[heading, ...rows].join("\n")}\n`);
  return file(name);
}

const plan = () =>
  map("plan.csv", [
    ...["090,512000", "200,706000", "260,708500", "300,607000", "610,411000", "800,401000"],
    ...["820,445710", "960,110000"],
    "499,666000",
  ]);

describe("random business of two years", () => {
  test("an audit file in every format has every posting, and its balances equal the trial balance", async () => {
    const busy = await world("NZ");
    const business = await opened(busy);
    await describeCompany(busy);
    busy.now = Date.parse("2025-11-01");
    await simulate(business, { from: "2025-11-01", to: "2026-10-31", count: 160, seed: 11 });
    expect(await checkYear(busy, year)).toBeGreaterThan(50);
    expect(await checkYear(busy, { from: "2025-04-01", to: "2026-03-31" })).toBeGreaterThan(20);
  });

  test("an audit file is the same whatever the size of the batches in which records are read", async () => {
    const busy = await world("AU");
    const business = await opened(busy);
    await simulate(business, { from: "2026-07-01", to: "2026-12-31", count: 60, seed: 3 });
    const source = createClient(busy.book.transport);
    const [organisation] = (await busy.ok("GET", "/Organisation")).Organisations;
    const period = { from: "2026-07-01", to: "2026-12-31" };
    const read = async (bounds: typeof remoteBounds) => {
      const ledger = await readLedger({ source, bounds, organisation, period });
      const entries = [...ledger.entries()];
      ledger.remove();
      return entries;
    };
    const few = await read({ ...remoteBounds, valuesMax: 2 });
    expect(few.length).toBeGreaterThan(10);
    expect(few).toEqual(await read(embeddedBounds));
  });
});

describe("acct export fec", () => {
  const exported = (...words: string[]) => acct(given, "export", "fec", ...days, ...words);

  test("the FEC file conforms to the legal format, and is named by SIREN and last day", async () => {
    const ran = await exported("--account-map", plan(), "--output-file", file("plan.txt"));
    expect([ran.code, ran.stdout]).toEqual([0, `${file("plan.txt")}\n`]);
    const { rows, faults } = readFec(readFileSync(file("plan.txt"), "utf8"));
    expect(faults).toEqual([]);
    // The profit of the year before, and what was owed then, by whom.
    expect(rows.filter(({ JournalCode }) => JournalCode === "AN")).toEqual([
      expect.objectContaining({ CompteNum: "411000", CompAuxNum: "K-7", Debit: "115,00" }),
      expect.objectContaining({ CompteNum: "445710", CompAuxNum: "", Credit: "15,00" }),
      expect.objectContaining({ CompteNum: "110000", CompAuxNum: "", Credit: "100,00" }),
    ]);
    const abroad = rows.filter(({ Idevise }) => Idevise === "EUR");
    expect(abroad.map(({ CompteNum, Montantdevise }) => [CompteNum, Montantdevise])).toEqual([
      ["411000", "990,00"],
      ["411000", "-990,00"],
    ]);
    const sale = rows.find(({ PieceRef }) => PieceRef === "INV 1/2026");
    expect(sale).toMatchObject({
      JournalCode: "VE",
      EcritureNum: "VE1",
      EcritureDate: "20260402",
      CompAuxLib: "Café Zoë & Söhne",
      PieceDate: "20260402",
      ValidDate: "20260531",
    });
  });

  test("the FEC takes its name from the registration number of the book", async () => {
    const ran = await exported("--account-map", plan(), "--dry-run");
    expect(ran.stderr).toMatch(/^732829320FEC20270331\.txt would be written: 4 journals/m);
    expect(existsSync("732829320FEC20270331.txt")).toBe(false);
  });

  test("the FEC in ISO 8859-15 replaces characters outside of the encoding, and names them", async () => {
    const words = [
      "--account-map",
      plan(),
      "--encoding",
      "iso-8859-15",
      "--output-file",
      file("l9"),
    ];
    const ran = await exported(...words);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining("iso-8859-15 has no ’ “ ” Ł ź: "),
    ]);
    const text = new TextDecoder("iso-8859-15").decode(readFileSync(file("l9")));
    expect(text).toContain("Œuvre d?art; ?rare?");
    expect(text).toContain("?ódz Supplies");
    expect(readFec(text).faults).toEqual([]);
  });

  test("the FEC written to standard output is the file without messages", async () => {
    const ran = await exported("--account-map", plan(), "--output-file", "-");
    expect(ran.stdout.split("\r\n")[0]).toBe(fecHeading.join("\t"));
    expect(ran.stderr).toBe("");
  });

  test.each([
    [
      "an account without a number",
      () => [],
      /^acct: 9 accounts have no number of the plan comptable .*: 090 Business Account, 200 Sales, .*--account-map FILE/,
    ],
    ["a wrong SIREN", () => ["--siren", "732829321"], /732829321 is no SIREN/],
    [
      "a number that is not in the chart of accounts",
      () => ["--account-map", map("x.csv", ["090,51"])],
      /row 2: 51 is no number of the plan comptable/,
    ],
    [
      "an account that is not there",
      () => ["--account-map", map("x.csv", ["99999,512000"])],
      /row 2: the book has no account 99999/,
    ],
    [
      "an account twice",
      () => ["--account-map", map("x.csv", ["090,512000", "090,513000"])],
      /row 3: 090 Business Account has a number already/,
    ],
    [
      "a map that is not there",
      () => ["--account-map", file("none.csv")],
      /There is no file .*none\.csv/,
    ],
    [
      "a missing row",
      () => ["--account-map", map("y.csv", ["090,512000"])],
      /have no number .* Add them to .*y\.csv/,
    ],
  ])("the FEC export is refused for %s before it writes a file", async (_, words, sentence) => {
    const ran = await exported(...words(), "--output-file", file("refused.txt"));
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(existsSync(file("refused.txt"))).toBe(false);
  });

  test.each([
    [["--period", "2026"], /holds one financial year.* ask for 2025-04-01\.\.2026-03-31/],
    [
      ["--from", "2026-05-01", "--to", "2027-03-31"],
      /begins with its financial year.* Ask for 2026-04-01\.\.2027-03-31/,
    ],
    [[], /Say which days/],
    [["--from", "2026-04-01"], /Say which days/],
  ])("the FEC export for the days %j is refused", async (words, sentence) => {
    const ran = await acct(given, "export", "fec", ...words, "--account-map", plan());
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

describe("acct export datev", () => {
  const required = ["--consultant", "29098", "--client", "55003", "--chart", "03"];
  const exported = async (...words: string[]) => {
    const path = file("datev.csv");
    const ran = await acct(
      given,
      "export",
      "datev",
      ...days,
      ...required,
      ...words,
      "--output-file",
      path,
    );
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Wrote ")]);
    return readDatev(readFileSync(path));
  };
  /** The codes of the book are numbers of such a chart, but for that of a bank account. */
  const field = (row: readonly string[], place: number) => unquoted(row[place - 1] ?? "");

  test("the DATEV export has the header, the 125 columns and the rows that DATEV reads", async () => {
    const { header, names, rows, faults } = await exported();
    expect(faults).toEqual([]);
    expect(header.slice(10, 16)).toEqual([
      "29098",
      "55003",
      "20260401",
      "4",
      "20260401",
      "20270331",
    ]);
    expect(header[26]).toBe('"03"');
    expect(names.slice(0, 10)).toEqual([
      "Umsatz (ohne Soll/Haben-Kz)",
      "Soll/Haben-Kennzeichen",
      "WKZ Umsatz",
      "Kurs",
      "Basis-Umsatz",
      "WKZ Basis-Umsatz",
      "Konto",
      "Gegenkonto (ohne BU-Schlüssel)",
      "BU-Schlüssel",
      "Belegdatum",
    ]);
    expect([names[47], names[113], names[124]]).toEqual([
      "Zusatzinformation - Art 1",
      "Festschreibung",
      "Abw. Skontokonto",
    ]);
    const sale = rows.filter((row) => field(row, 11) === "INV1/2026");
    expect(sale.map((row) => [1, 2, 7, 8, 9, 10, 14].map((place) => field(row, place)))).toEqual([
      ["33,33", "S", "610", "200", "", "0204", "Œuvre d’art; “rare”"],
      ["4,50", "S", "610", "260", "", "0204", "Delivery"],
      ["5,68", "S", "610", "820", "", "0204", "Café Zoë & Söhne INV 1/2026"],
    ]);
    expect(rows[0]).toHaveLength(125);
  });

  test("the DATEV export sends the gross amount where DATEV computes the same tax", async () => {
    const keys = ["--tax-key", "OUTPUT2=3", "--tax-key", "INPUT2=9"];
    const file_ = await exported(...keys);
    expect(file_.faults).toEqual([]);
    const shown = file_.rows.map((row) => [11, 1, 2, 7, 8, 9].map((place) => field(row, place)));
    expect(shown).toEqual([
      ["INV1/2026", "38,33", "S", "610", "200", "3"],
      ["INV1/2026", "5,18", "S", "610", "260", "3"],
      ["EUR-1", "1980,00", "S", "610", "200", ""],
      expect.any(Array),
      expect.any(Array),
      ["S-9", "115,00", "H", "800", "300", "9"],
    ]);
  });

  test("the DATEV export gives an automatic account no posting key for its own tax, and key 40 for another tax", async () => {
    const codes = ["300", "499", "610", "800", "820", "960"];
    const automatic = map(
      "auto.csv",
      ["200,8400,3", "260,8300,2", "090,1200,", ...codes.map((code) => `${code},${code},`)],
      "Code,Number,Automatic",
    );
    const { rows } = await exported("--account-map", automatic, "--tax-key", "OUTPUT2=3");
    const sale = rows.filter((row) => field(row, 11) === "INV1/2026");
    expect(sale.map((row) => [1, 7, 8, 9].map((place) => field(row, place)))).toEqual([
      ["38,33", "610", "8400", ""],
      ["4,50", "610", "8300", "40"],
      ["0,68", "610", "820", ""],
    ]);
  });

  test("the DATEV export posts to the account numbers of contacts on request", async () => {
    const { rows } = await exported("--personal-accounts", "--opening");
    expect(rows.map((row) => field(row, 7))).toContain("10007");
    expect(rows.map((row) => field(row, 8))).toContain("70001");
    const told = datevPostings({ header: [], names: [], faults: [], rows }, {});
    const owed = told.filter(({ account }) => account === "10007");
    expect(owed.reduce((sum, { amount }) => sum + amount, 0)).toBe(
      cents("115,00") + cents("43,51"),
    );
  });

  test.each([
    [
      "missing account and consultant numbers",
      [...days],
      /not know: --account-map.*; --consultant, .*; --client/,
    ],
    ["more than a financial year", ["--period", "2026", ...required], /lies in one financial year/],
    [
      "a posting key for an unknown tax",
      [...days, ...required, "--tax-key", "NOPE=3"],
      /--tax-key NOPE=3 names no tax/,
    ],
    ["a key that is none", [...days, ...required, "--tax-key", "OUTPUT2"], /is no TaxType=KEY/],
    [
      "accounts that are too long",
      [...days, ...required, "--account-map", "LONG"],
      /is no number of DATEV with 4 digits/,
    ],
  ])("the DATEV export is refused for %s", async (_, words, sentence) => {
    const long = map("long.csv", ["090,12345"]);
    const ran = await acct(
      given,
      "export",
      "datev",
      ...words.map((word) => (word === "LONG" ? long : word)),
    );
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

describe("acct export saft", () => {
  const person = ["--contact-person", "Ana Maria Lopes"];

  test("the SAF-T file has the elements of the OECD guidance in order, with the additions of a country", async () => {
    const path = file("saft.xml");
    const chart = map("national.csv", ["200,701", "610,401100"]);
    const words = ["--country", "LU", ...person, "--account-map", chart, "--output-file", path];
    const ran = await acct(given, "export", "saft", ...days, ...words);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/2 contacts are not known/)]);
    const { root, faults } = readSaft(readFileSync(path, "utf8"));
    expect(faults).toEqual([]);
    const [header] = all(root, "Header");
    expect(textAt(header, "AuditFileCountry")).toBe("LU");
    expect(textAt(header, "Company", "RegistrationNumber")).toBe("732 829 320");
    expect(textAt(header, "Company", "Contact", "ContactPerson", "FirstName")).toBe("Ana Maria");
    const accounts = all(root, "MasterFiles", "GeneralLedgerAccounts", "Account");
    const standard = accounts.map((each) => textAt(each, "StandardAccountID")).filter(Boolean);
    expect(standard).toEqual(["701", "401100"]);
    const customers = all(root, "MasterFiles", "Customers", "Customer");
    expect(customers.map((each) => textAt(each, "OpeningDebitBalance"))).toEqual(["115.00"]);
    const [invoice] = all(root, "SourceDocuments", "SalesInvoices", "Invoice").filter(
      (each) => textAt(each, "InvoiceNo") === "EUR-1",
    );
    expect(textAt(invoice, "Line", "InvoiceLineAmount", "Amount")).toBe("1980.00");
    expect(textAt(invoice, "Line", "InvoiceLineAmount", "CurrencyAmount")).toBe("990.00");
    const [payment] = all(root, "SourceDocuments", "Payments", "Payment");
    expect(textAt(payment, "DocumentTotals", "GrossTotal")).toBe("1800.00");
  });

  test("the SAF-T export is refused with a list of all company data that the book lacks", async () => {
    const bare = await world("NZ");
    const ran = await acct(bare, "export", "saft", ...days);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(
        /register of companies.*contact-person.*organisation update --address/s,
      ),
    ]);
  });

  test("the SAF-T export shortens codes that are too long, and keeps them distinct", async () => {
    const long = await world("NZ");
    await describeCompany(long);
    const name = "A name so long that its first thirty-five letters are the same, ";
    await long.ok("PUT", "/TrackingCategories", { Name: "Department of works" });
    for (const end of ["one", "two"]) {
      const path = "/TrackingCategories/Department of works/Options";
      await long.ok("PUT", path, { Name: name + end });
      await contact(long, { Name: end, ContactNumber: `${"C".repeat(40)}${end}` });
      await long.ok("PUT", "/Invoices", {
        Type: "ACCREC",
        Contact: { Name: end },
        Status: "AUTHORISED",
        Date: "2026-04-01",
        DueDate: "2026-05-01",
        LineItems: [
          {
            Description: "</Line><!-- & ]]>",
            UnitAmount: 1,
            AccountCode: "200",
            Tracking: [{ Name: "Department of works", Option: name + end }],
          },
        ],
      });
    }
    const path = file("long.xml");
    const ran = await acct(long, "export", "saft", ...days, ...person, "--output-file", path);
    expect(ran.code).toBe(0);
    const { root, faults } = readSaft(readFileSync(path, "utf8"));
    expect(faults).toEqual([]);
    const options = all(root, "MasterFiles", "AnalysisTypeTable", "AnalysisTypeTableEntry");
    expect(new Set(options.map((each) => textAt(each, "AnalysisID"))).size).toBe(2);
    expect(readFileSync(path, "utf8")).toContain("&lt;/Line&gt;");
  });
});

describe("acct export gobd", () => {
  test("the GoBD export describes its tables, and includes the files of documents unchanged", async () => {
    const { Invoices } = await given.ok("GET", "/Invoices/INV 1%2F2026");
    const body = "<Invoice>as received</Invoice>";
    const attached = await given.ask(
      "PUT",
      `/Invoices/${Invoices[0].InvoiceID}/Attachments/rechnung.xml`,
      body,
      { headers: { "content-type": "text/xml" } },
    );
    expect(attached.status).toBe(200);
    const path = file("books.zip");
    const words = ["--attachments", "--output-file", path];
    const ran = await acct(given, "export", "gobd", ...days, ...words);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining("With 1 file of documents."),
    ]);
    const { tables, faults, others } = readGobd(path);
    expect(faults).toEqual([]);
    expect([...others.values()].map(String)).toEqual([body]);
    expect(tables.Anlagen?.rows).toEqual([
      expect.objectContaining({
        Pfad: [...others.keys()][0],
        Dateiname: "rechnung.xml",
        "Beleg-ID": Invoices[0].InvoiceID,
        "SHA-256": expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    ]);
    expect(tables.Rechnungen?.rows.map(({ Belegnummer, Brutto }) => [Belegnummer, Brutto])).toEqual(
      [
        ["INV 1/2026", "43,51"],
        ["EUR-1", "990,00"],
        ["S-9", "115,00"],
      ],
    );
    expect(tables.Buchungen?.rows.filter((row) => row.Währung === "EUR")).toHaveLength(2);
  });
});
