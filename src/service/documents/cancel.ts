/** A draft is deleted; an approved document is voided, which posts every journal of it backwards. */
import { checkLock } from "../../ledger/locks.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { WriteItem, WriteRequest } from "../endpoints/endpoint.ts";
import type { DocumentBatchContext } from "./batch-context.ts";
import { idOf, numberOf } from "./document-resources.ts";
import { cancelled } from "./history-texts.ts";
import { kindOf } from "./kinds.ts";
import type { StoredDocument } from "./stored.ts";

export function cancel(
  { call, organisation }: WriteRequest<StoredDocument>,
  work: DocumentBatchContext,
  entry: WriteItem<StoredDocument>,
  existing: StoredDocument,
  Status: string,
): void {
  const { family, holdsNumber } = kindOf(existing);
  const id = idOf(work.family, existing);
  const number = numberOf(work.family, existing);
  const live = work.live.get(id) ?? [];
  for (const date of new Set(live.map((journal) => journal.date))) checkLock(date, organisation);
  const stage = work.posting.stage(work.items);
  stage.reverse(id, live, work.moves.get(id) ?? []);
  stage.commit();
  const record = {
    ...existing,
    Status,
    BaseDue: 0 as Cents,
    ...(family.open === undefined ? {} : { [family.open]: 0 as Cents }),
    FullyPaidOnDate: undefined,
    LineItems: work.lines.get(id) ?? [],
    Contact: work.contacts.byId(existing.Contact?.ContactID ?? "") ?? existing.Contact,
    UpdatedDateUTC: call.now,
  };
  if (number !== undefined && !holdsNumber(record)) work.numbers?.release(number, id);
  entry.record = record;
  entry.history.push(cancelled(record));
}
