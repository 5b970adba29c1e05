/** Values as spreadsheets and copied pages leave them: currencies, serials of days, odd blanks, near names. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileDateFormat } from "../../../src/cli/values/date-format.ts";
import { Desk } from "./desk.ts";

const desk = await Desk.open();
afterAll(() => desk.close());

const heading =
  "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode";

beforeAll(async () => {
  for (const name of ["Acme Ltd", "Stone\u00a0&\u00a0Sons"]) {
    expect((await desk.acct("contact", "create", "--name", name)).code).toBe(0);
  }
  expect((await desk.acct("currency", "add", "USD")).code).toBe(0);
  const rate = await desk.acct("currency", "rate", "USD", "1.25", "--date", "2026-01-01");
  expect(rate.code).toBe(0);
});

interface Row {
  readonly contact?: string;
  readonly day?: string;
  readonly amount?: string;
  readonly account?: string;
  readonly more?: string;
}

let count = 0;

/** Imports one row, and gives what became of it. */
async function imported(row: Row, more = "", ...flags: string[]) {
  count += 1;
  const { contact = "Acme Ltd", day = "2026-03-01", amount = "50", account = "200" } = row;
  const cells = [contact, `S-${count}`, day, "2026-03-20", "Desk", "1", amount, account];
  const quoted = cells.map((cell) => `"${cell}"`).join(",");
  const csv = `${heading}${more}\n${quoted}${row.more ?? ""}\n`;
  const ran = await desk.import("invoices", desk.file(`s${count}.csv`, csv), ...flags);
  if (ran.code !== 0) return ran.refused[0]?.reason ?? ran.stderr;
  const shown = await desk.acct("invoice", "show", `S-${count}`, "-o", "json");
  return JSON.parse(shown.stdout) as Record<string, unknown>;
}

describe("imported amounts", () => {
  test.each([
    ["£50.00", 50],
    ["GBP 50.00", 50],
    ["50.00 GBP", 50],
    ["£ 1,250.50", 1250.5],
    ["1 250.50 £", 1250.5],
    ["-£5.00", "it is a credit"],
    ["$50.00", "UnitAmount '$50.00' is not in GBP. Map or set CurrencyCode."],
    ["€50.00", "UnitAmount '€50.00' is not in GBP. Map or set CurrencyCode."],
    ["USD 50.00", "UnitAmount 'USD 50.00' is not in GBP. Map or set CurrencyCode."],
    ["50.00 CR", "UnitAmount must be a number"],
    ["£1,250", "is 1250 in some places and less in others"],
    ["£50.00 each", "UnitAmount must be a number"],
  ])(
    'the amount "%s" in a file of GBP invoices is imported, or refused with the reason',
    async (amount, right) => {
      const made = await imported({ amount });
      if (typeof right === "number") expect(made).toMatchObject({ SubTotal: right });
      else expect(made).toContain(right);
    },
  );

  test("amounts with a currency sign are imported if a column names that currency, and otherwise refused", async () => {
    expect(await imported({ amount: "US$50.00", more: ",USD" }, ",Currency")).toMatchObject({
      SubTotal: 50,
      CurrencyCode: "USD",
    });
    expect(await imported({ amount: "GBP 50.00", more: ",USD" }, ",Currency")).toContain(
      "is not in USD",
    );
  });
});

describe("imported dates", () => {
  test.each([
    ["46082", "2026-03-01"],
    ["46082.4375", "2026-03-01"],
    ["2026-03-01 10:12:13 +1300", "2026-03-01"],
    ["2026-03-01T23:59:59.000Z", "2026-03-01"],
    ["2026-03-01 11:30 pm NZDT", "2026-03-01"],
    ["1 Mar 2026", "2026-03-01"],
    ["20260301", "2026-03-01"],
    ["01/03/2026", "say with --date-format"],
    ["2026-03-01 10:12 or so", "say with --date-format"],
    ["2026-02-30", "say with --date-format"],
  ])('the date "%s" is imported, or refused with the reason', async (day, right) => {
    const made = await imported({ day });
    if (right.startsWith("2026")) expect(made).toMatchObject({ Date: right });
    else expect(made).toContain(right);
  });

  test("a spreadsheet's date serial is read beside other dates, and a date format may have a time zone", async () => {
    const flags = ["--date-format", "DD/MM/YYYY", "--map", "DueDate="];
    const more = ["--set", "DueDate=2026-04-01"];
    expect(await imported({ day: "46082" }, "", ...flags.slice(0, 2), ...more)).toMatchObject({
      Date: "2026-03-01",
    });
    for (const zone of ["+1300", "+13:00", "Z", "NZDT"]) {
      for (const token of ["Z", "ZZ", "z"]) {
        const read = compileDateFormat(`DD/MM/YYYY HH:mm ${token}`);
        expect(read(`01/03/2026 10:12 ${zone}`)).toBe("2026-03-01");
      }
    }
  });
});

