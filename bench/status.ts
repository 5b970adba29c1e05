/**
 * What the state of a company on one page costs: `acct status` on a book of 100,000 invoices of the
 * last year, most of them paid, against Node doing nothing.
 *
 * `node bench/status.ts --open` leaves every invoice open, which no business does.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch, print } from "./measure.ts";

const { values } = parseArgs({
  options: {
    open: { type: "boolean", default: false },
    count: { type: "string", default: "100000" },
  },
});

await inScratch(async (folder) => {
  const count = Number(values.count);
  const path = join(folder, "book.acct");
  await bookOf(path, count, {
    to: new Date().toISOString().slice(0, 10),
    isLived: !values.open,
  });
  const [bare, status, list] = compare([
    { name: "node -e 0", args: ["-e", "0"] },
    {
      name: `acct status, ${count.toLocaleString("en")} invoices`,
      args: [acct, "status", "--book", path],
    },
    { name: "acct invoice list", args: [acct, "invoice", "list", "--book", path] },
  ]);
  if (bare === undefined || status === undefined || list === undefined) return;
  print(`Node ${process.version}`);
  claim(status, bare, 2.0);
  claim(list, bare, 2.0);
});
