/** The records that audit files are made of: the client of a book or of a service has them all. */
import type { DateRange } from "../ledger/dates/calendar.ts";
import type { Attachment } from "../resources/attachment.ts";
import type { Resource, Shape } from "../resources/field.ts";
import type { Organisation } from "../resources/organisation.ts";
import type { ListQuery } from "../wire/pages.ts";
import type { LookupBounds } from "../wire/query/lookup-bounds.ts";

export interface AuditSource {
  /** Records one by one; journals come in the order of their numbers. */
  list<R extends Resource>(resource: R, query?: ListQuery): AsyncIterable<Shape<R>>;
  attachments(resource: Resource, key: string): Promise<readonly Attachment[]>;
  /** The bytes of a file of a record, as they come. */
  download(resource: Resource, key: string, name: string): Promise<AsyncIterable<Uint8Array>>;
}

/** The input of every format. */
export interface AuditFacts {
  readonly source: AuditSource;
  /** How many records one query of the source may name. */
  readonly bounds: LookupBounds;
  readonly organisation: Organisation;
  readonly period: DateRange;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Of this program. */
  readonly version: string;
}
