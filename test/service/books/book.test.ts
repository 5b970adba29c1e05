/** A book as a file. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { makeBook } from "../../../src/admin/book.ts";
import { partName } from "../../../src/platform/part-file.ts";
import { createBook, openBook } from "../../../src/service/books/book.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "acct-book-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test.runIf(process.platform !== "win32")(
  "a new book file can be read only by its owner",
  async () => {
    const path = join(folder(), "own.acct");
    const book = await createBook(path, { name: "Heron Lane Ltd", country: "NZ" });
    await book.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  },
);

test("creating a book at the path of an existing file is refused, and the file is unchanged", async () => {
  const path = join(folder(), "letter.txt");
  writeFileSync(path, "Dear Sir");
  await expect(createBook(path, { name: "Heron Lane Ltd", country: "NZ" })).rejects.toMatchObject({
    code: "BookExists",
  });
  expect(readFileSync(path, "utf8")).toBe("Dear Sir");
});

test("opening a file that is not a book is refused, and the file is unchanged", async () => {
  const path = join(folder(), "letter.txt");
  writeFileSync(path, "Dear Sir, this is a letter and no book at all.".repeat(20));
  await expect(openBook(path)).rejects.toMatchObject({ name: "RefusedError" });
  expect(readFileSync(path, "utf8")).toContain("Dear Sir");
});

test("a new book whose write-ahead log cannot be merged is not created, and no file is left", async () => {
  const home = folder();
  const path = join(home, "own.acct");
  const part = partName(path);
  let reader: DatabaseSync | undefined;
  const clock = () => {
    // A reader makes the checkpoint at the end fail, as a full disk does.
    if (reader === undefined && existsSync(part)) {
      reader = new DatabaseSync(part, { timeout: 0 });
      reader.exec("begin; select count(*) from sqlite_schema");
    }
    return Date.UTC(2026, 2, 1);
  };
  const made = makeBook(path, { name: "Heron Lane Ltd", country: "NZ" }, { clock });
  try {
    await expect(made).rejects.toMatchObject({ name: "UnavailableError", code: "NotWritten" });
  } finally {
    reader?.close();
  }
  expect(reader).toBeDefined();
  expect(readdirSync(home)).toEqual([]);
});
