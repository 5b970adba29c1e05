/** /Invoices: sales invoices and bills, from draft to paid or void. */
import { invoice } from "../../resources/index.ts";
import { filterFields } from "../../store/records.ts";
import { parseWhere } from "../../wire/where.ts";
import { withContents } from "../documents/shown.ts";
import { isLive, liveSales, numbered, type StoredInvoice } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";

export const invoices: Endpoint<StoredInvoice, Work> = {
  resource: invoice,
  remembersApp: true,
  summaryOmits: ["Payments", "CreditNotes", "Prepayments", "Overpayments"],

  async byKey(tx, key) {
    const found = await numbered(tx, [key]);
    return liveSales(found)[0] ?? found.find(isLive) ?? found.at(-1);
  },

  narrow(call) {
    if (call.query.boolean("includeArchived") !== false) return [];
    return [parseWhere('Status!="DELETED" AND Status!="VOIDED"', "Invoice", filterFields(invoice))];
  },

  decorate: (_call, tx, records, view) => withContents(tx, records, view),

  printed: async (record) => (await import("../printed/kinds.ts")).invoiceKind(record),

  writing: async () => (await import("../documents/invoices.ts")).invoiceWriting,
};
