/** `acct serve --ephemeral`: a new book for tests, which is gone when the server ends. */
import { closeSync, fstatSync, openSync } from "node:fs";
import type { Socket } from "node:net";
import { devNull } from "node:os";
import type { LocalServerOptions } from "../../admin/serve-book.ts";
import { shutdownSignal } from "../../platform/shutdown.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import type { LogSink } from "../render/sinks/log-sink.ts";
import { devCertFiles } from "./dev-cert-files.ts";
import type { ServerSettings } from "./resolve-settings.ts";

const loopback = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/;
const outputs = { stdin: 0, stdout: 1 };

/**
 * Serves until SIGTERM, or until the pipe that is its input ends.
 *
 * @param optionsOf  what the settings say of a server
 * @throws UsageError `BadFlags`, InterruptedError on Ctrl-C
 */
export async function serveEphemeral(
  ctx: Context,
  { options }: ServerSettings,
  optionsOf: (sink: LogSink) => Promise<LocalServerOptions>,
): Promise<void> {
  refuseOthers(ctx, options.host);
  const { startEphemeral } = await import("../../kit/ready.ts");
  const { logSink } = await import("../render/sinks/log-sink.ts");
  const shutdown = shutdownSignal(ctx.interrupted);
  const sink = logSink();
  try {
    const { clock: _machine, smtpUrl: _nobody, ...serving } = await optionsOf(sink);
    const isLimited = options.rateLimit !== undefined || options.asCloud === true;
    const testServing = {
      ...serving,
      port: options.port ?? 0,
      rateLimit: isLimited ? serving.rateLimit : false,
      webhookAllow: options.webhookAllow ?? ["http", "private"],
    };
    const { authority, server: own } = devCertFiles(ctx.env);
    const ca = options.tlsCert === own.cert ? authority.cert : undefined;
    const server = await startEphemeral(options, testServing, ca);
    if (options.ready === "json") writeReady(JSON.stringify(server.ready));
    else for (const [name, text] of Object.entries(server.ready)) ctx.out.say(`${name}: ${text}`);
    await Promise.race([shutdown.come, inputEnd()]);
    await server.close();
  } finally {
    await sink.end();
    shutdown.stopListening();
  }
  ctx.interrupted.throwIfAborted();
}

/** @throws UsageError `BadFlags` */
function refuseOthers({ flags }: Context, host = "localhost"): void {
  const book = (["book", "data", "database", "tenant", "demo"] as const).find(
    (value) => flags[value],
  );
  if (book !== undefined) {
    throw new UsageError("BadFlags", `--ephemeral serves a book of its own: leave --${book} out.`);
  }
  if (!loopback.test(host)) {
    const message = `--ephemeral is for this machine alone: it does not listen on ${host}.`;
    throw new UsageError("BadFlags", message);
  }
}

/** Writes the ready line and closes stdout, so that a reader of stdout meets the end of file. */
function writeReady(line: string): void {
  process.getBuiltinModule("node:fs").writeSync(outputs.stdout, `${line}\n`);
  closeSync(outputs.stdout);
  // The number of the descriptor must not become that of a book.
  openSync(devNull, "w");
}

/** Resolves when the input ends; never where it is no pipe, as of a service in the background. */
function inputEnd(): Promise<void> {
  const input = fstatSync(outputs.stdin);
  if (!(input.isFIFO() || input.isSocket())) return new Promise(() => undefined);
  // It does not keep the process alive once the server has ended.
  (process.stdin as Socket).unref();
  return new Promise((resolve) => {
    process.stdin.on("end", resolve).on("error", resolve).resume();
  });
}
