/** Resources of webhook subscriptions and deliveries, as the command line shows them. */
import type { Delivery, Webhook } from "../../admin/webhooks.ts";
import {
  choice,
  id,
  integer,
  resource,
  type Shape,
  text,
  texts,
  timestamp,
} from "../../resources/field.ts";

const statuses = ["OK", "INTENT REQUIRED", "DISABLED"] as const;

const fields = {
  WebhookID: id({ always: true }),
  Name: text({ always: true, key: true }),
  Url: text({ always: true }),
  Events: texts("Event", { always: true }),
  Status: choice(statuses, { always: true }),
  Reason: text(),
  LastEventSequence: integer({ always: true }),
  AppID: id(),
  CreatedDateUTC: timestamp({ always: true }),
} as const;

const options = {
  plural: "Webhooks",
  id: "WebhookID",
  columns: ["Name", "Url", "Events", "Status"],
  noun: "webhook",
  summary: "who is told of events",
} as const;

export const webhook = resource("Webhook", fields, options);

/** A subscription with its signing key, which is shown once. */
export const webhookWithKey = resource(
  "Webhook",
  { ...fields, SigningKey: text({ always: true }) },
  { ...options, columns: ["Name", "Url", "Events", "Status", "Reason", "SigningKey"] },
);

export const delivery = resource(
  "Delivery",
  () => ({
    DeliveryID: id({ always: true }),
    Webhook: text({ always: true }),
    FirstEventSequence: integer({ always: true }),
    LastEventSequence: integer({ always: true }),
    /** `HELD` where the subscription is inactive: the delivery waits until it is active. */
    Status: choice(["WAITING", "HELD", "DELIVERED"], { always: true }),
    Tries: integer({ always: true }),
    /** HTTP status of the last response. */
    Answered: integer(),
    Reason: text(),
    CreatedDateUTC: timestamp({ always: true }),
    TriedDateUTC: timestamp(),
    NextTryDateUTC: timestamp(),
    Body: text({ always: true, verbatim: true }),
  }),
  {
    plural: "Deliveries",
    id: "DeliveryID",
    columns: [
      "DeliveryID",
      "Webhook",
      "FirstEventSequence",
      "LastEventSequence",
      "Status",
      "Tries",
      "Reason",
      "TriedDateUTC",
      "NextTryDateUTC",
    ],
    noun: "delivery",
    summary: "what was sent to subscribers",
  },
);

const statusNames = { OK: "OK", INTENT: "INTENT REQUIRED", DISABLED: "DISABLED" } as const;

export function shownWebhook(subscription: Webhook): Shape<typeof webhook> {
  return {
    WebhookID: subscription.id,
    Name: subscription.name,
    Url: subscription.url,
    Events: [...subscription.categories],
    Status: statusNames[subscription.status],
    Reason: subscription.reason,
    LastEventSequence: subscription.lastSequence,
    AppID: subscription.app,
    CreatedDateUTC: subscription.createdAt,
  };
}

/**
 * Returns a delivery as it is shown.
 *
 * @param to  the subscription
 */
export function shownDelivery(
  sent: Delivery,
  to: Pick<Webhook, "name" | "status">,
): Shape<typeof delivery> {
  const isHeld = sent.status === "WAITING" && to.status !== "OK";
  return {
    DeliveryID: sent.id,
    Webhook: to.name,
    FirstEventSequence: sent.firstSequence,
    LastEventSequence: sent.lastSequence,
    Status: isHeld ? "HELD" : sent.status,
    Tries: sent.tries,
    Answered: sent.answered,
    Reason: sent.reason,
    CreatedDateUTC: sent.createdAt,
    TriedDateUTC: sent.triedAt,
    NextTryDateUTC: isHeld ? undefined : sent.nextTryAt,
    Body: sent.body,
  };
}
