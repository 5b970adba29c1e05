/** Reads one table of a file into statements of its accounts: columns, amounts, dates and rows. */

import { mediumDate } from "../../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../ledger/money.ts";
import { requireCurrency } from "../../resources/common.ts";
import {
  BankFileError,
  type DateOrder,
  delimiters,
  type LeftOutRow,
  type ReadOptions,
  type StatementLine,
} from "../bank-statement.ts";
import { markOf, negate, rawAmount } from "../bank-values.ts";
import { isDayLike, readDay } from "../days.ts";
import { type AmountReading, settleAmounts } from "./amounts/settle.ts";
import { checkSigns, circumstancesOf, dayCells, taskOf } from "./amounts/task.ts";
import { cellAmount, isAmountLike, isDash, type Row } from "./cells.ts";
import { formOf } from "./columns/bank-forms.ts";
import { isTotal } from "./columns/cell-words.ts";
import { type ColumnRole, plainHeading } from "./columns/headings.ts";
import { findOwnNumber, headingKeyOf } from "./columns/own.ts";
import { isDay, Roles, resolveRoles } from "./columns/roles.ts";
import { orderOf } from "./date-order.ts";
import { evidenceOf } from "./evidence-rows.ts";
import type { Table } from "./find-tables.ts";
import { lineFrom } from "./line-from-row.ts";
import { Questions, unsettledError } from "./open-questions.ts";
import { isBalanceRow, preambleOf } from "./preamble.ts";
import { type FoundRows, rowsIn, statesOf } from "./row-states.ts";
import {
  amountCurrency,
  describeColumns,
  markRoles,
  noteLeftOut,
  noteUnread,
  readingSettled,
  statementsOf,
} from "./table-statements.ts";
import { moneyTextOf, type TableReading, type Work } from "./work.ts";

/**
 * Reads a table. Where balances do not follow, they are followed once more through the pending rows
 * that tell one: some services count what is pending or held back.
 *
 * @returns undefined where questions are open
 */
export function readTable(
  table: Table,
  options: ReadOptions,
  questions: Questions,
): TableReading | undefined {
  try {
    return readOnce(table, options, questions, false);
  } catch (error) {
    if (!(error instanceof BankFileError) || error.code !== "Balance") throw error;
    const again = readWithPending(table, options);
    if (again === undefined) throw error;
    return again;
  }
}

function readWithPending(table: Table, options: ReadOptions): TableReading | undefined {
  try {
    return readOnce(table, options, new Questions(), true);
  } catch (error) {
    if (error instanceof BankFileError) return undefined;
    throw error;
  }
}

function readOnce(
  table: Table,
  options: ReadOptions,
  questions: Questions,
  withPending: boolean,
): TableReading | undefined {
  const tableWork = beginTable(table, options, questions, withPending);
  if (tableWork === undefined) return undefined;
  const { roles, evidence, form } = tableWork;
  if (evidence.length === 0 && !table.body.some((row) => tableWork.states.has(row)))
    return readEmptyTable(tableWork);
  const task = taskOf(tableWork);
  const amounts =
    evidence.length === 0 ? undefined : settleAmounts(task, circumstancesOf(tableWork), questions);
  for (const columnIndex of amounts?.way.places ?? []) checkSigns(tableWork, columnIndex);
  const order = findDateOrder(tableWork, amounts);
  if (amounts === undefined && evidence.length > 0) {
    const fault = pairFault(tableWork);
    if (fault !== undefined) throw fault;
    if (!questions.isOpen) throw noLine(tableWork) ?? noColumns(table);
    return undefined;
  }
  const rows =
    amounts === undefined
      ? pendingRowsOnly(tableWork)
      : rowsIn(table.body, rowContext(tableWork, amounts, order));
  if (order === undefined || questions.isOpen) return undefined;
  checkTexts(tableWork, rows);
  return finish({ ...tableWork, roles, form }, amounts, rows, order);
}

