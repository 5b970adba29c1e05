/** What the history of a document says of each thing that was done to it. */
import type { Invoice } from "../../resources/invoice.ts";
import type { Entered } from "../endpoint.ts";
import { kinds } from "./kinds.ts";

function labelOf(record: Invoice): string {
  return `${kinds[record.Type].label} ${record.InvoiceNumber ?? record.InvoiceID}`;
}

/** Of a document that was made, edited, or moved to another status. */
export function composed(record: Invoice, existing: Invoice | undefined): Entered[] {
  const label = labelOf(record);
  const moves: Partial<Record<Invoice["Status"], Entered>> = {
    DRAFT: { changes: "Updated", details: `${label} is a draft again.` },
    SUBMITTED: { changes: "Submitted", details: `${label} was submitted for approval.` },
    AUTHORISED: { changes: "Approved", details: `${label} was approved.` },
    PAID: { changes: "Approved", details: `${label} was approved; there is nothing to pay.` },
  };
  if (existing === undefined) {
    const made = { changes: "Created", details: `${label} was created.` };
    const move = record.Status === "DRAFT" ? undefined : moves[record.Status];
    return move === undefined ? [made] : [made, move];
  }
  const move = existing.Status === record.Status ? undefined : moves[record.Status];
  return [move ?? { changes: "Edited", details: `${label} was edited.` }];
}

/** Of a document that was deleted or voided. */
export function cancelled(record: Invoice): Entered {
  const verb = record.Status === "DELETED" ? "Deleted" : "Voided";
  return { changes: verb, details: `${labelOf(record)} was ${verb.toLowerCase()}.` };
}
