/**
 * Where a command does its work: which book, or which service.
 *
 * A flag beats the environment, which beats a profile, which beats the default book. Two ways to say
 * it at one level contradict each other, and are refused rather than ranked: a posting in the wrong
 * books is hard to take back.
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
import { type Binding, bindingAbove } from "./binding.ts";

/**
 * @param build   of the program; each has its own sample company
 * @param folder  in which it is run
 * @throws UsageError `ContradictoryPlace`, `NoProfile`, `BadBinding`
 */
export function targetOf(
  flags: TargetFlags,
  env: Env,
  build: string,
  folder = process.cwd(),
): Target {
  const said = [
    flags.book === undefined ? undefined : "--book",
    flags.database === undefined ? undefined : "--database",
    flags.data === undefined ? undefined : "--data",
    flags.profile === undefined ? undefined : "--profile",
    flags.baseUrl === undefined ? undefined : "--base-url",
    flags.demo ? "--demo" : undefined,
  ].filter((name) => name !== undefined);
  refuseSeveral(said);
  if (flags.demo) {
    const path = join(cacheDir(env), `demo-${build}.acct`);
    return { kind: "demo", path, ...holding(flags) };
  }
  if (flags.book !== undefined) return book(flags.book, flags);
  if (flags.database !== undefined) return inDatabase(flags.database, "--database", flags, env);
  if (flags.data !== undefined) return inFolder(flags.data, flags, env);
  if (flags.baseUrl !== undefined) return remote(flags.baseUrl, flags, env);
  if (flags.profile !== undefined) return ofProfile(flags.profile, flags, env);

  const name = nonEmpty(env.ACCT_PROFILE);
  const [path, database, data, url] = places.map((each) => nonEmpty(env[each]));
  refuseSeveral(places.filter((each) => nonEmpty(env[each]) !== undefined));
  if (path !== undefined) return book(path, flags);
  if (database !== undefined) return inDatabase(database, "ACCT_DATABASE", flags, env);
  if (data !== undefined) return inFolder(data, flags, env);
  if (url !== undefined) return remote(url, flags, env);
  if (name !== undefined) return ofProfile(name, flags, env);

  const binding = bindingAbove(folder);
  if (binding !== undefined) return bound(binding, flags, env);

  const { defaultProfile } = readConfig(env);
  if (defaultProfile !== undefined) return ofProfile(defaultProfile, flags, env);
  return { kind: "book", path: defaultBook(env), isDefault: true, ...holding(flags) };
}

function bound(binding: Binding, flags: TargetFlags, env: Env): Target {
  const { book: path, data, profile, readOnly, path: boundBy } = binding;
  const own = { ...flags, tenant: flags.tenant ?? binding.tenant };
  const place: Target =
    path !== undefined
      ? book(path, own)
      : data !== undefined
        ? inFolder(data, own, env)
        : ofProfile(profile ?? "", own, env);
  if (place.kind === "demo") return place;
  return { ...place, boundBy, ...(readOnly === true && { readOnly: boundBy }) };
}

/** Variables each of which says where to work. */
const places = ["ACCT_BOOK", "ACCT_DATABASE", "ACCT_DATA", "ACCT_BASE_URL"] as const;

/** Whether the book of a place is there; what is not a file always counts as there. */
export function exists(place: Target): boolean {
  if (place.kind === "remote" || !isFile(place.path)) return true;
  return existsSync(place.path);
}

/** How a person is told where something is. */
export function describeTarget(place: Target): string {
  return place.kind === "remote" ? place.baseUrl : describePath(place.path);
}

/** The path of a book as a person is told it. */
export function describePath(path: string): string {
  const filed = folderAddress(path);
  if (filed === undefined) return withoutPassword(path);
  const { folder, organisation } = filed;
  return organisation === undefined ? folder : `${organisation} in ${folder}`;
}

/** Whether a book lies in a file that its path names. */
function isFile(path: string): boolean {
  return databaseAddress(path) === undefined && folderAddress(path) === undefined;
}

function ofProfile(name: string, flags: Pick<TargetFlags, "tenant">, env: Env): Target {
  const profile: Profile = profileNamed(readConfig(env), name);
  if (profile.baseUrl !== undefined) {
    const { token, tenant = profile.tenant, ...place } = remote(profile.baseUrl, flags, env);
    const isSignedOut = profile.clientId !== undefined && profile.signIn === undefined;
    const own = token === undefined ? { signIn: profile.signIn, isSignedOut } : {};
    return { ...place, profile: name, ...guardOf(name, profile), token, tenant, ...own };
  }
  if (profile.book === undefined) {
    throw new UsageError("NoProfile", `The profile ${name} names neither a book nor a service.`);
  }
  const place = ofProfileBook(profile.book, flags, env);
  return { ...place, profile: name, ...guardOf(name, profile) };
}

const guardOf = (name: string, { readOnly }: Profile) =>
  readOnly === true ? { readOnly: `the profile ${name}` } : {};

/** Where there are several organisations, another one may be named than that of the profile. */
function ofProfileBook(path: string, flags: Pick<TargetFlags, "tenant">, env: Env) {
  if (databaseAddress(path) !== undefined) return inDatabase(path, "The profile", flags, env);
  const filed = folderAddress(path);
  if (filed === undefined) return book(path, flags);
  return inFolder(filed.folder, flags, env, filed.organisation);
}

function book(path: string, flags: Pick<TargetFlags, "tenant">) {
  if (isFile(path)) {
    return { kind: "book", path: resolve(path), isDefault: false, ...holding(flags) } as const;
  }
  const address = databaseAddress(path);
  if (address === undefined || !flags.tenant) return among(path);
  return among(placeInDatabase({ ...address, organisation: flags.tenant }));
}

/** One of several: its path says which. */
function among(path: string) {
  return { kind: "book", path, isDefault: false } as const;
}

/**
 * What `--tenant` says of a file, which holds one organisation: that it is this one. The environment
 * says which one is meant where there are several, and nothing of a file.
 */
function holding({ tenant }: Pick<TargetFlags, "tenant">): { readonly holds?: string } {
  return tenant ? { holds: tenant } : {};
}

function inFolder(
  folder: string,
  { tenant = "" }: Pick<TargetFlags, "tenant">,
  env: Env,
  otherwise?: string,
) {
  const organisation = tenant || nonEmpty(env.ACCT_TENANT) || otherwise;
  return among(placeInFolder({ folder: resolve(folder), organisation }));
}

function inDatabase(
  url: string,
  said: string,
  { tenant = "" }: Pick<TargetFlags, "tenant">,
  env: Env,
) {
  const address = databaseAddress(url);
  if (address === undefined) {
    const message = `${said} takes postgres://user@host/database, not "${withoutPassword(url)}".`;
    throw new UsageError("BadValue", message);
  }
  const organisation = tenant || nonEmpty(env.ACCT_TENANT) || address.organisation;
  return among(placeInDatabase({ ...address, organisation }));
}

function remote(baseUrl: string, { tenant }: Pick<TargetFlags, "tenant">, env: Env) {
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
