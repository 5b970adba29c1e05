/** Text without letter case and accents, in the SQL of PostgreSQL. */
import { type RawBuilder, sql } from "kysely";

// What `fold` removes, in the spelling of PostgreSQL's regular expressions.
const accents = "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]";

let letters: { readonly upper: string; readonly lower: string } | undefined;

/**
 * Every letter with a lower case and without an accent, with that lower case as in JavaScript:
 * lower case on a server depends on its locale.
 */
function caseTable(): { readonly upper: string; readonly lower: string } {
  if (letters !== undefined) return letters;
  let upper = "ς";
  let lower = "σ";
  for (let code = 0x41; code < 0x1_f000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (small !== letter && small.length === letter.length && letter.normalize("NFD") === letter) {
      upper += letter;
      lower += small;
    }
  }
  letters = { upper, lower };
  return letters;
}

/** `text` folded as `wire/fold.ts` folds it. */
export function foldExpression(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const { upper, lower } = caseTable();
  return sql`(case when ${text} ~ '^[\\x01-\\x7f]*$' then lower(${text} collate "C") else
    normalize(translate(regexp_replace(normalize(${text}, nfd), ${sql.lit(accents)}, '', 'g'),
    ${sql.lit(upper)}, ${sql.lit(lower)}), nfc) end)`;
}
