/** Subscribers are told by several processes on one database, while others write. */
import { expect, inject, test } from "vitest";
import { postgresStore } from "../../src/store/postgres.ts";
import { receiver } from "../service/events/receiver.ts";
import { deliverer, localPost, subscribe } from "../service/events/subscribed.ts";
import { contact, type Json, world } from "../service/fixture.ts";

test("what many write at once is delivered by one at a time, whole and without gaps", async () => {
  const given = await world();
  let underWay = 0;
  let most = 0;
  let refused = 0;
  const shop = await receiver("key", async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 3));
    underWay -= 1;
    if (shop.received.length % 5 !== 4) return 200;
    refused += 1;
    return 500;
  });
  await subscribe(given, { url: shop.url, categories: ["CONTACT"] });
  const stores = await Promise.all([1, 2, 3].map(() => postgresStore(inject("postgres").shared)));
  const post = localPost();
  // Their clock is twenty times as fast, so that what failed is soon due again.
  const began = Date.now();
  const clock = () => given.now + (Date.now() - began) * 20;
  const processes = stores.map((store) => deliverer(given, { store, post, clock }));
  let isWriting = true;
  const delivering = processes.map(async (deliver) => {
    while (isWriting) await deliver();
  });
  const ids: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const made = await Promise.all(Array.from({ length: 8 }, () => contact(given)));
    ids.push(...made.map(({ ContactID }) => ContactID));
  }
  isWriting = false;
  await Promise.all(delivering);
  const [last = () => Promise.resolve(undefined)] = processes;
  while ((await last()) !== undefined);
  for (const store of stores) await store.close();
  expect(most).toBe(1);
  expect(refused).toBeGreaterThan(0);
  const told = shop.taken().flatMap(({ json }) =>
    json.events.map((each: Json, index: number) => ({
      number: json.firstEventSequence + index,
      id: each.resourceId,
    })),
  );
  expect(told.map(({ number }) => number)).toEqual(ids.map((_, index) => index + 1));
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set(ids));
});
