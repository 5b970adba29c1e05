/**
 * The service: a function from a plain request to a plain answer.
 *
 * Here is the one boundary where errors become answers, where a caller is recognised, where a body
 * is bounded, and where a repeated request gets the first answer again. Everything else is in the
 * routes.
 */
import { AcctError, NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { plan } from "../../resources/plan.ts";
import {
  deleteAnswers,
  deleteOldAnswers,
  findAnswer,
  saveAnswer,
} from "../../store/transactions/idempotency.ts";
import type { IdempotentAnswer, Tx, Work } from "../../store/tx/tx.ts";
import { collect, isChunks, type Limits, tooLarge, uncoded } from "../../wire/body.ts";
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
  timed,
} from "../request/context.ts";
import { RejectedError } from "../request/faults.ts";
import { checkPermitted, isPermitted } from "../request/permissions.ts";
import type { Route } from "../request/route.ts";
import { originOf } from "../request/write-origin.ts";
import { methodsAt, type RouteMatch, routeFor } from "./routing.ts";

export interface ServiceOptions extends ServiceDependencies {
  /** Recognises the caller. @throws AuthError */
  readonly authenticate: (request: ServiceRequest) => Promise<Principal> | Principal;
  /** How often an app may call; as often as it likes when not given. */
  readonly limiter?: Limiter | undefined;
  /** HTTP status of a reached limit. */
  readonly limitStatus?: LimitStatus | undefined;
  /** Names each answer. */
  readonly responseId: () => string;
  /** Told of every failure that is a bug; never of a refusal. */
  readonly report?: (error: unknown, request: ServiceRequest) => void;
}

export interface Service {
  readonly handle: Transport;
  readonly authenticate: ServiceOptions["authenticate"];
  /** Answers a request that `error` kept from being handled. */
  readonly refuse: (request: ServiceRequest, error: unknown) => Promise<ServiceResponse>;
  close(): Promise<void>;
}

/** Most bytes of a request body: 500 records of ample size. */
const bodyBytesMax = 10 * 1024 * 1024;
const bodyLimits: Limits = { bytesMax: bodyBytesMax, what: "A request body" };
/** How long the first answer to an idempotency key is given again. */
const idempotencyWindowMs = 6 * 60_000;
const idempotencyKeyMax = 128;

export function createService(options: ServiceOptions): Service {
  return {
    handle: (request) => handle(options, request),
    authenticate: options.authenticate,
    refuse: (request, error) => refuse(options, request, error, options.responseId()),
    close: () => options.store.close(),
  };
}

/** Faults are thrown: the request that holds the others reports them. */
export const serveWith: ServeWith = (dependencies, { principal, responseId }) =>
  createService({
    ...dependencies,
    responseId,
    authenticate: () => principal,
    report: (error) => {
      throw error;
    },
  }).handle;

async function handle(options: ServiceOptions, request: ServiceRequest): Promise<ServiceResponse> {
  const responseId = onceMade(options.responseId);
  const format = formatOf(request);
  let admission: Admission | undefined;
  try {
    const principal = await options.authenticate(request);
    note(request, principal);
    const entering = options.limiter?.enter(principal.app);
    admission = entering instanceof Promise ? await entering : entering;
    if (admission?.refusal !== undefined) throw admission.refusal;
    if (request.method === "OPTIONS") return withLimits(methodsOf(request.path), admission);
    const reached = routeFor(request.method, request.path);
    const { route } = reached;
    if (request.info !== undefined) request.info.route = route.path;
    checkPermitted(principal, route);
    const asked = { ...reached, principal, format, responseId };
    // Few requests bring a file, and to wait for the end of none takes time as well.
    if (route.takes !== "file") {
      return withLimits(await answerOf(options, request, asked, undefined), admission);
    }
    await using file = await fileOf(request);
    return withLimits(await answerOf(options, request, asked, file), admission);
  } catch (error) {
    return withLimits(await refuse(options, request, error, responseId()), admission);
  } finally {
    admission?.leave();
  }
}

/** A request whose caller and whose route are known. */
interface RoutedRequest
  extends Pick<RequestContext, "principal" | "format" | "responseId">,
    RouteMatch {}

