/**
 * Sends requests over a transport, with what all client calls share.
 *
 * Failures are thrown as the error classes of the service; headers and parameters from the client
 * options are added.
 */
import { NotFoundError, RefusedError } from "../resources/errors.ts";
import { explainRoot } from "../resources/explained-figures.ts";
import { extensionRoot, pathOf, type Resource, type Shape } from "../resources/field.ts";
import { type Chunks, textOf } from "../wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import {
  formOf,
  type ListQuery,
  type Query,
  type RecordsAnswer,
  type RequestOptions,
} from "../wire/pages.ts";
import type { ClientOptions, WriteOptions } from "./types.ts";

/** The request functions of a client. */
export type Requests = ReturnType<typeof requestsOver>;

export function requestsOver(transport: Transport, options: ClientOptions) {
  const call = (request: ServiceRequest) => answeredRecords(transport, request, options);

  function read(path: string, query: Query = [], more: RequestOptions = {}) {
    return call({ ...more, method: "GET", path, query, headers: { ...accept, ...more.headers } });
  }

  async function get(path: string, query: Query = []) {
    return textOf((await read(path, query)).body);
  }

  const write = async (...request: Parameters<typeof send>): Promise<string> =>
    textOf((await send(...request)).body);

  async function send(
    method: "PUT" | "POST" | "DELETE",
    resource: Resource,
    path: string,
    body: string | RequestContent | undefined,
    writeOptions: WriteOptions,
    query: Query = [],
  ): Promise<ServiceResponse> {
    const key = writeOptions.idempotencyKey ?? options.newKey?.(writeOptions.dryRun === true);
    const content = typeof body === "string" ? inputs(body) : body;
    return call({
      method,
      path,
      query: [...query, ...form(resource, writeOptions)],
      headers: {
        ...accept,
        ...content?.headers,
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(isDry(writeOptions) ? { "x-dry-run": "true" } : {}),
      },
      ...(content && { body: content.body }),
    });
  }

  const isDry = (writeOptions: WriteOptions) => writeOptions.dryRun ?? options.dryRun ?? false;
  const { unitDecimals, warn } = options;
  const form = (resource: Resource, query: Pick<ListQuery, "unitDecimals">): Query =>
    formOf(resource, query.unitDecimals ?? unitDecimals);

  const canRollBack = options.rollsBack === true;

  return {
    call,
    read,
    get,
    send,
    write,
    isDry,
    isOwn: canRollBack,
    form,
    unitDecimals,
    warn,
  };
}

/**
 * Sends a request.
 *
 * @throws the error that the service answered
 */
async function answeredRecords(
  transport: Transport,
  request: ServiceRequest,
  { signal, keyGiven = false }: Pick<ClientOptions, "signal" | "keyGiven">,
): Promise<ServiceResponse> {
  signal?.throwIfAborted();
  const remedy = keyGiven ? sameAgain : doubt;
  const response = await transport(request).catch((error: unknown) => {
    if (error instanceof Error && unknownOutcomes.has(error)) error.message += ` ${remedy}`;
    throw error;
  });
  if (response.status < 400) return response;
  const { status, headers } = response;
  if (status === 404) {
    if (isExtension(request)) throw notOffered(request.path);
    if (await isWithoutCollection(transport, request)) throw notOffered(request.path);
  }
  const { decodeError } = await import("../wire/decode/failure.ts");
  const error = await decodeError(status, headers, await textOf(response.body));
  if (response.doubtful === true) error.message += ` ${remedy}`;
  const isOfKey = status === 409 || (status === 400 && /idempotency.?key/i.test(error.message));
  if (keyGiven && isOfKey && error instanceof RefusedError) {
    throw error.withMessage(`${error.message} ${otherKey}`);
  }
  throw error;
}

/** Root path of reports. */
const reportRoot = "/Reports";

/** Whether a request uses a collection or an action that the public API does not have. */
function isExtension({ method, path }: Pick<ServiceRequest, "method" | "path">): boolean {
  const [, root, name = "", action = "", more] = path.split("/");
  // Reports are requested by name, published ones by id.
  if (`/${root}` === reportRoot) return /^[A-Z][A-Za-z0-9]+$/.test(name);
  // Statements belong to a contact, which the public API has, and are not a collection.
  if (path.startsWith(`${extensionRoot}/Statements/`)) return true;
  const isOfAll = action === "" || (method === "POST" && /^[A-Z][a-z]+$/.test(action));
  return path.startsWith(`${extensionRoot}/`) && isOfAll && more === undefined;
}

/** Whether a 404 means that the service lacks the whole collection, not just one record. */
async function isWithoutCollection(
  transport: Transport,
  { path, headers }: ServiceRequest,
): Promise<boolean> {
  // Explanations have no list that could be requested.
  if (!path.startsWith(`${extensionRoot}/`) || path.startsWith(`${explainRoot}/`)) return false;
  const [, root, name] = path.split("/");
  const { status } = await transport({
    method: "GET",
    path: `/${root}/${name}`,
    query: [
      ["page", "1"],
      ["pageSize", "1"],
    ],
    headers,
  });
  return status === 404;
}

function notOffered(path: string): RefusedError {
  const [, root, name = ""] = path.split("/");
  // Splits `VATReturn` into `VAT return`.
  const reportNoun = name
    .split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => (/[a-z]/.test(word) ? word.toLowerCase() : word))
    .join(" ");
  const isReport = `/${root}` === reportRoot;
  return new RefusedError(
    "NotOffered",
    isReport
      ? `This service has no ${reportNoun} report: it is an extension of acct's own service.`
      : `This service has no ${reportNoun}: they are an extension of acct's own service.`,
  );
}

/** Errors after which it is not known whether a write was done. */
export const unknownOutcomes = new WeakSet<Error>();
/** Sentence added to such an error. */
export const doubt = "What was asked may have been done all the same: look before you ask again.";
/** The same sentence, where the user gave the idempotency key. */
const sameAgain =
  "What was asked may have been done all the same: the same line with the same --idempotency-key " +
  "is safe to run again.";
/** Remedy for an idempotency key that was used for another request. */
const otherKey = "Run the line as it was first run, or give another --idempotency-key.";

/** A body, and the headers that describe it. */
interface RequestContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | Chunks;
}

const inputs = (json: string): RequestContent => ({
  headers: { "content-type": "application/json" },
  body: Buffer.from(json),
});

/** Returns the content of a file of `size` bytes, sent unchanged. */
export const file = (
  mimeType: string,
  size: number,
  body: RequestContent["body"],
): RequestContent => ({
  headers: { "content-type": mimeType, "content-length": String(size) },
  body,
});

const accept = { accept: "application/json" } as const;

/** Returns the path of a record below the API root. */
export function recordPath(resource: Resource, key: string): string {
  return `${pathOf(resource)}/${encodeURIComponent(key)}`;
}

/**
 * Returns the only record of an answer.
 *
 * @throws NotFoundError when the answer is empty
 */
export function onlyRecord<R extends Resource>(
  resource: R,
  { records }: RecordsAnswer<R>,
): Shape<R> {
  const [record] = records;
  if (record === undefined) {
    throw new NotFoundError("NotFound", `The service answered without the ${resource.noun}.`);
  }
  return record;
}
