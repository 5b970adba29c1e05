/** An endpoint: what is specific to a resource in the shared read and write pipeline. */

import type { PrintedKind } from "../../output/documents/printed-kinds.ts";
import { type Detail, type Fault, NotFoundError } from "../../resources/errors.ts";
import { type Fields, isHandle, type Resource } from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import { fetch, type StoredRecord } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { View } from "../../wire/codec.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Where } from "../../wire/query/tree.ts";
import type { OrganisationContext, RequestContext } from "./context.ts";
import { checkSeeing } from "./permissions.ts";

/** A history note of a record, saved together with the record. */
export interface HistoryNote {
  readonly changes: string;
  readonly details: string;
}

/** An entry of a write batch, from its input to the saved record. */
export interface WriteItem<Stored extends object = StoredRecord> {
  readonly index: number;
  /** Decoded fields as sent. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The stored record, for an update. */
  existing: Stored | undefined;
  /** Faults; an entry with faults is refused. */
  errors: Detail[];
  warnings: string[];
  /** The record to save, set by `decide`. */
  record: Stored | undefined;
  readonly history: HistoryNote[];
}

export interface WriteRequest<Stored extends object = StoredRecord> extends OrganisationContext {
  readonly call: RequestContext;
  readonly tx: Tx;
  readonly method: "PUT" | "POST";
  readonly unitDecimals: 2 | 4;
  readonly entries: readonly WriteItem<Stored>[];
}

/** Answers a request for a record; `parameters` are its key, and those of what lies in it. */
export type RecordHandler = (
  call: RequestContext,
  endpoint: Endpoint,
  ...parameters: string[]
) => Promise<ServiceResponse>;

/** The resource-specific part of reads. `Work` is the context of a write batch. */
export interface Endpoint<Stored extends object = StoredRecord, Work = unknown> {
  readonly resource: Resource;
  /** Adds data stored elsewhere (lines, payments) to records before they are answered. */
  expand?(call: RequestContext, tx: Tx, records: Stored[], view: View): Promise<Stored[]>;
  /**
   * Whether the answer depends on the book alone, and not on the date or the query, so that it can
   * be cached.
   */
  readonly cacheable?: boolean;
  /** Default order of lists; by time of change if omitted. */
  readonly listOrder?: string;
  /** Filters every list in addition to the query: archived records, a status parameter. */
  defaultFilter?(call: RequestContext): readonly Where[];
  /** Fields omitted from lists with `summaryOnly`. */
  readonly summaryOmits?: readonly string[];
  /** View of records in lists with `summaryOnly`; the view of other lists if omitted. */
  readonly summaryView?: View;
  /** Finds a record by a key other than its id. */
  byKey?(tx: Tx, key: string): Promise<Stored | undefined>;
  /** Loads the print layout, for a resource marked as `printed`. */
  printed?(record: Stored): Promise<PrintedKind<never> | undefined>;
  /** Loads the writer at the first write, since writing is most of the code. */
  writer(): Promise<RecordWriter<Stored, Work>>;
}

/** The resource-specific part of writes. */
export interface RecordWriter<Stored extends object = StoredRecord, Work = unknown> {
  /** Finds existing records by keys other than the id, in the order of the entries. */
  alternates?(batch: WriteRequest<Stored>): Promise<readonly (Stored | undefined)[]>;
  /** Returns the refusal of a create whose alternate key is taken. */
  clash?(input: Readonly<Record<string, unknown>>, stored: Stored): Fault;
  /** Loads what the batch refers to. */
  load(batch: WriteRequest<Stored>): Promise<Work>;
  /** Composes one record in memory, and sets `entry.record`. @throws RefusedError */
  decide(batch: WriteRequest<Stored>, context: Work, entry: WriteItem<Stored>): void;
  /** Saves the composed records and related data; only the records if omitted. */
  keep?(
    batch: WriteRequest<Stored>,
    context: Work,
    decisions: readonly WriteItem<Stored>[],
  ): Promise<void>;
  /** Accepted body fields in addition to those of the resource description. */
  readonly alsoAccepts?: Fields;
  /** Whether the writer itself loads records named by id. */
  readonly findsIds?: true;
}

/** Finds a record by id, number or code. @throws NotFoundError when there is none */
export async function locate<S extends object>(
  { principal }: Pick<RequestContext, "principal">,
  tx: Tx,
  endpoint: Pick<Endpoint<S>, "resource" | "byKey">,
  key: string,
): Promise<S> {
  const { resource } = endpoint;
  const id = resource.fields[resource.id]?.kind === "id" ? readId(key) : key;
  const [match] =
    id !== undefined
      ? await fetch(tx, resource, resource.id, [id])
      : isHandle(resource, key)
        ? await fetch(tx, resource, "Handle", [key])
        : [];
  const record = (match as S | undefined) ?? (await endpoint.byKey?.(tx, key));
  if (record === undefined) {
    throw new NotFoundError("NotFound", `There is no ${resource.noun} ${key.slice(0, 60)}.`);
  }
  checkSeeing(principal, (record as StoredRecord).Type);
  return record;
}

/** The writer of read-only resources, which no route calls. */
export function readOnlyWriter(): Promise<never> {
  return Promise.reject(new Error("These records are only read."));
}
