/**
 * Typed text into a value, as its field describes it.
 *
 * People write more than the wire does (`-30d`, `1,234.50`, `15%`, `yes`); what they write is put
 * into the form of the wire, and then read and checked by the one table that everything is read by.
 * What could only be kept by changing it (a third decimal of an amount, say) is refused and never
 * rounded away.
 */
import { decimalPlaces, scaleOf } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Field, FieldOf, ScalarKind, ShapeOf } from "../../resources/field.ts";
import { checkScalar, type ParseResult, readScalar, shown } from "../../resources/scalar.ts";
import { type DayReading, parseDate } from "./date-flags.ts";
import { readAmount, readNumber, readTyped } from "./read-number.ts";

/** The value of one scalar field. */
export type ScalarValue<F extends Field> =
  ShapeOf<{ value: F }> extends { value?: infer V } ? NonNullable<V> : never;

export interface ValueOptions {
  /** What the person calls it, `--due-date`; messages begin with it. */
  readonly name: string;
  /** `YYYY-MM-DD`; without it the words and distances of dates are not understood. */
  readonly today?: string | undefined;
  readonly days?: DayReading | undefined;
  /**
   * The decimal mark of a file, or that nobody has said which it is. When not given, a person types,
   * whose comma is understood where it can mean but one thing.
   */
  readonly decimal?: "." | "," | "unsaid" | undefined;
}

/**
 * Reads the value of a scalar field.
 *
 * @throws UsageError `BadValue`, `BadDate`, saying what the field takes
 */
export function parseValue<F extends FieldOf<ScalarKind>>(
  field: F,
  text: string,
  options: ValueOptions,
): ScalarValue<F> {
  // TypeScript cannot follow that what is found under a kind takes fields of that kind.
  const read = readScalar[field.kind] as (field: F, text: string) => ParseResult;
  const check = checkScalar[field.kind] as (field: F, value: unknown) => string | undefined;
  const reading = read(field, spelling[field.kind](text, options));
  if ("fault" in reading) throw bad(options, reading.fault);
  if (reading.value === undefined) throw bad(options, "must have a value");
  const fault = check(field, reading.value);
  if (fault !== undefined) throw bad(options, fault);
  return reading.value as ScalarValue<F>;
}

type Spelling = (text: string, options: ValueOptions) => string;

const asWritten: Spelling = (text) => text;

const day: Spelling = (text, options) => {
  if (options.today === undefined || text.trim() === "") return text;
  try {
    return parseDate(text, options.today, options.days);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, `${options.name}: ${error.message}`);
  }
};

const number =
  (scale: number, readIn = readNumber): Spelling =>
  (text, options) => {
    if (text.trim() === "") return text;
    const { decimal } = options;
    const plain =
      decimal === undefined
        ? readTyped(text)
        : readIn(text, decimal === "unsaid" ? {} : { decimal });
    if (plain === undefined) {
      const other = readIn(text, { decimal: "." });
      const hint =
        other === undefined ? "" : `, which is ${other} in some places and less in others`;
      throw bad(options, `must be a number such as 1234.50, not ${shown(text)}${hint}`);
    }
    if (decimalPlaces(plain) <= scale) return plain;
    throw bad(options, `may have at most ${scale} decimals, not as many as ${shown(text)}`);
  };

const percent = number(scaleOf.percent);

/** How each kind is put into the form of the wire. */
const spelling = {
  id: asWritten,
  text: asWritten,
  choice: asWritten,
  boolean: (text) =>
    text.replace(/^\s*(?:yes|on)\s*$/i, "true").replace(/^\s*(?:no|off)\s*$/i, "false"),
  integer: asWritten,
  date: day,
  timestamp: (text, options) => (/\d[T ]\d/i.test(text) ? text : day(text, options)),
  money: number(scaleOf.money, readAmount),
  unitAmount: number(scaleOf.unitAmount, readAmount),
  quantity: number(scaleOf.quantity),
  percent: (text, options) => percent(text.replace(/\s*%\s*$/, ""), options),
  rate: number(scaleOf.rate),
} satisfies Record<ScalarKind, Spelling>;

function bad({ name }: ValueOptions, fault: string): UsageError {
  return new UsageError("BadValue", `${name} ${fault}${/[.?]$/.test(fault) ? "" : "."}`);
}
