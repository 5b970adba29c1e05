/**
 * Reconciling in a real browser, on the built program: many waiting lines, every way to say what a
 * line is, its refusal and its undo, by keyboard alone, with script and without.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeDemo } from "../../src/admin/book.ts";
import { type Book, openBook } from "../../src/service/books/book.ts";
import { ask, removeWaitingLines } from "./ask-book.ts";
import { axeFaults } from "./axe.ts";
import { type BuiltView, viewBuilt } from "./built-view.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

/** A day on which the sample company is as it was made. */
const now = Date.UTC(2026, 10, 24);
const address = "/bank/090/reconcile";

const line = (Key: string, day: number, Amount: number, Payee: string, Description?: string) => ({
  Key,
  Date: `2026-11-${String(day).padStart(2, "0")}`,
  Amount,
  Payee,
  Description,
});

const lines = [
  ...Array.from({ length: 60 }, (_, at) => line(`p${at}`, 20, -(10 + at), `Payee ${at}`)),
  line("moa", 18, 547.4, "MOA COFFEE ROASTERS", "INV-0218"),
  line("cuba", 18, 290, "CUBA ST GIFTS"),
  line("fee", 19, -35, "KIWIBANK", "Monthly fee"),
  line("save", 19, -500, "To savings"),
  line("last", 21, -700, "Kiln Hire"),
];

