/**
 * E-invoices: machine-readable invoices and credit notes by EN 16931 and profiles based on it.
 *
 * There is one model (`model.ts`), a writer and a reader for each of the two syntaxes, and profiles
 * as tables of rules. The module is pure: it converts between bytes and records, and knows neither
 * the file system nor the books.
 */

import { writeCii } from "./formats/cii.ts";
import { readCii } from "./formats/cii-reader.ts";
import { writeUbl } from "./formats/ubl.ts";
import { readUbl } from "./formats/ubl-reader.ts";
import { type EInvoice, EInvoiceError } from "./model.ts";
import { embeddedXml, isPdf } from "./pdf/embedded-file.ts";
import { type InvoiceNode, parseXml } from "./read-xml.ts";

export * from "./categories.ts";
export * from "./countries.ts";
export * from "./decimal.ts";
export * from "./factur-x.ts";
export * from "./identifiers.ts";
export * from "./invoice-totals.ts";
export * from "./model.ts";
export { embeddedXml, isPdf } from "./pdf/embedded-file.ts";
export * from "./profiles.ts";

export type Syntax = "ubl" | "cii";

const writers: Readonly<Record<Syntax, (invoice: EInvoice) => string>> = {
  ubl: writeUbl,
  cii: writeCii,
};

export function writeEInvoice(invoice: EInvoice, syntax: Syntax): string {
  return writers[syntax](invoice);
}

/** Result of reading an e-invoice file. */
export interface ReadEInvoice {
  readonly invoice: EInvoice;
  readonly syntax: Syntax;
  readonly isPdf: boolean;
}

/**
 * Reads UBL, CII, or a PDF that contains one of them; yields between slices of the work.
 *
 * @throws EInvoiceError; RefusedError `TooMuch`
 */
export function* readEInvoice(bytes: Uint8Array): Generator<void, ReadEInvoice> {
  if (bytes.length === 0) throw new EInvoiceError("BadFile", "The file is empty.");
  const isPacked = isPdf(bytes);
  const root = yield* parseXml(isPacked ? yield* embeddedXml(bytes) : bytes);
  const syntax = syntaxOf(root);
  const invoice = syntax === "ubl" ? readUbl(root) : readCii(root);
  return { invoice: invoice, syntax, isPdf: isPacked };
}

/** Detects the syntax of an e-invoice. @throws EInvoiceError `NotEInvoice` */
function syntaxOf(root: InvoiceNode): Syntax {
  const { name } = root;
  const isFormat = (namespace: string) => root.namespaces.some((part) => part.includes(namespace));
  if (name === "CrossIndustryInvoice") return "cii";
  if ((name === "Invoice" || name === "CreditNote") && isFormat("names:specification:ubl"))
    return "ubl";
  if (name === "CrossIndustryDocument") {
    throw new EInvoiceError(
      "NotEInvoice",
      "The file is of ZUGFeRD 1.0, which came before the European standard; ask the supplier for version 2 or Factur-X.",
    );
  }
  throw new EInvoiceError(
    "NotEInvoice",
    `The file is no e-invoice in UBL or CII: its root is ${name.slice(0, 40)}; ask the supplier for XRechnung, Factur-X or Peppol BIS.`,
  );
}
