/** Batches of payments as they are kept, and the payments that are members of them. */
import { batchPayment, payment } from "../../resources/index.ts";
import { fetch, type Kept } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/store.ts";
import { grouped, unique } from "../grouped.ts";
import type { StoredPayment } from "../payments/payments.ts";

/** A batch as the store keeps it. */
export type StoredBatch = Kept<typeof batchPayment.fields>;

/** The payments of batches, by batch. */
export async function membersOf(
  tx: Tx,
  batchIds: readonly string[],
): Promise<Map<string, StoredPayment[]>> {
  if (batchIds.length === 0) return new Map();
  const found = await fetch(tx, payment, "BatchPaymentID", batchIds);
  return grouped(found, (each) => each.BatchPaymentID ?? "");
}

/** Payments with what is shown of the batch that each was made in. */
export async function withBatches(
  tx: Tx,
  payments: readonly StoredPayment[],
): Promise<StoredPayment[]> {
  const ids = unique(payments.map((each) => each.BatchPaymentID));
  const found = ids.length === 0 ? [] : await fetch(tx, batchPayment, "BatchPaymentID", ids);
  const byId = new Map(found.map((each) => [each.BatchPaymentID, each]));
  return payments.map((each) => ({
    ...each,
    BatchPayment: byId.get(each.BatchPaymentID ?? ""),
  }));
}

/** A batch with its members, as they are shown in it. */
export function withMembers(record: StoredBatch, members: readonly StoredPayment[]): StoredBatch {
  return {
    ...record,
    Payments: members.map(
      ({
        PaymentID,
        Invoice,
        Amount,
        BankAccountNumber,
        Particulars,
        Code,
        Reference,
        Details,
      }) => ({
        PaymentID,
        Invoice: {
          InvoiceID: Invoice?.InvoiceID ?? "",
          InvoiceNumber: Invoice?.InvoiceNumber,
        },
        Amount,
        BankAccountNumber,
        Particulars,
        Code,
        Reference,
        Details,
      }),
    ),
  };
}
