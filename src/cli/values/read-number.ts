/**
 * Parses numbers as people and spreadsheets write them.
 *
 * Numbers stay text, so that no digit is lost; only separators are normalised. An ambiguous form,
 * or one that a spreadsheet has damaged (`1.5E+05`), is not accepted: a wrong amount in the book is
 * worse than a refused row.
 */

import { rawAmount } from "../../bank-files/bank-values.ts";

export interface NumberForm {
  /**
   * The decimal mark. When not given it is the point, and a number that would be another amount
   * with a decimal comma (`1,234`) is refused.
   */
  readonly decimal?: "." | "," | undefined;
}

/** Maximum length of a number, in characters. */
const lengthMax = 64;

const point = numberPattern("\\.", ",");
const comma = numberPattern(",", "\\.");

/**
 * Parses a number to a plain decimal (`-1234.56`). Thousands may be separated by the other of point
 * and comma, a space (also non-breaking or narrow) or an apostrophe: the same one throughout, in
 * groups of three. A negative number has a leading minus or parentheses, as in accounting.
 *
 * @returns undefined when the text is not a number in that form
 */
export function readNumber(text: string, form: NumberForm = {}): string | undefined {
  if (text.length > lengthMax) return undefined;
  const trimmed = text.trim();
  const match = (form.decimal === "," ? comma : point).exec(trimmed);
  const groups = match?.groups;
  if (!groups) return undefined;
  if ((groups.open === undefined) !== (groups.close === undefined)) return undefined;
  if (groups.open !== undefined && groups.sign !== undefined) return undefined;
  const { mark, grouped, plain, fraction } = groups;
  if (form.decimal === undefined && fraction === undefined && mark === ",") {
    // "1,234" is ambiguous between thousands and a decimal comma; "1,234,567" is not.
    if (grouped !== undefined && grouped.split(",").length === 2) return undefined;
  }
  const digits = (plain ?? grouped ?? "").replace(/\D/g, "");
  if (digits === "" && fraction === undefined) return undefined;
  const wholeDigits = digits.replace(/^0+(?=\d)/, "") || "0";
  const value = fraction === undefined ? wholeDigits : `${wholeDigits}.${fraction}`;
  const isNegative = groups.open !== undefined || groups.sign === "-" || groups.sign === "\u2212";
  return isNegative && /[1-9]/.test(value) ? `-${value}` : value;
}

/**
 * Parses an amount of a file to a plain decimal; also with a currency sign or code, or a trailing
 * minus, as in bank statements.
 */
export function readAmount(text: string, form: NumberForm = {}): string | undefined {
  const plainNumber = readNumber(text, form);
  const raw = plainNumber === undefined ? rawAmount(text) : undefined;
  if (raw === undefined || raw.isWorded) return plainNumber;
  const digits = readNumber(raw.digits, form);
  return raw.isNegative && digits !== undefined && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/**
 * Parses a typed or copied number to a plain decimal; accepts a decimal comma where it is
 * unambiguous: after thousands (`1.234,50`, `1 234,5`), or before two digits (`12,50`). Other
 * digits after a single comma are probably a typing error, and refused.
 */
export function readTyped(text: string): string | undefined {
  const hasGroups = /[.\s\u00a0\u2009\u202f'\u2019].*,|,\d\d\)?$/.test(text.trim());
  return readNumber(text) ?? (hasGroups ? readNumber(text, { decimal: "," }) : undefined);
}

function numberPattern(decimal: string, thousands: string): RegExp {
  const spaces = " \\u00a0\\u2009\\u202f";
  const groupMarks = `[${thousands}${spaces}'\\u2019]`;
  return new RegExp(
    `^(?<open>\\()?(?<sign>[-+\\u2212])?` +
      `(?:(?<grouped>\\d{1,3}(?<mark>${groupMarks})\\d{3}(?:\\k<mark>\\d{3})*)|(?<plain>\\d*))` +
      `(?:${decimal}(?<fraction>\\d+))?(?<close>\\))?$`,
  );
}
