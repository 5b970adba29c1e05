/**
 * Delivers waiting events to subscribers.
 *
 * One process at a time delivers to a subscriber, which a lease in the database sees to. It makes a
 * delivery of the events that wait, sends it, and writes down what became of it, each in a
 * transaction of its own: when it dies in between, the delivery is still there, waits as before,
 * and is sent again by the next holder of the lease. So each event arrives at least once. While a
 * delivery is tried again nothing later is sent, so that the events of a record arrive in their
 * order.
 */

import { recordAct } from "../../store/operations/audit-log.ts";
import {
  composeDelivery,
  type Delivery,
  nextDelivery,
  noteTry,
} from "../../store/outbox/deliveries.ts";
import {
  dueWebhooks,
  holdsLease,
  releaseLease,
  setStatus,
  takeLease,
  type Webhook,
  webhookOf,
} from "../../store/outbox/webhooks.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { signatureOf } from "../../wire/webhook.ts";
import { theServer } from "../audit/actors.ts";
import { eventsMax, numbersUsedUp, payloadWriter } from "../send/event-payload.ts";
import { type DeliveryResponse, isTaken, type Post } from "./post.ts";

/** Outcome of a try: taken, answered otherwise, not answered; or failed, and the last there is. */
export type DeliveryOutcome = "delivered" | "refused" | "unanswered" | "given_up";

export interface Delivering {
  readonly store: Store;
  readonly org: number;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Absolute address of the API root. */
  readonly baseUrl: () => string;
  readonly post: Post;
  /** This process, unlike every other. */
  readonly holder: string;
  /** From 0 to below 1. */
  readonly random?: () => number;
  /** Told when a subscription is not delivered to any more. */
  readonly disabled?: (webhook: Webhook, reason: string) => void;
  /** Told of each try once it is written down. */
  readonly tried?: ((outcome: DeliveryOutcome) => void) | undefined;
  /** Whether to begin nothing any more. */
  readonly isStopping?: () => boolean;
}

/** How long a process that has died keeps others from delivering; longer than any one step takes. */
const leaseMs = 10_000;
/** The first pause between tries, and the longest. */
const firstPauseMs = 5000;
const longestPauseMs = 3_600_000;
/** How long a delivery is tried. */
export const retryPeriodMs = 24 * 3_600_000;
/** Subscribers that are delivered to at the same time. */
const togetherMax = 16;

/** Subscribers that are delivered to at this moment, by their ids; what is under way never fails. */
export type DeliveriesInProgress = Map<string, Promise<void>>;

/**
 * Begins to deliver to every subscriber for whom something is due. Each is independent, so that a
 * slow subscriber, or one with many events, does not delay others.
 *
 * @param freed  called when one of them is done, with what it failed of, if it did
 * @returns when something will be due next for one that is not busy, in milliseconds since 1970
 *   UTC; undefined when nothing waits
 */
