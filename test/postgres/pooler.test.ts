/** Through PgBouncer, which gives a connection of the server for each transaction. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sequenceOf, takeNumbers } from "../../src/store/chain/sequences.ts";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { createOrganisation } from "../../src/store/records/organisations.ts";
import type { Store } from "../../src/store/store.ts";
import { guid, organisation } from "../store/samples.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { hasPooler, type Pooler, startPooler } from "./pooler.ts";

if (!hasPooler) {
  console.log("left out, because PgBouncer is not installed: a pooler before the database");
}

let cluster: Cluster;
let pooler: Pooler;

describe.skipIf(!hasPooler)("a pooler that gives a connection for each transaction", () => {
  beforeAll(async () => {
    cluster = await startCluster();
    pooler = await startPooler(cluster);
  });
  afterAll(async () => {
    await pooler.stop();
    await cluster.stop();
  });

  test("the address must say that it is one, and the refusal says how", async () => {
    await expect(postgresStore(pooler.url)).rejects.toMatchObject({
      name: "UnavailableError",
      message:
        "The database cannot be reached or opened: a pooler such as PgBouncer answers there; put pooled=1 into the address.",
    });
  });

  test("twenty processes with two hundred connections write without a gap over ten of the server", async () => {
    const stores: Store[] = [];
    for (let at = 0; at < 20; at += 1) stores.push(await postgresStore(`${pooler.url}&pooled=1`));
    const [first] = stores;
    if (first === undefined) throw new Error("There is no store.");
    for (const org of [1, 2, 3]) {
      await createOrganisation(first, organisation({ OrganisationID: guid(org) }), org);
    }
    const writes = stores.flatMap((store) =>
      Array.from({ length: 30 }, (_, at) =>
        store.write((at % 3) + 1, async (tx) => {
          const [limit] = await tx.connection.rows("show statement_timeout", []);
          expect(limit).toEqual(["1min"]);
          return takeNumbers(tx, "order", 1);
        }),
      ),
    );
    const taken = await Promise.all(writes);
    expect(taken).toHaveLength(600);
    const ends = [1, 2, 3].map((org) => first.read(org, (tx) => sequenceOf(tx, "order")));
    expect(await Promise.all(ends)).toEqual([200, 200, 200]);
    await Promise.all(stores.map((store) => store.close()));
  });
});
