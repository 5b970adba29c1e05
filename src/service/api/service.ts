/**
 * The service: a function from a plain request to a plain response.
 *
 * It is the one boundary that turns errors into responses, authenticates the caller, limits the
 * body, and replays the first response of an idempotency key. Everything else is in the routes.
 */
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  refusal,
} from "../../resources/errors.ts";
import { ruleOfRefusal } from "../../resources/refusal-rules.ts";
import {
  deleteAnswers,
  deleteOldAnswers,
  findAnswer,
  saveAnswer,
} from "../../store/transactions/idempotency.ts";
import type { IdempotentAnswer, Tx, TxWork } from "../../store/tx/tx.ts";
import { collect, decompress, isChunks, type Limits, tooLargeError } from "../../wire/body.ts";
import type { ErrorContext, LimitStatus } from "../../wire/errors.ts";
import { chooseFormat } from "../../wire/format.ts";
import {
  exportHeader,
  type ServiceRequest,
  type ServiceResponse,
  type Transport,
} from "../../wire/http.ts";
import type { Admission, Limiter } from "../limits/limits.ts";
import {
  type Principal,
  Query,
  type ReadRequest,
  type RequestContext,
  type ServeWith,
  type ServiceDependencies,
  startTimeLimit,
} from "../request/context.ts";
import { RejectedError } from "../request/faults.ts";
import { checkPermitted, isPermitted } from "../request/permissions.ts";
import { lazy, type Route } from "../request/route.ts";
import { originOf } from "../request/write-origin.ts";
import { methodsAt, type RouteMatch, routeFor } from "./routing.ts";

export interface ServiceOptions extends ServiceDependencies {
  /** Authenticates the caller. @throws AuthError */
  readonly authenticate: (request: ServiceRequest) => Promise<Principal> | Principal;
  /** Rate limiter of apps; without it calls are unlimited. */
  readonly limiter?: Limiter | undefined;
  /** HTTP status of the response when a limit is reached. */
  readonly limitStatus?: (() => LimitStatus | undefined) | undefined;
  /** Returns a new id for a response. */
  readonly responseId: () => string;
  /** Receives every failure that is a bug; refusals are not reported. */
  readonly report?: (error: unknown, request: ServiceRequest) => void;
}

export interface Service {
  readonly transport: Transport;
  readonly authenticate: ServiceOptions["authenticate"];
  /** Answers a request that failed with `error` before it reached a route. */
  readonly refuse: (request: ServiceRequest, error: unknown) => Promise<ServiceResponse>;
  close(): Promise<void>;
}

/** Maximum size of a request body in bytes: 500 records of ample size. */
const bodyBytesMax = 10 * 1024 * 1024;
const bodyLimits: Limits = { bytesMax: bodyBytesMax, what: "A request body" };
/** How long the response of an idempotency key is kept for replay, in milliseconds. */
const idempotencyWindowMs = 6 * 60_000;
const idempotencyKeyMax = 128;

export function createService(options: ServiceOptions): Service {
  return {
    transport: (request) => handle(options, request),
    authenticate: options.authenticate,
    refuse: (request, error) => refuse(options, request, error, options.responseId()),
    close: () => options.store.close(),
  };
}

/** Answers requests within a request. Failures are thrown: the outer request reports them. */
export const serveWith: ServeWith = (dependencies, { principal, responseId }) =>
  createService({
    ...dependencies,
    responseId,
    authenticate: () => principal,
    report: (error) => {
      throw error;
    },
  }).transport;

