/**
 * Writes the log of a server to stderr.
 *
 * The reader of a pipe may stop reading, and the server must not block on that: output then waits
 * in memory up to a limit, beyond which the log counts dropped lines. Writes to a file or a
 * terminal are complete on return.
 */
import { constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { descriptorSink } from "./sink.ts";

export interface LogSink {
  write(lines: string): void;
  /** Whether further lines must be dropped. */
  isFull(): boolean;
  /** Waits until everything is written, or the reader has not read for a while. */
  end(): Promise<void>;
}

const waitingBytesMax = 1024 * 1024;
const endMs = 1_000;

/** Returns the log sink on stderr. */
export function logSink(): LogSink {
  const fd = pipeOf();
  if (fd === undefined) {
    const sink = descriptorSink(2);
    return {
      write: (lines) => sink.write(`${lines}\n`),
      isFull: () => false,
      end: () => Promise.resolve(),
    };
  }
  const pipe = new Socket({ fd, readable: false, writable: true });
  // A closed pipe does not stop the server.
  pipe.on("error", () => undefined);
  pipe.unref();
  return {
    write: (lines) => void (pipe.writable && pipe.write(`${lines}\n`)),
    isFull: () => pipe.writableLength > waitingBytesMax,
    end: async () => {
      const writtenAll = new Promise<true>((resolve) => {
        pipe.write("", () => resolve(true));
      });
      let timer: NodeJS.Timeout | undefined;
      const timeLimit = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), endMs);
      });
      const isWritten = await Promise.race([writtenAll, timeLimit]);
      clearTimeout(timer);
      // Pending output would keep the process alive; otherwise the pipe stays open.
      if (!isWritten) pipe.destroy();
    },
  };
}

/**
 * Opens the pipe of stderr for writes that do not block; undefined where stderr is not a pipe. The
 * pipe is opened anew, since a non-blocking mode on the descriptor would affect other processes
 * that share it. A socket, as Node gives to child processes, cannot be reopened, but is not shared.
 */
function pipeOf(): number | undefined {
  const stats = fstatSync(2);
  if (stats.isSocket()) {
    // Node opens stderr lazily too, and cannot do so while a write is pending.
    void process.stderr;
    return 2;
  }
  if (!stats.isFIFO()) return undefined;
  try {
    return openSync("/dev/stderr", constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
