/**
 * Typed calls to an accounting service, over one transport.
 *
 * The rest of the command line knows records, not requests: it asks a `Client` and gets shapes back.
 * Failures arrive as the same error classes the service threw, whatever lay in between. Pages,
 * writing and files stand in files of their own beside this one.
 */
import type { Attachment } from "../resources/attachment.ts";
import type { BillingInput } from "../resources/billing.ts";
import type { Email, EmailInput } from "../resources/email.ts";
import { NotFoundError } from "../resources/errors.ts";
import type { Input, Resource, Shape } from "../resources/field.ts";
import { type HistoryRecord, historyRecord } from "../resources/history.ts";
import type { Invoice } from "../resources/invoice.ts";
import type { RepeatingRun } from "../resources/repeating-invoice.ts";
import type { Chunks } from "../wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import type { Report } from "../wire/report.ts";
import type {
  ClientOptions,
  ListQuery,
  Records,
  Upload,
  WriteOptions,
  WriteResult,
} from "./asked.ts";
import { answerOf, callsOver, recordPath } from "./calls.ts";
import { offeringOf } from "./extensions.ts";
import { filesOf } from "./files.ts";
import { findingOf } from "./finding.ts";
import { pagesOf } from "./pages.ts";
import { writingOf } from "./writing.ts";

export type { ClientOptions, ListQuery, Records, Upload, WriteOptions, WriteResult };
export { recordPath };

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
   * @param deed  the last segment of the path, `Restore`
   */
  perform<R extends Resource>(resource: R, key: string, deed: string): Promise<Shape<R>>;
  /**
   * Makes the invoice of a quote or the bill of an order, wholly or in part; an extension.
   *
   * @param deed  the last segment of the path, `Invoice` or `Bill`
   */
  bill(resource: Resource, key: string, deed: string, input: BillingInput): Promise<Invoice>;
  /** The record as PDF; `onMissing` is told of characters that there is no font for. @throws UnavailableError `NoPdf` when something else comes */
  printed(
    resource: Resource,
    key: string,
    onMissing?: (characters: string) => void,
  ): Promise<Uint8Array>;
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
  /** Every report of an answer: 1099 reports come in twos. */
  reports(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report[]>;
  /** Any request at all, answered as it comes, errors included. A dry run is the caller's to mind. */
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /** Releases the connection or the book. */
  close(): Promise<void>;
}

export function createClient(over: Transport, options: ClientOptions = {}): Client {
  const transport = options.mayWrite === false ? readingOnly(over) : over;
  const calls = callsOver(transport, options);
  const { get } = calls;

  const client: Client = {
    ...writingOf(calls, (resource, key) => client.find(resource, key)),
    ...filesOf(calls, options),

    list: (resource, query) => pagesOf(calls, resource, query),

    offers: offeringOf(calls, options),

    find: findingOf(calls, (resource, query) => client.list(resource, query)),

    async at(resource, path, parameters = {}) {
      return (await answerOf(resource, await get(path, Object.entries(parameters)))).records;
    },

    async history(resource, key) {
      return client.at(historyRecord, `${recordPath(resource, key)}/History`);
    },

    async onlineUrl(resource, key) {
      const body = await get(`${recordPath(resource, key)}/OnlineInvoice`);
      const { OnlineInvoices: [online] = [] } = JSON.parse(body) as {
        OnlineInvoices?: { OnlineInvoiceUrl?: string }[];
      };
      if (online?.OnlineInvoiceUrl === undefined) {
        throw new NotFoundError("NotFound", `The ${resource.noun} ${key} has no address online.`);
      }
      return online.OnlineInvoiceUrl;
    },

    async report(name, parameters = {}) {
      const [report] = await client.reports(name, parameters);
      if (report === undefined) throw new NotFoundError("NotFound", `There is no report ${name}.`);
      return report;
    },

    async reports(name, parameters = {}) {
      const { decodeReports } = await import("../wire/decode/answer.ts");
      const path = `/Reports/${encodeURIComponent(name)}`;
      return decodeReports(await get(path, Object.entries(parameters)));
    },

    send: (request) => transport(request),

    close: async () => options.close?.(),
  };
  return client;
}

/** Refuses what would change anything: it would go without the flags of commands that write. */
function readingOnly(transport: Transport): Transport {
  return async (request) => {
    const { method, path } = request;
    if (method === "GET" || method === "HEAD") return transport(request);
    throw new Error(`${method} ${path} is a write of a command that is not declared to write`);
  };
}
