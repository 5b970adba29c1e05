/**
 * Opens a client for a target.
 *
 * Embedded books and remote services have separate code paths to a client, and behave alike
 * afterwards. Only the code of the chosen path is loaded.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Client, type ClientOptions, createClient } from "../../client/client.ts";
import { openEmbedded } from "../../client/embedded.ts";
import { keysFrom } from "../../client/idempotency-keys.ts";
import type { PlanHeader, TrialRoom } from "../../client/planning.ts";
import type { RateLimiter } from "../../client/transport/rate-limiter.ts";
import { version } from "../../platform/version.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import { readId } from "../../resources/scalar.ts";
import {
  agentHeader,
  commandHeader,
  isRead,
  operationHeader,
  type Transport,
} from "../../wire/http.ts";
import { cacheDir, dataDir } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { commandLine } from "../values/command-line.ts";
import { hasBook } from "./choose-target.ts";
import { refuseReadOnly, upgradingOf } from "./guard.ts";
import { verboseTransport } from "./verbose.ts";

/** A client, and whether a change was made through it. */
export interface OpenedClient {
  readonly client: Client;
  /**
   * Returns the plan of the command, where one was requested; undefined where nothing would change.
   */
  readonly plan?: () => Promise<Plan | undefined>;
  readonly changed: () => boolean;
}

type Remote = Target & { readonly kind: "remote" };

export interface OpenOptions {
  /**
   * False for callers that cannot wait, such as completion: they fail where a token must be
   * renewed.
   */
  readonly mayRenew?: boolean;
  /** Waits some milliseconds; the default wait ends when the user interrupts. */
  readonly sleep?: ((waitMs: number) => Promise<void>) | undefined;
  /** A service in this process, which signs callers in by their token. */
  readonly over?: Transport | undefined;
}

export async function open(ctx: Context, options: OpenOptions = {}): Promise<OpenedClient> {
  const target = ctx.target();
  const { flags, interrupted: signal } = ctx;
  const opened =
    target.kind === "remote" ? await openOverHttp(ctx, target, options) : await inBook(ctx, target);
  const connection = flags.plan === undefined ? opened : await planningConnection(ctx, opened);
  let hasChanged = false;
  const origin = ctx.writes ? originOf(ctx) : undefined;
  const transport: Transport = async (request) => {
    if (!isRead(request)) refuseReadOnly(ctx);
    const headers = isRead(request) ? request.headers : { ...origin, ...request.headers };
    const response = await connection.transport({ ...request, headers });
    hasChanged ||= !isRead(request) && response.status < 300 && !flags.dryRun;
    return response;
  };
  const client = createClient(transport, {
    // The writes of a plan are tried as real writes.
    dryRun: flags.dryRun && flags.plan === undefined,
    // Unit prices keep four decimals, without the rounding to two that older clients expect.
    unitDecimals: 4,
    rollsBack: target.kind !== "remote",
    mayWrite: ctx.writes,
    warn: (warning) => ctx.out.say(warning),
    signal,
    close: () => connection.close(),
    ...(target.kind === "remote" ? { newKey: () => crypto().randomUUID() } : {}),
    ...keysOf(ctx),
  });
  return {
    client,
    changed: () => hasChanged,
    ...("plan" in connection ? { plan: connection.plan } : {}),
  };
}

/**
 * Returns the headers that group the requests of a command as one operation in the log, with the
 * command line and what an agent that runs it calls itself.
 */
function originOf({ argv, env }: Context): Record<string, string> {
  const command = commandLine(argv, env).slice(0, commandLineMax);
  return {
    ...headersOfAgent(env),
    [operationHeader]: crypto().randomUUID(),
    [commandHeader]: encodeURIComponent(command.toWellFormed()),
  };
}

function headersOfAgent({ ACCT_AGENT }: Context["env"]): Record<string, string> {
  const agent = ACCT_AGENT?.replace(/[^\x20-\x7e]/g, "?");
  return agent ? { [agentHeader]: agent } : {};
}

/** Maximum length in characters of the command line sent with requests. */
const commandLineMax = 1_000;

/** A connection that executes requests, or tries them for a plan. */
interface BookConnection {
  readonly transport: Transport;
  readonly trialRoom: (header: PlanHeader) => Promise<TrialRoom>;
  close(): Promise<void>;
}

/** Returns a connection that records changes as a plan instead of making them. */
async function planningConnection(
  { flags, argv, env }: Context,
  { transport, trialRoom, close }: BookConnection,
) {
  const { recordWrites: planning } = await import("../../client/planning.ts");
  const header = { Command: commandLine(argv, env), ApproveBy: flags.approveBy };
  const trial = planning(transport, () => trialRoom(header));
  return {
    transport: trial.transport,
    plan: trial.plan,
    async close() {
      await trial.close();
      await close();
    },
  };
}

const crypto = () => process.getBuiltinModule("node:crypto");

/** Returns the idempotency keys of a command that was given one. */
export function keysOf({ flags }: Context): Pick<ClientOptions, "newKey" | "keyGiven"> {
  const { idempotencyKey: key } = flags;
  return key === undefined ? {} : { newKey: keysFrom(key), keyGiven: true };
}

