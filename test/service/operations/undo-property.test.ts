/**
 * Whatever is done last and undone leaves every report and every record as it was before it, over
 * random business; what was undone and is done again leaves it as it was after; and history only grows.
 */
import { expect, test } from "vitest";
import { headOf } from "../../../src/store/chain/stored.ts";
import { faultsOfChain } from "../../store/chain/faults.ts";
import { fc, runs } from "../../support/properties.ts";
import { opened, type Step, tradeWith } from "../business.ts";
import { questionsOf } from "../explain/figures.ts";
import { faultsIn, isOnPostgres, isOverPort, type Json, type World, world } from "../fixture.ts";
import { recordKinds } from "./records-business.ts";
import { type BookState, changedRecords, keptIn, stateOf } from "./state.ts";

const { step, take } = tradeWith(recordKinds);
const days = { from: "2026-01-01", to: "2026-06-30" };

/** A report without rows that come to nothing, which accounts have that were posted to and reversed. */
function withoutZeros(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutZeros).filter((each) => !isEmpty(each));
  if (typeof value !== "object" || value === null) return value;
  // Documents that are made anew have other ids.
  const kept = Object.entries(value).filter(
    ([name]) => !/^(ReportID|UpdatedDateUTC|Attributes)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutZeros(each)]));
}

function isEmpty(row: Json): boolean {
  if (row?.RowType === "Section") return row.Rows?.length === 0;
  const figures = row?.Cells?.slice(1).map((cell: Json) => String(cell?.Value ?? ""));
  return figures?.every((each: string) => /^(0(\.00)?)?$/.test(each)) === true;
}

interface Seen extends BookState {
  readonly reports: Readonly<Record<string, string>>;
}

/** A book that is looked at after each of its operations. */
class Watched {
  readonly given: World;
  readonly #questions: Awaited<ReturnType<typeof questionsOf>>;

  constructor(given: World, questions: Awaited<ReturnType<typeof questionsOf>>) {
    this.given = given;
    // Two of each report, in turn by contact, account and parameter.
    const first = Map.groupBy(questions, ([name]) => name);
    this.#questions = [...first.values()].flatMap((each) => each.slice(0, 2));
  }

  async look(isWhole: boolean): Promise<Seen> {
    const found: Record<string, string> = {};
    for (const [name, query] of isWhole ? this.#questions : []) {
      const answer = await this.given.ask("GET", `/Reports/${name}`, undefined, { query });
      found[`${name} ${JSON.stringify(query)}`] =
        answer.status === 200 ? JSON.stringify(withoutZeros(answer.json.Reports)) : answer.text;
    }
    return { ...(await stateOf(this.given)), reports: found };
  }

  /** The last operation of the log. */
  async last(): Promise<Json | undefined> {
    const query = { page: "1", pageSize: "1" };
    const { Operations } = await this.given.ok("GET", "/Extensions/Operations", undefined, {
      query,
    });
    return Operations[0];
  }

  /** Undoes an operation. @returns why it is refused; undefined where it was done */
  async undo(id: string): Promise<string | undefined> {
    const planned = await this.given.ask("POST", `/Extensions/Operations/${id}/Undo`, {});
    if (planned.status !== 200) {
      expect([400], planned.text).toContain(planned.status);
      return planned.text;
    }
    await this.given.ok("POST", "/Extensions/Plans/Apply", planned.json.Plans[0]);
    return undefined;
  }
}

function expectSame(now: Seen, then: Seen, what: string): void {
  expect(now.figures, what).toEqual(then.figures);
  for (const [name, text] of Object.entries(then.reports)) {
    if (now.reports[name] !== undefined) expect(now.reports[name], `${what}: ${name}`).toBe(text);
  }
  expect(changedRecords(then.records, now.records), what).toEqual([]);
}

const isElsewhere = isOverPort || isOnPostgres;

/** An operation, what becomes of it, and whether all reports are read or what they are made of alone. */
const act = fc.record({
  steps: fc.oneof(
    { weight: 4, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 4 }) },
  ),
  fate: fc.constantFrom("stays", "stays", "undone", "again", "undone again"),
  isWhole: fc.constantFrom(false, false, false, true),
});
/** How many of the last operations are undone in the end, one after the other. */
const walk = fc.nat(4);

interface Act {
  readonly steps: readonly Step[];
  readonly fate: string;
  readonly isWhole: boolean;
}

