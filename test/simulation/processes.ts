/** Servers and command lines as programs of their own, which can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/client/transport/http.ts";
import { apiRoot, type Book } from "../../src/service/books/book.ts";
import type { Transport } from "../../src/wire/http.ts";
import type { Database } from "./databases.ts";
import { networkTo } from "./network.ts";
import type { Server } from "./server.ts";
import type { NetworkFault } from "./steps.ts";

const bin = join(import.meta.dirname, "..", "..", "bin", "acct.js");
/** How long it may take until the end of a process is known after its connection broke. */
const endMs = 10_000;

const envOf = ({ scratch, machine }: Database) => ({
  HOME: scratch,
  PATH: process.env.PATH ?? "",
  USER: "ann",
  TZ: "UTC",
  ...machine?.env,
});

/** Runs a command line. @returns its exit code, null where it was killed, and what it said */
export async function runProgram(
  database: Database,
  words: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [bin, ...words], {
    env: { ...envOf(database), ...more },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (child.exitCode === null) database.disk?.forgetUnsynced();
  return { code: child.exitCode, said };
}

/** The processes that one has started. */
const startedBy = ({ pid }: ChildProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);

/**
 * Starts `acct serve`; the second server on PostgreSQL has two processes, of which one is killed at a
 * time.
 *
 * @param book  reads past it
 * @throws Error where it ends before it listens
 */
export async function startProgram(
  database: Database,
  { at, book, token }: { readonly at: 0 | 1; readonly book: Book; readonly token: () => string },
): Promise<Server> {
  const isForked = database.folder === undefined && at === 1;
  const words = [
    ...["serve", "--port", "0", "--no-rate-limit", "--webhook-allow", "http,private"],
    ...[database.folder === undefined ? "--database" : "--book", database.place],
    ...(isForked ? ["--processes", "2"] : []),
  ];
  const child = spawn(process.execPath, [bin, ...words], {
    env: envOf(database),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  let met = 0;
  const isDead = () => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, "exit").then(() => {
    if (child.signalCode !== null) met += 1;
    database.disk?.forgetUnsynced();
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  while (!/http:[^\s"]+\/api/.test(said)) {
    await Promise.race([once(child.stderr, "data"), ended]);
    if (isDead()) throw new Error(`acct serve ended: ${said}`);
  }
  const { origin } = new URL(/http:[^\s"]+/.exec(said)?.[0] ?? "");
  const baseUrl = `${origin}${apiRoot}`;
  const headers = async () => ({ authorization: `Bearer ${token()}` });
  const connection = await connect({ baseUrl, headers });
  const transport: Transport = (request) =>
    connection.transport(request).catch(async (error: unknown) => {
      // Its end may be told later than that of its connection.
      if (!isForked) await Promise.race([ended, sleep(endMs, undefined, { ref: false })]);
      throw error;
    });
  const network: NetworkFault[] = [];
  const { send, deliverLate } = networkTo(transport, network, () => {
    met += 1;
  });
  const kill = () => {
    if (isForked) met += 1;
    const pid = isForked ? startedBy(child)[0] : child.pid;
    if (pid !== undefined && !isDead()) process.kill(pid, "SIGKILL");
  };
  return {
    book,
    baseUrl,
    inProcess: transport,
    overPort: send,
    deliverLate,
    network,
    arm(fault, after) {
      if (fault.startsWith("killed")) setTimeout(kill, after);
    },
    disarm: () => undefined,
    isArmed: () => false,
    met: () => met,
    isDead,
    said: () => said,
    async stop(isKilled = false) {
      child.kill(isKilled ? "SIGKILL" : "SIGTERM");
      await ended;
      await connection.close();
      const isClean = isKilled || child.exitCode === 0 || child.signalCode === "SIGKILL";
      if (!isClean) throw new Error(`acct serve ended with ${child.exitCode}: ${said}`);
    },
  };
}

/** Takes deliveries on a port of this machine. */
export async function receiver(take: (body: string) => number | undefined) {
  const server = createServer(async (request, response) => {
    const status = take(await text(request));
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
