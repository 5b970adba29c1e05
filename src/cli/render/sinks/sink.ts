/**
 * Sinks: write bytes to descriptors. `process.stdout` is avoided: its first use costs 2 ms, and its
 * buffer is lost when the process exits early.
 */
import { writeSync } from "node:fs";

/** Accepts text or bytes, in order. */
export interface Sink {
  write(text: string | Uint8Array): void | Promise<void>;
}

/** A sink whose writes are complete on return. */
export interface DirectSink extends Sink {
  write(text: string | Uint8Array): void;
}

/**
 * Thrown when the reader of the output has closed it (`| head`). Not a failure: the command stops,
 * and exits with 0.
 */
export class ClosedPipeError extends Error {
  constructor() {
    super("The reader of the output has gone.");
    this.name = "ClosedPipeError";
  }
}

/** Pause in milliseconds before a write to a slow reader is retried. */
const retryMs = 2;

/** Write function of the operating system; tests pass their own. */
export type WriteBytes = (descriptor: number, bytes: Uint8Array, offset: number) => number;

/**
 * Returns a sink on an open descriptor. A closed stderr does not stop the program, so messages to
 * it are dropped; data to a closed stdout throws.
 *
 * @throws ClosedPipeError from `write`, when the reader of stdout has closed it
 */
export function descriptorSink(
  descriptor: 1 | 2,
  writeBytes: WriteBytes = (fd, bytes, offset) => writeSync(fd, bytes, offset),
): DirectSink {
  let isClosed = false;
  return {
    write(text) {
      if (isClosed) return;
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
          isClosed = true;
          return;
        }
      }
    },
  };
}

/** Returns a sink that stores text, for tests and for texts shown later. */
export function memorySink(): DirectSink & { readonly text: string } {
  let text = "";
  const decoder = new TextDecoder();
  return {
    get text() {
      return text;
    },
    write(chunk) {
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    },
  };
}

/** Maximum count of buffered characters. */
const waitingMax = 16_384;

/**
 * Joins many small texts into few writes. The buffer is written when it is full, and as soon as the
 * program is idle (while the next page is requested), so that available rows appear without delay.
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
        const flushed = this.flush();
        if (flushed) flushed.catch((error: unknown) => this.#fail(error));
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Writes the buffer. */
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
