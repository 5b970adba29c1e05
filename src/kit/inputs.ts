/** What a test gives to its server: which values there are of each kind, and their schema. */
import { UsageError } from "../resources/errors.ts";

interface InputKind {
  /** Schema of the values, in JSON Schema. */
  readonly schema: { readonly type?: unknown } & Readonly<Record<string, unknown>>;
  /** What a value is, for the error about another: `a text`. */
  readonly form: string;
  readonly isTaken: (value: unknown) => boolean;
}

export type Inputs = Readonly<Record<string, InputKind>>;

/** Longest time of a timer, in milliseconds. */
const wholeMax = 2_147_483_647;

export const text: InputKind = {
  schema: { type: "string", minLength: 1 },
  form: "a text",
  isTaken: (value) => typeof value === "string" && value !== "",
};

export const whole = (minimum: number, maximum = wholeMax): InputKind => ({
  schema: { type: "integer", minimum, maximum },
  form: `a whole number from ${minimum}${maximum === wholeMax ? "" : ` to ${maximum}`}`,
  isTaken: (value) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
});

export const oneOf = (values: readonly unknown[]): InputKind => ({
  schema: { enum: values },
  form: `one of ${values.join(", ")}`,
  isTaken: (value) => values.includes(value),
});

const listOf = ({ schema, isTaken }: InputKind, form: string): InputKind => ({
  schema: { type: "array", items: schema, minItems: 1 },
  form,
  isTaken: (value) => Array.isArray(value) && value.length > 0 && value.every(isTaken),
});

export const texts = listOf(text, "a list of at least one text");
export const manyOf = (values: readonly unknown[]): InputKind =>
  listOf(oneOf(values), `a list of at least one of ${values.join(", ")}`);

/** The rate limits of a server: on, off, or as said. */
export const limitsInput: InputKind = {
  schema: { type: ["boolean", "string"] },
  form: "true, false, or limits such as minute=60",
  isTaken: (value) => typeof value === "boolean" || text.isTaken(value),
};

export const object: InputKind = {
  schema: { type: "object" },
  form: "an object",
  isTaken: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/**
 * Checks what a test gives; properties that are undefined are left out.
 *
 * @param what    names what takes it, in errors: `POST /save`
 * @param isText  whether whole numbers are given by their digits, as in a query
 * @throws UsageError `BadValue`
 */
export function readInputs(
  what: string,
  { takes, needs = [] }: { readonly takes: Inputs; readonly needs?: readonly string[] },
  input: object,
  isText = false,
): Record<string, unknown> {
  const refuse = (message: string) => new UsageError("BadValue", message);
  const inputs: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(input)) {
    const kind = Object.hasOwn(takes, name) ? takes[name] : undefined;
    if (kind === undefined) {
      throw refuse(`${what} takes ${Object.keys(takes).join(", ") || "nothing"}, not ${name}.`);
    }
    if (given === undefined) continue;
    const isWhole = isText && kind.schema.type === "integer" && /^\d+$/.test(given);
    const value = isWhole ? Number(given) : given;
    if (!kind.isTaken(value)) {
      throw refuse(`${name} of ${what} is ${kind.form}, not ${JSON.stringify(given)}.`);
    }
    inputs[name] = value;
  }
  const missing = needs.find((name) => inputs[name] === undefined);
  if (missing !== undefined) throw refuse(`${what} needs ${missing}.`);
  return inputs;
}
