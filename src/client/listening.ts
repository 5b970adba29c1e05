/**
 * Follows the events of a book or a service, and forwards them to a local program.
 *
 * A listener registers and polls for one delivery after another. Each poll acknowledges the
 * previous delivery, so that none is lost when the service or the program restarts. Deliveries are
 * signed as the service would sign them, with a key that stays local.
 */
import { NotFoundError, UnavailableError } from "../resources/errors.ts";
import { textOf } from "../wire/body.ts";
import { decodeError } from "../wire/decode/failure.ts";
import { answerMs, deliveryType, signatureHeader, signatureOf } from "../wire/webhook.ts";
import type { Client } from "./client.ts";

/** One received event. */
export interface Heard {
  readonly eventCategory: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly eventDateUtc: string;
}

export interface DeliveredEvents {
  readonly events: readonly Heard[];
  /** Status and duration of the program's response; undefined where nothing is forwarded. */
  readonly answered: { readonly status: number | undefined; readonly tookMs: number } | undefined;
}

export interface Listening {
  readonly send: Client["send"];
  /** Event categories; all when empty. */
  readonly categories: readonly string[];
  /** Address to forward deliveries to; none when not given. */
  readonly forwardTo?: URL | undefined;
  readonly signingKey: string;
  /**
   * Maximum polls per minute, which leaves calls of the rate limit for others; unlimited when not
   * given.
   */
  readonly asksPerMinute?: number | undefined;
  /** Aborted to end the listening. */
  readonly signal: AbortSignal;
  /** Called for each delivery after it was forwarded. */
  readonly heard: (delivered: DeliveredEvents) => Promise<void>;
  /** Called when listening begins, and again after a new registration. */
  readonly began: (isFirst: boolean) => void;
  readonly say: (message: string) => void;
}

/**
 * Maximum wait of a poll for a delivery, in seconds, and the pause after a poll that did not wait.
 */
const waitSeconds = 50;
const pauseMs = 1000;

interface Next {
  readonly FirstEventSequence: number;
  readonly LastEventSequence: number;
  readonly Body: string;
}

/**
 * Listens until `signal` is aborted.
 *
 * @throws errors of the service, except outages
 */
export async function listen(listening: Listening): Promise<void> {
  let id: string | undefined;
  let isFirst = true;
  let afterNumber = 0;
  const mayAsk = pollPacer(listening);
  try {
    while (!listening.signal.aborted) {
      if (id === undefined) {
        id = await persist(listening, () => register(listening));
        if (id === undefined) break;
        listening.began(isFirst);
        isFirst = false;
        afterNumber = 0;
      }
      const listener: string = id;
      await mayAsk();
      const startedAt = performance.now();
      const nextAnswer = await persist(listening, () => ask(listening, listener, afterNumber));
      if (nextAnswer === "gone") {
        id = undefined;
      } else if (nextAnswer !== undefined) {
        const answerFrom = await handOn(listening, nextAnswer.Body);
        if (listening.signal.aborted) break;
        const { events } = JSON.parse(nextAnswer.Body) as { events: Heard[] };
        await listening.heard({ events, answered: answerFrom });
        afterNumber = nextAnswer.LastEventSequence;
      } else if (performance.now() - startedAt < pauseMs) {
        await pause(listening.signal);
      }
    }
  } finally {
    // Deleting the listener is optional: it would expire later.
    if (id !== undefined)
      await post(listening, "DELETE", `/WebhookListeners/${id}`).catch(() => undefined);
  }
}

async function register({ categories, ...listening }: Listening): Promise<string> {
  const query: [string, string][] =
    categories.length === 0 ? [] : [["events", categories.join(",")]];
  const made = await post(listening, "POST", "/WebhookListeners", query);
  return (JSON.parse(made) as { WebhookListeners: [{ ListenerID: string }] }).WebhookListeners[0]
    .ListenerID;
}

async function ask(
  listening: Listening,
  id: string,
  afterNumber: number,
): Promise<Next | "gone" | undefined> {
  const query: [string, string][] = [
    ["after", String(afterNumber)],
    ["wait", String(waitSeconds)],
  ];
  try {
    const answer = await post(listening, "POST", `/WebhookListeners/${id}/Next`, query);
    return (JSON.parse(answer) as { WebhookDeliveries: Next[] }).WebhookDeliveries[0];
  } catch (error) {
    if (error instanceof NotFoundError) return "gone";
    throw error;
  }
}

async function post(
  { send }: Pick<Listening, "send">,
  method: string,
  path: string,
  query: readonly [string, string][] = [],
): Promise<string> {
  const headers = { accept: "application/json" };
  const response = await send({ method, path, query: [...query], headers });
  const body = await textOf(response.body);
  if (response.status >= 400) throw await decodeError(response.status, response.headers, body);
  return body;
}

/** Returns a function that delays polls to the limit per minute. */
function pollPacer({ asksPerMinute = Number.POSITIVE_INFINITY, signal }: Listening) {
  const minuteMs = 60_000;
  let askTimes: number[] = [];
  return async (): Promise<void> => {
    const recent = () => askTimes.filter((at) => performance.now() - at < minuteMs);
    while (recent().length >= asksPerMinute && !signal.aborted) await pause(signal);
    askTimes = [...recent(), performance.now()];
  };
}

/**
 * Repeats work while the service cannot be reached.
 *
 * @returns undefined when aborted
 */
async function persist<T>(
  { signal, say }: Listening,
  action: () => Promise<T>,
): Promise<T | undefined> {
  let hasSaid = false;
  while (!signal.aborted) {
    try {
      return await unlessAborted(signal, action());
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (!hasSaid) say(`${error.message} Listening again when it is there.`);
      hasSaid = true;
      await pause(signal);
    }
  }
  return undefined;
}

/** Returns the result of `work`, or undefined as soon as the signal is aborted. */
async function unlessAborted<T>(signal: AbortSignal, pending: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const finish = () => resolve(undefined);
  signal.addEventListener("abort", finish);
  pending.catch(() => undefined);
  try {
    return await Promise.race([pending, promise]);
  } finally {
    signal.removeEventListener("abort", finish);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import("node:timers/promises");
  await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Forwards a delivery. Any HTTP status counts as a response; a program that cannot be reached is
 * retried.
 */
async function handOn(
  { forwardTo, signingKey, signal, say }: Listening,
  body: string,
): Promise<DeliveredEvents["answered"]> {
  if (forwardTo === undefined) return undefined;
  const { request } = await import("undici");
  const headers = {
    "content-type": deliveryType,
    [signatureHeader]: signatureOf(signingKey, body),
    "user-agent": "acct",
  };
  let hasSaid = false;
  for (;;) {
    const startedAt = performance.now();
    const tookMs = () => Math.round(performance.now() - startedAt);
    try {
      const timeLimit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
      const answer = await request(forwardTo, { method: "POST", headers, body, signal: timeLimit });
      await answer.body.dump();
      return { status: answer.statusCode, tookMs: tookMs() };
    } catch (error) {
      if (signal.aborted || !isAbsent(error)) return { status: undefined, tookMs: tookMs() };
      if (!hasSaid) say(`Nothing listens at ${forwardTo.href} yet; waiting for it.`);
      hasSaid = true;
      await pause(signal);
    }
  }
}

function isAbsent(error: unknown): boolean {
  const { code, errors = [] } = error as { code?: string; errors?: { code?: string }[] };
  return [code, ...errors.map((error) => error.code)].includes("ECONNREFUSED");
}
