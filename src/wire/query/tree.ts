/**
 * The `where` language: the condition a caller writes to filter a list.
 *
 * `parseWhere` reads the text once and answers a tree in which nothing is left to decide: every
 * field is known, every value has the form the store keeps, every comparison is exact, and the size
 * of the tree is bounded. A store turns the tree into bound parameters without checking anything
 * again; the stores are tested against what the tree means, which `test/wire/matches.ts` spells out.
 *
 * The tree has two truth values, also where a record has no value. SQL has three, so a store must
 * say what happens to NULL in each leaf:
 *
 * - `=` and `!=` with a value: no value is different from every value, so `!=` is true of it;
 * - `<`, `<=`, `>`, `>=` and every test of text are false of a missing value;
 * - `not` turns whatever its argument answers.
 *
 * Text is compared without regard to letter case and accents, that is, by `fold` of both sides.
 * Equality of a text field with a text is always `{ op: "text", test: "equals" }` (with `not` around
 * it for `!=`), never a `compare`; a `compare` on a text field is an order (`<` and its like, on the
 * folded text, by code point) or a comparison with null. A choice is compared as it is stored: the
 * other letter cases, the tests of text and the orders are resolved here against its list.
 */

/** A field usable in where and order. The kind determines its stored form. */
export type FilterField = {
  /** The canonical dotted path, such as `Contact.Name`. */
  readonly path: string;
  /**
   * Stored form by kind: id, lower-case GUID with hyphens; text and choice, text; boolean, true or
   * false; integer, number; date, `YYYY-MM-DD`; timestamp, milliseconds since 1970 UTC; decimal,
   * integer with `scale` digits after the point.
   */
  readonly kind:
    | "id"
    | "text"
    | "choice"
    | "boolean"
    | "integer"
    | "date"
    | "timestamp"
    | "decimal";
  /** Number of decimal places of a decimal field; 0 when left out. */
  readonly scale?: number;
  /** The values of a choice, in the letter case in which they are stored. */
  readonly choices?: readonly string[];
};

/**
 * Finds a field by the segments of its path, in any letter case; undefined for an unknown field.
 */
export type FindField = (path: readonly string[]) => FilterField | undefined;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** Text tests on folded text, by the names of their methods in conditions: `StartsWith`. */
export const textTests = {
  equals: (text: string, value: string) => text === value,
  contains: (text: string, value: string) => text.includes(value),
  startsWith: (text: string, value: string) => text.startsWith(value),
  endsWith: (text: string, value: string) => text.endsWith(value),
} as const;

export type TextTest = keyof typeof textTests;

/** A checked and normalised condition. The head of this file defines how it treats null. */
export type Where =
  /**
   * `args` has two or more members, and never an `and` directly in an `and`, nor `or` in an `or`.
   */
  | { readonly op: "and" | "or"; readonly args: readonly Where[] }
  /** Negation; never around a constant, another `not`, or a comparison by `=` or `!=`. */
  | { readonly op: "not"; readonly arg: Where }
  /**
   * `value` has the stored form of the field. It is null only with `=` and `!=`, which then test
   * whether the field is empty. Ids and booleans are compared by `=` and `!=` alone.
   */
  | {
      readonly op: "compare";
      readonly field: FilterField;
      readonly cmp: Comparison;
      readonly value: string | number | boolean | null;
    }
  /**
   * Two fields of one kind and scale, or two of text and choice, which are folded. Two missing
   * values are equal; an order with a missing value is false.
   */
  | {
      readonly op: "compareFields";
      readonly left: FilterField;
      readonly cmp: Comparison;
      readonly right: FilterField;
    }
  /** `value` is as the caller wrote it: the store folds both sides. */
  | {
      readonly op: "text";
      readonly field: FilterField;
      readonly test: TextTest;
      readonly value: string;
    }
  | { readonly op: "constant"; readonly value: boolean };

export const never: Where = { op: "constant", value: false };
export const alwaysTrue: Where = { op: "constant", value: true };

export function constantOf(isTrue: boolean): Where {
  return isTrue ? alwaysTrue : never;
}

const opposites = { "=": "!=", "!=": "=" } as const;

export function negate(where: Where): Where {
  switch (where.op) {
    case "constant":
      return constantOf(!where.value);
    case "not":
      return where.arg;
    case "compare":
    case "compareFields":
      // Other comparisons have no inverse, because both directions are false of a missing value.
      if (where.cmp === "=" || where.cmp === "!=") return { ...where, cmp: opposites[where.cmp] };
  }
  return { op: "not", arg: where };
}

export function joinedWhere(op: "and" | "or", parts: readonly Where[]): Where {
  const settling = op === "or"; // the value that settles the whole
  const args: Where[] = [];
  for (const condition of parts) {
    if (condition.op === "constant") {
      if (condition.value === settling) return condition;
    } else if (condition.op === op) args.push(...condition.args);
    else args.push(condition);
  }
  if (args.length === 0) return constantOf(!settling);
  return args.length === 1 ? (args[0] as Where) : { op, args };
}

export function hasValue(field: FilterField): Where {
  return { op: "compare", field, cmp: "!=", value: null };
}
