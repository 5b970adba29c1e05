/** Overpayments: money beyond what was owed, which stands on receivables or payables. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  reportRows,
  type World,
  world,
} from "../fixture.ts";

async function overpaid(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE-OVERPAYMENT",
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineItems: [{ Description: "Paid twice", UnitAmount: 80 }],
    ...fields,
  });
  return answer.BankTransactions[0];
}

async function refunded(given: World, made: Json, Amount: number): Promise<Json> {
  const answer = await given.ok("PUT", "/Payments", {
    Overpayment: { OverpaymentID: made.OverpaymentID },
    Account: { Code: "090" },
    Date: "2026-03-12",
    Amount,
  });
  return answer.Payments[0];
}

const read = async (given: World, made: Json): Promise<Json> =>
  (await given.ok("GET", `/Overpayments/${made.OverpaymentID}`)).Overpayments[0];

const cash = async (given: World) =>
  reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly: "true" });

describe("an overpayment", () => {
  test("an overpayment is one line without tax on accounts receivable, on both accounting bases", async () => {
    const given = await world();
    const made = await overpaid(given, { Reference: "Twice", LineAmountTypes: "Exclusive" });
    expect(made.OverpaymentID).toBe(made.BankTransactionID);
    expect(made.PrepaymentID).toBeUndefined();
    expect(await read(given, made)).toMatchObject({
      OverpaymentID: made.BankTransactionID,
      Type: "RECEIVE-OVERPAYMENT",
      Status: "AUTHORISED",
      LineAmountTypes: "NoTax",
      SubTotal: 80,
      TotalTax: 0,
      Total: 80,
      RemainingCredit: 80,
      Reference: "Twice",
      LineItems: [{ AccountCode: "610", TaxType: "NONE", TaxAmount: 0, LineAmount: 80 }],
    });
    expect(await movements(given)).toEqual({
      "Business Account (090)": 80,
      "Accounts Receivable (610)": -80,
      Total: 0,
    });
    expect(await cash(given)).toEqual(
      await reportRows(given, "TrialBalance", { date: "2026-03-31" }),
    );
    const [journal] = (await given.ok("GET", "/Journals")).Journals;
    expect(journal.SourceType).toBe("AROVERPAYMENT");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an overpayment of money spent is posted to payables, and its refund receives money", async () => {
    const given = await world();
    const made = await overpaid(given, { Type: "SPEND-OVERPAYMENT" });
    expect(await movements(given)).toEqual({
      "Business Account (090)": -80,
      "Accounts Payable (800)": 80,
      Total: 0,
    });
    const refund = await refunded(given, made, 30);
    expect(refund.PaymentType).toBe("APOVERPAYMENTPAYMENT");
    expect(await movements(given)).toMatchObject({
      "Business Account (090)": -50,
      "Accounts Payable (800)": 50,
    });
    const journals = (await given.ok("GET", "/Journals")).Journals;
    expect(journals.map((each: Json) => each.SourceType)).toEqual([
      "APOVERPAYMENT",
      "APOVERPAYMENT",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an overpayment reduces the outstanding balance of the contact", async () => {
    const given = await world();
    const made = await overpaid(given);
    const [found] = (await given.ok("GET", `/Contacts/${made.Contact.ContactID}`)).Contacts;
    expect(found.Balances.AccountsReceivable.Outstanding).toBe(-80);
  });

  test.each([
    [
      {
        LineItems: [
          { Description: "One", UnitAmount: 1 },
          { Description: "Two", UnitAmount: 2 },
        ],
      },
      "An overpayment has exactly one line.",
    ],
    [
      { LineItems: [{ Description: "One", UnitAmount: 115, TaxAmount: 15 }] },
      "An overpayment bears no tax.",
    ],
    [
      { LineItems: [{ Description: "One", UnitAmount: -1 }] },
      "The total of a bank transaction must be above zero.",
    ],
  ])("an invalid overpayment is refused: %j", async (fields, sentence) => {
    const given = await world();
    expect(
      await given.refused("PUT", "/BankTransactions", {
        Type: "RECEIVE-OVERPAYMENT",
        Contact: await contact(given),
        BankAccount: { Code: "090" },
        ...fields,
      }),
    ).toContain(sentence);
  });
});

describe("a refund of an overpayment", () => {
  test("a refund reduces the overpayment in receivables until nothing is left, and can be reversed", async () => {
    const given = await world();
    const made = await overpaid(given);
    const first = await refunded(given, made, 30);
    expect(first.PaymentType).toBe("AROVERPAYMENTPAYMENT");
    expect(await movements(given)).toMatchObject({ "Accounts Receivable (610)": -50 });
    expect(await read(given, made)).toMatchObject({ Status: "AUTHORISED", RemainingCredit: 50 });
    await refunded(given, made, 50);
    expect(await read(given, made)).toMatchObject({ Status: "PAID", RemainingCredit: 0 });
    expect(await movements(given)).toEqual({ Total: 0 });
    expect((await cash(given)).Total).toEqual(["0.00", "0.00", "0.00", "0.00"]);
    await given.ok("POST", `/Payments/${first.PaymentID}`, { Status: "DELETED" });
    expect(await read(given, made)).toMatchObject({ Status: "AUTHORISED", RemainingCredit: 30 });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("an allocation of an overpayment", () => {
  test("allocating an overpayment changes only amounts due, and posts the invoice on the cash basis", async () => {
    const given = await world();
    const made = await overpaid(given);
    const [{ InvoiceID }] = (
      await given.ok("PUT", "/Invoices", {
        Type: "ACCREC",
        Status: "AUTHORISED",
        Contact: { ContactID: made.Contact.ContactID },
        Date: "2026-03-05",
        DueDate: "2026-03-20",
        LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
      })
    ).Invoices;
    await refunded(given, made, 34);
    await given.ok("PUT", `/Overpayments/${made.OverpaymentID}/Allocations`, {
      Allocations: [{ Invoice: { InvoiceID }, AppliedAmount: 23 }],
    });
    expect(await movements(given)).toMatchObject({
      "Business Account (090)": 46,
      "Accounts Receivable (610)": 69,
      "Sales (200)": -100,
      "GST (820)": -15,
    });
    expect(await cash(given)).toMatchObject({
      "Accounts Receivable (610)": ["", "23.00", "", "23.00"],
      "Sales (200)": ["", "20.00", "", "20.00"],
      "GST (820)": ["", "3.00", "", "3.00"],
    });
    await refunded(given, made, 23);
    expect(await read(given, made)).toMatchObject({ Status: "PAID", RemainingCredit: 0 });
    expect(await movements(given)).toMatchObject({ "Accounts Receivable (610)": 92 });
    expect(await cash(given)).not.toHaveProperty("Accounts Receivable (610)");
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("lists and voids of overpayments", () => {
  test("the list of overpayments has no other bank transactions", async () => {
    const given = await world();
    const first = await overpaid(given, { Reference: "Twice" });
    const second = await overpaid(given, { Type: "SPEND-OVERPAYMENT", Date: "2026-02-28" });
    await overpaid(given, {
      Type: "RECEIVE",
      LineItems: [{ Description: "Work", UnitAmount: 1, AccountCode: "200" }],
    });
    const ids = async (query: Record<string, string>) =>
      (await given.ok("GET", "/Overpayments", undefined, { query })).Overpayments.map(
        (each: Json) => each.OverpaymentID,
      );
    expect(await ids({})).toEqual([first.OverpaymentID, second.OverpaymentID]);
    expect(await ids({ References: "twice" })).toEqual([first.OverpaymentID]);
    expect(await ids({ order: "Date", page: "1" })).toEqual([
      second.OverpaymentID,
      first.OverpaymentID,
    ]);
    expect(await ids({ where: 'Type=="SPEND-OVERPAYMENT"' })).toEqual([second.OverpaymentID]);
    expect((await given.ask("PUT", "/Overpayments", {})).status).toBe(501);
  });

  test("overpayments are returned as XML", async () => {
    const given = await world();
    const { OverpaymentID } = await overpaid(given);
    const { text } = await given.ask("GET", `/Overpayments/${OverpaymentID}`, undefined, {
      headers: { accept: "text/xml" },
    });
    expect(text).toMatch(/<Overpayments>\s*<Overpayment>/);
    expect(text).toContain("<RemainingCredit>80.00</RemainingCredit>");
  });
});

describe("voiding an overpayment", () => {
  test.each([
    ["BankTransactions", { Status: "DELETED" }],
    ["Overpayments", { Status: "VOIDED" }],
  ])(
    "an overpayment voided through %s reverses its postings to receivables and the bank account",
    async (list, change) => {
      const given = await world();
      const made = await overpaid(given);
      const refund = await refunded(given, made, 30);
      const path = `/${list}/${made.OverpaymentID}`;
      expect(await given.refused("POST", path, change)).toEqual([
        "30.00 of this overpayment was refunded on 2026-03-12: delete the payment first.",
      ]);
      await given.ok("POST", `/Payments/${refund.PaymentID}`, { Status: "DELETED" });
      expect((await given.ok("POST", path, change))[list][0].Status).toBe("VOIDED");
      expect((await read(given, made)).Status).toBe("VOIDED");
      expect(await movements(given)).toEqual({ Total: 0 });
      expect(await cash(given)).toEqual({ Total: ["0.00", "0.00", "0.00", "0.00"] });
      expect(await faultsIn(given)).toEqual([]);
    },
  );
});
