/** `acct auth login`: signs in and saves the profile. */

import {
  type App,
  type Authority,
  canEndOne,
  discover,
  grantToApp,
  revoke,
  type Tokens,
} from "../../client/session/oauth.ts";
import {
  connectionsOf,
  listedNames,
  organisationNamed,
} from "../../client/session/session-organisations.ts";
import type { Organisation, SecretStorage, SignIn } from "../../client/session/sign-ins.ts";
import type { Web } from "../../client/session/web.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { UnavailableError, UsageError } from "../../resources/errors.ts";
import { signInsOf, webOf } from "../connection/open-session.ts";
import type { Context } from "../context/context.ts";
import { formats } from "../render/formats/index.ts";
import { type BrowserOptions, signInByBrowser } from "./browser-sign-in.ts";
import { type StoredProfile, saveProfile } from "./profile.ts";
import { type SecretOptions, secretOf } from "./secret.ts";
import { parseScopes, type Service, type ServiceOptions, serviceOf } from "./service-choice.ts";
import { keptIn, othersOf, sayPlainText, statusOf } from "./sign-in-status.ts";

export interface LoginOptions extends ServiceOptions, SecretOptions, BrowserOptions {
  readonly organisation?: string | undefined;
  readonly keychain?: boolean | undefined;
}

/**
 * Signs in.
 *
 * @throws AuthError, UsageError, NotFoundError `NoOrganisation`, UnavailableError
 */
export async function signIn(ctx: Context, options: LoginOptions): Promise<void> {
  if (ctx.flags.dryRun) {
    throw new UsageError("BadFlags", "A sign-in cannot be tried out: leave --dry-run out.");
  }
  const service = serviceOf(ctx, options);
  const storage: SecretStorage = options.keychain === true ? "keychain" : "file";
  if (storage === "keychain") await tryKeychain();
  const app: App = { clientId: service.clientId, clientSecret: await secretOf(ctx, options) };
  sayPlainText(ctx, service.baseUrl);
  await using web = closeAtBlockEnd(webOf(ctx));
  const authority = await discover(web, service.issuer);
  refuseStrangers(service, authority);
  const askedAt = ctx.clock();
  const tokens =
    options.clientCredentials === true
      ? await grantToApp(web, authority, app, parseScopes(options.scope))
      : await signInByBrowser(ctx, web, authority, service, app, options);
  const newSignIn = signInOf(service, authority, app, tokens, { askedAt, kept: storage, options });
  let isHeld = false;
  try {
    const { all, chosen } = await choose(ctx, web, service, tokens, options);
    const profile = {
      baseUrl: service.baseUrl,
      tenant: chosen?.id,
      organisation: chosen?.name,
      clientId: service.clientId,
    };
    const signIn = { ...newSignIn, organisations: all };
    const saved = await saveProfile(ctx, signInsOf(ctx.env), signIn, profile, () => {
      isHeld = true;
    });
    await tellSignedIn(ctx, chosen, saved);
  } catch (error) {
    if (!isHeld && canEndOne(authority)) await giveBack(ctx, newSignIn);
    throw error;
  }
}

/** Maximum wait for a revocation after a failure or Ctrl-C, in milliseconds. */
const giveBackMaxMs = 5000;

/**
 * Revokes tokens of a failed sign-in, so that no unused ones remain valid at the service. Only
 * where the service can revoke this sign-in alone: elsewhere a mistyped name would end the user's
 * sign-ins on other machines. A failure to revoke is ignored, since the earlier error is reported.
 */
async function giveBack(ctx: Context, newSignIn: SignIn): Promise<void> {
  await using web = closeAtBlockEnd(webOf(ctx, { signal: AbortSignal.timeout(giveBackMaxMs) }));
  try {
    await revoke(web, newSignIn);
  } catch {
    // Unused tokens expire by themselves.
  }
}

/** Checks the keychain before the sign-in, since the tokens could not be stored afterwards. */
async function tryKeychain(): Promise<void> {
  const { deleteSecret, writeSecret } = await import("../../client/session/keychain.ts");
  await deleteSecret("try", await writeSecret("try", "may be deleted"));
}

/** Refuses endpoints on hosts that the preset does not list. */
export function refuseStrangers({ hosts }: Pick<Service, "hosts">, authority: Authority): void {
  const { authorization_endpoint, token_endpoint, revocation_endpoint } = authority;
  for (const address of [authorization_endpoint, token_endpoint, revocation_endpoint]) {
    const host = address === undefined ? undefined : URL.parse(address)?.host;
    if (hosts === undefined || host === undefined || hosts.includes(host)) continue;
    throw new UnavailableError(
      "BadAnswer",
      `The sign-in of the preset leads to ${host}, which is not its own.`,
    );
  }
  if (token_endpoint === undefined) {
    throw new UnavailableError(
      "BadAnswer",
      `${authority.issuer} does not say where tokens are given.`,
    );
  }
}

