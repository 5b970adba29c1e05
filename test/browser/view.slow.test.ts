/**
 * The books in a real browser: from the overview down to a document and back by the keyboard alone,
 * small and large, light and dark, without script; read by axe; and the one page that changes anything.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeDemo } from "../../src/admin/book.ts";
import { type Book, openBook } from "../../src/service/books/book.ts";
import { ask, removeWaitingLines } from "./ask-book.ts";
import { axeFaults } from "./axe.ts";
import { type BuiltView, viewBuilt } from "./built-view.ts";
import { hasChromium, launchChromium } from "./chromium.ts";
import { bookPages, fitPaper } from "./page-list.ts";

/** A day on which the sample company is as it was made. */
const now = Date.UTC(2026, 10, 24);

/** Lines of the bank: one that is an invoice of the sample company, and one that nothing in it is. */
const statement = {
  BankAccount: { Code: "090" },
  StatementLines: [
    {
      Key: "1",
      Date: "2026-11-18",
      Amount: 547.4,
      Payee: "MOA COFFEE ROASTERS",
      Description: "INV-0218",
    },
    { Key: "2", Date: "2026-11-19", Amount: -35, Payee: "KIWIBANK", Description: "Monthly fee" },
  ],
};

/** A plan that changes the bank details of a contact, and makes an item. */
const planned = {
  Command: "acct contact update and what follows, in a line that is longer than a phone is wide",
  Requests: [
    { Path: "/Contacts", Name: "Moa Coffee Roasters", BankAccountDetails: "12-3456-7890123-00" },
    { Path: "/Items", Code: "TILE", Name: "Tile" },
  ].map(({ Path, ...body }) => ({
    ...{ Method: "POST", Path, MediaType: "application/json" },
    Body: JSON.stringify(body),
  })),
};

