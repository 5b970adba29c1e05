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
import type { AccountId, FormatName, StatementLine } from "./bank-statement.ts";

/** Of the keys that are made here; the raw source of a line gives its key of a later version. */
export const keyVersion = 1;

/** Longest key, in characters. */
export const keyLengthMax = 64;

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

/** The batch of a part, by its key; a line that is no part is its own. */
export function batchKey(key: string): string {
  return key.replace(/\/\d+$/, "");
}
