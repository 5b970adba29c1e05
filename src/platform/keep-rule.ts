/**
 * Which backups of a series are kept: the newest of each of so many days, weeks, months and years.
 *
 * Only days that have a backup count, and so do weeks and the others: a series that stands still for
 * a month loses nothing by it. Days begin at midnight UTC, weeks on Mondays.
 */
import { UsageError } from "../resources/errors.ts";

const dayMs = 86_400_000;
/** The first Monday of the epoch was its fifth day. */
const mondayMs = 4 * dayMs;

/** The period of each unit that holds a moment, as a number or text of its own. */
const periods = {
  h: (at: number) => Math.floor(at / 3_600_000),
  d: (at: number) => Math.floor(at / dayMs),
  w: (at: number) => Math.floor((at - mondayMs) / (7 * dayMs)),
  m: (at: number) => new Date(at).toISOString().slice(0, 7),
  y: (at: number) => new Date(at).toISOString().slice(0, 4),
} as const satisfies Record<string, (at: number) => number | string>;

type PeriodUnit = keyof typeof periods;

/** How many periods of a unit keep their newest backup. */
export interface KeepTerm {
  readonly unit: PeriodUnit;
  readonly count: number;
}

export type KeepRule = readonly KeepTerm[];

/** @param text  `7d,4w,12m` @throws UsageError */
export function readKeepRule(text: string): KeepRule {
  const terms = text.split(",").map((part): KeepTerm => {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwmy])$/.exec(part.trim()) ?? [];
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

/** The rule as it is written. */
export const writeKeepRule = (rule: KeepRule): string =>
  rule.map(({ unit, count }) => `${count}${unit}`).join(",");

/** The moments of `made` that the rule keeps; the newest is always one of them. */
export function keptBy(rule: KeepRule, made: readonly number[]): ReadonlySet<number> {
  const newestFirst = made.toSorted((a, b) => b - a);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const { unit, count } of rule) {
    const seen = new Set<number | string>();
    for (const at of newestFirst) {
      const period = periods[unit](at);
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(at);
    }
  }
  return kept;
}
