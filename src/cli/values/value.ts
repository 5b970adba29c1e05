/**
 * Parses typed text to a value by its field description.
 *
 * Users write more forms than the API accepts (`-30d`, `1,234.50`, `15%`, `yes`); the text is
 * converted to the form of the API, and then parsed and validated by the table that all values
 * share. A value that could be stored only after a change (such as an amount with three decimals)
 * is refused, never rounded.
 */
import { decimalPlaces, scaleOf } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Field, FieldOf, ScalarKind, ShapeOf } from "../../resources/field.ts";
import { checkScalar, type ParseResult, readScalar, shown } from "../../resources/scalar.ts";
import { type DayReading, isDated, parseDate } from "./date-flags.ts";
import { readAmount, readNumber, readTyped } from "./read-number.ts";

/** Value type of a scalar field. */
export type ScalarValue<F extends Field> =
  ShapeOf<{ value: F }> extends { value?: infer V } ? NonNullable<V> : never;

export interface ValueOptions {
  /** Name for messages, `--due-date`. */
  readonly name: string;
  /** Today's date, `YYYY-MM-DD`; without it words and relative dates are not accepted. */
  readonly today?: (() => string) | undefined;
  readonly days?: DayReading | undefined;
  /**
   * The decimal mark of a file, or `unsaid` when it is not known. When not given, the text is
   * typed, and a comma is accepted where it is unambiguous.
   */
  readonly decimal?: "." | "," | "unsaid" | undefined;
}

/**
 * Parses the value of a scalar field.
 *
 * @throws UsageError `BadValue`, `BadDate`, with the accepted forms
 */
export function parseValue<F extends FieldOf<ScalarKind>>(
  field: F,
  text: string,
  options: ValueOptions,
): ScalarValue<F> {
  // TypeScript cannot infer that the parser under a kind takes fields of that kind.
  const read = readScalar[field.kind] as (field: F, text: string) => ParseResult;
  const check = checkScalar[field.kind] as (field: F, value: unknown) => string | undefined;
  const parsed = read(field, spelling[field.kind](text, options));
  if ("fault" in parsed) throw badValue(options, parsed.fault);
  if (parsed.value === undefined) throw badValue(options, "must have a value");
  const fault = check(field, parsed.value);
  if (fault !== undefined) throw badValue(options, fault);
  return parsed.value as ScalarValue<F>;
}

type Spelling = (text: string, options: ValueOptions) => string;

const asWritten: Spelling = (text) => text;

const day: Spelling = (text, options) => {
  if (options.today === undefined || text.trim() === "") return text;
  try {
    return parseDate(text, isDated(text) ? "" : options.today(), options.days);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, `${options.name}: ${error.message}`);
  }
};

/** An amount of three decimals, of which the last would not be written: `1.200` may be 1200. */
const maybeThousands = /^[-+(]?[1-9]\d{0,2}\.\d\d0\)?$/;

const number =
  (scale: number, readIn = readNumber): Spelling =>
  (text, options) => {
    if (text.trim() === "") return text;
    const { decimal } = options;
    const isTyped = decimal === undefined;
    const isOpen = isTyped && readIn === readAmount && maybeThousands.test(text.trim());
    const form = decimal === "unsaid" || isTyped ? {} : { decimal };
    const plainNumber = isOpen ? undefined : isTyped ? readTyped(text) : readIn(text, form);
    if (plainNumber === undefined) {
      const [point, comma] = ([".", ","] as const).map((mark) => readIn(text, { decimal: mark }));
      const more = isOpen ? comma : point;
      const isEither = decimal === "unsaid" && comma !== undefined;
      const isTwofold = more !== undefined && point !== comma;
      const hint = `${isTwofold ? `, which is ${more} in some places and less in others` : ""}${isEither ? "; --decimal comma or point says which" : ""}`;
      throw badValue(options, `must be a number such as 1234.50, not ${shown(text)}${hint}`);
    }
    if (decimalPlaces(plainNumber) <= scale) return plainNumber;
    throw badValue(options, `may have at most ${scale} decimals, not as many as ${shown(text)}`);
  };

const percent = number(scaleOf.percent);

/** Converters of each kind to the form of the API. */
const spelling = {
  id: asWritten,
  text: asWritten,
  choice: asWritten,
  boolean: (text) =>
    text.replace(/^\s*(?:yes|on)\s*$/i, "true").replace(/^\s*(?:no|off)\s*$/i, "false"),
  integer: asWritten,
  date: day,
  timestamp: (text, options) => (saysTime(text) ? text : day(text, options)),
  money: number(scaleOf.money, readAmount),
  unitAmount: number(scaleOf.unitAmount, readAmount),
  quantity: number(scaleOf.quantity),
  percent: (text, options) => percent(text.replace(/\s*%\s*$/, ""), options),
  rate: number(scaleOf.rate),
} satisfies Record<ScalarKind, Spelling>;

function badValue({ name }: ValueOptions, fault: string): UsageError {
  return new UsageError("BadValue", `${name} ${fault}${/[.?]$/.test(fault) ? "" : "."}`);
}

/** Whether a moment is given with its time of day. */
export const saysTime = (text: string): boolean => /\d[T ]\d/i.test(text);
