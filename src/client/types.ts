/** What is asked of a client besides the record itself, and what comes back. */

import type { Attachment } from "../resources/attachment.ts";
import type { BillingInput } from "../resources/billing.ts";
import type { Email, EmailInput } from "../resources/email.ts";
import type { Detail } from "../resources/errors.ts";
import type { Input, Resource, Shape } from "../resources/field.ts";
import type { HistoryRecord } from "../resources/history.ts";
import type { Invoice } from "../resources/invoice.ts";
import type { RepeatingRun } from "../resources/repeating-invoice.ts";
import type { Chunks } from "../wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../wire/http.ts";
import type { ListQuery, Records } from "../wire/pages.ts";
import type { Report } from "../wire/report.ts";

export type { ListQuery, Records };

export interface WriteOptions {
  /** Makes a repeated request harmless. */
  readonly idempotencyKey?: string | undefined;
  /** Everything is checked and computed and nothing is kept. */
  readonly dryRun?: boolean | undefined;
  readonly unitDecimals?: 2 | 4 | undefined;
  /** Path of the record that this one stands under, `/TrackingCategories/<id>`. */
  readonly under?: string | undefined;
  /** Query parameters of the request, by name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** What became of one record of a batch. */
export interface WriteResult<R extends Resource> {
  /** As stored, or as sent when refused. */
  readonly record: Shape<R>;
  /** Why it was refused; empty when it was stored. */
  readonly errors: readonly Detail[];
  /** What is doubtful about it although it was stored. */
  readonly warnings: readonly string[];
}

/** What an extension is asked to do. */
export interface ActionRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly takes?: Resource;
  readonly input?: object;
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

export interface Client {
  /**
   * The record of that id, number, code or name, with all it carries.
   *
   * @throws NotFoundError when there is none
   * @throws RefusedError `Ambiguous` when a name that is not unique fits several
   */
  find<R extends Resource>(resource: R, key: string, query?: ListQuery): Promise<Shape<R>>;
  /** Records one by one; pages are asked for as they are needed. */
  list<R extends Resource>(resource: R, query?: ListQuery): Records<R>;
  /** The records at a path below the API root that is no collection of its own. */
  at<R extends Resource>(
    resource: R,
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Shape<R>[]>;
  /**
   * Says that something is about to be exported, for the audit log of a service that keeps one.
   *
   * @param what  such as `invoices as csv`
   */
  announceExport(what: string): Promise<void>;
  /** PUT: creates. @throws RefusedError with every fault in `details` */
  create<R extends Resource>(
    resource: R,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /** POST to the record's own path, or to the collection where records have none to post to. */
  update<R extends Resource>(
    resource: R,
    key: string,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /**
   * Many records in one request, each with its own outcome, in the order given.
   *
   * @param method  `PUT` creates only, `POST` creates or updates
   */
  writeMany<R extends Resource>(
    method: "PUT" | "POST",
    resource: R,
    inputs: readonly Input<R>[],
    options?: WriteOptions,
  ): Promise<WriteResult<R>[]>;
  /** DELETE. @returns the record as it went, where the service shows it */
  remove<R extends Resource>(
    resource: R,
    key: string,
    options?: WriteOptions,
  ): Promise<Shape<R> | undefined>;
  /**
   * POST to a path below a record, an extension: what the service does to it and answers with.
   *
   * @param action  the last segment of the path, `Restore`
   */
  perform<R extends Resource>(resource: R, key: string, action: string): Promise<Shape<R>>;
  /**
   * POST to a path of an extension that answers with records.
   *
   * @param request  the parameters, and the body with the resource that describes it
   */
  act<R extends Resource>(answers: R, path: string, request?: ActionRequest): Promise<Shape<R>[]>;
  /**
   * Makes the invoice of a quote or the bill of an order, wholly or in part; an extension.
   *
   * @param action  the last segment of the path, `Invoice` or `Bill`
   */
  bill(resource: Resource, key: string, action: string, input: BillingInput): Promise<Invoice>;
  /** The record as PDF; `onMissing` is told of characters that there is no font for. @throws UnavailableError `NoPdf` when something else comes */
  printed(
    resource: Resource,
    key: string,
    onMissing?: (characters: string) => void,
  ): Promise<Uint8Array>;
  /** The same of what is no record; `noun` is what it is called. */
  printedAt(
    path: string,
    noun: string,
    asked: {
      readonly parameters?: Readonly<Record<string, string>> | undefined;
      readonly onMissing?: ((characters: string) => void) | undefined;
    },
  ): Promise<Uint8Array>;
  /** The bytes that a path below the API root answers with; an extension. */
  fileAt(path: string, parameters?: Readonly<Record<string, string>>): Promise<Uint8Array>;
  /** A file of an extension as it comes, with its name. */
  downloadAt(
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<{ readonly name: string; readonly body: Chunks }>;
  /**
   * The text of a file that a POST to a path of an extension makes, with its name and what a person
   * should know of it. A dry run makes it and keeps no trace.
   */
  makeFile(
    resource: Resource,
    path: string,
    parameters: Readonly<Record<string, string>>,
    asked: { readonly dryRun: boolean },
  ): Promise<{
    readonly name: string;
    readonly notes: readonly string[];
    readonly bytes: Uint8Array;
  }>;
  /** POST of a file to a path of an extension that makes a record of it. */
  submit<R extends Resource>(
    answers: R,
    path: string,
    file: Pick<Upload, "mimeType"> & { readonly bytes: Uint8Array },
    parameters?: Readonly<Record<string, string>>,
  ): Promise<WriteResult<R>>;
  attachments(resource: Resource, key: string): Promise<Attachment[]>;
  /** Adds a file to a record, or replaces the one of that name. @returns what is kept of it */
  attach(resource: Resource, key: string, file: Upload): Promise<Attachment | undefined>;
  /** Takes a file off a record. @returns it as it went; undefined in a dry run that stays here */
  detach(resource: Resource, key: string, name: string): Promise<Attachment | undefined>;
  /** The bytes of a file, as they come. @throws NotFoundError */
  download(resource: Resource, key: string, name: string): Promise<Chunks>;
  /** Sets the logo of a branding theme, or takes it away where there is none given. */
  setLogo(
    themeId: string,
    logo: { readonly mimeType: string; readonly body: Uint8Array } | undefined,
  ): Promise<void>;
  history(resource: Resource, key: string): Promise<HistoryRecord[]>;
  note(resource: Resource, key: string, details: string): Promise<void>;
  /**
   * Sends an invoice to its customer.
   *
   * @param own  what is to be said and to whom, where that is not the usual; an extension
   * @returns what was not sent but written to an outbox; undefined when it was sent
   */
  emailInvoice(key: string, own?: EmailInput): Promise<Email | undefined>;
  /**
   * Whether the service has an operation that the public API does not. One in this process has all
   * of ours; another is asked for its description.
   *
   * @param schema  name of what the operation takes, where others have one that takes less
   */
  offers(method: string, path: string, schema?: string): Promise<boolean>;
  /** Where a customer sees a document. @throws RefusedError where nobody can */
  onlineUrl(resource: Resource, key: string): Promise<string>;
  /** Takes back the addresses under which a document was seen; it gets another. */
  revokeOnline(resource: Resource, key: string): Promise<void>;
  /** Makes the repeating invoices that are due. @returns what became of each date */
  runRepeating(): Promise<RepeatingRun[]>;
  /** @param name  path segment, `ProfitAndLoss` */
  report(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report>;
  /** The report at a path of its own: an explanation. */
  reportAt(path: string, parameters?: Readonly<Record<string, string>>): Promise<Report>;
  /** Every report of an answer: 1099 reports come in twos. */
  reports(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report[]>;
  /** Any request at all, answered as it comes, errors included. A dry run is the caller's to mind. */
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /** Releases the connection or the book. */
  close(): Promise<void>;
}
