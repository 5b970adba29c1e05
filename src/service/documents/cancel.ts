/** A draft is deleted; an approved document is voided, which posts every journal of it backwards. */
import { checkLock } from "../../ledger/locks.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Batch, Entry } from "../endpoint.ts";
import { idOf, numberOf } from "./family.ts";
import { kindOf } from "./kinds.ts";
import type { StoredDocument } from "./stored.ts";
import { cancelled } from "./words.ts";
import type { Work } from "./work.ts";

export function cancel(
  { call, organisation }: Batch<StoredDocument>,
  work: Work,
  entry: Entry<StoredDocument>,
  existing: StoredDocument,
  Status: string,
): void {
  const { posts, holdsNumber } = kindOf(existing);
  if (posts !== undefined) checkLock(existing.Date, organisation);
  const id = idOf(work.family, existing);
  const number = numberOf(work.family, existing);
  const stage = work.posting.stage(work.items);
  stage.reverse(id, work.live.get(id) ?? [], work.moves.get(id) ?? []);
  stage.commit();
  const record = {
    ...existing,
    Status,
    BaseDue: 0 as Cents,
    LineItems: work.lines.get(id) ?? [],
    Contact: work.contacts.byId(existing.Contact?.ContactID ?? "") ?? existing.Contact,
    UpdatedDateUTC: call.now,
  };
  if (number !== undefined && !holdsNumber(record)) work.numbers?.release(number, id);
  entry.record = record;
  entry.history.push(cancelled(record));
}
