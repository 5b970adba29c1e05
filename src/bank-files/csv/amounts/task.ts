import { requireCurrency } from "../../../resources/common.ts";
import { BankFileError } from "../../bank-statement.ts";
import { isOtherCurrency, markOf } from "../../bank-values.ts";
import { isDayLike, readDay } from "../../days.ts";
import type { Row } from "../cells.ts";
import { directionsOf } from "../columns/cell-words.ts";
import { plainHeading } from "../columns/headings.ts";
import type { Roles } from "../columns/roles.ts";
import { type DayCell, possibleOrders } from "../date-order.ts";
import { moneyTextOf, type Work } from "../work.ts";
import { NumberColumn } from "./number-column.ts";
import type { Circumstances } from "./settle.ts";
import type { AmountColumns, AmountTask } from "./ways.ts";

export function taskOf(tableWork: Work): AmountTask {
  const { roles, evidence, options, form, facts, preamble, settled } = tableWork;
  const currency = facts.currency ?? preamble.currency;
  const numbers = new Map(
    roles.columns.map(({ place }) => [
      place,
      new NumberColumn(place, roles.cells(place, evidence), currency),
    ]),
  );
  const columns = amountColumns(tableWork, numbers);
  const decimal = options.decimal ?? settled?.decimal ?? form?.decimal;
  const isReversed = options.isReversed ?? settled?.isReversed;
  const saidFee = roles.isChosen("fee")
    ? roles.place("fee") === undefined
      ? ("in" as const)
      : ("beside" as const)
    : undefined;
  const cells = dayCells(roles, evidence);
  const orders = options.dateOrder === undefined ? possibleOrders(cells) : [options.dateOrder];
  const days = orders.map((order) => cells.map(({ text }) => readDay(text, order) ?? ""));
  const parts = roles.columns
    .filter(
      ({ place, role }) =>
        role === "currency" ||
        role === "ownAccount" ||
        role === "own" ||
        (role === undefined && place >= 0),
    )
    .map(({ place }) => roles.cells(place, evidence))
    .filter((values) => new Set(values).size > 1 && new Set(values).size <= 6);
  checkNumbers(tableWork, columns, numbers);
  const net = saidFee === undefined ? sumColumn(columns, numbers, columns.fee, -1) : undefined;
  const firstColumn = net ?? grossOf(tableWork, columns, numbers);
  if (firstColumn !== undefined)
    columns.amount = [firstColumn, ...columns.amount.filter((number) => number !== firstColumn)];
  const feeIs = saidFee ?? form?.fee ?? (net === undefined ? undefined : "in");
  return { columns, numbers, decimal, isReversed, feeIs, days, parts };
}

/** Column of amounts that are another column and one beside it, such as a fee or tax, in each row. */
function sumColumn(
  { amount }: AmountColumns,
  columnByIndex: ReadonlyMap<number, NumberColumn>,
  beside: number | undefined,
  sign: 1 | -1,
): number | undefined {
  const values = (columnIndex: number | undefined) => {
    const column = columnByIndex.get(columnIndex ?? -1);
    return column?.values(column.marks[0] ?? "point") ?? [];
  };
  const parts = values(beside).map((cents) => (sign < 0 ? -Math.abs(cents ?? 0) : (cents ?? 0)));
  if (!parts.some((number) => number !== 0)) return undefined;
  const isSum = (sum: number, of: number) =>
    parts.every((number, at) => values(sum)[at] === (values(of)[at] ?? 0) + number);
  return amount.find((sum) => amount.some((of) => of !== sum && isSum(sum, of)));
}

/** Column of amounts with tax, which move the account; asks where the amounts are without it. */
function grossOf(
  { roles, questions }: Work,
  columns: AmountColumns,
  columnByIndex: ReadonlyMap<number, NumberColumn>,
): number | undefined {
  const [first] = columns.amount;
  const tax = roles.columns.find(({ heading }) => taxName.test(plainHeading(heading)));
  if (tax === undefined || first === undefined || roles.isChosen("amount")) return undefined;
  const gross = sumColumn(columns, columnByIndex, tax.place, 1);
  const heading = roles.columns[first]?.heading ?? "";
  if (gross === undefined && netName.test(plainHeading(heading)))
    questions.ask(
      "--map",
      `Amounts of column ${first + 1}, ${heading}, are without tax.`,
      columns.amount.map((columnIndex) => `--map amount=${columnIndex + 1}`),
    );
  return gross;
}

export function dayCells(roles: Roles, rows: readonly Row[]): DayCell[] {
  let lastDate = "";
  return rows.map((row) => {
    const text = roles.text(row, "date");
    if (text !== "") lastDate = text;
    return { text: text === "" ? lastDate : text, row: row.row };
  });
}

