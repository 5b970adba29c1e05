/** The tests of the shop, as its developer would write them. */
import { acctTest } from "acct-books/vitest";
import { expect } from "vitest";
import { Shop } from "./shop.mjs";

const test = acctTest({ seed: "shop.yaml", clock: "2026-03-01T09:00+13:00", ids: 7 }).extend(
  "shop",
  async ({ acct }) => new Shop({ ...acct, token: await acct.token() }),
);

test("an order is an invoice that the customer owes", async ({ acct, shop }) => {
  await shop.order("A-1", "Ann", 100);
  expect(await acct.ledger.balance("610")).toBe("115.00");
});

test("takings pay the invoice, and go into the till", async ({ acct, shop }) => {
  await shop.paid(await shop.order("A-2", "Ann", 100), 115);
  expect(await acct.ledger.balance("610")).toBe("0.00");
  expect(await acct.ledger.balance("091")).toBe("115.00");
});

test("an order whose answer was lost is written once", async ({ acct, shop }) => {
  const fault = await acct.fail({ method: "PUT", path: "/Invoices", kind: "500-after" });
  await shop.order("A-3", "Ann", 100);
  expect(await fault.hits()).toBe(1);
  expect(await acct.ledger.journals()).toHaveLength(1);
});

test("the shop gives up on accounts that stay away, and nothing is written", async ({
  acct,
  shop,
}) => {
  await acct.fail({ method: "PUT", path: "/Invoices", kind: "503", times: 3 });
  await expect(shop.order("A-4", "Ann", 100)).rejects.toThrow("away: 503");
  expect(await acct.ledger.journals()).toEqual([]);
});

test("an order under a number that is taken is refused, and the test says why", async ({
  acct,
  shop,
}) => {
  await shop.order("A-5", "Ann", 100);
  await acct.clock.advance({ minutes: 20 });
  await expect(shop.order("A-5", "Ann", 120)).rejects.toThrow("refuse it: 400");
  const [refused] = (await acct.requests({ path: "/Invoices" })).slice(-1);
  expect(refused?.why[0]?.message).toMatch(/unique/i);
});

test("what is not paid is overdue three weeks later", async ({ acct, shop }) => {
  await shop.order("A-6", "Ann", 100);
  expect(await shop.overdue("2026-03-01")).toEqual([]);
  const now = await acct.clock.advance({ days: 21 });
  const later = new Shop({ ...acct, token: await acct.token() });
  expect(await later.overdue(now.slice(0, 10))).toEqual(["A-6"]);
});

test("a person who may only read writes no order", async ({ acct }) => {
  const token = await acct.token({ role: "read-only" });
  const reading = new Shop({ ...acct, token });
  await expect(reading.order("A-7", "Ann", 100)).rejects.toThrow("refuse it: 403");
});
