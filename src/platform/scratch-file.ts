/** Temporary files for data that does not fit into memory. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty temporary file, open for writing and reading. */
export interface ScratchFile {
  readonly descriptor: number;
  remove(): void;
}

/**
 * Creates a temporary file. Where the system allows it, its name is removed at once, so that
 * nothing is left behind however the program ends.
 */
export function scratchFile(): ScratchFile {
  const folder = mkdtempSync(join(tmpdir(), "acct-scratch-"));
  const descriptor = openSync(join(folder, "rows"), "wx+", 0o600);
  const unlink = () => rmSync(folder, { recursive: true, force: true });
  let isLinked = true;
  try {
    unlink();
    isLinked = false;
  } catch {
    // Windows cannot delete an open file; it is deleted on closing.
  }
  return {
    descriptor,
    remove: () => {
      closeSync(descriptor);
      if (isLinked) unlink();
    },
  };
}

/** Number of characters that are buffered before a write. */
const waitingMax = 64 * 1024;

/** Lines of text in a temporary file, given and returned without line ends. */
export class ScratchLines {
  readonly #file: ScratchFile;
  #waiting: string[] = [];
  #waitingLength = 0;
  #bytes = 0;

  constructor() {
    this.#file = scratchFile();
  }

  add(line: string): void {
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > waitingMax) this.#flush();
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.from(`${this.#waiting.join("\n")}\n`);
    let written = 0;
    while (written < bytes.length) {
      const at = this.#bytes + written;
      written += writeSync(this.#file.descriptor, bytes, written, bytes.length - written, at);
    }
    this.#bytes += bytes.length;
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  *read(): Generator<string> {
    this.#flush();
    const buffer = Buffer.alloc(256 * 1024);
    let unfinished: Buffer = Buffer.alloc(0);
    let position = 0;
    while (position < this.#bytes) {
      const count = readSync(this.#file.descriptor, buffer, 0, buffer.length, position);
      if (count === 0) break;
      position += count;
      // The buffer is split at its last line end, which is never inside a character.
      const joinedBytes = Buffer.concat([unfinished, buffer.subarray(0, count)]);
      const lastNewline = joinedBytes.lastIndexOf(10);
      unfinished = joinedBytes.subarray(lastNewline + 1);
      if (lastNewline > 0) yield* joinedBytes.toString("utf8", 0, lastNewline).split("\n");
    }
  }

  remove(): void {
    this.#file.remove();
  }

  [Symbol.dispose](): void {
    this.remove();
  }
}
