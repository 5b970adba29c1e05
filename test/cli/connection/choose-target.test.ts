import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { targetOf } from "../../../src/cli/connection/choose-target.ts";
import {
  configPath,
  defaultBook,
  readConfig,
  writeConfig,
} from "../../../src/cli/context/config.ts";
import { UsageError } from "../../../src/resources/errors.ts";

const noFlags = { book: undefined, profile: undefined, baseUrl: undefined, demo: false };
let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acct-"));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true }));

async function addProfiles(defaultProfile?: string): Promise<void> {
  await writeConfig(env, () => ({
    defaultProfile,
    profiles: {
      shop: { book: join(home, "shop.acct") },
      team: { baseUrl: "https://books.example/api", tenant: "org-1" },
      empty: {},
    },
  }));
}

describe("the target of a command", () => {
  test("a command without a target works on the book in the data directory", () => {
    expect(targetOf(noFlags, env, "1.0.0")).toEqual({
      kind: "book",
      path: join(home, ".local/share/acct/book.acct"),
      isDefault: true,
    });
    env.XDG_DATA_HOME = join(home, "data");
    expect(defaultBook(env)).toBe(join(home, "data/acct/book.acct"));
  });

  test("each build of the program has its own sample company", () => {
    expect(targetOf({ ...noFlags, demo: true }, env, "1.0.0-5e1f")).toEqual({
      kind: "demo",
      path: join(home, ".cache/acct/demo-1.0.0-5e1f.acct"),
    });
  });

  test("--database with --tenant selects an organisation in the database", async () => {
    const database = "postgres://acct@db.example/books";
    const at = (given: object) => targetOf({ ...noFlags, ...given }, env, "1");
    const found = (path: string) => ({ kind: "book", path, isDefault: false });
    expect(at({ database })).toEqual(found(database));
    expect(at({ database, tenant: "Blue Kiln & Co" })).toEqual(
      found(`${database}#Blue%20Kiln%20%26%20Co`),
    );
    expect(at({ database: `${database}#Quay` })).toEqual(found(`${database}#Quay`));
    expect(at({ book: `${database}#Quay` })).toEqual(found(`${database}#Quay`));
    await writeConfig(env, () => ({ profiles: { shared: { book: `${database}#Quay` } } }));
    expect(at({ profile: "shared" })).toMatchObject({ path: `${database}#Quay` });
    expect(at({ profile: "shared", tenant: "Heron" })).toMatchObject({ path: `${database}#Heron` });
    env.ACCT_DATABASE = database;
    env.ACCT_TENANT = "Quay";
    expect(at({})).toEqual(found(`${database}#Quay`));
    expect(at({ tenant: "Other" })).toEqual(found(`${database}#Other`));
    env.ACCT_BOOK = "a.acct";
    expect(() => at({})).toThrow("ACCT_BOOK and ACCT_DATABASE each say where to work");
    expect(() => at({ database: "db.example/books" })).toThrow(
      '--database takes postgres://user@host/database, not "db.example/books".',
    );
  });

  test("--tenant with a book must name its organisation, and ACCT_TENANT is ignored for a book", async () => {
    await addProfiles("shop");
    env.ACCT_TENANT = "Quay";
    const held = (given: object) => targetOf({ ...noFlags, ...given }, env, "1");
    for (const flags of [{ book: "a.acct" }, { profile: "shop" }, { demo: true }, {}]) {
      expect(held({ ...flags, tenant: "Heron" })).toMatchObject({ holds: "Heron" });
      expect(held(flags)).not.toHaveProperty("holds");
    }
    env.ACCT_BOOK = "a.acct";
    expect(held({ tenant: "Heron" })).toMatchObject({ holds: "Heron" });
    const database = "postgres://acct@db.example/books";
    expect(held({ book: `${database}#Quay`, tenant: "Heron" })).toEqual({
      kind: "book",
      path: `${database}#Heron`,
      isDefault: false,
    });
  });

  test("a target given by a flag precedes the environment, which precedes the default profile", async () => {
    await addProfiles("shop");
    expect(targetOf(noFlags, env, "1")).toMatchObject({
      path: join(home, "shop.acct"),
      profile: "shop",
    });
    env.ACCT_PROFILE = "team";
    expect(targetOf(noFlags, env, "1")).toMatchObject({ kind: "remote", profile: "team" });
    env.ACCT_BOOK = "env.acct";
    expect(targetOf(noFlags, env, "1")).toMatchObject({
      path: resolve("env.acct"),
      isDefault: false,
    });
    const flags = { ...noFlags, baseUrl: "http://127.0.0.1:9320/api" };
    expect(targetOf(flags, env, "1")).toMatchObject({ kind: "remote", baseUrl: flags.baseUrl });
    expect(targetOf({ ...noFlags, profile: "shop" }, env, "1")).toMatchObject({ profile: "shop" });
  });

  test("token and organisation are taken from the environment, or the organisation from the profile", async () => {
    await addProfiles();
    env.ACCT_TOKEN = "t0p";
    const flags = { ...noFlags, profile: "team" };
    expect(targetOf(flags, env, "1")).toMatchObject({ token: "t0p", tenant: "org-1" });
    env.ACCT_TENANT = "org-2";
    expect(targetOf(flags, env, "1")).toMatchObject({ tenant: "org-2" });
  });

  test.each([
    ["two flags", { book: "a", demo: true }, {}, /--book and --demo/],
    [
      "two variables",
      {},
      { ACCT_BOOK: "a", ACCT_BASE_URL: "http://b" },
      /ACCT_BOOK and ACCT_BASE_URL/,
    ],
    ["an unknown profile", { profile: "shpo" }, {}, /no profile shpo; there are shop, team, empty/],
    ["an empty profile", { profile: "empty" }, {}, /neither a book nor a service/],
  ])("a target given by %s is refused", async (_name, flags, variables, message) => {
    await addProfiles();
    const ask = () => targetOf({ ...noFlags, ...flags }, { ...env, ...variables }, "1");
    expect(ask).toThrow(UsageError);
    expect(ask).toThrow(message);
  });

  test("an empty environment variable for the target is ignored", () => {
    env.ACCT_BOOK = "";
    expect(targetOf(noFlags, env, "1")).toMatchObject({ isDefault: true });
  });
});

