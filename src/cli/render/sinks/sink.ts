/**
 * Where bytes leave the process.
 *
 * They are written to the descriptor itself: the first touch of `process.stdout` costs 2 ms, and
 * its buffering would lose what was printed when the process ends early.
 */
import { writeSync } from "node:fs";

/** Takes text or bytes, in order. */
export interface Sink {
  write(text: string | Uint8Array): void | Promise<void>;
}

/** A sink that has written when it returns. */
export interface DirectSink extends Sink {
  write(text: string | Uint8Array): void;
}

/** Whoever read the output has gone (`| head`). Not a failure: the command stops, and exits 0. */
export class ClosedPipeError extends Error {
  constructor() {
    super("The reader of the output has gone.");
    this.name = "ClosedPipeError";
  }
}

/** How long to wait for a slow reader before the next try. */
const retryMs = 2;

/** What a sink needs of the operating system; a test passes its own. */
export type WriteBytes = (descriptor: number, bytes: Uint8Array, offset: number) => number;

/**
 * A sink over an open descriptor.
 *
 * Nobody listening on 2 is no reason to stop, so messages for a closed stderr are dropped; data for
 * a closed stdout throws.
 *
 * @throws ClosedPipeError from `write`, when the other end of stdout is closed
 */
export function descriptorSink(
  descriptor: 1 | 2,
  writeBytes: WriteBytes = (fd, bytes, offset) => writeSync(fd, bytes, offset),
): DirectSink {
  let closed = false;
  return {
    write(text) {
      if (closed) return;
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      let offset = 0;
      while (offset < bytes.length) {
        try {
          offset += writeBytes(descriptor, bytes, offset);
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code === "EAGAIN") {
            pause(retryMs);
            continue;
          }
          if (code !== "EPIPE" && code !== "EOF") throw error;
          if (descriptor === 1) throw new ClosedPipeError();
          closed = true;
          return;
        }
      }
    },
  };
}

/** A sink that keeps what it is given, for tests and for texts that are shown later. */
export function memorySink(): DirectSink & { readonly text: string } {
  let text = "";
  const decoder = new TextDecoder();
  return {
    get text() {
      return text;
    },
    write(more) {
      text += typeof more === "string" ? more : decoder.decode(more, { stream: true });
    },
  };
}

/** Most characters that wait before they are written. */
const waitingMax = 16_384;

/**
 * Joins many small texts into few writes.
 *
 * What waits is written when it is enough, and also as soon as the program has nothing else to do
 * (while the next page is on its way), so nobody waits for rows that are already there.
 */
export class JoiningSink implements Sink {
  readonly #sink: Sink;
  #waiting = "";
  #timer: NodeJS.Immediate | undefined;
  #failed: unknown;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  write(piece: string | Uint8Array): void | Promise<void> {
    if (this.#failed !== undefined) throw this.#failed;
    if (typeof piece !== "string") {
      const flushed = this.flush();
      return flushed ? flushed.then(() => this.#sink.write(piece)) : this.#sink.write(piece);
    }
    this.#waiting += piece;
    if (this.#waiting.length >= waitingMax) return this.flush();
    this.#timer ??= setImmediate(() => {
      this.#timer = undefined;
      try {
        const written = this.flush();
        if (written) written.catch((error: unknown) => this.#fail(error));
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Writes what waits. */
  flush(): void | Promise<void> {
    if (this.#failed !== undefined) throw this.#failed;
    if (this.#timer) clearImmediate(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = "";
    return text === "" ? undefined : this.#sink.write(text);
  }

  #fail(error: unknown): void {
    this.#failed ??= error;
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
