/** `acct book verify` on files that are damaged: each is refused in a sentence. */
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { tables } from "../../../src/store/schema/all-tables.ts";
import { fc, runs } from "../../support/properties.ts";
import { noon } from "../line.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-verify-"));
const whole = join(folder, "whole.acct");
const damaged = join(folder, "damaged.acct");

async function acct(...words: string[]) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, { env: { HOME: folder }, stdout, stderr, clock: () => noon, open });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

beforeAll(async () => {
  const on = ["--book", whole];
  await acct("init", "--name", "Quay", "--country", "NZ", ...on);
  await acct("contact", "create", "--name", "Acme", ...on);
  for (let count = 0; count < 20; count += 1) {
    const line = "description=Cups,quantity=2,unit-amount=10,account=200";
    const given = [
      "--contact",
      "Acme",
      "--line",
      line,
      "--status",
      "AUTHORISED",
      "--allow-duplicate",
    ];
    expect(await acct("invoice", "create", ...given, ...on)).toMatchObject({ code: 0 });
  }
  const db = new DatabaseSync(whole);
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What SQLite itself says of a file. */
function isWhole(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const said = db.prepare("pragma integrity_check(1)").all();
      return said.length === 1 && said[0]?.integrity_check === "ok";
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

const verify = () => acct("book", "verify", "--book", damaged);

test("an undamaged book passes acct book verify", async () => {
  copyFileSync(whole, damaged);
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Everything adds up\./),
  });
});

/** Where in the file, as a share of it, and what becomes of the bytes there. */
const damage = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.integer({ min: 0, max: 99 }).map((at) => at / 1e4),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ endsAt: fc.double({ min: 0, max: 0.9999, noNaN: true }) }) },
);

test("random damage to a book file that SQLite finds is reported by acct book verify in one sentence", async () => {
  const cases = runs(100);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(damage, async (done) => {
      for (const end of ["-wal", "-shm"]) rmSync(damaged + end, { force: true });
      copyFileSync(whole, damaged);
      const { length } = readFileSync(whole);
      if ("endsAt" in done) truncateSync(damaged, Math.floor(length * done.endsAt));
      else {
        const bytes = readFileSync(damaged);
        bytes.set(done.bytes.slice(0, length), Math.floor((length - done.bytes.length) * done.at));
        writeFileSync(damaged, bytes);
      }
      const fit = isWhole(damaged);
      const { code, stdout, stderr } = await verify();
      expect(stderr).not.toMatch(/report it|\.ts:|\.js:/);
      if (!fit) refused += 1;
      if (!fit) expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
      else expect([0, 5]).toContain(code);
    }),
    { numRuns: cases, seed: 4711 },
  );
  // Otherwise nothing was looked at.
  expect(refused).toBeGreaterThan(cases / 4);
});

/** Everything that the book keeps, as one text; undefined where it cannot be read. */
function keptIn(path: string): string | undefined {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const kept = Object.entries(tables).filter(([, { chain }]) => chain !== "passing");
      // By value: that the schema has a letter of a column's name as a capital changes nothing, nor
      // does the version of a cache.
      const rowsOf = (table: string) => db.prepare(`select * from "${table}"`).all();
      return kept
        .map(([table, { chain }]) => {
          const without: readonly string[] =
            typeof chain === "object" && "without" in chain ? chain.without : [];
          const values = (row: object) =>
            Object.entries(row).flatMap(([name, value]) => (without.includes(name) ? [] : [value]));
          return JSON.stringify(rowsOf(table).map(values));
        })
        .join("\n");
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

test("a book file with one changed byte never passes verification", async () => {
  const original = readFileSync(whole);
  copyFileSync(whole, damaged);
  const kept = keptIn(damaged);
  const wanted = runs(200);
  let seed = 20_260_305;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const passed: number[] = [];
  // A byte that no row and no index holds, as pages have between them, says nothing of the books.
  for (let found = 0, tried = 0; found < wanted; tried += 1) {
    expect(tried).toBeLessThan(20 * wanted);
    const [at, bit] = [random(original.length), random(8)];
    const bytes = Buffer.from(original);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
    for (const end of ["-wal", "-shm"]) rmSync(damaged + end, { force: true });
    writeFileSync(damaged, bytes);
    if (isWhole(damaged) && keptIn(damaged) === kept) continue;
    found += 1;
    const { code, stderr } = await verify();
    expect(stderr).not.toMatch(/report it|\.ts:|\.js:/);
    if (code !== 5) passed.push(at);
  }
  expect(passed).toEqual([]);
});

test("a book with a missing table is refused with the name of the table, and not as damaged", async () => {
  copyFileSync(whole, damaged);
  const db = new DatabaseSync(damaged);
  db.exec("drop table document_line");
  db.close();
  const { code, stderr } = await verify();
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(
      `${damaged} lacks table document_line; acct book upgrade ${damaged} brings`,
    ),
  ]);
});
