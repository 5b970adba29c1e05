/** `acct serve`: serves the book over HTTP to other programs and machines. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Operations, ServedBook } from "../../admin/serve-book.ts";
import { countries } from "../../ledger/regions/index.ts";
import type { AgentHost } from "../../mcp/http.ts";
import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { shutdownSignal } from "../../platform/shutdown.ts";
import { RefusedError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { servedPath } from "../connection/book-path.ts";
import { dataDir } from "../context/config.ts";
import { type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import type { LogSink } from "../render/sinks/log-sink.ts";
import { reloadableSettings, reloadWhileServing } from "../serving/reload.ts";
import { type ServerSettings, settleSettings } from "../serving/resolve-settings.ts";
import {
  defaultHost,
  defaultPort,
  type ServeFlags,
  serveFlags,
} from "../serving/server-settings.ts";
import { programOf } from "./mcp.ts";

const apiRoot = "/api.xro/2.0";

/**
 * V8 flag that disables garbage collection at idle, which discards compiled code: the next requests
 * would take up to twice as long. Costs about 80 MB after a busy time.
 */
const noIdleTidying = "--memory-reducer-gc-count=0";
export const serveCommand = command("serve", "serve the book over HTTP")
  .alters()
  .answers("value")
  .flags<ServeFlags>(serveFlags)
  .flag("config", "settings by the names of the flags, in this file of YAML", {
    placeholder: "FILE",
    live: "file",
  })
  .switch(
    "ephemeral",
    "a new book for tests, which is gone when the server ends: see docs/testing.md",
  )
  .flag("ready", "write a line of JSON to stdout when it is ready, with --ephemeral", {
    placeholder: "json",
    values: ["json"],
    read: readOnly("ready", "json"),
  })
  .flag("country", "the country of that book; NZ when not given", {
    placeholder: "COUNTRY",
    values: countries,
  })
  .flag("seed", "a file of YAML or JSON with what that book begins with", {
    placeholder: "FILE",
    live: "file",
  })
  .flag("clock", "the time at which it stands, such as 2026-03-01T09:00+13:00", {
    placeholder: "TIME",
  })
  .flag("ids", "a number that its ids follow from", { placeholder: "N", read: readIds })
  .switch("check", "read all settings, open what they name, and start nothing")
  .switch("explain", "say what --as-cloud sets, and from where it is known, and start nothing")
  .switch("print-config", "show each setting and where it is from, and start nothing")
  .flag("print", "print a unit that has systemd start this server, and start nothing", {
    placeholder: "systemd",
    values: ["systemd"],
    read: readOnly("print", "systemd"),
  })
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
  .example("acct serve --as-cloud --explain")
  .action(serve);

/** Reads a value of which there is one. */
function readOnly<T extends string>(flag: string, value: T): (text: string) => T {
  return (text) => {
    if (text === value) return value;
    throw new UsageError("BadValue", `--${flag} takes ${value}, not "${text}".`);
  };
}

function readIds(text: string): number {
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw new UsageError("BadValue", `--ids takes a number, not "${text}".`);
}

/** Maximum time in milliseconds that a stopped server may take to release its book. */
const handoverMs = 1000;

/**
 * Serves until SIGTERM, and then returns.
 *
 * @throws InterruptedError on Ctrl-C
 */
async function serve(ctx: Context, flags: ServeFlags): Promise<void> {
  if (ctx.flags.dryRun) {
    throw new UsageError("BadFlags", "acct serve knows no --dry-run; a request says it of itself.");
  }
  if (flags.noRateLimit === true && flags.rateLimit !== undefined) {
    throw new UsageError("BadFlags", "Give --rate-limit or --no-rate-limit, not both.");
  }
  if (flags.explain) return (await import("../serving/as-cloud.ts")).explainCloud(ctx);
  if (flags.print !== undefined) {
    return (await import("../serving/systemd-unit.ts")).printUnit(ctx, flags);
  }
  const settled = settleSettings(ctx, flags);
  const { options, target } = settled;
  if (options.secondFactor !== undefined && options.pages !== true) {
    const message =
      "People set up a second factor on the pages: give --second-factor with --pages.";
    throw new UsageError("BadFlags", message);
  }
  if (flags.printConfig)
    return (await import("../serving/print-config.ts")).printConfig(ctx, settled);
  if (flags.check) return (await import("../serving/check.ts")).checkSettings(ctx, settled);
  if (flags.ephemeral) {
    const { serveEphemeral } = await import("../serving/ephemeral.ts");
    return serveEphemeral(ctx, settled, (sink) => serviceOptions(ctx, settled, sink));
  }
  refuseForTests(flags);
  const path = target?.kind === "book" ? target.path : await servedPath(ctx, "acct serve");
  checkProcesses(path, options);
  const { isWorker } = (await import("node:cluster")).default;
  const isPrimary = (options.processes ?? 1) > 1 && !isWorker;
  if (isForMany(path) && !isPrimary) {
    process.getBuiltinModule("node:v8").setFlagsFromString(noIdleTidying);
  }
  const serveWhole = () => serveToTheEnd(ctx, path, { flags, settled }, { isPrimary, isWorker });
  if (databaseAddress(path) !== undefined) return serveWhole();
  await asOnlyServer(path, serveWhole);
}

