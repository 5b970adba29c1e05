/**
 * Connections over which is written go to the process that has the organisation.
 *
 * Writers of one organisation take turns. Those that meet in one process share a commit; those in
 * several wait for each other's. So whatever stands in front may connect to any process: the first
 * request of a connection tells for whom it is, and from then on the bytes go to and fro between the
 * client and that process, unread. To read each request here, and to put it together again, would
 * cost more than the handing over of all of them.
 *
 * Who reads first is answered where the connection came in.
 */
import type { IncomingMessage, Server } from "node:http";
import { connect, createServer, type Server as Listener, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { headBytesMax, headersTimeoutMs } from "../http/bounds.ts";
import { pathIn } from "./address.ts";
import type { Peer, Peers } from "./peers.ts";
import { readHead, writtenBy } from "./placing.ts";

/** Writes on a connection that belong elsewhere, until it is asked to come again. */
const misplacedMax = 16;

/** A connection that was handed over. */
interface Passed {
  readonly owner: Peer;
  /** The connection to that process. */
  readonly there: Socket;
  /** Whether the client has said something since the process has. */
  isAsking: boolean;
}

export class Handover {
  /** Takes the connections of a port, in the place of the server. */
  readonly listener: Listener;
  readonly #server: Server;
  readonly #peers: Peers;
  readonly #arriving = new Set<Socket>();
  readonly #passed = new Set<Passed>();
  readonly #misplaced = new WeakMap<Socket, number>();
  #isEnding = false;
  /** Connections that belonged elsewhere, by whether the other process took them. */
  readonly counts = { passed: 0, unreachable: 0 };

  /** @param server  answers what stays here */
  constructor(server: Server, peers: Peers) {
    this.#server = server;
    this.#peers = peers;
    peers.onSilent = (peer) => this.#cut((passed) => passed.owner.id === peer.id);
    this.listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      if (peers.alive.length === 0) this.#keep(socket);
      else void this.#place(socket);
    });
  }

  async #place(socket: Socket): Promise<void> {
    // Whoever waits for more is told by the end of the connection.
    socket.on("error", () => undefined);
    this.#arriving.add(socket);
    const head = await firstHead(socket);
    this.#arriving.delete(socket);
    if (head === undefined) return;
    const organisation = writtenBy(readHead(head));
    const owner = organisation === undefined ? undefined : this.#peers.ownerOf(organisation);
    if (owner === undefined) this.#keep(socket);
    else this.#pass(socket, owner);
  }

  #keep(socket: Socket): void {
    if (socket.destroyed) return;
    this.#server.emit("connection", socket);
    socket.resume();
  }

  #pass(client: Socket, owner: Peer): void {
    const there = connect({ path: pathIn(owner.address), allowHalfOpen: true });
    const unreachable = () => {
      this.counts.unreachable += 1;
      this.#peers.avoid(owner);
      this.#keep(client);
    };
    there.once("error", unreachable);
    there.once("connect", () => {
      there.off("error", unreachable);
      this.counts.passed += 1;
      const passed: Passed = { owner, there, isAsking: true };
      this.#passed.add(passed);
      client.on("data", () => {
        passed.isAsking = true;
      });
      there.on("data", () => {
        passed.isAsking = false;
        if (this.#isEnding) there.end();
      });
      pipeline(client, there, client, () => this.#passed.delete(passed));
    });
  }

  /** Whether who asks had better connect again, since what comes on the connection belongs elsewhere. */
  isMisplaced(incoming: IncomingMessage): boolean {
    if (this.#peers.alive.length === 0) return false;
    const organisation = writtenBy(incoming);
    if (organisation === undefined || this.#peers.ownerOf(organisation) === undefined) return false;
    const count = (this.#misplaced.get(incoming.socket) ?? 0) + 1;
    this.#misplaced.set(incoming.socket, count);
    return count >= misplacedMax;
  }

  /** Returns when no other process hands anything over to this one any more. */
  leave(): Promise<void> {
    return this.#peers.leave();
  }

  /** Ends what was handed over, as soon as what is under way is answered. */
  end(): void {
    this.#isEnding = true;
    for (const socket of this.#arriving) socket.destroy();
    // Who is asking is answered first.
    for (const { there, isAsking } of this.#passed) if (!isAsking) there.end();
  }

  /** Breaks off what was handed over. */
  cut(): void {
    this.#cut(() => true);
  }

  #cut(isIt: (passed: Passed) => boolean): void {
    for (const passed of [...this.#passed].filter(isIt)) passed.there.destroy();
  }
}

/**
 * What a client sends until the head of its first request is whole, or too long to be one. It stays
 * to be read again, and the connection stands still.
 *
 * @returns undefined where the connection came to nothing
 */
function firstHead(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const end = (head: string | undefined) => {
      socket.off("data", read).off("end", broken).off("close", broken);
      clearTimeout(timer);
      resolve(head);
    };
    const read = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      if (!bytes.includes("\r\n\r\n") && bytes.length < headBytesMax) return;
      socket.pause();
      socket.unshift(bytes);
      end(bytes.toString("latin1", 0, headBytesMax));
    };
    const broken = () => {
      socket.destroy();
      end(undefined);
    };
    const timer = setTimeout(broken, headersTimeoutMs);
    socket.on("data", read).on("end", broken).on("close", broken);
  });
}
