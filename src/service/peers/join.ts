/** A process joins the others that serve its database. */
import { randomUUID } from "node:crypto";
import type { Service } from "../app.ts";
import type { ServedBooks } from "../http/books.ts";
import { addressAt } from "./address.ts";
import { Handover } from "./handover.ts";
import { Origins } from "./origins.ts";
import { Peers } from "./peers.ts";
import { openPeerPort } from "./port.ts";

export interface Joined {
  /** That of the books, or that of another process, whichever has the organisation. */
  readonly service: Omit<Service, "close">;
  readonly peers: Peers;
  readonly handover: Handover;
  close(): Promise<void>;
}

/**
 * @param group    the same for processes that answer in the same way, without a slash
 * @param leaving  aborted when others should no longer hand anything over
 * @param origins  how it is told who writes alone; as usual when not given
 * @throws Error where this system has no sockets by which processes ask each other
 */
export async function joinPeers(
  { service, directory, callers }: Pick<ServedBooks, "service" | "directory" | "callers">,
  group: string,
  leaving: AbortSignal,
  origins = new Origins(),
): Promise<Joined> {
  const port = await openPeerPort(service.handle, origins);
  const self = { id: randomUUID(), address: addressAt(group, port.path) };
  const peers = new Peers({ directory, self });
  const handover = new Handover({ service, callers }, peers, origins);
  leaving.addEventListener("abort", () => void peers.leave(), { once: true });
  return {
    service: handover,
    peers,
    handover,
    async close() {
      await peers.leave();
      await port.close();
      handover.close();
    },
  };
}
