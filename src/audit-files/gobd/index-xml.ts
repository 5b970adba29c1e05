/**
 * Writes `index.xml`, which describes the tables to the auditor's program, and the DTD beside it.
 *
 * @source description standard for data media (Beschreibungsstandard), version 1.1
 */

import type { DateRange } from "../../ledger/dates/calendar.ts";
import { escapeXml } from "../../wire/xml.ts";
import { type ColumnKind, placesOf, type Table } from "./table-definition.ts";

export const dtdName = "gdpdu-01-09-2004.dtd";

export interface Supplier {
  readonly name: string;
  readonly location: string;
  readonly comment: string;
}

export function indexXml(tables: readonly Table[], supplier: Supplier, period: DateRange): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!DOCTYPE DataSet SYSTEM "${dtdName}">`,
    "<DataSet>",
    "  <Version>1.0</Version>",
    "  <DataSupplier>",
    `    <Name>${escapeXml(supplier.name)}</Name>`,
    `    <Location>${escapeXml(supplier.location)}</Location>`,
    `    <Comment>${escapeXml(supplier.comment)}</Comment>`,
    "  </DataSupplier>",
    "  <Media>",
    "    <Name>Datenträger 1</Name>",
    ...tables.flatMap((table) => tableXml(table, tables, period)).map((line) => `    ${line}`),
    "  </Media>",
    "</DataSet>",
    "",
  ].join("\n");
}

function tableXml(
  { file, name, description, columns }: Table,
  tables: readonly Table[],
  { from, to }: DateRange,
): string[] {
  const columnEntries = Object.entries(columns);
  return [
    "<Table>",
    `  <URL>${escapeXml(file)}</URL>`,
    `  <Name>${escapeXml(name)}</Name>`,
    `  <Description>${escapeXml(description)}</Description>`,
    "  <Validity>",
    `    <Range><From>${germanDay(from)}</From><To>${germanDay(to)}</To></Range>`,
    "  </Validity>",
    "  <UTF8/>",
    "  <DecimalSymbol>,</DecimalSymbol>",
    "  <DigitGroupingSymbol>.</DigitGroupingSymbol>",
    // The data begin at row 2: row 1 holds the column names.
    "  <Range><From>2</From></Range>",
    "  <VariableLength>",
    "    <ColumnDelimiter>;</ColumnDelimiter>",
    "    <RecordDelimiter>&#13;&#10;</RecordDelimiter>",
    '    <TextEncapsulator>"</TextEncapsulator>',
    // Key columns must come before all other columns, here and in the rows.
    ...columnEntries
      .filter(([, { key }]) => key === true)
      .map(([heading, { kind }]) => columnXml("VariablePrimaryKey", heading, kind)),
    ...columnEntries
      .filter(([, { key }]) => key !== true)
      .map(([heading, { kind }]) => columnXml("VariableColumn", heading, kind)),
    ...columnEntries.flatMap(([heading, { of }]) =>
      tables.some((table) => table.name === of)
        ? [
            `    <ForeignKey><Name>${escapeXml(heading)}</Name><References>${escapeXml(of ?? "")}</References></ForeignKey>`,
          ]
        : [],
    ),
    "  </VariableLength>",
    "</Table>",
  ];
}

function columnXml(element: string, heading: string, kind: ColumnKind): string {
  const decimals = placesOf(kind);
  const type =
    kind === "date"
      ? "<Date><Format>YYYY-MM-DD</Format></Date>"
      : decimals === undefined
        ? "<AlphaNumeric/>"
        : `<Numeric><Accuracy>${decimals}</Accuracy></Numeric>`;
  return `    <${element}><Name>${escapeXml(heading)}</Name>${type}</${element}>`;
}

/** Formats a date: `31.12.2026`. */
function germanDay(date: string): string {
  return date.split("-").reverse().join(".");
}

/**
 * DTD of the elements that `index.xml` uses; an auditor's program has the complete DTD of the
 * standard.
 */
export const dtd = `<!-- Elements of the Beschreibungsstandard that the index.xml beside this file uses. -->
<!ELEMENT DataSet (Version, DataSupplier?, Media+)>
<!ELEMENT Version (#PCDATA)>
<!ELEMENT DataSupplier (Name, Location, Comment)>
<!ELEMENT Name (#PCDATA)>
<!ELEMENT Location (#PCDATA)>
<!ELEMENT Comment (#PCDATA)>
<!ELEMENT Media (Name, Table+)>
<!ELEMENT Table (URL, Name?, Description?, Validity?, UTF8?, (DecimalSymbol, DigitGroupingSymbol)?, Range?, VariableLength)>
<!ELEMENT URL (#PCDATA)>
<!ELEMENT Description (#PCDATA)>
<!ELEMENT Validity (Range, Format?)>
<!ELEMENT Range (From, To?)>
<!ELEMENT From (#PCDATA)>
<!ELEMENT To (#PCDATA)>
<!ELEMENT Format (#PCDATA)>
<!ELEMENT UTF8 EMPTY>
<!ELEMENT DecimalSymbol (#PCDATA)>
<!ELEMENT DigitGroupingSymbol (#PCDATA)>
<!ELEMENT VariableLength (ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?, VariablePrimaryKey*, VariableColumn*, ForeignKey*)>
<!ELEMENT ColumnDelimiter (#PCDATA)>
<!ELEMENT RecordDelimiter (#PCDATA)>
<!ELEMENT TextEncapsulator (#PCDATA)>
<!ELEMENT VariablePrimaryKey (Name, Description?, (Numeric | AlphaNumeric | Date))>
<!ELEMENT VariableColumn (Name, Description?, (Numeric | AlphaNumeric | Date))>
<!ELEMENT Numeric (Accuracy?)>
<!ELEMENT Accuracy (#PCDATA)>
<!ELEMENT AlphaNumeric EMPTY>
<!ELEMENT Date (Format?)>
<!ELEMENT ForeignKey (Name+, References)>
<!ELEMENT References (#PCDATA)>
`;
