/** The page of a document in a real browser: by the keyboard, without script, read by axe. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Office, openOffice } from "../cli/office.ts";
import { axeFaults } from "./axe.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

describe.skipIf(!hasChromium("the pages of documents"))(
  "online documents in a browser",
  { timeout: 600_000 },
  () => {
    let office: Office;
    let browser: Browser;
    let invoice: string;

    beforeAll(async () => {
      office = await openOffice();
      browser = await launchChromium();
      const file = join(office.machine.home, "plan.txt");
      writeFileSync(file, "A plan\n");
      await office.ok(["attachment", "add", file, "--on", "invoice:INV-0001", "--include-online"]);
      invoice = await urlOf("invoice", "INV-0001");
    });
    afterAll(async () => {
      await browser?.close();
      await office?.close();
    });

    async function urlOf(noun: string, key: string): Promise<string> {
      return (await office.ok([noun, "url", key, "--public-url", office.origin])).trim();
    }

    async function quoted(): Promise<string> {
      const line = ["--line", "description=Table,unit-amount=1200,account=200"];
      const made = await office.ok([
        ...[
          "quote",
          "create",
          "--allow-duplicate",
          "--contact",
          "Moa Coffee",
          "--status",
          "SENT",
          ...line,
        ],
        ...["--columns", "QuoteNumber", "-o", "csv"],
      ]);
      return made.trim().split("\n").at(-1) ?? "";
    }

    async function opened(url: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ javaScriptEnabled: false, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(url);
      return page;
    }

    test.each(
      ["light", "dark"].flatMap((scheme) => [1280, 375].map((width) => [scheme, width] as const)),
    )(
      "an online invoice passes the axe accessibility checks in %s at %i pixels, and fits the width",
      async (scheme, width) => {
        const quote = await urlOf("quote", await quoted());
        for (const url of [invoice, quote, `${office.origin}/view/none`]) {
          const page = await opened(url, {
            javaScriptEnabled: true, // of axe's; the page has none
            colorScheme: scheme as "light" | "dark",
            viewport: { width, height: 800 },
          });
          if (url.endsWith("none")) await page.goto(`${url}${"x".repeat(72)}`);
          expect(await axeFaults(page)).toEqual([]);
          const widest = await page.evaluate("document.documentElement.scrollWidth");
          expect(widest).toBeLessThanOrEqual(width);
        }
      },
    );

    test.each([1280, 700])(
      "an online invoice has one header line at %i pixels, however long the number of the voided invoice is",
      async (width) => {
        const number = `INV-${"2026-OCTOBER-".repeat(4)}${width}`;
        const line = ["--line", "description=Frame,unit-amount=10,account=200"];
        const made = [
          "--contact",
          "Moa Coffee",
          "--status",
          "AUTHORISED",
          "--invoice-number",
          number,
        ];
        await office.ok(["invoice", "create", "--allow-duplicate", ...made, ...line]);
        const url = await urlOf("invoice", number);
        await office.ok(["invoice", "void", number, "--yes"]);
        const page = await opened(url, { viewport: { width, height: 800 } });
        expect(await page.locator("h1").innerText()).toContain(number);
        const [title, seller] = await Promise.all(
          ["header > :first-child", ".seller"].map((part) => page.locator(part).boundingBox()),
        );
        expect(seller?.y).toBe(title?.y);
        expect(seller?.x).toBeGreaterThanOrEqual((title?.x ?? 0) + (title?.width ?? 0));
      },
    );

    test("an online invoice keeps its content security policy, and loads nothing from other hosts", async () => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const said: string[] = [];
      const asked: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(invoice);
      // Nobody names an icon, so the browser looks for the usual one.
      expect(asked.filter((url) => !url.endsWith("/favicon.ico"))).toEqual([invoice]);
      expect(said.filter((text) => !text.includes("404"))).toEqual([]);
    });

    /** Presses Tab until a link, a field or a button of that name has the focus. */
    async function tabTo(page: Page, name: string): Promise<void> {
      const focused =
        "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()";
      for (let presses = 0; presses < 12; presses++) {
        if ((await page.evaluate(focused)) === name) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`Tab does not come to ${name}.`);
    }

    test("the PDF and the file of an online invoice are downloaded by the keyboard alone", async () => {
      const page = await opened(invoice);
      await tabTo(page, "Save as PDF");
      await tabTo(page, "plan.txt");
      const saving = page.waitForEvent("download");
      await page.keyboard.press("Enter");
      const saved = await saving;
      expect(saved.suggestedFilename()).toBe("plan.txt");
      expect(readFileSync(await saved.path(), "utf8")).toBe("A plan\n");
    });

    test("an online quote is accepted by the keyboard alone, without script", async () => {
      const number = await quoted();
      const page = await opened(await urlOf("quote", number));
      await tabTo(page, "Your name");
      await page.keyboard.type("Ana Reid");
      await tabTo(page, "Accept this quote");
      await page.keyboard.press("Enter");
      await page.getByText("Accepted. Thank you.").waitFor();
      expect(await office.ok(["quote", "show", number, "--columns", "Status"])).toContain(
        "ACCEPTED",
      );
      const history = await office.ok(["quote", "history", number, "-o", "csv"]);
      expect(history).toContain("Ana Reid has accepted this quote");
    });

    test("an online invoice whose address was revoked is answered as not found", async () => {
      const number = await quoted();
      const before = await urlOf("quote", number);
      const after = await office.ok([
        ...["quote", "url", number, "--revoke", "--yes", "--public-url", office.origin],
      ]);
      const page = await opened(before);
      await page.getByText("There is nothing at this address").waitFor();
      await page.goto(after.trim());
      await page.getByText(`Quote ${number}`).first().waitFor();
    });

    test("an online invoice prints in black on white without its buttons", async () => {
      const page = await opened(invoice, { colorScheme: "dark" });
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(await page.getByRole("link", { name: "Save as PDF" }).isVisible()).toBe(false);
      const ink = await page.evaluate("getComputedStyle(document.body).color");
      expect(ink).toBe("rgb(27, 39, 51)");
    });
  },
);
