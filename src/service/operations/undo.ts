/**
 * Undo of an operation: finds the requests for it by trying them, in the order of dependencies, and
 * answers with a plan to review before it is applied.
 */
import { type AcctError, NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { type FieldValues, idOf, type Resource } from "../../resources/field.ts";
import {
  bankTransaction,
  manualJournal,
  operation as operationResource,
  resources,
} from "../../resources/index.ts";
import { type Plan, type PlannedRequest, plan } from "../../resources/plan.ts";
import type { RuleName } from "../../resources/refusal-rules.ts";
import type { Row } from "../../store/connection/connection.ts";
import { list } from "../../store/mapping/records.ts";
import type { RowTable } from "../../store/operations/effects.ts";
import {
  type LoggedRequest,
  requestsAfter,
  requestsOf,
  undosOf,
} from "../../store/operations/log.ts";
import { lastPublishedDay } from "../../store/queries/published.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { textOf } from "../../wire/body.ts";
import { decodeAnswer } from "../../wire/decode/decode-answer.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceResponse, Transport } from "../../wire/http.ts";
import { checkApprover } from "../plans/approvals.ts";
import { currentRecords } from "../plans/plan-effects.ts";
import { carryOut, requestOf, sealByPolicy, tryOut } from "../plans/plans.ts";
import { keep } from "../plans/waiting-plans.ts";
import { answer } from "../request/answer.ts";
import { type InTime, type RequestContext, startTimeLimit } from "../request/context.ts";
import { locate } from "../request/endpoint.ts";
import { messagesOf } from "../request/faults.ts";
import { readOptional } from "../request/write.ts";
import { type ActionResult, type AssetDeeds, assetActions, undoActions } from "./asset-actions.ts";
import {
  activeDependents,
  keyOf,
  type Later,
  named,
  refuseDependents,
  short,
  titleOf,
} from "./dependents.ts";
import {
  type Effect,
  effectsIn,
  inputToRestore,
  isUnchanged,
  mergeEffects,
  namesOf,
  type RecordNames,
} from "./operation-effects.ts";
import { findUndone, operations, type StoredOperation } from "./operations.ts";
import { type Request, recordPath } from "./reversal-requests.ts";
import { type Requests, type Reversible, reversalOf } from "./reversals.ts";
import { rowReversalOf } from "./row-reversals.ts";
import { Successors } from "./successors.ts";

/**
 * POST /Extensions/Operations/{OperationID}/Undo: answers the plan of an undo; with `apply` it is
 * done at once, in the transaction of the trial, and the answer reports the changes.
 */
export async function planUndo(call: RequestContext, key: string): Promise<ServiceResponse> {
  const request = readOptional(call, { resource: plan }) as Partial<Plan>;
  await checkApprover(call, request);
  const answerUndo = call.query.boolean("apply") === true ? undoAtOnce : makePlan;
  if (!/^last$/i.test(key)) return answerUndo(call, key, request);
  const [last = "", ...earlier] = await call.read((tx) => lastOf(call, tx));
  try {
    return await answerUndo(call, last, request);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== notUndone) throw error;
    throw await withRemedy(call, error, earlier, request);
  }
}

/** Maximum number of earlier operations that are tried, to suggest one that can be undone. */
const triedBefore = 3;

/** Adds to a refusal which earlier operation can be undone, if there is one. */
async function withRemedy(
  call: RequestContext,
  refusal: RefusedError,
  earlierNumbers: readonly string[],
  request: Partial<Plan>,
): Promise<RefusedError> {
  for (const number of earlierNumbers.slice(0, triedBefore)) {
    try {
      await makePlan(call, number, request);
    } catch (error) {
      if (error instanceof RefusedError) continue;
      throw error;
    }
    const remedySentence = `; acct undo ${number} takes back an earlier one.`;
    const message = refusal.message.replace(/\.$/, remedySentence);
    return refusal.withMessage(message, refusal.details);
  }
  return refusal;
}

