/** Some two hundred steps on either database; `npm run simulate` runs as many as one has time for. */
import { expect, test } from "vitest";
import { findPostgres } from "../postgres/cluster.ts";
import { simulate } from "./program.ts";

const hasPostgres = findPostgres() !== undefined;
if (!hasPostgres) {
  process.stdout.write("left out, because PostgreSQL is not installed: the simulation on it\n");
}
const databases = [
  ["sqlite", "1"],
  ...(hasPostgres ? ([["postgres", "2"]] as const) : []),
] as const;

test.each(databases)(
  "nothing acknowledged is lost on %s, whatever fails",
  {
    timeout: 600_000,
  },
  async (database, seed) => {
    const { code, said } = await simulate("--database", database, "--seed", seed, "--steps", "200");
    expect(said).toContain("200 steps, nothing broke");
    expect(code).toBe(0);
  },
);
