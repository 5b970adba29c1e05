/** `acct profile`: named profiles of the books and services that a user works with. */
import { UsageError } from "../../resources/errors.ts";
import { boolean, resource, text } from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import { expectOrganisation } from "../connection/book-path.ts";
import { describePath, hasBook } from "../connection/choose-target.ts";
import {
  type Config,
  type Profile,
  profileNamed,
  readConfig,
  writeConfig,
} from "../context/config.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";

const profileRecord = resource(
  "Profile",
  () => ({
    Name: text({ always: true, key: true }),
    Default: boolean({ always: true }),
    Organisation: text({ always: true }),
    Place: text({ always: true }),
    SignIn: text({ always: true }),
    ReadOnly: boolean({ help: "nothing may be changed there" }),
  }),
  {
    plural: "Profiles",
    id: "Name",
    columns: ["Name", "Default", "Organisation", "Place", "SignIn"],
    noun: "profile",
    summary: "books and services, by names of your own",
  },
);

function toShownProfile({ defaultProfile }: Config, name: string, profile: Profile) {
  const signedIn = profile.signIn === undefined ? "none" : "kept";
  return {
    Name: name,
    Default: name === defaultProfile,
    Organisation: profile.organisation ?? profile.tenant ?? "",
    Place: profile.baseUrl ?? describePath(profile.book ?? ""),
    SignIn: profile.baseUrl === undefined ? "" : signedIn,
    ...(profile.readOnly && { ReadOnly: true }),
  };
}

const listCommand = command("list", "list the profiles")
  .alias("ls")
  .answers(profileRecord)
  .example("acct profile list")
  .action(async (ctx) => {
    const config = readConfig(ctx.env);
    const entries = Object.entries(config.profiles);
    await ctx.out.records(
      profileRecord,
      entries.map(([name, profile]) => toShownProfile(config, name, profile)),
    );
  });

const showCommand = command("show", "what a profile stands for")
  .answers(profileRecord)
  .optionalArgument("NAME", "profile; the default one when not given", { live: "profile" })
  .example("acct profile show shop")
  .action(async (ctx, key) => {
    const config = readConfig(ctx.env);
    const name = key ?? ctx.flags.profile ?? config.defaultProfile;
    if (name === undefined) {
      throw new UsageError("NoProfile", "There is no default profile; name one.");
    }
    await ctx.out.record(profileRecord, toShownProfile(config, name, profileNamed(config, name)));
  });

const addCommand = command("add", "give a book or a service a name")
  .answers(profileRecord)
  .argument("NAME", "what to call it")
  .note(
    "The book is named by --book, --data or --database, the service by --base-url. With --profile and --tenant " +
      "it is another organisation of a service that is signed in to, under the same sign-in.",
  )
  .note("With --read-only nothing can be changed there by that name.")
  .example("acct profile add shop --book shop.acct")
  .example("acct profile add audit --book shop.acct --read-only")
  .example("acct profile add cafe --profile quay --tenant 'Harbour Cafe'")
  .action(async (ctx, name) => {
    if (Object.hasOwn(readConfig(ctx.env).profiles, name)) {
      throw new UsageError("NameTaken", `There is a profile ${name} already.`);
    }
    const ownProfile = await profileFrom(ctx);
    const profile = ctx.flags.readOnly ? { ...ownProfile, readOnly: true } : ownProfile;
    if (ctx.flags.dryRun) return ctx.out.say(`The profile ${name} would be added.`);
    await writeConfig(ctx.env, (config) => {
      const isFirst = Object.keys(config.profiles).length === 0;
      const profiles = { ...config.profiles, [name]: profile };
      return { ...config, profiles, ...(isFirst ? { defaultProfile: name } : {}) };
    });
    const config = readConfig(ctx.env);
    await ctx.out.record(profileRecord, toShownProfile(config, name, profile));
    if (config.defaultProfile === name) {
      ctx.out.say(`${name} is the first, and is used when nothing else is said.`);
    }
  });

