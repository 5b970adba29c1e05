/**
 * /Extensions/Plans: changes that are reviewed before they are made, and then applied exactly as
 * shown.
 */

import type { Message } from "../../platform/mail.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { resources } from "../../resources/index.ts";
import {
  type Plan,
  type PlannedRecord,
  type PlannedRequest,
  plan,
  type TriedRequest,
} from "../../resources/plan.ts";
import { wordsOf } from "../../resources/scalar.ts";
import { validate } from "../../resources/validate.ts";
import { lastPublished } from "../../store/queries/published.ts";
import { addAppliedPlan, appliedPlan } from "../../store/records/applied-plans.ts";
import { changePlan } from "../../store/records/kept-plans.ts";
import { organisationOf } from "../../store/records/organisations.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import { contentDigest } from "../../wire/plan-digest.ts";
import { answer } from "../request/answer.ts";
import {
  type InTime,
  type RequestContext,
  type ServiceDependencies,
  startTimeLimit,
} from "../request/context.ts";
import { Faults, messagesOf } from "../request/faults.ts";
import { readOptional } from "../request/write.ts";
import { agentOf, operationNamed } from "../request/write-origin.ts";
import { amountsOf } from "./amounts.ts";
import { approvalsOf, approve, checkApprover } from "./approvals.ts";
import { needsOf } from "./needs.ts";
import { type Effects, effectsOf, imagesOf, lastJournalNumber, observe } from "./plan-effects.ts";
import { boundsOf, checkAgent } from "./policy.ts";
import { checkSignature, signPlan } from "./signature.ts";
import { runInTrial, type Trial, type WrittenRecord } from "./trial.ts";
import { checkApplicable, keep, type Proposal } from "./waiting-plans.ts";

/** Maximum number of requests in a plan. */
const requestsMax = 20_000;

/**
 * POST: tries the requests, rolls them back, and answers with their effects.
 *
 * With `answersOnly` it returns only the answers of the requests: for a command that continues with
 * them, and which may read records by `readAfter`.
 */
export async function makePlan(call: RequestContext): Promise<ServiceResponse> {
  const input = readPlan(call);
  const { Requests = [], Undoes } = input;
  // Plans of an undo are made by the service only (`operations/undo.ts`), which knows its own again.
  if (Undoes !== undefined) checkSignature(await call.planKey(), input, { orBare: true });
  const PlanID = input.PlanID ?? call.newId();
  const MadeAtUTC = input.MadeAtUTC ?? call.now();
  await checkApprover(call, input);
  const header = { ...input, PlanID, MadeAtUTC };
  const isObserving = call.query.boolean("answersOnly") !== true;
  const readAfter = isObserving ? undefined : call.query.get("readAfter");
  const requests: readonly TriedRequest[] =
    readAfter === undefined ? Requests : [...Requests, { Method: "GET", Path: readAfter }];
  await call.admit?.(call.principal.app, requests.length);
  const trialResult = await tryOut(call, header, async (transport) => {
    const inTime = startTimeLimit(call.bound);
    const answers = [];
    for (const [at, each] of requests.entries()) {
      inTime(at, requests.length, "requests");
      answers.push(await plannedAnswer(await transport(requestOf(each))));
    }
    inTime(requests.length - 1, requests.length, "requests");
    return answers;
  });
  const Answers = trialResult.result;
  if (!isObserving) return answer(call, plan, [{ ...header, Answers }], "single");
  const proposal = await sealByPolicy(call, header, await trialResult.effects(bodiesOf(input)));
  // What is refused now would be refused again.
  const hasSucceeded = Answers.every(({ Status }) => Status < 400);
  if (!hasSucceeded || call.query.boolean("keep") === false) {
    return answer(call, plan, [{ ...proposal.sealed, Answers }], "single");
  }
  return keep(call, proposal, Answers);
}

/** The result of a trial that was rolled back. */
interface TrialResult<T> {
  readonly result: T;
  /** @param bodies  bodies of the requests */
  effects(bodies: readonly string[]): Promise<Effects>;
}

