/** The page of a server for tests in a real browser, read by axe. */
import { describe, expect, onTestFinished, test } from "vitest";
import { startAcct } from "../../src/kit/start.ts";
import { axeFaults } from "./axe.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

describe.skipIf(!hasChromium("the page of requests of a test"))(
  "the page of requests of a test",
  { timeout: 600_000 },
  () => {
    test("shows what was posted and why a request was refused, without a fault or an error", async () => {
      const acct = await startAcct({ clock: "2026-03-01", ids: 1 });
      onTestFinished(() => acct.stop());
      const authorization = `Bearer ${await acct.token()}`;
      const put = (path: string, body: object) =>
        fetch(`${acct.url}${path}`, {
          method: "PUT",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      await put("/Contacts", { Name: "Rimu Stores" });
      const Contact = { Name: "Rimu Stores" };
      const LineItems = [{ Description: "Mugs", Quantity: 5, UnitAmount: 20, AccountCode: "200" }];
      await put("/Invoices", { Type: "ACCREC", Contact, LineItems, Status: "AUTHORISED" });
      await put("/Invoices", { Type: "ACCREC", Contact, LineItems: [] });
      const browser = await launchChromium();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("console", (message) => void errors.push(message.text()));
      await page.goto(acct.page);
      expect(await page.locator("h2").allTextContents()).toEqual([
        "PUT /Invoices: 400",
        "PUT /Invoices: 200",
        "PUT /Contacts: 200",
      ]);
      expect(await page.locator(".wrong").first().textContent()).toMatch(/line items/i);
      expect(await axeFaults(page)).toEqual([]);
      expect(errors).toEqual([]);
    });
  },
);
