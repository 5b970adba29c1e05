/** The profile that a sign-in is saved to. */
import type { SignIn, SignIns } from "../../client/session/sign-ins.ts";
import { type Config, type Profile, readConfig, writeConfig } from "../config.ts";
import type { Context } from "../context.ts";

/** What the profile will say. */
export interface Kept {
  readonly name: string;
  readonly isDefault: boolean;
}

/**
 * Saves a sign-in, and the profile that names it, in this order: a profile never names what is not
 * there. What the profile had before is forgotten last.
 */
export async function keep(
  ctx: Context,
  signIns: SignIns,
  signIn: SignIn,
  profile: Profile,
): Promise<Kept> {
  await signIns.save(signIn);
  let name = "";
  let before: string | undefined;
  await writeConfig(ctx.env, (config) => {
    name = nameFor(ctx, config, profile);
    before = config.profiles[name]?.signIn;
    const profiles = { ...config.profiles, [name]: { ...profile, signIn: signIn.id } };
    const isFirst = Object.keys(config.profiles).length === 0;
    return { ...config, profiles, ...(isFirst ? { defaultProfile: name } : {}) };
  });
  const after = readConfig(ctx.env);
  if (before !== undefined && !isUsed(after, before)) await signIns.forget(before);
  return { name, isDefault: after.defaultProfile === name };
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
