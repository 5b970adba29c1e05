/** Comparison rules for each kind of field, and the resulting conditions. */
import { rateDigits, scaleOf } from "../../resources/decimal.ts";
import { readId } from "../../resources/scalar.ts";
import { compareText, fold } from "../fold.ts";
import { type Instant, instantOf, type Literal } from "./literals.ts";
import {
  type Comparison,
  constantOf,
  type FilterField,
  hasValue,
  joinedWhere,
  negate,
  never,
  type Where,
} from "./tree.ts";

/**
 * Compares with a value at `floor` or, when not `isExact`, between `floor` and the next storable
 * value.
 */
function orderedCondition(
  field: FilterField,
  cmp: Comparison,
  floor: string | number,
  isExact: boolean,
): Where {
  if (isExact) return { op: "compare", field, cmp, value: floor };
  if (cmp === "=" || cmp === "!=") return constantOf(cmp === "!=");
  return { op: "compare", field, cmp: cmp === ">" || cmp === ">=" ? ">" : "<=", value: floor };
}

function ofNumber(field: FilterField, cmp: Comparison, literal: Literal): Where | undefined {
  if (literal.is !== "number") return undefined;
  const shift = (field.scale ?? 0) - literal.scale;
  const { floor, isExact } =
    shift >= 0
      ? { floor: literal.digits * 10n ** BigInt(shift), isExact: true }
      : flooredDivision(literal.digits, 10n ** BigInt(-shift));
  const value = Number(floor);
  if (Number.isSafeInteger(value)) return orderedCondition(field, cmp, value, isExact);
  // An exchange rate may exceed the exact digits of a number; its text is compared as a number.
  if (field.scale === scaleOf.rate && String(floor).length <= rateDigits) {
    return orderedCondition(field, cmp, String(floor), isExact);
  }
  // No stored number is as large as this, so all compare alike.
  if (cmp === "=" || cmp === "!=") return constantOf(cmp === "!=");
  const isLess = value > 0;
  return isLess === (cmp === "<" || cmp === "<=") ? hasValue(field) : never;
}

/** The time in a literal; a text counts when it has the form of a time. */
function instantIn(literal: Literal): Instant | undefined {
  return literal.is === "text"
    ? instantOf(literal.value)
    : literal.is === "instant"
      ? literal
      : undefined;
}

/**
 * Turns a test of a choice into equalities with the matching values, so that no store has to fold
 * choices.
 */
export function chosen(
  field: FilterField,
  choices: readonly string[],
  passes: (folded: string) => boolean,
) {
  const passing = choices.filter((choice) => passes(fold(choice)));
  if (passing.length === choices.length) return hasValue(field);
  return joinedWhere(
    "or",
    passing.map((value) => ({ op: "compare", field, cmp: "=", value }) as const),
  );
}

function textComparison(field: FilterField, cmp: Comparison, value: string): Where {
  if (cmp !== "=" && cmp !== "!=") return { op: "compare", field, cmp, value };
  const equals: Where = { op: "text", field, test: "equals", value };
  return cmp === "=" ? equals : negate(equals);
}

export type KindRule = {
  /** The accepted literals, for messages. */
  readonly takes: string;
  /** Fields of one family can be compared with each other, if their scales agree. */
  readonly family: "id" | "text" | "boolean" | "number" | "date" | "timestamp";
  /** Whether `<`, `<=`, `>` and `>=` are defined. */
  readonly isOrdered: boolean;
  /** Whether the text methods apply. ToString and its like also apply to ids. */
  readonly text: boolean;
  /** Compares with a literal other than null; undefined when the literal has the wrong type. */
  readonly compare: (field: FilterField, cmp: Comparison, literal: Literal) => Where | undefined;
};

