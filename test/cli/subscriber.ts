/** A book and programs that work on it, for tests of who is told of events. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import type { Json } from "../service/fixture.ts";
import type { Receiver } from "../service/webhooks/receiver.ts";
import { bin, runBuilt } from "./built.ts";

/** By which deliveries are signed. */
export const key = "a key of sixteen letters";

/** Ids of the records of which a receiver was told. */
export const idsIn = (shop: Receiver): string[] =>
  shop.taken().flatMap(({ json }) => json.events.map((each: Json) => each.resourceId));

/** A desk at a book, which is new for each test of a file; what is run there goes by `at.env`. */
export function subscriberDesk() {
  const at: { env: Record<string, string> } = { env: {} };
  /** Made once: each test has a copy. */
  let fresh: string;

  const programs = programsAt(at);

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "acct-webhook-new-"));
    fresh = join(folder, "quay.acct");
    at.env = { HOME: folder, PATH: process.env.PATH ?? "", TZ: "UTC", ACCT_BOOK: fresh };
    programs.ok("init", "--name", "Quay Street Bikes", "--country", "NZ");
    return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "acct-webhook-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
    at.env = {
      HOME: folder,
      PATH: process.env.PATH ?? "",
      USER: "ann",
      TZ: "UTC",
      ACCT_BOOK: join(folder, "quay.acct"),
      ACCT_WEBHOOK_KEY: key,
    };
    copyFileSync(fresh, at.env.ACCT_BOOK ?? "");
  });

  return { at, ...programs };
}

/** What is run with the environment that `at` has by then. */
export function programsAt(at: { readonly env: Record<string, string> }) {
  const acct = (...words: string[]) => runBuilt(words, at.env);

  function ok(...words: string[]): string {
    const { status, stdout, stderr } = acct(...words);
    expect({ words, status, stderr: status === 0 ? "" : stderr }).toEqual({
      words,
      status: 0,
      stderr: "",
    });
    return stdout;
  }

  /** `acct webhook add` waits for its receiver, which is in this process: it must not stand still. */
  async function running(...words: string[]) {
    const child = spawn(process.execPath, [bin, ...words], {
      env: at.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = once(child, "close").then(([code]) => ({ code: code as number, stdout, stderr }));
    const until = async (isMet: () => boolean) => {
      while (!isMet()) {
        await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended]);
        if ((child.exitCode ?? child.signalCode) !== null && !isMet()) {
          throw new Error(`${words.join(" ")} ended: ${stdout}${stderr}`);
        }
      }
    };
    return { child, ended, until, said: () => stderr, wrote: () => stdout };
  }

  async function run(...words: string[]) {
    return (await running(...words)).ended;
  }

  const contact = (name: string) => ok("contact", "create", "--name", name, "-o", "id").trim();

  return { acct, ok, running, run, contact };
}
