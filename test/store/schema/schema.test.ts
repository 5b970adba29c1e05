/** The shape of the tables by version, and that no shape goes without its migration. */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Kysely } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { allTables } from "../../../src/store/schema/all-tables.ts";
import type { Tables } from "../../../src/store/schema/index.ts";
import type { StoreDialect } from "../../../src/store/tx/dialect.ts";
import { definitions } from "../../../src/store/upgrade/25-bring-up.ts";
import { createTables } from "../../../src/store/upgrade/create.ts";
import { migrations } from "../../../src/store/upgrade/migrate.ts";
import { latestVersion } from "../../../src/store/upgrade/state.ts";
import { fingerprintOf, linesOf } from "../../../src/store/upgrade/table-shape.ts";
import { worlds } from "../worlds.ts";

const golden = (version: number) =>
  fileURLToPath(new URL(`../../golden/schema-${version}.txt`, import.meta.url));

const sources = fileURLToPath(new URL("../../../src/store/upgrade/", import.meta.url));

/**
 * SHA-256 of the text of a migration: the files whose names begin with its number, without their
 * imports, whose paths may change.
 */
function textHash(version: number): string {
  const hash = createHash("sha256");
  for (const name of globSync(`${version}-*.ts`, { cwd: sources }).sort()) {
    const text = readFileSync(`${sources}${name}`, "utf8");
    hash.update(text.replace(/^import [^;]*;\n/gm, ""));
  }
  return hash.digest("hex");
}

function goldenText(version: number, lines: readonly string[]): string {
  const head = [`fingerprint ${fingerprintOf(lines)}`, `migration ${textHash(version)}`];
  return `${[...head, "", ...[...lines].sort()].join("\n")}\n`;
}

const steps = (next: number) => `
The tables have another shape than version ${latestVersion}, whose golden stands. Books of that version
are out there, so take these steps:
1. a migration: src/store/upgrade/${next}-words.ts, its line in migrate.ts there, and
   latestVersion ${next} in state.ts;
2. a golden: this test writes test/golden/schema-${next}.txt when there is none; read it;
3. a kept book: one of version ${latestVersion} in test/books, which is brought up in the tests.
A golden that stands is never changed.`;

test("the tables equal those of the latest schema version, or a new migration was added", () => {
  const text = goldenText(latestVersion, linesOf(allTables()));
  const path = golden(latestVersion);
  if (!existsSync(path) && process.env.CI === undefined) writeFileSync(path, text);
  const kept = readFileSync(path, "utf8").split("\n");
  expect(text.split("\n").slice(3), steps(latestVersion + 1)).toEqual(kept.slice(3));
  expect(text.split("\n")[0]).toBe(kept[0]);
});

test("each schema version from 25 to the latest has a migration and a golden file", () => {
  const numbers = Array.from({ length: latestVersion - 24 }, (_, at) => 25 + at);
  expect([...migrations.keys()]).toEqual(numbers);
  expect(numbers.filter((version) => !existsSync(golden(version)))).toEqual([]);
});

test.each([...migrations.keys()])(
  "schema migration %i is unchanged since its release",
  (version) => {
    const [, said] = readFileSync(golden(version), "utf8").split("\n");
    expect(said, "a migration whose golden stands never changes; add one").toBe(
      `migration ${textHash(version)}`,
    );
  },
);

test("the tables of schema version 25 equal its golden file", () => {
  const [head] = readFileSync(golden(25), "utf8").split("\n");
  expect(head).toBe(`fingerprint ${fingerprintOf(linesOf(definitions()))}`);
});

async function inDatabase<T>(
  dialect: StoreDialect,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Tables>({ dialect });
  try {
    return await db.transaction().execute(work);
  } finally {
    await db.destroy();
  }
}

describe.each(worlds.map((make) => make()))("in $name", (world) => {
  afterAll(() => world.close());

  test("newly created tables equal the tables migrated from version 25", async () => {
    const made = (await world.empty()).dialect();
    const found = await inDatabase(made, async (db) => {
      await createTables(db, made);
      return made.shape(db);
    });
    const brought = (await world.empty()).dialect();
    const after = await inDatabase(brought, async (db) => {
      await createTables(db, brought, definitions());
      for (const [version, load] of migrations) {
        if (version > 25) await (await load()).migration(db, brought);
      }
      return brought.shape(db);
    });
    const expected = linesOf(allTables()).sort();
    expect([...found.lines].sort()).toEqual(expected);
    expect([...after.lines].sort()).toEqual(expected);
  });
});
