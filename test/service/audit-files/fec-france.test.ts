/** The FEC of a French company: accounts of tax by the kind of line, and lettering. */
import { expect, test } from "vitest";
import { readFec } from "../../cli/export/audit.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { basis, document } from "../reports/tax/returns.ts";
import { auditBytes } from "./audit-bytes.ts";

const bill = { Type: "ACCPAY" };

const credited = (given: World, { ContactID }: Json, amount: number) =>
  given.ok("PUT", "/CreditNotes", {
    ...{ Type: "ACCRECCREDIT", Contact: { ContactID }, Date: "2026-03-12" },
    ...{ Status: "AUTHORISED", CreditNoteNumber: "AV-1" },
    LineItems: [
      {
        ...{ Description: "x", Quantity: 1, UnitAmount: amount },
        ...{ AccountCode: "707000", TaxType: "OUTPUT20" },
      },
    ],
  });

const pay = (given: World, { InvoiceID }: Json, day: string, Amount: number) =>
  given.ok("PUT", "/Payments", {
    ...{ Invoice: { InvoiceID }, Account: { Code: "512100" }, Date: day, Amount },
  });

async function rowsNow(given: World) {
  const text = (await auditBytes(given, "fec", { siren: "732829320" })).toString();
  const { rows, faults } = readFec(text);
  expect(faults).toEqual([]);
  return rows;
}

/** Numbers of the accounts of a document with their amounts, debit positive. */
async function accountsOf(given: World, number: string): Promise<Record<string, string>> {
  const own = (await rowsNow(given)).filter(({ PieceRef }) => PieceRef === number);
  return Object.fromEntries(
    own.map(({ CompteNum = "", Debit, Credit }) => [
      CompteNum,
      Debit === "0,00" ? `-${Credit}` : `${Debit}`,
    ]),
  );
}

async function french(): Promise<{ given: World; customer: Json }> {
  const given = await world("FR");
  await basis(given, "CASH");
  return { given, customer: await contact(given, { Name: "Galerie du Port" }) };
}

test.each<[what: string, lines: Parameters<typeof document>[3], accounts: Record<string, string>]>([
  [
    "goods and furniture",
    [
      ["606400", 100, "INPUT20"],
      ["218400", 1000, "CAPEX20"],
    ],
    { 445660: "20,00", 445620: "200,00", 401000: "-1320,00" },
  ],
  ["fuel, of whose tax a fifth is a cost", [["606140", 100, "FUEL20"]], { 445660: "16,00" }],
  [
    "goods from the EU, tax owed and deducted",
    [["607000", 1500, "ECACQUISITIONS20"]],
    { 445200: "-300,00", 445662: "300,00", 401000: "-1500,00" },
  ],
  [
    "a service from abroad and a purchase at home",
    [
      ["622600", 850.4, "REVERSESERVICES20"],
      ["606400", 50, "INPUT55"],
    ],
    { 445210: "-170,08", 445662: "170,08", 445660: "2,75" },
  ],
  ["an import", [["607000", 3200, "IMPORT20"]], { 445300: "-640,00", 445663: "640,00" }],
])("the FEC has the tax of a bill on its own accounts: %s", async (what, lines, accounts) => {
  const { given, customer } = await french();
  const number = what.slice(0, 20);
  await document(given, customer, { ...bill, InvoiceNumber: number }, lines);
  const found = await accountsOf(given, number);
  expect(found).toMatchObject(accounts);
  expect(found).not.toHaveProperty("445000");
});

test("the FEC letters an invoice with its payments and credit note once it is settled in full", async () => {
  const { given, customer } = await french();
  const lines = [["707000", 1000, "OUTPUT20"]] as const;
  const dates = { Date: "2026-03-05", DueDate: "2026-12-31" };
  const first = await document(given, customer, { ...dates, InvoiceNumber: "F-1" }, lines);
  const second = await document(given, customer, { ...dates, InvoiceNumber: "F-2" }, lines);
  const [note] = (await credited(given, customer, 200)).CreditNotes;
  await given.ok("PUT", `/CreditNotes/${note.CreditNoteID}/Allocations`, {
    Allocations: [{ Invoice: { InvoiceID: first.InvoiceID }, AppliedAmount: 240 }],
  });
  await pay(given, second, "2026-03-20", 700);
  await pay(given, first, "2026-03-25", 960);
  const lettered = async () =>
    (await rowsNow(given))
      .filter(({ CompteNum }) => CompteNum === "411000")
      .map(({ PieceRef, EcritureLet, DateLet }) =>
        [PieceRef, EcritureLet, DateLet].join(" ").trim(),
      );
  expect(await lettered()).toEqual([
    "F-1 AAA 20260325",
    "F-2",
    "AV-1 AAA 20260325",
    "F-2",
    "F-1 AAA 20260325",
  ]);
  expect(await accountsOf(given, "AV-1")).toMatchObject({ 445710: "40,00", 707000: "200,00" });
  await pay(given, second, "2026-04-02", 500);
  expect((await lettered()).filter((line) => line.includes("AAB"))).toHaveLength(3);
});

test("a deposit is an entry of the bank, and one of the general journal once it is applied to an invoice", async () => {
  const { given, customer } = await french();
  const Contact = { ContactID: customer.ContactID };
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    ...{ Type: "RECEIVE-PREPAYMENT", Contact, BankAccount: { Code: "512100" } },
    ...{ Date: "2026-03-02", LineAmountTypes: "Inclusive" },
    LineItems: [{ Description: "Acompte", UnitAmount: 120, AccountCode: "419100" }],
  });
  const { InvoiceID } = await document(given, customer, { InvoiceNumber: "F-1" }, [
    ["707000", 500, "OUTPUT20"],
  ]);
  const path = `/Prepayments/${BankTransactions[0].PrepaymentID}/Allocations`;
  await given.ok("PUT", path, { Amount: 120, Invoice: { InvoiceID } });
  const entries = (await rowsNow(given)).map(
    ({ JournalCode, PieceRef, CompteNum, Debit, Credit }) =>
      [JournalCode, PieceRef, CompteNum, Debit, Credit].join(" "),
  );
  expect(
    entries
      .filter((each) => /^(BQ|OD)/.test(each))
      .map((each) => each.replace(/^(\w+) \d+ /, "$1 ")),
  ).toEqual([
    "BQ 512100 120,00 0,00",
    "BQ 419100 0,00 100,00",
    "BQ 445710 0,00 20,00",
    "OD F-1 411000 0,00 120,00",
    "OD F-1 419100 100,00 0,00",
    "OD F-1 445710 20,00 0,00",
  ]);
});
