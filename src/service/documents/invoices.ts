/** How invoices and bills are written. */
import { transition } from "../../ledger/lifecycle.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { fold } from "../../wire/fold.ts";
import type { Writing } from "../endpoint.ts";
import { cancel } from "./cancel.ts";
import { compose } from "./compose.ts";
import { isApplied } from "./draft.ts";
import { numberTaken } from "./numbers.ts";
import { liveSales, numbered, type StoredInvoice } from "./stored.ts";
import { keepWork, loadWork, type Work } from "./work.ts";

export const invoiceWriting: Writing<StoredInvoice, Work> = {
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
};
