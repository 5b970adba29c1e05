/** The pages of those who administer an organisation: people, apps, webhooks and the audit log. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { findMember, type Role } from "../../src/service/auth/people.ts";
import { putPolicy } from "../../src/service/auth/policy-acts.ts";
import { signatureOf } from "../../src/wire/webhook.ts";
import { giveSecondFactor } from "../service/auth/factors.ts";
import { type Desk, desk, employ } from "../service/auth/served.ts";
import { till } from "../service/auth/tokens.ts";
import { contact } from "../service/fixture.ts";
import { deliverer } from "../service/webhooks/subscribed.ts";
import { tester } from "../support/audit.ts";
import { textOf } from "./browsing.ts";
import { atPages } from "./office.ts";

const served = (more: Parameters<typeof desk>[0] = {}) => desk({ hasPages: true, ...more });

/** An adviser at the pages of their organisation. */
async function administrator(at: Desk) {
  await employ(at);
  const person = await atPages(at);
  const base = `/admin/${at.given.book.tenant}`;
  return {
    base,
    see: (path: string) => person.see(`${base}${path}`),
    send: (path: string, fields?: Readonly<Record<string, string>> | URLSearchParams) =>
      person.send(`${base}${path}`, fields),
    person,
  };
}

const pages = ["/people", "/apps", "/webhooks", "/audit", "/audit/O1"];

test.each<Role>(["standard", "standard-without-reports", "invoice-only", "read-only"])(
  "a user with the role %s is refused administration pages, and the message names who may see them",
  async (role) => {
    const at = await served();
    await employ(at, undefined, role);
    const person = await atPages(at);
    expect((await person.see("/me")).html).not.toContain("/admin");
    const base = `/admin/${at.given.book.tenant}`;
    for (const path of ["", ...pages]) {
      expect([path, (await person.see(`${base}${path}`)).status]).toEqual([path, 403]);
    }
    expect((await person.see("/admin")).status).toBe(403);
    const invited = { email: "eve@x.example", role: "adviser", password: "correct horse battery" };
    expect((await person.send(`${base}/people`, invited)).status).toBe(403);
    expect((await person.see(`/books/${at.given.book.tenant}/`)).html).not.toContain("/admin");
  },
);

test("administration pages of another organisation are answered as not found", async () => {
  const at = await served();
  const { person } = await administrator(at);
  for (const tenant of ["00000000-0000-4000-8000-000000000000", "none"]) {
    expect((await person.see(`/admin/${tenant}/people`)).status).toBe(404);
  }
  const books = await person.see(`/books/${at.given.book.tenant}/`);
  expect(books.html).toContain(`href="/admin/${at.given.book.tenant}/people"`);
});

test("the administration address shows the list of users first, with and without a slash at its end", async () => {
  const { see, base } = await administrator(await served());
  for (const path of ["", "/"]) {
    const { status, url } = await see(path);
    expect([status, new URL(url).pathname]).toEqual([200, `${base}/people`]);
  }
});

test("an unknown address of administration or of an account leads on", async () => {
  const at = await served();
  const { base, see, person } = await administrator(at);
  const lost = await see("/no-such-page");
  expect(lost.status).toBe(404);
  expect(lost.html).toContain(`href="${base}/people"`);
  expect(lost.html).toContain('href="/books"');
  const lostAccount = await person.see("/me/no-such-page");
  expect(lostAccount.html).toMatch(/href="\/me".*href="\/books"/s);
  const elsewhere = await person.see("/books/00000000-0000-0000-0000-000000000000/");
  expect([elsewhere.status, elsewhere.html.includes('href="/books"')]).toEqual([404, true]);
});

