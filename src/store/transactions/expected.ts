/**
 * What the writers of a process expect to find at an organisation: what the last of them left.
 *
 * Where that is all a write needs to know, it goes to the server together with the lock and the
 * commit, and nobody waits for an answer in between. The server compares when it has the lock, and
 * fails the transaction where another process has written since; then it is asked.
 */
import type { Marks, Turn } from "./transactions.ts";

/** At the moment the lock is taken. */
export interface Expected {
  readonly marks: Readonly<Record<keyof Marks, number>>;
  /** The highest numbers taken, none of them 0. */
  readonly sequences: ReadonlyMap<string, number>;
}

interface Known {
  /** Undefined where the last turn has left something that is not known. */
  expected: Expected | undefined;
  /** How often it has come otherwise, one time after the other. */
  misses: number;
  /** For how many turns nothing is expected. */
  asking: number;
}

/** Organisations that are remembered. */
const rememberedMax = 10_000;
/** Counters that are compared at most. */
const sequencesMax = 8;
/** The most turns for which nothing is expected, as a power of two. */
const askingMaxPower = 6;

export class Expectations {
  readonly #known = new Map<number, Known>();

  /** What to expect at each of these; undefined where one of them has to be asked. */
  of(orgs: Iterable<number>): ReadonlyMap<number, Expected> | undefined {
    const found = new Map<number, Expected>();
    for (const org of orgs) {
      const { expected, asking = 0 } = this.#known.get(org) ?? {};
      if (expected === undefined || asking > 0) return undefined;
      found.set(org, expected);
    }
    return found;
  }

  /** What turns leave that are worked out, and will be committed. */
  left(turns: ReadonlyMap<number, Turn>): void {
    for (const [org, turn] of turns) this.#knownOf(org).expected = leftBy(turn);
  }

  /** Turns have been committed. */
  committed(turns: ReadonlyMap<number, Turn>): void {
    for (const [org, turn] of turns) {
      const known = this.#knownOf(org);
      if (turn.isExpected) known.misses = 0;
      else if (known.asking > 0) known.asking -= 1;
    }
  }

  /** It may be that nothing of the organisations is as it was. */
  failed(orgs: Iterable<number>): void {
    for (const org of orgs) this.#knownOf(org).expected = undefined;
  }

  /** Something was not as expected at one of them. */
  missed(orgs: Iterable<number>): void {
    for (const org of orgs) {
      const known = this.#knownOf(org);
      known.expected = undefined;
      known.asking = 2 ** Math.min(known.misses, askingMaxPower);
      known.misses += 1;
    }
  }

  #knownOf(org: number): Known {
    let known = this.#known.get(org);
    if (known === undefined) {
      if (this.#known.size >= rememberedMax) this.#known.clear();
      known = { expected: undefined, misses: 0, asking: 0 };
      this.#known.set(org, known);
    }
    return known;
  }
}

function leftBy({ marks, sequences }: Turn): Expected | undefined {
  const { chart_mark, contact_mark } = marks ?? {};
  if (chart_mark === undefined || contact_mark === undefined) return undefined;
  const taken = [...sequences].filter(([, last]) => last > 0);
  if (taken.length > sequencesMax) return undefined;
  return { marks: { chart_mark, contact_mark }, sequences: new Map(taken) };
}
