/** The same over the control routes, and what only a process of its own has. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { kitSuite } from "./suite.ts";

kitSuite("child");

const program = join(import.meta.dirname, "../../bin/acct.js");

/** Starts a process, which ends with the test. @returns its first line */
async function started(words: readonly string[], env = process.env) {
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"], env });
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, line: String(line) };
}

describe("a server of acct serve --ephemeral", () => {
  it("answers control requests to those who have its key alone, and ends with its input", async () => {
    const { child, line } = await started([program, "serve", "--ephemeral", "--ready", "json"]);
    const { control, controlKey, url, token } = JSON.parse(line);
    const ask = async (path: string, headers: Record<string, string>, body?: string) => {
      const method = body === undefined ? "GET" : "POST";
      const response = await fetch(`${control}${path}`, { method, headers, body: body ?? null });
      return [response.status, await response.json()];
    };
    const own = { "x-acct-test": controlKey };
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${url}/Organisation`, { headers: { authorization } })).status).toBe(200);
    expect(await ask("/requests", own)).toEqual([200, [expect.objectContaining({ status: 200 })]]);
    const strangers: Record<string, string>[] = [
      {},
      { "x-acct-test": "guessed" },
      { authorization },
    ];
    for (const headers of strangers) {
      expect((await ask("/clock", headers))[0]).toBe(403);
    }
    expect(await ask("/nowhere", own)).toEqual([
      404,
      expect.objectContaining({ message: expect.stringContaining("GET /clock") }),
    ]);
    expect(await ask("/clock", own, "soon")).toEqual([
      400,
      expect.objectContaining({ message: "The body is no JSON object." }),
    ]);
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("begins with the books that were kept of the same seed, and gives the same answers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-kept-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seed = join(folder, "shop.json");
    const env = { ...process.env, XDG_CACHE_HOME: folder };
    const words = [program, "serve", "--ephemeral", "--ready", "json", "--seed", seed];
    const kept = () =>
      existsSync(join(folder, "acct/seeds")) ? readdirSync(join(folder, "acct/seeds")) : [];
    const answered = async (names: readonly string[], more: readonly string[] = []) => {
      const people = [
        { email: "pat@shop.example", role: "standard", password: "kiln and clay and glaze" },
      ];
      writeFileSync(seed, JSON.stringify({ contacts: names.map((Name) => ({ Name })), people }));
      const { child, line } = await started([...words, ...more], env);
      const { url, token, tenant, clientId } = JSON.parse(line);
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      // biome-ignore lint/suspicious/noExplicitAny: an app reads answers as they come.
      const read = async (path: string): Promise<any> =>
        (await fetch(`${url}${path}`, { headers })).json();
      const { Contacts } = await read("/Contacts");
      const { Users } = await read("/Users");
      child.stdin.end();
      await once(child, "exit");
      return { Contacts, Users, tenant, clientId };
    };
    const ids = ["--ids", "7", "--clock", "2026-03-01"];
    const first = await answered(["Ann", "Ben"], ids);
    expect(first.Contacts).toHaveLength(2);
    expect(kept()).toHaveLength(1);
    expect(statSync(join(folder, "acct/seeds", kept()[0] ?? "")).mode & 0o777).toBe(0o600);
    expect(await answered(["Ann", "Ben"], ids)).toEqual(first);
    expect(kept()).toHaveLength(1);
    expect((await answered(["Ann"], ids)).Contacts).toHaveLength(1);
    expect((await answered(["Ann"])).tenant).not.toBe(first.tenant);
    expect(kept()).toHaveLength(3);
  });

  it("ends when the process that started it is killed", async () => {
    const parent = await started([
      "--eval",
      `const { spawn } = require("node:child_process");
       const words = ${JSON.stringify([program, "serve", "--ephemeral", "--ready", "json"])};
       spawn(process.execPath, words, { stdio: ["pipe", "inherit", "inherit"] });`,
    ]);
    const { pid } = JSON.parse(parent.line);
    parent.child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
