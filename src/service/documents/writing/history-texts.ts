/** History notes of documents. */

import type { HistoryNote } from "../../request/endpoint.ts";
import { kindOf } from "../document-registry.ts";
import { numberOf, type StoredDocument } from "../stored-documents.ts";

/** Returns the name of the document for people: `Invoice INV-0042`. */
export function labelOf(record: StoredDocument): string {
  const { label, resource, isTemplate } = kindOf(record);
  if (isTemplate) return record.Reference ? `${label} ${record.Reference}` : label;
  const name = numberOf(resource, record) ?? record.Handle;
  return name === undefined ? label : `${label} ${name}`;
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

const statuses = ["BILLED", "SENT", "ACCEPTED", "DECLINED", "INVOICED"] as const;

/** Returns the history notes for status changes by a caller on documents without postings. */
function statusNotes(label: string): Partial<Record<string, HistoryNote>> {
  return Object.fromEntries(
    statuses.map((status) => {
      const statusWord = status.toLowerCase();
      const changes = `${status[0]}${statusWord.slice(1)}`;
      return [status, { changes, details: `${label} was marked as ${statusWord}.` }];
    }),
  );
}

/** Returns the history notes of a document that was made, edited, or moved to another status. */
export function notesOfEdit(
  record: StoredDocument,
  former: StoredDocument | undefined,
): HistoryNote[] {
  const label = labelOf(record);
  if (kindOf(record).isTemplate) return composedTemplate(label, record, former);
  const notesOfMoves: Partial<Record<string, HistoryNote>> = {
    DRAFT: { changes: "Updated", details: `${label} is a draft again.` },
    SUBMITTED: { changes: "Submitted", details: `${label} was submitted for approval.` },
    AUTHORISED: { changes: "Approved", details: `${label} was approved.` },
    ...statusNotes(label),
    PAID: { changes: "Approved", details: `${label} was approved; there is nothing to pay.` },
  };
  if (former === undefined) {
    const creation = { changes: "Created", details: `${label} was created.` };
    const isFirst = record.Status === kindOf(record).firstStatus;
    const move = isFirst ? undefined : notesOfMoves[record.Status];
    return move === undefined ? [creation] : [creation, move];
  }
  const move = former.Status === record.Status ? undefined : notesOfMoves[record.Status];
  return [move ?? { changes: "Edited", details: `${label} was edited.` }];
}

/** Returns the notes of a template, which also say which invoices it makes. */
function composedTemplate(
  label: string,
  { Status }: StoredDocument,
  former: StoredDocument | undefined,
): HistoryNote[] {
  const makes = `It makes ${Status === "AUTHORISED" ? "approved invoices" : "drafts"}.`;
  const [changes, verb] = former === undefined ? ["Created", "created"] : ["Edited", "edited"];
  return [{ changes, details: `${label} was ${verb}. ${makes}` }];
}

/** Returns the history note of a deleted or voided document. */
export function noteOfCancellation(record: StoredDocument): HistoryNote {
  const verb = record.Status === "DELETED" ? "Deleted" : "Voided";
  return { changes: verb, details: `${labelOf(record)} was ${verb.toLowerCase()}.` };
}
