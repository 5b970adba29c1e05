/** Lookups that go to a server together: who waits for whom, and whose failure is whose. */
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { Lookups } from "../../src/store/lookups.ts";
import { sequenceOf, takeNumbers } from "../../src/store/sequences.ts";
import { openStore, type Tx } from "../../src/store/store.ts";
import type { Within } from "../../src/store/transactions.ts";
import { storeIn, worlds } from "./worlds.ts";

/** Connections as lookups use them: which of them found what, each connection a list. */
function recorded(connect = () => Promise.resolve()) {
  const connections: number[][] = [];
  const within: Within = async (_settings, run) => {
    await connect();
    const found: number[] = [];
    connections.push(found);
    const use = (org: number, work: (tx: Tx) => Promise<unknown>) => {
      found.push(org);
      return work({ org } as Tx);
    };
    return run({ use } as Parameters<typeof run>[0]);
  };
  return { lookups: new Lookups(within), connections };
}

const own = async ({ org }: Tx) => org;
const failing = () => Promise.reject(new Error("no such column"));

describe("lookups", () => {
  test("of one turn share a connection; those of meanwhile share the next", async () => {
    const { lookups, connections } = recorded();
    const opened = Promise.withResolvers<void>();
    const first = [
      lookups.find(1, async ({ org }) => {
        await opened.promise;
        return org;
      }),
      lookups.find(2, own),
    ];
    await expect.poll(() => connections).toEqual([[1, 2]]);
    const next = [lookups.find(3, own), lookups.find(4, own)];
    opened.resolve();
    expect(await Promise.all([...first, ...next])).toEqual([1, 2, 3, 4]);
    expect(connections).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await lookups.find(5, own)).toBe(5);
  });

  test("that fail are tried alone, and fail alone", async () => {
    const { lookups, connections } = recorded();
    const all = [lookups.find(1, own), lookups.find(2, failing), lookups.find(3, own)];
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(connections).toEqual([[1, 2, 3], [2]]);
  });

  test("are told at once when there is no connection, and ask for one again", async () => {
    let tries = 0;
    const { lookups } = recorded(async () => {
      tries += 1;
      if (tries === 1) throw new Error("refused");
    });
    const outcomes = await Promise.allSettled([lookups.find(1, own), lookups.find(2, own)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(tries).toBe(1);
    expect(await lookups.find(3, own)).toBe(3);
  });
});

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  test("finds what was committed before it was asked, among others that fail", async () => {
    const database = await world.empty();
    const store = await storeIn(database);
    const org = 1;
    // Speaks to the same database as another process does, where that can be.
    const other = await openStore(database.dialect());
    for (let count = 1; count <= 20; count += 1) {
      await other.write(org, (tx) => takeNumbers(tx, "found", 1));
      const broken = store.find(org, (tx) =>
        sql`select version from nowhere where org = ${org}`.execute(tx.db),
      );
      const found = Array.from({ length: 4 }, () =>
        store.find(org, (tx) => sequenceOf(tx, "found")),
      );
      await expect(broken).rejects.toThrow("nowhere");
      expect(await Promise.all(found)).toEqual([count, count, count, count]);
    }
    await other.close();
    await store.close();
  });
});
