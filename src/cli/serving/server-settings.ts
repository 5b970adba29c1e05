/**
 * The settings of a server. Each is a row here, from which its flag, its key in the configuration file,
 * its variable of the environment and its place in the JSON Schema follow.
 */
import { databaseAddress } from "../../platform/book-address.ts";
import { readProxies, type Trusts } from "../../platform/proxies.ts";
import { UsageError } from "../../resources/errors.ts";
import { allowances } from "../../wire/webhook.ts";
import type { Flag } from "../context/context.ts";
import { secretVariables } from "../context/secret-files.ts";
import { ownFlag } from "../framework/command.ts";
import { globalFlags } from "../framework/global-flags.ts";
import { readPort } from "../values/port.ts";
import { readWords } from "../values/read-words.ts";

export interface Setting extends Flag {
  /** Variable of the environment. */
  readonly variable?: string | undefined;
  /**
   * Whether the value is secret. It may then lie in a file, which the key with `File` at its end, the
   * variable with `_FILE`, or a credential of systemd names.
   */
  readonly isSecret?: boolean | undefined;
  /** Whether the path may be that of a credential of systemd with the name of the setting. */
  readonly isCredential?: boolean | undefined;
  /** Whether a running server takes a new value over. */
  readonly reloads?: boolean | undefined;
  /** Whether it names what is served. */
  readonly isTarget?: boolean | undefined;
  /** Value where nothing says one. */
  readonly usual?: string | undefined;
}

/** A setting that something says. */
export interface StatedSetting {
  readonly setting: Setting;
  readonly text: string;
  /** Flag, variable, file, or line of the configuration file that says it. */
  readonly from: string;
  /** Line in the configuration file; undefined for a setting from another source. */
  readonly line?: number | undefined;
}

export const defaultHost = "127.0.0.1";
export const defaultPort = 9320;
const logFormats = ["json", "text", "off"] as const;
export type LogChoice = (typeof logFormats)[number];
const secondFactorRules = ["required", "advisers"] as const;
type SecondFactorRule = (typeof secondFactorRules)[number];
const drainMax = 3600;
const processesMax = 256;

const own = (name: string, help: string, settingParts: Partial<Setting> = {}): Setting => ({
  ...ownFlag(name, help, settingParts),
  ...settingParts,
});

/** Settings with a flag of `acct serve`. */
export const serveFlags: readonly Setting[] = [
  own("port", `${defaultPort} when not given; 0 takes a free one`, {
    placeholder: "N",
    read: readPort("port"),
    usual: String(defaultPort),
  }),
  own("host", `on which address to listen; ${defaultHost}, this machine alone, when not given`, {
    placeholder: "ADDRESS",
    usual: defaultHost,
  }),
  own("pages", "show the books in a browser to people who sign in"),
  own("mcp", "answer agents at /mcp, with the tokens of this server: see acct mcp"),
  own("no-rate-limit", "let every app call as often as it likes"),
  own(
    "rate-limit",
    "how often an app may call; concurrent=5,minute=60,day=5000,appminute=10000 when not given",
    {
      placeholder: "LIMITS",
      usual: "concurrent=5,minute=60,day=5000,appminute=10000",
      reloads: true,
    },
  ),
  own("rate-limit-status", "with which status a limit is told: 503 when not given, or 429", {
    placeholder: "STATUS",
    values: ["503", "429"],
    read: readStatus,
    usual: "503",
    reloads: true,
  }),
  own("as-cloud", "answer as the public cloud does: see --explain, and acct dev-cert before"),
  own("new-contacts", "make a contact whom a document names and who is not there"),
  own("strict-dates", "refuse a text in where that stands for a date"),
  own("pkce-optional", "let web apps sign people in without PKCE, as older libraries do"),
  own("second-factor", "who must have a second factor, with --pages; nobody when not given", {
    placeholder: secondFactorRules.join("|"),
    values: secondFactorRules,
    read: readSecondFactor,
  }),
  own(
    "trusted-proxies",
    "whose X-Forwarded-For counts: addresses, networks, loopback; when not given, loopback with --public-url, otherwise none",
    { placeholder: "LIST", read: readProxies, reloads: true },
  ),
  own("webhook-allow", "where webhooks may go beyond https to public addresses: http, private", {
    placeholder: "LIST",
    read: (text) => readWords("webhook-allow", allowances, text),
  }),
  own(
    "log",
    "a line on stderr for each request; off when not given, and faults are told all the same",
    {
      placeholder: logFormats.join("|"),
      values: logFormats,
      read: readLog,
      usual: "off",
      reloads: true,
    },
  ),
  own("metrics-port", "figures for Prometheus at /metrics of this port; 0 takes a free one", {
    placeholder: "N",
    read: readPort("metrics-port"),
  }),
  own("metrics-host", `on which address they are read; ${defaultHost} when not given`, {
    placeholder: "ADDRESS",
    usual: defaultHost,
  }),
  own(
    "drain",
    "how long requests are still taken once the end is asked for, while /ready says 503",
    {
      placeholder: "SECONDS",
      read: readDrain,
      usual: "0",
    },
  ),
  own("processes", "how many processes of this machine answer, with --database; 1 when not given", {
    placeholder: "N",
    read: readProcesses,
    usual: "1",
  }),
  own("tls-cert", "answer by https, with this certificate and those that it rests on, as PEM", {
    placeholder: "FILE",
    live: "file",
    isCredential: true,
    reloads: true,
  }),
  own("tls-key", "the key of that certificate, a file for its owner alone", {
    placeholder: "FILE",
    live: "file",
    isCredential: true,
    reloads: true,
  }),
  own("redirect-port", "send browsers that come to this port by http on to https", {
    placeholder: "N",
    read: readPort("redirect-port"),
  }),
  own(
    "chaos",
    "faults on purpose, the same for the same seed and requests: 42, or 42:delay=0.2,cut",
    {
      placeholder: "SEED[:KINDS]",
    },
  ),
];

