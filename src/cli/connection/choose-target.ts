/**
 * Chooses the target of a command: a book, or a service.
 *
 * A flag overrides the environment, which overrides a profile, which overrides the default book.
 * Two different targets at one level are refused rather than ranked, since a posting in the wrong
 * book is hard to reverse.
 */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  databaseAddress,
  folderAddress,
  placeInDatabase,
  placeInFolder,
  withoutPassword,
} from "../../platform/book-address.ts";
import { UsageError } from "../../resources/errors.ts";
import {
  cacheDir,
  defaultBook,
  type Env,
  nonEmpty,
  type Profile,
  profileNamed,
  readConfig,
} from "../context/config.ts";
import type { Target, TargetFlags } from "../context/target.ts";
import { type Binding, findBindingAbove } from "./binding.ts";

/**
 * Chooses the target from flags, environment and profile.
 *
 * @param build   build id of the program; each build has its own sample company
 * @param folder  the working directory
 * @throws UsageError `ContradictoryPlace`, `NoProfile`, `BadBinding`
 */
export function targetOf(
  flags: TargetFlags,
  env: Env,
  build: string,
  folder = process.cwd(),
): Target {
  const flagNames = [
    flags.book === undefined ? undefined : "--book",
    flags.database === undefined ? undefined : "--database",
    flags.data === undefined ? undefined : "--data",
    flags.profile === undefined ? undefined : "--profile",
    flags.baseUrl === undefined ? undefined : "--base-url",
    flags.demo ? "--demo" : undefined,
  ].filter((name) => name !== undefined);
  refuseSeveral(flagNames);
  if (flags.demo) {
    const path = join(cacheDir(env), `demo-${build}.acct`);
    return { kind: "demo", path, ...tenantToHold(flags) };
  }
  if (flags.book !== undefined) return bookTarget(flags.book, flags);
  if (flags.database !== undefined) return inDatabase(flags.database, "--database", flags, env);
  if (flags.data !== undefined) return targetInFolder(flags.data, flags, env);
  if (flags.baseUrl !== undefined) return remoteTarget(flags.baseUrl, flags, env);
  if (flags.profile !== undefined) return targetOfProfile(flags.profile, flags, env);

  const name = nonEmpty(env.ACCT_PROFILE);
  const [path, database, data, url] = placeVariables.map((variable) => nonEmpty(env[variable]));
  refuseSeveral(placeVariables.filter((variable) => nonEmpty(env[variable]) !== undefined));
  if (path !== undefined) return bookTarget(path, flags);
  if (database !== undefined) return inDatabase(database, "ACCT_DATABASE", flags, env);
  if (data !== undefined) return targetInFolder(data, flags, env);
  if (url !== undefined) return remoteTarget(url, flags, env);
  if (name !== undefined) return targetOfProfile(name, flags, env);

  const binding = findBindingAbove(folder);
  if (binding !== undefined) return bindingTarget(binding, flags, env);

  const { defaultProfile } = readConfig(env);
  if (defaultProfile !== undefined) return targetOfProfile(defaultProfile, flags, env);
  return { kind: "book", path: defaultBook(env), isDefault: true, ...tenantToHold(flags) };
}

function bindingTarget(binding: Binding, flags: TargetFlags, env: Env): Target {
  const { book: path, data, profile, readOnly, path: boundBy } = binding;
  const ownFlags = { ...flags, tenant: flags.tenant ?? binding.tenant };
  const target: Target =
    path !== undefined
      ? bookTarget(path, ownFlags)
      : data !== undefined
        ? targetInFolder(data, ownFlags, env)
        : targetOfProfile(profile ?? "", ownFlags, env);
  if (target.kind === "demo") return target;
  return { ...target, boundBy, ...(readOnly === true && { readOnly: boundBy }) };
}

/** Environment variables that each name a target. */
const placeVariables = ["ACCT_BOOK", "ACCT_DATABASE", "ACCT_DATA", "ACCT_BASE_URL"] as const;

/** Whether the book of a target exists; a target that is not a file always counts as existing. */
export function hasBook(target: Target): boolean {
  if (target.kind === "remote" || !isFile(target.path)) return true;
  return existsSync(target.path);
}

/** Describes a target in messages. */
export function describeTarget(target: Target): string {
  return target.kind === "remote" ? target.baseUrl : describePath(target.path);
}

