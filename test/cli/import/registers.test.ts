/** Contacts, items and payments from files, on a real book. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Desk } from "./desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

const show = async (noun: string, key: string) =>
  JSON.parse((await desk.acct(noun, "show", key, "-o", "json")).stdout);

describe("importing contacts", () => {
  const rows =
    "*ContactName,ContactNumber,EmailAddress,POAddressLine1,MobileNumber,SalesAccount\n" +
    "Acme,7,ap@acme.test,1 High Street,0123,200\n" +
    "Birch,,,,,\n" +
    "Acme,7,ap@acme.test,1 High Street,0123,200\n" +
    "Cedar,7,,,,\n" +
    ",8,,,,\n" +
    "Dune,9,,,,999\n";

  test("contacts are imported with their fields, and a repeated row is accepted", async () => {
    const file = desk.file("contacts.csv", rows);
    const done = await desk.import("contacts", file, "--on-error", "skip");
    expect(done).toMatchObject({
      code: 7,
      contacts: { imported: 2, refused: 3 },
      rows: { imported: 3 },
    });
    expect(done.refused).toEqual([
      {
        row: 5,
        record: "Cedar",
        reason: "Row 2 is the same contact, but Name is 'Cedar' here and 'Acme' there.",
      },
      { row: 6, record: "8", reason: "The row has no name." },
      { row: 7, record: "Dune", reason: expect.stringMatching(/no account 999/) },
    ]);
    expect(await show("contact", "7")).toMatchObject({
      Name: "Acme",
      EmailAddress: "ap@acme.test",
      SalesDefaultAccountCode: "200",
      Phones: expect.arrayContaining([
        expect.objectContaining({ PhoneType: "MOBILE", PhoneNumber: "0123" }),
      ]),
    });
    const again = await desk.import("contacts", file, "--on-error", "skip");
    expect(again.contacts).toMatchObject({ imported: 0, existing: 2, refused: 3 });
  });

  test("existing contacts are updated by an import only where they differ", async () => {
    await desk.import("contacts", desk.file("a.csv", rows), "--on-error", "skip");
    const file = desk.file(
      "b.csv",
      "ContactName,ContactNumber,EmailAddress\nAcme,7,new@acme.test\nBirch,,\n",
    );
    const done = await desk.import("contacts", file, "--on-duplicate", "update");
    expect(done).toMatchObject({ code: 0, contacts: { updated: 1, existing: 1 } });
    expect(await show("contact", "7")).toMatchObject({
      EmailAddress: "new@acme.test",
      SalesDefaultAccountCode: "200",
    });
    expect(await desk.import("contacts", file, "--on-duplicate", "error")).toMatchObject({
      code: 5,
    });
  });

  test("imported contacts with one name and two numbers are refused", async () => {
    const file = desk.file("a.csv", "Name,ContactNumber\nJo,1\nJo,2\nJo,\n");
    const done = await desk.import("contacts", file, "--on-error", "skip");
    expect(done.refused.map(({ row, reason }) => [row, reason])).toEqual([
      [3, "The file has another contact Jo, with the number 1; names are unique."],
      [4, "The file has another contact Jo, with the number 1; names are unique."],
    ]);
    const later = await desk.import("contacts", desk.file("b.csv", "Name,ContactNumber\njo,3\n"));
    expect(later.refused[0]?.reason).toMatch(/is that of contact 1 already/);
  });
});

describe("importing items", () => {
  const rows =
    "*ItemCode;ItemName;SalesDescription;SalesUnitPrice;SalesAccount;SalesTaxRate\n" +
    "W-1;Widget;A widget;4,1250;200;20% (VAT on Income)\n" +
    "W-2;Gadget;;;;\n" +
    ";Nothing;;;;\n" +
    "W-3;Bad;;4,1;200;No such tax\n";

  test("items are imported with prices of four decimals and tax rates by name", async () => {
    const file = desk.file("items.csv", rows);
    const done = await desk.import("items", file, "--decimal", "comma", "--on-error", "skip");
    expect(done.items).toMatchObject({ imported: 2, refused: 2 });
    expect(done.refused.map(({ reason }) => reason)).toEqual([
      "The row has no code.",
      "There is no tax rate No such tax in use. acct tax-rate list shows them.",
    ]);
    expect(await show("item", "W-1")).toMatchObject({
      Name: "Widget",
      Description: "A widget",
      SalesDetails: { UnitPrice: 4.125, AccountCode: "200", TaxType: "OUTPUT2" },
    });
  });

  test("existing items keep the fields that a later import file lacks", async () => {
    await desk.import(
      "items",
      desk.file("a.csv", rows),
      "--decimal",
      "comma",
      "--on-error",
      "skip",
    );
    const file = desk.file("b.csv", "Code,SalesDetails.UnitPrice\nw-1,5\nW-2,\n");
    const done = await desk.import("items", file, "--on-duplicate", "update");
    expect(done).toMatchObject({ code: 0, items: { updated: 1, existing: 1 } });
    expect(await show("item", "W-1")).toMatchObject({
      SalesDetails: { UnitPrice: 5, AccountCode: "200" },
    });
  });
});

describe("importing payments", () => {
  const head = "InvoiceNumber,Date,Amount,Reference,AccountCode\n";
  const pay = (number: string, amount: string, reference = "", day = "2026-01-09") =>
    `${number},${day},${amount},${reference},090\n`;

  beforeEach(async () => {
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
    const rows =
      "ContactName,InvoiceNumber,Date,DueDate,Description,Quantity,UnitAmount,AccountCode,TaxType\n" +
      "Acme,1,2026-01-05,2026-02-05,Work,1,100,200,NONE\n" +
      "Acme,2,2026-01-05,2026-02-05,Work,1,50,200,NONE\n";
    const file = desk.file("invoices.csv", rows);
    await desk.import("invoices", file, "--create-contacts", "--status", "AUTHORISED");
    await desk.import(
      "invoices",
      desk.file("draft.csv", rows.replace("Acme,1", "Acme,3")),
      "--on-error",
      "skip",
    );
  });

  test("payments are imported once, however often the file is imported", async () => {
    const file = desk.file("pay.csv", head + pay("1", "40") + pay("1", "40") + pay("2", "50", "x"));
    const done = await desk.import("payments", file);
    expect(done).toMatchObject({
      code: 0,
      payments: { imported: 3 },
      amounts: { GBP: { imported: 130 } },
    });
    expect(await show("invoice", "1")).toMatchObject({ AmountDue: 20, AmountPaid: 80 });
    expect(await show("invoice", "2")).toMatchObject({ Status: "PAID" });
    const again = await desk.import("payments", file);
    expect(again).toMatchObject({ code: 0, payments: { imported: 0, existing: 3 } });
    // A third equal row is a third payment.
    const more = desk.file("more.csv", head + pay("1", "10").repeat(1) + pay("1", "40").repeat(2));
    expect((await desk.import("payments", more)).payments).toMatchObject({
      imported: 1,
      existing: 2,
    });
  });

  test("reversed payments are not imported again without --recreate", async () => {
    const file = desk.file("pay.csv", head + pay("1", "40"));
    await desk.import("payments", file);
    const [made] = await desk.list<{ PaymentID: string }>("payment", "list");
    await desk.acct("payment", "reverse", made?.PaymentID ?? "", "--yes");
    expect((await desk.import("payments", file)).payments).toMatchObject({ existing: 1 });
    expect((await desk.import("payments", file, "--recreate")).payments).toMatchObject({
      imported: 1,
    });
  });

  test.each<[what: string, row: string, reason: RegExp]>([
    ["more than is due", pay("1", "100.01"), /more than the 100.00 that are due on 1/],
    ["an unknown invoice", pay("9", "1"), /no invoice 9/],
    ["a draft invoice", pay("3", "1"), /3 is DRAFT; only what is approved/],
    ["nothing", pay("1", "0"), /above zero, not 0.00/],
    ["no date", pay("1", "1", "", ""), /no date/],
    [
      "an account that takes no payments",
      pay("1", "1").replace("090", "200"),
      /account 200 takes no payments/,
    ],
    ["an account that is not there", pay("1", "1").replace("090", "999"), /no account 999/],
    ["no invoice", pay("", "1"), /names no invoice/],
  ])(
    "an imported payment of %s is refused, and the others are imported",
    async (_, row, reason) => {
      const file = desk.file("pay.csv", head + row + pay("2", "5"));
      const done = await desk.import("payments", file, "--on-error", "skip");
      expect(done.refused).toEqual([
        expect.objectContaining({ row: 2, reason: expect.stringMatching(reason) }),
      ]);
      expect(done.payments).toMatchObject({ imported: 1, refused: 1 });
    },
  );

  test("imported payments that together exceed the amount due are refused", async () => {
    const file = desk.file("pay.csv", head + pay("1", "60") + pay("1", "60", "b"));
    const done = await desk.import("payments", file, "--on-error", "skip");
    expect(done.refused).toEqual([
      { row: 3, record: "1", reason: expect.stringMatching(/more than the 40.00/) },
    ]);
  });
});
