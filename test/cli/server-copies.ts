/**
 * A server backed up by the built program while apps write to it, and restored elsewhere: of books in a
 * folder, and of a database.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildLibrary, Disk, lacking } from "../simulation/disk.ts";
import { builtDesk } from "./built.ts";
import { organisations, person, tryToSignIn } from "./office.ts";
import { Machine } from "./signed-in.ts";

export interface Copied {
  /** The flags of the server. */
  readonly where: readonly string[];
  /** Those of a place where nothing is, another one each time. */
  readonly elsewhere: () => Promise<readonly string[]>;
  /** Steps at which a backup is killed. */
  readonly kills: number;
}

const [kiln = "", quay = ""] = organisations;

export function copiedServers(found: () => Copied, home: string): void {
  const { ok, acct, running, serving } = builtDesk();
  const backups = join(home, "backups");
  const tokens = new Map<string, string>();
  let clientId = "";
  let turn = 0;

  const add = (name: string, baseUrl: string, org: string) =>
    fetch(`${baseUrl}/Contacts`, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${tokens.get(org)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ Name: name }),
    });

  /** Serves, and has the app write until the test ends. */
  async function writing(): Promise<readonly string[]> {
    const { baseUrl } = await serving("--no-rate-limit", ...found().where);
    const acknowledged: string[] = [];
    let isOver = false;
    const done = (async () => {
      while (!isOver) {
        turn += 1;
        for (const org of organisations) {
          const name = `${turn} of ${org}`;
          expect((await add(name, baseUrl, org)).status).toBe(200);
          acknowledged.push(name);
        }
      }
    })();
    done.catch(() => undefined);
    onTestFinished(() => {
      isOver = true;
      return done;
    });
    return acknowledged;
  }

  const sets = () => readdirSync(backups).filter((name) => /T\d{6}Z(-\d+)?$/.test(name));
  const namesIn = (where: readonly string[], org: string) =>
    ok(["contact", "list", "-o", "csv", "--columns", "Name", "--all", ...where, "--tenant", org])
      .trim()
      .split("\n")
      .slice(1);

  beforeAll(async () => {
    mkdirSync(backups, { recursive: true });
    const { where } = found();
    for (const org of organisations) {
      ok(["init", "--name", org, "--country", "NZ", ...where]);
      ok(["app", "add", `Till of ${org}`, ...where, "--tenant", org]);
      const token = ok(["app", "token", `Till of ${org}`, ...where, "--tenant", org]).trim();
      tokens.set(org, token);
    }
    const employed = ["user", "add", person.email, "--role", "adviser", "--name", "Ana Reid"];
    const flags = ["--password-stdin", ...where, "--tenant", kiln];
    const added = acct([...employed, ...flags], {}, `${person.password}\n`);
    expect([added.status, added.stderr]).toEqual([0, added.stderr]);
    ok([...employed, ...where, "--tenant", quay]);
    const kind = ["--kind", "pkce", "--redirect-uri", "http://127.0.0.1/callback"];
    clientId = JSON.parse(ok(["app", "add", "Desk", ...kind, "-o", "json", ...where])).ClientID;
  });

  test("a server backup made during writes has all writes acknowledged before it, and no write without earlier ones", async () => {
    const acknowledged = await writing();
    await expect.poll(() => acknowledged.length, { timeout: 600_000 }).toBeGreaterThan(4);
    const before = [...acknowledged];
    const made = await running(["server", "backup", backups, ...found().where]);
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining("Backed up 2")]);
    expect(acknowledged.length).toBeGreaterThan(before.length);
    const there = await found().elsewhere();
    ok(["server", "restore", backups, ...there]);
    const [first, second] = organisations.map((org) => namesIn(there, org));
    expect([...(first ?? []), ...(second ?? [])]).toEqual(expect.arrayContaining(before));
    // The app writes to the second book what the first has acknowledged.
    expect([0, 1]).toContain((first?.length ?? 0) - (second?.length ?? 0));
    for (const org of organisations) {
      const verified = ok(["book", "verify", ...there, "--tenant", org]);
      expect(verified).toContain("Everything adds up.");
    }

    const restored = await serving("--no-rate-limit", ...there);
    for (const org of organisations) {
      expect((await add("Of the restored", restored.baseUrl, org)).status).toBe(200);
    }
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    const origin = new URL(restored.baseUrl).origin;
    const door = { baseUrl: restored.baseUrl, origin, clientId };
    expect(await tryToSignIn(door, machine, "--organisation", kiln)).toMatchObject({ code: 0 });
  });

  test.skipIf(lacking !== undefined)(
    "a server backup killed at any moment leaves one complete new backup or none, and keeps the earlier ones",
    async () => {
      await writing();
      const { where, elsewhere, kills } = found();
      const control = join(home, "control");
      const disk = new Disk(buildLibrary(home), backups, control);
      onTestFinished(() => disk.close());
      const back = () => running(["server", "backup", backups, ...where], disk.env);
      const begun = disk.counted().calls;
      expect((await back()).status).toBe(0);
      const calls = disk.counted().calls - begun;
      const there = await elsewhere();
      for (let step = 1; step <= kills; step += 1) {
        const before = sets();
        disk.set({ killAt: disk.counted().calls + Math.ceil((calls * step) / (kills + 1)) });
        await back();
        disk.set({});
        const after = sets();
        expect(after).toEqual(expect.arrayContaining(before));
        for (const name of after) {
          ok(["server", "restore", join(backups, name), ...there, "--dry-run"]);
        }
      }
      // What the killed ones had begun is gone with the next.
      expect((await back()).status).toBe(0);
      expect(readdirSync(backups).filter((name) => name.includes(".acct-part"))).toEqual([]);
    },
  );

  test("a server backup does not contain the key that signs plans, and a restored server creates a new one", async () => {
    const { where, elsewhere } = found();
    const plan = join(home, "made.plan");
    const [set = ""] = ok(["server", "backup", backups, ...where])
      .trim()
      .split("\n");
    const create = ["contact", "create", "--name", "Planned", "--plan", plan];
    ok([...create, ...where, "--tenant", kiln]);
    const later = ok(["server", "backup", backups, ...where]).trim();
    for (const path of [set, later]) {
      const db = new DatabaseSync(join(path, "directory.acct"), { readOnly: true });
      const uses = db.prepare("select distinct use from directory_key order by use").all();
      expect(uses.map(({ use }) => use)).not.toContain("plan");
      expect(uses.map(({ use }) => use)).toContain("token");
      db.close();
    }
    const there = await elsewhere();
    ok(["server", "restore", later, ...there]);
    const refused = acct(["apply", plan, "--yes", ...there, "--tenant", kiln]);
    expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining("Make it anew")]);
    ok(["apply", plan, "--yes", ...where, "--tenant", kiln]);
    ok([...create.slice(0, -1), `${plan}2`, ...there, "--tenant", kiln]);
    ok(["apply", `${plan}2`, "--yes", ...there, "--tenant", kiln]);
  });

  test("passwords are stored only as hashes in a server backup", () => {
    for (const set of sets().map((name) => join(backups, name))) {
      const found = readdirSync(set).map((name) => readFileSync(join(set, name)));
      expect(found.filter((bytes) => bytes.includes(person.password))).toEqual([]);
      expect(readFileSync(join(set, "directory.acct")).includes("$scrypt$")).toBe(true);
    }
  });
}
