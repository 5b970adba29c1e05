/** /Invoices: sales invoices and bills, from draft to paid or void. */
import { transition } from "../../ledger/lifecycle.ts";
import { invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { filterFields } from "../../store/records.ts";
import { fold } from "../../wire/fold.ts";
import { parseWhere } from "../../wire/where.ts";
import { cancel } from "../documents/cancel.ts";
import { compose } from "../documents/compose.ts";
import { isApplied } from "../documents/draft.ts";
import { numberTaken } from "../documents/numbers.ts";
import { withContents } from "../documents/shown.ts";
import {
  isLive,
  keepWork,
  liveSales,
  loadWork,
  numbered,
  type StoredInvoice,
  type Work,
} from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";

export const invoices: Endpoint<StoredInvoice, Work> = {
  resource: invoice,
  remembersApp: true,
  summaryOmits: ["Payments", "CreditNotes", "Prepayments", "Overpayments"],

  async alternates({ tx, entries }) {
    const sales = entries.map(({ input }) =>
      input.Type === "ACCPAY" ? undefined : (input.InvoiceNumber as string | undefined),
    );
    const found = liveSales(await numbered(tx, sales));
    const byNumber = new Map(found.map((each) => [fold(each.InvoiceNumber ?? ""), each]));
    return sales.map((number) => (number === undefined ? undefined : byNumber.get(fold(number))));
  },

  clash: () => numberTaken,

  load: loadWork,

  decide(batch, work, entry) {
    const { existing } = entry;
    const { Status = existing?.Status ?? "DRAFT" } = entry.input as Partial<Invoice>;
    // A paid invoice that is sent back as it was read says PAID, and stays so.
    const staysPaid = existing?.Status === "PAID" && Status === "PAID";
    if (!staysPaid) transition(existing?.Status, Status, { applied: isApplied(existing) });
    if (existing !== undefined && (Status === "DELETED" || Status === "VOIDED")) {
      cancel(batch, work, entry, existing, Status);
    } else {
      compose(batch, work, entry, Status);
    }
  },

  keep: keepWork,

  async byKey(tx, key) {
    const found = await numbered(tx, [key]);
    return liveSales(found)[0] ?? found.find(isLive) ?? found.at(-1);
  },

  narrow(call) {
    if (call.query.boolean("includeArchived") !== false) return [];
    return [parseWhere('Status!="DELETED" AND Status!="VOIDED"', "Invoice", filterFields(invoice))];
  },

  decorate: (_call, tx, records, view) => withContents(tx, records, view),
};
