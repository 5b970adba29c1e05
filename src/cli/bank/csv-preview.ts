/**
 * Previews a CSV file on the terminal before any line is kept: its columns, the first lines as they
 * will be imported, and the settings that can be changed.
 *
 * Each answer becomes a flag of the command line, which is shown at the end; the file is read again
 * with it.
 */
import {
  BankFileError,
  type CsvReading,
  type ReadOptions,
  roles,
  type StatementLine,
  type StatementSummary,
} from "../../bank-files/index.ts";
import {
  answerText,
  changes,
  type FileReading,
  questionsOf,
  readingOf,
  withWords,
} from "../../bank-import/reading.ts";
import type { ImportOptions, StatementFile } from "../../bank-import/statement-files.ts";
import { mediumDate } from "../../ledger/dates/calendar.ts";
import { add, zeroCents } from "../../ledger/money.ts";
import { pad, truncate } from "../../output/display-width.ts";
import { amountText } from "../../resources/common.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { flagWords, placeWords } from "../framework/conversation-words.ts";
import type { Questions } from "../framework/questions.ts";
import { InterruptedError } from "../render/error.ts";
import { safeLine } from "../render/safe.ts";
import { quoteFor } from "../values/quote.ts";

export interface Preview {
  readonly ctx: Context;
  readonly ask: Questions;
  readonly file: StatementFile;
}

/** Options of an import at a terminal. */
export interface PreviewOptions extends ImportOptions {
  /** Whether a CSV file is previewed even where its balances or a known format prove it. */
  readonly preview?: boolean | undefined;
}

/**
 * Shows how a CSV file is read until the user accepts it; open questions are asked first.
 *
 * @returns the options with the answers added
 * @throws InterruptedError where the user declines the import
 */
export async function preview<O extends PreviewOptions>(talk: Preview, options: O): Promise<O> {
  let chosenOptions = options;
  let isAsked = false;
  for (;;) {
    const fileReading = readingOf(talk.file, chosenOptions);
    if (fileReading instanceof BankFileError) {
      const answer = await askedWords(talk, fileReading);
      chosenOptions = withWords(chosenOptions, answer);
      isAsked = true;
      continue;
    }
    const { reading } = fileReading;
    if (reading === undefined) return chosenOptions;
    if (!isAsked && options.preview !== true && reading.proof !== undefined) return chosenOptions;
    isAsked = true;
    show(talk, reading, fileReading);
    const words = await decide(talk, reading);
    if (words === undefined) break;
    chosenOptions = withWords(chosenOptions, words);
  }
  const isKept = await talk.ask.choose<boolean>({
    message: "Read the next file with these headings in the same way?",
    choices: [
      { name: "Yes, keep it for this account", value: true },
      { name: "No, ask again", value: false },
    ],
  });
  const quote = quoteFor(talk.ctx.env, process.platform);
  const ownCommand = ["acct", ...placeWords(talk.ctx), "bank", "import", talk.file.name];
  const line = [...ownCommand, ...flagWords("account", options.account), ...wordsOf(chosenOptions)];
  talk.ctx.out.say(`The same in one line:\n${line.map(quote).join(" ")}`);
  return { ...chosenOptions, isKept };
}

/**
 * Asks the first question of a refusal.
 *
 * @returns the command line flags of the answer
 */
async function askedWords({ ctx, ask }: Preview, error: BankFileError): Promise<readonly string[]> {
  const [question] = questionsOf(error);
  if (question === undefined) throw error;
  ctx.out.say(safeLine(question.question));
  if (question.choices.length === 0) {
    const example = `${question.flag} …`;
    const read = (text: string) => [question.flag, text.trim()];
    return ask.text({ message: `What is it? (${example})`, read });
  }
  const words = await ask.choose<readonly string[]>({
    message:
      question.row === undefined ? "Which is it?" : `Which is it, as in row ${question.row}?`,
    choices: [
      ...question.choices.map((words) => ({
        name: safeLine(answerText(words, question.example)),
        value: words.split(" "),
      })),
      cancelled,
    ],
  });
  return continueFlags(words);
}

const stop: readonly string[] = ["stop"];
const cancelled = { name: "Stop, and keep nothing", value: stop };

/**
 * Returns the flags when the user continues.
 *
 * @throws InterruptedError where the user declines the import
 */
function continueFlags(words: readonly string[]): readonly string[] {
  if (words === stop) throw new InterruptedError("Nothing was kept.");
  return words;
}

// --- output of the preview -----------------------------------------------------------------------

/** Pads or cuts a text to a width in terminal columns. */
const cell = (text: string | undefined, width: number, align: "left" | "right" = "left") =>
  pad(truncate(safeLine(text ?? ""), width), width, align);

