/** History notes of records, in the name of the caller. */
import type { Resource } from "../../resources/field.ts";
import { addHistory, type HistoryEntry } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "./context.ts";
import type { HistoryNote } from "./endpoint.ts";

/** Adds history notes. @param notes  the notes in the order of the changes */
export async function enter(
  call: RequestContext,
  tx: Tx,
  resource: Pick<Resource, "name">,
  recordId: string,
  ...notes: readonly HistoryNote[]
): Promise<void> {
  await addHistory(
    tx,
    notes.map((historyNote) => historyEntry(call, resource, recordId, historyNote)),
  );
}

/** Returns one history note, to be saved with those of other records. */
export function historyEntry(
  call: RequestContext,
  resource: Pick<Resource, "name">,
  recordId: string,
  note: HistoryNote,
): HistoryEntry {
  return {
    id: call.newId(),
    resource: resource.name,
    recordId,
    at: call.now(),
    user: call.principal.user,
    ...note,
  };
}
