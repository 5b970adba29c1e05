/** Invoices and bills from small dirty files, on a real book. */
import { mkdirSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Desk } from "./desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

interface Invoice {
  readonly InvoiceNumber: string;
  readonly Contact: { readonly Name: string };
  readonly Date: string;
  readonly Status: string;
  readonly Total: number;
  readonly SubTotal: number;
}

const invoices = () => desk.list<Invoice>("invoice", "list", "--order", "InvoiceNumber");
const shown = async (number: string) =>
  JSON.parse((await desk.acct("invoice", "show", number, "-o", "json")).stdout);

const template = [
  "*ContactName,EmailAddress,POAddressLine1,POCity,*InvoiceNumber,Reference,*InvoiceDate,*DueDate,InventoryItemCode,*Description,*Quantity,*UnitAmount,Discount,*AccountCode,*TaxType,TrackingName1,TrackingOption1,Currency,BrandingTheme",
  "Acme,ap@acme.test,1 High Street,Leeds,A-1,PO 7,2026-01-05,2026-02-04,,Consulting,10,150.00,,200,20% (VAT on Income),,,GBP,",
  "Birch,,,,A-2,,2026-01-06,2026-02-05,,Print,3,4.125,10,200,OUTPUT2,,,,",
  "Acme,ap@acme.test,1 High Street,Leeds,A-1,PO 7,2026-01-05,2026-02-04,,Travel,1,80.50,,200,Zero Rated Income,,,GBP,",
].join("\n");

describe("the common template", () => {
  test("the common invoice template is imported, with scattered rows, and contacts and tax rates by name", async () => {
    const file = desk.file("sales.csv", `\ufeff${template.replaceAll("\n", "\r\n")}\r\n`);
    const done = await desk.import("invoices", file, "--create-contacts", "--status", "AUTHORISED");
    expect(done).toMatchObject({
      code: 0,
      invoices: { imported: 2, refused: 0 },
      contacts: { imported: 2 },
      rows: { read: 3, imported: 3 },
      amounts: { GBP: { imported: 1592.875, refused: 0, read: 1592.875 } },
      unused: ["BrandingTheme"],
    });
    expect(await shown("A-1")).toMatchObject({
      Contact: { Name: "Acme", EmailAddress: "ap@acme.test" },
      Reference: "PO 7",
      Status: "AUTHORISED",
      DueDate: "2026-02-04",
      SubTotal: 1580.5,
      TotalTax: 300,
      LineItems: [
        { Description: "Consulting", Quantity: 10, UnitAmount: 150, TaxType: "OUTPUT2" },
        { Description: "Travel", TaxType: "ZERORATEDOUTPUT" },
      ],
    });
    // Four decimals of a price are kept; the discount is taken before rounding.
    expect(await shown("A-2")).toMatchObject({
      SubTotal: 11.14,
      LineItems: [{ UnitAmount: 4.125, DiscountRate: 10, LineAmount: 11.14 }],
    });
    const contact = JSON.parse((await desk.acct("contact", "show", "Acme", "-o", "json")).stdout);
    expect(contact.Addresses).toContainEqual(
      expect.objectContaining({
        AddressType: "POBOX",
        AddressLine1: "1 High Street",
        City: "Leeds",
      }),
    );
  });

  test("a second import of the same invoices changes nothing", async () => {
    const file = desk.file("sales.csv", template);
    await desk.import("invoices", file, "--create-contacts");
    const before = await invoices();
    const again = await desk.import("invoices", file, "--create-contacts");
    expect(again).toMatchObject({
      code: 0,
      invoices: { imported: 0, existing: 2, refused: 0 },
      contacts: { imported: 0 },
      amounts: { GBP: { imported: 0, existing: 1592.875 } },
    });
    expect(await invoices()).toEqual(before);
    expect((await desk.acct("book", "verify")).code).toBe(0);
  });

  test("headings with field names, other spaces and other letter case are accepted", async () => {
    const file = desk.file(
      "sales.csv",
      "contact name;invoice_number;Invoice Date;LineItems.Description;QUANTITY;Line.UnitAmount\n" +
        "Acme;1;2026-01-05;Work, hard;2;10\n",
    );
    const done = await desk.import(
      "invoices",
      file,
      "--create-contacts",
      "--set",
      "DueDate=2026-02-01",
    );
    expect(done).toMatchObject({ code: 0, unused: [] });
    expect(await shown("1")).toMatchObject({
      SubTotal: 20,
      LineItems: [{ Description: "Work, hard" }],
    });
  });
});

