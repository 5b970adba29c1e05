/** Copies of books: what is approved on one is approved nowhere else. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createBook, openBook } from "../../../src/service/books/book.ts";
import { asked, hire } from "./people.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-copies-"));
afterAll(() => rmSync(folder, { recursive: true }));

const [ann, ben] = ["ann@heron.example", "ben@heron.example"];

test("an approval of a plan made on a copy of the book is refused on the original book", async () => {
  // The worst case: whoever serves the copy has the key as well.
  const options = { keyFolder: join(folder, "keys") };
  const [path, copy] = [join(folder, "real.acct"), join(folder, "copy.acct")];
  const real = await createBook(path, { name: "Heron", country: "NZ" }, options);
  await hire({ book: real }, ben);
  const body = JSON.stringify({ Name: "Rimu" });
  const plan = await asked({ book: real }, ann)("", {
    ApproveBy: ben,
    Requests: [{ Method: "PUT", Path: "/Contacts", MediaType: "application/json", Body: body }],
  });
  const { Answers: _, ...kept } = plan;
  await real.close();
  copyFileSync(path, copy);

  const copied = await openBook(copy, options);
  const approved = await asked({ book: copied }, ben)("/Approve", kept);
  expect(approved.Approvals).toMatchObject([{ User: "ben" }]);
  expect((await asked({ book: copied }, ann)("/Check", kept)).Approvals).toHaveLength(1);
  await copied.close();

  const again = await openBook(path, options);
  for (const given of [kept, approved]) {
    expect(await asked({ book: again }, ann)("/Apply", given)).toBe(
      `The plan waits for the approval of ${ben}.`,
    );
  }
  await again.close();

  const elsewhere = await openBook(copy, { keyFolder: join(folder, "other keys") });
  expect(await asked({ book: elsewhere }, ann)("/Apply", kept)).toContain(
    "not as this server made it",
  );
  await elsewhere.close();
});
