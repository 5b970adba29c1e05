/** Formats of e-invoices that invoices and credit notes are available in: an extension. */

export const eInvoiceFormats = [
  "ubl",
  "cii",
  "facturx",
  "xrechnung",
  "xrechnung-cii",
  "peppol",
  "pint-anz",
] as const;
export type EInvoiceFormat = (typeof eInvoiceFormats)[number];
