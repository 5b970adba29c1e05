/**
 * What tells a line of a bank account from others when a file comes again: the bank's own id, day and
 * amount; without an id day, amount, references and text. Equal ones of a day are counted, so that a
 * file with three of them adds one to a book with two.
 */
import { createHash } from "node:crypto";
import type { StatementLine } from "../../bank-files/index.ts";

/** Changes with what a key is made of. */
const version = 1;

/** @returns makes the keys of the lines of one statement, in their order */
export function lineKeys(): (line: StatementLine) => string {
  const seen = new Map<string, number>();
  return (line) => {
    const { date, amount, id, text, references, currency, batch } = line;
    const words = [...Object.values(references), text].join(" ");
    const told =
      id === undefined ? [currency, words.toUpperCase().replace(/\s+/g, "")] : [id, batch?.place];
    const facts = JSON.stringify([date, amount, ...told]);
    const place = (seen.get(facts) ?? 0) + 1;
    seen.set(facts, place);
    const hash = createHash("sha256").update(facts).digest("base64url").slice(0, 32);
    return `${version}:${hash}:${place}`;
  };
}
