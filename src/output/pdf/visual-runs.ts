/**
 * Splits a line into runs of one direction, in visual order from left to right.
 *
 * The PDF library shapes and reverses a single run; it does not handle mixed directions, mirrored
 * brackets, or digits in Arabic text.
 *
 * @source UAX #9, Unicode Bidirectional Algorithm
 */
import bidiFactory, { type Bidi } from "bidi-js";

/**
 * Right-to-left mark: at the start of a line, it makes the line right-to-left whatever its letters.
 */
export const rightMark = "\u200f";

/** Right-to-left characters up to U+1EFFF; text without any needs no reordering. */
const turning = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The types of the module declare the factory as a member, but the import is the factory itself.
 */
const makeBidi = bidiFactory as unknown as () => Bidi;
let bidi: Bidi | undefined;

function bidiAlgorithm(): Bidi {
  bidi ??= makeBidi();
  return bidi;
}

/** Whether a paragraph is right-to-left, which its first letter with a direction decides. */
export function isFromRight(text: string): boolean {
  if (text.startsWith(rightMark)) return true;
  if (!turning.test(text)) return false;
  return bidiAlgorithm().getEmbeddingLevels(text).paragraphs[0]?.level === 1;
}

export interface DirectedRun {
  /** Text in logical order, with mirrored brackets replaced. */
  readonly text: string;
  readonly isFromRight: boolean;
}

/** Splits a line into runs. @param line  line without its line end */
export function visualRuns(line: string): DirectedRun[] {
  const isTurned = line.startsWith(rightMark);
  const text = isTurned ? line.slice(1) : line;
  if (!isTurned && !turning.test(text)) return [{ text, isFromRight: false }];
  const levels = bidiAlgorithm().getEmbeddingLevels(text, isTurned ? "rtl" : "auto");
  const mirroredByPosition = bidiAlgorithm().getMirroredCharactersMap(text, levels.levels);
  let at = 0;
  const runs: { text: string; level: number }[] = [];
  for (const character of text) {
    const level = levels.levels[at] ?? 0;
    const mirroredText = mirroredByPosition.get(at) ?? character;
    const lastRun = runs.at(-1);
    if (lastRun?.level === level) lastRun.text += mirroredText;
    else runs.push({ text: mirroredText, level });
    at += character.length;
  }
  return reorder(runs).map(({ text: part, level }) => ({
    text: part,
    isFromRight: level % 2 === 1,
  }));
}

/**
 * Reorders runs by rule L2: from the highest level down, reverses each sequence of runs at that
 * level or higher.
 */
function reorder<R extends { readonly level: number }>(runs: readonly R[]): R[] {
  let order = [...runs];
  const highestLevel = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highestLevel; level >= 1; level -= 1) {
    const nextOrder: R[] = [];
    let turnedRuns: R[] = [];
    for (const run of order) {
      if (run.level >= level) turnedRuns.unshift(run);
      else {
        nextOrder.push(...turnedRuns, run);
        turnedRuns = [];
      }
    }
    order = [...nextOrder, ...turnedRuns];
  }
  return order;
}
