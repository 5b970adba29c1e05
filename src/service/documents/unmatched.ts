/** Guards records that are reconciled with a bank statement line against being undone. */
import { refusal } from "../../resources/errors.ts";
import { linesOfRecords } from "../../store/records/bank-matches.ts";
import type { Tx } from "../../store/tx/tx.ts";

/** @throws RefusedError where one of the records is reconciled with a statement line */
export async function checkUnmatched(tx: Tx, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length === 0) return;
  const dateByRecord = await linesOfRecords(tx, recordIds);
  if (dateByRecord.size === 0) return;
  throw refusal(
    "Reconciled",
    [...dateByRecord.values()].map(
      (date) =>
        `It is reconciled with the bank statement line of ${date}; take that back first (unmatch).`,
    ),
  );
}
