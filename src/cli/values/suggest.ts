/** Suggests a command, flag, column or key for a mistyped word. */
import { nearest as leastSlips } from "../../resources/scalar.ts";

/**
 * Returns the candidate nearest to a word, in any letter case: the one with the fewest typing
 * errors, otherwise the only one that begins with the word.
 *
 * @returns undefined when none is near enough
 */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const typedWord = word.trim().toLowerCase();
  // Any other single letter is one typing error away.
  if (typedWord.length < 2) return undefined;
  const knownWords = [...candidates];
  const nearWord = leastSlips(typedWord, knownWords);
  if (nearWord !== undefined) return nearWord;
  const sameStart = knownWords.filter((candidate) => candidate.toLowerCase().startsWith(typedWord));
  return sameStart.length === 1 ? sameStart[0] : undefined;
}

/** Returns ` Did you mean x?` to append to a sentence, or an empty text. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = findNearest(word, candidates);
  return suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
}
