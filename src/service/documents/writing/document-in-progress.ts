/**
 * A document between the request and the store.
 *
 * Each stage fills in part of `record` and adds faults to `faults`, so that all faults are reported
 * together; nothing outside the document changes while there are faults.
 */

import { isApproved } from "../../../ledger/documents/lifecycle.ts";
import type { Contact } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { idOf } from "../../../resources/field.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import type { WriteItem, WriteRequest } from "../../request/endpoint.ts";
import { Faults } from "../../request/faults.ts";
import { mergeRecord, withDefaults } from "../../request/merge.ts";
import { kindOf } from "../document-registry.ts";
import type { DocumentKind } from "../kind.ts";
import { isApplied, type StoredDocument } from "../stored-documents.ts";
import type { DocumentBatchContext } from "./batch-context.ts";

export interface DocumentInProgress {
  readonly batch: WriteRequest<StoredDocument>;
  readonly work: DocumentBatchContext;
  readonly entry: WriteItem<StoredDocument>;
  readonly input: Partial<StoredDocument>;
  readonly existing: StoredDocument | undefined;
  /** Lines before the write. */
  readonly linesBefore: readonly LineItem[];
  readonly id: string;
  readonly kind: DocumentKind;
  /** The record to save. */
  readonly record: StoredDocument;
  readonly faults: Faults;
  /** Whether the requested status is one of an approved document. */
  readonly approved: boolean;
  /** Whether the document was approved before, so that it has postings in the ledger. */
  readonly wasApproved: boolean;
  /** Whether it is to be submitted or approved, which needs everything that posting needs. */
  readonly complete: boolean;
  /** Whether payments or credits are applied to it. */
  readonly applied: boolean;
  contact: Contact | undefined;
}

export function documentInProgress(
  batch: WriteRequest<StoredDocument>,
  context: DocumentBatchContext,
  entry: WriteItem<StoredDocument>,
  Status: string,
): DocumentInProgress {
  const { call } = batch;
  const { existing } = entry;
  const input = entry.input as Partial<StoredDocument>;
  const { resource } = context;
  const headFields = { ...input, LineItems: undefined };
  const id = existing === undefined ? call.newId() : idOf(context.resource, existing);
  const record: StoredDocument = {
    ...(existing === undefined
      ? withDefaults<StoredDocument>(resource.fields, headFields)
      : mergeRecord(resource.fields, existing, headFields)),
    ...(resource.document.type === undefined ? {} : { Type: resource.document.type }),
    [resource.id]: id,
    Status,
    HasAttachments: existing?.HasAttachments ?? false,
    AmountDue: existing?.AmountDue ?? (0 as Cents),
    AmountPaid: existing?.AmountPaid ?? (0 as Cents),
    AmountCredited: existing?.AmountCredited ?? (0 as Cents),
    BaseDue: existing?.BaseDue ?? (0 as Cents),
    UpdatedDateUTC: call.now(),
    CreatedByApp: existing?.CreatedByApp ?? call.principal.app,
    CreatedDateUTC: existing?.CreatedDateUTC ?? call.now(),
  };
  const kind = kindOf(record);
  // A bank transaction that creates a credit shares its id with the credit.
  Object.assign(record, { [kind.resource.id]: id });
  const { lifeCycle } = kind;
  return {
    batch,
    work: context,
    entry,
    input,
    existing,
    linesBefore: existing === undefined ? [] : (context.linesById.get(id) ?? []),
    id,
    kind,
    record,
    faults: new Faults(),
    approved: isApproved(lifeCycle, Status),
    wasApproved: existing !== undefined && isApproved(lifeCycle, existing.Status),
    complete: (kind.posts !== undefined || kind.isTemplate === true) && Status !== "DRAFT",
    applied: isApplied(existing),
    contact: undefined,
  };
}
