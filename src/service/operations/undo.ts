/**
 * Taking an operation back: the requests that do it are found by trying them, in the order in which
 * records rest on each other, and answered as a plan that is looked at before it is applied.
 */
import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import {
  bankTransaction,
  operation as operationResource,
  resources,
} from "../../resources/index.ts";
import { type Plan, type PlannedRequest, plan } from "../../resources/plan.ts";
import type { Row } from "../../store/dialects/connection.ts";
import { list } from "../../store/mapping/records.ts";
import type { RowTable } from "../../store/operations/effects.ts";
import { type LoggedRequest, requestsAfter, requestsOf } from "../../store/operations/log.ts";
import { lastPublishedDay } from "../../store/queries/published.ts";
import type { Tx } from "../../store/transactions/tx.ts";
import { textOf } from "../../wire/body.ts";
import { decodeAnswer } from "../../wire/decode/answer.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import type { ServiceResponse, Transport } from "../../wire/http.ts";
import { locate } from "../endpoints/endpoint.ts";
import { checkApprover, requestOf, sealed, tryOut } from "../plans/plans.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { messagesOf } from "../request/faults.ts";
import { readOptional } from "../request/write.ts";
import { type Effect, effectsIn, formerValues, merged, namesOf } from "./effects.ts";
import { operations, type StoredOperation, undoneAmong } from "./operations.ts";
import { type Request, recordPath, type Values } from "./requests.ts";
import { type Reversible, reversalOf, type Way } from "./reversals.ts";
import { rowReversalOf } from "./rows.ts";

/** POST /Extensions/Operations/{OperationID}/Undo: the plan that takes an operation back. */
export async function planUndo(call: RequestContext, key: string): Promise<ServiceResponse> {
  const asked = readOptional(call, plan) as Partial<Plan>;
  checkApprover(call, asked);
  const found = await call.read((tx) => factsOf(call, tx, key));
  const { operation, requests } = found;
  const header = {
    PlanID: call.newId(),
    MadeAtUTC: call.now(),
    Command: `${asked.Command ?? "undo"}, which takes back operation ${operation.Number} (${short(titleOf(requests))})`,
    ApproveBy: asked.ApproveBy,
    Undoes: operation.OperationID,
  };
  const tried = await tryOut(call, header, (handle) => new Undoing(handle, found).run());
  const Requests = tried.result;
  if (Requests.length === 0) throw refused(found, [nothingToDo(requests)]);
  const effects = await tried.effects(Requests.map(({ Body = "" }) => Body));
  return answer(call, plan, [await sealed(call, { ...header, Requests }, effects)], "single");
}

