/**
 * CSV as banks give it, which tells neither its columns, nor its order of dates, nor its signs.
 *
 * The file is read more than once: first to find out how it is written, by its heading, by all its dates and
 * amounts, and by a column of balances where there is one, which settles sign and direction;
 * then for its lines.
 */
import type { DateText } from "../../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../ledger/money.ts";
import { RefusedError } from "../../resources/errors.ts";
import { type CsvRow, CsvSplitter, csvSyntaxOf, sampleCharacters } from "../../wire/csv.ts";
import {
  type Balance,
  BankFileError,
  type BankFilePart,
  type DateOrder,
  dateOrders,
  type Format,
  type ReadOptions,
  type StatementHead,
  type StatementLine,
  StatementTotals,
  type TextSource,
} from "../statement.ts";
import { accountOf, cleanText, type DecimalMark, meaningful, readAmount } from "../values.ts";
import { DateOrderSurvey, DecimalSurvey, readOrderedDate } from "./conventions.ts";
import { type Columns, columnsOf, isNumbered, type Role } from "./csv-columns.ts";

export const csv: Format = {
  title: "CSV",
  recognise: (head) => /[,;\t|]/.test(head) && !head.includes("\0") && !/^\s*(?:<|%PDF)/.test(head),
  read,
};

/** How the amounts of a file are to be read. */
interface Reading {
  readonly mark: DecimalMark | undefined;
  /** Of a signed amount, which is turned where purchases by card are positive. */
  readonly sign: 1 | -1;
  /** Whether debits are written with their minus. */
  readonly hasMinus: boolean;
}

/** A row with its cells by what they hold. */
interface Entry {
  readonly row: number;
  readonly cells: readonly string[];
  cell(role: Role): string | undefined;
}

const amountRoles = ["amount", "debit", "credit", "balance"] as const;
const minusFlag = /^(?:d|dr|dbit|debit|debet|soll|s|a|af|out|withdrawal|-|\(-\)|minus)$/i;
const pendingWord = /pending|vorgemerkt|in behandeling|en attente|authori[sz]ed|reverted|declined/i;
const postedWord = /posted|booked|gebucht|completed|cleared/i;

/** Rows in which the heading must be. */
const headingRowsMax = 60;

function* read(text: TextSource, options: ReadOptions): Generator<BankFilePart> {
  const survey = surveyOf(text, options);
  const { columns, order, reading, opening, closing } = survey;
  const totals = new StatementTotals();
  for (const sentence of survey.warnings) totals.warn(sentence);
  const head: StatementHead = {
    format: "csv",
    account: {},
    currency: survey.hasSeveralCurrencies ? undefined : survey.currency,
    isRepeat: false,
    opening,
  };
  yield { kind: "head", head };
  let left = 0;
  for (const found of entriesOf(rowsOf(text), columns, survey.firstRow)) {
    if (found === "left") left += 1;
    else if (found === "pending") totals.pending += 1;
    else yield totals.line(lineOf(found, order, reading, survey));
  }
  if (left > 0) totals.warn(`${left} rows without a date were left out.`);
  yield totals.end(head, { closing });
}

interface Survey {
  readonly columns: Columns;
  /** The row behind the heading. */
  readonly firstRow: number;
  readonly order: DateOrder;
  readonly reading: Reading;
  /** Of the first line that tells one. */
  readonly currency: string | undefined;
  readonly hasSeveralCurrencies: boolean;
  readonly hasUniqueIds: boolean;
  readonly opening: Balance | undefined;
  readonly closing: Balance | undefined;
  readonly warnings: readonly string[];
}

