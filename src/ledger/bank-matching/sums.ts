/**
 * Finds selections of documents that add up to the amount of a line.
 *
 * Documents are searched by halves (meet in the middle): all sums of each half in order, then both
 * lists are read towards each other. So the work is fixed, at most 2 × 4,096 sums of 24 documents,
 * whatever the amounts; more documents are not searched.
 *
 * @source Horowitz and Sahni, "Computing Partitions with Applications to the Knapsack Problem",
 * 1974
 */
import type { Cents } from "../money.ts";

export const sumItemsMax = 24;
export const sumPartsMax = 8;
/** Maximum pairs of equal sums examined before a search counts as ambiguous. */
const pairsMax = 1 << 14;

export type SumResult =
  /** A single selection, as indexes of the items. */
  | { readonly kind: "one"; readonly places: readonly number[] }
  | { readonly kind: "none" }
  /** Several selections have the sum; `places` is the first one found. */
  | { readonly kind: "several"; readonly places: readonly number[] }
  /** No result: too many items, or too many pairs. */
  | { readonly kind: "unknown" };

/** Finds the selections of items with a sum; prepared once for many searches. */
export type SumSearch = (target: Cents) => SumResult;

/** Sums in ascending order, each with its items as a bit mask. */
interface SortedSums {
  readonly sums: Float64Array;
  readonly masks: Uint32Array;
}

/**
 * Builds the search for selections of one to eight items.
 * @param items  signed amounts; at most 24 are searched
 */
export function sumSearch(items: readonly Cents[]): SumSearch {
  if (items.length > sumItemsMax) return () => ({ kind: "unknown" });
  const half = items.length >> 1;
  const left = sortedSums(items.slice(0, half));
  const right = sortedSums(items.slice(half));
  return (target) => search(left, right, half, target);
}

/**
 * All selections in order of their sums; each further item is merged in, so that they stay sorted.
 */
function sortedSums(items: readonly Cents[]): SortedSums {
  let sums = new Float64Array(1);
  let masks = new Uint32Array(1);
  for (const [place, item] of items.entries()) {
    const count = sums.length;
    const nextSums = new Float64Array(2 * count);
    const nextMasks = new Uint32Array(2 * count);
    let without = 0;
    let including = 0;
    for (let at = 0; at < 2 * count; at += 1) {
      const a = without < count ? (sums[without] as number) : Number.POSITIVE_INFINITY;
      const b = including < count ? (sums[including] as number) + item : Number.POSITIVE_INFINITY;
      if (a <= b) {
        nextSums[at] = a;
        nextMasks[at] = masks[without] as number;
        without += 1;
      } else {
        nextSums[at] = b;
        nextMasks[at] = (masks[including] as number) | (1 << place);
        including += 1;
      }
    }
    sums = nextSums;
    masks = nextMasks;
  }
  return { sums, masks };
}

function search(left: SortedSums, right: SortedSums, half: number, target: Cents): SumResult {
  let match: number[] | undefined;
  let pairs = 0;
  let high = right.sums.length - 1;
  for (let low = 0; low < left.sums.length; low += 1) {
    const wanted = target - (left.sums[low] as number);
    while (high >= 0 && (right.sums[high] as number) > wanted) high -= 1;
    for (let at = high; at >= 0 && right.sums[at] === wanted; at -= 1) {
      pairs += 1;
      if (pairs > pairsMax) return match ? { kind: "several", places: match } : { kind: "unknown" };
      const places = [
        ...bitIndexes(left.masks[low] as number, 0),
        ...bitIndexes(right.masks[at] as number, half),
      ];
      if (places.length === 0 || places.length > sumPartsMax) continue;
      if (match !== undefined) return { kind: "several", places: match };
      match = places;
    }
  }
  return match === undefined ? { kind: "none" } : { kind: "one", places: match };
}

function bitIndexes(mask: number, from: number): number[] {
  const places: number[] = [];
  for (let place = 0; mask >> place > 0; place += 1) {
    if (mask & (1 << place)) places.push(from + place);
  }
  return places;
}
