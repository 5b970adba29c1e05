/**
 * Delivers waiting events to webhook subscribers.
 *
 * A lease in the database ensures that one process at a time delivers to a subscriber. It makes a
 * delivery of the waiting events, sends it, and records the outcome, each in its own transaction:
 * after a crash in between, the delivery is still waiting, and the next holder of the lease sends
 * it again. So each event arrives at least once. While a delivery is retried, nothing later is
 * sent, so that the events of a record arrive in order.
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
import { eventsMax, payloadWriter, sequenceFault } from "../send/event-payload.ts";
import { type DeliveryResponse, isTaken, type Post } from "./post.ts";

/** Outcome of an attempt: accepted, refused, no answer; or failed as the last attempt. */
export type DeliveryOutcome = "delivered" | "refused" | "unanswered" | "given_up";

export interface DeliveryContext {
  readonly store: Store;
  readonly org: number;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Returns the base URL of the API. */
  readonly baseUrl: () => string;
  readonly post: Post;
  /** Unique id of this process, as holder of leases. */
  readonly holder: string;
  /** Returns a random number from 0 to below 1. */
  readonly random?: () => number;
  /** Called when a subscription is disabled after failed deliveries. */
  readonly disabled?: (webhook: Webhook, reason: string) => void;
  /** Called after the outcome of each attempt is recorded. */
  readonly tried?: ((outcome: DeliveryOutcome) => void) | undefined;
  /** Whether the process is shutting down, so that no delivery may begin. */
  readonly isStopping?: () => boolean;
}

/**
 * Duration of a lease, longer than any single step, after which others take over from a dead
 * process.
 */
const leaseMs = 10_000;
/** First and longest pause between attempts, in milliseconds. */
const firstPauseMs = 5000;
const longestPauseMs = 3_600_000;
/** Period in which a delivery is retried, in milliseconds. */
export const retryPeriodMs = 24 * 3_600_000;
/** Maximum number of subscribers served at the same time. */
const togetherMax = 16;

/** Running deliveries by subscriber id; these promises never reject. */
export type DeliveriesInProgress = Map<string, Promise<void>>;

/**
 * Starts delivery to every subscriber with due events. Each runs independently, so that a slow
 * subscriber, or one with many events, does not delay others.
 *
 * @param freed  called when delivery to a subscriber has ended, with its error, if any
 * @returns the next due time of idle subscribers, in milliseconds since 1970 UTC; undefined when
 *   nothing waits
 */
export async function deliverDue(
  delivering: DeliveryContext,
  busyWebhooks: DeliveriesInProgress,
  freed: (error?: unknown) => void,
): Promise<number | undefined> {
  const { store, org, clock } = delivering;
  const webhooks = await store.read(org, dueWebhooks);
  const idle = webhooks.filter(({ id }) => !busyWebhooks.has(id));
  const now = clock();
  const dueNow = idle.filter(({ dueAt }) => dueAt <= now).slice(0, togetherMax - busyWebhooks.size);
  for (const { id } of dueNow) {
    const onDone = (error?: unknown) => {
      busyWebhooks.delete(id);
      freed(error);
    };
    busyWebhooks.set(
      id,
      deliverTo(delivering, id).then(() => onDone(), onDone),
    );
  }
  const laterTimes = idle.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
  return laterTimes.length === 0 ? undefined : Math.min(...laterTimes);
}

/** Delivers to one subscriber while deliveries are due and succeed. */
async function deliverTo(delivering: DeliveryContext, id: string): Promise<void> {
  const { store, org, holder, isStopping = () => false } = delivering;
  let hasSucceeded = true;
  while (hasSucceeded && !isStopping()) {
    const toDeliver = await store.write(org, (tx) => takeNext(delivering, tx, id));
    if (toDeliver === undefined) return;
    const { webhook, delivery } = toDeliver;
    const signature = signatureOf(webhook.signingKey, delivery.body);
    const deliveryResponse = await delivering.post(webhook.url, delivery.body, signature);
    hasSucceeded = await noteOutcome(delivering, webhook, delivery, deliveryResponse);
  }
  await store.write(org, (tx) => releaseLease(tx, id, holder));
}

/** Takes the lease and the next due delivery; without one, releases the lease. */
async function takeNext(
  { clock, newId, baseUrl, holder }: DeliveryContext,
  tx: Tx,
  id: string,
): Promise<{ readonly webhook: Webhook; readonly delivery: Delivery } | undefined> {
  const now = clock();
  if (!(await takeLease(tx, id, { holder, now, until: now + leaseMs }))) return undefined;
  const webhook = await webhookOf(tx, id);
  if (webhook === undefined) return undefined;
  const { OrganisationID } = await organisationOf(tx);
  const compose = payloadWriter(baseUrl(), OrganisationID);
  const pending = await nextDelivery(tx, id);
  const usedUp = pending === undefined ? sequenceFault(webhook) : undefined;
  if (usedUp !== undefined) await disable(tx, webhook, usedUp, now);
  const delivery =
    pending ??
    (usedUp === undefined
      ? await composeDelivery(tx, id, { id: newId, now, eventsMax, compose })
      : undefined);
  if (delivery !== undefined && (delivery.nextTryAt ?? 0) <= now) return { webhook, delivery };
  await releaseLease(tx, id, holder);
  return undefined;
}

/** Disables a subscription until a person enables it. */
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

/** Records the outcome of an attempt. @returns whether the delivery succeeded */
async function noteOutcome(
  delivering: DeliveryContext,
  webhook: Webhook,
  delivery: Delivery,
  posted: DeliveryResponse,
): Promise<boolean> {
  const { store, org, clock, holder, random = Math.random, disabled } = delivering;
  const report = (outcome: DeliveryOutcome) => delivering.tried?.(outcome);
  const at = clock();
  const { status: answered } = posted;
  const attempt = { at, answered, nextTryAt: undefined, reason: undefined };
  if (isTaken(answered)) {
    await store.write(org, (tx) => noteTry(tx, delivery, { ...attempt, status: "DELIVERED" }));
    report("delivered");
    return true;
  }
  const reason = answered === undefined ? posted.reason : `answered ${answered} instead of 200`;
  const retryUntil = (delivery.firstTriedAt ?? at) + retryPeriodMs;
  if (at < retryUntil) {
    const nextTryAt = Math.min(at + pauseMs(delivery.tries, random()), retryUntil);
    await store.write(org, async (tx) => {
      // Only the holder of the lease may record an outcome.
      if (!(await holdsLease(tx, webhook.id, holder))) return;
      await noteTry(tx, delivery, { ...attempt, status: "WAITING", nextTryAt, reason });
    });
    report(answered === undefined ? "unanswered" : "refused");
    return false;
  }
  // Undelivered events are kept, and sent when the subscription is enabled again.
  const disabledReason = `Nothing was taken for 24 hours; at last: ${reason}.`;
  await store.write(org, async (tx) => {
    await noteTry(tx, delivery, { ...attempt, status: "WAITING", nextTryAt: at, reason });
    await disable(tx, webhook, disabledReason, at);
  });
  report("given_up");
  disabled?.(webhook, disabledReason);
  return false;
}

/**
 * Returns the pause before the next attempt: it doubles up to an hour, with a random variation of a
 * quarter, so that deliveries that failed together are not retried together.
 *
 * @param attempts  number of earlier failed attempts
 * @param randomShare  random number from 0 to below 1
 */
export function pauseMs(attempts: number, randomShare: number): number {
  const delayMs = Math.min(firstPauseMs * 2 ** Math.min(attempts, 30), longestPauseMs);
  return Math.round(delayMs * (0.75 + randomShare / 2));
}
