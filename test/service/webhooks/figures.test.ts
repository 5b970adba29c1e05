/** What is read of deliveries beside the figures of requests. */
import { expect, test } from "vitest";
import { createMetrics } from "../../../src/service/http/metrics.ts";
import {
  type DeliveryFigures,
  deliveryFigures,
} from "../../../src/service/server/webhook-figures.ts";
import { allowedBy } from "../../../src/service/webhooks/addresses.ts";
import { dispatch } from "../../../src/service/webhooks/dispatcher.ts";
import type { Post } from "../../../src/service/webhooks/post.ts";
import { deliveriesOf, reschedule, restartRetries } from "../../../src/store/outbox/deliveries.ts";
import { setStatus } from "../../../src/store/outbox/webhooks.ts";
import { guid } from "../../store/samples.ts";
import { acted } from "../../support/audit.ts";
import { contact, type World, world } from "../fixture.ts";
import { deliverer, shopId, subscribe } from "./subscribed.ts";

const answers =
  (status: number | undefined): Post =>
  async () => ({ status, hasBody: false, reason: "it is away", tookMs: 1 });

/** A subscribed book, figures of it, and what delivers to it. */
async function subscribed() {
  const given = await world();
  const seen = deliveryFigures(() => given.now);
  seen.attended(given.book);
  await subscribe(given);
  const answer = { status: 200 as number | undefined };
  const post: Post = (...delivery) => answers(answer.status)(...delivery);
  const deliver = deliverer(given, { post, tried: seen.tried });
  return { given, seen, answer, deliver };
}

/** Figures by their names as Prometheus reads them, without those that are nought. */
async function read({ figures }: DeliveryFigures): Promise<Record<string, number>> {
  const text = await createMetrics(figures).text();
  const lines = text.matchAll(/^acct_webhook_([^ ]+) (\S+)$/gm);
  return Object.fromEntries(
    [...lines].flatMap(([, name = "", value]) => (value === "0" ? [] : [[name, Number(value)]])),
  );
}

const inStore = async ({ book }: World, work: Parameters<World["book"]["store"]["write"]>[1]) =>
  book.store.write(book.org, work);

test("webhook metrics start at zero, with every state and outcome", async () => {
  const { seen } = await subscribed();
  const text = await createMetrics(seen.figures).text();
  const lines = text.split("\n").filter((line) => line.startsWith("acct_webhook_"));
  expect(lines).toEqual([
    'acct_webhook_pending_events{state="waiting"} 0',
    'acct_webhook_pending_events{state="failing"} 0',
    'acct_webhook_pending_events{state="given_up"} 0',
    "acct_webhook_oldest_pending_seconds 0",
    'acct_webhook_deliveries_total{outcome="delivered"} 0',
    'acct_webhook_deliveries_total{outcome="refused"} 0',
    'acct_webhook_deliveries_total{outcome="unanswered"} 0',
    'acct_webhook_deliveries_total{outcome="given_up"} 0',
  ]);
});

test("webhook metrics count waiting, failed and delivered events, and give the age of the oldest", async () => {
  const { given, seen, answer, deliver } = await subscribed();
  await contact(given);
  await contact(given);
  given.now += 3000;
  expect(await read(seen)).toEqual({
    'pending_events{state="waiting"}': 2,
    oldest_pending_seconds: expect.closeTo(3, 1),
  });
  answer.status = 500;
  await deliver();
  answer.status = undefined;
  given.now += 5000;
  await deliver();
  await contact(given);
  given.now += 7000;
  expect(await read(seen)).toEqual({
    'pending_events{state="waiting"}': 1,
    'pending_events{state="failing"}': 2,
    oldest_pending_seconds: expect.closeTo(15, 1),
    'deliveries_total{outcome="refused"}': 1,
    'deliveries_total{outcome="unanswered"}': 1,
  });
  answer.status = 200;
  given.now += 5000;
  await deliver();
  expect(await read(seen)).toEqual({
    'deliveries_total{outcome="refused"}': 1,
    'deliveries_total{outcome="unanswered"}': 1,
    'deliveries_total{outcome="delivered"}': 2,
  });
});

