/** What was sent to subscribers, and what is still to be: also the log of it. */
import { sql } from "kysely";
import type { Insertion } from "../connection/connection.ts";
import { deleteRows, insertRows, updateRows } from "../operations/bulk.ts";
import type { Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";
import { removeEvents, type WaitingEvent, waitingEvents } from "./events.ts";
import { takeSequence } from "./webhooks.ts";

/** `WAITING` for its first or its next try. */
export type DeliveryStatus = "WAITING" | "DELIVERED";

export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** What is sent, the same at each try. */
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  /** Milliseconds since 1970 UTC, as all moments here. */
  readonly createdAt: number;
  readonly firstTriedAt: number | undefined;
  readonly triedAt: number | undefined;
  readonly nextTryAt: number | undefined;
  /** Status of the last answer; undefined where none came. */
  readonly answered: number | undefined;
  /** Why the last try failed. */
  readonly reason: string | undefined;
}

/** Events, and the number of the first of them. */
export type Composing = (events: readonly WaitingEvent[], first: number) => string;

const insertion: Insertion = {
  table: "delivery",
  columns: [
    "org",
    "webhook_id",
    "first_sequence",
    "last_sequence",
    "id",
    "body",
    "status",
    "tries",
    "created_at",
    "next_try_at",
  ],
  tail: "",
};

/**
 * Makes a delivery of the first events that wait for a subscriber.
 *
 * @param compose  writes its body
 * @returns undefined where none wait
 */
export async function composeDelivery(
  tx: Tx,
  webhookId: string,
  made: {
    readonly id: () => string;
    readonly now: number;
    readonly eventsMax: number;
    readonly compose: Composing;
  },
): Promise<Delivery | undefined> {
  const { now, eventsMax, compose } = made;
  const events = await waitingEvents(tx, webhookId, eventsMax);
  if (events.length === 0) return undefined;
  const first = await takeSequence(tx, webhookId, events.length);
  const last = first + events.length - 1;
  const id = made.id();
  const body = compose(events, first);
  await removeEvents(tx, webhookId, events);
  await insertRows(tx, insertion, [
    [tx.org, webhookId, first, last, id, body, "WAITING", 0, now, now],
  ]);
  return deliveryOf(tx, id);
}

/** The first delivery that a subscriber has yet to take. */
export async function nextDelivery(tx: Tx, webhookId: string): Promise<Delivery | undefined> {
  const row = await tx.db
    .selectFrom("delivery")
    .selectAll()
    .where("org", "=", tx.org)
    .where("webhook_id", "=", webhookId)
    .where("status", "=", sql.lit("WAITING"))
    .orderBy("first_sequence")
    .limit(1)
    .executeTakeFirst();
  return row && deliveryFrom(row);
}

export async function deliveryOf(tx: Tx, id: string): Promise<Delivery | undefined> {
  const row = await tx.db
    .selectFrom("delivery")
    .selectAll()
    .where("org", "=", tx.org)
    .where("id", "=", id)
    .executeTakeFirst();
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

/** What a try came to. */
export interface DeliveryAttempt {
  readonly status: DeliveryStatus;
  readonly at: number;
  /** When it is tried again; undefined when it is not. */
  readonly nextTryAt: number | undefined;
  readonly answered: number | undefined;
  readonly reason: string | undefined;
}

/** Writes down what a try came to. */
export async function noteTry(tx: Tx, delivery: Delivery, tried: DeliveryAttempt): Promise<void> {
  const changes = {
    status: tried.status,
    tries: delivery.tries + 1,
    first_tried_at: delivery.firstTriedAt ?? tried.at,
    tried_at: tried.at,
    next_try_at: tried.nextTryAt ?? null,
    answered: tried.answered ?? null,
    reason: tried.reason ?? null,
  };
  await updateRows(tx, "delivery", changes, sql`id = ${delivery.id}`);
}

/** Lets a delivery be sent again, with a day of tries before it. */
export async function sendAgain(tx: Tx, id: string, now: number): Promise<void> {
  const changes = { status: "WAITING", next_try_at: now, first_tried_at: null };
  await updateRows(tx, "delivery", changes, sql`id = ${id}`);
}

/** Lets what a subscriber has yet to take be tried for a day from now on. */
export async function tryAfresh(tx: Tx, webhookId: string, now: number): Promise<void> {
  const waiting = sql`webhook_id = ${webhookId} and status = 'WAITING'`;
  await updateRows(tx, "delivery", { next_try_at: now, first_tried_at: null }, waiting);
}

/** Removes what a listener has taken, up to a number. */
export async function removeTaken(tx: Tx, webhookId: string, upTo: number): Promise<void> {
  const taken = sql`webhook_id = ${webhookId} and last_sequence <= ${upTo}`;
  await deleteRows(tx, "delivery", taken);
}

/** Newest first. */
export async function deliveriesOf(
  tx: Tx,
  asked: {
    readonly webhookId?: string | undefined;
    readonly status?: DeliveryStatus | undefined;
    readonly limit: number;
  },
): Promise<Delivery[]> {
  const { webhookId, status, limit } = asked;
  let query = tx.db.selectFrom("delivery").selectAll().where("org", "=", tx.org);
  if (webhookId !== undefined) query = query.where("webhook_id", "=", webhookId);
  if (status !== undefined) query = query.where("status", "=", status);
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(deliveryFrom);
}

/** Removes from the log what was made before `before` and has been delivered. */
export async function forgetDeliveries(tx: Tx, before: number): Promise<void> {
  await deleteRows(tx, "delivery", sql`created_at < ${before} and status <> 'WAITING'`);
}
