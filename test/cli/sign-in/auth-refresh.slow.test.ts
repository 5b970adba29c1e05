/**
 * Sign-ins that turn over: many processes, a service that fails, and processes that are killed.
 *
 * Everything here is the built program in processes of its own; what happened is counted by the
 * service.
 */
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { Authority } from "../authority.ts";
import { newMeeting } from "../meeting.ts";
import type { Machine, Ran } from "../signed-in.ts";

let authority: Authority;
let machine: Machine;
/** Where the service is, also when it is another one. */
let port: number;

beforeAll(async () => {
  const met = await newMeeting();
  machine = met.machine;
  port = met.authority.port;
  await machine.login(met.authority);
  cpSync(settings(), kept(), { recursive: true });
  await met.authority.close();
  return () => machine.clear();
});
beforeEach(async () => {
  authority = new Authority();
  authority.port = port;
  await authority.listen();
  for (const path of [settings(), join(machine.home, ".cache")]) {
    rmSync(path, { recursive: true, force: true, maxRetries: 20 });
  }
  cpSync(kept(), settings(), { recursive: true });
  // As if they had been given to this one by this service, which knows nobody yet.
  const refreshToken = authority.family();
  const [accessToken = ""] = authority.accessTokens.keys();
  const expiresAt = Date.now() + 1_800_000;
  machine.change((signIn) => ({ ...signIn, expiresAt, secrets: { accessToken, refreshToken } }));
  const { close } = authority;
  return close.bind(authority);
});

const settings = () => join(machine.home, ".config", "acct");
const kept = () => join(machine.home, "signed-in");

const list = ["item", "list"];
const many = (count: number): Promise<Ran[]> =>
  Promise.all(Array.from({ length: count }, () => machine.run(list)));

/** As the built program, in this process, where nobody waits between two tries. */
async function here(words: readonly string[]): Promise<Ran> {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, {
    env: machine.env,
    stdout,
    stderr,
    clock: Date.now,
    open: (ctx) => open(ctx, { sleep: async () => undefined }),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const done = { code: 0, stdout: "", stderr: "No items found.\n" };
const again = "run acct auth login --profile quay-street-bikes.\n";

/** Tokens that the service was sent to be renewed. */
const renewed = () =>
  authority.asked.filter(({ grant }) => grant === "refresh_token").map((each) => each.refreshToken);

/** Nothing is left in the folder that is no sign-in and no lock. */
function leftOver(): string[] {
  const folder = join(machine.home, ".config/acct/sign-ins");
  return readdirSync(folder).filter((name) => !/^[\w-]{36}\.(json|lock)$/.test(name));
}

describe("simultaneous processes with one sign-in", () => {
  test("simultaneous processes refresh an expired access token exactly once", async () => {
    machine.expire();
    const before = machine.signIn().secrets;
    expect(await many(50)).toEqual(Array.from({ length: 50 }, () => done));
    expect([authority.renewals, renewed()]).toEqual([1, [before.refreshToken]]);
    expect(machine.signIn().secrets.accessToken).not.toBe(before.accessToken);
    expect(leftOver()).toEqual([]);
    const tokens = new Set(authority.accessTokens.keys());
    expect(tokens.size).toBe(2); // The one of the sign-in, and the one of the refresh.
  });

  test("processes that wait for a token refresh that fails do not repeat it", async () => {
    machine.expire();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    authority.faults.push(async () => {
      begun.resolve();
      await goOn.promise;
    });
    authority.faults.push(...Array.from({ length: 20 }, () => "500" as const));
    const first = machine.run(list);
    await begun.promise;
    const others = Array.from({ length: 6 }, () => machine.start(list));
    // They have all opened the lock, and wait for it.
    const folder = join(machine.home, ".config/acct/sign-ins");
    const lock = join(folder, readdirSync(folder).find((name) => name.endsWith(".lock")) ?? "");
    for (const { child } of others) while (!hasOpen(child.pid ?? 0, lock)) await setTimeout(10);
    authority.faults.unshift("500");
    await authority.close();
    goOn.resolve();
    const all = [await first, ...(await Promise.all(others.map(({ done: ended }) => ended)))];
    expect(all.map(({ code }) => code)).toEqual([6, 6, 6, 6, 6, 6, 6]);
    for (const { stderr } of all) expect(stderr).toBe(all[0]?.stderr);
    expect(renewed()).toHaveLength(1);
  });

  test("the sign-in stays valid for other processes when one is killed during a token refresh", async () => {
    machine.expire();
    const victim = machine.start(list);
    authority.faults.push(async () => {
      victim.child.kill("SIGKILL");
      await victim.done;
    });
    expect(await victim.done).toMatchObject({ code: "SIGKILL" });
    expect(machine.signIn().renewingSince).toEqual(expect.any(Number));
    expect(await many(8)).toEqual(Array.from({ length: 8 }, () => done));
    // Once by the one that was killed, once for all others, both with the token that was on the disk.
    expect([authority.renewals, new Set(renewed()).size]).toEqual([2, 1]);
    expect(machine.signIn()).not.toHaveProperty("renewingSince");
    expect(leftOver()).toEqual([]);
  });

  test("requests of one process share a token refresh", async () => {
    const words = ["api", "GET", "/Items", "--paginate"];
    machine.expire();
    expect(await machine.run(words)).toMatchObject({ code: 0 });
    expect(authority.renewals).toBe(1);
  });
});

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return true; // No such system, or it is over already.
  const links = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return "";
    }
  });
  return links.includes(path);
}