test("the age of the oldest waiting event counts from its own time, even if later events were sent first", async () => {
  const { given, seen, answer, deliver } = await subscribed();
  answer.status = 500;
  await contact(given);
  await deliver();
  await contact(given);
  given.now += 60_000;
  let isFirst = true;
  const flaky = deliverer(given, {
    post: (...delivery) => {
      const post = answers(isFirst ? 200 : 500);
      isFirst = false;
      return post(...delivery);
    },
  });
  await flaky();
  expect(await read(seen)).toMatchObject({
    'pending_events{state="failing"}': 1,
    oldest_pending_seconds: expect.closeTo(60, 1),
  });
});

test("waiting events of a disabled webhook are counted separately until it is enabled", async () => {
  const { given, seen, answer, deliver } = await subscribed();
  answer.status = 500;
  await contact(given);
  let next = await deliver();
  await contact(given);
  while (next !== undefined) {
    given.now = next;
    next = await deliver();
  }
  const figures = await read(seen);
  expect(figures).toMatchObject({
    'pending_events{state="given_up"}': 2,
    oldest_pending_seconds: expect.closeTo(86_400, 1),
    'deliveries_total{outcome="given_up"}': 1,
  });
  expect(figures).not.toHaveProperty('pending_events{state="failing"}');
  answer.status = 200;
  await inStore(given, async (tx) => {
    await setStatus(acted(tx), shopId, "OK");
    await restartRetries(tx, shopId, given.now);
  });
  await deliver();
  expect(await read(seen)).not.toHaveProperty('pending_events{state="given_up"}');
});

test("a webhook delivery requested again counts as waiting since that request", async () => {
  const { given, seen, deliver } = await subscribed();
  await contact(given);
  await deliver();
  given.now += 86_400_000;
  const { store, org } = given.book;
  const [{ id = "" } = {}] = await store.read(org, (tx) => deliveriesOf(tx, { limit: 1 }));
  await inStore(given, (tx) => reschedule(tx, id, given.now));
  expect(await read(seen)).toEqual({
    'pending_events{state="waiting"}': 1,
    'deliveries_total{outcome="delivered"}': 1,
  });
});

test("deliveries to command line listeners are not counted in webhook metrics", async () => {
  const { given, seen } = await subscribed();
  await inStore(given, (tx) => setStatus(acted(tx), shopId, "DISABLED"));
  await subscribe(given, { id: guid(0x9002), url: "", expiresAt: given.now + 3_600_000 });
  await contact(given);
  expect(await read(seen)).toEqual({});
});

test("webhook metrics sum several books, and keep their counts after the books are closed", async () => {
  const { given, seen } = await subscribed();
  const other = await world();
  other.now = given.now;
  const stop = seen.attended(other.book);
  await subscribe(other);
  await contact(given);
  await contact(other);
  const two = { 'pending_events{state="waiting"}': 2 };
  expect(await read(seen)).toMatchObject(two);
  await stop();
  expect(await read(seen)).toMatchObject(two);
  await deliverer(other, { post: answers(200) })();
  const again = seen.attended(other.book);
  const one = { 'pending_events{state="waiting"}': 1 };
  expect(await read(seen)).toMatchObject(one);
  await again();
  expect(await read(seen)).toMatchObject(one);
});

test("if the database fails, only the metric of waiting webhook events is left out", async () => {
  const { given, seen } = await subscribed();
  const read = () => Promise.reject(new Error("gone"));
  const stop = seen.attended({ ...given.book, store: { ...given.book.store, read } });
  const text = await createMetrics(seen.figures).text();
  expect(text).toContain('acct_webhook_deliveries_total{outcome="delivered"} 0');
  expect(text).not.toContain("acct_webhook_pending_events{");
  await stop();
});

test("a webhook dispatcher reports the metrics of its book until it stops", async () => {
  const given = await world();
  const seen = deliveryFigures(() => given.now);
  await subscribe(given);
  await contact(given);
  expect(await read(seen)).toEqual({});
  const { store } = given.book;
  const dispatcher = dispatch(
    { ...given.book, store: { ...store, onEvents: () => () => undefined } },
    {
      allowed: allowedBy(["http", "private"]),
      onlooker: seen,
      poster: Promise.resolve({ post: answers(200), close: async () => undefined }),
    },
  );
  await dispatcher.settled();
  expect(await read(seen)).toEqual({ 'deliveries_total{outcome="delivered"}': 1 });
  await dispatcher.stop();
});
