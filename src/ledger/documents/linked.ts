/** How far an expense is on its way from the line of a bill to the line of an invoice. */
import type { LinkedTransactionStatus } from "../../resources/linked-transaction.ts";

const gone: readonly string[] = ["DELETED", "VOIDED"];
const stands: readonly string[] = ["AUTHORISED", "PAID"];

/**
 * @param source  status of what the expense stands on; undefined when it is no more
 * @param target  status of the invoice that bills it; undefined while there is none. One that is
 *   void or deleted bills nothing.
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
