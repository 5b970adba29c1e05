/** The sample company: always the same, and in order. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bookInfo, verifyBook } from "../../src/service/book.ts";
import { createDemoBook } from "../../src/service/demo.ts";

test("two copies are alike to the last record, and nothing is wrong with them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-demo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const seen: string[] = [];
  for (const name of ["a", "b"]) {
    const book = await createDemoBook(join(folder, `${name}.acct`));
    expect((await verifyBook(book)).faults).toEqual([]);
    const { counts } = await bookInfo(book);
    expect(counts.Invoices).toBeGreaterThan(300);
    expect(counts.Payments).toBeGreaterThan(200);
    for (const path of ["/Invoices", "/Payments", "/Contacts", "/Items"]) {
      const answer = await book.handle({
        method: "GET",
        path,
        query: [["page", "2"]],
        headers: { accept: "application/json" },
      });
      // Only the envelope says when it was answered.
      const told = JSON.parse(String(answer.body))[path.slice(1)];
      seen.push(createHash("sha256").update(JSON.stringify(told)).digest("hex"));
    }
    await book.close();
  }
  expect(seen.slice(4)).toEqual(seen.slice(0, 4));
});
