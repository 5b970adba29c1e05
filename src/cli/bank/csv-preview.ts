/**
 * Previews a CSV file on the terminal before any line is kept: its columns, the first lines as they
 * will be imported, and the settings that can be changed.
 *
 * Each answer becomes a flag of the command line, which is shown at the end; the file is read again
 * with it.
 */
import { readDay } from "../../bank-files/days.ts";
import {
  BankFileError,
  type CsvReading,
  type DateOrder,
  type Question,
  type ReadOptions,
  roles,
  type StatementLine,
  type StatementSummary,
} from "../../bank-files/index.ts";
import { longDate, mediumDate } from "../../ledger/dates/calendar.ts";
import { add, zeroCents } from "../../ledger/money.ts";
import { padded, shortened } from "../../output/display-width.ts";
import { amountText } from "../../resources/common.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { flagWords, placeWords } from "../framework/conversation-words.ts";
import type { Questions } from "../framework/questions.ts";
import { InterruptedError } from "../render/error.ts";
import { safeLine } from "../render/safe.ts";
import { quoteFor } from "../values/quote.ts";
import { type ImportOptions, partsOf } from "./statement-files.ts";

export interface Preview {
  readonly ctx: Context;
  readonly ask: Questions;
  readonly path: string;
}

/** A CSV file as it is parsed with one set of options. */
interface PreviewedReading {
  readonly reading: CsvReading;
  readonly first: readonly StatementLine[];
  readonly summaries: readonly StatementSummary[];
}

const firstMax = 5;

/**
 * Shows how a CSV file is read until the user accepts it; open questions are asked first.
 *
 * @returns the options with the answers added
 * @throws InterruptedError where the user declines the import
 */
export async function previewed<O extends ImportOptions>(talk: Preview, options: O): Promise<O> {
  let chosen = options;
  let isAsked = false;
  for (;;) {
    const shown = read(talk.path, chosen);
    if (shown instanceof BankFileError) {
      const answer = await answered(talk, shown);
      chosen = withWords(chosen, answer);
      isAsked = true;
      continue;
    }
    if (shown === undefined) return chosen;
    if (!isAsked && options.preview !== true && shown.reading.proof !== undefined) return chosen;
    isAsked = true;
    show(talk, shown);
    const words = await decided(talk, shown);
    if (words === undefined) break;
    chosen = withWords(chosen, words);
  }
  const isKept = await talk.ask.choose<boolean>({
    message: "Read the next file with these headings in the same way?",
    choices: [
      { name: "Yes, keep it for this account", value: true },
      { name: "No, ask again", value: false },
    ],
  });
  const quote = quoteFor(talk.ctx.env, process.platform);
  const own = ["acct", ...placeWords(talk.ctx), "bank", "import", talk.path];
  const line = [...own, ...flagWords("account", options.account), ...wordsOf(chosen)];
  talk.ctx.out.say(`The same in one line:\n${line.map(quote).join(" ")}`);
  return { ...chosen, isKept };
}

/**
 * Parses a CSV file for the preview.
 *
 * @returns undefined for a file that is not CSV; a BankFileError that has a question, as a value
 * @throws BankFileError without a question
 */
function read(path: string, options: ReadOptions): PreviewedReading | BankFileError | undefined {
  let reading: CsvReading | undefined;
  const first: StatementLine[] = [];
  const summaries: StatementSummary[] = [];
  try {
    for (const part of partsOf(path, options)) {
      if (part.kind === "head") reading ??= part.head.reading;
      else if (part.kind === "end") summaries.push(part.statement);
      else if (first.length < firstMax) first.push(part.line);
    }
  } catch (error) {
    const isOpen = error instanceof BankFileError && error.details.some(({ flag }) => flag);
    if (isOpen) return error;
    throw error;
  }
  return reading && { reading, first, summaries };
}

/**
 * Asks the first question of a refusal.
 *
 * @returns the command line flags of the answer
 */
async function answered({ ctx, ask }: Preview, error: BankFileError): Promise<readonly string[]> {
  const [question] = error.details.filter(({ flag }) => flag !== undefined) as Question[];
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
        name: answerText(words, question.example),
        value: words.split(" "),
      })),
      cancelled,
    ],
  });
  return continueFlags(words);
}

