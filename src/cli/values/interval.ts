/** Parses intervals, and formats them for the system's schedulers. */
import { UsageError } from "../../resources/errors.ts";

export interface Interval {
  readonly count: number;
  readonly unit: "m" | "h" | "d";
  readonly ms: number;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const satisfies Record<
  Interval["unit"],
  number
>;
/** Maximum interval in days, by the limit of timers. */
const daysMax = 24;

/**
 * Parses an interval.
 *
 * @param text  `15m`, `1h`, `1d`
 * @throws UsageError
 */
export function readInterval(text: string): Interval {
  const [, count = "", unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * unitMs[(unit ?? "m") as Interval["unit"]];
  if (unit !== undefined && ms <= daysMax * unitMs.d) {
    return { count: Number(count), unit: unit as Interval["unit"], ms };
  }
  const message = `A time is a number of minutes, hours or days, such as 15m, 1h, 1d, up to ${daysMax}d; not "${text}".`;
  throw new UsageError("BadValue", message);
}

/** Schedulers that run programs at intervals. */
export const schedulers = ["cron", "systemd"] as const;

/**
 * Returns the scheduler configuration that runs a command at intervals.
 *
 * @throws UsageError where the scheduler cannot express the interval
 */
export function scheduleLines(
  scheduler: (typeof schedulers)[number],
  every: Interval,
  words: readonly string[],
): string {
  return scheduler === "cron" ? cronLine(every, words) : systemdUnits(every, words);
}

/** By unit: its count in the next larger unit, from whose beginning cron counts. */
const cronFields = {
  m: { of: 60, line: (step: string) => `${step} * * * *` },
  h: { of: 24, line: (step: string) => `0 ${step} * * *` },
  d: { of: 1, line: () => "0 0 * * *" },
} as const satisfies Record<Interval["unit"], { of: number; line: (step: string) => string }>;

function cronLine({ count, unit }: Interval, words: readonly string[]): string {
  const { of, line } = cronFields[unit];
  if (of % count !== 0) {
    const message = `cron knows no "every ${count}${unit}": a number that divides ${of}, or --print systemd.`;
    throw new UsageError("BadValue", message);
  }
  const time = line(count === 1 ? "*" : count === of ? "0" : `*/${count}`);
  // cron ends a command at an unescaped percent sign.
  return `${time} ${words.map(shellWord).join(" ").replaceAll("%", "\\%")}`;
}

function systemdUnits({ count, unit }: Interval, words: readonly string[]): string {
  const time = `${count}${unit === "m" ? "min" : unit}`;
  const line = words.map(systemdWord).join(" ");
  return [
    "# ~/.config/systemd/user/acct-backup.service",
    "[Unit]",
    "Description=Backup of a book of acct",
    "",
    "[Service]",
    "Type=oneshot",
    `ExecStart=/usr/bin/env ${line}`,
    "",
    "# ~/.config/systemd/user/acct-backup.timer; then: systemctl --user enable --now acct-backup.timer",
    "[Unit]",
    "Description=Backups of a book of acct by the clock",
    "",
    "[Timer]",
    "OnBootSec=1min",
    `OnUnitActiveSec=${time}`,
    "",
    "[Install]",
    "WantedBy=timers.target",
  ].join("\n");
}

const shellWord = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Quotes a word of a command line in a unit of systemd. */
export const systemdWord = (word: string) => {
  const plain = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, "\\$&")}"`;
};
