/**
 * Follows the events of a book or a service, and hands them to a program on this machine.
 *
 * A listener registers, and asks for one delivery after another; what it asks next says what it has
 * handed on, so nothing is lost when the service, or the program behind the address, is started anew.
 * It signs as a service would, with a key that stays here.
 */
import { NotFoundError, UnavailableError } from "../resources/errors.ts";
import { textOf } from "../wire/body.ts";
import { decodeError } from "../wire/decode/failure.ts";
import { answerMs, deliveryType, signatureHeader, signatureOf } from "../wire/webhook.ts";
import type { Client } from "./client.ts";

/** One event as it arrived. */
export interface Heard {
  readonly eventCategory: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly eventDateUtc: string;
}

export interface Delivered {
  readonly events: readonly Heard[];
  /** What the program answered, and how fast; undefined where nothing is handed on. */
  readonly answered: { readonly status: number | undefined; readonly tookMs: number } | undefined;
}

export interface Listening {
  readonly send: Client["send"];
  /** All of them when empty. */
  readonly categories: readonly string[];
  /** Where deliveries are handed on to; nowhere when not given. */
  readonly forwardTo?: URL | undefined;
  readonly signingKey: string;
  /** How often the service is asked at most, so that calls are left for others; any when not given. */
  readonly asksPerMinute?: number | undefined;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
  /** Called with each delivery when it was handed on. */
  readonly heard: (delivered: Delivered) => Promise<void>;
  /** Called when it listens, and again when it had to begin anew. */
  readonly began: (isFirst: boolean) => void;
  readonly say: (message: string) => void;
}

/** Longest wait for a delivery, in seconds, and the pause before asking again where none was waited for. */
const waitSeconds = 50;
const pauseMs = 1000;

interface Next {
  readonly FirstEventSequence: number;
  readonly LastEventSequence: number;
  readonly Body: string;
}

/** Listens until `signal` is aborted. @throws what the service throws, but for outages */
export async function listen(listening: Listening): Promise<void> {
  let id: string | undefined;
  let isFirst = true;
  let after = 0;
  const mayAsk = paced(listening);
  try {
    while (!listening.signal.aborted) {
      if (id === undefined) {
        id = await persistent(listening, () => register(listening));
        if (id === undefined) break;
        listening.began(isFirst);
        isFirst = false;
        after = 0;
      }
      const asked: string = id;
      await mayAsk();
      const began = performance.now();
      const next = await persistent(listening, () => ask(listening, asked, after));
      if (next === "gone") {
        id = undefined;
      } else if (next !== undefined) {
        const answered = await handOn(listening, next.Body);
        if (listening.signal.aborted) break;
        const { events } = JSON.parse(next.Body) as { events: Heard[] };
        await listening.heard({ events, answered });
        after = next.LastEventSequence;
      } else if (performance.now() - began < pauseMs) {
        await pause(listening.signal);
      }
    }
  } finally {
    // It would be gone by itself, later.
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
  after: number,
): Promise<Next | "gone" | undefined> {
  const query: [string, string][] = [
    ["after", String(after)],
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

/** Returns when the service may be asked: at once, unless it was asked often within a minute. */
function paced({ asksPerMinute = Number.POSITIVE_INFINITY, signal }: Listening) {
  const minuteMs = 60_000;
  let asks: number[] = [];
  return async (): Promise<void> => {
    const recent = () => asks.filter((at) => performance.now() - at < minuteMs);
    while (recent().length >= asksPerMinute && !signal.aborted) await pause(signal);
    asks = [...recent(), performance.now()];
  };
}

/** Does it again for as long as the service cannot be reached. @returns undefined when it is to end */
async function persistent<T>(
  { signal, say }: Listening,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let hasSaid = false;
  while (!signal.aborted) {
    try {
      return await unlessAborted(signal, work());
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (!hasSaid) say(`${error.message} Listening again when it is there.`);
      hasSaid = true;
      await pause(signal);
    }
  }
  return undefined;
}

/** What comes of `work`, or undefined as soon as it is to end. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener("abort", end);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout } = await import("node:timers/promises");
  await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
}

/**
 * Hands a delivery on. An answer is an answer, whatever it says; a program that is not there is
 * waited for.
 */
async function handOn(
  { forwardTo, signingKey, signal, say }: Listening,
  body: string,
): Promise<Delivered["answered"]> {
  if (forwardTo === undefined) return undefined;
  const { request } = await import("undici");
  const headers = {
    "content-type": deliveryType,
    [signatureHeader]: signatureOf(signingKey, body),
    "user-agent": "acct",
  };
  let hasSaid = false;
  for (;;) {
    const began = performance.now();
    const tookMs = () => Math.round(performance.now() - began);
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
      const answer = await request(forwardTo, { method: "POST", headers, body, signal: within });
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
  return [code, ...errors.map((each) => each.code)].includes("ECONNREFUSED");
}
