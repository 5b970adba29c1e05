import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { pauseMs, retryPeriodMs } from "../../../src/service/webhooks/deliver.ts";
import { deliveriesOf, reschedule, restartRetries } from "../../../src/store/outbox/deliveries.ts";
import { waitingEvents } from "../../../src/store/outbox/events.ts";
import { setStatus, webhookOf } from "../../../src/store/outbox/webhooks.ts";
import { guid } from "../../store/samples.ts";
import { acted } from "../../support/audit.ts";
import { contact, type Json, type World, world } from "../fixture.ts";
import { receiver } from "./receiver.ts";
import { deliverer, localPost, shopId, statusOf, subscribe } from "./subscribed.ts";

const minute = 60_000;

const log = ({ book }: World, webhookId = shopId) =>
  book.store.read(book.org, (tx) => deliveriesOf(tx, { webhookId, limit: 1000 }));

const numbers = ({ json }: { readonly json: Json }) => [
  json.firstEventSequence,
  json.lastEventSequence,
];

/** A book with a receiver that is subscribed. */
async function subscribed() {
  const given = await world();
  const shop = await receiver();
  await subscribe(given, { url: shop.url });
  return { given, shop };
}

test("waiting webhook events are delivered signed, several in one request, numbered from 1", async () => {
  const { given, shop } = await subscribed();
  const [one, two] = [await contact(given), await contact(given)];
  const deliver = deliverer(given);
  expect(await deliver()).toBeUndefined();
  const three = await contact(given);
  await deliver();
  expect(shop.received.map(({ isRight, status }) => [isRight, status])).toEqual([
    [true, 200],
    [true, 200],
  ]);
  expect(shop.received.map(numbers)).toEqual([
    [1, 2],
    [3, 3],
  ]);
  const ids = shop.received.flatMap(({ json }) => json.events.map((each: Json) => each.resourceId));
  expect(ids).toEqual([one.ContactID, two.ContactID, three.ContactID]);
  const { OrganisationID } = (await given.ok("GET", "/Organisation")).Organisations[0];
  expect(shop.received[0]?.json.events[0]).toMatchObject({
    resourceUrl: `http://127.0.0.1:9320/api.xro/2.0/Contacts/${one.ContactID}`,
    tenantId: OrganisationID,
    tenantType: "ORGANISATION",
    eventCategory: "CONTACT",
    eventType: "CREATE",
    eventDateUtc: expect.stringMatching(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
  });
  await deliver();
  expect(shop.received).toHaveLength(2);
});

test.each([300, 301, 400, 401, 500, 503])(
  "a webhook delivery answered with %i counts as failed",
  async (status) => {
    const { given, shop } = await subscribed();
    shop.behaviour = () => status;
    await contact(given);
    await deliverer(given)();
    expect(await log(given)).toMatchObject([
      {
        status: "WAITING",
        tries: 1,
        answered: status,
        reason: `answered ${status} instead of 200`,
      },
    ]);
  },
);

test("a failed webhook delivery is retried with the same body, and later events wait for it", async () => {
  const { given, shop } = await subscribed();
  const deliver = deliverer(given);
  let isBroken = true;
  shop.behaviour = () => (isBroken ? 500 : 200);
  await contact(given);
  expect(await deliver()).toBe(given.now + 5000);
  await contact(given);
  await deliver();
  expect(shop.received).toHaveLength(1);
  given.now += 5000;
  expect(await deliver()).toBe(given.now + 10_000);
  given.now += 10_000;
  isBroken = false;
  await deliver();
  expect(shop.received.map(numbers)).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
    [2, 2],
  ]);
  expect(new Set(shop.received.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  expect(await log(given)).toMatchObject([
    { firstSequence: 2, status: "DELIVERED", tries: 1 },
    { firstSequence: 1, status: "DELIVERED", tries: 3, answered: 200 },
  ]);
});

test("pauses between webhook retries grow to an hour, give or take a quarter", () => {
  expect([0, 1, 2, 3, 9, 10, 100].map((tries) => pauseMs(tries, 0.5) / 1000)).toEqual([
    5, 10, 20, 40, 2560, 3600, 3600,
  ]);
  expect([pauseMs(0, 0), pauseMs(0, 0.999_999)]).toEqual([3750, 6250]);
});

test("after 24 hours of failures a webhook is disabled, and continues with the same events when enabled", async () => {
  const { given, shop } = await subscribed();
  shop.behaviour = () => 500;
  const told: string[] = [];
  const deliver = deliverer(given, { disabled: (_webhook, reason) => told.push(reason) });
  const began = given.now + 1;
  const one = await contact(given);
  let next = await deliver();
  const two = await contact(given);
  while (next !== undefined) {
    given.now = next;
    next = await deliver();
  }
  expect(given.now - began).toBe(retryPeriodMs);
  expect(shop.received.length).toBeGreaterThan(24);
  expect(await statusOf(given)).toBe("DISABLED");
  expect(told).toEqual(["Nothing was taken for 24 hours; at last: answered 500 instead of 200."]);
  await contact(given);
  await deliver();
  const { store, org } = given.book;
  shop.behaviour = () => 200;
  await store.write(org, async (tx) => {
    await setStatus(acted(tx), shopId, "OK");
    await restartRetries(tx, shopId, given.now);
  });
  const three = await contact(given);
  await deliver();
  expect(shop.taken().map(numbers)).toEqual([
    [1, 1],
    [2, 3],
  ]);
  const ids = shop.taken().flatMap(({ json }) => json.events.map((each: Json) => each.resourceId));
  expect(ids).toEqual([one, two, three].map(({ ContactID }) => ContactID));
});

test.each([
  ["2^31", 2 ** 31],
  ["2^32", 2 ** 32],
  ["2^53", Number.MAX_SAFE_INTEGER - 100],
])("webhook sequence numbers continue beyond %s", async (_what, lastSequence) => {
  const given = await world();
  const shop = await receiver();
  const from = lastSequence - 2;
  await subscribe(given, { url: shop.url, lastSequence: from });
  const deliver = deliverer(given);
  for (const _ of [1, 2]) {
    await contact(given);
    await contact(given);
    await deliver();
  }
  expect(shop.taken().map(numbers)).toEqual([
    [from + 1, from + 2],
    [from + 3, from + 4],
  ]);
  // As they are written, and not only as they are read.
  expect(shop.taken()[0]?.body).toContain(`"lastEventSequence":${BigInt(from) + 2n},`);
  expect(await log(given)).toMatchObject([
    { firstSequence: from + 3, lastSequence: from + 4 },
    { firstSequence: from + 1, lastSequence: from + 2 },
  ]);
  const [{ id = "" } = {}] = await log(given);
  await given.book.store.write(given.book.org, (tx) => reschedule(tx, id, given.now));
  await deliver();
  expect(
    shop
      .taken()
      .map(({ json }) => json.firstEventSequence)
      .at(-1),
  ).toBe(from + 3);
});

test("a webhook whose sequence numbers are used up is disabled, and its events stay stored", async () => {
  const given = await world();
  const shop = await receiver();
  await subscribe(given, { url: shop.url, lastSequence: Number.MAX_SAFE_INTEGER - 99 });
  await contact(given);
  expect(await deliverer(given)()).toBeUndefined();
  const { store, org } = given.book;
  expect(await store.read(org, (tx) => webhookOf(tx, shopId))).toMatchObject({
    status: "DISABLED",
    reason: "Its numbers are used up; remove it, and add it again.",
  });
  expect(shop.received).toEqual([]);
  expect(await store.read(org, (tx) => waitingEvents(tx, shopId, 10))).toHaveLength(1);
});

test("a webhook delivery sent again on request has the same body, and goes before later ones", async () => {
  const { given, shop } = await subscribed();
  await contact(given);
  await deliverer(given)();
  const [{ id = "" } = {}] = await log(given);
  await given.book.store.write(given.book.org, (tx) => reschedule(tx, id, given.now));
  await contact(given);
  await deliverer(given)();
  expect(shop.taken().map(numbers)).toEqual([
    [1, 1],
    [1, 1],
    [2, 2],
  ]);
  expect(shop.taken()[1]?.body).toBe(shop.taken()[0]?.body);
});

test("a webhook delivery begun by a process that died is sent again after its lock expires", async () => {
  const { given, shop } = await subscribed();
  const post = localPost();
  const { ContactID } = await contact(given);
  const dying = deliverer(given, {
    post: async (...delivery) => {
      await post(...delivery);
      throw new Error("killed");
    },
  });
  await expect(dying()).rejects.toThrow("killed");
  expect(shop.taken()).toHaveLength(1);
  const living = deliverer(given, { post });
  await contact(given);
  const until = await living();
  expect(shop.taken()).toHaveLength(1);
  given.now = until ?? 0;
  await living();
  expect(shop.taken().map(numbers)).toEqual([
    [1, 1],
    [1, 1],
    [2, 2],
  ]);
  expect(shop.taken()[1]?.body).toBe(shop.taken()[0]?.body);
  expect(shop.taken()[1]?.json.events[0].resourceId).toBe(ContactID);
});

test("two processes never deliver to one webhook subscriber at once, and keep the order", async () => {
  const { given, shop } = await subscribed();
  let [looking, underWay, most] = [0, 0, 0];
  shop.behaviour = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    // Answers when every other process has looked for deliveries, and has found one or none.
    while (looking > underWay) await setImmediate();
    underWay -= 1;
    return 200;
  };
  const processes = [deliverer(given), deliverer(given), deliverer(given)].map(
    (deliver) => async () => {
      looking += 1;
      await deliver();
      looking -= 1;
    },
  );
  for (let round = 0; round < 10; round += 1) {
    await contact(given);
    await Promise.all(processes.map((deliver) => deliver()));
  }
  for (const deliver of processes) await deliver();
  expect(most).toBe(1);
  expect(shop.taken().map(({ json }) => json.firstEventSequence)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
});

test("a process whose lock on a delivery expired does not undo the next process's work", async () => {
  const { given, shop } = await subscribed();
  const post = localPost();
  await contact(given);
  const next = deliverer(given, { post });
  const slow = deliverer(given, {
    post: async () => {
      given.now += minute;
      await next();
      return { status: undefined, hasBody: false, reason: "no answer", tookMs: minute };
    },
  });
  await slow();
  expect(shop.taken()).toHaveLength(1);
  expect(await log(given)).toMatchObject([{ status: "DELIVERED", answered: 200 }]);
});

test("a webhook subscriber that does not answer does not delay other subscribers", async () => {
  const { given, shop } = await subscribed();
  const other = await receiver("other");
  await subscribe(given, { id: guid(0x9002), url: other.url, signingKey: "other" });
  shop.behaviour = () => 500;
  for (let count = 0; count < 3; count += 1) {
    await contact(given);
    await deliverer(given)();
  }
  expect(other.taken().map(numbers)).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(shop.received).toHaveLength(1);
});

test("a webhook delivery has at most a hundred events", async () => {
  const { given, shop } = await subscribed();
  const Contacts = Array.from({ length: 250 }, (_, index) => ({ Name: `Many ${index}` }));
  await given.ok("PUT", "/Contacts", { Contacts });
  await deliverer(given)();
  expect(shop.taken().map(numbers)).toEqual([
    [1, 100],
    [101, 200],
    [201, 250],
  ]);
});
