import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeSequence } from "../../../src/store/outbox/webhooks.ts";
import { contact, type Json, type World, world } from "../fixture.ts";

const minute = 60_000;

async function listener(given: World, events?: string): Promise<string> {
  const query: Record<string, string> = events === undefined ? {} : { events };
  const { WebhookListeners } = await given.ok("POST", "/WebhookListeners", undefined, { query });
  return WebhookListeners[0].ListenerID;
}

async function next(given: World, id: string, after = 0, wait = 0): Promise<Json | undefined> {
  const query = { after: String(after), wait: String(wait) };
  const path = `/WebhookListeners/${id}/Next`;
  return (await given.ok("POST", path, undefined, { query })).WebhookDeliveries[0];
}

test("a webhook listener gets deliveries one by one, each repeated until it is acknowledged", async () => {
  const given = await world();
  await contact(given);
  const id = await listener(given);
  expect(await next(given, id)).toBeUndefined();
  const one = await contact(given);
  const first = await next(given, id);
  expect(first).toMatchObject({ FirstEventSequence: 1, LastEventSequence: 1 });
  expect(JSON.parse(first.Body)).toMatchObject({
    events: [{ eventCategory: "CONTACT", eventType: "CREATE", resourceId: one.ContactID }],
    firstEventSequence: 1,
    lastEventSequence: 1,
  });
  await contact(given);
  await contact(given);
  expect(await next(given, id)).toEqual(first);
  const second = await next(given, id, 1);
  expect(second).toMatchObject({ FirstEventSequence: 2, LastEventSequence: 3 });
  expect(await next(given, id, 3)).toBeUndefined();
});

test.each([
  ["2^31", 2 ** 31 - 2],
  ["2^53", Number.MAX_SAFE_INTEGER - 103],
])("webhook sequence numbers of a listener continue beyond %s", async (_what, from) => {
  const given = await world();
  const id = await listener(given);
  const { store, org } = given.book;
  await store.write(org, (tx) => takeSequence(tx, id, from));
  for (let taken = from; taken < from + 3; taken += 1) {
    await contact(given);
    const delivery = await next(given, id, taken === from ? 0 : taken);
    expect(delivery).toMatchObject({ FirstEventSequence: taken + 1, LastEventSequence: taken + 1 });
    expect(JSON.parse(delivery.Body)).toMatchObject({ lastEventSequence: taken + 1 });
  }
  expect(await next(given, id, from + 3)).toBeUndefined();
});

test("a webhook listener whose sequence numbers are used up gets an error", async () => {
  const given = await world();
  const id = await listener(given);
  const { store, org } = given.book;
  await store.write(org, (tx) => takeSequence(tx, id, Number.MAX_SAFE_INTEGER));
  await contact(given);
  expect(await given.refused("POST", `/WebhookListeners/${id}/Next`)).toEqual([
    "Its numbers are used up; remove it, and add it again.",
  ]);
});

test("a webhook listener waits for the next event, at most as long as requested", async () => {
  const given = await world();
  const id = await listener(given, "CONTACT");
  const waiting = next(given, id, 0, 50);
  await contact(given);
  expect(await waiting).toMatchObject({ FirstEventSequence: 1 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let isAnswered = false;
  const second = next(given, id, 1, 1).finally(() => {
    isAnswered = true;
  });
  for (const passedMs of [500, 499]) {
    while (vi.getTimerCount() === 0) await setImmediate();
    vi.advanceTimersByTime(passedMs);
  }
  while (vi.getTimerCount() === 0) await setImmediate();
  expect(isAnswered).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await second).toBeUndefined();
});

test("a webhook listener gets only events of its categories", async () => {
  const given = await world();
  const id = await listener(given, "invoice,payment");
  await contact(given);
  expect(await next(given, id)).toBeUndefined();
  await given.refused("POST", "/WebhookListeners", undefined, { query: { events: "ITEM" } });
});

test("a webhook listener ends after ten minutes without a request, or on request", async () => {
  const given = await world();
  const id = await listener(given);
  given.now += 9 * minute;
  await next(given, id);
  given.now += 9 * minute;
  await contact(given);
  expect(await next(given, id)).toMatchObject({ FirstEventSequence: 1 });
  given.now += 10 * minute;
  const path = `/WebhookListeners/${id}`;
  expect((await given.ask("POST", `${path}/Next`)).status).toBe(404);
  const other = await listener(given);
  expect((await given.ask("DELETE", `/WebhookListeners/${other}`)).status).toBe(204);
  expect((await given.ask("POST", `/WebhookListeners/${other}/Next`)).status).toBe(404);
  expect((await given.ask("DELETE", path)).status).toBe(404);
});

test.each([
  [{ after: "-1" }],
  [{ after: "x" }],
  [{ after: "9007199254740992" }],
  [{ wait: "51" }],
  [{ wait: "1e9" }],
])("a webhook listener's request with %j is refused", async (query) => {
  const given = await world();
  const id = await listener(given);
  await given.refused("POST", `/WebhookListeners/${id}/Next`, undefined, { query });
});

test("at most twenty webhook listeners can wait at a time", async () => {
  const given = await world();
  for (let count = 0; count < 20; count += 1) await listener(given);
  const [sentence] = await given.refused("POST", "/WebhookListeners");
  expect(sentence).toBe("20 programs listen, the most that may; end one of them.");
  given.now += 10 * minute;
  await listener(given);
});

test("a dry run adds no webhook listener", async () => {
  const given = await world();
  const headers = { "x-dry-run": "true" };
  const { WebhookListeners } = await given.ok("POST", "/WebhookListeners", undefined, { headers });
  const { ListenerID } = WebhookListeners[0];
  expect((await given.ask("POST", `/WebhookListeners/${ListenerID}/Next`)).status).toBe(404);
});