/** A file of its own making, with the flags that explain it. */
const shop = [
  "Order;When;Customer;Product;Text;Pieces;Price",
  "1001;05.01.2026;77.0;W-1;Widget;2;1.250,50",
  '1002;06.01.2026;78.0;W-2;"Gadget; large\nand blue";1;3,99',
  "1001;05.01.2026;77.0;;;1;0,01",
].join("\n");
const explained = [
  ...["--map", "InvoiceNumber=Order", "--map", "Date=When", "--map", "DueDate=When"],
  ...["--map", "Contact.ContactNumber={Customer:integer}"],
  ...["--map", "Contact.Name=Customer {Customer:integer}|Walk-in"],
  ...["--map", "ItemCode=Product", "--map", "Description={Text|Product}|Rounding"],
  ...["--map", "Quantity=Pieces", "--map", "UnitAmount=Price", "--set", "AccountCode=200"],
  ...["--date-format", "DD.MM.YYYY", "--decimal", "comma"],
];
const making = ["--create-contacts", "--create-items", "--status", "AUTHORISED"];

describe("a file with a mapping of its columns", () => {
  test("a file with mapped columns is imported with decimal commas, items, line breaks, and joined texts", async () => {
    const file = desk.file("shop.csv", shop);
    const done = await desk.import("invoices", file, ...explained, ...making);
    expect(done).toMatchObject({
      code: 0,
      invoices: { imported: 2 },
      contacts: { imported: 2 },
      items: { imported: 2 },
      amounts: { GBP: { imported: 2505, read: 2505 } },
    });
    expect(await shown("1001")).toMatchObject({
      Contact: { Name: "Customer 77", ContactNumber: "77" },
      Date: "2026-01-05",
      LineItems: [
        { ItemCode: "W-1", Description: "Widget", UnitAmount: 1250.5 },
        { Description: "Rounding", LineAmount: 0.01 },
      ],
    });
    const item = JSON.parse((await desk.acct("item", "show", "W-2", "-o", "json")).stdout);
    expect(item).toMatchObject({
      Name: "Gadget; large and blue",
      Description: "Gadget; large\nand blue",
    });
  });

  test("a column mapping is saved, and a flag takes precedence over the saved mapping", async () => {
    const file = desk.file("shop.csv", shop);
    const kept = desk.path("shop.json");
    const dry = await desk.acct(
      "import",
      "invoices",
      file,
      ...explained,
      "--save-mapping",
      kept,
      "--dry-run",
      ...making,
    );
    expect(dry.code).toBe(0);
    expect(await invoices()).toEqual([]);
    expect(JSON.parse(desk.read("shop.json"))).toMatchObject({
      records: "invoices",
      map: { InvoiceNumber: "Order", "LineItems.UnitAmount": "Price" },
      set: { "LineItems.AccountCode": "200" },
      dateFormat: "DD.MM.YYYY",
      decimal: "comma",
    });
    const flags = [
      "--mapping",
      kept,
      "--map",
      "Reference=Text",
      "--set",
      "AccountCode=260",
      ...making,
    ];
    expect(await desk.import("invoices", file, ...flags)).toMatchObject({
      code: 0,
      invoices: { imported: 2 },
    });
    const other = await desk.acct("import", "bills", file, "--mapping", kept);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("is for invoices")]);
  });

  test("an import with all its mappings is given by one command line", async () => {
    const file = desk.file("shop.csv", shop);
    const { code, stderr, stdout } = await desk.acct(
      "invoice",
      "import",
      file,
      ...explained,
      ...making,
      "--yes",
    );
    expect(code).toBe(0);
    expect(stderr).toContain("Contact.ContactNumber  {Customer:integer}");
    expect(stderr).toContain("2 contacts to make first");
    expect(stderr).toContain("2 of 2 invoices, 100%");
    expect(stdout).toBe(
      [
        "               invoices  rows      GBP",
        "  imported            2     3  2505.00",
        "  refused             0     0     0.00",
        "  in the file         2     3  2505.00",
        "",
        "  kept  invoices      net     tax    gross",
        "  GBP          2  2505.00  501.00  3006.00",
        "  2 contacts made",
        "  2 items made",
        "",
      ].join("\n"),
    );
  });
});

const heading =
  "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode\n";

/** Imports rows under the usual heading, and gives the reasons of refusals by row. */
async function reasonsFor(rows: string, ...flags: string[]) {
  const file = desk.file("rows.csv", heading + rows);
  const done = await desk.import(
    "invoices",
    file,
    "--create-contacts",
    "--status",
    "AUTHORISED",
    ...flags,
  );
  return {
    ...done,
    reasons: Object.fromEntries(done.refused.map(({ row, reason }) => [row, reason])),
  };
}

const good = "Acme,OK-1,2026-01-05,2026-02-04,Work,1,10,200\n";