describe("names with unusual blanks and letters", () => {
  const contacts = async () =>
    (await desk.list<{ Name: string }>("contact", "list", "--all")).map(({ Name }) => Name).sort();

  test("contact names with other blanks or full-width letters match those of the book", async () => {
    const before = await contacts();
    for (const contact of ["Acme\u00a0Ltd", "ACME  ltd", "Ａｃｍｅ Ltd", "Stone & Sons"]) {
      expect(await imported({ contact }, "", "--create-contacts")).toMatchObject({
        Status: "DRAFT",
      });
    }
    expect(await contacts()).toEqual(before);
  });

  test("a contact name spelt with different blanks in one file creates one contact", async () => {
    const before = await contacts();
    const rows = ["Reed\u00a0Works", "Reed Works", "reed\u2009works"].map(
      (name, at) => `${name},R-${at},2026-03-01,2026-03-20,Desk,1,5,200`,
    );
    const file = desk.file("reed.csv", `${heading}\n${rows.join("\n")}\n`);
    const made = await desk.import("invoices", file, "--create-contacts");
    expect(made.contacts).toEqual({ imported: 1 });
    expect((await contacts()).length).toBe(before.length + 1);
  });

  test("a new contact name similar to an existing one is refused without --similar-contacts", async () => {
    const before = await contacts();
    for (const contact of ["Acme Limited", "Acme, Ltd.", "Stone and Sons Ltd", "Stnoe & Sons"]) {
      const near = contact.startsWith("Acme") ? "Acme Ltd" : "Stone\u00a0&\u00a0Sons";
      expect(await imported({ contact }, "", "--create-contacts")).toBe(
        `The new contact ${contact} may be ${near}: write that name, or make both with --similar-contacts.`,
      );
      expect(await imported({ contact })).toContain(`Did you mean ${near}?`);
    }
    expect(await contacts()).toEqual(before);
    const both = ["--create-contacts", "--similar-contacts"];
    expect(await imported({ contact: "Acme Limited" }, "", ...both)).toMatchObject({
      Contact: { Name: "Acme Limited" },
    });
  });

  test.each([
    ["Acme 2 Ltd", "Acme 3 Ltd"],
    ["Customer A", "Customer B"],
    ["North Road", "South Road"],
  ])("the similar names %s and %s are imported as two contacts", async (one, other) => {
    for (const contact of [one, other]) {
      expect(await imported({ contact }, "", "--create-contacts")).toMatchObject({
        Contact: { Name: contact },
      });
    }
  });

  test("names of accounts, items and tracking match despite other blanks, and are sent as in the book", async () => {
    await desk.acct("item", "create", "--code", "OAK 1", "--name", "Oak", "--yes");
    await desk.acct("tracking", "create", "--name", "Sales Region", "--option", "Far North");
    const tracked = {
      account: "\u00a0200\u2009",
      more: ',OAK\u00a01,"Sales\u00a0Region",Far\u2009North',
    };
    const made = await imported(tracked, ",InventoryItemCode,TrackingName1,TrackingOption1");
    expect(made).toMatchObject({
      LineItems: [
        {
          AccountCode: "200",
          ItemCode: "OAK 1",
          Tracking: [{ Name: "Sales Region", Option: "Far North" }],
        },
      ],
    });
  });
});

test.each([
  ["an Excel file", Buffer.from("PK\u0003\u0004\u0014\0\u0006\0[Content_Types].xml", "latin1")],
  ["an old Excel file", Buffer.from("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", "latin1")],
])(
  "%s given as an import file is refused as a spreadsheet, whatever is imported",
  async (_name, bytes) => {
    const file = desk.file("book.xlsx", bytes);
    for (const words of [
      ["import", "invoices"],
      ["import", "payments"],
      ["opening", "set"],
    ]) {
      const date = words[0] === "opening" ? ["--date", "2026-01-31"] : [];
      const { code, stderr } = await desk.acct(...words, file, ...date);
      expect([code, stderr]).toEqual([
        5,
        "acct: The file is a spreadsheet (Excel); save it as CSV and give that.\n",
      ]);
    }
    const packed = await desk.acct("import", "invoices", desk.file("x.gz", gzipSync("a,b")));
    expect([packed.code, packed.stderr]).toEqual([
      5,
      expect.stringContaining("not written in utf-8"),
    ]);
  },
);
