/**
 * The `where` language: the condition a caller writes to filter a list.
 *
 * `parseWhere` reads the text once and answers a tree in which nothing is left to decide: every
 * field is known, every value has the form the store keeps, every comparison is exact, and the size
 * of the tree is bounded. A store turns the tree into bound parameters without checking anything
 * again. `matches` is what the tree means; the stores are tested against it.
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

import { compareText, fold } from "./fold.ts";
import { Scanner, type Token, unknownField } from "./scanner.ts";

/** A field that may stand in where and order. The kind says in which form the store keeps it. */
export type FilterField = {
  /** The canonical dotted path, such as `Contact.Name`. */
  readonly path: string;
  /**
   * Stored as: id, lower-case GUID with hyphens; text and choice, text; boolean, true or false;
   * integer, number; date, `YYYY-MM-DD`; timestamp, milliseconds since 1970 UTC; decimal, integer of
   * `scale` digits after the point.
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
  /** Digits after the point of a decimal; 0 when left out. */
  readonly scale?: number;
  /** The values of a choice, in the letter case in which they are stored. */
  readonly choices?: readonly string[];
};

/** Finds a field by the segments of its path, in any letter case; undefined when there is none. */
export type FindField = (path: readonly string[]) => FilterField | undefined;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type TextTest = "equals" | "contains" | "startsWith" | "endsWith";

/** A condition, checked and normalised. See the head of this file for what it says of null. */
export type Where =
  /** `args` holds two or more, and no `and` directly in an `and`, nor `or` in an `or`. */
  | { readonly op: "and" | "or"; readonly args: readonly Where[] }
  /** Never around a constant, another `not`, or a comparison by `=` or `!=`. */
  | { readonly op: "not"; readonly arg: Where }
  /**
   * `value` has the stored form of the field. It is null only with `=` and `!=`, which then ask
   * whether the field has no value. Ids and booleans are compared by `=` and `!=` alone.
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
  /** `value` is as the caller wrote it: whoever evaluates folds both sides. */
  | {
      readonly op: "text";
      readonly field: FilterField;
      readonly test: TextTest;
      readonly value: string;
    }
  | { readonly op: "constant"; readonly value: boolean };

/** The longest text read, in UTF-16 units: room for a thousand GUIDs. */
export const whereCharactersMax = 65_536;

/** How deep parentheses and arguments may nest; it bounds the recursion here and in the stores. */
export const whereDepthMax = 64;

/** How many conditions one text may join; it stays below the 1,000 levels SQLite gives to one. */
export const whereTermsMax = 800;

/** The most digits of one number. */
const whereDigitsMax = 100;

// -------------------------------------------------------------------------------------------------
// Literals

type Literal =
  | { readonly is: "null" }
  | { readonly is: "text"; readonly value: string }
  | { readonly is: "boolean"; readonly value: boolean }
  | { readonly is: "guid"; readonly value: string }
  /** `digits` without its point, which stands before the last `scale` of them. */
  | { readonly is: "number"; readonly digits: bigint; readonly scale: number }
  | ({ readonly is: "instant" } & Instant);

/** `ms` since 1970 UTC; when not `exact`, the time is within the millisecond that starts there. */
type Instant = { readonly ms: number; readonly exact: boolean };

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A GUID in its stored form, from any letter case, with or without braces. */
function guidOf(text: string): string | undefined {
  const bare = text.trim().toLowerCase();
  const guid = bare.startsWith("{") && bare.endsWith("}") ? bare.slice(1, -1) : bare;
  return guidPattern.test(guid) ? guid : undefined;
}

const instantPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?)?$/i;

