/** On a Citus cluster of a coordinator and two workers, where Citus is installed. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { verify } from "../../src/admin/book.ts";
import { distribute, distributionOf, serve } from "../../src/admin/serve-book.ts";
import { placeInDatabase } from "../../src/platform/book-address.ts";
import { createBook } from "../../src/service/books/book.ts";
import type { ServedBook } from "../../src/service/server/monitoring.ts";
import { allTables, tables } from "../../src/store/schema/all-tables.ts";
import { acctIn, keptSql, worksOn } from "../books/kept.ts";
import { type Cluster, hasCitus, type Spread, startCluster, startSpread } from "./cluster.ts";

if (!hasCitus()) {
  console.log("left out, because Citus is not installed: a database over several nodes");
}

/** Few, so that they are made soon. */
const shards = 8;
const nothing = { shards, dryRun: false, begin: () => undefined, done: () => undefined };
const names = Object.keys(tables).filter((name) => tables[name]?.unlogged !== true);

let spread: Spread;

/** A connection that is closed when it was asked. */
async function asked<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query<T>(text).finally(() => client.end())).rows;
}

test("every table has a primary key, without which no shard can be moved while it is used", () => {
  for (const [name, { key }] of Object.entries(allTables())) {
    expect([name, key.length]).not.toEqual([name, 0]);
  }
});

test("a database without Citus is not distributed, and the refusal has the statement that makes it", async () => {
  const single: Cluster = await startCluster();
  const acct = acctIn({ HOME: "/nowhere", ACCT_DATABASE: single.url });
  expect(await acct("database", "distribute")).toEqual({
    code: 5,
    stdout: "",
    stderr:
      "acct: The database has no Citus. Where it is installed on the coordinator and all workers, this makes it on each: create extension citus\n",
  });
  expect(await distributionOf(single.url)).toBeUndefined();
  await single.stop();
});

describe.skipIf(!hasCitus())("a cluster of a coordinator and two workers", () => {
  beforeAll(async () => {
    spread = await startSpread();
  });
  afterAll(() => spread.stop());

  test("tables are distributed in order with the rows that are in them, and a run that was cut off goes on", async () => {
    const url = await spread.database("cut");
    const place = placeInDatabase({ url, organisation: "Quay" });
    await (await createBook(url, { name: "Quay", country: "NZ" })).close();
    const acct = acctIn({ HOME: "/nowhere", ACCT_DATABASE: url });
    const [first = "", second = "", third = ""] = names;
    const done = (table: string) => {
      if (table === second) throw new Error("cut off");
    };
    await expect(distribute(url, { ...nothing, done })).rejects.toThrow("cut off");
    expect(await distributionOf(url)).toEqual({ left: names.slice(2), shards });
    expect((await acct("doctor")).stdout).toMatch(
      new RegExp(
        `^warning  nodes +${names.length - 2} tables of organisations lie on no worker: ${third}, `,
        "m",
      ),
    );
    const check = await acct("database", "distribute", "--check");
    expect(check.code).toBe(5);
    expect(check.stdout.split("\n")[0]).toBe(third);
    expect((await acct("database", "distribute", "--shards", "3")).code).toBe(2);
    const rest = await acct("database", "distribute");
    expect(rest.code).toBe(0);
    expect(rest.stderr.match(/(?<=^Distributed )\w+/gm)).toEqual(names.slice(2));
    expect((await acct("database", "distribute", "--check")).code).toBe(0);
    expect((await acct("doctor")).stdout).not.toContain("nodes");
    expect((await verify(place)).faults).toEqual([]);
    // What the coordinator had of its own is gone.
    const [left] = await asked<{ bytes: string }>(
      url,
      `select pg_relation_size('${first}') as bytes`,
    );
    expect(left).toEqual({ bytes: "0" });
  });

  test("a database of the version before is migrated on all nodes, and a table it lacked is distributed with the others", async () => {
    const url = await spread.database("kept");
    await asked(url, keptSql("v28"));
    await asked(url, "drop table box_1099");
    const older = await asked<{ table_name: string }>(
      url,
      "select table_name from information_schema.columns where column_name = 'org' and table_schema = 'public' and table_name <> 'call_count' order by table_name <> 'organisation'",
    );
    for (const { table_name: name } of older) {
      const where = name === "organisation" ? `'none', shard_count => ${shards}` : "'organisation'";
      await asked(
        url,
        `select create_distributed_table('${name}', 'org', colocate_with => ${where})`,
      );
    }
    const acct = acctIn({ HOME: "/nowhere", ACCT_DATABASE: url });
    const upgraded = await acct("book", "upgrade");
    expect(upgraded).toMatchObject({ code: 0 });
    expect(await distributionOf(url)).toEqual({ left: [], shards });
    await worksOn("v28", acct);
  });

  test("people of a stopped worker are answered with 503, those of the other go on, and both after its return, twenty times under load", async () => {
    const url = await spread.database("stopped");
    const served = await servedBooks(url, 8);
    const places = await nodesOf(url);
    expect(new Set(places.values()).size).toBe(2);
    const [lost] = spread.workers as [Cluster];
    const isLost = (tenant: string) => places.get(tenant) === lost.folder;
    // A process lists its organisations at the first request.
    for (const { get } of served.books) expect((await get("/Organisation")).status).toBe(200);
    const writers = served.books.map((book) => writerOf(book));
    for (let time = 0; time < 20; time += 1) {
      await lost.end();
      for (const book of served.books) {
        const answer = await book.get("/Organisation");
        expect([answer.status, answer.headers.has("retry-after")]).toEqual(
          isLost(book.tenant) ? [503, true] : [200, false],
        );
      }
      expect((await fetch(`${served.origin}/ready`)).status).toBe(200);
      const told = await (await fetch(served.metrics)).text();
      const count = served.books.filter(({ tenant }) => isLost(tenant)).length;
      expect(told).toContain(`acct_unreached_organisations ${count}\n`);
      await lost.start();
      for (const { get } of served.books) expect((await get("/Organisation")).status).toBe(200);
    }
    for (const writer of writers) await writer.end();
    await served.verified(writers);
  });

  test("while shards are moved to a third worker, the writers of twenty organisations lose nothing and are refused nothing", async () => {
    const url = await spread.database("moved");
    const served = await servedBooks(url, 20);
    const writers = served.books.map((book) => writerOf(book));
    const third = await spread.add("moved");
    await asked(url, "select citus_rebalance_start(shard_transfer_mode => 'force_logical')");
    await asked(url, "select citus_rebalance_wait()");
    for (const writer of writers) await writer.end();
    const places = await nodesOf(url);
    expect([...places.values()]).toContain(third.folder);
    // One with a shard of its own, and a moment to which all nodes can be restored.
    const [large] = await asked<{ org: string }>(
      url,
      "select org from organisation where name = 'Quay 7'",
    );
    await asked(
      url,
      `select isolate_tenant_to_new_shard('organisation', ${large?.org}, 'CASCADE', shard_transfer_mode => 'block_writes')`,
    );
    await asked(url, "select citus_create_restore_point('moment')");
    expect(writers.flatMap(({ refused }) => refused)).toEqual([]);
    await served.verified(writers);
  });
});

