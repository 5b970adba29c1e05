/** What the store makes of a server that fails it. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { sequenceOf, takeNumbers } from "../../src/store/chain/sequences.ts";
import type { Insertion } from "../../src/store/connection/connection.ts";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { insertRows } from "../../src/store/operations/bulk.ts";
import { createOrganisation, listBooks } from "../../src/store/records/organisations.ts";
import type { Store } from "../../src/store/store.ts";
import type { Tx } from "../../src/store/tx/tx.ts";
import { guid, organisation } from "../store/samples.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { databaseOn } from "./setup.ts";

let cluster: Cluster;
let store: Store;

beforeAll(async () => {
  cluster = await startCluster();
  store = await postgresStore(cluster.url);
  for (const org of [1, 2]) {
    await createOrganisation(store, organisation({ OrganisationID: guid(org) }), org);
  }
});
afterAll(async () => {
  await store.close();
  await cluster.stop();
});

const sequences: Insertion = { table: "sequence", columns: ["org", "name", "last"] };

test("a failed deferred insert fails its transaction, which is rolled back", async () => {
  const failed = store.write(1, async (tx) => {
    await takeNumbers(tx, "kept", 1);
    await insertRows(tx, sequences, [
      [1, "twice", 1],
      [1, "twice", 1],
    ]);
  });
  await expect(failed).rejects.toMatchObject({ code: "23505" });
  const inTheMiddle = store.write(1, async (tx) => {
    await insertRows(tx, sequences, [[1, "kept", "no number" as never]]);
    await sequenceOf(tx, "kept");
  });
  await expect(inTheMiddle).rejects.toThrow('invalid input syntax for type bigint: "no number"');
  expect(await store.read(1, (tx) => sequenceOf(tx, "kept"))).toBe(0);
});

test("a prepared statement that failed repeatedly succeeds once its values are right", async () => {
  // A text that comes often is prepared under a name, in a batch that may fail before it is run.
  const raised = (by: number) =>
    store.write(1, async ({ org, connection }) => {
      await connection.executeDeferred("select 1 / $1::int where $2::int > 0", [by, org]);
      const text = "insert into sequence (org, name, last) values ($1, 'again', $2)";
      await connection.executeDeferred(text, [org, by]);
    });
  for (let time = 1; time <= 4; time += 1) {
    await expect(raised(0)).rejects.toMatchObject({ code: "22012" });
  }
  await raised(1);
  await expect(raised(2)).rejects.toMatchObject({ code: "23505" });
  expect(await store.read(1, (tx) => sequenceOf(tx, "again"))).toBe(1);
});

test("more SQL statements than fit the pipeline are all run, in order", async () => {
  await store.write(1, async (tx) => {
    for (let last = 1; last <= 200; last += 1) {
      await tx.connection.executeDeferred(
        `insert into sequence (org, name, last) values ($1, 'many', 1)
        on conflict (org, name) do update set last = sequence.last + 1`,
        [tx.org],
      );
    }
  });
  expect(await store.read(1, (tx) => sequenceOf(tx, "many"))).toBe(200);
});

test("of two deadlocked transactions one is run again, and both commit", async () => {
  const another = await postgresStore(cluster.url);
  const locked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let runs = 0;
  const crossing = (by: Store, org: number, own: 0 | 1) =>
    by.write(org, async (tx: Tx) => {
      runs += 1;
      await takeNumbers(tx, "crossed", 1);
      locked[own].resolve();
      await locked[1 - own]?.promise;
      const other = 3 - org;
      await sql`select 1 from organisation where org = ${other} for update`.execute(tx.db);
    });
  await Promise.all([crossing(store, 1, 0), crossing(another, 2, 1)]);
  await another.close();
  // Under load the one that is run again may be in the way once more.
  expect(runs).toBeGreaterThanOrEqual(3);
  for (const org of [1, 2]) {
    expect(await store.read(org, (tx) => sequenceOf(tx, "crossed"))).toBe(1);
  }
});

test("a database number that JavaScript cannot represent is refused, and not rounded", async () => {
  const read = store.read(1, ({ db }) => sql`select 9007199254740993::bigint as n`.execute(db));
  await expect(read).rejects.toThrow("9007199254740993, which is no safe integer");
});

test("a transaction that takes too long is cancelled and reported", async () => {
  const hasty = await postgresStore(cluster.url);
  // The limit holds for the one connection of the pool, from here on; the opening has none so short.
  await hasty.write(1, (tx) => sql`set statement_timeout = 500`.execute(tx.db));
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const holding = store.write(1, async (tx) => {
    await takeNumbers(tx, "held", 1);
    held.resolve();
    await free.promise;
  });
  await held.promise;
  await expect(hasty.write(1, (tx) => takeNumbers(tx, "held", 1))).rejects.toMatchObject({
    name: "UnavailableError",
    message: "The database cannot be reached or opened: it took too long to answer.",
  });
  free.resolve();
  await holding;
  await hasty.close();
  expect(await store.write(1, (tx) => takeNumbers(tx, "held", 1))).toBe(2);
});

test("a write that a restart of the database server cuts off is done once, on the server that runs then", async () => {
  const begun = Promise.withResolvers<void>();
  const restarted = Promise.withResolvers<void>();
  let tries = 0;
  const cut = store.write(1, async (tx) => {
    tries += 1;
    await takeNumbers(tx, "cut", 1);
    begun.resolve();
    await restarted.promise;
    return takeNumbers(tx, "cut", 1);
  });
  await begun.promise;
  await cluster.restart();
  restarted.resolve();
  expect([await cut, tries]).toEqual([2, 2]);
  expect(await store.write(1, (tx) => takeNumbers(tx, "cut", 1))).toBe(3);
});

test.each([
  ["a database that is not there", () => databaseOn(cluster.url, "nowhere"), /"nowhere" does not/],
  [
    "a person whom it does not know",
    () => cluster.url.replace("//postgres@", "//me@"),
    /"me" does/,
  ],
  ["a port on which nobody listens", () => "postgres://127.0.0.1:1/acct", /or opened\.$/],
  ["a socket that is not there", () => "postgres:///acct?host=/nowhere", /or opened\.$/],
])("a connection to %s is reported as unavailable", async (_name, address, message) => {
  await expect(postgresStore(address())).rejects.toMatchObject({
    name: "UnavailableError",
    message: expect.stringMatching(message),
  });
});

test("organisations created by several connections at once get distinct ids", async () => {
  const { shared } = inject("postgres");
  const stores = await Promise.all([1, 2, 3, 4].map(() => postgresStore(shared)));
  const keys = await Promise.all(
    stores.flatMap((each, at) =>
      [1, 2, 3, 4, 5].map((n) =>
        createOrganisation(each, organisation({ OrganisationID: guid(0x900 + at * 8 + n) })),
      ),
    ),
  );
  expect(new Set(keys).size).toBe(20);
  const known = await listBooks(stores[0] as Store);
  for (const key of keys) expect(known.filter(({ org }) => org === key)).toHaveLength(1);
  for (const each of stores) await each.close();
});
