/**
 * A cache of answers to reads, valid until anything is written.
 *
 * Apps ask for the same records again and again, and books are read far more often than they are
 * written. The data version of SQLite changes with every commit of any process, and takes a tenth
 * of the time of a read, so a cached answer is never older than a new one would be.
 */

/** Bytes cached at most, some 2,500 invoices; the oldest goes first. */
const bytesMax = 8 * 1024 * 1024;

export class ReadCache {
  readonly #dataVersion: () => number | undefined;
  readonly #bytesMax: number;
  readonly #cached = new Map<string, { readonly text: string; readonly bytes: number }>();
  #cachedVersion: number | undefined;
  #bytes = 0;
  #hasRead = false;

  /** @param dataVersion  changes with every commit; undefined where the database has none */
  constructor(dataVersion: () => number | undefined, max = bytesMax) {
    this.#dataVersion = dataVersion;
    this.#bytesMax = max;
  }

  /** What `read` finds, or found before under the same key while nothing was written. */
  async get(key: string, read: () => Promise<string>): Promise<string> {
    // A command reads once and is over; it need not even ask for the version.
    if (!this.#hasRead) {
      this.#hasRead = true;
      return read();
    }
    // Before the read, which may then find what a later version has, and never less.
    const version = this.#dataVersion();
    if (version === undefined) return read();
    if (version !== this.#cachedVersion) this.#clear(version);
    const found = this.#cached.get(key);
    if (found !== undefined) return found.text;
    const text = await read();
    if (version === this.#cachedVersion) this.#add(key, text);
    return text;
  }

  #clear(version: number): void {
    this.#cached.clear();
    this.#bytes = 0;
    this.#cachedVersion = version;
  }

  #add(key: string, text: string): void {
    if (this.#cached.has(key)) return;
    // To count its bytes also makes one text of the pieces that it was put together from, which
    // else would be gone through for every answer.
    const bytes = Buffer.byteLength(text);
    this.#cached.set(key, { text, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes }] of this.#cached) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#cached.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
