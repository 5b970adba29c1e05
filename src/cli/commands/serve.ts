/** `acct serve`: serves the book over HTTP to other programs and machines. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Operations, ServedBook } from "../../admin/serve-book.ts";
import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { nobody, readProxies, type Trusts } from "../../platform/proxies.ts";
import { shutdownSignal } from "../../platform/shutdown.ts";
import { RefusedError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { allowances } from "../../wire/webhook.ts";
import { servedPath } from "../connection/book-path.ts";
import { dataDir } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import type { LogSink } from "../render/sinks/log-sink.ts";
import { readPort } from "../values/port.ts";
import { readWords } from "../values/read-words.ts";

const defaultHost = "127.0.0.1";
const defaultPort = 9320;
const apiRoot = "/api.xro/2.0";
const logFormats = ["json", "text", "off"] as const;
const secondFactorRules = ["required", "advisers"] as const;
type SecondFactorRule = (typeof secondFactorRules)[number];
const drainMax = 3600;
const processesMax = 256;
/**
 * V8 flag that disables garbage collection at idle, which discards compiled code: the next requests
 * would take up to twice as long. Costs about 80 MB after a busy time.
 */
const noIdleTidying = "--memory-reducer-gc-count=0";
export const serveCommand = command("serve", "serve the book over HTTP")
  .alters()
  .flag("port", `${defaultPort} when not given; 0 takes a free one`, {
    placeholder: "N",
    read: readPort("port"),
  })
  .flag("host", `on which address to listen; ${defaultHost}, this machine alone, when not given`, {
    placeholder: "ADDRESS",
  })
  .switch("pages", "show the books in a browser to people who sign in")
  .switch("no-rate-limit", "let every app call as often as it likes")
  .flag(
    "rate-limit",
    "how often an app may call; concurrent=5,minute=60,day=5000,appminute=10000 when not given",
    { placeholder: "LIMITS" },
  )
  .flag("rate-limit-status", "with which status a limit is told: 503 when not given, or 429", {
    placeholder: "STATUS",
    values: ["503", "429"],
    read: readStatus,
  })
  .switch("pkce-optional", "let web apps sign people in without PKCE, as older libraries do")
  .flag("second-factor", "who must have a second factor, with --pages; nobody when not given", {
    placeholder: secondFactorRules.join("|"),
    values: secondFactorRules,
    read: readSecondFactor,
  })
  .flag(
    "trusted-proxies",
    "whose X-Forwarded-For counts: addresses, networks, loopback; when not given, loopback with --public-url, otherwise none",
    { placeholder: "LIST", read: readProxies },
  )
  .flag("webhook-allow", "where webhooks may go beyond https to public addresses: http, private", {
    placeholder: "LIST",
    read: readAllowed,
  })
  .flag(
    "log",
    "a line on stderr for each request; off when not given, and faults are told all the same",
    { placeholder: logFormats.join("|"), values: logFormats, read: readLog },
  )
  .flag("metrics-port", "figures for Prometheus at /metrics of this port; 0 takes a free one", {
    placeholder: "N",
    read: readPort("metrics-port"),
  })
  .flag("metrics-host", `on which address they are read; ${defaultHost} when not given`, {
    placeholder: "ADDRESS",
  })
  .flag(
    "drain",
    "how long requests are still taken once the end is asked for, while /ready says 503",
    { placeholder: "SECONDS", read: readDrain },
  )
  .flag(
    "processes",
    "how many processes of this machine answer, with --database; 1 when not given",
    { placeholder: "N", read: readProcesses },
  )
  .flag(
    "chaos",
    "faults on purpose, the same for the same seed and requests: 42, or 42:delay=0.2,cut",
    { placeholder: "SEED[:KINDS]" },
  )
  .note(
    "Prints the base URL on stderr when it is ready. Every request needs a token of an app: see " +
      "acct app. GET /openapi.json describes the API and needs none.",
  )
  .note(
    "People sign in at this address, or at --public-url: tokens bear it, and clients check that " +
      "it is the one they asked.",
  )
  .note(
    "--pages shows the books at /: the same pages as acct view, behind the sign-in of this server, each " +
      "person as far as their role goes. See acct user.",
  )
  .note(
    "GET /health answers 200 while the process lives, GET /ready while requests should come here: " +
      "503 with the reason when the database does not answer or the end was asked for.",
  )
  .note(
    "--chaos tests what calls the service: delay, 500-before and 500-after (not done, done), cut and " +
      "drop (done, but the answer breaks off, or never comes), 503 and 429 (-limit: with the headers " +
      "of a rate limit), revoked and expired (401). A kind takes a rate from 0 to 1; those without " +
      "share 0.2. The header X-Chaos names the fault.",
  )
  .note(
    "Ctrl-C or SIGTERM: what is under way is finished, for ten seconds at most, then the book is " +
      "closed. A second one ends it at once.",
  )
  .note(
    "With --data DIR, every book in that folder is served, and DIR/directory.acct knows their people " +
      "and apps; with --database, every organisation in it, by as many processes as are wanted, here " +
      "(--processes) and on other machines. Requests then say which one they are for by the " +
      "header xero-tenant-id, unless their token is good for one alone. With --tenant it is that one.",
  )
  .example("acct serve --book quay.acct")
  .example("acct serve --data books/")
  .example("acct serve --pages --public-url https://books.example")
  .example("acct serve --port 0 --no-rate-limit")
  .action(serve);