const kinds = {
  id: {
    takes: 'Guid("…")',
    family: "id",
    isOrdered: false,
    text: false,
    compare: (field, cmp, literal) => {
      const text = literal.is === "guid" || literal.is === "text" ? literal.value : "";
      const value = readId(text);
      return value === undefined ? undefined : { op: "compare", field, cmp, value };
    },
  },
  text: {
    takes: "a text in quotes",
    family: "text",
    isOrdered: true,
    text: true,
    compare: (field, cmp, literal) =>
      literal.is === "text" ? textComparison(field, cmp, literal.value) : undefined,
  },
  choice: {
    takes: "a text in quotes",
    family: "text",
    isOrdered: true,
    text: true,
    compare: (field, cmp, literal) => {
      if (literal.is !== "text") return undefined;
      const { choices } = field;
      if (!choices) return textComparison(field, cmp, literal.value);
      const folded = fold(literal.value);
      if (cmp !== "=" && cmp !== "!=") {
        return chosen(field, choices, (choice) => holdsFor(cmp, compareText(choice, folded)));
      }
      const value = choices.find((choice) => fold(choice) === folded);
      return value === undefined ? constantOf(cmp === "!=") : { op: "compare", field, cmp, value };
    },
  },
  boolean: {
    takes: "true or false",
    family: "boolean",
    isOrdered: false,
    text: false,
    compare: (field, cmp, literal) => {
      const value = booleanIn(literal);
      return value === undefined ? undefined : { op: "compare", field, cmp, value };
    },
  },
  integer: { takes: "a number", family: "number", isOrdered: true, text: false, compare: ofNumber },
  decimal: { takes: "a number", family: "number", isOrdered: true, text: false, compare: ofNumber },
  date: {
    takes: "DateTime(year, month, day)",
    family: "date",
    isOrdered: true,
    text: false,
    compare: (field, cmp, literal) => {
      const instant = instantIn(literal);
      if (!instant) return undefined;
      // A date stands for its midnight, so a later time lies between it and the next date.
      const { ms, isExact } = instant;
      const day = new Date(ms).toISOString().slice(0, 10);
      return orderedCondition(field, cmp, day, isExact && ms % 86_400_000 === 0);
    },
  },
  timestamp: {
    takes: "DateTime(year, month, day, hour, minute, second)",
    family: "timestamp",
    isOrdered: true,
    text: false,
    compare: (field, cmp, literal) => {
      const instant = instantIn(literal);
      return instant && orderedCondition(field, cmp, instant.ms, instant.isExact);
    },
  },
} satisfies Record<FilterField["kind"], KindRule>;

export function ruleOf(field: FilterField): KindRule {
  return kinds[field.kind];
}

/** Parses a boolean: a keyword, quoted, or 1 and 0. */
export function booleanIn(literal: Literal): boolean | undefined {
  if (literal.is === "boolean") return literal.value;
  const text =
    literal.is === "text"
      ? literal.value.toLowerCase()
      : literal.is === "number" && literal.scale === 0
        ? String(literal.digits)
        : "";
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

/**
 * Compares two literals of one kind; undefined for different kinds, or kinds without the order
 * asked for.
 */
export function compareLiterals(
  left: Literal,
  cmp: Comparison,
  right: Literal,
): boolean | undefined {
  const isEquality = cmp === "=" || cmp === "!=";
  if (left.is === "null" || right.is === "null") {
    return isEquality && holdsFor(cmp, left.is === right.is ? 0 : 1);
  }
  if (left.is === "text" && right.is === "text") {
    return holdsFor(cmp, compareText(fold(left.value), fold(right.value)));
  }
  if (left.is === "number" && right.is === "number") {
    const a = left.digits * 10n ** BigInt(right.scale);
    const b = right.digits * 10n ** BigInt(left.scale);
    return holdsFor(cmp, a < b ? -1 : a > b ? 1 : 0);
  }
  if (left.is === "instant" && right.is === "instant") return holdsFor(cmp, left.ms - right.ms);
  if (left.is === "boolean" && right.is === "boolean" && isEquality) {
    return holdsFor(cmp, left.value === right.value ? 0 : 1);
  }
  if (left.is === "guid" && right.is === "guid" && isEquality) {
    return holdsFor(cmp, left.value === right.value ? 0 : 1);
  }
  return undefined;
}

/** Whether a comparison holds, given the sign of the difference of two values. */
export function holdsFor(cmp: Comparison, difference: number): boolean {
  switch (cmp) {
    case "=":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

function flooredDivision(dividend: bigint, divisor: bigint): { floor: bigint; isExact: boolean } {
  const remainder = dividend % divisor;
  return { floor: dividend / divisor - (remainder < 0n ? 1n : 0n), isExact: remainder === 0n };
}
