/**
 * Selects the rows by which columns are judged: dated rows, and rows between them that lack a date.
 */

import { markOf } from "../bank-values.ts";
import { isDayLike } from "../days.ts";
import type { Row } from "./cells.ts";
import { isTotal } from "./columns/cell-words.ts";
import { isDay, type Roles } from "./columns/roles.ts";
import { balanceRows, type RowState } from "./row-states.ts";

const hasNumber = ({ texts }: Row) =>
  texts.some((text) => text !== "" && markOf(text) !== "none" && !isDayLike(text));

const isMoney = /^(?:amount|gross|debit|credit|balance)$/;

/** Selects the rows. @param states  receives the rows that their words mark as balances */
export function evidenceOf(
  body: readonly Row[],
  roles: Roles,
  states: Map<Row, RowState>,
  fillDates: boolean,
): readonly Row[] {
  const balance = roles.columns.find(({ meaning }) => meaning?.role === "balance")?.place ?? -1;
  // Balances go down by what is held back, and up again when it is free.
  const isOut = (row: Row) => {
    const state = states.get(row) ?? "";
    const isHeld = state === "held" && (row.texts[balance] ?? "") === "";
    return isHeld || ["pending", "not booked", "title"].includes(state);
  };
  const hasDay = (row: Row) => isDay(roles.text(row, "date"));
  const candidates = body.filter((row) => !isOut(row) && hasDay(row));
  const money = roles.columns.filter(({ meaning }) => isMoney.test(meaning?.role ?? ""));
  for (const row of balanceRows(candidates, roles)) {
    const places = (money.length > 0 ? money : roles.columns).filter(({ place }) => {
      const text = row.texts[place] ?? "";
      return text !== "" && markOf(text) !== "none" && !isDayLike(text);
    });
    // A row with a balance column, or without an amount, is judged like any other row.
    if (places.length === 1 && roles.places("balance").length === 0) states.set(row, "balance");
  }
  const [first, last] = [body.findIndex(hasDay), body.findLastIndex(hasDay)];
  return body.filter((row, at) => {
    if (isOut(row) || states.get(row) === "balance") return false;
    if (hasDay(row)) return true;
    const isBare = roles.text(row, "date") === "" && hasNumber(row) && !row.texts.some(isTotal);
    return isBare && at > first && (fillDates || at < last);
  });
}