async function handle(options: ServiceOptions, request: ServiceRequest): Promise<ServiceResponse> {
  const responseId = computeOnce(options.responseId);
  const format = formatOf(request);
  let admission: Admission | undefined;
  let admitted: Principal | undefined;
  try {
    const principal = await options.authenticate(request);
    admitted = principal;
    note(request, principal);
    const entering = options.limiter?.enter(principal.app);
    admission = entering instanceof Promise ? await entering : entering;
    if (admission?.refusal !== undefined) throw admission.refusal;
    if (request.method === "OPTIONS") return withLimits(methodsOf(request.path), admission);
    const reached = routeFor(request.method, request.path);
    const { route } = reached;
    if (request.info !== undefined) request.info.route = route.path;
    checkPermitted(principal, route);
    if (route.method !== "GET" && options.inPlan !== true) {
      await (await policy()).checkPolicy(options, principal, route, request);
    }
    const call = { ...reached, principal, format, responseId };
    // Only routes that take a file stream the body; reading it first is faster for all others.
    if (route.takes !== "file") {
      return withLimits(await answerOf(options, request, call, undefined), admission);
    }
    await using file = await fileOf(request);
    return withLimits(await answerOf(options, request, call, file), admission);
  } catch (error) {
    if (error instanceof AuthError && admitted !== undefined && ruleOfRefusal(error.code)) {
      await (await import("../audit/refused-requests.ts")).recordRefusal(
        options,
        admitted,
        request,
        error,
      );
    }
    return withLimits(await refuse(options, request, error, responseId()), admission);
  } finally {
    admission?.leave();
  }
}

const policy = lazy(() => import("../plans/policy.ts"));

/** A request whose caller and route are known. */
interface RoutedRequest
  extends Pick<RequestContext, "principal" | "format" | "responseId">,
    RouteMatch {}

async function answerOf(
  options: ServiceOptions,
  request: ServiceRequest,
  routedRequest: RoutedRequest,
  file: RequestContext["file"],
): Promise<ServiceResponse> {
  const call = callOf(options, await readArrival(request, file), routedRequest);
  const { route, parameters, asPdf } = routedRequest;
  const isPrint =
    route.printed !== undefined && (asPdf || chooseFormat(request.headers.accept) === "pdf");
  const answer = (isPrint ? route.printed : undefined) ?? route.answer;
  // Boolean parameters are validated even where the route does not use them.
  for (const [name, { kind }] of Object.entries(route.parameters ?? {})) {
    if (kind === "boolean") call.query.boolean(name);
  }
  if (request.headers[exportHeader] !== undefined && request.method === "GET") {
    await (await import("../audit/exports.ts")).recordAnnounced(call);
  }
  return answerOnce(call, route, () => answer(call, ...parameters));
}

/**
 * Answers a request that failed with `error` before it reached a route.
 *
 * @param instance  id of the response
 */
export async function refuse(
  { report, limitStatus }: Pick<ServiceOptions, "report" | "limitStatus">,
  request: ServiceRequest,
  error: unknown,
  instance: string,
): Promise<ServiceResponse> {
  const isKnown = error instanceof AcctError;
  const { info } = request;
  noteError(request, error);
  if (!isKnown) report?.(error, request);
  // Fault reports name the request by its id in the access log.
  const instanceName = isKnown ? instance : (info?.id ?? instance);
  return refusalOf(error, formatOf(request), {
    instance: instanceName,
    limitStatus: limitStatus?.(),
  });
}

/** Records the error with which a request ends. */
function noteError({ info }: ServiceRequest, error: unknown): void {
  if (info === undefined) return;
  info.code = error instanceof AcctError ? error.code : "Fault";
  info.error = error;
}

/** Records the caller for the access log. */
function note({ info }: ServiceRequest, { app, user, tenant }: Principal): void {
  if (info === undefined) return;
  info.app = app;
  info.user = user;
  info.organisation = tenant;
}

/** Returns the format of records and of refusals, neither of which has a PDF. */
function formatOf({ headers }: ServiceRequest): "xml" | "json" {
  return chooseFormat(headers.accept, { pdf: false }) === "json" ? "json" : "xml";
}

/** Answers OPTIONS: the methods of a path. @throws NotFoundError */
function methodsOf(path: string): ServiceResponse {
  const methods = methodsAt(path);
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return { status: 204, headers: { allow: [...allowed, "OPTIONS"].join(", ") }, body: "" };
}

/** Adds the rate-limit headers, which state how many calls are left, to a response. */
function withLimits(answer: ServiceResponse, admission: Admission | undefined): ServiceResponse {
  if (admission === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...admission.headers } };
}

