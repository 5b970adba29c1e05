/**
 * Parses cells by the description of their field.
 *
 * Values are parsed by `values/value.ts`, as for flags. This module adds what is specific to files:
 * order of dates, decimal mark, and status words of other programs. Columns repeat values, so each
 * text is parsed once and cached.
 */
import { serialDay, unambiguousDay } from "../../../bank-files/days.ts";
import { RefusedError, UsageError } from "../../../resources/errors.ts";
import type { FieldOf, ScalarKind } from "../../../resources/field.ts";
import { shown } from "../../../resources/scalar.ts";
import { decodeBody } from "../../../wire/decode/decode.ts";
import { compileDateFormat, type DateReader } from "../../values/date-format.ts";
import { parseValue } from "../../values/value.ts";
import type { CellField } from "./targets.ts";
import { CellFault } from "./template.ts";

export interface ValueForm {
  /**
   * Date format as given to `--date-format`; when not given, `YYYY-MM-DD` with or without a time.
   */
  readonly dateFormat?: string | undefined;
  readonly decimal?: "comma" | "point" | undefined;
  /** Character between the cells of the file. */
  readonly delimiter?: string | undefined;
}

/**
 * Returns the value of a cell, undefined when it is empty.
 *
 * @throws CellFault
 */
export type ReadCell = (text: string) => unknown;

/** Maximum count of cached texts per column. */
const rememberedMax = 20_000;

/** Words of other programs for choice values, by field name. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Type: {
    "sales invoice": "ACCREC",
    invoice: "ACCREC",
    bill: "ACCPAY",
    "purchase invoice": "ACCPAY",
    "credit note": "ACCRECCREDIT",
    "sales credit note": "ACCRECCREDIT",
    "supplier credit": "ACCPAYCREDIT",
    "purchase credit note": "ACCPAYCREDIT",
  },
  Status: {
    "awaiting approval": "SUBMITTED",
    "awaiting payment": "AUTHORISED",
    approved: "AUTHORISED",
    authorized: "AUTHORISED",
  },
  LineAmountTypes: {
    "tax exclusive": "Exclusive",
    "tax inclusive": "Inclusive",
    "no tax": "NoTax",
  },
};

/**
 * Returns the parser of a column.
 *
 * @param name     of the field, without the path before it
 * @param shownAs  name of the cell in messages
 * @throws UsageError `BadDateFormat`
 */
export function cellReader(
  field: CellField,
  name: string,
  shownAs: string,
  form: ValueForm,
): ReadCell {
  const read = readerOf(field, name, shownAs, form);
  const valueByText = new Map<string, unknown>();
  return (text) => {
    if (text === "") return undefined;
    let value = valueByText.get(text);
    if (value === undefined) {
      value = readOrFault(read, text);
      if (valueByText.size < rememberedMax) valueByText.set(text, value);
    }
    if (value instanceof CellFault) throw value;
    return value;
  };
}

function readerOf(field: CellField, name: string, shownAs: string, form: ValueForm): ReadCell {
  if (field.kind === "date") return dateCell(shownAs, form);
  if (field.kind === "texts") return textsCell;
  return field.kind === "many" ? listCell(field, shownAs) : plainCell(field, name, shownAs, form);
}

const textsCell: ReadCell = (text) =>
  text
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");

/** Parses a list as JSON, with elements as `-o json` writes them. */
function listCell(field: FieldOf<"many">, shownAs: string): ReadCell {
  const cells = { name: "Cell", plural: "Cells", fields: { Value: field } };
  return (text) => {
    try {
      const body = new TextEncoder().encode(`{"Value":${text}}`);
      return decodeBody(cells, body, "application/json", { unitDecimals: 4 })[0]?.Value;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw new CellFault(`${shownAs} is no list as JSON: ${error.message}`);
    }
  };
}

function readOrFault(read: ReadCell, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof CellFault) return error;
    if (error instanceof UsageError) return new CellFault(error.message);
    throw error;
  }
}

/** A number as a spreadsheet shows one of many digits, which are lost then. */
const mangled = /^\d(?:[.,]\d+)?E\+\d+$/i;

function plainCell(
  field: FieldOf<ScalarKind>,
  name: string,
  shownAs: string,
  form: ValueForm,
): ReadCell {
  const knownWords = words[name] ?? {};
  const decimalMarks = { comma: ",", point: "." } as const;
  const decimal = form.decimal === undefined ? "unsaid" : decimalMarks[form.decimal];
  // Where cells are parted by semicolons, the comma is as likely the decimal mark.
  const isNumber = ["money", "unitAmount", "quantity"].includes(field.kind);
  const isPointAmbiguous = isNumber && decimal === "unsaid" && form.delimiter === ";";
  return (text) => {
    if (field.kind === "text" && /(Number|Code|ID)$/.test(name) && mangled.test(text)) {
      const message = `${shownAs} ${text} is what a spreadsheet has made of a long number`;
      throw new CellFault(`${message}; format the column as text there, and write the file anew.`);
    }
    const value = knownWords[text.toLowerCase()] ?? text;
    if (field.kind === "choice" && /CREDIT$/.test(value) && !field.values.includes(value)) {
      throw new CellFault(`It is a ${text.toLowerCase()}, which acct import credit-notes takes.`);
    }
    if (isPointAmbiguous && /^-?[1-9]\d{0,2}\.\d{3}$/.test(value)) {
      const message = `${shownAs} ${shown(text)} is ${value.replace(".", "")} in some places and less in others`;
      throw new CellFault(`${message}; --decimal comma or point says which.`);
    }
    return parseValue(field, value, { name: shownAs, decimal });
  };
}

/** Matches a date with an optional time and zone, which are dropped without conversion. */
const dayAndTime =
  /^(.*?\d)(?:[T ,]\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\.?)?(?:\s?(?:[A-Z]{1,5}|[-+]\d{2}:?\d{2}))?)?$/i;

function dateCell(shownAs: string, { dateFormat }: ValueForm): ReadCell {
  const read: DateReader =
    dateFormat === undefined
      ? (text) => {
          const day = dayAndTime.exec(text)?.[1];
          return day === undefined || day.includes(":") ? undefined : unambiguousDay(day);
        }
      : compileDateFormat(dateFormat);
  const expected = dateFormat ?? "YYYY-MM-DD; say with --date-format how the file writes dates";
  return (text) => {
    const day = read(text) ?? serialDay(text);
    if (day !== undefined) return day;
    throw new CellFault(`${shownAs} ${shown(text)} is no date written as ${expected}.`);
  };
}
