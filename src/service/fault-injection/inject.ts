/**
 * Fault injection around a service, to test the error handling of clients and apps.
 *
 * The service itself is unaware of it. A chosen request is answered with an error, late, or partly;
 * the header `x-chaos` of the answer, where there is one, names the fault.
 */
import { AuthError, UnavailableError } from "../../resources/errors.ts";
import { type Chunks, isChunks } from "../../wire/body.ts";
import { encodeError, ServiceFailedError } from "../../wire/errors.ts";
import { chooseFormat } from "../../wire/format.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import { routeName } from "../api/routing.ts";
import type { FaultKind, InjectedFault } from "./plan.ts";

const delayMaxMs = 1_000;
/** Delay for sent bytes to leave this process, in milliseconds. */
const leavingMs = 20;
const retryAfterMs = 1_000;

/** Thrown to close the connection without an answer. */
class Dropped extends ServiceFailedError {
  constructor() {
    super("Chaos", "The connection was closed on purpose.");
  }
}

export interface FaultInjection {
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** Chooses the fault of the next request; undefined for none. */
export type ChooseFault = (
  method: string,
  route: string,
  request: ServiceRequest,
) => InjectedFault | undefined;

/** Wraps a service with fault injection. @throws Dropped from the transport returned */
export function withFaults(
  transport: Transport,
  choose: ChooseFault,
  { sleep, clock }: FaultInjection,
): Transport {
  return async (request) => {
    const strike = choose(request.method, routeName(request.method, request.path), request);
    if (strike === undefined) return transport(request);
    const { kind, force } = strike;
    if (request.info !== undefined) request.info.chaos = kind;
    const refusal = refusals[kind]?.(request, clock());
    if (refusal !== undefined) return markAnswer(refusal, kind);
    if (kind === "delay") await sleep(force * delayMaxMs);
    const answer = await transport(request);
    switch (kind) {
      case "500-after":
        await letGo(answer);
        return markAnswer(failOnPurpose(request), kind);
      case "drop":
        await letGo(answer);
        throw new Dropped();
      case "cut":
        return markAnswer(cutBody(answer, force, sleep), kind);
      default:
        return markAnswer(answer, kind);
    }
  };
}

/** Error answers in place of the service, which never receives the request. */
const refusals: Partial<
  Record<FaultKind, (request: ServiceRequest, now: number) => ServiceResponse>
> = {
  "500-before": failOnPurpose,
  "503": (request) => fail(request, new UnavailableError("Outage", "The service is away")),
  "503-limit": (request) => limitedAnswer(request, 503),
  "429": () => ({ status: 429, headers: {}, body: "" }),
  "429-limit": (request) => limitedAnswer(request, 429),
  revoked: (request) =>
    fail(request, new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful")),
  expired: (request, now) =>
    fail(request, new AuthError("TokenExpired", `token expired at ${new Date(now).toISOString()}`)),
};

function failOnPurpose(request: ServiceRequest): ServiceResponse {
  return fail(request, new Error("on purpose"));
}

function limitedAnswer(request: ServiceRequest, limitStatus: 429 | 503): ServiceResponse {
  // Reports the limit of all organisations together: a client may have counted the others itself.
  const message = "An app may not make so many calls a minute; please wait before retrying";
  const error = new UnavailableError("RateLimitAppMinute", message, { retryAfterMs });
  const answer = fail(request, error, limitStatus);
  const limitHeaders = {
    "x-minlimit-remaining": "1000",
    "x-daylimit-remaining": "1000",
    "x-appminlimit-remaining": "0",
  };
  return { ...answer, headers: { ...answer.headers, ...limitHeaders } };
}

function fail(
  { headers, info }: ServiceRequest,
  error: unknown,
  limitStatus?: 429 | 503,
): ServiceResponse {
  const format = chooseFormat(headers.accept, { pdf: false }) === "json" ? "json" : "xml";
  const instance = info?.id ?? process.getBuiltinModule("node:crypto").randomUUID();
  return encodeError(format, error, { instance, limitStatus });
}

function markAnswer(answer: ServiceResponse, kind: FaultKind): ServiceResponse {
  return { ...answer, headers: { ...answer.headers, "x-chaos": kind } };
}

/** Cancels a body that will not be read. */
async function letGo({ body }: ServiceResponse): Promise<void> {
  if (isChunks(body)) await body[Symbol.asyncIterator]().return?.();
}

/** Returns the answer with its full head and part of its body. @throws Dropped without a body */
function cutBody(
  answer: ServiceResponse,
  force: number,
  sleep: FaultInjection["sleep"],
): ServiceResponse {
  const { headers, body } = answer;
  if (isChunks(body)) return { ...answer, body: firstPieceOf(body, sleep) };
  const bytes = Buffer.from(body as string);
  if (bytes.length === 0) throw new Dropped();
  const firstPiece = bytes.subarray(0, Math.floor(bytes.length * force));
  return {
    ...answer,
    headers: { ...headers, "content-length": String(bytes.length) },
    body: firstPieceOf([firstPiece], sleep),
  };
}

/** Yields the first piece, and then fails. @throws Dropped */
async function* firstPieceOf(
  body: Chunks | readonly Uint8Array[],
  sleep: FaultInjection["sleep"],
): AsyncGenerator<Uint8Array> {
  for await (const bodyPiece of body) {
    yield bodyPiece;
    break;
  }
  await sleep(leavingMs);
  throw new Dropped();
}