async function makePlan(
  call: RequestContext,
  key: string,
  request: Partial<Plan>,
): Promise<ServiceResponse> {
  const undoCase = await call.read((tx) => factsOf(call, tx, key));
  const { requests } = undoCase;
  const header = undoHeader(call, undoCase, request);
  await call.admit?.(call.principal.app, requests.length);
  const trialResult = await tryOut(call, header, (transport) =>
    new Undoing(transport, undoCase, startTimeLimit(call.bound)).run(),
  );
  const Requests = trialResult.result;
  if (Requests.length === 0) throw refusalOf(undoCase, [noEffectsReason(requests)]);
  await checkApprover(call, { ...request, Requests });
  const effects = await trialResult.effects(Requests.map(({ Body = "" }) => Body));
  const proposal = await sealByPolicy(call, { ...header, Requests }, effects);
  if (call.query.boolean("keep") === true) return keep(call, proposal, []);
  return answer(call, plan, [proposal.sealed], "single");
}

/** Undoes an operation at once, without a plan to review. */
async function undoAtOnce(
  call: RequestContext,
  key: string,
  request: Partial<Plan>,
): Promise<ServiceResponse> {
  const { org, app, user } = call.principal;
  if (request.PlanID === undefined || request.ApproveBy !== undefined) {
    const message =
      "What is applied at once has a PlanID, by which a repeat is known, and waits for no approval.";
    throw refusal("Plan", message);
  }
  const foreseen = await call.read((tx) => factsOf(call, tx, key));
  await call.admit?.(app, foreseen.requests.length);
  const header = { ...undoHeader(call, foreseen, request), MadeBy: user };
  return carryOut(call, header, async (trial) => {
    // Read again inside the write transaction, when no other writer can interfere.
    const { OperationID } = foreseen.operation;
    const undoCase = await trial.store.read(org, (tx) => factsOf(call, tx, OperationID));
    const Requests = await new Undoing(trial.transport, undoCase, startTimeLimit(call.bound)).run();
    if (Requests.length === 0) throw refusalOf(undoCase, [noEffectsReason(undoCase.requests)]);
    return { Requests, Records: await currentRecords(trial, undoCase.names.nameIn) };
  });
}

const undoHeader = (
  call: RequestContext,
  { operation, requests }: UndoCase,
  { PlanID, Command, ApproveBy }: Partial<Plan>,
) => ({
  PlanID: PlanID ?? call.newId(),
  MadeAtUTC: call.now(),
  Command: `${Command ?? "undo"}, which takes back operation ${operation.Number} (${short(titleOf(requests))})`,
  ApproveBy,
  Undoes: operation.OperationID,
});

