/** `acct bank import`, and verbs that change or remove imported statements. */

import { resolve } from "node:path";
import type { ReadOptions } from "../../bank-files/index.ts";
import type { Imported } from "../../bank-import/send-statements.ts";
import { type BankStatement, bankStatement } from "../../resources/bank-statement.ts";
import { amountText } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import { money } from "../../resources/field.ts";
import { counted } from "../../resources/scalar.ts";
import { doubtSentence } from "../bank/doubts.ts";
import type { Context } from "../context/context.ts";
import { command, group } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import type { Questions } from "../framework/questions.ts";
import { PartlyDoneError } from "../render/error.ts";
import { listCommand } from "../shared/list-verb.ts";
import { nounOf, showCommand } from "../shared/verbs.ts";

const amount = money();

export const importCommand = command("import", "take in statements of a bank")
  .writes()
  .answers(bankStatement)
  .arguments("FILE", "OFX, QFX, CAMT.053, MT940, QIF or CSV", { live: "file" })
  .flag("account", "the bank account; by its number in the file when not given", {
    placeholder: "ACCOUNT",
    live: "account",
  })
  .field(
    "to",
    { kind: "date" },
    {
      help: "the day up to which it goes, where the file does not say; that of its last line when not given",
    },
  )
  .field("opening-balance", amount, {
    help: "of the account before the first line, where the file does not say",
  })
  .field("closing-balance", amount, {
    help: "of the account after the last line, as on the paper; below zero where it is owed",
  })
  .flag("encoding", "of the text, such as windows-1252; found in the file when not given")
  .flag("delimiter", "between the cells of a CSV file", {
    values: ["comma", "semicolon", "tab", "pipe"],
  })
  .flag("date-order", "dmy, mdy or ymd, where the file leaves it open", {
    values: ["dmy", "mdy", "ymd"],
  })
  .flag("decimal", "comma or point", { values: ["comma", "point"] })
  .flag(
    "map",
    "of a CSV file: date, amount or debit and credit, payee, text, balance, id, by heading or number; ROLE= forgets one",
    {
      repeat: true,
      placeholder: "ROLE=COLUMN",
      read: (text) => {
        const [role = "", ...column] = text.split("=");
        return [role.trim(), column.join("=").trim()] as [string, string];
      },
    },
  )
  .switch("reversed", "of a card: purchases are positive in the file")
  .switch("no-reversed", "amounts are as they are written")
  .switch("fill-dates", "a row without a day is of the day above it")
  .switch("allow-gap", "take lines although they do not make the balances")
  .flag(
    "on-duplicate",
    "lines in doubt are known already (skip) or new (add); asked, or left out, when not given",
    { values: ["skip", "add"] },
  )
  .switch("preview", "show what a CSV file says before it is kept, also where balances prove it")
  .flag("mapping", "take columns and forms from what --save-mapping kept", {
    placeholder: "FILE",
    live: "file",
  })
  .flag("save-mapping", "keep columns and forms for the next statement, once this one is read", {
    placeholder: "FILE",
    live: "file",
  })
  .asks(async () => (await import("../bank/import-wizard.ts")).bankImportWizard)
  .note(
    "It is safe to run again, and files may overlap: a line that is known adds nothing. All files are " +
      "read to their ends before anything is kept. Lines that may be in the book already are asked on a " +
      "terminal; without one they are listed and left out, and it exits 7.",
  )
  .example("acct bank import statement.ofx --account 090")
  .example("acct bank import march/*.xml")
  .example("acct bank import march.qif --account 090 --to 2026-03-31 --closing-balance 1520.30")
  .example(
    "acct bank import giro.csv --account 091 --map date=Tag --map amount=Wert --save-mapping giro.json",
  )
  .example("acct bank import giro-april.csv --account 091 --mapping giro.json")
  .action(async (ctx, files, flags) => {
    const { importFiles } = await import("../bank/import-files.ts");
    const { saveMapping, withMapping } = await import("../bank/statement-mapping.ts");
    const options = withMapping(settingsOf(flags), flags.mapping);
    refuseOverwrite(files, flags.saveMapping);
    const ask = await promptsOf(ctx, flags.preview);
    const request = {
      account: flags.account,
      to: flags.to,
      openingBalance: flags.openingBalance,
      closingBalance: flags.closingBalance,
      onDuplicate: flags.onDuplicate as "skip" | "add" | undefined,
      // Settings given by flags are stored for later files with the same headings.
      isKept: Object.values(settingsOf(flags)).some((flag) => flag !== undefined),
      ...options,
      allowGap: flags.allowGap,
      preview: flags.preview,
    };
    const importResult = await importFiles(ctx, files, request, ask);
    if (flags.saveMapping !== undefined && !ctx.flags.dryRun)
      saveMapping(flags.saveMapping, options);
    const settledResult = await settledOf(ctx, importResult, ask);
    await ctx.out.records(bankStatement, settledResult.statements);
    reportImport(ctx, settledResult);
  });

