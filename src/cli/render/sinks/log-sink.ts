/**
 * Where the log of a service leaves the process.
 *
 * Whoever reads a log through a pipe may stop reading, and a service must not stop for that: what it
 * writes waits in memory then, up to a bound, and what is more is for the log to count. Into a file
 * or on a terminal a write is done when it returns.
 */
import { constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { descriptorSink } from "./sink.ts";

export interface LogSink {
  write(lines: string): void;
  /** Whether more has to be dropped. */
  isFull(): boolean;
  /** Returns when everything is written, or nobody has read for a while. */
  end(): Promise<void>;
}

const waitingBytesMax = 1024 * 1024;
const endMs = 1_000;

/** The log on stderr. */
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
  // Nobody listening is no reason to stop.
  pipe.on("error", () => undefined);
  pipe.unref();
  return {
    write: (lines) => void (pipe.writable && pipe.write(`${lines}\n`)),
    isFull: () => pipe.writableLength > waitingBytesMax,
    end: async () => {
      const written = new Promise<true>((resolve) => {
        pipe.write("", () => resolve(true));
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), endMs);
      });
      const isWritten = await Promise.race([written, late]);
      clearTimeout(timer);
      // What still waits would keep the process alive; otherwise there may be more to be said.
      if (!isWritten) pipe.destroy();
    },
  };
}

/**
 * Where stderr leads, if others read it as it comes; undefined where it does not.
 *
 * A pipe is opened anew: a descriptor that does not wait would change how those write who share it.
 * A socket, which is how Node starts other programs, cannot be, and is nobody else's.
 */
function pipeOf(): number | undefined {
  const stats = fstatSync(2);
  if (stats.isSocket()) {
    // Node opens it too, at the latest when a connection is closed, and cannot while a write waits.
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
