/**
 * Tries the requests of a command, to record them as a plan.
 *
 * From the first write on, each request is answered as if the earlier writes had been made. An
 * embedded book does this in a transaction that stays open; a remote service, which keeps no state
 * between requests, is sent all earlier writes again each time.
 */
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import { pathOf } from "../resources/field.ts";
import { type Plan, type PlannedRequest, plan, type TriedRequest } from "../resources/plan.ts";
import { collect, textOf } from "../wire/body.ts";
import { decodeAnswer } from "../wire/decode/decode-answer.ts";
import { decodeError } from "../wire/decode/failure.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import { encodeInputs } from "../wire/plain.ts";

export type PlanHeader = Pick<Plan, "Command" | "ApproveBy">;

/** A trial that answers requests without keeping their effects. */
export interface TrialRoom {
  /**
   * Answers a request after earlier writes.
   *
   * @param requestsBefore  the writes tried before
   * @param isDryRun  whether later requests ignore this one
   */
  answer(
    request: TriedRequest,
    requestsBefore: readonly PlannedRequest[],
    isDryRun: boolean,
  ): Promise<ServiceResponse>;
  plan(requests: readonly PlannedRequest[]): Promise<Plan>;
  close(): Promise<void>;
}

export interface Planning {
  readonly transport: Transport;
  /** Returns the plan of the requests; undefined where none of them writes. */
  plan(): Promise<Plan | undefined>;
  close(): Promise<void>;
}

const isWrite = (request: TriedRequest): request is PlannedRequest => request.Method !== "GET";

/** Maximum size in bytes of a request body in a plan. */
const bodyBytesMax = 25 * 1024 * 1024;

/**
 * Returns a transport that records writes.
 *
 * @param transport  answers the reads before the first write
 * @param openTrial       opens the trial of the writes
 */
export function recordWrites(transport: Transport, openTrial: () => Promise<TrialRoom>): Planning {
  const writes: PlannedRequest[] = [];
  let trialRoom: Promise<TrialRoom> | undefined;
  return {
    async transport(request) {
      const isDryRun = request.headers["x-dry-run"] === "true";
      const isRead = request.method === "GET" || request.method === "HEAD" || isDryRun;
      if (isRead && writes.length === 0) return transport(request);
      const planned = await plannedRequest(request);
      trialRoom ??= openTrial();
      const response = await (await trialRoom).answer(planned, writes, isDryRun);
      if (isWrite(planned) && !isDryRun && response.status < 300) writes.push(planned);
      return response;
    },
    plan: async () => (writes.length === 0 ? undefined : (await trialRoom)?.plan(writes)),
    close: async () => (await trialRoom?.catch(() => undefined))?.close(),
  };
}

async function plannedRequest({ method, path, query, headers, body }: ServiceRequest) {
  const parameters = String(
    new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
  );
  const bytes = body === undefined ? undefined : await collect(body, bodyBytesMax);
  const planned: TriedRequest = {
    Method: (method === "HEAD" ? "GET" : method) as TriedRequest["Method"],
    Path: parameters === "" ? path : `${path}?${parameters}`,
    MediaType: headers["content-type"],
    ...bodyOf(bytes),
  };
  return planned;
}

function bodyOf(bytes: Uint8Array | undefined): Pick<PlannedRequest, "Body" | "Encoding"> {
  if (bytes === undefined) return {};
  try {
    return { Body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { Body: Buffer.from(bytes).toString("base64"), Encoding: "BASE64" };
  }
}

/** Paths of settings, which writes of documents, payments, contacts and items leave as they are. */
const settings = /^\/(Organisation|Accounts|TaxRates|TrackingCategories|Currencies)\b/;
const changesSettings = ({ Path }: PlannedRequest) =>
  settings.test(Path) || /^\/(Setup|Extensions)\b/.test(Path);

/** Returns a trial at a remote service that supports plans. */
export function roomAt(transport: Transport, header: PlanHeader): TrialRoom {
  let planMade: Pick<Plan, "PlanID" | "MadeAtUTC"> | undefined;
  /** Answered reads of settings, by path: each read is tried after all writes again. */
  const answerByKey = new Map<string, ServiceResponse>();
  const ask = async (
    requests: readonly PlannedRequest[],
    query: ServiceRequest["query"],
  ): Promise<Plan> => {
    const signedPlan = await planAnswered(transport, pathOf(plan), {
      body: { ...header, ...planMade, Requests: requests },
      query,
    });
    const { PlanID, MadeAtUTC } = signedPlan;
    // Ids of new records derive from the plan id, and appear in later requests.
    planMade ??= { PlanID, MadeAtUTC };
    return signedPlan;
  };
  return {
    async answer(request, requestsBefore) {
      if (isWrite(request) && changesSettings(request)) answerByKey.clear();
      const keptAnswer = isWrite(request) ? undefined : answerByKey.get(request.Path);
      if (keptAnswer !== undefined) return keptAnswer;
      const answersOnly = ["answersOnly", "true"] as const;
      const { Answers = [] } = isWrite(request)
        ? await ask([...requestsBefore, request], [answersOnly])
        : await ask(requestsBefore, [answersOnly, ["readAfter", request.Path]]);
      const lastAnswer = Answers.at(-1);
      if (lastAnswer === undefined) {
        throw new UnavailableError("AnswerUnreadable", "The service answered without its answers.");
      }
      const { Status, MediaType = "application/json", Body = "", Encoding } = lastAnswer;
      const body = Encoding === "BASE64" ? Buffer.from(Body, "base64") : Body;
      const response = { status: Status, headers: { "content-type": MediaType }, body };
      if (!isWrite(request) && settings.test(request.Path)) answerByKey.set(request.Path, response);
      return response;
    },
    async plan(requests) {
      const { Answers: _, ...made } = await ask(requests, [["keep", "false"]]);
      return made;
    },
    close: async () => undefined,
  };
}

/**
 * Sends a plan request.
 *
 * @throws RefusedError `NotOffered`, or the error of the service
 */
export async function planAnswered(
  transport: Transport,
  path: string,
  {
    body,
    query = [],
    headers = {},
    isOffered = false,
  }: {
    readonly body: object;
    readonly query?: ServiceRequest["query"];
    readonly headers?: Readonly<Record<string, string>>;
    /** Whether the service is known to offer the requested extension. */
    readonly isOffered?: boolean;
  },
): Promise<Plan> {
  const response = await transport({
    method: "POST",
    path,
    query,
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: Buffer.from(encodeInputs(plan, [body])),
  });
  if (response.status === 404 && !isOffered) {
    const message = "This service has no plans: they are an extension of acct's own service.";
    throw new RefusedError("NotOffered", message);
  }
  const text = await textOf(response.body);
  if (response.status >= 400) throw await decodeError(response.status, response.headers, text);
  const [made] = decodeAnswer(plan, text).records as unknown as Plan[];
  if (made !== undefined) return made;
  throw new UnavailableError("AnswerUnreadable", "The service answered without the plan.");
}