/** Runs requests in a transaction that is rolled back. @throws RefusedError for an applied plan */
export async function tryOut<T>(
  call: PlanContext,
  { PlanID: planId, MadeAtUTC: madeAt = call.now() }: Pick<Plan, "PlanID" | "MadeAtUTC">,
  run: (transport: Transport) => Promise<T>,
): Promise<TrialResult<T>> {
  const operation = { id: planId };
  const { principal } = call;
  const options = { planId, madeAt, principal, info: undefined, dryRun: true, operation };
  const { result, observed } = await runInTrial(call, options, async (trial) => {
    // Its records have the ids that would be given again.
    const earlierPlan = await trial.store.read(principal.org, (tx) => appliedPlan(tx, planId));
    if (earlierPlan !== undefined) throw refusal("Plan", `The plan ${planId} was applied already.`);
    const lastNumber = await lastJournalNumber(trial.store, call.principal.org);
    const result = await run(trial.transport);
    return { result, observed: await observe(trial, lastNumber) };
  });
  return {
    result,
    async effects(bodies) {
      const before = await runInTrial(call, options, (trial) => imagesOf(trial, observed.written));
      return effectsOf({ ...observed, before, bodies });
    },
  };
}

/** Seals a plan by the policy of the caller, which says whether a person has to approve it. */
export async function sealByPolicy(
  call: RequestContext,
  header: Parameters<typeof seal>[1],
  effects: Effects,
): Promise<Proposal> {
  const bounds = await boundsOf(call, call.principal, call.request);
  const needs =
    bounds && (await call.read((tx) => needsOf(call, tx, bounds, { ...header, ...effects })));
  const { ApproveBy = needs && bounds?.approveBy } = header;
  const { total } = amountsOf(effects);
  return { sealed: await seal(call, { ...header, ApproveBy }, effects), amount: total, needs };
}

/** The parts of a request context that plans need. */
export type PlanContext = ServiceDependencies &
  Pick<RequestContext, "principal" | "now" | "serveWith" | "permits">;

const bodiesOf = ({ Requests = [] }: Pick<Plan, "Requests">) =>
  Requests.map(({ Body = "" }) => Body);

/** Returns a plan with its effects, signed by the service. */
export async function seal(
  call: PlanContext,
  header: Pick<Plan, "PlanID" | "MadeAtUTC" | "Requests" | "Command" | "ApproveBy" | "Undoes">,
  effects: Effects,
): Promise<Plan> {
  const { PlanID, MadeAtUTC, Requests = [], Command, ApproveBy, Undoes } = header;
  const { OrganisationID } = await call.store.read(call.principal.org, organisationOf);
  const effectsShown = call.principal.reports
    ? effects
    : { ...effects, Journals: [], Accounts: [], Taxes: [] };
  return signPlan(await call.planKey(), {
    PlanID,
    OrganisationID,
    Command,
    MadeBy: call.principal.user,
    MadeAtUTC,
    ApproveBy,
    Undoes,
    Requests,
    ...effectsShown,
    ContentDigest: contentDigest(effectsShown),
  });
}

/** POST …/Check: verifies that a plan is unchanged, and answers it with its approvals. */
export async function checkPlan(call: RequestContext): Promise<ServiceResponse> {
  const plan = readPlan(call);
  const { OrganisationID } = await call.read(organisationOf);
  if (OrganisationID !== plan.OrganisationID) {
    throw new NotFoundError("NotFound", "The plan is of other books than these.");
  }
  checkSignature(await call.planKey(), plan);
  return call.read((tx) => answerApproved(call, tx, plan));
}

async function answerApproved(call: RequestContext, tx: Tx, sent: Plan): Promise<ServiceResponse> {
  return answer(call, plan, [{ ...sent, Approvals: await approvalsOf(tx, sent) }], "single");
}

/** POST …/Approve: approves a plan, by a person other than its maker. */
export async function approvePlan(call: RequestContext): Promise<ServiceResponse> {
  const plan = readPlan(call);
  checkSignature(await call.planKey(), plan);
  const { ApproveBy } = plan;
  if (ApproveBy === undefined) throw refusal("Plan", "The plan asks for nobody's approval.");
  const { email } = call.principal;
  if (email.toLowerCase() !== ApproveBy.toLowerCase()) {
    throw refusal("Plan", `The plan is to be approved by ${ApproveBy}, and you are ${email}.`);
  }
  return approve(call, plan, (tx) => answerApproved(call, tx, plan));
}

/**
 * POST …/Apply: applies exactly the shown effects, completely and only once.
 *
 * @throws RefusedError where the plan was changed, is not approved, or would have other effects;
 *   nothing is changed then
 */
export async function applyPlan(call: RequestContext): Promise<ServiceResponse> {
  const plan = readPlan(call);
  checkSignature(await call.planKey(), plan, { orBare: true });
  return applyMade(call, { ...plan, Agent: undefined });
}

