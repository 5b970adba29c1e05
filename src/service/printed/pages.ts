/** Lays out a document on paper and writes it as PDF. */
import { printAdvice, printNotes, printSums, sumsHeight } from "./foot.ts";
import { printHead } from "./head.ts";
import type { Printed } from "./printed.ts";
import { Sheet } from "./sheet.ts";
import { printTable } from "./table.ts";

/** @returns a PDF, of the same bytes whenever it is made */
export function pdfOf(printed: Printed): Promise<Buffer> {
  const sheet = new Sheet(printed);
  printHead(sheet, printed);
  printTable(sheet, printed, sumsHeight(sheet, printed));
  printSums(sheet, printed);
  printNotes(sheet, printed);
  printAdvice(sheet, printed);
  return sheet.finish();
}
