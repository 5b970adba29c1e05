/**
 * `acct webhook listen`: delivers events of the book, as they occur, to a program on this machine.
 */

import { type DeliveredEvents, listen } from "../../client/listening.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/index.ts";
import { newSigningKey } from "../../wire/webhook.ts";
import type { Context } from "../context/context.ts";

export interface ListenOptions {
  readonly forwardTo?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly signingKey?: string | undefined;
}

/**
 * Delivers events until Ctrl-C.
 *
 * @throws InterruptedError on Ctrl-C, and errors of the service
 */
export async function listenHere(ctx: Context, options: ListenOptions): Promise<void> {
  if (ctx.flags.dryRun) {
    throw new UsageError(
      "BadFlags",
      "acct webhook listen knows no --dry-run; leave --forward-to out.",
    );
  }
  const { events = [], signingKey = ctx.env.ACCT_WEBHOOK_KEY || newSigningKey() } = options;
  const forwardTo = options.forwardTo === undefined ? undefined : readTarget(options.forwardTo);
  const [{ Name = "" } = {}] = await (await ctx.client()).at(organisation, "/Organisation");
  // A separate connection ends the listening after Ctrl-C, which aborts the other connection.
  const { open } = await import("../connection/open.ts");
  const parting = new AbortController();
  await using client = closeAtBlockEnd(
    (await open({ ...ctx, writes: true, interrupted: parting.signal })).client,
  );
  await listen({
    send: (request) => client.send(request),
    categories: events,
    forwardTo,
    signingKey,
    ...(ctx.target().kind === "remote" ? { asksPerMinute } : {}),
    signal: ctx.interrupted,
    heard: (delivered) => tellDelivered(ctx, delivered),
    began: (isFirst) => ctx.out.say(isFirst ? openingMessage(Name, forwardTo, signingKey) : anew),
    say: ctx.out.say,
  });
  ctx.interrupted.throwIfAborted();
}

/** Polls per minute: half the rate limit of an app; events between two polls arrive together. */
const asksPerMinute = 30;

const anew = "The service had forgotten this listener: what happened in between is not told.";

function openingMessage(name: string, forwardTo: URL | undefined, key: string): string {
  if (forwardTo === undefined) return `Listening to ${name}. Ctrl-C ends it.`;
  return `Listening to ${name} for ${forwardTo.href}. Ctrl-C ends it.\nSigning key: ${key}`;
}

async function tellDelivered(ctx: Context, { events, answered }: DeliveredEvents): Promise<void> {
  for (const event of events) {
    const { eventDateUtc, eventCategory, eventType, resourceId } = event;
    const became =
      answered === undefined ? "" : `  ${answered.status ?? "no answer"} in ${answered.tookMs} ms`;
    const line = `${eventDateUtc}Z  ${eventCategory} ${eventType}  ${resourceId}${became}`;
    const answer = answered && { status: answered.status ?? null, took_ms: answered.tookMs };
    await ctx.out.value({ ...event, ...(answer && { answer }) }, line);
  }
}

/**
 * Parses a URL; accepts `localhost:3000/hook` too.
 *
 * @throws UsageError `BadValue`
 */
function readTarget(text: string): URL {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url !== null && url.username === "" && url.password === "") return url;
  throw new UsageError(
    "BadValue",
    `--forward-to takes an address such as http://localhost:3000/hook, not "${text}".`,
  );
}
