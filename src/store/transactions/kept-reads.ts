/**
 * What was read of a database that nobody has changed since.
 *
 * Apps ask for the same records again and again, and books are read far more often than they are
 * written. Whether anything was written, by whatever process, SQLite tells in a tenth of the time
 * that it takes to read a record, so what is given again is never older than what a reading would
 * find. After a write everything is read anew.
 */

/** Bytes of what is kept at most, some 2,500 invoices; then the oldest goes first. */
const bytesMax = 8 * 1024 * 1024;

export class KeptReads {
  readonly #mark: () => number | undefined;
  readonly #bytesMax: number;
  readonly #kept = new Map<string, { readonly text: string; readonly bytes: number }>();
  #markOfKept: number | undefined;
  #bytes = 0;
  #hasRead = false;

  /** @param mark  a number that is another one after every commit; undefined where nothing tells */
  constructor(mark: () => number | undefined, max = bytesMax) {
    this.#mark = mark;
    this.#bytesMax = max;
  }

  /** What `read` finds, or found before under the same key while nothing was written. */
  async get(key: string, read: () => Promise<string>): Promise<string> {
    // A command reads once and is over; it need not even ask for the mark.
    if (!this.#hasRead) {
      this.#hasRead = true;
      return read();
    }
    // Asked for before the reading, which may then find more than was there at the mark, never less.
    const mark = this.#mark();
    if (mark === undefined) return read();
    if (mark !== this.#markOfKept) this.#clear(mark);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.text;
    const found = await read();
    if (mark === this.#markOfKept) this.#keep(key, found);
    return found;
  }

  #clear(mark: number): void {
    this.#kept.clear();
    this.#bytes = 0;
    this.#markOfKept = mark;
  }

  #keep(key: string, text: string): void {
    if (this.#kept.has(key)) return;
    // To count its bytes also makes one text of the pieces that it was put together from, which
    // else would be gone through for every answer.
    const bytes = Buffer.byteLength(text);
    this.#kept.set(key, { text, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
