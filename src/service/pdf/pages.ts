/** Lays out a document on paper and writes it as PDF. */
import { printAdvice, printNotes, printSums, sumsHeight } from "../pdf/foot.ts";
import { printHead } from "../pdf/head.ts";
import type { Printed } from "./printed.ts";
import { Sheet } from "./sheet.ts";
import { printTable } from "./table.ts";

export interface Paper {
  /** A PDF, of the same bytes whenever it is made with the same fonts. */
  readonly bytes: Buffer;
  /** Characters that no font here has, each once. */
  readonly missing: string;
}

export async function paperOf(printed: Printed): Promise<Paper> {
  const sheet = new Sheet(printed);
  printHead(sheet, printed);
  printTable(sheet, printed, sumsHeight(sheet, printed));
  printSums(sheet, printed);
  printNotes(sheet, printed);
  printAdvice(sheet, printed);
  return { bytes: await sheet.finish(), missing: sheet.missing };
}

/** The bytes alone. */
export async function pdfOf(printed: Printed): Promise<Buffer> {
  return (await paperOf(printed)).bytes;
}
