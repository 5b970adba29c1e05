/** A server for tests in a process of its own, which ends when its input does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { NotFoundError, RefusedError, UnavailableError, UsageError } from "../resources/errors.ts";
import { nameOfRule } from "../resources/refusal-rules.ts";
import { controlHeader } from "./control.ts";
import type { StartOptions } from "./face.ts";
import type { ReadyServer } from "./ready.ts";

export interface ChildServer {
  readonly ready: ReadyServer;
  /** Calls an operation of the server, such as `POST /save`. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of an operation, whose shape the caller knows.
  ask(operation: string, input?: object): Promise<any>;
  close(): Promise<void>;
}

/** @throws UnavailableError `NotStarted` with what the program said */
export async function startChild(options: StartOptions): Promise<ChildServer> {
  const program = join(import.meta.dirname, "../../bin/acct.js");
  const words = [program, "serve", "--ephemeral", "--ready", "json", ...flagsOf(options)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"] });
  let stderrText = "";
  child.stderr.on("data", (chunk) => {
    stderrText += chunk;
    process.stderr.write(chunk);
  });
  const whenEnded = once(child, "close");
  const lines = createInterface(child.stdout);
  const line = once(lines, "line").then(([text]) => text as string);
  const firstLine = await Promise.race([line, whenEnded.then(() => undefined)]);
  if (firstLine === undefined) throw new UnavailableError("NotStarted", stderrText.trim());
  const ready: ReadyServer = JSON.parse(firstLine);
  return {
    ready,
    ask: (operation, input) => askControl(ready, operation, input),
    close: async () => {
      child.stdin.end();
      await whenEnded;
    },
  };
}

function flagsOf({ country, seed, clock, ids, limits }: StartOptions): string[] {
  return [
    ...(country === undefined ? [] : ["--country", country]),
    ...(seed === undefined ? [] : ["--seed", resolve(seed)]),
    ...(clock === undefined ? [] : ["--clock", clock]),
    ...(ids === undefined ? [] : ["--ids", String(ids)]),
    ...(typeof limits === "string" ? ["--rate-limit", limits] : []),
    ...(limits ? [] : ["--no-rate-limit"]),
  ];
}

/** @throws AcctError as the server did */
async function askControl(
  { control, controlKey }: ReadyServer,
  operation: string,
  input: object = {},
): Promise<unknown> {
  const [method = "", path] = operation.split(" ");
  const url = new URL(`${control}${path}`);
  const isBody = method === "POST";
  for (const [name, value] of isBody ? [] : Object.entries(input)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await fetch(url, {
    method,
    headers: { [controlHeader]: controlKey, "content-type": "application/json" },
    ...(isBody ? { body: JSON.stringify(input) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: an answer of this program, or the error that it had.
  const answer: any = await response.json();
  if (response.ok) return answer;
  const { error, code, message, details } = answer;
  if (error === "UsageError") throw new UsageError(code, message, details);
  if (error === "NotFoundError") throw new NotFoundError(code, message, details);
  if (error === "RefusedError") {
    throw new RefusedError({ code, rule: nameOfRule(code) }, message, details);
  }
  throw new UnavailableError(code ?? "Refused", message);
}
