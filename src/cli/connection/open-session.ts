/** Opens sign-ins on the command line: where they are stored, and their messages. */
import { Session, type SessionOptions, signedIn } from "../../client/session/session.ts";
import { SignIns } from "../../client/session/sign-ins.ts";
import { openWeb, type Web } from "../../client/session/web.ts";
import { version } from "../../platform/version.ts";
import { AuthError } from "../../resources/errors.ts";
import type { Transport } from "../../wire/http.ts";
import { type Env, signInsDir } from "../context/config.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { posixQuote } from "../values/quote.ts";
import { verboseTransport } from "./verbose.ts";

export function signInsOf(env: Env): SignIns {
  return new SignIns(signInsDir(env));
}

/**
 * Opens the session of a profile, and a transport that adds its tokens.
 *
 * @throws AuthError `NotSignedIn` when the profile has no sign-in
 */
export function openSession(
  ctx: Context,
  { signIn, profile }: Target & { readonly kind: "remote" },
  options: Pick<SessionOptions, "mayRenew" | "sleep"> = {},
) {
  const signInAgain = signInAgainCommand(profile);
  if (signIn === undefined) throw notSignedIn(profile);
  const session = new Session({
    ...options,
    signIns: signInsOf(ctx.env),
    id: signIn,
    signInAgain,
    clock: ctx.clock,
    openWeb: () => webOf(ctx, { signal: null }),
    signal: ctx.interrupted,
    notify: ctx.out.say,
  });
  return {
    accessToken: () => session.accessToken(),
    held: () => session.held(),
    renew: (refusedToken: string) => session.renew(refusedToken),
    sign: (transport: Transport): Transport => signedIn(transport, session),
  };
}

export function notSignedIn(profile: string | undefined): AuthError {
  return new AuthError("NotSignedIn", `Not signed in: run ${signInAgainCommand(profile)}.`);
}

export function signedOut(profile: string | undefined): AuthError {
  return new AuthError("SignedOut", `Signed out: run ${signInAgainCommand(profile)}.`);
}

/** Returns the command that signs in again. */
function signInAgainCommand(profile: string | undefined): string {
  if (profile === undefined) return "acct auth login";
  return `acct auth login --profile ${posixQuote(profile)}`;
}

/**
 * Returns the HTTP access of a sign-in.
 *
 * @param signal  aborts requests; Ctrl-C unless another is given. Null disables aborting, since a
 *   token renewal should be completed
 */
export function webOf(
  ctx: Context,
  { signal = ctx.interrupted }: { readonly signal?: AbortSignal | null } = {},
): Web {
  return openWeb({
    userAgent: `acct/${version}`,
    ...(signal === null ? {} : { signal }),
    traced: (transport) => verboseTransport(ctx, transport),
  });
}
