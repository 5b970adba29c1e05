/** Programs that send invoices from one book at the same time. */
import { join } from "node:path";
import { test } from "vitest";
import { createBook } from "../../../src/service/books/book.ts";
import { builtDesk } from "../built.ts";
import { emailAtOnce, expectExactly } from "../emails-at-once.ts";

const { home } = builtDesk();

test("simultaneous processes together send no more emails than the daily limit", async () => {
  const path = join(home, "heron.acct");
  await (await createBook(path, { name: "Heron Lane Ltd", country: "NZ", demo: true })).close();
  const left = 3;
  const done = await emailAtOnce(path, ["--book", path], { home, left, processes: 7 });
  expectExactly(left, done);
});
