/**
 * Finds names that are probably one party: they differ in punctuation, legal form or a typing
 * error.
 */
import { fold } from "./lookup.ts";

/** Minimum length of a word in which typing errors are considered. */
const slipFrom = 5;

const legalForms =
  /^(?:ltd|limited|inc|incorporated|llc|llp|plc|pty|co|company|corp|gmbh|ag|kg|sarl|sas|bv|nv)$/;

/** Returns the significant words of a name, normalised. */
function wordsOf(name: string): string[] {
  const words = fold(name)
    .replaceAll("&", " and ")
    .replace(/[.'\u2019]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word !== "and");
  const telling = words.filter((word) => !legalForms.test(word));
  return telling.length === 0 ? words : telling;
}

/** An index of names that finds near ones. */
export class NearNames {
  readonly #known: { readonly name: string; readonly words: readonly string[] }[] = [];

  add(name: string): void {
    this.#known.push({ name, words: wordsOf(name) });
  }

  /** Returns a different name that may be of the same party. */
  near(name: string): string | undefined {
    const words = wordsOf(name);
    const joined = words.join("");
    return this.#known.find(
      (each) => (joined !== "" && each.words.join("") === joined) || isOneSlip(words, each.words),
    )?.name;
  }
}

/** Whether all words are equal except one, with one letter added, missing, changed or swapped. */
function isOneSlip(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const [at, ...others] = left.flatMap((word, index) => (word === right[index] ? [] : [index]));
  if (at === undefined || others.length > 0) return false;
  const [a = "", b = ""] = [left[at], right[at]];
  if (Math.min(a.length, b.length) < slipFrom || /\d/.test(a + b)) return false;
  let startIndex = 0;
  while (a[startIndex] !== undefined && a[startIndex] === b[startIndex]) startIndex += 1;
  const [restA, restB] = [a.slice(startIndex), b.slice(startIndex)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
