/** Takes settings over while the server runs: at SIGHUP, and where its certificate was renewed. */
import { statSync } from "node:fs";
import type { Reloadable, ServedBook } from "../../admin/serve-book.ts";
import { nobody, readProxies } from "../../platform/proxies.ts";
import { AcctError, UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import { credentialPath } from "../context/secret-files.ts";
import { isTerminal } from "../framework/global-flags.ts";
import { type ServerSettings, settleSettings } from "./resolve-settings.ts";
import { type ServeFlags, settings } from "./server-settings.ts";

/** Interval in milliseconds at which the files of the certificate are looked at. */
const watchMs = 2_000;

/**
 * Returns the settings that a running server takes over, with its certificate read.
 *
 * @param warn  receives a sentence on a certificate that has ended
 * @throws UsageError
 */
export async function reloadableSettings(
  ctx: Context,
  { options, env }: ServerSettings,
  warn: (sentence: string) => void,
): Promise<Reloadable> {
  const { publicUrl = options.publicUrl } = ctx.flags;
  return {
    rateLimit: options.rateLimit ?? options.noRateLimit !== true,
    limitStatus: options.rateLimitStatus,
    // The proxy that answers for the public address runs on this machine, unless told otherwise.
    trusts: options.trustedProxies ?? (publicUrl === undefined ? nobody : readProxies("loopback")),
    smtpUrl: env.ACCT_SMTP_URL,
    log: options.log === "off" ? undefined : options.log,
    tls: await certificateOf(ctx, options, warn),
  };
}

/** Reads the certificate; undefined where the server answers by plain HTTP. @throws UsageError */
async function certificateOf(
  { env, clock }: Context,
  { tlsCert, tlsKey, redirectPort }: ServeFlags,
  warn: (sentence: string) => void,
) {
  if (tlsCert === undefined || tlsKey === undefined) {
    if ((tlsCert ?? tlsKey ?? redirectPort) === undefined) return undefined;
    const message = "TLS needs both --tls-cert and --tls-key, and --redirect-port needs TLS.";
    throw new UsageError("BadFlags", message);
  }
  const { readCertificate } = await import("../../platform/certificate.ts");
  const isCredential = tlsKey === credentialPath(env, "tls-key");
  const { warning, ...pair } = readCertificate(
    { cert: tlsCert, key: tlsKey, isCredential },
    clock(),
  );
  if (warning !== undefined) warn(warning);
  return pair;
}

export interface RunningServer {
  readonly flags: ServeFlags;
  /** Settings as they were at the start. */
  readonly settings: ServerSettings;
  readonly served: ServedBook;
  readonly isWorker: boolean;
}

/**
 * Takes settings over at SIGHUP, and the certificate where its files change. A setting that is invalid
 * is logged, and nothing is changed.
 *
 * @returns a function that ends it
 */
export function reloadWhileServing(ctx: Context, running: RunningServer): () => void {
  const { settings: settled, served, isWorker } = running;
  const textByKey = new Map(settled.said.map(({ setting, text }) => [setting.key, text]));
  const warn = (sentence: string) => served.note(sentence, "warn");
  let latest = settled;
  let stampRead = stampOf(settled.options);
  const guarded = (action: () => Promise<string>) => () =>
    action().then(
      (sentence) => isWorker || served.note(sentence),
      (error) => {
        if (!(error instanceof AcctError)) throw error;
        warn(`Nothing is changed. ${error.message}`);
      },
    );
  const renewed = guarded(async () => {
    stampRead = stampOf(latest.options);
    served.reload(await reloadableSettings(ctx, latest, warn));
    return "The certificate is read again.";
  });
  const reload = guarded(async () => {
    const nextSettings = settleSettings(ctx, running.flags);
    const nextStamp = stampOf(nextSettings.options);
    served.reload(await reloadableSettings(ctx, nextSettings, warn));
    [latest, stampRead] = [nextSettings, nextStamp];
    return takenSentence(textByKey, nextSettings);
  });
  const hadTerminal = isTerminal(0);
  const hungUp = () =>
    // The terminal from which this was started is gone.
    hadTerminal && !isTerminal(0) ? process.kill(process.pid, "SIGTERM") : reload();
  process.on("SIGHUP", hungUp);
  const timer = setInterval(() => {
    if (stampOf(latest.options) !== stampRead) void renewed();
  }, watchMs);
  timer.unref();
  return () => {
    process.removeListener("SIGHUP", hungUp);
    clearInterval(timer);
  };
}

/** Stamp of the files of the certificate, taken before they are read, so that no later change is missed. */
function stampOf({ tlsCert, tlsKey }: ServeFlags): string {
  const stats = [tlsCert, tlsKey].map((file) => file && statSync(file, { throwIfNoEntry: false }));
  return stats.map((stat) => stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`).join();
}

/** Settings that a running server takes over where it had them from its start. */
const fromStart: readonly string[] = ["smtp", "tlsCert", "tlsKey"];

/**
 * Enters what was taken over, and says so.
 *
 * @param textByKey  texts of the settings by their keys
 */
function takenSentence(textByKey: Map<string, string>, { said }: ServerSettings): string {
  const taken: string[] = [];
  const waiting: string[] = [];
  for (const { key, reloads } of settings) {
    const text = said.find(({ setting }) => setting.key === key)?.text;
    const textBefore = textByKey.get(key);
    if (text === textBefore) continue;
    const isFixed = fromStart.includes(key) && (text === undefined || textBefore === undefined);
    (reloads && !isFixed ? taken : waiting).push(key);
    if (!reloads || isFixed) continue;
    if (text === undefined) textByKey.delete(key);
    else textByKey.set(key, text);
  }
  const first = taken.length === 0 ? "Settings are as before." : `Taken over: ${taken.join(", ")}.`;
  return waiting.length === 0 ? first : `${first} These need a restart: ${waiting.join(", ")}.`;
}
