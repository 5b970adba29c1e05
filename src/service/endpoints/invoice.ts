/** /Invoices: sales invoices and bills, from draft to paid or void. */
import { invoice } from "../../resources/index.ts";
import { filterFields } from "../../store/records.ts";
import { parseWhere } from "../../wire/where/parse.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import { meantByNumber, type StoredDocument, type StoredInvoice } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const invoices: Endpoint<StoredDocument, Work> = {
  resource: invoice,
  timeless: true,
  summaryOmits: ["Payments", "CreditNotes", "Prepayments", "Overpayments"],

  byKey: (tx, key) => meantByNumber(tx, families.invoice, key, "ACCREC"),

  narrow(call) {
    if (call.query.boolean("includeArchived") !== false) return [];
    return [parseWhere('Status!="DELETED" AND Status!="VOIDED"', "Invoice", filterFields(invoice))];
  },

  decorate: (_call, tx, records, view) => withContents(tx, families.invoice, records, view),

  printed: async (record) => (await import("../printed/kinds.ts")).invoiceKind(asInvoice(record)),

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.invoice),
  ),
};

/** A document of this endpoint is an invoice or a bill. */
export function asInvoice(document: StoredDocument): StoredInvoice {
  return document as unknown as StoredInvoice;
}
