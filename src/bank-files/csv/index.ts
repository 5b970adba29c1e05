/**
 * Reads CSV files of banks, which declare neither columns, nor date order, nor signs.
 *
 * Bytes are split into rows of cells, and columns get roles by these sources in order: the user,
 * balances and cells, known forms of banks, headings. Where two interpretations remain, nothing is
 * read, and all open questions are asked at once.
 */
import { type Cents, zeroCents } from "../../ledger/money.ts";
import {
  type BankFilePart,
  type BankFormat,
  type CsvReading,
  type ReadOptions,
  type StatementHead,
  StatementTotals,
  type TextSource,
} from "../bank-statement.ts";
import { rowsOf } from "./cells.ts";
import { tablesOf } from "./find-tables.ts";
import { Questions } from "./open-questions.ts";
import { readTable } from "./read-table.ts";
import type { TableReading } from "./work.ts";

export { roles } from "./columns/headings.ts";

export const csv: BankFormat = {
  title: "CSV",
  recognise: (head) =>
    /[,;\t|]/.test(head) && !head.includes("\0") && !/^\s*(?:<|%PDF|[[{]\s*["[{])/.test(head),
  read,
};

function* read(text: TextSource, options: ReadOptions): Generator<BankFilePart> {
  const rows = rowsOf(text, options);
  const columnNames = Object.values(options.columns ?? {})
    .flatMap((names) => names.split("|"))
    .filter((name) => name.trim() !== "" && !/^\s*\d{1,3}\s*$/.test(name));
  const questions = new Questions();
  const readings = tablesOf(rows, columnNames).map((table) => readTable(table, options, questions));
  questions.refuse();
  const tableReadings = readings.filter((tableReading) => tableReading !== undefined);
  const [first, ...others] = tableReadings.filter(hasLines);
  if (first === undefined) {
    for (const tableReading of tableReadings) yield* partsOf(tableReading);
    return;
  }
  // Tables of pending rows alone make no statement beside one of lines.
  const restReadings = tableReadings.filter((otherReading) => !hasLines(otherReading));
  yield* partsOf({
    ...first,
    notices: [...first.notices, ...restReadings.flatMap(({ notices }) => notices)],
    leftOut: [...first.leftOut, ...restReadings.flatMap(({ leftOut }) => leftOut)],
  });
  for (const otherReading of others) yield* partsOf(otherReading);
}

const hasLines = ({ statements }: TableReading) => statements.some(({ lines }) => lines.length > 0);

function* partsOf({
  statements,
  reading,
  notices,
  leftOut,
}: TableReading): Generator<BankFilePart> {
  const shownReading: CsvReading = { ...reading, leftOut };
  for (const [index, { account, currency, opening, closing, lines }] of statements.entries()) {
    const totals = new StatementTotals();
    if (index === 0) {
      for (const notice of notices) totals.warn(notice);
      totals.pending = leftOut.filter(({ reason }) => reason !== "other currency").length;
    }
    const balance = (amount: Cents | undefined, date?: string) =>
      amount === undefined
        ? undefined
        : { amount: (amount + zeroCents) as Cents, date, isIntermediate: false };
    const statementHead: StatementHead = {
      format: "csv",
      account,
      currency,
      isRepeat: false,
      opening: balance(opening),
      reading: shownReading,
    };
    yield { kind: "head", head: statementHead };
    for (const line of lines) yield totals.line(line);
    const lastDay = lines.reduce<string | undefined>(
      (day, { date }) => (day === undefined || date > day ? date : day),
      undefined,
    );
    yield totals.end(statementHead, { closing: balance(closing, lastDay) });
  }
}
