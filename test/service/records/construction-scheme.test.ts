/** The construction industry scheme: what is deducted from bills and from sales, and what that leaves. */
import { describe, expect, test } from "vitest";
import type { Percent } from "../../../src/ledger/money.ts";
import { changeBook } from "../../../src/service/books/book.ts";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";

type Line = readonly [account: string, amount: number, taxType: string];

const linesOf = (lines: readonly Line[]) =>
  lines.map(([AccountCode, UnitAmount, TaxType]) => ({
    Description: "x",
    Quantity: 1,
    UnitAmount,
    AccountCode,
    TaxType,
  }));

/** A contractor that is a subcontractor at 20 % as well, and a subcontractor of its own at 20 %. */
async function builders(): Promise<{ given: World; roofer: Json }> {
  const given = await world("GB");
  const cis = { contractor: true, subContractor: true, rate: 200_000 as Percent };
  await changeBook(given.book, { cis });
  const roofer = await contact(given, { Name: "Dale Roofing" });
  await given.ok("POST", `/Contacts/${roofer.ContactID}/CISSettings`, { Rate: 20 });
  return { given, roofer };
}

async function invoice(given: World, party: Json, lines: readonly Line[], fields: object = {}) {
  const body = sale(party, { Status: "AUTHORISED", LineItems: linesOf(lines), ...fields });
  return (await given.ok("PUT", "/Invoices", body)).Invoices[0] as Json;
}

/** Labour of 2,200.00 and materials of 367.00: 440.00 of the 2,567.00 is deducted. */
const work: readonly Line[] = [
  ["322", 2200, "NONE"],
  ["323", 367, "NONE"],
];

const bill = (given: World, party: Json, fields: object = {}, lines = work) =>
  invoice(given, party, lines, { Type: "ACCPAY", ...fields });

const read = async (given: World, { InvoiceID }: Json) =>
  (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0] as Json;

const cash = async (given: World) =>
  Object.fromEntries(
    Object.entries(
      await reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly: "true" }),
    ).map(([name, [debit, credit]]) => [name, Number(debit || 0) - Number(credit || 0)]),
  );