/**
 * Caches a value that is computed at first use: a list shown only in this process never needs its
 * id.
 */
function computeOnce(makeText: () => string): () => string {
  let madeText: string | undefined;
  return () => {
    madeText ??= makeText();
    return madeText;
  };
}

/** A request whose body has arrived: records in memory, or an attachment in a file. */
type Arrived = Pick<RequestContext, "request" | "file">;

/** Reads the whole body. @throws RefusedError `BodyTooLarge`, `BodyIncomplete` */
async function readArrival(whole: ServiceRequest, file: RequestContext["file"]): Promise<Arrived> {
  if (whole.body === undefined) return { request: whole as ReadRequest, file };
  const { body: sent, ...request } = whole;
  if (file !== undefined) return { request, file };
  refuseLarge(request.headers, bodyLimits);
  const body = decompress(sent, request.headers["content-encoding"] ?? "");
  return { request: { ...request, body: await collect(body, bodyBytesMax) }, file };
}

/** Streams the body of a file route to disk. @throws as `readWholeBody` */
async function fileOf({ headers, body }: ServiceRequest) {
  const { spool } = await import("../../wire/spool.ts");
  const { fileLimits } = await import("../request/file-names.ts");
  refuseLarge(headers, fileLimits);
  const coding = headers["content-encoding"] ?? "";
  const file = await spool(decompress(body ?? new Uint8Array(), coding), fileLimits);
  const length = coding === "" ? headers["content-length"] : undefined;
  if (length === undefined || Number(length) === file.bytes) return file;
  await file[Symbol.asyncDispose]();
  const message = `The file was to have ${length} bytes, but ${file.bytes} arrived.`;
  throw new RefusedError("BodyIncomplete", message);
}

/** Refuses a `Content-Length` over the limit, so that the client need not send the body. */
function refuseLarge(headers: ServiceRequest["headers"], limits: Limits): void {
  if (Number(headers["content-length"]) > limits.bytesMax) throw tooLargeError(limits);
}

async function refusalOf(
  error: unknown,
  format: "xml" | "json",
  context: Pick<ErrorContext, "instance" | "limitStatus">,
): Promise<ServiceResponse> {
  const { encodeError } = await import("../../wire/errors.ts");
  const records =
    error instanceof RejectedError ? { resource: error.resource, rejected: error.rejected } : {};
  return encodeError(format, error, { ...context, ...records });
}

/**
 * Makes a request context without a route: for the book's own jobs, or for a visitor of a shared
 * link.
 */
export function createCall(
  dependencies: ServiceDependencies,
  request: ReadRequest,
  principal: Principal,
): RequestContext {
  const responseId = computeOnce(dependencies.newId);
  return callOf(
    dependencies,
    { request, file: undefined },
    { principal, format: "json", responseId },
  );
}

function callOf(
  dependencies: ServiceDependencies,
  { request, file }: Arrived,
  { principal, format, responseId }: Pick<RoutedRequest, "principal" | "format" | "responseId">,
): RequestContext {
  const { org } = principal;
  const { store, clock } = dependencies;
  let momentMs = clock();
  let inTime = startTimeLimit(dependencies.bound);
  const dryRun = request.headers["x-dry-run"] === "true";
  const call: RequestContext = {
    ...dependencies,
    request,
    file,
    principal,
    format,
    responseId,
    now: () => momentMs,
    dryRun,
    query: new Query(request.query),
    serveWith,
    read: (action) => store.read(org, action),
    readCached: (key, action) => store.readCached(org, key, action),
    write: (action) => writeOnce(call, action),
    within: (store) =>
      callOf({ ...dependencies, store }, { request, file }, { principal, format, responseId }),
    permits: (who, method, path) => isPermitted(who, routeFor(method, path).route),
    routeAt,
    inTime: (...parts) => inTime(...parts),
    writePart: (action, key) => {
      const write = (tx: Tx) => {
        momentMs = clock();
        inTime = startTimeLimit(dependencies.bound);
        return action(tx);
      };
      return store.write(org, write, { dryRun, at: call.now, key, origin: originOf(call) });
    },
  };
  return call;
}