/** Formats the path of a book for messages. */
export function describePath(path: string): string {
  const folderBook = folderAddress(path);
  if (folderBook === undefined) return withoutPassword(path);
  const { folder, organisation } = folderBook;
  return organisation === undefined ? folder : `${organisation} in ${folder}`;
}

/** Whether a path names a book file rather than a database or folder. */
function isFile(path: string): boolean {
  return databaseAddress(path) === undefined && folderAddress(path) === undefined;
}

function targetOfProfile(name: string, flags: Pick<TargetFlags, "tenant">, env: Env): Target {
  const profile: Profile = profileNamed(readConfig(env), name);
  if (profile.baseUrl !== undefined) {
    const { token, tenant = profile.tenant, ...place } = remoteTarget(profile.baseUrl, flags, env);
    const isSignedOut = profile.clientId !== undefined && profile.signIn === undefined;
    const signInFields = token === undefined ? { signIn: profile.signIn, isSignedOut } : {};
    return { ...place, profile: name, ...guardOf(name, profile), token, tenant, ...signInFields };
  }
  if (profile.book === undefined) {
    throw new UsageError("NoProfile", `The profile ${name} names neither a book nor a service.`);
  }
  const target = bookOfProfile(profile.book, flags, env);
  return { ...target, profile: name, ...guardOf(name, profile) };
}

const guardOf = (name: string, { readOnly }: Profile) =>
  readOnly === true ? { readOnly: `the profile ${name}` } : {};

/**
 * Returns the book of a profile; in a database or folder `--tenant` may choose another
 * organisation.
 */
function bookOfProfile(path: string, flags: Pick<TargetFlags, "tenant">, env: Env) {
  if (databaseAddress(path) !== undefined) return inDatabase(path, "The profile", flags, env);
  const folderBook = folderAddress(path);
  if (folderBook === undefined) return bookTarget(path, flags);
  return targetInFolder(folderBook.folder, flags, env, folderBook.organisation);
}

function bookTarget(path: string, flags: Pick<TargetFlags, "tenant">) {
  if (isFile(path)) {
    return { kind: "book", path: resolve(path), isDefault: false, ...tenantToHold(flags) } as const;
  }
  const address = databaseAddress(path);
  if (address === undefined || !flags.tenant) return targetAmongSeveral(path);
  return targetAmongSeveral(placeInDatabase({ ...address, organisation: flags.tenant }));
}

/** Returns a target among several organisations, whose path names the organisation. */
function targetAmongSeveral(path: string) {
  return { kind: "book", path, isDefault: false } as const;
}

/**
 * Returns the organisation that a book file must hold, from `--tenant`. The environment variable
 * selects one in a database or folder, and does not apply to a file.
 */
function tenantToHold({ tenant }: Pick<TargetFlags, "tenant">): { readonly holds?: string } {
  return tenant ? { holds: tenant } : {};
}

function targetInFolder(
  folder: string,
  { tenant = "" }: Pick<TargetFlags, "tenant">,
  env: Env,
  otherwise?: string,
) {
  const organisation = tenant || nonEmpty(env.ACCT_TENANT) || otherwise;
  return targetAmongSeveral(placeInFolder({ folder: resolve(folder), organisation }));
}

function inDatabase(
  url: string,
  place: string,
  { tenant = "" }: Pick<TargetFlags, "tenant">,
  env: Env,
) {
  const address = databaseAddress(url);
  if (address === undefined) {
    const message = `${place} takes postgres://user@host/database, not "${withoutPassword(url)}".`;
    throw new UsageError("BadValue", message);
  }
  const organisation = tenant || nonEmpty(env.ACCT_TENANT) || address.organisation;
  return targetAmongSeveral(placeInDatabase({ ...address, organisation }));
}

function remoteTarget(baseUrl: string, { tenant }: Pick<TargetFlags, "tenant">, env: Env) {
  const token = nonEmpty(env.ACCT_TOKEN);
  return { kind: "remote", baseUrl, token, tenant: tenant ?? nonEmpty(env.ACCT_TENANT) } as const;
}

function refuseSeveral(names: readonly string[]): void {
  if (names.length < 2) return;
  throw new UsageError(
    "ContradictoryPlace",
    `${names.join(" and ")} each say where to work; give one of them.`,
  );
}
