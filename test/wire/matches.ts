/** What a condition means, record by record: the reference for what stores make of it. */
import { compareText, fold } from "../../src/wire/fold.ts";
import { holdsFor, ruleOf } from "../../src/wire/query/kind-rules.ts";
import {
  type Comparison,
  type FilterField,
  textTests,
  type Where,
} from "../../src/wire/query/tree.ts";

/**
 * Says whether a record meets a condition.
 *
 * @param stored  the record's value, in its stored form, of a canonical path; null or undefined
 *                 when it has none
 */
export function matches(where: Where, stored: (path: string) => unknown): boolean {
  switch (where.op) {
    case "constant":
      return where.value;
    case "and":
      return where.args.every((arg) => matches(arg, stored));
    case "or":
      return where.args.some((arg) => matches(arg, stored));
    case "not":
      return !matches(where.arg, stored);
    case "text": {
      const value = stored(where.field.path) ?? null;
      return value !== null && textTests[where.test](fold(String(value)), fold(where.value));
    }
    case "compare":
      return compared(where.field, stored(where.field.path) ?? null, where.cmp, where.value);
    case "compareFields": {
      const left = stored(where.left.path) ?? null;
      return compared(where.left, left, where.cmp, stored(where.right.path) ?? null);
    }
  }
}

function compared(field: FilterField, left: unknown, cmp: Comparison, right: unknown): boolean {
  if (left === null || right === null) {
    return (cmp === "=" && left === right) || (cmp === "!=" && left !== right);
  }
  if (ruleOf(field).text) {
    return holdsFor(cmp, compareText(fold(String(left)), fold(String(right))));
  }
  // Values of one kind, which need no conversion: texts in ASCII, numbers, or booleans.
  const [a, b] = [left as string, right as string];
  return holdsFor(cmp, a < b ? -1 : a > b ? 1 : 0);
}
