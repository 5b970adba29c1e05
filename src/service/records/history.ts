/** /{Endpoint}/{id}/History: changes of a record and notes on it, newest first. */

import { NotFoundError, refusal, refusalFor } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { historyRecord } from "../../resources/index.ts";
import { validate } from "../../resources/validate.ts";
import type { StoredRecord } from "../../store/mapping/records.ts";
import { addHistory, historyOf } from "../../store/records/history.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import type { RecordHandler } from "../request/endpoint.ts";
import { type Endpoint, locate } from "../request/endpoint.ts";
import { historyEntry } from "../request/history.ts";
import { checkBuying } from "../request/permissions.ts";
import { readInputs } from "../request/write.ts";

export const readHistory: RecordHandler = async (call, endpoint, key) => {
  const records = await call.read(async (tx) =>
    historyOf(
      tx,
      endpoint.resource.name,
      idOf(endpoint.resource, await parentOf(call, tx, endpoint, key)),
    ),
  );
  return answer(call, historyRecord, records, "single");
};

/** PUT or POST: adds one or more permanent notes in the name of the caller. */
export const addNotes: RecordHandler = async (call, endpoint, key) => {
  const notes = readInputs(call, { resource: historyRecord }, historyRecord.batchMax);
  const faults = notes.flatMap((note) => validate(historyRecord.fields, note, { creating: true }));
  if (faults.length > 0) throw refusalFor(faults);
  return call.write(async (tx) => {
    const parent = await parentOf(call, tx, endpoint, key);
    checkBuying(call.principal, parent.Type);
    const id = idOf(endpoint.resource, parent);
    await addHistory(
      tx,
      notes.map(({ Details }) =>
        historyEntry(call, endpoint.resource, id, { changes: "Note", details: String(Details) }),
      ),
    );
    const answeredNotes = notes.map((note) => ({ DateUTC: call.now(), Details: note.Details }));
    return answer(call, historyRecord, answeredNotes, "single");
  });
};

async function parentOf(
  call: RequestContext,
  tx: Tx,
  endpoint: Endpoint,
  key: string,
): Promise<StoredRecord> {
  try {
    return await locate(call, tx, endpoint, key);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw refusal("NotFound", "The document with the supplied id was not found for this endpoint.");
  }
}
