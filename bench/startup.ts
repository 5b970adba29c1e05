/** What starting costs: `acct --version` and `acct invoice list` against Node doing nothing. */
import { join } from "node:path";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

await inScratch(async (folder) => {
  const book = join(folder, "ten-thousand.acct");
  await bookOf(book, 10_000);
  const [bare, version, list] = compare([
    { name: "node -e 0", args: ["-e", "0"] },
    { name: "acct --version", args: [acct, "--version"] },
    {
      name: "acct invoice list, 10,000 invoices",
      args: [acct, "invoice", "list", "--book", book],
    },
  ]);
  if (bare === undefined || version === undefined || list === undefined) return;
  print(`Node ${process.version}`);
  claim(version, bare, 1.3);
  claim(list, bare, 2.0);
});
