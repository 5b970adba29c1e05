import { describe, expect, onTestFinished, test, vi } from "vitest";
import { allowedBy } from "../../../src/service/webhooks/addresses.ts";
import { dispatch } from "../../../src/service/webhooks/dispatcher.ts";
import { createPoster } from "../../../src/service/webhooks/post.ts";
import {
  addSubscription,
  awaitDelivery,
  disableSubscription,
  findSubscription,
  listDeliveries,
  listSubscriptions,
  removeSubscription,
  resend,
  type SubscriberDependencies,
  trigger,
  validate,
} from "../../../src/service/webhooks/subscriptions.ts";
import { tester } from "../../support/audit.ts";
import { contact, type World, world } from "../fixture.ts";
import { type Behaviour, type Receiver, receiver, wellBehaved } from "./receiver.ts";
import { deadlines, deliverer, localPost } from "./subscribed.ts";

const allowed = allowedBy(["http", "private"]);
const key = "a key of sixteen letters";

const reaching = ({ book }: World, deadline?: () => AbortSignal): SubscriberDependencies => ({
  ...book,
  by: tester,
  allowed,
  post: localPost(deadline),
});

async function added(given: World, shop: Receiver, more: object = {}) {
  return addSubscription(reaching(given), { url: shop.url, signingKey: key, ...more });
}

