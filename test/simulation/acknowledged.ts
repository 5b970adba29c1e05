/** What clients were told: the writes that must be there, once, and nothing beside them. */
import type { ServiceRequest } from "../../src/wire/http.ts";
import type { Json } from "../service/fixture.ts";

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A write that was answered, with what it was answered. */
export interface Answered {
  readonly request: ServiceRequest;
  readonly status: number;
  readonly text: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

export class Acknowledged {
  /** Ids of records that clients were told of; those that the book began with among them. */
  readonly ids = new Set<string>();
  /** Records that were made, with the moment of the last change that was acknowledged. */
  readonly made = new Map<string, number>();
  /** Addresses of records by their ids, the last one changed at the end. */
  readonly addresses = new Map<string, string>();
  /** Writes over the last few minutes, oldest first. */
  readonly answered: Answered[] = [];
  /** Keys of lines of bank statements. */
  readonly statementLines = new Set<string>();
  /** Those of each statement, by its id. */
  readonly statements = new Map<string, readonly string[]>();
  /** Sales and bills as the last answer told them, with their lines, since the last check. */
  readonly documents: Json[] = [];
  /** Whether records that nobody was told of count as told: a command line does not print all its ids. */
  adopts = false;
  /** How many writes were done, and refused, and how many records were changed by those done. */
  done = 0;
  refused = 0;
  changed = 0;

  /** Notes the answer to a write. */
  note(answered: Answered): void {
    const { request, status, text, at } = answered;
    this.answered.push(answered);
    if (this.answered.length > 50) this.answered.shift();
    if (status !== 200) {
      this.refused += 1;
      return;
    }
    this.done += 1;
    this.noteIds(text);
    if (request.path === "/Extensions/Plans/Apply") this.#noteApplied(text, at);
    else if (request.method !== "DELETE") this.#noteRecords(request.path, text, at);
  }

  /** Notes what the requests of an applied plan were answered; that of one applied before has no answers. */
  #noteApplied(text: string, at: number): void {
    const [{ Requests = [], Answers = [], Records = [] }] = JSON.parse(text).Plans;
    for (const [index, { Body = "" }] of (Answers as Json[]).entries()) {
      const { Method, Path = "" } = Requests[index];
      this.noteIds(Body);
      if (Method !== "DELETE") this.#noteRecords(Path.split("?", 1)[0], Body, at);
    }
    for (const { Change, RecordID } of Records as Json[]) {
      if (Change === "REMOVED") this.#forget(RecordID);
    }
  }

  /** A record that was removed for good. */
  #forget(id: string): void {
    this.made.delete(id);
    this.addresses.delete(id);
    for (const key of this.statements.get(id) ?? []) this.statementLines.delete(key);
    this.statements.delete(id);
  }

  /** After the clock was put back, changes bear moments before those of earlier ones, and keys have no known age. */
  forgetMoments(): void {
    this.answered.splice(0);
    for (const id of this.made.keys()) this.made.set(id, 0);
  }

  #noteRecords(path: string, text: string, at: number): void {
    for (const record of recordsOf(text).filter((each) => !isRefused(each))) {
      const updated = updatedAt(record);
      const plural = pluralOf(path);
      const id: string | undefined = record[`${plural.replace(/ies$/, "y").replace(/s$/, "")}ID`];
      if (id !== undefined) {
        this.made.set(id, Math.max(this.made.get(id) ?? 0, updated));
        this.addresses.delete(id);
        if (updated > 0 && !path.startsWith("/Extensions/"))
          this.addresses.set(id, `/${plural}/${id}`);
      }
      if (updated === at) this.changed += 1;
      if (record.LineItems !== undefined) this.documents.push(record);
    }
  }

  noteIds(text: string): void {
    for (const [id] of text.matchAll(guid)) this.ids.add(id);
  }
}

/** The records of an answer: its one list. */
export function recordsOf(text: string): Json[] {
  if (!text.startsWith("{")) return [];
  const lists = Object.values(JSON.parse(text)).filter((each) => Array.isArray(each));
  return lists.length === 1 ? (lists[0] as Json[]) : [];
}

/** Whether it is one of a batch that was not kept. */
export const isRefused = (record: Json): boolean => record.StatusAttributeString === "ERROR";

/** `UpdatedDateUTC` in milliseconds; 0 of a record that has none. */
export function updatedAt(record: Json): number {
  return Number(/\d+/.exec(String(record?.UpdatedDateUTC ?? ""))?.[0] ?? 0);
}

/** Of `/Invoices/…`, `Invoices`. */
function pluralOf(path: string): string {
  return path.split("/")[path.startsWith("/Extensions/") ? 2 : 1] ?? "";
}
