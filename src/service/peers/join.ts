/** A process joins the others that serve its database. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Directory } from "../../store/directory.ts";
import { addressAt } from "./address.ts";
import { Handover } from "./handover.ts";
import { Peers } from "./peers.ts";

export interface Joined {
  readonly peers: Peers;
  readonly handover: Handover;
  /** Returns when the others know, and the server takes nothing of them any more. */
  close(): Promise<void>;
}

/**
 * Has a server take the connections that others hand over, at a socket of this machine in a folder
 * that nobody else than the user of the process can enter. Who asks there is a caller like any other,
 * with a token.
 *
 * @param group  the same for processes that answer in the same way, without a slash
 * @throws Error where the folder cannot be made, or this system has no such sockets
 */
export async function joinPeers(
  server: Server,
  directory: Directory,
  group: string,
): Promise<Joined> {
  const folder = await mkdtemp(join(tmpdir(), "acct-"));
  const removed = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, "peer");
  try {
    await once(server.listen(path), "listening");
  } catch (error) {
    await removed();
    throw error;
  }
  // So that a process which ends hears the answers to what it has handed over. Node's documentation and
  // types do not name it; without it an answer that has begun is cut, which a test would notice.
  Object.assign(server, { httpAllowHalfOpen: true });
  const peers = new Peers({
    directory,
    self: { id: randomUUID(), address: addressAt(group, path) },
  });
  return {
    peers,
    handover: new Handover(server, peers),
    async close() {
      await peers.leave();
      server.close();
      await removed();
    },
  };
}
