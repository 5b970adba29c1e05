/**
 * What a TAB costs: words of the command line, and records of a book, against `acct --version` in
 * the same run.
 */
import { join } from "node:path";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

const count = 100_000;

/** Lines whose last word is asked for, and how many times `acct --version` that may take. */
const lines: readonly (readonly [most: number, ...line: string[]])[] = [
  [1.5, "inv"],
  [1.5, "invoice", "li"],
  [1.5, "invoice", "list", "--st"],
  // Nothing typed, a beginning that many share, one number.
  [2.5, "invoice", "show", ""],
  [2.5, "invoice", "show", "INV-0"],
  [2.5, "payment", "apply", "INV-04242"],
  [2.5, "invoice", "create", "--contact", "cust"],
];

await inScratch(async (folder) => {
  const book = join(folder, "hundred-thousand.acct");
  await bookOf(book, count);
  const [version, ...tabs] = compare([
    { name: "acct --version", args: [acct, "--version"] },
    ...lines.map(([, ...line]) => ({
      name: `TAB after "acct ${line.join(" ")}", ${count.toLocaleString("en")} invoices`,
      args: [acct, "completion", "_answer", "fish", "--", ...line],
      env: { ACCT_BOOK: book },
    })),
  ]);
  if (version === undefined) return;
  print(`Node ${process.version}`);
  for (const [index, tab] of tabs.entries()) claim(tab, version, lines[index]?.[0] ?? 0);
});
