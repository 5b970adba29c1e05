/**
 * Event listeners: webhook subscribers that poll for deliveries, since they cannot be reached.
 *
 * A program behind a firewall registers, and then polls for the next delivery with a long wait.
 * Each request acknowledges the previous delivery, so a delivery is kept until then, also through a
 * restart of the service. The program computes signatures itself: its key is never sent here. A
 * listener expires ten minutes after its last request.
 */
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { id, integer, text, texts, timestamp } from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import {
  composeDelivery,
  type Delivery,
  nextDelivery,
  removeAcknowledged,
} from "../../store/outbox/deliveries.ts";
import { waitingEvents } from "../../store/outbox/events.ts";
import {
  removeListener as dropListener,
  addListener as keepListener,
  keepListening,
  removeExpired,
  type Webhook,
  webhookOf,
  webhooksOf,
} from "../../store/outbox/webhooks.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerObjects, noContent } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { categories, eventsMax, payloadWriter, sequenceFault } from "./event-payload.ts";

/** Expiry of a listener after its last request, in milliseconds. */
const keptMs = 10 * 60_000;
/** Longest wait for a delivery in seconds: shorter than timeouts of clients and proxies. */
const waitMax = 50;
/** Interval for checking writes of other processes, in milliseconds. */
const lookMs = 500;
const listenersMax = 20;

const listenerFields = {
  ListenerID: id({ always: true }),
  Events: texts("Event", { always: true }),
  ExpiresDateUTC: timestamp({ always: true }),
} as const;

const deliveryFields = {
  FirstEventSequence: integer({ always: true }),
  LastEventSequence: integer({ always: true }),
  Body: text({ always: true, verbatim: true }),
} as const;

/** POST /WebhookListeners?events=INVOICE,CONTACT: adds a listener, by default for all events. */
export async function addListener(call: RequestContext): Promise<ServiceResponse> {
  const wantedEvents = call.query.list("events")?.map((text) => text.toUpperCase()) ?? categories;
  const unknown = wantedEvents.find((text) => !categories.includes(text));
  if (unknown !== undefined) {
    throw refusal(
      "NotFound",
      `There are no events of ${unknown.slice(0, 40)}; there are ${categories.join(", ")}.`,
    );
  }
  const listener: Webhook = {
    id: call.newId(),
    name: "listener",
    url: "",
    categories: categories.filter((category) => wantedEvents.includes(category)),
    app: call.principal.app,
    signingKey: "",
    status: "OK",
    reason: undefined,
    createdAt: call.now(),
    lastSequence: 0,
    expiresAt: call.now() + keptMs,
  };
  return call.write(async (tx) => {
    await removeExpired(tx, call.now());
    const listeners = (await webhooksOf(tx)).filter(({ expiresAt }) => expiresAt !== undefined);
    if (listeners.length >= listenersMax) {
      throw refusal(
        "Limit",
        `${listeners.length} programs listen, the most that may; end one of them.`,
      );
    }
    await keepListener(tx, listener);
    const described = {
      ListenerID: listener.id,
      Events: [...listener.categories],
      ExpiresDateUTC: listener.expiresAt,
    };
    return answerObjects(call, "WebhookListeners", "WebhookListener", listenerFields, [described]);
  });
}

/**
 * POST /WebhookListeners/{id}/Next?after=7&wait=50: answers the next delivery, and removes those up
 * to the sequence number `after`. Without a delivery it waits for `wait` seconds, and then answers
 * none.
 *
 * @throws NotFoundError for an expired listener, which must register again
 */
export async function takeNext(call: RequestContext, key = ""): Promise<ServiceResponse> {
  const acknowledgedNumber = call.query.integer("after", 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const waitSeconds = call.query.integer("wait", 0, waitMax) ?? 0;
  const deadlineMs = performance.now() + waitSeconds * 1000;
  const webhook = await call.read((tx) => listenerOf(call, tx, key));
  let delivery = await takeDelivery(call, webhook, acknowledgedNumber);
  while (delivery === undefined && performance.now() < deadlineMs && !call.stopping?.aborted) {
    await nextEvents(call, deadlineMs - performance.now());
    const waits = await call.read(async (tx) => {
      await listenerOf(call, tx, key);
      return waitingEvents(tx, webhook.id, 1);
    });
    if (waits.length > 0) delivery = await takeDelivery(call, webhook, acknowledgedNumber);
  }
  const deliveryAnswer = delivery && {
    FirstEventSequence: delivery.firstSequence,
    LastEventSequence: delivery.lastSequence,
    Body: delivery.body,
  };
  const list = deliveryAnswer === undefined ? [] : [deliveryAnswer];
  return answerObjects(call, "WebhookDeliveries", "WebhookDelivery", deliveryFields, list);
}

/** DELETE /WebhookListeners/{id}: removes the listener. */
export async function removeListener(call: RequestContext, key = ""): Promise<ServiceResponse> {
  return call.write(async (tx) => {
    const { id } = await listenerOf(call, tx, key);
    await dropListener(tx, id);
    return noContent;
  });
}

/** Returns a listener of the calling app that has not expired. */
async function listenerOf(
  { principal, clock }: RequestContext,
  tx: Tx,
  key: string,
): Promise<Webhook> {
  const listenerId = readId(key);
  const webhook = listenerId === undefined ? undefined : await webhookOf(tx, listenerId);
  const isLive = webhook?.expiresAt !== undefined && webhook.expiresAt > clock();
  if (isLive && webhook.app === principal.app) return webhook;
  throw new NotFoundError("NotFound", "There is no such listener, or it did not ask for long.");
}

async function takeDelivery(
  call: RequestContext,
  webhook: Webhook,
  acknowledgedNumber: number,
): Promise<Delivery | undefined> {
  const { store, principal, clock, newId, baseUrl } = call;
  const { id } = webhook;
  return store.write(principal.org, async (tx) => {
    const now = clock();
    await keepListening(tx, id, now + keptMs);
    await removeAcknowledged(tx, id, acknowledgedNumber);
    const pending = await nextDelivery(tx, id);
    if (pending !== undefined) return pending;
    const usedUp = sequenceFault((await webhookOf(tx, id)) ?? webhook);
    if (usedUp !== undefined) throw refusal("Parameter", usedUp);
    const compose = payloadWriter(baseUrl, (await organisationOf(tx)).OrganisationID);
    return composeDelivery(tx, id, { id: newId, now, eventsMax, compose });
  });
}

/** Resolves when this process writes events, at the next check, or when the service ends. */
async function nextEvents(
  { store, principal, stopping }: RequestContext,
  leftMs: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopFollowing = store.onEvents((org) => {
    if (org === principal.org) resolve();
  });
  const timer = setTimeout(resolve, Math.max(0, Math.min(lookMs, leftMs)));
  const finish = () => resolve();
  stopping?.addEventListener("abort", finish);
  await promise;
  clearTimeout(timer);
  stopFollowing();
  stopping?.removeEventListener("abort", finish);
}
