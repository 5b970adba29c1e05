/** `acct manual-journal`: journals of debits and credits that a user posts manually. */
import { longDate } from "../../ledger/dates/calendar.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { type InputOf, money, pathOf } from "../../resources/field.ts";
import { type JournalSeries, journalSeries, seriesMax } from "../../resources/journal-series.ts";
import {
  journalLineFields,
  type ManualJournalInput,
  type ManualJournalStatus,
  manualJournal,
} from "../../resources/manual-journal.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Child, Command, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, nameOfRecord, requireExtension, sayChanges } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputsOf, requireFields } from "../framework/input.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { confirmNew } from "../shared/duplicate.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";
import { keysOf, type LineForm, readLine } from "../values/line-flag.ts";

const noun = nounOf(manualJournal);

type JournalLineInput = InputOf<typeof journalLineFields>;

const { IsBlank: _blank, ...lineFields } = journalLineFields;
const typedFields = { ...lineFields, Debit: money(), Credit: money() } as const;

const form: LineForm<typeof typedFields> = {
  fields: typedFields,
  aliases: { account: "AccountCode", amount: "LineAmount", tax: "TaxType" },
};

/**
 * Parses a journal line: a signed amount (debit positive), or an amount marked debit or credit.
 *
 * @throws UsageError
 */
export function parseJournalLine(text: string): JournalLineInput {
  const { Debit, Credit, ...line } = readLine(text, form);
  const amounts = [line.LineAmount, Debit, Credit].filter((cents) => cents !== undefined);
  if (amounts.length > 1) {
    throw new UsageError("BadLine", "--line: give one of amount, debit and credit.");
  }
  const LineAmount = Debit ?? (Credit === undefined ? undefined : (-Credit as Cents));
  return LineAmount === undefined ? line : { ...line, LineAmount };
}

/** Fields of a series that the flags of a journal, or flags of their own, fill. */
const alsoOfJournals = [
  ...(["Narration", "LineAmountTypes", "ShowOnCashBasisReports", "Url"] as const),
  ...(["Months", "PrepaymentAccount"] as const),
];

const createCommand = command("create", "make a manual journal")
  .alias("new")
  .creates(manualJournal)
  .fields(manualJournal, fieldsOf(manualJournal), {
    Status: { values: ["DRAFT", "POSTED"], help: "a series is POSTED, and another a DRAFT" },
  })
  .flag(
    "line",
    `one line: ${keysOf(form)
      .filter((key) => !key.endsWith("-id"))
      .join(", ")}; an amount is a debit, or a credit below zero`,
    {
      placeholder: "KEY=VALUE,...",
      live: "line",
      repeat: true,
      read: (text: string): JournalLineInput => parseJournalLine(text),
    },
  )
  .flags<{ readonly file?: string }>([fileFlag])
  .fields(journalSeries, fieldsOf(journalSeries, { except: alsoOfJournals }))
  .flag(
    "over",
    "spread it over so many months: it waits in prepayments, and comes back at each month's end",
    { placeholder: "MONTHS", read: readMonths },
  )
  .flag("prepayment-account", "where it waits; Prepayments when not given", {
    live: "account",
    refers: "account",
    placeholder: "NAME|CODE",
  })
  .note(
    "It posts with --status POSTED. A draft, which one journal is otherwise, posts nothing until acct " +
      "manual-journal post; it is of its --date then.",
  )
  .note(
    "With --reverse-on, --over or --every several journals are posted at once, or none. A journal and " +
      "its reversal, and the parts of one that is spread, are voided together; what is repeated is " +
      "counted from the first date, so that the 31st becomes the end of a shorter month. An extension.",
  )
  .example(
    "acct manual-journal create --narration 'Kiln insurance' --line account=433,amount=55 " +
      "--line account=620,amount=-55",
  )
  .example(
    "acct manual-journal create --narration Wages --status POSTED --line account=477,debit=90 " +
      "--line account=814,credit=90",
  )
  .example(
    "acct manual-journal create --narration 'Power of March' --date 2026-03-31 --reverse-on 2026-04-01 " +
      "--line account=445,debit=80 --line account=489,credit=80",
  )
  .example(
    "acct manual-journal create --narration Insurance --date 2026-04-01 --over '12 months' " +
      "--line account=433,amount=1200",
  )
  .action(async (ctx, options) => {
    const { line, file } = options;
    const client = await ctx.client();
    const { linesSettled } = await import("../shared/reference.ts");
    const overrides: ManualJournalInput = {
      ...fieldsInOptions(manualJournal, options),
      ...(line === undefined ? {} : { JournalLines: await linesSettled(client, line) }),
    };
    const series = seriesOf(options);
    if (series !== undefined) {
      if (file !== undefined || overrides.Status === "DRAFT") {
        throw new UsageError("BadFlags", "A series of journals is posted, and takes no --file.");
      }
      const { Status: _posted, ...first } = overrides;
      await postSeries(ctx, { ...first, ...series });
      return;
    }
    const inputs = await inputsOf(ctx, manualJournal, file, overrides);
    for (const input of inputs) {
      requireFields(manualJournal, input);
      if ((input.JournalLines ?? []).length < 2) {
        throw new UsageError("MissingValue", "A new manual journal needs two --line or more.");
      }
    }
    await createRecords(ctx, manualJournal, inputs);
  });