function amountColumns(
  { roles, evidence }: Work,
  numbers: ReadonlyMap<number, NumberColumn>,
): AmountColumns {
  const isNumeric = (columnIndex: number) => (numbers.get(columnIndex)?.marks.length ?? 0) > 0;
  const hasFilled = (columnIndex: number) => (numbers.get(columnIndex)?.filled ?? 0) > 0;
  const unknown = roles.columns.flatMap(({ place, role, meaning }) => {
    const cells = roles.cells(place, evidence).filter((text) => text !== "");
    const isNumber =
      role === undefined && isNumeric(place) && hasFilled(place) && !cells.some(isDayLike);
    const isId = cells.every((text) => /^\d{6,}$|^0\d*$/.test(text));
    const isRoom =
      meaning === undefined ||
      [
        "amount",
        "gross",
        "debit",
        "credit",
        "balance",
        "currency",
        "valueDate",
        "date",
        "flag",
        "text",
      ].includes(meaning.role);
    return isNumber && !isId && isRoom ? [place] : [];
  });
  const [debit, credit] = [roles.place("debit"), roles.place("credit")];
  let pair: AmountColumns["pair"];
  if (debit !== undefined && credit !== undefined) pair = [debit, credit];
  const rank = (columnIndex: number) => roles.columns[columnIndex]?.meaning?.rank ?? 0;
  const isByHeading = (columnIndex: number) => roles.columns[columnIndex]?.because === "heading";
  let amount = [
    // Columns with exact headings come before those with loose ones.
    ...roles
      .places("amount")
      .toSorted((a, b) => (isByHeading(a) && isByHeading(b) ? rank(a) - rank(b) : 0)),
    ...(roles.isChosen("amount") ? [] : roles.places("gross")),
  ];
  const isChosenPair = roles.isChosen("debit") || roles.isChosen("credit");
  if (isChosenPair && !roles.isChosen("amount")) amount = [];
  if (pair === undefined && (debit ?? credit) !== undefined && amount.length === 0) {
    // With only one of money out and money in, any empty column can be the other.
    const emptyIndex =
      roles.columns.find(({ place }) => !hasFilled(place) && place !== debit && place !== credit)
        ?.place ?? roles.columns.length;
    pair = [debit ?? emptyIndex, credit ?? emptyIndex];
  }
  if (roles.isChosen("amount") && roles.place("amount") !== undefined && !isChosenPair)
    pair = undefined;
  const [only] = unknown;
  const cellsText = (columnIndex: number) => roles.cells(columnIndex, evidence).join("\n");
  if (
    amount.length === 0 &&
    pair === undefined &&
    only !== undefined &&
    unknown.every((columnIndex) => cellsText(columnIndex) === cellsText(only)) &&
    !roles.isChosen("amount")
  ) {
    roles.set(only, "amount", "cells");
    amount = [only];
  }
  const restColumns = unknown.filter((columnIndex) => !amount.includes(columnIndex)).slice(0, 6);
  const isChosen = roles.isChosen("amount") || isChosenPair;
  return {
    amount,
    pair,
    flags: flagColumns(roles, evidence, amount),
    fee: roles.place("fee"),
    balance: roles.places("balance"),
    unknown: restColumns,
    isChosen,
  };
}

function flagColumns(
  roles: Roles,
  evidence: readonly Row[],
  amount: readonly number[],
): AmountColumns["flags"] {
  if (roles.isChosen("flag") && roles.place("flag") === undefined) return [];
  const flagPlaces = roles.isChosen("flag")
    ? roles.places("flag")
    : roles.columns.map(({ place }) => place);
  return flagPlaces.flatMap((place) => {
    const words = amount.includes(place) ? undefined : directionsOf(roles.cells(place, evidence));
    const isText = /^(?:text|payee|reference|id)$/.test(roles.columns[place]?.role ?? "");
    if (words === undefined || (words.isLone && isText)) return [];
    // Under a heading of direction, a word in some rows alone leaves the other direction to the rest.
    const [sign, ...others] = new Set(words.signs.filter((each) => each !== 0));
    const isByException = roles.columns[place]?.role === "flag" && others.length === 0;
    const signs = words.signs.map((each) => (each === 0 && isByException ? -(sign ?? 0) : each));
    return [{ place, signs }];
  });
}

const taxName = /\b(?:vat|tax|gst|mw ?st|ust|umsatzsteuer|btw|tva|iva|moms|mva|dph|alv)\b/;
const netName = /\b(?:net|netto|neto|excl\w*|without tax)\b/;
/** Headings of amounts in parts or multiples of the currency. */
const otherScale =
  /(?<![\p{L}\d])(?:cents?|centimes|centesimi|c[eé]ntimos|pence|pennies|öre|øre|grosze|minor units?|thousands?|millions?|tsd|teur|t€|k€|keur|mio)(?![\p{L}\d])|\b0{3}'?s\b|['’(]0{3}\b/iu;

/**
 * Checks that a column of amounts is in whole units, and no heading or cell has the sign of another
 * currency.
 *
 * @throws BankFileError `BadAmount`
 */
