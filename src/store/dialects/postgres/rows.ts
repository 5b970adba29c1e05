/** Inserts of many rows, as few statements with few different texts. */
import type { Insertion, Row, Value } from "../../connection/connection.ts";

/** Parameters of one statement, by the wire protocol. */
const parametersMax = 32_767;
/** Rows of one statement: the largest chunk that fits, so that texts are few and stay prepared. */
const chunks = [512, 128, 64, 32, 16, 8, 7, 6, 5, 4, 3, 2, 1] as const;

/** The statements that insert `rows`. */
export function insertStatements(insertion: Insertion, rows: readonly Row[]) {
  const merged = insertion.tail === "" ? rows : mergedByKey(insertion, rows);
  const statements: { readonly text: string; readonly values: readonly Value[] }[] = [];
  const width = insertion.columns.length;
  let from = 0;
  for (const chunk of chunks) {
    if (chunk > 1 && chunk * width > parametersMax) continue;
    for (; from + chunk <= merged.length; from += chunk) {
      const values = merged.slice(from, from + chunk).flat();
      statements.push({ text: insertText(insertion, chunk), values });
    }
  }
  return statements;
}

/** One row a key, since a statement may not update a row twice. */
function mergedByKey({ columns, key, merged }: Insertion, rows: readonly Row[]): readonly Row[] {
  if (rows.length < 2 || key === undefined || merged === undefined) return rows;
  const places = key.map((name) => columns.indexOf(name));
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const name = places.map((at) => row[at]).join("\0");
    const before = byKey.get(name);
    byKey.set(name, before === undefined ? row : merged(before, row));
  }
  return [...byKey.values()];
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
      const places = columns.map((_column, at) => `$${row * columns.length + at + 1}`);
      return `(${places.join(", ")})`;
    });
    text = `insert into "${table}" (${names}) values ${rows.join(", ")} ${tail}`;
    texts.set(count, text);
  }
  return text;
}
