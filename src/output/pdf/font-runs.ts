/** A line in runs that are drawn with one font each, in the order in which they are seen. */
import { type Cluster, clustersOf } from "./text.ts";
import { type DirectedRun, visualRuns } from "./visual-runs.ts";

export interface FontRun<F> {
  /** What is drawn. */
  readonly text: string;
  /** Undefined where no font has it, and a sign is drawn for each character. */
  readonly font: F | undefined;
  /** What was typed, where something else is drawn: what is copied from the paper. */
  readonly typed?: string;
  /** Whether it is shaped as a whole, and not word by word. */
  readonly isWhole: boolean;
}

/** Stands where no font has a character. */
export const unknownSign = "\ufffd";

export interface FontChoice<F> {
  /** The font of the documents themselves. */
  readonly own: F;
  /** The best font that has all of a text. */
  fontOf(text: string): F | undefined;
  has(font: F, text: string): boolean;
  /** Told of what no font has. */
  missing(text: string): void;
}

export function fontRuns<F>(line: string, choice: FontChoice<F>): FontRun<F>[] {
  return visualRuns(line).flatMap((run) => runsOfOne(run, choice));
}

/** Letters that are written from the right, which the library turns with what stands among them. */
const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts that are drawn in another order than they are typed in. */
const rearranged =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}]/u;

interface Segment<F> {
  readonly font: F | undefined;
  drawn: string;
  typed: string;
}

function runsOfOne<F>({ text, isFromRight }: DirectedRun, choice: FontChoice<F>): FontRun<F>[] {
  const clusters = clustersOf(text).flatMap((cluster) => parted(cluster, choice));
  // Spaces and signs between letters from the right are drawn with them, and turned with them.
  const letter = isFromRight ? clusters.find(({ drawn }) => fromRight.test(drawn)) : undefined;
  const preferred = letter && choice.fontOf(letter.drawn);
  const segments: Segment<F>[] = [];
  for (const { typed, drawn } of clusters) {
    const isPreferred = preferred !== undefined && choice.has(preferred, drawn);
    const font = isPreferred ? preferred : choice.fontOf(drawn);
    if (font === undefined) choice.missing(drawn);
    const last = segments.at(-1);
    if (last !== undefined && last.font === font && isLike(last, { typed, drawn })) {
      last.drawn += drawn;
      last.typed += typed;
    } else segments.push({ font, drawn, typed });
  }
  const runs = segments.map((segment) => runOf(segment, isFromRight, choice.own));
  return isFromRight ? runs.reverse() : runs;
}

/** A character of several, of which no font has all, in what fonts have of it. */
function parted<F>(cluster: Cluster, { fontOf }: FontChoice<F>): Cluster[] {
  const parts = [...cluster.drawn];
  if (parts.length === 1 || fontOf(cluster.drawn) !== undefined) return [cluster];
  if (parts.some((part) => fontOf(part) === undefined)) return [cluster];
  return parts.map((part) => ({ typed: part, drawn: part }));
}

/** Whether two are told in the same way: as they are drawn, or as they were typed. */
function isLike<F>(segment: Segment<F>, next: Cluster): boolean {
  return (segment.drawn === segment.typed) === (next.drawn === next.typed);
}

function runOf<F>({ font, drawn, typed }: Segment<F>, isFromRight: boolean, own: F): FontRun<F> {
  if (font === undefined) {
    const signs = clustersOf(typed).map(() => unknownSign);
    return { text: signs.join(""), font, typed, isWhole: false };
  }
  const isTurned = isFromRight && !fromRight.test(drawn);
  const text = isTurned ? [...drawn].reverse().join("") : drawn;
  const isOther = drawn !== typed || (!isFromRight && rearranged.test(drawn));
  const isWhole = font !== own || isFromRight;
  return { text, font, ...(isOther ? { typed } : {}), isWhole };
}
