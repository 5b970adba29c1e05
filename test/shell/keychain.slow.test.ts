/** Tokens in the keychain of the system: a real Secret Service, in a session of its own. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Authority } from "../cli/authority.ts";
import { newMeeting } from "../cli/meeting.ts";
import { Machine } from "../cli/signed-in.ts";
import { isInstalled } from "./desk.ts";

const hasKeychain =
  isInstalled("dbus-run-session", "tokens in a keychain") &&
  isInstalled("gnome-keyring-daemon", "tokens in a keychain");

let authority: Authority;
let machine: Machine;
beforeAll(async () => {
  const met = await newMeeting();
  ({ authority, machine } = met);
  return met.close;
});

const toQuay = ["--organisation", "Quay Street Bikes", "--keychain"];

test("a missing system keychain is reported before the sign-in", async () => {
  const words = Machine.loginWords(authority, ...toQuay);
  const ran = await machine.run(words, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" });
  expect([ran.code, ran.stdout]).toEqual([4, ""]);
  expect(ran.stderr).toMatch(/^acct: The keychain of the system does not open: .*\.\n$/);
});

describe.skipIf(!hasKeychain)("sign-in with a system keychain", { timeout: 600_000 }, () => {
  let home: string;
  let session: ReturnType<typeof spawn>;
  let bus: Record<string, string>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "acct-keyring-"));
    const unlock = "printf x | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1";
    const script = `${unlock}; echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null`;
    session = spawn("dbus-run-session", ["--", "sh", "-c", script], {
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const [address] = await once(session.stdout as NonNullable<typeof session.stdout>, "data");
    bus = { DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  });
  afterAll(async () => {
    session.stdin?.end();
    await once(session, "exit");
    rmSync(home, { recursive: true, force: true, maxRetries: 20 });
  });

  /** The entries of ours, as another program sees them. */
  function entries(): { account: string; password: string }[] {
    const script = `process.stdout.write(JSON.stringify(
      require("@napi-rs/keyring").findCredentials("acct")))`;
    const env = { ...machine.env, ...bus };
    const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env });
    return JSON.parse(stdout);
  }

  /** Everything that was written below the home. */
  function onDisk(folder = join(machine.home, ".config")): string {
    return readdirSync(folder, { withFileTypes: true })
      .map((each) => {
        const path = join(folder, each.name);
        return each.isDirectory() ? onDisk(path) : readFileSync(path, "utf8");
      })
      .join("\n");
  }

  test("the sign-in's tokens are stored and renewed in the keychain, and not on the disk", async () => {
    const signedIn = await machine.run(Machine.loginWords(authority, ...toQuay), bus);
    expect(signedIn).toMatchObject({ code: 0 });
    expect(signedIn.stderr).toContain("The tokens are kept in the keychain of the system.\n");
    expect(onDisk()).not.toMatch(/access-|refresh-/);
    expect(entries()).toHaveLength(1);
    expect(entries()[0]?.password).toMatch(/access-.*refresh-/);

    const [file = ""] = machine.signIns();
    machine.expire();
    const list = ["item", "list"];
    const many = await Promise.all([1, 2, 3, 4, 5].map(() => machine.run(list, bus)));
    expect(many.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect([authority.renewals, entries().length]).toEqual([1, 1]);
    expect(JSON.parse(readFileSync(file, "utf8")).keychain).toEqual({ number: 2, parts: 1 });
    expect(onDisk()).not.toMatch(/access-|refresh-/);
    const status = await machine.run(["auth", "status"], bus);
    expect(status.stdout).toMatch(/^Kept in +the keychain of the system$/m);

    expect(await machine.run(["auth", "logout"], bus)).toMatchObject({ code: 0 });
    expect([authority.revocations, entries()]).toEqual([1, []]);
  });

  test("a long token is stored in the keychain in several parts, since some keychains limit the length", async () => {
    authority.ending = "x".repeat(3000);
    const words = Machine.loginWords(authority, ...toQuay);
    expect(await machine.run(words, bus)).toMatchObject({ code: 0 });
    expect(entries()).toHaveLength(3);
    const { stdout } = await machine.run(["auth", "token"], bus);
    expect(authority.accessTokens.has(stdout.trim())).toBe(true);
    // Signed in again without it, nothing of it stays there.
    const inFile = Machine.loginWords(authority, ...toQuay.slice(0, 2));
    expect(await machine.run(inFile, bus)).toMatchObject({ code: 0 });
    expect(entries()).toEqual([]);
    expect(machine.signIn().secrets.accessToken).toMatch(/^access-/);
  });
});
