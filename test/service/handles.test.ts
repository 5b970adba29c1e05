/** Handles: the short names of records without a number of their own. */
import { expect, test } from "vitest";
import { contact, faultsIn, invoiced, type Json, paid, type World, world } from "./fixture.ts";
import { log, undone } from "./operations/undoing.ts";

const asked = { query: { handles: "true" } };

const line = (AccountCode: string) => ({ Description: "Hosting", UnitAmount: 60, AccountCode });

const approved = (given: World) => invoiced(given, { Status: "AUTHORISED" });

async function money(given: World, Type: string, account: string): Promise<Json> {
  const body = {
    Type,
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    Date: "2026-03-02",
    LineItems: [line(account)],
  };
  return (await given.ok("PUT", "/BankTransactions", body, asked)).BankTransactions[0];
}

test("records without a number are answered with their handles when asked, and else as before", async () => {
  const given = await world();
  await paid(given, await approved(given));
  const plain = (await given.ok("GET", "/Payments")).Payments[0];
  expect(plain).not.toHaveProperty("Handle");
  const { PaymentID } = plain;
  const [named] = (await given.ok("GET", "/Payments", undefined, asked)).Payments;
  expect(named).toEqual({ ...plain, Handle: "P-1" });
  const one = await given.ok("GET", `/Payments/${PaymentID}`, undefined, asked);
  expect(one.Payments[0].Handle).toBe("P-1");
  expect((await given.ok("GET", `/Payments/${PaymentID}`)).Payments[0]).not.toHaveProperty(
    "Handle",
  );
});

test("handles are counted by kind: bills, money, deposits and overpayments have their own", async () => {
  const given = await world();
  const bill = { Type: "ACCPAY", InvoiceNumber: "S-9", Contact: await contact(given) };
  const made = await given.ok(
    "PUT",
    "/Invoices",
    {
      Invoices: [
        { ...bill, LineItems: [line("429")] },
        { Type: "ACCREC", Contact: bill.Contact, LineItems: [line("200")] },
        { ...bill, InvoiceNumber: "S-10", LineItems: [line("429")] },
      ],
    },
    asked,
  );
  expect(made.Invoices.map(({ Handle }: Json) => Handle)).toEqual(["B-1", undefined, "B-2"]);
  const given3 = [
    await money(given, "SPEND", "429"),
    await money(given, "RECEIVE-PREPAYMENT", "200"),
    await money(given, "RECEIVE", "200"),
    await money(given, "RECEIVE-OVERPAYMENT", "610"),
  ];
  expect(given3.map(({ Handle }) => Handle)).toEqual(["T-1", "PP-1", "T-2", "OP-1"]);
  const [deposit] = (await given.ok("GET", "/Prepayments/pp-1", undefined, asked)).Prepayments;
  expect(deposit).toMatchObject({ PrepaymentID: given3[1]?.BankTransactionID, Handle: "PP-1" });
  const [same] = (await given.ok("GET", "/BankTransactions/PP-1")).BankTransactions;
  expect(same.BankTransactionID).toBe(deposit.PrepaymentID);
  expect((await given.ask("GET", "/Prepayments/T-1")).status).toBe(404);
  expect(await faultsIn(given)).toEqual([]);
});

test("a handle is found in a path and a condition, in any letter case", async () => {
  const given = await world();
  for (const _ of [1, 2]) await paid(given, await approved(given));
  const [second] = (await given.ok("GET", "/Payments/p-2", undefined, asked)).Payments;
  expect(second.Handle).toBe("P-2");
  const where = { where: 'Handle=="p-2"' };
  const found = (await given.ok("GET", "/Payments", undefined, { query: where })).Payments;
  expect(found.map(({ PaymentID }: Json) => PaymentID)).toEqual([second.PaymentID]);
});

test("a handle stays with its record through changes, and an undone one is never given again", async () => {
  const given = await world();
  await paid(given, await approved(given));
  await undone(given, (await log(given))[0].Number);
  const again = await paid(given, await approved(given));
  const handles = async () =>
    (await given.ok("GET", "/Payments", undefined, asked)).Payments.map(
      ({ Handle, Status }: Json) => `${Handle} ${Status}`,
    ).sort();
  expect(await handles()).toEqual(["P-1 DELETED", "P-2 AUTHORISED"]);
  await given.ok("POST", `/Payments/${again.PaymentID}`, { Status: "DELETED" });
  expect(await handles()).toEqual(["P-1 DELETED", "P-2 DELETED"]);
  expect(await faultsIn(given)).toEqual([]);
});
