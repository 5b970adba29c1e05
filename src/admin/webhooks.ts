/**
 * Administration of the webhook subscriptions of a book.
 *
 * It works on the book itself, not through the API, so that only someone with access to the book
 * can send its events to another address.
 */
import type {
  Delivery,
  DeliveryQuery,
  SubscriberDependencies,
  Webhook,
} from "../service/webhooks/subscriptions.ts";
import { actorAt, type Operator, withBook } from "./book.ts";

export type { Delivery, DeliveryQuery, Webhook };

/** The book whose subscriptions are administered, and the addresses its deliveries may go to. */
export interface WebhookTarget {
  /** The person at the terminal, as the actor of audit entries. */
  readonly operator: Operator;
  /** Path of the book. */
  readonly path: string;
  /** Receivers allowed besides https at public addresses: `http`, `private`. */
  readonly allow?: readonly string[] | undefined;
  /** Ends an error message with the words that a person types to allow more receivers. */
  readonly remedy?: ((words: string) => string) | undefined;
}

type Subscriptions = typeof import("../service/webhooks/subscriptions.ts");

/** Opens the book, runs work on its subscriptions, and closes it again. */
export function withWebhooks<T>(
  { path, operator, allow = [], remedy }: WebhookTarget,
  action: (subscriptions: Subscriptions, dependencies: SubscriberDependencies) => Promise<T>,
): Promise<T> {
  return withBook(path, async (book) => {
    const subscriptions = await import("../service/webhooks/subscriptions.ts");
    const { allowedBy } = await import("../service/webhooks/addresses.ts");
    const { createPoster } = await import("../service/webhooks/post.ts");
    const allowed = allowedBy(allow, remedy);
    const { post, close } = createPoster({ allowed });
    try {
      return await action(subscriptions, { ...book, by: await actorAt(operator), allowed, post });
    } finally {
      await close();
    }
  });
}
