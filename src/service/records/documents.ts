/**
 * The endpoints of documents with lines and a contact or a bank account: invoices, credit notes,
 * quotes, orders, receipts, bank transactions, credits and templates. Their differences are in the
 * resource descriptions, in the rows of `documents/document-registry.ts`, and here.
 */

import { isTransfer } from "../../resources/bank-transaction.ts";
import type { Cents } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import type { DocumentResource } from "../../resources/field.ts";
import {
  type DocumentName,
  documents,
  expenseClaim,
  invoice,
  prepayment,
  repeatingInvoice,
} from "../../resources/index.ts";
import { filterFields } from "../../store/mapping/records.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { kindOf } from "../documents/document-registry.ts";
import { documentByNumber, type StoredDocument } from "../documents/stored-documents.ts";
import type { DocumentBatchContext } from "../documents/writing/batch-context.ts";
import type { Endpoint, RecordWriter, WriteItem } from "../request/endpoint.ts";
import { lazy } from "../request/route.ts";

export type DocumentEndpoint = Endpoint<StoredDocument, DocumentBatchContext>;
type DocumentWriter = RecordWriter<StoredDocument, DocumentBatchContext>;

/** Loaded by reads of whole documents alone: a list needs none of it. */
const contents = lazy(() => import("../documents/expand.ts"));

const endpointParts: Partial<Record<DocumentName, Partial<DocumentEndpoint>>> = {
  Invoice: {
    summaryOmits: ["Payments", "CreditNotes", "Prepayments", "Overpayments"],

    defaultFilter(call) {
      if (call.query.boolean("includeArchived") !== false) return [];
      const notRemoved = 'Status!="DELETED" AND Status!="VOIDED"';
      return [parseWhere(notRemoved, "Invoice", filterFields(invoice))];
    },
  },

  BankTransaction: {
    // The sides of bank transfers are bank transactions that can only be read by id.
    byKey: async (tx, key) => (await import("./bank-transfer.ts")).transferSide(tx, key),
  },

  ExpenseClaim: {
    writer: lazy(async () =>
      (await import("../documents/writing/expense-claims.ts")).claimWriter(
        await writerOf(expenseClaim),
      ),
    ),
  },

  RepeatingInvoice: {
    cacheable: false,
    // Their lists are short and not paged, so they include the lines.
    async expand(_call, tx, records, view) {
      const expanded = records.map((record) => ({ ...record, ...unpaid }));
      const contentView = view === "single" ? view : "paged";
      const { withContents } = await contents();
      return (await withContents(tx, repeatingInvoice, expanded, contentView)).map(withOtherId);
    },
    writer: lazy(async () => templateWriter(await writerOf(repeatingInvoice))),
  },
};

/** Derived fields that are shown in answers. */
const shownAs: Partial<Record<DocumentName, (record: StoredDocument) => StoredDocument>> = {
  BankTransaction: withCredit,
  Prepayment: (record) => ({
    ...record,
    InvoiceNumber: record.Type === "RECEIVE-PREPAYMENT" ? record.Reference : undefined,
  }),
};

function documentEndpoint(resource: DocumentResource): DocumentEndpoint {
  const name = resource.name as DocumentName;
  const { unique } = resource.document;
  const show = shownAs[name];
  return {
    resource,
    cacheable: true,
    ...(unique === undefined || unique.perUser
      ? {}
      : { byKey: (tx, key) => documentByNumber(tx, resource, key, unique.type) }),
    async expand(call, tx, records, view) {
      // A side of a bank transfer is complete already.
      if (records.some(({ Type }) => isTransfer(Type))) return records;
      const withCosts = view === "paged" && call.query.boolean("stockCosts") === true;
      const { withContents } = await contents();
      const withLines = await withContents(tx, resource, records, view, withCosts);
      return show === undefined ? withLines : withLines.map(show);
    },
    printed: async (record) => kindOf(record).printed?.(),
    writer: lazy(() => writerOf(resource)),
    ...endpointParts[name],
  };
}

async function writerOf(resource: DocumentResource): Promise<DocumentWriter> {
  return (await import("../documents/writing/writer.ts")).documentWriter(resource);
}

const endpoints = new Map(documents.map((document) => [document.name, documentEndpoint(document)]));

export function documentEndpointOf(name: DocumentName): DocumentEndpoint {
  const documentEndpoint = endpoints.get(name);
  if (documentEndpoint === undefined) throw new Error(`A ${name} is no document.`);
  return documentEndpoint;
}

export const invoices = documentEndpointOf("Invoice");
export const quotes = documentEndpointOf("Quote");
export const purchaseOrders = documentEndpointOf("PurchaseOrder");

/** Adds the id of the credit that a bank transaction creates, which is the transaction's own id. */
function withCredit(record: StoredDocument): StoredDocument {
  const { resource } = kindOf(record);
  const { BankTransactionID } = record as StoredDocument & { BankTransactionID?: string };
  return {
    ...record,
    [resource.id]: BankTransactionID,
    ...(resource === prepayment ? { InvoiceNumber: record.Reference } : {}),
  };
}

// --- templates ---------------------------------------------------------------------------------

/** Templates are never paid, and the store has no columns for these amounts. */
const unpaid = { AmountPaid: 0 as Cents, AmountCredited: 0 as Cents } as const;

const withOtherId = (record: StoredDocument) => ({ ...record, ID: record.RepeatingInvoiceID });

function templateWriter(shared: DocumentWriter): DocumentWriter {
  return {
    ...shared,

    load(batch) {
      for (const { existing } of batch.entries) {
        if (existing !== undefined) Object.assign(existing, unpaid);
      }
      return shared.load(batch);
    },

    decide(batch, context, entry) {
      if (entry.existing === undefined) checkNewTemplate(entry);
      shared.decide(batch, context, entry);
      entry.record &&= withOtherId(entry.record);
    },
  };
}

/** Checks the fields that determine the kind of a new template. */
function checkNewTemplate({ input }: WriteItem<StoredDocument>): void {
  const { Type, Schedule } = input as Partial<StoredDocument>;
  if (Schedule === undefined) throw refusal("Required", "A repeating invoice needs a Schedule.");
  if (Type !== "ACCREC") {
    throw refusal("Form", "Only repeating invoices of type ACCREC can be created.");
  }
}
