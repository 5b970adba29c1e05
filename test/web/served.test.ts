/** The pages of a server: who signs in sees the books of their organisations, as far as their role goes. */
import { describe, expect, test } from "vitest";
import {
  changePassword,
  changeRole,
  type Role,
  removeMember,
} from "../../src/service/auth/people.ts";
import {
  Browser,
  type Desk,
  desk,
  employ,
  keepOldPasswords,
  password,
  type Shown,
} from "../service/auth/served.ts";
import { opened, step, take } from "../service/business.ts";
import { contact, sale } from "../service/fixture.ts";
import { fc, firstOf } from "../support/properties.ts";
import { linksIn, textOf, withoutTrail } from "./browsing.ts";

const served = () => desk({ hasPages: true });
const email = "ana@heron.example";

/** Signs in, and returns the page at which that ends. */
async function signedIn(at: Desk, browser: Browser, secret = password): Promise<Shown> {
  return browser.signIn(await browser.open(`${at.origin}/`), email, secret);
}

test("the first page asks for a sign-in, and then shows the books", async () => {
  const at = await served();
  await employ(at);
  const browser = new Browser(at.origin);
  const asked = await browser.open(`${at.origin}/`);
  expect([asked.status, asked.url]).toEqual([200, `${at.origin}/sign-in`]);
  expect(textOf(asked.html)).toContain("to go on to the books");
  const wrong = await browser.signIn(asked, email, "guessed");
  expect([wrong.status, textOf(wrong.html)]).toEqual([
    400,
    expect.stringContaining("The email address or the password is not right."),
  ]);
  const home = await browser.signIn(asked);
  expect(home.url).toBe(`${at.origin}/books/${at.given.book.tenant}/`);
  expect(textOf(home.html)).toContain("Heron Lane Ltd");
  expect(textOf(home.html)).toContain("Ana Reid");
});

test("whose password is too short for today's rules chooses another, and then sees the books", async () => {
  const at = await served();
  await employ(at);
  await keepOldPasswords(at);
  const browser = new Browser(at.origin);
  const typed = [["email", email] as const, ["password", "correct horse"] as const];
  const asked = await browser.submit(await browser.open(`${at.origin}/`), typed);
  expect([asked.status, textOf(asked.html)]).toEqual([
    400,
    expect.stringContaining("Choose a new password"),
  ]);
  const home = await browser.submit(asked, [...typed, ["new", "kiln and clay and glaze"]]);
  expect(textOf(home.html)).toContain("Heron Lane Ltd");
  const again = await signedIn(at, new Browser(at.origin), "kiln and clay and glaze");
  expect(textOf(again.html)).toContain("Heron Lane Ltd");
});

