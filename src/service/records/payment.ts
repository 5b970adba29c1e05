/** /Payments: payments of approved documents; they can be created and reversed, not changed. */
import { batchPayment, payment } from "../../resources/index.ts";
import { fetch } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { PaymentContext, StoredPayment } from "../payments/payments.ts";
import { withSign } from "../payments/shown-payment.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { unique } from "../request/unique.ts";

export const payments: Endpoint<StoredPayment, PaymentContext> = {
  resource: payment,
  cacheable: true,

  async expand(_call, tx, records) {
    const withMembers = records.some((storedPayment) => storedPayment.BatchPaymentID !== undefined)
      ? await withBatches(tx, records)
      : records;
    return withMembers.map(withSign);
  },

  writer: async () => (await import("./payment-writing.ts")).paymentWriter,
};

/** Adds to payments the shown fields of their batches. */
async function withBatches(tx: Tx, payments: readonly StoredPayment[]): Promise<StoredPayment[]> {
  const ids = unique(payments.map((payment) => payment.BatchPaymentID));
  const batches = await fetch(tx, batchPayment, "BatchPaymentID", ids);
  const byId = new Map(batches.map((batch) => [batch.BatchPaymentID, batch]));
  return payments.map((payment) => ({
    ...payment,
    BatchPayment: byId.get(payment.BatchPaymentID ?? ""),
  }));
}