function noEffectsReason(requests: readonly LoggedRequest[]): string {
  if (isUnchanged(requests)) return "it changed nothing";
  return requests.some(({ path }) => /^\/Extensions\/Erasures\//i.test(path))
    ? "what was erased of a person is not known any more"
    : "what it did is undone already, or stays as a note in the history";
}

/** An operation with the data that decides whether it can be undone. */
interface UndoCase {
  readonly operation: StoredOperation;
  readonly requests: readonly LoggedRequest[];
  readonly effects: readonly Effect[];
  readonly names: RecordNames;
  /** Later operations that were not undone, with the records they wrote. */
  readonly later: readonly Later[];
  /** Successors of records that were created again since. */
  readonly successors: Successors;
  readonly publishedTo: string | undefined;
}

async function factsOf(call: RequestContext, tx: Tx, key: string): Promise<UndoCase> {
  const operationFound = await locate(call, tx, operations, key);
  await refuseUndone(tx, operationFound);
  const operation = await lastOperationOf(call, tx, operationFound);
  const requests = await requestsOf(tx, [operation.OperationID]);
  const lastRequest = requests.at(-1)?.number ?? operation.Number;
  const laterRequests = await requestsAfter(tx, lastRequest);
  const effects = mergeEffects(effectsIn(requests));
  const names = await namesOf(tx, effects);
  const laterOperations = activeDependents(laterRequests, operation.OperationID);
  const undoCase = {
    operation,
    requests,
    effects,
    names,
    later: laterOperations,
    successors: new Successors([...requests, ...laterRequests]),
    publishedTo: await lastPublishedDay(tx),
  };
  refuseDependents({ ...undoCase, number: operation.Number });
  return undoCase;
}

/** Returns the operation that last did it: for an operation undone and redone, the redo. */
async function lastOperationOf(
  call: RequestContext,
  tx: Tx,
  operation: StoredOperation,
): Promise<StoredOperation> {
  const undoers = (await undosOf(tx, [operation.OperationID])).get(operation.OperationID);
  const undo = undoers?.at(-1);
  if (undo === undefined) return operation;
  const again = (await findUndone(tx, [undo.id])).get(undo.id);
  if (again === undefined) return operation;
  return lastOperationOf(call, tx, await locate(call, tx, operations, again.id));
}

/**
 * Returns the numbers of the caller's latest operations that are no undo and were not undone,
 * newest first.
 *
 * @throws NotFoundError where there is none
 */
async function lastOf(call: RequestContext, tx: Tx): Promise<string[]> {
  const { user } = call.principal;
  const field = (path: string, kind: "id" | "text") => ({ path, kind });
  const isAbsent = (path: string) =>
    ({ op: "compare", field: field(path, "id"), cmp: "=", value: null }) as const;
  const byUser = { op: "text", field: field("User", "text"), test: "equals", value: user } as const;
  const condition = { op: "and", args: [isAbsent("PartOf"), isAbsent("Undoes"), byUser] } as const;
  const order = [
    { field: { path: "Number", kind: "integer" as const }, direction: "desc" as const },
  ];
  for (let offset = 0; ; offset += pageSize) {
    const { records } = await list(tx, operationResource, {
      where: condition,
      order,
      limit: pageSize,
      offset,
    });
    const ids = records.map(({ OperationID }) => OperationID);
    const undoneIds = await findUndone(tx, ids);
    const stillActive = records.filter(({ OperationID }) => !undoneIds.has(OperationID));
    if (stillActive.length > 0) return stillActive.map(({ Number: number }) => String(number));
    if (records.length < pageSize) break;
  }
  throw new NotFoundError("NotFound", `${user} has done nothing that could be undone.`);
}

const pageSize = 50;

async function refuseUndone(tx: Tx, operation: StoredOperation): Promise<void> {
  const by = (await findUndone(tx, [operation.OperationID])).get(operation.OperationID);
  if (by === undefined) return;
  throw new RefusedError(
    "Undone",
    `Operation ${operation.Number} was undone by operation ${by.number}; acct undo ${by.number} does it again.`,
  );
}

function refusalOf(
  { operation: { Number: number } }: Pick<UndoCase, "operation">,
  reasons: readonly string[],
): RefusedError {
  const [first = "", ...others] = reasons;
  const andMore = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const message = `Operation ${number} cannot be undone: ${first}${andMore}.`;
  // A single reason is already in the sentence.
  const details = others.length === 0 ? [] : reasons.map((reason) => ({ message: `${reason}.` }));
  return new RefusedError(notUndone, message, details);
}

const notUndone = "NotUndone";

// --- trial ---------------------------------------------------------------------------------------

/** A step of an undo, done in one go. */
interface UndoStep {
  readonly rank: number;
  /**
   * Order of the steps: created records are ended, changed ones restored, ended ones created again,
   * and last come archived contacts and accounts, and lock dates.
   */
  readonly phase: 0 | 1 | 2 | 3;
  run(): Promise<void>;
}

const phaseOf = { CREATED: 0, CHANGED: 1, VOIDED: 2, REMOVED: 2 } as const satisfies Record<
  Reversible,
  UndoStep["phase"]
>;

/** A record to be sent with others in one body. */
interface PendingRequest {
  readonly title: string;
  readonly request: Request;
  readonly effect: Effect | undefined;
}

/** Whether the undo archives the record again. */
const closes = ({ change, former }: Effect): boolean =>
  change === "CHANGED" && (former.ContactStatus === "ARCHIVED" || former.Status === "ARCHIVED");

/** Returns the lock dates that the undo moves to a later day. */
function laterLockDates(former: FieldValues, current: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(former).filter(
      ([name, day]) => name.endsWith("LockDate") && String(day) > String(current[name] ?? ""),
    ),
  );
}

/** Returns the former values except the lock dates of `closing`. */
function withoutLockDates(former: FieldValues, current: FieldValues): FieldValues {
  const laterDates = laterLockDates(former, current);
  return Object.fromEntries(Object.entries(former).filter(([name]) => !(name in laterDates)));
}