/** Refuses what is for a book of tests alone. @throws UsageError `BadFlags` */
function refuseForTests(flags: ServeFlags): void {
  const testFlag = (["ready", "country", "seed", "clock", "ids"] as const).find(
    (value) => flags[value] !== undefined,
  );
  if (testFlag === undefined) return;
  throw new UsageError("BadFlags", `--${testFlag} goes with --ephemeral, a book for tests.`);
}

/**
 * Runs work under a lock of the served files: two servers would deliver every event twice, create
 * repeating invoices twice, and double the rate limits.
 *
 * @throws RefusedError `Served`
 */
async function asOnlyServer(path: string, action: () => Promise<void>): Promise<void> {
  const { whileLocked } = await import("../../client/session/lock.ts");
  const folder = folderAddress(path)?.folder;
  const lockedPath = folder ?? path;
  const lock = folder === undefined ? `${path}-serve` : join(folder, ".serve");
  // A missing place is reported when it is opened.
  if (!existsSync(dirname(lock))) return action();
  let isAlone = false;
  try {
    await whileLocked(lock, { waitMaxMs: handoverMs }, () => {
      isAlone = true;
      return action();
    });
  } catch (error) {
    if (isAlone || !(error instanceof UnavailableError)) throw error;
    const message = `Another acct serve works on ${lockedPath}; end that one first.`;
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
  { flags, settled }: { readonly flags: ServeFlags; readonly settled: ServerSettings },
  { isPrimary, isWorker }: ProcessRole,
): Promise<void> {
  const { options } = settled;
  const { logSink } = await import("../render/sinks/log-sink.ts");
  const shutdown = shutdownSignal(ctx.interrupted);
  const sink = logSink();
  let stopReloading: () => void = () => undefined;
  try {
    const served = isPrimary
      ? await startWorkers(ctx, options, sink)
      : await startOne(ctx, path, settled, { isWorker, sink });
    stopReloading = reloadWhileServing(ctx, { flags, settings: settled, served, isWorker });
    if (!isWorker) {
      if (options.asCloud && options.log !== "json") {
        (await import("../serving/as-cloud.ts")).sayCloud(ctx, settled.said);
      }
      sayReady(ctx, options, served);
      await notifySystemd(ctx);
    }
    await Promise.race([shutdown.come, ...(served.ended === undefined ? [] : [served.ended])]);
    await served.close();
  } finally {
    stopReloading();
    await sink.end();
    shutdown.stopListening();
  }
  // Only the primary process reports the interruption.
  if (!isWorker) ctx.interrupted.throwIfAborted();
}

async function startOne(
  ctx: Context,
  path: string,
  settings: ServerSettings,
  { isWorker, sink }: { readonly isWorker: boolean; readonly sink: LogSink },
): Promise<ServedBook> {
  const { serve: open } = await import("../../admin/serve-book.ts");
  return open(path, { ...(await serviceOptions(ctx, settings, sink)), isWorker });
}

/** Returns what the settings say of a server, whatever it serves. */
async function serviceOptions(ctx: Context, settings: ServerSettings, sink: LogSink) {
  const { options, env } = settings;
  return {
    ...personOf(ctx),
    ...(await reloadableSettings(ctx, settings, ctx.out.say)),
    host: options.host ?? defaultHost,
    port: options.port ?? defaultPort,
    publicUrl: ctx.flags.publicUrl ?? options.publicUrl,
    redirectPort: options.redirectPort,
    clock: ctx.clock,
    keyFolder: dataDir(env),
    ratesUrl: env.ACCT_RATES_URL,
    webhookAllow: options.webhookAllow,
    pkceOptional: options.pkceOptional,
    newContacts: options.newContacts,
    strictDates: options.strictDates,
    secondFactor: options.secondFactor,
    hasPages: options.pages,
    beside: options.mcp ? await agentsOf(ctx) : undefined,
    operations: operationsOf(sink, options),
  };
}

/** Returns what answers agents, each by command lines with the rights of its token. */
async function agentsOf({ root, line }: Context) {
  const { agentAnswers } = await import("../../mcp/http.ts");
  return (host: AgentHost) =>
    agentAnswers(host, (token, tenant) => {
      // Nothing of the operator's own settings counts.
      const caller = { HOME: "/dev/null", ACCT_TOKEN: token, ACCT_TENANT: tenant };
      return programOf({
        root,
        line: (words, env) => line(words, { ...env, ...caller }, host.transport),
      });
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
    isSecure: options.tlsCert !== undefined,
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

/** Notifies systemd, if it started the service, that the server is ready. */
async function notifySystemd({ env, out }: Context): Promise<void> {
  if (!env.NOTIFY_SOCKET) return;
  const { spawn } = await import("node:child_process");
  spawn("systemd-notify", ["--ready"], { stdio: "ignore" }).once("error", ({ message }) =>
    out.say(`systemd is not told that this service is ready: ${message}.`),
  );
}