async function answerOf(
  options: ServiceOptions,
  request: ServiceRequest,
  routedRequest: RoutedRequest,
  file: RequestContext["file"],
): Promise<ServiceResponse> {
  const call = callOf(options, await arrival(request, file), routedRequest);
  const { route, parameters, asPdf } = routedRequest;
  const isPrint =
    route.printed !== undefined && (asPdf || chooseFormat(request.headers.accept) === "pdf");
  const work = (isPrint ? route.printed : undefined) ?? route.answer;
  // One that is true or false is looked at even where nothing follows from it.
  for (const [name, { kind }] of Object.entries(route.parameters ?? {})) {
    if (kind === "boolean") call.query.boolean(name);
  }
  if (request.headers[exportHeader] !== undefined && request.method === "GET") {
    await (await import("../audit/exports.ts")).recordAnnounced(call);
  }
  return once(call, route, () => work(call, ...parameters));
}

/** Answers a request that `error` kept from being handled. @param instance  names the answer */
export async function refuse(
  { report, limitStatus }: Pick<ServiceOptions, "report" | "limitStatus">,
  request: ServiceRequest,
  error: unknown,
  instance: string,
): Promise<ServiceResponse> {
  const isKnown = error instanceof AcctError;
  const { info } = request;
  if (info !== undefined) info.code = isKnown ? error.code : "Fault";
  if (!isKnown) report?.(error, request);
  // Reports of faults name the request by its id in the log.
  const named = isKnown ? instance : (info?.id ?? instance);
  return refusalOf(error, formatOf(request), { instance: named, limitStatus });
}

/** Notes the caller for the log. */
function note({ info }: ServiceRequest, { app, tenant }: Principal): void {
  if (info === undefined) return;
  info.app = app;
  info.organisation = tenant;
}

/** The format of records and of refusals, of which nothing is printed. */
function formatOf({ headers }: ServiceRequest): "xml" | "json" {
  return chooseFormat(headers.accept, { pdf: false }) === "json" ? "json" : "xml";
}

/** Methods of an address. @throws NotFoundError */
function methodsOf(path: string): ServiceResponse {
  const methods = methodsAt(path);
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return { status: 204, headers: { allow: [...allowed, "OPTIONS"].join(", ") }, body: "" };
}

/** Every answer says how many calls are left. */
function withLimits(answer: ServiceResponse, admission: Admission | undefined): ServiceResponse {
  if (admission === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, ...admission.headers } };
}

