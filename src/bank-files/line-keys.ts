/**
 * Keys that identify statement lines within their account.
 *
 * If the bank gives an id, the key is made from id, date and amount, since some banks reuse ids;
 * otherwise from the whole contents of the line. Equal lines of a file are counted, so that keys
 * are unique and further equal lines are added. Lines with other amounts or dates are other lines,
 * however near.
 */

import { createHash } from "node:crypto";
import type { DateText } from "../ledger/dates/calendar.ts";
import type { AccountId, FormatName, StatementLine } from "./bank-statement.ts";

/**
 * Version of the key algorithm; later versions can compute keys from the stored source of a line.
 */
export const keyVersion = 1;

/** Maximum length of a key in characters. */
export const keyLengthMax = 64;

/**
 * Whether ids in a format are assigned by the bank; an id in a CSV counts if it is unique in the
 * file.
 */
const hasOwnIds = {
  ofx: true,
  camt: true,
  csv: true,
  mt940: false,
  qif: false,
} as const satisfies Record<FormatName, boolean>;

/** Creates the keys of the lines of one file, in their order. */
export class LineKeys {
  /** Number of equal lines, by day and by key without counter. */
  readonly #counts = new Map<DateText, Map<string, number>>();

  /**
   * Key of the next line.
   *
   * @returns unique among the lines of the account; at most `keyLengthMax` characters
   */
  next(format: FormatName, account: AccountId, line: StatementLine): string {
    const keyBase = baseKey(format, line);
    const countKey = JSON.stringify([
      account.iban,
      account.bank,
      account.number,
      account.name,
      keyBase,
    ]);
    const isFirst = line.batch === undefined || line.batch.place === 1;
    const countOfDay = this.#counts.get(line.date) ?? new Map<string, number>();
    const count = (countOfDay.get(countKey) ?? 0) + (isFirst ? 1 : 0);
    this.#counts.set(line.date, countOfDay.set(countKey, count));
    const placeSuffix = line.batch === undefined ? "" : `/${line.batch.place}`;
    return `${keyBase}${count > 1 ? `#${count}` : ""}${placeSuffix}`;
  }

  /**
   * Drops the counts of a day without further lines; otherwise memory use would grow with the file.
   */
  forget(day: DateText): void {
    this.#counts.delete(day);
  }
}

/** Key without counter of a line, or of the batch that it is part of. */
function baseKey(format: FormatName, line: StatementLine): string {
  const amount = line.batch?.amount ?? line.amount;
  const id = line.batch === undefined ? line.id : line.batch.id;
  if (id !== undefined && hasOwnIds[format]) {
    return `${keyVersion}i:${hashValues([id, line.date, amount])}`;
  }
  // The payments of a batch differ, and the batch itself has no text, so the number of payments is
  // used.
  const keyFields =
    line.batch === undefined
      ? [
          ...Object.entries(line.references)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .flat(),
          line.party?.name,
          line.party?.iban ?? line.party?.account,
          line.text,
        ]
      : [line.batch.count];
  return `${keyVersion}c:${hashValues([line.date, amount, line.currency, ...keyFields])}`;
}

/** Hash of values, ignoring case and spaces, in which exports of the same bank differ. */
function hashValues(values: readonly (string | number | undefined)[]): string {
  const valueTexts = values.map((value) =>
    String(value ?? "")
      .toUpperCase()
      .replace(/\s+/g, ""),
  );
  return createHash("sha256").update(JSON.stringify(valueTexts)).digest("hex").slice(0, 40);
}

/** Key of the batch that a line is part of; for other lines, their own key. */
export function batchKey(key: string): string {
  return key.replace(/\/\d+$/, "");
}