/** The time that an ISO text names; without a zone it is UTC. */
function instantOf(text: string): Instant | undefined {
  const parts = instantPattern.exec(text.trim());
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => +(part ?? 0));
  const local = utcOf([year, month, day, hour, minute, second] as number[]);
  if (local === undefined) return undefined;
  const fraction = (parts[7] ?? "").padEnd(9, "0");
  const [zoneHour, zoneMinute] = [+(parts[9] ?? 0), +(parts[10] ?? 0)];
  if (zoneHour > 14 || zoneMinute > 59) return undefined;
  const offset = (parts[8] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000;
  const ms = local + +fraction.slice(0, 3) - offset;
  if (ms < earliestMs || ms > latestMs) return undefined;
  return { ms, exact: +fraction.slice(3) === 0 };
}

/** Milliseconds of a time in UTC, from year, month, day, hour, minute, second, if there is one. */
function utcOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]):
  | number
  | undefined {
  if (year < 1 || year > 9999 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have has moved on to another month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}

// The years 1 to 9999, so that every date has ten characters.
const earliestMs = -62_135_596_800_000;
const latestMs = 253_402_300_799_999;

function flooredDivision(dividend: bigint, divisor: bigint): { floor: bigint; exact: boolean } {
  const rest = dividend % divisor;
  return { floor: dividend / divisor - (rest < 0n ? 1n : 0n), exact: rest === 0n };
}

// -------------------------------------------------------------------------------------------------
// Building the tree

const never: Where = { op: "constant", value: false };
const always: Where = { op: "constant", value: true };

function constant(value: boolean): Where {
  return value ? always : never;
}

const opposites = { "=": "!=", "!=": "=" } as const;

function negated(where: Where): Where {
  switch (where.op) {
    case "constant":
      return constant(!where.value);
    case "not":
      return where.arg;
    case "compare":
    case "compareFields":
      // The others have no opposite, because both sides of it are false of a missing value.
      if (where.cmp === "=" || where.cmp === "!=") return { ...where, cmp: opposites[where.cmp] };
  }
  return { op: "not", arg: where };
}

function joined(op: "and" | "or", parts: readonly Where[]): Where {
  const settling = op === "or"; // the value that settles the whole
  const args: Where[] = [];
  for (const part of parts) {
    if (part.op === "constant") {
      if (part.value === settling) return part;
    } else if (part.op === op) args.push(...part.args);
    else args.push(part);
  }
  if (args.length === 0) return constant(!settling);
  return args.length === 1 ? (args[0] as Where) : { op, args };
}

function hasValue(field: FilterField): Where {
  return { op: "compare", field, cmp: "!=", value: null };
}

/** A value lies at `floor`, or when not `exact` between `floor` and the next storable value. */
function ordered(
  field: FilterField,
  cmp: Comparison,
  floor: string | number,
  exact: boolean,
): Where {
  if (exact) return { op: "compare", field, cmp, value: floor };
  if (cmp === "=" || cmp === "!=") return constant(cmp === "!=");
  return { op: "compare", field, cmp: cmp === ">" || cmp === ">=" ? ">" : "<=", value: floor };
}

function numbers(field: FilterField, cmp: Comparison, literal: Literal): Where | undefined {
  if (literal.is !== "number") return undefined;
  const shift = (field.scale ?? 0) - literal.scale;
  const { floor, exact } =
    shift >= 0
      ? { floor: literal.digits * 10n ** BigInt(shift), exact: true }
      : flooredDivision(literal.digits, 10n ** BigInt(-shift));
  const value = Number(floor);
  if (Number.isSafeInteger(value)) return ordered(field, cmp, value, exact);
  // No stored number is as large as this, so every one lies on the same side of it.
  if (cmp === "=" || cmp === "!=") return constant(cmp === "!=");
  const below = value > 0;
  return below === (cmp === "<" || cmp === "<=") ? hasValue(field) : never;
}

/** A text may stand for a time where it has the form of one. */
function instantIn(literal: Literal): Instant | undefined {
  return literal.is === "text"
    ? instantOf(literal.value)
    : literal.is === "instant"
      ? literal
      : undefined;
}

/** Those of its choices that pass, as equalities, so that no store has to fold a choice. */
function chosen(
  field: FilterField,
  choices: readonly string[],
  passes: (folded: string) => boolean,
) {
  const passing = choices.filter((choice) => passes(fold(choice)));
  if (passing.length === choices.length) return hasValue(field);
  return joined(
    "or",
    passing.map((value) => ({ op: "compare", field, cmp: "=", value }) as const),
  );
}

function textCompared(field: FilterField, cmp: Comparison, value: string): Where {
  if (cmp !== "=" && cmp !== "!=") return { op: "compare", field, cmp, value };
  const equals: Where = { op: "text", field, test: "equals", value };
  return cmp === "=" ? equals : negated(equals);
}

type KindRule = {
  /** What a caller may write for it, for messages. */
  readonly takes: string;
  /** Kinds of one family can be compared with each other, if their scales agree. */
  readonly family: "id" | "text" | "boolean" | "number" | "date" | "timestamp";
  /** Whether `<` and its like have a meaning. */
  readonly orders: boolean;
  /** Whether it has the methods of text. ToString and its like are also for ids. */
  readonly text: boolean;
  /** The comparison with a literal other than null; undefined when the literal is none for it. */
  readonly compare: (field: FilterField, cmp: Comparison, literal: Literal) => Where | undefined;
};

const kinds = {
  id: {
    takes: 'Guid("…")',
    family: "id",
    orders: false,
    text: false,
    compare: (field, cmp, literal) => {
      const given = literal.is === "guid" || literal.is === "text" ? literal.value : "";
      const value = guidOf(given);
      return value === undefined ? undefined : { op: "compare", field, cmp, value };
    },
  },
  text: {
    takes: "a text in quotes",
    family: "text",
    orders: true,
    text: true,
    compare: (field, cmp, literal) =>
      literal.is === "text" ? textCompared(field, cmp, literal.value) : undefined,
  },
  choice: {
    takes: "a text in quotes",
    family: "text",
    orders: true,
    text: true,
    compare: (field, cmp, literal) => {
      if (literal.is !== "text") return undefined;
      const { choices } = field;
      if (!choices) return textCompared(field, cmp, literal.value);
      const folded = fold(literal.value);
      if (cmp !== "=" && cmp !== "!=") {
        return chosen(field, choices, (choice) => holds(cmp, compareText(choice, folded)));
      }
      const value = choices.find((choice) => fold(choice) === folded);
      return value === undefined ? constant(cmp === "!=") : { op: "compare", field, cmp, value };
    },
  },
  boolean: {
    takes: "true or false",
    family: "boolean",
    orders: false,
    text: false,
    compare: (field, cmp, literal) => {
      const value = booleanIn(literal);
      return value === undefined ? undefined : { op: "compare", field, cmp, value };
    },
  },
  integer: { takes: "a number", family: "number", orders: true, text: false, compare: numbers },
  decimal: { takes: "a number", family: "number", orders: true, text: false, compare: numbers },
  date: {
    takes: "DateTime(year, month, day)",
    family: "date",
    orders: true,
    text: false,
    compare: (field, cmp, literal) => {
      const instant = instantIn(literal);
      if (!instant) return undefined;
      // A date is the midnight it starts with, so a later time lies between it and the next.
      const { ms, exact } = instant;
      const day = new Date(ms).toISOString().slice(0, 10);
      return ordered(field, cmp, day, exact && ms % 86_400_000 === 0);
    },
  },
  timestamp: {
    takes: "DateTime(year, month, day, hour, minute, second)",
    family: "timestamp",
    orders: true,
    text: false,
    compare: (field, cmp, literal) => {
      const instant = instantIn(literal);
      return instant && ordered(field, cmp, instant.ms, instant.exact);
    },
  },
} satisfies Record<FilterField["kind"], KindRule>;

function ruleOf(field: FilterField): KindRule {
  return kinds[field.kind];
}

/** Queries write booleans as keyword, in quotes, or as 1 and 0. */
function booleanIn(literal: Literal): boolean | undefined {
  if (literal.is === "boolean") return literal.value;
  const given =
    literal.is === "text"
      ? literal.value.toLowerCase()
      : literal.is === "number" && literal.scale === 0
        ? String(literal.digits)
        : "";
  if (given === "true" || given === "1") return true;
  return given === "false" || given === "0" ? false : undefined;
}

/** Compares two literals of one kind; undefined when they are not, or have no order asked for. */
function literalsCompared(left: Literal, cmp: Comparison, right: Literal): boolean | undefined {
  const equality = cmp === "=" || cmp === "!=";
  if (left.is === "null" || right.is === "null") {
    return equality && holds(cmp, left.is === right.is ? 0 : 1);
  }
  if (left.is === "text" && right.is === "text") {
    return holds(cmp, compareText(fold(left.value), fold(right.value)));
  }
  if (left.is === "number" && right.is === "number") {
    const a = left.digits * 10n ** BigInt(right.scale);
    const b = right.digits * 10n ** BigInt(left.scale);
    return holds(cmp, a < b ? -1 : a > b ? 1 : 0);
  }
  if (left.is === "instant" && right.is === "instant") return holds(cmp, left.ms - right.ms);
  if (left.is === "boolean" && right.is === "boolean" && equality) {
    return holds(cmp, left.value === right.value ? 0 : 1);
  }
  if (left.is === "guid" && right.is === "guid" && equality) {
    return holds(cmp, left.value === right.value ? 0 : 1);
  }
  return undefined;
}

/** Whether a comparison holds for two values whose difference has the sign of `difference`. */
function holds(cmp: Comparison, difference: number): boolean {
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

// -------------------------------------------------------------------------------------------------
// The grammar

/** What may stand on a side of a comparison, with its place in the source. */
type Operand = { readonly at: number; readonly end: number } & (
  | { readonly has: "field"; readonly field: FilterField }
  | { readonly has: "literal"; readonly literal: Literal }
  | { readonly has: "condition"; readonly where: Where }
);

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ["=", "="],
  ["==", "="],
  ["!=", "!="],
  ["<>", "!="],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
]);

