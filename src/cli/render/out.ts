/**
 * Writes the output of a command: data on stdout in the chosen format, messages on stderr.
 *
 * Each format has a writer. Lists are written as they arrive, so that the first rows appear at once
 * and memory use is constant.
 */

import { columnsOf, narrowFields } from "../../output/columns.ts";
import type { Letterhead } from "../../output/letterhead.ts";
import { rowsOfFields } from "../../output/tax-return.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Fields, type FieldValues, type Resource, text } from "../../resources/field.ts";
import { isoMoment } from "../../wire/dates.ts";
import { describedResource, describedValue } from "./described.ts";
import { formats, type OutputFormat } from "./formats/index.ts";
import { writeJson } from "./formats/json.ts";
import type { Filter, FormatContext, OutputSink } from "./formatter.ts";
import type { Home, Out } from "./output.ts";
import { loadPaint } from "./paint.ts";
import { safeText } from "./safe.ts";
import { Screen } from "./sinks/screen.ts";
import { JoiningSink, type Sink } from "./sinks/sink.ts";
import { hasTaxRates, withTaxNames } from "./tax-names.ts";
import { wrapWords } from "./wrap-words.ts";

export interface OutOptions {
  readonly format: OutputFormat;
  /** Paths of fields to show, in tables, CSV and JSON. */
  readonly columns?: readonly string[] | undefined;
  /** Filter of JSON answers. */
  readonly filter?: Filter | undefined;
  /** Whether tables keep all columns and their widths. */
  readonly wide?: boolean | undefined;
  readonly color: boolean;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /**
   * Width of the terminal on stdout; undefined when it is not a terminal, and nothing is truncated.
   */
  readonly width: number | undefined;
  /** Height of that terminal in lines; undefined never starts a pager. */
  readonly height?: number | undefined;
  /** Pager command, `$PAGER`; undefined for less, empty or `cat` for none. */
  readonly pager?: string | undefined;
  /** Clock in milliseconds since 1970 UTC, for answers with a time stamp. */
  readonly clock?: () => number;
  /** Returns the local date, `YYYY-MM-DD`; the UTC date of the clock when not given. */
  readonly today?: (() => string) | undefined;
  /** Returns the letterhead of documents; none when not given. */
  readonly letterhead?: (() => Promise<Letterhead | undefined>) | undefined;
  /** Whether the terminal displays block characters correctly; false when not given. */
  readonly blocks?: (() => Promise<boolean>) | undefined;
  /** Returns country and time zone of the organisation, for numbers and times on a terminal. */
  readonly home?: ((mayAsk?: boolean) => Promise<Home | undefined>) | undefined;
  /** Returns the names of tax rates by TaxType, for a terminal. */
  readonly taxNames?: (() => Promise<ReadonlyMap<string, string> | undefined>) | undefined;
}

/**
 * Refuses columns or a format that do not fit the output, before the command runs.
 *
 * @param answer  undefined where the output is neither records nor a report
 * @throws UsageError `UnknownColumn`, `BadOutput`
 */
export function checkAnswer(
  answer: Resource | "report" | "value" | "own" | undefined,
  { format, columns }: Pick<OutOptions, "format" | "columns">,
  isTerminal: () => boolean = () => false,
): void {
  const { paper } = formats[format];
  if (paper !== undefined && answer === undefined) throw noPaper(format);
  if (paper === "binary" && isTerminal()) throw notForTerminals(format);
  if (answer === "report" && formats[format].report === undefined)
    throw noFormatError(format, "a report");
  if (columns === undefined || answer === "own") return;
  if (answer === "report") throw ownColumnsError();
  if (answer === undefined || answer === "value") {
    const message = "This command writes no fields of records; leave --columns out.";
    throw new UsageError("UnknownColumn", message);
  }
  columnsOf(answer, columns);
}

/** The answer of a command without a record: its messages. */
const outcome = describedResource("Outcome", { Message: text({ always: true }) });

