/** Items, tracked and untracked, and what invoices and bills do to stock. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";

const lamp = {
  Code: "LAMP",
  Name: "Lamp",
  InventoryAssetAccountCode: "630",
  SalesDetails: { UnitPrice: 50, AccountCode: "200" },
  PurchaseDetails: { UnitPrice: 20, COGSAccountCode: "310" },
};

const made = async (given: World, fields: object = {}): Promise<Json> =>
  (await given.ok("PUT", "/Items", { Code: "MUG", ...fields })).Items[0];

describe("creating and updating items", () => {
  test("an item is created with defaults, and found by id and by code in any letter case", async () => {
    const given = await world();
    const each = await made(given, { Name: "Mug" });
    expect(each).toMatchObject({ IsSold: true, IsPurchased: true, IsTrackedAsInventory: false });
    expect(Object.keys(each)).not.toContain("QuantityOnHand");
    for (const key of [each.ItemID, "mug"]) {
      expect((await given.ok("GET", `/items/${key}/`)).Items[0].ItemID).toBe(each.ItemID);
    }
    const [renamed] = (
      await given.ok("POST", "/Items/MUG", { Code: "MUG-2", Description: "A mug" })
    ).Items;
    expect(renamed).toMatchObject({
      ItemID: each.ItemID,
      Code: "MUG-2",
      Name: "Mug",
      Description: "A mug",
    });
    expect(await given.refused("POST", `/Items/${each.ItemID}`, { Name: "x" })).toContain(
      "Code is required.",
    );
  });

  test("an item marked as not sold or not purchased loses its sales or purchase details", async () => {
    const given = await world();
    const details = { UnitPrice: 5, AccountCode: "200" };
    const full = {
      Description: "s",
      PurchaseDescription: "p",
      SalesDetails: details,
      PurchaseDetails: { UnitPrice: 2, AccountCode: "429" },
    };
    const bought = await made(given, { ...full, IsSold: false });
    expect([bought.Description, bought.SalesDetails]).toEqual([undefined, undefined]);
    expect(bought.PurchaseDetails).toMatchObject({ UnitPrice: 2 });
    const sold = await made(given, { ...full, Code: "B", IsPurchased: false });
    expect([sold.PurchaseDescription, sold.PurchaseDetails]).toEqual([undefined, undefined]);
    const body = sale(await contact(given), {
      LineItems: [{ ItemCode: "MUG", Description: "x", Quantity: 1 }],
    });
    expect((await given.refused("PUT", "/Invoices", body))[0]).toBe("The item MUG is not sold.");
  });

  test("PUT with an item code in use is refused; POST updates that item", async () => {
    const given = await world();
    const each = await made(given);
    expect(await given.refused("PUT", "/Items", { Code: "mug" })).toEqual([
      "Price List Item with Code 'MUG' already exists",
    ]);
    expect(
      (await given.refused("PUT", "/Items", { Items: [{ Code: "A" }, { Code: "a" }] }))[0],
    ).toMatch(/^Price List Item with Code/);
    const [again] = (await given.ok("POST", "/Items", { Code: "mug", Name: "Mug" })).Items;
    expect(again).toMatchObject({ ItemID: each.ItemID, Name: "Mug" });
    const twice = [
      { Code: "MUG", Name: "a" },
      { ItemID: each.ItemID, Code: "MUG", Name: "b" },
    ];
    expect(await given.refused("POST", "/Items", { Items: twice })).toEqual([
      `The item ${each.ItemID} is named twice in the request.`,
    ]);
  });

  test("item prices have four decimals with unitdp=4, and prices with more are refused", async () => {
    const given = await world();
    const query = { unitdp: "4" };
    const priced = (UnitPrice: number) => ({ Code: "MUG", SalesDetails: { UnitPrice } });
    expect(await given.refused("PUT", "/Items", priced(1.23456), { query })).toEqual([
      "SalesDetails.UnitPrice has more than four decimal places: '1.23456'.",
    ]);
    const [fine] = (await given.ok("PUT", "/Items", priced(1.2346), { query })).Items;
    expect(fine.SalesDetails.UnitPrice).toBe(1.2346);
    expect((await given.ok("GET", "/Items/MUG")).Items[0].SalesDetails.UnitPrice).toBe(1.23);
    expect(
      (await given.ok("GET", "/Items/MUG", undefined, { query: { UnitDP: "4" } })).Items[0]
        .SalesDetails.UnitPrice,
    ).toBe(1.2346);
  });

  test("a request with more than 500 items is refused", async () => {
    const given = await world();
    const Items = Array.from({ length: 501 }, (_, index) => ({ Code: `I${index}` }));
    expect(await given.refused("PUT", "/Items", { Items })).toEqual([
      "A request takes at most 500 Items, not 501.",
    ]);
    await given.ok("PUT", "/Items", { Items: Items.slice(1) });
    expect((await given.ok("GET", "/Items")).Items).toHaveLength(500);
  });

  test.each<[string, object, string]>([
    ["no code", { Code: null }, "Code is required."],
    ["a code too long", { Code: "x".repeat(31) }, "Code may have at most 30 characters, not 31."],
    ["a name too long", { Name: "x".repeat(51) }, "Name may have at most 50 characters, not 51."],
    [
      "a description too long",
      { Description: "x".repeat(4001) },
      "Description may have at most 4000 characters, not 4001.",
    ],
    [
      "a purchase description too long",
      { PurchaseDescription: "x".repeat(4001) },
      "PurchaseDescription may have at most 4000 characters, not 4001.",
    ],
    [
      "an unknown account",
      { SalesDetails: { AccountCode: "999" } },
      "SalesDetails.AccountCode: there is no active account with code '999'.",
    ],
    [
      "an unknown tax rate",
      { PurchaseDetails: { TaxType: "NIL" } },
      "PurchaseDetails.TaxType: there is no tax rate of TaxType 'NIL'.",
    ],
    [
      "a cost account of sales",
      { SalesDetails: { COGSAccountCode: "310" } },
      "COGSAccountCode belongs to the purchase details.",
    ],
    [
      "a cost account when untracked",
      { PurchaseDetails: { COGSAccountCode: "310" } },
      "PurchaseDetails.COGSAccountCode is for tracked items only; they need InventoryAssetAccountCode.",
    ],
    [
      "an inventory account of another type",
      { ...lamp, InventoryAssetAccountCode: "429" },
      "InventoryAssetAccountCode '429' must be the code of an active account of type INVENTORY.",
    ],
    [
      "no cost account when tracked",
      { ...lamp, PurchaseDetails: {} },
      "PurchaseDetails.COGSAccountCode is required for a tracked item.",
    ],
    [
      "a cost account of another type",
      { ...lamp, PurchaseDetails: { COGSAccountCode: "200" } },
      "PurchaseDetails.COGSAccountCode '200' must be the code of an active account of type DIRECTCOSTS or EXPENSE.",
    ],
    [
      "a purchase account when tracked",
      { ...lamp, PurchaseDetails: { COGSAccountCode: "310", AccountCode: "429" } },
      "PurchaseDetails.AccountCode is not applicable to tracked items.",
    ],
  ])("an item is refused with %s", async (_name, fields, sentence) => {
    expect(await (await world()).refused("PUT", "/Items", { Code: "MUG", ...fields })).toContain(
      sentence,
    );
  });

  test("quantity and cost of an item sent in a request are ignored", async () => {
    const given = await world();
    const [each] = (
      await given.ok("PUT", "/Items", { ...lamp, QuantityOnHand: 99, TotalCostPool: 99 })
    ).Items;
    expect(each).toMatchObject({ IsTrackedAsInventory: true, QuantityOnHand: 0, TotalCostPool: 0 });
  });
});

describe("deleting an item", () => {
  test("DELETE of an item is answered with 204, and its code stays on existing lines", async () => {
    const given = await world();
    const each = await made(given, { SalesDetails: { UnitPrice: 5, AccountCode: "200" } });
    const draft = await invoiced(given, {
      LineItems: [{ ItemCode: "MUG", Description: "Mug", Quantity: 2 }],
    });
    const answer = await given.ask("DELETE", `/Items/${each.ItemID}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await given.ask("GET", "/Items/MUG")).status).toBe(404);
    expect((await given.ask("DELETE", `/Items/${each.ItemID}`)).status).toBe(404);
    const path = `/Invoices/${draft.InvoiceID}`;
    expect((await given.ok("GET", path)).Invoices[0].LineItems[0]).toMatchObject({
      ItemCode: "MUG",
      UnitAmount: 5,
    });
    const [approved] = (await given.ok("POST", path, { Status: "AUTHORISED" })).Invoices;
    expect(approved).toMatchObject({ Total: 11.5, LineItems: [{ ItemCode: "MUG" }] });
    expect((await given.ok("GET", path)).Invoices[0].LineItems[0].ItemCode).toBe("MUG");
    await made(given);
  });

  test("deleting a tracked item with transactions is refused", async () => {
    const given = await world();
    const [each] = (await given.ok("PUT", "/Items", lamp)).Items;
    await bought(given, 1, 20);
    expect(await given.refused("DELETE", `/Items/${each.ItemID}`)).toEqual([
      "The tracked item LAMP has transactions and cannot be deleted.",
    ]);
    await given.ok("PUT", "/Items", { ...lamp, Code: "NEW" });
    expect((await given.ask("DELETE", "/Items/NEW")).status).toBe(204);
  });
});

// --- stock -----------------------------------------------------------------------------------

async function bought(
  given: World,
  Quantity: number,
  UnitAmount: number,
  fields: object = {},
): Promise<Json> {
  const LineItems = [{ ItemCode: "LAMP", Description: "Lamp", Quantity, UnitAmount }];
  return invoiced(given, { Type: "ACCPAY", Status: "AUTHORISED", LineItems, ...fields });
}

async function sold(given: World, Quantity: number, fields: object = {}): Promise<Json> {
  const LineItems = [{ ItemCode: "LAMP", Description: "Lamp", Quantity }];
  return invoiced(given, { Status: "AUTHORISED", LineItems, ...fields });
}

async function stock(given: World): Promise<[quantity: number, cost: number]> {
  const [each] = (await given.ok("GET", "/Items/LAMP")).Items;
  return [each.QuantityOnHand, each.TotalCostPool];
}

async function withLamps(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Items", lamp);
  return given;
}

describe("stock of tracked items", () => {
  test("sold items are taken from stock at average cost, and stock agrees with the ledger to the cent", async () => {
    const given = await withLamps();
    await bought(given, 10, 4);
    await bought(given, 5, 5.5);
    expect(await stock(given)).toEqual([15, 67.5]);
    await sold(given, 4);
    expect(await stock(given)).toEqual([11, 49.5]);
    const sheet = { date: "2026-03-31" };
    expect((await reportRows(given, "BalanceSheet", sheet)).Inventory?.[0]).toBe("49.50");
    const last = await sold(given, 11);
    expect(await stock(given)).toEqual([0, 0]);
    const report = await reportRows(given, "ProfitAndLoss", {
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
    });
    expect([report.Sales, report["Cost of Goods Sold"]]).toEqual([["750.00"], ["67.50"]]);
    await given.ok("POST", `/Invoices/${last.InvoiceID}`, { Status: "VOIDED" });
    expect(await stock(given)).toEqual([11, 49.5]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("the cost of a sale is rounded, and the sale of the last items takes the remaining value", async () => {
    const given = await withLamps();
    await bought(given, 3, 3.33, { LineAmountTypes: "NoTax" });
    await bought(given, 0.5, 0.02);
    expect(await stock(given)).toEqual([3.5, 10]);
    await sold(given, 1.25);
    expect(await stock(given)).toEqual([2.25, 6.43]);
    await sold(given, 2.25);
    expect(await stock(given)).toEqual([0, 0]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("the tax in a tax-inclusive purchase price is not part of the item's cost", async () => {
    const given = await withLamps();
    const LineItems = [{ ItemCode: "LAMP", Quantity: 2, UnitAmount: 11.5, TaxType: "INPUT2" }];
    await bought(given, 0, 0, { LineItems, LineAmountTypes: "Inclusive" });
    expect(await stock(given)).toEqual([2, 20]);
  });

  test("draft documents do not change stock", async () => {
    const given = await withLamps();
    await bought(given, 5, 4, { Status: "DRAFT" });
    await sold(given, 50, { Status: "SUBMITTED" });
    expect(await stock(given)).toEqual([0, 0]);
  });

  test("a bill with a total of zero can add opening stock", async () => {
    const given = await withLamps();
    const opened = await bought(given, 10, 4, {
      LineItems: [
        { ItemCode: "LAMP", Description: "Opening", Quantity: 10, UnitAmount: 4, TaxType: "NONE" },
        {
          Description: "Opening",
          Quantity: -10,
          UnitAmount: 4,
          AccountCode: "840",
          TaxType: "NONE",
        },
      ],
    });
    expect(opened).toMatchObject({
      Status: "PAID",
      Total: 0,
      FullyPaidOnDateString: "2026-03-01T00:00:00",
    });
    expect(await stock(given)).toEqual([10, 40]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each<[string, (given: World) => Promise<string[]>, string]>([
    [
      "a sale of more than there is",
      async (given) => {
        await bought(given, 2, 4);
        return given.refused(
          "PUT",
          "/Invoices",
          sale(await contact(given), {
            Status: "AUTHORISED",
            LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 2.0001 }],
          }),
        );
      },
      "There is not enough of item 'LAMP': 2.0001 needed, 2 on hand.",
    ],
    [
      "approval of such a sale",
      async (given) => {
        const draft = await sold(given, 1, { Status: "DRAFT" });
        return given.refused("POST", `/Invoices/${draft.InvoiceID}`, { Status: "AUTHORISED" });
      },
      "There is not enough of item 'LAMP': 1 needed, 0 on hand.",
    ],
    [
      "the void of a purchase that is sold from since",
      async (given) => {
        const bill = await bought(given, 2, 4);
        await sold(given, 1);
        return given.refused("POST", `/Invoices/${bill.InvoiceID}`, { Status: "VOIDED" });
      },
      "There is not enough of item 'LAMP': 2 needed, 1 on hand.",
    ],
    [
      "an edit of a purchase to less than is sold",
      async (given) => {
        const bill = await bought(given, 5, 4);
        await sold(given, 4);
        return given.refused("POST", `/Invoices/${bill.InvoiceID}`, {
          LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 3, UnitAmount: 4 }],
        });
      },
      "There is not enough of item 'LAMP': 5 needed, 4 on hand.",
    ],
    [
      "a purchase on another account",
      async (given) =>
        given.refused(
          "PUT",
          "/Invoices",
          sale(await contact(given), {
            Type: "ACCPAY",
            LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 1, AccountCode: "429" }],
          }),
        ),
      "The tracked item LAMP is bought on its inventory account 630, not on '429'.",
    ],
    [
      "a line on the inventory account without an item",
      async (given) =>
        given.refused(
          "PUT",
          "/Invoices",
          sale(await contact(given), {
            Type: "ACCPAY",
            LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "630" }],
          }),
        ),
      "Account code '630' is an inventory account: it takes purchases of tracked items only.",
    ],
    [
      "a quantity below zero",
      async (given) =>
        given.refused(
          "PUT",
          "/Invoices",
          sale(await contact(given), {
            Type: "ACCPAY",
            Status: "AUTHORISED",
            LineItems: [
              { ItemCode: "LAMP", Description: "x", Quantity: -1 },
              { Description: "x", Quantity: 1, UnitAmount: 90, AccountCode: "429" },
            ],
          }),
        ),
      "The quantity of item 'LAMP' must be above zero.",
    ],
    [
      "a cost below zero",
      async (given) =>
        given.refused(
          "PUT",
          "/Invoices",
          sale(await contact(given), {
            Type: "ACCPAY",
            Status: "AUTHORISED",
            LineItems: [
              { ItemCode: "LAMP", Description: "x", Quantity: 1, UnitAmount: -1 },
              { Description: "x", Quantity: 1, UnitAmount: 90, AccountCode: "429" },
            ],
          }),
        ),
      "The cost of item 'LAMP' must not be below zero.",
    ],
    [
      "another inventory account once there are transactions",
      async (given) => {
        await given.ok("PUT", "/Accounts", { Code: "631", Name: "Other stock", Type: "INVENTORY" });
        await bought(given, 1, 4);
        return given.refused("POST", "/Items", { Code: "LAMP", InventoryAssetAccountCode: "631" });
      },
      "The item LAMP has transactions and keeps its inventory account.",
    ],
    [
      "tracking that ends",
      async (given) =>
        given.refused("POST", "/Items", {
          Code: "LAMP",
          InventoryAssetAccountCode: "",
          PurchaseDetails: { COGSAccountCode: null },
        }),
      "The tracked item LAMP cannot become untracked.",
    ],
    [
      "tracking that begins after transactions",
      async (given) => {
        await made(given);
        await invoiced(given, {
          LineItems: [
            { ItemCode: "MUG", Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" },
          ],
        });
        return given.refused("POST", "/Items", { ...lamp, Code: "MUG" });
      },
      "The item MUG has transactions and cannot become tracked.",
    ],
    [
      "a payment to an inventory account, whatever is enabled",
      async (given) => {
        await given.ok("POST", "/Accounts/630", { EnablePaymentsToAccount: true });
        const bill = await bought(given, 1, 4);
        return given.refused("PUT", "/Payments", {
          Invoice: { InvoiceID: bill.InvoiceID },
          Account: { Code: "630" },
          Date: "2026-03-02",
          Amount: 1,
        });
      },
      "Account type is invalid for making a payment to/from",
    ],
  ])("tracked items: %s is refused", async (_name, run, sentence) => {
    const given = await withLamps();
    expect((await run(given)).map((each) => each.replace(/ \(line \d+\)$/, ""))).toContain(
      sentence,
    );
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an untracked item may become tracked while no transaction uses it", async () => {
    const given = await world();
    await made(given);
    const [each] = (await given.ok("POST", "/Items", { ...lamp, Code: "MUG" })).Items;
    expect(each).toMatchObject({ IsTrackedAsInventory: true, QuantityOnHand: 0 });
  });

  test("editing the quantity of a purchase adds the new quantity to stock before it removes the old one", async () => {
    const given = await withLamps();
    const bill = await bought(given, 10, 4);
    await sold(given, 6);
    const LineItems = [{ ItemCode: "LAMP", Description: "Lamp", Quantity: 12, UnitAmount: 4 }];
    await given.ok("POST", `/Invoices/${bill.InvoiceID}`, { LineItems });
    expect(await stock(given)).toEqual([6, 24]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a batch may sell stock bought in the same batch, and a refused sale leaves no stock move", async () => {
    const given = await withLamps();
    const party = await contact(given);
    const Invoices = [
      sale(party, {
        Type: "ACCPAY",
        Status: "AUTHORISED",
        LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 3, UnitAmount: 4 }],
      }),
      sale(party, {
        Status: "AUTHORISED",
        LineItems: [
          { ItemCode: "LAMP", Description: "x", Quantity: 1 },
          { ItemCode: "LAMP", Description: "x", Quantity: 9 },
        ],
      }),
      sale(party, {
        Status: "AUTHORISED",
        LineItems: [{ ItemCode: "LAMP", Description: "x", Quantity: 3 }],
      }),
    ];
    const answer = await given.ok(
      "PUT",
      "/Invoices",
      { Invoices },
      { query: { SummarizeErrors: "false" } },
    );
    expect(answer.Invoices.map((each: Json) => each.StatusAttributeString)).toEqual([
      "OK",
      "ERROR",
      "OK",
    ]);
    expect(await stock(given)).toEqual([0, 0]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("on the cash basis, the cost of sales is recognised with the payment", async () => {
    const given = await withLamps();
    await bought(given, 2, 10);
    const invoice = await sold(given, 2);
    await paid(given, invoice, { Amount: 57.5 });
    const query = { fromDate: "2026-03-01", toDate: "2026-03-31", paymentsOnly: "true" };
    const report = await reportRows(given, "ProfitAndLoss", query);
    expect([report.Sales, report["Cost of Goods Sold"]]).toEqual([["50.00"], ["10.00"]]);
  });
});

describe("sales with a given StockCost, as in copied books", () => {
  const stock = async (given: World) => {
    const { QuantityOnHand, TotalCostPool } = (await given.ok("GET", "/Items/LAMP")).Items[0];
    return [QuantityOnHand, TotalCostPool];
  };
  const line = (quantity: number, more: object = {}) => ({
    LineItems: [{ Description: "x", ItemCode: "LAMP", Quantity: quantity, UnitAmount: 5, ...more }],
  });
  const approved = { Status: "AUTHORISED" };

  test("items sold or returned with a StockCost have that cost, which is shown only on request", async () => {
    const given = await world();
    await made(given, lamp);
    await invoiced(given, { Type: "ACCPAY", ...approved, ...line(10) });
    await invoiced(given, { ...approved, ...line(4, { StockCost: 11.11 }) });
    expect(await stock(given)).toEqual([6, 38.89]);
    const credit = {
      ...sale(await contact(given)),
      Type: "ACCRECCREDIT",
      DueDate: undefined,
      ...approved,
    };
    await given.ok("PUT", "/CreditNotes", { ...credit, ...line(1, { StockCost: 3.33 }) });
    expect(await stock(given)).toEqual([7, 42.22]);
    const back = { ...credit, Type: "ACCPAYCREDIT", ...line(2, { StockCost: 7.01 }) };
    await given.ok("PUT", "/CreditNotes", back);
    expect(await stock(given)).toEqual([5, 35.21]);
    expect(await faultsIn(given)).toEqual([]);
    const costs = async (query: Record<string, string>) =>
      (
        await given.ok("GET", "/Invoices", undefined, { query: { page: "1", ...query } })
      ).Invoices.map(({ LineItems }: Json) => LineItems[0].StockCost).sort();
    expect(await costs({ stockCosts: "true" })).toEqual([11.11, undefined]);
    expect(await costs({})).toEqual([undefined, undefined]);
  });

  test("a StockCost above the stock value, or on a purchase, is refused", async () => {
    const given = await world();
    await made(given, lamp);
    const buyer = await contact(given);
    const bought = { Type: "ACCPAY", ...approved };
    await given.ok("PUT", "/Invoices", sale(buyer, { ...bought, ...line(10) }));
    for (const [record, message] of [
      [{ ...approved, ...line(4, { StockCost: 50.01 }) }, "cannot cost 50.01"],
      [{ ...approved, ...line(10, { StockCost: 49.99 }) }, "cannot cost 49.99"],
      [{ ...bought, ...line(1, { StockCost: 5 }) }, "a purchase costs its net"],
    ] as const) {
      const refused = await given.refused("PUT", "/Invoices", sale(buyer, record));
      expect(String(refused)).toContain(message);
    }
    expect(await stock(given)).toEqual([10, 50]);
  });
});

describe("the cost of items sold", () => {
  const line = (Quantity: number, UnitAmount = 5) => ({
    LineItems: [{ Description: "x", ItemCode: "LAMP", Quantity, UnitAmount }],
  });
  const approved = { Status: "AUTHORISED" };
  const stock = async (given: World) => {
    const { QuantityOnHand, TotalCostPool } = (await given.ok("GET", "/Items/LAMP")).Items[0];
    return [QuantityOnHand, TotalCostPool];
  };
  /** Three are sold for 10.00 of cost, then dearer ones are bought. */
  const traded = async () => {
    const given = await world();
    await made(given, lamp);
    const party = await contact(given);
    const put = async (fields: object) =>
      (await given.ok("PUT", "/Invoices", sale(party, { ...approved, ...fields }))).Invoices[0];
    const LineItems = [{ Description: "x", ItemCode: "LAMP", Quantity: 6, LineAmount: 20 }];
    await put({ Type: "ACCPAY", LineItems });
    const sold = await put({ Date: "2026-03-20", InvoiceNumber: "INV-7", ...line(3, 50) });
    const late = await put({ Type: "ACCPAY", Date: "2026-03-10", ...line(3, 30) });
    const credit = (Quantity: number, more: object = {}) => ({
      ...sale(party, { Type: "ACCRECCREDIT", DueDate: undefined, ...approved }),
      ...line(Quantity, 50),
      Source: { Number: "INV-7" },
      ...more,
    });
    return { given, party, put, sold, late, credit };
  };

  test("items cost the average at the time of posting; a late purchase warns of later sales that keep their cost", async () => {
    const { given, put, late } = await traded();
    expect(await stock(given)).toEqual([6, 100]);
    expect(late.Warnings).toEqual([
      {
        Message:
          "1 sale of a later day keeps its cost: goods cost the average of when they are posted.",
      },
    ]);
    await put({ Date: "2026-03-21", ...line(1) });
    const told = async (day: string) =>
      (await put({ Type: "ACCPAY", Date: day, ...line(1) })).Warnings?.[0]?.Message;
    expect(await told("2026-03-10")).toContain("2 sales of later days keep their cost");
    expect(await told("2026-03-20")).toContain("1 sale of a later day keeps its cost");
    expect(await told("2026-03-21")).toBeUndefined();
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a credit note made from an invoice returns items at the cost of that sale, in parts to the cent", async () => {
    const { given, credit, sold } = await traded();
    const put = async (body: object) =>
      (await given.ok("PUT", "/CreditNotes", body)).CreditNotes[0];
    const first = await put(credit(1));
    expect(first.Source).toEqual({ Type: "INVOICE", SourceID: sold.InvoiceID, Number: "INV-7" });
    expect(await stock(given)).toEqual([7, 103.33]);
    const draft = await put(credit(2, { Status: "DRAFT" }));
    const { CreditNoteID } = draft;
    await given.ok("POST", `/CreditNotes/${CreditNoteID}`, { ...approved });
    expect(await stock(given)).toEqual([9, 110]);
    expect(await given.refused("PUT", "/CreditNotes", credit(1))).toEqual([
      "Of item 'LAMP' 0 can come back from INV-7, not more; other goods need a credit note of their own.",
    ]);
    // An edit gives back what it had.
    const { LineItems } = line(1, 50);
    await given.ok("POST", `/CreditNotes/${CreditNoteID}`, { LineItems });
    expect(await stock(given)).toEqual([8, 106.67]);
    await given.ok("POST", `/CreditNotes/${CreditNoteID}`, { Status: "VOIDED" });
    expect(await stock(given)).toEqual([7, 103.33]);
    const xml = `<CreditNotes><CreditNote><Type>ACCRECCREDIT</Type><Status>AUTHORISED</Status><Contact><ContactID>${sold.Contact.ContactID}</ContactID></Contact><Date>2026-03-31</Date><Source><Number>inv-7</Number></Source><LineItems><LineItem><ItemCode>LAMP</ItemCode><Quantity>2</Quantity><UnitAmount>50</UnitAmount></LineItem></LineItems></CreditNote></CreditNotes>`;
    await given.ok("PUT", "/CreditNotes", xml, { headers: { "content-type": "text/xml" } });
    expect(await stock(given)).toEqual([9, 110]);
    // Any other comes back at the average.
    await put(credit(1, { Source: undefined }));
    expect(await stock(given)).toEqual([10, 122.22]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("two credit notes of one invoice each return their part of its cost, and a wrong source is refused", async () => {
    const { given, credit, put } = await traded();
    await given.ok("PUT", "/CreditNotes", { CreditNotes: [credit(1), credit(2)] });
    expect(await stock(given)).toEqual([9, 110]);
    await put({ InvoiceNumber: "INV-8", Status: "DRAFT", ...line(1) });
    const other = await contact(given);
    await given.ok(
      "PUT",
      "/Invoices",
      sale(other, { InvoiceNumber: "INV-9", ...approved, ...line(1) }),
    );
    for (const [more, sentence] of [
      [{ Source: { Number: "INV-6" } }, "made from sales invoices; INV-6 is none."],
      [{ Source: { Number: "INV-8" } }, "INV-8 is DRAFT: a credit note is made from an approved"],
      [{ Source: { Number: "INV-9" } }, "INV-9 is of another contact than the credit note."],
      [{ Type: "ACCPAYCREDIT" }, "Credit notes to customers are made from sales invoices"],
    ] as const) {
      const refused = await given.refused("PUT", "/CreditNotes", credit(1, more));
      expect(String(refused)).toContain(sentence);
    }
  });
});

test("the list of items can be filtered and ordered", async () => {
  const given = await withLamps();
  await made(given, { Name: "Mug" });
  const codes = async (query: Record<string, string>) =>
    (await given.ok("GET", "/Items", undefined, { query })).Items.map((each: Json) => each.Code);
  expect(await codes({})).toEqual(["LAMP", "MUG"]);
  expect(await codes({ order: "Code DESC" })).toEqual(["MUG", "LAMP"]);
  expect(await codes({ where: "IsTrackedAsInventory==true" })).toEqual(["LAMP"]);
  expect(await codes({ where: 'Name=="mug" OR QuantityOnHand==0', order: "name" })).toEqual([
    "LAMP",
    "MUG",
  ]);
});

describe("tax on purchased stock", () => {
  const bought = async (given: World, fields: object, line: object = {}) => {
    await made(given, { ...lamp, ...fields });
    const bill = await invoiced(given, {
      Type: "ACCPAY",
      LineItems: [{ ItemCode: "LAMP", Quantity: 2, UnitAmount: 10, ...line }],
    });
    return bill.LineItems[0];
  };

  test("a purchased tracked item has the tax rate of its cost of sales account", async () => {
    expect(await bought(await world(), {})).toMatchObject({
      AccountCode: "630",
      TaxType: "INPUT2",
      TaxAmount: 3,
    });
  });

  test("a tax rate on the item or the purchase line is used instead of the account's", async () => {
    const PurchaseDetails = { ...lamp.PurchaseDetails, TaxType: "NONE" };
    expect(await bought(await world(), { PurchaseDetails })).toMatchObject({ TaxType: "NONE" });
    expect(await bought(await world(), {}, { TaxType: "NONE" })).toMatchObject({ TaxType: "NONE" });
  });
});