describe("faulty rows of a file", () => {
  test.each<[what: string, row: string, reason: RegExp]>([
    [
      "a bad date",
      "Acme,B-1,31/12/2025,2026-02-04,Work,1,10,200",
      /InvoiceDate '31\/12\/2025' is no date.*--date-format/,
    ],
    [
      "no day of the calendar",
      "Acme,B-1,2026-02-30,2026-02-04,Work,1,10,200",
      /InvoiceDate '2026-02-30' is no date/,
    ],
    [
      "a word for a number",
      "Acme,B-1,2026-01-05,2026-02-04,Work,1,free,200",
      /UnitAmount must be a number.*'free'/,
    ],
    [
      "a number that could be two",
      'Acme,B-1,2026-01-05,2026-02-04,Work,1,"1,234",200',
      /UnitAmount must be a number/,
    ],
    [
      "a number that a spreadsheet mangled",
      "Acme,B-1,2026-01-05,2026-02-04,Work,1,1.2E+05,200",
      /UnitAmount must be a number/,
    ],
    [
      "too many decimals",
      "Acme,B-1,2026-01-05,2026-02-04,Work,1,0.12345,200",
      /at most 4 decimals/,
    ],
    ["no contact", ",B-1,2026-01-05,2026-02-04,Work,1,10,200", /names no contact/],
    ["no number", "Acme,,2026-01-05,2026-02-04,Work,1,10,200", /no number of an invoice/],
    ["no date", "Acme,B-1,,2026-02-04,Work,1,10,200", /B-1 has no date/],

    ["no account", "Acme,B-1,2026-01-05,2026-02-04,Work,1,10,", /no AccountCode/],
    [
      "an account that is not there",
      "Acme,B-1,2026-01-05,2026-02-04,Work,1,10,999",
      /no account 999/,
    ],
    ["no description", "Acme,B-1,2026-01-05,2026-02-04,,1,10,200", /no description/],
    ["no price", "Acme,B-1,2026-01-05,2026-02-04,Work,1,,200", /UnitAmount is empty/],
    ["no quantity", "Acme,B-1,2026-01-05,2026-02-04,Work,,10,200", /Quantity is empty/],
    ["too few cells", "Acme,B-1,2026-01-05", /has 3 cells, and there are 8 headings/],
    ["too many cells", "Acme,B-1,2026-01-05,2026-02-04,Work,1,10,200,more", /has 9 cells/],
    [
      "a cancellation",
      "Acme,C-1,2026-01-05,2026-02-04,Work,-1,10,200",
      /C-1 comes to -10.00: it is a credit/,
    ],
    ["nothing charged", "Acme,B-1,2026-01-05,2026-02-04,Work,5,0,200", /charges nothing/],
  ])(
    "an import row with %s is refused, and the other rows are imported",
    async (_, row, reason) => {
      const { code, reasons, rows, invoices } = await reasonsFor(
        `${row}\n${good}`,
        "--on-error",
        "skip",
      );
      expect(reasons).toEqual({ 2: expect.stringMatching(reason) });
      expect([code, rows.refused, invoices.imported, invoices.refused]).toEqual([7, 1, 1, 1]);
    },
  );

  test("every fault of an import row is reported", async () => {
    const { reasons } = await reasonsFor("Acme,B-1,soon,never,Work,some,10,200\n");
    expect(reasons[2]).toMatch(/InvoiceDate.*DueDate.*Quantity/);
  });

  test("an import with a faulty row sends nothing by default", async () => {
    const {
      code,
      invoices: counts,
      stderr,
    } = await reasonsFor(`Acme,B-1,2026-01-05,2026-02-04,Work,1,free,200\n${good}`);
    expect([code, counts.left, counts.imported]).toEqual([5, 1, 0]);
    expect(stderr).toContain('"code":"RowsRefused"');
    expect(await invoices()).toEqual([]);
  });

  test("the rows of one invoice are refused together, and no row is dropped silently", async () => {
    const rows =
      "Acme,M-1,2026-01-05,2026-02-04,One,1,10,200\n" +
      good +
      "Acme,M-1,2026-01-05,2026-02-04,Two,1,x,200\n" +
      "Acme,M-1,2026-01-05,2026-02-04,Three,1,30,200\n";
    const done = await reasonsFor(rows, "--on-error", "skip");
    expect(done.reasons).toEqual({
      2: "Row 4 of the same invoice is refused.",
      4: expect.stringMatching(/UnitAmount must be a number/),
      5: "Row 4 of the same invoice is refused.",
    });
    expect(done.amounts.GBP).toMatchObject({ imported: 10, refused: 40, read: 50 });
    expect(done.notes).toEqual(["1 refused row has no amount that can be read, and is in no sum."]);
  });

  test("--partial imports the valid rows of an invoice", async () => {
    const rows =
      "Acme,M-1,2026-01-05,2026-02-04,One,1,10,200\nAcme,M-1,2026-01-05,2026-02-04,Two,1,x,200\n";
    const done = await reasonsFor(rows, "--partial", "--on-error", "skip");
    expect(done.reasons).toEqual({ 3: expect.stringMatching(/UnitAmount/) });
    expect(await shown("M-1")).toMatchObject({ SubTotal: 10 });
    const again = await reasonsFor(rows, "--partial", "--on-error", "skip");
    expect(again.invoices).toMatchObject({ imported: 0, existing: 1 });
  });

  test("a document number that continues on another line is refused", async () => {
    const rows = '"Acme","M\n1",2026-01-05,2026-02-04,One,1,10,200\n';
    const { reasons } = await reasonsFor(rows);
    expect(reasons).toEqual({
      2: expect.stringMatching(/^InvoiceNumber must be one line without tabs or control/),
    });
  });

  test("import rows of one invoice number with different dates or contacts are refused", async () => {
    const rows =
      "Acme,M-1,2026-01-05,2026-02-04,One,1,10,200\nBirch,M-1,2026-01-06,2026-02-04,Two,1,10,200\n";
    const { reasons } = await reasonsFor(rows);
    expect(reasons[3]).toMatch(/InvoiceDate is '2026-01-06' here and '2026-01-05' in row 2/);
    expect(reasons[3]).toMatch(/ContactName is 'Birch' here and 'Acme' in row 2/);
    expect(reasons[2]).toBe("Row 3 of the same invoice is refused.");
  });

  test("import rows that differ only in letter case belong together, and empty rows are skipped", async () => {
    const rows = `${good}ACME,ok-1,2026-01-05,2026-02-04,More,1,5,200\n,,,,,,,\n , ,,,,,,\n`;
    const { code, rows: counts } = await reasonsFor(rows);
    expect([code, counts.read]).toEqual([0, 2]);
    expect(await shown("OK-1")).toMatchObject({ InvoiceNumber: "OK-1", SubTotal: 15 });
  });

  test("import rows without an invoice number are each refused for that", async () => {
    const rows = "Acme,,2026-01-05,2026-02-04,One,1,10,200\nBirch,,soon,,Two,1,10,200\n,\n";
    const { reasons } = await reasonsFor(rows);
    expect(reasons).toEqual({
      2: expect.stringMatching(/^The row has no number of an invoice/),
      3: expect.stringMatching(/^The row has no number of an invoice/),
    });
  });

  test("two equal import rows become two invoice lines", async () => {
    const { code } = await reasonsFor(good + good);
    expect(code).toBe(0);
    expect((await shown("OK-1")).LineItems).toHaveLength(2);
  });

  test("import rows with an amount of zero are imported with --allow-zero", async () => {
    const { code } = await reasonsFor(
      "Acme,Z-1,2026-01-05,2026-02-04,Sample,5,0,200\n",
      "--allow-zero",
    );
    expect(code).toBe(0);
    expect(await shown("Z-1")).toMatchObject({ Total: 0 });
  });

  test("an import without --create-contacts and --create-items creates no contact and no item", async () => {
    const file = desk.file("rows.csv", `${heading.trimEnd()},ItemCode\n${good.trimEnd()},W-1\n`);
    const none = await desk.import("invoices", file);
    expect(none.refused[0]?.reason).toMatch(
      /no contact called Acme; .*--create-contacts.*no item W-1/,
    );
    const one = await desk.import("invoices", file, "--create-contacts");
    expect(one.refused[0]?.reason).toMatch(/no item W-1; .*--create-items/);
    // What only a refused row would have needed is not made.
    expect(await desk.list("contact", "list")).toEqual([]);
    expect(one.contacts).toEqual({ imported: 0 });
  });

  test("no contact and no item is made for a document that is skipped", async () => {
    const row = "Dunn,D-1,2026-01-05,2026-02-04,Nails,1,4,200,99";
    const more = "Total,ItemCode";
    const rows = [`${heading.trimEnd()},${more}`, `${good.trimEnd()},,W-1`, `${row},W-2`];
    const file = desk.file("rows.csv", `${rows.join("\n")}\n`);
    const done = await desk.import("invoices", file, ...making, "--on-error", "skip");
    expect(done).toMatchObject({
      code: 7,
      invoices: { imported: 1, refused: 1 },
      contacts: { imported: 1 },
      items: { imported: 1 },
    });
    expect(await desk.list("contact", "list")).toMatchObject([{ Name: "Acme" }]);
    expect(await desk.list("item", "list")).toMatchObject([{ Code: "W-1" }]);
  });
});

