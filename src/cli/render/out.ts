/**
 * What a command gives back: data on stdout in the format asked for, talk on stderr.
 *
 * There is one writer for each format. Lists are written while they arrive, so that the first rows
 * are there at once and a million of them need no more memory than a hundred.
 */
import { UsageError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { plainValue, writePlain } from "../../wire/plain.ts";
import type { Report } from "../../wire/report.ts";
import type { Out, OutputFormat } from "../context.ts";
import { cellText } from "./cell.ts";
import { columnsOf, narrowed } from "./columns.ts";
import { csvRow } from "./csv.ts";
import { indented } from "./json.ts";
import { loadPaint, type Paint } from "./paint.ts";
import { recordLines, tableColumn } from "./record.ts";
import { reportCsv, reportJson, reportLines } from "./report.ts";
import { safeJson, safeLine, safeText, safeXml } from "./safe.ts";
import { Screen } from "./screen.ts";
import { JoiningSink, type Sink } from "./sink.ts";
import { Table } from "./table.ts";
import { type WriteXml, XmlList } from "./xml.ts";

export interface OutOptions {
  readonly format: OutputFormat;
  /** Paths of the fields to show, in tables, CSV and JSON. */
  readonly columns?: readonly string[] | undefined;
  readonly color: boolean;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Columns of the terminal that stdout is; undefined when it is none, and nothing is cut then. */
  readonly width: number | undefined;
  /** Lines of that terminal; undefined never starts a pager. */
  readonly height?: number | undefined;
  /** `$PAGER`; undefined for less, empty or `cat` for none. */
  readonly pager?: string | undefined;
  /** Writes records in the service's own XML shape. */
  readonly xml?: WriteXml | undefined;
  readonly reportXml?: ((report: Report) => string) | undefined;
}

/**
 * Refuses what an answer could not be written in, before anything is done for it.
 *
 * @param answer  undefined where what is written is neither records nor a report
 * @throws UsageError `UnknownColumn`, `BadOutput`
 */
export function checkAnswer(
  answer: Resource | "report" | "own" | undefined,
  { format, columns }: Pick<OutOptions, "format" | "columns">,
): void {
  if (answer === "report" && format === "id") throw unavailable(format, "a report");
  if (columns === undefined || answer === "own") return;
  if (answer === "report") throw ownColumns();
  if (answer === undefined) {
    const message = "This command writes no fields of records; leave --columns out.";
    throw new UsageError("UnknownColumn", message);
  }
  columnsOf(answer, columns);
}

/** Where the text of one answer goes. */
interface Target {
  write(text: string): void | Promise<void>;
  end(): void | Promise<void>;
}

/** What the writers of all formats are given. */
interface Desk {
  readonly options: OutOptions;
  paint(): Promise<Paint>;
  /** Opens the target, and closes it whatever happens. */
  answer(write: (target: Target) => void | Promise<void>): Promise<void>;
  /** Text for a person, through the pager when it is long. */
  pages(write: (target: Target) => void | Promise<void>): Promise<void>;
  say(message: string): void;
  sayPainted(lines: readonly string[]): void;
}

type Records = AsyncIterable<object> | Iterable<object>;

interface Format {
  record(desk: Desk, resource: Resource, record: object): Promise<void>;
  records(desk: Desk, resource: Resource, records: Records): Promise<void>;
  report(desk: Desk, report: Report): Promise<void>;
}

/** Rows that are laid out together, and written at once. */
const batchRows = 100;

/** Gives answers in one format. */
export function createOut(options: OutOptions): Out {
  const onTerminal = options.width !== undefined;
  const answer = async (target: Target, write: (target: Target) => void | Promise<void>) => {
    try {
      await write(target);
    } finally {
      // What arrived before a failure was paid for, and is shown.
      await target.end();
    }
  };
  const desk: Desk = {
    options,
    paint: () => loadPaint(options.color),
    answer: (write) => {
      const sink = new JoiningSink(options.stdout);
      const target = { write: (text: string) => sink.write(text), end: () => sink.flush() };
      return answer(target, write);
    },
    pages: (write) => {
      if (!onTerminal) return desk.answer(write);
      const { stdout, height, pager } = options;
      return answer(new Screen({ stdout, height, pager }), write);
    },
    say: (message) => desk.sayPainted([safeText(message)]),
    sayPainted: (lines) => {
      // Nobody waits for talk, and talk that cannot be delivered stops nobody.
      options.stderr.write(lines.map((line) => `${line}\n`).join(""))?.catch(() => undefined);
    },
  };
  const format = formats[options.format];
  return {
    record: (resource, record) => format.record(desk, resource, record),
    records: (resource, records) => format.records(desk, resource, records),
    report: (report) => format.report(desk, report),
    value: async (value, text) => {
      if (options.format === "json") return writeJson(desk, JSON.stringify(value) ?? "null");
      const shown = onTerminal ? safeText(text) : text;
      await options.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
    bytes: async (bytes) => {
      const isText = typeof bytes === "string" && onTerminal;
      await options.stdout.write(isText ? safeText(bytes) : bytes);
    },
    say: desk.say,
    sayPainted: desk.sayPainted,
  };
}

const formats: Readonly<Record<OutputFormat, Format>> = {
  table: {
    record: async (desk, resource, record) => {
      const { width, columns: asked } = desk.options;
      const columns = asked && columnsOf(resource, asked);
      const lines = recordLines(resource, record, { width, columns, paint: await desk.paint() });
      await desk.pages((target) => target.write(joined(lines)));
    },
    records: async (desk, resource, records) => {
      const columns = columnsOf(resource, desk.options.columns);
      const { width } = desk.options;
      const table = new Table(columns.map(tableColumn), { width, paint: await desk.paint() });
      let count = 0;
      await desk.pages(async (target) => {
        for await (const batch of batches(records)) {
          count += batch.length;
          const rows = batch.map((record) => columns.map((column) => cellText(column, record)));
          await target.write(joined(table.lines(rows)));
        }
      });
      if (count === 0) desk.say(`No ${inWords(resource.plural)} found.`);
    },
    report: async (desk, report) => {
      refuseColumns(desk);
      const lines = reportLines(report, { width: desk.options.width, paint: await desk.paint() });
      await desk.pages((target) => target.write(joined(lines)));
    },
  },

  json: {
    record: (desk, resource, record) => {
      return writeJson(desk, writePlain(fieldsOf(desk, resource), record));
    },
    records: (desk, resource, records) => {
      const fields = fieldsOf(desk, resource);
      return desk.answer(async (target) => {
        let before = "[\n";
        for await (const record of records) {
          await target.write(before + layOut(desk, writePlain(fields, record), "  "));
          before = ",\n";
        }
        await target.write(before === ",\n" ? "\n]\n" : "[]\n");
      });
    },
    report: (desk, report) => {
      refuseColumns(desk);
      return writeJson(desk, reportJson(report));
    },
  },

  csv: {
    record: (desk, resource, record) => formats.csv.records(desk, resource, [record]),
    records: (desk, resource, records) => {
      const columns = columnsOf(resource, desk.options.columns);
      const shown = desk.options.width === undefined ? (text: string) => text : safeText;
      return desk.answer(async (target) => {
        await target.write(csvRow(columns.map(({ path }) => path)));
        for await (const record of records) {
          await target.write(
            shown(csvRow(columns.map((column) => cellText(column, record, plainValue)))),
          );
        }
      });
    },
    report: (desk, report) => {
      refuseColumns(desk);
      const text = reportCsv(report);
      return desk.answer((target) =>
        target.write(desk.options.width === undefined ? text : safeText(text)),
      );
    },
  },

  xml: {
    record: (desk, resource, record) => formats.xml.records(desk, resource, [record]),
    records: (desk, resource, records) => {
      const { xml } = desk.options;
      if (!xml) throw unavailable(desk.options.format, `a list of ${inWords(resource.plural)}`);
      const list = new XmlList(resource, xml);
      return desk.answer(async (target) => {
        for await (const batch of batches(records)) await target.write(list.more(batch));
        await target.write(list.end());
      });
    },
    report: (desk, report) => {
      const { reportXml } = desk.options;
      if (!reportXml) throw unavailable(desk.options.format, "a report");
      return desk.answer((target) => target.write(`${safeXml(reportXml(report)).trimEnd()}\n`));
    },
  },

  id: {
    record: (desk, resource, record) => formats.id.records(desk, resource, [record]),
    records: (desk, resource, records) => {
      const field = resource.fields[resource.id];
      return desk.answer(async (target) => {
        for await (const record of records) {
          const value = (record as Readonly<Record<string, unknown>>)[resource.id];
          await target.write(`${field ? safeLine(plainValue(field, value)) : ""}\n`);
        }
      });
    },
    report: (desk) => {
      throw unavailable(desk.options.format, "a report");
    },
  },
};

/** The description that JSON is written from: all of it, or the columns asked for. */
function fieldsOf({ options }: Desk, resource: Resource) {
  if (!options.columns) return resource.fields;
  return narrowed(resource.fields, columnsOf(resource, options.columns));
}

function writeJson(desk: Desk, json: string): Promise<void> {
  return desk.answer((target) => target.write(`${layOut(desk, json, "")}\n`));
}

/** One line for programs, indented lines for a person. */
function layOut({ options }: Desk, json: string, margin: string): string {
  const safe = safeJson(json);
  return margin + (options.width === undefined ? safe : indented(safe, margin));
}

async function* batches(records: Records): AsyncGenerator<object[]> {
  let batch: object[] = [];
  try {
    for await (const record of records) {
      batch.push(record);
      if (batch.length < batchRows) continue;
      const full = batch;
      batch = [];
      yield full;
    }
  } catch (error) {
    // The rows before the failure are as good as any.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** `TaxRates`: `tax rates`. */
function inWords(plural: string): string {
  return plural.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

function refuseColumns({ options }: Desk): void {
  if (options.columns) throw ownColumns();
}

function ownColumns(): UsageError {
  const message = "A report has columns of its own; leave --columns out.";
  return new UsageError("UnknownColumn", message);
}

function unavailable(format: OutputFormat, what: string): UsageError {
  const message = `There is no ${format} of ${what}; use -o table, json or csv.`;
  return new UsageError("BadOutput", message);
}
