/** Audit files: formats and their parameters, from which command, route and page are derived. */
import {
  boolean,
  choice,
  date,
  extensionRoot,
  type Fields,
  integer,
  text,
  texts,
} from "./field.ts";

const accountMap = text({
  help: "the table of account numbers itself, as CSV with the columns Code (or Name) and Number",
});

export const auditFormats = {
  saft: {
    title: "SAF-T",
    summary: "the audit file of the OECD, version 2.00",
    parameters: {
      country: text({ help: "whose tax office it is for, as two letters" }),
      registrationNumber: text({
        help: "of the company in its register; that of the book when not given",
      }),
      contactPerson: text({ help: "whom to ask, as First Last" }),
      accountMap,
    },
  },
  fec: {
    title: "FEC",
    summary: "the file of entries for the French tax office",
    parameters: {
      siren: text({ help: "nine digits; the registration number of the book when not given" }),
      accountMap,
      encoding: choice(["utf-8", "iso-8859-15"], { help: "UTF-8 when not given" }),
    },
  },
  datev: {
    title: "DATEV",
    summary: "posting batch (Buchungsstapel) for a tax adviser",
    parameters: {
      consultant: integer({ min: 1001, max: 9_999_999, help: "number of the adviser" }),
      client: integer({ min: 1, max: 99_999, help: "number of the company there" }),
      accountLength: integer({
        min: 4,
        max: 8,
        help: "digits of account numbers; 4 when not given",
      }),
      chart: text({ help: "which chart the numbers are of: 03 or 04; 04 of a German book" }),
      accountMap,
      taxKey: texts("TaxKey", {
        help: "the key of a tax: its lines go gross, and DATEV posts the tax",
      }),
      personalAccounts: boolean({
        help: "post to the account numbers of contacts instead of receivables and payables",
      }),
      opening: boolean({ help: "with balances brought forward, against 9000" }),
    },
  },
  gobd: {
    title: "GoBD",
    summary: "tables with index.xml for German tax auditors, as a ZIP",
    parameters: {
      attachments: boolean({
        help: "with the files of invoices, credit notes and bank transactions",
      }),
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly summary: string; readonly parameters: Fields }>
>;

export type AuditFormat = keyof typeof auditFormats;
export const auditFormatNames = Object.keys(auditFormats) as AuditFormat[];

/** Parameters of the period, which every audit file has. */
export const auditDays = {
  fromDate: date({ required: true, help: "first day" }),
  toDate: date({ required: true, help: "last day" }),
} as const;

export const auditFilePath = (format: AuditFormat): string =>
  `${extensionRoot}/AuditFiles/${format}`;
