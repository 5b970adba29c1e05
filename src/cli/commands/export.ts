/**
 * `acct export`: exports the ledger for other programs, and records in the format of `acct import`.
 */

import { bases } from "../../client/journal-queries.ts";
import type { Child, Command, Context } from "../context/context.ts";
import type { ExportedName } from "../export/exported.ts";
import { command } from "../framework/command.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../shared/filters.ts";
import { auditVerbs } from "./export-audit.ts";

const outputFile = [
  "write this file, whole or not at all; standard output when not given",
  { placeholder: "FILE", live: "file" },
] as const;

const journalFormats = ["hledger", "beancount", "csv"] as const;

const journalCommand: Command = command("journal", "the ledger, for plain-text bookkeeping")
  .alias("journals", "ledger")
  .field("format", { kind: "choice", values: journalFormats }, { help: "hledger when not given" })
  .flags<PeriodOptions>(periodFlags)
  .field("basis", { kind: "choice", values: bases }, { help: "accrual when not given" })
  .switch(
    "revaluation",
    "also what foreign balances are worth at the end of each month, as reports have it",
  )
  .flag("output-file", ...outputFile)
  .note(
    "Every posting to the cent, in base currency, with what made it, its tax and its tracking. Accounts are declared under their class and type, such as assets:bank:090 Business Account.",
  )
  .note(
    "With --from, --to or --period only what is dated in that time; balances brought forward are not in it.",
  )
  .note(
    "Reports show open items and bank accounts in other currencies at the rates of their day, which no journal posts. With --revaluation it is a journal of each month's last day, with the number 0, so that the balances are those of the trial balance.",
  )
  .example("acct export journal --output-file books.journal")
  .example("acct export journal --format beancount --basis cash --output-file books.beancount")
  .example("acct export journal --format csv --period this-fy")
  .example("acct export journal --to 2026-03-31 --revaluation --output-file books.journal")
  .action(async (ctx, { format, basis, outputFile, revaluation, ...options }) => {
    const period = await periodOf(ctx, options);
    const { exportJournals } = await import("../export/export-journal.ts");
    const request = { ...period, format: format ?? "hledger", basis, outputFile, revaluation };
    await exportJournals(ctx, request);
  });

const recordFormats = ["csv", "json", "ndjson"] as const;

/** Help notes of exported records by their names on the command line, in the order of the help. */
const recordNotes: Readonly<Record<ExportedName, string | undefined>> = {
  currencies:
    "With the rates that the book knows. An empty book takes what is exported in the order in which these commands are listed.",
  "tax-rates": undefined,
  accounts: undefined,
  tracking: undefined,
  contacts: undefined,
  items: undefined,
  quotes: undefined,
  "purchase-orders": undefined,
  bills: undefined,
  invoices: undefined,
  "credit-notes": "With what they were applied to.",
  "bank-transactions":
    "Money received and spent, prepayments and overpayments, with what these were applied to.",
  payments: "With refunds of credit notes, prepayments and overpayments.",
  "bank-transfers": undefined,
  "manual-journals": undefined,
  assets: "What is disposed of is in JSON alone.",
  budgets: undefined,
  "bank-rules": undefined,
  "bank-statements": "With their lines, as they were before they were reconciled.",
};

/** Declares `acct export invoices` and its siblings. */
function recordsCommand(name: ExportedName): Command {
  const builder = command(name, `${name.replace("-", " ")}, in the shape that is imported`)
    .field("format", { kind: "choice", values: recordFormats }, { help: "csv when not given" })
    .flag("output-file", ...outputFile)
    .note(
      "CSV has a column for everything that a file can give, and leaves out what no import could make; JSON has every record as the service has it. --columns picks some.",
    );
  const note = recordNotes[name];
  if (note !== undefined) builder.note(note);
  return builder
    .answers("own")
    .example(`acct export ${name} --output-file ${name}.csv`)
    .action(async (ctx, { format, outputFile }) => {
      const { exported } = await import("../export/exported.ts");
      const { exportRecords } = await import("../export/export-records.ts");
      const request = {
        called: name.replaceAll("-", " "),
        format: format ?? chosenFormat(ctx),
        outputFile,
      };
      await exportRecords(ctx, exported[name], request);
    });
}

/** Returns the format of an export; `-o json` is accepted as a synonym. */
function chosenFormat({ flags }: Context): (typeof recordFormats)[number] {
  return recordFormats.find((format) => format === flags.output) ?? "csv";
}

const openingCommand: Command = command("opening", "what the book begins with, as JSON")
  .flag("output-file", ...outputFile)
  .note("As acct opening set --file takes it: balances, open documents and stock.")
  .example("acct export opening --output-file opening.json")
  .action(async (ctx, { outputFile }) => {
    const { exportOpening } = await import("../export/export-opening.ts");
    await exportOpening(ctx, outputFile);
  });

const folderCommand: Command = command("folder", "everything that acct import takes, a file each")
  .argument("DIR", "a new folder", { live: "file" })
  .note(
    "acct import DIR makes the same books of it: the balances on both bases, and the goods on hand.",
  )
  .example("acct export folder books-2026")
  .action(async (ctx, folder: string) => {
    const { exportFolder } = await import("../export/export-folder.ts");
    await exportFolder(ctx, folder);
  });

export const exportVerbs: readonly Child[] = [
  folderCommand,
  openingCommand,
  journalCommand,
  ...auditVerbs,
  ...(Object.keys(recordNotes) as ExportedName[]).map(recordsCommand),
];
