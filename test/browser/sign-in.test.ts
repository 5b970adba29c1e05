/**
 * From `acct auth login` to a listed invoice in a real browser, by the keyboard alone, and without
 * script.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Office, openOffice, organisation, person } from "../cli/office.ts";
import { Machine, type Running } from "../cli/signed-in.ts";
import { pathOf } from "../shell/desk.ts";

const executablePath = ["chromium", "chromium-browser", "google-chrome"]
  .map(pathOf)
  .find((path) => path !== undefined);
if (executablePath === undefined) {
  console.log("left out, because chromium is not installed: signing in with a browser");
}

describe.skipIf(executablePath === undefined)("in a browser", { timeout: 90_000 }, () => {
  let office: Office;
  let browser: Browser;

  beforeAll(async () => {
    office = await openOffice();
    const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"];
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ["--no-sandbox", "--no-first-run", ...quiet.map((each) => `--disable-${each}`)],
    });
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await office?.close();
  });

  /** Begins a sign-in, whose browser is a page of ours. */
  async function begun(machine: Machine): Promise<{ running: Running; page: Page }> {
    const opened = join(machine.home, "opened");
    const hand = join(machine.home, "hand-over");
    writeFileSync(
      hand,
      `#!/bin/sh\nprintf %s "$1" >"${opened}.part" && mv "${opened}.part" "${opened}"\n`,
    );
    chmodSync(hand, 0o755);
    const where = ["--base-url", office.baseUrl, "--client-id", office.clientId];
    const running = machine.start(["auth", "login", ...where], { BROWSER: hand });
    while (!existsSync(opened)) await setTimeout(20);
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(readFileSync(opened, "utf8"));
    return { running, page };
  }

  /** What has the focus, as somebody hears who cannot see it. */
  function focused(page: Page): Promise<string> {
    return page.evaluate(() => {
      // The page's own world, of which TypeScript here knows nothing.
      const { document } = globalThis as unknown as { document: PageDocument };
      const at = document.activeElement;
      return (at?.labels?.[0]?.textContent ?? at?.textContent ?? "").trim();
    });
  }
  interface PageDocument {
    readonly activeElement?: {
      readonly labels?: readonly { readonly textContent: string }[];
      readonly textContent: string;
    };
  }

  /** Presses Tab until something of that name has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    const heard: string[] = [];
    for (let presses = 0; presses < 12; presses++) {
      heard.push(await focused(page));
      if (heard.at(-1) === name) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not come to ${name}, but to ${heard.join(", ")}.`);
  }

  async function signIn(page: Page, password = person.password): Promise<void> {
    await tabTo(page, "Email address");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(person.email);
    await tabTo(page, "Password");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
  }

  const heading = (page: Page) => page.locator("h1").textContent();

  test("from acct auth login to a listed invoice, by the keyboard alone", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    const { running, page } = await begun(machine);
    await signIn(page, "guessed");
    await page.getByText("The email address or the password is not right.").first().waitFor();
    await signIn(page);
    await page.getByRole("checkbox", { name: organisation }).waitFor();
    expect(await heading(page)).toBe("Allow Desk to work on your books?");
    await tabTo(page, organisation);
    const isChosen = () => page.getByRole("checkbox", { name: organisation }).isChecked();
    const before = await isChosen();
    await page.keyboard.press("Space");
    expect(await isChosen()).toBe(!before);
    if (before) await page.keyboard.press("Space");
    await tabTo(page, "Allow");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    expect(await running.done).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Signed in to ${organisation} as ${person.email}.`),
    });
    const words = ["invoice", "list", "--columns", "InvoiceNumber,Contact.Name,Total", "-o", "csv"];
    expect(await machine.run(words)).toEqual({
      code: 0,
      stdout: "InvoiceNumber,Contact.Name,Total\nINV-0001,Moa Coffee,138.00\n",
      stderr: "",
    });
  });

  test("who does not allow it is not signed in, and is told so on both sides", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.clear());
    const { running, page } = await begun(machine);
    await signIn(page);
    await page.getByRole("button", { name: "Do not allow" }).waitFor();
    await tabTo(page, "Do not allow");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    expect(await running.done).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("acct: You did not agree, so nobody is signed in"),
    });
  });
});
