/** `acct export`: the ledger for other programs, and records in the shape that is imported. */
import { type Command, command, type Group, group } from "../command.ts";
import { bases } from "../journals.ts";
import { type PeriodOptions, periodFlags, periodOf } from "../period.ts";

const outputFile = {
  placeholder: "FILE",
  live: "file",
  help: "write this file, whole or not at all; standard output when not given",
} as const;

const journalFormats = ["hledger", "beancount", "csv"] as const;

const journalCommand: Command = command("journal", "the ledger, for plain-text bookkeeping")
  .alias("journals", "ledger")
  .field("format", { kind: "choice", values: journalFormats }, { help: "hledger when not given" })
  .flags<PeriodOptions>(periodFlags)
  .field("basis", { kind: "choice", values: bases }, { help: "accrual when not given" })
  .flag("output-file", outputFile)
  .note(
    "Every posting to the cent, in base currency, with what made it, its tax and its tracking. Accounts are declared under their class and type, such as assets:bank:090 Business Account.",
  )
  .note(
    "With --from, --to or --period only what is dated in that time; balances brought forward are not in it.",
  )
  .example("acct export journal --output-file books.journal")
  .example("acct export journal --format beancount --basis cash --output-file books.beancount")
  .example("acct export journal --format csv --period this-fy")
  .action(async (ctx, { format, basis, outputFile, ...options }) => {
    const period = await periodOf(ctx, options);
    const { exportJournals } = await import("../export/journal.ts");
    await exportJournals(ctx, { ...period, format: format ?? "hledger", basis, outputFile });
  });

export const exportNoun: Group = group("export", "the ledger, and records to be imported", [
  journalCommand,
]);