export async function deliverDue(
  delivering: Delivering,
  busy: DeliveriesInProgress,
  freed: (error?: unknown) => void,
): Promise<number | undefined> {
  const { store, org, clock } = delivering;
  const waiting = await store.read(org, dueWebhooks);
  const idle = waiting.filter(({ id }) => !busy.has(id));
  const now = clock();
  const due = idle.filter(({ dueAt }) => dueAt <= now).slice(0, togetherMax - busy.size);
  for (const { id } of due) {
    const done = (error?: unknown) => {
      busy.delete(id);
      freed(error);
    };
    busy.set(
      id,
      deliverTo(delivering, id).then(() => done(), done),
    );
  }
  const later = idle.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Delivers to one subscriber as long as anything is due and goes through. */
async function deliverTo(delivering: Delivering, id: string): Promise<void> {
  const { store, org, holder, isStopping = () => false } = delivering;
  let wentThrough = true;
  while (wentThrough && !isStopping()) {
    const taken = await store.write(org, (tx) => takeNext(delivering, tx, id));
    if (taken === undefined) return;
    const { webhook, delivery } = taken;
    const signature = signatureOf(webhook.signingKey, delivery.body);
    const posted = await delivering.post(webhook.url, delivery.body, signature);
    wentThrough = await noteOutcome(delivering, webhook, delivery, posted);
  }
  await store.write(org, (tx) => releaseLease(tx, id, holder));
}

/** Takes the lease and the next delivery, if that is due; else releases the lease. */
async function takeNext(
  { clock, newId, baseUrl, holder }: Delivering,
  tx: Tx,
  id: string,
): Promise<{ readonly webhook: Webhook; readonly delivery: Delivery } | undefined> {
  const now = clock();
  if (!(await takeLease(tx, id, { holder, now, until: now + leaseMs }))) return undefined;
  const webhook = await webhookOf(tx, id);
  if (webhook === undefined) return undefined;
  const { OrganisationID } = await organisationOf(tx);
  const compose = payloadWriter(baseUrl(), OrganisationID);
  const known = await nextDelivery(tx, id);
  const usedUp = known === undefined ? numbersUsedUp(webhook) : undefined;
  if (usedUp !== undefined) await disable(tx, webhook, usedUp, now);
  const delivery =
    known ??
    (usedUp === undefined
      ? await composeDelivery(tx, id, { id: newId, now, eventsMax, compose })
      : undefined);
  if (delivery !== undefined && (delivery.nextTryAt ?? 0) <= now) return { webhook, delivery };
  await releaseLease(tx, id, holder);
  return undefined;
}

/** Gives a subscription up, until a person enables it. */
async function disable(tx: Tx, webhook: Webhook, reason: string, at: number): Promise<void> {
  const { id, name, status } = webhook;
  const audited = await recordAct(tx, {
    kind: "webhook.disabled",
    by: theServer,
    at,
    subject: name,
    subjectId: id,
    changes: [
      { name: "Status", before: status, after: "DISABLED" },
      { name: "Reason", after: reason },
    ],
  });
  await setStatus(audited, id, "DISABLED", reason);
}

/** @returns whether the delivery went through */
async function noteOutcome(
  delivering: Delivering,
  webhook: Webhook,
  delivery: Delivery,
  posted: DeliveryResponse,
): Promise<boolean> {
  const { store, org, clock, holder, random = Math.random, disabled } = delivering;
  const said = (outcome: DeliveryOutcome) => delivering.tried?.(outcome);
  const at = clock();
  const { status: answered } = posted;
  const tried = { at, answered, nextTryAt: undefined, reason: undefined };
  if (isTaken(answered)) {
    await store.write(org, (tx) => noteTry(tx, delivery, { ...tried, status: "DELIVERED" }));
    said("delivered");
    return true;
  }
  const reason = answered === undefined ? posted.reason : `answered ${answered} instead of 200`;
  const until = (delivery.firstTriedAt ?? at) + retryPeriodMs;
  if (at < until) {
    const nextTryAt = Math.min(at + pauseMs(delivery.tries, random()), until);
    await store.write(org, async (tx) => {
      // The holder of the lease decides its outcome.
      if (!(await holdsLease(tx, webhook.id, holder))) return;
      await noteTry(tx, delivery, { ...tried, status: "WAITING", nextTryAt, reason });
    });
    said(answered === undefined ? "unanswered" : "refused");
    return false;
  }
  // Events that it has not taken stay, and are sent when it is enabled again.
  const why = `Nothing was taken for 24 hours; at last: ${reason}.`;
  await store.write(org, async (tx) => {
    await noteTry(tx, delivery, { ...tried, status: "WAITING", nextTryAt: at, reason });
    await disable(tx, webhook, why, at);
  });
  said("given_up");
  disabled?.(webhook, why);
  return false;
}

/**
 * How long to wait before the next try: twice as long each time, up to an hour, give or take a
 * quarter by chance, so that deliveries that failed together are not retried together.
 *
 * @param tries   before the one that just failed
 * @param chance  from 0 to below 1
 */
export function pauseMs(tries: number, chance: number): number {
  const pause = Math.min(firstPauseMs * 2 ** Math.min(tries, 30), longestPauseMs);
  return Math.round(pause * (0.75 + chance / 2));
}
