/** Asks other processes of this machine, each over one connection. */
import { connect, type Socket } from "node:net";
import type { Peer } from "../../store/directory/peers.ts";
import type { Seen, ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import { pathIn } from "./address.ts";
import { Link } from "./link.ts";

/** A request whose body is at hand. */
export interface WholeRequest extends ServiceRequest {
  readonly body: Uint8Array;
}

/** The request before its body. */
export interface Asked extends Pick<ServiceRequest, "method" | "path" | "query" | "headers"> {
  /** By which the answer names it. */
  readonly number: number;
  /** By which a log names it. */
  readonly id: string | undefined;
}

/** The answer before its body. */
export interface Answered extends Pick<ServiceResponse, "status" | "headers"> {
  readonly number: number;
  /** The body is UTF-8, and becomes a text again, which takes less to send than bytes. */
  readonly isText: boolean;
  /** What else a log says of the request. */
  readonly seen: Omit<Seen, "id" | "chaos">;
  /**
   * Nobody else writes to the organisation, so that it need not be handed over; not told by processes
   * of earlier versions.
   */
  readonly isAlone?: boolean;
}

export interface HandedBack {
  readonly answer: ServiceResponse;
  readonly isAlone: boolean;
}

/** A process did not answer. */
export class PeerLostError extends Error {
  /** Whether the request may have been done all the same. */
  readonly isDoubtful: boolean;

  constructor(isDoubtful: boolean, cause?: unknown) {
    super("Another process of the service did not answer.", { cause });
    this.isDoubtful = isDoubtful;
  }
}

/** A statement may take a minute. */
const answerMs = 65_000;

interface Waiting {
  resolve(handed: HandedBack): void;
  reject(error: PeerLostError): void;
  readonly request: ServiceRequest;
  readonly timer: NodeJS.Timeout;
}

export class Correspondence {
  readonly #byAddress = new Map<string, Line>();

  /** @throws PeerLostError */
  ask({ address }: Peer, request: WholeRequest): Promise<HandedBack> {
    let line = this.#byAddress.get(address);
    if (line === undefined) {
      line = new Line(address, () => this.#byAddress.delete(address));
      this.#byAddress.set(address, line);
    }
    return line.ask(request);
  }

  /** Nothing more is asked. */
  close(): void {
    for (const line of this.#byAddress.values()) line.close();
  }
}

/** The connection to one process. */
class Line {
  readonly #socket: Socket;
  readonly #link: Link<Asked, Answered>;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isOpen = false;

  /** @param ended  called when the connection is there no more */
  constructor(address: string, ended: () => void) {
    this.#socket = connect(pathIn(address));
    this.#link = new Link(this.#socket, (head, body) => this.#answer(head, body));
    this.#socket.on("connect", () => {
      this.#isOpen = true;
    });
    let cause: unknown;
    this.#socket.on("error", (error) => {
      cause = error;
    });
    this.#socket.on("close", () => {
      ended();
      for (const number of [...this.#waiting.keys()]) {
        this.#taken(number)?.reject(new PeerLostError(this.#isOpen, cause));
      }
    });
  }

  ask(request: WholeRequest): Promise<HandedBack> {
    return new Promise((resolve, reject) => {
      this.#asked += 1;
      const number = this.#asked;
      const timer = setTimeout(() => {
        this.#taken(number)?.reject(new PeerLostError(true));
      }, answerMs);
      this.#waiting.set(number, { resolve, reject, request, timer });
      const { method, path, query, headers, seen, body } = request;
      this.#link.send({ number, id: seen?.id, method, path, query, headers }, body);
    });
  }

  #answer(
    { number, seen, isText, isAlone = false, status, headers }: Answered,
    body: Buffer,
  ): void {
    const waiting = this.#taken(number);
    if (waiting?.request.seen !== undefined) Object.assign(waiting.request.seen, seen);
    const answer = { status, headers, body: isText ? body.toString("utf8") : body };
    waiting?.resolve({ answer, isAlone });
  }

  /** Who waits for an answer, and does so no longer. */
  #taken(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  close(): void {
    this.#socket.end();
  }
}
