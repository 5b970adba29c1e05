/** Extracts the XML of an e-invoice from a PDF: Factur-X, ZUGFeRD and similar. */
import { EInvoiceError } from "../model.ts";
import { PdfFile } from "./pdf-file.ts";

/** File names of the invoice in Factur-X, ZUGFeRD and similar PDFs, the most common first. */
const invoiceNames = ["factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml", "order-x.xml"];

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).toString("latin1").includes("%PDF-");
}

/**
 * Finds the invoice XML embedded in a PDF; yields between slices of the work.
 *
 * @throws EInvoiceError `NotEInvoice` where there is none; RefusedError `TooMuch`
 */
export function* embeddedXml(bytes: Uint8Array): Generator<void, Uint8Array> {
  const file = yield* PdfFile.open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const files = file.files();
  const fileNamed = (name: string) => files.find((file) => file.name.toLowerCase() === name);
  const embeddedFile =
    invoiceNames.map(fileNamed).find((embeddedFile) => embeddedFile !== undefined) ??
    files.find((file) => /\.xml$/i.test(file.name));
  if (embeddedFile === undefined) {
    throw new EInvoiceError(
      "NotEInvoice",
      "The PDF holds no XML: it is a picture of an invoice, and no e-invoice; ask the supplier for its XML.",
    );
  }
  return embeddedFile.content();
}
