/** An endpoint: the differences of one resource on the road that every record takes. */

import { type Detail, type Fault, NotFoundError } from "../../resources/errors.ts";
import type { Fields, Resource } from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import { fetch, type StoredRecord } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { View } from "../../wire/codec.ts";
import type { Where } from "../../wire/query/tree.ts";
import type { PrintedKind } from "../pdf/printed-kinds.ts";
import type { OrganisationContext, RequestContext } from "./context.ts";
import { checkSeeing } from "./permissions.ts";

/** One line of a record's history, written when the record is kept. */
export interface HistoryNote {
  readonly changes: string;
  readonly details: string;
}

/** One record of a write, from what was sent to what is kept. */
export interface WriteItem<Stored extends object = StoredRecord> {
  readonly index: number;
  /** Typed values as they were sent. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The record in the store, when the write is an update. */
  existing: Stored | undefined;
  /** Why it is refused; empty while it is not. */
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

/** Differences of one resource. `Work` is the context of a batch. */
export interface Endpoint<Stored extends object = StoredRecord, Work = unknown> {
  readonly resource: Resource;
  /** Adds what the store keeps elsewhere (lines, payments) to records about to be shown. */
  expand?(call: RequestContext, tx: Tx, records: Stored[], view: View): Promise<Stored[]>;
  /** The shown record follows from the book alone, not from the day or the query. */
  readonly cacheable?: boolean;
  /** In which order its lists come when nothing is asked; by when they changed if not given. */
  readonly listOrder?: string;
  /** Narrows every list beyond what the query asks: archived records, a status parameter. */
  defaultFilter?(call: RequestContext): readonly Where[];
  /** Fields that a list with `summaryOnly` leaves out. */
  readonly summaryOmits?: readonly string[];
  /** How much of a record such a list shows besides; as a plain list does when not given. */
  readonly summaryView?: View;
  /** Finds a record by another key than its id. */
  byKey?(tx: Tx, key: string): Promise<Stored | undefined>;
  /** Layout on paper, for a resource whose description says that it is `printed`. */
  printed?(record: Stored): Promise<PrintedKind<never> | undefined>;
  /** How it is written; asked for when something is, since most of a service is about writing. */
  writer(): Promise<RecordWriter<Stored, Work>>;
}

/** Differences of one resource when it is written. */
export interface RecordWriter<Stored extends object = StoredRecord, Work = unknown> {
  /** Records that the entries mean by another key than their id, in the order of the entries. */
  alternates?(batch: WriteRequest<Stored>): Promise<readonly (Stored | undefined)[]>;
  /** Why a create is refused whose alternate key is taken. */
  clash?(input: Readonly<Record<string, unknown>>, existing: Stored): Fault;
  /** Looks up what the batch refers to. */
  load(batch: WriteRequest<Stored>): Promise<Work>;
  /** Decides one record in memory, and sets `entry.record`. @throws RefusedError */
  decide(batch: WriteRequest<Stored>, work: Work, entry: WriteItem<Stored>): void;
  /** Keeps what was decided; the records alone are saved when not given. */
  keep?(
    batch: WriteRequest<Stored>,
    work: Work,
    decided: readonly WriteItem<Stored>[],
  ): Promise<void>;
  /** Fields of a body besides those of the description. */
  readonly alsoAccepts?: Fields;
  /** It looks up itself the records that the entries name by their ids. */
  readonly findsIds?: true;
}

/** @throws NotFoundError when no record bears that id, number or code */
export async function locate<S extends object>(
  { principal }: Pick<RequestContext, "principal">,
  tx: Tx,
  endpoint: Pick<Endpoint<S>, "resource" | "byKey">,
  key: string,
): Promise<S> {
  const { resource } = endpoint;
  const id = resource.fields[resource.id]?.kind === "id" ? readId(key) : key;
  const [found] = id === undefined ? [] : await fetch(tx, resource, resource.id, [id]);
  const record = (found as S | undefined) ?? (await endpoint.byKey?.(tx, key));
  if (record === undefined) {
    throw new NotFoundError("NotFound", `There is no ${resource.noun} ${key.slice(0, 60)}.`);
  }
  checkSeeing(principal, (record as StoredRecord).Type);
  return record;
}

/** Of records that callers only read: no address leads here. */
export function onlyRead(): Promise<never> {
  return Promise.reject(new Error("These records are only read."));
}