function beginTable(
  table: Table,
  options: ReadOptions,
  questions: Questions,
  withPending: boolean,
): Work | undefined {
  const { headings, body } = table;
  // Columns that are empty in all rows count, such as money in for a month without receipts.
  const width = Math.max(headings.length, ...body.map(({ texts }) => texts.length), 1);
  checkWidths(table);
  const form = options.useForms === false ? undefined : formOf(headings);
  const lastLine = body.findLastIndex((row) => row.texts.some(isDayLike) && !isBalanceRow(row));
  const preamble = preambleOf(table.before, body.slice(lastLine + 1));
  const ownAccount = findOwnNumber(table, width, options, form) ?? {};
  const account = options.accountOf?.({ ...preamble.account, ...ownAccount }) ?? {};
  const earlier = account.settled?.[headingKeyOf(table)];
  const roleChoices = resolveRoles({ ...earlier?.columns, ...options.columns }, headings, width);
  const on = earlier?.on === undefined ? "as settled" : `as on ${mediumDate(earlier.on)}`;
  const saidBecause = (role: ColumnRole) =>
    options.columns?.[role] === undefined && earlier !== undefined ? on : "--map";
  const roles = new Roles(headings, body, width, { choicesByRole: roleChoices, saidBecause, form });
  const notices: string[] = [];
  if (earlier !== undefined) notices.push(`Columns and signs ${on}.`);
  roles.findStatus();
  askStatus(roles, body, questions);
  const dates = roles.findDate();
  if (dates.length === 0)
    throw missingYearError(table) ?? unreadableDay(table, roles) ?? noColumns(table);
  if (dates.length > 1) {
    const choices = dates.map(({ place }) => `--map date=${place + 1}`);
    questions.ask("--map", "Several columns may be the day of a line.", choices);
    return undefined;
  }
  const stateByRow = new Map(statesOf(table, roles));
  const evidence = evidenceOf(
    body,
    roles,
    stateByRow,
    options.fillDates ?? earlier?.fillDates ?? false,
    withPending,
  );
  roles.assignByHeadings(evidence, { ...account, currency: account.currency ?? preamble.currency });
  roles.assignByCells(evidence, account);
  return {
    table,
    options,
    questions,
    form,
    preamble,
    facts: account,
    settled: earlier,
    roles,
    states: stateByRow,
    evidence,
    notices,
  };
}

/** Asks about an unknown status word, which may mark pending rows. */
function askStatus(roles: Roles, body: readonly Row[], questions: Questions): void {
  const index = roles.place("status");
  if (index === undefined || roles.isChosen("status")) return;
  const row = body.find((row) => {
    const text = row.texts[index] ?? "";
    return /\p{L}/u.test(text) && roles.booking(row) === undefined && row.texts.some(isDayLike);
  });
  if (row === undefined) return;
  const example = row.texts[index];
  questions.ask(
    "--map",
    `Row ${row.row}: "${example}" in column ${index + 1} is no known word of a booked or of a pending row; without the column all rows are booked.`,
    ["--map status="],
    { row: row.row, example },
  );
}

/** Refuses rows with more cells than headings: a wrong delimiter, or rows of another kind. */
function checkWidths({ headings, body }: Table): void {
  if (headings.length === 0) return;
  for (const { texts, fault, row, isUnended } of body) {
    if (fault !== undefined) throw new BankFileError("BadFile", `A row ${fault}.`, `row ${row}`);
    const width = texts.findLastIndex((text) => text !== "") + 1;
    if (width > headings.length && texts.some(isDayLike)) {
      throw unsettledError(
        "BadFile",
        "--delimiter",
        `Row ${row} has ${width} cells, but the heading has ${headings.length}.`,
        Object.keys(delimiters).map((name) => `--delimiter ${name}`),
      );
    }
    const usualWidth = body.find((row) => row.texts.some(isDayLike))?.texts.length ?? 0;
    if (isUnended && body.length > 1 && texts.length < usualWidth && isDay(texts[0] ?? "")) {
      throw new BankFileError("Truncated", "The file ends within a row.", `row ${row}`);
    }
  }
}

/**
 * Error for the first cell below a date or amount heading that is neither, where no row is a line.
 */
function noLine({ table: { body }, roles }: Work): BankFileError | undefined {
  const placedColumns = ["date", "amount", "debit", "credit"].flatMap((role) =>
    roles.columns.filter(({ meaning }) => meaning?.role === role),
  );
  for (const { place, meaning } of placedColumns) {
    const isByName = meaning?.role === "date";
    const row = body.find(({ texts }) => {
      const text = texts[place] ?? "";
      if (text === "" || !texts.some(isDayLike)) return false;
      return isByName ? isDayLike(text) && !isDay(text) : markOf(text) === "none" && !isDash(text);
    });
    if (row === undefined) continue;
    const [code, what] = isByName
      ? (["BadDate", "date"] as const)
      : (["BadAmount", "amount"] as const);
    const text = (row.texts[place] ?? "").slice(0, 40);
    return new BankFileError(code, `"${text}" is no ${what}.`, `row ${row.row}`);
  }
  return undefined;
}

