/** Sends answers over a port. */
import type { ServerResponse } from "node:http";
import type { Outgoing } from "./outgoing.ts";

export async function sendOutgoing(
  { status, headers, body }: Outgoing,
  outgoing: ServerResponse,
): Promise<void> {
  if (body instanceof ReadableStream) {
    const { Readable } = process.getBuiltinModule("node:stream");
    const { pipeline } = process.getBuiltinModule("node:stream/promises");
    outgoing.writeHead(status, headers);
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
    return;
  }
  if (body !== null) headers["content-length"] = String(Buffer.byteLength(body));
  outgoing.writeHead(status, headers).end(body);
}
