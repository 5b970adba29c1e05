/** Parses flags that take several of a few words. */
import { UsageError } from "../../resources/errors.ts";
import { didYouMean } from "./suggest.ts";

/**
 * Parses comma-separated words, in any letter case.
 *
 * @param flag  name without dashes
 * @throws UsageError `BadValue`
 */
export function readWords<W extends string>(flag: string, known: readonly W[], text: string): W[] {
  const words = text.split(",").flatMap((word) => word.trim() || []);
  return words.map((word) => {
    const match = known.find((knownWord) => knownWord === word.toLowerCase());
    if (match !== undefined) return match;
    const takes = `--${flag} takes ${known.join(", ")}, not "${word}".`;
    throw new UsageError("BadValue", `${takes}${didYouMean(word, known)}`);
  });
}
