/** A process that answers over the connections that the one with the port hands to it. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Door } from "../http/door.ts";
import { countRead } from "../http/watch.ts";
import { type Asked, beatMs, type FromWorker, type Seat, type ToWorker } from "./messages.ts";
import { placeOf, writtenBy } from "./placing.ts";

/** Writes on a connection that belong elsewhere, until it is asked to come again. */
const misplacedMax = 16;

type Connection = Extract<ToWorker, { kind: "connection" }>;

export type Answers = Readonly<Record<Asked, () => Promise<unknown>>>;

/** Takes connections in the place of a port. */
export class Worker implements Door {
  readonly #seat: Seat;
  readonly #sockets = new Set<Socket>();
  readonly #misplaced = new WeakMap<Socket, number>();
  readonly #left = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #server: Server | undefined;
  #answers: Answers | undefined;
  #beating: NodeJS.Timeout | undefined;

  constructor(seat: Seat) {
    this.#seat = seat;
    process.on("message", this.#hear);
    process.once("disconnect", this.#isAlone);
    if (!process.connected) this.#isAlone();
  }

  /** Comes to pass when the process is to end, or is left alone. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async open(server: Server): Promise<string> {
    this.#server = server;
    // The event from which Node watches how long clients take. Nothing here is listened at.
    server.emit("listening");
    return this.#seat.origin;
  }

  /** Says that connections may come. */
  ready(answers: Answers): void {
    this.#answers = answers;
    this.#beating = setInterval(() => this.#say({ kind: "beat" }), beatMs).unref();
    this.#say({ kind: "ready" });
  }

  /** Whether who asks had better connect again, since what comes on the connection belongs elsewhere. */
  isMisplaced(incoming: IncomingMessage): boolean {
    const organisation = writtenBy(incoming);
    if (organisation === undefined) return false;
    if (placeOf(organisation, this.#seat.writers) === this.#seat.place) return false;
    const count = (this.#misplaced.get(incoming.socket) ?? 0) + 1;
    this.#misplaced.set(incoming.socket, count);
    return count >= misplacedMax;
  }

  async close(): Promise<void> {
    this.#say({ kind: "leaving" });
    await this.#left.promise;
    const open = [...this.#sockets].map(
      (socket) => new Promise((resolve) => socket.once("close", resolve)),
    );
    await Promise.all(open);
    // Ends the watch over clients.
    this.#server?.close();
  }

  /** Says no more, so that the process can come to its end. */
  leave(): void {
    clearInterval(this.#beating);
    process.off("message", this.#hear).off("disconnect", this.#isAlone);
    if (process.connected) process.disconnect();
  }

  readonly #isAlone = () => {
    this.#left.resolve();
    this.#ended.resolve();
  };

  readonly #hear = (message: unknown, handle?: unknown) => {
    const said = message as ToWorker;
    if (said.kind === "connection") this.#take(said, handle as Socket | undefined);
    // Who fails to say it is taken for one that does not answer.
    else if (said.kind === "asked") this.#answer(said.id, said.what).catch(() => undefined);
    else if (said.kind === "end") this.#ended.resolve();
    else this.#left.resolve();
  };

  #take({ id, bytes }: Connection, socket: Socket | undefined): void {
    this.#say({ kind: "taken", id });
    // Whoever is gone by now is nobody to be answered.
    if (socket === undefined) return;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    // A client may end its side and wait for the answer.
    socket.allowHalfOpen = true;
    socket.unshift(bytes);
    countRead(socket, bytes.length);
    this.#server?.emit("connection", socket);
    socket.resume();
  }

  async #answer(id: number, what: Asked): Promise<void> {
    const value = await this.#answers?.[what]();
    this.#say({ kind: "answered", id, value });
  }

  #say(message: FromWorker): void {
    // Who is gone need not hear it.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}