describe("the file of refused rows", () => {
  test("refused import rows are written to a file that the same command imports once corrected", async () => {
    const bad =
      "Nr;Kunde;Tag;Text;Menge;Preis\n" +
      '7;=Acme;01.02.2026;"a;b";1;5,00\n' +
      "8;Birch;2026-02-01;x;1;6,00\n" +
      "9;Cedar;03.02.2026;-y;-1;7,00\n";
    const file = desk.file("bad.csv", Buffer.from(bad, "latin1"));
    const flags = [
      ...["--map", "InvoiceNumber=Nr", "--map", "Contact.Name=Kunde", "--map", "Date=Tag"],
      ...["--map", "DueDate=Tag", "--map", "Description=Text", "--map", "Quantity=Menge"],
      ...["--map", "UnitAmount=Preis", "--set", "AccountCode=200", "--date-format", "DD.MM.YYYY"],
      ...[
        "--decimal",
        "comma",
        "--encoding",
        "windows-1252",
        "--create-contacts",
        "--on-error",
        "skip",
      ],
    ];
    const first = await desk.import("invoices", file, ...flags);
    expect(first).toMatchObject({
      code: 7,
      rejected: "bad.csv.rejected.csv",
      invoices: { imported: 1 },
    });
    expect(desk.read("bad.csv.rejected.csv")).toBe(
      "\ufeffNr;Kunde;Tag;Text;Menge;Preis;Refused because\n" +
        "8;Birch;2026-02-01;x;1;6,00;Tag '2026-02-01' is no date written as DD.MM.YYYY.\n" +
        "9;Cedar;03.02.2026;'-y;-1;7,00;9 comes to -7.00: it is a credit, not an invoice, and needs a credit note.\n",
    );

    const mended = desk
      .read("bad.csv.rejected.csv")
      .replace("2026-02-01", "01.02.2026")
      .replace("-1;7", "1;7");
    const second = desk.file("mended.csv", mended);
    const done = await desk.import("invoices", second, ...flags);
    expect(done).toMatchObject({ code: 0, invoices: { imported: 2 }, unused: [] });
    expect((await invoices()).map(({ Contact }) => Contact.Name)).toEqual([
      "=Acme",
      "Birch",
      "Cedar",
    ]);
    expect(await shown("9")).toMatchObject({ LineItems: [{ Description: "-y" }] });
  });

  test("an existing file of refused rows is kept under another name, and not overwritten", async () => {
    const file = desk.file("rows.csv", `${heading}${good.replace(",10,", ",x,")}`);
    await desk.import("invoices", file);
    const same = await desk.import("invoices", file);
    expect(same.stderr).not.toContain("kept as");
    for (const [by, aside] of [
      ["one", "~"],
      ["another", "~2"],
    ]) {
      const mended = `Nr,Refused because\nmended by ${by}\n`;
      desk.file("rows.csv.rejected.csv", mended);
      const other = await desk.import("invoices", file);
      expect(other.stderr).toContain("kept as");
      expect(desk.read(`rows.csv.rejected.csv${aside}`)).toBe(mended);
    }
  });

  test("refused rows are written into the current folder, and never over another file", async () => {
    const elsewhere = desk.path("elsewhere");
    mkdirSync(elsewhere);
    const file = desk.file("elsewhere/own.csv", `${heading}${good.replace(",10,", ",x,")}`);
    desk.file("own.csv.rejected.csv", "Date,Amount\n");
    const ran = await desk.import("invoices", file);
    expect([ran.code, ran.rejected, readdirSync(elsewhere)]).toEqual([
      5,
      "own.csv.rejected-2.csv",
      ["own.csv"],
    ]);
    expect(ran.stderr).toContain("own.csv.rejected-2.csv holds each of them");
    expect(desk.read("own.csv.rejected.csv")).toBe("Date,Amount\n");
    const named = await desk.import("invoices", file, "--rejected", "own.csv.rejected.csv");
    expect([named.code, JSON.parse(named.stderr).error.message]).toEqual([
      2,
      "own.csv.rejected.csv is there, and is no file of refused rows; name another with --rejected.",
    ]);
  });

  test("refused rows are written to the file given by --rejected, in a dry run only if it is given", async () => {
    const file = desk.file("rows.csv", `${heading}${good.replace(",10,", ",x,")}`);
    const dry = await desk.import("invoices", file, "--dry-run");
    expect(dry.rejected).toBeUndefined();
    const asked = await desk.import(
      "invoices",
      file,
      "--dry-run",
      "--rejected",
      desk.path("no.csv"),
    );
    expect(asked.rejected).toBe(desk.path("no.csv"));
    expect(desk.read("no.csv").split("\n")).toHaveLength(3);
  });

  test("refused rows are reported by their row number also in a file with line breaks in cells", async () => {
    const rows = `Acme,L-1,2026-01-05,2026-02-04,"a\nb",1,10,200\n\nAcme,L-2,2026-01-05,2026-02-04,c,1,x,200\n`;
    const { reasons } = await reasonsFor(rows);
    expect(Object.keys(reasons)).toEqual(["4"]);
    expect(desk.read("rows.csv.rejected.csv")).toContain("L-2");
    expect(desk.read("rows.csv.rejected.csv")).not.toContain("L-1");
  });
});

