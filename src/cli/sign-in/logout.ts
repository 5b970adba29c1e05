/** `acct auth logout`: revokes the tokens, and deletes them from this machine. */

import { whileLocked } from "../../client/session/lock.ts";
import { revoke } from "../../client/session/oauth.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { AcctError } from "../../resources/errors.ts";
import { signInsOf, webOf } from "../connection/open-session.ts";
import { readConfig, writeConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";

const waitMaxMs = 100_000;

/**
 * Ends a sign-in for all profiles that share it. It is deleted locally even where the revocation
 * fails.
 */
export async function signOut(ctx: Context, id: string): Promise<void> {
  const names = Object.entries(readConfig(ctx.env).profiles).flatMap(([name, { signIn }]) =>
    signIn === id ? [name] : [],
  );
  const what = names.length === 1 ? `the profile ${names[0]}` : `the profiles ${names.join(", ")}`;
  if (ctx.flags.dryRun) return ctx.out.say(`Nobody would be signed in to ${what} any more.`);
  const signIns = signInsOf(ctx.env);
  // The lock excludes a concurrent renewal, which would store the sign-in again.
  const options = { waitMaxMs, signal: ctx.interrupted };
  const failure = await whileLocked(signIns.lockOf(id), options, async () => {
    const failed = await revokeTokens(ctx, id);
    await signIns.forget(id);
    return failed;
  });
  await writeConfig(ctx.env, (config) => ({
    ...config,
    profiles: Object.fromEntries(
      Object.entries(config.profiles).map(([name, { signIn, ...profile }]) => [
        name,
        signIn === id ? profile : { ...profile, signIn },
      ]),
    ),
  }));
  if (failure === undefined) return ctx.out.say(`Signed out of ${what}.`);
  ctx.out.say(`Signed out of ${what} on this machine; its tokens are forgotten.`);
  ctx.out.say(
    `The service did not take them back: ${failure} What was signed in there ends by itself when it is not used.`,
  );
}

/**
 * Revokes the tokens.
 *
 * @returns why it failed, as a sentence
 */
async function revokeTokens(ctx: Context, id: string): Promise<string | undefined> {
  await using web = closeAtBlockEnd(webOf(ctx));
  try {
    const signIn = await signInsOf(ctx.env).read(id);
    if (signIn !== undefined && signIn.endedAt === undefined) await revoke(web, signIn);
    return undefined;
  } catch (error) {
    if (!(error instanceof AcctError) || ctx.interrupted.aborted) throw error;
    return error.message;
  }
}
