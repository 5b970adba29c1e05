/** Figures of waiting deliveries, for metrics. */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";
import { nextDelivery } from "./deliveries.ts";

/** What of a subscription is not delivered yet. Listeners come for theirs, and are none of these. */
export interface Queued {
  /** Whether anything is sent to it at all: not while it is disabled, or has yet to be validated. */
  readonly isInUse: boolean;
  /** Events not sent yet, and events of a delivery that is sent again on request. */
  readonly waiting: number;
  /** Events of a delivery that was tried and not taken. */
  readonly failing: number;
  /** When the oldest that was never sent happened, milliseconds since 1970 UTC. */
  readonly oldestAt: number | undefined;
  /** Body of the delivery that is next, unless that one was taken before and is sent again. */
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

/** Of every subscription to which something is yet to be delivered. */
export async function queuesOf(tx: Tx): Promise<Queued[]> {
  // What was taken and is sent again on request still bears that it was answered 200.
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
  const queues: Queued[] = [];
  for (const { id, status, events, oldest, fresh, failing } of rows) {
    const next = fresh === null ? undefined : await nextDelivery(tx, id);
    queues.push({
      isInUse: status === "OK",
      waiting: Number(events) + Number(fresh ?? 0),
      failing: Number(failing ?? 0),
      oldestAt: oldest === null ? undefined : Number(oldest),
      body: next?.answered === 200 ? undefined : next?.body,
    });
  }
  return queues;
}