/** Describes an answer by its flags, with the date that the example becomes under it. */
function answerText(words: string, example = ""): string {
  const [flag, order = ""] = words.split(" ");
  const day = flag === "--date-order" ? readDay(example, order as DateOrder) : undefined;
  return day === undefined ? words : `${safeLine(example)} is ${longDate(day)} (${order})`;
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
  padded(shortened(safeLine(text ?? ""), width), width, align);

function show({ ctx, path }: Preview, { reading, first, summaries }: PreviewedReading): void {
  const say = (line: string) => ctx.out.say(line.trimEnd());
  say("");
  say(`${safeLine(path)}: nothing is kept yet`);
  say("");
  say(`${cell("Column", 22)}  ${cell("First value", 22)}  ${cell("Read as", 10)}  Because`);
  for (const [at, { heading, example, role, because }] of reading.columns.entries()) {
    const name = heading === "" ? `column ${at + 1}` : heading;
    say(`${cell(name, 22)}  ${cell(example, 22)}  ${cell(role ?? "", 10)}  ${cell(because, 18)}`);
  }
  say("");
  for (const line of first) say(lineText(line));
  const count = summaries.reduce((all, { lineCount }) => all + lineCount, 0);
  const sum = summaries.reduce((all, each) => add(all, each.sum), zeroCents);
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
async function decided(
  talk: Preview,
  { reading }: PreviewedReading,
): Promise<readonly string[] | undefined> {
  const { ask } = talk;
  const flag = (name: string, words: readonly (readonly [string, string])[]) =>
    ask.choose<readonly string[]>({
      message: name,
      choices: words.map(([value, words_]) => ({ name: words_, value: value.split(" ") })),
    });
  const what = await ask.choose<string>({
    message: "Is that right?",
    choices: [
      { name: "Take it in", value: "accept" },
      { name: "Another role for a column…", value: "role" },
      { name: "Another order of days…", value: "order" },
      { name: "The other sign…", value: "sign" },
      { name: "Another decimal mark…", value: "mark" },
      { name: "Another delimiter…", value: "delimiter" },
      { name: "Another encoding…", value: "encoding" },
      { name: cancelled.name, value: "stop" },
    ],
  });
  switch (what) {
    case "role":
      return askRole(talk, reading);
    case "order":
      return flag("Which part of a date comes first?", [
        ["--date-order dmy", "The day"],
        ["--date-order mdy", "The month"],
        ["--date-order ymd", "The year"],
      ]);
    case "sign":
      return flag("Money out is", [
        ["--reversed", "positive, as purchases of a card"],
        ["--no-reversed", "as it is written"],
      ]);
    case "mark":
      return flag("The decimal mark is", [
        ["--decimal point", "the point: 1,234.50"],
        ["--decimal comma", "the comma: 1.234,50"],
      ]);
    case "delimiter":
      return flag("Between cells stands", [
        ["--delimiter comma", "a comma"],
        ["--delimiter semicolon", "a semicolon"],
        ["--delimiter tab", "a tab"],
        ["--delimiter pipe", "a bar"],
      ]);
    case "encoding":
      return ask.text({
        message: "Which encoding?",
        initial: "windows-1252",
        read: (text) => ["--encoding", text.trim()],
      });
    case "stop":
      return continueFlags(stop);
    default:
      return undefined;
  }
}

async function askRole({ ask }: Preview, { columns }: CsvReading): Promise<readonly string[]> {
  const place = await ask.choose<number>({
    message: "Which column?",
    choices: columns.map(({ heading, example }, at) => ({
      name: safeLine(`${at + 1}  ${heading}  ${example}`),
      value: at + 1,
    })),
  });
  const role = await ask.choose<string>({
    message: "What is in it?",
    choices: [
      ...roles.map((each) => ({ name: each, value: each as string })),
      { name: "nothing that is read", value: "" },
    ],
  });
  const before = columns[place - 1]?.role;
  if (role !== "") return ["--map", `${role}=${place}`];
  return before === undefined ? [] : ["--map", `${before}=`];
}

/** Returns the options with the flags of an answer added, as if they were on the command line. */
function withWords<O extends ImportOptions>(options: O, words: readonly string[]): O {
  const changed: Record<string, unknown> = {
    ...(options as ImportOptions & Record<string, unknown>),
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === "--reversed" || word === "--no-reversed")
      changed.isReversed = word === "--reversed";
    else if (word === "--fill-dates") changed.fillDates = true;
    else if (word === "--allow-gap") changed.allowGap = true;
    else {
      at += 1;
      const value = words[at] ?? "";
      const [role = "", ...column] = value.split("=");
      const columns = changed.columns as ReadOptions["columns"];
      if (word === "--map") changed.columns = { ...columns, [role]: column.join("=") };
      else if (word === "--date-order") changed.dateOrder = value;
      else if (word === "--decimal") changed.decimal = value;
      else if (word === "--delimiter") changed.delimiter = value;
      else if (word === "--encoding") changed.encoding = value;
    }
  }
  return changed as unknown as O;
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
