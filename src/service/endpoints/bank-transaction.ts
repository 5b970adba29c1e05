/**
 * /BankTransactions: money received and spent; /Prepayments and /Overpayments: what is left of it
 * where it came or went before, or beyond, what was owed.
 */
import { bankTransaction } from "../../resources/index.ts";
import { isTransfer } from "../documents/bank.ts";
import { type Family, families } from "../documents/family.ts";
import { kindOf } from "../documents/kinds.ts";
import { withContents } from "../documents/shown.ts";
import type { StoredDocument } from "../documents/stored.ts";
import { transferSide } from "../documents/transfer-side.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const bankTransactions: Endpoint<StoredDocument, Work> = {
  resource: bankTransaction,
  timeless: true,

  byKey: transferSide,

  async decorate(_call, tx, records, view) {
    // One side of a transfer, which is read by itself, is whole.
    if (records.some(({ Type }) => isTransfer(Type))) return records;
    const shown = await withContents(tx, families.bankTransaction, records, view);
    return shown.map(withCredit);
  },

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.bankTransaction),
  ),
};

/** Shows under which id the credit that a bank transaction leaves is found: its own. */
function withCredit(record: StoredDocument): StoredDocument {
  const { family } = kindOf(record);
  const { BankTransactionID } = record as StoredDocument & { BankTransactionID?: string };
  const isPrepayment = family === families.prepayment;
  return {
    ...record,
    [family.resource.id]: BankTransactionID,
    ...(isPrepayment ? { InvoiceNumber: record.Reference } : {}),
  };
}

export const prepayments = creditsOf(families.prepayment, (record) => ({
  ...record,
  InvoiceNumber: record.Type === "RECEIVE-PREPAYMENT" ? record.Reference : undefined,
}));

export const overpayments = creditsOf(families.overpayment, (record) => record);

function creditsOf(
  family: Family,
  shownAs: (record: StoredDocument) => StoredDocument,
): Endpoint<StoredDocument, Work> {
  return {
    resource: family.resource,
    timeless: true,
    decorate: async (_call, tx, records, view) =>
      (await withContents(tx, family, records, view)).map(shownAs),
    // Made as a bank transaction; all that may be asked here is that it be voided.
    writing: loaded(async () => (await import("../documents/writing.ts")).documentWriting(family)),
  };
}
