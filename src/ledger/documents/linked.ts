/** Status of a linked (billable) expense, on its way from a bill line to an invoice line. */
import type { LinkedTransactionStatus } from "../../resources/linked-transaction.ts";

const goneStatuses: readonly string[] = ["DELETED", "VOIDED"];
const stands: readonly string[] = ["AUTHORISED", "PAID"];

/**
 * The status of the expense.
 * @param source  status of its bill; undefined when it no longer exists
 * @param targetStatus  status of the invoice that bills it; undefined before. A void or deleted invoice
 *   bills nothing.
 */
export function linkedStatus(
  source: string | undefined,
  targetStatus: string | undefined,
): LinkedTransactionStatus {
  if (source === undefined || goneStatuses.includes(source)) return "VOIDED";
  if (targetStatus !== undefined && !goneStatuses.includes(targetStatus)) {
    return stands.includes(targetStatus) ? "BILLED" : "ONDRAFT";
  }
  return stands.includes(source) ? "APPROVED" : "DRAFT";
}