const mirrored = { "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

const textTests: ReadonlyMap<string, TextTest> = new Map([
  ["contains", "contains"],
  ["startswith", "startsWith"],
  ["endswith", "endsWith"],
]);

/** The methods that answer their text in a form which a comparison does not tell from it. */
const textForms: ReadonlySet<string> = new Set(["tolower", "toupper", "trim", "tostring"]);

const keywords: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ["true", { is: "boolean", value: true }],
  ["false", { is: "boolean", value: false }],
  ["null", { is: "null" }],
]);

/**
 * Reads a condition.
 *
 * Beyond the public API it accepts a plain text for a GUID or, in ISO form, for a time; `1`, `0`
 * and quoted words for booleans; an operand in parentheses; and, as no condition at all, a text of
 * blanks. ToLower, ToUpper and ToString on a field change nothing that a comparison sees; neither
 * does Trim, because texts are trimmed before they are stored. A time without a zone is UTC. A
 * value that a choice does not have equals none of its records, and a number or time that the field
 * cannot hold is compared exactly: `Total > 1.005` with two digits is `Total > 1.00`.
 *
 * @param text     what the caller wrote, already decoded from the URL
 * @param type     the type of the records, for messages
 * @param fieldOf  finds a field of that type
 * @throws RefusedError `QueryParseException`, naming the position and what was expected there
 */