/**
 * Builds a profile from the flags.
 *
 * @throws UsageError `MissingValue`, `NoBook`, `BadBaseUrl`
 */
async function profileFrom(ctx: Context): Promise<Profile> {
  const { book, database, data, baseUrl, profile: like, demo, tenant } = ctx.flags;
  if (!demo && [book, database, data, baseUrl, like].every((text) => text === undefined)) {
    throw new UsageError(
      "MissingValue",
      "Which one? Give --book, --data, --database, --base-url, or --profile.",
    );
  }
  const place = ctx.target();
  if (place.kind === "demo") {
    throw new UsageError("BadFlags", "The sample company needs no profile: --demo names it.");
  }
  if (place.kind === "book") {
    if (!hasBook(place)) {
      const message = `There is no book at ${place.path}: make one with acct init --book ${place.path}.`;
      throw new UsageError("NoBook", message);
    }
    await expectOrganisation(place);
    return { book: place.path };
  }
  (await import("../../client/transport/http.ts")).readBaseUrl(place.baseUrl);
  const likeProfile = like === undefined ? {} : profileNamed(readConfig(ctx.env), like);
  if (tenant === undefined) return { ...likeProfile, baseUrl: place.baseUrl };
  const ownOne = await organisationOf(ctx, tenant);
  return { ...likeProfile, baseUrl: place.baseUrl, tenant: ownOne.id, organisation: ownOne.name };
}

/** Finds an organisation of the service by name or id. */
async function organisationOf(ctx: Context, tenant: string) {
  const target = ctx.target();
  if (target.kind !== "remote") throw new UsageError("BadFlags", "A book has no --tenant.");
  const id = readId(tenant);
  if (id !== undefined) return { id, name: undefined };
  const { organisationAt } = await import("../connection/tenant.ts");
  const { openSession } = await import("../connection/open-session.ts");
  return organisationAt(ctx, target, tenant, async () =>
    target.token === undefined && target.signIn !== undefined
      ? openSession(ctx, target).accessToken()
      : target.token,
  );
}

const useCommand = command("use", "use a profile when nothing else is said")
  .argument("NAME", "profile", { live: "profile" })
  .example("acct profile use shop")
  .action(async (ctx, name) => {
    profileNamed(readConfig(ctx.env), name);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be the default.`);
    await writeConfig(ctx.env, (config) => ({ ...config, defaultProfile: name }));
    ctx.out.say(`${name} is used when nothing else is said.`);
  });

const removeCommand = command("remove", "forget a profile; its book stays where it is")
  .alias("delete")
  .argument("NAME", "profile", { live: "profile" })
  .note("A sign-in that no other profile shares is ended first, at the service too.")
  .example("acct profile remove shop --yes")
  .action(async (ctx, name) => {
    const config = readConfig(ctx.env);
    const { signIn } = profileNamed(config, name);
    await confirm(ctx, `Remove the profile ${name}?`);
    if (ctx.flags.dryRun) return ctx.out.say(`The profile ${name} would be removed.`);
    const otherProfiles = Object.entries(config.profiles).filter(([other]) => other !== name);
    const isShared = otherProfiles.some(([, profile]) => profile.signIn === signIn);
    if (signIn !== undefined && !isShared) {
      await (await import("../sign-in/logout.ts")).signOut(ctx, signIn);
    }
    await writeConfig(ctx.env, ({ defaultProfile, profiles, ...rest }) => {
      const { [name]: _, ...left } = profiles;
      return {
        ...rest,
        profiles: left,
        ...(defaultProfile === undefined || defaultProfile === name ? {} : { defaultProfile }),
      };
    });
    ctx.out.say(`Removed the profile ${name}.`);
  });

export const profileVerbs: readonly Child[] = [
  listCommand,
  addCommand,
  useCommand,
  showCommand,
  removeCommand,
];
