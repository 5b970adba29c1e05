/** What is reconciled with a bank statement line is not undone behind its back. */
import { refusal } from "../../resources/errors.ts";
import { linesOfRecords } from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/tx/tx.ts";

/** @throws RefusedError where a statement line is reconciled with one of the records */
export async function checkUnmatched(tx: Tx, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length === 0) return;
  const dates = await linesOfRecords(tx, recordIds);
  if (dates.size === 0) return;
  throw refusal(
    "Reconciled",
    [...dates.values()].map(
      (date) =>
        `It is reconciled with the bank statement line of ${date}; take that back first (unmatch).`,
    ),
  );
}