describe.skipIf(!hasChromium("reconciling in a browser"))(
  "reconciling in a browser",
  { timeout: 600_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-reconcile-"));
    let book: Book;
    let view: BuiltView;
    let browser: Browser;
    let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

    beforeAll(async () => {
      const path = join(folder, "demo.acct");
      await makeDemo(path);
      book = await openBook(path, { clock: () => now });
      await removeWaitingLines(book);
      const BankAccount = { Code: "090" };
      await ask(book, "PUT", "/Extensions/BankStatements", { BankAccount, StatementLines: lines });
      await ask(book, "PUT", "/Extensions/BankStatements", {
        BankAccount: { Code: "091" },
        StatementLines: [line("in", 20, 500, "From 090")],
      });
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

    async function opened(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ storageState: state, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${view.origin}${path}`);
      return page;
    }

    const pairOf = (page: Page, text: string) => page.locator(".pair", { hasText: text });
    const tabOf = (page: Page, text: string, name: string) =>
      pairOf(page, text).locator(".ways").getByRole("link", { name, exact: true });
    const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");
    const dueOf = async (number: string) =>
      (await ask(book, "GET", `/Invoices/${number}`)).Invoices[0].AmountDue;

    const waiting = async (page: Page) =>
      Number(/(\d+) waits?/.exec(await page.locator("main").innerText())?.[1] ?? 0);

    async function undone(page: Page): Promise<void> {
      await page.locator("#said").getByRole("button", { name: "Undo" }).click();
      await page.getByRole("status").getByText("It was taken back").waitFor();
    }

    test.each([true, false])(
      "the last of more than 50 waiting bank lines is posted to an account and a new contact, and undone, with script %s",
      async (javaScriptEnabled) => {
        const page = await opened(address, { javaScriptEnabled });
        const total = await waiting(page);
        await page.getByRole("link", { name: "Last page" }).click();
        await page.getByText(`51 to ${total} of ${total}`).waitFor();
        const name = `Kiln Hire ${javaScriptEnabled}`;
        await tabOf(page, "Kiln Hire", "New").click();
        await page.locator("#tab-contact").fill(name);
        await page.locator("#tab-account-0").selectOption("404");
        await page.getByRole("button", { name: "Reconcile", exact: true }).click();
        expect(await page.getByRole("alert").innerText()).toContain(`There is no contact ${name}`);
        expect(await page.locator("#tab-account-0").inputValue()).toBe("404");
        await page.getByLabel(`A new contact: ${name}`).check();
        await page.getByRole("button", { name: "Reconcile", exact: true }).click();
        await page.getByText("The line is reconciled.").waitFor();
        expect(await pairOf(page, "Kiln Hire").count()).toBe(0);
        await undone(page);
        expect(await pairOf(page, "Kiln Hire").count()).toBe(1);
      },
    );

    test("documents of a bank line are added up as they are chosen, the rest is kept as an overpayment, and the next line stands where the last one stood", async () => {
      const page = await opened(address);
      await tabOf(page, "CUBA", "Match").click();
      await page.getByLabel("Search by number").fill("INV-0011");
      const choice = page.getByLabel(/^INV-0011 /);
      await choice.check();
      await page.getByText("chosen 73.60 of 290.00, 216.40 over").waitFor();
      expect(await focused(page)).toBe(await choice.getAttribute("id"));
      await page.getByLabel("Keep 216.40 as an overpayment of Cuba Street Gifts").check();
      await page.waitForURL(/rest=overpayment/);
      // A click may scroll the button into view first, so the place is taken as the form is sent.
      await pairOf(page, "CUBA").evaluate((pair) => {
        const kept = () => sessionStorage.setItem("sent", `${pair.getBoundingClientRect().top}`);
        pair.addEventListener("submit", kept, { capture: true });
      });
      await page.getByRole("button", { name: "Reconcile", exact: true }).click();
      await page.getByText("The line is reconciled.").waitFor();
      const next = pairOf(page, "KIWIBANK");
      expect(await focused(page)).toBe(await next.getAttribute("id"));
      const sent = Number(await page.evaluate<string>("sessionStorage.getItem('sent')"));
      const top = await next.evaluate((pair) => pair.getBoundingClientRect().top);
      if (sent >= 0) expect(Math.abs(top - sent)).toBeLessThan(5);
      expect(await dueOf("INV-0011")).toBe(0);
      const { Overpayments } = await ask(book, "GET", "/Overpayments");
      expect(Overpayments.map((each: { Total: number }) => each.Total)).toContain(216.4);
      await undone(page);
      expect(await dueOf("INV-0011")).toBe(73.6);
    });

    test("a transfer between own accounts takes the line of the other account with it, without script", async () => {
      const page = await opened(`${address}?to=2026-11-19`, { javaScriptEnabled: false });
      await tabOf(page, "To savings", "Transfer").click();
      await page.getByLabel("To which own account").selectOption({ index: 1 });
      await page.getByRole("button", { name: "Look for its line" }).click();
      await page.getByLabel(/20 Nov 2026 500.00 From 090/).check();
      await page.getByRole("button", { name: "Reconcile as a transfer" }).click();
      await page.getByText("The line is reconciled.").waitFor();
      await page.goto(`${view.origin}/bank/091/reconcile`);
      expect(await pairOf(page, "From 090").count()).toBe(0);
      expect(await page.getByRole("heading", { name: "Done today: 1" }).count()).toBe(1);
      await page.getByRole("button", { name: /^Undo 20 Nov 2026 From 090/ }).click();
      await page.getByText("It was taken back").waitFor();
      await page.goto(`${view.origin}${address}`);
      await page.getByRole("button", { name: /^Undo 19 Nov 2026 To savings/ }).click();
      await page.getByText("It was taken back").waitFor();
    });

    test("a rule made from a bank line says how many waiting lines it fits, and is refused where it does not fit its own", async () => {
      const page = await opened(`${address}?q=Payee%2059`);
      const total = await waiting(page);
      await tabOf(page, "Payee 59", "Rule").click();
      await page.getByText(`fits 1 of the ${total} lines that wait`).waitFor();
      await page.getByLabel("The text").fill("Payee 5");
      await page.getByText(`fits 11 of the ${total} lines that wait`).waitFor();
      await page.getByLabel("The text").fill("Nobody");
      await page.getByText(`fits 0 of the ${total} lines that wait; not this one`).waitFor();
      await page.getByLabel("Account").selectOption("404");
      await page.getByLabel("A new contact: Payee 59").check();
      await page.getByRole("button", { name: "Reconcile and make the rule" }).click();
      expect(await page.getByRole("alert").innerText()).toContain(
        "The rule does not fit this line.",
      );
    });

    test("bank lines are gone through by keys alone: accepted, taken back, left for later, and the keys are listed", async () => {
      const page = await opened(`${address}?to=2026-11-19`);
      await page.keyboard.press("n");
      expect(await focused(page)).toBe(await pairOf(page, "MOA").getAttribute("id"));
      await page.keyboard.press("n");
      await page.keyboard.press("p");
      await page.keyboard.press("Enter");
      await page.getByText("The line is reconciled.").waitFor();
      expect(await dueOf("INV-0218")).toBe(0);
      await page.keyboard.press("u");
      await page.getByText("It was taken back").waitFor();
      expect(await dueOf("INV-0218")).toBe(547.4);
      expect(await focused(page)).toBe(await pairOf(page, "MOA").getAttribute("id"));
      await page.keyboard.press("l");
      await page.getByText("waits behind the others until midnight").waitFor();
      expect(await page.locator(".pair").last().innerText()).toContain("MOA");
      await page.keyboard.press("?");
      expect(await page.locator("#keys p").isVisible()).toBe(true);
      await page.getByLabel("Search", { exact: true }).last().focus();
      await page.keyboard.type("mtr");
      expect(await page.locator("#tab").count()).toBe(0);
    });

    const views = [
      { width: 1280, colorScheme: "light" },
      { width: 375, colorScheme: "dark" },
    ] as const;
    test.each(views)(
      "axe finds nothing in the reconciling page and each of its tabs, and nothing is wider than $width pixels, $colorScheme",
      async ({ width, colorScheme }) => {
        const page = await opened(`${address}?to=2026-11-19`, {
          viewport: { width, height: 800 },
          colorScheme,
        });
        const check = async (where: string) => {
          expect(await axeFaults(page), where).toEqual([]);
          const over = "document.documentElement.scrollWidth - innerWidth";
          expect(await page.evaluate(over), where).toBeLessThanOrEqual(0);
        };
        await check("lines");
        for (const name of ["Match", "New", "Transfer", "Rule"]) {
          await tabOf(page, "CUBA", name).click();
          await page.locator(`#tab[aria-label="${name}"]`).waitFor();
          await check(name);
        }
        await page.goto(`${view.origin}${address}?accept=certain`);
        await check("certain");
      },
    );
  },
);
