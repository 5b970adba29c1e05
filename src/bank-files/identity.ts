/**
 * By what a line of a statement is known again, within its account.
 *
 * Where the bank gives an id it is the id with date and amount, since some banks use an id twice; else
 * all that the line tells. Equal lines of a file are counted, so that a key is unique and a file with
 * more of them than the book adds the rest. A line is never known by nearness: other amounts or days
 * are other lines.
 */
import { createHash } from "node:crypto";
import type { DateText } from "../ledger/dates/calendar.ts";
import type { Cents } from "../ledger/money.ts";
import type { AccountId, FormatName, StatementLine } from "./statement.ts";

/** Of the keys that are made here; the raw source of a line gives its key of a later version. */
export const keyVersion = 1;

/** Longest key, in characters. */
export const keyLengthMax = 64;

/** What is kept of a line, to know it again. */
export interface KnownLine {
  readonly key: string;
  readonly date: DateText;
  readonly amount: Cents;
  /** The bank's own id. */
  readonly id?: string | undefined;
}

/** Formats whose ids are the bank's; that of a CSV is taken where the file has it once. */
const hasOwnIds = {
  ofx: true,
  camt: true,
  csv: true,
  mt940: false,
  qif: false,
} as const satisfies Record<FormatName, boolean>;

/** Makes the keys of one file's lines, in their order. */
export class LineKeys {
  /** Of each day how often a line of an account came. */
  readonly #counts = new Map<DateText, Map<string, number>>();

  /** @returns unique among the lines of the account; at most `keyLengthMax` characters */
  next(format: FormatName, account: AccountId, line: StatementLine): string {
    const base = baseKey(format, line);
    const counted = JSON.stringify([
      account.iban,
      account.bank,
      account.number,
      account.name,
      base,
    ]);
    const isFirst = line.batch === undefined || line.batch.place === 1;
    const ofDay = this.#counts.get(line.date) ?? new Map<string, number>();
    const count = (ofDay.get(counted) ?? 0) + (isFirst ? 1 : 0);
    this.#counts.set(line.date, ofDay.set(counted, count));
    const place = line.batch === undefined ? "" : `/${line.batch.place}`;
    return `${base}${count > 1 ? `#${count}` : ""}${place}`;
  }

  /** Of a day of which no line comes any more; without it the memory grows with the file. */
  forget(day: DateText): void {
    this.#counts.delete(day);
  }
}

/** All keys under which the book may have a line: its own, that of its batch, those of its parts. */
export function keysToLookUp(key: string): readonly string[] {
  return key.includes("/") ? [key, batchKey(key)] : [key, `${key}/1`];
}

/** That of a line, or of the batch that it is a part of. */
function baseKey(format: FormatName, line: StatementLine): string {
  const amount = line.batch?.amount ?? line.amount;
  const id = line.batch === undefined ? line.id : line.batch.id;
  if (id !== undefined && hasOwnIds[format]) {
    return `${keyVersion}i:${digest([id, line.date, amount])}`;
  }
  // Payments of a batch differ, and the batch itself has no text of its own.
  const own =
    line.batch === undefined
      ? [
          ...Object.entries(line.references).sort(byName).flat(),
          line.party?.name,
          line.party?.iban ?? line.party?.account,
          line.text,
        ]
      : [line.batch.count];
  return `${keyVersion}c:${digest([line.date, amount, line.currency, ...own])}`;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Letter case and blanks do not count: banks write both differently from export to export. */
function digest(values: readonly (string | number | undefined)[]): string {
  const texts = values.map((value) =>
    String(value ?? "")
      .toUpperCase()
      .replace(/\s+/g, ""),
  );
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 40);
}

export interface NewLines<Line> {
  readonly added: readonly Line[];
  /** Lines that the book has. */
  readonly knownCount: number;
  /** Lines under other keys, of days that are in the book with the same amounts: not added. */
  readonly sameDays: readonly Line[];
  /** For a person. */
  readonly sentences: readonly string[];
}

/**
 * Fewest lines, and days, that must agree before a bank is believed to have given all of them new ids:
 * two statements of one day may have the same amounts.
 */
const sameLinesMin = 3;
const sameDaysMin = 2;

/**
 * The lines of a file that are not in the book, as a multiset.
 *
 * @param known  lines of the account, those that were ignored or deleted among them, at least of the
 *               days that the file has
 * @param file   lines of the account, with their keys
 */
export function newLines<Line extends KnownLine>(
  known: Iterable<KnownLine>,
  file: readonly Line[],
): NewLines<Line> {
  const book = [...known];
  const keys = new Set(book.map(({ key }) => key));
  // Split into its payments or not, a batch is known by its own key.
  const batches = new Set(book.map(({ key }) => batchKey(key)));
  const isKnown = ({ key }: KnownLine) =>
    keys.has(key) || keys.has(batchKey(key)) || (!key.includes("/") && batches.has(key));
  const fresh = file.filter((line) => !isKnown(line));
  const knownCount = file.length - fresh.length;
  if (fresh.length > 0 && hasSameDays(book, file, knownCount)) {
    const days = new Set(book.map(({ date }) => date));
    const sameDays = fresh.filter(({ date }) => days.has(date));
    return {
      added: fresh.filter(({ date }) => !days.has(date)),
      knownCount,
      sameDays,
      sentences: [
        `${sameDays.length} lines have other ids than those in the book, and the same days and amounts: they are not added.`,
      ],
    };
  }
  return { added: fresh, knownCount, sameDays: [], sentences: reusedIds(book, fresh) };
}

function batchKey(key: string): string {
  return key.replace(/\/\d+$/, "");
}

/** Whether all days that file and book share have the same amounts, and not one key in common. */
function hasSameDays(
  book: readonly KnownLine[],
  file: readonly KnownLine[],
  knownCount: number,
): boolean {
  if (knownCount > 0) return false;
  const bookDays = Map.groupBy(book, ({ date }) => date);
  const fileDays = Map.groupBy(file, ({ date }) => date);
  const shared = [...fileDays.keys()].filter((date) => bookDays.has(date));
  const amounts = (lines: readonly KnownLine[] = []) =>
    lines
      .map(({ amount }) => amount)
      .sort((a, b) => a - b)
      .join();
  if (!shared.every((date) => amounts(fileDays.get(date)) === amounts(bookDays.get(date)))) {
    return false;
  }
  const lines = shared.flatMap((date) => fileDays.get(date) ?? []);
  const kinds = (of: readonly KnownLine[]) => new Set(of.map(({ key }) => key.slice(0, 2)));
  const bookKinds = kinds(shared.flatMap((date) => bookDays.get(date) ?? []));
  const isOtherKind = [...kinds(lines)].every((kind) => !bookKinds.has(kind));
  if (isOtherKind) return lines.length >= 1;
  return lines.length >= sameLinesMin && shared.length >= sameDaysMin;
}

/** Sentences on ids of the bank that stand for another line in the book. */
function reusedIds(book: readonly KnownLine[], fresh: readonly KnownLine[]): string[] {
  const ids = new Set(book.flatMap(({ id }) => id ?? []));
  return fresh
    .filter(({ id }) => id !== undefined && ids.has(id))
    .map(({ id, date }) => `The bank's id ${id} of ${date} stands for another line in the book.`);
}