/** Applies a plan whose signature was checked. @throws as `applyPlan` */
export async function applyMade(call: RequestContext, plan: Plan): Promise<ServiceResponse> {
  const { Requests = [], ApproveBy } = plan;
  if (ApproveBy !== undefined && (await call.read((tx) => approvalsOf(tx, plan))).length === 0) {
    throw refusal("Plan", `The plan waits for the approval of ${ApproveBy}.`);
  }
  await call.admit?.(call.principal.app, Requests.length);
  const bounds = await boundsOf(call, call.principal, call.request);
  return carryOut(call, plan, async (trial) => {
    await trial.store.read(call.principal.org, (tx) => checkApplicable(call, tx, plan, bounds));
    return resultOf(call, plan, trial);
  });
}

/** Tries whether a plan could be applied, and takes it back. @throws as `applyPlan` */
export async function tryApplying(call: RequestContext, plan: Plan): Promise<void> {
  const { PlanID: planId, MadeAtUTC: madeAt = call.now() } = plan;
  const { principal } = call;
  await runInTrial(
    call,
    { planId, madeAt, principal, info: undefined, dryRun: true, operation: { id: planId } },
    (trial) => resultOf(call, plan, trial),
  );
}

/** Sends the requests of a plan. @throws RefusedError where they have other effects than it shows */
async function resultOf(call: RequestContext, plan: Plan, trial: Trial): Promise<Partial<Plan>> {
  const { org } = call.principal;
  const { MadeAtUTC = 0, Requests = [], Undoes } = plan;
  if (Undoes !== undefined) await trial.store.read(org, (tx) => checkPublished(tx, MadeAtUTC));
  const lastNumber = await lastJournalNumber(trial.store, org);
  const before = await imagesOf(trial, recordsOf(plan));
  const Answers = await answerAll(trial, Requests, startTimeLimit(call.bound));
  const observed = { ...(await observe(trial, lastNumber)), before, bodies: bodiesOf(plan) };
  const effects = effectsOf(observed);
  checkEffects(plan, effects);
  // New records may get other numbers from the book than those shown in the plan.
  const Records = effects.Records.map(({ Before: _, After: __, ...each }) => each);
  return { Records, Answers };
}

/**
 * Applies a plan completely and only once, and answers with the plan.
 *
 * @param runTrial  sends the requests, and returns what the answer reports of them
 */
export async function carryOut(
  call: RequestContext,
  header: Plan,
  runTrial: (trial: Trial) => Promise<Partial<Plan>>,
): Promise<ServiceResponse> {
  const { org, user } = call.principal;
  const { PlanID, MadeAtUTC = 0 } = header;
  const outcome = await runInTrial(
    call,
    {
      planId: PlanID,
      madeAt: MadeAtUTC,
      principal: call.principal,
      info: call.request.info,
      dryRun: call.dryRun,
      operation: {
        id: call.newId(),
        command: header.Command,
        ...operationNamed(call),
        undoes: header.Undoes,
        agent: header.Agent ?? agentOf(call),
      },
    },
    async (trial) => {
      const inner = call.within(trial.store);
      const earlierOne = await trial.store.read(org, (tx) => appliedPlan(tx, PlanID));
      if (earlierOne !== undefined) {
        const applied = { ...header, AppliedAtUTC: earlierOne.at };
        // For a repeated idempotency key this returns the first response.
        const response = await inner.write(async () => answer(inner, plan, [applied], "single"));
        return { response, messages: [], forgotten: [] };
      }
      const result = await runTrial(trial);
      const response = await inner.write(async (tx) => {
        const at = inner.now();
        await addAppliedPlan(tx, { id: PlanID, user, at });
        const applied_app = call.principal.app;
        await changePlan(tx, PlanID, { state: "APPLIED", applied_at: at, applied_app });
        return answer(inner, plan, [{ ...header, AppliedAtUTC: at, ...result }], "single");
      });
      return { response, messages: [...trial.messages], forgotten: [...trial.forgotten] };
    },
  );
  if (!call.dryRun) {
    await send(call, outcome.messages);
    for (const addresses of outcome.forgotten) await call.mailer.forget?.(addresses);
    if (outcome.forgotten.length > 0) await call.store.compact();
  }
  return outcome.response;
}

function readPlan(call: RequestContext): Plan {
  const input = readOptional(call, { resource: plan }) as Plan;
  const faults = new Faults();
  faults.addAll(validate(plan.fields, input, { creating: true }));
  const { Requests = [] } = input;
  if (Requests.length === 0) faults.add("Plan", "A plan has at least one request.");
  if (Requests.length > requestsMax) {
    faults.add("Plan", `A plan has at most ${requestsMax} requests, not ${Requests.length}.`);
  }
  for (const { Method, Path } of Requests) {
    const route = call.routeAt(Method, Path);
    if (route !== undefined) checkAgent(call.principal, route);
    if (call.routeAt("POST", Path)?.answers !== plan) continue;
    faults.add("Plan", `A plan cannot hold another: ${Method} ${Path}`);
  }
  faults.check();
  return input;
}

