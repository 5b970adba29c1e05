/** /BatchPayments: invoices or bills paid together; made and deleted whole, never changed. */
import { batchPayment } from "../../resources/index.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import { membersOf, type StoredBatch, withMembers } from "../payments/batch-members.ts";
import type { Work } from "../payments/batch-payments.ts";
import type { Endpoint } from "./endpoint.ts";

/** Of a reference, as much as a bank in New Zealand takes. */
const referenceShown = 12;

export const batchPayments: Endpoint<StoredBatch, Work> = {
  resource: batchPayment,

  async expand(_call, tx, records) {
    const members = await membersOf(
      tx,
      records.map((record) => record.BatchPaymentID),
    );
    const { CountryCode } = await organisationOf(tx);
    const most = CountryCode === "NZ" ? referenceShown : undefined;
    return records.map((record) => ({
      ...withMembers(record, members.get(record.BatchPaymentID) ?? []),
      Reference: record.Reference?.slice(0, most),
    }));
  },

  writer: async () => (await import("../payments/batch-payments.ts")).batchWriting,
};
