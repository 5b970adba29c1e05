/**
 * How a bank file is read before anything of it is kept, and the flags by which a user settles what
 * the file leaves open.
 */
import { readDay } from "../bank-files/days.ts";
import {
  BankFileError,
  type CsvReading,
  type DateOrder,
  dateOrders,
  delimiters,
  type Question,
  type ReadOptions,
  type StatementLine,
  type StatementSummary,
} from "../bank-files/index.ts";
import { longDate } from "../ledger/dates/calendar.ts";
import { type ImportOptions, partsOf, type StatementFile } from "./statement-files.ts";

/** A file as it is read with one set of options. */
export interface FileReading {
  /** Reading of a CSV file; undefined for other formats. */
  readonly reading: CsvReading | undefined;
  readonly first: readonly StatementLine[];
  readonly summaries: readonly StatementSummary[];
}

/** Count of lines that are shown before an import. */
const firstMax = 5;

/**
 * Reads a file to its end.
 *
 * @returns a BankFileError that has a question, as a value
 * @throws BankFileError without a question
 */
export function readingOf(file: StatementFile, options: ReadOptions): FileReading | BankFileError {
  let csvReading: CsvReading | undefined;
  const firstLines: StatementLine[] = [];
  const summaries: StatementSummary[] = [];
  try {
    for (const filePart of partsOf(file, options)) {
      if (filePart.kind === "head") csvReading ??= filePart.head.reading;
      else if (filePart.kind === "end") summaries.push(filePart.statement);
      else if (firstLines.length < firstMax) firstLines.push(filePart.line);
    }
  } catch (error) {
    if (error instanceof BankFileError && questionsOf(error).length > 0) return error;
    throw error;
  }
  return { reading: csvReading, first: firstLines, summaries };
}

/** Questions that a file leaves open. */
export const questionsOf = ({ details }: BankFileError): readonly Question[] =>
  details.filter(({ flag }) => flag !== undefined) as Question[];

/** Describes an answer by its flags, with the date that the example becomes under it. */
export function answerText(words: string, example = ""): string {
  const [flag, order = ""] = words.split(" ");
  const day = flag === "--date-order" ? readDay(example, order as DateOrder) : undefined;
  return day === undefined ? words : `${example} is ${longDate(day)} (${order})`;
}

type Answers = readonly (readonly [words: string, name: string])[];

/** Settings of a CSV reading that a user may change, with the flags of each answer. */
export const changes = {
  order: {
    title: "Another order of days",
    question: "Which part of a date comes first?",
    answers: [
      ["--date-order dmy", "The day"],
      ["--date-order mdy", "The month"],
      ["--date-order ymd", "The year"],
    ],
  },
  sign: {
    title: "The other sign",
    question: "Money out is",
    answers: [
      ["--reversed", "positive, as purchases of a card"],
      ["--no-reversed", "as it is written"],
    ],
  },
  mark: {
    title: "Another decimal mark",
    question: "The decimal mark is",
    answers: [
      ["--decimal point", "the point: 1,234.50"],
      ["--decimal comma", "the comma: 1.234,50"],
    ],
  },
  delimiter: {
    title: "Another delimiter",
    question: "Between cells stands",
    answers: [
      ["--delimiter comma", "a comma"],
      ["--delimiter semicolon", "a semicolon"],
      ["--delimiter tab", "a tab"],
      ["--delimiter pipe", "a bar"],
    ],
  },
  gap: {
    title: "Lines that do not make the balances",
    question: "Lines that do not make the balances",
    answers: [["--allow-gap", "are taken as they are"]],
  },
  days: {
    title: "Rows without a day",
    question: "Rows without a day",
    answers: [["--fill-dates", "have that of the row above"]],
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly question: string; readonly answers: Answers }>
>;

/** Returns the options with the flags of an answer added, as if they were on the command line. */
export function withWords<O extends ImportOptions>(options: O, words: readonly string[]): O {
  const changedOptions: Record<string, unknown> = {
    ...(options as ImportOptions & Record<string, unknown>),
  };
  for (let at = 0; at < words.length; at += 1) {
    const flagWord = words[at];
    if (flagWord === "--reversed" || flagWord === "--no-reversed")
      changedOptions.isReversed = flagWord === "--reversed";
    else if (flagWord === "--fill-dates") changedOptions.fillDates = true;
    else if (flagWord === "--allow-gap") changedOptions.allowGap = true;
    else {
      at += 1;
      const value = words[at] ?? "";
      const [role = "", ...column] = value.split("=");
      const columns = changedOptions.columns as ReadOptions["columns"];
      if (flagWord === "--map") changedOptions.columns = { ...columns, [role]: column.join("=") };
      else if (flagWord === "--date-order") changedOptions.dateOrder = value;
      else if (flagWord === "--decimal") changedOptions.decimal = value;
      else if (flagWord === "--delimiter") changedOptions.delimiter = value;
      else if (flagWord === "--encoding") changedOptions.encoding = value;
    }
  }
  return changedOptions as unknown as O;
}

/** Whether date order, decimal mark and delimiter are none, or those that a reader knows. */
export function hasKnownForms({
  dateOrder,
  decimal,
  delimiter,
}: Readonly<Partial<Record<"dateOrder" | "decimal" | "delimiter", string | undefined>>>): boolean {
  const isKnown = (value: string | undefined, knownValues: readonly string[]) =>
    value === undefined || knownValues.includes(value);
  return (
    isKnown(dateOrder, dateOrders) &&
    isKnown(decimal, ["comma", "point"]) &&
    isKnown(delimiter, Object.keys(delimiters))
  );
}
