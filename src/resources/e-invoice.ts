/** Forms in which invoices and credit notes are had as e-invoices: an extension. */

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
