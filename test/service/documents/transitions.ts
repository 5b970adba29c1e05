/** A table of states, shown row by row, with every pair of states that it does not have. */
import { expect, test } from "vitest";
import { headOf } from "../../../src/store/chain/stored.ts";
import { isEveryCase } from "../../support/properties.ts";
import { faultsIn, type Json, type World, world } from "../fixture.ts";

export interface Transitions<State extends string> {
  readonly states: readonly State[];
  /** From a state, by an update to a status. */
  readonly allowed: readonly (readonly [from: State, to: State])[];
  /** Brings a new record into a state. @returns its path */
  readonly inState: (given: World, state: State) => Promise<string>;
  /** The sentences with which an update that the table does not have is refused. */
  readonly refusal: (from: State, to: State) => readonly unknown[];
}

/** The end of the hash chain, which every record that is written moves on. */
const lastLink = ({ book }: World) => book.store.read(book.org, headOf);

/** Declares a test for each pair of states. */
export function testTransitions<State extends string>({
  states,
  allowed,
  inState,
  refusal,
}: Transitions<State>): void {
  const statusOf = (answer: Json) =>
    (Object.values(answer).find(Array.isArray) as Json[])[0].Status;

  test.each(allowed)("the status of a document may change from %s to %s", async (from, to) => {
    const given = await world();
    const path = await inState(given, from);
    expect(statusOf(await given.ok("POST", path, { Status: to }))).toBe(to);
    expect(statusOf(await given.ok("GET", path))).toBe(to);
    expect(await faultsIn(given)).toEqual([]);
  });

  const forbidden = states.flatMap((from) =>
    states
      .filter((to) => !allowed.some(([a, b]) => a === from && b === to))
      .map((to) => [from, to] as const),
  );
  test.each(forbidden)(
    "the status change of a document from %s to %s is refused, and nothing is changed",
    async (from, to) => {
      const given = await world();
      const path = await inState(given, from);
      const before = await lastLink(given);
      expect(await given.refused("POST", path, { Status: to })).toEqual(refusal(from, to));
      expect(statusOf(await given.ok("GET", path))).toBe(from);
      expect(await lastLink(given)).toEqual(before);
      // What wrote nothing left the books as they were, which `npm test` need not verify again.
      if (isEveryCase) expect(await faultsIn(given)).toEqual([]);
    },
  );
}
