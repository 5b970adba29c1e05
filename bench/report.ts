/** A profit and loss of one year on a book of 100,000 invoices against one of 1,000. */
import { join } from "node:path";
import { bookOf } from "./books.ts";
import { acct, claim, compare, inScratch } from "./measure.ts";

await inScratch(async (folder) => {
  const books = [1_000, 100_000].map((count) => ({ count, path: join(folder, `${count}.acct`) }));
  for (const { count, path } of books) await bookOf(path, count);
  const [small, large] = compare(
    books.map(({ count, path }) => ({
      name: `acct report pl, ${count.toLocaleString("en")} invoices`,
      args: [acct, "report", "pl", "--period", "2025", "--book", path],
    })),
  );
  if (small !== undefined && large !== undefined) claim(large, small, 1.3);
});