/** A setting with a flag of every command. */
function generalSetting(flagName: string, settingParts: Partial<Setting>): Setting {
  const flag = globalFlags.find(({ name }) => name === flagName);
  return { ...(flag as Flag), ...settingParts };
}

/** All settings of a server. */
export const settings: readonly Setting[] = [
  generalSetting("book", { variable: "ACCT_BOOK", isTarget: true }),
  generalSetting("data", { variable: "ACCT_DATA", isTarget: true }),
  generalSetting("database", {
    variable: secretVariables.database,
    isTarget: true,
    isSecret: true,
    read: readDatabase,
  }),
  generalSetting("tenant", { variable: "ACCT_TENANT", isTarget: true }),
  generalSetting("public-url", { variable: "ACCT_PUBLIC_URL" }),
  ...serveFlags,
  own("smtp", "mail server, smtp://user:password@host:587; without one mail is kept in an outbox", {
    placeholder: "URL",
    variable: secretVariables.smtp,
    isSecret: true,
    read: readSmtp,
    reloads: true,
  }),
  own("rates", "address of daily exchange rates as XML", {
    placeholder: "URL",
    variable: "ACCT_RATES_URL",
  }),
];

/** Values of the settings; those with a variable are in the environment as well. */
export interface ServeFlags {
  readonly pages?: boolean | undefined;
  readonly mcp?: boolean | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly noRateLimit?: boolean | undefined;
  readonly rateLimit?: string | undefined;
  readonly rateLimitStatus?: 429 | 503 | undefined;
  readonly pkceOptional?: boolean | undefined;
  /** Whether all settings without another value are those of the public cloud. */
  readonly asCloud?: boolean | undefined;
  readonly newContacts?: boolean | undefined;
  readonly strictDates?: boolean | undefined;
  readonly secondFactor?: SecondFactorRule | undefined;
  readonly trustedProxies?: Trusts | undefined;
  readonly webhookAllow?: readonly string[] | undefined;
  readonly log?: LogChoice | undefined;
  readonly metricsPort?: number | undefined;
  readonly metricsHost?: string | undefined;
  readonly processes?: number | undefined;
  /** Paths of the certificate chain and its key. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly redirectPort?: number | undefined;
  readonly chaos?: string | undefined;
  /** Drain time in milliseconds. */
  readonly drain?: number | undefined;
  /** Path of the configuration file. */
  readonly config?: string | undefined;
  readonly check?: boolean | undefined;
  readonly printConfig?: boolean | undefined;
  readonly print?: "systemd" | undefined;
  readonly explain?: boolean | undefined;
  /** Whether a new book is served to tests, and what they say of it. */
  readonly ephemeral?: boolean | undefined;
  readonly ready?: "json" | undefined;
  readonly country?: string | undefined;
  readonly seed?: string | undefined;
  readonly clock?: string | undefined;
  readonly ids?: number | undefined;
}

/** Settings of which one stands instead of the other. */
export const rivals: readonly (readonly string[])[] = [
  ["book", "data", "database"],
  ["rateLimit", "noRateLimit"],
];

function readDatabase(text: string): string {
  if (databaseAddress(text) !== undefined) return text;
  throw new UsageError("BadValue", "--database takes postgres://user@host/database.");
}

function readSmtp(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^smtps?:$/.test(url.protocol) && url.host !== "") return text;
  throw new UsageError("BadValue", "--smtp takes smtp://user:password@host:587 or smtps://….");
}

function readLog(text: string): LogChoice {
  const format = logFormats.find((logFormat) => logFormat === text);
  if (format !== undefined) return format;
  throw new UsageError("BadValue", `--log takes ${logFormats.join(", ")}, not "${text}".`);
}

function readSecondFactor(text: string): SecondFactorRule {
  const rule = secondFactorRules.find((secondFactorRule) => secondFactorRule === text);
  if (rule !== undefined) return rule;
  const message = `--second-factor takes ${secondFactorRules.join(", ")}, not "${text}".`;
  throw new UsageError("BadValue", message);
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