function show(
  { ctx, file }: Preview,
  { columns }: CsvReading,
  { first, summaries }: FileReading,
): void {
  const say = (line: string) => ctx.out.say(line.trimEnd());
  say("");
  say(`${safeLine(file.name)}: nothing is kept yet`);
  say("");
  say(`${cell("Column", 22)}  ${cell("First value", 22)}  ${cell("Read as", 10)}  Because`);
  for (const [at, { heading, example, role, because }] of columns.entries()) {
    const name = heading === "" ? `column ${at + 1}` : heading;
    say(`${cell(name, 22)}  ${cell(example, 22)}  ${cell(role ?? "", 10)}  ${cell(because, 18)}`);
  }
  say("");
  for (const line of first) say(lineText(line));
  const count = summaries.reduce((total, { lineCount }) => total + lineCount, 0);
  const sum = summaries.reduce((total, summary) => add(total, summary.sum), zeroCents);
  say(
    `${counted(count, "line")}, ${amountText(sum, summaries[0]?.currency)} in all${balancesOf(summaries)}`,
  );
  for (const warning of summaries.flatMap(({ warnings }) => warnings)) say(safeLine(warning));
}

function lineText({ date, amount, currency = "", party, text, balance }: StatementLine): string {
  const own = `${amount > 0 ? "+" : ""}${amountText(amount, currency)} ${currency}`;
  const about = [party?.name, text].filter(Boolean).join(" · ");
  const after = balance === undefined ? "" : amountText(balance, currency);
  return `${cell(mediumDate(date), 12)} ${cell(own, 16, "right")}  ${cell(about, 34)} ${cell(after, 13, "right")}`;
}

function balancesOf(summaries: readonly StatementSummary[]): string {
  const [opening, closing] = [summaries[0]?.opening, summaries.at(-1)?.closing];
  if (opening === undefined || closing === undefined) return "";
  const currency = summaries[0]?.currency;
  return `, from ${amountText(opening.amount, currency)} to ${amountText(closing.amount, currency)}`;
}

// --- changes to the reading ----------------------------------------------------------------------

/**
 * Asks the user to accept or change the reading.
 *
 * @returns the flags of the change; undefined where the reading is accepted
 */
async function decide(talk: Preview, reading: CsvReading): Promise<readonly string[] | undefined> {
  const { ask } = talk;
  const decision = await ask.choose<string>({
    message: "Is that right?",
    choices: [
      { name: "Take it in", value: "accept" },
      { name: "Another role for a column…", value: "role" },
      ...Object.entries(changes).map(([value, { title }]) => ({ name: `${title}…`, value })),
      { name: "Another encoding…", value: "encoding" },
      { name: cancelled.name, value: "stop" },
    ],
  });
  if (decision === "accept") return undefined;
  if (decision === "stop") return continueFlags(stop);
  if (decision === "role") return askRole(talk, reading);
  if (decision === "encoding") {
    return ask.text({
      message: "Which encoding?",
      initial: "windows-1252",
      read: (text) => ["--encoding", text.trim()],
    });
  }
  const { question, answers } = changes[decision as keyof typeof changes];
  return ask.choose<readonly string[]>({
    message: question,
    choices: answers.map(([words, name]) => ({ name, value: words.split(" ") })),
  });
}

async function askRole({ ask }: Preview, { columns }: CsvReading): Promise<readonly string[]> {
  const columnNumber = await ask.choose<number>({
    message: "Which column?",
    choices: columns.map(({ heading, example }, at) => ({
      name: safeLine(`${at + 1}  ${heading}  ${example}`),
      value: at + 1,
    })),
  });
  const role = await ask.choose<string>({
    message: "What is in it?",
    choices: [
      ...roles.map((role) => ({ name: role, value: role as string })),
      { name: "nothing that is read", value: "" },
    ],
  });
  const roleBefore = columns[columnNumber - 1]?.role;
  if (role !== "") return ["--map", `${role}=${columnNumber}`];
  return roleBefore === undefined ? [] : ["--map", `${roleBefore}=`];
}

/** Returns the command line flags that reproduce the options of a reading. */
function wordsOf(options: ReadOptions): string[] {
  const { columns = {}, isReversed, fillDates, allowGap } = options;
  return [
    ...Object.entries(columns).flatMap(([role, column]) => ["--map", `${role}=${column}`]),
    ...flagWords("date-order", options.dateOrder),
    ...flagWords("decimal", options.decimal),
    ...flagWords("delimiter", options.delimiter),
    ...flagWords("encoding", options.encoding),
    ...(isReversed === undefined ? [] : [isReversed ? "--reversed" : "--no-reversed"]),
    ...(fillDates ? ["--fill-dates"] : []),
    ...(allowGap ? ["--allow-gap"] : []),
  ];
}
