/** /Invoices: sales invoices and bills, from draft to paid or void. */
import { invoice } from "../../resources/index.ts";
import { filterFields } from "../../store/mapping/records.ts";
import { parseWhere } from "../../wire/query/where.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import { meantByNumber, type StoredDocument, type StoredInvoice } from "../documents/stored.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const invoices: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: invoice,
  cacheable: true,
  summaryOmits: ["Payments", "CreditNotes", "Prepayments", "Overpayments"],

  byKey: (tx, key) => meantByNumber(tx, documentResources.invoice, key, "ACCREC"),

  defaultFilter(call) {
    if (call.query.boolean("includeArchived") !== false) return [];
    return [parseWhere('Status!="DELETED" AND Status!="VOIDED"', "Invoice", filterFields(invoice))];
  },

  expand: (_call, tx, records, view) => withContents(tx, documentResources.invoice, records, view),

  printed: async (record) => (await import("../pdf/kinds.ts")).invoiceKind(asInvoice(record)),

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.invoice),
  ),
};

/** A document of this endpoint is an invoice or a bill. */
export function asInvoice(document: StoredDocument): StoredInvoice {
  return document as unknown as StoredInvoice;
}
