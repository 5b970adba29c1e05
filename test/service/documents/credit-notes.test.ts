/** Credit notes: what they post, what refunds do to them, and how they share the ways of invoices. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  reportRows,
  stocked,
  type World,
  world,
} from "../fixture.ts";

async function credited(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Contact: await contact(given),
    Date: "2026-03-01",
    Status: "AUTHORISED",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...fields,
  });
  return answer.CreditNotes[0];
}

describe("a sales credit note", () => {
  test("a sales credit note is numbered in its own series and posts the reverse of an invoice", async () => {
    const given = await world();
    const made = await credited(given);
    expect(made).toMatchObject({
      CreditNoteNumber: "CN-0001",
      Status: "AUTHORISED",
      Total: 115,
      RemainingCredit: 115,
    });
    expect(made.AmountDue).toBeUndefined();
    expect(await movements(given)).toMatchObject({
      "Sales (200)": 100,
      "GST (820)": 15,
      "Accounts Receivable (610)": -115,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a sales credit note is refunded in parts by payments, until nothing is left", async () => {
    const given = await world();
    const made = await credited(given);
    const refund = (Amount: number) =>
      given.ok("PUT", "/Payments", {
        CreditNote: { CreditNoteNumber: "CN-0001" },
        Account: { Code: "090" },
        Date: "2026-03-10",
        Amount,
      });
    const [first] = (await refund(15)).Payments;
    expect(first).toMatchObject({
      PaymentType: "ARCREDITPAYMENT",
      CreditNote: { CreditNoteID: made.CreditNoteID, RemainingCredit: 100 },
    });
    await refund(100);
    const [read] = (await given.ok("GET", `/CreditNotes/${made.CreditNoteID}`)).CreditNotes;
    expect(read).toMatchObject({ Status: "PAID", RemainingCredit: 0 });
    expect(read.Payments).toMatchObject([{ Amount: 15 }, { Amount: 100 }]);
    const moved = await movements(given);
    expect(moved).toMatchObject({ "Business Account (090)": -115 });
    expect(moved).not.toHaveProperty("Accounts Receivable (610)");
    await given.ok("POST", `/Payments/${first.PaymentID}`, { Status: "DELETED" });
    const [again] = (await given.ok("GET", "/CreditNotes/CN-0001")).CreditNotes;
    expect(again).toMatchObject({ Status: "AUTHORISED", RemainingCredit: 15 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a sales credit note is recognised on the cash basis when it is refunded", async () => {
    const given = await world();
    await credited(given);
    const sales = async () =>
      (
        await reportRows(given, "ProfitAndLoss", {
          fromDate: "2026-03-01",
          toDate: "2026-03-31",
          paymentsOnly: "true",
        })
      ).Sales?.[0];
    expect(await sales()).toBeUndefined();
    await given.ok("PUT", "/Payments", {
      CreditNoteNumber: "CN-0001",
      Code: "090",
      Date: "2026-03-10",
      Amount: 57.5,
    });
    expect(await sales()).toBe("-50.00");
  });

  test("a sales credit note can be refunded up to its remaining credit; a draft cannot be refunded", async () => {
    const given = await world();
    await credited(given);
    const refund = (fields: object) =>
      given.refused("PUT", "/Payments", {
        CreditNote: { CreditNoteNumber: "CN-0001" },
        Account: { Code: "090" },
        Date: "2026-03-10",
        ...fields,
      });
    expect(await refund({ Amount: 115.01 })).toEqual([
      "Payment amount exceeds the amount outstanding on this document",
    ]);
    await credited(given, { Status: "DRAFT", CreditNoteNumber: "CN-0009" });
    expect(await refund({ CreditNote: { CreditNoteNumber: "CN-0009" }, Amount: 1 })).toEqual([
      "Payments can only be made against Authorised documents",
    ]);
  });

  test("a discount on a sales credit note is refused", async () => {
    const given = await world();
    const body = {
      Type: "ACCRECCREDIT",
      Contact: await contact(given),
      LineItems: [
        { Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "200", DiscountRate: 10 },
      ],
    };
    expect((await given.refused("PUT", "/CreditNotes", body)).join()).toMatch(/discount/i);
  });

  test("a voided credit note reverses its journal, and its number can be used again", async () => {
    const given = await world();
    const made = await credited(given);
    await given.ok("POST", "/CreditNotes/CN-0001", { Status: "VOIDED" });
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(
      await given.refused("POST", `/CreditNotes/${made.CreditNoteID}`, { Reference: "x" }),
    ).toEqual(["Credit Note not of valid status for modification"]);
    expect((await credited(given, { CreditNoteNumber: "CN-0001" })).Status).toBe("AUTHORISED");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a sales credit note returns sold goods to stock at the average cost", async () => {
    const given = await world();
    await stocked(given, "MUG", 10, 4);
    await credited(given, {
      LineItems: [
        { ItemCode: "MUG", Description: "Mug", Quantity: 2, UnitAmount: 9, AccountCode: "200" },
      ],
    });
    const [item] = (await given.ok("GET", "/Items/MUG")).Items;
    expect(item).toMatchObject({ QuantityOnHand: 12, TotalCostPool: 48 });
    await given.ok("POST", "/CreditNotes/CN-0001", { Status: "VOIDED" });
    const [back] = (await given.ok("GET", "/Items/MUG")).Items;
    expect(back).toMatchObject({ QuantityOnHand: 10, TotalCostPool: 40 });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("a supplier's credit note", () => {
  const supplier = { Type: "ACCPAYCREDIT", CreditNoteNumber: "K-77" };

  test("a supplier's credit note has the supplier's number, debits payables, and can be refunded", async () => {
    const given = await world();
    const made = await credited(given, {
      ...supplier,
      LineItems: [{ Description: "Clay", Quantity: 1, UnitAmount: 40, AccountCode: "300" }],
    });
    expect(made).toMatchObject({ CreditNoteNumber: "K-77", RemainingCredit: 46 });
    expect(await movements(given)).toMatchObject({
      "Accounts Payable (800)": 46,
      "Purchases (300)": -40,
      "GST (820)": -6,
    });
    const [payment] = (
      await given.ok("PUT", "/Payments", {
        CreditNote: { CreditNoteID: made.CreditNoteID },
        Account: { Code: "090" },
        Date: "2026-03-10",
        Amount: 46,
      })
    ).Payments;
    expect(payment.PaymentType).toBe("APCREDITPAYMENT");
    expect(await movements(given)).toMatchObject({ "Business Account (090)": 46 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a supplier's credit note without a number is accepted and found", async () => {
    const given = await world();
    const body = {
      Type: "ACCPAYCREDIT",
      Contact: await contact(given),
      LineItems: [{ Description: "Clay", Quantity: 1, UnitAmount: 40, AccountCode: "300" }],
    };
    const [made] = (await given.ok("PUT", "/CreditNotes", body)).CreditNotes;
    expect(made.CreditNoteNumber).toBe("");
    const again = (await given.ok("PUT", "/CreditNotes", body)).CreditNotes;
    expect(again[0].CreditNoteID).not.toBe(made.CreditNoteID);
    const path = `/CreditNotes/${made.CreditNoteID}`;
    const [approved] = (await given.ok("POST", path, { Status: "AUTHORISED" })).CreditNotes;
    expect(approved).toMatchObject({ Status: "AUTHORISED", CreditNoteNumber: "" });
  });

  test("a supplier's credit note takes goods out of stock at the credited price, with the rest in cost of sales", async () => {
    const given = await world();
    await stocked(given, "MUG", 10, 4);
    const returned = (CreditNoteNumber: string, Quantity: number, UnitAmount: number) =>
      credited(given, {
        ...supplier,
        CreditNoteNumber,
        LineItems: [{ ItemCode: "MUG", Description: "Mug", Quantity, UnitAmount }],
      });
    await returned("K-1", 4, 3);
    const [item] = (await given.ok("GET", "/Items/MUG")).Items;
    expect(item).toMatchObject({ QuantityOnHand: 6, TotalCostPool: 28 });
    await returned("K-2", 6, 4);
    const [none] = (await given.ok("GET", "/Items/MUG")).Items;
    expect(none).toMatchObject({ QuantityOnHand: 0, TotalCostPool: 0 });
    // 40 bought, 12 and 24 credited: the 4 that are left of the pool are a cost.
    expect(await movements(given)).toMatchObject({ "Cost of Goods Sold (310)": 4 });
    expect(await faultsIn(given)).toEqual([]);
  });
});
