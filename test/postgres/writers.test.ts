/** Writers of one process and of several, to one organisation and to others. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sequenceOf, takeNumbers } from "../../src/store/chain/sequences.ts";
import type { PostgresPool } from "../../src/store/dialects/postgres/driver.ts";
import { poolOf } from "../../src/store/dialects/postgres/pool.ts";
import { postgresDialect, postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { directoryIn, recordOnServer } from "../../src/store/directory/directory.ts";
import { verifyServerLog } from "../../src/store/maintenance/chain-checks.ts";
import { createOrganisation } from "../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { findAnswer, saveAnswer } from "../../src/store/transactions/idempotency.ts";
import { serverKey, type Tx } from "../../src/store/tx/tx.ts";
import { guid, organisation } from "../store/samples.ts";
import { tester } from "../support/audit.ts";
import { type Cluster, startCluster } from "./cluster.ts";

const orgs = [1, 2, 3];

let cluster: Cluster;
let store: Store;
/** Of another process, as far as the server can tell. */
let other: Store;
/** The statements that `store` has sent. */
let sent: string[] = [];
/** Called when a commit is answered. */
let onCommit: (() => void) | undefined;

beforeAll(async () => {
  cluster = await startCluster();
  // No time goes by, however busy the machine is: all writers that wait share a commit.
  store = await openStore(postgresDialect(listening(poolOf(cluster.url))), () => 0);
  other = await postgresStore(cluster.url);
  for (const org of orgs) {
    await createOrganisation(store, organisation({ OrganisationID: guid(org) }), org);
  }
});
afterAll(async () => {
  await store.close();
  await other.close();
  await cluster.stop();
});

function listening(pool: PostgresPool): PostgresPool {
  return {
    ...pool,
    async connect() {
      const client = await pool.connect();
      return {
        release: (broken) => client.release(broken),
        async query(text, values, asLists) {
          sent.push(text);
          const result = await client.query(text, values, asLists);
          if (text === "commit") onCommit?.();
          return result;
        },
      };
    },
  };
}

const commits = () => sent.filter((text) => text === "commit").length;
const one = (name: string) => (tx: Tx) => takeNumbers(tx, name, 1);
const taken = (org: number, name: string) => store.read(org, (tx) => sequenceOf(tx, name));

/** A writer that has begun, and does not end before it is let go. */
async function holding(by: Store, org: number, name: string) {
  const begun = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = by.write(org, async (tx) => {
    const number = await takeNumbers(tx, name, 1);
    begun.resolve();
    await letGo.promise;
    return number;
  });
  await begun.promise;
  return { done, letGo: letGo.resolve };
}

test("simultaneous writers of an organisation share a commit", async () => {
  sent = [];
  const writers = [1, 2, 3, 3, 1, 3].map((org) => store.write(org, one("together")));
  expect(await Promise.all(writers)).toEqual([1, 1, 1, 2, 2, 3]);
  expect(commits()).toBe(3);
});

