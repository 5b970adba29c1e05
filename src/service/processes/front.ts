/**
 * The port of several processes: takes connections, and hands each to one of them.
 *
 * The first request of a connection tells where it belongs. The socket itself goes there, with what
 * was read of it, so that nothing stands between a client and its process from then on.
 */
import { createServer, type Socket } from "node:net";
import { headBytesMax, headersTimeoutMs } from "../http/bounds.ts";
import { type Opening, opened } from "../http/opened.ts";
import { readHead, writtenBy } from "./placing.ts";

/** A connection, and what was read of it: its first head, and what came with it. */
export interface Arrival {
  readonly socket: Socket;
  readonly bytes: Buffer;
  /** What stands for the organisation that is written to, if the first request writes. */
  readonly organisation: string | undefined;
}

export class Front {
  readonly #arriving = new Set<Socket>();
  readonly #arrived: (arrival: Arrival) => void;
  // A socket that holds a byte which nobody has taken reads no more, and so loses none on its way.
  readonly #listener = createServer(
    { allowHalfOpen: true, noDelay: true, highWaterMark: 1 },
    (socket) => void this.#arrive(socket),
  );

  constructor(arrived: (arrival: Arrival) => void) {
    this.#arrived = arrived;
  }

  /** @returns `http://127.0.0.1:9320` @throws PortError */
  open(opening: Opening): Promise<string> {
    return opened(this.#listener, opening);
  }

  async #arrive(socket: Socket): Promise<void> {
    // Whoever waits for more is told by the end of the connection.
    socket.on("error", () => undefined);
    this.#arriving.add(socket);
    const bytes = await firstHead(socket);
    this.#arriving.delete(socket);
    if (bytes === undefined) return;
    const head = readHead(bytes.toString("latin1", 0, headBytesMax));
    this.#arrived({ socket, bytes, organisation: writtenBy(head) });
  }

  /** Takes no more connections, and ends those that have not said yet what they want. */
  close(): void {
    this.#listener.close();
    for (const socket of this.#arriving) socket.destroy();
  }
}

/**
 * Reads until the head of the first request is whole, or too long to be one. Then the connection
 * stands still.
 *
 * @returns undefined where the connection came to nothing
 */
function firstHead(socket: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const end = (head: Buffer | undefined) => {
      socket.off("data", read).off("end", broken).off("close", broken);
      clearTimeout(timer);
      resolve(head);
    };
    const read = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      if (!bytes.includes("\r\n\r\n") && bytes.length < headBytesMax) return;
      socket.pause();
      socket.unshift(chunk);
      end(bytes);
    };
    const broken = () => {
      socket.destroy();
      end(undefined);
    };
    const timer = setTimeout(broken, headersTimeoutMs);
    socket.on("data", read).on("end", broken).on("close", broken);
  });
}
