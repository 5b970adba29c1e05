/** Body of a delivery. */

import type { Resource } from "../../resources/field.ts";
import { eventCategories } from "../../resources/index.ts";
import type { Composing } from "../../store/outbox/deliveries.ts";
import type { Webhook } from "../../store/outbox/webhooks.ts";
import { deliveryBody, newEntropy } from "../../wire/webhook.ts";

/** Categories of subscriptions. */
export const categories: readonly string[] = [...eventCategories.keys()];

/** Events in one delivery. */
export const eventsMax = 100;

/**
 * The refusal for a subscriber whose numbers are used up; undefined for others. Numbers are exact
 * up to 2^53 in JSON, and begin with 1 for a new subscription.
 */
export function numbersUsedUp({ lastSequence }: Pick<Webhook, "lastSequence">): string | undefined {
  if (lastSequence <= Number.MAX_SAFE_INTEGER - eventsMax) return undefined;
  return "Its numbers are used up; remove it, and add it again.";
}

/** The resource that a category is about. */
export function resourceOf(category: string): Resource {
  const resource = eventCategories.get(category);
  if (resource === undefined) throw new Error(`There are no events of ${category}.`);
  return resource;
}

/**
 * Writes bodies for an organisation.
 *
 * @param baseUrl   absolute address of the API root
 * @param tenantId  the OrganisationID
 */
export function payloadWriter(baseUrl: string, tenantId: string): Composing {
  return (events, first) =>
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
      first,
      newEntropy(),
    );
}
