/** What a file system refuses, in a sentence with the place and a remedy. */
import { expect, test } from "vitest";
import { asDiskError, DiskError } from "../../src/platform/disk.ts";

test.each([
  ["ENOSPC", "no space is left on its disk; make room there, and try again"],
  ["EDQUOT", "no space is left on its disk; make room there, and try again"],
  ["EROFS", "it or its disk is read-only; have it made writable, or use another place"],
  ["EACCES", "that is not permitted; see whose it and its folder are, or use another place"],
])("the disk error %s is reported with its cause: %s", (code, why) => {
  const error = Object.assign(new Error(`${code}: as the system says`), { code });
  const told = asDiskError("/books/acme.acct", error);
  expect(told).toBeInstanceOf(DiskError);
  expect(told).toMatchObject({
    message: `/books/acme.acct cannot be written: ${why}.`,
    cause: error,
  });
});

test("an error of a write that is unrelated to the disk is returned unchanged", () => {
  for (const error of [Object.assign(new Error("x"), { code: "EEXIST" }), new Error("y"), null]) {
    expect(asDiskError("a", error)).toBe(error);
  }
});
