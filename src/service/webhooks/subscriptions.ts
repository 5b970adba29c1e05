/**
 * Manages webhook subscriptions, for owners of the books.
 *
 * The handshake, by which a receiver proves that it verifies signatures, runs outside any
 * transaction: the subscription is saved first, becomes active when the handshake succeeds, and can
 * be validated again.
 */

import type { KindsIn } from "../../resources/audit-entry.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { directionMarkFault, readId } from "../../resources/scalar.ts";
import {
  type Act,
  type Actor,
  type AuditChange,
  recordAct,
} from "../../store/operations/audit-log.ts";
import {
  type Delivery,
  type DeliveryStatus,
  deliveriesOf,
  deliveryOf,
  nextDelivery,
  reschedule,
  restartRetries,
} from "../../store/outbox/deliveries.ts";
import { addEvent, type EventType, waitingEvents } from "../../store/outbox/events.ts";
import {
  addWebhook,
  removeWebhook,
  setStatus,
  type Webhook,
  type WebhookStatus,
  webhookOf,
  webhooksOf,
} from "../../store/outbox/webhooks.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import { deliveryBody, newEntropy, newSigningKey, signatureOf } from "../../wire/webhook.ts";
import type { Book } from "../books/book.ts";
import { categories, resourceOf } from "../send/event-payload.ts";
import { type Allowances, readAddress } from "./addresses.ts";
import { isTaken, type Post } from "./post.ts";

export type { Delivery, DeliveryStatus, Webhook };

/** A book whose subscriptions are read. */
export type SubscribedBook = Pick<Book, "store" | "org" | "tenant" | "directory" | "dependencies">;

/** A book whose subscriptions are changed, with the actor for the audit log. */
export interface AdministeredBook extends SubscribedBook {
  readonly by: Actor;
}

/** A book, with the connections to webhook receivers. */
export interface SubscriberDependencies extends AdministeredBook {
  readonly allowed: Allowances;
  readonly post: Post;
}

const nameMax = 100;
/** Minimum length of a chosen signing key: shorter ones could be guessed. */
const keyMin = 16;
const keyMax = 200;
/** Maximum number of subscriptions in an organisation; each gets its own copy of events. */
const webhooksMax = 50;

