/** Options, inputs and results of client calls. */

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
  /** Idempotency key, which makes a repeated request safe. */
  readonly idempotencyKey?: string | undefined;
  /** Whether everything is validated and computed, and nothing is stored. */
  readonly dryRun?: boolean | undefined;
  readonly unitDecimals?: 2 | 4 | undefined;
  /** Path of the parent record, `/TrackingCategories/<id>`. */
  readonly under?: string | undefined;
  /** Query parameters of the request, by name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** The result of one record in a batch. */
export interface WriteResult<R extends Resource> {
  /** The record as stored, or as sent when refused. */
  readonly record: Shape<R>;
  /** Reasons of a refusal; empty when the record was stored. */
  readonly errors: readonly Detail[];
  /** Warnings about a record that was stored. */
  readonly warnings: readonly string[];
}

/** Parameters and body of an extension request. */
export interface ActionRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly takes?: Resource;
  readonly input?: object;
}

/** A file to upload. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Whether customers see the file with the online invoice. */
  readonly includeOnline?: boolean | undefined;
  /** The content, read again for each attempt. */
  readonly body: Chunks;
}

export interface ClientOptions {
  /**
   * Returns an idempotency key for a write that has none. Unless the user gave a key, only a remote
   * connection needs one, since it can lose an answer; an embedded call cannot.
   *
   * @param isTrial  whether the write is a dry run before the real write, which has the same key
   */
  readonly newKey?: (isTrial: boolean) => string;
  /** Whether the keys derive from one that the user gave. */
  readonly keyGiven?: boolean;
  /** False for a command that may not write: a write is then a defect of the program. */
  readonly mayWrite?: boolean;
  /** Default of `WriteOptions.dryRun`. */
  readonly dryRun?: boolean;
  /**
   * Whether the service is known to support dry runs (`x-dry-run`); its API description says so
   * when not given. One that does not must never receive the write: the input is then checked
   * against the description alone.
   */
  readonly rollsBack?: boolean;
  /** Default of `unitDecimals` in queries and writes. */
  readonly unitDecimals?: 2 | 4;
  /** Receives warnings about a record that was created or updated. */
  readonly warn?: (warning: string) => void;
  /** Aborts a list between two pages. */
  readonly signal?: AbortSignal | undefined;
  readonly close?: () => Promise<void>;
}

