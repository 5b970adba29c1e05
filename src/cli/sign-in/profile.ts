/** The profile that a sign-in is saved to. */
import { whileLocked } from "../../client/session/lock.ts";
import type { SignIn, SignIns } from "../../client/session/sign-ins.ts";
import { type Config, type Profile, readConfig, writeConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";

/** The profile as it is now. */
export interface StoredProfile {
  readonly name: string;
  readonly isDefault: boolean;
  readonly signIn: SignIn;
}

/** Longer than a renewal takes that is under way. */
const waitMaxMs = 100_000;

/**
 * Saves a sign-in, and the profile that names it, in this order: a profile never names what is not
 * there. What the profile had before is forgotten last.
 *
 * Signing in again to the same service takes the place of the sign-in there was, so that processes
 * that work with it, and other profiles that share it, go on with the new one.
 *
 * @param held  called as soon as a profile names what was saved: from then on the tokens are used,
 *   whatever fails
 */
export async function keep(
  ctx: Context,
  signIns: SignIns,
  made: SignIn,
  profile: Profile,
  held: () => void,
): Promise<StoredProfile> {
  const config = readConfig(ctx.env);
  const there = config.profiles[nameFor(ctx, config, profile)];
  const isAgain = there?.baseUrl === profile.baseUrl;
  const signIn = { ...made, id: (isAgain ? there?.signIn : undefined) ?? made.id };
  const options = { waitMaxMs, signal: ctx.interrupted };
  await whileLocked(signIns.lockOf(signIn.id), options, () => signIns.save(signIn));
  const isNamed = signIn.id !== made.id;
  if (isNamed) held();
  let name = "";
  let before: string | undefined;
  try {
    await writeConfig(ctx.env, (current) => {
      name = nameFor(ctx, current, profile);
      before = current.profiles[name]?.signIn;
      const profiles = { ...current.profiles, [name]: { ...profile, signIn: signIn.id } };
      const isFirst = Object.keys(current.profiles).length === 0;
      return { ...current, profiles, ...(isFirst ? { defaultProfile: name } : {}) };
    });
  } catch (error) {
    if (!isNamed) await signIns.forget(signIn.id).catch(() => undefined);
    throw error;
  }
  held();
  const after = readConfig(ctx.env);
  if (before !== undefined && !isUsed(after, before)) await signIns.forget(before);
  return { name, isDefault: after.defaultProfile === name, signIn };
}

function isUsed({ profiles }: Config, id: string): boolean {
  return Object.values(profiles).some(({ signIn }) => signIn === id);
}

/** The one that was asked for, the one of that organisation, or a new one. */
function nameFor({ flags, env }: Context, { profiles }: Config, profile: Profile): string {
  const asked = flags.profile ?? (env.ACCT_PROFILE || undefined);
  if (asked !== undefined) return asked;
  const same = Object.entries(profiles).find(
    ([, each]) => each.baseUrl === profile.baseUrl && each.tenant === profile.tenant,
  );
  if (same !== undefined) return same[0];
  const wanted = wordOf(profile.organisation ?? "service");
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!Object.hasOwn(profiles, name)) return name;
  }
}

/** `Blue Kiln Pottery` as a word to type, `blue-kiln-pottery`. */
function wordOf(name: string): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "service";
}
