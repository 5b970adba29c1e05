import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBook } from "../../../src/admin/book.ts";
import type { Draft, DraftLine } from "../../../src/cli/prompts/invoice/draft.ts";
import { lineText, oneLine } from "../../../src/cli/prompts/invoice/one-line.ts";
import { parseLine } from "../../../src/cli/values/line-flag.ts";
import { fishQuote, posixQuote, type Quote } from "../../../src/cli/values/quote.ts";
import type { Client } from "../../../src/client/client.ts";
import { contact } from "../../../src/resources/contact.ts";
import { type Invoice, invoice } from "../../../src/resources/invoice.ts";
import { item } from "../../../src/resources/item.ts";
import { makeSample } from "../../shell/sample.ts";
import { fc, isEveryCase } from "../../support/properties.ts";
import {
  type Answer,
  clientOf,
  ExitPromptError,
  enter,
  type Held,
  hold,
  interrupt,
  onBook,
  type Step,
} from "./wizard-script.ts";

let folder: string;
let sample: string;
let empty: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acct-wizard-books-"));
  sample = join(folder, "sample.acct");
  empty = join(folder, "empty.acct");
  await makeSample(sample);
  await makeBook(empty, { name: "First Steps", country: "NZ" });
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const toIslandBay: Step[] = [
  ["Contact", ["island", "Island Bay"]],
  ["Date"],
  ["Due date"],
  ["Reference"],
];
const twoMugs: Step[] = [
  ["Line 1", "mug"],
  ["Description"],
  ["Quantity", "2"],
  ["Unit price"],
  ["Account"],
  ["Tax"],
];
const noMore: Step = ["Line", ["", "No more lines"]];
const plain: Step[] = [...toIslandBay, ...twoMugs, noMore];

/** What of an invoice does not depend on when and how often it was made. */
function content(made: Invoice | undefined): unknown {
  if (made === undefined) return undefined;
  const {
    InvoiceID: _id,
    InvoiceNumber: _number,
    Handle: _handle,
    UpdatedDateUTC: _at,
    ...rest
  } = made;
  return {
    ...rest,
    Contact: made.Contact?.Name,
    LineItems: (made.LineItems ?? []).map(({ LineItemID: _line, ...line }) => line),
  };
}

/** What a shell makes of a line: the words of each `acct` in it, in the order in which they run. */
function runsOf(line: string): string[][] {
  // Each run is written down, and answers what `-o id` would.
  const script = `acct() { printf '%s\\0' "$@" END >&3; echo the-id; }; ${line}`;
  const { output, status } = spawnSync("sh", ["-c", script], {
    stdio: ["ignore", "pipe", 2, "pipe"],
  });
  expect(status).toBe(0);
  const words = String(output[3]).split("\0").slice(0, -1);
  const runs: string[][] = [[]];
  for (const word of words) {
    if (word === "END") runs.push([]);
    else runs.at(-1)?.push(word);
  }
  return runs.slice(0, -1);
}

/** Runs the line that was printed on the book it came from, and returns what that made. */
async function again({ line, book }: Held): Promise<Invoice | undefined> {
  const client = await clientOf(book);
  const ids = async () => {
    const all: string[] = [];
    for await (const { InvoiceID } of client.list(invoice)) all.push(InvoiceID);
    return all;
  };
  const before = await ids();
  let made: string | undefined;
  for (const words of runsOf(line ?? "false")) {
    const { code, stderr } = await onBook(book, [
      ...words.map((word) => (word === "the-id" ? (made ?? "") : word)),
      // The wizard has made the same before.
      ...(/^(invoice|bill) create/.test(words.join(" ")) ? ["--allow-duplicate"] : []),
    ]);
    expect(stderr).not.toMatch(/^acct:/m);
    expect(code).toBe(0);
    made = (await ids()).find((id) => !before.includes(id));
  }
  const found = made === undefined ? undefined : await client.find(invoice, made);
  await client.close();
  return found;
}

