/**
 * A line in the order in which it is seen: runs from the left, each of one direction.
 *
 * The library that draws them shapes a run and turns it to its side; of what stands beside another
 * direction, of brackets and of figures inside Arabic it knows nothing.
 *
 * @source UAX #9, Unicode Bidirectional Algorithm
 */
import bidiFactory, { type Bidi } from "bidi-js";

/** At the beginning of a line: it goes from the right, whatever it begins with. */
export const rightMark = "\u200f";

/** Hebrew, Arabic and their like, to U+1EFFF; without any nothing is turned. */
const turning = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Its types say that the function is a member of what is imported, and it is that itself. */
const make = bidiFactory as unknown as () => Bidi;
let made: Bidi | undefined;

function algorithm(): Bidi {
  made ??= make();
  return made;
}

/** Whether a paragraph goes from the right: by its first letter that has a direction. */
export function isFromRight(text: string): boolean {
  if (text.startsWith(rightMark)) return true;
  if (!turning.test(text)) return false;
  return algorithm().getEmbeddingLevels(text).paragraphs[0]?.level === 1;
}

export interface DirectedRun {
  /** As it is typed; brackets are those that are seen. */
  readonly text: string;
  readonly isFromRight: boolean;
}

/** @param line  without its end */
export function visualRuns(line: string): DirectedRun[] {
  const isTurned = line.startsWith(rightMark);
  const text = isTurned ? line.slice(1) : line;
  if (!isTurned && !turning.test(text)) return [{ text, isFromRight: false }];
  const levels = algorithm().getEmbeddingLevels(text, isTurned ? "rtl" : "auto");
  const mirrored = algorithm().getMirroredCharactersMap(text, levels.levels);
  let at = 0;
  const runs: { text: string; level: number }[] = [];
  for (const character of text) {
    const level = levels.levels[at] ?? 0;
    const seen = mirrored.get(at) ?? character;
    const last = runs.at(-1);
    if (last?.level === level) last.text += seen;
    else runs.push({ text: seen, level });
    at += character.length;
  }
  return reordered(runs).map(({ text: part, level }) => ({
    text: part,
    isFromRight: level % 2 === 1,
  }));
}

/** Rule L2: from the highest level down, whatever is at least as high is turned as a whole. */
function reordered<R extends { readonly level: number }>(runs: readonly R[]): R[] {
  let order = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    const next: R[] = [];
    let turned: R[] = [];
    for (const run of order) {
      if (run.level >= level) turned.unshift(run);
      else {
        next.push(...turned, run);
        turned = [];
      }
    }
    order = [...next, ...turned];
  }
  return order;
}
