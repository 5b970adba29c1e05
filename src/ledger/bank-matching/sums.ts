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
export type SumSearch = (targetSum: Cents) => SumResult;

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
  const middleIndex = items.length >> 1;
  const firstHalf = sortedSums(items.slice(0, middleIndex));
  const right = sortedSums(items.slice(middleIndex));
  return (targetSum) => search(firstHalf, right, middleIndex, targetSum);
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
    let withoutItem = 0;
    let including = 0;
    for (let at = 0; at < 2 * count; at += 1) {
      const a = withoutItem < count ? (sums[withoutItem] as number) : Number.POSITIVE_INFINITY;
      const b = including < count ? (sums[including] as number) + item : Number.POSITIVE_INFINITY;
      if (a <= b) {
        nextSums[at] = a;
        nextMasks[at] = masks[withoutItem] as number;
        withoutItem += 1;
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

function search(leftSums: SortedSums, right: SortedSums, middle: number, target: Cents): SumResult {
  let match: number[] | undefined;
  let pairs = 0;
  let high = right.sums.length - 1;
  for (let low = 0; low < leftSums.sums.length; low += 1) {
    const wantedSum = target - (leftSums.sums[low] as number);
    while (high >= 0 && (right.sums[high] as number) > wantedSum) high -= 1;
    for (let at = high; at >= 0 && right.sums[at] === wantedSum; at -= 1) {
      pairs += 1;
      if (pairs > pairsMax) return match ? { kind: "several", places: match } : { kind: "unknown" };
      const itemIndexes = [
        ...bitIndexes(leftSums.masks[low] as number, 0),
        ...bitIndexes(right.masks[at] as number, middle),
      ];
      if (itemIndexes.length === 0 || itemIndexes.length > sumPartsMax) continue;
      if (match !== undefined) return { kind: "several", places: match };
      match = itemIndexes;
    }
  }
  return match === undefined ? { kind: "none" } : { kind: "one", places: match };
}

function bitIndexes(mask: number, startIndex: number): number[] {
  const itemIndexes: number[] = [];
  for (let bitIndex = 0; mask >> bitIndex > 0; bitIndex += 1) {
    if (mask & (1 << bitIndex)) itemIndexes.push(startIndex + bitIndex);
  }
  return itemIndexes;
}