/** Builds the context of a format. `onAnswer` is called when an answer begins. */
function writerOf(options: OutOptions, onAnswer: () => void): FormatContext {
  const isTerminal = options.width !== undefined;
  const { filter, letterhead, home } = options;
  const clock = options.clock ?? Date.now;
  const today = options.today ?? (() => isoMoment(clock()).slice(0, 10));
  const answer = async (sink: OutputSink, write: (sink: OutputSink) => void | Promise<void>) => {
    try {
      await write(sink);
    } finally {
      // Data that arrived before a failure is written.
      await sink.end();
    }
  };
  const writer: FormatContext = {
    columns: options.columns,
    width: options.wide ? undefined : options.width,
    clock,
    today,
    marks: async () => {
      if (!isTerminal) return undefined;
      const { marksOf } = await import("../../output/figures.ts");
      const { country, timezone } = (await home?.()) ?? {};
      return { ...marksOf(country, "-"), timezone };
    },
    making: async () => {
      const { plainLetterhead } = await import("../../output/letterhead.ts");
      const ownLetterhead = (await letterhead?.()) ?? plainLetterhead;
      const { localDay } = await import("../../ledger/dates/timezones.ts");
      const day = ownLetterhead.timezone && localDay(clock(), ownLetterhead.timezone);
      return { letterhead: ownLetterhead, at: clock(), day: day ?? today() };
    },
    paint: () => loadPaint(options.color),
    blocks: async () => (await options.blocks?.()) ?? false,
    answer: (write) => {
      onAnswer();
      const sink = new JoiningSink(options.stdout);
      const joinedSink: OutputSink = {
        write: (piece) => sink.write(piece),
        end: () => sink.flush(),
      };
      const byRecord = options.format === "ndjson";
      const filtered = filter?.(joinedSink, { isTerminal, byRecord, say: writer.say });
      return answer(filtered ?? joinedSink, write);
    },
    pages: (write) => {
      if (!isTerminal) return writer.answer(write);
      onAnswer();
      const { stdout, height, pager } = options;
      return answer(new Screen({ stdout, height, pager }), write);
    },
    say: (message) => sayPainted(options.stderr, wrapMessage(safeText(message), options.width)),
  };
  return writer;
}

/** Wraps the lines of a message; a command line stays whole, so that it can be copied. */
function wrapMessage(message: string, width: number | undefined): string[] {
  return message
    .split("\n")
    .map((line) => (line.startsWith("acct ") ? line : wrapWords(line, width)));
}

function sayPainted(stderr: Sink, lines: readonly string[]): void {
  // Messages are not awaited, and a failure to write them is ignored.
  stderr.write(lines.map((line) => `${line}\n`).join(""))?.catch(() => undefined);
}

interface Reading {
  /** For programs, cached facts of a remote organisation suffice. */
  readonly isForPeople: boolean;
  readonly isScreen: boolean;
}

/** Makes records of a resource as people read them: with the currency of their amounts, and tax rates by name. */
function recordReader(options: OutOptions, { isForPeople, isScreen }: Reading) {
  const { home, taxNames } = options;
  let homePromise: Promise<Home | undefined> | undefined;
  let taxes: Promise<ReadonlyMap<string, string> | undefined> | undefined;
  return (resource: Resource) => {
    const fields = withCurrencyDigits(resource, options);
    const amounts = amountsOfBooks(fields);
    const hasTaxNames = isScreen && hasTaxRates(fields);
    return async <T extends object>(record: T): Promise<T> => {
      let shownRecord = record;
      if (hasAmounts(amounts, record)) {
        homePromise ??= home?.(isForPeople);
        shownRecord = { BaseCurrency: (await homePromise)?.currency, ...record };
      }
      if (!hasTaxNames) return shownRecord;
      taxes ??= taxNames?.();
      return withTaxNames(fields, shownRecord, (await taxes) ?? new Map());
    };
  };
}

