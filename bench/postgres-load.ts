/**
 * Clients of a server on a port, in a process of their own: they create invoices until told time is up. Started by `postgres.ts`, which tells it what to do by messages.
 *
 * The server runs on the same processors. So there is no HTTP client here: a request is put together
 * from parts that were made before, and of an answer the status and the length alone are read.
 *
 *   node bench/postgres-load.ts
 */
import { connect } from "node:net";
import { customers, invoice } from "./postgres-invoices.ts";

/** An organisation, and a token of an app of it. */
export interface Caller {
  /** OrganisationID. */
  readonly tenant: string;
  readonly token: string;
}

/**
 * What to do for `ms`: that many clients, each one request after the other. They have connected and
 * been answered once when the time begins, as pgbench counts from there.
 */
export interface Load {
  readonly clients: number;
  /** Invoices in a request. */
  readonly batch: number;
  /** Where its API begins. */
  readonly server: string;
  /** Each request is in the name of any of them. */
  readonly callers: readonly Caller[];
  readonly ms: number;
}

/** Of an answer. */
const readBytesMax = 1 << 16;
let sent = 0;

/** A request from the end of its key on, to each customer first. */
function endsOf(batch: number): readonly string[] {
  return Array.from({ length: customers }, (_, at) => {
    const Invoices = Array.from({ length: batch }, (_each, next) => invoice(at + next));
    const body = JSON.stringify({ Invoices });
    return `\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  });
}

/** In bytes, of an answer of which this has come; infinite before the end of its head has. */
function lengthOf(said: string): number {
  const headEnd = said.indexOf("\r\n\r\n");
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(said.slice(0, headEnd + 2)) ?? [];
  if (length === undefined) throw new Error(`An answer without length: ${said.slice(0, 500)}`);
  return headEnd + 4 + Number(length);
}

/** A connection that is kept, to be asked one thing after the other. */
function connectionTo({ hostname, port }: URL) {
  let said = "";
  let asked = Promise.withResolvers<string>();
  const buffer = Buffer.allocUnsafe(readBytesMax);
  const callback = (length: number) => {
    said += buffer.toString("latin1", 0, length);
    if (said.length < lengthOf(said)) return true;
    const answer = said;
    said = "";
    asked.resolve(answer);
    return true;
  };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer, callback },
  });
  socket.on("error", (error) => asked.reject(error));
  socket.on("close", () => asked.reject(new Error("A server has closed a connection.")));
  return {
    /**
     * @returns whether it can be asked again
     * @throws Error with what came when the status is not 200
     */
    async ask(request: string): Promise<boolean> {
      asked = Promise.withResolvers();
      socket.write(request, "latin1");
      const answer = await asked.promise;
      const headEnd = answer.indexOf("\r\n\r\n");
      if (answer.startsWith("HTTP/1.1 200 ")) {
        return !/\r\nconnection: close\r\n/i.test(answer.slice(0, headEnd + 2));
      }
      const body = answer.slice(headEnd + 4);
      throw new Error(`${answer.slice(0, answer.indexOf("\r\n"))}: ${body.slice(0, 500)}`);
    },
    end: () => socket.destroy(),
  };
}

/** @returns invoices, and the time they took */
async function work({ clients, batch, server, callers, ms }: Load) {
  const url = new URL(server);
  const { host, pathname } = url;
  const heads = callers.map(({ tenant, token }) =>
    [
      `PUT ${pathname}/Invoices HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${token}`,
      `xero-tenant-id: ${tenant}`,
      "accept: application/json",
      "content-type: application/json",
      "idempotency-key: bench-",
    ].join("\r\n"),
  );
  const ends = endsOf(batch);
  const one = async () => {
    let connection = connectionTo(url);
    const ask = async () => {
      sent += 1;
      const head = heads[Math.floor(Math.random() * heads.length)];
      if (await connection.ask(`${head}${sent}${ends[sent % customers]}`)) return;
      connection.end();
      connection = connectionTo(url);
    };
    await ask();
    return { ask, end: () => connection.end() };
  };
  const all = await Promise.all(Array.from({ length: clients }, one));
  const began = performance.now();
  let made = 0;
  const goOn = async ({ ask, end }: (typeof all)[number]) => {
    while (performance.now() < began + ms) {
      await ask();
      made += batch;
    }
    end();
  };
  await Promise.all(all.map(goOn));
  return { made, ms: performance.now() - began };
}

process.on("message", async (load: Load) => process.send?.(await work(load)));
process.send?.("ready");
