/**
 * Selects the rows by which columns are judged: dated rows, and rows between them that lack a date.
 */

import { markOf } from "../bank-values.ts";
import { isDayLike } from "../days.ts";
import type { Row } from "./cells.ts";
import { isTotal, isTotalAlone } from "./columns/cell-words.ts";
import { isDay, type Roles } from "./columns/roles.ts";
import { balanceRows, type RowState } from "./row-states.ts";

const hasNumber = ({ texts }: Row) =>
  texts.some((text) => text !== "" && markOf(text) !== "none" && !isDayLike(text));

const isMoney = /^(?:amount|gross|debit|credit|balance)$/;

/** Whether a row tells the balance after it. */
export function hasBalance({ texts }: Row, { columns }: Roles): boolean {
  return columns.some(({ place, meaning }) => meaning?.role === "balance" && texts[place] !== "");
}

/** Whether a row totals money out and money in. */
const isSumOfBoth = ({ texts }: Row, { columns }: Roles) =>
  ["debit", "credit"].every((role) =>
    columns.some(
      ({ place, meaning }) => meaning?.role === role && /[1-9]/.test(texts[place] ?? ""),
    ),
  ) && texts.some(isTotalAlone);

/**
 * Selects the rows.
 *
 * @param states  receives the rows that their words mark as balances
 * @param withPending  whether balances count pending rows that tell one
 */
export function evidenceOf(
  body: readonly Row[],
  roles: Roles,
  states: Map<Row, RowState>,
  areDatesFilled: boolean,
  withPending: boolean,
): readonly Row[] {
  const isNotBooked = (row: Row) => {
    const state = states.get(row) ?? "";
    if (withPending && (state === "pending" || state === "held") && hasBalance(row, roles))
      return false;
    return ["pending", "held", "not booked", "title"].includes(state);
  };
  const hasDay = (row: Row) => isDay(roles.text(row, "date"));
  const candidates = body.filter((row) => !isNotBooked(row) && hasDay(row));
  const money = roles.columns.filter(({ meaning }) => isMoney.test(meaning?.role ?? ""));
  for (const row of balanceRows(candidates, roles)) {
    const moneyColumns = (money.length > 0 ? money : roles.columns).filter(({ place }) => {
      const text = row.texts[place] ?? "";
      return text !== "" && markOf(text) !== "none" && !isDayLike(text);
    });
    const [first, ...others] = moneyColumns.map(({ place }) => row.texts[place] ?? "");
    // A row with a balance column, or without an amount, is judged like any other row; one that
    // repeats the balance as its amount moves nothing.
    const isSingle = others.length === 0 && roles.places("balance").length === 0;
    const isRepeated = others.length > 0 && others.every((text) => text === first);
    if (first !== undefined && (isSingle || isRepeated)) states.set(row, "balance");
  }
  const [first, last] = [body.findIndex(hasDay), body.findLastIndex(hasDay)];
  return body.filter((row, at) => {
    if (isNotBooked(row) || states.get(row) === "balance" || isSumOfBoth(row, roles)) return false;
    if (hasDay(row)) return true;
    const isBare = roles.text(row, "date") === "" && hasNumber(row) && !row.texts.some(isTotal);
    return isBare && at > first && (areDatesFilled || at < last);
  });
}