describe("a new webhook receiver", () => {
  test("a new webhook receiver gets empty deliveries, and is accepted if it confirms only the correctly signed ones", async () => {
    const given = await world();
    const shop = await receiver(key);
    const webhook = await added(given, shop);
    expect(webhook).toMatchObject({
      status: "OK",
      name: "127.0.0.1",
      categories: ["INVOICE"],
      signingKey: key,
    });
    expect(shop.received.map(({ isRight, status }) => [isRight, status]).sort()).toEqual([
      [false, 401],
      [false, 401],
      [true, 200],
      [true, 200],
    ]);
    for (const { json, headers } of shop.received) {
      expect(json).toEqual({
        events: [],
        firstEventSequence: 0,
        lastEventSequence: 0,
        entropy: expect.stringMatching(/^[A-Z]{20}$/),
      });
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    expect(new Set(shop.received.map(({ json }) => json.entropy)).size).toBe(4);
  });

  test.each([201, 202, 204])(
    "a webhook receiver that answers %d without a body is enabled, and counts as having received deliveries",
    async (success) => {
      const given = await world();
      const shop = await receiver(key, ({ isRight }) => (isRight ? success : 401));
      expect(await added(given, shop, { categories: ["CONTACT"] })).toMatchObject({ status: "OK" });
      await contact(given);
      await deliverer(given)();
      await deliverer(given)();
      expect(shop.taken().map(({ json }) => json.firstEventSequence)).toEqual([1]);
      expect(await listDeliveries(reaching(given), { limit: 9 })).toMatchObject([
        { status: "DELIVERED", answered: success },
      ]);
    },
  );

  const lazy: [string, Behaviour, string][] = [
    ["accepts wrongly signed deliveries", () => 200, "a wrong signature with 200; it must be 401"],
    [
      "refuses correctly signed deliveries",
      () => 401,
      "a right signature with 401; it must be 200",
    ],
    [
      "answers 403 to wrong signatures",
      ({ isRight }) => (isRight ? 200 : 403),
      "with 403; it must be 401",
    ],
    ["answers 302", ({ isRight }) => (isRight ? 302 : 401), "with 302; it must be 200"],
    [
      "answers with a body",
      ({ isRight }, response) => {
        response.writeHead(isRight ? 200 : 401).end("thanks");
        return undefined;
      },
      "with a body; it must be empty",
    ],
    ["does not answer", () => undefined, "no answer within 120 seconds"],
  ];
  test.each(lazy)("a webhook receiver that %s is refused", async (_what, behaviour, reason) => {
    const given = await world();
    const clock = deadlines();
    const shop = await receiver(key, (delivery, response) => {
      const answer = behaviour(delivery, response);
      if (reason.startsWith("no answer")) clock.pass();
      return answer;
    });
    const webhook = await addSubscription(reaching(given, clock.deadline), {
      url: shop.url,
      signingKey: key,
      categories: ["CONTACT"],
    });
    expect(webhook).toMatchObject({ status: "INTENT", reason: expect.stringContaining(reason) });
    await contact(given);
    await deliverer(given)();
    expect(shop.taken()).toEqual([]);
    shop.behaviour = wellBehaved;
    expect(await validate(reaching(given), webhook)).toMatchObject({ status: "OK" });
    await contact(given);
    await deliverer(given)();
    expect(shop.taken().map(({ json }) => json.firstEventSequence)).toEqual([1]);
  });
});

test("name, category and address of a new webhook are checked, and a refused webhook is not stored", async () => {
  const given = await world();
  const shop = await receiver(key);
  const desk = reaching(given);
  await added(given, shop, { name: "Shop" });
  const refusals: [object, string][] = [
    [{ name: "SHOP" }, "There is a subscription SHOP already"],
    [{ name: " " }, "has 1 to 100 characters"],
    [{ name: "Other", categories: ["ITEM"] }, "There are no events of ITEM"],
    [{ name: "Other", categories: [] }, "at least one kind"],
    [{ name: "Other", signingKey: "short" }, "A signing key has 16 to 200 characters"],
    [{ name: "Other", app: "Nobody" }, "There is no app Nobody"],
    [{ name: "Other", url: "nowhere" }, "is no address"],
  ];
  for (const [more, sentence] of refusals) {
    await expect(added(given, shop, more)).rejects.toThrow(sentence);
  }
  await expect(
    addSubscription({ ...desk, allowed: allowedBy([]) }, { url: shop.url, name: "Other" }),
  ).rejects.toThrow("https on port 443");
  expect((await listSubscriptions(desk)).map(({ name }) => name)).toEqual(["Shop"]);
  for (const named of ["shop", shop.url, (await findSubscription(desk, "Shop")).id]) {
    expect((await findSubscription(desk, named)).name).toBe("Shop");
  }
  await expect(findSubscription(desk, "Nobody")).rejects.toThrow("There is no subscription Nobody");
});

test("a webhook that was disabled and enabled gets the events from before and after, none from between", async () => {
  const given = await world();
  const shop = await receiver(key);
  const desk = reaching(given);
  const webhook = await added(given, shop, { categories: ["CONTACT"] });
  const before = await contact(given);
  await disableSubscription(desk, webhook);
  await contact(given);
  await deliverer(given)();
  expect(shop.taken()).toEqual([]);
  await validate(desk, await findSubscription(desk, webhook.id));
  const after = await contact(given);
  await deliverer(given)();
  const [delivery] = shop.taken();
  expect(delivery?.json).toMatchObject({
    events: [{ resourceId: before.ContactID }, { resourceId: after.ContactID }],
    firstEventSequence: 1,
    lastEventSequence: 2,
  });
});

test("removing a webhook deletes all its rows in the database", async () => {
  const given = await world();
  const shop = await receiver(key);
  const desk = reaching(given);
  const webhook = await added(given, shop, { categories: ["CONTACT"] });
  await contact(given);
  await deliverer(given)();
  await contact(given);
  await removeSubscription(desk, webhook);
  expect(await listSubscriptions(desk)).toEqual([]);
  expect(await listDeliveries(desk, { limit: 10 })).toEqual([]);
  expect(await deliverer(given)()).toBeUndefined();
});

test("a test event triggered by the user is delivered only to webhooks of its category", async () => {
  const given = await world();
  const shop = await receiver(key);
  const desk = reaching(given);
  await contact(given);
  const latest = await contact(given);
  await added(given, shop, { categories: ["CONTACT", "CREDITNOTE"] });
  const told = await trigger(desk, { category: "CONTACT", type: "UPDATE" });
  expect(told).toMatchObject({ recordId: latest.ContactID, told: [{ name: "127.0.0.1" }] });
  const made = await trigger(desk, { category: "CREDITNOTE", type: "CREATE" });
  await deliverer(given)();
  expect(shop.taken()[0]?.json.events).toMatchObject([
    { eventCategory: "CONTACT", eventType: "UPDATE", resourceId: latest.ContactID },
    { eventCategory: "CREDITNOTE", eventType: "CREATE", resourceId: made.recordId },
  ]);
  await expect(trigger(desk, { category: "INVOICE", type: "UPDATE" })).rejects.toThrow(
    "Nobody is told of INVOICE",
  );
  const unknown = "00000000-0000-7000-8000-00000000dead";
  await expect(
    trigger(desk, { category: "CONTACT", type: "UPDATE", recordId: unknown }),
  ).rejects.toThrow(`There is no contact ${unknown}`);
});

test("a webhook delivery can be requested again by its id, but not for a disabled webhook", async () => {
  const given = await world();
  const shop = await receiver(key);
  const desk = reaching(given);
  const webhook = await added(given, shop, { name: "Shop", categories: ["CONTACT"] });
  await contact(given);
  expect(await awaitDelivery(desk, [webhook.id], 0)).toBe(false);
  await deliverer(given)();
  expect(await awaitDelivery(desk, [webhook.id], 0)).toBe(true);
  const [delivery] = await listDeliveries(desk, { limit: 1 });
  await resend(desk, delivery?.id ?? "");
  await deliverer(given)();
  expect(shop.taken().map(({ json }) => json.firstEventSequence)).toEqual([1, 1]);
  await disableSubscription(desk, webhook);
  await expect(resend(desk, delivery?.id ?? "")).rejects.toThrow(
    "Shop is not in use; first run acct webhook enable Shop.",
  );
  await expect(resend(desk, "nothing")).rejects.toThrow("There is no delivery nothing");
});

// --- for as long as a book is served -------------------------------------------------------------

function dispatching(given: World, more: object = {}) {
  const poster = Promise.resolve(createPoster({ allowed }));
  return dispatch(given.book, { allowed, poster, ...more });
}

test("webhook events of this process are delivered at once, and so are events from before its start", async () => {
  // The timer of the regular look never fires; a turn that is due without a wait does.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const given = await world();
  const shop = await receiver(key);
  await added(given, shop, { categories: ["CONTACT"] });
  const earlier = await contact(given);
  const dispatcher = dispatching(given);
  await shop.until(() => shop.taken().length === 1);
  expect(shop.taken()[0]?.json.events[0].resourceId).toBe(earlier.ContactID);
  await dispatcher.settled();
  await contact(given);
  await shop.until(() => shop.taken().length === 2);
  await dispatcher.stop();
  await contact(given);
  expect(shop.taken()).toHaveLength(2);
});

test("a slow webhook subscriber does not delay other subscribers", async () => {
  const given = await world();
  const [slow, quick] = [await receiver(key), await receiver(key)];
  await added(given, slow, { name: "Slow", categories: ["CONTACT"] });
  await added(given, quick, { name: "Quick", categories: ["CONTACT"] });
  const answering = Promise.withResolvers<void>();
  slow.behaviour = async () => {
    await answering.promise;
    return 200;
  };
  const dispatcher = dispatching(given);
  for (const count of [1, 2, 3]) {
    await contact(given);
    await quick.until(() => quick.taken().length === count);
  }
  expect(slow.taken()).toHaveLength(0);
  answering.resolve();
  await slow.until(() => slow.taken().length === 2);
  expect(slow.taken().at(-1)?.json.lastEventSequence).toBe(3);
  await dispatcher.stop();
});

test("webhook events of another process are delivered at the next regular poll", async () => {
  const { openBook } = await import("../../../src/service/books/book.ts");
  const given = await world();
  const shop = await receiver(key);
  await added(given, shop, { categories: ["CONTACT"] });
  const dispatcher = dispatching(given);
  const other = await openBook(given.book.path, { clock: () => given.now });
  await other.transport({
    method: "PUT",
    path: "/Contacts",
    query: [],
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"Name":"Of another"}'),
  });
  await shop.until(() => shop.taken().length === 1);
  await other.close();
  await dispatcher.stop();
});