/** Creates the output of a command in one format. */
export function createOut(options: OutOptions): Out {
  const messages: { Message: string }[] = [];
  let isAnswered = false;
  const { filter, home, width } = options;
  const writer = writerOf(options, () => {
    isAnswered = true;
  });
  const format = formats[options.format];
  const isScreen =
    options.format === "table" && width !== undefined && options.columns === undefined;
  const isForPeople = width !== undefined || format.paper !== undefined;
  const readerOf = recordReader(options, { isScreen, isForPeople });
  return {
    isLaidOut: format.isLaidOut ?? false,
    isScreen,
    record: async (resource, record) =>
      format.record(writer, resource, await readerOf(resource)(record)),
    records: async (resource, records, laidOut) => {
      if (laidOut && format.isLaidOut && format.report && options.columns === undefined)
        return format.report(writer, await laidOut());
      const inDigits = mapped(records, readerOf(resource));
      return format.records(writer, resource, inDigits);
    },
    report: async (report) => {
      if (format.report === undefined) throw noFormatError(options.format, "a report");
      if (options.columns !== undefined) throw ownColumnsError();
      const { keepsReports = false, isLaidOut = false } = format;
      await format.report(writer, keepsReports ? report : rowsOfFields(report, isLaidOut));
    },
    chart: async (page) => {
      if (format.chart === undefined) throw noChartError(options.format);
      await format.chart(writer, page);
    },
    page: async (draw) => {
      const [paint, blocks] = [await writer.paint(), await writer.blocks()];
      const timezone = async () => (await home?.())?.timezone;
      const currency = async () => (await home?.(isForPeople))?.currency;
      const lines = await draw({ width: writer.width, paint, blocks, timezone, currency });
      await writer.pages((sink) => sink.write(lines.map((line) => `${line}\n`).join("")));
    },
    value: async (value, plainText) => {
      if (format.isJson) return writeJson(writer, JSON.stringify(value) ?? "null");
      if (!format.isTextual) {
        const { resource, records } = describedValue(value);
        const wideWriter = { ...writer, columns: undefined };
        return Array.isArray(value)
          ? format.records(wideWriter, resource, records)
          : format.record(wideWriter, resource, records[0] as object);
      }
      isAnswered = true;
      const shownText = safeText(plainText);
      await options.stdout.write(/^$|\n$/.test(shownText) ? shownText : `${shownText}\n`);
    },
    bytes: async (bytes) => {
      isAnswered = true;
      if (filter && typeof bytes === "string") {
        return writer.answer((sink) => sink.write(bytes));
      }
      const isText = typeof bytes === "string" && width !== undefined;
      await options.stdout.write(isText ? safeText(bytes) : bytes);
    },
    say: (message) => {
      messages.push({ Message: message });
      writer.say(message);
    },
    sayPainted: (lines) => sayPainted(options.stderr, lines),
    conclude: async () => {
      const isForPrograms = format.paper === undefined && !["table", "id"].includes(options.format);
      if (isAnswered || !isForPrograms) return;
      await format.records({ ...writer, columns: undefined }, outcome, messages);
    },
  };
}

async function* mapped<T>(records: AsyncIterable<T> | Iterable<T>, map: (record: T) => Promise<T>) {
  for await (const record of records) yield await map(record);
}

/** Returns the fields whose amounts are written in the digits of their currency. */
function withCurrencyDigits(resource: Resource, { format, columns }: OutOptions): Fields {
  const { fields } = resource;
  if (["json", "ndjson", "xml", "id"].includes(format)) return {};
  if (format !== "csv") return fields;
  const { CurrencyCode } = fields;
  const shownFields = narrowFields(fields, columnsOf(resource, columns));
  return CurrencyCode === undefined ? shownFields : { ...shownFields, CurrencyCode };
}

/** The fields in which a record may have amounts in the base currency, without naming it. */
const amountsOfBooks = (fields: Fields) =>
  Object.entries(fields).filter(([, field]) =>
    field.kind === "money" && /base|account/.test(field.currency ?? "")
      ? true
      : !("CurrencyCode" in fields) && ["money", "unitAmount", "one", "many"].includes(field.kind),
  );

type Amounts = ReturnType<typeof amountsOfBooks>;

const hasAmounts = (amounts: Amounts, record: object): boolean =>
  amounts.some(([name, field]) => {
    const value = (record as FieldValues)[name];
    if (value === undefined || (field.kind !== "one" && field.kind !== "many"))
      return value !== undefined;
    const inside = amountsOfBooks(field.fields);
    return [value].flat().some((value) => hasAmounts(inside, value as object));
  });

function ownColumnsError(): UsageError {
  const message = "A report has columns of its own; leave --columns out.";
  return new UsageError("UnknownColumn", message);
}

function noPaper(format: OutputFormat): UsageError {
  const message = `There is no ${format} of this: it is no list, no record and no report.`;
  return new UsageError("BadOutput", message);
}

function notForTerminals(format: OutputFormat): UsageError {
  const message =
    `${format === "pdf" ? "A PDF" : "A spreadsheet"} is not for a terminal to show: ` +
    "say where it goes with --output-file FILE, or send it to a program.";
  return new UsageError("BinaryToTerminal", message);
}

/**
 * Refuses a chart in a format that cannot draw it, before any request.
 *
 * @throws UsageError `BadOutput`
 */
export function checkDrawn({ format, columns }: Pick<OutOptions, "format" | "columns">): void {
  if (formats[format].chart === undefined) throw noChartError(format);
  if (columns === undefined) return;
  throw new UsageError("UnknownColumn", "A chart has no columns; leave --columns out.");
}

function noChartError(format: OutputFormat): UsageError {
  const drawing = Object.entries(formats).flatMap(([name, { chart }]) => (chart ? [name] : []));
  const [last, ...others] = drawing.toReversed();
  const names = [others.toReversed().join(", "), last].filter(Boolean).join(" or ");
  return new UsageError("BadOutput", `There is no chart in ${format}; use -o ${names}.`);
}

function noFormatError(format: OutputFormat, subject: string): UsageError {
  const message = `There is no ${format} of ${subject}; use -o table, json or csv.`;
  return new UsageError("BadOutput", message);
}
