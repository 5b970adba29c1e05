/**
 * Compiles conditions of the where language to SQL with bound parameters.
 *
 * The language has two truth values, SQL three. `not` is therefore pushed down to the leaves, each
 * of which decides what a missing value means; above them only `and` and `or` are left, under which
 * SQL's unknown counts as false.
 */
import { type RawBuilder, sql } from "kysely";
import { fold } from "../../wire/fold.ts";
import type { Comparison, FilterField, Where } from "../../wire/query/tree.ts";
import type { StoreDialect } from "../tx/dialect.ts";

type Sql = RawBuilder<unknown>;

/** Resolves the fields of a condition to SQL. */
export interface Operands {
  readonly dialect: StoreDialect;
  /** The column of a field path. */
  column(path: string): Sql;
  /** The field folded (no letter case, no accents): a stored folded column, or a computed one. */
  folded(path: string): Sql;
}

const alwaysTrue = sql`1 = 1`;
const never = sql`1 = 0`;

export function conditionOf(condition: Where, operands: Operands): Sql {
  return compileCondition(condition, true, operands);
}

/**
 * Compiles a condition.
 * @param wantedResult  the truth value to test for: false under an odd number of `not`
 */
function compileCondition(condition: Where, wantedResult: boolean, operands: Operands): Sql {
  switch (condition.op) {
    case "constant":
      return condition.value === wantedResult ? alwaysTrue : never;
    case "not":
      return compileCondition(condition.arg, !wantedResult, operands);
    case "and":
    case "or": {
      const args = condition.args.map((arg) => compileCondition(arg, wantedResult, operands));
      return (condition.op === "and") === wantedResult ? allOf(args) : anyOf(args);
    }
    case "compare":
      return compileComparison(condition, wantedResult, operands);
    case "compareFields":
      return comparedFields(condition, wantedResult, operands);
    case "text":
      return textCondition(condition, wantedResult, operands);
  }
}

/** Joins conditions by `and`; true when there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return joinHalves(conditions, (left, right) => sql`(${left} and ${right})`) ?? alwaysTrue;
}

/** Joins conditions by `or`; false when there are none. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return joinHalves(conditions, (left, right) => sql`(${left} or ${right})`) ?? never;
}

/**
 * Joins conditions as a balanced tree: a chain of 800 would be as deep, and databases bound the
 * depth.
 */
function joinHalves(parts: readonly Sql[], join: (left: Sql, right: Sql) => Sql): Sql | undefined {
  if (parts.length <= 1) return parts[0];
  const middleIndex = parts.length >> 1;
  const firstHalf = joinHalves(parts.slice(0, middleIndex), join);
  const right = joinHalves(parts.slice(middleIndex), join);
  return firstHalf && right && join(firstHalf, right);
}

const signs = {
  "=": sql`=`,
  "!=": sql`<>`,
  "<": sql`<`,
  "<=": sql`<=`,
  ">": sql`>`,
  ">=": sql`>=`,
} as const;

const opposites = {
  "=": "!=",
  "!=": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
} as const satisfies Record<Comparison, Comparison>;

function isTextual(field: FilterField): boolean {
  return field.kind === "text" || field.kind === "choice";
}

function compileComparison(
  { field, cmp, value }: Extract<Where, { op: "compare" }>,
  isWanted: boolean,
  operands: Operands,
): Sql {
  const column = operands.column(field.path);
  if (value === null) {
    return (cmp === "=") === isWanted ? sql`${column} is null` : sql`${column} is not null`;
  }
  const isRaw = field.kind !== "text" && (field.kind !== "choice" || field.choices !== undefined);
  const leftSide = isRaw ? column : operands.folded(field.path);
  const right = typeof value === "boolean" ? Number(value) : isRaw ? value : fold(String(value));
  const sign = isWanted ? cmp : opposites[cmp];
  const holds = sql`${leftSide} ${signs[sign]} ${right}`;
  // A missing value differs from every value, and is neither below nor above any.
  const isTrueForNull = cmp === "=" ? !isWanted : cmp === "!=" ? isWanted : !isWanted;
  return isTrueForNull ? sql`(${holds} or ${column} is null)` : holds;
}

function comparedFields(
  { left, cmp, right }: Extract<Where, { op: "compareFields" }>,
  wantedResult: boolean,
  operands: Operands,
): Sql {
  const [a, b] = isTextual(left)
    ? [operands.folded(left.path), operands.folded(right.path)]
    : [operands.column(left.path), operands.column(right.path)];
  if (cmp === "=" || cmp === "!=") {
    return (cmp === "=") === wantedResult
      ? sql`${a} is not distinct from ${b}`
      : sql`${a} is distinct from ${b}`;
  }
  return wantedResult
    ? sql`${a} ${signs[cmp]} ${b}`
    : sql`(${a} ${signs[opposites[cmp]]} ${b} or ${a} is null or ${b} is null)`;
}

function textCondition(
  { field, test, value }: Extract<Where, { op: "text" }>,
  wantedResult: boolean,
  operands: Operands,
): Sql {
  const text = operands.folded(field.path);
  const passes = textTest(text, test, fold(value), operands.dialect);
  return wantedResult ? passes : sql`(not (${passes}) or ${operands.column(field.path)} is null)`;
}

/**
 * Compiles a text test.
 * @param text  folded;
 * @param operand  folded
 */
export function textTest(
  text: Sql,
  test: Extract<Where, { op: "text" }>["test"],
  operand: string,
  dialect: StoreDialect,
): Sql {
  switch (test) {
    case "equals":
      return sql`${text} = ${operand}`;
    case "contains":
      return dialect.contains(text, operand);
    case "endsWith":
      return dialect.endsWith(text, operand);
    case "startsWith": {
      if (operand === "") return sql`${text} is not null`;
      // Compiled to a range, which an index of folded texts can serve.
      const rangeEnd = textAfterPrefix(operand);
      return rangeEnd === undefined
        ? sql`${text} >= ${operand}`
        : sql`(${text} >= ${operand} and ${text} < ${rangeEnd})`;
    }
  }
}

const lastCodePoint = 0x10ffff;

/** The least text above every text that starts with `prefix`; undefined when there is none. */
function textAfterPrefix(prefix: string): string | undefined {
  const codes = [...prefix].map((letter) => letter.codePointAt(0) ?? 0);
  while (codes.length > 0) {
    const codePoint = codes.pop() ?? 0;
    // Skips the surrogates, which are no characters of their own.
    if (codePoint < lastCodePoint)
      return String.fromCodePoint(...codes, codePoint === 0xd7ff ? 0xe000 : codePoint + 1);
  }
  return undefined;
}
