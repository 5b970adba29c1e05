/** `acct export saft|fec|datev|gobd`: audit files for tax offices and advisers. */

import { auditFormats } from "../../resources/audit-file.ts";
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

const of = {
  saft: auditFormats.saft.parameters,
  fec: auditFormats.fec.parameters,
  datev: auditFormats.datev.parameters,
  gobd: auditFormats.gobd.parameters,
};

const saft: Command = command("saft", `SAF-T, ${auditFormats.saft.summary}`)
  .alias("saf-t")
  .flags<PeriodOptions>(periodFlags)
  .flag("country", of.saft.country.help, { placeholder: "CODE" })
  .flag("registration-number", of.saft.registrationNumber.help, {
    placeholder: "NUMBER",
  })
  .flag("contact-person", of.saft.contactPerson.help, { placeholder: "NAME" })
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

const fec: Command = command("fec", `FEC, ${auditFormats.fec.summary}`)
  .flags<PeriodOptions>(periodFlags)
  .flag("siren", of.fec.siren.help, {
    placeholder: "NUMBER",
  })
  .flag(
    "account-map",
    `numbers of accounts in the plan comptable: ${mapColumns}, and Label for its name there`,
    { ...file },
  )
  .field("encoding", of.fec.encoding)
  .flag("output-file", ...outputFile)
  .note(covers)
  .note(
    "One financial year, as its days have gone so far; balances brought forward come first. The file is named by SIREN and last day.",
  )
  .example(
    "acct export fec --period 2025-04-01..2026-03-31 --siren 732829320 --account-map pcg.csv",
  )
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "fec", options));

const datev: Command = command("datev", `DATEV ${auditFormats.datev.summary}`)
  .flags<PeriodOptions>(periodFlags)
  .field("consultant", of.datev.consultant)
  .field("client", of.datev.client)
  .field("account-length", of.datev.accountLength)
  .flag("chart", of.datev.chart.help, { placeholder: "SKR" })
  .flag(
    "account-map",
    `numbers of accounts in the chart: ${mapColumns}, and Automatic for the tax key that an account brings`,
    { ...file },
  )
  .flag("tax-key", of.datev.taxKey.help, {
    placeholder: "TAXTYPE=KEY",
    repeat: true,
  })
  .switch("personal-accounts", of.datev.personalAccounts.help)
  .switch("opening", of.datev.opening.help)
  .flag("output-file", ...outputFile)
  .note(covers)
  .note(
    "A row has two accounts, and entries of more are split. A tax with a key goes gross only where DATEV computes the same tax to the cent; net otherwise, and without the tax of automatic accounts.",
  )
  .note(
    "A German book needs neither map nor keys: its codes are of SKR04, --chart 03 leads to SKR03, and tax is on the accounts of its kind. A map adds accounts, and --tax-key replaces a key.",
  )
  .example(
    "acct export datev --period 2026-03 --consultant 29098 --client 55003 --account-map skr03.csv --tax-key OUTPUT=3 --tax-key INPUT=9",
  )
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "datev", options));

const gobd: Command = command("gobd", auditFormats.gobd.summary)
  .flags<PeriodOptions>(periodFlags)
  .switch("attachments", of.gobd.attachments.help)
  .flag("output-file", ...outputFile)
  .note(covers)
  .note("Accounts, contacts, taxes, postings, invoices with their lines, payments, as CSV.")
  .example("acct export gobd --period 2026 --attachments")
  .action(async (ctx, options) => (await loaded()).exportAudit(ctx, "gobd", options));

export const auditVerbs: readonly Command[] = [saft, fec, datev, gobd];
