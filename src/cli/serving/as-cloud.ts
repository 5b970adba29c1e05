/** `acct serve --as-cloud`: what the public cloud does otherwise, with the settings that do it. */
import { existsSync } from "node:fs";
import { presets } from "../../client/session/presets.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Env } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import { devCertFiles } from "./dev-cert-files.ts";
import { type StatedSetting, settings } from "./server-settings.ts";

/** A matter in which the cloud differs from the usual server, or could be thought to. */
interface CloudMatter {
  readonly matter: string;
  readonly usual: string;
  readonly cloud: string;
  /** Texts of the settings by their keys; none where every server does as the cloud. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where it is known from. */
  readonly source: string;
}

const { issuer = "", hosts = [] } = presets.cloud ?? {};

/** @param env  says where the certificate of `acct dev-cert` lies */
function cloudMatters(env: Env): readonly CloudMatter[] {
  const { cert, key } = devCertFiles(env).server;
  return [
    {
      matter: "names",
      usual: "one origin",
      cloud: `answers as ${hosts.join(", ")}; tokens are issued by ${issuer}`,
      settings: { publicUrl: issuer },
      source: `${issuer}/.well-known/openid-configuration`,
    },
    {
      matter: "TLS",
      usual: "none",
      cloud: "the certificate of acct dev-cert, on port 443",
      settings: { tlsCert: cert, tlsKey: key, port: "443" },
      source: "addresses of the cloud begin with https",
    },
    {
      matter: "PKCE of web apps",
      usual: "as the app says",
      cloud: "not demanded",
      settings: { pkceOptional: "true" },
      source: "XeroAPI/xero-node-oauth2-app signs in without a challenge",
    },
    {
      matter: "limits",
      usual: "60 a minute, 5,000 a day, 5 at once, 10,000 a minute of an app; told by 503",
      cloud: "the same figures, told by 429 with Retry-After; what is left on every answer",
      settings: { rateLimitStatus: "429" },
      source: "developer.xero.com/documentation/guides/oauth2/limits",
    },
    {
      matter: "invoices sent by email",
      usual: "204",
      cloud: "204",
      settings: {},
      source: "XeroAPI/Xero-OpenAPI, emailInvoice",
    },
    {
      matter: "a contact who is not there, named on a document",
      usual: "400",
      cloud: "made, by the name",
      settings: { newContacts: "true" },
      source: "community.xero.com/developer/discussion/106550833",
    },
    {
      matter: 'where=Date=="2026-10-01", a text',
      usual: "taken as a day",
      cloud: "400, incompatible with operand types",
      settings: { strictDates: "true" },
      source: "XeroAPI/Xero-NetStandard#597, calcinai/xero-php#309",
    },
    {
      matter: "names of headers",
      usual: "as the cloud writes them, below /identity and /connect too",
      cloud: "Content-Type, WWW-Authenticate, X-MinLimit-Remaining",
      settings: {},
      source: "docs of limits; clients that compare names exactly",
    },
  ];
}

/**
 * What the cloud says of settings of which nothing else says anything.
 *
 * @throws UsageError `NoFile` where its certificate is wanted and not made yet
 */
export function saidByCloud(env: Env, saidSettings: readonly StatedSetting[]): StatedSetting[] {
  const isSaid = (...keys: readonly string[]) =>
    saidSettings.some(({ setting }) => keys.includes(setting.key));
  const hasOwnCertificate = isSaid("tlsCert", "tlsKey");
  if (!hasOwnCertificate && !existsSync(devCertFiles(env).server.cert)) {
    const message =
      "There is no certificate of the cloud's names yet: make one by acct dev-cert, or give --tls-cert and --tls-key.";
    throw new UsageError("NoFile", message);
  }
  const texts = Object.assign({}, ...cloudMatters(env).map((cloudMatter) => cloudMatter.settings));
  return settings.flatMap((setting) => {
    const { key } = setting;
    const text: string | undefined = texts[key];
    const isOther = hasOwnCertificate && /^tls/.test(key);
    return text === undefined || isOther || isSaid(key) ? [] : { setting, text, from: "the cloud" };
  });
}

/** Prints the table. */
export async function explainCloud({ env, out }: Context): Promise<void> {
  const rows = cloudMatters(env).map(({ settings: texts, ...row }) => {
    const flags = Object.entries(texts).map(([key, text]) => flagOf(key, text));
    return { ...row, flags: flags.join(" ") };
  });
  const lines = rows.flatMap(({ matter, usual, cloud, flags, source }) => [
    `${matter}: ${cloud}`,
    `  usually ${usual}`,
    ...(flags === "" ? [] : [`  alone   ${flags}`]),
    `  source  ${source}`,
  ]);
  await out.value(rows, lines.join("\n"));
}

/** Says on stderr what is in force, with what another setting has changed. */
export function sayCloud({ env, out }: Context, statedOnes: readonly StatedSetting[]): void {
  for (const { matter, cloud, settings: texts } of cloudMatters(env)) {
    const others = statedOnes.filter(({ setting: { key }, text }) => (texts[key] ?? text) !== text);
    const but = others.map(({ setting: { key }, text }) => flagOf(key, text)).join(" ");
    out.say(`${matter}: ${cloud}${but === "" ? "" : `; but ${but}`}`);
  }
}

function flagOf(key: string, text: string): string {
  const { name, placeholder } = settings.find((setting) => setting.key === key) ?? {};
  return placeholder === undefined ? `--${name}` : `--${name} ${text}`;
}
