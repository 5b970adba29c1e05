/** The writer of documents, for every document resource. */

import { move } from "../../../ledger/documents/lifecycle.ts";
import { checkLock } from "../../../ledger/locks.ts";
import type { CreditNote } from "../../../resources/credit-note.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { refusal } from "../../../resources/errors.ts";
import { type DocumentResource, idOf } from "../../../resources/field.ts";
import { bankTransaction, creditNote } from "../../../resources/index.ts";
import { fold } from "../../../wire/fold.ts";
import type { RecordWriter, WriteItem, WriteRequest } from "../../request/endpoint.ts";
import { writtenAt } from "../../request/faults.ts";
import { checkBuying } from "../../request/permissions.ts";
import { refuseTransfer } from "../bank.ts";
import { reopenSources } from "../billing.ts";
import { checkUses } from "../credit.ts";
import { kindOf, kindOfType, reservesNumber, serialKind } from "../document-registry.ts";
import type { DocumentKind } from "../kind.ts";
import {
  isApplied,
  isLive,
  loadByNumber,
  nameOf,
  numberOf,
  type StoredDocument,
} from "../stored-documents.ts";
import { checkUnmatched } from "../unmatched.ts";
import { type DocumentBatchContext, loadBatchContext, saveBatch } from "./batch-context.ts";
import { compose } from "./compose.ts";
import { noteOfCancellation } from "./history-texts.ts";

export function documentWriter(
  resource: DocumentResource,
): RecordWriter<StoredDocument, DocumentBatchContext> {
  const serial = serialKind(resource);
  const { Allocations } = creditNote.fields;
  return {
    ...(resource === creditNote && {
      alsoAccepts: { Allocations: { ...Allocations, readOnly: false } },
    }),

    async alternates({ tx, entries }) {
      const numbers = entries.map(({ input }) => numberToIdentify(resource, serial, input));
      const documents = (await loadByNumber(tx, resource, numbers)).filter(
        (storedDocument) => kindOf(storedDocument) === serial && isLive(storedDocument),
      );
      const byNumber = new Map(
        documents.map((document) => [fold(numberOf(resource, document) ?? ""), document]),
      );
      return numbers.map((number) =>
        number === undefined ? undefined : byNumber.get(fold(number)),
      );
    },

    clash: () => ({ rule: "Unique", message: serial?.numberTaken ?? "" }),
    load: (batch) => loadBatchContext(batch, resource, serial),

    decide(batch, context, entry) {
      const { existing } = entry;
      for (const type of [existing?.Type, entry.input.Type]) {
        refuseTransfer(type);
        checkBuying(batch.call.principal, type);
      }
      checkClaimed(resource, existing);
      checkAllocated(entry);
      const kind = existing === undefined ? newKind(resource, entry) : kindOf(existing);
      const { Status: asked = existing?.Status ?? kind.firstStatus } =
        entry.input as Partial<StoredDocument>;
      const Status = (asked === "DELETED" ? kind.deletedAs : undefined) ?? asked;
      const conditions = { isApplied: isApplied(existing) };
      // A paid document may be sent back with the status PAID, and stays paid.
      const isStillPaid = existing?.Status === "PAID" && Status === "PAID";
      const isEndOfLife = existing !== undefined && kind.lifeCycle.ended.includes(Status);
      if (isEndOfLife) checkUses(context.usesById.get(idOf(resource, existing)));
      if (isStillPaid) move(kind.lifeCycle, "AUTHORISED", "AUTHORISED", conditions);
      else move(kind.lifeCycle, existing?.Status, Status, conditions);
      if (isEndOfLife) {
        cancel(batch, context, entry, existing, Status);
      } else {
        compose(batch, context, entry, Status);
      }
    },

    async keep(batch, context, decisions) {
      if (resource.name === "BankTransaction")
        await checkUnmatched(batch.tx, changedTotals(decisions));
      await saveBatch(batch, context, decisions);
      const endedDocuments = decisions.flatMap(({ existing, record }) =>
        existing !== undefined && record?.Source !== undefined && !isLive(record) ? [record] : [],
      );
      await reopenSources(batch.call, batch.tx, endedDocuments);
    },
  };
}

/** Refuses to change a receipt by itself while an expense claim holds it. @throws RefusedError */
function checkClaimed(resource: DocumentResource, stored: StoredDocument | undefined): void {
  if (stored?.ExpenseClaim?.ExpenseClaimID === undefined) return;
  const { Handle } = stored.ExpenseClaim;
  throw refusal(
    "Applied",
    `Receipt ${nameOf(resource, stored)} is part of the expense claim ${Handle} and cannot be changed; take the claim back first.`,
  );
}

/** Returns the ids of documents that are cancelled, or whose total changes. */
function changedTotals(decisions: readonly WriteItem<StoredDocument>[]): string[] {
  return decisions.flatMap(({ existing, record }) =>
    existing !== undefined &&
    record !== undefined &&
    (!isLive(record) || record.Total !== existing.Total)
      ? [idOf(bankTransaction, existing)]
      : [],
  );
}

/**
 * Returns the number by which a caller may identify a document; undefined for kinds without unique
 * numbers.
 */
function numberToIdentify(
  resource: DocumentResource,
  serial: DocumentKind | undefined,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const { Type = resource.document.type } = input;
  const isSerial = Type === undefined || kindOfType(String(Type)) === serial;
  return serial !== undefined && isSerial ? numberOf(resource, input) : undefined;
}

/** Returns the kind of a new document, whose Type was already checked. */
function newKind(resource: DocumentResource, { input }: WriteItem<StoredDocument>): DocumentKind {
  const Type = String(resource.document.type ?? input.Type);
  const { Schedule } = input as Partial<StoredDocument>;
  return kindOf({ Type, Schedule });
}

function cancel(
  { call, organisation }: WriteRequest<StoredDocument>,
  context: DocumentBatchContext,
  entry: WriteItem<StoredDocument>,
  document: StoredDocument,
  Status: string,
): void {
  const { resource } = kindOf(document);
  const id = idOf(context.resource, document);
  const number = numberOf(context.resource, document);
  const current = context.liveJournalsById.get(id) ?? [];
  for (const date of new Set(current.map((journal) => journal.date))) checkLock(date, organisation);
  const stage = context.posting.stage(context.itemByCode);
  stage.reverse(id, current, context.movesById.get(id) ?? []);
  stage.commit(document.Source);
  const record = {
    ...document,
    Status,
    BaseDue: 0 as Cents,
    ...(resource.document.open === undefined ? {} : { [resource.document.open]: 0 as Cents }),
    FullyPaidOnDate: undefined,
    LineItems: context.linesById.get(id) ?? [],
    Contact: context.contacts.byId(document.Contact?.ContactID ?? "") ?? document.Contact,
    UpdatedDateUTC: call.now(),
  };
  if (number !== undefined && !reservesNumber(record)) context.numbers?.release(number, id);
  entry.record = record;
  entry.history.push(noteOfCancellation(record));
}

/** Refuses new allocations of a credit note; those that are sent back have their ids. */
function checkAllocated({ existing, input }: WriteItem<StoredDocument>): void {
  const { Allocations = [] } = input as Partial<CreditNote>;
  if (Allocations.some((sent) => existing === undefined || sent.AllocationID === undefined))
    throw refusal("Form", writtenAt("Allocations", "/CreditNotes/{CreditNoteID}/Allocations"));
}