test("after signing in, the page that was asked for is shown", async () => {
  const at = await served();
  await employ(at);
  const browser = new Browser(at.origin);
  const wanted = `${at.origin}/books/${at.given.book.tenant}/invoices?status=PAID`;
  const home = await browser.signIn(await browser.open(wanted));
  expect([home.status, home.url]).toEqual([200, wanted]);
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/api.xro/2.0/Invoices"])(
  "a sign-in does not redirect to an address outside the books, such as %s",
  async (to) => {
    const at = await served();
    await employ(at);
    const browser = new Browser(at.origin);
    const page = await browser.open(`${at.origin}/sign-in?${new URLSearchParams({ to })}`);
    const home = await browser.signIn(page);
    expect(home.url).toBe(`${at.origin}/books/${at.given.book.tenant}/`);
  },
);

test("the cookies of a session and of a known browser are hidden from scripts, and over TLS bound to this host", async () => {
  const at = await served();
  await employ(at);
  const cookieAt = async ({ origin }: { origin: string }, own: string) => {
    const body = new URLSearchParams({ email, password });
    const init = { method: "POST", body, headers: { origin: own }, redirect: "manual" } as const;
    return (await fetch(`${origin}/sign-in?sent_on=1`, init)).headers.getSetCookie();
  };
  expect(await cookieAt(at, at.origin)).toEqual([
    expect.stringMatching(
      /^acct_browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    ),
    expect.stringMatching(/^acct_books=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const proxied = await desk({ hasPages: true, publicUrl: "https://books.example" });
  await employ(proxied);
  expect(await cookieAt(proxied, "https://books.example")).toEqual([
    expect.stringMatching(/^__Host-acct_browser=[\w-]{43}; .*; Secure; Max-Age=34560000$/),
    expect.stringMatching(/^__Host-acct_books=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
});

test("a form from another site can sign nobody in or out", async () => {
  const at = await served();
  await employ(at);
  const form = { email, password };
  for (const origin of ["https://evil.example", "null"]) {
    expect((await at.post("/sign-in", form, { origin })).status).toBe(403);
  }
  const browser = new Browser(at.origin);
  const home = await signedIn(at, browser);
  await browser.open(`${at.origin}/sign-out`, {
    method: "POST",
    body: new URLSearchParams({ token: "guessed" }),
    headers: { origin: at.origin },
  });
  expect((await browser.open(home.url)).url).toBe(home.url);
});

describe("the end of a session", () => {
  test("a session ends when its user signs out", async () => {
    const at = await served();
    await employ(at);
    const browser = new Browser(at.origin);
    const home = await signedIn(at, browser);
    const kept = new Browser(at.origin);
    const cookie = browser.cookies().join("; ");
    const token = /name="token" value="([^"]+)"/.exec(home.html)?.[1] ?? "";
    const body = new URLSearchParams({ token });
    await browser.open(`${at.origin}/sign-out`, {
      method: "POST",
      body,
      headers: { origin: at.origin },
    });
    const after = await kept.open(home.url, { headers: { cookie } });
    expect(after.url).toContain("/sign-in");
  });

  test("a session ends eight hours after it began", async () => {
    const at = await served();
    await employ(at);
    const browser = new Browser(at.origin);
    const home = await signedIn(at, browser);
    at.given.now += 8 * 3_600_000 - 60_000;
    expect((await browser.open(home.url)).url).toBe(home.url);
    at.given.now += 120_000;
    expect((await browser.open(home.url)).url).toContain("/sign-in");
  });

  test("a session ends when its user gets a new password, or is removed from the organisation", async () => {
    const at = await served();
    await employ(at);
    const browser = new Browser(at.origin);
    const home = await signedIn(at, browser);
    await changePassword(at.staff, email, "another correct horse");
    expect((await browser.open(home.url)).url).toContain("/sign-in");
    const again = await signedIn(at, browser, "another correct horse");
    await removeMember(at.staff, email);
    expect((await browser.open(again.url)).url).toContain("/sign-in");
  });
});

test("books of another organisation are answered as not found, for any user", async () => {
  const at = await served();
  await employ(at);
  const browser = new Browser(at.origin);
  await signedIn(at, browser);
  for (const path of [
    "00000000-0000-4000-8000-000000000000/",
    "none/",
    `${at.given.book.tenant}x/`,
  ]) {
    expect((await browser.open(`${at.origin}/books/${path}`)).status, path).toBe(404);
  }
});

test("a server without --pages serves no pages", async () => {
  const at = await desk();
  for (const path of ["/", "/books", "/sign-in"]) {
    expect((await fetch(`${at.origin}${path}`)).status).toBe(404);
  }
});

describe("pages by role of the user", () => {
  /** What each role is answered, by page. */
  const expected: Readonly<Record<Role, Readonly<Record<string, number>>>> = {
    adviser: { reports: 200, invoices: 200, bills: 200, ledger: 200, bank: 200, act: 400 },
    standard: { reports: 200, invoices: 200, bills: 200, ledger: 200, bank: 200, act: 400 },
    "standard-without-reports": {
      reports: 403,
      invoices: 200,
      bills: 200,
      ledger: 403,
      bank: 200,
      act: 400,
    },
    "invoice-only": { reports: 403, invoices: 200, bills: 200, ledger: 403, bank: 403, act: 403 },
    "read-only": { reports: 200, invoices: 200, bills: 200, ledger: 200, bank: 200, act: 403 },
  };
  const paths = {
    reports: "/reports/profit-and-loss",
    invoices: "/invoices",
    bills: "/bills",
    ledger: "/accounts/200",
    bank: "/bank/090/reconcile",
  } as const;

  test.each(Object.keys(expected) as Role[])(
    "a user with the role %s sees the pages of that role, and is refused other changes",
    async (role) => {
      const at = await served();
      await employ(at, email, role);
      const party = await contact(at.given, { Name: "Quay Supplies" });
      await at.given.ok("PUT", "/Invoices", sale(party, { Type: "ACCPAY", InvoiceNumber: "B-77" }));
      const browser = new Browser(at.origin);
      const home = await signedIn(at, browser);
      const wanted = expected[role];
      for (const [name, path] of Object.entries(paths)) {
        const { status } = await browser.open(`${home.url.slice(0, -1)}${path}`);
        expect(status, name).toBe(wanted[name]);
      }
      const token = /name="token" value="([^"]+)"/.exec(home.html)?.[1] ?? "";
      const acted = await browser.open(`${home.url}bank/090/reconcile`, {
        method: "POST",
        body: new URLSearchParams({
          token,
          do: "ignore",
          line: "00000000-0000-4000-8000-000000000000",
        }),
        headers: { origin: at.origin },
      });
      expect(acted.status).toBe(wanted.act);
      const menu = textOf(/<nav aria-label="Books">.*?<\/nav>/s.exec(home.html)?.[0] ?? "");
      expect(menu.includes("Reports")).toBe(wanted.reports === 200);
      expect(menu.includes("Bank")).toBe(wanted.bank === 200);
      expect(menu.includes("Accounting")).toBe(role !== "invoice-only");
      const bills = textOf((await browser.open(`${home.url}bills`)).html);
      expect(bills.includes("B-77")).toBe(role !== "invoice-only");
    },
  );

  test.each(firstOf(Object.keys(expected) as Role[], 2))(
    "for the role %s, every link of the navigation leads to a page",
    async (role) => {
      const at = await served();
      await employ(at, email, role);
      const browser = new Browser(at.origin);
      const home = await signedIn(at, browser);
      const links = new Set<string>([new URL(home.url).pathname]);
      for (const path of links) {
        const { status, html } = await browser.open(`${at.origin}${path}`);
        expect(status, path).toBe(200);
        const bars = [...html.matchAll(/<nav aria-label="(?!The way).*?<\/nav>/gs)].join("");
        for (const [, href = ""] of bars.matchAll(/ href="(\/[^"]*)"/g)) links.add(href);
      }
      expect(links.size).toBeGreaterThan(4);
      const admin = home.url.replace("/books/", "/admin/");
      const { status, html } = await browser.open(`${admin}people`);
      expect(status).toBe(role === "adviser" ? 200 : 403);
      if (role !== "adviser") expect(textOf(html)).toContain("role adviser");
    },
  );

  test.each(firstOf(Object.keys(expected).toReversed() as Role[]))(
    "a user with the role %s is shown no link that leads to a refusal",
    { timeout: 600_000 },
    async (role) => {
      const at = await served();
      const business = await opened(at.given);
      for (const [number, each] of fc.sample(step, { numRuns: 40, seed: 3 }).entries()) {
        await take(business, each, `2026-03-${String(1 + (number % 28)).padStart(2, "0")}`);
      }
      await employ(at, email, role);
      const browser = new Browser(at.origin);
      const home = await signedIn(at, browser);
      const waiting = [new URL(home.url).pathname];
      const seen = new Set<string>();
      const kinds = new Map<string, number>();
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const kind = path.split("?", 1)[0]?.replace(/[0-9a-f-]{36}|\d+/g, "…") ?? "";
        const isBooks = path.startsWith("/books/");
        if (!isBooks || seen.has(withoutTrail(path)) || (kinds.get(kind) ?? 0) >= 3) continue;
        seen.add(withoutTrail(path));
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const { status, html } = await browser.open(`${at.origin}${path}`);
        expect(status, `${role} is led to ${path}`).toBe(200);
        waiting.push(...linksIn(html));
      }
      expect(seen.size).toBeGreaterThan(20);
    },
  );

  test("an address of acct view opened on a server redirects to the same page of the books, after sign-in", async () => {
    const at = await served();
    await employ(at, email, "adviser");
    const browser = new Browser(at.origin);
    const asked = await browser.open(`${at.origin}/invoices?status=PAID`);
    const shown = await browser.signIn(asked, email, password);
    expect(shown.url).toMatch(/\/books\/[0-9a-f-]{36}\/invoices\?status=PAID$/);
    const lost = await browser.open(`${at.origin}/nothing-here`, {
      headers: { accept: "text/html" },
    });
    expect([lost.status, lost.html.slice(0, 15)]).toEqual([404, "<!doctype html>"]);
  });

  test("a changed role takes effect from the user's next page on", async () => {
    const at = await served();
    await employ(at, email, "adviser");
    const browser = new Browser(at.origin);
    const home = await signedIn(at, browser);
    await changeRole(at.staff, email, "standard-without-reports");
    const { status, html } = await browser.open(`${home.url}reports/balance-sheet`);
    const said =
      "You may not see Balance Sheet. An adviser of Heron Lane Ltd can give you another role.";
    expect([status, textOf(html)]).toEqual([403, expect.stringContaining(said)]);
    // No search for a report, nor a list of reports that is refused as well.
    expect(textOf(html)).not.toContain("Search for balance-sheet");
    const onward = linksIn(/<ul class="ways-on">.*?<\/ul>/s.exec(html)?.[0] ?? "");
    for (const path of onward) {
      expect((await browser.open(`${at.origin}${path}`)).status, path).toBe(200);
    }
    expect(onward.length).toBeGreaterThan(0);
  });
});

test("a form is accepted only in the session that it was made for", async () => {
  const at = await served();
  await employ(at);
  const [one, other] = [new Browser(at.origin), new Browser(at.origin)];
  const homes = [await signedIn(at, one), await signedIn(at, other)];
  const tokens = homes.map(({ html }) => /name="token" value="([^"]+)"/.exec(html)?.[1]);
  expect(new Set(tokens).size).toBe(2);
  expect((await one.open(homes[0]?.url ?? "")).html).toContain(tokens[0] ?? "none");
  const acted = await one.open(`${homes[0]?.url}bank/090/reconcile`, {
    method: "POST",
    body: new URLSearchParams({ token: tokens[1] ?? "", do: "ignore", line: "x" }),
    headers: { origin: at.origin },
  });
  expect(textOf(acted.html)).toContain("no longer good");
});
