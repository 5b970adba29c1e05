/** A port for plain HTTP that sends every request on to https. */
import { createServer } from "node:http";
import { openPort, type PortOptions } from "./open-port.ts";

const timeoutMs = 10_000;

/**
 * Opens the port.
 *
 * @param origin  returns the origin for a host name, `https://books.example`
 * @throws PortError
 */
export async function openRedirectPort(
  options: PortOptions,
  origin: (hostname: string) => string,
): Promise<{ close(): void }> {
  const timeouts = { headersTimeout: timeoutMs, requestTimeout: timeoutMs, keepAliveTimeout: 1 };
  const server = createServer(timeouts, ({ method, url = "/", headers }, outgoing) => {
    const host = URL.parse(`http://${headers.host}`)?.hostname;
    if (host === undefined || !url.startsWith("/")) return void outgoing.writeHead(400).end();
    const status = method === "GET" || method === "HEAD" ? 301 : 308;
    outgoing.writeHead(status, { location: `${origin(host)}${url}`, connection: "close" }).end();
  });
  await openPort(server, { ...options, flags: { port: "--redirect-port", host: "--host" } });
  return { close: () => void server.close(() => undefined).closeAllConnections() };
}
