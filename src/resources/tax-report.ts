/** A tax return that is to be published. Once published it never changes. */
import { boolean, choice, date, id, many, resource, type Shape, text, timestamp } from "./field.ts";

export const taxReport = resource(
  "Report",
  {
    ReportID: id({ readOnly: true }),
    ReportName: text({ readOnly: true }),
    ReportType: choice(["GSTReturn", "SalesTaxReturn"], {
      required: true,
      help: "GSTReturn in New Zealand, SalesTaxReturn in Australia",
    }),
    FromDate: date({ required: true, help: "the first day it covers" }),
    ToDate: date({ required: true, help: "the last day it covers" }),
    Simpler: boolean({ help: "Simpler BAS in Australia: G1, 1A and 1B of the tax on sales alone" }),
    ReportDate: text({ readOnly: true }),
    UpdatedDateUTC: timestamp({ readOnly: true }),
    Fields: many(
      "ReportField",
      {
        FieldID: text({ required: true, max: 10, help: "a box that the books do not fill" }),
        // A return also has fields of days and names.
        Value: text({ required: true, max: 40, help: "an amount" }),
      },
      { max: 20 },
    ),
  },
  {
    plural: "Reports",
    id: "ReportID",
    collection: ["GET", "PUT"],
    record: ["GET"],
    batchMax: 1,
    columns: ["ReportName", "ReportDate", "UpdatedDateUTC", "ReportID"],
    noun: "report",
    summary: "published tax returns",
  },
);

export type TaxReport = Shape<typeof taxReport>;