async function openOverHttp(ctx: Context, target: Remote, options: OpenOptions) {
  const { over } = options;
  if (over !== undefined) {
    const headers = await headersOf(ctx, target, undefined);
    const transport: Transport = (request) =>
      over({ ...request, headers: { ...headers, ...request.headers } });
    const trialRoom = async (header: PlanHeader) =>
      (await import("../../client/planning.ts")).roomAt(transport, header);
    return { transport, trialRoom, close: async () => undefined };
  }
  const session = await sessionOf(ctx, target, options);
  // A missing sign-in is reported before any write.
  await session?.accessToken();
  const headers = await headersOf(ctx, target, session);
  const { connect } = await import("../../client/transport/http.ts");
  const { retryingTransport: retrying } = await import("../../client/transport/retry.ts");
  const { markUnknownOutcome } = await import("../../client/transport/unknown-outcome.ts");
  const { limiterFileName, rateLimiter } = await import("../../client/transport/rate-limiter.ts");
  let limiter: RateLimiter | undefined;
  const connection = await connect({
    baseUrl: target.baseUrl,
    headers: async () => headers,
    userAgent: `acct/${version}`,
    signal: ctx.interrupted,
  });
  warnOfPlainText(ctx, target);
  const { setTimeout } = await import("node:timers/promises");
  const retried = retrying(markUnknownOutcome(await verboseTransport(ctx, connection.transport)), {
    waitMaxMs: options.mayRenew === false ? 0 : ctx.flags.waitMaxMs,
    rateLimiter: ({ headers: own }) => {
      const name = limiterFileName(target.baseUrl, { ...headers, ...own });
      const file = join(cacheDir(ctx.env), "calls", name);
      // Completion must not create a file where there was none.
      if (options.mayRenew === false && !existsSync(file)) return undefined;
      limiter ??= rateLimiter({ file, clock: ctx.clock, random: Math.random });
      return limiter;
    },
    sleep:
      options.sleep ?? ((waitMs) => setTimeout(waitMs, undefined, { signal: ctx.interrupted })),
    random: Math.random,
    notify: ctx.out.say,
  });
  const signedTransport = session?.sign(retried) ?? retried;
  return {
    transport: signedTransport,
    trialRoom: async (header: PlanHeader) =>
      (await import("../../client/planning.ts")).roomAt(signedTransport, header),
    close: () => connection.close(),
  };
}

/**
 * Returns the session of a sign-in; undefined where a token is given directly, or there is none.
 */
export async function sessionOf(ctx: Context, target: Remote, { mayRenew, sleep }: OpenOptions) {
  if (target.token !== undefined) return undefined;
  if (target.signIn === undefined && target.isSignedOut !== true) return undefined;
  const { openSession } = await import("./open-session.ts");
  return openSession(ctx, target, { mayRenew, sleep });
}

/** Warns where a token would be sent unencrypted, since others could read it. */
function warnOfPlainText(ctx: Context, { baseUrl, token, signIn }: Remote): void {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const hasToken = token !== undefined || signIn !== undefined;
  if (!hasToken || protocol === "https:" || isLocal) return;
  ctx.out.say(`Warning: the token goes to ${hostname} unencrypted; use an address with https.`);
}

/**
 * Returns the headers of every request, of a trial too: the token, unless the session adds it, the
 * tenant, and the agent.
 */
export async function headersOf(
  ctx: Context,
  target: Remote,
  session: { accessToken(): Promise<string> } | undefined,
): Promise<Record<string, string>> {
  const { token, tenant } = target;
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headersOfAgent(ctx.env),
  };
  if (tenant === undefined) return headers;
  const id = readId(tenant);
  if (id !== undefined) return { ...headers, [tenantHeader]: id };
  const { tenantNamed } = await import("./tenant.ts");
  const tokenOf = async () => token ?? (await session?.accessToken());
  return { ...headers, [tenantHeader]: await tenantNamed(ctx, target, tenant, tokenOf) };
}

const tenantHeader = "xero-tenant-id";

async function inBook(ctx: Context, target: Exclude<Target, { kind: "remote" }>) {
  if (!hasBook(target)) await provide(ctx, target);
  const connection = await openEmbedded(target.path, {
    holds: target.holds,
    clock: ctx.clock,
    keyFolder: dataDir(ctx.env),
    smtpUrl: ctx.env.ACCT_SMTP_URL,
    publicUrl: ctx.flags.publicUrl,
    ratesUrl: ctx.env.ACCT_RATES_URL,
    upgrading: upgradingOf(ctx),
    ...personOf(ctx),
  });
  const { trialRoom, close } = connection;
  return { transport: await verboseTransport(ctx, connection.transport), trialRoom, close };
}

/** Creates the sample company, or asks whether to create a missing book. */
async function provide(ctx: Context, target: Exclude<Target, { kind: "remote" }>): Promise<void> {
  if (target.kind === "demo") return provideDemo(ctx, target.path);
  const otherWays = target.isDefault ? ", or name another with --book or try --demo" : "";
  const missing = `There is no book at ${target.path}`;
  if (!ctx.flags.input || ctx.flags.dryRun) {
    const path = target.isDefault ? "" : ` --book ${target.path}`;
    throw new UsageError("NoBook", `${missing}: make one with acct init${path}${otherWays}.`);
  }
  const isWanted = await ctx.ask.confirm(`${missing}. Make one now?`, {
    flag: "--yes",
    default: true,
  });
  if (!isWanted) throw new UsageError("NoBook", `${missing}.`);
  const { askNewBook } = await import("./ask-new-book.ts");
  const { makeNewBook, reportNewBook } = await import("./make-book.ts");
  const newBook = await askNewBook(ctx);
  await makeNewBook(ctx, target.path, newBook);
  reportNewBook(ctx, target.path, newBook);
}

async function provideDemo(ctx: Context, path: string): Promise<void> {
  ctx.out.say("Making the sample company, once…");
  const { makeDemo } = await import("../../admin/book.ts");
  await makeDemo(path).catch((error: unknown) => {
    // Another process created the same book first.
    if (!(error instanceof RefusedError && error.code === "BookExists")) throw error;
  });
}