/** Returns the prompts of an import: on a terminal, where lines are kept or a preview is shown. */
async function promptsOf(ctx: Context, isPreview: boolean | undefined) {
  const { input, output, dryRun, yes } = ctx.flags;
  if (isPreview && (!input || output !== "table")) {
    const message = "Nobody is here to look at a preview; --dry-run shows what would be kept.";
    throw new UsageError("NoTerminal", message);
  }
  const isAsked = isPreview || (!dryRun && !yes);
  if (!input || output !== "table" || !isAsked) return undefined;
  return (await import("../framework/questions.ts")).terminalQuestions(ctx);
}

/** Asks the user about possible duplicates, where prompts are possible. */
async function settledOf(ctx: Context, imported: Imported, ask?: Questions): Promise<Imported> {
  if (ask === undefined || imported.doubts.length === 0 || ctx.flags.dryRun) return imported;
  const { askDoubts } = await import("../bank/doubts.ts");
  const changedById = await askDoubts({ ctx, client: await ctx.client(), ask }, imported.doubts);
  const statements = imported.statements.map((statement) => {
    const now = changedById.get(statement.BankStatementID);
    return now === undefined ? statement : { ...now, LinesBettered: statement.LinesBettered };
  });
  return { ...imported, statements, doubts: [] };
}

/** Returns the settings of reading that flags give. */
function settingsOf(flags: {
  readonly encoding?: string | undefined;
  readonly dateOrder?: string | undefined;
  readonly decimal?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly map?: readonly (readonly [string, string])[] | undefined;
  readonly reversed?: boolean | undefined;
  readonly noReversed?: boolean | undefined;
  readonly fillDates?: boolean | undefined;
}): ReadOptions {
  if (flags.reversed && flags.noReversed) {
    throw new UsageError("BadValue", "Give --reversed or --no-reversed, not both.");
  }
  return {
    encoding: flags.encoding,
    dateOrder: flags.dateOrder as ReadOptions["dateOrder"],
    decimal: flags.decimal as ReadOptions["decimal"],
    delimiter: flags.delimiter as ReadOptions["delimiter"],
    columns: flags.map && Object.fromEntries(flags.map),
    isReversed: flags.reversed ? true : flags.noReversed ? false : undefined,
    fillDates: flags.fillDates,
  };
}

/**
 * Reports the result of an import.
 *
 * @throws PartlyDoneError where lines may be duplicates, or do not add up to the balances of their
 *   file
 */
function reportImport(ctx: Context, { statements, doubts, gaps, unproven }: Imported): void {
  const count = (of: (statement: BankStatement) => number | undefined) =>
    statements.reduce((sum, statement) => sum + (of(statement) ?? 0), 0);
  const betteredCount = count(({ LinesBettered }) => LinesBettered);
  const verb = ctx.flags.dryRun ? "would be " : "";
  const betteredPart = betteredCount === 0 ? "" : `, ${betteredCount} of them with more text`;
  const knownText = `${count(({ LinesKnown }) => LinesKnown)} known already${betteredPart}`;
  const sentence = `${counted(
    count(({ LinesAdded }) => LinesAdded),
    "line",
  )} ${verb}added, ${knownText}.`;
  if (doubts.length > 0) {
    throw new PartlyDoneError(
      `${sentence.slice(0, -1)}, ${doubts.length} in doubt: --on-duplicate skip takes ${doubts.length === 1 ? "it" : "them"} for known, add for new.`,
      doubts.map((doubt) => ({ message: doubtSentence(doubt), row: doubt.row })),
    );
  }
  if (gaps > 0) throw new PartlyDoneError(`${sentence} Lines of the file are missing.`);
  ctx.out.say(sentence);
  const wrong = unproven.find(({ LinesAdded }) => LinesAdded > 0);
  if (wrong !== undefined && !ctx.flags.dryRun) {
    ctx.out.say(
      `Wrong columns? acct bank statement remove ${wrong.Handle ?? wrong.BankStatementID} takes this back.`,
    );
  }
}

