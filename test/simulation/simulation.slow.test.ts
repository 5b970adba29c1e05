/** Some two hundred steps on either database; `npm run simulate` runs as many as one has time for. */
import { expect, test } from "vitest";
import { findPostgres } from "../postgres/cluster.ts";
import { type Databases, files, server } from "./databases.ts";
import { describeFailure, runSeed } from "./run.ts";

const hasPostgres = findPostgres() !== undefined;
if (!hasPostgres) {
  process.stdout.write("left out, because PostgreSQL is not installed: the simulation on it\n");
}

async function simulated(databases: Databases, seed: number): Promise<string | undefined> {
  try {
    const failure = await runSeed(databases, { seed, count: 200 });
    return failure && describeFailure(failure, databases.name);
  } finally {
    await databases.close();
  }
}

test("nothing acknowledged is lost on SQLite, whatever fails", { timeout: 600_000 }, async () => {
  expect(await simulated(files(), 1)).toBeUndefined();
});

test.skipIf(!hasPostgres)(
  "nothing acknowledged is lost on PostgreSQL, whatever fails",
  { timeout: 600_000 },
  async () => {
    expect(await simulated(await server(), 2)).toBeUndefined();
  },
);
