/** Chooses the service and the app of a sign-in. */

import { broadScopes, identityScopes, type Preset, presets } from "../../client/session/presets.ts";
import { readBaseUrl } from "../../client/transport/http.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Profile, readConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import { didYouMean } from "../values/suggest.ts";

export interface ServiceOptions {
  readonly preset?: string | undefined;
  readonly clientId?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly scope?: readonly string[] | undefined;
}

export interface Service {
  /** Address of the API root. */
  readonly baseUrl: string;
  readonly issuer: URL;
  readonly clientId: string;
  /** Redirect URI of the browser; port 0 takes a free one. */
  readonly redirectUri: string;
  /** Scopes to which the user is asked to consent. */
  readonly scopes: readonly string[];
  /** Hosts that the sign-in may use; undefined for any. */
  readonly hosts?: readonly string[] | undefined;
  /** The profile that was signed in before and is renewed. */
  readonly again?: { readonly name: string; readonly profile: Profile } | undefined;
}

const anyPort = "http://127.0.0.1:0/callback";

/**
 * Chooses service and app from the flags, the environment, or the earlier profile.
 *
 * @throws UsageError `MissingValue`, `BadPreset`, `ContradictoryPlace`, `BadBaseUrl`
 */
export function serviceOf(ctx: Context, options: ServiceOptions): Service {
  const { preset: presetName, clientId: givenId, scope } = options;
  refuseBooks(ctx);
  const preset = presetName === undefined ? undefined : presetNamed(presetName);
  const url = ctx.flags.baseUrl ?? (preset === undefined ? ctx.env.ACCT_BASE_URL : undefined);
  if (preset !== undefined && ctx.flags.baseUrl !== undefined) {
    throw new UsageError("ContradictoryPlace", "--preset and --base-url each name a service.");
  }
  const again = profileAgain(ctx, preset?.baseUrl ?? (url || undefined));
  const baseUrl = preset?.baseUrl ?? (url || again?.profile.baseUrl);
  if (baseUrl === undefined) {
    throw new UsageError(
      "MissingValue",
      "Which service? Give --base-url, such as http://127.0.0.1:9320/api.xro/2.0, or --preset cloud.",
    );
  }
  const root = readBaseUrl(baseUrl);
  const known = preset ?? Object.values(presets).find((preset) => preset.baseUrl === root.href);
  const clientId = givenId ?? again?.profile.clientId;
  if (clientId === undefined) throw noAppError(known);
  return {
    baseUrl: root.href,
    issuer: new URL(known?.issuer ?? root.origin),
    clientId,
    redirectUri: options.redirectUri ?? known?.redirectUri ?? anyPort,
    scopes: scopesOf(scope, known?.scopes ?? broadScopes),
    hosts: known?.hosts,
    again,
  };
}

function refuseBooks({ flags }: Context): void {
  const { book, database, demo } = flags;
  const flag = Object.entries({ book, database, demo }).find(([, given]) => given);
  if (flag === undefined) return;
  throw new UsageError("BadFlags", `A book of your own needs no sign-in; leave --${flag[0]} out.`);
}

function presetNamed(name: string): Preset {
  const names = Object.keys(presets);
  const preset = Object.hasOwn(presets, name.toLowerCase())
    ? presets[name.toLowerCase()]
    : undefined;
  if (preset !== undefined) return preset;
  const hint = didYouMean(name, names);
  throw new UsageError(
    "BadPreset",
    `There is no preset "${name}".${hint === "" ? ` There is ${names.join(", ")}.` : hint}`,
  );
}

/** Returns the named or default profile, if it is of this service. */
function profileAgain({ flags, env }: Context, baseUrl: string | undefined): Service["again"] {
  const { profiles, defaultProfile } = readConfig(env);
  const name = flags.profile ?? (env.ACCT_PROFILE || defaultProfile);
  const profile = name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (name === undefined || profile === undefined) return undefined;
  if (flags.profile !== undefined && profile.book !== undefined) {
    throw new UsageError("BadFlags", `The profile ${name} is a book; name another for a service.`);
  }
  const isOfService =
    profile.baseUrl !== undefined && (baseUrl ?? profile.baseUrl) === profile.baseUrl;
  return isOfService ? { name, profile } : undefined;
}

function noAppError(preset: Preset | undefined): UsageError {
  return new UsageError(
    "MissingValue",
    preset === undefined
      ? "As which app? Give --client-id; whoever runs the service makes one with acct app add NAME --kind pkce --redirect-uri http://127.0.0.1/callback."
      : `As which app? Register one with the service, with ${preset.redirectUri} as the address to come back to, and give its --client-id.`,
  );
}

/** Returns the scopes to request: the given ones, or the defaults. */
function scopesOf(flags: readonly string[] | undefined, usualScopes: readonly string[]): string[] {
  const scopes = parseScopes(flags);
  return [...new Set([...identityScopes, ...(scopes.length > 0 ? scopes : usualScopes)])];
}

/** Parses given scopes: repeated flags, or separated by spaces or commas. */
export function parseScopes(flags: readonly string[] | undefined): string[] {
  return flags?.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== "") ?? [];
}
