/** Every row of the service document's table of invoice states, and every pair it does not have. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  movements,
  paid,
  reportRows,
  sale,
  stocked,
  type World,
  world,
} from "../fixture.ts";
import { testTransitions } from "./transitions.ts";

const states = ["DRAFT", "SUBMITTED", "AUTHORISED", "DELETED", "VOIDED", "PAID"] as const;
type State = (typeof states)[number];

/** Brings an invoice into a state by the road that the service document gives. */
async function inState(given: World, state: State): Promise<Json> {
  if (state === "DELETED" || state === "VOIDED") {
    const made = await invoiced(given, { Status: state === "DELETED" ? "DRAFT" : "AUTHORISED" });
    const answer = await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: state });
    return answer.Invoices[0];
  }
  if (state === "PAID") {
    const made = await invoiced(given, { Status: "AUTHORISED" });
    await paid(given, made);
    return (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices[0];
  }
  return invoiced(given, { Status: state });
}

describe("creating an invoice", () => {
  test.each(["DRAFT", "SUBMITTED", "AUTHORISED"])(
    "an invoice created with Status %s has that status",
    async (Status) => {
      const given = await world();
      expect((await invoiced(given, { Status })).Status).toBe(Status);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("an invoice created without a Status is a draft", async () => {
    expect((await invoiced(await world())).Status).toBe("DRAFT");
  });

  test.each(["DELETED", "VOIDED", "PAID"])(
    "creating an invoice with Status %s is refused",
    async (Status) => {
      const given = await world();
      const body = sale(await contact(given), { Status });
      expect(await given.refused("PUT", "/Invoices", body)).toEqual([
        "Invoice not of valid status for creation",
      ]);
    },
  );
});

const allowed: readonly (readonly [State, State])[] = [
  ["DRAFT", "DRAFT"],
  ["DRAFT", "SUBMITTED"],
  ["DRAFT", "AUTHORISED"],
  ["DRAFT", "DELETED"],
  ["SUBMITTED", "SUBMITTED"],
  ["SUBMITTED", "AUTHORISED"],
  ["SUBMITTED", "DRAFT"],
  ["SUBMITTED", "DELETED"],
  ["AUTHORISED", "AUTHORISED"],
  ["AUTHORISED", "VOIDED"],
  // An invoice that is sent back as it was read says PAID, and stays so.
  ["PAID", "PAID"],
];

describe("a status update", () => {
  testTransitions({
    states,
    allowed,
    inState: async (given, state) => `/Invoices/${(await inState(given, state)).InvoiceID}`,
    refusal: () => [expect.stringMatching(/status|deleted/i)],
  });

  test("deleting an AUTHORISED invoice is refused, with a message that it can only be voided", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    expect(
      await given.refused("POST", `/Invoices/${made.InvoiceID}`, { Status: "DELETED" }),
    ).toEqual(["An AUTHORISED invoice cannot be deleted; it can only be voided"]);
  });

  test("an invoice with a payment cannot be voided until the payment is reversed", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    const payment = await paid(given, made, { Amount: 15 });
    const path = `/Invoices/${made.InvoiceID}`;
    await given.refused("POST", path, { Status: "VOIDED" });
    await given.ok("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" });
    await given.ok("POST", path, { Status: "VOIDED" });
    expect(await faultsIn(given)).toEqual([]);
  });
});

test("payments that cover the invoice amount make it PAID, with the date", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  await paid(given, made, { Amount: 40, Date: "2026-03-05" });
  const path = `/Invoices/${made.InvoiceID}`;
  expect((await given.ok("GET", path)).Invoices[0]).toMatchObject({
    Status: "AUTHORISED",
    AmountPaid: 40,
    AmountDue: 75,
  });
  await paid(given, made, { Amount: 75, Date: "2026-03-09" });
  expect((await given.ok("GET", path)).Invoices[0]).toMatchObject({
    Status: "PAID",
    AmountPaid: 115,
    AmountDue: 0,
    FullyPaidOnDateString: "2026-03-09T00:00:00",
  });
  expect(await faultsIn(given)).toEqual([]);
});