describe("imported numbers that exist in the book", () => {
  const row = (price: string, name = "Acme", number = "N-1") =>
    `${name},${number},2026-01-05,2026-02-04,Work,1,${price},200\n`;

  test("an imported invoice whose number exists with another contact or total is refused", async () => {
    await reasonsFor(row("10") + row("10", "Birch", "N-2"));
    const other = await reasonsFor(row("11") + row("10", "Acme", "n-2"), "--on-error", "skip");
    expect(other.reasons).toEqual({
      2: "Another invoice N-1 exists already, over 10.00, not 11.00.",
      3: "Another invoice n-2 exists already, for Birch.",
    });
    expect(other.code).toBe(5);
  });

  test("imported invoices that exist are refused with --on-duplicate error", async () => {
    await reasonsFor(row("10"));
    const { code, reasons } = await reasonsFor(row("10"), "--on-duplicate", "error");
    expect([code, reasons]).toEqual([5, { 2: "N-1 exists already." }]);
  });

  test("imported invoices that exist are updated with --on-duplicate update, where they differ", async () => {
    await reasonsFor(row("10") + row("20", "Acme", "N-2"));
    const done = await reasonsFor(
      row("12.5") + row("20", "Acme", "N-2"),
      "--on-duplicate",
      "update",
    );
    expect(done).toMatchObject({ code: 0, invoices: { imported: 0, updated: 1, existing: 1 } });
    expect(await shown("N-1")).toMatchObject({ SubTotal: 12.5 });
    const history = await desk.list("history", "list", "--on", "invoice:N-2");
    const again = await reasonsFor(
      row("12.5") + row("20", "Acme", "N-2"),
      "--on-duplicate",
      "update",
    );
    expect(again).toMatchObject({ code: 0, invoices: { updated: 0, existing: 2 } });
    expect(await desk.list("history", "list", "--on", "invoice:N-2")).toEqual(history);
  });

  test("voided invoices are not imported again, unless a flag demands it", async () => {
    await reasonsFor(row("10"));
    await desk.acct("invoice", "void", "N-1", "--yes");
    expect(await reasonsFor(row("10"))).toMatchObject({ code: 0, invoices: { existing: 1 } });
    expect(await reasonsFor(row("10"), "--on-duplicate", "error")).toMatchObject({ code: 5 });
    // With another total it is a mended one, and its number is free.
    expect(await reasonsFor(row("11"))).toMatchObject({ code: 0, invoices: { imported: 1 } });
    await desk.acct("invoice", "void", "N-1", "--yes");
    expect(await reasonsFor(row("10"), "--recreate")).toMatchObject({ invoices: { imported: 1 } });
  });

  test("an existing invoice whose number has a comma is recognised by a second import", async () => {
    const odd = row("10", "Acme", '"N,1"');
    await reasonsFor(odd);
    expect(await reasonsFor(odd)).toMatchObject({ code: 0, invoices: { existing: 1 } });
  });

  test("an invoice paid since its import is recognised by a second import", async () => {
    await reasonsFor(row("10"));
    await desk.acct(
      "account",
      "create",
      "--code",
      "090",
      "--name",
      "Bank",
      "--type",
      "BANK",
      "--bank-account-number",
      "1",
    );
    const paid = await desk.acct(
      "payment",
      "apply",
      "N-1",
      "--account",
      "090",
      "--date",
      "2026-01-09",
    );
    expect(paid.stderr).toBe("");
    expect(await reasonsFor(row("10"))).toMatchObject({ code: 0, invoices: { existing: 1 } });
    expect(await reasonsFor(row("10"), "--on-duplicate", "update")).toMatchObject({
      invoices: { existing: 1 },
    });
  });
});

