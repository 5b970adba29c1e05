/** The history of records: action, user and time. Append-only. */
import type { HistoryRecord } from "../../resources/history.ts";
import { contact, contactGroup } from "../../resources/index.ts";
import { insertNew, ownRows } from "../operations/bulk.ts";
import { noteHistory } from "../operations/effects.ts";
import { newSalt } from "../schema/salt.ts";
import { targetOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";

export interface HistoryEntry {
  /** Id that sorts by time: entries of one moment are read in the order of their ids. */
  readonly id: string;
  /** Name of the record's resource. */
  readonly resource: string;
  readonly recordId: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly user: string;
  /** The action, in a word or two: Created, Approved, Note. */
  readonly changes: string;
  readonly details: string;
}

/** The resource name that keys the history; two views of one record share one history. */
function historyName(resourceName: string): string {
  return targetOf(resourceName)?.kind ?? resourceName;
}

export async function addHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<void> {
  for (const { resource, recordId } of entries) noteHistory(tx, resource, recordId);
  await insertNew(
    tx,
    "history",
    entries.map(({ resource, recordId, id, at, user, changes, details }) => ({
      resource: historyName(resource),
      record_id: recordId,
      id,
      at,
      user,
      changes,
      details,
      salt: isPersonal({ resource, changes, details }) ? newSalt() : null,
      agent: tx.lock?.agent,
    })),
  );
}

/** Resources whose history entries name contacts. */
const ofPersons: readonly string[] = [contact.name, contactGroup.name];

/**
 * Whether a text may contain personal data: entries of contacts, free text, or text with an
 * address.
 */
function isPersonal({
  resource,
  changes,
  details,
}: Pick<HistoryEntry, "resource" | "changes" | "details">): boolean {
  return ofPersons.includes(resource) || changes === "Note" || details.includes("@");
}

/** The history of a record, newest first. */
export async function historyOf(
  tx: Tx,
  resourceName: string,
  recordId: string,
): Promise<HistoryRecord[]> {
  const rows = await ownRows(tx, "history", {
    record_id: recordId,
    resource: historyName(resourceName),
  })
    .select(["changes as Changes", "at as DateUTC", "user as User", "details as Details"])
    .select("agent as Agent")
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ Agent, ...row }) => (Agent === null ? row : { ...row, Agent }));
}
