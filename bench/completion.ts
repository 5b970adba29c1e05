/** What a TAB costs that asks for records of a book: against `acct --version` in the same run. */
import { join } from "node:path";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

const count = 100_000;

/** The kind of value, and what is typed of it: nothing, a beginning that many share, one number. */
const asked: readonly (readonly [kind: string, start: string, ...line: string[]])[] = [
  ["invoice", "", "invoice", "show"],
  ["invoice", "INV-0", "invoice", "show"],
  ["invoice", "INV-04242", "payment", "apply"],
  ["contact", "cust", "invoice", "create", "--contact"],
];

await inScratch(async (folder) => {
  const book = join(folder, "hundred-thousand.acct");
  await bookOf(book, count);
  const [version, ...tabs] = compare([
    { name: "acct --version", args: [acct, "--version"] },
    ...asked.map(([kind, start, ...line]) => ({
      name: `TAB after "acct ${[...line, start].join(" ")}", ${count.toLocaleString("en")} invoices`,
      args: [acct, "completion", "_values", kind, start, "--", ...line, start],
      env: { ACCT_BOOK: book },
    })),
  ]);
  if (version === undefined) return;
  print(`Node ${process.version}`);
  for (const tab of tabs) claim(tab, version, 2.5);
});