describe("subcontractors' bills in the construction industry scheme", () => {
  test("a subcontractor's bill posts the CIS deduction from labour to the tax office, the rest to the subcontractor", async () => {
    const { given, roofer } = await builders();
    const made = await bill(given, roofer);
    expect(made).toMatchObject({
      Total: 2567,
      CISDeduction: 440,
      CISRate: 20,
      AmountDue: 2127,
      Status: "AUTHORISED",
    });
    expect(await movements(given)).toMatchObject({
      "CIS Labour Expense (322)": 2200,
      "CIS Materials Purchased (323)": 367,
      "CIS Liability (837)": -440,
      "Accounts Payable (800)": -2127,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a subcontractor's bill is paid with the amount due, and then accrual and cash basis agree", async () => {
    const { given, roofer } = await builders();
    const made = await bill(given, roofer);
    await paid(given, made, { Amount: 1000 });
    // 1,000.00 of 2,127.00 brings as much of each line and of the deduction.
    expect(await cash(given)).toMatchObject({
      "CIS Labour Expense (322)": 1034.32,
      "CIS Materials Purchased (323)": 172.54,
      "CIS Liability (837)": -206.86,
    });
    await paid(given, made, { Amount: 1127 });
    expect(await read(given, made)).toMatchObject({ Status: "PAID", AmountDue: 0 });
    const accrual = await movements(given);
    expect(accrual["Accounts Payable (800)"]).toBeUndefined();
    expect(await cash(given)).toEqual(accrual);
    expect(await faultsIn(given)).toEqual([]);
    await given.refused("PUT", "/Payments", {
      Invoice: { InvoiceID: made.InvoiceID },
      Account: { Code: "090" },
      Amount: 0.01,
    });
  });

  test("the CIS deduction is computed from the net of tax-inclusive lines, rounded once", async () => {
    const { given, roofer } = await builders();
    const lines: readonly Line[] = [
      ["322", 100.03, "INPUT2"],
      ["322", 50.05, "INPUT2"],
    ];
    const made = await bill(given, roofer, { LineAmountTypes: "Inclusive" }, lines);
    // Nets of 83.36 and 41.71: 20 % of 125.07.
    expect(made).toMatchObject({ Total: 150.08, CISDeduction: 25.01, AmountDue: 125.07 });
  });

  test("a draft bill shows the CIS deduction, and its approval uses the contact's rate at that time", async () => {
    const { given, roofer } = await builders();
    const draft = await bill(given, roofer, { Status: "DRAFT" });
    expect(draft).toMatchObject({ CISDeduction: 440, AmountDue: 2127 });
    await given.ok("POST", `/Contacts/${roofer.ContactID}/CISSettings`, { Rate: 30 });
    await given.ok("POST", `/Invoices/${draft.InvoiceID}`, { Status: "AUTHORISED" });
    expect(await read(given, draft)).toMatchObject({ CISDeduction: 660, CISRate: 30 });
    await given.ok("POST", `/Contacts/${roofer.ContactID}/CISSettings`, { Rate: 20 });
    await given.ok("POST", `/Invoices/${draft.InvoiceID}`, { Reference: "as it was" });
    expect(await read(given, draft)).toMatchObject({ CISDeduction: 660, AmountDue: 1907 });
  });

  test("no CIS deduction is made for a contact outside the scheme, or for materials only", async () => {
    const { given, roofer } = await builders();
    const other = await contact(given);
    expect(await bill(given, other)).toMatchObject({ AmountDue: 2567 });
    const materials = await bill(given, roofer, {}, [["323", 100, "NONE"]]);
    expect(materials).toMatchObject({ AmountDue: 100 });
    expect(materials.CISDeduction).toBeUndefined();
  });

  test("a CIS deduction sent with a bill is kept until its lines change", async () => {
    const { given, roofer } = await builders();
    const made = await bill(given, roofer, { CISDeduction: 400, Status: "DRAFT" });
    expect(made).toMatchObject({ CISDeduction: 400, AmountDue: 2167 });
    expect(made.CISRate).toBeUndefined();
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "AUTHORISED" });
    expect(await read(given, made)).toMatchObject({ CISDeduction: 400, AmountDue: 2167 });
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { CISDeduction: 410 });
    expect(await movements(given)).toMatchObject({
      "CIS Liability (837)": -410,
      "Accounts Payable (800)": -2157,
    });
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, {
      LineItems: linesOf([["322", 1000, "NONE"]]),
    });
    expect(await read(given, made)).toMatchObject({ CISDeduction: 200, AmountDue: 800 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a CIS deduction may be sent with the bill of a contact without a CIS rate", async () => {
    const { given } = await builders();
    const made = await bill(given, await contact(given), { CISDeduction: 100 });
    expect(made).toMatchObject({ CISDeduction: 100, AmountDue: 2467 });
  });

  test.each([
    [-1, "The CISDeduction must not be negative."],
    [2567, "The CISDeduction of 2567.00 must be below the total of 2567.00."],
  ])("the CIS deduction of %d is refused", async (CISDeduction, sentence) => {
    const { given, roofer } = await builders();
    const LineItems = linesOf(work);
    const body = sale(roofer, { Type: "ACCPAY", Status: "AUTHORISED", CISDeduction, LineItems });
    expect(await given.refused("PUT", "/Invoices", body)).toEqual([sentence]);
  });

  test("the CIS deduction of a bill cannot be changed after its first payment", async () => {
    const { given, roofer } = await builders();
    const made = await bill(given, roofer);
    await paid(given, made, { Amount: 100 });
    await given.refused("POST", `/Invoices/${made.InvoiceID}`, { CISDeduction: 100 });
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { CISDeduction: 440, Reference: "same" });
  });

  test("voiding a subcontractor's bill reverses its CIS deduction", async () => {
    const { given, roofer } = await builders();
    const made = await bill(given, roofer);
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
    expect(Object.values(await movements(given)).every((moved) => moved === 0)).toBe(true);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("the aged payables report shows the amount due of a bill after its CIS deduction", async () => {
    const { given, roofer } = await builders();
    await bill(given, roofer);
    const query = { contactID: roofer.ContactID, date: "2026-03-31" };
    const { Total } = await reportRows(given, "AgedPayablesByContact", query);
    expect(Total?.slice(-4)).toEqual(["2567.00", "0.00", "0.00", "2127.00"]);
  });
});

test("the PDF of a subcontractor's bill shows the CIS deduction", async () => {
  const { given, roofer } = await builders();
  const { InvoiceID } = await bill(given, roofer);
  const { body } = await given.book.transport({
    method: "GET",
    path: `/Invoices/${InvoiceID}`,
    query: [],
    headers: { accept: "application/pdf" },
  });
  const texts = readPdf(body as Uint8Array).pages.flat();
  const at = texts.indexOf("Less CIS deduction");
  expect(texts.slice(at, at + 4)).toEqual([
    "Less CIS deduction",
    "\u2212440.00",
    "Amount due GBP",
    "2,127.00",
  ]);
});

test("an invoice for labour has its CIS deduction subtracted from the amount due, and posted as owed by the tax office", async () => {
  const { given } = await builders();
  const customer = await contact(given);
  const made = await invoice(given, customer, [
    ["211", 1000, "OUTPUT2"],
    ["200", 300, "OUTPUT2"],
  ]);
  expect(made).toMatchObject({ Total: 1560, CISDeduction: 200, AmountDue: 1360 });
  expect(await movements(given)).toMatchObject({
    "CIS Asset (836)": 200,
    "Accounts Receivable (610)": 1360,
    "VAT (820)": -260,
  });
  await paid(given, made);
  expect((await cash(given))["CIS Asset (836)"]).toBe(200);
  expect(await faultsIn(given)).toEqual([]);
});

test("a credit note reverses its share of the CIS deduction, and settles the bill with the rest", async () => {
  const { given, roofer } = await builders();
  const made = await bill(given, roofer);
  const body = {
    Type: "ACCPAYCREDIT",
    Contact: { ContactID: roofer.ContactID },
    CreditNoteNumber: "DR-7",
    Date: "2026-03-05",
    Status: "AUTHORISED",
    LineItems: linesOf([["322", 200, "NONE"]]),
  };
  const [credit] = (await given.ok("PUT", "/CreditNotes", body)).CreditNotes;
  expect(credit).toMatchObject({ Total: 200, CISDeduction: 40, RemainingCredit: 160 });
  expect(await movements(given)).toMatchObject({
    "CIS Liability (837)": -400,
    "Accounts Payable (800)": -1967,
  });
  await given.ok("PUT", `/CreditNotes/${credit.CreditNoteID}/Allocations`, {
    Invoice: { InvoiceID: made.InvoiceID },
    Amount: 160,
  });
  expect(await read(given, made)).toMatchObject({ AmountDue: 1967, AmountCredited: 160 });
  await paid(given, made, { Amount: 1967 });
  expect(await read(given, made)).toMatchObject({ Status: "PAID" });
  const accrual = await movements(given);
  expect(accrual["Accounts Payable (800)"]).toBeUndefined();
  expect(await cash(given)).toEqual(accrual);
  expect(await faultsIn(given)).toEqual([]);
});

test("a CIS deduction sent in a book outside the scheme is ignored, with a warning", async () => {
  const given = await world("GB");
  const body = sale(await contact(given), { Status: "AUTHORISED", CISDeduction: 9 });
  const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
  expect(made.CISDeduction).toBeUndefined();
  expect(made.Warnings).toEqual([
    { Message: "CISDeduction is for the construction industry scheme only." },
  ]);
});

describe("a reverse charge", () => {
  const gst = async (given: World) => {
    const { Journals } = await given.ok("GET", "/Journals");
    return (Journals as Json[]).map((journal) =>
      journal.JournalLines.filter((line: Json) => line.AccountName === "VAT").map(
        (line: Json) => line.NetAmount,
      ),
    );
  };

  test.each([
    ["REVERSECHARGES", 20],
    ["ECACQUISITIONS", 20],
    ["DRCHARGESUPPLY20", 20],
    ["DRCHARGESUPPLY5", 5],
  ])(
    "a bill with the reverse charge %s posts tax as owed and as reclaimed, and owes the supplier the net",
    async (taxType, tax) => {
      const given = await world("GB");
      const made = await bill(given, await contact(given), {}, [["429", 100, taxType]]);
      expect(made).toMatchObject({ Total: 100, TotalTax: 0, AmountDue: 100 });
      expect(await gst(given)).toEqual([[-tax, tax]]);
      expect(await movements(given)).toMatchObject({ "Accounts Payable (800)": -100 });
      await paid(given, made);
      expect(await faultsIn(given)).toEqual([]);
      await given.ok("POST", `/Payments/${(await read(given, made)).Payments[0].PaymentID}`, {
        Status: "DELETED",
      });
      await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
      expect((await gst(given)).flat().sort()).toEqual([-tax, -tax, tax, tax].sort());
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("reverse charge tax is posted next to the tax of other lines, and not on the supplier's own sales", async () => {
    const given = await world("GB");
    const party = await contact(given);
    await bill(given, party, {}, [
      ["429", 100, "REVERSECHARGES"],
      ["429", 50, "INPUT2"],
    ]);
    await invoice(given, party, [["200", 100, "DRCHARGE20"]]);
    expect(await gst(given)).toEqual([[10, -20, 20], []]);
    const spent = {
      Type: "SPEND",
      Contact: { ContactID: party.ContactID },
      BankAccount: { Code: "090" },
      Date: "2026-03-02",
      LineItems: linesOf([["429", 30, "REVERSECHARGES"]]),
    };
    await given.ok("PUT", "/BankTransactions", spent);
    expect((await gst(given)).at(-1)).toEqual([-6, 6]);
  });
});
