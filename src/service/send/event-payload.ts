/** The body of a webhook delivery. */

import type { Resource } from "../../resources/field.ts";
import { resourceByCategory } from "../../resources/index.ts";
import type { ComposeBody } from "../../store/outbox/deliveries.ts";
import type { Webhook } from "../../store/outbox/webhooks.ts";
import { deliveryBody, newEntropy } from "../../wire/webhook.ts";

/** Event categories that can be subscribed to. */
export const categories: readonly string[] = [...resourceByCategory.keys()];

/** Maximum number of events in one delivery. */
export const eventsMax = 100;

/**
 * Returns the refusal for a subscriber whose sequence numbers are used up; undefined for others.
 * JSON numbers are exact up to 2^53; a new subscription begins with 1.
 */
export function sequenceFault({ lastSequence }: Pick<Webhook, "lastSequence">): string | undefined {
  if (lastSequence <= Number.MAX_SAFE_INTEGER - eventsMax) return undefined;
  return "Its numbers are used up; remove it, and add it again.";
}

/** Returns the resource of an event category. */
export function resourceOf(category: string): Resource {
  const resource = resourceByCategory.get(category);
  if (resource === undefined) throw new Error(`There are no events of ${category}.`);
  return resource;
}

/**
 * Returns the function that writes delivery bodies of an organisation.
 *
 * @param baseUrl  base URL of the API
 * @param tenantId  the OrganisationID
 */
export function payloadWriter(baseUrl: string, tenantId: string): ComposeBody {
  return (events, firstNumber) =>
    deliveryBody(
      events.map(({ category, type, resourceId, at, data }) => ({
        resourceUrl: `${baseUrl}/${resourceOf(category).plural}/${resourceId}`,
        resourceId,
        tenantId,
        eventCategory: category,
        eventType: type,
        at,
        data,
      })),
      firstNumber,
      newEntropy(),
    );
}
