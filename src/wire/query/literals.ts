/** Literals of conditions: texts, numbers, times, GUIDs. */

export type Literal =
  | { readonly is: "null" }
  | { readonly is: "text"; readonly value: string }
  | { readonly is: "boolean"; readonly value: boolean }
  | { readonly is: "guid"; readonly value: string }
  /** `digits` without the decimal point, which stands before the last `scale` digits. */
  | { readonly is: "number"; readonly digits: bigint; readonly scale: number }
  | ({ readonly is: "instant" } & Instant);

/** A time as `ms` since 1970 UTC; when not `isExact`, it lies within that millisecond. */
export type Instant = { readonly ms: number; readonly isExact: boolean };

const instantPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/i;

/** Parses an ISO time; the default zone is UTC. */
export function instantOf(text: string): Instant | undefined {
  const parts = instantPattern.exec(text.trim());
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => +(part ?? 0));
  const localMs = utcOf([year, month, day, hour, minute, second] as number[]);
  if (localMs === undefined) return undefined;
  const fraction = (parts[7] ?? "").padEnd(9, "0");
  const [zoneHour, zoneMinute] = [+(parts[9] ?? 0), +(parts[10] ?? 0)];
  if (zoneHour > 14 || zoneMinute > 59) return undefined;
  const offset = (parts[8] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000;
  const ms = localMs + +fraction.slice(0, 3) - offset;
  if (ms < earliestMs || ms > latestMs) return undefined;
  return { ms, isExact: +fraction.slice(3) === 0 };
}

/**
 * Milliseconds of a UTC time from year, month, day, hour, minute, second; undefined when invalid.
 */
export function utcOf([
  year = 0,
  month = 0,
  day = 0,
  hour = 0,
  minute = 0,
  second = 0,
]: readonly number[]): number | undefined {
  if (year < 1 || year > 9999 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // An invalid day of a month rolls over to the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}

// Restricted to the years 1 to 9999, so that every date has ten characters.
const earliestMs = -62_135_596_800_000;
const latestMs = 253_402_300_799_999;