async function answerAll(
  { transport: handle }: Trial,
  requests: readonly PlannedRequest[],
  inTime: InTime,
) {
  const answers = [];
  for (const [at, each] of requests.entries()) {
    inTime(at, requests.length, "requests");
    const response = await handle(requestOf(each));
    if (response.status >= 400) {
      const { status, headers, body } = response;
      const error = await decodeError(status, headers, await textOf(body));
      const { Method, Path } = each;
      throw new RefusedError(
        "PlanOutdated",
        `Nothing of the plan was done, since its ${ordinal(at)} request, ${Method} ${Path}, is refused now: ${messagesIn(error)}`,
      );
    }
    answers.push(await plannedAnswer(response));
  }
  return answers;
}

function messagesIn(error: Error): string {
  return error instanceof RefusedError ? messagesOf(error).join(" ") : error.message;
}

const ordinal = (at: number) => ["first", "second", "third"][at] ?? `${at + 1}th`;

function recordsOf({ Records = [] }: Plan): WrittenRecord[] {
  return Records.flatMap(({ Resource, RecordID }) => {
    const resource = resources.find(({ name }) => name === Resource);
    return resource === undefined ? [] : [{ resource, id: RecordID }];
  });
}

/** @throws RefusedError where the undo may affect a tax return that was published since */
async function checkPublished(tx: Tx, madeAt: number): Promise<void> {
  const published = await lastPublished(tx);
  if (published === undefined || published.at < madeAt) return;
  throw new RefusedError(
    "PlanOutdated",
    `A tax return up to ${published.to} was published since the plan was made. Nothing was done; make the plan anew.`,
  );
}

/** @throws RefusedError which names the effects that differ from the plan */
function checkEffects(plan: Plan, effects: Effects): void {
  const by = (records: readonly PlannedRecord[]) =>
    new Map(records.map((record) => [`${record.Resource} ${record.RecordID}`, record]));
  const [planned, now] = [by(plan.Records ?? []), by(effects.Records)];
  const changedKeys = [...new Set([...planned.keys(), ...now.keys()])].filter(
    (key) => planned.get(key)?.Digest !== now.get(key)?.Digest,
  );
  const names = changedKeys.map((key) => {
    const { Resource = "", Name, RecordID } = planned.get(key) ?? now.get(key) ?? {};
    return `${wordsOf(Resource).toLowerCase()} ${Name ?? RecordID}`;
  });
  if (names.length === 0 && plan.JournalsDigest !== effects.JournalsDigest) {
    names.push("what would be posted or sent");
  }
  if (names.length === 0) return;
  throw new RefusedError(
    "PlanOutdated",
    `The books have moved since the plan was made: ${names.slice(0, namedMax).join(", ")}` +
      `${names.length > namedMax ? ` and ${names.length - namedMax} more` : ""} would not become what it shows. ` +
      "Nothing was done; make the plan anew.",
  );
}

const namedMax = 5;

async function send({ mailer }: RequestContext, messages: readonly Message[]): Promise<void> {
  for (const message of messages) await mailer(message);
}

function pathOf(url: string): { readonly path: string; readonly query: string } {
  const questionMarkAt = url.indexOf("?");
  if (questionMarkAt < 0) return { path: url, query: "" };
  return { path: url.slice(0, questionMarkAt), query: url.slice(questionMarkAt + 1) };
}

/** Converts a planned request to a request of the service. */
export function requestOf({
  Method,
  Path,
  MediaType,
  Body,
  Encoding,
}: TriedRequest): ServiceRequest {
  const { path, query } = pathOf(Path);
  if (!path.startsWith("/"))
    throw refusal("Plan", `A path begins with a slash, unlike '${path.slice(0, 60)}'.`);
  return {
    method: Method,
    path,
    query: [...new URLSearchParams(query)],
    headers: {
      accept: "application/json",
      ...(MediaType === undefined ? {} : { "content-type": MediaType }),
      ...(Body === undefined
        ? {}
        : { "content-length": String(bytesOf({ Body, Encoding }).length) }),
    },
    ...(Body === undefined ? {} : { body: bytesOf({ Body, Encoding }) }),
  };
}

const bytesOf = ({ Body = "", Encoding }: Pick<PlannedRequest, "Body" | "Encoding">) =>
  Buffer.from(Body, Encoding === "BASE64" ? "base64" : "utf8");

async function plannedAnswer({ status, headers, body }: ServiceResponse) {
  return { Status: status, MediaType: headers["content-type"], Body: await textOf(body) };
}
