/** `acct export saft|fec|datev|gobd`: files for tax offices and advisers. */

import type { Command } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { type PeriodOptions, periodFlags } from "../shared/filters.ts";

const loaded = () => import("../export/audit-files.ts");

const outputFile = [
  "write this file, whole or not at all, instead of one of the usual name; - for standard output",
  { placeholder: "FILE", live: "file" },
] as const;

const mapColumns = "a CSV with the columns Code (or Name) and Number";
const file = { placeholder: "FILE", live: "file" } as const;

const covers =
  "Every posting of the period to the cent, on the accrual basis, with what stood on the accounts before. Gains on currencies that are reported and not posted are not in it.";

const saft: Command = command("saft", "SAF-T, the audit file of the OECD, version 2.00")
  .alias("saf-t")
  .flags<PeriodOptions>(periodFlags)
  .flag("country", "whose tax office it is for, as two letters", { placeholder: "CODE" })
  .flag("registration-number", "of the company in its register; that of the book when not given", {
    placeholder: "NUMBER",
  })
  .flag("contact-person", "whom to ask, as First Last", { placeholder: "NAME" })
  .flag("account-map", `numbers of accounts in the national chart: ${mapColumns}`, file)
  .flag("output-file", ...outputFile)
  .note(covers)
  .note(
    "Accounts with opening and closing balances, customers and suppliers, taxes, tracking; the ledger by journal; sales and purchase invoices and payments.",
  )
  .example(
    'acct export saft --period 2026 --country LU --registration-number B123456 --contact-person "Ana Lopes"',
  )
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "saft", options));

const fecEncodings = ["utf-8", "iso-8859-15"] as const;

const fec: Command = command("fec", "FEC, the file of entries for the French tax office")
  .flags<PeriodOptions>(periodFlags)
  .flag("siren", "nine digits; the registration number of the book when not given", {
    placeholder: "NUMBER",
  })
  .flag(
    "account-map",
    `numbers of accounts in the plan comptable: ${mapColumns}, and Label for its name there`,
    { ...file },
  )
  .field("encoding", { kind: "choice", values: fecEncodings }, { help: "UTF-8 when not given" })
  .flag("output-file", ...outputFile)
  .note(covers)
  .note(
    "One financial year, as its days have gone so far; balances brought forward come first. The file is named by SIREN and last day.",
  )
  .example(
    "acct export fec --period 2025-04-01..2026-03-31 --siren 732829320 --account-map pcg.csv",
  )
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "fec", options));

const number = { kind: "integer" } as const;

const datev: Command = command("datev", "DATEV posting batch (Buchungsstapel) for a tax adviser")
  .flags<PeriodOptions>(periodFlags)
  .field("consultant", { ...number, min: 1001, max: 9_999_999 }, { help: "number of the adviser" })
  .field("client", { ...number, min: 1, max: 99_999 }, { help: "number of the company there" })
  .field(
    "account-length",
    { ...number, min: 4, max: 8 },
    { help: "digits of account numbers; 4 when not given" },
  )
  .flag("chart", "which chart the numbers are of: 03 or 04", { placeholder: "SKR" })
  .flag(
    "account-map",
    `numbers of accounts in the chart: ${mapColumns}, and Automatic for the tax key that an account brings`,
    { ...file },
  )
  .flag("tax-key", "the key of a tax: its lines go gross, and DATEV posts the tax", {
    placeholder: "TAXTYPE=KEY",
    repeat: true,
  })
  .switch(
    "personal-accounts",
    "post to the account numbers of contacts instead of receivables and payables",
  )
  .switch("opening", "with balances brought forward, against 9000")
  .flag("output-file", ...outputFile)
  .note(covers)
  .note(
    "A row has two accounts, and entries of more are split. A tax with a key goes gross only where DATEV computes the same tax to the cent; net otherwise, and without the tax of automatic accounts.",
  )
  .example(
    "acct export datev --period 2026-03 --consultant 29098 --client 55003 --account-map skr03.csv --tax-key OUTPUT=3 --tax-key INPUT=9",
  )
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "datev", options));

const gobd: Command = command("gobd", "tables with index.xml for German tax auditors, as a ZIP")
  .flags<PeriodOptions>(periodFlags)
  .switch("attachments", "with the files of invoices, credit notes and bank transactions")
  .flag("output-file", ...outputFile)
  .note(covers)
  .note("Accounts, contacts, taxes, postings, invoices with their lines, payments, as CSV.")
  .example("acct export gobd --period 2026 --attachments")
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "gobd", options));

export const auditVerbs: readonly Command[] = [saft, fec, datev, gobd];