export interface NewSubscription {
  readonly url: string;
  /** Name; by default the host of the URL. */
  readonly name?: string | undefined;
  /** Event categories; invoices if omitted. */
  readonly categories?: readonly string[] | undefined;
  /** Name or client id of the app that owns the subscription. */
  readonly app?: string | undefined;
  /** Key that signs deliveries; a new one if omitted. */
  readonly signingKey?: string | undefined;
  /** Allowances `http` and `private`, as in `reaching.allowed`: stored for later commands. */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Adds a subscription, and runs the handshake with its receiver.
 *
 * @returns the subscription, which is inactive, with the reason, if the handshake failed
 * @throws RefusedError `BadAddress`, `NameTaken`, `ValidationException`, NotFoundError
 */
export async function addSubscription(
  dependencies: SubscriberDependencies,
  { url: address, name, categories: wanted = ["INVOICE"], app, signingKey, allow }: NewSubscription,
): Promise<Webhook> {
  const { store, org, allowed, dependencies: surroundings } = dependencies;
  const url = readAddress(address, allowed);
  for (const text of wanted) checkCategory(text);
  const appId = app === undefined ? undefined : await appNamed(dependencies, app);
  const webhook: Webhook = {
    id: surroundings.newId(),
    name: (name ?? url.hostname).trim(),
    url: url.href,
    categories: categories.filter((category) => wanted.includes(category)),
    app: appId,
    signingKey: signingKey ?? newSigningKey(),
    allowed: allow,
    status: "INTENT",
    reason: undefined,
    createdAt: surroundings.clock(),
    lastSequence: 0,
    expiresAt: undefined,
  };
  if (webhook.name === "" || webhook.name.length > nameMax) {
    throw invalid(`The name of a subscription has 1 to ${nameMax} characters.`);
  }
  const fault = directionMarkFault(webhook.name);
  if (fault !== undefined) throw invalid(`The name of a subscription ${fault}.`);
  if (webhook.signingKey.length < keyMin || webhook.signingKey.length > keyMax) {
    throw invalid(`A signing key has ${keyMin} to ${keyMax} characters.`);
  }
  if (wanted.length === 0) throw invalid("A subscription is about at least one kind of event.");
  await store.write(org, async (tx) => {
    const webhooks = await managedSubscriptions(tx);
    if (webhooks.length >= webhooksMax) {
      throw invalid(`There are ${webhooks.length} subscriptions, the most that there may be.`);
    }
    if (webhooks.some((subscription) => fold(subscription.name) === fold(webhook.name))) {
      throw new RefusedError(
        "NameTaken",
        `There is a subscription ${webhook.name} already; name this one with --name.`,
      );
    }
    const auditAct = actOn(dependencies, "webhook.added", webhook, [
      { name: "Address", after: webhook.url },
      { name: "Events", after: webhook.categories.join(" ") },
    ]);
    await addWebhook(await recordAct(tx, auditAct), webhook);
  });
  return validate(dependencies, webhook);
}

/** Makes the audit entry of an act on a subscription, without its key. */
function actOn(
  { by, dependencies: surroundings }: AdministeredBook,
  kind: KindsIn<"ORGANISATION">,
  { id, name }: Pick<Webhook, "id" | "name">,
  changes: readonly AuditChange[],
): Act<"ORGANISATION"> {
  return { kind, by, at: surroundings.clock(), subject: name, subjectId: id, changes };
}

const invalid = (message: string) => refusal("Webhook", message);

/** Checks an event category. @throws RefusedError `ValidationException` */
function checkCategory(category: string): void {
  if (categories.includes(category)) return;
  throw invalid(`There are no events of ${category}; there are ${categories.join(", ")}.`);
}

async function appNamed(administered: AdministeredBook, key: string): Promise<string> {
  const { directory, tenant, dependencies: surroundings, by } = administered;
  const { findApp, registryIn } = await import("../auth/apps.ts");
  return (await findApp(registryIn(await directory(), tenant, surroundings.clock, by), key)).id;
}

/** Returns the subscriptions without listeners, which people do not manage. */
async function managedSubscriptions(tx: Tx): Promise<Webhook[]> {
  return (await webhooksOf(tx)).filter(({ expiresAt }) => expiresAt === undefined);
}

export function listSubscriptions({ store, org }: SubscribedBook): Promise<Webhook[]> {
  return store.read(org, managedSubscriptions);
}

/** Finds a subscription. @param key  name in any letter case, id, or URL @throws NotFoundError */
export async function findSubscription(book: SubscribedBook, key: string): Promise<Webhook> {
  const webhooks = await listSubscriptions(book);
  const id = readId(key);
  const webhook =
    webhooks.find((webhook) => webhook.id === id) ??
    webhooks.find(({ name }) => fold(name) === fold(key)) ??
    webhooks.find(({ url }) => url === key);
  if (webhook !== undefined) return webhook;
  throw new NotFoundError("NotFound", `There is no subscription ${key.slice(0, nameMax)}.`);
}

/**
 * Runs the handshake with the receiver of a subscription, which becomes active on success.
 *
 * @returns the updated subscription
 */
export async function validate(
  administration: SubscriberDependencies,
  webhook: Webhook,
): Promise<Webhook> {
  const { store, org, dependencies: surroundings, post, allowed } = administration;
  readAddress(webhook.url, allowed);
  const reason = await performHandshake(post, webhook);
  const status = reason === undefined ? "OK" : "INTENT";
  await store.write(org, async (tx) => {
    const kind = status === "OK" ? "webhook.enabled" : "webhook.disabled";
    const auditAct = actOn(administration, kind, webhook, statusChange(webhook, status, reason));
    await setStatus(await recordAct(tx, auditAct), webhook.id, status, reason);
    await restartRetries(tx, webhook.id, surroundings.clock());
  });
  return { ...webhook, status, reason };
}

/**
 * Disables a subscription. New events are not queued for it; undelivered ones wait until it is
 * enabled.
 */
export async function disableSubscription(
  administered: AdministeredBook,
  webhook: Webhook,
): Promise<void> {
  const { store, org } = administered;
  const reason = "Disabled by hand.";
  await store.write(org, async (tx) => {
    const changes = statusChange(webhook, "DISABLED", undefined);
    const auditAct = actOn(administered, "webhook.disabled", webhook, changes);
    await setStatus(await recordAct(tx, auditAct), webhook.id, "DISABLED", reason);
  });
}

export async function removeSubscription(
  administered: AdministeredBook,
  webhook: Webhook,
): Promise<void> {
  const { store, org } = administered;
  await store.write(org, async (tx) => {
    const change = { name: "Address", before: webhook.url };
    const auditAct = actOn(administered, "webhook.removed", webhook, [change]);
    await removeWebhook(await recordAct(tx, auditAct), webhook.id);
  });
}

function statusChange(
  { status: before }: Pick<Webhook, "status">,
  newStatus: WebhookStatus,
  reason: string | undefined,
): readonly AuditChange[] {
  return [
    { name: "Status", before, after: newStatus },
    { name: "Reason", after: reason },
  ];
}

// --- deliveries ------------------------------------------------------------------------------

export interface DeliveryQuery {
  /** Id of the subscription; all if omitted. */
  readonly webhookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
}

/** Lists deliveries, newest first, of one subscription or of all. */
export function listDeliveries(
  { store, org }: SubscribedBook,
  query: DeliveryQuery,
): Promise<Delivery[]> {
  return store.read(org, (tx) => deliveriesOf(tx, query));
}

/** Finds a delivery by its id. @throws NotFoundError */
export async function findDelivery({ store, org }: SubscribedBook, key: string): Promise<Delivery> {
  const id = readId(key);
  const delivery = id && (await store.read(org, (tx) => deliveryOf(tx, id)));
  if (delivery) return delivery;
  throw new NotFoundError("NotFound", `There is no delivery ${key.slice(0, nameMax)}.`);
}

/**
 * Queues an unchanged delivery to be sent again, before later ones. The served book sends it.
 *
 * @throws RefusedError `NotInUse`, NotFoundError
 */
export async function resend(book: AdministeredBook, key: string): Promise<Delivery> {
  const delivery = await findDelivery(book, key);
  const { store, org, dependencies: surroundings } = book;
  await store.write(org, async (tx) => {
    const webhook = await webhookOf(tx, delivery.webhookId);
    if (webhook === undefined) return;
    inUse(webhook);
    const change = { name: "Delivery", after: delivery.id };
    await recordAct(tx, actOn(book, "webhook.resent", webhook, [change]));
    await reschedule(tx, delivery.id, surroundings.clock());
  });
  return delivery;
}

function inUse({ name, status }: Webhook): void {
  if (status === "OK") return;
  const remedy = status === "DISABLED" ? "enable" : "validate";
  throw new RefusedError(
    "NotInUse",
    `The subscription ${name} is not in use; first run acct webhook ${remedy} ${name}.`,
  );
}

/** A test event for an existing or an invented record. */
export interface TestTrigger {
  readonly category: string;
  readonly type: EventType;
  /** Record of the event; by default the latest of its kind, or an invented one. */
  readonly recordId?: string | undefined;
  /** The only subscription to deliver to; by default all of the category. */
  readonly webhookId?: string | undefined;
}

/**
 * Triggers an event for subscribers and listeners, without a change of the record.
 *
 * @returns the record's id, and the notified subscribers
 * @throws RefusedError `NotInUse`, `NoSubscription`, NotFoundError
 */
export async function trigger(
  book: SubscribedBook,
  { category, type, recordId, webhookId }: TestTrigger,
): Promise<{ readonly recordId: string; readonly told: readonly Webhook[] }> {
  checkCategory(category);
  const { store, org, dependencies: surroundings } = book;
  const at = surroundings.clock();
  const { told, id } = await store.write(org, async (tx) => {
    const all = await webhooksOf(tx);
    const only = all.find((webhook) => webhook.id === webhookId);
    if (only !== undefined) inUse(only);
    const webhooks = only === undefined ? all.filter((each) => wants(each, category, at)) : [only];
    const { id, data } = await recordOf(tx, category, recordId, surroundings.newId);
    for (const webhook of webhooks) {
      await addEvent(tx, webhook.id, { category, type, resourceId: id, at, data });
    }
    return { told: webhooks, id };
  });
  if (told.length === 0) {
    throw new RefusedError(
      "NoSubscription",
      `Nobody is told of ${category}; subscribe with acct webhook add, or run acct webhook listen.`,
    );
  }
  return { recordId: id, told };
}

const wants = (
  { status, expiresAt = Number.POSITIVE_INFINITY, ...each }: Webhook,
  category: string,
  at: number,
) => status === "OK" && expiresAt > at && each.categories.includes(category);

async function recordOf(
  tx: Tx,
  category: string,
  id: string | undefined,
  newId: () => string,
): Promise<{ readonly id: string; readonly data: Record<string, unknown> | undefined }> {
  const { fetch, filterFields, list } = await import("../../store/mapping/records.ts");
  const resource = resourceOf(category);
  const field = filterFields(resource)(["UpdatedDateUTC"]);
  if (field === undefined) throw new Error(`${resource.name} has no UpdatedDateUTC.`);
  const [match] =
    id === undefined
      ? (await list(tx, resource, { order: [{ field, direction: "desc" }], limit: 1 })).records
      : await fetch(tx, resource, resource.id, [id]);
  if (match === undefined && id !== undefined) {
    throw new NotFoundError("NotFound", `There is no ${resource.noun} ${id}.`);
  }
  const record: Record<string, unknown> = match ?? { [resource.id]: newId() };
  const { eventData } = resource;
  return {
    id: String(record[resource.id]),
    data: eventData && Object.fromEntries(eventData.map((name) => [name, record[name]])),
  };
}

/** Polling interval for sent deliveries, in milliseconds. */
const lookMs = 100;

/**
 * Waits until the waiting events were attempted.
 *
 * @returns false if no served book sends them within `patienceMs`
 */
export function awaitDelivery(
  book: SubscribedBook,
  webhookIds: readonly string[],
  patienceMs: number,
): Promise<boolean> {
  return answersWithin(book, patienceMs, async (tx) => {
    for (const id of webhookIds) {
      const pending = await nextDelivery(tx, id);
      if (pending?.tries === 0 || (await waitingEvents(tx, id, 1)).length > 0) return false;
    }
    return true;
  });
}

/** Waits until a delivery was attempted again. @returns as `awaitDelivery` */
export function awaitRetry(
  book: SubscribedBook,
  { id, tries }: Delivery,
  patienceMs: number,
): Promise<boolean> {
  return answersWithin(book, patienceMs, async (tx) => (await deliveryOf(tx, id))?.tries !== tries);
}

async function answersWithin(
  { store, org }: SubscribedBook,
  patienceMs: number,
  is: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    if (await store.read(org, is)) return true;
    if (performance.now() >= deadlineMs) return false;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}

// --- handshake ------------------------------------------------------------------------------------

// In the handshake, a new receiver proves that it verifies signatures: of several empty deliveries
// it must answer those with a valid signature with 200 or another 2xx, and those with an invalid
// one with 401, each without a body. A receiver that accepts everything would also accept forged
// events.

/** Which of the handshake's deliveries have a valid signature; shuffled each time. */
const signings = [true, true, false, false] as const;

/** @returns why the handshake failed, for people; undefined on success */
async function performHandshake(
  post: Post,
  { url, signingKey }: { readonly url: string; readonly signingKey: string },
  random: () => number = Math.random,
): Promise<string | undefined> {
  const order = signings
    .map((isRight) => ({ isRight, rank: random() }))
    .sort((a, b) => a.rank - b.rank);
  for (const { isRight } of order) {
    const body = deliveryBody([], 0, newEntropy());
    const key = isRight ? signingKey : newSigningKey();
    const { status, hasBody, reason } = await post(url, body, signatureOf(key, body));
    const sent = `an empty delivery with a ${isRight ? "right" : "wrong"} signature`;
    const isWanted = isRight ? isTaken(status) : status === 401;
    if (status === undefined) return `The receiver did not answer ${sent}: ${reason}.`;
    if (!isWanted) {
      return `The receiver answered ${sent} with ${status}; it must be ${isRight ? "200" : "401"}.`;
    }
    if (hasBody) return `The receiver answered ${sent} with a body; it must be empty.`;
  }
  return undefined;
}
