/** Splits a line into runs drawn in one font each, in visual order. */
import { type Cluster, clustersOf } from "./text.ts";
import { type DirectedRun, visualRuns } from "./visual-runs.ts";

export interface FontRun<F> {
  /** Text that is drawn. */
  readonly text: string;
  /**
   * Font of the run; undefined where no font has the characters and a replacement is drawn for
   * each.
   */
  readonly font: F | undefined;
  /** Original text, if it differs from the drawn text; it is what a reader copies from the PDF. */
  readonly typed?: string;
  /** Whether the run is shaped as a whole rather than word by word. */
  readonly isWhole: boolean;
}

/** Replacement for a character that no font has. */
export const unknownSign = "\ufffd";

export interface FontChoice<F> {
  /** Font of the documents themselves. */
  readonly own: F;
  /** Best font that has all characters of a text; undefined where none has. */
  fontOf(text: string): F | undefined;
  has(font: F, text: string): boolean;
  /** Called with each text that no font has. */
  missing(text: string): void;
}

export function fontRuns<F>(line: string, choice: FontChoice<F>): FontRun<F>[] {
  return visualRuns(line).flatMap((run) => splitRuns(run, choice));
}

/**
 * Letters of right-to-left scripts; the PDF library reverses them with the characters between them.
 */
const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Scripts whose letters are drawn in another order than typed. */
const rearranged =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}]/u;

interface Segment<F> {
  readonly font: F | undefined;
  drawn: string;
  typed: string;
}

function splitRuns<F>({ text, isFromRight }: DirectedRun, choice: FontChoice<F>): FontRun<F>[] {
  const clusters = clustersOf(text).flatMap((cluster) => splitCluster(cluster, choice));
  // Spaces and signs between right-to-left letters use the font of these, to be reversed with them.
  const letter = isFromRight ? clusters.find(({ drawn }) => fromRight.test(drawn)) : undefined;
  const preferred = letter && choice.fontOf(letter.drawn);
  const segments: Segment<F>[] = [];
  for (const { typed, drawn } of clusters) {
    const isPreferred = preferred !== undefined && choice.has(preferred, drawn);
    const font = isPreferred ? preferred : choice.fontOf(drawn);
    if (font === undefined) choice.missing(drawn);
    const last = segments.at(-1);
    if (last !== undefined && last.font === font && canJoin(last, { typed, drawn })) {
      last.drawn += drawn;
      last.typed += typed;
    } else segments.push({ font, drawn, typed });
  }
  const runs = segments.map((segment) => runOf(segment, isFromRight, choice.own));
  return isFromRight ? runs.reverse() : runs;
}

/**
 * Splits a character of several code points that no font has as a whole, if fonts have each of
 * them.
 */
function splitCluster<F>(cluster: Cluster, { fontOf }: FontChoice<F>): Cluster[] {
  const parts = [...cluster.drawn];
  if (parts.length === 1 || fontOf(cluster.drawn) !== undefined) return [cluster];
  if (parts.some((partText) => fontOf(partText) === undefined)) return [cluster];
  return parts.map((partText) => ({ typed: partText, drawn: partText }));
}

/** Whether a character can join a segment: either both are drawn as typed, or both are not. */
function canJoin<F>(segment: Segment<F>, nextCluster: Cluster): boolean {
  return (segment.drawn === segment.typed) === (nextCluster.drawn === nextCluster.typed);
}

function runOf<F>({ font, drawn, typed }: Segment<F>, isFromRight: boolean, own: F): FontRun<F> {
  if (font === undefined) {
    const signs = clustersOf(typed).map(() => unknownSign);
    return { text: signs.join(""), font, typed, isWhole: false };
  }
  const isTurned = isFromRight && !fromRight.test(drawn);
  const text = isTurned ? [...drawn].reverse().join("") : drawn;
  const isDrawnOther = drawn !== typed || (!isFromRight && rearranged.test(drawn));
  const needsText = font !== own || isFromRight;
  return { text, font, ...(isDrawnOther ? { typed } : {}), isWhole: needsText };
}