export function parseWhere(text: string, type: string, fieldOf: FindField): Where {
  return new WhereParser(text, type, fieldOf).whole();
}

class WhereParser {
  readonly #words: Scanner;
  readonly #type: string;
  readonly #fieldOf: FindField;
  #depth = 0;
  #terms = 0;

  constructor(text: string, type: string, fieldOf: FindField) {
    this.#words = new Scanner(text, "where", whereCharactersMax);
    this.#type = type;
    this.#fieldOf = fieldOf;
  }

  whole(): Where {
    if (this.#words.ended()) return always;
    const operand = this.#or();
    if (!this.#words.ended()) throw this.#words.expected("AND, OR or the end");
    return this.#condition(operand);
  }

  // A level of the grammar hands an operand through as it is, so that one may stand in parentheses.

  #or(): Operand {
    return this.#joined("or", "||", () => this.#and());
  }

  #and(): Operand {
    return this.#joined("and", "&&", () => this.#unary());
  }

  #joined(op: "and" | "or", symbol: string, next: () => Operand): Operand {
    const first = next();
    let last = first;
    const parts: Where[] = [];
    while (this.#words.takesSymbol(symbol) || this.#words.takesWord(op)) {
      if (parts.length === 0) parts.push(this.#condition(first));
      last = next();
      parts.push(this.#condition(last));
    }
    if (parts.length === 0) return first;
    return { has: "condition", where: joined(op, parts), at: first.at, end: last.end };
  }

  #unary(): Operand {
    const { at } = this.#words.peek;
    let count = 0;
    while (this.#words.takesSymbol("!") || this.#words.takesWord("not")) count += 1;
    const operand = this.#comparison();
    if (count === 0) return operand;
    const where = this.#condition(operand);
    return {
      has: "condition",
      where: count % 2 === 1 ? negated(where) : where,
      at,
      end: operand.end,
    };
  }

  #comparison(): Operand {
    // What stands in parentheses has been counted there.
    if (this.#words.peek.text !== "(") this.#count(1);
    const left = this.#operand();
    const { peek } = this.#words;
    const cmp = peek.type === "symbol" ? comparisons.get(peek.text) : undefined;
    if (!cmp) return left;
    const sign = this.#words.next();
    const right = this.#operand();
    const where = this.#compared(left, cmp, right, sign);
    return { has: "condition", where, at: left.at, end: right.end };
  }

  #operand(): Operand {
    const token = this.#words.peek;
    if (token.type === "name") return this.#named();
    this.#words.next();
    const { at, end } = token;
    if (token.type === "text") {
      const literal: Literal = { is: "text", value: token.text };
      return this.#methods({ has: "literal", literal, at, end });
    }
    if (token.type === "number") {
      return { has: "literal", literal: this.#number(token), at, end };
    }
    if (token.type !== "symbol" || token.text !== "(") {
      throw this.#words.expected("a field or a value", token);
    }
    const inner = this.#nested(() => this.#or());
    const close = this.#words.peek;
    this.#words.symbol(")");
    return this.#methods({ ...inner, at, end: close.end });
  }

  #number(token: Token): Literal {
    if (token.text.length > whereDigitsMax) {
      throw this.#words.refused(token.at, `a number has more than ${whereDigitsMax} digits`);
    }
    const point = token.text.indexOf(".");
    return {
      is: "number",
      digits: BigInt(token.text.replace(".", "")),
      scale: point < 0 ? 0 : token.text.length - point - 1,
    };
  }

