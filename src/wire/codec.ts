/** The words that the codecs share. */
import type { Detail } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { counted } from "../resources/scalar.ts";

export type Format = "xml" | "json";

/** As much of a resource as a codec needs, so that a list without a resource can travel too. */
export type Collection = Pick<Resource, "name" | "plural" | "fields"> &
  Partial<Pick<Resource, "aliases" | "id" | "keys">>;

/** Which read an answer belongs to; a field's `shown` says which of them carry it. */
export type View = "list" | "paged" | "single";

export interface Pagination {
  readonly page: number;
  readonly pageSize: number;
  /** Where nothing was counted, one more than `page` while another follows. */
  readonly pageCount: number;
  /** Undefined where nothing was counted. */
  readonly itemCount?: number | undefined;
}

/** What stands around the records of an answer. */
export interface Envelope {
  /** GUID of the answer. */
  readonly id: string;
  /** Name of the app that asked. */
  readonly provider: string;
  /** When it was answered, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly pagination?: Pagination | undefined;
  readonly warnings?: readonly string[] | undefined;
}

export type OutcomeStatus = "OK" | "ERROR" | "WARNING";

/** What became of one record of a write. */
export interface WriteOutcome {
  readonly status: OutcomeStatus;
  readonly errors: readonly Detail[];
  readonly warnings?: readonly string[] | undefined;
}

/** The first of several faults, and how many more there are. */
export function inOneSentence(faults: readonly Detail[]): string {
  const first = faults[0]?.message ?? "";
  const more = faults.length - 1;
  if (more <= 0) return first;
  return `${first.replace(/\.$/, "")} (and ${counted(more, "more fault")}).`;
}

/** What a person calls a record: its number, code or name, as far as it was sent. */
export function nameOf(
  collection: Collection,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const { id, keys = [], fields } = collection;
  const own = Object.keys(fields).filter((name) => fields[name]?.key === true);
  for (const name of [...own, ...keys, ...(id === undefined ? [] : [id])]) {
    const held = value[name];
    if (typeof held === "string" && held !== "") return held.slice(0, 60).toWellFormed();
  }
  return undefined;
}
