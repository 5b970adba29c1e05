/** The state of a company on one page: `acct status` anywhere, `acct` alone on a terminal. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { loadPaint, plainPaint } from "../../../src/cli/render/paint.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { overviewLines } from "../../../src/cli/render/status.ts";
import { createClient } from "../../../src/client/client.ts";
import { displayWidth } from "../../../src/output/display-width.ts";
import { type Overview, overview, overviewPath } from "../../../src/resources/overview.ts";
import { createBook, openBook } from "../../../src/service/books/book.ts";
import { createDemoBook } from "../../../src/service/books/demo.ts";
import { acct as asked } from "../line.ts";

/** 24 November 2026 in Auckland, when the sample company has a year behind it. */
const now = Date.UTC(2026, 10, 23, 23);

const folder = mkdtempSync(join(tmpdir(), "acct-status-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const demo = join(folder, "demo.acct");
const empty = join(folder, "empty.acct");

async function overviewIn(path: string): Promise<Overview> {
  const book = await openBook(path, { clock: () => now });
  const [found] = await createClient(book.transport).at(overview, overviewPath);
  await book.close();
  if (found === undefined) throw new Error("There is no overview.");
  return found;
}

let [sample, fresh] = [{} as Overview, {} as Overview];
beforeAll(async () => {
  await createDemoBook(demo);
  const book = await createBook(
    empty,
    { name: "Heron Lane Ltd", country: "NZ" },
    { clock: () => now },
  );
  await book.close();
  sample = await overviewIn(demo);
  fresh = await overviewIn(empty);
});

const shown = (of: Overview, width: number | undefined, blocks = true) =>
  `${overviewLines(of, { width, paint: plainPaint, blocks }).join("\n")}\n`;

/** Runs a command line on a book, as if stdout were a terminal, or a pipe. */
async function acct(words: readonly string[], path: string, isTerminal = false) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const env = { HOME: folder, ACCT_BOOK: path, LANG: "en_NZ.UTF-8" };
  const clock = () => now;
  const code = await run(words, { env, stdout, stderr, clock, open, isTerminal: () => isTerminal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

describe("the page of acct status", () => {
  test.each([60, 80, 120])("the status of the sample company fits %i columns", async (width) => {
    const text = shown(sample, width);
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    await expect(text).toMatchFileSnapshot(`../../golden/status-${width}.txt`);
  });

  test("the status of the sample company fits thirty lines of eighty columns", () => {
    expect(shown(sample, 80).split("\n").length).toBeLessThanOrEqual(30);
  });

  test.each([60, 80])(
    "the status of an empty book says how to begin, in %i columns",
    async (width) => {
      const text = shown(fresh, width);
      for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      await expect(text).toMatchFileSnapshot(`../../golden/status-empty-${width}.txt`);
    },
  );

  test("the status is printed in ASCII where the terminal supports nothing else", () => {
    const text = shown(sample, 80, false);
    // Of names and of buckets aside.
    expect(text.replaceAll("\u2013", "")).not.toMatch(/[^\n -~]/);
    expect(text).toMatch(/Cash +53,038\.64 {2}[.:=+*#@-]{12} /);
  });

  test("the status in colour has the same text as without colour", async () => {
    const paint = await loadPaint(true);
    const text = `${overviewLines(sample, { width: 80, paint, blocks: true }).join("\n")}\n`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are such
    expect(text.replace(/\x1b\[\d+m/g, "")).toBe(shown(sample, 80));
    expect(text).not.toBe(shown(sample, 80));
  });

  test("the status shortens long names on a terminal, and not in a pipe", () => {
    const Name = "The Very Long Name of a Pottery That Nobody Writes Out ".repeat(3).trim();
    const [bank] = sample.BankAccounts ?? [];
    if (bank === undefined) throw new Error("There is no bank account.");
    const named = { ...sample, Name, BankAccounts: [bank, { ...bank, Name }] };
    expect(shown(named, undefined).match(new RegExp(Name, "g"))).toHaveLength(2);
    for (const line of shown(named, 60).split("\n")) {
      expect(displayWidth(line)).toBeLessThanOrEqual(60);
    }
  });

  test("the status shows texts of records with their control characters escaped", () => {
    const [bank] = sample.BankAccounts ?? [];
    if (bank === undefined) throw new Error("There is no bank account.");
    const Name = "Bank\u001b[2J";
    const named = { ...sample, BankAccounts: [{ ...bank, Name, UnreconciledLines: 3 }, bank] };
    expect(shown(named, 80)).not.toContain("\u001b");
  });

  test("the status shows lock dates, bank lines to reconcile and a tax return whose period has ended", () => {
    const [bank] = sample.BankAccounts ?? [];
    if (bank === undefined || sample.Tax === undefined) throw new Error("Something is missing.");
    const of = {
      ...sample,
      PeriodLockDate: "2026-10-31",
      EndOfYearLockDate: "2026-03-31",
      BankAccounts: [{ ...bank, UnreconciledLines: 12, UnreconciledFrom: "2026-11-03" }],
      Tax: { ...sample.Tax, FromDate: "2026-08-01", ToDate: "2026-09-30" },
    };
    const text = shown(of, 120);
    expect(text).toMatch(
      /^To reconcile +12 lines of Business Account, from 3 Nov 26 +bank reconcile 090$/m,
    );
    expect(text).toMatch(/^Locked +up to 31 Oct 2026, the year up to 31 Mar 2026 /m);
    expect(text).toMatch(
      /^Tax +499\.73, GST Return, 1 Aug to 30 Sep 26 +report gst --from 2026-08-01/m,
    );
  });
});

describe("acct status", () => {
  test("acct status shows the page in a pipe, without colour", async () => {
    const { code, stdout, stderr } = await acct(["status"], demo);
    expect([code, stderr]).toEqual([0, ""]);
    await expect(stdout).toMatchFileSnapshot("../../golden/status-piped.txt");
  });

  test("acct status -o json prints every figure", async () => {
    const { stdout } = await acct(["status", "-o", "json"], demo);
    const record = JSON.parse(stdout);
    expect(record).toMatchObject({
      Name: "Tern & Tide Pottery",
      Date: "2026-11-24",
      Cash: 53038.64,
      Receivables: { Total: 13325.78, DueThisWeekCount: 3 },
    });
    expect(record.BankAccounts[0].History).toHaveLength(12);
    expect(stdout).toContain('"Cash":53038.64');
    const xml = (await acct(["status", "-o", "xml"], demo)).stdout;
    expect(xml).toContain("<Cash>53038.64</Cash>");
    const lines = (await acct(["status", "-o", "ndjson"], demo)).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([record]);
    const columns = ["status", "--columns", "Cash,Receivables.Overdue", "-o", "csv"];
    expect((await acct(columns, demo)).stdout).toBe(
      "Cash,Receivables.Overdue\n53038.64,10841.48\n",
    );
  });

  test("the commands that acct status suggests exist and accept the suggested flags", async () => {
    const commands = shown(sample, 120)
      .split("\n")
      .flatMap(
        (line) =>
          / {2,}((?:invoice|bill|report|purchase|credit|quote|close)\S* .+)$/.exec(line)?.[1] ?? [],
      );
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const { code, stdout, stderr } = await acct(command.split(" "), demo);
      expect([command, stderr, code]).toEqual([
        command,
        expect.anything(),
        expect.toBeOneOf([0, 7]),
      ]);
      expect(stdout).not.toBe("");
    }
  });

  test("acct status of a service without that extension is refused with the reason", async () => {
    const paths = { status: 200, body: JSON.stringify({ paths: {} }) };
    const ran = await asked(["status"], { "GET /openapi.json": paths }, { remote: true });
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(ran.stderr).toBe(
      "acct: The state of a company on one page is an extension of acct's own service, which this " +
        "service does not have.\n",
    );
  });
});

describe("acct without arguments", () => {
  test("acct without arguments on a terminal, with a book, shows the status page", async () => {
    const alone = await acct([], demo, true);
    expect(alone).toEqual({ ...(await acct(["status"], demo)) });
    expect(alone.stdout).toContain("Owed");
    expect(await acct(["-o", "json"], demo, true)).toEqual(
      await acct(["status", "-o", "json"], demo),
    );
  });

  test("acct without arguments on a terminal, with an empty book, says what to begin with", async () => {
    const { code, stdout } = await acct([], empty, true);
    expect(code).toBe(0);
    expect(stdout).toContain("acct invoice create");
  });

  test("acct without arguments in a pipe or without a book, and acct --help, show the help", async () => {
    const { stdout: help } = await acct(["--help"], demo, true);
    expect(help).toContain("Usage: acct [global flags] NOUN VERB");
    expect((await acct([], demo)).stdout).toBe(help);
    const none = await acct([], join(folder, "none.acct"), true);
    expect(none).toMatchObject({ code: 0, stderr: "" });
    expect(none.stdout).toMatch(/none\.acct,\swhere\sno\sbook\sis\syet:\sacct\sinit\smakes/);
  });

  test("acct without arguments on an unreadable book says why, and shows the help", async () => {
    const { code, stdout, stderr } = await acct([], folder, true);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^acct: .+\n$/);
    expect(stdout).toContain("Usage: acct [global flags] NOUN VERB");
  });
});