/**
 * Error for the first row that columns of money out and money in do not allow; asks where money out
 * has both signs.
 */
function pairFault({ roles, evidence, questions }: Work): BankFileError | undefined {
  const [debit, credit] = [roles.place("debit"), roles.place("credit")];
  if (debit === undefined || credit === undefined) return undefined;
  const textOf = ({ texts }: Row, columnIndex: number) => {
    const text = texts[columnIndex] ?? "";
    return isDash(text) || /^[-+]?0*[.,]?0*$/.test(text) ? "" : text;
  };
  const nameOf = (index: number) => roles.columns[index]?.heading || `column ${index + 1}`;
  const both = evidence.find((row) => textOf(row, debit) !== "" && textOf(row, credit) !== "");
  if (both !== undefined) {
    const [out, into] = [textOf(both, debit), textOf(both, credit)];
    const message = `Row ${both.row} has amounts in both ${nameOf(debit)}, ${out}, and ${nameOf(credit)}, ${into}: write it as two rows.`;
    return new BankFileError("BadAmount", message);
  }
  const isNegative = (row: Row) => rawAmount(textOf(row, debit))?.isNegative;
  const odd = evidence.find((row) => isNegative(row) === false);
  const below = evidence.find((row) => isNegative(row) === true);
  if (odd === undefined || below === undefined) return undefined;
  const [text, example] = [textOf(odd, debit), textOf(below, debit)];
  questions.ask(
    "--reversed",
    `Row ${odd.row} has ${text} in ${nameOf(debit)}, row ${below.row} ${example}: money out is below zero, or what is below zero came back.`,
    ["--reversed", "--no-reversed"],
    { row: odd.row, example: text },
  );
  return undefined;
}

/** Error for the first row whose day lacks a year. */
function missingYearError({ body }: Table): BankFileError | undefined {
  for (const { texts, row } of body) {
    const isShort = (text: string) => /^[\p{L}\d ./-]{3,20}$/u.test(text) && isDay(`${text} 2024`);
    const text = texts.find((text) => /\d/.test(text) && isShort(text) && markOf(text) === "none");
    if (text !== undefined)
      return new BankFileError("BadDate", `"${text}" has no year; days need one.`, `row ${row}`);
  }
  return undefined;
}

/** Error for the first row with an amount whose cell in the column of days is none. */
function unreadableDay({ body }: Table, roles: Roles): BankFileError | undefined {
  const column =
    roles.place("date") ?? roles.columns.find(({ meaning }) => meaning?.role === "date")?.place;
  if (column === undefined) return undefined;
  const row = body.find(({ texts }) => {
    const isTold = texts.some((text, at) => at !== column && isAmountLike(text));
    return isTold && texts[column] && !isDayLike(texts[column]) && !texts.some(isTotal);
  });
  if (row === undefined) return undefined;
  const text = row.texts[column]?.slice(0, 40);
  const message = `"${text}" is no date; it must be written such as 31/03/2026, 2026-03-31 or 31 Mar 2026.`;
  return new BankFileError("BadDate", message, `row ${row.row}`);
}

function noColumns({ headings, body }: Table): BankFileError {
  const firstRow = body.find(({ texts }) => texts.some(isDayLike)) ?? body[0];
  const names = headings.length > 0 ? headings : (firstRow?.texts ?? []);
  const columns = names
    .slice(0, 40)
    .map((name, at) => `${at + 1} "${name.slice(0, 40)}"`)
    .join(", ");
  const message = `No row of the file names columns of dates and amounts; --map date=1 --map amount=3 tells them (columns: ${columns}).`;
  return new BankFileError("NotStatement", message, undefined, [
    { message, question: "Which columns are the day and the amount?", flag: "--map", choices: [] },
  ]);
}

function findDateOrder(tableWork: Work, amounts: AmountReading | undefined): DateOrder | undefined {
  const {
    roles,
    evidence,
    table,
    options,
    form,
    settled,
    preamble,
    facts,
    questions,
    notices,
    states,
  } = tableWork;
  const pending = table.body.filter((row) => states.has(row) && isDay(roles.text(row, "date")));
  const cells = evidence.length > 0 ? dayCells(roles, evidence) : dayCells(roles, pending);
  if (cells.length === 0) return "ymd";
  const values = roles
    .cells(roles.place("valueDate") ?? -1, evidence)
    .filter((text) => text !== "" && isDay(text));
  const further = [...dayCells(roles, pending), ...values.map((text) => ({ text, row: 0 }))];
  const newest = amounts?.isProven ? amounts.chain?.newest : undefined;
  const sources = {
    given: options.dateOrder,
    form: form?.order,
    settled: settled?.dateOrder,
    newest,
    period: preamble.period,
    facts,
    today: options.today,
  };
  return orderOf(cells, further, sources, questions, (notice) => notices.push(notice));
}

