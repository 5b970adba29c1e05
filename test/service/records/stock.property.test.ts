/** The stock of an item after random purchases, sales, returns, edits and voids, in any order of days. */
import { expect, test } from "vitest";
import { loadItemMoves } from "../../../src/store/queries/explained.ts";
import { fc, runs } from "../../support/properties.ts";
import { contact, faultsIn, type Json, sale, world } from "../fixture.ts";

const act = fc.record({
  kind: fc.constantFrom("buy", "sell", "credit", "return", "void"),
  quantity: fc.integer({ min: 1, max: 7 }),
  amount: fc.integer({ min: 1, max: 99_999 }),
  day: fc.integer({ min: 1, max: 31 }),
  at: fc.nat(100),
});

test("the stock value is the sum of all stock moves, and 0.00 where no quantity is left", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 12, maxLength: 24 }), async (acts) => {
      const given = await world();
      const [lamp] = (
        await given.ok("PUT", "/Items", {
          Code: "LAMP",
          Name: "Lamp",
          InventoryAssetAccountCode: "630",
          PurchaseDetails: { COGSAccountCode: "310" },
          SalesDetails: { AccountCode: "200" },
        })
      ).Items;
      const party = await contact(given);
      const documents: { path: string; number: string | undefined }[] = [];
      for (const { kind, quantity, amount, day, at } of acts) {
        const of = documents[at % Math.max(1, documents.length)];
        if (kind === "void") {
          if (of !== undefined) await given.ask("POST", of.path, { Status: "VOIDED" });
          continue;
        }
        const isCredit = kind === "credit" || kind === "return";
        const Type = {
          buy: "ACCPAY",
          sell: "ACCREC",
          credit: "ACCRECCREDIT",
          return: "ACCRECCREDIT",
        };
        const body = sale(party, {
          Type: Type[kind],
          Status: "AUTHORISED",
          Date: `2026-03-${String(day).padStart(2, "0")}`,
          ...(isCredit && { DueDate: undefined }),
          ...(kind === "return" && { Source: { Number: of?.number } }),
          LineItems: [
            { Description: "x", ItemCode: "LAMP", Quantity: quantity, LineAmount: amount / 100 },
          ],
        });
        const plural = isCredit ? "CreditNotes" : "Invoices";
        const { status, json } = await given.ask("PUT", `/${plural}`, body);
        if (status !== 200) continue;
        const made: Json = json[plural][0];
        const path = `/${plural}/${made.InvoiceID ?? made.CreditNoteID}`;
        documents.push({ path, number: kind === "sell" ? made.InvoiceNumber : undefined });
      }
      const moves = await given.book.store.read(given.book.org, (tx) =>
        loadItemMoves(tx, lamp.ItemID),
      );
      const [item] = (await given.ok("GET", "/Items/LAMP")).Items;
      const pool = moves.reduce((all, { cost }) => all + cost, 0);
      const quantity = moves.reduce((all, each) => all + each.quantity, 0);
      expect([Math.round(item.TotalCostPool * 100), item.QuantityOnHand * 10_000]).toEqual([
        pool,
        quantity,
      ]);
      if (quantity === 0) expect(pool).toBe(0);
      expect(pool).toBeGreaterThanOrEqual(0);
      expect(await faultsIn(given)).toEqual([]);
      await given.book.close();
    }),
    { numRuns: runs(8) },
  );
});
