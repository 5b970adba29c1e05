/** The receiver of a test's webhook events, which checks signatures as any other must. */
import { createServer } from "node:http";
import { openPort } from "../service/http/open-port.ts";
import { collect } from "../wire/body.ts";
import { signatureHeader, signatureOf } from "../wire/webhook.ts";
import type { WebhookEvent } from "./face.ts";
import { Arrivals } from "./inbox.ts";

export interface Receiver {
  readonly url: string;
  readonly events: Arrivals<WebhookEvent>;
  /** Status of the answers to come. */
  status: number;
  close(): Promise<void>;
}

const bodyBytesMax = 4 * 1024 * 1024;

/** @param key  with which deliveries are signed */
export async function openReceiver(key: string): Promise<Receiver> {
  const server = createServer((incoming, outgoing) => {
    void collect(incoming, bodyBytesMax).then(
      (bytes) => {
        const body = Buffer.from(bytes).toString();
        const isSigned = incoming.headers[signatureHeader] === signatureOf(key, body);
        outgoing.writeHead(isSigned ? receiver.status : 401).end();
        if (!isSigned || receiver.status !== 200) return;
        for (const event of JSON.parse(body).events) receiver.events.add(event);
      },
      () => outgoing.destroy(),
    );
  });
  const origin = await openPort(server, { host: "127.0.0.1", port: 0 });
  const receiver: Receiver = {
    url: `${origin}/hook`,
    events: new Arrivals(({ eventCategory, eventType }) => `${eventCategory} ${eventType}`),
    status: 200,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
