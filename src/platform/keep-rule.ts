/**
 * Retention rule for backups: keeps the newest backup of each of a number of days, weeks, months
 * and years.
 *
 * Only periods that have a backup are counted, so that a series without backups for a month loses
 * none. Days begin at midnight UTC, weeks on Mondays.
 */
import { UsageError } from "../resources/errors.ts";

const dayMs = 86_400_000;
/** Time of the first Monday after 1 January 1970, a Thursday. */
const mondayMs = 4 * dayMs;

/** Functions that return the period of a unit that contains a time, as a unique number or text. */
const periods = {
  h: (at: number) => Math.floor(at / 3_600_000),
  d: (at: number) => Math.floor(at / dayMs),
  w: (at: number) => Math.floor((at - mondayMs) / (7 * dayMs)),
  m: (at: number) => new Date(at).toISOString().slice(0, 7),
  y: (at: number) => new Date(at).toISOString().slice(0, 4),
} as const satisfies Record<string, (at: number) => number | string>;

type PeriodUnit = keyof typeof periods;

/** Number of periods of a unit whose newest backup is kept. */
export interface KeepTerm {
  readonly unit: PeriodUnit;
  readonly count: number;
}

export type KeepRule = readonly KeepTerm[];

/**
 * Parses a retention rule.
 *
 * @param text  such as `7d,4w,12m`
 * @throws UsageError
 */
export function readKeepRule(text: string): KeepRule {
  const terms = text.split(",").map((term): KeepTerm => {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwmy])$/.exec(term.trim()) ?? [];
    if (unit === undefined) throw notARule(text);
    return { unit: unit as PeriodUnit, count: Number(count) };
  });
  if (new Set(terms.map(({ unit }) => unit)).size < terms.length) throw notARule(text);
  return terms;
}

function notARule(text: string): UsageError {
  const message = `--keep takes numbers of hours, days, weeks, months and years, each once, such as 7d,4w,12m; not "${text}".`;
  return new UsageError("BadValue", message);
}

/** Formats a retention rule: `7d,4w,12m`. */
export const writeKeepRule = (rule: KeepRule): string =>
  rule.map(({ unit, count }) => `${count}${unit}`).join(",");

/** Times of the backups that a rule keeps, among the times `made`; always includes the newest. */
export function keptBy(rule: KeepRule, times: readonly number[]): ReadonlySet<number> {
  const newestFirst = times.toSorted((a, b) => b - a);
  const indexes = new Set(newestFirst.slice(0, 1));
  for (const { unit, count } of rule) {
    const seenPeriods = new Set<number | string>();
    for (const at of newestFirst) {
      const period = periods[unit](at);
      if (seenPeriods.has(period)) continue;
      if (seenPeriods.size === count) break;
      seenPeriods.add(period);
      indexes.add(at);
    }
  }
  return indexes;
}
