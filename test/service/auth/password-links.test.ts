/** Links by which people choose a password: mailed to whoever has forgotten theirs or is invited. */
import { describe, expect, test } from "vitest";
import type { Message } from "../../../src/platform/mail.ts";
import type { AuditEntry } from "../../../src/resources/audit-entry.ts";
import { cachedMs } from "../../../src/service/auth/callers.ts";
import { makeLink } from "../../../src/service/auth/password-links.ts";
import { addMember, findMember, removeMember } from "../../../src/service/auth/people.ts";
import { textOf } from "../../web/browsing.ts";
import { atPages } from "../../web/office.ts";
import { Browser, type Desk, desk, employ, password } from "./served.ts";
import { till } from "./tokens.ts";

const email = "ana@heron.example";
const next = "another horse and cart";
const minuteMs = 60_000;

/** A server whose mail is read here. */
async function posted(more = {}) {
  const mails: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const mailer = async (message: Message) => {
    mails.push(message);
    waiting.shift()?.(message);
  };
  const at = await desk({ hasPages: true, mailer, ...more });
  /** The next mail that is sent. */
  const coming = () => new Promise<Message>((resolve) => void waiting.push(resolve));
  const forgotten = (address: string) =>
    at.post("/identity/password", { email: address }, { origin: at.origin });
  return { at, mails, coming, forgotten };
}

const linkIn = ({ text }: Message) => /https?:\S+\/identity\/password\/\S+/.exec(text)?.[0] ?? "";
const choose = (at: Desk, link: string, chosen = next) =>
  at.post(new URL(link).pathname, { new: chosen });

async function linksMade({ given }: Desk): Promise<readonly AuditEntry[]> {
  const query = { kind: "person.link-made" };
  return (await given.ok("GET", "/Extensions/AuditEntries", undefined, { query })).AuditEntries;
}

describe("a forgotten password", () => {
  test("a link is mailed by which another password is chosen, once, which signs out everywhere", async () => {
    const { at, coming, forgotten } = await posted();
    const app = await till(at);
    const { access_token, refresh_token } = await app.tokens();
    const person = await atPages(at);
    const sent = coming();
    expect(textOf((await forgotten(email.toUpperCase())).text)).toContain("a link is on its way");
    const mail = await sent;
    expect(mail.to).toEqual([email]);
    const link = linkIn(mail);
    expect(textOf(await (await fetch(link)).text())).toContain(`for ${email}`);
    // Looking at it, as mail programs do, uses nothing up.
    expect(await app.status(access_token)).toBe(200);
    expect(textOf((await choose(at, link, "short")).text)).toContain("15 to 1024 characters");
    expect(textOf((await choose(at, link)).text)).toContain("Your password is set");
    for (const again of [await choose(at, link, "yet another horse and cart"), await fetch(link)]) {
      expect(again.status).toBe(404);
    }
    expect((await person.see("/me")).url).toContain("/sign-in");
    expect((await app.refresh(refresh_token)).json.error).toBe("invalid_grant");
    at.given.now += cachedMs;
    expect(await app.status(access_token)).toBe(401);
    expect((await (await atPages(at, email, next)).see("/me")).status).toBe(200);
  });

  test("the answer is the same for an address that nobody has, to which nothing is mailed", async () => {
    const { at, mails, coming, forgotten } = await posted();
    await employ(at);
    const unknown = await forgotten("nobody@heron.example");
    const sent = coming();
    const known = await forgotten(email);
    await sent;
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(mails.map(({ to }) => to)).toEqual([[email]]);
  });

  test("at most five links an hour are mailed to a person, and the audit log says that more were asked for", async () => {
    const { at, mails, coming, forgotten } = await posted();
    const { id } = await employ(at);
    const wanted = { purpose: "reset", origin: at.origin } as const;
    for (let count = 0; count < 4; count += 1) await makeLink(at.staff, id, wanted);
    const fifth = coming();
    await forgotten(email);
    await fifth;
    for (let count = 0; count < 3; count += 1) {
      await expect(makeLink(at.staff, id, wanted)).rejects.toThrow("5 links within an hour");
    }
    const acts = await linksMade(at);
    expect(acts.map(({ Changes }) => Changes?.[0]?.Name)).toEqual([
      "Sent",
      ...Array(5).fill("Until"),
    ]);
    expect(mails).toHaveLength(1);
    at.given.now += 61 * minuteMs;
    const later = coming();
    await forgotten(email);
    expect(linkIn(await later)).not.toBe("");
  });

  test("the address of a link is that of the server, whatever name the request gives it", async () => {
    const { at, coming } = await posted({ publicUrl: "https://books.example" });
    await employ(at);
    const sent = coming();
    const headers = { origin: "https://books.example", "x-forwarded-host": "evil.example" };
    await at.post("/identity/password", { email }, headers);
    expect(linkIn(await sent)).toMatch(/^https:\/\/books\.example\/identity\/password\/[\w-]{43}$/);
    const forged = await at.post(
      "/identity/password",
      { email },
      { origin: "https://evil.example" },
    );
    expect(forged.status).toBe(403);
  });

  test("a server without mail says whom to ask, and the sign-in page leads there", async () => {
    const at = await desk({ hasPages: true });
    const page = await new Browser(at.origin).open(`${at.origin}/sign-in`);
    const [, path = ""] = /<a href="([^"]+)">Forgotten your password\?/.exec(page.html) ?? [];
    const asked = await fetch(`${at.origin}${path}`);
    const said = await asked.text();
    expect(textOf(said)).toContain("This server sends no mail. Ask whoever runs it");
    expect(said).toContain('href="/sign-in"');
  });
});

