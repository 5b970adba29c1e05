/**
 * Commands against a service that fails in every way: nothing is lost, nothing is done twice, and the
 * books are those of a service that never failed. The import is done by the built program, which
 * waits as anybody would; the many small commands are done in this process, where nobody waits and
 * the clock goes on by itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { kinds } from "../../../src/service/fault-injection/plan.ts";
import { runBuilt, type Serving, serveBuilt } from "../built.ts";

let folder: string;
let env: Record<string, string>;
const count = 120;
const paid = 30;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-chaos-run-"));
  env = { HOME: folder, PATH: process.env.PATH ?? "", USER: "ann", TZ: "UTC" };
  const rows = Array.from({ length: 2 * count }, (_, at) => {
    const number = at % count;
    const fields = [`Customer ${number % 17}`, `N-${number}`, "2026-01-05", `I-${at % 11}`];
    return [...fields, `Line ${at}`, (at % 5) + 1, `${at % 90}.37`].join(",");
  });
  const head = "ContactName,InvoiceNumber,Date,ItemCode,Description,Quantity,UnitAmount";
  writeFileSync(join(folder, "rows.csv"), `${[head, ...rows].join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

/** What the waits of commands in this process would have come to, in milliseconds. */
let sleptMs = 0;

/** As the built program, in this process. */
async function acct(words: readonly string[], more: Record<string, string> = {}) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const sleep = async (waitMs: number) => {
    sleptMs += Math.ceil(waitMs);
  };
  const status = await run(words, {
    env: { ...env, ...more },
    stdout,
    stderr,
    clock: () => Date.now() + sleptMs,
    open: (ctx) => open(ctx, { sleep }),
  });
  return { status, stdout: stdout.text, stderr: stderr.text };
}

async function ok(words: readonly string[], more: Record<string, string> = {}) {
  const { status, stdout, stderr } = await acct(words, more);
  expect([words.join(" "), status, status === 0 ? "" : stderr]).toEqual([words.join(" "), 0, ""]);
  return stdout;
}

async function madeBook(name: string): Promise<string> {
  const book = join(folder, `${name}.acct`);
  await ok(["init", "--name", "Chaos Ltd", "--country", "NZ", "--book", book]);
  await ok(["app", "add", "Till", "--book", book]);
  const bank = ["--code", "090", "--name", "Bank", "--type", "BANK"];
  await ok(["account", "create", ...bank, "--bank-account-number", "1-2", "--book", book]);
  return book;
}

const files = ["import", "invoices", "rows.csv", "--set", "AccountCode=200"];
const making = ["--status", "AUTHORISED", "--create-contacts", "--create-items", "--yes"];
const toImport = (file: string) => [...files.with(2, file), ...making, "-o", "json"];
const when = ["--account", "090", "--date", "2026-02-01"];
const toPay = (number: number) => ["payment", "apply", `N-${number}`, ...when];
/** A part of it, by a request that can be made again under its key. */
function toPayPart(number: number): string[] {
  const payment = {
    Invoice: { InvoiceNumber: `N-${number}` },
    Account: { Code: "090" },
    Date: "2026-02-01",
    Amount: 1,
  };
  const file = join(folder, `part-${number}.json`);
  writeFileSync(file, JSON.stringify(payment));
  return ["api", "PUT", "/Payments", "-H", `Idempotency-Key: part-${number}`, "--input", file];
}
const isPart = (number: number) => number % 3 === 0;

/** All that the work leaves in a book, without ids and times. */
async function stateOf(book: string): Promise<string> {
  const list = async (noun: string, columns: string) => {
    const words = [noun, "list", "--all", "-o", "csv", "--columns", columns, "--book", book];
    return (await ok(words)).split("\n").sort().join("\n");
  };
  const trialBalance = ["report", "trial-balance", "--date", "2026-12-31", "-o", "csv"];
  return [
    await list("invoice", "InvoiceNumber,Contact.Name,Status,Total,AmountDue"),
    await list("contact", "Name"),
    await list("item", "Code,Name"),
    await list("payment", "Invoice.InvoiceNumber,Date,Amount,Status"),
    await ok([...trialBalance, "--book", book]),
  ].join("\n\n");
}

/**
 * Commands over the port. One that a token kept from being done is run again with another; where it
 * says that it may have been done all the same, only after a look.
 */
function over({ baseUrl }: Serving, book: string) {
  let refused = 0;
  let doubted = 0;
  const commandOf =
    (program: (words: readonly string[], more: Record<string, string>) => Ran | Promise<Ran>) =>
    async (
      words: readonly string[],
      isDone: () => Promise<boolean> = async () => false,
    ): Promise<string> => {
      for (;;) {
        const token = (await ok(["app", "token", "Till", "--book", book])).trim();
        const remote = { ACCT_BASE_URL: baseUrl, ACCT_TOKEN: token };
        const { status, stdout, stderr } = await program(words, remote);
        if (status !== 4) {
          const line = words.join(" ");
          expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
          return stdout;
        }
        refused += 1;
        const isDoubtful = stderr.includes("may have been done");
        if (isDoubtful) doubted += 1;
        if (isDoubtful && (await isDone())) return "";
      }
    };
  return {
    command: commandOf(acct),
    program: commandOf((words, more) => runBuilt(words, { ...env, ...more })),
    refused: () => refused,
    doubted: () => doubted,
  };
}

type Ran = Pick<ReturnType<typeof runBuilt>, "status" | "stdout" | "stderr">;

test("an import, payments and lists come through faults of every kind", {
  timeout: 300_000,
}, async () => {
  const calm = await madeBook("calm");
  const file = join(folder, "rows.csv");
  await ok([...toImport(file), "--book", calm]);
  for (let number = 0; number < paid; number += 1) {
    await ok([...(isPart(number) ? toPayPart(number) : toPay(number)), "--book", calm]);
  }

  const book = await madeBook("chaotic");
  const flags = ["--port", "0", "--no-rate-limit", "--log", "json", "--chaos", "1642"];
  const service = await serveBuilt(["--book", book, ...flags], env);
  const { program, command, refused, doubted } = over(service, book);
  await program(toImport(file));
  for (let number = 0; number < paid; number += 1) {
    if (isPart(number)) await command(toPayPart(number));
    else {
      const shown = ["invoice", "show", `N-${number}`, "-o", "json"];
      await command(toPay(number), async () => JSON.parse(await command(shown)).AmountDue === 0);
    }
  }
  const numbers = JSON.parse(await command(["invoice", "list", "--all", "-o", "json"])).map(
    ({ InvoiceNumber }: { InvoiceNumber: string }) => InvoiceNumber,
  );
  expect(new Set(numbers).size).toBe(count);
  expect(numbers).toHaveLength(count);
  service.process.kill("SIGTERM");
  expect(await service.ended).toBe(0);

  const struck = new Map<string, number>();
  for (const line of service.said().trim().split("\n")) {
    const { chaos, route } = JSON.parse(line);
    if (route !== undefined && chaos !== undefined) struck.set(chaos, (struck.get(chaos) ?? 0) + 1);
  }
  expect([...struck.keys()].sort()).toEqual([...kinds].sort());
  expect(refused()).toBe((struck.get("revoked") ?? 0) + (struck.get("expired") ?? 0));
  expect(doubted()).toBeGreaterThan(0);
  expect(await stateOf(book)).toBe(await stateOf(calm));
  expect(await ok(["book", "verify", "--book", book])).toContain("Everything adds up.");
});
