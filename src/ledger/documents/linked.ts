/** Status of a linked (billable) expense, on its way from a bill line to an invoice line. */
import type { LinkedTransactionStatus } from "../../resources/linked-transaction.ts";

const gone: readonly string[] = ["DELETED", "VOIDED"];
const stands: readonly string[] = ["AUTHORISED", "PAID"];

/**
 * The status of the expense.
 * @param source  status of its bill; undefined when it no longer exists
 * @param target  status of the invoice that bills it; undefined before. A void or deleted invoice
 *   bills nothing.
 */
export function linkedStatus(
  source: string | undefined,
  target: string | undefined,
): LinkedTransactionStatus {
  if (source === undefined || gone.includes(source)) return "VOIDED";
  if (target !== undefined && !gone.includes(target)) {
    return stands.includes(target) ? "BILLED" : "ONDRAFT";
  }
  return stands.includes(source) ? "APPROVED" : "DRAFT";
}
