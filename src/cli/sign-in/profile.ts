/** Saves a sign-in to a profile. */
import { whileLocked } from "../../client/session/lock.ts";
import type { SignIn, SignIns } from "../../client/session/sign-ins.ts";
import { type Config, type Profile, readConfig, writeConfig } from "../context/config.ts";
import type { Context } from "../context/context.ts";

/** The stored profile. */
export interface StoredProfile {
  readonly name: string;
  readonly isDefault: boolean;
  readonly signIn: SignIn;
}

/** Maximum wait for the lock in milliseconds, longer than a renewal takes. */
const waitMaxMs = 100_000;

/**
 * Saves a sign-in, and then the profile that names it, so that a profile never names a missing
 * sign-in; the profile's earlier sign-in is deleted last.
 *
 * A second sign-in to the same service replaces the first, so that processes and profiles that
 * share it continue with the new one.
 *
 * @param whenHeld  called as soon as a profile names the saved sign-in: from then on its tokens are in
 *   use, whatever fails
 */
export async function saveProfile(
  ctx: Context,
  signIns: SignIns,
  newSignIn: SignIn,
  profile: Profile,
  whenHeld: () => void,
): Promise<StoredProfile> {
  const config = readConfig(ctx.env);
  const existing = config.profiles[nameFor(ctx, config, profile)];
  const isAgain = existing?.baseUrl === profile.baseUrl;
  const signIn = { ...newSignIn, id: (isAgain ? existing?.signIn : undefined) ?? newSignIn.id };
  const options = { waitMaxMs, signal: ctx.interrupted };
  await whileLocked(signIns.lockOf(signIn.id), options, () => signIns.save(signIn));
  const isNamed = signIn.id !== newSignIn.id;
  if (isNamed) whenHeld();
  let name = "";
  let formerId: string | undefined;
  try {
    await writeConfig(ctx.env, (current) => {
      name = nameFor(ctx, current, profile);
      formerId = current.profiles[name]?.signIn;
      const profiles = { ...current.profiles, [name]: { ...profile, signIn: signIn.id } };
      const isFirst = Object.keys(current.profiles).length === 0;
      return { ...current, profiles, ...(isFirst ? { defaultProfile: name } : {}) };
    });
  } catch (error) {
    if (!isNamed) await signIns.forget(signIn.id).catch(() => undefined);
    throw error;
  }
  whenHeld();
  const configAfter = readConfig(ctx.env);
  if (formerId !== undefined && !isUsed(configAfter, formerId)) await signIns.forget(formerId);
  return { name, isDefault: configAfter.defaultProfile === name, signIn };
}

function isUsed({ profiles }: Config, id: string): boolean {
  return Object.values(profiles).some(({ signIn }) => signIn === id);
}

/** Returns the requested profile name, the profile of that organisation, or a new name. */
function nameFor({ flags, env }: Context, { profiles }: Config, profile: Profile): string {
  const askedName = flags.profile ?? (env.ACCT_PROFILE || undefined);
  if (askedName !== undefined) return askedName;
  const sameProfile = Object.entries(profiles).find(
    ([, each]) => each.baseUrl === profile.baseUrl && each.tenant === profile.tenant,
  );
  if (sameProfile !== undefined) return sameProfile[0];
  const wantedName = wordOf(profile.organisation ?? "service");
  for (let count = 1; ; count++) {
    const name = count === 1 ? wantedName : `${wantedName}-${count}`;
    if (!Object.hasOwn(profiles, name)) return name;
  }
}

/** Converts `Blue Kiln Pottery` to the word `blue-kiln-pottery`. */
function wordOf(name: string): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "service";
}
