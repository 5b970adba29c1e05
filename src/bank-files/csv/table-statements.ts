/** Results of a table: statements, columns with roles, the interpretation to store, and notes. */

import { add, type Cents, zeroCents } from "../../ledger/money.ts";
import { amountText } from "../../resources/common.ts";
import type {
  ColumnReading,
  DateOrder,
  LeftOutRow,
  ReadOptions,
  SettledReading,
  StatementLine,
} from "../bank-statement.ts";
import { followBalances, isChain } from "./amounts/chain.ts";
import type { AmountReading } from "./amounts/settle.ts";
import type { Row } from "./cells.ts";
import { roles as roleNames } from "./columns/headings.ts";
import { accountNamed, ownAccountColumn } from "./columns/own.ts";
import type { Roles } from "./columns/roles.ts";
import type { TableStatement, Work } from "./work.ts";

export function statementsOf(
  tableWork: Work,
  lines: readonly StatementLine[],
  chain: Partial<NonNullable<AmountReading["chain"]>>,
  isPartial: boolean,
): TableStatement[] {
  const { table, roles, options, form, preamble } = tableWork;
  const width = roles.columns.length;
  const accountColumn = ownAccountColumn(table.headings, table.body, width, options, form);
  const numberOf = ({ cells = [] }: StatementLine) =>
    accountColumn === undefined ? "" : (cells[accountColumn] ?? "").trim();
  const linesByAccount = Map.groupBy(lines, numberOf);
  const hasSeveral = linesByAccount.size > 1;
  const lineCurrencies = new Set(lines.map(({ currency }) => currency));
  const entries = linesByAccount.size === 0 ? [["", []] as const] : [...linesByAccount];
  return entries.map(([number, own]) => {
    const balances = hasSeveral || isPartial ? endsOf(own, chain.newest) : chain;
    return {
      account: number === "" ? preamble.account : { ...preamble.account, ...accountNamed(number) },
      currency: lineCurrencies.size === 1 ? [...lineCurrencies][0] : undefined,
      opening: balances?.opening ?? (hasSeveral ? undefined : preamble.opening),
      closing: balances?.closing ?? (hasSeveral ? undefined : preamble.closing),
      lines: own,
    };
  });
}

function endsOf(lines: readonly StatementLine[], newest: "first" | "last" | undefined) {
  const chain = followBalances(
    lines.map(({ amount }) => amount),
    lines.map(({ balance }) => balance),
    newest ?? "last",
  );
  return isChain(chain) ? chain : undefined;
}

export function amountCurrency(roles: Roles): string | undefined {
  const amountColumn = roles.place("amount") ?? roles.place("credit") ?? roles.place("debit");
  return amountColumn === undefined ? undefined : roles.columns[amountColumn]?.meaning?.currency;
}

export function markRoles({ roles }: Work, amounts: AmountReading | undefined): void {
  if (amounts === undefined) return;
  const { way, isProven, balance } = amounts;
  const reasonOf = (columnIndex: number) => {
    const ownReason = roles.columns[columnIndex]?.because ?? "";
    return ownReason === "--map" || ownReason.startsWith("as ")
      ? ownReason
      : isProven
        ? "balances"
        : ownReason === "not read"
          ? "cells"
          : ownReason;
  };
  const [first = 0, second = 0] = way.places;
  const usedColumns =
    way.kind === "pair"
      ? ([
          [first, "debit"],
          [second, "credit"],
        ] as const)
      : ([[first, "amount"]] as const);
  for (const [place, role] of usedColumns) roles.set(place, role, reasonOf(place));
  const fee = way.places[usedColumns.length];
  if (fee !== undefined) roles.set(fee, "fee", "balances");
  if (way.flag !== undefined) roles.set(way.flag, "flag", isProven ? "balances" : "cells");
  if (balance !== undefined) roles.set(balance, "balance", reasonOf(balance));
}

export function describeColumns({ roles, table, states }: Work): ColumnReading[] {
  const usedRoles = new Set(roleNames as readonly string[]);
  return roles.columns.map(({ place, heading, role, because }) => {
    const firstRow = table.body.find((row) => !states.has(row) && (row.texts[place] ?? "") !== "");
    const isRead = role !== undefined && role !== "ignored";
    return {
      heading,
      example: firstRow?.texts[place] ?? "",
      role: !isRead
        ? undefined
        : role === "gross"
          ? "confirms"
          : usedRoles.has(role) || role === "own" || role === "payer"
            ? role
            : "original",
      because: isRead ? because : "not read",
    };
  });
}

