/** Types and helpers shared by the codecs. */
import type { Detail } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { counted } from "../resources/scalar.ts";

export type Format = "xml" | "json";

/**
 * The parts of a resource that a codec needs, so that lists without a resource can be encoded too.
 */
export type Collection = Pick<Resource, "name" | "plural" | "fields"> &
  Partial<Pick<Resource, "aliases" | "id" | "keys">>;

/** The kind of read an answer belongs to; a field's `shown` lists the kinds that include it. */
export type View = "list" | "paged" | "single";

export interface Pagination {
  readonly page: number;
  readonly pageSize: number;
  /** Number of pages; when records were not counted, `page` plus one if another follows. */
  readonly pageCount: number;
  /** Total number of records; undefined when they were not counted. */
  readonly itemCount?: number | undefined;
}

/** The header of an answer, around its records. */
export interface Envelope {
  /** GUID that identifies the answer. */
  readonly id: string;
  /** Name of the app that made the request. */
  readonly provider: string;
  /** Time of the answer, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly pagination?: Pagination | undefined;
  readonly warnings?: readonly string[] | undefined;
}

export type OutcomeStatus = "OK" | "ERROR" | "WARNING";

/** The outcome of one record of a write. */
export interface WriteOutcome {
  readonly status: OutcomeStatus;
  readonly errors: readonly Detail[];
  readonly warnings?: readonly string[] | undefined;
}

/** Joins faults into one sentence: the first, and the number of others. */
export function inOneSentence(faults: readonly Detail[]): string {
  const firstMessage = faults[0]?.message ?? "";
  const otherCount = faults.length - 1;
  if (otherCount <= 0) return firstMessage;
  return `${firstMessage.replace(/\.$/, "")} (and ${counted(otherCount, "more fault")}).`;
}

/** The display name of a record: its number, code or name, if it was sent. */
export function nameOf(
  collection: Collection,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const { id, keys = [], fields } = collection;
  const keyFields = Object.keys(fields).filter((name) => fields[name]?.key === true);
  for (const name of [...keyFields, ...keys, "Handle", ...(id === undefined ? [] : [id])]) {
    const member = value[name];
    if (typeof member === "string" && member !== "") return member.slice(0, 60).toWellFormed();
  }
  return undefined;
}
