/** `acct manual-journal`: debits and credits that a person posts by hand. */
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { type InputOf, money } from "../../resources/field.ts";
import {
  journalLineFields,
  type ManualJournalInput,
  type ManualJournalStatus,
  manualJournal,
} from "../../resources/manual-journal.ts";
import { command } from "../framework/command.ts";
import type { Child, Command } from "../framework/context.ts";
import { keysOf, type LineForm, readLine } from "../values/lines.ts";
import { createRecords } from "./shared/bulk.ts";
import { confirmed, sayChanges } from "./shared/confirm.ts";
import { fieldsGiven, fileFlag, inputsOf, requireFields } from "./shared/input.ts";
import { listCommand } from "./shared/list.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "./shared/verbs.ts";

const noun = nounOf(manualJournal);

type Line = InputOf<typeof journalLineFields>;

const { IsBlank: _blank, ...lineFields } = journalLineFields;
const typedFields = { ...lineFields, Debit: money(), Credit: money() } as const;

const form: LineForm<typeof typedFields> = {
  fields: typedFields,
  aliases: { account: "AccountCode", amount: "LineAmount", tax: "TaxType" },
};

/** A line as it is typed: an amount, debit above zero, or a debit or a credit. @throws UsageError */
export function parseJournalLine(text: string): Line {
  const { Debit, Credit, ...line } = readLine(text, form);
  const given = [line.LineAmount, Debit, Credit].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw new UsageError("BadLine", "--line: give one of amount, debit and credit.");
  }
  const LineAmount = Debit ?? (Credit === undefined ? undefined : (-Credit as Cents));
  return LineAmount === undefined ? line : { ...line, LineAmount };
}

const createCommand = command("create", "make a manual journal")
  .alias("new")
  .creates(manualJournal)
  .fields(
    manualJournal,
    ["Narration", "Date", "Status", "LineAmountTypes", "ShowOnCashBasisReports", "Url"],
    { Status: { values: ["DRAFT", "POSTED"] } },
  )
  .flag("line", {
    placeholder: "KEY=VALUE,...",
    live: "line",
    help: `one line: ${keysOf(form)
      .filter((key) => !key.endsWith("-id"))
      .join(", ")}; an amount is a debit, or a credit below zero`,
    repeat: true,
    read: (text: string): Line => parseJournalLine(text),
  })
  .flags<{ readonly file?: string }>([fileFlag])
  .example(
    "acct manual-journal create --narration 'Kiln insurance' --line account=433,amount=55 " +
      "--line account=620,amount=-55",
  )
  .example(
    "acct manual-journal create --narration Wages --status POSTED --line account=477,debit=90 " +
      "--line account=814,credit=90",
  )
  .action(async (ctx, options) => {
    const { line, file } = options;
    const client = await ctx.client();
    const { linesSettled } = await import("./shared/reference.ts");
    const over: ManualJournalInput = {
      ...fieldsGiven(manualJournal, options),
      ...(line === undefined ? {} : { JournalLines: await linesSettled(client, line) }),
    };
    const inputs = await inputsOf(ctx, manualJournal, file, over);
    for (const input of inputs) {
      requireFields(manualJournal, input);
      if ((input.JournalLines ?? []).length < 2) {
        throw new UsageError("MissingValue", "A new manual journal needs two --line or more.");
      }
    }
    await createRecords(ctx, manualJournal, inputs);
  });

function transitionCommand(
  verb: "post" | "void" | "delete",
  Status: ManualJournalStatus,
  summary: string,
): Command {
  const asks = verb !== "post";
  const declared = command(verb, summary).writes().key(manualJournal);
  if (asks) declared.note("Asks first; without a terminal to ask on, --yes must be given.");
  return declared
    .example(
      `acct manual-journal ${verb} 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11${asks ? " --yes" : ""}`,
    )
    .action(async (ctx, key) => {
      const client = await ctx.client();
      const found = await client.find(manualJournal, key);
      if (asks) {
        const what = `${found.Narration} of ${found.Date}`;
        await confirmed(ctx, `${verb === "void" ? "Void" : "Delete"} ${what}?`);
      }
      const after = await client.update(manualJournal, found.ManualJournalID, { Status });
      sayChanges(ctx, manualJournal, found, after);
      await ctx.out.record(manualJournal, after);
    });
}

export const manualJournalVerbs: readonly Child[] = [
  listCommand({
    resource: manualJournal,
    examples: ["acct manual-journal list --status POSTED --period this-month"],
  }),
  showCommand(noun),
  createCommand,
  transitionCommand("post", "POSTED", "post a draft"),
  transitionCommand("void", "VOIDED", "void a posted one: it is posted backwards"),
  transitionCommand("delete", "DELETED", "delete a draft"),
  historyCommand(noun),
  noteCommand(noun),
];
