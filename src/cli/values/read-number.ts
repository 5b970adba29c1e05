/**
 * Numbers as people and spreadsheets write them.
 *
 * They stay text, so that no digit is lost; only the marks are put in order. A form that could be
 * read in two ways, or that a spreadsheet has already mangled (`1.5E+05`), is no number: a wrong
 * amount in the books costs more than a refused row.
 */

import { rawAmount } from "../../bank-files/bank-values.ts";

export interface NumberForm {
  /**
   * The decimal mark. When it is not given it is the point, and a number that would mean another
   * amount with a decimal comma (`1,234`) is refused.
   */
  readonly decimal?: "." | "," | undefined;
}

/** Longest number that is read, in characters. */
const lengthMax = 64;

const point = numberPattern("\\.", ",");
const comma = numberPattern(",", "\\.");

/**
 * The plain decimal (`-1234.56`) that a text means.
 *
 * Thousands may be marked by the other of point and comma, a space (also a fixed or narrow one) or
 * an apostrophe: the same mark throughout, in groups of three. A negative number begins with a
 * minus or stands in parentheses, as accountants write it.
 *
 * @returns undefined when the text is no number in that form
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
    // "1,234" is one thousand here and one and a bit there; "1,234,567" is the same everywhere.
    if (grouped !== undefined && grouped.split(",").length === 2) return undefined;
  }
  const digits = (plain ?? grouped ?? "").replace(/\D/g, "");
  if (digits === "" && fraction === undefined) return undefined;
  const whole = digits.replace(/^0+(?=\d)/, "") || "0";
  const value = fraction === undefined ? whole : `${whole}.${fraction}`;
  const negative = groups.open !== undefined || groups.sign === "-" || groups.sign === "\u2212";
  return negative && /[1-9]/.test(value) ? `-${value}` : value;
}

/**
 * The plain decimal of an amount of a file: also with the sign or code of a currency beside it, or a
 * minus behind it, as statements of banks have them.
 */
export function readAmount(text: string, form: NumberForm = {}): string | undefined {
  const plain = readNumber(text, form);
  const raw = plain === undefined ? rawAmount(text) : undefined;
  if (raw === undefined || raw.isWorded) return plain;
  const digits = readNumber(raw.digits, form);
  return raw.isNegative && digits !== undefined && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/**
 * The plain decimal that is meant where a number is typed or copied: with a decimal comma too, where
 * that can be nothing else: after thousands (`1.234,50`, `1 234,5`), or before two digits (`12,50`).
 * Other digits after a comma alone are as likely a slip, and refused.
 */
export function readTyped(text: string): string | undefined {
  const isMeant = /[.\s\u00a0\u2009\u202f'\u2019].*,|,\d\d\)?$/.test(text.trim());
  return readNumber(text) ?? (isMeant ? readNumber(text, { decimal: "," }) : undefined);
}

function numberPattern(decimal: string, thousands: string): RegExp {
  const spaces = " \\u00a0\\u2009\\u202f";
  const marks = `[${thousands}${spaces}'\\u2019]`;
  return new RegExp(
    `^(?<open>\\()?(?<sign>[-+\\u2212])?` +
      `(?:(?<grouped>\\d{1,3}(?<mark>${marks})\\d{3}(?:\\k<mark>\\d{3})*)|(?<plain>\\d*))` +
      `(?:${decimal}(?<fraction>\\d+))?(?<close>\\))?$`,
  );
}
