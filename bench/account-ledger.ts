/**
 * The account ledger of a book of 1,000,000 postings: how soon its first page is there, against Node
 * doing nothing, and what memory the whole of it takes, against that of a hundredth; and how the time of
 * the report of journals grows with the book.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bookOf } from "./books.ts";
import { acct, inScratch, print } from "./measure.ts";

/** Rows of a first page, as lists show them. */
const pageRows = 100;
const runs = 15;

const ledgerOf = (book: string, ...accounts: readonly string[]) => [
  ...[acct, "report", "account-transactions", ...accounts],
  ...["--period", "2025", "-o", "csv", "--book", book],
];

/** Milliseconds until so many lines were printed, or until the end. */
function timeTo(args: readonly string[], lines: number): Promise<number> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let seen = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) seen += 1;
      if (seen >= lines) child.kill();
    });
    child.on("close", () => resolve(Number(process.hrtime.bigint() - started) / 1e6));
  });
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

await inScratch(async (folder) => {
  const [small, large] = [join(folder, "small.acct"), join(folder, "large.acct")];
  await bookOf(small, 2_500);
  await bookOf(large, 250_000);
  // What a command compiled is kept when it is done, and the runs below are cut off.
  spawnSync(process.execPath, ledgerOf(small, "200"), { stdio: "ignore" });
  const bare: number[] = [];
  const first: number[] = [];
  for (let run = -2; run < runs; run += 1) {
    const [nothing, page] = [
      await timeTo(["-e", "0"], 1),
      await timeTo(ledgerOf(large, "200"), pageRows),
    ];
    if (run < 0) continue;
    bare.push(nothing);
    first.push(page);
  }
  const [node = 0, page = 0] = [median(bare), median(first)];
  print(
    `first ${pageRows} rows of 250,000: ${page.toFixed(0)} ms; node -e 0: ${node.toFixed(0)} ms; ` +
      `ratio ${(page / node).toFixed(2)}, at most 2.0: ${page <= 2 * node ? "holds" : "MISSED"}`,
  );
  // Counted by the process itself, since no other can tell its peak.
  const hook = join(folder, "peak.cjs");
  const told = join(folder, "peak.txt");
  writeFileSync(
    hook,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(told)},
      String(process.resourceUsage().maxRSS / 1024)));`,
  );
  const [part = 0, whole = 0] = [small, large].map((book) => {
    const started = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, ["--require", hook, ...ledgerOf(book)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`The ledger of ${book} ended with ${status}.`);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    const peak = Number(readFileSync(told, "utf8"));
    print(
      `whole ledger of ${book === small ? "10,000" : "1,000,000"} postings: ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MiB`,
    );
    return peak;
  });
  const ratio = whole / part;
  print(`memory: ratio ${ratio.toFixed(2)}, at most 1.5: ${ratio <= 1.5 ? "holds" : "MISSED"}`);
  const [few, many] = [join(folder, "few.acct"), join(folder, "many.acct")];
  await bookOf(few, 10_000);
  await bookOf(many, 100_000);
  const journal = (book: string) =>
    timeTo([acct, "report", "journal", "--period", "2025", "-o", "csv", "--book", book], Infinity);
  await journal(few);
  const growth = (await journal(many)) / (await journal(few)) / 10;
  print(
    `report journal, 100,000 invoices to 10,000: ${growth.toFixed(2)} of linear, at most 1.3: ${growth <= 1.3 ? "holds" : "MISSED"}`,
  );
  if (page > 2 * node || ratio > 1.5 || growth > 1.3) process.exitCode = 1;
});
