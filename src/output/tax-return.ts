/** A tax return in the form of the tax office: its header, and its boxes with amounts. */
import { mediumDate } from "../ledger/dates/calendar.ts";
import type { ReportField } from "../wire/report.ts";

const amountPattern = /^-?\d+\.\d\d$/;
/** Pattern of the name of a box in a tax return: `5`, `1A`, `G11`, `113A`. */
const boxPattern = /^[A-Z]{0,2}\d+[A-Z]?$/;

export interface ReturnParts {
  readonly head: readonly (readonly [description: string, value: string])[];
  /** Boxes of the form; lines that the form has no box for have an empty name. */
  readonly boxes: readonly (ReportField & { readonly box: string })[];
}

export function returnParts(fields: readonly ReportField[]): ReturnParts {
  const isAmount = ({ Value }: ReportField) => amountPattern.test(Value);
  return {
    head: fields
      .filter((each) => !isAmount(each) && each.Value !== "")
      .map(({ Description, Value }) => [Description, dayIn(Value)]),
    boxes: fields.filter(isAmount).map((field) => ({
      ...field,
      box: boxPattern.test(field.FieldID) ? field.FieldID : "",
    })),
  };
}

const dayIn = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) ? mediumDate(text) : text);
