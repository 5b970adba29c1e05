/**
 * Account and administration pages in a real browser: by the keyboard alone, without script, small and
 * large, light and dark; read by axe; within their content security policy.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeLink } from "../../src/service/auth/password-links.ts";
import { findMember } from "../../src/service/auth/people.ts";
import { type Desk, employ, password } from "../service/auth/served.ts";
import { till } from "../service/auth/tokens.ts";
import { contact } from "../service/fixture.ts";
import { shopId, subscribe } from "../service/webhooks/subscribed.ts";
import { axeFaults } from "./axe.ts";
import { builtPages } from "./built-desk.ts";
import { hasChromium, launchChromium } from "./chromium.ts";

const email = "ana@heron.example";
const looks = ["light", "dark"].flatMap((scheme) =>
  [1280, 375].map((width) => [scheme as "light" | "dark", width] as const),
);

describe.skipIf(!hasChromium("account and administration pages"))(
  "account and administration pages in a browser",
  { timeout: 600_000 },
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());

    /** An adviser of a book with an app that people use, a subscription, and somebody else. */
    async function office() {
      const at = await builtPages();
      const app = await till(at);
      await app.tokens();
      await employ(at, "bo@heron.example", "standard");
      await subscribe(at.given);
      await contact(at.given);
      return { at, app };
    }

    async function signedIn(at: Desk, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ javaScriptEnabled: false, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${at.origin}/me`);
      await page.fill("#email", email);
      await page.fill("#password", password);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${at.origin}/me`);
      return page;
    }

    const heading = (page: Page) => page.locator("h1").innerText();
    const pressesMax = 100;

    /** Presses Tab until a link, a field or a button has the focus whose name fits, and that is seen. */
    async function tabTo(page: Page, name: RegExp): Promise<void> {
      const focused = `(() => {
      const at = document.activeElement;
      return at.getAttribute("aria-label") ?? (at.labels?.[0] ?? at).textContent.trim();
    })()`;
      for (let presses = 0; presses < pressesMax; presses += 1) {
        await page.keyboard.press("Tab");
        if (!name.test(await page.evaluate(focused))) continue;
        const outline = "getComputedStyle(document.activeElement).outlineStyle";
        expect(await page.evaluate(outline)).toBe("solid");
        return;
      }
      throw new Error(`Tab does not come to ${name} on ${page.url()}.`);
    }

    /** Follows a link, or presses a button, by the keyboard. */
    async function press(page: Page, name: RegExp): Promise<void> {
      await tabTo(page, name);
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    }

    async function type(page: Page, label: RegExp, text: string): Promise<void> {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }

    test.each(looks)(
      "administration pages invite a user, give a role and remove the user by keyboard only, in %s at %i pixels",
      async (colorScheme, width) => {
        const { at } = await office();
        const page = await signedIn(at, { colorScheme, viewport: { width, height: 800 } });
        await press(page, /^Administer$/);
        expect(await heading(page)).toBe("People");
        await type(page, /^Email address$/, "cy@heron.example");
        await type(page, /^Name$/, "Cy Tane");
        await type(page, /^Role$/, "Read");
        await type(page, /^First password$/, "a first password");
        await press(page, /^Let in$/);
        expect(await page.getByRole("status").innerText()).toBe("They may sign in from now on.");
        const { id, role } = await findMember(at.staff, "cy@heron.example");
        expect(role).toBe("read-only");
        await press(page, /^Cy Tane$/);
        await type(page, /^Role$/, "Adviser");
        await press(page, /^Change the role$/);
        expect((await findMember(at.staff, id)).role).toBe("adviser");
        await press(page, /^Remove from the organisation$/);
        expect(await heading(page)).toBe("Remove Cy Tane?");
        await press(page, /^Remove$/);
        expect(await page.getByRole("status").innerText()).toContain("no longer");
        await press(page, /^Audit log$/);
        expect(await page.locator("tbody tr").first().innerText()).toContain(
          "removed cy@heron.example",
        );
        await type(page, /^Person$/, "cy@heron");
        await press(page, /^Show$/);
        expect(await page.locator("tbody tr").count()).toBe(3);
      },
    );

    test.each(looks)(
      "account pages revoke an app, sign out other devices and change the password, in %s at %i pixels",
      async (colorScheme, width) => {
        const { at } = await office();
        const other = await signedIn(at);
        const page = await signedIn(at, { colorScheme, viewport: { width, height: 800 } });
        await press(page, /^Take back what Till can do$/);
        expect(await heading(page)).toBe("Take back what Till can do?");
        await press(page, /^Leave it as it is$/);
        await press(page, /^Take back what Till can do$/);
        await press(page, /^Take back$/);
        expect(await page.getByRole("status").innerText()).toContain("nothing more in your name");
        await press(page, /^Sign out all other browsers$/);
        await other.reload();
        expect(other.url()).toContain("/sign-in");
        await type(page, /^Current password$/, password);
        await type(page, /^New password$/, "another horse battery");
        await type(page, /^New password again$/, "another horse battery");
        await press(page, /^Change the password$/);
        expect(await page.getByRole("status").innerText()).toContain("Your password is changed");
        expect(await heading(page)).toBe("Your account");
      },
    );

    test("errors in an account form are shown at the form, where a screen reader announces them at once", async () => {
      const { at } = await office();
      const page = await signedIn(at);
      await type(page, /^Current password$/, "guessed");
      await type(page, /^New password$/, "another horse battery");
      await type(page, /^New password again$/, "another horse battery");
      await press(page, /^Change the password$/);
      expect(await page.getByRole("alert").innerText()).toBe(
        "The password that you have is not right.",
      );
      expect(await page.title()).toMatch(/^Error: /);
      expect(await page.locator("#field-next").inputValue()).toBe("");
    });

    /** Every page, and every question. */
    async function everyPage({ at, app }: Awaited<ReturnType<typeof office>>): Promise<string[]> {
      const admin = `/admin/${at.given.book.tenant}`;
      const { id: bo } = await findMember(at.staff, "bo@heron.example");
      const { id: ana } = await findMember(at.staff, email);
      const { AuditEntries } = await at.given.ok("GET", "/Extensions/AuditEntries");
      const own = `${admin}/webhooks/${shopId}`;
      const { url } = await makeLink(at.staff, bo, { purpose: "reset", origin: at.origin });
      return [
        "/sign-in",
        "/identity/password",
        new URL(url).pathname,
        "/identity/password/of-no-link",
        "/me",
        "/me?said=signed-out",
        "/me/second-factor",
        "/me/nothing",
        `/me/apps/${app.id}`,
        `${admin}/people`,
        `${admin}/people/${bo}`,
        `${admin}/people/${ana}`,
        `${admin}/people/${bo}/remove`,
        `${admin}/apps`,
        `${admin}/apps/${app.id}/secret`,
        `${admin}/apps/${app.id}/remove`,
        `${admin}/apps/${app.id}/people/${ana}`,
        `${admin}/webhooks`,
        own,
        `${own}/disable`,
        `${own}/remove`,
        `${admin}/audit`,
        `${admin}/audit?person=bo`,
        `${admin}/audit/${AuditEntries[0].AuditEntryID}`,
      ];
    }

    test.each(looks)(
      "account and administration pages have no axe findings, in %s at %i pixels, fit the width and keep their policy",
      async (colorScheme, width) => {
        const given = await office();
        const { at } = given;
        const page = await signedIn(at, {
          javaScriptEnabled: true,
          colorScheme,
          viewport: { width, height: 800 },
        });
        const said: string[] = [];
        const asked = new Set<string>();
        page.on("console", (message) => said.push(message.text()));
        page.on("pageerror", (error) => said.push(String(error)));
        page.on("request", (request) => asked.add(new URL(request.url()).origin));
        const found: Record<string, string[]> = {};
        for (const path of await everyPage(given)) {
          await page.goto(`${at.origin}${path}`);
          const wrong = [...(await axeFaults(page))];
          const widest = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (widest > width) wrong.push(`is ${widest} pixels wide`);
          if (!path.endsWith("/nothing") && (await heading(page)) === "There is nothing here") {
            wrong.push("is not there");
          }
          if (wrong.length > 0) found[path] = wrong;
        }
        expect(found).toEqual({});
        expect(said.filter((text) => !text.includes("404"))).toEqual([]);
        expect(asked).toEqual(new Set([at.origin]));
      },
    );
  },
);
