/** Lines of the history of one record, in the name of the caller. */
import type { Resource } from "../resources/field.ts";
import { addHistory } from "../store/history.ts";
import type { Tx } from "../store/store.ts";
import type { Call } from "./call.ts";
import type { Entered } from "./endpoint.ts";

/** @param entered  what was done, in the order in which it was */
export async function enter(
  call: Call,
  tx: Tx,
  { name: resource }: Pick<Resource, "name">,
  recordId: string,
  ...entered: readonly Entered[]
): Promise<void> {
  const { now: at, principal } = call;
  await addHistory(
    tx,
    entered.map((each) => ({
      id: call.newId(),
      resource,
      recordId,
      at,
      user: principal.user,
      ...each,
    })),
  );
}