/**
 * Refuses to overwrite a statement file with a mapping.
 *
 * @throws UsageError
 */
function refuseOverwrite(files: readonly string[], mapping: string | undefined): void {
  const over = files.find((file) => mapping !== undefined && resolve(file) === resolve(mapping));
  if (over === undefined) return;
  const message = `--save-mapping would write over ${over}; name another file.`;
  throw new UsageError("BadValue", message);
}

const noun = nounOf(bankStatement, { word: "bank statement" });

const updateStatement = command("update", "say what the balances of a statement are")
  .writes()
  .answers(bankStatement)
  .key(bankStatement)
  .field("opening-balance", amount, { help: "of the account before the first line" })
  .field("closing-balance", amount, {
    help: "of the account after the last line, as on the paper; below zero where it is owed",
  })
  .field("to", { kind: "date" }, { help: "the day of the closing balance" })
  .switch("allow-gap", "take it although the lines do not make it; the report shows the difference")
  .example(`acct bank statement update ${noun.example} --closing-balance 1520.30`)
  .action(async (ctx, key, { openingBalance, closingBalance, to, allowGap }) => {
    if (openingBalance === undefined && closingBalance === undefined && to === undefined) {
      throw new UsageError("MissingValue", "Say what it is: --closing-balance.");
    }
    const client = await ctx.client();
    const statement = await client.find(bankStatement, key);
    const input = {
      BalanceSource: "TYPED" as const,
      ...(openingBalance === undefined ? {} : { OpeningBalance: openingBalance }),
      ...(closingBalance === undefined ? {} : { ClosingBalance: closingBalance }),
      ...(to === undefined ? {} : { ToDate: to }),
      ...(allowGap ? { AllowGap: true } : {}),
    };
    await ctx.out.record(
      bankStatement,
      await client.update(bankStatement, statement.BankStatementID, input),
    );
  });

const removeStatement = command("remove", "take a statement out, with the lines that came with it")
  .writes()
  .alias("delete")
  .answers(bankStatement)
  .key(bankStatement)
  .note(
    "Lines that another statement had too stay. Asks first; without a terminal to ask on, --yes must " +
      "be given. acct undo brings it back.",
  )
  .example(`acct bank statement remove ${noun.example} --yes`)
  .action(async (ctx, key) => {
    const client = await ctx.client();
    const statement = await client.find(bankStatement, key);
    await confirm(ctx, `Remove ${inWords(statement)}?`);
    const removedStatement = await client.remove(bankStatement, statement.BankStatementID);
    const count = removedStatement?.LinesAdded ?? statement.LinesAdded;
    ctx.out.say(`${counted(count, "line")} removed; acct undo brings it back.`);
  });

/** Describes a statement by file, days, line count and sum, as far as they are known. */
function inWords(statement: BankStatement): string {
  const {
    Source,
    Handle = statement.BankStatementID,
    FromDate,
    ToDate,
    LinesAdded,
    OpeningBalance,
    ClosingBalance,
    CurrencyCode,
  } = statement;
  const days = FromDate === undefined ? "" : `, ${FromDate} to ${ToDate ?? "its end"}`;
  const sum =
    OpeningBalance === undefined || ClosingBalance === undefined
      ? ""
      : ` of ${amountText(ClosingBalance - OpeningBalance, CurrencyCode)}`;
  return `the statement ${Source ?? Handle}${days}, ${counted(LinesAdded, "line")}${sum}`;
}

export const statementGroup = group(
  "statement",
  "statements as they were imported",
  [
    listCommand({
      resource: bankStatement,
      omit: ["FromDate", "ToDate"],
      examples: [
        "acct bank statement list",
        "acct bank statement list --from 2026-03-01..2026-03-31",
      ],
    }),
    showCommand(noun),
    updateStatement,
    removeStatement,
  ],
  { aliases: ["statements"] },
);