/** @throws BankFileError where the way a file is written remains open */
function surveyOf(text: TextSource, options: ReadOptions): Survey {
  const { columns, firstRow } = findColumns(text, options);
  const dates = new DateOrderSurvey();
  const marks = new Map(amountRoles.map((role) => [role, new DecimalSurvey()]));
  const ids = new Set<string>();
  const warnings: string[] = [];
  let hasUniqueIds = columns.has("id");
  let currency: string | undefined;
  let hasSeveralCurrencies = false;
  let debits = 0;
  for (const found of entriesOf(rowsOf(text), columns, firstRow)) {
    if (typeof found === "string") continue;
    dates.see(found.cell("date") as string);
    for (const role of amountRoles) {
      const written = found.cell(role);
      if (written !== undefined) marks.get(role)?.see(written);
    }
    const debit = found.cell("debit");
    if (debit !== undefined && /[1-9]/.test(debit)) debits += /^[(-]|-$/.test(debit) ? -1 : 1;
    const id = found.cell("id");
    if (hasUniqueIds && id !== undefined) {
      if (ids.has(id) || /^\d[.,]?\d*E\+\d+$/i.test(id)) hasUniqueIds = false;
      ids.add(id);
    }
    const own = found.cell("currency")?.toUpperCase();
    currency ??= own;
    hasSeveralCurrencies ||= own !== currency;
  }
  const surveys = [...marks.values()];
  const told = options.decimal ?? surveys.find(({ told }) => told !== undefined)?.told;
  for (const each of surveys) each.decide(told);
  const signs =
    options.isReversed === undefined
      ? ([1, -1] as const)
      : ([options.isReversed ? -1 : 1] as const);
  const candidates = signs.map((sign): Reading => ({ mark: told, sign, hasMinus: debits < 0 }));
  const chains = columns.has("balance") ? chainsOf(text, columns, firstRow, candidates) : [];
  const best = chains.reduce<Chain | undefined>(
    (first, each) => (first === undefined || each.broken < first.broken ? each : first),
    undefined,
  );
  // A chain that holds nowhere says nothing.
  const chain = best !== undefined && best.held > best.broken ? best : undefined;
  if (chain === undefined && best !== undefined && best.broken > 0) {
    warnings.push("The balances of the file do not follow from its amounts.");
  }
  if (chain !== undefined && chain.broken > 0) {
    warnings.push(`Rows are missing: in ${chain.broken} places the balance does not follow.`);
  }
  const reading = chain?.reading ?? (candidates[0] as Reading);
  const order = dates.decide(options.dateOrder, chain?.newest);
  return {
    columns,
    firstRow,
    order,
    reading,
    currency,
    hasSeveralCurrencies,
    hasUniqueIds,
    opening: balanceOf(chain?.opening, undefined),
    closing: balanceOf(chain?.closing, readOrderedDate(chain?.closingDay ?? "", order)),
    warnings,
  };
}

function balanceOf(amount: Cents | undefined, date: DateText | undefined): Balance | undefined {
  return amount === undefined ? undefined : { amount, date, isIntermediate: false };
}

/** Amounts and balances in one reading and direction. */
interface Chain {
  readonly reading: Reading;
  readonly newest: "first" | "last";
  /** Rows at which the balance follows from the row before, and at which it does not. */
  held: number;
  broken: number;
  opening: Cents | undefined;
  closing: Cents | undefined;
  closingDay: string | undefined;
}

function chainsOf(
  text: TextSource,
  columns: Columns,
  firstRow: number,
  readings: readonly Reading[],
): Chain[] {
  const states = readings.flatMap((reading) =>
    (["last", "first"] as const).map((newest) => ({
      chain: { reading, newest, held: 0, broken: 0 } as Chain,
      amount: zeroCents,
      balance: undefined as Cents | undefined,
    })),
  );
  for (const found of entriesOf(rowsOf(text), columns, firstRow)) {
    if (typeof found === "string") continue;
    const written = found.cell("balance");
    if (written === undefined) continue;
    for (const state of states) {
      const { chain } = state;
      const read = tryAmounts(found, chain.reading, written);
      if (read === undefined) {
        chain.broken += 1;
        continue;
      }
      const { amount, balance } = read;
      const before = balance - amount;
      if (state.balance === undefined) {
        if (chain.newest === "last") chain.opening = before as Cents;
        else [chain.closing, chain.closingDay] = [balance, found.cell("date")];
      } else if (
        chain.newest === "last"
          ? state.balance === before
          : state.balance - state.amount === balance
      ) {
        chain.held += 1;
      } else chain.broken += 1;
      if (chain.newest === "last")
        [chain.closing, chain.closingDay] = [balance, found.cell("date")];
      else chain.opening = before as Cents;
      state.balance = balance;
      state.amount = amount;
    }
  }
  return states.map(({ chain }) => chain);
}

function tryAmounts(entry: Entry, reading: Reading, written: string) {
  try {
    const place = `row ${entry.row}`;
    return {
      amount: amountOf(entry, reading),
      balance: readAmount(written, place, reading.mark),
    };
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** @throws BankFileError `BadAmount`, `Ambiguous` */
function amountOf(entry: Entry, { mark, sign, hasMinus }: Reading): Cents {
  const place = `row ${entry.row}`;
  const of = (role: Role) => {
    const written = entry.cell(role);
    return written === undefined ? undefined : readAmount(written, place, mark);
  };
  const amount = of("amount");
  const flag = entry.cell("flag");
  if (amount !== undefined && flag !== undefined) {
    return minusFlag.test(flag) ? turned(Math.abs(amount) as Cents, -1) : amount;
  }
  if (amount !== undefined) return turned(amount, sign);
  const debit = of("debit");
  const credit = of("credit");
  if (debit === undefined && credit === undefined) {
    throw new BankFileError("BadAmount", "A line has no amount.", place);
  }
  return add(credit ?? zeroCents, turned(debit ?? zeroCents, hasMinus ? 1 : -1));
}

function turned(amount: Cents, sign: 1 | -1): Cents {
  return add(zeroCents, (sign * amount) as Cents);
}

function lineOf(
  entry: Entry,
  order: DateOrder,
  reading: Reading,
  { hasUniqueIds, currency }: Survey,
): StatementLine {
  const place = `row ${entry.row}`;
  const written = entry.cell("date") as string;
  const date = readOrderedDate(written, order);
  if (date === undefined) throw new BankFileError("BadDate", `"${written}" is no date.`, place);
  const type = entry.cell("type");
  const party = { name: entry.cell("payee"), ...accountOf(entry.cell("account")) };
  const text = entry.cell("text") ?? "";
  return {
    date,
    valueDate: readOrderedDate(entry.cell("valueDate") ?? "", order),
    amount: amountOf(entry, reading),
    currency: entry.cell("currency")?.toUpperCase() ?? currency,
    id: hasUniqueIds ? entry.cell("id") : undefined,
    type,
    isReturn: false,
    party: Object.values(party).some((each) => each !== undefined) ? party : undefined,
    references: { customer: meaningful(entry.cell("reference")) },
    text,
    parts: [],
    source: entry.cells.join("\t"),
  };
}

/** Lines of a file; pending ones and rows that are none by their word. */
function* entriesOf(
  rows: Iterable<FileRow>,
  columns: Columns,
  firstRow: number,
): Generator<Entry | "pending" | "left"> {
  let isPending = false;
  let width = 0;
  for (const { row, cells, fault, isUnended } of rows) {
    if (row < firstRow) continue;
    const cell = (role: Role) => cellOf(cells, columns.get(role));
    const date = cell("date");
    if (date === undefined || !/\d/.test(date)) {
      const words = cells.join(" ");
      if (pendingWord.test(words)) isPending = true;
      else if (postedWord.test(words)) isPending = false;
      if (words.trim() !== "") yield "left";
      continue;
    }
    if (isUnended && cells.length < width) {
      throw new BankFileError("Truncated", "The file ends within a row.", `row ${row}`);
    }
    width = cells.length;
    if (fault !== undefined) throw new BankFileError("BadFile", `A row ${fault}.`, `row ${row}`);
    const isAmountless = amountRoles.slice(0, 3).every((role) => cell(role as Role) === undefined);
    if (dateOrders.every((order) => readOrderedDate(date, order) === undefined)) {
      // A total or a footer has words in the place of the date; a line has a date that is wrong.
      if (!isAmountless) throw new BankFileError("BadDate", `"${date}" is no date.`, `row ${row}`);
      yield "left";
      continue;
    }
    if (isAmountless) {
      yield "left";
      continue;
    }
    yield isPending || pendingWord.test(cell("status") ?? "") ? "pending" : { row, cells, cell };
  }
}

/** The text of cells, as a spreadsheet shows it: `="00123"` is 00123. */
function cellOf(cells: readonly string[], places: readonly number[] = []): string | undefined {
  const texts = places.map((place) => (cells[place] ?? "").replace(/^="(.*)"$/s, "$1"));
  return cleanText(texts.join(" "));
}

/** @throws BankFileError `NotStatement` where no row names the columns of lines */
function findColumns(text: TextSource, { columns: given }: ReadOptions) {
  const rows: CsvRow[] = [];
  for (const row of rowsOf(text)) {
    rows.push(row);
    if (rows.length > headingRowsMax) break;
  }
  const isLine = (columns: Columns, { cells }: CsvRow) => {
    const date = cellOf(cells, columns.get("date")) ?? "";
    const amounts = amountRoles.slice(0, 3).map((role) => cellOf(cells, columns.get(role)));
    const isDated = dateOrders.some((order) => readOrderedDate(date, order) !== undefined);
    return isDated && amounts.some((amount) => amount !== undefined && /\d/.test(amount));
  };
  for (const [at, { cells, row }] of rows.entries()) {
    const columns = columnsOf(cells, given);
    if (columns === undefined) continue;
    // A file without a heading has columns by number, and begins with its first line.
    const candidates = isNumbered(given) ? rows.slice(at) : rows.slice(at + 1);
    const first = candidates.find((each) => isLine(columns, each));
    if (first !== undefined) return { columns, firstRow: isNumbered(given) ? first.row : row + 1 };
    if (candidates.length < headingRowsMax) return { columns, firstRow: row + 1 };
  }
  throw new BankFileError(
    "NotStatement",
    given === undefined
      ? "No row of the file names columns of dates and amounts; say which they are."
      : "No row of the file has all the columns that were named.",
  );
}

/** The first of the widest rows at the head of a file. */
export function headingOf(text: TextSource): readonly string[] {
  let widest: readonly string[] = [];
  let count = 0;
  for (const { cells } of rowsOf(text)) {
    if (cells.length > widest.length) widest = cells;
    count += 1;
    if (count > headingRowsMax) break;
  }
  return widest;
}

interface FileRow extends CsvRow {
  /** The last one, behind which no line ends. */
  readonly isUnended?: boolean;
}

/** @throws BankFileError `BadFile` for a quote that is never closed */
function* rowsOf(text: TextSource): Generator<FileRow> {
  let head = "";
  let splitter: CsvSplitter | undefined;
  try {
    for (const chunk of text()) {
      if (splitter !== undefined) {
        yield* splitter.push(chunk);
        continue;
      }
      head += chunk;
      if (head.length < sampleCharacters) continue;
      splitter = new CsvSplitter(csvSyntaxOf(head, true));
      yield* splitter.push(head);
    }
    if (splitter === undefined) {
      splitter = new CsvSplitter(csvSyntaxOf(head, false));
      yield* splitter.push(head);
    }
    for (const row of splitter.end()) yield { ...row, isUnended: true };
  } catch (error) {
    if (
      error instanceof RefusedError &&
      !(error instanceof BankFileError) &&
      error.code === "BadFile"
    ) {
      throw new BankFileError("BadFile", error.message);
    }
    throw error;
  }
}
