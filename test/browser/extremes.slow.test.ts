/** Lists and tables of a book of extremes in a real browser: no column is out of sight unsaid. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltView, viewBuilt } from "./built-view.ts";
import { hasChromium, launchChromium } from "./chromium.ts";
import { pictureBooks } from "./picture-books.ts";

const now = Date.UTC(2026, 10, 24);

describe.skipIf(!hasChromium("a book of extremes"))(
  "a book of long names, many currencies and large amounts in a browser",
  { timeout: 600_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-extremes-"));
    let view: BuiltView;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      const path = join(folder, "extremes.acct");
      await pictureBooks.extremes?.(path);
      view = await viewBuilt(folder, path, now);
      browser = await launchChromium();
      page = await (await browser.newContext()).newPage();
      await page.goto(view.url);
    });
    afterAll(async () => {
      await browser?.close();
      await view?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const at = async (path: string, width: number) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${view.origin}${path}`);
    };
    /** By how many pixels each table of the page is wider than its place. */
    const hidden = () =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('.table')].map((each) => each.scrollWidth - each.clientWidth)",
      );
    const hints = () =>
      page.evaluate<boolean[]>(
        "[...document.querySelectorAll('.table')].map((each) => getComputedStyle(each, '::before').maxHeight !== '0px')",
      );

    test.each(["/invoices", "/bills", "/contacts", "/quotes", "/credit-notes"])(
      "all columns of %s are in sight at 1280 pixels, and all of its cards at 375",
      async (path) => {
        await at(path, 1280);
        expect(Math.max(0, ...(await hidden()))).toBe(0);
        await at(path, 375);
        expect(Math.max(0, ...(await hidden()))).toBe(0);
        const tallest = await page.evaluate<number>(
          "Math.max(0, ...[...document.querySelectorAll('.cards tbody tr')].map((each) => each.offsetHeight))",
        );
        expect(tallest).toBeLessThan(500);
      },
    );

    test("a table that is wider than its place says that there are more columns, and others do not", async () => {
      for (const path of ["/", "/reports/trial-balance", "/contacts", "/journals"]) {
        for (const width of [375, 1280]) {
          await at(path, width);
          expect([path, width, await hints()]).toEqual([
            path,
            width,
            (await hidden()).map((over) => over > 0),
          ]);
        }
      }
      await at("/reports/trial-balance", 375);
      expect(await hints()).toContain(true);
    });
  },
);
