/**
 * The `order` language: the fields by which a list is sorted, the most significant first.
 *
 * `Field [ASC|DESC] {, Field [ASC|DESC]}`, names and directions in any letter case. The store
 * resolves ties: missing values come first in ASC; equal records are ordered by id.
 */

import { Scanner, unknownField } from "./scanner.ts";
import type { FilterField, FindField } from "./tree.ts";

export type OrderTerm = { readonly field: FilterField; readonly direction: "asc" | "desc" };

/** Maximum length of an order text, in UTF-16 units. */
export const orderCharactersMax = 2_048;

/** Maximum fields of an order. */
export const orderTermsMax = 16;

/**
 * Parses an order. A blank text gives no order; a repeated field is left out, because the records
 * it would sort are equal in it already.
 * @param text     what the caller wrote, already decoded from the URL
 * @param type     the type of the records, for messages
 * @param fieldOf  finds a field of that type
 * @throws RefusedError `QueryParseException`, naming the field, or the position and what was
 *   expected there
 */
export function parseOrder(text: string, type: string, fieldOf: FindField): readonly OrderTerm[] {
  const words = new Scanner(text, "order", orderCharactersMax);
  if (words.ended()) return [];
  const termByPath = new Map<string, OrderTerm>();
  let namedFields = 0;
  do {
    const { at } = words.peek;
    namedFields += 1;
    if (namedFields > orderTermsMax) {
      throw words.refused(at, `more than ${orderTermsMax} fields are named`);
    }
    const path = [words.name("a field").text];
    while (words.takeSymbol(".")) path.push(words.name("a name after '.'").text);
    const field = fieldOf(path);
    if (!field) throw unknownField(path, type);
    const direction = words.takeWord("desc") ? "desc" : "asc";
    if (direction === "asc") words.takeWord("asc");
    if (!termByPath.has(field.path)) termByPath.set(field.path, { field, direction });
  } while (words.takeSymbol(","));
  if (!words.ended()) throw words.expectedError("ASC, DESC, ',' or the end");
  return [...termByPath.values()];
}