test.each([
  [
    "30 minutes after it was made",
    async ({ given }: Desk) => {
      given.now += 30 * minuteMs;
    },
  ],
  [
    "another password has been set",
    async (at: Desk) => {
      const { changePassword } = await import("../../../src/service/auth/people.ts");
      await changePassword(at.staff, email, "a third horse and cart");
    },
  ],
  ["its person is removed", async (at: Desk) => void (await removeMember(at.staff, email))],
])("a link is no longer good when %s", async (_when, happens) => {
  const at = await desk({ hasPages: true });
  await employ(at);
  const { url } = await makeLink(at.staff, email, { purpose: "reset", origin: at.origin });
  expect((await fetch(url)).status).toBe(200);
  await happens(at);
  const { status, text } = await choose(at, url);
  expect([status, textOf(text)]).toEqual([404, expect.stringContaining("too old")]);
});

describe("an invitation", () => {
  test("an adviser lets somebody in without a password, who chooses one by the mailed link", async () => {
    const { at, coming } = await posted();
    await employ(at);
    const adviser = await atPages(at);
    const people = `/admin/${at.given.book.tenant}/people`;
    const sent = coming();
    const said = await adviser.send(people, { email: "cy@heron.example", role: "standard" });
    expect(textOf(said.html)).toContain(
      "once they have chosen a password, by the link mailed to them",
    );
    at.given.now += 6 * 24 * 60 * minuteMs;
    expect((await choose(at, linkIn(await sent))).status).toBe(200);
    expect((await (await atPages(at, "cy@heron.example", next)).see("/me")).status).toBe(200);
  });

  test("an adviser has a link mailed to a member, and cannot see it", async () => {
    const { at, coming } = await posted();
    await employ(at);
    await employ(at, "bo@heron.example", "standard");
    const adviser = await atPages(at);
    const { id } = await findMember(at.staff, "bo@heron.example");
    const sent = coming();
    const said = await adviser.send(`/admin/${at.given.book.tenant}/people/${id}/reset`);
    expect(textOf(said.html)).toContain("The link is mailed to them.");
    const link = linkIn(await sent);
    expect(said.html).not.toContain(new URL(link).pathname);
    expect((await choose(at, link)).status).toBe(200);
  });

  test("nobody signs in with an empty password before one is chosen", async () => {
    const at = await desk({ hasPages: true });
    await addMember(at.staff, { email, role: "standard", isInvited: true });
    const browser = new Browser(at.origin);
    for (const secret of ["", password]) {
      const page = await browser.signIn(await browser.open(`${at.origin}/sign-in`), email, secret);
      expect(page.status).toBe(400);
    }
  });
});
