/**
 * Bank statements uploaded in a real browser, on the built program: read, shown, asked about,
 * imported and taken back, with script and without.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeDemo } from "../../src/admin/book.ts";
import { type Book, openBook } from "../../src/service/books/book.ts";
import { ask } from "./ask-book.ts";
import { axeFaults } from "./axe.ts";
import { type BuiltView, viewBuilt } from "./built-view.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

const now = Date.UTC(2026, 10, 24);

const csv = (name: string, ...rows: string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`${rows.join("\n")}\n`),
});
const clear = csv(
  "clear.csv",
  "Date,Details,Amount,Balance",
  "14/11/2026,TIMBER <YARD>,-57.50,942.50",
  "15/11/2026,CAFE,475.00,1417.50",
  "16/11/2026,POWER,-100.00,1317.50",
);
const open = csv(
  "open.csv",
  "Date,Details,Amount",
  "08/07/2026,TIMBER YARD,-57.50",
  "09/07/2026,CAFE,475.00",
);

const ofx = {
  name: "other.ofx",
  mimeType: "application/x-ofx",
  buffer: Buffer.from(
    "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM><BANKID>1<ACCTID>9999888877776666<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>OTHER<DTPOSTED>20261101<TRNAMT>-5.00<FITID>1<NAME>Cafe</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
  ),
};

describe.skipIf(!hasChromium("bank statements uploaded in a browser"))(
  "bank statements uploaded in a browser",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-upload-"));
    let book: Book;
    let view: BuiltView;
    let browser: Browser;
    let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

    beforeAll(async () => {
      const path = join(folder, "demo.acct");
      await makeDemo(path);
      book = await openBook(path, { clock: () => now });
      view = await viewBuilt(folder, path, now);
      browser = await launchChromium();
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(view.url);
      state = await context.storageState();
      await context.close();
    });
    afterAll(async () => {
      await browser?.close();
      await view?.close();
      await book?.close();
      rmSync(folder, { recursive: true, force: true });
      expect(view.said()).not.toContain("A page failed");
    });

    /** Reads a file on the page, from the Bank page on. */
    async function read(file: typeof clear, account = "", javaScriptEnabled = true): Promise<Page> {
      const context = await browser.newContext({
        ...{ storageState: state, javaScriptEnabled },
        viewport: { width: 375, height: 700 },
      });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${view.origin}/bank`);
      await page.getByRole("main").getByRole("link", { name: "Upload a statement" }).click();
      await page.getByLabel("File").setInputFiles(file);
      await page.getByLabel("Bank account").selectOption(account);
      const read = page.waitForEvent("load");
      await page.getByRole("button", { name: "Read the file" }).click();
      await read;
      return page;
    }

    const textOf = (page: Page) => page.locator("main").innerText();
    const linesOf = async (code: string): Promise<number> => {
      const { BankStatementLines } = await ask(book, "GET", "/Extensions/BankStatementLines");
      const isOwn = ({ BankAccount }: { BankAccount: { Code: string } }) =>
        BankAccount.Code === code;
      return BankStatementLines.filter(isOwn).length;
    };

    test.each([true, false])(
      "a statement that is clear is shown, imported as one operation, known when it comes again, and taken back, with script %s",
      async (javaScriptEnabled) => {
        const before = await linesOf("091");
        const page = await read(clear, "091", javaScriptEnabled);
        const shown = await textOf(page);
        const width = await page.locator("body").evaluate(({ scrollWidth }) => scrollWidth);
        expect(width).toBe(375);
        for (const each of [
          "3 new lines, 0 known already",
          "1,000.00",
          "1,317.50",
          "TIMBER <YARD>",
        ])
          expect(shown).toContain(each);
        expect(await page.getByLabel("Column Balance is read as").innerText()).toMatch(/^balance/);
        expect(await linesOf("091")).toBe(before);
        if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
        await page.getByRole("button", { name: "Import" }).click();
        await page.getByText("3 lines added, 0 known already.").waitFor();
        expect(await linesOf("091")).toBe(before + 3);

        const again = await read(clear, "091", javaScriptEnabled);
        expect(await textOf(again)).toContain("0 new lines, 3 known already");
        await again.getByRole("button", { name: "Import" }).click();
        await again.getByText("0 lines added, 3 known already.").waitFor();
        expect(await linesOf("091")).toBe(before + 3);

        for (const each of [again, page]) {
          await each.locator("#said").getByRole("button", { name: "Undo" }).click();
          await each.getByText("It is taken back.").waitFor();
        }
        expect(await linesOf("091")).toBe(before);
      },
    );

    test("a statement that names no account and may be read in two orders of days is asked about before it can be imported", async () => {
      const page = await read(open);
      const first = await textOf(page);
      expect(first).toContain("It does not say of which bank account it is");
      expect(await page.getByRole("button", { name: "Import" }).count()).toBe(0);
      expect(await axeFaults(page)).toEqual([]);
      await page.getByLabel("Bank account").selectOption("091");
      await page.getByLabel(/^Days are in one of several orders/).selectOption({
        label: "08/07/2026 is 7 August 2026 (mdy)",
      });
      await page.getByRole("button", { name: "Read it again" }).click();
      await page.getByText("2 new lines").waitFor();
      expect(await textOf(page)).toContain("7 Aug 2026");
      await page.getByText("Read it otherwise").click();
      await page.getByLabel("Money out is").selectOption("--reversed");
      // What was changed is shown before it is imported.
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByText("nothing is kept yet").waitFor();
      expect(await textOf(page)).toMatch(/TIMBER YARD\s+57\.50/);
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByText("2 lines added, 0 known already.").waitFor();
    });

    test("a file that is no statement, and one of another account, are refused in words", async () => {
      const page = await read({
        ...clear,
        name: "report.pdf",
        buffer: Buffer.from("%PDF-1.4\n1 0 obj"),
      });
      expect(await page.getByRole("alert").innerText()).toContain(
        "It is a PDF; save it as CSV and give that.",
      );
      const other = await read(ofx, "090");
      expect(await other.getByRole("alert").innerText()).toContain(
        "It is of the account 19999888877776666, not of 090 Business Account",
      );
      expect(await other.getByRole("button", { name: "Import" }).count()).toBe(0);
    });
  },
);
