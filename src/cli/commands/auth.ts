/** `acct auth`: signing in to a service, and the state of the sign-in. */

import { presets } from "../../client/session/presets.ts";
import { UsageError } from "../../resources/errors.ts";
import { describeTarget } from "../connection/choose-target.ts";
import { timezoneOf } from "../connection/load-letterhead.ts";
import { notSignedIn, openSession, signedOut, signInsOf } from "../connection/open-session.ts";
import { nonEmpty, readConfig } from "../context/config.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { momentText } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";
import { closeToOthers, statusOf, statusText } from "../sign-in/sign-in-status.ts";

const loginCommand = command("login", "sign in to a service, and keep it as a profile")
  .flag("preset", "a public service: cloud", { placeholder: "NAME", values: Object.keys(presets) })
  .flag("client-id", "the app to sign in with", { placeholder: "ID" })
  .switch("client-credentials", "sign the app itself in, with its secret, for unattended use")
  .switch("client-secret-stdin", "read the secret from standard input (else ACCT_CLIENT_SECRET)")
  .flag("scope", "what to ask for, instead of the usual", { placeholder: "SCOPE", repeat: true })
  .flag("organisation", "which one, by name or id, when there are several", { placeholder: "NAME" })
  .switch("no-browser", "start no browser; paste the address or the code it ends with")
  .flag(
    "redirect-uri",
    "where the browser comes back to; a free port of this machine when not given",
    { placeholder: "URL" },
  )
  .flag("timeout", "how long to wait for the browser; 300 when not given", {
    placeholder: "SECONDS",
    read: readSeconds,
  })
  .switch("keychain", "keep the tokens in the keychain of the system, not in a file")
  .note(
    "The service is named by --base-url or --preset; without either it is that of the profile. The " +
      "profile is named by --profile, or else after the organisation, and is the default when it is " +
      "the first.",
  )
  .note(
    "A secret is never given on the command line: it is read from ACCT_CLIENT_SECRET, from standard " +
      "input, or asked for.",
  )
  .example("acct auth login --base-url http://127.0.0.1:9320/api.xro/2.0 --client-id ID")
  .example("acct auth login --preset cloud --client-id ID --organisation 'Blue Kiln Pottery'")
  .example(
    "acct auth login --base-url https://books.example/api.xro/2.0 --client-id ID --client-credentials",
  )
  .action(async (ctx, options) => (await import("../sign-in/login.ts")).signIn(ctx, options));

function readSeconds(text: string): number {
  const seconds = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new UsageError("BadValue", `--timeout takes a number of seconds, not "${text}".`);
}

const logoutCommand = command("logout", "end a sign-in, at the service and on this machine")
  .note("It is forgotten here also when the service cannot be reached, and that is then said.")
  .note(
    "Where you are signed in on other machines you stay so, if the service is an acct; others end " +
      "all that you allowed the app, on every machine.",
  )
  .example("acct auth logout --profile quay")
  .action(async (ctx) => {
    const { id } = profileOf(ctx);
    return (await import("../sign-in/logout.ts")).signOut(ctx, id);
  });

const statusCommand = command("status", "who is signed in where, with what, and for how long")
  .note("Asks nobody: it tells what is kept on this machine. Exits 4 when nobody is signed in.")
  .example("acct auth status -o json")
  .answers("value")
  .action(async (ctx) => {
    if (nonEmpty(ctx.env.ACCT_TOKEN)) {
      const text = "The token is that of ACCT_TOKEN; no sign-in is used.";
      return ctx.out.value({ state: "token given", kept_in: "ACCT_TOKEN" }, text);
    }
    const { id, name, tenant, organisation } = profileOf(ctx);
    const signIns = signInsOf(ctx.env);
    const about = signIns.about(id);
    if (about === undefined) throw notSignedIn(name);
    closeToOthers(ctx, signIns, id);
    const profiled = {
      name,
      isDefault: readConfig(ctx.env).defaultProfile === name,
      organisation: tenant === undefined ? undefined : { id: tenant, name: organisation ?? tenant },
    };
    await ctx.out.value(statusOf(ctx, about, profiled), await statusText(ctx, about, profiled));
    if (about.endedAt !== undefined) throw signedOut(name);
  });

const tokenCommand = command("token", "print an access token that counts, for other programs")
  .note("It is renewed first when it is about to expire. Whoever has it can work in your name.")
  .example('curl -H "Authorization: Bearer $(acct auth token)" …')
  .action(async (ctx) => {
    const tokenInUse = nonEmpty(ctx.env.ACCT_TOKEN);
    if (tokenInUse !== undefined) {
      return ctx.out.value({ access_token: tokenInUse, token_type: "Bearer" }, tokenInUse);
    }
    const { id, place } = profileOf(ctx);
    const token = await openSession(ctx, place).accessToken();
    const { expiresAt = 0 } = signInsOf(ctx.env).about(id) ?? {};
    const expires_in = Math.max(0, Math.floor((expiresAt - ctx.clock()) / 1000));
    await ctx.out.value({ access_token: token, token_type: "Bearer", expires_in }, token);
  });

const refreshCommand = command("refresh", "renew the tokens now")
  .note("Commands do so by themselves; this is to see whether it works.")
  .example("acct auth refresh --profile work")
  .action(async (ctx) => {
    const { place, name } = profileOf(ctx);
    if (ctx.flags.dryRun) return ctx.out.say(`The tokens of ${name} would be renewed.`);
    const session = openSession(ctx, place);
    const { expiresAt } = await session.renew(await session.held());
    const secondsLeft = Math.max(0, Math.floor((expiresAt - ctx.clock()) / 1000));
    const expiresText = new Date(expiresAt).toISOString().replace(/\.\d+Z$/, "Z");
    const shownTime = momentText(expiresAt, await timezoneOf(ctx));
    ctx.out.say(`Renewed; the access token counts until ${shownTime}.`);
    if (formats[ctx.flags.output].isJson)
      await ctx.out.value({ expires_in: secondsLeft, expires_at: expiresText }, "");
  });

/**
 * Returns the profile of the command and its sign-in.
 *
 * @throws AuthError `NotSignedIn`
 */
function profileOf(ctx: Context) {
  const target = ctx.target();
  if (target.kind !== "remote") {
    if (target.kind === "book" && target.isDefault) throw notSignedIn(undefined);
    throw new UsageError(
      "BadFlags",
      `${describeTarget(target)} is a book of your own, which needs no sign-in.`,
    );
  }
  const { profile: name } = target;
  if (name === undefined) {
    throw new UsageError(
      "MissingValue",
      "Name the profile with --profile; an address has no sign-in.",
    );
  }
  const { [name]: profile } = readConfig(ctx.env).profiles;
  const id = profile?.signIn;
  if (id === undefined) throw notSignedIn(name);
  const { tenant, organisation } = profile ?? {};
  return { place: { ...target, signIn: id }, name, id, tenant, organisation };
}

export const authVerbs: readonly Child[] = [
  loginCommand,
  logoutCommand,
  statusCommand,
  tokenCommand,
  refreshCommand,
];
