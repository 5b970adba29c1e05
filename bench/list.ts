/**
 * The first page of invoices on books of 10,000 and of 1,000,000, which is to cost the same, and all
 * of them, which are to cost as much each.
 *
 * `npm run bench:list`, or `node bench/list.ts --largest 100000` where making the largest book, at
 * some 2,000 invoices a second, takes too long.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

const { values } = parseArgs({ options: { largest: { type: "string", default: "1000000" } } });

/** What people narrow a list by, and what they look for: fields with an index, and one without. */
const asked: readonly (readonly string[])[] = [
  [],
  ["--contact", "Customer 7"],
  ["--status", "AUTHORISED"],
  ["--contact", "Customer 7", "--status", "AUTHORISED"],
  ["--period", "2025-03"],
  ["--where", "Total>=100"],
];

await inScratch(async (folder) => {
  const books = [10_000, Number(values.largest)].map((count) => ({
    count,
    path: join(folder, `${count}.acct`),
  }));
  for (const { count, path } of books) await bookOf(path, count);
  print(`Node ${process.version}`);
  for (const words of asked) {
    const [small, large] = compare(
      books.map(({ count, path }) => ({
        name: `acct invoice list ${words.join(" ")}, ${count.toLocaleString("en")} invoices`,
        args: [acct, "invoice", "list", ...words, "--book", path],
      })),
    );
    if (small !== undefined && large !== undefined) claim(large, small, 1.2);
  }
  const [few, many] = compare(
    books.map(({ count, path }) => ({
      name: `acct invoice list --all -o csv, ${count.toLocaleString("en")} invoices`,
      args: [acct, "invoice", "list", "--all", "-o", "csv", "--book", path],
    })),
  );
  if (few !== undefined && many !== undefined) {
    claim(many, few, (1.3 * Number(values.largest)) / 10_000);
  }
});
