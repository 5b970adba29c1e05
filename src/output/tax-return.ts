/** A tax return as its form has it: what stands at its head, and its boxes with their amounts. */
import { mediumDate } from "../ledger/dates/calendar.ts";
import type { ReportField } from "../wire/report.ts";

const amountPattern = /^-?\d+\.\d\d$/;
/** What a form calls a box: `5`, `1A`, `G11`, `113A`. */
const boxPattern = /^[A-Z]{0,2}\d+[A-Z]?$/;

export interface ReturnParts {
  readonly head: readonly (readonly [description: string, value: string])[];
  /** Lines beside the boxes of the form have an empty name. */
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
