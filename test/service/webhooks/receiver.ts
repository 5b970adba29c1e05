/** A receiver of deliveries on a port of this machine, that does as a test says. */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { signatureHeader, signatureOf } from "../../../src/wire/webhook.ts";
import type { Json } from "../fixture.ts";

export interface Received {
  readonly body: string;
  readonly json: Json;
  readonly headers: IncomingMessage["headers"];
  /** Whether the signature is that of the key. */
  readonly isRight: boolean;
  /** What it was answered; 0 for nothing. */
  readonly status: number;
}

/** What to do with a delivery: a status, or anything with the answer. */
export type Behaviour = (
  delivery: Omit<Received, "status">,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>;

export interface Receiver {
  readonly url: string;
  /** Every delivery that came, in the order in which they did. */
  readonly received: Received[];
  key: string;
  behaviour: Behaviour;
  /** Those that were answered 2xx, the empty ones of the handshake left out. */
  taken(): Received[];
  /** Returns when a condition holds, which is asked again after every delivery. */
  until(isMet: () => boolean): Promise<void>;
}

/** As a receiver should do. */
export const wellBehaved: Behaviour = ({ isRight }) => (isRight ? 200 : 401);

/** @param port  any that is free when not given */
export async function receiver(key = "key", behaviour = wellBehaved, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const deliveries = new EventEmitter();
  const made: Receiver = {
    url: "",
    received,
    key,
    behaviour,
    taken: () =>
      received.filter(
        ({ status, json }) => status >= 200 && status < 300 && json.events.length > 0,
      ),
    until: async (isMet) => {
      while (!isMet()) await once(deliveries, "received");
    },
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const isRight = request.headers[signatureHeader] === signatureOf(made.key, body);
    const delivery = { body, json: JSON.parse(body), headers: request.headers, isRight };
    const status = await made.behaviour(delivery, response);
    received.push({ ...delivery, status: status ?? 0 });
    deliveries.emit("received");
    if (status !== undefined) response.writeHead(status).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: given } = server.address() as AddressInfo;
  return Object.assign(made, { url: `http://127.0.0.1:${given}/hook` });
}
