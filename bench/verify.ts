/**
 * What the verification of a book takes: processor time and memory of a process of its own, on a book
 * and on one of five times its size. What is claimed is that time grows with the book, and memory does
 * not.
 *
 * `node bench/verify.ts --invoices 20000`
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { verifyAt } from "../src/service/books/book.ts";
import { bookOf } from "./books.ts";
import { inScratch, print } from "./measure.ts";

const { values } = parseArgs({
  options: { invoices: { type: "string", default: "20000" }, book: { type: "string" } },
});

interface Taken {
  readonly records: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

/** Of this process, which does nothing else. */
async function verified(path: string): Promise<Taken> {
  const began = process.cpuUsage();
  const { checks, faults } = await verifyAt(path);
  if (faults.length > 0) throw new Error(faults[0]);
  const { user, system } = process.cpuUsage(began);
  const records = checks.find(({ name }) => name === "records in the chain")?.count ?? 0;
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  return { records, cpuSeconds: (user + system) / 1e6, mebibytes };
}

function inChild(path: string): Taken {
  const words = [import.meta.filename, "--book", path];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as Taken;
}

if (values.book !== undefined) {
  process.stdout.write(JSON.stringify(await verified(values.book)));
} else {
  const count = Number(values.invoices);
  await inScratch(async (folder) => {
    const taken: Taken[] = [];
    for (const invoices of [count, 5 * count]) {
      const path = join(folder, `${invoices}.acct`);
      await bookOf(path, invoices, { isLived: true });
      const found = inChild(path);
      taken.push(found);
      const { records, cpuSeconds, mebibytes } = found;
      print(
        `${invoices} invoices, ${records} records: ${cpuSeconds.toFixed(1)} s of the processor, ` +
          `${Math.round(mebibytes)} MiB`,
      );
    }
    const [small, large] = taken as [Taken, Taken];
    const memory = large.mebibytes / small.mebibytes;
    if (memory > 1.25) process.exitCode = 1;
    print(
      `time ${(large.cpuSeconds / small.cpuSeconds).toFixed(2)} times, memory ` +
        `${memory.toFixed(2)} times, at most 1.25: ${memory > 1.25 ? "MISSED" : "holds"}`,
    );
  });
}
