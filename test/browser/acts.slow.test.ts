/**
 * Acts on pages of records, by the built program in a real browser: approve, record a payment, attach,
 * note, email and remind, each with its question, its refusal and its undo; with script and without.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeDemo } from "../../src/admin/book.ts";
import { type Book, openBook } from "../../src/service/books/book.ts";
import { axeFaults } from "./axe.ts";
import { type BuiltView, viewBuilt } from "./built-view.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

/** A day on which the sample company is as it was made. */
const now = Date.UTC(2026, 10, 24);

describe.skipIf(!hasChromium("acts on pages of records"))(
  "acts on pages of records",
  { timeout: 600_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "acct-acts-"));
    const path = join(folder, "demo.acct");
    let book: Book;
    let view: BuiltView;
    let browser: Browser;
    let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

    beforeAll(async () => {
      await makeDemo(path);
      book = await openBook(path, { clock: () => now });
      view = await viewBuilt(folder, path, now);
      browser = await launchChromium();
      state = await signedIn(view);
    });
    afterAll(async () => {
      await browser?.close();
      await view?.close();
      await book?.close();
      rmSync(folder, { recursive: true, force: true });
      expect(view.said()).not.toContain("A page failed");
    });

    async function signedIn({ url }: BuiltView) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      const kept = await context.storageState();
      await context.close();
      return kept;
    }

    async function opened(address: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        javaScriptEnabled: false,
        storageState: state,
        ...options,
      });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${view.origin}${address}`);
      return page;
    }

    async function ask(method: string, at: string, body?: object) {
      const answer = await book.transport({
        method,
        path: at,
        query: [],
        headers: { accept: "application/json", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
      });
      return JSON.parse(String(answer.body));
    }

    /** A new invoice of 115.00, due on 20 November. */
    async function invoice(own: object = {}) {
      const { Contacts } = await ask("GET", "/Contacts");
      const customer = Contacts.find(({ Name }: { Name: string }) => Name === "Cuba Street Gifts");
      const { Invoices } = await ask("PUT", "/Invoices", {
        Type: "ACCREC",
        Contact: { ContactID: customer.ContactID },
        ...{ Date: "2026-11-01", DueDate: "2026-11-20", Status: "AUTHORISED" },
        LineItems: [{ Description: "Bowls", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
        ...own,
      });
      return Invoices[0];
    }
    const stored = async (id: string) => (await ask("GET", `/Invoices/${id}`)).Invoices[0];
    const operations = async () => (await ask("GET", "/Extensions/Operations")).Operations.length;
    const said = (page: Page) => page.locator("#said").innerText();
    /** Clicks a button that sends a form, and waits for the page that answers it. */
    async function send(page: Page, button: Locator): Promise<void> {
      const answered = page.waitForEvent("load");
      await button.click();
      await answered;
    }
    const press = (page: Page, name: string | RegExp) =>
      send(page, page.getByRole("button", { name, exact: true }));

    test.each([true, false])(
      "a draft is approved and the approval taken back, each as one operation, with script %s",
      async (javaScriptEnabled) => {
        const { InvoiceID } = await invoice({ Status: "DRAFT" });
        const page = await opened(`/invoices/${InvoiceID}`, { javaScriptEnabled });
        const before = await operations();
        await press(page, "Approve");
        expect(await said(page)).toContain("Approved.");
        expect((await stored(InvoiceID)).Status).toBe("AUTHORISED");
        expect(await operations()).toBe(before + 1);
        expect(await page.evaluate("document.activeElement.id")).toBe("said");
        await press(page, "Undo");
        expect(await said(page)).toContain("It is taken back.");
        expect((await stored(InvoiceID)).Status).not.toBe("AUTHORISED");
        expect(await operations()).toBe(before + 2);
      },
    );

    /** Opens the form of an act, and fills fields in by their labels. */
    async function filled(page: Page, act: string, fields: Readonly<Record<string, string>>) {
      const deed = page.locator("details.deed", { has: page.locator("summary", { hasText: act }) });
      if ((await deed.getAttribute("open")) === null) await deed.locator("summary").click();
      for (const [label, value] of Object.entries(fields)) {
        await deed.getByLabel(label, { exact: true }).fill(value);
      }
      await send(page, deed.getByRole("button", { name: act }));
    }

    test.each([true, false])(
      "a payment is refused above what is due, asked about, recorded in part and taken back, with script %s",
      async (javaScriptEnabled) => {
        const { InvoiceID } = await invoice();
        const page = await opened(`/invoices/${InvoiceID}`, { javaScriptEnabled });
        const before = await operations();
        await filled(page, "Record payment", {
          "Amount in NZD": "999.00",
          Reference: "At the fair",
        });
        expect(await page.getByRole("alert").innerText()).toContain(
          "exceeds the amount outstanding",
        );
        // What was typed stands there still.
        expect(await page.getByLabel("Reference").inputValue()).toBe("At the fair");
        await filled(page, "Record payment", { "Amount in NZD": "100.00", Day: "2026-11-22" });
        expect(await page.locator("main").innerText()).toContain(
          "NZD 100.00 came from Cuba Street Gifts on 22 Nov 2026, into 090 Business Account. NZD 15.00 stays due.",
        );
        expect(await operations()).toBe(before);
        await press(page, "Record it");
        expect(await said(page)).toContain("It is recorded. NZD 15.00 stays due.");
        const [paid] = (await stored(InvoiceID)).Payments;
        expect([paid.Amount, paid.Reference]).toEqual([100, "At the fair"]);
        expect(await operations()).toBe(before + 1);
        await press(page, "Undo");
        expect(await said(page)).toContain("It is taken back.");
        expect((await stored(InvoiceID)).AmountDue).toBe(115);
      },
    );

    test("the amount of a payment is what is due when nothing is typed", async () => {
      const { InvoiceID } = await invoice();
      const page = await opened(`/invoices/${InvoiceID}`);
      await filled(page, "Record payment", {});
      await press(page, "Record it");
      expect(await said(page)).toBe("It is recorded.\nUndo");
      expect((await stored(InvoiceID)).Status).toBe("PAID");
      expect(await page.getByText("Record payment").count()).toBe(0);
    });

    test("a payment of an invoice in a foreign currency takes its rate", async () => {
      const { Currencies = [] } = await ask("GET", "/Currencies");
      const codes = Currencies.map(({ Code }: { Code: string }) => Code);
      if (!codes.includes("USD")) await ask("PUT", "/Currencies", { Code: "USD" });
      const { InvoiceID } = await invoice({ CurrencyCode: "USD", CurrencyRate: 0.6 });
      const page = await opened(`/invoices/${InvoiceID}`);
      await filled(page, "Record payment", { "Exchange rate": "0.5750" });
      expect(await page.locator("main").innerText()).toContain("USD 115.00 came from");
      await press(page, "Record it");
      const [paid] = (await stored(InvoiceID)).Payments;
      expect([paid.Amount, paid.CurrencyRate]).toEqual([115, 0.575]);
    });

    test("a credit note is refunded, and says what stays to be refunded", async () => {
      const { Contacts } = await ask("GET", "/Contacts");
      const { CreditNotes } = await ask("PUT", "/CreditNotes", {
        ...{ Type: "ACCRECCREDIT", Date: "2026-11-02", Status: "AUTHORISED" },
        Contact: { ContactID: Contacts[0].ContactID },
        LineItems: [{ Description: "Bowls", Quantity: 1, UnitAmount: 40, AccountCode: "200" }],
      });
      const page = await opened(`/credit-notes/${CreditNotes[0].CreditNoteID}`);
      await filled(page, "Record refund", { "Amount in NZD": "10" });
      expect(await page.locator("main").innerText()).toContain("NZD 36.00 stays to be refunded");
      await press(page, "Record it");
      expect(await said(page)).toContain("NZD 36.00 stays to be refunded");
    });

    test.each([true, false])(
      "files are attached, refused under a name that is taken, and taken back, with script %s",
      async (javaScriptEnabled) => {
        const { InvoiceID } = await invoice();
        const page = await opened(`/invoices/${InvoiceID}`, { javaScriptEnabled });
        const files = [
          { name: "receipt.txt", mimeType: "text/plain", buffer: Buffer.from("Paid in cash.\r\n") },
          { name: "Quittung für ’s.png", mimeType: "image/png", buffer: Buffer.from([137, 80]) },
        ];
        const deed = page.locator("details.deed", { hasText: "Attach files" });
        await deed.locator("summary").click();
        await deed.getByLabel("Files", { exact: true }).setInputFiles(files);
        await send(page, deed.locator("button"));
        expect(await said(page)).toContain("Attached.");
        const held = async () =>
          (await ask("GET", `/Invoices/${InvoiceID}/Attachments`)).Attachments.map(
            (each: Record<string, unknown>) => [each.FileName, each.ContentLength],
          );
        expect((await held()).toSorted()).toEqual([
          ["Quittung für ’s.png", 2],
          ["receipt.txt", 15],
        ]);
        await deed.locator("summary").click();
        await deed.getByLabel("Files", { exact: true }).setInputFiles(files.slice(0, 1));
        await send(page, deed.locator("button"));
        expect(await page.getByRole("alert").innerText()).toBe(
          "There is a file receipt.txt already; give yours another name.",
        );
        await page.goBack();
        await press(page, "Undo");
        expect(await said(page)).toContain("It is taken back.");
        expect(await held()).toEqual([]);
      },
    );

    test("a note appears at once in the history", async () => {
      const { InvoiceID } = await invoice();
      const page = await opened(`/invoices/${InvoiceID}`);
      await filled(page, "Add a note", { Note: "Rang them.\nThey pay on Friday." });
      expect(await said(page)).toBe("The note is in the history.");
      const section = page.locator("section", { has: page.locator("#history") });
      expect(await section.innerText()).toContain("Rang them.\nThey pay on Friday.");
    });

    test("an invoice is emailed after a question, and the page says that it went to the outbox", async () => {
      const { InvoiceID, InvoiceNumber } = await invoice();
      const page = await opened(`/invoices/${InvoiceID}`);
      await filled(page, "Email", { To: "nobody at all" });
      expect(await page.getByRole("alert").innerText()).toBe("“nobody” is no email address.");
      const subject = `Invoice ${InvoiceNumber} from Tern & Tide Pottery`;
      expect(await page.getByLabel("Subject").first().inputValue()).toBe(subject);
      await filled(page, "Email", { To: "ana@gifts.example, bo@gifts.example" });
      expect(await page.locator("main").innerText()).toContain(
        `Send it to ana@gifts.example, bo@gifts.example with the subject ${subject}?`,
      );
      await press(page, "Send");
      expect(await said(page)).toContain("Written to the outbox, not sent");
      const history = await ask("GET", `/Invoices/${InvoiceID}/History`);
      expect(history.HistoryRecords[0].Details).toContain("ana@gifts.example, bo@gifts.example");
      expect(readdirSync(folder).some((name) => /outbox/i.test(name))).toBe(true);
    });

    test("a reminder has the words of the terminal, and is offered for an overdue invoice alone", async () => {
      const late = await invoice();
      const page = await opened(`/invoices/${late.InvoiceID}`);
      await page.locator("summary", { hasText: "Remind" }).click();
      const deed = page.locator("details.deed[open]");
      expect(await deed.getByLabel("Subject").inputValue()).toBe(
        `Reminder: invoice ${late.InvoiceNumber} was due on 20 November 2026`,
      );
      expect(await deed.getByLabel("Text").inputValue()).toContain("4 days ago, and 115.00 NZD");
      const early = await invoice({ DueDate: "2026-12-20" });
      await page.goto(`${view.origin}/invoices/${early.InvoiceID}`);
      expect(await page.locator("summary").allInnerTexts()).not.toContain("Remind");
    });

    test.each([
      ["light", 1280],
      ["dark", 375],
    ] as const)(
      "forms of acts have no axe findings and fit the width, in %s at %i pixels",
      async (colorScheme, width) => {
        const { InvoiceID } = await invoice();
        const viewport = { width, height: 800 };
        const page = await opened(`/invoices/${InvoiceID}`, {
          ...{ colorScheme, viewport, javaScriptEnabled: true },
        });
        for (const act of ["Record payment", "Email", "Remind", "Attach files", "Add a note"]) {
          await page.locator("summary", { hasText: act }).click();
          expect([act, await axeFaults(page)]).toEqual([act, []]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
        await filled(page, "Record payment", {});
        await page.getByRole("button", { name: "Record it" }).waitFor();
        expect(await axeFaults(page)).toEqual([]);
        await press(page, "Record it");
        await page.locator("#said").waitFor();
        expect(await axeFaults(page)).toEqual([]);
      },
    );

    test("with --read-only there is no button, and a form of an act is refused with 403", async () => {
      const { InvoiceID } = await invoice();
      const shown = await viewBuilt(folder, path, now, ["--read-only"]);
      onTestFinished(() => shown.close());
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(shown.url);
      await page.goto(`${shown.origin}/invoices/${InvoiceID}`);
      expect(await page.locator("main button, main summary").count()).toBe(0);
      const answer = await context.request.post(page.url(), {
        headers: { origin: shown.origin },
        form: { token: "guessed", do: "note", "note-text": "Nothing" },
      });
      expect(answer.status()).toBe(400);
    });
  },
);
