/** The same over the control routes, and what only a process of its own has. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { kitSuite } from "./suite.ts";

kitSuite("child");

const program = join(import.meta.dirname, "../../bin/acct.js");

/** Starts a process, which ends with the test. @returns its first line */
async function started(words: readonly string[]) {
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
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
