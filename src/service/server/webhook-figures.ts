/**
 * Metrics of deliveries to subscribers.
 *
 * Outcomes of tries are counted by their process. Waiting events are counted in its open books; for
 * a book closed since, the last count is reported until it is opened again. Where several processes
 * serve one database each tells of the same queues: the greatest of their figures, not the sum, is
 * what there is. No label names a subscription or an organisation, of which there may be any
 * number.
 */
import { queuesOf } from "../../store/outbox/delivery-queue.ts";
import { occurredAt } from "../../wire/webhook.ts";
import type { Metric } from "../http/metrics.ts";
import type { DeliveryOutcome } from "../webhooks/deliver.ts";
import type { DeliveryObserver, DispatchedBook } from "../webhooks/dispatcher.ts";

export interface DeliveryFigures extends DeliveryObserver {
  readonly figures: readonly Metric[];
}

/** Events that wait, by how they do; of one book or of all. */
interface Pending {
  readonly waiting: number;
  readonly failing: number;
  /** Of subscriptions that are not in use: nothing is sent until somebody sees to them. */
  readonly givenUp: number;
  /** When the oldest of them happened, milliseconds since 1970 UTC. */
  readonly oldestAt: number;
}

const none: Pending = { waiting: 0, failing: 0, givenUp: 0, oldestAt: Number.POSITIVE_INFINITY };

/** How long the databases may take over the question. */
const answerMs = 2_000;

/** @param clock  milliseconds since 1970 UTC */
export function deliveryFigures(clock: () => number): DeliveryFigures {
  const tries: Record<DeliveryOutcome, number> = {
    delivered: 0,
    refused: 0,
    unanswered: 0,
    given_up: 0,
  };
  const books = new Set<DispatchedBook>();
  /** Of those that are closed and have anything, by OrganisationID. */
  const closed = new Map<string, Pending>();
  let asked: Promise<Pending> | undefined;
  /** Asked once for all figures of a reading. */
  const pending = () => {
    asked ??= inTime(pendingIn([...books])).finally(() => {
      asked = undefined;
    });
    return asked.then((open) => [open, ...closed.values()].reduce(together, none));
  };
  return {
    tried: (outcome) => {
      tries[outcome] += 1;
    },
    attended: (book) => {
      books.add(book);
      closed.delete(book.tenant);
      return async () => {
        const left = await inTime(pendingIn([book])).catch(() => none);
        books.delete(book);
        if (left.waiting + left.failing + left.givenUp > 0) closed.set(book.tenant, left);
      };
    },
    figures: figuresOf(tries, pending, clock),
  };
}

async function pendingIn(books: readonly DispatchedBook[]): Promise<Pending> {
  let sum = none;
  for (const { store, org } of books) {
    for (const queue of await store.read(org, queuesOf)) {
      const { isInUse, waiting, failing, oldestAt = none.oldestAt, body } = queue;
      const sentAt = body === undefined ? undefined : occurredAt(body);
      sum = together(sum, {
        waiting: isInUse ? waiting : 0,
        failing: isInUse ? failing : 0,
        givenUp: isInUse ? 0 : waiting + failing,
        oldestAt: Math.min(oldestAt, sentAt ?? oldestAt),
      });
    }
  }
  return sum;
}

function together(one: Pending, other: Pending): Pending {
  return {
    waiting: one.waiting + other.waiting,
    failing: one.failing + other.failing,
    givenUp: one.givenUp + other.givenUp,
    oldestAt: Math.min(one.oldestAt, other.oldestAt),
  };
}

/** @throws Error where it takes too long: the other figures do not wait for these */
function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database does not answer.")), answerMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
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
        const isAny = oldestAt !== none.oldestAt;
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