interface ServedTenant {
  readonly tenant: string;
  readonly get: (path: string) => Promise<Response>;
  /** Makes a contact, under a key of its own. */
  readonly add: (name: string) => Promise<Response>;
  readonly place: string;
}

/** Serves so many organisations of a distributed database, each by an app of its own. */
async function servedBooks(url: string, count: number) {
  await distribute(url, nothing);
  const books: Omit<ServedTenant, "get" | "add">[] = [];
  const tokens: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    const name = `Quay ${at}`;
    const book = await createBook(url, { name, country: "NZ" });
    const place = placeInDatabase({ url, organisation: name });
    const given = { path: place, clock: Date.now, operator: {} };
    await addApp(given, { name });
    tokens.push((await issueToken(given, name)).token);
    books.push({ tenant: book.tenant, place });
    await book.close();
  }
  const operations = { write: () => undefined, metrics: { host: "127.0.0.1", port: 0 } };
  const port: ServedBook = await serve(url, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    operations,
  });
  const asking =
    (at: number) =>
    (path: string, more: RequestInit = {}) =>
      fetch(`${port.origin}/api.xro/2.0${path}`, {
        ...more,
        headers: {
          authorization: `Bearer ${tokens[at]}`,
          accept: "application/json",
          "content-type": "application/json",
          ...more.headers,
        },
      });
  const tenants: ServedTenant[] = books.map((book, at) => ({
    ...book,
    get: (path) => asking(at)(path),
    add: (name) =>
      asking(at)("/Contacts", {
        method: "PUT",
        body: JSON.stringify({ Name: name }),
        headers: { "idempotency-key": name },
      }),
  }));
  return {
    books: tenants,
    origin: port.origin,
    metrics: port.metricsUrl ?? "",
    /** Ends the service, and looks over all that was written. */
    async verified(writers: readonly Writer[]) {
      for (const [at, { get, place }] of tenants.entries()) {
        const names: string[] = [];
        for (let page = 1; names.length === (page - 1) * 1000; page += 1) {
          const answer = await get(`/Contacts?pageSize=1000&page=${page}`);
          const { Contacts } = (await answer.json()) as { Contacts: { Name: string }[] };
          names.push(...Contacts.map(({ Name }) => Name));
        }
        expect(names.sort()).toEqual([...(writers[at]?.written ?? [])].sort());
        expect(names.length).toBeGreaterThan(0);
        expect((await verify(place)).faults).toEqual([]);
      }
      await port.close();
    },
  };
}

/** The folder of the node on which each organisation lies. */
async function nodesOf(url: string): Promise<ReadonlyMap<string, string>> {
  const rows = await asked<{ id: string; node: string }>(
    url,
    `select o.id, n.nodename as node from organisation o
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('organisation', o.org)
      join pg_dist_node n using (groupid)`,
  );
  return new Map(rows.map(({ id, node }) => [id, node]));
}

interface Writer {
  /** Names of contacts whose making was confirmed. */
  readonly written: readonly string[];
  /** Statuses of answers that confirmed nothing. */
  readonly refused: readonly number[];
  end(): Promise<void>;
}

/** Makes one contact after the other; what is not confirmed is sent again under its key. */
function writerOf({ add }: ServedTenant): Writer {
  const written: string[] = [];
  const refused: number[] = [];
  let isEnding = false;
  const run = async () => {
    for (let at = 1; !isEnding; at += 1) {
      const name = `Contact ${at}`;
      for (;;) {
        const { status } = await add(name);
        if (status === 200) break;
        expect(status).toBe(503);
        refused.push(status);
      }
      written.push(name);
    }
  };
  const done = run();
  done.catch(() => undefined);
  return {
    written,
    refused,
    end: async () => {
      isEnding = true;
      await done;
    },
  };
}
