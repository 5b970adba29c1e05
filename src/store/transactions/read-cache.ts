/**
 * A cache of answers to reads, valid until any write.
 *
 * Apps repeat the same requests, and books are read far more often than written. SQLite's data
 * version changes with every commit of any process and takes a tenth of the time of a read, so a
 * cached answer is never stale.
 */

/** Maximum bytes cached, some 2,500 invoices; the oldest entry is dropped first. */
const bytesMax = 8 * 1024 * 1024;

export class ReadCache {
  readonly #dataVersion: () => number | undefined;
  readonly #bytesMax: number;
  readonly #cached = new Map<string, { readonly text: string; readonly bytes: number }>();
  #cachedVersion: number | undefined;
  #bytes = 0;
  #hasRead = false;

  /** @param dataVersion  changes with every commit; undefined when the database has none */
  constructor(dataVersion: () => number | undefined, max = bytesMax) {
    this.#dataVersion = dataVersion;
    this.#bytesMax = max;
  }

  /** The result of `read`, cached under the key until any write. */
  async get(key: string, read: () => Promise<string>): Promise<string> {
    // The first read is not cached and skips the version: a command reads once and ends.
    if (!this.#hasRead) {
      this.#hasRead = true;
      return read();
    }
    // Taken before the read, which may then see a later version's data, but never an earlier one's.
    const version = this.#dataVersion();
    if (version === undefined) return read();
    if (version !== this.#cachedVersion) this.#clear(version);
    const entry = this.#cached.get(key);
    if (entry !== undefined) return entry.text;
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
    // Counting the bytes also flattens the concatenated string, which otherwise every answer would
    // traverse.
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
