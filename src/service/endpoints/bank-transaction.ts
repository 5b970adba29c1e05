/**
 * /BankTransactions: money received and spent; /Prepayments and /Overpayments: what is left of it
 * where it came or went before, or beyond, what was owed.
 */
import { bankTransaction } from "../../resources/index.ts";
import { isTransfer } from "../documents/bank.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { type DocumentResource, documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import { kindOf } from "../documents/kinds.ts";
import type { StoredDocument } from "../documents/stored.ts";
import { transferSide } from "../documents/transfer-side.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const bankTransactions: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: bankTransaction,
  cacheable: true,

  byKey: transferSide,

  async expand(_call, tx, records, view) {
    // One side of a transfer, which is read by itself, is whole.
    if (records.some(({ Type }) => isTransfer(Type))) return records;
    const shown = await withContents(tx, documentResources.bankTransaction, records, view);
    return shown.map(withCredit);
  },

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.bankTransaction),
  ),
};

/** Shows under which id the credit that a bank transaction leaves is found: its own. */
function withCredit(record: StoredDocument): StoredDocument {
  const { family } = kindOf(record);
  const { BankTransactionID } = record as StoredDocument & { BankTransactionID?: string };
  const isPrepayment = family === documentResources.prepayment;
  return {
    ...record,
    [family.resource.id]: BankTransactionID,
    ...(isPrepayment ? { InvoiceNumber: record.Reference } : {}),
  };
}

export const prepayments = creditsOf(documentResources.prepayment, (record) => ({
  ...record,
  InvoiceNumber: record.Type === "RECEIVE-PREPAYMENT" ? record.Reference : undefined,
}));

export const overpayments = creditsOf(documentResources.overpayment, (record) => record);

function creditsOf(
  family: DocumentResource,
  shownAs: (record: StoredDocument) => StoredDocument,
): Endpoint<StoredDocument, DocumentBatchContext> {
  return {
    resource: family.resource,
    cacheable: true,
    expand: async (_call, tx, records, view) =>
      (await withContents(tx, family, records, view)).map(shownAs),
    // Made as a bank transaction; all that may be asked here is that it be voided.
    writer: lazy(async () => (await import("../documents/writing.ts")).documentWriting(family)),
  };
}
