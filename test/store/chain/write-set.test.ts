/** Which links transactions leave. */
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { contact } from "../../../src/resources/index.ts";
import { remove, save } from "../../../src/store/mapping/records.ts";
import { addHistory } from "../../../src/store/records/history.ts";
import type { Store } from "../../../src/store/store.ts";
import { saveAnswer } from "../../../src/store/transactions/idempotency.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { attach, enter } from "../books.ts";
import { guid, newId } from "../samples.ts";
import { storeIn, worlds } from "../worlds.ts";
import { faultsOfChain } from "./faults.ts";

const linksOf = (store: Store) =>
  store.read(1, async ({ db }) => {
    const links = sql<{ number: number; at: number | null }>`select number, at from chain_link
      where org = 1 order by number`;
    return (await links.execute(db)).rows;
  });

const named = (Name: string, id = 0xc0) => ({
  ContactID: guid(id),
  Name,
  ContactStatus: "ACTIVE",
  UpdatedDateUTC: 1,
  IsCustomer: false,
  IsSupplier: false,
  HasAttachments: false,
});

const note = (details: string) => ({
  id: newId(),
  resource: "Contact",
  recordId: guid(0xc0),
  at: 1,
  user: "Ann",
  changes: "Note",
  details,
});

describe.each(worlds.map((make) => make()))("$name", (world) => {
  afterAll(() => world.close());

  async function book(run: (store: Store) => Promise<unknown>) {
    const store = await storeIn(await world.empty());
    await run(store);
    expect(await store.read(1, faultsOfChain)).toEqual([]);
    await store.close();
  }

  test("a transaction adds a hash chain link with its time, a group commit one with its latest time", () =>
    book(async (store) => {
      await store.write(1, (tx) => save(tx, contact, [named("Ana")]), { at: () => 5 });
      await Promise.all(
        [9, 7, 8].map((at) =>
          store.write(1, (tx) => addHistory(tx, [note("x")]), { at: () => at }),
        ),
      );
      expect(await linksOf(store)).toEqual([
        { number: 1, at: null },
        { number: 2, at: 5 },
        { number: 3, at: 9 },
      ]);
    }));

  test.each<readonly [what: string, work: (tx: Tx) => Promise<unknown>, dryRun: boolean]>([
    ["only reads", faultsOfChain, false],
    [
      "keeps only an answer",
      (tx) =>
        saveAnswer(tx, {
          app: "a",
          key: "k",
          fingerprint: "p",
          at: 1,
          answer: { status: 200, headers: {}, body: "" },
        }),
      false,
    ],
    ["is a dry run", (tx) => save(tx, contact, [named("Ana")]), true],
  ])("a transaction that %s adds no hash chain link", (_what, work, dryRun) =>
    book(async (store) => {
      await store.write(1, work, { dryRun });
      expect(await linksOf(store)).toHaveLength(1);
    }),
  );

  test("a failed writer of a group commit adds no record to the group's hash chain link", () =>
    book(async (store) => {
      const failed = store.write(1, async (tx) => {
        await save(tx, contact, [named("Bo", 0xc1)]);
        throw new Error("second thoughts");
      });
      const kept = store.write(1, (tx) => save(tx, contact, [named("Ana")]));
      expect((await Promise.allSettled([failed, kept])).map(({ status }) => status)).toEqual([
        "rejected",
        "fulfilled",
      ]);
      expect(await linksOf(store)).toHaveLength(2);
    }));

  test("a transaction of thousands of records adds several hash chain links", () =>
    book(async (store) => {
      const entries = Array.from({ length: 9000 }, (_, at) => note(String(at)));
      await store.write(1, (tx) => addHistory(tx, entries));
      expect(await linksOf(store)).toHaveLength(4);
    }));

  test("creating and deleting a record, in one transaction or several, leaves a valid hash chain", () =>
    book(async (store) => {
      const Ana = (tx: Tx) => save(tx, contact, [named("Ana \ud800 “x”\n")]);
      const gone = (tx: Tx) => remove(tx, contact, [guid(0xc0)]);
      for (const steps of [[Ana, gone], [gone, Ana], [Ana], [gone], [Ana, Ana, gone, Ana]]) {
        await store.write(1, async (tx) => {
          for (const step of steps) await step(tx);
        });
        expect(await store.read(1, faultsOfChain)).toEqual([]);
      }
    }));

  test("a partly updated record is read back in full for its hash", () =>
    book(async (store) => {
      await store.write(1, (tx) => enter(tx, newId));
      await store.write(1, (tx) => attach(tx, guid(0x77), "more.txt", "More"));
    }));
});
