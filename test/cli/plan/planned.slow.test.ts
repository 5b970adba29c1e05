/** Every command that writes: planned and then applied it leaves the book as it does at once. */
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemo } from "../../../src/admin/book.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { walk, wholeTree } from "../tree.ts";
import { plannedFiles, plannedLines } from "./lines.ts";

const home = mkdtempSync(join(tmpdir(), "acct-plan-"));
const sample = join(home, "sample.acct");
afterAll(() => rmSync(home, { recursive: true }));
beforeAll(async () => {
  await makeDemo(sample);
  for (const [name, text] of Object.entries(plannedFiles)) writeFileSync(join(home, name), text);
}, 60_000);

let seconds = 0;
const noon = Date.UTC(2026, 10, 16, 12);

async function acct(book: string, line: string, names: Readonly<Record<string, string>> = {}) {
  const known: Readonly<Record<string, string>> = { HOME: home, ...names };
  const told = line.replace(/\$([A-Z]+)/g, (_, name: string) => known[name] ?? "?");
  const words = (told.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ""));
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(words, {
    env: { HOME: home, ACCT_BOOK: book, ACCT_USER: "Ana Reid", ACCT_EMAIL: "ana@heron.example" },
    stdout,
    stderr,
    clock: () => noon + 1000 * seconds++,
    open,
  });
  return { told, code, stdout: stdout.text, stderr: stderr.text };
}

async function done(book: string, line: string, names?: Readonly<Record<string, string>>) {
  const { told, code, stdout, stderr } = await acct(book, line, names);
  // Lines that are left to a person end with 7.
  if (code !== 0 && code !== 7) throw new Error(`${told} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Runs lines, and keeps what those print that have a name. */
async function prepared(book: string, lines: readonly string[]) {
  const names: Record<string, string> = {};
  for (const each of lines) {
    const [, key, words = each] = /^([A-Z]+)=(.*)$/.exec(each) ?? [];
    const printed = await done(book, words, names);
    if (key !== undefined) names[key] = printed.trim().split("\n")[0] ?? "";
  }
  return names;
}

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

test("every command that can be planned has a line here", async () => {
  const planned: string[] = [];
  for (const { path, node } of walk(await wholeTree())) {
    if (node.kind === "command" && node.flags.some(({ name }) => name === "plan")) {
      planned.push(path.join(" "));
    }
  }
  expect(Object.keys(plannedLines).toSorted()).toEqual(planned.toSorted());
});

describe("planned and applied, it does what the command does at once", () => {
  test.each(Object.entries(plannedLines))("%s", { timeout: 60_000 }, async (name, planned) => {
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
  });
});