test("an adviser whom a policy binds sees the administration pages and can change nothing there", async () => {
  const at = await desk({ hasPages: true }, "alone");
  const { see, send } = await administrator(at);
  const none = { kinds: undefined, perDocument: undefined, perPlan: undefined, perDay: undefined };
  const settings = { may: "plan", ...none, approveBy: undefined, until: undefined } as const;
  await putPolicy({ ...at.staff, by: tester }, "ana@heron.example", "", settings);
  for (const path of ["/people", "/apps", "/webhooks", "/audit"]) {
    expect([path, (await see(path)).status]).toEqual([path, 200]);
  }
  const added = {
    email: "eve@x.example",
    name: "Eve",
    role: "adviser",
    password: "a first password",
  };
  const app = { name: "Sync", kind: "machine" };
  const url = { url: "https://x.example/hook" };
  for (const [path, fields] of [
    ["/people", added],
    ["/apps", app],
    ["/webhooks", url],
  ] as const) {
    const { status, html } = await send(path, fields);
    expect([path, status, textOf(html)]).toEqual([
      path,
      403,
      expect.stringContaining("A policy binds"),
    ]);
  }
  expect(textOf((await see("/people")).html)).not.toContain("Eve");
});

describe("administration of users", () => {
  test("a user can be added, given another role, and removed after confirmation", async () => {
    const at = await served();
    const { base, see, send, person } = await administrator(at);
    const invited = {
      email: "bo@heron.example",
      name: "Bo Kahu",
      role: "standard",
      password: "a first password",
    };
    const after = await send("/people", invited);
    expect(textOf(after.html)).toContain("They may sign in from now on.");
    expect(textOf(after.html)).toContain("Bo Kahu bo@heron.example Standard");
    const { id } = await findMember(at.staff, "bo@heron.example");
    const bo = await atPages(at, "bo@heron.example", "a first password");
    expect((await bo.see("/me")).status).toBe(200);

    await send(`/people/${id}`, { role: "read-only" });
    expect((await findMember(at.staff, id)).role).toBe("read-only");

    expect(textOf((await see(`/people/${id}/remove`)).html)).toContain("Remove Bo Kahu?");
    expect((await findMember(at.staff, id)).role).toBe("read-only");
    await send(`/people/${id}/remove`);
    await expect(findMember(at.staff, id)).rejects.toThrow("Nobody here");
    expect((await bo.see("/me")).url).toContain("/sign-in");
    const log = textOf((await person.see(`${base}/audit?person=bo@heron`)).html);
    for (const act of [
      "let in bo@heron.example: Name Bo Kahu; Role standard",
      "gave another role to bo@heron.example: Role standard → read-only",
      "removed bo@heron.example: Role read-only → nothing",
    ]) {
      expect(log).toContain(`Ana Reid ${act} 127.0.0.1`);
    }
  });

  test("a user already known to the server keeps name and password when added to an organisation", async () => {
    const at = await served();
    const { send } = await administrator(at);
    await employ(at, "bo@heron.example");
    await send(`/people/${(await findMember(at.staff, "bo@heron.example")).id}/remove`);
    await employ(at, "cy@heron.example");
    const taken = { email: "cy@heron.example", role: "adviser", password: "taken over by others" };
    expect((await send("/people", taken)).status).toBe(400);
    await expect(atPages(at, "cy@heron.example", "taken over by others")).resolves.toBeDefined();
    expect((await (await atPages(at, "cy@heron.example")).see("/me")).status).toBe(200);
  });

  test.each([
    [
      "an invalid email address",
      { email: "bo", role: "standard", password: "wheel and spoke and hub" },
      "is no email address",
    ],
    [
      "no password",
      { email: "bo@x.example", role: "standard", password: "" },
      "Give them a first password",
    ],
    [
      "a short password",
      { email: "bo@x.example", role: "standard", password: "short" },
      "A password has 15 to 1024",
    ],
    [
      "an unknown role",
      { email: "bo@x.example", role: "king", password: "wheel and spoke and hub" },
      "Choose a role.",
    ],
  ])(
    "a user with %s is not added, and the typed values stay in the form",
    async (_, fields, said) => {
      const at = await served();
      const { send } = await administrator(at);
      const { status, html } = await send("/people", fields);
      expect(status).toBe(400);
      expect(textOf(html)).toContain(said);
      expect(html).toContain(`value="${fields.email}"`);
      expect(html).not.toContain(`value="wheel and spoke and hub"`);
    },
  );

  test("the page of a person says whether they have a second factor", async () => {
    const at = await served();
    const { see } = await administrator(at);
    const ana = await findMember(at.staff, "ana@heron.example");
    const page = async () => textOf((await see(`/people/${ana.id}`)).html);
    expect(await page()).toContain("Signs in by password alone.");
    await giveSecondFactor(at, ana);
    expect(await page()).toContain("Signs in by password and a second factor.");
  });

  test("removing the last adviser, or the adviser's role, is refused", async () => {
    const at = await served();
    const { see, send } = await administrator(at);
    const { id } = await findMember(at.staff, "ana@heron.example");
    expect((await see(`/people/${id}`)).html).not.toContain("<select");
    expect((await send(`/people/${id}`, { role: "read-only" })).status).toBe(400);
    expect((await send(`/people/${id}/remove`)).status).toBe(400);
    expect((await findMember(at.staff, id)).role).toBe("adviser");
  });
});

