/**
 * Rows on their way to a server, gathered by table.
 *
 * A small statement costs a server about as much as ten rows. So the rows of a transaction wait until
 * something is asked of the server, and those of a table go in together, whoever's they are.
 */
import type { Insertion, Row, Value } from "../dialect.ts";

/** Parameters that one statement may take. */
const parametersMax = 32_767;
/** Rows of one insert: a full chunk, else the next smaller, so that few texts are ever made. */
const chunks = [512, 128, 64, 32, 16, 8, 7, 6, 5, 4, 3, 2, 1] as const;

/** How many rows wait, and how many characters and bytes, before they had better be sent. */
const rowsMax = 512;
const lengthMax = 512 * 1024;

/** Those of one table. */
interface Gathered {
  readonly rows: Row[];
  /** Where in `rows` that of each key is, of an insertion that minds what is there already. */
  readonly at: Map<string, number> | undefined;
  /** Which columns are the key. */
  readonly key: readonly number[];
}

export class WaitingRows {
  readonly #tables = new Map<Insertion, Gathered>();
  #count = 0;
  #length = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isFull(): boolean {
    return this.#count >= rowsMax || this.#length >= lengthMax;
  }

  /** Whether rows can go only after those that wait have gone. */
  mustFollow(insertion: Insertion, rows: readonly Row[]): boolean {
    const { at, key } = this.#tables.get(insertion) ?? {};
    if (at === undefined || key === undefined || insertion.merged !== undefined) return false;
    return insertion.key === undefined || rows.some((row) => at.has(keyOf(row, key)));
  }

  /** @param rows  none that must follow, and of each key one */
  add(insertion: Insertion, rows: readonly Row[]): void {
    const { rows: gathered, at, key } = this.#gatheredFor(insertion);
    for (const row of rows) {
      const before = at?.get(keyOf(row, key));
      if (before !== undefined && insertion.merged !== undefined) {
        gathered[before] = insertion.merged(gathered[before] as Row, row);
        continue;
      }
      at?.set(keyOf(row, key), gathered.length);
      gathered.push(row);
      this.#count += 1;
      for (const value of row) this.#length += lengthOf(value);
    }
  }

  /** Takes over what waits elsewhere. @returns false, with nothing taken, where any must follow */
  addAll(others: WaitingRows): boolean {
    const all = [...others.#tables];
    if (all.some(([insertion, { rows }]) => this.mustFollow(insertion, rows))) return false;
    for (const [insertion, { rows }] of all) this.add(insertion, rows);
    others.clear();
    return true;
  }

  /** The statements that put them in; they wait no longer. */
  take(): { readonly text: string; readonly values: readonly Value[] }[] {
    const statements = [...this.#tables].flatMap(([insertion, { rows }]) =>
      inserts(insertion, rows),
    );
    this.clear();
    return statements;
  }

  clear(): void {
    this.#tables.clear();
    this.#count = 0;
    this.#length = 0;
  }

  #gatheredFor(insertion: Insertion): Gathered {
    const known = this.#tables.get(insertion);
    if (known !== undefined) return known;
    const { columns, key = [], tail } = insertion;
    const at = tail === "" ? undefined : new Map<string, number>();
    const made = { rows: [], at, key: key.map((name) => columns.indexOf(name)) };
    this.#tables.set(insertion, made);
    return made;
  }
}

function keyOf(row: Row, key: readonly number[]): string {
  return key.map((at) => row[at]).join("\0");
}

function lengthOf(value: Value): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

function inserts(insertion: Insertion, rows: readonly Row[]) {
  const statements: { text: string; values: Value[] }[] = [];
  const width = insertion.columns.length;
  let from = 0;
  for (const chunk of chunks) {
    if (chunk > 1 && chunk * width > parametersMax) continue;
    for (; from + chunk <= rows.length; from += chunk) {
      const values = rows.slice(from, from + chunk).flat();
      statements.push({ text: insertText(insertion, chunk), values });
    }
  }
  return statements;
}

const insertTexts = new WeakMap<Insertion, Map<number, string>>();

function insertText(insertion: Insertion, count: number): string {
  const texts = insertTexts.get(insertion) ?? new Map<number, string>();
  insertTexts.set(insertion, texts);
  let text = texts.get(count);
  if (text === undefined) {
    const { table, columns, tail } = insertion;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const rows = Array.from({ length: count }, (_, row) => {
      const marks = columns.map((_column, at) => `$${row * columns.length + at + 1}`);
      return `(${marks.join(", ")})`;
    });
    text = `insert into "${table}" (${names}) values ${rows.join(", ")} ${tail}`;
    texts.set(count, text);
  }
  return text;
}
