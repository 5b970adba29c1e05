/**
 * Writes tables as workbooks of Office Open XML while their rows arrive, in constant memory.
 *
 * Figures are stored as numbers, days as dates, and all other values as text. A total is a formula
 * with its value, so that previews and programs that do not calculate show it too. The module
 * exists because libraries that write formulas keep the workbook in memory, and those that stream
 * write no formulas.
 *
 * @source ECMA-376 part 1, sections 18.2 and 18.3
 */

import { type ZipEntry, zipEntries } from "../../platform/zip.ts";
import { escapeAttribute, escapeXml } from "../../wire/xml.ts";
import type { PaperContext } from "../letterhead.ts";
import type { Tables } from "../table.ts";
import { RowQueue, type SheetPlan, sheetXml } from "./sheet.ts";
import { Styles } from "./styles.ts";

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";
const sheetTypes = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Colour of headings where the organisation has none. */
const plainAccent = "#17212b";

/** Writes tables as a workbook. @returns pieces of the file */
export function writeWorkbook(
  tables: Tables,
  { letterhead, at }: PaperContext,
): AsyncGenerator<Uint8Array> {
  const styles = new Styles(letterhead.brand.color ?? plainAccent, letterhead.timezone);
  return zipEntries(workbookEntries(tables, styles, letterhead.paper === "LETTER" ? 1 : 9), at);
}

async function* workbookEntries(
  tables: Tables,
  styles: Styles,
  paper: SheetPlan["paper"],
): AsyncGenerator<ZipEntry> {
  const sheets: SheetPlan[] = [];
  for (const table of tables) {
    const rows = new RowQueue(table);
    // A table with more rows than a worksheet allows continues in another.
    do {
      const name = sheetName(table.name, sheets);
      const sheet: SheetPlan = { name, table, paper, headings: 0, filter: undefined };
      sheets.push(sheet);
      const path = `xl/worksheets/sheet${sheets.length}.xml`;
      yield { name: path, content: sheetXml(sheet, rows, styles) };
    } while ((await rows.peek(1)).length > 0);
  }
  yield { name: "xl/styles.xml", content: [styles.xml()] };
  yield { name: "xl/workbook.xml", content: [workbookXml(sheets)] };
  yield { name: "xl/_rels/workbook.xml.rels", content: [workbookRelationships(sheets)] };
  yield { name: "_rels/.rels", content: [rootRelationships] };
  yield { name: "[Content_Types].xml", content: [contentTypes(sheets)] };
}

const nameMax = 31;

/** Worksheet name that is valid and unique in the workbook. */
function sheetName(wantedName: string, sheets: readonly SheetPlan[]): string {
  const plainName = wantedName.replace(/[[\]:*?/\\]|\p{C}/gu, " ").replace(/^'+|'+$/g, "");
  const wholeName = plainName.trim() || "Sheet";
  const usedNames = new Set(sheets.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : ` ${number}`;
    const name = wholeName.slice(0, nameMax - suffix.length).trim() + suffix;
    if (!usedNames.has(name.toLowerCase())) return name;
  }
}

function workbookXml(sheets: readonly SheetPlan[]): string {
  const names = sheets.map(
    ({ name }, at) =>
      `<sheet name="${escapeAttribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const defined = sheets.flatMap(({ name, headings, filter }, at) => {
    const quoted = `'${escapeXml(name).replaceAll("'", "''")}'`;
    const cells = filter?.replace(/([A-Z]+)(\d+)/g, "$$$1$$$2");
    return [
      ...(cells === undefined
        ? []
        : [
            `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${quoted}!${cells}</definedName>`,
          ]),
      `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${quoted}!$${headings}:$${headings}</definedName>`,
    ];
  });
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}">` +
    `<bookViews><workbookView/></bookViews><sheets>${names.join("")}</sheets>` +
    `<definedNames>${defined.join("")}</definedNames>` +
    // Cells hold computed values already; programs that calculate check them when they open the
    // file.
    '<calcPr calcId="0" fullCalcOnLoad="1"/></workbook>'
  );
}

const relation = (id: number, type: string, targetPath: string) =>
  `<Relationship Id="rId${id}" Type="${relationships}/${type}" Target="${targetPath}"/>`;

const relationList = (relations: readonly string[]) =>
  `${declaration}<Relationships xmlns="${packaged}/relationships">${relations.join("")}</Relationships>`;

const rootRelationships = relationList([relation(1, "officeDocument", "xl/workbook.xml")]);

function workbookRelationships(sheets: readonly SheetPlan[]): string {
  return relationList([
    ...sheets.map((_, at) => relation(at + 1, "worksheet", `worksheets/sheet${at + 1}.xml`)),
    relation(sheets.length + 1, "styles", "styles.xml"),
  ]);
}

function contentTypes(sheets: readonly SheetPlan[]): string {
  const override = (partName: string, type: string) =>
    `<Override PartName="/xl/${partName}.xml" ContentType="${sheetTypes}.${type}+xml"/>`;
  return (
    `${declaration}<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override("workbook", "sheet.main") +
    override("styles", "styles") +
    sheets.map((_, at) => override(`worksheets/sheet${at + 1}`, "worksheet")).join("") +
    "</Types>"
  );
}