function rowContext(
  tableWork: Work,
  { way, amounts, balance }: AmountReading,
  order: DateOrder | undefined,
) {
  const { roles, states, evidence, questions, options, settled, notices } = tableWork;
  return {
    roles,
    stateByRow: states,
    way,
    amounts: new Map(evidence.map((row, at) => [row, amounts[at]])),
    balance: balance ?? roles.place("balance"),
    order,
    fillDates: options.fillDates ?? settled?.fillDates ?? false,
    allowGap: options.allowGap === true,
    questions,
    say: (notice: string) => notices.push(notice),
    money: moneyTextOf(tableWork),
  };
}

function pendingRowsOnly({ table, states, roles, options, form }: Work): FoundRows {
  const statusColumn =
    roles.place("amount") ?? roles.columns.find(({ meaning }) => meaning?.role === "amount")?.place;
  const leftOut = table.body.flatMap((row) => {
    const state = states.get(row);
    if (state !== "pending" && state !== "not booked" && state !== "held") return [];
    const text = statusColumn === undefined ? "" : (row.texts[statusColumn] ?? "");
    const decimal = options.decimal ?? form?.decimal ?? markOf(text) ?? "point";
    const amount = decimal === "open" || decimal === "none" ? undefined : cellAmount(text, decimal);
    return [{ row, reason: state, amount: typeof amount === "number" ? amount : undefined }];
  });
  return { lines: [], leftOut, footer: [], told: {} };
}

function readEmptyTable(tableWork: Work): TableReading | undefined {
  const fault = unreadableDay(tableWork.table, tableWork.roles);
  if (fault !== undefined) throw fault;
  if (
    tableWork.table.headings.length === 0 ||
    tableWork.table.body.some((row) => row.texts.filter((text) => /\d/.test(text)).length > 1)
  )
    throw noLine(tableWork) ?? noColumns(tableWork.table);
  return finish(tableWork, undefined, { lines: [], leftOut: [], footer: [], told: {} }, "ymd");
}

function checkTexts({ roles, questions }: Work, { lines }: FoundRows): void {
  const hasAny = (role: "text" | "payee" | "payer" | "reference" | "type") =>
    lines.some(({ row }) => roles.text(row, role) !== "");
  if (
    lines.length === 0 ||
    roles.isChosen("text") ||
    hasAny("text") ||
    hasAny("payee") ||
    hasAny("payer") ||
    hasAny("reference")
  )
    return;
  if (hasAny("type")) {
    for (const columnIndex of roles.places("type")) roles.set(columnIndex, "text", "heading");
    return;
  }
  const words = roles.columns.filter(({ place, role }) => {
    const cells = lines.map(({ row }) => row.texts[place] ?? "");
    const isUnassigned = role === undefined || role === "own" || role === "ignored";
    return isUnassigned && cells.some((text) => /\p{L}{2}/u.test(text) && markOf(text) === "none");
  });
  questions.ask("--map", "No line has a text or an other party.", [
    ...words.map(({ place }) => `--map text=${place + 1}`),
    "--map text=",
  ]);
}

/**
 * Checks the stated balances.
 *
 * @throws BankFileError `Balance` where opening balance and lines do not make the closing balance
 */
function checkStatedBalances(work: Work, { lines, told: { opening, closing } }: FoundRows): void {
  if (opening === undefined || closing === undefined) return;
  const movement = lines.reduce((sum, { amount }) => add(sum, amount), zeroCents);
  const made = add(opening, movement);
  if (made === closing) return;
  const [before, lined, all, stated] = [opening, movement, made, closing].map(moneyTextOf(work));
  throw unsettledError(
    "Balance",
    "--allow-gap",
    `The rows of balances do not follow: ${before} and lines of ${lined} make ${all}, but the closing balance is ${stated}.`,
    ["--allow-gap"],
  );
}

