/** Subscribers are told by several processes on one database, while others write. */
import { setImmediate } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { contact, type Json, world } from "../service/fixture.ts";
import { receiver } from "../service/webhooks/receiver.ts";
import { deliverer, localPost, subscribe } from "../service/webhooks/subscribed.ts";

/** What passes with each round of writes: five of them are longer than a delivery may take. */
const roundMs = 2000;

test("events of simultaneous writers are delivered by one process at a time, without gaps", async () => {
  const given = await world();
  let underWay = 0;
  let most = 0;
  let refused = 0;
  let looks = 0;
  const shop = await receiver("key", async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    // Answers when the other processes have looked for deliveries meanwhile.
    const untilLook = looks + 2;
    while (isWriting && looks < untilLook) await setImmediate();
    underWay -= 1;
    if (shop.received.length % 5 !== 4) return 200;
    refused += 1;
    return 500;
  });
  await subscribe(given, { url: shop.url, categories: ["CONTACT"] });
  const stores = await Promise.all([1, 2, 3].map(() => postgresStore(inject("postgres").shared)));
  const post = localPost();
  // Of their clock and not of this machine's, which may stand still in the middle of a delivery.
  let now = given.now;
  const clock = () => now;
  const processes = stores.map((store) => deliverer(given, { store, post, clock }));
  let isWriting = true;
  const delivering = processes.map(async (deliver) => {
    while (isWriting) {
      await deliver();
      looks += 1;
    }
  });
  const ids: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const made = await Promise.all(Array.from({ length: 8 }, () => contact(given)));
    ids.push(...made.map(({ ContactID }) => ContactID));
    now += roundMs;
  }
  isWriting = false;
  await Promise.all(delivering);
  const [last = () => Promise.resolve(undefined)] = processes;
  for (let due = await last(); due !== undefined; due = await last()) now = Math.max(now, due);
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
