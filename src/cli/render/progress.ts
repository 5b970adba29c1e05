/** Progress of a bulk command: a redrawn bar on a terminal, otherwise a line per batch. */

import { displayWidth, truncate } from "../../output/display-width.ts";
import { safeLine } from "./safe.ts";

export interface ProgressOptions {
  /** Plural name of the counted things: `rows`. */
  readonly unit: string;
  /** Total count; undefined when it is not known. */
  readonly total?: number | undefined;
  /** Count done by an earlier run, which is excluded from the rate. */
  readonly done?: number;
  /** Width of the terminal on stderr; undefined when it is not a terminal. */
  readonly width: number | undefined;
  /** Writes to stderr. */
  readonly write: (text: string) => void;
  /** Clock in milliseconds. */
  readonly clock: () => number;
}

export interface Progress {
  /** Reports a completed batch. */
  advance(count: number, note?: string): void;
  /** Removes the bar, so that the summary takes its place. */
  end(): void;
}

/** Minimum interval between redraws of the bar; lines are not limited. */
const redrawMs = 100;
/** Minimum elapsed time before a rate is shown. */
const rateAfterMs = 500;
const barWidthMax = 30;
const barWidthMin = 8;

/** Creates a progress display, and starts its clock. */
export function createProgress(options: ProgressOptions): Progress {
  const { unit, total, done: before = 0, width, write, clock } = options;
  const startedAt = clock();
  let done = before;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  const draw = (now: number, note: string | undefined) => {
    const text = progressText({ unit, total, done, before, elapsedMs: now - startedAt, note });
    if (width === undefined) return write(`${text}\n`);
    isDrawn = true;
    drawnAt = now;
    write(`\r${withBar(text, total === undefined ? undefined : done / total, width)}\u001b[K`);
  };
  return {
    advance(count, note) {
      done += count;
      const now = clock();
      if (width === undefined || now - drawnAt >= redrawMs) draw(now, note);
    },
    end() {
      if (isDrawn) write("\r\u001b[K");
      isDrawn = false;
    },
  };
}

interface ProgressState {
  readonly unit: string;
  readonly total: number | undefined;
  readonly done: number;
  readonly before: number;
  readonly elapsedMs: number;
  readonly note: string | undefined;
}

/** Formats `1200 of 4000 rows, 30%, 310 a second, 9 s left`. */
function progressText({ unit, total, done, before, elapsedMs, note }: ProgressState): string {
  const perSecond = elapsedMs < rateAfterMs ? 0 : ((done - before) * 1000) / elapsedMs;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const parts = [total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`];
  if (share !== undefined) parts.push(`${Math.floor(share * 100)}%`);
  if (perSecond > 0) {
    parts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second`);
    const secondsLeft = total === undefined ? 0 : Math.max(0, total - done) / perSecond;
    if (secondsLeft > 0) parts.push(`${durationText(secondsLeft)} left`);
  }
  if (note !== undefined && note !== "") parts.push(safeLine(note));
  return parts.join(", ");
}

/** Adds a bar before the text where there is room; the last column stays empty. */
function withBar(text: string, share: number | undefined, width: number): string {
  const barWidth = Math.min(barWidthMax, width - 1 - displayWidth(text) - 3);
  if (share === undefined || Number.isNaN(share) || barWidth < barWidthMin) {
    return truncate(text, Math.max(1, width - 1));
  }
  const filledWidth = Math.round(Math.min(1, share) * barWidth);
  return `[${"#".repeat(filledWidth)}${"-".repeat(barWidth - filledWidth)}] ${text}`;
}

/** Formats a duration: `45 s`, `2 min 10 s`, `1 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