describe.skipIf(!hasChromium("the books in a browser"))(
  "pages of acct view in a browser",
  { timeout: 600_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-view-"));
    let book: Book;
    let view: BuiltView;
    let browser: Browser;
    let origin: string;
    let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

    beforeAll(async () => {
      const path = join(folder, "demo.acct");
      await makeDemo(path);
      const keyFolder = join(folder, ".local", "share", "acct");
      book = await openBook(path, { clock: () => now, keyFolder });
      await removeWaitingLines(book);
      await ask(book, "PUT", "/Extensions/BankStatements", statement);
      await ask(book, "POST", "/Extensions/Plans", planned);
      view = await viewBuilt(folder, path, now);
      origin = view.origin;
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

    async function opened(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        javaScriptEnabled: false,
        storageState: state,
        ...options,
      });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${origin}${path}`);
      return page;
    }

    const heading = (page: Page) => page.locator("h1").innerText();

    /** Most presses of Tab until something is reached. */
    const pressesMax = 200;

    /** Presses Tab until a link, a field or a button has the focus whose text fits. */
    async function tabTo(page: Page, text: RegExp): Promise<void> {
      const focused =
        "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim().replace(/\\s+/g, ' ')";
      for (let presses = 0; presses < pressesMax; presses++) {
        await page.keyboard.press("Tab");
        if (text.test(await page.evaluate(focused))) return;
      }
      throw new Error(`Tab does not come to ${text} on ${page.url()}.`);
    }

    /** Follows a link by the keyboard, from the beginning of the contents. */
    async function follow(page: Page, text: RegExp): Promise<void> {
      await page.evaluate("document.activeElement.blur()");
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
      await page.keyboard.press("Enter");
      await tabTo(page, text);
      // What has the focus is seen.
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe(
        "solid",
      );
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    }

    test.each(
      ["light", "dark"].flatMap((scheme) => [1280, 375].map((width) => [scheme, width] as const)),
    )(
      "pages of acct view lead from a figure to its document and back by keyboard only, in %s at %i pixels",
      async (colorScheme, width) => {
        const page = await opened("/", {
          colorScheme: colorScheme as "light" | "dark",
          viewport: { width, height: 800 },
        });
        expect(await heading(page)).toBe("Tern & Tide Pottery");
        const profit = /^[\u2212\d,.]+$/;
        await follow(page, /^Jul 26, /);
        expect(await heading(page)).toBe("Profit and Loss");
        expect(page.url()).toContain("from=2026-07-01&to=2026-07-31");
        const figure = await page
          .locator("tr", { hasText: /^Sales/ })
          .locator("td a")
          .first()
          .innerText();
        await follow(page, profit);
        expect(await heading(page)).toBe("200 Sales");
        expect(await page.locator("dd", { hasText: figure }).count()).toBeGreaterThan(0);
        await follow(page, /^Invoice INV-/);
        expect(await heading(page)).toMatch(/^Invoice\s+INV-\d+\s+Paid$/);
        const number = /INV-\d+/.exec(await heading(page))?.[0];
        await page.evaluate("document.activeElement.blur()");
        await tabTo(page, /^PDF$/);
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/pdf$/);
        const pdf = await page.context().request.get(page.url());
        expect(pdf.headers()["content-disposition"]).toBe(`inline; filename="${number}.pdf"`);
        expect((await pdf.body()).toString("latin1", 0, 5)).toBe("%PDF-");
        await page.goBack();
        await follow(page, /^Journal \d+$/);
        expect(await heading(page)).toMatch(/^Journal \d+$/);
        const crumbs = page.getByRole("navigation", { name: "The way here" }).getByRole("link");
        expect(await crumbs.allInnerTexts()).toEqual([
          "Overview",
          "Profit and Loss",
          "Account 200",
          "Invoice",
        ]);
        await follow(page, /^Account 200$/);
        expect(page.url()).toContain("/accounts/200?from=2026-07-01&to=2026-07-31");
        await follow(page, /^Profit and Loss$/);
        expect(page.url()).toContain("/reports/profit-and-loss?from=2026-07-01&to=2026-07-31");
        await follow(page, /^Overview$/);
        expect(page.url()).toBe(`${origin}/`);
      },
    );

    test.each([
      ["light", 1280],
      ["dark", 375],
    ] as const)(
      "pages of acct view have no axe accessibility findings, in %s at %i pixels, and fit the width",
      { timeout: 600_000 },
      async (colorScheme, width) => {
        const page = await opened("/", {
          javaScriptEnabled: true,
          colorScheme,
          viewport: { width, height: 800 },
        });
        const pages = await bookPages(page, origin);
        expect(pages.length).toBeGreaterThan(60);
        const found: Record<string, string[]> = {};
        for (const path of pages) {
          await page.goto(`${origin}${path}`);
          const wrong = [...(await axeFaults(page))];
          const widest = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (widest > width) wrong.push(`is ${widest} pixels wide`);
          if (wrong.length > 0) found[path] = wrong;
        }
        expect(found).toEqual({});
      },
    );

    test("pages of acct view keep their content security policy, and load nothing from other hosts", async () => {
      const page = await opened("/", { javaScriptEnabled: true });
      const said: string[] = [];
      const asked: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("request", (request) => asked.push(new URL(request.url()).origin));
      for (const path of [
        "/",
        "/invoices",
        "/reports/profit-and-loss",
        "/bank/090/reconcile",
        "/accounts/200",
      ]) {
        await page.goto(`${origin}${path}`);
      }
      expect(new Set(asked)).toEqual(new Set([origin]));
      expect(said).toEqual([]);
    });

    test("pages of acct view show letters beyond ASCII unchanged", async () => {
      const page = await opened("/contacts");
      await page.getByRole("link", { name: "Moa Coffee Roasters" }).click();
      await page.getByText("All invoices \u00b7 All bills").waitFor();
    });

    test("pages of acct view are refused when their one-time address is opened again, or without the cookie", async () => {
      const page = await opened("/", { storageState: { cookies: [], origins: [] } });
      expect(await heading(page)).toBe("The books are not open here");
      await page.goto(view.url);
      expect(await heading(page)).toBe("The books are not open here");
    });

    test("pages of acct view are replaced by the script without a reload, which keeps the back link and the focus", async () => {
      const page = await opened("/", { javaScriptEnabled: true });
      await page.evaluate("globalThis.kept = true");
      await page.getByRole("navigation", { name: "Books" }).getByText("Sales").click();
      await page.getByRole("heading", { name: "Invoices" }).waitFor();
      expect(await page.title()).toBe("Invoices – Tern & Tide Pottery");
      expect(page.url()).toBe(`${origin}/invoices`);
      expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
      await page.getByLabel("Status").selectOption({ label: "Paid" });
      await page.getByRole("button", { name: "Show" }).click();
      await page.waitForURL(`${origin}/invoices?status=PAID`);
      await page.locator("tbody .badge").first().waitFor();
      expect(new Set(await page.locator("tbody .badge").allInnerTexts())).toEqual(
        new Set(["Paid"]),
      );
      await page.goBack();
      await page.waitForURL(`${origin}/invoices`);
      await page.goBack();
      await page.getByRole("heading", { name: "Cash" }).waitFor();
      expect(await page.evaluate("globalThis.kept")).toBe(true);
    });

    test("keys lead through pages and lists, a row opens its record, and keys can be switched off", async () => {
      const page = await opened("/", { javaScriptEnabled: true });
      await page.keyboard.press("g");
      await page.keyboard.press("i");
      await page.waitForURL(`${origin}/invoices`);
      await page.keyboard.press("]");
      await page.waitForURL(`${origin}/invoices?page=2`);
      await page.locator("tbody tr").first().waitFor();
      await page.keyboard.press("n");
      await page.keyboard.press("n");
      const focused = await page.evaluate("document.activeElement.textContent");
      expect(focused).toBe(await page.locator("tbody th a").nth(1).innerText());
      await page.keyboard.press("/");
      await page.keyboard.type("g i");
      expect(await page.locator("#q").inputValue()).toBe("g i");
      expect(page.url()).toBe(`${origin}/invoices?page=2`);
      const number = await page.locator("tbody th a").nth(2).innerText();
      await page.locator("tbody tr").nth(2).locator("td").last().click();
      await page.getByRole("heading", { name: `Invoice ${number}` }).waitFor();
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      await page.getByRole("button", { name: "Switch them off" }).click();
      await page.getByText("Keys are switched off in this browser.").waitFor();
      await page.keyboard.press("/");
      expect(await page.evaluate("document.activeElement.id")).not.toBe("q");
    });

    test("bank lines are reconciled, and unmatched again, by keyboard only and without script", async () => {
      const page = await opened("/bank/090/reconcile");
      await follow(page, /^OK, 18 Nov 2026 MOA/);
      await page.getByRole("status").getByText("The line is reconciled.").waitFor();
      expect(await page.locator("main").innerText()).toContain("1 waits");
      const statusOf = async () =>
        (await ask(book, "GET", "/Invoices/INV-0218")).Invoices[0].Status;
      expect(await statusOf()).toBe("PAID");
      const next = page.locator(".pair", { hasText: "KIWIBANK" });
      expect(await page.evaluate("document.activeElement.id")).toBe(await next.getAttribute("id"));
      await tabTo(page, /^Undo/);
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText("It was taken back").waitFor();
      expect(await page.locator("main").innerText()).toContain("2 wait");
      expect(await statusOf()).toBe("AUTHORISED");
    });

    test("a refused match of a bank line shows its reason and what was entered, and the page stays where it was", async () => {
      const page = await opened("/bank/090/reconcile");
      const pair = page.locator(".pair").nth(1);
      await pair.getByRole("link", { name: "New" }).click();
      await pair.getByLabel("Account").selectOption("404");
      await pair.getByLabel("Description").fill("A fee of the bank");
      await pair.getByRole("button", { name: "Reconcile" }).click();
      expect(await pair.getByRole("alert").innerText()).toContain("There is no contact KIWIBANK");
      expect(await pair.getByLabel("Description").inputValue()).toBe("A fee of the bank");
      expect(await heading(page)).toBe("Reconcile 090 Business Account");
    });

    test.each([true, false])(
      "pages of acct view keep their scroll position on the way back, and the focus after a form, with script %s",
      async (javaScriptEnabled) => {
        const viewport = { width: 1280, height: 500 };
        const page = await opened("/journals", { javaScriptEnabled, viewport });
        const link = page.locator("tbody th a").nth(30);
        await link.scrollIntoViewIfNeeded();
        await link.hover();
        const before = await page.evaluate<number>("scrollY");
        expect(before).toBeGreaterThan(100);
        await link.click();
        await page.getByRole("heading", { name: /^Journal \d+$/ }).waitFor();
        await page.goBack();
        await page.getByRole("heading", { name: "Journals" }).waitFor();
        await page.waitForFunction("scrollY > 100");
        expect(Math.abs((await page.evaluate<number>("scrollY")) - before)).toBeLessThan(5);

        await page.goto(`${origin}/bank/090/reconcile`);
        const pair = page.locator(".pair").nth(1);
        await pair.getByRole("link", { name: "New" }).click();
        await pair.getByLabel("Account").selectOption("404");
        const focused = "document.activeElement.id";
        const sees = async (id: string) =>
          page.evaluate<boolean>(
            `(({ top }) => top >= 0 && top < innerHeight)(document.getElementById("${id}").getBoundingClientRect())`,
          );
        await pair.getByRole("button", { name: "Reconcile" }).click();
        await page.getByRole("alert").waitFor();
        const id = String(await pair.getAttribute("id"));
        expect(await page.evaluate(focused)).toBe(id);
        expect(await sees(id)).toBe(true);
        const [first] = [String(await page.locator(".pair").first().getAttribute("id"))];
        await pair.getByRole("button", { name: "Ignore the line" }).click();
        await page.getByRole("status").waitFor();
        expect(await page.evaluate(focused)).toBe(first);
        expect(await sees("said")).toBe(true);
        expect(await page.locator("#said span").first().innerText()).toBe("The line is ignored.");
        await page.getByRole("button", { name: /^Undo/ }).first().click();
        await page.getByRole("status").getByText("It was taken back").waitFor();
        expect(await page.evaluate(focused)).toBe(id);
      },
    );

    test.each([375, 700, 1280])(
      "pages of acct view show a figure in full or not at all, at %i pixels",
      async (width) => {
        const month = "from=2026-10-01&to=2026-10-31&periods=11&timeframe=MONTH";
        const page = await opened(`/reports/profit-and-loss?${month}`, {
          javaScriptEnabled: true,
          viewport: { width, height: 800 },
        });
        /** Figures of which a part is beyond an edge or below the first column, and those that are whole. */
        const seen = () =>
          page.evaluate<{ cut: string[]; whole: number }>(`(() => {
        const region = document.querySelector(".table");
        const left = region.querySelector("tbody tr:not(.section)>:first-child").getBoundingClientRect().right;
        const { right } = region.getBoundingClientRect();
        const [cut, whole] = [[], []];
        for (const cell of region.querySelectorAll("tbody .figure:not(:first-child)")) {
          const place = cell.getBoundingClientRect();
          const padding = parseFloat(getComputedStyle(cell).paddingRight);
          const isCut = place.left + padding < left - 1 || place.right - padding > right + 1;
          const isOut = place.right <= left || place.left >= right;
          const isSeen = Number(getComputedStyle(cell).opacity) > 0.05;
          if (isCut && !isOut && isSeen) cut.push(cell.textContent + " " + getComputedStyle(cell).opacity);
          if (!isCut && isSeen) whole.push(cell);
        }
        return { cut, whole: whole.length };
      })()`);
        const most = await page.evaluate<number>(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table'))",
        );
        expect(most).toBeGreaterThan(40);
        for (let at = 0; at <= most; at += 23) {
          await page.evaluate(
            `new Promise((done) => { document.querySelector(".table").scrollLeft = ${at}; requestAnimationFrame(() => requestAnimationFrame(done)); })`,
          );
          const { cut, whole } = await seen();
          expect(cut, `at ${at}`).toEqual([]);
          expect(whole, `at ${at}`).toBeGreaterThan(8);
        }
      },
    );

    test("every page prints in black on white, without navigation and forms, within the width of the paper, and the overview on one sheet", async () => {
      const page = await opened("/");
      const pages = await bookPages(page, origin);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const found: Record<string, unknown> = {};
      for (const path of pages) {
        await page.goto(`${origin}${path}`);
        await fitPaper(page);
        const seen = await page.evaluate(`({
          parts: [...document.querySelectorAll("header.top,.filters,.crumbs")].filter((each) => each.checkVisibility()).length,
          ink: getComputedStyle(document.body).color,
          over: Math.max(0, document.documentElement.scrollWidth - innerWidth),
          isLong: location.pathname === "/" && document.documentElement.scrollHeight > 993,
        })`);
        if (
          !isDeepStrictEqual(seen, { parts: 0, ink: "rgb(27, 39, 51)", over: 0, isLong: false })
        ) {
          found[path] = seen;
        }
      }
      expect(found).toEqual({});
    });
  },
);
