/** Lines of the history of records, in the name of the caller. */
import type { Resource } from "../../resources/field.ts";
import { addHistory, type HistoryEntry } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "./context.ts";
import type { HistoryNote } from "./endpoint.ts";

/** @param entered  what was done, in the order in which it was */
export async function enter(
  call: RequestContext,
  tx: Tx,
  resource: Pick<Resource, "name">,
  recordId: string,
  ...entered: readonly HistoryNote[]
): Promise<void> {
  await addHistory(
    tx,
    entered.map((each) => historyEntry(call, resource, recordId, each)),
  );
}

/** One such line, to be kept with those of other records. */
export function historyEntry(
  call: RequestContext,
  resource: Pick<Resource, "name">,
  recordId: string,
  entered: HistoryNote,
): HistoryEntry {
  return {
    id: call.newId(),
    resource: resource.name,
    recordId,
    at: call.now(),
    user: call.principal.user,
    ...entered,
  };
}
