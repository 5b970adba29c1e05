/** Commits that a server does not confirm, because the standby that they wait for is gone. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sequenceOf, takeNumbers } from "../../src/store/chain/sequences.ts";
import { poolOf } from "../../src/store/dialects/postgres/pool.ts";
import { postgresDialect } from "../../src/store/dialects/postgres/postgres.ts";
import { createOrganisation } from "../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Tx } from "../../src/store/tx/tx.ts";
import { guid, organisation } from "../store/samples.ts";
import { type Cluster, startCluster } from "./cluster.ts";

let cluster: Cluster;
let administrator: pg.Client;
/** A connection of no store, whose commits show whether commits wait. */
let prober: pg.Client;
/** A store whose commits wait for no longer than a fifth of a second, and one that waits long. */
let [hurried, patient]: Store[] = [];

beforeAll(async () => {
  cluster = await startCluster({ durable: true });
  [administrator, prober] = [new pg.Client(cluster.url), new pg.Client(cluster.url)];
  await Promise.all([administrator.connect(), prober.connect()]);
  const open = (waitMs?: number) => openStore(postgresDialect(poolOf(cluster.url), waitMs));
  [hurried, patient] = [await open(200), await open(600_000)];
  await createOrganisation(patient, organisation({ OrganisationID: guid(1) }), 1);
});
afterAll(async () => {
  await setStandby("");
  await Promise.all([hurried?.close(), patient?.close(), administrator.end(), prober.end()]);
  await cluster.stop();
});

/** Makes commits wait for a standby of that name, which there is not; none with the empty name. */
async function setStandby(name: string): Promise<void> {
  await administrator.query(`alter system set synchronous_standby_names = '${name}'`);
  await administrator.query("select pg_reload_conf()");
  // The server takes the setting over some time after it is told to.
  while ((await probeWaits()) !== (name !== ""));
}

/** Whether a commit waits for a standby; ends its wait. */
async function probeWaits(): Promise<boolean> {
  const { rows } = await prober.query("select pg_backend_pid() as pid");
  let isDone = false;
  const commit = prober.query("select pg_logical_emit_message(true, 'probe', '')").then(() => {
    isDone = true;
  });
  for (;;) {
    const { rowCount } = await administrator.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and pid = $1",
      [rows[0].pid],
    );
    if (isDone || rowCount !== 0) {
      await commit;
      return rowCount !== 0;
    }
  }
}

/** Lets the commits that wait for the standby end, each of which is done. */
async function releaseCommits(): Promise<void> {
  await setStandby("");
  for (let busy = 1; busy > 0; ) {
    const { rowCount } = await administrator.query(
      "select from pg_stat_activity where application_name = 'acct' and state <> 'idle'",
    );
    busy = rowCount ?? 0;
  }
}

const next = (tx: Tx) => takeNumbers(tx, "order", 1);
const taken = () => patient?.read(1, (tx) => sequenceOf(tx, "order"));
const unsure = {
  code: "Unsure",
  message:
    "The database did not confirm in time, so it is not known whether this was done; send it again under the same idempotency key.",
};

test("a commit that a missing standby holds up is answered as unknown, to each writer of the group", async () => {
  await setStandby("nobody");
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => hurried?.write(1, next)));
  for (const each of outcomes) {
    expect(each).toMatchObject({ status: "rejected", reason: unsure });
  }
  await releaseCommits();
  // Whoever shared the commit is done after all, once; who came too late for it is not.
  const done = Number(await taken());
  expect([1, 2, 3]).toContain(done);
  expect(await hurried?.write(1, next)).toBe(done + 1);
});

test("a commit whose wait for the standby an administrator ends is answered as unknown", async () => {
  const before = Number(await taken());
  await setStandby("nobody");
  const written = Promise.allSettled([patient?.write(1, next)]);
  for (let ended = 0; ended === 0; ) {
    const { rowCount } = await administrator.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
    );
    ended = rowCount ?? 0;
  }
  expect(await written).toMatchObject([{ status: "rejected", reason: unsure }]);
  await releaseCommits();
  expect(await taken()).toBe(before + 1);
});

test("a write is repeated once where the connection had ended before anything was sent", async () => {
  const before = (await taken()) ?? 0;
  await patient?.write(1, next);
  await administrator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'acct'",
  );
  expect(await patient?.write(1, next)).toBe(before + 2);
});
