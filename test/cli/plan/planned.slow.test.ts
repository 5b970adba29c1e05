/** Every command that writes: planned and then applied it leaves the book as it does at once. */
import { copyFileSync, cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { walk, wholeTree } from "../tree.ts";
import { plannedLines } from "./lines.ts";
import { done, home, prepared, sample } from "./sample-copies.ts";

/** What a plan adds to a book besides what it does, and hashes, which are of ids and times. */
const ofPlans = new Set([
  "applied_plan",
  "secret",
  "idempotency",
  "call_count",
  "chain_link",
  "operation",
]);
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every row of a book, without times and with new ids all alike. */
function contents(book: string, known: ReadonlySet<string>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [table, rows] of tablesOf(book)) {
    if (ofPlans.has(table)) continue;
    found[table] = rows
      .map((row) => {
        const told = Object.entries(row).filter(
          ([name]) => !/(^|_)at$|_utc$|_version$|^content_id$|^salt$/.test(name),
        );
        const text = JSON.stringify(told);
        return text.replace(guid, (each) => (known.has(each) ? each : "(new)"));
      })
      .toSorted();
  }
  return found;
}

function tablesOf(book: string): [string, Record<string, unknown>[]][] {
  const database = new DatabaseSync(book, { readOnly: true });
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
      .all() as { name: string }[];
    return tables.map(({ name }) => [
      name,
      database.prepare(`select * from "${name}"`).all() as Record<string, unknown>[],
    ]);
  } finally {
    database.close();
  }
}

function idsIn(book: string): ReadonlySet<string> {
  return new Set(JSON.stringify(tablesOf(book)).match(guid));
}

test("every command with the flag --plan has a test", async () => {
  const planned: string[] = [];
  for (const { path, node } of walk(await wholeTree())) {
    if (node.kind === "command" && node.flags.some(({ name }) => name === "plan")) {
      planned.push(path.join(" "));
    }
  }
  expect(Object.keys(plannedLines).toSorted()).toEqual(planned.toSorted());
});

describe("commands planned with --plan and applied", () => {
  test.each(Object.entries(plannedLines))(
    "acct %s, planned and then applied, has the same effect as run at once",
    { timeout: 600_000 },
    async (name, planned) => {
      const { country, elsewhere = [], before = [], line } = planned;
      const stem = join(home, name.replaceAll(" ", "-"));
      const [atOnce, asPlanned, file] = [`${stem}-1.acct`, `${stem}-2.acct`, `${stem}.plan`];
      if (country === undefined) copyFileSync(sample, atOnce);
      else await done(atOnce, `init --name Kiln --country ${country}`);
      if (elsewhere.length > 0) {
        const other = `${stem}-0.acct`;
        copyFileSync(atOnce, other);
        await prepared(other, elsewhere);
      }
      const names = await prepared(atOnce, before);
      copyFileSync(atOnce, asPlanned);
      const outbox = atOnce.replace(/acct$/, "outbox");
      if (existsSync(outbox))
        cpSync(outbox, asPlanned.replace(/acct$/, "outbox"), { recursive: true });
      const known = idsIn(atOnce);
      const untouched = contents(asPlanned, known);

      await done(atOnce, line, names);
      await done(asPlanned, `${line} --plan ${file}`, names);
      expect(contents(asPlanned, known)).toEqual(untouched);
      await done(asPlanned, `apply ${file} --yes`);
      const applied = contents(asPlanned, known);
      expect(applied).not.toEqual(untouched);
      expect(applied).toEqual(contents(atOnce, known));

      await done(asPlanned, `apply ${file} --yes`);
      expect(contents(asPlanned, known)).toEqual(applied);
    },
  );
});
