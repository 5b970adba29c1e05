/**
 * A process that answers as those of a service do, but has no books: it tells what it was asked, and
 * who it is. What is held up is let go by SIGUSR2.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../../src/service/http/listen.ts";
import type { Seat } from "../../../src/service/processes/messages.ts";
import { Worker } from "../../../src/service/processes/worker.ts";
import { collect } from "../../../src/wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../../../src/wire/http.ts";

/** What an answer says. */
export interface Answered {
  readonly place: number;
  readonly pid: number;
  readonly method: string;
  readonly body: string;
}

const seat: Seat = JSON.parse(process.env.TEST_SEAT ?? "");
const { TEST_START: start = "", TEST_DRAIN: drainMs = "0" } = process.env;
if (start === "fails") process.exit(7);

const bodyBytesMax = 1e8;
let letGo: (() => void) | undefined;

async function handle({ method, path, body }: ServiceRequest): Promise<ServiceResponse> {
  const bytes = body === undefined ? new Uint8Array() : await collect(body, bodyBytesMax);
  const text = Buffer.from(bytes).toString();
  if (path === "/Exit") process.exit(3);
  if (path === "/Sleeping") {
    const end = performance.now() + Number(text);
    while (performance.now() < end);
  }
  if (path === "/Held") await new Promise<void>((resolve) => (letGo = resolve));
  const answered: Answered = { place: seat.place, pid: process.pid, method, body: text };
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(answered)) };
}

process.on("SIGUSR2", () => letGo?.());
const worker = new Worker(seat);
const port = await listen({
  service: {
    handle,
    authenticate: () => {
      throw new Error("Nobody is asked who they are.");
    },
    refuse: async () => ({ status: 500, headers: {}, body: new Uint8Array() }),
  },
  door: worker,
  drainMs: Number(drainMs),
  // Nothing is cut here: what should end has to end by itself.
  closingMs: 1e9,
});
if (start === "late") await sleep(1_500);
worker.ready({ figures: async () => undefined, readiness: async () => undefined });
await worker.ended;
await port.close();
worker.leave();
