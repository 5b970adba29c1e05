/** An import that is killed at any moment goes on where it stopped: nothing twice, nothing lost. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Desk } from "./desk.ts";

const desks: Desk[] = [];
afterEach(() => {
  for (const desk of desks.splice(0)) desk.close();
});

const count = 2_000;
const rows = [
  "ContactName,InvoiceNumber,Date,ItemCode,Description,Quantity,UnitAmount",
  ...Array.from({ length: 2 * count }, (_, at) => {
    const number = at % count;
    return `Customer ${number % 700},N-${number},2026-01-05,I-${at % 900},Line ${at},${(at % 7) + 1},${at % 90}.37`;
  }),
].join("\n");

const flags = [
  ...["--set", "AccountCode=200", "--status", "AUTHORISED"],
  ...["--create-contacts", "--create-items", "--yes", "-o", "json"],
];

const program = join(import.meta.dirname, "..", "..", "..", "bin", "acct.js");

/** Runs an import in a process of its own, and kills it once it says `until`. */
function importing(desk: Desk, file: string, until?: RegExp): Promise<string | number | null> {
  const child = spawn(process.execPath, [program, "import", "invoices", file, ...flags], {
    env: { HOME: desk.folder, ACCT_BOOK: desk.path("book.acct"), TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
    if (until?.test(said)) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      // What a process that is not killed says is what went wrong with it.
      if (until === undefined && code !== 0) reject(new Error(said));
      else resolve(signal ?? code);
    });
  });
}

async function deskWithFile() {
  const desk = await Desk.open();
  desks.push(desk);
  return { desk, file: desk.file("rows.csv", rows) };
}

/** All that an import leaves in a book, without ids and times. */
async function stateOf(desk: Desk): Promise<string> {
  const lists = [
    ["invoice", "list", "--all", "--order", "InvoiceNumber", "-o", "csv"],
    ["contact", "list", "--all", "-o", "csv"],
    ["item", "list", "--all", "-o", "csv"],
    ["report", "trial-balance", "--date", "2026-12-31", "-o", "csv"],
  ];
  const texts: string[] = [];
  for (const words of lists) {
    const { stdout, stderr } = await desk.acct(...words);
    texts.push(stderr, stdout);
  }
  return texts.join("\n");
}

test("killed while contacts, items and invoices are made", { timeout: 120_000 }, async () => {
  const whole = await deskWithFile();
  await importing(whole.desk, whole.file);
  const expected = await stateOf(whole.desk);
  expect(expected.match(/^N-\d+,/gm)).toHaveLength(count);

  const { desk, file } = await deskWithFile();
  for (const moment of [
    /500 of 700 contacts/,
    /of 900 items/,
    /500 of \d+ invoices/,
    /1000 of \d+ invoices/,
  ]) {
    expect(await importing(desk, file, moment)).toBe("SIGKILL");
  }
  await importing(desk, file);
  expect(await stateOf(desk)).toBe(expected);
  expect((await desk.acct("book", "verify")).code).toBe(0);
  // And once more, when all of it is there.
  const again = await desk.import("invoices", file, ...flags.slice(0, -3));
  expect(again).toMatchObject({ code: 0, invoices: { imported: 0, existing: count } });
  expect(await stateOf(desk)).toBe(expected);
});
