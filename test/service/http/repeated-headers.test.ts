/** Headers that a request sends several times, as Node's server hands them over. */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { refuseRepeated } from "../../../src/service/http/incoming.ts";

/** The request as it is read from the bytes of a client. */
async function arrived(...headers: readonly string[]): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer((incoming, outgoing) => {
    resolve(incoming);
    outgoing.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(["GET / HTTP/1.1", "Host: x", ...headers, "", ""].join("\r\n"));
  return promise;
}

test.each([
  ["Authorization: Bearer a", "authorization: Bearer b", "Authorization"],
  ["xero-tenant-id: a", "Xero-Tenant-Id: b", "Xero-Tenant-Id"],
  ["If-Modified-Since: 2026-01-01", "If-Modified-Since: 2026-01-02", "If-Modified-Since"],
  ["Idempotency-Key: a", "Idempotency-Key: a", "Idempotency-Key"],
  ["Content-Type: text/xml", "Content-Type: application/json", "Content-Type"],
])(
  "a request with the headers %s and %s is refused as repeating %s",
  async (first, second, name) => {
    const incoming = await arrived(first, second);
    expect(() => refuseRepeated(incoming)).toThrow(
      `The header ${name} is sent several times; send it once.`,
    );
  },
);

test("headers that are lists may be repeated, and other headers sent once are accepted", async () => {
  const parts = ["Accept: text/xml", "Accept: application/json", "X-Other: a", "X-Other: b"];
  const incoming = await arrived(...parts, "Authorization: Bearer a", "Idempotency-Key: a");
  expect(refuseRepeated(incoming)).toBeUndefined();
});
