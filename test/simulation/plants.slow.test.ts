/** The simulation finds each mistake that is planted, and finds it again by the seed that it prints. */
import { expect, test } from "vitest";
import { findPostgres } from "../postgres/cluster.ts";
import { lacking } from "./disk.ts";
import { plants } from "./plants.ts";
import { simulate } from "./program.ts";

/** Seeds that are tried, beginning with the one that found it when it was planted. */
const seedsMax = 5;
const steps = "100";
/** Runs of the printed seed on a server, which decides itself which of two writers comes first. */
const runsOnServer = 8;

/** What is missing for one of them; undefined where nothing is. */
const missing = (name: string): string | undefined => {
  if (plants[name]?.database === "postgres") {
    return findPostgres() === undefined ? "PostgreSQL is not installed" : undefined;
  }
  return plants[name]?.file.endsWith("sqlite.ts") ? lacking : undefined;
};
for (const name of Object.keys(plants)) {
  if (missing(name) !== undefined) {
    process.stdout.write(`left out, because ${missing(name)}: whether it is found that ${name}\n`);
  }
}

test.each(Object.entries(plants).filter(([name]) => missing(name) === undefined))(
  "the simulation detects the deliberate bug: %s",
  { timeout: 600_000 },
  async (name, { database = "sqlite", seed = 1, found }) => {
    const flags = ["--plant", name, "--database", database, "--no-shrink"];
    let first = await simulate(...flags, "--seed", String(seed), "--steps", steps);
    for (let next = seed + 1; next < seed + seedsMax && first.code === 0; next += 1) {
      first = await simulate(...flags, "--seed", String(next), "--steps", steps);
    }
    expect(first.said).toMatch(found);
    const again = /--seed \d+ --steps \d+$/m.exec(first.said)?.[0].split(" ") ?? [];
    let second = await simulate(...flags, ...again);
    for (
      let run = 1;
      run < runsOnServer && database === "postgres" && second.code === 0;
      run += 1
    ) {
      second = await simulate(...flags, ...again);
    }
    expect(second.said).toMatch(found);
  },
);