function routeAt(method: string, url: string): Route | undefined {
  try {
    return routeFor(method, url.split("?", 1)[0] ?? "").route;
  } catch (error) {
    if (error instanceof AcctError) return undefined;
    throw error;
  }
}

// --- idempotency: a repeated request gets the first response ---------------------------------

/**
 * Replays the first response, refusals included, where the idempotency key is known; else runs
 * `work`.
 *
 * A handler without effects before its write checks for the repeat inside that write.
 */
async function answerOnce(
  call: RequestContext,
  { actsFirst }: Route,
  action: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  const key = idempotencyKey(call);
  if (key === undefined) return action();
  // A dry run changes nothing; for a repeated key it returns the stored response.
  if (actsFirst === true || call.dryRun) {
    const storedAnswer = storedAnswerOf(
      call,
      await call.read((tx) => findAnswer(tx, call.principal.app, key)),
    );
    if (storedAnswer !== undefined) return storedAnswer;
  }
  if (call.dryRun) return action();
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    noteError(call.request, error);
    const refusal = await refusalOf(error, call.format, { instance: call.responseId() });
    return call.write(async () => refusal);
  }
}

/**
 * Runs a write, and stores its response under the idempotency key if there is one.
 *
 * The same request may run at the same time, here or in another process: lookup and insert of the
 * key are in one transaction with the write.
 */
async function writeOnce(
  call: RequestContext,
  action: TxWork<ServiceResponse>,
): Promise<ServiceResponse> {
  const key = idempotencyKey(call);
  if (key === undefined || call.dryRun) return call.writePart(action);
  const { app } = call.principal;
  const working = async (tx: Tx) => {
    const idempotentAnswer = await findAnswer(tx, app, key);
    const storedAnswer = storedAnswerOf(call, idempotentAnswer);
    if (storedAnswer !== undefined) return storedAnswer;
    // The stored response is older than the replay window.
    if (idempotentAnswer !== undefined) await deleteAnswers(tx, call.now() - idempotencyWindowMs);
    const answer = await action(tx);
    await keepAnswer(call, tx, key, answer);
    return answer;
  };
  return call.writePart(working, { app, key });
}

async function keepAnswer(
  call: RequestContext,
  tx: Tx,
  key: string,
  answer: ServiceResponse,
): Promise<void> {
  const { app } = call.principal;
  const at = call.now();
  const { body } = answer;
  if (isChunks(body)) throw new Error("A write is answered by records, never by a file.");
  const storedAnswer = { ...answer, body };
  await deleteOldAnswers(tx, at, idempotencyWindowMs);
  await saveAnswer(tx, { app, key, fingerprint: fingerprintOf(call), at, answer: storedAnswer });
}

const writingMethods = new Set(["PUT", "POST", "DELETE"]);

function idempotencyKey({ request }: RequestContext): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || !writingMethods.has(request.method)) return undefined;
  if (key.length === 0 || key.length > idempotencyKeyMax) {
    throw refusal("IdempotencyKey", `An Idempotency-Key has 1 to ${idempotencyKeyMax} characters.`);
  }
  return key;
}

/**
 * Returns the stored response of an idempotency key.
 *
 * @param stored  the stored response
 * @throws RefusedError where the fingerprint of the request differs
 */
function storedAnswerOf(
  call: RequestContext,
  stored: IdempotentAnswer | undefined,
): ServiceResponse | undefined {
  if (stored === undefined || stored.at < call.now() - idempotencyWindowMs) return undefined;
  if (stored.fingerprint !== fingerprintOf(call)) {
    throw refusal("IdempotencyKey", "This Idempotency-Key was used with a different request.");
  }
  return stored.answer;
}

/** Returns the fingerprint of a request: a hash of method, path, query and body. */
function fingerprintOf({ request, file }: RequestContext): string {
  return process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(`${request.method} ${request.path}\n${JSON.stringify(request.query)}\n`)
    .update(file?.sha256 ?? request.body ?? "")
    .digest("base64");
}
