/** A book as a file. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBook, openBook } from "../../src/service/book.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "acct-book-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test.runIf(process.platform !== "win32")("a book is its owner's alone to read", async () => {
  const path = join(folder(), "own.acct");
  const book = await createBook(path, { name: "Heron Lane Ltd", country: "NZ" });
  await book.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that is there already is left as it is", async () => {
  const path = join(folder(), "letter.txt");
  writeFileSync(path, "Dear Sir");
  await expect(createBook(path, { name: "Heron Lane Ltd", country: "NZ" })).rejects.toMatchObject({
    code: "BookExists",
  });
  expect(readFileSync(path, "utf8")).toBe("Dear Sir");
});

test("a file that holds no book is refused, and left as it is", async () => {
  const path = join(folder(), "letter.txt");
  writeFileSync(path, "Dear Sir, this is a letter and no book at all.".repeat(20));
  await expect(openBook(path)).rejects.toMatchObject({ name: "RefusedError" });
  expect(readFileSync(path, "utf8")).toContain("Dear Sir");
});