/** Tries requests in a transaction until the whole operation is undone. */
class Undoing {
  readonly #handle: Transport;
  readonly #facts: UndoCase;
  readonly #inTime: InTime;
  readonly #deeds: AssetDeeds;
  readonly #done: PlannedRequest[] = [];
  readonly #refusals: string[] = [];

  constructor(transport: Transport, undoCase: UndoCase, inTime: InTime) {
    this.#handle = transport;
    this.#inTime = inTime;
    this.#facts = undoCase;
    this.#deeds = assetActions(undoCase.requests);
  }

  /** @returns the requests of the undo @throws RefusedError with what prevents it */
  async run(): Promise<PlannedRequest[]> {
    const { requests } = this.#facts;
    if (requests.some(({ path }) => /\/Email$/i.test(path))) {
      throw refusalOf(this.#facts, ["an email that was sent cannot be called back"]);
    }
    const steps = [...this.#depreciation(), ...this.#records(), ...this.#rows()];
    // Created records are ended in the order of ranks; others are restored or recreated in reverse.
    const order = (step: UndoStep) =>
      step.phase * 1000 + (step.phase === 0 ? step.rank : -step.rank);
    for (const [at, step] of steps.toSorted((a, b) => order(a) - order(b)).entries()) {
      this.#inTime(at, steps.length, "records");
      await step.run();
    }
    await this.#flush();
    if (this.#refusals.length > 0) throw refusalOf(this.#facts, this.#refusals);
    return this.#done;
  }

  /** Rolls back depreciation and disposals through their journals; rolled-back ones run again. */
  #depreciation(): UndoStep[] {
    const { journals } = this.#deeds;
    if (journals.length === 0) return [];
    const run = async () => {
      const results: FieldValues[] = [];
      for (const id of journals) {
        const journal = await this.#read(manualJournal, id);
        if (journal !== undefined) results.push({ ...journal, ManualJournalID: id });
      }
      await this.#flush();
      const refusal = await undoActions(this.#deeds, results, (request) => this.#answerTo(request));
      if (refusal !== undefined) this.#refusals.push(refusal);
    };
    return [{ rank: 0, phase: 0, run }];
  }

  #records(): UndoStep[] {
    const { effects } = this.#facts;
    const reconciled = this.#reconciled();
    return effects.flatMap((effect): UndoStep[] => {
      const { change, resource, id } = effect;
      if (change === "TOUCHED" || this.#deeds.journals.includes(id)) return [];
      const reversal = reversalOf(resource);
      const take = async (partOf: (former: FieldValues, current: FieldValues) => FieldValues) => {
        const current = await this.#read(readResource(effect), id);
        const former = partOf(inputToRestore(effect), current ?? {});
        const parts = this.#linesOf(effect);
        const alternatives = reversal[change]({ effect, former, current, reconciled, parts });
        const title = this.#called(effect);
        if (typeof alternatives === "string") this.#refusals.push(`${title}: ${alternatives}`);
        else if (alternatives.length > 0) {
          const published = this.#published(effect, current);
          if (published)
            this.#refusals.push(`${title} ${published}; ${reversal.instead} corrects it`);
          else await this.#try(title, alternatives, effect);
        }
      };
      const step = (rank: number, phase: UndoStep["phase"], part: Parameters<typeof take>[0]) => ({
        rank,
        phase,
        run: () => take(part),
      });
      const allFields = (former: FieldValues) => former;
      // Former lock dates and settings apply to the whole undo, so they go first; matches of bank
      // lines go before the matched records.
      if (resource.name === "Organisation") {
        return [step(-1, 0, withoutLockDates), step(reversal.rank, 3, laterLockDates)];
      }
      if (resource.name === "BankStatementLine") return [step(-1, 0, allFields)];
      return [step(reversal.rank, closes(effect) ? 3 : phaseOf[change], allFields)];
    });
  }

  /** Returns the former lines of a removed bank statement. */
  #linesOf({ resource, id, change }: Effect): FieldValues[] | undefined {
    if (resource.name !== "BankStatement" || change !== "REMOVED") return undefined;
    return this.#facts.effects
      .filter(
        ({ resource: { name }, change: own }) => name === "BankStatementLine" && own === change,
      )
      .map(inputToRestore)
      .filter(({ BankStatementID }) => BankStatementID === id);
  }

  #rows(): UndoStep[] {
    const rowsByTable = new Map<RowTable, { addedRows: Row[]; removed: Row[] }>();
    for (const { effects } of this.#facts.requests) {
      for (const [table, { added = [], removed = [] }] of Object.entries(effects.rows)) {
        const tableRows = rowsByTable.get(table as RowTable) ?? { addedRows: [], removed: [] };
        tableRows.addedRows.push(...added);
        tableRows.removed.push(...removed);
        rowsByTable.set(table as RowTable, tableRows);
      }
    }
    const read = async (name: string, id: string) => {
      const resource = resources.find((resource) => resource.name === name);
      return resource && this.#read(resource, id);
    };
    return [...rowsByTable].map(([table, rows]) => {
      const { rank, reverse: take } = rowReversalOf(table);
      const isAgain = rows.addedRows.length === 0;
      const run = async () => {
        const ways = await take({ ...rows, read });
        if (typeof ways === "string") this.#refusals.push(ways);
        else for (const each of ways) await this.#try(table.replaceAll("_", " "), each, undefined);
      };
      return { rank, phase: isAgain ? 2 : 0, run };
    });
  }

  /** Returns the ids of records that the operation reconciled or unreconciled. */
  #reconciled(): ReadonlySet<string> {
    const rows = this.#facts.requests.flatMap(({ effects }) => {
      const { added = [], removed = [] } = effects.rows.bank_match ?? {};
      return [...added, ...removed];
    });
    return new Set(rows.map(([, recordId]) => String(recordId)));
  }

  /** Returns why a record in a published tax return cannot be undone; undefined for others. */
  #published({ resource, change }: Effect, current: FieldValues | undefined): string | undefined {
    const { publishedTo } = this.#facts;
    const { Date: date, Status } = current ?? {};
    const isPosting = reversalOf(resource).instead !== undefined && change !== "REMOVED";
    const isDraft = Status === "DRAFT" || Status === "SUBMITTED" || Status === "DELETED";
    if (publishedTo === undefined || !isPosting || isDraft || typeof date !== "string")
      return undefined;
    return date <= publishedTo
      ? `stands in a tax return up to ${publishedTo} that was published`
      : undefined;
  }

  #called({ resource, id }: Pick<Effect, "resource" | "id">): string {
    const { nameIn, nounIn } = this.#facts.names;
    return `${nounIn({ resource, id })} ${nameIn({ resource, id }) ?? id}`;
  }

  // --- requests ----------------------------------------------------------------------------------

  /** Records of one resource that wait to be sent in one body. */
  #waiting: PendingRequest[] = [];

  async #try(title: string, ways: readonly Requests[], effect: Effect | undefined): Promise<void> {
    const [first] = ways;
    const [only] = first ?? [];
    if (ways.length === 1 && first?.length === 1 && only?.batch !== undefined) {
      const [before] = this.#waiting;
      const isJoined =
        before?.request.batch === only.batch &&
        before.request.method === only.method &&
        this.#waiting.length < Math.min(batchMax, only.batch.batchMax);
      if (!isJoined) await this.#flush();
      this.#waiting.push({ title, request: only, effect });
      return;
    }
    await this.#flush();
    await this.#attempt(title, ways, effect);
  }

  /** Sends the waiting records together; if refused, singly, to find the refused one. */
  async #flush(): Promise<void> {
    const waitingRequests = this.#waiting;
    this.#waiting = [];
    const [first] = waitingRequests;
    if (first === undefined) return;
    if (waitingRequests.length > 1) {
      const together = toPlanned(
        first.request,
        waitingRequests.map(({ request }) => request.body ?? {}),
      );
      const { text, refusal } = await this.#answerTo(together);
      if (refusal === undefined) return this.#follow(waitingRequests, text);
    }
    for (const { title: called, request, effect } of waitingRequests)
      await this.#attempt(called, [[request]], effect);
  }

  async #attempt(
    title: string,
    alternatives: readonly Requests[],
    effect: Effect | undefined,
  ): Promise<void> {
    let refusal: AcctError | undefined;
    for (const alternative of alternatives) {
      let failed: AcctError | undefined;
      for (const request of alternative) {
        const { text, refusal } = await this.#answerTo(toPlanned(request, [request.body ?? {}]));
        failed = refusal;
        if (failed !== undefined) break;
        this.#follow([{ request, effect }], text);
      }
      if (failed === undefined) return;
      refusal = failed;
    }
    if (refusal !== undefined) this.#refusals.push(`${title}: ${this.#explained(refusal, effect)}`);
  }

  /** Extends a refusal of the service by the dependent records, or by how to correct the record. */
  #explained(error: AcctError, effect: Effect | undefined): string {
    const message = error instanceof RefusedError ? messagesOf(error).join(" ") : error.message;
    const sentence = message.replace(/\.$/, "");
    if (effect === undefined) return sentence;
    const key = keyOf({ ...effect, id: this.#facts.successors.of(effect.id) });
    const resting = this.#facts.later.filter(({ touched }) => touched.has(key));
    const { instead } = reversalOf(effect.resource);
    const isFixed = error instanceof RefusedError && fixedBy.has(error.rule);
    if (isFixed && instead !== undefined) {
      return `${sentence}; ${instead} corrects it`;
    }
    if (resting.length === 0) return sentence;
    return `${sentence}; undo what was done later to it first: ${named(resting)}`;
  }

  /** Records the successors of records that were created again. */
  #follow(sentRequests: readonly Pick<PendingRequest, "request" | "effect">[], text: string): void {
    const [first] = sentRequests;
    if (first?.request.method !== "PUT" || first.request.batch === undefined) return;
    const resource = first.request.batch;
    const { records } = decodeAnswer(resource, text);
    for (const [at, { effect }] of sentRequests.entries()) {
      const record = records[at];
      if (record !== undefined && effect !== undefined && effect.change !== "CREATED")
        this.#facts.successors.add(effect.id, idOf(resource, record));
    }
  }

  /** Sends a request, and returns the answer as text, or the refusal. */
  async #answerTo(planned: PlannedRequest): Promise<ActionResult> {
    const { successors } = this.#facts;
    const { Path, Body } = planned;
    const request = {
      ...planned,
      Path: successors.in(Path),
      ...(Body === undefined ? {} : { Body: successors.in(Body) }),
    };
    const { status, headers, body } = await this.#handle(requestOf(request));
    const text = await textOf(body);
    if (status < 400) {
      this.#done.push(request);
      return { text };
    }
    return { text, refusal: await decodeError(status, headers, text) };
  }

  async #read(resource: Resource, id: string): Promise<FieldValues | undefined> {
    // Waiting records must be sent before another resource is touched.
    if (this.#waiting[0]?.request.batch !== resource) await this.#flush();
    const recordAddress = recordPath(resource, this.#facts.successors.of(id));
    const path = resource.name === "Organisation" ? "/Organisation" : recordAddress;
    if (!resource.record.includes("GET") && resource.name !== "Organisation") return undefined;
    const request = { Method: "GET", Path: `${path}?unitdp=4` } as const;
    const { status, body } = await this.#handle(requestOf(request));
    const text = await textOf(body);
    if (status >= 400) return undefined;
    const [record] = decodeAnswer(resource, text).records;
    return record as FieldValues | undefined;
  }
}

/**
 * Returns the resource to read a record by: the credit of a bank transaction has its account only
 * there.
 */
function readResource({ resource, change }: Effect): Resource {
  const isCredit = resource.name === "Prepayment" || resource.name === "Overpayment";
  return isCredit && change === "VOIDED" ? bankTransaction : resource;
}

/** Rules of closed periods: undo is impossible, and another record must correct. */
const fixedBy: ReadonlySet<RuleName | undefined> = new Set(["LockDate", "Opening"]);

/** Maximum number of records in one body. */
const batchMax = 50;

function toPlanned(
  { method, path, batch }: Request,
  bodies: readonly FieldValues[],
): PlannedRequest {
  if (method === "DELETE") return { Method: method, Path: path };
  const body = batch === undefined ? bodies[0] : { [batch.plural]: bodies };
  // Four decimals keep all digits of unit amounts.
  const Path = `${path}${path.includes("?") ? "&" : "?"}unitdp=4`;
  return { Method: method, Path, MediaType: "application/json", Body: JSON.stringify(body) };
}
