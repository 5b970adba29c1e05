/** Figures of waiting deliveries, for metrics. */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";
import { nextDelivery } from "./deliveries.ts";

/**
 * The undelivered events of a webhook subscription. Listeners, which fetch their events, are left
 * out.
 */
export interface QueuedEvents {
  /** Whether deliveries are made: not while the subscription is disabled or not yet validated. */
  readonly isInUse: boolean;
  /** Number of unsent events, and of events in a delivery that is sent again on request. */
  readonly waiting: number;
  /** Number of events in a delivery that was tried and failed. */
  readonly failing: number;
  /** Time of the oldest unsent event, milliseconds since 1970 UTC. */
  readonly oldestAt: number | undefined;
  /** Body of the next delivery; undefined for a delivery sent again on request. */
  readonly body: string | undefined;
}

interface QueuedRow {
  readonly id: string;
  readonly status: string;
  readonly events: number;
  readonly oldest: number | null;
  readonly fresh: number | null;
  readonly failing: number | null;
}

/** The queues of all subscriptions with undelivered events. */
export async function queuesOf(tx: Tx): Promise<QueuedEvents[]> {
  // A delivery sent again on request still has the status 200 of its earlier response.
  const { rows } = await sql<QueuedRow>`
    select w.id, w.status, coalesce(e.events, 0) as events, e.oldest, d.fresh, d.failing
    from webhook w
    left join (
      select webhook_id, count(*) as events, min(at) as oldest
      from event where org = ${tx.org} group by webhook_id
    ) e on e.webhook_id = w.id
    left join (
      select webhook_id,
        sum(case when tries = 0 or answered = 200 then last_sequence - first_sequence + 1 else 0 end)
          as fresh,
        sum(case when tries = 0 or answered = 200 then 0 else last_sequence - first_sequence + 1 end)
          as failing
      from delivery where org = ${tx.org} and status = 'WAITING' group by webhook_id
    ) d on d.webhook_id = w.id
    where w.org = ${tx.org} and w.expires_at is null
      and (e.events is not null or d.fresh is not null)
    order by w.id`.execute(tx.db);
  const queues: QueuedEvents[] = [];
  for (const { id, status, events, oldest, fresh, failing } of rows) {
    const nextInQueue = fresh === null ? undefined : await nextDelivery(tx, id);
    queues.push({
      isInUse: status === "OK",
      waiting: Number(events) + Number(fresh ?? 0),
      failing: Number(failing ?? 0),
      oldestAt: oldest === null ? undefined : Number(oldest),
      body: nextInQueue?.answered === 200 ? undefined : nextInQueue?.body,
    });
  }
  return queues;
}
