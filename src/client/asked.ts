/** What is asked of a client besides the record itself, and what comes back. */
import type { Resource, Shape } from "../resources/field.ts";
import type { Chunks } from "../wire/body.ts";

export interface ListQuery {
  /** Filters of the resource by parameter name (`Statuses`, `ContactIDs`, …). */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly where?: string | undefined;
  readonly order?: string | undefined;
  readonly searchTerm?: string | undefined;
  /** Only records changed at or after this moment, milliseconds since 1970 UTC. */
  readonly modifiedSince?: number | undefined;
  /**
   * Names of the only fields that are needed; the others may be missing from the records. What
   * stands in a summary of the record costs a good deal less than its lines and lists do.
   */
  readonly fields?: readonly string[] | undefined;
  /** One page alone, from 1; otherwise every page is walked as the records are consumed. */
  readonly page?: number | undefined;
  /** Only records after this number, where lists are read so. */
  readonly offset?: number | undefined;
  /** Most records in all. */
  readonly limit?: number | undefined;
  /** False where `itemCount` is not needed: counting costs more the larger a book is. */
  readonly count?: boolean | undefined;
  /** Digits of unit amounts, 2 unless 4 is asked for. */
  readonly unitDecimals?: 2 | 4 | undefined;
}

export interface WriteOptions {
  /** Makes a repeated request harmless. */
  readonly idempotencyKey?: string | undefined;
  /** Everything is checked and computed and nothing is kept. */
  readonly dryRun?: boolean | undefined;
  readonly unitDecimals?: 2 | 4 | undefined;
  /** Path of the record that this one stands under, `/TrackingCategories/<id>`. */
  readonly under?: string | undefined;
}

/** What became of one record of a batch. */
export interface WriteResult<R extends Resource> {
  /** As stored, or as sent when refused. */
  readonly record: Shape<R>;
  /** Why it was refused; empty when it was stored. */
  readonly errors: readonly string[];
  /** What is doubtful about it although it was stored. */
  readonly warnings: readonly string[];
}

/** Records that arrive page by page. */
export interface Records<R extends Resource> extends AsyncIterable<Shape<R>> {
  /** How many there are in all, once the first page has come and if the service says so. */
  readonly itemCount: number | undefined;
  /** Whether records were left unread at the end, by `limit` or by `page`. */
  readonly more: boolean;
}

/** A file to be sent. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Customers see it with the invoice online. */
  readonly includeOnline?: boolean | undefined;
  /** Read anew each time it is sent. */
  readonly body: Chunks;
}

export interface ClientOptions {
  /**
   * Makes the key of a write that was given none. Without a key from a person only a connection that
   * can lose an answer needs one; an embedded call either returns or it did not happen.
   *
   * @param isTrial  whether the write is a dry run before the write itself, which bears its key
   */
  readonly newKey?: (isTrial: boolean) => string;
  /** Whether a person gave the key that the others are made of. */
  readonly keyGiven?: boolean;
  /** False where nothing may be changed: a write is then a mistake of the program. */
  readonly mayWrite?: boolean;
  /** The default of `WriteOptions.dryRun`. */
  readonly dryRun?: boolean;
  /**
   * Whether the service itself can try a write and take it back (`x-dry-run`). One that cannot must
   * never see the write: the input is then checked against the description alone.
   */
  readonly rollsBack?: boolean;
  /** The default of `unitDecimals` in queries and writes. */
  readonly unitDecimals?: 2 | 4;
  /** Ends a walk over pages between two of them. */
  readonly signal?: AbortSignal | undefined;
  readonly close?: () => Promise<void>;
}