/** Made when it is first asked for: a list that is only shown in this process never needs its id. */
function onceMade(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A request all of whose body has arrived: records in memory, a file in a file. */
type Arrived = Pick<RequestContext, "request" | "file">;

/** @throws RefusedError `BodyTooLarge`, `BodyIncomplete` */
async function arrival(whole: ServiceRequest, file: RequestContext["file"]): Promise<Arrived> {
  if (whole.body === undefined) return { request: whole as ReadRequest, file };
  const { body: sent, ...request } = whole;
  if (file !== undefined) return { request, file };
  refuseLarge(request.headers, bodyLimits);
  const body = uncoded(sent, request.headers["content-encoding"] ?? "");
  return { request: { ...request, body: await collect(body, bodyBytesMax) }, file };
}

/** The body of a request whose route takes a file, out of memory. @throws as `arrival` */
async function fileOf({ headers, body }: ServiceRequest) {
  const { spool } = await import("../../wire/spool.ts");
  const { fileLimits } = await import("../request/file-names.ts");
  refuseLarge(headers, fileLimits);
  const coding = headers["content-encoding"] ?? "";
  const file = await spool(uncoded(body ?? new Uint8Array(), coding), fileLimits);
  const said = coding === "" ? headers["content-length"] : undefined;
  if (said === undefined || Number(said) === file.bytes) return file;
  await file[Symbol.asyncDispose]();
  const message = `The file was to have ${said} bytes, but ${file.bytes} arrived.`;
  throw new RefusedError("BodyIncomplete", message);
}

/** A client that announces too large a body need not send it. */
function refuseLarge(headers: ServiceRequest["headers"], limits: Limits): void {
  if (Number(headers["content-length"]) > limits.bytesMax) throw tooLarge(limits);
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

/** A call that comes by no route: of the book itself, or of somebody who was given an address. */
export function createCall(
  dependencies: ServiceDependencies,
  request: ReadRequest,
  principal: Principal,
): RequestContext {
  const responseId = onceMade(dependencies.newId);
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
  let moment = clock();
  let inTime = timed(dependencies.bound);
  const dryRun = request.headers["x-dry-run"] === "true";
  const call: RequestContext = {
    ...dependencies,
    request,
    file,
    principal,
    format,
    responseId,
    now: () => moment,
    dryRun,
    query: new Query(request.query),
    serveWith,
    read: (work) => store.read(org, work),
    readCached: (key, work) => store.readCached(org, key, work),
    write: (work) => writeOnce(call, work),
    within: (store) =>
      callOf({ ...dependencies, store }, { request, file }, { principal, format, responseId }),
    permits: (who, method, path) => isPermitted(who, routeFor(method, path).route),
    takesPlan,
    inTime: (...parts) => inTime(...parts),
    writePart: (work, key) => {
      const begun = (tx: Tx) => {
        moment = clock();
        inTime = timed(dependencies.bound);
        return work(tx);
      };
      return store.write(org, begun, { dryRun, at: call.now, key, origin: originOf(call) });
    },
  };
  return call;
}

function takesPlan(path: string): boolean {
  try {
    return routeFor("POST", path).route.takes === plan;
  } catch (error) {
    // An address that is none answers so for itself.
    if (error instanceof AcctError) return false;
    throw error;
  }
}

// --- a repeated request gets the first answer ------------------------------------------------

/**
 * The first answer where the request is a repeat, else that of `work`; refusals are repeated too.
 *
 * A work without effects before its write checks for a repeat in that write.
 */
async function once(
  call: RequestContext,
  { actsFirst }: Route,
  work: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  const key = idempotencyKey(call);
  if (key === undefined) return work();
  // A dry run changes nothing, and answers the result of what was done already.
  if (actsFirst === true || call.dryRun) {
    const first = firstAnswer(
      call,
      await call.read((tx) => findAnswer(tx, call.principal.app, key)),
    );
    if (first !== undefined) return first;
  }
  if (call.dryRun) return work();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    const refusal = await refusalOf(error, call.format, { instance: call.responseId() });
    return call.write(async () => refusal);
  }
}

/**
 * Does a write, and keeps its answer where it bears a key.
 *
 * The same request may run beside this one, here or in another process: nobody keeps an answer
 * between looking for the first and the end of the write.
 */
async function writeOnce(
  call: RequestContext,
  work: Work<ServiceResponse>,
): Promise<ServiceResponse> {
  const key = idempotencyKey(call);
  if (key === undefined || call.dryRun) return call.writePart(work);
  const { app } = call.principal;
  const working = async (tx: Tx) => {
    const idempotentAnswer = await findAnswer(tx, app, key);
    const first = firstAnswer(call, idempotentAnswer);
    if (first !== undefined) return first;
    // The kept answer is older than the window.
    if (idempotentAnswer !== undefined) await deleteAnswers(tx, call.now() - idempotencyWindowMs);
    const answer = await work(tx);
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
  const kept = { ...answer, body };
  await deleteOldAnswers(tx, at, idempotencyWindowMs);
  await saveAnswer(tx, { app, key, fingerprint: fingerprintOf(call), at, answer: kept });
}

const writing = new Set(["PUT", "POST", "DELETE"]);

function idempotencyKey({ request }: RequestContext): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || !writing.has(request.method)) return undefined;
  if (key.length === 0 || key.length > idempotencyKeyMax) {
    throw refusal("IdempotencyKey", `An Idempotency-Key has 1 to ${idempotencyKeyMax} characters.`);
  }
  return key;
}

/** @param first  what is kept under the key @throws RefusedError where it is of another request */
function firstAnswer(
  call: RequestContext,
  first: IdempotentAnswer | undefined,
): ServiceResponse | undefined {
  if (first === undefined || first.at < call.now() - idempotencyWindowMs) return undefined;
  if (first.fingerprint !== fingerprintOf(call)) {
    throw refusal("IdempotencyKey", "This Idempotency-Key was used with a different request.");
  }
  return first.answer;
}

/** Fingerprint of a request: method, path, query and body. */
function fingerprintOf({ request, file }: RequestContext): string {
  return process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(`${request.method} ${request.path}\n${JSON.stringify(request.query)}\n`)
    .update(file?.sha256 ?? request.body ?? "")
    .digest("base64");
}