function readLog(text: string): (typeof logFormats)[number] {
  const format = logFormats.find((each) => each === text);
  if (format !== undefined) return format;
  throw new UsageError("BadValue", `--log takes ${logFormats.join(", ")}, not "${text}".`);
}

function readSecondFactor(text: string): SecondFactorRule {
  const rule = secondFactorRules.find((each) => each === text);
  if (rule !== undefined) return rule;
  const message = `--second-factor takes ${secondFactorRules.join(", ")}, not "${text}".`;
  throw new UsageError("BadValue", message);
}

function readAllowed(text: string): string[] {
  return readWords("webhook-allow", allowances, text);
}

function readProcesses(text: string): number {
  const count = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  if (count >= 1 && count <= processesMax) return count;
  throw new UsageError(
    "BadValue",
    `--processes takes a number from 1 to ${processesMax}, not "${text}".`,
  );
}

/** Parses a drain time, in milliseconds. */
function readDrain(text: string): number {
  const seconds = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (seconds <= drainMax) return seconds * 1000;
  throw new UsageError(
    "BadValue",
    `--drain takes a number of seconds from 0 to ${drainMax}, not "${text}".`,
  );
}

function readStatus(text: string): 429 | 503 {
  if (text.trim() === "429") return 429;
  if (text.trim() === "503") return 503;
  throw new UsageError("BadValue", `--rate-limit-status takes 503 or 429, not "${text}".`);
}

export interface ServeFlags {
  readonly pages?: boolean | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly noRateLimit?: boolean | undefined;
  readonly rateLimit?: string | undefined;
  readonly rateLimitStatus?: 429 | 503 | undefined;
  readonly pkceOptional?: boolean | undefined;
  readonly secondFactor?: SecondFactorRule | undefined;
  readonly trustedProxies?: Trusts | undefined;
  readonly webhookAllow?: readonly string[] | undefined;
  readonly log?: (typeof logFormats)[number] | undefined;
  readonly metricsPort?: number | undefined;
  readonly metricsHost?: string | undefined;
  readonly processes?: number | undefined;
  readonly chaos?: string | undefined;
  /** Drain time in milliseconds. */
  readonly drain?: number | undefined;
}

/** Maximum time in milliseconds that a stopped server may take to release its book. */
const handoverMs = 1000;

/**
 * Serves until SIGTERM, and then returns.
 *
 * @throws InterruptedError on Ctrl-C
 */
async function serve(ctx: Context, options: ServeFlags): Promise<void> {
  if (ctx.flags.dryRun) {
    throw new UsageError("BadFlags", "acct serve knows no --dry-run; a request says it of itself.");
  }
  if (options.noRateLimit === true && options.rateLimit !== undefined) {
    throw new UsageError("BadFlags", "Give --rate-limit or --no-rate-limit, not both.");
  }
  if (options.secondFactor !== undefined && options.pages !== true) {
    const message =
      "People set up a second factor on the pages: give --second-factor with --pages.";
    throw new UsageError("BadFlags", message);
  }
  const path = await servedPath(ctx, "acct serve");
  checkProcesses(path, options);
  const { isWorker } = (await import("node:cluster")).default;
  const isPrimary = (options.processes ?? 1) > 1 && !isWorker;
  if (isForMany(path) && !isPrimary) {
    process.getBuiltinModule("node:v8").setFlagsFromString(noIdleTidying);
  }
  const whole = () => serveToTheEnd(ctx, path, options, { isPrimary, isWorker });
  if (databaseAddress(path) !== undefined) return whole();
  await asOnlyServer(path, whole);
}

/**
 * Runs work under a lock of the served files: two servers would deliver every event twice, create
 * repeating invoices twice, and double the rate limits.
 *
 * @throws RefusedError `Served`
 */
