/** Encodes answers with reports, as XML and as JSON. */
import { writeDecimal } from "../../resources/decimal.ts";
import type { Envelope, Format } from "../codec.ts";
import { isoMoment } from "../dates.ts";
import {
  type Cell,
  type CellValue,
  type GivenReport,
  type ReportContact,
  type Row,
  valueText,
} from "../report.ts";
import { escapeXml } from "../xml.ts";
import { envelop } from "./envelope.ts";

/** Encodes an answer with reports. */
export function encodeReports(
  format: Format,
  reports: readonly GivenReport[],
  envelope: Envelope,
): string {
  if (format === "json") {
    return envelop(format, envelope, `,"Reports":[${reports.map(jsonReport).join(",")}]`);
  }
  const reportsXml = reports.map(xmlReport).join("");
  return envelop(
    format,
    envelope,
    reportsXml === "" ? "<Reports />" : `<Reports>${reportsXml}</Reports>`,
  );
}

function jsonReport(report: GivenReport): string {
  const { ReportID, ReportName, ReportType, ReportTitles, ReportDate, UpdatedDateUTC } = report;
  const { Attributes, Fields, Rows, Contacts } = report;
  const json = JSON.stringify({
    ReportID,
    Handle: report.Handle,
    ReportName,
    ReportType,
    ReportTitles,
    ReportNotes: report.ReportNotes,
    ReportDate,
    UpdatedDateUTC: UpdatedDateUTC === undefined ? undefined : `/Date(${UpdatedDateUTC})/`,
    Attributes: Attributes?.map(({ Name, Description, Value }) => ({ Name, Description, Value })),
    Fields:
      Fields?.map(({ FieldID, Description, Value }) => ({
        FieldID,
        Description,
        Value: valueText(Value),
      })) ?? (Rows === undefined && Contacts === undefined ? undefined : []),
    Rows: Rows?.map(jsonRow),
  });
  if (Contacts === undefined) return json;
  return `${json.slice(0, -1)},"Contacts":[${Contacts.map(jsonContact).join(",")}]}`;
}

/** Encodes a row with its members in order; an empty cell gets an empty text. */
function jsonRow({ RowType, Title, Cells, Rows }: Row<CellValue>): object {
  return {
    RowType,
    Title,
    Cells: Cells?.map(({ Value = "", Attributes }) => ({
      Value: valueText(Value),
      Attributes: Attributes?.map((attribute) => ({ Value: attribute.Value, Id: attribute.Id })),
    })),
    Rows: Rows?.map(jsonRow),
  };
}

/** Encodes a 1099 contact; boxes are numbers, written digit by digit. */
function jsonContact({ Boxes, Texts }: ReportContact): string {
  const boxes = Boxes.map(([name, amount]) => `${JSON.stringify(name)}:${writeDecimal(amount, 2)}`);
  const texts = Texts.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...boxes, ...texts].join(",")}}`;
}

const leaf = (name: string, value: string) =>
  value === "" ? `<${name} />` : `<${name}>${escapeXml(value)}</${name}>`;
const branch = (name: string, content: readonly string[]) =>
  content.length === 0 ? `<${name} />` : `<${name}>${content.join("")}</${name}>`;
const optionalLeaf = (name: string, value: string | undefined) =>
  value === undefined ? [] : [leaf(name, value)];
const listMember = <T>(
  name: string,
  items: readonly T[] | undefined,
  write: (item: T) => string,
) => (items === undefined ? [] : [branch(name, items.map(write))]);

function xmlReport(report: GivenReport): string {
  const { UpdatedDateUTC } = report;
  return branch("Report", [
    ...optionalLeaf("ReportID", report.ReportID),
    ...optionalLeaf("Handle", report.Handle),
    leaf("ReportName", report.ReportName),
    ...optionalLeaf("ReportType", report.ReportType),
    ...listMember("ReportTitles", report.ReportTitles, (title) => leaf("ReportTitle", title)),
    ...listMember("ReportNotes", report.ReportNotes, (note) => leaf("ReportNote", note)),
    leaf("ReportDate", report.ReportDate),
    ...optionalLeaf(
      "UpdatedDateUTC",
      UpdatedDateUTC === undefined ? undefined : isoMoment(UpdatedDateUTC),
    ),
    ...listMember("Attributes", report.Attributes, (reportAttribute) =>
      branch("ReportAttribute", [
        leaf("Name", reportAttribute.Name),
        leaf("Description", reportAttribute.Description),
        leaf("Value", reportAttribute.Value),
      ]),
    ),
    ...listMember("Fields", report.Fields, (field) =>
      branch("ReportField", [
        leaf("FieldID", field.FieldID),
        leaf("Description", field.Description),
        leaf("Value", valueText(field.Value)),
      ]),
    ),
    ...listMember("Rows", report.Rows, xmlRow),
    ...listMember("Contacts", report.Contacts, xmlContact),
  ]);
}

function xmlContact({ Boxes, Texts }: ReportContact): string {
  return branch("Contact", [
    ...Boxes.map(([name, amount]) => leaf(name, writeDecimal(amount, 2))),
    ...Texts.map(([name, value]) => leaf(name, value)),
  ]);
}

function xmlRow({ RowType, Title, Cells, Rows }: Row<CellValue>): string {
  return branch("Row", [
    leaf("RowType", RowType),
    ...(Title === undefined ? [] : [leaf("Title", Title)]),
    ...(Cells === undefined ? [] : [branch("Cells", Cells.map(xmlCell))]),
    ...(Rows === undefined ? [] : [branch("Rows", Rows.map(xmlRow))]),
  ]);
}

function xmlCell({ Value, Attributes }: Cell<CellValue>): string {
  const attributes = Attributes?.map((attribute) =>
    branch("Attribute", [leaf("Value", attribute.Value), leaf("Id", attribute.Id)]),
  );
  return branch("Cell", [
    ...(Value === undefined ? [] : [leaf("Value", valueText(Value))]),
    ...(attributes === undefined ? [] : [branch("Attributes", attributes)]),
  ]);
}