export interface Client {
  /**
   * Finds a record by id, number, code or name, with all its fields.
   *
   * @throws NotFoundError when there is none
   * @throws RefusedError `Ambiguous` when a name fits several
   */
  find<R extends Resource>(resource: R, key: string, query?: ListQuery): Promise<Shape<R>>;
  /** Lists records one by one; pages are requested as needed. */
  list<R extends Resource>(resource: R, query?: ListQuery): Records<R>;
  /** Returns the records at a path below the API root that is not a collection of its own. */
  at<R extends Resource>(
    resource: R,
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Shape<R>[]>;
  /**
   * Announces an export to the audit log of a service that keeps one.
   *
   * @param exportName  such as `invoices as csv`
   */
  announceExport(exportName: string): Promise<void>;
  /**
   * Creates a record (PUT).
   *
   * @throws RefusedError with every fault in `details`
   */
  create<R extends Resource>(
    resource: R,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /**
   * Updates a record by POST to its own path, or to the collection where records cannot be posted
   * to.
   */
  update<R extends Resource>(
    resource: R,
    key: string,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /**
   * Writes many records in one request, with one result each, in the given order.
   *
   * @param method  `PUT` creates only, `POST` creates or updates
   */
  writeMany<R extends Resource>(
    method: "PUT" | "POST",
    resource: R,
    inputs: readonly Input<R>[],
    options?: WriteOptions,
  ): Promise<WriteResult<R>[]>;
  /**
   * Deletes a record.
   *
   * @returns the deleted record, where the service shows it
   */
  remove<R extends Resource>(
    resource: R,
    key: string,
    options?: WriteOptions,
  ): Promise<Shape<R> | undefined>;
  /**
   * Runs an action by POST to a path below a record, an extension.
   *
   * @param action  the last segment of the path, `Restore`
   */
  perform<R extends Resource>(resource: R, key: string, action: string): Promise<Shape<R>>;
  /**
   * Sends POST to an extension path that answers with records.
   *
   * @param request  the parameters, and the body with the resource that describes it
   */
  act<R extends Resource>(answers: R, path: string, request?: ActionRequest): Promise<Shape<R>[]>;
  /**
   * Creates the invoice of a quote or the bill of a purchase order, in whole or in part; an
   * extension.
   *
   * @param action  the last segment of the path, `Invoice` or `Bill`
   */
  bill(resource: Resource, key: string, action: string, input: BillingInput): Promise<Invoice>;
  /**
   * Returns the record as PDF; `onMissing` receives characters that no font has.
   *
   * @throws UnavailableError `NoPdf` when the answer is not PDF
   */
  printed(
    resource: Resource,
    key: string,
    onMissing?: (characters: string) => void,
  ): Promise<Uint8Array>;
  /** Returns a PDF that is not of a record; `noun` is its name in messages. */
  printedAt(
    path: string,
    noun: string,
    options: {
      readonly parameters?: Readonly<Record<string, string>> | undefined;
      readonly onMissing?: ((characters: string) => void) | undefined;
    },
  ): Promise<Uint8Array>;
  /** Returns the bytes at a path below the API root; an extension. */
  fileAt(path: string, parameters?: Readonly<Record<string, string>>): Promise<Uint8Array>;
  /** Streams a file of an extension, with its name. */
  downloadAt(
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<{ readonly name: string; readonly body: Chunks }>;
  /**
   * Returns the text of a file made by POST to an extension path, with its name and notes for the
   * user. A dry run makes it without a record of it.
   */
  makeFile(
    resource: Resource,
    path: string,
    parameters: Readonly<Record<string, string>>,
    options: { readonly dryRun: boolean },
  ): Promise<{
    readonly name: string;
    readonly notes: readonly string[];
    readonly bytes: Uint8Array;
  }>;
  /** Uploads a file by POST to an extension path that creates a record from it. */
  submit<R extends Resource>(
    answers: R,
    path: string,
    file: Pick<Upload, "mimeType"> & { readonly bytes: Uint8Array },
    parameters?: Readonly<Record<string, string>>,
  ): Promise<WriteResult<R>>;
  attachments(resource: Resource, key: string): Promise<Attachment[]>;
  /**
   * Attaches a file to a record, or replaces the one of that name.
   *
   * @returns the stored attachment
   */
  attach(resource: Resource, key: string, file: Upload): Promise<Attachment | undefined>;
  /**
   * Deletes an attachment.
   *
   * @returns the deleted attachment; undefined in a dry run that is not sent
   */
  detach(resource: Resource, key: string, name: string): Promise<Attachment | undefined>;
  /**
   * Streams the content of an attachment.
   *
   * @throws NotFoundError
   */
  download(resource: Resource, key: string, name: string): Promise<Chunks>;
  /** Sets the logo of a branding theme, or removes it where none is given. */
  setLogo(
    themeId: string,
    logo: { readonly mimeType: string; readonly body: Uint8Array } | undefined,
  ): Promise<void>;
  history(resource: Resource, key: string): Promise<HistoryRecord[]>;
  note(resource: Resource, key: string, details: string): Promise<HistoryRecord | undefined>;
  /**
   * Emails a document to its contact.
   *
   * @param emailInput  message and recipients, where they differ from the default; an extension
   * @returns the email; undefined for an invoice that was sent
   */
  email(resource: Resource, key: string, emailInput?: EmailInput): Promise<Email | undefined>;
  /**
   * Whether the service has an operation that the public API lacks. An embedded service has all
   * extensions; another is asked for its API description.
   *
   * @param schema  name of the operation's input, where the public operation takes less
   */
  offers(method: string, path: string, schema?: string): Promise<boolean>;
  /**
   * Returns the public address of a document for its customer.
   *
   * @throws RefusedError where it has none
   */
  onlineUrl(resource: Resource, key: string): Promise<string>;
  /** Revokes the public addresses of a document; it gets a new one. */
  revokeOnline(resource: Resource, key: string): Promise<void>;
  /**
   * Creates the repeating invoices that are due.
   *
   * @returns the result for each date
   */
  runRepeating(): Promise<RepeatingRun[]>;
  /**
   * Requests a report.
   *
   * @param name  path segment, `ProfitAndLoss`
   */
  report(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report>;
  /** Requests a report at its own path, such as an explanation. */
  reportAt(path: string, parameters?: Readonly<Record<string, string>>): Promise<Report>;
  /** Returns all reports of an answer; a 1099 answer has two. */
  reports(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report[]>;
  /**
   * Returns the same client, whose writes are one operation in the log of a service that keeps one.
   *
   * @param operation  GUID of the operation
   */
  within(operation: string): Client;
  /** Sends any request and returns the answer, errors included. Callers must handle dry runs. */
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /** Releases the connection or the book. */
  close(): Promise<void>;
}