export function readingSettled(
  roles: Roles,
  amounts: AmountReading | undefined,
  order: DateOrder,
  options: ReadOptions,
): SettledReading {
  const columns: Record<string, string> = {};
  const isOnce = (heading: string) =>
    heading !== "" && roles.columns.filter((column) => column.heading === heading).length === 1;
  for (const role of roleNames) {
    const columnIndexes = roles.places(role);
    if (columnIndexes.length === 0) continue;
    columns[role] = columnIndexes
      .map((columnIndex) => {
        const heading = roles.columns[columnIndex]?.heading ?? "";
        return isOnce(heading) && !heading.includes("|") && !/^\d+$/.test(heading)
          ? heading
          : String(columnIndex + 1);
      })
      .join("|");
  }
  if (amounts !== undefined) {
    const { way } = amounts;
    for (const role of way.kind === "pair" ? ["amount"] : ["debit", "credit"]) delete columns[role];
    if (way.kind !== "flag") delete columns.flag;
    if (way.fee !== "beside") delete columns.fee;
    if (amounts.balance === undefined) delete columns.balance;
  }
  const { decimal, delimiter, encoding, fillDates, isReversed } = options;
  const decimalMark = decimal ?? amounts?.way.marks[0];
  return {
    columns,
    dateOrder: order,
    decimal: decimalMark,
    delimiter,
    encoding,
    fillDates,
    ...(amounts?.way.kind === "reversed"
      ? { isReversed: true }
      : isReversed === undefined
        ? {}
        : { isReversed }),
  };
}

/** @param ownCurrency  currency of the account */
export function noteLeftOut(
  leftOut: readonly LeftOutRow[],
  ownCurrency: string | undefined,
  notices: string[],
): void {
  const total = (rows: readonly LeftOutRow[]) =>
    amountText(
      rows.reduce<Cents>((sum, { amount }) => add(sum, amount ?? zeroCents), zeroCents),
      rows[0]?.currency ?? ownCurrency,
    );
  const noteRows = (rows: readonly LeftOutRow[], what: string, more: string) => {
    if (rows.length === 0) return;
    const isOne = rows.length === 1;
    const sum = rows.some(({ amount }) => amount !== undefined) ? ` of ${total(rows)}` : "";
    notices.push(
      `${rows.length} ${what} row${isOne ? "" : "s"}${sum} ${isOne ? "is" : "are"} left out${more}`,
    );
  };
  const pending = leftOut.filter(({ reason }) => reason === "pending");
  noteRows(
    pending,
    "pending",
    pending.length === 1
      ? "; it comes again when it is booked."
      : "; they come again when they are booked.",
  );
  noteRows(
    leftOut.filter(({ reason }) => reason === "not booked"),
    "not booked",
    ": declined, reverted or failed.",
  );
  noteRows(
    leftOut.filter(({ reason }) => reason === "held"),
    "held",
    ": they hold money back or give it free, and move none.",
  );
  const rowsByCurrency = Map.groupBy(
    leftOut.filter(({ reason }) => reason === "other currency"),
    ({ currency }) => currency,
  );
  for (const [currency, rows] of rowsByCurrency) {
    notices.push(
      `${rows.length} line${rows.length === 1 ? "" : "s"} in ${currency} of ${total(rows)} ${rows.length === 1 ? "is" : "are"} left out.`,
    );
  }
}

/** Names the rows below the lines that were not read, and the columns. */
export function noteUnread(
  roles: Roles,
  footer: readonly Row[],
  hasLines: boolean,
  notices: string[],
): void {
  const rowsBelow = footer.filter(
    ({ row }) => !notices.some((notice) => notice.startsWith(`Row ${row} `)),
  );
  if (rowsBelow.length > 0) {
    const rowNames = rowsBelow
      .slice(0, 3)
      .map(({ texts }) => `"${texts.filter(Boolean).join(" ").slice(0, 60)}"`);
    const andMore = rowsBelow.length > 3 ? ` and ${rowsBelow.length - 3} more` : "";
    notices.push(`No line${rowsBelow.length === 1 ? "" : "s"}: ${rowNames.join(", ")}${andMore}.`);
  }
  const unread = roles.columns
    .filter(({ role, heading }) => heading !== "" && (role === undefined || role === "ignored"))
    .map(({ heading }) => heading);
  if (unread.length > 0 && hasLines) notices.push(`Not read: ${unread.join(", ")}.`);
}
