/**
 * How far a bulk command has come: a bar that redraws itself on a terminal, a line for each batch
 * anywhere else.
 */

import { displayWidth, shortened } from "../../output/display-width.ts";
import { safeLine } from "./safe.ts";

export interface ProgressOptions {
  /** What is counted, as many as there are in all: `rows`. */
  readonly unit: string;
  /** How many there are in all; undefined when nobody knows. */
  readonly total?: number | undefined;
  /** How many were done by an earlier run; they do not count for the rate. */
  readonly done?: number;
  /** Columns of the terminal that stderr is; undefined when it is none. */
  readonly width: number | undefined;
  /** Writes to stderr. */
  readonly write: (text: string) => void;
  /** Milliseconds. */
  readonly clock: () => number;
}

export interface Progress {
  /** Another batch is done. */
  advance(count: number, note?: string): void;
  /** Takes the bar away, so that the summary stands in its place. */
  end(): void;
}

/** The bar is drawn at most this often; lines are never held back. */
const redrawMs = 100;
/** A rate over less time than this says nothing. */
const rateAfterMs = 500;
const barWidthMax = 30;
const barWidthMin = 8;

/** Begins to count; the time runs from here. */
export function createProgress(options: ProgressOptions): Progress {
  const { unit, total, done: before = 0, width, write, clock } = options;
  const began = clock();
  let done = before;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  const draw = (now: number, note: string | undefined) => {
    const text = progressText({ unit, total, done, before, elapsedMs: now - began, note });
    if (width === undefined) return write(`${text}\n`);
    drawn = true;
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
      if (drawn) write("\r\u001b[K");
      drawn = false;
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

/** `1200 of 4000 rows, 30%, 310 a second, 9 s left`. */
function progressText({ unit, total, done, before, elapsedMs, note }: ProgressState): string {
  const perSecond = elapsedMs < rateAfterMs ? 0 : ((done - before) * 1000) / elapsedMs;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const parts = [total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`];
  if (share !== undefined) parts.push(`${Math.floor(share * 100)}%`);
  if (perSecond > 0) {
    parts.push(`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second`);
    const left = total === undefined ? 0 : Math.max(0, total - done) / perSecond;
    if (left > 0) parts.push(`${durationText(left)} left`);
  }
  if (note !== undefined && note !== "") parts.push(safeLine(note));
  return parts.join(", ");
}

/** The text after a bar, as far as there is room for one; a whole line is never filled. */
function withBar(text: string, share: number | undefined, width: number): string {
  const room = Math.min(barWidthMax, width - 1 - displayWidth(text) - 3);
  if (share === undefined || Number.isNaN(share) || room < barWidthMin) {
    return shortened(text, Math.max(1, width - 1));
  }
  const filled = Math.round(Math.min(1, share) * room);
  return `[${"#".repeat(filled)}${"-".repeat(room - filled)}] ${text}`;
}

/** `45 s`, `2 min 10 s`, `1 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}
