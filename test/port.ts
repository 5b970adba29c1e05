/** Puts a service on a port of this machine, for tests of what goes over HTTP. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ServiceRequest, Transport } from "../src/wire/http.ts";

/** The root that every service of this API is found under. */
const root = "/api.xro/2.0";

/**
 * @param token  the only bearer token that is let in
 * @returns the base URL
 */
export async function onPort(handle: Transport, token: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const url = new URL(incoming.url ?? "/", "http://localhost");
      if (incoming.headers.authorization !== `Bearer ${token}`) {
        outgoing.writeHead(401, { "content-type": "application/json" });
        outgoing.end('{"Title":"Unauthorized","Status":401,"Detail":"AuthenticationUnsuccessful"}');
        return;
      }
      const request: ServiceRequest = {
        method: incoming.method ?? "GET",
        path: url.pathname.startsWith(root) ? url.pathname.slice(root.length) : url.pathname,
        query: [...url.searchParams],
        headers: Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        ),
        ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
      };
      void handle(request).then(({ status, headers, body }) => {
        outgoing.writeHead(status, headers);
        outgoing.end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`;
}
