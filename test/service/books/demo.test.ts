/** The sample company: always the same, and in order. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Country, countries, regionOf } from "../../../src/ledger/regions/index.ts";
import { bookInfo, openBook, verifyBook } from "../../../src/service/books/book.ts";
import { createDemoBook } from "../../../src/service/books/demo.ts";
import { firstOf } from "../../support/properties.ts";

test("two sample companies made alike are equal record by record, and pass verification", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-demo-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const seen: string[] = [];
  for (const name of ["a", "b"]) {
    const path = join(folder, `${name}.acct`);
    await createDemoBook(path);
    const book = await openBook(path);
    expect((await verifyBook(book)).faults).toEqual([]);
    const { counts } = await bookInfo(book);
    expect(counts.Invoices).toBeGreaterThan(300);
    expect(counts.Payments).toBeGreaterThan(200);
    for (const [path, page] of [
      ["/Invoices", "2"],
      ["/Payments", "2"],
      ["/Contacts", "1"],
      ["/Items", "1"],
      ["/PurchaseOrders", "1"],
      ["/Quotes", "1"],
      ["/CreditNotes", "1"],
    ] as const) {
      const answer = await book.transport({
        method: "GET",
        path,
        query: [["page", page]],
        headers: { accept: "application/json" },
      });
      // Only the envelope says when it was answered.
      const told = JSON.parse(String(answer.body))[path.slice(1)];
      expect(told.length).toBeGreaterThan(0);
      seen.push(createHash("sha256").update(JSON.stringify(told)).digest("hex"));
    }
    await book.close();
  }
  const half = seen.length / 2;
  expect(seen.slice(half)).toEqual(seen.slice(0, half));
});

test.each(firstOf(countries))(
  "the sample company of %s uses its country's chart of accounts, and its reports add up",
  async (country) => {
    const folder = mkdtempSync(join(tmpdir(), "acct-demo-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "a.acct");
    await createDemoBook(path, {}, country);
    const book = await openBook(path);
    expect((await verifyBook(book)).faults).toEqual([]);
    const ask = async (path: string, ...query: [string, string][]) => {
      const headers = { accept: "application/json" };
      return JSON.parse(
        String((await book.transport({ method: "GET", path, query, headers })).body),
      );
    };
    const { baseCurrency } = regionOf(country);
    const { Organisations } = await ask("/Organisation");
    expect(Organisations[0]).toMatchObject({ BaseCurrency: baseCurrency, IsDemoCompany: true });
    const { Reports } = await ask("/Reports/TrialBalance", ["date", "2026-11-15"]);
    const accounts: Partial<Record<Country, RegExp[]>> = {
      DE: [/"Erlöse 19 % \(4400\)"/, /"Wareneingang 19 % \(5400\)"/],
      FR: [/"Ventes de marchandises \(707000\)"/, /"Achats de marchandises \(607000\)"/],
    };
    const names = accounts[country] ?? [/"Sales \(\d+\)"/, /"Cost of Goods Sold \(\d+\)"/];
    for (const name of names) expect(JSON.stringify(Reports)).toMatch(name);
    await book.close();
  },
);
