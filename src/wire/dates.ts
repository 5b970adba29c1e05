/**
 * Wire formats of days and times.
 *
 * A day is `YYYY-MM-DD` without a time zone: a value with time and zone means the day it was
 * written as, whatever day it is elsewhere. A time is milliseconds since 1970 UTC.
 */
import { isDay, readMoment } from "../resources/scalar.ts";

const jsonPattern = /^\\?\/Date\((-?\d{1,15})([+-]\d{4})?\)\\?\/$/;

/** The offset of a zone `+hhmm` in milliseconds. */
function offsetMs(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
}

/** Whether a text means no date: .NET services write `year` 1 for that. */
export function isNoDate(text: string): boolean {
  return text.startsWith("0001-01-01") || text.startsWith("/Date(-62135596800000");
}

/**
 * Parses a day: `2026-02-27`, the same with a time and a zone (the date part counts), `/Date(ms)/`
 * or `/Date(ms+hhmm)/` (the day in that zone).
 * @returns `YYYY-MM-DD`; undefined for any other text or an invalid date
 */
export function readDay(text: string): string | undefined {
  const json = jsonPattern.exec(text);
  const zone = json?.[2] ?? "+0000";
  // A time, and a zone, that does not exist makes the day doubtful too.
  if (readMoment(json === null ? text : `1970-01-01T00:00${zone}`) === undefined) return undefined;
  const day = json === null ? text.slice(0, 10) : dayOf(Number(json[1]) + offsetMs(zone));
  return day !== undefined && isDay(day) ? day : undefined;
}

/** Parses a time: ISO 8601, by default in UTC, or `/Date(ms)/`, whose zone is ignored. */
export function readTimestamp(text: string): number | undefined {
  const json = jsonPattern.exec(text);
  if (json === null) return readMoment(text);
  const at = Number(json[1]);
  return Number.isNaN(new Date(at).getTime()) ? undefined : at;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const httpPattern =
  /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3})[ -](\d{4}) (\d{2}):(\d{2}):(\d{2}) ?(GMT|UTC|Z|[+-]\d{4})?$/i;

/**
 * Parses the value of If-Modified-Since: ISO 8601 (by default in UTC) or RFC 1123, optionally
 * quoted.
 * @returns milliseconds since 1970 UTC, truncated to the second; undefined for any other text
 */
export function readModifiedSince(text: string): number | undefined {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
  const at = readMoment(bare) ?? readHttpDate(bare);
  return at === undefined ? undefined : Math.floor(at / 1000) * 1000;
}

function readHttpDate(text: string): number | undefined {
  const match = httpPattern.exec(text);
  if (match === null) return undefined;
  const [, day = "", name = "", year = "", hour = "", minute = "", second = "", zone = "GMT"] =
    match;
  const month = months.indexOf(name.toLowerCase()) + 1;
  const iso = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = readMoment(`${iso}T${hour}:${minute}:${second}Z`);
  return at === undefined ? undefined : at - (/^[+-]/.test(zone) ? offsetMs(zone) : 0);
}

// --- writing ---------------------------------------------------------------------------------

/** Midnight UTC of a day, in milliseconds. */
export function msOfDay(day: string): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)));
}

/** The day of a time in UTC; undefined outside the years 0 to 9999. */
export function dayOf(ms: number): string | undefined {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return undefined;
  const text = at.toISOString();
  return text.length === 24 ? text.slice(0, 10) : undefined;
}

/** Formats a day as `2026-02-27T00:00:00`, for XML and the JSON string field. */
export function isoDay(day: string): string {
  return `${day}T00:00:00`;
}

/** Formats a time as `2026-02-27T02:40:11.27Z`, without trailing zeros. */
export function isoMoment(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0*Z$/, "Z");
}

const dayMs = 86_400_000;
/** Cache of formatted days: many times share few days, and the platform formats slowly. */
const textByDay = new Map<number, string>();
const writtenDaysMax = 1000;

/** Formats a time as `2026-02-27T02:40:11Z`, truncated to the second. */
export function isoSeconds(ms: number): string {
  const day = Math.floor(ms / dayMs);
  let writtenDay = textByDay.get(day);
  if (writtenDay === undefined) {
    writtenDay = new Date(day * dayMs).toISOString().slice(0, -"00:00:00.000Z".length);
    if (textByDay.size >= writtenDaysMax) textByDay.clear();
    textByDay.set(day, writtenDay);
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${writtenDay}${padToTwo(hours)}:${padToTwo(minutes % 60)}:${padToTwo(seconds % 60)}Z`;
}

function padToTwo(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** Formats a time as `2026-02-27T02:40:11.2700000Z`, for the XML envelope. */
export function isoTicks(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}0000Z`;
}

/** Formats a time as JSON `/Date(ms)/`; for a day, pass its midnight UTC. */
export function jsonDate(ms: number): string {
  return `/Date(${ms}+0000)/`;
}
