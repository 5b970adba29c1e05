/** Some two hundred steps on either database; `npm run simulate` runs as many as one has time for. */
import { expect, test } from "vitest";
import { findPostgres } from "../postgres/cluster.ts";
import { simulate } from "./program.ts";

const hasPostgres = findPostgres() !== undefined;
if (!hasPostgres) {
  process.stdout.write("left out, because PostgreSQL is not installed: the simulation on it\n");
}
const worlds = [
  ["SQLite", ["--seed", "1", "--steps", "200"]],
  ["SQLite, by programs", ["--seed", "12", "--steps", "80", "--processes"]],
  ["PostgreSQL", ["--seed", "2", "--steps", "150", "--database", "postgres"]],
  [
    "PostgreSQL, by programs",
    ["--seed", "2", "--steps", "60", "--database", "postgres", "--processes"],
  ],
] as const;

test.each(worlds.filter(([name]) => hasPostgres || name.startsWith("SQLite")))(
  "no acknowledged write is lost on %s under random faults",
  { timeout: 600_000 },
  async (_name, flags) => {
    const { code, said } = await simulate(...flags);
    expect(said).toMatch(/steps, nothing broke; .* [1-9]\d* faults met$/m);
    expect(code).toBe(0);
  },
);
