/** /RepeatingInvoices: templates of invoices. What is made from them is `../repeating/`. */
import type { Cents } from "../../resources/decimal.ts";
import { repeatingInvoice } from "../../resources/index.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import type { StoredDocument } from "../documents/stored.ts";
import { refusal } from "../request/faults.ts";
import type { Endpoint, RecordWriter, WriteItem } from "./endpoint.ts";

/** Nothing is ever paid of a template, and the store has no columns for it. */
const unpaid = { AmountPaid: 0 as Cents, AmountCredited: 0 as Cents } as const;

export const repeatingInvoices: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: repeatingInvoice,

  async expand(_call, tx, records, view) {
    const kept = records.map((record) => ({ ...record, ...unpaid }));
    // They are few, and a list of them is not paged: it has their lines.
    const shown = view === "single" ? view : "paged";
    return (await withContents(tx, documentResources.repeatingInvoice, kept, shown)).map(
      withOtherId,
    );
  },

  async writer() {
    const { documentWriting } = await import("../documents/writing.ts");
    return templateWriting(documentWriting(documentResources.repeatingInvoice));
  },
};

const withOtherId = (record: StoredDocument) => ({ ...record, ID: record.RepeatingInvoiceID });

function templateWriting(
  shared: RecordWriter<StoredDocument, DocumentBatchContext>,
): RecordWriter<StoredDocument, DocumentBatchContext> {
  return {
    ...shared,

    load(batch) {
      for (const { existing } of batch.entries) {
        if (existing !== undefined) Object.assign(existing, unpaid);
      }
      return shared.load(batch);
    },

    decide(batch, work, entry) {
      if (entry.existing === undefined) checkNew(entry);
      shared.decide(batch, work, entry);
      entry.record &&= withOtherId(entry.record);
    },
  };
}

/** What there must be before it can be told what kind of document it is. */
function checkNew({ input }: WriteItem<StoredDocument>): void {
  const { Type, Schedule } = input as Partial<StoredDocument>;
  if (Schedule === undefined) throw refusal(["A repeating invoice needs a Schedule."]);
  if (Type !== "ACCREC") {
    throw refusal(["Only repeating invoices of type ACCREC can be created."]);
  }
}
