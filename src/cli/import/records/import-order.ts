/**
 * In which order records of several files are imported: that in which they were posted, or else by
 * day, with purchases first.
 *
 * A file is imported in as few parts as that order allows: only records that touch the same goods, or
 * the same document, wait for each other.
 */
import { fold } from "../records/lookup.ts";

/** A record of a file that waits for others. */
export interface Ordered {
  /** Files of one name are imported alike. */
  readonly file: string;
  readonly rows: readonly (readonly string[])[];
  /** Number of the journal that it made; undefined where the file does not say, or it made none. */
  readonly posted: number | undefined;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Of records of one day the lower comes first. */
  readonly rank: number;
  /** What it touches: of records that touch the same the order is kept. */
  readonly touches: readonly string[];
  /** The same of records that the book could not tell apart: they go together. */
  readonly alike: string;
}

export interface ImportPart {
  readonly file: string;
  readonly records: Ordered[];
}

/** The parts of files, one after the other. */
export function partsOf(records: readonly Ordered[]): ImportPart[] {
  const parts: ImportPart[] = [];
  /** The last part with a record that touches it, or is like it. */
  const last = new Map<string, number>();
  for (const record of records.toSorted(inOrder)) {
    const { file, touches } = record;
    const alike = `${file}|${record.alike}`;
    const least = Math.max(0, ...touches.map((each) => last.get(fold(each)) ?? 0));
    const place =
      last.get(alike) ?? parts.findIndex((part, at) => at >= least && part.file === file);
    const at = place < 0 ? parts.length : place;
    if (at === parts.length) parts.push({ file, records: [] });
    parts[at]?.records.push(record);
    for (const each of touches) last.set(fold(each), Math.max(at, last.get(fold(each)) ?? 0));
    last.set(alike, at);
  }
  return parts;
}

function inOrder(a: Ordered, b: Ordered): number {
  const [first, second] = [a, b].map(({ posted }) => posted ?? Number.POSITIVE_INFINITY);
  if (first !== second) return (first ?? 0) < (second ?? 0) ? -1 : 1;
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return a.rank - b.rank;
}
