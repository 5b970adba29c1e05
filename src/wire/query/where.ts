/** The grammar of the `where` language: parses the caller's text to a tree of conditions. */
import { fold } from "../fold.ts";
import { closeCall, isWord, readCall, readParsedTime } from "./calls.ts";
import { booleanIn, chosen, compareLiterals, ruleOf } from "./kind-rules.ts";
import type { Literal } from "./literals.ts";
import { mixedTypes, Scanner, type Token, unknownField } from "./scanner.ts";
import {
  alwaysTrue,
  type Comparison,
  constantOf,
  type FilterField,
  type FindField,
  joinedWhere,
  negate,
  never,
  type TextTest,
  textTests,
  type Where,
} from "./tree.ts";

/** Maximum length of a condition, in UTF-16 units: room for a thousand GUIDs. */
export const whereCharactersMax = 65_536;

/**
 * Maximum nesting of parentheses and arguments; it bounds the recursion here and in the stores.
 */
export const whereDepthMax = 64;

/** Maximum conditions joined in one text; below the 1,000 expression levels of SQLite. */
export const whereTermsMax = 800;

/** Maximum digits of a number. */
const whereDigitsMax = 100;

/** An operand of a comparison, with its position in the source. */
type Operand = { readonly at: number; readonly end: number } & (
  | { readonly has: "field"; readonly field: FilterField }
  | { readonly has: "literal"; readonly literal: Literal }
  | { readonly has: "condition"; readonly where: Where }
);

const comparisonBySign: ReadonlyMap<string, Comparison> = new Map([
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

const capitalised = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;
const testNames = (Object.keys(textTests) as TextTest[]).filter((key) => key !== "equals");
const testByName = new Map(testNames.map((testName) => [testName.toLowerCase(), testName]));

/** Methods whose result compares equal to their text. */
const formNames = ["ToLower", "ToUpper", "Trim", "ToString"];
const textForms: ReadonlySet<string> = new Set(formNames.map((formName) => formName.toLowerCase()));
const methodNames = [...testNames.map(capitalised), ...formNames];

const literalByKeyword: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ["true", { is: "boolean", value: true }],
  ["false", { is: "boolean", value: false }],
  ["null", { is: "null" }],
]);

/**
 * Parses a condition.
 *
 * Beyond the public API it accepts a plain text for a GUID or, in ISO form, for a time; `1`, `0`
 * and quoted words for booleans; an operand in parentheses; and a blank text as no condition.
 * ToLower, ToUpper and ToString on a field do not affect comparisons; neither does Trim, because
 * texts are trimmed before they are stored. A time without a zone is UTC. A value that is none of a
 * choice's values equals no record, and a number or time that the field cannot hold is compared
 * exactly: `Total > 1.005` with two digits is `Total > 1.00`.
 *
 * @param text     what the caller wrote, already decoded from the URL
 * @param type     the type of the records, for messages
 * @param fieldOf  finds a field of that type
 * @throws RefusedError `QueryParseException`, naming the position and what was expected there
 */
export function parseWhere(
  text: string,
  type: string,
  fieldOf: FindField,
  options: WhereOptions = {},
): Where {
  return new WhereParser(text, type, fieldOf, options).whole();
}

interface WhereOptions {
  /** Whether a text is refused where a date belongs. */
  readonly strictDates?: boolean | undefined;
}

class WhereParser {
  readonly #words: Scanner;
  readonly #type: string;
  readonly #fieldOf: FindField;
  readonly #strictDates: boolean;
  #depth = 0;
  #terms = 0;

  constructor(text: string, type: string, fieldOf: FindField, { strictDates }: WhereOptions) {
    this.#words = new Scanner(text, "where", whereCharactersMax);
    this.#type = type;
    this.#fieldOf = fieldOf;
    this.#strictDates = strictDates === true;
  }

  whole(): Where {
    if (this.#words.ended()) return alwaysTrue;
    const operand = this.#or();
    if (!this.#words.ended()) throw this.#words.expectedError("AND, OR or the end");
    return this.#condition(operand);
  }

  // Each level of the grammar passes a lone operand through, so that one may stand in parentheses.

  #or(): Operand {
    return this.#joined("or", "||", () => this.#and());
  }

  #and(): Operand {
    return this.#joined("and", "&&", () => this.#unary());
  }

