/** Every command that writes: undone, every report is what it was before, or it is refused with a reason. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { changedRecords, keyed, restoredTables } from "../../service/operations/state.ts";
import { plannedLines } from "./lines.ts";
import { acct, done, home, prepared, sample } from "./sample-copies.ts";
import { notUndone } from "./undoing.ts";

const reports = [
  "report trial-balance --date 2026-12-31",
  "report trial-balance --date 2026-12-31 --payments-only",
  "report pl --from 2026-01-01 --to 2026-12-31",
  "report balance-sheet --date 2026-12-31",
  "report aged-receivables --date 2026-12-31",
  "report aged-payables --date 2026-12-31",
  "report bank-summary --from 2026-01-01 --to 2026-12-31",
  "report tax-summary --from 2026-01-01 --to 2026-12-31",
  "report budget-summary --date 2026-11-30",
];

/** What every report of a book says, as JSON. */
async function reported(book: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const line of reports) {
    const { code, stdout, stderr } = await acct(book, `${line} -o json`);
    found[line] = code === 0 ? JSON.stringify(withoutZeros(JSON.parse(stdout))) : stderr;
  }
  return found;
}

/** A report without rows that come to nothing: an account that was posted to and reversed has one. */
function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutZeros).filter((each) => !isZeroRow(each));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutZeros(each)] as const),
  );
}

/** A row of a report, or a section without rows, that comes to nothing. */
function isZeroRow(row: unknown): boolean {
  const { Cells, Rows, Title } = (row ?? {}) as {
    Cells?: (number | { Value?: unknown } | null)[];
    Rows?: unknown[];
    Title?: unknown;
  };
  if (Title !== undefined && Rows !== undefined) return Rows.length === 0;
  const figures = Cells?.slice(1).map((cell) =>
    typeof cell === "object" ? String(cell?.Value ?? "") : String(cell),
  );
  return figures?.every((each) => /^(0(\.00)?)?$/.test(each)) === true;
}

function rowsOf(book: string): Map<string, string> {
  const database = new DatabaseSync(book, { readOnly: true });
  const rows = new Map<string, string>();
  try {
    for (const table of restoredTables) {
      const all = database.prepare(`select * from "${table}"`).all();
      for (const [key, text] of keyed(table, all)) rows.set(key, text);
    }
    return rows;
  } finally {
    database.close();
  }
}

function histories(book: string): number {
  const database = new DatabaseSync(book, { readOnly: true });
  try {
    return Number(database.prepare("select count(*) as n from history").get()?.n);
  } finally {
    database.close();
  }
}

test("every command listed as impossible to undo exists", () => {
  const unknown = Object.keys(notUndone).filter((name) => !(name in plannedLines));
  expect(unknown).toEqual([]);
});

describe("commands followed by acct undo", () => {
  test.each(Object.entries(plannedLines))(
    "after acct %s and an undo the book equals the book before, or the undo is refused",
    { timeout: 600_000 },
    async (name, planned) => {
      const { country, elsewhere = [], before = [], line } = planned;
      const stem = join(home, name.replaceAll(" ", "-"));
      const book = `${stem}.acct`;
      if (country === undefined) copyFileSync(sample, book);
      else await done(book, `init --name Kiln --country ${country}`);
      if (elsewhere.length > 0) {
        copyFileSync(book, `${stem}-0.acct`);
        await prepared(`${stem}-0.acct`, elsewhere);
      }
      const names = await prepared(book, before);
      const [said, rows] = [await reported(book), rowsOf(book)];
      await done(book, line, names);
      const grown = histories(book);

      const id = (await done(book, "log --limit 1 -o id")).trim();
      const { code, stderr } = await acct(book, `undo ${id} --yes`);
      const refusal = notUndone[name];
      if (refusal !== undefined) {
        expect(stderr).toMatch(refusal);
        expect(code).toBe(5);
        return;
      }
      expect(stderr).toBe("");
      expect(code).toBe(0);
      expect(await reported(book)).toEqual(said);
      expect(changedRecords(rows, rowsOf(book))).toEqual([]);
      expect(histories(book)).toBeGreaterThanOrEqual(grown);
      expect(await done(book, "book verify")).toContain("Everything adds up.");
    },
  );
});
