/**
 * Order in which records of several files are imported: posting order, or else by date, with
 * purchases first.
 *
 * Files are split into as few parts as that order allows: only records that share goods or a
 * document wait for each other.
 */
import { fold } from "../records/lookup.ts";

/** A record of a file in import order. */
export interface Ordered {
  /** File name; records of one file are imported together. */
  readonly file: string;
  readonly rows: readonly (readonly string[])[];
  /** Number of its journal; undefined where the file does not give it, or there is none. */
  readonly posted: number | undefined;
  /** Date, `YYYY-MM-DD`. */
  readonly day: string;
  /** Order within a day: lower first. */
  readonly rank: number;
  /** Keys of the goods or documents that it affects; records that share one keep their order. */
  readonly touches: readonly string[];
  /** Identity of the record's content; records with the same one stay in one part. */
  readonly alike: string;
}

export interface ImportPart {
  readonly file: string;
  readonly records: Ordered[];
}

/** Returns the parts of files in import order. */
export function partsOf(records: readonly Ordered[]): ImportPart[] {
  const parts: ImportPart[] = [];
  /** Index of the last part with a record of the same key or identity. */
  const last = new Map<string, number>();
  for (const record of records.toSorted(compareByPosting)) {
    const { file, touches } = record;
    const sameRecords = `${file}|${record.alike}`;
    const firstPart = Math.max(0, ...touches.map((touch) => last.get(fold(touch)) ?? 0));
    const partIndex =
      last.get(sameRecords) ?? parts.findIndex((part, at) => at >= firstPart && part.file === file);
    const at = partIndex < 0 ? parts.length : partIndex;
    if (at === parts.length) parts.push({ file, records: [] });
    parts[at]?.records.push(record);
    for (const touch of touches) last.set(fold(touch), Math.max(at, last.get(fold(touch)) ?? 0));
    last.set(sameRecords, at);
  }
  return parts;
}

function compareByPosting(a: Ordered, b: Ordered): number {
  const [first, second] = [a, b].map(({ posted }) => posted ?? Number.POSITIVE_INFINITY);
  if (first !== second) return (first ?? 0) < (second ?? 0) ? -1 : 1;
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return a.rank - b.rank;
}