export function checkSigns({ roles, evidence, facts: { currency } }: Work, index: number): void {
  const { heading = "", meaning } = roles.columns[index] ?? {};
  if (otherScale.test(heading))
    throw new BankFileError(
      "BadAmount",
      `"${heading}" is not in whole ${currency ?? "units"}; amounts of another scale are not read. --map amount=COLUMN names another column.`,
    );
  if (currency === undefined) return;
  if (meaning?.sign !== undefined && isOtherCurrency(`${meaning.sign}1`, currency))
    throw new BankFileError("BadAmount", `"${heading}" is not in ${currency}.`);
  const row = evidence.find(({ texts }) => isOtherCurrency(texts[index] ?? "", currency));
  if (row === undefined) return;
  const text = (row.texts[index] ?? "").slice(0, 40);
  throw new BankFileError("BadAmount", `"${text}" is not in ${currency}.`, `row ${row.row}`);
}

/** Asks about amounts that are thousands or have parts of a cent, where no column shows which. */
function askMark({ roles, evidence, questions }: Work, columns: readonly NumberColumn[]): void {
  const marked = columns.filter(({ isBare, filled }) => filled > 0 && !isBare);
  const [first] = marked;
  if (first === undefined || marked.some(({ openAt }) => openAt === undefined)) return;
  const row = evidence[first.openAt ?? 0] as Row;
  requireCurrency(roles.text(row, "currency") || undefined);
  const example = row.texts[first.place];
  questions.ask(
    "--decimal",
    `Row ${row.row}: "${example}" is thousands, or has three decimals.`,
    ["--decimal point", "--decimal comma"],
    { row: row.row, example },
  );
}

function checkNumbers(
  tableWork: Work,
  columns: AmountColumns,
  columnByIndex: ReadonlyMap<number, NumberColumn>,
): void {
  const { evidence } = tableWork;
  const moneyColumns = [
    ...columns.amount.slice(0, 1),
    ...(columns.pair ?? []),
    ...columns.balance,
    ...(columns.fee === undefined ? [] : [columns.fee]),
  ];
  const { decimal } = tableWork.options;
  if ((decimal ?? tableWork.settled?.decimal ?? tableWork.form?.decimal) === undefined)
    askMark(
      tableWork,
      moneyColumns.flatMap((columnIndex) => columnByIndex.get(columnIndex) ?? []),
    );
  for (const index of moneyColumns) {
    checkSigns(tableWork, index);
    const row = evidence[columnByIndex.get(index)?.wrong ?? -1];
    if (row === undefined) continue;
    const text = row.texts[index] ?? "";
    const other = evidence.find(({ texts }) => {
      const decimalMark = markOf(texts[index] ?? "");
      return (decimalMark === "point" || decimalMark === "comma") && decimalMark !== markOf(text);
    });
    const isMarked = ["point", "comma"].includes(markOf(text) ?? "");
    if (other !== undefined && isMarked)
      throw new BankFileError(
        "BadAmount",
        `"${text.slice(0, 40)}" of row ${row.row} and "${other.texts[index]?.slice(0, 40)}" of row ${other.row} have different decimal marks.`,
      );
    const isTooFine = /^[^,.]*[,.]\d*[1-9]\d*$/.test(text) && /[,.]\d{3,}/.test(text);
    const reason = isTooFine ? "has parts of a cent" : "is no amount";
    throw new BankFileError("BadAmount", `"${text.slice(0, 40)}" ${reason}.`, `row ${row.row}`);
  }
}

export function circumstancesOf(tableWork: Work): Circumstances {
  const { roles, evidence, facts, form, options } = tableWork;
  const directionsByColumn = roles.columns.map(({ place }) => ({
    place,
    found: directionsOf(roles.cells(place, evidence)),
  }));
  const namedFlags = new Set(
    directionsByColumn.flatMap(({ place }) =>
      roles.columns[place]?.role === "flag" ? [place] : [],
    ),
  );
  const loneFlags = directionsByColumn.filter(
    ({ place, found }) => found?.isLone && !namedFlags.has(place),
  );
  return {
    isCard: facts.isCard === true,
    hasForm: form !== undefined,
    allowGap: options.allowGap === true,
    isHalf: (columnIndex) =>
      roles.columns[columnIndex]?.because === "cells" &&
      roles.columns.some(
        (each) =>
          each.role === undefined && roles.cells(each.place, evidence).every((text) => text === ""),
      ),
    partingWords: (rows) => {
      const columns = roles.columns.map(({ place, role, meaning, because }) => {
        const isOpen = role === undefined && meaning?.role !== "ignored";
        const isMore = role === "text" && because === "cells" && roles.places("text").length > 1;
        const words = [...new Set(rows.map((at) => evidence[at]?.texts[place] ?? ""))];
        const isParted =
          (isOpen || isMore || role === "type" || role === "flag") &&
          (words.length === 2 || (meaning?.role === "flag" && words.length === 3)) &&
          words.every((text) => /^[\p{L} /.-]+$/u.test(text));
        return isParted
          ? `${words.map((text) => `"${text}"`).join(", ")} of column ${place + 1}`
          : undefined;
      });
      return columns.find((words) => words !== undefined);
    },
    loneFlags: new Set(loneFlags.map(({ place }) => place)),
    namedFlags,
    row: (at) => evidence[at]?.row ?? 0,
    text: (at, columnIndex) => evidence[at]?.texts[columnIndex] ?? "",
    money: moneyTextOf(tableWork),
  };
}