  /** A keyword, a function, or a field with the methods called on it. */
  #named(): Operand {
    const first = this.#words.next();
    const { at } = first;
    const literal = keywords.get(first.text.toLowerCase());
    if (literal) return { has: "literal", literal, at, end: first.end };
    if (this.#words.takesSymbol("(")) return this.#methods(this.#functionCall(first));
    const path = [first];
    while (this.#words.takesSymbol(".")) {
      const part = this.#words.name("a name after '.'");
      if (this.#words.takesSymbol("(")) {
        if (path.length === 1 && isWord(first, "datetime") && isWord(part, "parse")) {
          return this.#methods(this.#dateTimeParsed(first));
        }
        return this.#methods(this.#methodCall(this.#field(path), part));
      }
      path.push(part);
    }
    return this.#field(path);
  }

  #field(path: readonly Token[]): Operand {
    const segments = path.map((part) => part.text);
    const field = this.#fieldOf(segments);
    if (!field) throw unknownField(segments, this.#type);
    return { has: "field", field, at: path[0]?.at ?? 0, end: path.at(-1)?.end ?? 0 };
  }

  #methods(operand: Operand): Operand {
    let result = operand;
    while (this.#words.takesSymbol(".")) {
      const method = this.#words.name("a method after '.'");
      this.#words.symbol("(");
      result = this.#methodCall(result, method);
    }
    return result;
  }

  /** A call of a method whose opening parenthesis has been taken. */
  #methodCall(on: Operand, method: Token): Operand {
    const word = method.text.toLowerCase();
    const test = textTests.get(word);
    if (test) {
      const value = this.#nested(() => this.#textArgument(method));
      const end = this.#closed();
      return { has: "condition", where: this.#tested(on, test, value, method), at: on.at, end };
    }
    if (!textForms.has(word)) {
      const known = "Contains, StartsWith, EndsWith, ToLower, ToUpper, Trim or ToString";
      throw this.#words.expected(known, method);
    }
    const end = this.#closed();
    if (on.has === "literal" && on.literal.is === "text") {
      const value = word === "trim" ? on.literal.value.trim() : on.literal.value;
      return { ...on, literal: { is: "text", value }, end };
    }
    const textual =
      on.has === "field"
        ? ruleOf(on.field).text || ruleOf(on.field).family === "id"
        : on.has === "literal" && on.literal.is === "guid";
    if (!textual) throw this.#words.expected(`a text before ${method.text}`, on);
    return { ...on, end };
  }

  #textArgument(call: Token): string {
    const argument = this.#operand();
    if (argument.has === "literal" && argument.literal.is === "text") return argument.literal.value;
    throw this.#words.expected(`a text in quotes for ${call.text}`, argument);
  }

  #tested(on: Operand, test: TextTest, value: string, method: Token): Where {
    if (on.has === "literal" && on.literal.is === "text") {
      return constant(passes(test, fold(on.literal.value), fold(value)));
    }
    if (on.has !== "field" || !ruleOf(on.field).text) {
      throw this.#words.expected(`a text before ${method.text}`, on);
    }
    const { field } = on;
    if (!field.choices) return { op: "text", field, test, value };
    const folded = fold(value);
    return this.#counted(chosen(field, field.choices, (choice) => passes(test, choice, folded)));
  }

  /** `Guid(` or `DateTime(`, whose opening parenthesis has been taken. */
  #functionCall(called: Token): Operand {
    const { at } = called;
    if (isWord(called, "guid")) {
      const given = this.#quotedArgument("a GUID in quotes");
      const value = guidOf(given.text);
      if (!value) throw this.#words.expected("a GUID in quotes", given);
      return { has: "literal", literal: { is: "guid", value }, at, end: this.#closed() };
    }
    if (!isWord(called, "datetime"))
      throw this.#words.expected("a field, Guid or DateTime", called);
    const parts = [this.#datePart("a year")];
    for (const what of ["a month", "a day"]) {
      this.#words.symbol(",");
      parts.push(this.#datePart(what));
    }
    if (this.#words.takesSymbol(",")) {
      parts.push(this.#datePart("an hour"));
      for (const what of ["a minute", "a second"]) {
        this.#words.symbol(",");
        parts.push(this.#datePart(what));
      }
    }
    const end = this.#closed();
    const ms = utcOf(parts);
    if (ms === undefined) throw this.#words.expected("a time that exists", { at, end });
    return { has: "literal", literal: { is: "instant", ms, exact: true }, at, end };
  }

  /** `DateTime.Parse(`, whose opening parenthesis has been taken. */
  #dateTimeParsed({ at }: Token): Operand {
    const what = "a time in quotes such as 2026-03-31 or 2026-03-31T10:20:30Z";
    const given = this.#quotedArgument(what);
    const instant = instantOf(given.text);
    if (!instant) throw this.#words.expected(what, given);
    return { has: "literal", literal: { is: "instant", ...instant }, at, end: this.#closed() };
  }

  #quotedArgument(what: string): Token {
    if (this.#words.peek.type !== "text") throw this.#words.expected(what);
    return this.#words.next();
  }

  #datePart(what: string): number {
    const { peek } = this.#words;
    if (peek.type !== "number" || !/^0*[0-9]{1,4}$/.test(peek.text)) {
      throw this.#words.expected(what);
    }
    return Number(this.#words.next().text);
  }

  /** Takes the parenthesis that closes a call, and answers where it ends. */
  #closed(): number {
    const { end } = this.#words.peek;
    this.#words.symbol(")");
    return end;
  }

  #compared(left: Operand, cmp: Comparison, right: Operand, sign: Token): Where {
    if (left.has === "literal" && right.has !== "literal") {
      return this.#compared(right, mirrored[cmp], left, sign);
    }
    if (left.has === "condition") {
      if (right.has !== "literal") throw this.#words.expected("true or false", right);
      const value = booleanIn(right.literal);
      if (value === undefined) throw this.#words.expected("true or false", right);
      if (cmp !== "=" && cmp !== "!=") throw this.#words.expected("= or !=", sign);
      return value === (cmp === "=") ? left.where : negated(left.where);
    }
    if (left.has === "literal") {
      // By the first rule both are literals.
      const value = right.has === "literal" && literalsCompared(left.literal, cmp, right.literal);
      if (value === undefined) throw this.#words.expected("a value of the same kind", right);
      return constant(value);
    }
    const { field } = left;
    const rule = ruleOf(field);
    if (right.has === "literal" && right.literal.is === "null") {
      return cmp === "=" || cmp === "!=" ? { op: "compare", field, cmp, value: null } : never;
    }
    if (!rule.orders && cmp !== "=" && cmp !== "!=") {
      throw this.#words.expected(`= or != for ${field.path}`, sign);
    }
    if (right.has === "literal") {
      const where = rule.compare(field, cmp, right.literal);
      if (where) return this.#counted(where);
    } else if (right.has === "field") {
      const sameScale = (field.scale ?? 0) === (right.field.scale ?? 0);
      if (ruleOf(right.field).family === rule.family && sameScale) {
        return { op: "compareFields", left: field, cmp, right: right.field };
      }
    }
    const takes = right.has === "literal" ? rule.takes : "a value or field of its kind";
    throw this.#words.expected(`${takes} for ${field.path}`, right);
  }

  /** The condition that an operand is by itself. */
  #condition(operand: Operand): Where {
    if (operand.has === "condition") return operand.where;
    if (operand.has === "literal" && operand.literal.is === "boolean") {
      return constant(operand.literal.value);
    }
    if (operand.has === "field" && ruleOf(operand.field).family === "boolean") {
      return { op: "compare", field: operand.field, cmp: "=", value: true };
    }
    throw this.#words.expected("a comparison or a boolean field", operand);
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > whereDepthMax) {
      const { at } = this.#words.peek;
      throw this.#words.refused(at, `parentheses are nested more than ${whereDepthMax} deep`);
    }
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Counts what a comparison with a choice has become beyond the one condition written. */
  #counted(where: Where): Where {
    if (where.op === "or") this.#count(where.args.length - 1);
    return where;
  }

  #count(terms: number): void {
    this.#terms += terms;
    if (this.#terms <= whereTermsMax) return;
    const { at } = this.#words.peek;
    throw this.#words.refused(at, `more than ${whereTermsMax} conditions are joined`);
  }
}

function isWord(token: Token, word: string): boolean {
  return token.text.toLowerCase() === word;
}

// -------------------------------------------------------------------------------------------------
// Meaning

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
      return value !== null && passes(where.test, fold(String(value)), fold(where.value));
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
    return holds(cmp, compareText(fold(String(left)), fold(String(right))));
  }
  // Values of one kind, which need no conversion: texts in ASCII, numbers, or booleans.
  const [a, b] = [left as string, right as string];
  return holds(cmp, a < b ? -1 : a > b ? 1 : 0);
}

/** Both texts are folded. */
function passes(test: TextTest, text: string, value: string): boolean {
  switch (test) {
    case "equals":
      return text === value;
    case "contains":
      return text.includes(value);
    case "startsWith":
      return text.startsWith(value);
    case "endsWith":
      return text.endsWith(value);
  }
}