test("a failed writer does not roll back the others of its group commit", async () => {
  const failing = (tx: Tx) =>
    takeNumbers(tx, "failing", 1).then(() => Promise.reject(new Error("second thoughts")));
  const outcomes = await Promise.allSettled([
    store.write(1, one("failing")),
    store.write(2, failing),
    store.write(2, one("failing")),
    store.write(1, failing),
    store.write(1, one("failing")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(await Promise.all([1, 2].map((org) => taken(org, "failing")))).toEqual([2, 1]);
});

test("a writer whose statement the database rejects is identified in the group commit, and the others commit", async () => {
  const broken = (tx: Tx) =>
    tx.connection.executeDeferred("select 1 / 0 from organisation where org = 2");
  const outcomes = await Promise.allSettled([
    store.write(1, one("broken")),
    store.write(2, broken),
    store.write(3, one("broken")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await Promise.all(orgs.map((org) => taken(org, "broken")))).toEqual([1, 0, 1]);
});

test("an organisation locked by another process is skipped by a group commit, and written later", async () => {
  const held = await holding(other, 1, "passed");
  const [first, ...free] = orgs.map((org) => store.write(org, one("passed")));
  expect(await Promise.all(free)).toEqual([1, 1]);
  // More of the same do not overtake it.
  const more = store.write(1, one("passed"));
  expect(await store.write(2, one("passed"))).toBe(2);
  held.letGo();
  expect(await Promise.all([held.done, first, more])).toEqual([1, 2, 3]);
});

test("two processes that write the same organisations do not deadlock", async () => {
  const rounds = Array.from({ length: 50 }, async () => {
    const there = [3, 2, 1].map((org) => other.write(org, one("crossed")));
    const here = [1, 2, 3].map((org) => store.write(org, one("crossed")));
    await Promise.all([...here, ...there]);
  });
  await Promise.all(rounds);
  expect(await Promise.all(orgs.map((org) => taken(org, "crossed")))).toEqual([100, 100, 100]);
  expect([store.figures().retries, other.figures().retries]).toEqual([0, 0]);
});

test("a slow writer delays only the writes of its own organisation", async () => {
  const held = await holding(store, 1, "long");
  let isOver = false;
  const behind = store.write(1, one("long")).finally(() => {
    isOver = true;
  });
  expect(await Promise.all([2, 3].map((org) => store.write(org, one("long"))))).toEqual([1, 1]);
  expect(isOver).toBe(false);
  held.letGo();
  expect(await Promise.all([held.done, behind])).toEqual([1, 2]);
});

test("a writer sees the writes that another process made since its last write", async () => {
  for (const number of [1, 3, 5]) {
    expect(await store.write(1, one("meanwhile"))).toBe(number);
    expect(await other.write(1, one("meanwhile"))).toBe(number + 1);
  }
  expect(await Promise.all([1, 1, 1].map((org) => store.write(org, one("meanwhile"))))).toEqual([
    7, 8, 9,
  ]);
});

/** Keeps an answer to a key, once; whoever comes again is told so. */
function answering(by: Store, key: string, fails = false): Promise<string> {
  const ofApp = { app: "app", key };
  return by.write(
    1,
    async (tx) => {
      if ((await findAnswer(tx, ofApp.app, key)) !== undefined) return "again";
      if (fails) throw new Error("no longer possible");
      const answer = { status: 200, headers: {}, body: "" };
      await saveAnswer(tx, { ...ofApp, fingerprint: "", at: 0, answer });
      return "first";
    },
    { key: ofApp },
  );
}

test("the answer stored by another process under an idempotency key is returned, and the write not repeated", async () => {
  const expected = () => store.write(1, one("answering"));
  await expected();
  expect(await answering(store, "own")).toBe("first");
  expect(await answering(store, "own")).toBe("again");
  expect(await answering(other, "a")).toBe("first");
  expect(await answering(other, "b")).toBe("first");
  // By then it expects something again.
  for (const _turn of [1, 2, 3]) await Promise.all([expected(), expected()]);
  const outcomes = await Promise.all([
    answering(store, "a"),
    expected(),
    answering(store, "b", true),
    answering(store, "c", true).catch((error: Error) => error.message),
  ]);
  expect(outcomes).toEqual(["again", 8, "again", "no longer possible"]);
});

test("a write whose commit is unknown is not repeated", async () => {
  await Promise.all([store.write(1, one("lost")), store.write(2, one("lost"))]);
  onCommit = () => {
    onCommit = undefined;
    throw Object.assign(new Error("Connection terminated"), { code: "08006" });
  };
  const outcomes = await Promise.allSettled([
    store.write(1, one("lost")),
    store.write(2, one("lost")),
  ]);
  expect(outcomes.map(({ status }) => status)).toContain("rejected");
  expect(await Promise.all([1, 2].map((org) => taken(org, "lost")))).toEqual([2, 2]);
});

test("entries of the server's audit log by several processes are numbered without gaps, in one hash chain", async () => {
  const writersEach = 40;
  const [here, there] = [directoryIn(store), directoryIn(other)];
  const entered = Array.from({ length: 2 * writersEach }, (_, at) =>
    (at % 2 === 0 ? here : there).write(async (tx) => {
      await recordOnServer(tx, { kind: "sign-in.failed", by: tester, at, subject: `guess ${at}` });
      // One in four fails after its entry, which is not to stay.
      if (at % 4 === 3) throw new Error("and then it failed");
    }),
  );
  const failed = (await Promise.allSettled(entered)).filter(({ status }) => status === "rejected");
  expect(failed).toHaveLength(writersEach / 2);
  const { checks, faults } = await store.read(serverKey, verifyServerLog);
  expect(faults).toEqual([]);
  expect(checks).toEqual([
    { name: "entries of the audit log of the server", count: (3 * writersEach) / 2 },
  ]);
});
