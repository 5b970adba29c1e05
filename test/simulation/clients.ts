/** Clients, which send a request until it is answered, and remember what they were told. */
import { retryingTransport } from "../../src/client/transport/retry.ts";
import { textOf } from "../../src/wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../src/wire/http.ts";
import { asking, type World } from "../service/fixture.ts";
import type { Simulation } from "./simulation.ts";
import type { Client } from "./steps.ts";

/** How long the first answer to a key is given again; a little less than the service keeps it. */
const repeatMs = 5 * 60_000;
/** Requests that are answered with a plan, and write nothing. */
const plans = /^\/Extensions\/(Plans|Operations\/[^/]+\/Undo)$/;
/** Sendings of one request, of which each but the last met a fault. */
const triesMax = 20;

/** The book as a client sees it. Its writes bear a key, and what they are answered is noted. */
export async function clientOf(simulation: Simulation, client: Client): Promise<World> {
  const { clock, acknowledged, checker, bugs } = simulation;
  await simulation.server(client.server);
  const handle: Transport = async (plain) => {
    const isTried = plain.headers["x-dry-run"] !== undefined || plans.test(plain.path);
    const isWrite = plain.method !== "GET" && !isTried;
    const key: Record<string, string> = isWrite ? { "idempotency-key": simulation.newKey() } : {};
    const request = { ...plain, headers: { ...plain.headers, ...key } };
    const answer = await sent(simulation, client, request);
    const text = await textOf(answer.body);
    if (isWrite) acknowledged.note({ request, status: answer.status, text, at: clock.now });
    return { ...answer, body: text };
  };
  return asking({
    book: { ...checker, transport: handle },
    mail: [],
    bugs,
    get now() {
      return clock.now;
    },
    set now(at) {
      clock.now = at;
    },
  });
}

/** Sends a request as often as it takes. What goes wrong without a fault is one of the program. */
async function sent(
  simulation: Simulation,
  { server: at, via }: Client,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const { database, faults } = simulation;
  const name = `${request.method} ${request.path}`;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const server = await simulation.server(at);
    const met = simulation.met(server);
    const transport = retryingTransport(via === "port" ? server.overPort : server.inProcess, {
      sleep: async () => undefined,
      random: () => 0.5,
    });
    const said = await transport(request).catch((error: Error) => error);
    if (!(said instanceof Error)) {
      const { status, headers } = said;
      const isOnPurpose = headers["x-chaos"] !== undefined;
      if (status === 500 && !isOnPurpose && !server.isDead()) {
        faults.push(`${name} was answered 500. ${server.said()}`.trimEnd());
        return said;
      }
      if (status === 200 || (!isOnPurpose && status < 500 && status !== 429)) return said;
    }
    if (met === simulation.met(server) && !server.isDead()) {
      const what = said instanceof Error ? said.message : `it was answered ${said.status}`;
      faults.push(`${name} did not go through, and nothing was in the way: ${what}`);
      return said instanceof Error ? { status: 503, headers: {}, body: "" } : said;
    }
    // Somebody has made room.
    database.disk?.set({});
  }
  throw new Error(`${name} was sent ${triesMax} times in vain.`);
}

/** Sends a request that was answered before once more, under its key. */
export async function repeat(simulation: Simulation, client: Client, which: number): Promise<void> {
  const { clock, acknowledged, faults } = simulation;
  const known = acknowledged.answered.filter(({ at }) => at > clock.now - repeatMs);
  const first = known[which % Math.max(1, known.length)];
  if (first === undefined) return;
  const { status, body } = await sent(simulation, client, first.request);
  const text = await textOf(body);
  const { method, path } = first.request;
  if (status === first.status && (status !== 200 || text === first.text)) return;
  faults.push(`${method} ${path} was answered otherwise when it came again: ${text}`);
  acknowledged.noteIds(text);
}