interface SeriesOptions {
  readonly reverseOn?: string | undefined;
  readonly over?: number | undefined;
  readonly prepaymentAccount?: string | undefined;
  readonly every?: JournalSeries["Every"] | undefined;
  readonly times?: number | undefined;
  readonly until?: string | undefined;
}

/** Returns the fields of a journal series that the options give; undefined where there are none. */
function seriesOf(options: SeriesOptions): Partial<JournalSeries> | undefined {
  const { over: Months, prepaymentAccount } = options;
  const input = {
    ...fieldsInOptions(journalSeries, options),
    ...(Months !== undefined && { Months }),
    ...(prepaymentAccount !== undefined && { PrepaymentAccount: { Code: prepaymentAccount } }),
  };
  const { ReverseOn, Every, Times, Until, PrepaymentAccount } = input as Partial<JournalSeries>;
  const series = { ReverseOn, Months, Every, Times, Until, PrepaymentAccount };
  return Object.values(series).some((series) => series !== undefined) ? series : undefined;
}

/** Checks a journal series as far as possible without the service, and posts it. */
async function postSeries(ctx: Context, input: Partial<JournalSeries>): Promise<void> {
  requireFields(journalSeries, input);
  const kinds = [input.ReverseOn, input.Months, input.Every].filter((text) => text !== undefined);
  if (kinds.length !== 1) {
    throw new UsageError("BadFlags", "Give one of --reverse-on, --over and --every.");
  }
  if ((input.JournalLines ?? []).length < (input.Months === undefined ? 2 : 1)) {
    const linesNeeded = input.Months === undefined ? "two --line" : "one --line";
    throw new UsageError("MissingValue", `It needs ${linesNeeded} or more.`);
  }
  await requireExtension(ctx, "A series of journals", "POST", pathOf(journalSeries));
  if (!ctx.flags.allowDuplicate) {
    const { Narration, Date: day, JournalLines } = input;
    const firstJournal = { Narration, Date: day, JournalLines };
    await confirmNew(ctx, manualJournal, [firstJournal], manualJournal.noun);
  }
  const client = await ctx.client();
  const journals = await client.act(manualJournal, pathOf(journalSeries), {
    takes: journalSeries,
    input,
  });
  await ctx.out.records(manualJournal, journals);
}

function readMonths(text: string): number {
  const match = /^(\d{1,3})( ?months?)?$/i.exec(text.trim());
  const monthCount = Number(match?.[1]);
  if (match !== null && monthCount >= 2 && monthCount <= seriesMax) return monthCount;
  throw new UsageError(
    "BadValue",
    `--over is a number of months, from 2 to ${seriesMax}, not '${text}'.`,
  );
}

function transitionCommand(
  verb: "post" | "void" | "delete",
  Status: ManualJournalStatus,
  summary: string,
): Command {
  const asks = verb !== "post";
  const builder = command(verb, summary).writes().key(manualJournal);
  if (asks) builder.note("Asks first; without a terminal to ask on, --yes must be given.");
  return builder
    .example(
      `acct manual-journal ${verb} ${verb === "void" ? noun.example : noun.draft}${asks ? " --yes" : ""}`,
    )
    .action(async (ctx, key) => {
      const client = await ctx.client();
      const journal = await client.find(manualJournal, key);
      if (asks) {
        const { currency } = await homeAt(ctx, client);
        const debits = (journal.JournalLines ?? []).map(({ LineAmount = 0 }) =>
          Math.max(LineAmount, 0),
        );
        const total = amountText(
          debits.reduce((sum, debit) => sum + debit, 0),
          currency,
        );
        const what = `${nameOfRecord(manualJournal, journal)}, ${journal.Narration} of ${longDate(journal.Date)}, ${total}`;
        const effect =
          verb === "void"
            ? "What it posted is posted once more with every sign turned, on the same date."
            : "Nothing of it is posted.";
        await confirm(ctx, `${verb === "void" ? "Void" : "Delete"} ${what}? ${effect}`);
      }
      const journalAfter = await client.update(manualJournal, journal.ManualJournalID, { Status });
      sayChanges(ctx, manualJournal, journal, journalAfter);
      await ctx.out.record(manualJournal, journalAfter);
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
