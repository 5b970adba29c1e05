/**
 * A worker that listens as those of a service do, but has no books: it tells what it was asked, and
 * who it is. What is held up is let go by SIGUSR2.
 */
import cluster from "node:cluster";
import { appendFileSync, readFileSync } from "node:fs";
import { createMetrics } from "../../../src/service/http/metrics.ts";
import { listen } from "../../../src/service/server/listener.ts";
import { endRequest, leaveCluster } from "../../../src/service/server/workers.ts";
import { collect } from "../../../src/wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../../../src/wire/http.ts";

/** What an answer says. */
export interface Answered {
  readonly pid: number;
  readonly method: string;
  readonly body: string;
}

const { TEST_STARTS: starts = "", TEST_DRAIN: drainMs = "0" } = process.env;
appendFileSync(starts, `${process.pid}\n`);
const started = readFileSync(starts, "latin1").trim().split("\n").length;
if (process.env.TEST_FAILS?.split(",").includes(String(started))) process.exit(7);

const bodyBytesMax = 1e8;
let letGo: (() => void) | undefined;

async function handle({ method, path, body }: ServiceRequest): Promise<ServiceResponse> {
  const bytes = body === undefined ? new Uint8Array() : await collect(body, bodyBytesMax);
  if (path === "/Exit") process.exit(3);
  if (path === "/Leave") process.emit("SIGTERM");
  if (path === "/Held") await new Promise<void>((resolve) => (letGo = resolve));
  const answered: Answered = { pid: process.pid, method, body: Buffer.from(bytes).toString() };
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: JSON.stringify(answered) };
}

process.on("SIGUSR2", () => letGo?.());
const isEndAsked = endRequest();
const terminated = new Promise((resolve) => process.once("SIGTERM", resolve));
const metrics = createMetrics([], true);
const words = process.argv.slice(2);
const port = await listen({
  service: {
    transport: handle,
    authenticate: () => {
      throw new Error("Nobody is asked who they are.");
    },
    refuse: async () => ({ status: 500, headers: {}, body: new Uint8Array() }),
  },
  host: "127.0.0.1",
  port: Number(words[words.lastIndexOf("--port") + 1]),
  observers: [metrics.observer],
  drainMs: Number(drainMs),
  // Nothing is cut here: what should end has to end by itself.
  closingMs: 1e9,
}).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
if (cluster.isWorker) await Promise.race([isEndAsked, terminated]);
await port.close();
leaveCluster();
