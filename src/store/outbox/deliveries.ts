/** Deliveries to webhook subscribers, waiting and done; the table is also their log. */
import { sql } from "kysely";
import { deleteRows, insertNew, ownRows, updateRows } from "../operations/bulk.ts";
import type { Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";
import { removeEvents, type WaitingEvent, waitingEvents } from "./events.ts";
import { takeSequence } from "./webhooks.ts";

/** Status of a delivery; `WAITING` for its first or its next try. */
export type DeliveryStatus = "WAITING" | "DELIVERED";

export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** The request body, the same at each try. */
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  /** Milliseconds since 1970 UTC, as all moments here. */
  readonly createdAt: number;
  readonly firstTriedAt: number | undefined;
  readonly triedAt: number | undefined;
  readonly nextTryAt: number | undefined;
  /** HTTP status of the last response; undefined when none came. */
  readonly answered: number | undefined;
  /** Error of the last failed try. */
  readonly reason: string | undefined;
}

/** Composes the body of a delivery from events and the number of the first. */
export type ComposeBody = (events: readonly WaitingEvent[], firstNumber: number) => string;

/**
 * Makes a delivery of the first waiting events of a subscription.
 * @param compose  writes its body
 * @returns undefined when no events wait
 */
export async function composeDelivery(
  tx: Tx,
  webhookId: string,
  composition: {
    readonly id: () => string;
    readonly now: number;
    readonly eventsMax: number;
    readonly compose: ComposeBody;
  },
): Promise<Delivery | undefined> {
  const { now, eventsMax, compose } = composition;
  const events = await waitingEvents(tx, webhookId, eventsMax);
  if (events.length === 0) return undefined;
  const firstNumber = await takeSequence(tx, webhookId, events.length);
  const lastNumber = firstNumber + events.length - 1;
  const id = composition.id();
  const body = compose(events, firstNumber);
  await removeEvents(tx, webhookId, events);
  const numbers = { first_sequence: firstNumber, last_sequence: lastNumber };
  const state = { status: "WAITING", tries: 0, created_at: now, next_try_at: now };
  await insertNew(tx, "delivery", [{ webhook_id: webhookId, ...numbers, id, body, ...state }]);
  return deliveryOf(tx, id);
}

/** The first undelivered delivery of a subscription. */
export async function nextDelivery(tx: Tx, webhookId: string): Promise<Delivery | undefined> {
  const row = await ownRows(tx, "delivery", { webhook_id: webhookId, status: sql.lit("WAITING") })
    .selectAll()
    .orderBy("first_sequence")
    .limit(1)
    .executeTakeFirst();
  return row && deliveryFrom(row);
}

export async function deliveryOf(tx: Tx, id: string): Promise<Delivery | undefined> {
  const row = await ownRows(tx, "delivery", { id }).selectAll().executeTakeFirst();
  return row && deliveryFrom(row);
}

function deliveryFrom(row: Tables["delivery"]): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    firstSequence: row.first_sequence,
    lastSequence: row.last_sequence,
    body: row.body,
    status: row.status as DeliveryStatus,
    tries: row.tries,
    createdAt: row.created_at,
    firstTriedAt: row.first_tried_at ?? undefined,
    triedAt: row.tried_at ?? undefined,
    nextTryAt: row.next_try_at ?? undefined,
    answered: row.answered ?? undefined,
    reason: row.reason ?? undefined,
  };
}

/** The result of a delivery attempt. */
export interface DeliveryAttempt {
  readonly status: DeliveryStatus;
  readonly at: number;
  /** Time of the next try; undefined when there is none. */
  readonly nextTryAt: number | undefined;
  readonly answered: number | undefined;
  readonly reason: string | undefined;
}

/** Stores the result of a delivery attempt. */
export async function noteTry(tx: Tx, delivery: Delivery, attempt: DeliveryAttempt): Promise<void> {
  const changes = {
    status: attempt.status,
    tries: delivery.tries + 1,
    first_tried_at: delivery.firstTriedAt ?? attempt.at,
    tried_at: attempt.at,
    next_try_at: attempt.nextTryAt ?? null,
    answered: attempt.answered ?? null,
    reason: attempt.reason ?? null,
  };
  await updateRows(tx, "delivery", changes, sql`id = ${delivery.id}`);
}

/** Schedules a delivery to be sent again, with retries for a day. */
export async function reschedule(tx: Tx, id: string, now: number): Promise<void> {
  const changes = { status: "WAITING", next_try_at: now, first_tried_at: null };
  await updateRows(tx, "delivery", changes, sql`id = ${id}`);
}

/** Restarts the retries of undelivered deliveries of a subscription, for a day from now. */
export async function restartRetries(tx: Tx, webhookId: string, now: number): Promise<void> {
  const waitingOnes = sql`webhook_id = ${webhookId} and status = 'WAITING'`;
  await updateRows(tx, "delivery", { next_try_at: now, first_tried_at: null }, waitingOnes);
}

/** Deletes the deliveries that a listener acknowledged, up to a number. */
export async function removeAcknowledged(tx: Tx, webhookId: string, upTo: number): Promise<void> {
  const acknowledged = sql`webhook_id = ${webhookId} and last_sequence <= ${upTo}`;
  await deleteRows(tx, "delivery", acknowledged);
}

/** The deliveries of a subscription, newest first. */
export async function deliveriesOf(
  tx: Tx,
  filter: {
    readonly webhookId?: string | undefined;
    readonly status?: DeliveryStatus | undefined;
    readonly limit: number;
  },
): Promise<Delivery[]> {
  const { webhookId, status, limit } = filter;
  let query = ownRows(tx, "delivery").selectAll();
  if (webhookId !== undefined) query = query.where("webhook_id", "=", webhookId);
  if (status !== undefined) query = query.where("status", "=", status);
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(deliveryFrom);
}

/** Deletes deliveries that were created before `before` and delivered. */
export async function forgetDeliveries(tx: Tx, endMs: number): Promise<void> {
  await deleteRows(tx, "delivery", sql`created_at < ${endMs} and status <> 'WAITING'`);
}