test("the webhook dispatcher continues after an internal error, and stops after running deliveries", async () => {
  const given = await world();
  const shop = await receiver(key);
  await added(given, shop, { categories: ["CONTACT"] });
  const faults: unknown[] = [];
  let fails = 1;
  const working = createPoster({ allowed });
  const poster = {
    ...working,
    post: async (...delivery: Parameters<typeof working.post>) => {
      if (fails-- > 0) throw new Error("a bug");
      return working.post(...delivery);
    },
  };
  const failed = Promise.withResolvers<void>();
  const report = (error: unknown) => {
    faults.push(error);
    failed.resolve();
  };
  const dispatcher = dispatching(given, { poster: Promise.resolve(poster), report });
  await contact(given);
  await failed.promise;
  expect(faults).toHaveLength(1);
  // The lease of what failed runs out on the clock of the test.
  given.now += 60_000;
  const asked = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  shop.behaviour = async () => {
    asked.resolve();
    await answering.promise;
    return 200;
  };
  await asked.promise;
  const stopped = dispatcher.stop();
  answering.resolve();
  await stopped;
  expect(shop.taken()).toHaveLength(1);
  expect(await listDeliveries(reaching(given), { limit: 1 })).toMatchObject([
    { status: "DELIVERED" },
  ]);
});
