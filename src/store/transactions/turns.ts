/** The turns of writers: what they know when they begin, and what becomes of each. */
import type { StoreDialect } from "../dialects/dialect.ts";
import { foreseeSequences } from "../ledger/sequences.ts";
import type { Expected } from "./expected.ts";
import { isAnswered, type KeyOfApp, presumingNew, recall } from "./idempotency.ts";
import type { Begun, Turn, Work } from "./transactions.ts";

export interface Writer {
  readonly org: number;
  readonly work: Work<unknown>;
  /** The work is done once for each, and asks for the first answer. */
  readonly key: KeyOfApp | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Locks the organisations of a group; where it is one, its lock is waited for.
 *
 * @returns the turns at those that are locked
 */
export async function turnsOf(
  dialect: StoreDialect,
  { connection, use }: Begun,
  group: readonly Writer[],
): Promise<ReadonlyMap<number, Turn>> {
  const byOrg = Map.groupBy(group, ({ org }) => org);
  const isOne = byOrg.size === 1;
  const turns = new Map<number, Turn>();
  const lock = async ([org, own]: [number, Writer[]]) => {
    const turn: Turn = {
      isExpected: false,
      marks: undefined,
      sequences: new Map(),
      answers: new Map(),
    };
    // What follows the lock is answered when the lock is held.
    const [marks] = await Promise.all([
      dialect.lockOrganisation(connection, org, isOne),
      dialect.oneWriter ? undefined : use(org, foreseeSequences, turn),
      ...own.map(({ key }) => key && use(org, (tx) => recall(tx, key.app, key.key), turn)),
    ]);
    turn.marks = marks;
    if (isOne || marks !== undefined) turns.set(org, turn);
  };
  await Promise.all([...byOrg].map(lock));
  return turns;
}

/**
 * The same without waiting for an answer: the transaction fails where anything is otherwise.
 *
 * @param isAlone  the server is to begin at once, since nobody else has anything for it to do
 */
export async function expectedTurns(
  { lockExpected }: StoreDialect,
  { connection }: Begun,
  expected: ReadonlyMap<number, Expected>,
  isAlone: boolean,
): Promise<ReadonlyMap<number, Turn>> {
  const turns = new Map<number, Turn>();
  for (const [org, each] of expected) {
    await lockExpected?.(connection, org, each, expected.size === 1);
    turns.set(org, {
      isExpected: true,
      marks: { ...each.marks },
      sequences: new Map(each.sequences),
      answers: new Map(),
    });
  }
  if (isAlone) connection.sendAhead?.();
  return turns;
}

/** What became of a part. */
export interface Outcome<W extends Writer> {
  readonly one: W;
  /** Answers whoever waits for it, once it is committed. */
  readonly tell: () => void;
  /** Whether it has an answer already, which it did not know; by the end of the transaction. */
  readonly isRepeated?: Promise<boolean>;
}

/** @throws what ends the whole transaction */
export async function inPart<W extends Writer>(
  { connection, use }: Begun,
  one: W,
  turn: Turn,
): Promise<Outcome<W>> {
  const { org, work, key, resolve, reject } = one;
  const run = () => use(org, work, turn);
  await connection.beginPart();
  try {
    const isPresumed = turn.isExpected && key !== undefined;
    const result = await (isPresumed ? presumingNew(turn, key, run) : run());
    await connection.keepPart();
    return { one, tell: () => resolve(result) };
  } catch (error) {
    // Fails where the database has ended the transaction by itself, as a full disk does.
    await connection.undoPart();
    turn.sequences.clear();
    turn.answers.clear();
    const tell = () => reject(error);
    if (!turn.isExpected || key === undefined) return { one, tell };
    // Where it cannot be told, it is found out by who asks first.
    const isRepeated = use(org, (tx) => isAnswered(tx, key), turn).catch(() => true);
    return { one, tell, isRepeated };
  }
}
