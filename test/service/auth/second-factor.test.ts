/** A second factor: codes of an app and of recovery, where they are asked for, and who must have one. */
import { describe, expect, test } from "vitest";
import { qrPicture } from "../../../src/output/html/qr-picture.ts";
import { changePassword, findMember } from "../../../src/service/auth/people.ts";
import { endSecondFactor } from "../../../src/service/auth/second-factor.ts";
import { signIn, untilReset } from "../../../src/service/auth/sign-in/passwords-tried.ts";
import { base32, codeAt, useCode } from "../../../src/service/auth/totp.ts";
import { textOf } from "../../web/browsing.ts";
import { atPages } from "../../web/office.ts";
import { giveSecondFactor } from "./factors.ts";
import { authoriseUrl, Browser, type Desk, desk, employ, password, type Shown } from "./served.ts";
import { redirect, scope, till } from "./tokens.ts";

const email = "ana@heron.example";
const day = 24 * 3_600_000;

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_234_567_890, "005924"],
  [20_000_000_000, "353130"],
])("the code at second %i is that of RFC 6238", (second, code) => {
  const secret = Buffer.from("12345678901234567890").toString("hex");
  expect(codeAt(secret, Math.floor(second / 30))).toBe(code);
  expect(base32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

/** Somebody who has a second factor. */
async function guarded(more = {}) {
  const at = await desk({ hasPages: true, ...more });
  const person = await employ(at);
  const factor = await giveSecondFactor(at, person);
  const used = (code: string) =>
    at.staff.directory.write((tx) => useCode(tx, person.id, code, at.given.now));
  return { at, person, used, ...factor };
}

/** The page after the password. */
const afterPassword = async (at: Desk, browser: Browser, secret = password): Promise<Shown> =>
  browser.signIn(await browser.open(`${at.origin}/sign-in`), email, secret);

const asked = ({ html }: Shown) => /name="asked" value="([^"]+)"/.exec(html)?.[1] ?? "";
const giveCode = (browser: Browser, page: Shown, code: string) =>
  browser.submit(page, [
    ["asked", asked(page)],
    ["code", code],
  ]);

describe("a code", () => {
  test("counts once, one step early or late, and those between two that were used count no longer", async () => {
    const { codeNow, used } = await guarded();
    const codes = [-2, -1, 0, 1, 2].map(codeNow) as [string, string, string, string, string];
    const [tooOld, early, now, late, tooNew] = codes;
    for (const [code, isRight] of [
      [tooOld, false],
      [tooNew, false],
      [early, true],
      [early, false],
      [late, true],
      [now, false],
      ["", false],
      ["12345", false],
    ] as const) {
      expect([code, await used(code)]).toEqual([code, isRight]);
    }
  });

  test("given twice at the same time signs in once", async () => {
    const { codeNow, used } = await guarded();
    const outcomes = await Promise.all([used(codeNow()), used(codeNow()), used(codeNow())]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  test("of recovery counts once, in groups or without, and is stored as a hash", async () => {
    const { at, recovery, used } = await guarded();
    expect(recovery).toHaveLength(10);
    const [first = "", second = ""] = recovery;
    expect(await used(first.toLowerCase().replace(/(.{4})/g, "$1-"))).toBe(true);
    expect(await used(first)).toBe(false);
    const rows = await at.staff.directory.read(({ db }) =>
      db.selectFrom("directory_key").selectAll().execute(),
    );
    expect(JSON.stringify(rows)).not.toContain(second);
  });
});

describe("signing in with a second factor", () => {
  test("a code is asked for after the password, in a new browser and in a known one after 30 days", async () => {
    const { at, codeNow } = await guarded();
    const browser = new Browser(at.origin);
    const page = await afterPassword(at, browser);
    expect(textOf(page.html)).toContain("Enter the code");
    expect((await browser.open(`${at.origin}/me`)).url).toContain("/sign-in");
    const wrong = await giveCode(browser, page, "000000");
    expect([wrong.status, textOf(wrong.html)]).toEqual([
      400,
      expect.stringContaining("The code is not right, or has been used."),
    ]);
    expect((await giveCode(browser, wrong, codeNow())).url).toContain("/books/");
    for (const [days, isAsked] of [
      [29, false],
      [2, true],
    ] as const) {
      at.given.now += days * day;
      const again = await afterPassword(at, browser);
      expect([days, asked(again) !== ""]).toEqual([days, isAsked]);
    }
    expect(asked(await afterPassword(at, new Browser(at.origin)))).not.toBe("");
  });

  test("a sign-in waits for its code for ten minutes, and for the code of its own person", async () => {
    const { at, codeNow } = await guarded();
    const browser = new Browser(at.origin);
    const page = await afterPassword(at, browser);
    at.given.now += 10 * 60_000;
    const late = await giveCode(browser, page, codeNow());
    expect(textOf(late.html)).toContain("That took too long: sign in again.");
    const bo = await employ(at, "bo@heron.example");
    const other = await giveSecondFactor(at, bo);
    const waiting = await afterPassword(at, browser);
    expect((await giveCode(browser, waiting, other.codeNow())).status).toBe(400);
    expect((await giveCode(browser, waiting, codeNow())).url).toContain("/books/");
    expect((await giveCode(browser, waiting, codeNow(1))).status).toBe(400);
  });

  test("an app asks for the code too, on its way to the consent", async () => {
    const app = await till();
    const { at, browser } = app;
    const { codeNow } = await giveSecondFactor(at, await findMember(at.staff, email));
    const url = authoriseUrl(at, { client_id: app.id, redirect_uri: redirect, scope });
    const page = await browser.signIn(await browser.open(url));
    expect(page.html).not.toContain("Allow Till");
    expect((await giveCode(browser, page, codeNow())).html).toContain("Allow Till");
  });

  test("wrong codes count as wrong passwords do, and a right password does not start the count anew", async () => {
    const { at, codeNow } = await guarded();
    const browser = new Browser(at.origin);
    const seen: number[] = [];
    for (let guess = 0; guess < 3; guess += 1) {
      const page = await afterPassword(at, browser);
      if (page.status !== 429) seen.push((await giveCode(browser, page, "000000")).status);
    }
    expect(seen).toEqual([400, 400, 429]);
    at.given.now += 5_000;
    expect((await giveCode(browser, await afterPassword(at, browser), codeNow())).status).toBe(429);
  });

  test("a code opens an account that wrong passwords have locked, and without the right one nothing does", async () => {
    const { at, codeNow } = await guarded();
    const tried = (place: string, secret: string, code = "") => {
      at.given.now += 30_000;
      const origin = { address: place, requestId: undefined };
      return signIn(at.staff.directory, () => at.given.now, {
        email,
        password: secret,
        code,
        origin,
      });
    };
    for (let guess = 0; guess < 100; guess += 1) await tried(`place ${guess}`, "a guess");
    expect(await tried("hotel", password)).toEqual({ waitMs: untilReset });
    expect(await tried("hotel", password, "000000")).toEqual({ waitMs: 0 });
    at.given.now += 30_000;
    expect(await tried("hotel", "a guess", codeNow())).toEqual({ waitMs: 0 });
    at.given.now += 30_000;
    expect((await tried("hotel", password, codeNow(1))).person).toBeDefined();
    expect(await tried("station", password)).toMatchObject({ asked: expect.any(String) });
  });

  test("guesses of codes at a locked account are bounded as well", async () => {
    const { at, codeNow } = await guarded();
    const tried = (place: string, code: string) => {
      at.given.now += 30_000;
      const origin = { address: place, requestId: undefined };
      return signIn(at.staff.directory, () => at.given.now, { email, password, code, origin });
    };
    for (let guess = 0; guess < 100; guess += 1) await tried(`place ${guess}`, "");
    for (let guess = 0; guess < 100; guess += 1) {
      expect(await tried(`road ${guess}`, "000000")).toEqual({ waitMs: 0 });
    }
    expect(await tried("hotel", codeNow(1))).toEqual({ waitMs: untilReset });
  });
});

describe("the second factor on the account page", () => {
  test("it is set up with the password and a code of the app, and the recovery codes are shown once", async () => {
    const at = await desk({ hasPages: true });
    await employ(at);
    const person = await atPages(at);
    const page = await person.see("/me/second-factor");
    const secret = /name="secret" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    const key = base32(secret);
    expect(textOf(page.html).replaceAll(" ", "")).toContain(key);
    const [, address = ""] = /href="(otpauth:[^"]+)"/.exec(page.html) ?? [];
    expect(address).toContain(`secret=${key}`);
    expect(page.html).toContain(
      String(qrPicture(address.replaceAll("&#38;", "&"), "QR code of the key", 200)),
    );
    const code = codeAt(secret, Math.floor(at.given.now / 30_000));
    const set = (fields: object) =>
      person.send("/me/second-factor", { secret, code, current: password, ...fields });
    expect(textOf((await set({ current: "a guess" })).html)).toContain(
      "The password is not right.",
    );
    const mistyped = await set({ code: "000000" });
    expect(textOf(mistyped.html)).toContain("not the code that the app shows now");
    expect(mistyped.html).toContain(`value="${secret}"`);
    const done = await set({});
    expect([...done.html.matchAll(/<code>([A-Z2-7 ]{19})<\/code>/g)]).toHaveLength(10);
    expect(textOf((await person.see("/me")).html)).toContain("10 recovery codes are left");
    expect(textOf((await set({})).html)).toContain("There is a second factor already");
  });

  test("taking it off, and new recovery codes, ask for a code", async () => {
    const { at, codeNow, recovery } = await guarded();
    const browser = new Browser(at.origin);
    await giveCode(browser, await afterPassword(at, browser), codeNow());
    const token = /name="token" value="([^"]+)"/.exec(
      (await browser.open(`${at.origin}/me`)).html,
    )?.[1];
    const change = (act: string, code: string) =>
      browser.open(`${at.origin}/me/second-factor/change`, {
        method: "POST",
        body: new URLSearchParams({ token: token ?? "", act, code }),
        headers: { origin: at.origin },
      });
    expect(textOf((await change("off", codeNow())).html)).toContain("not right, or has been used");
    at.given.now += 30_000;
    expect(textOf((await change("codes", codeNow())).html)).toContain("Your recovery codes");
    expect((await change("off", recovery[0] ?? "")).status).toBe(400);
    at.given.now += 30_000;
    expect(textOf((await change("off", codeNow())).html)).toContain(
      "the password alone signs you in",
    );
    expect((await afterPassword(at, new Browser(at.origin))).url).toContain("/books/");
  });

  test("with a second factor a password of 8 characters suffices, until it is taken off", async () => {
    const { at, person, codeNow } = await guarded();
    const short = "kQ7-vz2w";
    await changePassword(at.staff, email, short);
    await expect(changePassword(at.staff, email, "kQ7-vz2")).rejects.toThrow("8 to 1024");
    const browser = new Browser(at.origin);
    const page = await afterPassword(at, browser, short);
    expect((await giveCode(browser, page, codeNow())).url).toContain("/books/");
    await endSecondFactor(at.staff, person.id);
    await expect(changePassword(at.staff, email, short)).rejects.toThrow("15 to 1024");
    expect(textOf((await afterPassword(at, browser, short)).html)).toContain(
      "Choose a new password",
    );
  });
});

