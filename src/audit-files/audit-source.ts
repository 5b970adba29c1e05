/** Source of the records in audit files; implemented by the client of a book or of a service. */
import type { DateRange } from "../ledger/dates/calendar.ts";
import type { Attachment } from "../resources/attachment.ts";
import type { Resource, Shape } from "../resources/field.ts";
import type { Organisation } from "../resources/organisation.ts";
import type { ListQuery } from "../wire/pages.ts";
import type { LookupBounds } from "../wire/query/lookup-bounds.ts";

export interface AuditSource {
  /** Lists records one by one; journals come in the order of their numbers. */
  list<R extends Resource>(resource: R, query?: ListQuery): AsyncIterable<Shape<R>>;
  attachments(resource: Resource, key: string): Promise<readonly Attachment[]>;
  /** Streams the bytes of a file attached to a record. */
  download(resource: Resource, key: string, name: string): Promise<AsyncIterable<Uint8Array>>;
}

/** Input that every audit file format receives. */
export interface AuditFacts {
  readonly source: AuditSource;
  /** Maximum number of ids that one query of the source may contain. */
  readonly bounds: LookupBounds;
  readonly organisation: Organisation;
  readonly period: DateRange;
  /** 17 */
  readonly now: number;
  /** Version of this program. */
  readonly version: string;
}
