/** On a Citus cluster of a coordinator and two workers, where Citus is installed. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verify } from "../../src/admin/book.ts";
import { distribute, distributionOf } from "../../src/admin/serve-book.ts";
import { placeInDatabase } from "../../src/platform/book-address.ts";
import { createBook } from "../../src/service/books/book.ts";
import { allTables, tables } from "../../src/store/schema/all-tables.ts";
import { acctIn, keptSql, worksOn } from "../books/kept.ts";
import { type Cluster, hasCitus, type Spread, startCluster, startSpread } from "./cluster.ts";

if (!hasCitus()) {
  console.log("left out, because Citus is not installed: a database over several nodes");
}

/** Few, so that they are made soon. */
const shards = 8;
const nothing = { shards, dryRun: false, begin: () => undefined, done: () => undefined };
const names = Object.keys(tables);

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
      "select table_name from information_schema.columns where column_name = 'org' and table_schema = 'public' order by table_name <> 'organisation'",
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
});