const counts = { undone: 0, refused: 0, again: 0, back: 0 };

/** A book whose requests are parts of one operation while one is named. */
async function business() {
  const given = await world();
  const named: { operation?: string | undefined } = {};
  const { ask } = given;
  given.ask = (method, path, body, options = {}) =>
    ask(method, path, body, {
      ...options,
      headers: {
        ...options.headers,
        ...(named.operation === undefined ? {} : { "x-operation-id": named.operation }),
      },
    });
  return { given, named, business: await opened(given) };
}

async function lived(acts: readonly Act[], back: number): Promise<void> {
  const { given, named, business: trade } = await business();
  const watched = new Watched(given, await questionsOf(given, days));
  const { store, org, dependencies: surroundings } = given.book;
  const [head, kept] = [await store.read(org, headOf), await keptIn(given)];
  /** Operations that stand, with what the books were before each. */
  const standing: { readonly id: string; readonly before: Seen }[] = [];
  let now = await watched.look(false);
  for (const [at, { steps, fate, isWhole }] of acts.entries()) {
    const reads = isWhole && fate !== "stays";
    const before = reads ? await watched.look(true) : now;
    const earlier = await watched.last();
    named.operation = surroundings.newId();
    for (const each of steps) await take(trade, each, `2026-0${2 + (at % 4)}-28`);
    named.operation = undefined;
    const last = await watched.last();
    if (last === undefined || last.OperationID === earlier?.OperationID) continue;
    const after = await watched.look(reads);
    const { done, state } = await taken(watched, last, fate, { before, after });
    now = state;
    if (done === "stands") standing.push({ id: last.OperationID, before });
    // What cannot be taken back is in the way of all before it.
    if (done === "refused") standing.length = 0;
  }
  for (const { id, before } of standing.toReversed().slice(0, back)) {
    if ((await watched.undo(id)) !== undefined) break;
    counts.back += 1;
    expectSame(await watched.look(false), before, "walked back");
  }
  const left = await keptIn(given);
  expect([...kept].filter((row) => !left.has(row))).toEqual([]);
  expect(await store.read(org, (tx) => faultsOfChain(tx, head))).toEqual([]);
  expect(await faultsIn(given)).toEqual([]);
  await given.book.close();
}

/** Takes an operation back and does it again, as often as its fate says. */
async function taken(
  watched: Watched,
  operation: Json,
  fate: string,
  { before, after }: { readonly before: Seen; readonly after: Seen },
): Promise<{ readonly done: "stands" | "undone" | "refused"; readonly state: Seen }> {
  if (fate === "stays") return { done: "stands", state: after };
  const isWhole = Object.keys(before.reports).length > 0;
  const rounds = { undone: 1, again: 2, "undone again": 3 }[fate] ?? 0;
  let target = operation;
  let state = after;
  for (let round = 1; round <= rounds; round += 1) {
    const isUndone = round % 2 === 1;
    const refusal = await watched.undo(target.OperationID);
    if (refusal !== undefined) {
      counts.refused += round === 1 ? 1 : 0;
      expectSame(await watched.look(isWhole), state, refusal);
      // Undone it stays so; standing it is in the way of what was before it.
      return { done: isUndone ? "refused" : "undone", state };
    }
    counts[isUndone ? "undone" : "again"] += 1;
    state = await watched.look(isWhole);
    expectSame(state, isUndone ? before : after, `${round}: ${operation.Summary}`);
    const undo = (await watched.last()) as Json;
    expect(undo.Undoes).toBe(target.OperationID);
    target = undo;
  }
  return { done: rounds % 2 === 1 ? "undone" : "stands", state };
}

test("undoing any operation restores every report as it was before", {
  timeout: 7_200_000,
}, async () => {
  const numRuns = runs(isElsewhere ? 16 : 64);
  const isLong = numRuns > 8 && !isElsewhere;
  const acts = fc.array(act, { minLength: 5, maxLength: isLong ? 30 : 15 });
  await fc.assert(fc.asyncProperty(acts, walk, lived), { numRuns });
  // A run in which everything is refused would show nothing.
  expect(counts.undone).toBeGreaterThan(counts.refused);
  if (!isLong) return;
  expect(counts.again).toBeGreaterThan(0);
  expect(counts.back).toBeGreaterThan(0);
});