function nothingToDo(requests: readonly LoggedRequest[]): string {
  return requests.some(({ path }) => /^\/Extensions\/Erasures\//i.test(path))
    ? "what was erased of a person is not known any more"
    : "what it did is undone already, or stays as a note in the history";
}

/** What an operation was, in the words of its command line, or of its first request. */
function titleOf([first]: readonly LoggedRequest[]): string {
  return first?.command ?? `${first?.method} ${first?.path}`;
}

/** An operation, with what speaks for and against taking it back. */
interface Facts {
  readonly operation: StoredOperation;
  /** Where the last one was asked for: the one before it, by its number. */
  readonly before: number | undefined;
  readonly requests: readonly LoggedRequest[];
  readonly effects: readonly Effect[];
  readonly nameIn: (effect: Pick<Effect, "resource" | "id">) => string | undefined;
  /** Later operations that stand, with the records that they wrote. */
  readonly later: readonly Later[];
  readonly publishedTo: string | undefined;
}

interface Later {
  readonly number: number;
  readonly title: string;
  /** Keys of records, whatever became of them. */
  readonly touched: ReadonlySet<string>;
  /** The same of records that it made, changed or ended itself. */
  readonly written: ReadonlySet<string>;
}

const keyOf = ({ resource, id }: Pick<Effect, "resource" | "id">) => `${resource.name} ${id}`;

async function factsOf(call: RequestContext, tx: Tx, key: string): Promise<Facts> {
  const { operation, before } = /^last$/i.test(key)
    ? await lastOf(call, tx)
    : { operation: await locate(call, tx, operations, key), before: undefined };
  const requests = await requestsOf(tx, [operation.OperationID]);
  const last = requests.at(-1)?.number ?? operation.Number;
  const after = await requestsAfter(tx, last);
  await refuseUndone(tx, operation);
  const effects = merged(effectsIn(requests));
  const nameIn = await namesOf(tx, effects);
  const later = standing(after, operation.OperationID);
  const facts = {
    operation,
    before,
    requests,
    effects,
    nameIn,
    later,
    publishedTo: await lastPublishedDay(tx),
  };
  refuseRestedOn(facts);
  return facts;
}

/** The last operation of the caller that stands and takes nothing back. */
async function lastOf(call: RequestContext, tx: Tx): Promise<Pick<Facts, "operation" | "before">> {
  const { user } = call.principal;
  const field = (path: string, kind: "id" | "text") => ({ path, kind });
  const none = (path: string) =>
    ({ op: "compare", field: field(path, "id"), cmp: "=", value: null }) as const;
  const own = { op: "text", field: field("User", "text"), test: "equals", value: user } as const;
  const where = { op: "and", args: [none("PartOf"), none("Undoes"), own] } as const;
  const order = [
    { field: { path: "Number", kind: "integer" as const }, direction: "desc" as const },
  ];
  for (let offset = 0; ; offset += pageSize) {
    const { records } = await list(tx, operationResource, {
      where,
      order,
      limit: pageSize,
      offset,
    });
    const ids = records.map(({ OperationID }) => OperationID);
    const undone = await undoneAmong(tx, ids);
    const [found, before] = records.filter(({ OperationID }) => !undone.has(OperationID));
    if (found !== undefined) return { operation: found, before: before?.Number };
    if (records.length < pageSize) break;
  }
  throw new NotFoundError("NotFound", `${user} has done nothing that could be undone.`);
}

const pageSize = 50;

async function refuseUndone(tx: Tx, operation: StoredOperation): Promise<void> {
  const by = (await undoneAmong(tx, [operation.OperationID])).get(operation.OperationID);
  if (by === undefined) return;
  throw new RefusedError(
    "Undone",
    `Operation ${operation.Number} was undone by operation ${by.number}; acct undo ${by.number} does it again.`,
  );
}

/** Operations among later requests that stand: what one of them took back, and it, count for nothing. */
function standing(after: readonly LoggedRequest[], not: string): Later[] {
  const byOperation = Map.groupBy(after, ({ id, partOf }) => partOf ?? id);
  const cancelled = new Set<string>([not]);
  const undoes = (own: readonly LoggedRequest[]) => own.find((each) => each.undoes)?.undoes;
  for (const [id, own] of [...byOperation].toReversed()) {
    const target = undoes(own);
    if (cancelled.has(id) || target === undefined || !byOperation.has(target)) continue;
    cancelled.add(id);
    cancelled.add(target);
  }
  return [...byOperation].flatMap(([id, own]) => {
    const [first] = own;
    if (cancelled.has(id) || first === undefined) return [];
    const { number } = first;
    const effects = merged(effectsIn(own));
    // What settles a document changes nothing else of it.
    const settles = own.some(({ effects: { rows } }) => rows.allocation !== undefined);
    const pays = effects.some(({ resource: { name } }) => /^(Batch)?Payment$/.test(name));
    const main = effects.filter(
      ({ change, resource }) =>
        change !== "TOUCHED" || ((settles || pays) && resource.document !== undefined),
    );
    return [
      {
        number,
        title: titleOf(own),
        touched: new Set(effects.map(keyOf)),
        written: new Set(main.map(keyOf)),
      },
    ];
  });
}

/** @throws RefusedError which names the later operations that wrote the same records */
function refuseRestedOn({ operation, effects, later, nameIn }: Facts): void {
  const own = effects.filter(({ change }) => change !== "TOUCHED");
  const resting = later.filter((each) => own.some((effect) => restsOn(each, effect)));
  const [first] = resting;
  if (first === undefined) return;
  const record = own.find((effect) => restsOn(first, effect));
  const name = record && `${record.resource.noun} ${nameIn(record) ?? record.id}`;
  throw new RefusedError(
    "RestedOn",
    `Operation ${operation.Number} cannot be undone before what was done later to ${name}: ` +
      `${named(resting)}. Undo ${resting.length === 1 ? "that" : "them"} first, the latest first (acct undo ${resting.at(-1)?.number}).`,
  );
}

const restsOn = ({ written }: Later, effect: Effect) => written.has(keyOf(effect));

/** Operations in a sentence. */
function named(later: readonly Later[]): string {
  const shown = later.slice(-namedMax).toReversed();
  const names = shown.map(({ number, title }) => `${number} (${short(title)})`);
  const more = later.length - shown.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const namedMax = 5;
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function refused(
  { operation: { Number: number }, before }: Pick<Facts, "operation" | "before">,
  reasons: readonly string[],
): RefusedError {
  const [first = "", ...others] = reasons;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const next = before === undefined ? "" : `; acct undo ${before} takes back the one before it`;
  const message = `Operation ${number} cannot be undone: ${first}${more}${next}.`;
  // One reason stands in the sentence.
  const details = others.length === 0 ? [] : reasons.map((reason) => ({ message: `${reason}.` }));
  return new RefusedError("NotUndone", message, details);
}

// --- trying --------------------------------------------------------------------------------------

/** What is taken back in one go. */
interface Step {
  readonly rank: number;
  /** What was made goes first, then what was changed is restored, then what is gone is made again. */
  readonly phase: 0 | 1 | 2;
  run(): Promise<void>;
}

const phaseOf = { CREATED: 0, CHANGED: 1, VOIDED: 2, REMOVED: 2 } as const satisfies Record<
  Reversible,
  Step["phase"]
>;

/** Requests that are tried in a transaction, until all of an operation is taken back. */
class Undoing {
  readonly #handle: Transport;
  readonly #facts: Facts;
  readonly #done: PlannedRequest[] = [];
  readonly #refusals: string[] = [];

  constructor(handle: Transport, facts: Facts) {
    this.#handle = handle;
    this.#facts = facts;
  }

  /** @returns the requests that do it @throws RefusedError which says what stands in the way */
  async run(): Promise<PlannedRequest[]> {
    const { requests } = this.#facts;
    if (requests.some(({ path }) => /\/Email$/i.test(path))) {
      throw refused(this.#facts, ["an email that was sent cannot be called back"]);
    }
    const steps = (await this.#ofAssets()) ?? [...this.#records(), ...this.#rows()];
    // What was made anew is first what others rest on.
    const order = (step: Step) => step.phase * 1000 + (step.phase === 0 ? step.rank : -step.rank);
    for (const step of steps.toSorted((a, b) => order(a) - order(b))) await step.run();
    await this.#flush();
    if (this.#refusals.length > 0) throw refused(this.#facts, this.#refusals);
    return this.#done;
  }

  /** Depreciation and disposals are rolled back by month, whatever journals they posted. */
  async #ofAssets(): Promise<Step[] | undefined> {
    const { requests, effects } = this.#facts;
    const deed = requests.flatMap(
      ({ path }) => /\/Assets\/.*(Depreciate|Dispose|Rollback)$/i.exec(path)?.[1] ?? [],
    )[0];
    if (deed === undefined) return undefined;
    const journals = effects.filter(({ resource }) => resource.name === "ManualJournal");
    const days: string[] = [];
    for (const each of journals) {
      const current = await this.#read(each.resource, each.id);
      if (current !== undefined) days.push(String(current.Date));
    }
    days.sort();
    const isRollback = deed.toLowerCase() === "rollback";
    const day = isRollback ? days.at(-1) : lastDayBefore(days[0] ?? "");
    const disposals = effects.some(
      ({ resource, change }) => resource.name === "Asset" && change === "CHANGED",
    );
    if (isRollback && disposals) {
      this.#refusals.push("a disposal that was rolled back is entered again by acct asset dispose");
      return [];
    }
    const path = `/Extensions/Assets/${isRollback ? "Depreciate" : "Rollback"}?to=${day}`;
    const way: Way = [{ method: "POST", path, body: {} }];
    return [{ rank: 0, phase: 0, run: async () => this.#try("depreciation", [way], undefined) }];
  }

  #records(): Step[] {
    const { effects } = this.#facts;
    const reconciled = this.#reconciled();
    return effects.flatMap((effect): Step[] => {
      const { change, resource, id } = effect;
      if (change === "TOUCHED") return [];
      const reversal = reversalOf(resource);
      const run = async () => {
        const current = await this.#read(viewOf(effect), id);
        const former = formerValues(effect);
        const ways = reversal[change]({ effect, former, current, reconciled });
        const called = this.#called(effect);
        if (typeof ways === "string") this.#refusals.push(`${called}: ${ways}`);
        else if (ways.length > 0) {
          const published = this.#published(effect, current);
          if (published)
            this.#refusals.push(`${called} ${published}; ${reversal.instead} corrects it`);
          else await this.#try(called, ways, effect);
        }
      };
      // The lock dates and settings of before hold for all that is taken back; what a line was
      // reconciled with is free once it is so no more.
      const isFirst = resource.name === "Organisation" || resource.name === "BankStatementLine";
      return [{ rank: isFirst ? -1 : reversal.rank, phase: isFirst ? 0 : phaseOf[change], run }];
    });
  }

  #rows(): Step[] {
    const tables = new Map<RowTable, { added: Row[]; removed: Row[] }>();
    for (const { effects } of this.#facts.requests) {
      for (const [table, { added = [], removed = [] }] of Object.entries(effects.rows)) {
        const own = tables.get(table as RowTable) ?? { added: [], removed: [] };
        own.added.push(...added);
        own.removed.push(...removed);
        tables.set(table as RowTable, own);
      }
    }
    const read = async (name: string, id: string) => {
      const resource = resources.find((each) => each.name === name);
      return resource && this.#read(resource, id);
    };
    return [...tables].map(([table, rows]) => {
      const { rank, take } = rowReversalOf(table);
      const isAgain = rows.added.length === 0;
      const run = async () => {
        const ways = await take({ ...rows, read });
        if (typeof ways === "string") this.#refusals.push(ways);
        else for (const each of ways) await this.#try(table.replaceAll("_", " "), each, undefined);
      };
      return { rank, phase: isAgain ? 2 : 0, run };
    });
  }

  /** Records that the operation reconciled, or took back what they were reconciled with. */
  #reconciled(): ReadonlySet<string> {
    const rows = this.#facts.requests.flatMap(({ effects }) => {
      const { added = [], removed = [] } = effects.rows.bank_match ?? {};
      return [...added, ...removed];
    });
    return new Set(rows.map(([, recordId]) => String(recordId)));
  }

  /** Why a record that stands in a return is not taken back; nothing where it is in none. */
  #published({ resource, change }: Effect, current: Values | undefined): string | undefined {
    const { publishedTo } = this.#facts;
    const { Date: date, Status } = current ?? {};
    const posts = reversalOf(resource).instead !== undefined && change !== "REMOVED";
    const isDraft = Status === "DRAFT" || Status === "SUBMITTED" || Status === "DELETED";
    if (publishedTo === undefined || !posts || isDraft || typeof date !== "string")
      return undefined;
    return date <= publishedTo
      ? `stands in a tax return up to ${publishedTo} that was published`
      : undefined;
  }

  #called({ resource, id }: Pick<Effect, "resource" | "id">): string {
    return `${resource.noun} ${this.#facts.nameIn({ resource, id }) ?? id}`;
  }

  // --- requests ----------------------------------------------------------------------------------

  /** Records of one resource that wait to go in one body. */
  #waiting: {
    readonly called: string;
    readonly request: Request;
    readonly effect: Effect | undefined;
  }[] = [];

  async #try(called: string, ways: readonly Way[], effect: Effect | undefined): Promise<void> {
    const [first] = ways;
    const [only] = first ?? [];
    if (ways.length === 1 && first?.length === 1 && only?.batch !== undefined) {
      const [before] = this.#waiting;
      const joins =
        before?.request.batch === only.batch &&
        before.request.method === only.method &&
        this.#waiting.length < Math.min(batchMax, only.batch.batchMax);
      if (!joins) await this.#flush();
      this.#waiting.push({ called, request: only, effect });
      return;
    }
    await this.#flush();
    await this.#attempt(called, ways, effect);
  }

  /** Sends what waits: together, and one by one where that is refused, to know which is. */
  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const [first] = waiting;
    if (first === undefined) return;
    if (waiting.length > 1) {
      const together = plannedOf(
        first.request,
        waiting.map(({ request }) => request.body ?? {}),
      );
      if ((await this.#send(together)) === undefined) return;
    }
    for (const { called, request, effect } of waiting)
      await this.#attempt(called, [[request]], effect);
  }

  async #attempt(called: string, ways: readonly Way[], effect: Effect | undefined): Promise<void> {
    let refusal = "";
    for (const way of ways) {
      let failed: string | undefined;
      for (const request of way) {
        failed = await this.#send(plannedOf(request, [request.body ?? {}]));
        if (failed !== undefined) break;
      }
      if (failed === undefined) return;
      refusal = failed;
    }
    this.#refusals.push(`${called}: ${this.#explained(refusal, effect)}`);
  }

  /** A refusal of the service, with what rests on the record, or what corrects it. */
  #explained(message: string, effect: Effect | undefined): string {
    const said = message.replace(/\.$/, "");
    if (effect === undefined) return said;
    const key = keyOf(effect);
    const resting = this.#facts.later.filter(({ touched }) => touched.has(key));
    const { instead } = reversalOf(effect.resource);
    if (/lock date|opening balances/i.test(message) && instead !== undefined) {
      return `${said}; ${instead} corrects it`;
    }
    if (resting.length === 0) return said;
    return `${said}; undo what was done later to it first: ${named(resting)}`;
  }

  /** @returns why it was refused */
  async #send(request: PlannedRequest): Promise<string | undefined> {
    const { status, headers, body } = await this.#handle(requestOf(request));
    const text = await textOf(body);
    if (status < 400) {
      this.#done.push(request);
      return undefined;
    }
    const error = await decodeError(status, headers, text);
    return error instanceof RefusedError ? messagesOf(error).join(" ") : error.message;
  }

  async #read(resource: Resource, id: string): Promise<Values | undefined> {
    // What waits changes no other record of its own kind.
    if (this.#waiting[0]?.request.batch !== resource) await this.#flush();
    const path = resource.name === "Organisation" ? "/Organisation" : recordPath(resource, id);
    if (!resource.record.includes("GET") && resource.name !== "Organisation") return undefined;
    const asked = { Method: "GET", Path: `${path}?unitdp=4` } as const;
    const { status, body } = await this.#handle(requestOf(asked));
    const text = await textOf(body);
    if (status >= 400) return undefined;
    const [record] = decodeAnswer(resource, text).records;
    return record as Values | undefined;
  }
}

/** Where a record is read: a credit that bank money left knows its account as bank money. */
function viewOf({ resource, change }: Effect): Resource {
  const isCredit = resource.name === "Prepayment" || resource.name === "Overpayment";
  return isCredit && change === "VOIDED" ? bankTransaction : resource;
}

/** Records of one body. */
const batchMax = 50;

function plannedOf({ method, path, batch }: Request, bodies: readonly Values[]): PlannedRequest {
  if (method === "DELETE") return { Method: method, Path: path };
  const body = batch === undefined ? bodies[0] : { [batch.plural]: bodies };
  // Unit amounts keep all their digits.
  const Path = `${path}${path.includes("?") ? "&" : "?"}unitdp=4`;
  return { Method: method, Path, MediaType: "application/json", Body: JSON.stringify(body) };
}

/** The last day of the month before. @param day  `YYYY-MM-DD` */
function lastDayBefore(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, 10);
}
