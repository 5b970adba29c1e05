/** Documents as the store keeps them, and which of them are meant by a number. */
import { invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { fetch, type Kept } from "../../store/records.ts";
import type { Tx } from "../../store/store.ts";
import { unique } from "../grouped.ts";

/** An invoice or a bill as the store keeps it. */
export type StoredInvoice = Kept<typeof invoice.fields>;

export const isLive = (each: Invoice) => each.Status !== "DELETED" && each.Status !== "VOIDED";

/** Invoices and bills by number, whatever their status. */
export async function numbered(
  tx: Tx,
  numbers: readonly (string | undefined)[],
): Promise<StoredInvoice[]> {
  const wanted = unique(numbers);
  return wanted.length === 0 ? [] : fetch(tx, invoice, "InvoiceNumber", wanted);
}

/** Of these the sales invoices that are neither deleted nor void: no two share a number. */
export function liveSales(found: readonly StoredInvoice[]): StoredInvoice[] {
  return found.filter((each) => each.Type === "ACCREC" && isLive(each));
}