  #joined(op: "and" | "or", symbol: string, readOperand: () => Operand): Operand {
    const firstOperand = readOperand();
    let last = firstOperand;
    const parts: Where[] = [];
    while (this.#words.takeSymbol(symbol) || this.#words.takeWord(op)) {
      if (parts.length === 0) parts.push(this.#condition(firstOperand));
      last = readOperand();
      parts.push(this.#condition(last));
    }
    if (parts.length === 0) return firstOperand;
    return { has: "condition", where: joinedWhere(op, parts), at: firstOperand.at, end: last.end };
  }

  #unary(): Operand {
    const { at } = this.#words.peek;
    let count = 0;
    while (this.#words.takeSymbol("!") || this.#words.takeWord("not")) count += 1;
    const operand = this.#comparison();
    if (count === 0) return operand;
    const condition = this.#condition(operand);
    return {
      has: "condition",
      where: count % 2 === 1 ? negate(condition) : condition,
      at,
      end: operand.end,
    };
  }

  #comparison(): Operand {
    // Conditions in parentheses have been counted there.
    if (this.#words.peek.text !== "(") this.#count(1);
    const leftOperand = this.#operand();
    const { peek } = this.#words;
    const cmp = peek.type === "symbol" ? comparisonBySign.get(peek.text) : undefined;
    if (!cmp) return leftOperand;
    const sign = this.#words.next();
    const right = this.#operand();
    const condition = this.#compared(leftOperand, cmp, right, sign);
    return { has: "condition", where: condition, at: leftOperand.at, end: right.end };
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
      throw this.#words.expectedError("a field or a value", token);
    }
    const innerOperand = this.#nested(() => this.#or());
    const close = this.#words.peek;
    this.#words.symbol(")");
    return this.#methods({ ...innerOperand, at, end: close.end });
  }