describe("the conversation of the invoice wizard", () => {
  test("an item chosen in the invoice wizard fills in description, price, account and tax rate", async () => {
    const held = await hold(sample, [...plain, ["What now?", "Approve"]]);
    expect(held.error).toBeUndefined();
    expect(held.talk).toEqual([
      "Contact: Island Bay Florist",
      "Date: 2026-11-15",
      "Due date, if not by the terms: by the terms",
      "Reference, if there is one: ",
      "Line 1, item or description: MUG",
      "Description of line 1: Stoneware mug",
      "Quantity: 2",
      "Unit price: 28.00",
      "Account: 200 Sales",
      "Tax: 15% GST on Income",
      "Line 2, item or description: No more lines",
      "What now?: Approve",
    ]);
    expect(held.stderr).toMatchInlineSnapshot(`
      "Ctrl-C ends it, and nothing is made; < goes a question back.

      Invoice to Island Bay Florist
      dated 15 Nov 2026, due 5 Dec 2026, amounts are without tax

      Line  Item  Description    Quantity  Price  Account    Tax                Amount
         1  MUG   Stoneware mug         2  28.00  200 Sales  15% GST on Income   56.00

                                                                       Subtotal  56.00
                                                                            Tax   8.40
                                                                      Total NZD  64.40


      The same in one line:
      acct invoice create --contact 'Island Bay Florist' --date 2026-11-15 --status AUTHORISED --line item=MUG,quantity=2,unit-amount=28.00,account=200,tax=OUTPUT2
      "
    `);
    expect(held.invoices).toHaveLength(1);
    expect(held.invoices[0]).toMatchObject({
      Status: "AUTHORISED",
      DueDate: "2026-12-05",
      Total: 6440,
      LineItems: [{ ItemCode: "MUG", Quantity: 20_000, UnitAmount: 280_000, TaxType: "OUTPUT2" }],
    });
    expect(JSON.parse(held.stdout)).toMatchObject({ InvoiceNumber: "INV-0232", Total: 64.4 });
  });

  test("every question of the invoice wizard can be left for the previous one", async () => {
    const held = await hold(sample, [
      ["Contact", ["nobody yet", "A new contact"]],
      ["Name of the new contact", "<"],
      ["Contact", ["island", "Island Bay"]],
      ["Date", "<"],
      ["Contact", ["island", "Island Bay"]],
      ["Date"],
      ["Due date", "<"],
      ["Date", "2026-11-01"],
      ["Due date"],
      ["Reference"],
      ["Line 1", ["", "Back"]],
      ["Reference", "PO 1"],
      ["Line 1", "mug"],
      ["Description", "<"],
      ["Line 1", "bowl"],
      ["Description"],
      ["Quantity", "2"],
      ["Unit price", "<"],
      ["Quantity", "3"],
      ["Unit price"],
      ["Account", ["", "Back"]],
      ["Unit price", "60"],
      ["Account"],
      ["Tax", "Back"],
      ["Account"],
      ["Tax"],
      // The line before, from the first question of a line.
      ["Line 2", ["", "Back"]],
      ["Line 1", ["", "As it is"]],
      ["Description"],
      ["Quantity"],
      ["Unit price"],
      ["Account"],
      ["Tax"],
      ["Line 2", ["", "No more"]],
      ["What now?", "Change the reference"],
      ["Reference", "<"],
      ["What now?", "Approve"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.line).toBe(
      "acct invoice create --contact 'Island Bay Florist' --date 2026-11-01 --reference 'PO 1' --status AUTHORISED --line item=BOWL,quantity=3,unit-amount=60.00,account=200,tax=OUTPUT2",
    );
    expect(held.contacts).toEqual([]);
  });

  test("an invoice line without an item makes the wizard ask for every field", async () => {
    const held = await hold(sample, [
      ...toIslandBay,
      ["Line 1", ["Firing, by the hour", "A line without"]],
      ["Quantity", "nothing", "1.5"],
      ["Unit price", "1,234", "0.12345", "1,234.5678"],
      ["Account", ["other", "260"]],
      ["Tax", "Zero"],
      noMore,
      ["What now?"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.talk.filter((line) => line.includes("!"))).toMatchInlineSnapshot(`
      [
        "Quantity: nothing ! Quantity must be a number such as 1234.50, not 'nothing'.",
        "Unit price: 1,234 ! Unit price must be a number such as 1234.50, not '1,234', which is 1234 in some places and less in others.",
        "Unit price: 0.12345 ! Unit price may have at most 4 decimals, not as many as '0.12345'.",
      ]
    `);
    expect(held.invoices[0]).toMatchObject({
      Status: "DRAFT",
      Total: 185_185,
      LineItems: [
        {
          Description: "Firing, by the hour",
          Quantity: 15_000,
          UnitAmount: 12_345_678,
          AccountCode: "260",
          TaxType: "ZERORATED",
        },
      ],
    });
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("the invoice wizard accepts dates as in flags, and leaves payment terms to the service", async () => {
    const held = await hold(sample, [
      ["Contact", ["island", "Island Bay"]],
      ["Date", "2026-02-30", "yesterday"],
      ["Due date", "soon", "2026-11-13", "+2w"],
      ["Reference", "PO's 7"],
      ...twoMugs,
      noMore,
      ["What now?"],
    ]);
    expect(held.talk.slice(1, 6)).toMatchInlineSnapshot(`
      [
        "Date: 2026-02-30 ! "2026-02-30" is no day of the calendar.",
        "Date: 2026-11-14",
        "Due date, if not by the terms: soon ! "soon" is no date; give YYYY-MM-DD, YYYYMMDD, "1 March 2026", 1/3/2026 in the order of the country, today, yesterday, tomorrow, eom, monday, "next friday", "last friday", or a distance such as -30d, +2w, +1m, -1y.",
        "Due date, if not by the terms: 2026-11-13 ! 13 November 2026 is before the date of the document, 14 November 2026.",
        "Due date, if not by the terms: 2026-11-28",
      ]
    `);
    expect(held.invoices[0]).toMatchObject({
      Date: "2026-11-14",
      DueDate: "2026-11-28",
      Reference: "PO's 7",
    });
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("every answer of the invoice wizard can be changed at the end", async () => {
    const held = await hold(sample, [
      ...plain,
      ["What now?", "Change the contact"],
      ["Contact", ["kauri", "Kauri"]],
      ["What now?", "Change the dates"],
      ["Date", "2026-10-01"],
      ["Due date", "2026-10-31"],
      ["What now?", "Change the reference"],
      ["Reference", "PO 9"],
      ["What now?", "Add a line"],
      ["Line 2", ["Glaze", "A line without"]],
      ["Quantity"],
      ["Unit price", "10"],
      ["Account", "200"],
      ["Tax"],
      noMore,
      ["What now?", "Change a line"],
      ["Which line?", "2"],
      ["Line 2", ["", "As it is"]],
      ["Description", "Glaze, blue"],
      ["Quantity", "3"],
      ["Unit price"],
      ["Account"],
      ["Tax"],
      ["What now?", "Remove a line"],
      ["Remove which line?", "1"],
      ["What now?", "Change whether"],
      ["Amounts", "include"],
      ["What now?", "Approve"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.invoices).toHaveLength(1);
    expect(held.invoices[0]).toMatchObject({
      Contact: { Name: "Kauri Hotel" },
      Date: "2026-10-01",
      DueDate: "2026-10-31",
      Reference: "PO 9",
      LineAmountTypes: "Inclusive",
      Total: 3000,
      LineItems: [{ Description: "Glaze, blue", Quantity: 30_000, UnitAmount: 100_000 }],
    });
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("a reference typed in the invoice wizard can be removed", async () => {
    const held = await hold(sample, [
      ...toIslandBay.slice(0, 3),
      ["Reference", "PO 1"],
      ...twoMugs,
      noMore,
      ["What now?", "Change the reference"],
      ["Reference", ""],
      ["What now?"],
    ]);
    expect(held.invoices[0]?.Reference).toBeUndefined();
  });

  test("the bill wizard asks for the supplier and the bill number, and sends stock to the stock account", async () => {
    const held = await hold(
      sample,
      [
        ["Supplier", ["pacific", "Pacific Lamp"]],
        ["Date"],
        ["Due date"],
        ["Number on the bill", "PL-77"],
        ["Line 1", "lamp"],
        ["Description"],
        ["Quantity", "4"],
        ["Unit price"],
        ["Tax"],
        noMore,
        ["What now?", "Approve"],
      ],
      { type: "ACCPAY" },
    );
    expect(held.error).toBeUndefined();
    expect(held.invoices[0]).toMatchObject({
      Type: "ACCPAY",
      InvoiceNumber: "PL-77",
      LineItems: [{ ItemCode: "LAMP", AccountCode: "630" }],
    });
    expect(held.line).toContain("acct bill create");
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("the invoice wizard of a book without tax asks no question about tax", async () => {
    const held = await hold(sample, [
      ...plain,
      ["What now?", "Change whether"],
      ["Amounts", "bear no tax"],
      ["What now?", "Add a line"],
      ["Line 2", "bowl"],
      ["Description"],
      ["Quantity"],
      ["Unit price"],
      ["Account"],
      noMore,
      ["What now?"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.invoices[0]).toMatchObject({ LineAmountTypes: "NoTax", Total: 12_000 });
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("colours do not change the text or the columns of the invoice wizard", async () => {
    const steps: Parameters<typeof hold>[1] = [...plain, ["What now?", "Approve"]];
    const [inColour, asIs] = await Promise.all([
      hold(sample, steps, { flags: { color: true } }),
      hold(sample, steps),
    ]);
    expect(inColour.stderr).toContain("\u001b[1mInvoice to Island Bay Florist\u001b[22m\n");
    expect(stripVTControlCharacters(inColour.stderr)).toBe(asIs.stderr);
  });
});

describe("a new contact in the invoice wizard", () => {
  const fresh: Step[] = [
    ["Contact", ["O'Brien & Co", "A new contact"]],
    ["Name"],
    ["Email", "nonsense", "mail@obrien.example"],
    ...toIslandBay.slice(1),
    ...twoMugs,
    noMore,
  ];

  test("a new contact of the invoice wizard is created with its invoice, by one equivalent command line", async () => {
    const held = await hold(sample, [...fresh, ["What now?", "Approve"]]);
    expect(held.error).toBeUndefined();
    expect(held.talk[2]).toBe(
      "Email address, if there is one: nonsense ! EmailAddress 'nonsense' is no email address.",
    );
    expect(held.stderr).toContain("Invoice to O'Brien & Co (new contact)");
    expect(held.contacts).toMatchObject([
      { Name: "O'Brien & Co", EmailAddress: "mail@obrien.example" },
    ]);
    expect(held.invoices[0]).toMatchObject({
      Contact: { ContactID: held.contacts[0]?.ContactID },
      Total: 6440,
    });
    // On another copy of the book, where there is no such contact yet.
    const untouched = await hold(sample, [...fresh, ["What now?", "Discard"]]);
    const made = await again({ ...held, book: untouched.book });
    expect(content(made)).toEqual(content(held.invoices[0]));
  });

  test.each<{ how: string; answer: Answer; error?: typeof ExitPromptError }>([
    { how: "discarded", answer: "Discard" },
    { how: "interrupted", answer: interrupt, error: ExitPromptError },
  ])(
    "a new contact of the invoice wizard is not created when the invoice is $how",
    async ({ answer, error }) => {
      const held = await hold(sample, [...fresh, ["What now?", answer]]);
      if (error === undefined) expect(held.error).toBeUndefined();
      else expect(held.error).toBeInstanceOf(error);
      expect([held.contacts, held.invoices, held.stdout]).toEqual([[], [], ""]);
      expect(held.line).toBeUndefined();
    },
  );

  test("a new contact in the invoice wizard needs a name that is not in use", async () => {
    const held = await hold(sample, [
      ["Contact", ["", "A new contact"]],
      ["Name", "", "Kauri Hotel", "Kauri Two"],
      ["Email"],
      ...plain.slice(1),
      ["What now?"],
    ]);
    expect(held.talk.slice(1, 3)).toEqual([
      "Name of the new contact:  ! A name is needed.",
      expect.stringContaining("Kauri Hotel ! The contact name Kauri Hotel is already assigned"),
    ]);
    expect(held.contacts).toMatchObject([{ Name: "Kauri Two" }]);
  });

  test("a new contact of the invoice wizard is not created when the service refuses the invoice", async () => {
    const held = await hold(sample, [
      ...fresh.slice(0, -1),
      ["Line 2", ["Too much off", "A line without"]],
      ["Quantity", "-1"],
      ["Unit price", "100"],
      ["Account"],
      ["Tax"],
      noMore,
      ["What now?", "Approve"],
      ["What now?", "Discard"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.stderr).toContain("! The total of an invoice cannot be negative");
    expect([held.contacts, held.invoices]).toEqual([[], []]);
  });

  test("the invoice wizard in an empty book creates the first contact, with the right totals", async () => {
    const held = await hold(empty, [
      ["Contact", ["First Customer", "A new contact"]],
      ["Name"],
      ["Email"],
      ["Date"],
      ["Due date"],
      ["Reference"],
      ["Line 1", "Consulting"],
      ["Quantity", "3.5"],
      ["Unit price", "0.35"],
      ["Account", "200"],
      ["Tax"],
      noMore,
      ["What now?", "Approve"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.stderr).toMatch(/Subtotal +1\.23\n +Tax +0\.18\n +Total +1\.41\n/);
    expect(held.invoices[0]).toMatchObject({ SubTotal: 123, TotalTax: 18, Total: 141 });
  });
});

describe("the final decision of the wizard", () => {
  test('"Approve and email" in the wizard sends the invoice, and so does the equivalent command line', async () => {
    const held = await hold(sample, [...plain, ["What now?", "Approve and email to accounts@"]]);
    expect(held.error).toBeUndefined();
    // The book has no mail server, so the message is kept and not sent.
    expect(held.invoices[0]).toMatchObject({ Status: "AUTHORISED", SentToContact: false });
    expect(JSON.parse(held.stdout)).toMatchObject({ SentToContact: false });
    expect(held.stderr).toContain("Written to the outbox, not sent: INV-0232 to accounts@");
    const outbox = held.book.replace(/\.acct$/, ".outbox");
    expect(readdirSync(outbox)).toHaveLength(1);
    expect(readFileSync(join(outbox, readdirSync(outbox)[0] ?? ""), "utf8")).toContain("INV-0232");
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
    expect(readdirSync(outbox)).toHaveLength(2);
  });

  test("the invoice wizard offers no email for a contact without an email address", async () => {
    const held = await hold(
      sample,
      [["Contact", "Quiet"], ...plain.slice(1), ["What now?", "Approve and email"]],
      { before: (client) => client.create(contact, { Name: "Quiet Ltd" }) },
    );
    expect(String(held.error)).toContain("Approve and email (disabled)");
  });

  test("a refusal of the service is shown in the invoice wizard, and answers can be changed", async () => {
    const held = await hold(sample, [
      ...toIslandBay,
      ["Line 1", "lamp"],
      ["Description"],
      ["Quantity", "100000"],
      ["Unit price"],
      ["Account"],
      ["Tax"],
      noMore,
      ["What now?", "Approve"],
      ["What now?", "Change a line"],
      ["Line 1", ["", "As it is"]],
      ["Description"],
      ["Quantity", "1"],
      ["Unit price"],
      ["Account"],
      ["Tax"],
      ["What now?", "Approve"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.stderr).toMatch(/\n! .*LAMP/);
    expect(held.invoices).toHaveLength(1);
  });

  test("faults of a draft are shown with the document in the invoice wizard", async () => {
    const held = await hold(sample, [
      ["Contact", ["island", "Island Bay"]],
      ["Date", "1999-12-31"],
      ["Due date"],
      ["Reference"],
      ["Line 1", ["x", "A line without"]],
      ["Quantity", "9999999999"],
      ["Unit price", "9999"],
      ["Account"],
      ["Tax"],
      noMore,
      ["What now?", "Discard"],
    ]);
    expect(held.error).toBeUndefined();
    expect(held.stderr).toMatch(/\n! The line amount must not be larger/);
    expect(held.stderr).toContain("Discarded; nothing was made.");
  });

  test("the invoice wizard in a dry run shows the document and creates nothing", async () => {
    const held = await hold(
      sample,
      [
        ["Contact", ["Somebody", "A new contact"]],
        ["Name"],
        ["Email", "some@body.example"],
        ...plain.slice(1),
        ["What now?", "Approve and email"],
      ],
      { flags: { dryRun: true } },
    );
    expect(held.error).toBeUndefined();
    expect([held.contacts, held.invoices]).toEqual([[], []]);
    expect(existsSync(held.book.replace(/\.acct$/, ".outbox"))).toBe(false);
    expect(JSON.parse(held.stdout)).toMatchObject({
      Contact: { Name: "Somebody" },
      Status: "AUTHORISED",
      Total: 64.4,
    });
  });
});

test("Ctrl-C at any question of the invoice wizard stores no record", async () => {
  const steps: Step[] = [
    ["Contact", ["New", "A new contact"]],
    ["Name"],
    ["Email", "new@new.example"],
    ...plain.slice(1),
    ["What now?", "Change a line"],
    ["Line 1", ["", "As it is"]],
    ["Description"],
    ["Quantity"],
    ["Unit price"],
    ["Account"],
    ["Tax"],
    ["What now?", "Approve"],
  ];
  for (let at = 0; at < steps.length; at += isEveryCase ? 1 : 5) {
    const question = steps[at]?.[0] ?? "";
    const held = await hold(sample, [...steps.slice(0, at), [question, interrupt]]);
    expect(held.error, question).toBeInstanceOf(ExitPromptError);
    expect([held.contacts, held.invoices, held.stdout], question).toEqual([[], [], ""]);
  }
});

describe("the equivalent command line", () => {
  test("the wizard's equivalent command line names the book, and has no needless flags", async () => {
    const held = await hold(sample, [...plain, ["What now?"]], {
      flags: { book: "my books/a.acct" },
    });
    expect(held.line).toBe(
      "acct --book 'my books/a.acct' invoice create --contact 'Island Bay Florist' " +
        "--date 2026-11-15 --line item=MUG,quantity=2,unit-amount=28.00,account=200,tax=OUTPUT2",
    );
  });

  test("the wizard's equivalent command line quotes characters that are special in a shell", async () => {
    const held = await hold(
      sample,
      [
        ["Contact", ["-x", "-x"]],
        ["Date"],
        ["Due date"],
        ["Reference", "--help"],
        ["Line 1", ["odd", 'ODD,"1']],
        ["Description", 'He said: "5\\" nails", $HOME `id` !!, it\'s = 1,5'],
        ["Quantity"],
        ["Unit price"],
        ["Account"],
        ["Tax"],
        noMore,
        ["What now?"],
      ],
      {
        before: async (client) => {
          await client.create(contact, { Name: '-x "quoted" & O\'Hara; $(rm)' });
          await client.create(item, {
            Code: 'ODD,"1',
            Name: "odd thing",
            SalesDetails: { UnitPrice: 12_345 as never, AccountCode: "200" },
          });
        },
      },
    );
    expect(held.error).toBeUndefined();
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("the wizard's equivalent command line leaves out a description that the item gives", async () => {
    const Description = "  Two lines\nand a tab\t ";
    const before = async (client: Client) => {
      await client.create(item, {
        Code: "TWO",
        Description,
        SalesDetails: { UnitPrice: 10_000 as never, AccountCode: "200" },
      });
    };
    const steps: Step[] = [
      ...toIslandBay,
      ["Line 1", ["two", "TWO"]],
      ...twoMugs.slice(1),
      noMore,
      ["What now?"],
    ];
    const held = await hold(sample, steps, { before });
    expect(held.invoices[0]?.LineItems[0]?.Description).toBe(Description);
    expect(content(await again(held))).toEqual(content(held.invoices[0]));
  });

  test("any equivalent command line of the wizard is parsed back unchanged", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .map((value) => value.trim())
      .filter((value) => value !== "");
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer(),
        fc.integer({ min: 0 }),
        (Description, code, n, price) => {
          const ItemCode = [...code].slice(0, 15).join("").trim() || "x";
          const input = {
            ItemCode,
            Description,
            Quantity: n % 10_000_000_000,
            UnitAmount: price,
            AccountCode: "200",
            TaxType: "OUTPUT2",
          } as DraftLine["input"];
          expect(parseLine(lineText({ input }, "ACCREC"))).toEqual(input);
        },
      ),
    );
  });

  const shells: readonly (readonly [shell: string, quote: Quote, arguments: readonly string[]])[] =
    [
      ["sh", posixQuote, ["-c"]],
      ["bash", posixQuote, ["--norc", "-c"]],
      ["zsh", posixQuote, ["-f", "-c"]],
      ["fish", fishQuote, ["--no-config", "-c"]],
    ];
  for (const [shell, quote, options] of shells) {
    const isMissing = spawnSync(shell, ["-c", ":"]).error !== undefined;
    if (isMissing) console.log(`left out: quoting for ${shell}, which is not installed`);
    test.skipIf(isMissing)(
      `the equivalent command line is quoted so that ${shell} passes on every word unchanged`,
      () => {
        const word = fc.string({ unit: "grapheme", maxLength: 20 });
        const awkward = [
          "",
          " ",
          "a\\b",
          "\\\\",
          "'",
          "\\'",
          '"',
          "$HOME",
          "`x`",
          "!!",
          "a\nb",
          "~",
          "=x",
          "*",
        ];
        fc.assert(
          fc.property(fc.array(word, { maxLength: 50 }), (random) => {
            const words = [...awkward, ...random.map((each) => each.replaceAll("\0", ""))];
            const line = `printf '%s\\0' ${words.map(quote).join(" ")}`;
            const { stdout, stderr } = spawnSync(shell, [...options, line], { encoding: "utf8" });
            expect(stderr).toBe("");
            expect(stdout.split("\0").slice(0, -1)).toEqual(words);
          }),
          { numRuns: 10 },
        );
      },
    );
  }

  test("the wizard's equivalent command line includes the email", () => {
    const draft: Draft = {
      type: "ACCREC",
      party: { kind: "new", input: { Name: "A B" } },
      date: "2026-03-05",
      types: "NoTax",
      lines: [],
    };
    const flags = { demo: true } as never;
    const decision = { status: "AUTHORISED", emails: true, made: { Name: "A B" } } as const;
    expect(oneLine({ flags }, draft, decision, posixQuote)).toBe(
      "acct --demo contact create --name 'A B' && acct --demo invoice email " +
        "\"$(acct --demo invoice create --contact 'A B' --date 2026-03-05 " +
        '--line-amount-types NoTax --status AUTHORISED -o id)"',
    );
  });
});

test("pressing only Enter leads through every question of the invoice wizard", async () => {
  const questions = [
    "Contact",
    "Date",
    "Due date",
    "Reference",
    "Line 1",
    "Description",
    "Quantity",
  ];
  const rest = ["Unit price", "Account", "Tax", "Line 2", "What now?"];
  const held = await hold(
    sample,
    [...questions, ...rest].map((each): Step => [each, enter]),
  );
  expect(held.error).toBeUndefined();
  expect(held.invoices).toHaveLength(1);
});
