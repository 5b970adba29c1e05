/** A subscription in a book, and what delivers to it, for a test. */
import { onTestFinished } from "vitest";
import { allowedBy } from "../../../src/service/webhooks/addresses.ts";
import {
  type DeliveriesInProgress,
  type DeliveryContext,
  deliverDue,
} from "../../../src/service/webhooks/deliver.ts";
import { createPoster, type Post } from "../../../src/service/webhooks/post.ts";
import { addWebhook, type Webhook, webhookOf } from "../../../src/store/outbox/webhooks.ts";
import { guid } from "../../store/samples.ts";
import { acted } from "../../support/audit.ts";
import type { World } from "../fixture.ts";

export const shopId = guid(0x9001);

/** Subscribes to all events, unless told otherwise. @returns the id */
export async function subscribe(given: World, more: Partial<Webhook> = {}): Promise<string> {
  const webhook: Webhook = {
    id: shopId,
    name: "Shop",
    url: "https://shop.example/hook",
    categories: ["INVOICE", "CONTACT", "CREDITNOTE", "PAYMENT"],
    app: undefined,
    signingKey: "key",
    status: "OK",
    reason: undefined,
    createdAt: given.now,
    lastSequence: 0,
    expiresAt: undefined,
    ...more,
  };
  await given.book.store.write(given.book.org, (tx) => addWebhook(acted(tx), webhook));
  return webhook.id;
}

/** Longer than a busy machine takes to answer. */
const patienceMs = 120_000;

/** Sends to this machine; a receiver has time until `deadline`, and as long as it takes without. */
export function localPost(deadline?: () => AbortSignal): Post {
  const allowed = allowedBy(["http", "private"]);
  const poster = createPoster({
    allowed,
    timeoutMs: patienceMs,
    ...(deadline === undefined ? {} : { deadline }),
  });
  onTestFinished(() => poster.close());
  return poster.post;
}

/** Time that passes when a test says so. */
export function deadlines() {
  const running = new Set<AbortController>();
  return {
    deadline: () => {
      const controller = new AbortController();
      running.add(controller);
      return controller.signal;
    },
    /** Every delivery that is under way has had its time. */
    pass: () => {
      for (const controller of running) controller.abort(new DOMException("", "TimeoutError"));
      running.clear();
    },
  };
}

let processes = 0;

/** What delivers, as a process of its own would. */
export function deliverer(given: World, more: Partial<DeliveryContext> = {}) {
  processes += 1;
  const { store, org, dependencies: surroundings } = given.book;
  const delivering: DeliveryContext = {
    store,
    org,
    clock: () => given.now,
    newId: surroundings.newId,
    baseUrl: () => surroundings.baseUrl,
    post: more.post ?? localPost(),
    holder: `process ${processes}`,
    random: () => 0.5,
    ...more,
  };
  const busy: DeliveriesInProgress = new Map();
  /** Delivers what is due, until nothing is. @returns when something will be */
  return async (): Promise<number | undefined> => {
    for (;;) {
      const faults: unknown[] = [];
      const next = await deliverDue(delivering, busy, (error) => {
        if (error !== undefined) faults.push(error);
      });
      if (busy.size === 0) return next;
      await Promise.all(busy.values());
      if (faults.length > 0) throw faults[0];
    }
  };
}

export const statusOf = async ({ book }: World, id = shopId) =>
  (await book.store.read(book.org, (tx) => webhookOf(tx, id)))?.status;
