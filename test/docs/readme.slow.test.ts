/**
 * The sessions of the README and of the pages it leads to, run as they stand, with the output they
 * show: in one shell for each page, in a folder with nobody's settings.
 *
 * What a person does in the browser meanwhile is done by one who types what the page has them typed.
 * Ports that a page names are swapped for free ones, and the database that it names for one on a
 * server to throw away; nothing else of a command is changed.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveCommand } from "../../src/cli/commands/serve.ts";
import { globalFlags } from "../../src/cli/framework/global-flags.ts";
import { kinds } from "../../src/service/fault-injection/plan.ts";
import { type Cluster, findPostgres, startCluster } from "../postgres/cluster.ts";
import {
  filesOf,
  freePorts,
  openShell,
  reads,
  type Shell,
  type Swap,
  sessionsOf,
} from "../support/console.ts";
import { readerAt } from "../support/signs-in.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const pages = [
  "README.md",
  ...[
    "tour",
    "tutorial-month-end",
    "month",
    "opening",
    "bank",
    "e-invoices",
    "deposits",
    "expense-claims",
    "stocktake",
    "paying-suppliers",
    "assets",
    "audit-files",
    "closing",
    "trust",
    "upgrading",
    "backups",
    "plans",
    "undo",
    "reports",
    "explain",
    "output-formats",
    "importing",
    "services",
    "serving",
    "cloud",
  ].map((page) => `docs/${page}.md`),
];
const postgresPage = "docs/postgresql.md";
if (spawnSync("curl", ["--version"]).status !== 0) {
  process.stdout.write(`left out, because curl is not installed: the sessions of ${pages}\n`);
  pages.length = 0;
}
describe.each(pages)("the terminal sessions of %s", (page) => runsAsShown(page, ports));

describe.runIf(pages.length > 0 && findPostgres() !== undefined)(postgresPage, () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.stop());
  runsAsShown(postgresPage, async () => {
    cluster = await startCluster();
    const real = new URL(cluster.url);
    real.pathname = "/books";
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    await client.query("create database books");
    await client.end();
    return [...(await ports()), { said: "postgres://acct@localhost/books", real: real.href }];
  });
});

function ports(): Promise<Swap[]> {
  return freePorts(9320, 9464, 3000);
}

describe("the tables of the documentation", () => {
  const reference = readFileSync(join(root, "docs/reference.md"), "utf8");
  const serving = readFileSync(join(root, "docs/serving.md"), "utf8");
  const leftOut = (page: string, words: Iterable<string>) =>
    [...words].filter((word) => !new RegExp(`\\| .*\`(?:[^|\`\n]*[ ,])?${word}\\b`).test(page));

  test("the reference lists all global flags", () => {
    expect(
      leftOut(
        reference,
        globalFlags.map(({ name }) => `--${name}`),
      ),
    ).toEqual([]);
  });

  test("the reference lists all environment variables", () => {
    const sources = globSync("src/**/*.ts", { cwd: root });
    const named = sources.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/\bACCT_[A-Z_]+/g)].map(([name]) => name),
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(leftOut(reference, new Set(named))).toEqual([]);
  });

  test("the documentation lists all flags of acct serve", () => {
    expect(serveCommand.flags.length).toBeGreaterThan(8);
    expect(
      leftOut(
        serving,
        serveCommand.flags.map(({ name }) => `--${name}`),
      ),
    ).toEqual([]);
  });

  test("the documentation lists all kinds of injected faults", () => {
    expect(leftOut(serving, kinds)).toEqual([]);
  });
});

/** What says that a person is to go on at the browser. */
const atTheBrowser = "A browser was started with it; waiting for you to sign in there…";
/** As the README has added them. */
const person = ["ann@quay.example", "kiln and clay and glaze"] as const;

/** Declares a test for each command of a page. */
function runsAsShown(page: string, swaps: () => Promise<readonly Swap[]>): void {
  const document = readFileSync(join(root, page), "utf8");
  const sessions = sessionsOf(document);
  const folder = mkdtempSync(join(tmpdir(), "acct-readme-"));
  const reader = readerAt(folder);
  let shell: Shell;
  beforeAll(async () => {
    shell = openShell(folder, await swaps(), { BROWSER: reader.program });
    for (const step of filesOf(document)) expect(await shell.run(step)).toEqual([]);
  });
  afterAll(async () => {
    await shell.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  test("the page of the documentation has terminal sessions", () => {
    expect(sessions.length).toBeGreaterThan(0);
  });

  describe.each(sessions)("in the section $heading", ({ steps }) => {
    test.each(steps)(
      "the documented command prints the shown output: $command",
      { timeout: 600_000 },
      async (step) => {
        const running = shell.run(step);
        if (step.promised.includes(atTheBrowser)) await reader.signIn(...person);
        const printed = await running;
        const isAsShown = reads(printed, step.promised);
        expect(
          isAsShown,
          `printed:\n${printed.join("\n")}\n\npromised:\n${step.promised.join("\n")}`,
        ).toBe(true);
      },
    );
  });
}
