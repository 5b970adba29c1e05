/**
 * Metrics of webhook deliveries.
 *
 * Each process counts the outcomes of its attempts. Waiting events are counted in open books; for a
 * closed book the last count is reported until it is opened again. Processes that serve one
 * database report the same queues, so these gauges are aggregated by maximum, not by sum. No label
 * contains a subscription or an organisation, whose number is unlimited.
 */
import { queuesOf } from "../../store/outbox/delivery-queue.ts";
import { occurredAt } from "../../wire/webhook.ts";
import type { Metric } from "../http/metrics.ts";
import type { DeliveryOutcome } from "../webhooks/deliver.ts";
import type { DeliveryObserver, DispatchedBook } from "../webhooks/dispatcher.ts";

export interface DeliveryFigures extends DeliveryObserver {
  readonly figures: readonly Metric[];
}

/** Waiting events by state, of one book or of all. */
interface Pending {
  readonly waiting: number;
  readonly failing: number;
  /** Events of disabled subscriptions: nothing is sent until a person acts. */
  readonly givenUp: number;
  /** Time of the oldest waiting event, in milliseconds since 1970 UTC. */
  readonly oldestAt: number;
}

const nothing: Pending = { waiting: 0, failing: 0, givenUp: 0, oldestAt: Number.POSITIVE_INFINITY };

/** Timeout of the database query in milliseconds. */
const answerMs = 2_000;

/** @param clock  milliseconds since 1970 UTC */
export function deliveryFigures(clock: () => number): DeliveryFigures {
  const tries: Record<DeliveryOutcome, number> = {
    delivered: 0,
    refused: 0,
    unanswered: 0,
    given_up: 0,
  };
  const openBooks = new Set<DispatchedBook>();
  /** Waiting events of closed books, by OrganisationID. */
  const closedByTenant = new Map<string, Pending>();
  let query: Promise<Pending> | undefined;
  /** Queries once for all metrics of a scrape. */
  const pending = () => {
    query ??= withTimeout(pendingIn([...openBooks])).finally(() => {
      query = undefined;
    });
    return query.then((ofOpen) => [ofOpen, ...closedByTenant.values()].reduce(sumPending, nothing));
  };
  return {
    tried: (outcome) => {
      tries[outcome] += 1;
    },
    attended: (book) => {
      openBooks.add(book);
      closedByTenant.delete(book.tenant);
      return async () => {
        const left = await withTimeout(pendingIn([book])).catch(() => nothing);
        openBooks.delete(book);
        if (left.waiting + left.failing + left.givenUp > 0) closedByTenant.set(book.tenant, left);
      };
    },
    figures: figuresOf(tries, pending, clock),
  };
}

async function pendingIn(books: readonly DispatchedBook[]): Promise<Pending> {
  let sum = nothing;
  for (const { store, org } of books) {
    for (const queue of await store.read(org, queuesOf)) {
      const { isInUse, waiting, failing, oldestAt = nothing.oldestAt, body } = queue;
      const sentAt = body === undefined ? undefined : occurredAt(body);
      sum = sumPending(sum, {
        waiting: isInUse ? waiting : 0,
        failing: isInUse ? failing : 0,
        givenUp: isInUse ? 0 : waiting + failing,
        oldestAt: Math.min(oldestAt, sentAt ?? oldestAt),
      });
    }
  }
  return sum;
}

function sumPending(first: Pending, second: Pending): Pending {
  return {
    waiting: first.waiting + second.waiting,
    failing: first.failing + second.failing,
    givenUp: first.givenUp + second.givenUp,
    oldestAt: Math.min(first.oldestAt, second.oldestAt),
  };
}

/** @throws Error on timeout, so that other metrics are not delayed */
function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database does not answer.")), answerMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

function figuresOf(
  tries: Readonly<Record<DeliveryOutcome, number>>,
  pending: () => Promise<Pending>,
  clock: () => number,
): readonly Metric[] {
  return [
    {
      name: "acct_webhook_pending_events",
      help:
        "Events yet to be delivered: never sent, sent and not taken, or of a subscription that is " +
        "not in use",
      kind: "gauge",
      together: "max",
      labels: ["state"],
      read: async () => {
        const { waiting, failing, givenUp } = await pending();
        return [
          { labels: { state: "waiting" }, value: waiting },
          { labels: { state: "failing" }, value: failing },
          { labels: { state: "given_up" }, value: givenUp },
        ];
      },
    },
    {
      name: "acct_webhook_oldest_pending_seconds",
      help: "For how long the oldest of them has waited; 0 where none does",
      kind: "gauge",
      together: "max",
      read: async () => {
        const { oldestAt } = await pending();
        const isAny = oldestAt !== nothing.oldestAt;
        return [{ value: isAny ? Math.max(0, clock() - oldestAt) / 1000 : 0 }];
      },
    },
    {
      name: "acct_webhook_deliveries_total",
      help:
        "Tries to deliver: taken, answered otherwise, not answered, or failed after a day of them, " +
        "with which the subscription is given up",
      kind: "counter",
      labels: ["outcome"],
      read: () => Object.entries(tries).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
  ];
}
