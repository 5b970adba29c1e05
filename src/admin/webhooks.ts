/**
 * Administration of the subscriptions of a book.
 *
 * What is done goes to the book itself, not through the API: whoever subscribes a stranger's address
 * to the books must have the books.
 */
import type {
  Delivery,
  DeliveryQuery,
  SubscriberDependencies,
  Webhook,
} from "../service/webhooks/subscriptions.ts";
import { actorAt, type Operator, withBook } from "./book.ts";

export type { Delivery, DeliveryQuery, Webhook };

/** Whose subscriptions, and where their deliveries may go. */
export interface WebhookTarget {
  /** The person at the terminal, as the actor of audit entries. */
  readonly operator: Operator;
  /** Of the book. */
  readonly path: string;
  /** Some of `http` and `private`, beyond https to public addresses. */
  readonly allow?: readonly string[] | undefined;
  /** What a person types for more of them, as the end of a sentence. */
  readonly remedy?: ((words: string) => string) | undefined;
}

type Subscriptions = typeof import("../service/webhooks/subscriptions.ts");

/** Opens the book for one piece of work on its subscriptions, and closes it again. */
export function withWebhooks<T>(
  { path, operator, allow = [], remedy }: WebhookTarget,
  work: (subscriptions: Subscriptions, reaching: SubscriberDependencies) => Promise<T>,
): Promise<T> {
  return withBook(path, async (book) => {
    const subscriptions = await import("../service/webhooks/subscriptions.ts");
    const { allowedBy } = await import("../service/webhooks/addresses.ts");
    const { createPoster } = await import("../service/webhooks/post.ts");
    const allowed = allowedBy(allow, remedy);
    const { post, close } = createPoster({ allowed });
    try {
      return await work(subscriptions, { ...book, by: await actorAt(operator), allowed, post });
    } finally {
      await close();
    }
  });
}
