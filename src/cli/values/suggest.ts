/** The command, flag, column or key that a mistyped word most likely was meant to be. */
import { nearest as leastSlips } from "../../resources/scalar.ts";

/**
 * The candidate nearest to a word, in any letter case: the one with the fewest slips of the hand,
 * otherwise the only one that the word begins, as an abbreviation.
 *
 * @returns undefined when nothing is near enough to be worth naming
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.trim().toLowerCase();
  // A single letter is one slip away from every other.
  if (typed.length < 2) return undefined;
  const known = [...candidates];
  const near = leastSlips(typed, known);
  if (near !== undefined) return near;
  const begun = known.filter((candidate) => candidate.toLowerCase().startsWith(typed));
  return begun.length === 1 ? begun[0] : undefined;
}

/** ` Did you mean x?`, to stand after a sentence, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}