test("reversing a payment restores the amounts and the status of the invoice", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const payment = await paid(given, made);
  await given.ok("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" });
  const [found] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
  expect(found).toMatchObject({
    Status: "AUTHORISED",
    AmountPaid: 0,
    AmountDue: 115,
    Payments: [],
  });
  expect(found.FullyPaidOnDate).toBeUndefined();
  expect(await faultsIn(given)).toEqual([]);
});

describe("a document with a total of zero", () => {
  const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
  const off = { Description: "Given away", Quantity: 1, UnitAmount: -100, AccountCode: "260" };
  const kinds = [
    ["Invoices", { Type: "ACCREC" }],
    ["Invoices", { Type: "ACCPAY", InvoiceNumber: "B-1" }],
    ["CreditNotes", { Type: "ACCRECCREDIT", CreditNoteNumber: "C-1" }],
    ["CreditNotes", { Type: "ACCPAYCREDIT", CreditNoteNumber: "C-2" }],
  ] as const;

  async function settled(given: World, list: string, fields: object): Promise<Json> {
    const body = sale(await contact(given), {
      ...fields,
      Status: "AUTHORISED",
      LineItems: [line, off].map((each) => ({ ...each, TaxType: "NONE" })),
    });
    const [made] = (await given.ok("PUT", `/${list}`, body))[list];
    expect(made).toMatchObject({ Status: "PAID", Total: 0 });
    return made;
  }

  test.each(kinds)(
    "a PAID document with a total of zero can be voided, and leaves no ledger balance: %s %o",
    async (list, fields) => {
      const given = await world();
      const made = await settled(given, list, fields);
      expect(await movements(given)).toMatchObject({ "Sales (200)": expect.anything() });
      const path = `/${list}/${made.InvoiceID ?? made.CreditNoteID}`;
      const [voided] = (await given.ok("POST", path, { Status: "VOIDED" }))[list];
      expect(voided.Status).toBe("VOIDED");
      expect(voided.FullyPaidOnDate).toBeUndefined();
      for (const paymentsOnly of ["false", "true"]) {
        const rows = await reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly });
        expect(rows).not.toHaveProperty("Sales (200)");
      }
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test.each(kinds)(
    "a PAID document with a total of zero can be edited, and is open once its total is above zero: %s %o",
    async (list, fields) => {
      const given = await world();
      const made = await settled(given, list, fields);
      const path = `/${list}/${made.InvoiceID ?? made.CreditNoteID}`;
      const edited = async (change: object) => (await given.ok("POST", path, change))[list][0];
      expect(await edited({ Status: "AUTHORISED" })).toMatchObject({ Status: "PAID", Total: 0 });
      const charged = await edited({ LineItems: [{ ...line, TaxType: "NONE" }] });
      expect(charged).toMatchObject({ Status: "AUTHORISED", Total: 100 });
      expect(charged.AmountDue ?? charged.RemainingCredit).toBe(100);
      expect(charged.FullyPaidOnDate).toBeUndefined();
      expect(await faultsIn(given)).toEqual([]);
      const again = await edited({
        LineItems: [line, off].map((each) => ({ ...each, TaxType: "NONE" })),
      });
      expect(again).toMatchObject({ Status: "PAID", Total: 0 });
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("voiding a document with a total of zero returns its items to stock", async () => {
    const given = await world();
    await stocked(given, "CUP", 10, 4);
    const body = sale(await contact(given), {
      Status: "AUTHORISED",
      LineItems: [{ ItemCode: "CUP", Quantity: 3, UnitAmount: 0, Description: "A gift" }],
    });
    const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    expect(made).toMatchObject({ Status: "PAID", Total: 0 });
    const onHand = async () => (await given.ok("GET", "/Items/CUP")).Items[0].QuantityOnHand;
    expect(await onHand()).toBe(7);
    await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
    expect(await onHand()).toBe(10);
    expect(await faultsIn(given)).toEqual([]);
  });
});