/** Chooses the organisation of the profile; none where the service lists none. */
async function choose(
  ctx: Context,
  web: Web,
  service: Service,
  { accessToken }: Tokens,
  options: LoginOptions,
): Promise<{ readonly all: readonly Organisation[]; readonly chosen: Organisation | undefined }> {
  const all = await connectionsOf(web, service.baseUrl, accessToken);
  if (options.organisation !== undefined) {
    return { all, chosen: organisationNamed(all, options.organisation) };
  }
  const preferredOne = all.find(({ id }) => id === preferredTenant(ctx, service, options));
  if (preferredOne !== undefined || all.length <= 1) return { all, chosen: preferredOne ?? all[0] };
  const agreed = await connectionsOf(web, service.baseUrl, accessToken, { consented: true });
  if (agreed.length === 1) return { all, chosen: agreed[0] };
  return { all, chosen: await ask(ctx, agreed.length === 0 ? all : agreed) };
}

/** Returns the organisation of an earlier sign-in to the profile, as the default. */
function preferredTenant({ flags }: Context, { again }: Service, options: LoginOptions) {
  const isNew = flags.baseUrl !== undefined || options.preset !== undefined;
  return isNew && flags.profile === undefined ? undefined : again?.profile.tenant;
}

async function ask(ctx: Context, available: readonly Organisation[]): Promise<Organisation> {
  if (!ctx.flags.input) {
    const message = `Which organisation? Give --organisation: ${listedNames(available)}`;
    throw new UsageError("MissingValue", message);
  }
  const { search } = await import("@inquirer/prompts");
  const choices = available.map((value) => ({ value, name: value.name, description: value.id }));
  return search(
    {
      message: "Which organisation?",
      source: (typedText = "") =>
        choices.filter(({ name }) => name.toLowerCase().includes(typedText.trim().toLowerCase())),
    },
    { output: process.stderr, signal: ctx.interrupted },
  );
}

interface Circumstances {
  readonly askedAt: number;
  readonly kept: SecretStorage;
  readonly options: LoginOptions;
}

/** Builds the sign-in to store from tokens and organisations. */
function signInOf(
  service: Service,
  authority: Authority,
  { clientId, clientSecret }: App,
  { accessToken, refreshToken, expiresInMs, scopes, person }: Tokens,
  { askedAt, kept, options }: Circumstances,
): SignIn {
  const isApp = options.clientCredentials === true;
  return {
    id: process.getBuiltinModule("node:crypto").randomUUID(),
    baseUrl: service.baseUrl,
    issuer: authority.issuer,
    tokenEndpoint: authority.token_endpoint ?? "",
    revocationEndpoint: authority.revocation_endpoint,
    clientId,
    grant: isApp ? "client_credentials" : "authorization_code",
    scopes: scopes ?? (isApp ? parseScopes(options.scope) : service.scopes),
    person,
    organisations: [],
    signedInAt: askedAt,
    renewedAt: askedAt,
    expiresAt: askedAt + expiresInMs,
    kept,
    secrets: { accessToken, refreshToken, clientSecret },
  };
}

async function tellSignedIn(
  ctx: Context,
  chosenOne: Organisation | undefined,
  { name, isDefault, signIn }: StoredProfile,
): Promise<void> {
  const personPart = signIn.person === undefined ? "as the app" : `as ${signIn.person}`;
  const whereText = chosenOne?.name ?? signIn.baseUrl;
  ctx.out.say(`Signed in to ${whereText} ${personPart}.`);
  ctx.out.say(
    isDefault
      ? `It is the profile ${name}, which is used when nothing else is said.`
      : `It is the profile ${name}: acct --profile ${name} …`,
  );
  const othersText = othersOf(signIn, chosenOne);
  if (othersText !== undefined) ctx.out.say(`It may work on others as well. ${othersText}.`);
  ctx.out.say(`The tokens are kept in ${keptIn(signInsOf(ctx.env), signIn)}.`);
  if (signIn.grant === "authorization_code" && signIn.secrets.refreshToken === undefined) {
    ctx.out.say("The service gave nothing to renew them with: sign in again when they expire.");
  }
  if (formats[ctx.flags.output].isJson) {
    const status = statusOf(ctx, signIn, { name, isDefault, organisation: chosenOne });
    await ctx.out.value(status, "");
  }
}
