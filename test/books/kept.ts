/**
 * Books that earlier versions of the program have made, and what must go on with each: it is opened,
 * adds up, has the trial balance that its own program printed, and is worked on.
 */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** The commits or versions that made them, and their schema by its number. */
export const keptBooks = globSync("*.acct.gz", { cwd: folder })
  .sort()
  .map((file) => basename(file, ".acct.gz"));

const bytesOf = (file: string) => gunzipSync(readFileSync(`${folder}${file}.gz`));

/** The file of a book, on SQLite. */
export const keptFile = (name: string): Uint8Array => bytesOf(`${name}.acct`);

/** Statements that make its database on PostgreSQL. */
export const keptSql = (name: string): string => bytesOf(`${name}.sql`).toString();

export type Acct = (
  ...words: string[]
) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;

/** Command lines in this process, some days after the books were made. */
export function acctIn(env: Readonly<Record<string, string>>): Acct {
  let seconds = 0;
  const clock = () => Date.UTC(2026, 11, 15) + 1000 * seconds++;
  return async (...words) => {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const code = await run(words, { env, stdout, stderr, clock, open });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
}

/** Accounts with their columns, zeros as empty: the order and further columns are a matter of the version. */
function balancesIn(csv: string): string[] {
  const [heading = "", ...rows] = csv.trim().split("\n");
  const names = heading.split(",");
  const at = ["Account", "Debit", "Credit", "YTD Debit", "YTD Credit"].map((name) =>
    names.indexOf(name),
  );
  expect(at).not.toContain(-1);
  return rows
    .map((row) => at.map((place) => (row.split(",")[place] ?? "").replace(/^0\.00$/, "")).join(" "))
    .sort();
}

async function ok(acct: Acct, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await acct(...words);
  expect([code, words.join(" "), code === 0 ? "" : stderr]).toEqual([0, words.join(" "), ""]);
  return stdout;
}

/** Looks at a kept book that was brought up, and works on it. */
export async function worksOn(name: string, acct: Acct): Promise<void> {
  expect(await ok(acct, "book", "verify")).toContain("Everything adds up.");
  const balance = () => ok(acct, "report", "trial-balance", "--date", "2026-03-31", "-o", "csv");
  const before = balancesIn(await balance());
  expect(before).toEqual(balancesIn(readFileSync(`${folder}${name}.csv`, "utf8")));
  await ok(acct, "contact", "create", "--name", "Newcomer");
  const number = await ok(
    acct,
    ...["invoice", "create", "--contact", "Newcomer", "--date", "2026-03-02", "--due-date"],
    ...["2026-03-20", "--status", "AUTHORISED", "--columns", "InvoiceNumber", "-o", "id"],
    ...["--line", "description=Pots,quantity=1,unit-amount=100,account=200"],
  );
  const applied = ["payment", "apply", number.trim(), "--account", "090", "--date", "2026-03-03"];
  await ok(acct, ...applied);
  expect(balancesIn(await balance())).not.toEqual(before);
  await ok(acct, "undo", "--yes");
  await ok(acct, "undo", "--yes");
  expect(balancesIn(await balance())).toEqual(before);
  for (const noun of ["contact", "invoice", "bill", "item", "asset", "user", "bank-transaction"]) {
    await ok(acct, noun, "list", "--limit", "5");
  }
  expect(await ok(acct, "book", "verify")).toContain("Everything adds up.");
}