describe("a server that asks for a second factor", () => {
  test.each([
    ["required", "read-only", true],
    ["advisers", "adviser", true],
    ["advisers", "read-only", false],
  ] as const)(
    "%s: somebody who is %s is led to setting it up: %s",
    async (secondFactor, role, isLed) => {
      const at = await desk({ hasPages: true, secondFactor });
      await employ(at, email, role);
      const person = await atPages(at);
      for (const path of ["/books", "/me", "/"]) {
        const { url } = await person.see(path);
        expect([path, url.endsWith("/me/second-factor")]).toEqual([path, isLed]);
      }
      expect((await person.see("/me/second-factor")).html.includes("asks for one")).toBe(isLed);
    },
  );

  test("an app signs in only who has set it up", async () => {
    const at = await desk({ hasPages: true, secondFactor: "required" });
    const person = await employ(at);
    const { id } = await at.app({ name: "Till", redirectUris: [redirect] });
    const browser = new Browser(at.origin);
    const url = authoriseUrl(at, { client_id: id, redirect_uri: redirect, scope });
    const refused = await browser.signIn(await browser.open(url));
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain(`set one up at ${at.origin}/me`);
    const { codeNow } = await giveSecondFactor(at, person);
    const page = await browser.signIn(await browser.open(url));
    expect((await giveCode(browser, page, codeNow())).html).toContain("Allow Till");
  });
});