describe("contacts and items of imported invoices", () => {
  test("contacts of imported invoices are found by number, else by name, and not created twice", async () => {
    await desk.acct("contact", "create", "--name", "Acme", "--contact-number", "7");
    await desk.acct("contact", "create", "--name", "Birch");
    const file = desk.file(
      "rows.csv",
      "ContactName,ContactNumber,InvoiceNumber,Date,Description,Quantity,UnitAmount\n" +
        "Somebody,7,1,2026-01-05,x,1,1\n" +
        "BIRCH,8,2,2026-01-05,x,1,1\n" +
        "Cedar,9,3,2026-01-05,x,1,1\n" +
        "Cedar,,4,2026-01-05,x,1,1\n" +
        "Cedar,10,5,2026-01-05,x,1,1\n",
    );
    const done = await desk.import("invoices", file, "--create-contacts", "--on-error", "skip");
    expect(done.refused).toEqual([
      {
        row: 6,
        record: "5",
        reason: expect.stringMatching(/name Cedar is that of contact 9 already/),
      },
    ]);
    expect(done.contacts.imported).toBe(1);
    expect((await invoices()).map(({ Contact }) => Contact.Name)).toEqual([
      "Acme",
      "Birch",
      "Cedar",
      "Cedar",
    ]);
  });

  test("an imported invoice of an archived contact, by number or name, is refused and makes no second one", async () => {
    const archived = "The contact Acme is archived; acct contact restore takes it back into use.";
    await desk.acct("contact", "create", "--name", "Acme", "--contact-number", "7");
    await desk.acct("contact", "archive", "Acme", "--yes");
    const file = desk.file(
      "rows.csv",
      "ContactNumber,InvoiceNumber,Date,Description,Quantity,UnitAmount\n7,1,2026-01-05,x,1,1\n",
    );
    const done = await desk.import("invoices", file);
    expect(done.refused[0]?.reason).toBe(archived);
    const named = desk.file(
      "named.csv",
      "ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount\nacme,1,2026-01-05,x,1,1\n",
    );
    const again = await desk.import("invoices", named, "--create-contacts");
    expect(again.refused[0]?.reason).toBe(archived);
    expect(again.contacts.imported).toBe(0);
  });

  test("an imported invoice whose contact was archived since is recognised by a second import", async () => {
    const file = desk.file("rows.csv", heading + good);
    await desk.import("invoices", file, "--create-contacts");
    await desk.acct("contact", "update", "Acme", "--contact-number", "7");
    await desk.acct("contact", "archive", "Acme", "--yes");
    const numbered = desk.file(
      "rows.csv",
      `${heading.trimEnd()},ContactNumber\n${good.trimEnd()},7\n`,
    );
    const done = await desk.import("invoices", numbered);
    expect(done).toMatchObject({ code: 0, invoices: { existing: 1 } });
  });

  test("an import row without price and account takes those of its item", async () => {
    await desk.acct(
      "item",
      "create",
      "--code",
      "W-1",
      "--name",
      "Widget",
      "--unit-price",
      "4.50",
      "--sales-account",
      "200",
    );
    const file = desk.file(
      "rows.csv",
      "ContactName,InvoiceNumber,Date,DueDate,ItemCode,Quantity\nAcme,1,2026-01-05,2026-01-05,w-1,3\nAcme,2,2026-01-05,2026-01-05,none,3\n",
    );
    const flags = [
      "--create-contacts",
      "--create-items",
      "--status",
      "AUTHORISED",
      "--on-error",
      "skip",
    ];
    const done = await desk.import("invoices", file, ...flags);
    expect(done.refused).toEqual([
      { row: 3, record: "2", reason: "The row has no price, nor has the item none." },
    ]);
    expect(await shown("1")).toMatchObject({ SubTotal: 13.5 });
    expect(await desk.import("invoices", file, ...flags)).toMatchObject({
      invoices: { existing: 1 },
    });
  });

  test("imported invoices of a refused contact are refused with the contact's reason", async () => {
    const file = desk.file(
      "rows.csv",
      `${heading.trimEnd()},EmailAddress\n${good.trimEnd()},not an address\nBirch,OK-2,2026-01-05,2026-02-04,Work,1,10,200,\n`,
    );
    const done = await desk.import("invoices", file, "--create-contacts", "--on-error", "skip");
    expect(done).toMatchObject({ code: 7, invoices: { imported: 1, refused: 1 } });
    expect(done.refused[0]?.reason).toMatch(/contact Acme was refused: .*email/);
  });
});