async function asOnlyServer(path: string, work: () => Promise<void>): Promise<void> {
  const { whileLocked } = await import("../../client/session/lock.ts");
  const folder = folderAddress(path)?.folder;
  const place = folder ?? path;
  const lock = folder === undefined ? `${path}-serve` : join(folder, ".serve");
  // A missing place is reported when it is opened.
  if (!existsSync(dirname(lock))) return work();
  let isAlone = false;
  try {
    await whileLocked(lock, { waitMaxMs: handoverMs }, () => {
      isAlone = true;
      return work();
    });
  } catch (error) {
    if (isAlone || !(error instanceof UnavailableError)) throw error;
    const message = `Another acct serve works on ${place}; end that one first.`;
    throw new RefusedError("Served", message);
  }
}

interface ProcessRole {
  /** Whether the process starts the workers, and serves no requests itself. */
  readonly isPrimary: boolean;
  readonly isWorker: boolean;
}

async function serveToTheEnd(
  ctx: Context,
  path: string,
  options: ServeFlags,
  { isPrimary, isWorker }: ProcessRole,
): Promise<void> {
  const { logSink } = await import("../render/sinks/log-sink.ts");
  const ending = shutdownSignal(ctx.interrupted);
  const sink = logSink();
  try {
    const served = isPrimary
      ? await startWorkers(ctx, options, sink)
      : await startOne(ctx, path, { ...options, isWorker }, sink);
    if (!isWorker) sayReady(ctx, options, served);
    await Promise.race([ending.come, ...(served.ended === undefined ? [] : [served.ended])]);
    await served.close();
  } finally {
    await sink.end();
    ending.stopListening();
  }
  // Only the primary process reports the interruption.
  if (!isWorker) ctx.interrupted.throwIfAborted();
}

async function startOne(
  ctx: Context,
  path: string,
  options: ServeFlags & { readonly isWorker: boolean },
  sink: LogSink,
): Promise<ServedBook> {
  const { serve: open } = await import("../../admin/serve-book.ts");
  const { publicUrl } = ctx.flags;
  return open(path, {
    ...personOf(ctx),
    host: options.host ?? defaultHost,
    port: options.port ?? defaultPort,
    publicUrl,
    rateLimit: options.rateLimit ?? options.noRateLimit !== true,
    limitStatus: options.rateLimitStatus,
    clock: ctx.clock,
    keyFolder: dataDir(ctx.env),
    smtpUrl: ctx.env.ACCT_SMTP_URL,
    ratesUrl: ctx.env.ACCT_RATES_URL,
    // The proxy that answers for the public address runs on this machine, unless told otherwise.
    trusts: options.trustedProxies ?? (publicUrl === undefined ? nobody : readProxies("loopback")),
    webhookAllow: options.webhookAllow,
    pkceOptional: options.pkceOptional,
    secondFactor: options.secondFactor,
    hasPages: options.pages,
    isWorker: options.isWorker,
    operations: operationsOf(sink, options),
  });
}

/** Starts worker processes, each with the same command line. */
async function startWorkers(
  { clock }: Context,
  options: ServeFlags,
  sink: LogSink,
): Promise<ServedBook> {
  const { serveByWorkers } = await import("../../admin/serve-book.ts");
  return serveByWorkers({
    host: options.host ?? defaultHost,
    port: options.port ?? defaultPort,
    processes: options.processes ?? 1,
    clock,
    operations: operationsOf(sink, options),
  });
}

/**
 * Checks the count of processes.
 *
 * @throws UsageError
 */
function checkProcesses(path: string, { processes = 1, chaos }: ServeFlags): void {
  if (processes === 1) return;
  if (databaseAddress(path) === undefined) {
    throw new UsageError(
      "BadFlags",
      "--processes goes with --database: a book in a file has one process.",
    );
  }
  if (chaos !== undefined) {
    throw new UsageError(
      "BadFlags",
      "--chaos counts the requests of one process: give it without --processes.",
    );
  }
}

function isForMany(path: string): boolean {
  return databaseAddress(path) !== undefined || folderAddress(path) !== undefined;
}

function operationsOf(
  { write, isFull }: LogSink,
  { log, metricsPort, metricsHost = defaultHost, drain, chaos }: ServeFlags,
): Operations {
  return {
    log: log === "off" ? undefined : log,
    write,
    isFull,
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    drainMs: drain,
    chaos,
  };
}

/** Prints the base URL on its own line; with JSON logs the line is JSON too. */
function sayReady(ctx: Context, { log }: ServeFlags, served: ServedBook): void {
  const { origin, metricsUrl, chaos } = served;
  const url = `${origin}${apiRoot}`;
  if (log === "json") {
    const time = new Date(ctx.clock()).toISOString();
    ctx.out.say(JSON.stringify({ time, level: "info", ready: url, metrics: metricsUrl, chaos }));
    return;
  }
  ctx.out.say(url);
  for (const line of [metricsUrl, chaos]) if (line !== undefined) ctx.out.say(line);
}