/** Sum of the pending rows that are included in the balances of a file, but not in its lines. */
function heldIn({ leftOut }: FoundRows, evidence: readonly Row[]): Cents {
  const countedRows = new Set(evidence);
  return leftOut
    .filter(({ row }) => countedRows.has(row))
    .reduce<Cents>((sum, { amount }) => add(sum, amount ?? zeroCents), zeroCents);
}

/** Lines without those that repeat a row with its id; asks where only a heading says it is one. */
function dropRepeats({ roles, questions }: Work, rows: FoundRows): FoundRows {
  const idColumn = roles.place("id");
  const linesByText = Map.groupBy(rows.lines, ({ row: { texts, row } }) =>
    texts[idColumn ?? -1] ? texts.join("\n") : String(row),
  );
  const [first, second] = [...linesByText.values()].find(({ length }) => length > 1) ?? [];
  if (idColumn === undefined || first === undefined || second === undefined) return rows;
  const [id, { row }] = [first.row.texts[idColumn], second.row];
  if (!roles.isChosen("id"))
    questions.ask(
      "--map",
      `Rows ${first.row.row} and ${row} are alike, with the id ${id}: one line, or two.`,
      [`--map id=${idColumn + 1}`, "--map id="],
      { row, example: id },
    );
  return { ...rows, lines: [...linesByText.values()].flatMap((lines) => lines.slice(0, 1)) };
}

function finish(
  tableWork: Work,
  amounts: AmountReading | undefined,
  rows: FoundRows,
  order: DateOrder,
): TableReading | undefined {
  const { table, roles, facts, preamble, options, evidence, questions, notices } = tableWork;
  if (questions.isOpen) return undefined;
  markRoles(tableWork, amounts);
  const statedCurrency = roles.place("currency") === undefined ? amountCurrency(roles) : undefined;
  const balanceByRow = new Map(evidence.map((row, at) => [row, amounts?.balances?.[at]]));
  if (amounts?.isProven !== true) rows = dropRepeats(tableWork, rows);
  if (questions.isOpen) return undefined;
  const ids = rows.lines.map(({ row }) => roles.text(row, "id"));
  const hasUniqueIds =
    ids.every((id) => id !== "" && !/^\d[.,]?\d*E\+\d+$/i.test(id)) &&
    new Set(ids).size === ids.length;
  const holderNames = new Set((facts.names ?? []).map(plainHeading));
  const context = {
    roles,
    order,
    currency: statedCurrency ?? preamble.currency ?? facts.currency,
    hasUniqueIds,
    holderNames,
    balanceByRow,
    parted: tableWork.form?.parted,
  };
  const allLines = rows.lines.map((line) => lineFrom(line, context));
  const isForeign = ({ currency }: StatementLine) =>
    facts.currency !== undefined && currency !== undefined && currency !== facts.currency;
  const others = allLines.filter(isForeign);
  const lines = allLines.filter((line) => !isForeign(line));
  if (others.length > 0 && lines.length === 0) {
    requireCurrency(others[0]?.currency);
    throw new BankFileError(
      "BadFile",
      `No line of the file is in ${facts.currency}, the currency of the account; the first is in ${others[0]?.currency}.`,
    );
  }
  const leftOut: LeftOutRow[] = [
    ...rows.leftOut.map(({ row, reason, amount }) => ({
      row: row.row,
      reason,
      amount,
      date: readDay(roles.text(row, "date"), order),
      name: roles.text(row, "payee") || roles.text(row, "text"),
    })),
    ...others.map((line) => ({
      row: line.row ?? 0,
      reason: "other currency" as const,
      amount: line.amount,
      currency: line.currency,
      date: line.date,
    })),
  ];
  noteLeftOut(leftOut, context.currency, notices);
  noteUnread(roles, rows.footer, allLines.length > 0, notices);
  const chain = amounts?.chain;
  if (chain === undefined && options.allowGap !== true) checkStatedBalances(tableWork, rows);
  const heldSum = heldIn(rows, evidence);
  const balanceEnds = {
    ...rows.told,
    ...chain,
    ...(chain && { closing: add(chain.closing, negate(heldSum)) }),
  };
  const statements = statementsOf(tableWork, lines, balanceEnds, others.length > 0);
  const csvReading = {
    headingKey: headingKeyOf(table),
    columns: describeColumns(tableWork),
    proof: amounts?.isProven
      ? ("balances" as const)
      : tableWork.form === undefined
        ? undefined
        : ("form" as const),
    settled: readingSettled(roles, amounts, order, options),
  };
  return { statements, reading: csvReading, notices, leftOut };
}
