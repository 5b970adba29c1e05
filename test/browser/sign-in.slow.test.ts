/**
 * From `acct auth login` to a listed invoice in a real browser, by the keyboard alone, and without
 * script.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type Office,
  openOffice,
  openTwoOffices,
  organisation,
  organisations,
  person,
} from "../cli/office.ts";
import { Machine, type Running } from "../cli/signed-in.ts";
import { fileMade } from "../support/file-made.ts";
import { openedPage } from "../support/signs-in.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

describe.skipIf(!hasChromium("signing in with a browser"))(
  "signing in with a browser",
  { timeout: 600_000 },
  () => {
    let office: Office;
    let browser: Browser;

    beforeAll(async () => {
      office = await openOffice();
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
      await office?.close();
    });

    /** Begins a sign-in, whose browser is a page of ours. */
    async function begun(
      machine: Machine,
      { baseUrl, clientId }: Office = office,
      ...more: readonly string[]
    ): Promise<{ running: Running; page: Page }> {
      const opened = join(machine.home, "opened");
      const hand = join(machine.home, "hand-over");
      writeFileSync(
        hand,
        `#!/bin/sh\nprintf %s "$1" >"${opened}.part" && mv "${opened}.part" "${opened}"\n`,
      );
      chmodSync(hand, 0o755);
      rmSync(opened, { force: true });
      const where = ["--base-url", baseUrl, "--client-id", clientId, ...more];
      const running = machine.start(["auth", "login", ...where], { BROWSER: hand });
      await fileMade(opened);
      const context = await browser.newContext({ javaScriptEnabled: false });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(openedPage(readFileSync(opened, "utf8")));
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

    test("a user signs in with acct auth login and lists an invoice, by the keyboard alone", async () => {
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
      const words = [
        "invoice",
        "list",
        "--columns",
        "InvoiceNumber,Contact.Name,Total",
        "-o",
        "csv",
      ];
      expect(await machine.run(words)).toEqual({
        code: 0,
        stdout: "InvoiceNumber,Contact.Name,Total\nINV-0001,Moa Coffee,138.00\n",
        stderr: "",
      });
    });

    test("consent refused on the page signs nobody in, and both the page and the command line say so", async () => {
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

    test("a user of two organisations chooses one at sign-in, and can name either in later commands", async () => {
      const offices = await openTwoOffices();
      onTestFinished(() => offices.close());
      const machine = new Machine();
      onTestFinished(() => machine.clear());
      const [kiln = "", bikes = ""] = organisations;
      const first = await begun(machine, offices, "--organisation", bikes);
      const { page } = first;
      const boxes = page.getByRole("checkbox");
      const chosen = async () => (await boxes.all()).map((box) => box.isChecked());
      await signIn(page);
      await boxes.first().waitFor();
      expect(await Promise.all(await chosen())).toEqual([false, false]);
      await tabTo(page, "Allow");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("alert").innerText()).toMatch(
        /Choose at least one organisation\./,
      );
      expect(await page.title()).toBe("Error: Allow Desk to work on your books? – acct");
      // Where there is something to do is where one is.
      expect(await focused(page)).toBe(kiln);
      expect(await boxes.first().getAttribute("aria-describedby")).toBe("fault");
      await page.keyboard.press("Space");
      await tabTo(page, bikes);
      await page.keyboard.press("Space");
      expect(await Promise.all(await chosen())).toEqual([true, true]);
      await tabTo(page, "Allow");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "You are signed in" }).waitFor();
      const { code, stderr } = await first.running.done;
      expect([code, stderr]).toEqual([0, expect.stringContaining(`Signed in to ${bikes} as`)]);
      expect(stderr).toContain(`It may work on others as well. ${kiln}: name one with --tenant.\n`);

      const { stdout } = await machine.run(["auth", "status"]);
      expect(stdout).toMatch(new RegExp(`^Organisation +${bikes} `, "m"));
      expect(stdout).toMatch(new RegExp(`^Others +${kiln}: name one with --tenant$`, "m"));
      const names = async (...more: string[]) =>
        (await machine.run(["contact", "list", "-o", "csv", "--columns", "Name", ...more])).stdout;
      expect(await names()).toBe(`Name\nFriend of ${bikes}\n`);
      expect(await names("--tenant", kiln.toUpperCase())).toBe(`Name\nFriend of ${kiln}\n`);
      expect(await machine.run(["contact", "list", "--tenant", "Nobody"])).toMatchObject({
        code: 3,
        // In whichever order they were chosen.
        stderr: expect.stringMatching(
          /^acct: There is no organisation Nobody; there are .+, .+\.\n$/,
        ),
      });

      // What was allowed is chosen already when they come again; taken back, it is shown so.
      const again = await begun(machine, offices, "--organisation", kiln);
      await signIn(again.page);
      const theirs = again.page.getByRole("checkbox");
      await theirs.first().waitFor();
      for (const name of organisations) {
        await tabTo(again.page, name);
        expect(await again.page.getByRole("checkbox", { name }).isChecked()).toBe(true);
        await again.page.keyboard.press("Space");
      }
      await tabTo(again.page, "Allow");
      await again.page.keyboard.press("Enter");
      await again.page.getByRole("alert").waitFor();
      for (const box of await theirs.all()) expect(await box.isChecked()).toBe(false);
      await tabTo(again.page, kiln);
      await again.page.keyboard.press("Space");
      await tabTo(again.page, "Allow");
      await again.page.keyboard.press("Enter");
      expect(await again.running.done).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`Signed in to ${kiln} as ${person.email}.`),
      });
    });

    test.each(["light", "dark"] as const)(
      "sign-in pages are readable in %s, also at 320 pixels",
      async (colorScheme) => {
        const machine = new Machine();
        onTestFinished(() => machine.clear());
        const { running, page: opened } = await begun(machine);
        const context = await browser.newContext({
          javaScriptEnabled: false,
          colorScheme,
          viewport: { width: 320, height: 640 },
        });
        onTestFinished(() => context.close());
        const page = await context.newPage();
        const address = opened.url();
        await opened.close();
        await page.goto(openedPage(readFileSync(join(machine.home, "opened"), "utf8")));
        expect(new URL(page.url()).origin).toBe(new URL(address).origin);
        const look = async () => {
          const { contrast, width } = await looks(page);
          expect(contrast, `${await heading(page)} in ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
          expect(width).toBeLessThanOrEqual(320);
        };
        await look();
        await signIn(page);
        await page.getByRole("checkbox", { name: organisation }).waitFor();
        await look();
        await tabTo(page, "Allow");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "You are signed in" }).waitFor();
        await look();
        expect(await running.done).toMatchObject({ code: 0 });
      },
    );

    /** The least contrast of any text with what is behind it, as WCAG reckons it, and how wide it all is. */
    function looks(page: Page): Promise<{ contrast: number; width: number }> {
      return page.evaluate(() => {
        const { document, getComputedStyle } = globalThis as unknown as LookedAt;
        const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
        const light = (colour: string) => {
          const [r = 0, g = 0, b = 0] = channels(colour).map((each) => {
            const part = each / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        // A page that paints nothing shows white, unless it says that it can be dark.
        const behind = (at: Looked | null): string => {
          if (at === null) return "rgb(255, 255, 255)";
          const { backgroundColor } = getComputedStyle(at);
          const [, , , opaque = 1] = channels(backgroundColor);
          return opaque > 0 ? backgroundColor : behind(at.parentElement);
        };
        let contrast = 21;
        for (const each of document.querySelectorAll("h1, h2, p, a, li, label, legend, button")) {
          const [a, b] = [light(getComputedStyle(each).color), light(behind(each))];
          contrast = Math.min(contrast, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
        }
        return { contrast, width: document.documentElement.scrollWidth };
      });
    }
    interface Looked {
      readonly parentElement: Looked | null;
    }
    interface LookedAt {
      readonly document: {
        querySelectorAll(selector: string): Iterable<Looked>;
        readonly documentElement: { readonly scrollWidth: number };
      };
      getComputedStyle(of: Looked): { readonly color: string; readonly backgroundColor: string };
    }
  },
);
