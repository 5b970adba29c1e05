/** The clock of a test, which stands until it is moved, and ids that follow from a number. */
import { localDay } from "../ledger/dates/timezones.ts";
import { UsageError } from "../resources/errors.ts";
import { isDay, readMoment } from "../resources/scalar.ts";
import { idsFrom } from "../service/lookups/ids.ts";
import type { Duration } from "./face.ts";

const units = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 };
const noonHours = 12;

/** Reads a moment; a day is noon of it in the time zone. @throws UsageError `BadValue` */
export function momentIn(text: string, timezone: string): number {
  const at = readMoment(text);
  // A time without a UTC offset is ambiguous: local to the organisation, local to the machine, or UTC.
  if (at === undefined || !(isDay(text) || /(Z|[+-]\d\d:?\d\d)$/i.test(text))) {
    const form =
      "is a day or a moment with its offset, such as 2026-03-01 or 2026-03-01T09:00+13:00";
    throw new UsageError("BadValue", `A clock ${form}, not "${text.slice(0, 64)}".`);
  }
  if (!isDay(text)) return at;
  const noon = at + noonHours * units.hours;
  // Where noon of Greenwich is another day already, a day earlier is the right one.
  return localDay(noon, timezone) === text ? noon : noon - noonHours * units.hours;
}

/** @returns milliseconds. @throws UsageError `BadValue` for an unknown unit or less than nothing */
export function durationOf(by: Duration): number {
  let ms = 0;
  for (const [unit, count] of Object.entries(by)) {
    const each = units[unit as keyof typeof units];
    if (count === undefined) continue;
    if (each === undefined || typeof count !== "number" || !(count >= 0 && count < Infinity)) {
      const known = Object.keys(units).join(", ");
      const given = `"${unit}": ${JSON.stringify(count)}`;
      throw new UsageError("BadValue", `Time advances by numbers of ${known}, not by ${given}.`);
    }
    ms += each * count;
  }
  return ms;
}

/** Milliseconds since 1970 UTC: those of the machine where no moment is given. */
export class Clock {
  #at: number | undefined;

  constructor(at: number | undefined) {
    this.#at = at;
  }

  readonly read = (): number => this.#at ?? Date.now();

  /** The time of a stopped clock, as saved with a state; undefined where the clock runs. */
  get moment(): number | undefined {
    return this.#at;
  }

  set moment(at: number | undefined) {
    this.#at = at;
  }

  /** @throws UsageError for a clock that does not stand, or a moment that is past */
  checkMove(to: number): void {
    if (this.#at === undefined) {
      throw new UsageError(
        "BadValue",
        "The clock is the machine's: start the server with a clock.",
      );
    }
    if (to >= this.#at) return;
    const [then, now] = [to, this.#at].map((ms) => new Date(ms).toISOString());
    throw new UsageError("BadValue", `Time does not go back: it is ${now}, after ${then}.`);
  }
}

/** Ids that are random, or follow from a number and the name of the state they began in. */
export function idsOf(
  number: number | undefined,
  state: string,
  clock: () => number,
): () => string {
  const { hash, randomFillSync } = process.getBuiltinModule("node:crypto");
  let filledBytes = 0;
  return idsFrom(clock, (bytes) => {
    if (number === undefined) return void randomFillSync(bytes);
    for (let at = 0; at < bytes.length; at += 64) {
      filledBytes += 1;
      bytes.set(hash("sha512", `${number} ${state} ${filledBytes}`, "buffer"), at);
    }
  });
}
