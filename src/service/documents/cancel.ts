/** A draft is deleted; an approved document is voided, which posts every journal of it backwards. */
import { checkLock } from "../../ledger/locks.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Batch, Entry } from "../endpoint.ts";
import type { StoredInvoice } from "./stored.ts";
import { cancelled } from "./words.ts";
import type { Work } from "./work.ts";

export function cancel(
  { call, organisation }: Batch<StoredInvoice>,
  work: Work,
  entry: Entry<StoredInvoice>,
  existing: StoredInvoice,
  Status: "DELETED" | "VOIDED",
): void {
  checkLock(existing.Date, organisation);
  const id = existing.InvoiceID;
  const stage = work.posting.stage(work.items);
  stage.reverse(id, work.live.get(id) ?? [], work.moves.get(id) ?? []);
  stage.commit();
  if (existing.InvoiceNumber !== undefined) work.numbers.release(existing.InvoiceNumber, id);
  entry.record = {
    ...existing,
    Status,
    BaseDue: 0 as Cents,
    LineItems: work.lines.get(id) ?? [],
    Contact: work.contacts.byId(existing.Contact?.ContactID ?? "") ?? existing.Contact,
    UpdatedDateUTC: call.now,
  };
  entry.history.push(cancelled(entry.record));
}