describe("a failed token refresh", () => {
  test.each([
    ["500", /failed with status 500/],
    ["503", /is not available/],
    ["cut", /was cut before the whole answer came/],
  ] as const)(
    "a token refresh that fails with %s is retried, and the sign-in is kept",
    async (fault, said) => {
      machine.expire();
      const { refreshToken } = machine.signIn().secrets;
      authority.faults.push(fault, fault, fault);
      const failed = await here(list);
      expect([failed.code, failed.stderr]).toEqual([6, expect.stringMatching(said)]);
      expect(machine.signIn().secrets.refreshToken).toBe(refreshToken);
      expect((await here(["auth", "status"])).stdout).toMatch(/Last renewal +failed: /);
      authority.faults.push(fault);
      expect(await here(list)).toEqual(done);
      // All five tries sent the one token that was on the disk.
      expect(renewed()).toEqual([1, 2, 3, 4, 5].map(() => refreshToken));
      expect((await here(["auth", "status"])).stdout).not.toContain("Last renewal");
    },
  );

  test("a token refresh that fails without a network keeps the sign-in, which works again with the network", async () => {
    machine.expire();
    await authority.close();
    const failed = await here(list);
    expect([failed.code, failed.stderr]).toEqual([
      6,
      `acct: Cannot reach ${authority.origin}: nothing listens there.\n`,
    ]);
    await authority.listen();
    expect(await here(list)).toEqual(done);
    expect(authority.renewals).toBe(1);
  });

  test("a token refresh that fails in the token's last minute leaves the token in use", async () => {
    machine.change((signIn) => ({ ...signIn, expiresAt: Date.now() + 50_000 }));
    authority.faults.push("503", "503", "503");
    expect(await here(list)).toEqual(done);
    expect([authority.renewals, renewed().length]).toEqual([0, 3]);
    expect(await here(list)).toEqual(done);
    expect(authority.renewals).toBe(1);
  });

  test("a failed token refresh ends the sign-in only with the error invalid_grant, and is then not repeated", async () => {
    machine.expire();
    authority.faults.push("invalid_client");
    const refused = await here(list);
    expect([refused.code, refused.stderr]).toEqual([
      4,
      "acct: The service does not accept the app: its client id or its secret is wrong.\n",
    ]);
    authority.faults.push("invalid_grant");
    const ended = { code: 4, stdout: "", stderr: `acct: Signed out: ${again}` };
    expect(await here(list)).toEqual(ended);
    const asked = authority.asked.length;
    expect(await here(list)).toEqual(ended);
    expect(await here(["auth", "token"])).toEqual(ended);
    const status = await here(["auth", "status", "-o", "json"]);
    expect([status.code, JSON.parse(status.stdout).state]).toEqual([4, "signed out"]);
    expect(authority.asked).toHaveLength(asked);
    expect(await machine.run(["auth", "login", "--profile", "quay-street-bikes"])).toMatchObject({
      code: 0,
    });
    expect(await here(list)).toEqual(done);
  });

  test("a token refresh whose answer is lost ends the sign-in where the service has no grace period", async () => {
    machine.expire();
    authority.graceMs = 0;
    authority.faults.push("cut");
    const ran = await here(list);
    expect(ran).toEqual({ code: 4, stdout: "", stderr: `acct: Signed out: ${again}` });
  });

  test("an access token that the service refuses as expired is refreshed once", async () => {
    const { accessToken } = machine.signIn().secrets;
    authority.accessTokens.set(accessToken, 0);
    expect(await here(list)).toEqual(done);
    expect(authority.calls.map(({ path }) => path)).toEqual([
      "/api.xro/2.0/Items",
      "/api.xro/2.0/Items",
    ]);
    authority.expiresInS = 0;
    authority.accessTokens.set(machine.signIn().secrets.accessToken, 0);
    const refused = await here(list);
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringContaining("token expired at"),
    ]);
    expect(authority.renewals).toBe(2);
  });

  test("completion with an expired access token does not refresh it, and prints nothing", async () => {
    machine.expire();
    const words = ["completion", "_answer", "fish", "--", "item", "show", ""];
    expect(await here(words)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(renewed()).toEqual([]);
  });

  test("a command with an unreadable stored sign-in is refused with exit code 5", async () => {
    const [file = ""] = machine.signIns();
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
    expect(await here(list)).toEqual({
      code: 5,
      stdout: "",
      stderr: `acct: The file ${file} cannot be read; sign in again.\n`,
    });
  });
});

describe("a process killed between the answer of a token refresh and its storage", () => {
  test("a process killed at any moment of a token refresh leaves a valid sign-in to the next process", async () => {
    for (let delayMs = 0; delayMs < 24; delayMs += 3) {
      machine.expire();
      const victim = machine.start(list);
      authority.faults.push(async () => {
        // The answer goes out now, and the end comes while it is read and saved, or after.
        void setTimeout(delayMs).then(() => victim.child.kill("SIGKILL"));
      });
      await victim.done;
      expect(await here(list), `killed after ${delayMs} ms`).toEqual(done);
      expect(() => machine.signIn()).not.toThrow();
    }
    // A file that was being written when its process was killed is in nobody's way.
    expect(await many(3)).toEqual([done, done, done]);
  });
});