describe("tracking of imported rows", () => {
  test("tracking of imported rows is checked before any request", async () => {
    await desk.acct("tracking", "create", "--name", "Region", "--option", "North");
    const head =
      "ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount,TrackingName1,TrackingOption1\n";
    const file = desk.file(
      "rows.csv",
      `${head}Acme,1,2026-01-05,x,1,1,Region,North\nAcme,2,2026-01-05,x,1,1,Region,Noth\nAcme,3,2026-01-05,x,1,1,Region,\n`,
    );
    const done = await desk.import("invoices", file, "--create-contacts", "--on-error", "skip");
    expect(done.refused).toEqual([
      { row: 3, record: "2", reason: expect.stringMatching(/no option Noth.*North/) },
    ]);
    expect((await shown("1")).LineItems[0].Tracking).toMatchObject([
      { Name: "Region", Option: "North" },
    ]);
  });
});

describe("imported bills", () => {
  const rows =
    "Supplier,Number,Date,DueDate,Description,Quantity,UnitAmount,AccountCode,Discount\n" +
    "Acme,1,2026-01-05,2026-02-04,Paper,1,10,429,\n" +
    "Birch,1,2026-01-06,2026-02-04,Ink,1,20,429,\n" +
    "Acme,1,2026-01-05,2026-02-04,Pens,1,5,429,\n" +
    "Cedar,1,2026-01-05,2026-02-04,Desk,1,5,429,10\n";
  const flags = [
    "--map",
    "Contact.Name=Supplier",
    "--map",
    "InvoiceNumber=Number",
    "--create-contacts",
    "--on-error",
    "skip",
  ];

  test("imported bills of two suppliers may have the same number", async () => {
    const file = desk.file("bills.csv", rows);
    const done = await desk.import("bills", file, ...flags);
    expect(done.bills).toMatchObject({ imported: 2, refused: 1 });
    expect(done.refused).toEqual([
      { row: 5, record: "1", reason: expect.stringMatching(/no discounts/) },
    ]);
    const again = await desk.import("bills", file, ...flags);
    expect(again.bills).toMatchObject({ imported: 0, existing: 2 });
    expect(await desk.list("bill", "list")).toHaveLength(2);
  });

  test("bills in an import of invoices are refused, and the message names acct import bills", async () => {
    const file = desk.file("bills.csv", rows);
    const set = await desk.acct("import", "invoices", file, ...flags, "--set", "Type=ACCPAY");
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining("use acct import bills")]);
    const typed = desk.file(
      "typed.csv",
      "Type,ContactName,InvoiceNumber,Date,Description,Quantity,UnitAmount\nBill,A,1,2026-01-05,x,1,1\nSales invoice,A,2,2026-01-05,x,1,1\n",
    );
    const done = await desk.import("invoices", typed, "--create-contacts", "--on-error", "skip");
    expect(done.refused).toEqual([
      { row: 2, record: "1", reason: "It is a bill, which acct import bills takes." },
    ]);
  });
});