  #number(token: Token): Literal {
    if (token.text.length > whereDigitsMax) {
      throw this.#words.refused(token.at, `a number has more than ${whereDigitsMax} digits`);
    }
    const pointAt = token.text.indexOf(".");
    return {
      is: "number",
      digits: BigInt(token.text.replace(".", "")),
      scale: pointAt < 0 ? 0 : token.text.length - pointAt - 1,
    };
  }

  /** Parses a keyword, a function, or a field with the methods called on it. */
  #named(): Operand {
    const firstToken = this.#words.next();
    const { at } = firstToken;
    const literal = literalByKeyword.get(firstToken.text.toLowerCase());
    if (literal) return { has: "literal", literal, at, end: firstToken.end };
    if (this.#words.takeSymbol("(")) return this.#methods(this.#called(firstToken, readCall));
    const path = [firstToken];
    while (this.#words.takeSymbol(".")) {
      const partToken = this.#words.name("a name after '.'");
      if (this.#words.takeSymbol("(")) {
        if (path.length === 1 && isWord(firstToken, "datetime") && isWord(partToken, "parse")) {
          return this.#methods(this.#called(firstToken, readParsedTime));
        }
        return this.#methods(this.#methodCall(this.#field(path), partToken));
      }
      path.push(partToken);
    }
    return this.#field(path);
  }

  /** Parses a call that makes a value, after its opening parenthesis. */
  #called(nameToken: Token, read: typeof readCall): Operand {
    const { literal, end } = read(this.#words, nameToken);
    return { has: "literal", literal, at: nameToken.at, end };
  }

  #field(path: readonly Token[]): Operand {
    const segments = path.map((token) => token.text);
    const field = this.#fieldOf(segments);
    if (!field) {
      const [first] = path;
      const isJoint = path.length === 1 && /^(and|or)$/i.test(first?.text ?? "");
      // The operand of a joining keyword is missing: no field has such a name.
      if (isJoint) throw this.#words.expectedError("a field or a value", first);
      throw unknownField(segments, this.#type);
    }
    return { has: "field", field, at: path[0]?.at ?? 0, end: path.at(-1)?.end ?? 0 };
  }

  #methods(operand: Operand): Operand {
    let result = operand;
    while (this.#words.takeSymbol(".")) {
      const method = this.#words.name("a method after '.'");
      this.#words.symbol("(");
      result = this.#methodCall(result, method);
    }
    return result;
  }

  /** Parses a method call, after its opening parenthesis. */
  #methodCall(on: Operand, method: Token): Operand {
    const methodName = method.text.toLowerCase();
    const test = testByName.get(methodName);
    if (test) {
      const value = this.#nested(() => this.#textArgument(method));
      const end = closeCall(this.#words);
      return { has: "condition", where: this.#tested(on, test, value, method), at: on.at, end };
    }
    if (!textForms.has(methodName)) {
      const methodsText = `${methodNames.slice(0, -1).join(", ")} or ${methodNames.at(-1)}`;
      throw this.#words.expectedError(methodsText, method);
    }
    const endAt = closeCall(this.#words);
    if (on.has === "literal" && on.literal.is === "text") {
      const value = methodName === "trim" ? on.literal.value.trim() : on.literal.value;
      return { ...on, literal: { is: "text", value }, end: endAt };
    }
    const isTextual =
      on.has === "field"
        ? ruleOf(on.field).text || ruleOf(on.field).family === "id"
        : on.has === "literal" && on.literal.is === "guid";
    if (!isTextual) throw this.#words.expectedError(`a text before ${method.text}`, on);
    return { ...on, end: endAt };
  }

  #textArgument(call: Token): string {
    const argument = this.#operand();
    if (argument.has === "literal" && argument.literal.is === "text") return argument.literal.value;
    throw this.#words.expectedError(`a text in quotes for ${call.text}`, argument);
  }

  #tested(on: Operand, test: TextTest, value: string, method: Token): Where {
    if (on.has === "literal" && on.literal.is === "text") {
      return constantOf(textTests[test](fold(on.literal.value), fold(value)));
    }
    if (on.has !== "field" || !ruleOf(on.field).text) {
      throw this.#words.expectedError(`a text before ${method.text}`, on);
    }
    const { field } = on;
    if (!field.choices) return { op: "text", field, test, value };
    const folded = fold(value);
    return this.#counted(chosen(field, field.choices, (choice) => textTests[test](choice, folded)));
  }

  #compared(left: Operand, cmp: Comparison, right: Operand, sign: Token): Where {
    if (left.has === "literal" && right.has !== "literal") {
      return this.#compared(right, mirrored[cmp], left, sign);
    }
    if (left.has === "condition") {
      if (right.has !== "literal") throw this.#words.expectedError("true or false", right);
      const value = booleanIn(right.literal);
      if (value === undefined) throw this.#words.expectedError("true or false", right);
      if (cmp !== "=" && cmp !== "!=") throw this.#words.expectedError("= or !=", sign);
      return value === (cmp === "=") ? left.where : negate(left.where);
    }
    if (left.has === "literal") {
      // Both are literals, by the first rule.
      const value = right.has === "literal" && compareLiterals(left.literal, cmp, right.literal);
      if (value === undefined) throw this.#words.expectedError("a value of the same kind", right);
      return constantOf(value);
    }
    const { field } = left;
    const rule = ruleOf(field);
    if (right.has === "literal" && right.literal.is === "null") {
      return cmp === "=" || cmp === "!=" ? { op: "compare", field, cmp, value: null } : never;
    }
    if (!rule.isOrdered && cmp !== "=" && cmp !== "!=") {
      throw this.#words.expectedError(`= or != for ${field.path}`, sign);
    }
    const isTime = rule.family === "date" || rule.family === "timestamp";
    if (this.#strictDates && isTime && right.has === "literal" && right.literal.is === "text") {
      throw mixedTypes(sign.text, "DateTime?", "String");
    }
    if (right.has === "literal") {
      const condition = rule.compare(field, cmp, right.literal);
      if (condition) return this.#counted(condition);
    } else if (right.has === "field") {
      const hasSameScale = (field.scale ?? 0) === (right.field.scale ?? 0);
      if (ruleOf(right.field).family === rule.family && hasSameScale) {
        return { op: "compareFields", left: field, cmp, right: right.field };
      }
    }
    const takes = right.has === "literal" ? rule.takes : "a value or field of its kind";
    throw this.#words.expectedError(`${takes} for ${field.path}`, right);
  }

  /** The condition that a lone operand stands for. */
  #condition(operand: Operand): Where {
    if (operand.has === "condition") return operand.where;
    if (operand.has === "literal" && operand.literal.is === "boolean") {
      return constantOf(operand.literal.value);
    }
    if (operand.has === "field" && ruleOf(operand.field).family === "boolean") {
      return { op: "compare", field: operand.field, cmp: "=", value: true };
    }
    throw this.#words.expectedError("a comparison or a boolean field", operand);
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

  /** Counts the conditions a comparison with a choice expands to, beyond the one written. */
  #counted(condition: Where): Where {
    if (condition.op === "or") this.#count(condition.args.length - 1);
    return condition;
  }

  #count(termCount: number): void {
    this.#terms += termCount;
    if (this.#terms <= whereTermsMax) return;
    const { at } = this.#words.peek;
    throw this.#words.refused(at, `more than ${whereTermsMax} conditions are joined`);
  }
}