describe("administration of apps", () => {
  test("an app is registered with a secret that is shown once, can get a new one, and can be removed", async () => {
    const at = await served();
    const { see, send } = await administrator(at);
    const made = await send("/apps", { name: "Nightly", kind: "machine", redirect: "" });
    const [id = "", secret = ""] = [...made.html.matchAll(/<code>([^<]+)<\/code>/g)].map(
      ([, text]) => text,
    );
    const grant = (given: string) =>
      at.post("/connect/token", {
        grant_type: "client_credentials",
        client_id: id,
        client_secret: given,
      });
    expect((await grant(secret)).status).toBe(200);
    expect((await see("/apps")).html).not.toContain(secret);
    const again = await send(`/apps/${id}/secret`);
    expect((await grant(secret)).json.error).toBe("invalid_client");
    const [, other = ""] = /Secret<\/dt><dd><code>([^<]+)/.exec(again.html) ?? [];
    expect((await grant(other)).status).toBe(200);
    await send(`/apps/${id}/remove`);
    expect((await grant(other)).json.error).toBe("invalid_client");
  });

  test("registering a web app without a redirect URI is refused with one sentence", async () => {
    const at = await served();
    const { send } = await administrator(at);
    const { status, html } = await send("/apps", { name: "Till", kind: "web", redirect: "" });
    expect([status, textOf(html)]).toEqual([
      400,
      expect.stringContaining("An app that signs people in needs a redirect URI."),
    ]);
  });

  test("an app that several users connected can be disconnected for one of them", async () => {
    const at = await served();
    const app = await till(at);
    const { access_token } = await app.tokens();
    const person = await atPages(at);
    const base = `/admin/${at.given.book.tenant}`;
    const page = await person.see(`${base}/apps`);
    const [, path = ""] = /href="([^"]*\/people\/[^"]*)"[^>]*>Disconnect/.exec(page.html) ?? [];
    expect(textOf((await person.see(path)).html)).toContain("Disconnect Till?");
    await person.send(path);
    at.given.now += 3_000;
    expect(await app.status(access_token)).toBe(403);
  });
});

