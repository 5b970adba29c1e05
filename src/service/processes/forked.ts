/** One of several processes that answer, as the one with the port sees it. */
import type { ChildProcess } from "node:child_process";
import type { Arrival } from "./front.ts";
import { type Asked, beatMs, type FromWorker, type ToWorker } from "./messages.ts";

/** Nothing new is given to a process that has not been heard of for so long. */
const silentMs = 5 * beatMs;
/** How long it may take over a question. */
const answerMs = 3_000;

export interface ForkedOptions {
  /** Told of connections that did not get there. */
  readonly unsent: (arrival: Arrival) => void;
  /** Told when it takes no more connections. */
  readonly leaving: () => void;
}

/** How a process has ended. */
export interface Ended {
  /** Undefined where a signal has ended it. */
  readonly code: number | undefined;
  /** `ended with 1`, `was ended by SIGKILL`. */
  readonly how: string;
}

export class Forked {
  readonly #child: ChildProcess;
  readonly #options: ForkedOptions;
  /** Sent there and not yet taken. */
  readonly #handing = new Map<number, Arrival>();
  readonly #questions = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #isReady = false;
  #isLeaving = false;
  /** Comes to pass when connections may be handed to it; never where it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ended>;

  constructor(child: ChildProcess, options: ForkedOptions) {
    this.#child = child;
    this.#options = options;
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Ended>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    child.on("message", (message) => {
      this.#heardAt = performance.now();
      this.#hear(message as FromWorker, ready.resolve);
    });
    child.once("exit", () => {
      this.#isReady = false;
    });
    // By then everything that it has said was heard.
    child.once("close", (code: number | null, signal) => {
      this.#letGo();
      const how = code === null ? `was ended by ${signal}` : `ended with ${code}`;
      ended.resolve({ code: code ?? undefined, how });
    });
    child.on("error", ({ message }) => {
      if (child.pid === undefined) ended.resolve({ code: 1, how: `is not to be had: ${message}` });
    });
  }

  /** What it did not come to is for others. */
  #letGo(): void {
    for (const { reject } of this.#questions.values()) reject(new Error("It has ended."));
    const untaken = [...this.#handing.values()];
    this.#handing.clear();
    for (const arrival of untaken) this.#options.unsent(arrival);
  }

  #hear(said: FromWorker, ready: () => void): void {
    if (said.kind === "ready") {
      this.#isReady = true;
      ready();
    } else if (said.kind === "taken") this.#taken(said.id);
    else if (said.kind === "answered") this.#questions.get(said.id)?.resolve(said.value);
    else if (said.kind === "leaving") {
      this.#isLeaving = true;
      this.#options.leaving();
      this.#say({ kind: "left" });
    }
  }

  /** Whether it takes connections. */
  get isOpen(): boolean {
    return this.#isReady && !this.#isLeaving && this.#child.connected;
  }

  /** Whether it was heard of lately. */
  get isAwake(): boolean {
    return performance.now() - this.#heardAt < silentMs;
  }

  /** Whether it is about to end because it was told to. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Both processes have the connection until the other says so, lest it be lost between them. */
  hand(arrival: Arrival): void {
    this.#count += 1;
    const id = this.#count;
    this.#handing.set(id, arrival);
    const message: ToWorker = { kind: "connection", id, bytes: arrival.bytes };
    this.#child.send(message, arrival.socket, { keepOpen: true }, (error) => {
      if (error && this.#handing.delete(id)) this.#options.unsent(arrival);
    });
  }

  #taken(id: number): void {
    this.#handing.get(id)?.socket.destroy();
    this.#handing.delete(id);
  }

  /** @throws Error where no answer comes in time */
  ask(what: Asked): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    const question = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => question.reject(new Error("It does not answer.")), answerMs);
    this.#questions.set(id, question);
    this.#say({ kind: "asked", id, what });
    return question.promise.finally(() => {
      clearTimeout(timer);
      this.#questions.delete(id);
    });
  }

  /** Has it drain, and end. */
  end(): void {
    this.#say({ kind: "end" });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #say(message: ToWorker): void {
    // One that is gone need not hear it.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