describe("the configuration file", () => {
  test("the configuration file is written readable by its owner only, and read back", async () => {
    await addProfiles("team");
    expect(statSync(configPath(env)).mode & 0o777).toBe(0o600);
    expect(readConfig(env).profiles.team?.tenant).toBe("org-1");
    await writeConfig(env, (config) => ({ ...config, defaultProfile: "shop" }));
    expect(readConfig(env)).toMatchObject({ defaultProfile: "shop", profiles: { team: {} } });
  });

  test("the configuration file is placed in ACCT_CONFIG_DIR", async () => {
    env.ACCT_CONFIG_DIR = join(home, "elsewhere");
    await addProfiles();
    expect(JSON.parse(readFileSync(join(home, "elsewhere/config.json"), "utf8"))).toHaveProperty(
      "profiles",
    );
  });

  test("a missing configuration file is accepted, and one that is not JSON is refused", () => {
    expect(readConfig(env)).toEqual({ profiles: {} });
    env.ACCT_CONFIG_DIR = home;
    writeFileSync(join(home, "config.json"), "{");
    expect(() => readConfig(env)).toThrow(/config\.json is no JSON/);
  });
});

describe("a directory with .acct.json", () => {
  const bind = (text: string, folder = home) => writeFileSync(join(folder, ".acct.json"), text);
  const at = (folder: string, flags: object = {}) =>
    targetOf({ ...noFlags, ...flags }, env, "1", folder);
  let below: string;

  beforeEach(() => {
    below = join(home, "2026", "march");
    mkdirSync(below, { recursive: true });
  });

  test(".acct.json in a directory selects its book, for subdirectories too", () => {
    bind('{ "book": "books/shop.acct", "readOnly": true }');
    const found = {
      kind: "book",
      path: join(home, "books/shop.acct"),
      isDefault: false,
      boundBy: join(home, ".acct.json"),
      readOnly: join(home, ".acct.json"),
    };
    expect(at(home)).toEqual(found);
    expect(at(below)).toEqual(found);
    bind('{ "book": "own.acct" }', below);
    expect(at(below)).toMatchObject({ path: join(below, "own.acct") });
  });

  test(".acct.json may name a profile, with its own read-only setting and organisation", async () => {
    await addProfiles("shop");
    bind('{ "profile": "team", "tenant": "org-2" }');
    expect(at(below)).toMatchObject({
      baseUrl: "https://books.example/api",
      profile: "team",
      tenant: "org-2",
    });
    expect(at(tmpdir())).toMatchObject({ profile: "shop" });
  });

  test(".acct.json is overridden by flags and by the environment", () => {
    bind('{ "book": "shop.acct" }');
    expect(at(home, { book: "other.acct" })).toEqual({
      kind: "book",
      path: resolve("other.acct"),
      isDefault: false,
    });
    env.ACCT_BOOK = "/books/third.acct";
    expect(at(home)).toMatchObject({ path: resolve("/books/third.acct") });
  });

  test.each([
    ["{", "is no JSON."],
    ["[]", 'is no object such as { "book": "shop.acct" }.'],
    ["{}", "says nothing: give one of book, data, profile."],
    ['{ "book": "a", "profile": "b" }', "says book and profile: give one of book, data, profile."],
    ['{ "book": 1 }', 'says no string for "book".'],
    ['{ "book": "a", "readOnly": "yes" }', 'says no boolean for "readOnly".'],
    [
      '{ "book": "a", "token": "x" }',
      'says "token", which is none of book, data, profile, tenant, readOnly.',
    ],
  ])(".acct.json with the content %s is refused with the reason", (text, reason) => {
    bind(text);
    expect(() => at(below)).toThrow(
      new UsageError("BadBinding", `${join(home, ".acct.json")} ${reason}`),
    );
  });
});