/** A receiver that checks signatures, until it is broken. */
async function receiver() {
  const state = { key: "", isBroken: false };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isRight = request.headers["x-xero-signature"] === signatureOf(state.key, body);
    response.writeHead(state.isBroken ? 500 : isRight ? 200 : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return Object.assign(state, { url });
}

describe("administration of webhooks", () => {
  test("a webhook can be added, enabled, viewed, disabled and removed", async () => {
    const at = await served({ webhookAllow: ["http", "private"] });
    const { see, send } = await administrator(at);
    const shop = await receiver();
    const form = new URLSearchParams({ url: shop.url, name: "shop" });
    for (const event of ["CONTACT", "INVOICE"]) form.append("event", event);
    const added = await send("/webhooks", form);
    [, shop.key = ""] = /<code>([^<]+)<\/code>/.exec(added.html) ?? [];
    expect(textOf(added.html)).toContain("Not validated");
    const [, path = ""] = /href="[^"]*(\/webhooks\/[0-9a-f-]+)"/.exec(added.html) ?? [];
    expect(textOf((await send(path, { do: "enable" })).html)).toContain("checks signatures");

    shop.isBroken = true;
    await contact(at.given);
    await deliverer(at.given)();
    const list = textOf((await see("/webhooks")).html);
    expect(list).toContain("Contacts");
    expect(list).toContain("In use answered 500 instead of 200");
    const shown = await see(path);
    expect(textOf(shown.html)).toMatch(/1 .* Waiting 1 500 answered 500 instead of 200 Send again/);
    shop.isBroken = false;
    const [, delivery = ""] = /name="resend" value="([^"]+)"/.exec(shown.html) ?? [];
    expect(textOf((await send(path, { resend: delivery })).html)).toContain("is sent again");
    await deliverer(at.given)();
    expect(textOf((await see(path)).html)).toMatch(/Delivered 2 200/);

    expect(textOf((await see(`${path}/disable`)).html)).toContain("Disable shop?");
    await send(`${path}/disable`);
    expect(textOf((await see(path)).html)).toContain("Disabled");
    await send(`${path}/remove`);
    expect((await see(path)).status).toBe(404);
    const log = textOf((await see("/audit?kind=webhook")).html);
    for (const act of ["added", "enabled", "had a delivery sent again to", "disabled", "removed"]) {
      expect(log).toContain(`Ana Reid ${act} the webhook shop`);
    }
    expect(log).not.toContain(shop.key);
  });

  test("a webhook to a private address or without https is refused, unless the server permits it", async () => {
    const at = await served();
    const { send } = await administrator(at);
    const form = { url: "http://127.0.0.1:9/hook", name: "", event: "CONTACT" };
    const { status, html } = await send("/webhooks", form);
    expect([status, textOf(html)]).toEqual([400, expect.stringContaining("https")]);
  });
});

describe("the audit log page", () => {
  test("the audit log page can be filtered and paged, and shows an entry with its changes", async () => {
    const at = await served();
    const { see, base } = await administrator(at);
    for (let times = 0; times < 60; times += 1) {
      await at.given.ok("POST", "/Organisation/Settings", { TaxNumber: `1-${times}` });
    }
    const page = await see("/audit?kind=organisation");
    expect(page.html.match(/>O\d+</g)).toHaveLength(50);
    const [, next = ""] = /rel="next" href="([^"]*)"/.exec(page.html) ?? [];
    expect(next).toBe(`${base}/audit?kind=organisation&#38;page=2`);
    const second = await see("/audit?kind=organisation&page=2");
    expect(second.html.match(/>O\d+</g)).toHaveLength(10);
    const entry = textOf((await see("/audit/O61")).html);
    expect(entry).toContain("TaxNumber 1-58 1-59");
    expect((await see("/audit/O999")).status).toBe(404);
    expect((await see("/audit?since=nonsense")).status).toBe(400);
  });
});

test("text typed into a form is shown escaped on the page", async () => {
  const at = await served();
  const { see, send } = await administrator(at);
  const name = `<script>alert("1")</script>`;
  await send("/people", {
    email: "eve@x.example",
    name,
    role: "standard",
    password: "wheel and spoke and hub",
  });
  await send("/apps", { name, kind: "machine", redirect: "" });
  for (const path of ["/people", "/apps", "/audit"]) {
    const { html } = await see(path);
    expect(html).not.toContain("<script>alert");
    expect(textOf(html)).toContain(name);
  }
});
