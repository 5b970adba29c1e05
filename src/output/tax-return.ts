/** A tax return in the form of the tax office: its header, and its boxes with amounts. */
import { mediumDate } from "../ledger/dates/calendar.ts";
import { type Report, type ReportField, type Row, wholeUnits } from "../wire/report.ts";

const amountPattern = /^-?\d+\.\d\d$/;
/** Pattern of the name of a box in a tax return: `5`, `1A`, `G11`, `113A`, `9BT`, `TD`, `23-22`. */
const boxPattern = /^(?:[A-Z]{2}|[A-Z]{0,2}\d+[A-Z]{0,2}|\d+-\d+)$/;

export interface ReturnParts {
  readonly head: readonly (readonly [description: string, value: string])[];
  /** Boxes of the form; lines that the form has no box for have an empty name. */
  readonly boxes: readonly (ReportField & { readonly box: string })[];
}

export function returnParts(fields: readonly ReportField[]): ReturnParts {
  const isAmount = ({ FieldID, Value }: ReportField) =>
    amountPattern.test(Value) || (boxPattern.test(FieldID) && isInteger(Value));
  return {
    head: fields
      .filter((field) => !isAmount(field) && field.Value !== "")
      .map(({ Description, Value }) => [Description, dayIn(Value)]),
    boxes: fields.filter(isAmount).map((field) => ({
      ...field,
      box: boxPattern.test(field.FieldID) ? field.FieldID : "",
    })),
  };
}

/** Whether the text of an amount has no decimals, as in forms in whole units. */
export const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

const dayIn = (text: string) => (/^\d{4}-\d\d-\d\d$/.test(text) ? mediumDate(text) : text);

/** A cell with an amount in whole units. */
const units = (Value: string) => ({ Value, Attributes: [{ Id: wholeUnits, Value: "true" }] });

/** Heading row of a report. */
export const header = (headings: readonly string[]): Row => ({
  RowType: "Header",
  Cells: headings.map((Value) => ({ Value })),
});

/** A row of a report. */
export const row = (values: readonly string[]): Row => ({
  RowType: "Row",
  Cells: values.map((Value) => ({ Value })),
});

/**
 * Converts the boxes of a tax return to rows, unless it has rows; other reports are unchanged. For
 * people, boxes that are not amounts come first, so that amounts are aligned.
 */
export function rowsOfFields(report: Report, isForPaper: boolean): Report {
  const { Fields = [] } = report;
  if (Fields.length === 0) return report;
  const { head, boxes } = isForPaper
    ? returnParts(Fields)
    : { head: [], boxes: Fields.map((field) => ({ ...field, box: field.FieldID })) };
  return {
    ...report,
    ReportTitles: [
      ...report.ReportTitles,
      ...head.map(([description, value]) => `${description}: ${value}`),
    ],
    // Boxes converted to rows are not repeated as fields.
    Fields: report.Rows.length > 0 ? Fields : [],
    Rows:
      report.Rows.length > 0
        ? report.Rows
        : [
            header(["Box", "Description", "Value"]),
            {
              RowType: "Section",
              Title: "",
              Rows: boxes.map(({ box, Description, Value }) =>
                isInteger(Value) && isForPaper
                  ? {
                      RowType: "Row",
                      Cells: [{ Value: box }, { Value: Description }, units(Value)],
                    }
                  : row([box, Description, Value]),
              ),
            },
          ],
  };
}