describe("mistakes in the import command", () => {
  test.each<[what: string, flags: string[], message: RegExp]>([
    ["an unknown field", ["--map", "Colour=Text"], /no field "Colour"/],
    ["a mistyped field", ["--map", "InvoiceNumbr=Order"], /Did you mean InvoiceNumber\?/],
    [
      "an unknown column",
      ["--map", "InvoiceNumber=Ordr"],
      /no column "Ordr"\. Did you mean Order\?/,
    ],
    ["an open brace", ["--map", "InvoiceNumber={Order"], /not closed/],
    ["no pair", ["--map", "InvoiceNumber"], /--map is FIELD=COLUMN/],
    [
      "a field said twice",
      ["--map", "Date=When", "--map", "InvoiceDate=When"],
      /says twice what Date is/,
    ],
    [
      "map and set of one field",
      ["--map", "Date=When", "--set", "Date=today"],
      /--map 'Date=When\|today'/,
    ],
    ["a bad constant", ["--set", "Quantity=many"], /--set LineItems.Quantity must be a number/],
    ["a bad date format", ["--map", "Date=When", "--date-format", "dd.mm.yyyy"], /no date format/],
    [
      "fields that nothing gives",
      [],
      /No column gives InvoiceNumber, Contact.Name, Date.*The columns are Order, When/,
    ],
    ["a choice mistyped", ["--on-duplicate", "skp"], /Did you mean skip\?/],
    ["an id of its own", ["--map", "InvoiceID=Order"], /no field "InvoiceID"/],
  ])("an import command with %s is refused", async (_, flags, message) => {
    const file = desk.file("shop.csv", shop);
    const { code, stderr } = await desk.acct("import", "invoices", file, ...flags);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test("a file with two equal headings, or two with the same meaning, is refused", async () => {
    const two = desk.file("two.csv", "InvoiceNumber,InvoiceDate,Date,ContactName,Description\n");
    expect((await desk.acct("import", "invoices", two)).stderr).toMatch(
      /InvoiceDate and Date both mean Date/,
    );
    const same = desk.file("same.csv", "InvoiceNumber,Date,Date,ContactName,Description\n");
    expect((await desk.acct("import", "invoices", same)).stderr).toMatch(
      /Several columns are called "Date" \(2, 3\)/,
    );
  });

  test("an import flag that would overwrite the import file is refused", async () => {
    const file = desk.file("rows.csv", heading + good);
    for (const flag of ["--rejected", "--save-mapping"]) {
      const { code, stderr } = await desk.acct("import", "invoices", file, flag, file);
      expect([code, stderr]).toEqual([2, expect.stringContaining("would write over")]);
    }
    expect(desk.read("rows.csv")).toBe(heading + good);
  });

  test("an empty import file, and one of headings alone, are refused", async () => {
    const empty = await desk.acct("import", "invoices", desk.file("empty.csv", ""));
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("is empty")]);
    const alone = await desk.import("invoices", desk.file("alone.csv", heading));
    expect(alone).toMatchObject({ code: 0, rows: { read: 0 } });
  });

  test("an import without a terminal and without --yes is refused", async () => {
    const file = desk.file("rows.csv", heading + good);
    const { code, stderr } = await desk.acct("import", "invoices", file, "--create-contacts");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("Import 1 invoice and make 1 new contact in"),
    ]);
    expect(await invoices()).toEqual([]);
  });
});
