/**
 * A connection between two processes of this machine, over which messages go in both directions.
 *
 * A message is a head, written as JSON, and a body of bytes; before them stand their two lengths.
 * Those of one turn of the event loop are sent together, since to send costs more than to write.
 */
import type { Socket } from "node:net";

/** Of the two lengths, each a 32-bit number, the highest byte first. */
const lengthsBytes = 8;
/** Of both together; more is no message of ours. */
const messageBytesMax = 256 * 1024 * 1024;

export class Link<Sent, Received> {
  readonly #socket: Socket;
  readonly #received: (head: Received, body: Buffer) => void;
  #unsent: Uint8Array[] = [];
  #unread: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, received: (head: Received, body: Buffer) => void) {
    this.#socket = socket;
    this.#received = received;
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  send(head: Sent, body: string | Uint8Array): void {
    const headBytes = Buffer.from(JSON.stringify(head));
    const bodyBytes = typeof body === "string" ? Buffer.from(body) : body;
    const lengths = Buffer.allocUnsafe(lengthsBytes);
    lengths.writeUInt32BE(headBytes.length, 0);
    lengths.writeUInt32BE(bodyBytes.length, 4);
    if (this.#unsent.length === 0) setImmediate(() => this.flush());
    this.#unsent.push(lengths, headBytes, bodyBytes);
  }

  /** Sends what waits to be sent. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    const bytes = Buffer.concat(this.#unsent);
    this.#unsent = [];
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  #read(bytes: Buffer): void {
    const all = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    let at = 0;
    while (all.length - at >= lengthsBytes) {
      const headEnd = at + lengthsBytes + all.readUInt32BE(at);
      const bodyEnd = headEnd + all.readUInt32BE(at + 4);
      if (bodyEnd - at > messageBytesMax) return void this.#socket.destroy();
      if (bodyEnd > all.length) break;
      const head = JSON.parse(all.toString("utf8", at + lengthsBytes, headEnd)) as Received;
      this.#received(head, all.subarray(headEnd, bodyEnd));
      at = bodyEnd;
    }
    this.#unread = all.subarray(at);
  }
}
