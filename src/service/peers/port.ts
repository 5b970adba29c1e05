/**
 * Where a process listens to its peers: a socket of this machine, in a folder that nobody else than
 * the user of the process can enter.
 *
 * Who asks there is a caller like any other, with a token; only that nothing is handed on again.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isChunks } from "../../wire/body.ts";
import type { Seen, Transport } from "../../wire/http.ts";
import type { Answered, Asked } from "./ask.ts";
import { Link } from "./link.ts";
import type { Origins } from "./origins.ts";

export interface PeerPort {
  /** Path of the socket. */
  readonly path: string;
  /** Returns when what is under way is answered. */
  close(): Promise<void>;
}

/** @throws Error where the folder for it cannot be made, or the system has no such sockets */
export async function openPeerPort(handle: Transport, origins: Origins): Promise<PeerPort> {
  const underWay = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Whoever waited at the other end is told by the end of the connection.
    socket.on("error", () => undefined);
    const link = new Link<Answered, Asked>(socket, (asked, body) => {
      const answered = answer({ handle, origins }, link, asked, body)
        .catch(() => void socket.destroy())
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    });
  });
  const folder = await mkdtemp(join(tmpdir(), "acct-"));
  const path = join(folder, "peer");
  const removed = () => rm(folder, { recursive: true, force: true });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } catch (error) {
    await removed();
    throw error;
  }
  return {
    path,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      while (underWay.size > 0) await Promise.all(underWay);
      // What was answered last is on its way by then.
      await new Promise((resolve) => setImmediate(resolve));
      for (const socket of sockets) socket.end();
      await closed;
      await removed();
    },
  };
}

/** @throws what is a fault of the service */
async function answer(
  { handle, origins }: { readonly handle: Transport; readonly origins: Origins },
  link: Link<Answered, Asked>,
  { number, id, ...head }: Asked,
  body: Uint8Array,
): Promise<void> {
  const seen: Seen = {
    id: id ?? randomUUID(),
    route: undefined,
    app: undefined,
    organisation: undefined,
    code: undefined,
    chaos: undefined,
  };
  const { status, headers, body: answered } = await handle({ ...head, seen, body });
  if (isChunks(answered)) throw new Error("A small write is answered by records.");
  const { route, app, organisation, code } = seen;
  const isText = typeof answered === "string";
  const isAlone = organisation !== undefined && origins.note(organisation, link);
  link.send(
    { number, status, headers, isText, isAlone, seen: { route, app, organisation, code } },
    answered,
  );
}
