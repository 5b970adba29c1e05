/**
 * A document on its way from what was sent to what is kept.
 *
 * Each stage fills in its part of `record` and adds what is wrong to `faults`, so that a caller
 * hears of everything at once; nothing outside the draft changes until there are no faults.
 */
import { maySetSent as isApproved } from "../../ledger/lifecycle.ts";
import type { Contact } from "../../resources/contact.ts";
import { invoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Batch, Entry } from "../endpoint.ts";
import { Faults } from "../faults.ts";
import { merged, withDefaults } from "../merge.ts";
import { type DocumentKind, kinds } from "./kinds.ts";
import type { StoredInvoice } from "./stored.ts";
import type { Work } from "./work.ts";

export interface Draft {
  readonly batch: Batch<StoredInvoice>;
  readonly work: Work;
  readonly entry: Entry<StoredInvoice>;
  readonly input: Partial<Invoice>;
  readonly existing: StoredInvoice | undefined;
  /** Lines as they are before. */
  readonly linesBefore: readonly LineItem[];
  readonly kind: DocumentKind;
  /** What is to be kept. */
  readonly record: StoredInvoice;
  readonly faults: Faults;
  /** The status wanted is that of an approved document. */
  readonly approved: boolean;
  /** It already was approved, so its postings stand in the ledger. */
  readonly wasApproved: boolean;
  /** To be submitted or approved, for which nothing may be missing. */
  readonly complete: boolean;
  /** Whether payments or credits are applied to it. */
  readonly applied: boolean;
  contact: Contact | undefined;
}

export function draftOf(
  batch: Batch<StoredInvoice>,
  work: Work,
  entry: Entry<StoredInvoice>,
  Status: Invoice["Status"],
): Draft {
  const { call } = batch;
  const { existing } = entry;
  const input = entry.input as Partial<Invoice>;
  const record: StoredInvoice = {
    ...(existing === undefined
      ? withDefaults<StoredInvoice>(invoice.fields, { ...input, LineItems: undefined })
      : merged(invoice.fields, existing, { ...input, LineItems: undefined })),
    InvoiceID: existing?.InvoiceID ?? call.newId(),
    Status,
    HasAttachments: existing?.HasAttachments ?? false,
    UpdatedDateUTC: call.now,
    CreatedByApp: existing?.CreatedByApp ?? call.principal.app,
    CreatedDateUTC: existing?.CreatedDateUTC ?? call.now,
  };
  return {
    batch,
    work,
    entry,
    input,
    existing,
    linesBefore: existing === undefined ? [] : (work.lines.get(existing.InvoiceID) ?? []),
    kind: kinds[record.Type],
    record,
    faults: new Faults(),
    approved: isApproved(Status),
    wasApproved: existing !== undefined && isApproved(existing.Status),
    complete: Status !== "DRAFT",
    applied: isApplied(existing),
    contact: undefined,
  };
}

/** Whether payments or credits are applied to a document. */
export function isApplied(existing: StoredInvoice | undefined): boolean {
  return existing !== undefined && (existing.AmountPaid !== 0 || existing.AmountCredited !== 0);
}
