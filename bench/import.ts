/**
 * A wholesaler's real sales (`retail.ts`), 20,000 lines, into approved invoices with their postings,
 * history and balances; against the same lines put into one bare table.
 *
 *   npm run bench:import -- online-retail.csv
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { acct, inScratch, print, root } from "./measure.ts";
import { retailMapping } from "./retail.ts";

const file = resolve(process.argv[2] ?? "online-retail.csv");
const runs = 3;

interface Run {
  readonly seconds: number;
  readonly peakMiB: number;
}

if (!existsSync(file)) {
  print(`There is no ${file}: give the path of the CSV file.`);
  process.exitCode = 2;
} else {
  await inScratch(async (folder) => {
    // Counted by the process itself, since no other can tell its peak.
    const hook = join(folder, "peak.cjs");
    const told = join(folder, "peak.txt");
    writeFileSync(
      hook,
      `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(told)},
        String(process.resourceUsage().maxRSS / 1024)));`,
    );
    const timed = (args: readonly string[], accepted: readonly number[]): Run => {
      const started = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, ["--require", hook, ...args], {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      if (status === null || !accepted.includes(status)) throw new Error(stderr);
      return { seconds, peakMiB: Number(readFileSync(told, "utf8")) };
    };
    const book = join(folder, "retail.acct");
    const rejected = ["--rejected", join(folder, "rejected.csv")];
    const whole: Run[] = [];
    const plain: Run[] = [];
    for (let run = 0; run < runs; run += 1) {
      for (const name of [book, `${book}-wal`, `${book}-shm`]) rmSync(name, { force: true });
      timed([acct, "init", "--name", "Retail", "--country", "UK", "--book", book], [0]);
      whole.push(
        timed(
          [acct, "import", "invoices", file, "--book", book, ...retailMapping, ...rejected],
          [0, 7],
        ),
      );
      const bare = join(folder, `bare-${run}.db`);
      plain.push(timed([join(root, "bench/plain-insert.ts"), file, bare], [0]));
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
    const seconds = median(whole.map((run) => run.seconds));
    const peak = Math.max(...whole.map((run) => run.peakMiB));
    const reference = median(plain.map((run) => run.seconds));
    print(`acct import, 20,000 lines into approved invoices: ${seconds.toFixed(2)} s, at most 6 s`);
    print(`peak memory: ${peak.toFixed(0)} MiB, at most 250 MiB`);
    print(
      `the same lines into one bare table: ${reference.toFixed(2)} s; ` +
        `ratio ${(seconds / reference).toFixed(1)}`,
    );
    if (seconds > 6 || peak > 250) process.exitCode = 1;
  });
}
