/** A server for the tests of others: they send requests as their app does, and look into the books. */
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Acct, PlannedFault, StartOptions, TestOrganisation } from "../../src/kit/face.ts";
import { startAcct } from "../../src/kit/start.ts";
import { kinds } from "../../src/service/fault-injection/plan.ts";

const clock = "2026-03-01T09:00+13:00";
let as: StartOptions["as"];
let acct: Acct;
let token: string;

/** Tests a server in this process, or in one of its own: both behave alike. */
export function kitSuite(given: StartOptions["as"]): void {
  as = given;
  beforeAll(async () => {
    acct = await startAcct({ as, clock, ids: 42 });
    token = await acct.token();
  });
  afterAll(() => acct.stop());
  beforeEach(async () => void (await acct.restore()));
  describe("the books of a test", booksOfTest);
  describe("the requests of a test", requestsOfTest);
  describe("the clock of a test", clockOfTest);
  describe("planned faults", plannedFaults);
  describe("the inbox of a test", inboxOfTest);
  describe("webhook events", webhooksOfTest);
  describe("organisations and people", othersOfTest);
  describe("a start", startOfTest);
}

/** Sends a request of an app, which has no other way to the books. */
async function send(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
  { url }: Pick<TestOrganisation, "url"> = acct,
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: an app reads answers as they come.
  const json: any = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { status: response.status, text, json };
}

const contact = async () =>
  (await send("PUT", "/Contacts", { Name: "Rimu Stores" })).json.Contacts[0].ContactID as string;

const sale = (ContactID: string, fields: object = {}) => ({
  Type: "ACCREC",
  Status: "AUTHORISED",
  Contact: { ContactID },
  Date: "2026-03-01",
  DueDate: "2026-03-20",
  LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  ...fields,
});

function booksOfTest(): void {
  it("have balances and journals that an app's requests made, and add up", async () => {
    const { status } = await send("PUT", "/Invoices", sale(await contact()));
    expect(status).toBe(200);
    expect(await acct.ledger.balance("610")).toBe("115.00");
    expect(await acct.ledger.balance("200")).toBe("-100.00");
    const journals = await acct.ledger.journals();
    expect(journals.map(({ JournalNumber }) => JournalNumber)).toEqual([1]);
    expect(await acct.ledger.journals({ since: 1 })).toEqual([]);
    expect(await acct.ledger.verify()).toEqual([]);
  });

  it("name the codes that there are where an account is unknown", async () => {
    await expect(acct.ledger.balance("9x9")).rejects.toThrow(/no account has the code 9x9.*610/i);
  });

  it("go back to a state by whatever name, and no name harms another state", async () => {
    for (const name of ["..", "../../x", "ab".repeat(300)]) {
      await acct.save(name);
      await contact();
      await acct.restore(name);
      expect((await send("GET", "/Contacts")).json.Contacts).toEqual([]);
    }
    await expect(acct.save("")).rejects.toThrow('name of POST /save is a text, not "".');
    await acct.restore();
  });

  it("go back to a state that was saved, with ids that go on as they did then", async () => {
    const ContactID = await contact();
    await acct.save("contact");
    const first = await send("PUT", "/Invoices", sale(ContactID));
    await acct.restore("contact");
    expect(await acct.ledger.balance("610")).toBe("0.00");
    const second = await send("PUT", "/Invoices", sale(ContactID));
    expect(second.text).toBe(first.text);
    expect(await acct.ledger.verify()).toEqual([]);
    await acct.restore();
    expect((await send("GET", "/Contacts")).json.Contacts).toEqual([]);
    await expect(acct.restore("paid")).rejects.toThrow(
      /^No state is called paid; there are start, .*contact\.$/,
    );
  });

  it("are old or new to clients that write while a state is restored, and add up after each", async () => {
    const ContactID = await contact();
    await acct.save("busy");
    let isBusy = true;
    const statuses = new Set<number>();
    const clients = Array.from({ length: 4 }, async () => {
      while (isBusy) statuses.add((await send("PUT", "/Invoices", sale(ContactID))).status);
    });
    for (let round = 0; round < 5; round += 1) {
      await acct.restore("busy");
      expect(await acct.ledger.verify()).toEqual([]);
    }
    isBusy = false;
    await Promise.all(clients);
    expect([...statuses]).toEqual([200]);
  });
}

function requestsOfTest(): void {
  it("say why one was refused, by rule and sentence", async () => {
    const ContactID = await contact();
    const lines = [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "999" }];
    await send("PUT", "/Invoices", sale(ContactID, { LineItems: lines }));
    const [refused] = await acct.requests({ path: "/Invoices" });
    expect(refused).toMatchObject({ method: "PUT", status: 400, ids: [], journals: [] });
    expect(refused?.why).toMatchObject([
      { rule: "NotFound", message: expect.stringContaining("'999'") },
    ]);
  });

  it("tell the records that one wrote, and the journals that it posted, each once", async () => {
    const ContactID = await contact();
    const bodies = [1, 2, 3].map((each) => sale(ContactID, { Reference: `Order ${each}` }));
    await Promise.all(bodies.map((body) => send("PUT", "/Invoices", body)));
    const told = await acct.requests({ method: "PUT", path: "/Invoices" });
    expect(told.flatMap(({ journals }) => journals).sort()).toEqual([1, 2, 3]);
    for (const { answer = "", ids } of told) {
      expect(ids).toContain(JSON.parse(answer).Invoices[0].InvoiceID);
    }
    const [first, ...rest] = await acct.requests();
    expect(await acct.requests({ since: first?.number })).toEqual(rest);
  });

  it("are on a page with what they posted and why they were refused, for who has its address", async () => {
    const ContactID = await contact();
    await send("PUT", "/Invoices", sale(ContactID, { Reference: "<b>Order</b>" }));
    await send("PUT", "/Invoices", sale(ContactID, { LineItems: [] }));
    const response = await fetch(acct.page);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.indexOf("PUT /Invoices: 400")).toBeLessThan(text.indexOf("PUT /Invoices: 200"));
    expect(text).toMatch(/610 Accounts Receivable<\/td><td class="figure">115\.00/);
    expect(text).toContain("&#60;b&#62;Order");
    for (const secret of [token, acct.clientSecret]) expect(text).not.toContain(secret);
    const [address = ""] = acct.page.split("?");
    expect((await fetch(address)).status).toBe(403);
    expect((await fetch(`${address}?key=guessed`)).status).toBe(403);
  });

  it("hold neither tokens nor secrets", async () => {
    await send("GET", "/Organisation", undefined, { cookie: "session=marked" });
    const dump = JSON.stringify(await acct.requests());
    expect(dump).toContain("/Organisation");
    for (const secret of [token, acct.clientSecret, "marked"]) expect(dump).not.toContain(secret);
  });
}

function clockOfTest(): void {
  it("stands until it is moved, and never goes back", async () => {
    expect(await acct.clock.now()).toBe("2026-02-28T20:00:00.000Z");
    expect(await acct.clock.advance({ days: 1, hours: 2 })).toBe("2026-03-01T22:00:00.000Z");
    expect(await acct.clock.set("2026-04-01")).toBe("2026-04-01T00:00:00.000Z");
    await expect(acct.clock.set("2026-03-31")).rejects.toThrow(/does not go back/);
    await expect(acct.clock.advance({ weeks: 1 } as object)).rejects.toThrow(/not by "weeks"/);
    await expect(acct.clock.set("soon")).rejects.toThrow(/not "soon"/);
  });

  it("lets tokens expire", async () => {
    expect((await send("GET", "/Organisation")).status).toBe(200);
    await acct.clock.advance({ minutes: 31 });
    expect((await send("GET", "/Organisation")).status).toBe(401);
  });

  it("has repeating invoices made when they fall due", async () => {
    const Schedule = { Period: 1, Unit: "MONTHLY", DueDate: 10, DueDateType: "DAYSAFTERBILLDATE" };
    const { status } = await send("PUT", "/RepeatingInvoices", {
      ...sale(await contact()),
      Schedule: { ...Schedule, StartDate: "2026-03-05" },
    });
    expect(status).toBe(200);
    await acct.clock.set("2026-05-06");
    const { json } = await send("GET", "/Invoices", undefined, {
      authorization: `Bearer ${await acct.token()}`,
    });
    expect(json.Invoices).toHaveLength(3);
  });
}

function plannedFaults(): void {
  it("fail the request that is meant: one that failed after the work is done all the same", async () => {
    const ContactID = await contact();
    const fault = await acct.fail({ method: "PUT", path: "/Invoices", nth: 2, kind: "500-after" });
    const statuses: number[] = [];
    for (const _ of [1, 2, 3]) {
      statuses.push((await send("PUT", "/Invoices", sale(ContactID))).status);
    }
    expect(statuses).toEqual([200, 500, 200]);
    expect(await fault.hits()).toBe(1);
    expect(await acct.ledger.journals()).toHaveLength(3);
  });

  it("let a client with an idempotency key make one invoice, and one without make two", async () => {
    const ContactID = await contact();
    for (const [headers, made] of [
      [{ "idempotency-key": "order-1" }, 1],
      [{}, 3],
    ] as const) {
      await acct.fail({ method: "PUT", path: "/Invoices", kind: "500-after" });
      for (const _ of [1, 2]) await send("PUT", "/Invoices", sale(ContactID), headers);
      expect(await acct.ledger.journals()).toHaveLength(made);
    }
  });

  it("are met no more once they are removed", async () => {
    const fault = await acct.fail({ path: "/Organisation", kind: "503", times: 5 });
    expect((await send("GET", "/Organisation")).status).toBe(503);
    await fault.remove();
    expect((await send("GET", "/Organisation")).status).toBe(200);
  });

  it.each([
    [{ kind: "boom" }, kinds.join(", ")],
    [{ kind: "503", path: "/Invoice/Lines/All" }, "/Invoices/{InvoiceID}"],
    [{ kind: "503", nth: 0 }, "nth of POST /fail is a whole number from 1, not 0."],
    [{ kind: "503", nth: "2" }, 'nth of POST /fail is a whole number from 1, not "2".'],
    [{ kind: "503", method: "FETCH" }, "No route is FETCH"],
    [{ kind: "503", tenant: "none" }, "There is no organisation none."],
    [{ kind: "503", ms: 10 }, "ms is of a delay"],
    [{ path: "/Invoices" }, "POST /fail needs kind."],
  ])("are refused when they are none: %j", async (fault, message) => {
    await expect(acct.fail(fault as PlannedFault)).rejects.toThrow(message);
  });
}

function inboxOfTest(): void {
  it("takes the mail that customers would get, with its attachments", async () => {
    const { json } = await send("PUT", "/Contacts", {
      Name: "Ann",
      EmailAddress: "ann@shop.example",
    });
    const made = await send("PUT", "/Invoices", sale(json.Contacts[0].ContactID));
    const [{ InvoiceID, InvoiceNumber }] = made.json.Invoices;
    await send("POST", `/Invoices/${InvoiceID}/Email`, {});
    const mail = await acct.inbox.next({ to: "ann@shop.example" });
    expect(mail.subject).toContain(InvoiceNumber);
    expect(mail.attachments.map(({ name }) => name)).toEqual([`${InvoiceNumber}.pdf`]);
    expect(Buffer.from(mail.attachments[0]?.base64 ?? "", "base64").toString("latin1")).toMatch(
      /^%PDF/,
    );
    await expect(acct.inbox.next({}, 1)).rejects.toThrow("Within 1 ms came nothing.");
  });
}

/** What a test gives by mistake, and the words that say it: the same from a process of its own. */
const slips: readonly (readonly [string, (given: Acct) => Promise<unknown>, RegExp])[] = [
  [
    "unknown property",
    (a) => a.token({ scope: [] } as object),
    /takes tenant, role, scopes, not scope/,
  ],
  ["no scopes", (a) => a.token({ scopes: [] }), /a list of at least one of accounting\./],
  ["unknown role", (a) => a.person({ email: "a@b.example", role: "chief" }), /is one of adviser/],
  ["no email", (a) => a.person({} as { email: string }), /POST \/people needs email/],
  ["unknown kind of app", (a) => a.app({ kind: "native" }), /is one of web, pkce, machine, agent/],
  [
    "machine that signs in",
    (a) => a.app({ kind: "machine", redirectUri: "https://a.example" }),
    /no redirect URI/,
  ],
  ["no name", (a) => a.organisation(""), /name of POST \/organisations is a text/],
  [
    "name twice",
    (a) => a.organisation("Test company"),
    /There is an organisation Test company already/,
  ],
  ["unknown day", (a) => a.ledger.balance("610", "2026-02-30"), /2026-02-30/],
  [
    "negative number",
    (a) => a.ledger.journals({ since: -1 }),
    /is a whole number from 0, not "?-1/,
  ],
  ["unknown path", (a) => a.requests({ path: "/Nowhere" }), /No route is \/Nowhere/],
  ["wait before now", (a) => a.inbox.next({}, -5), /wait of GET \/inbox is a whole number from 0/],
  [
    "text for a list",
    (a) => a.webhook({ events: "INVOICE" as never }),
    /is a list of at least one text/,
  ],
  ["status of no answer", async (a) => (await a.webhook()).answer(99), /from 200 to 599, not 99/],
  [
    "webhook of the app",
    async (a) => (await a.webhook({ url: "http://127.0.0.1:9" })).next(),
    /the app takes events/,
  ],
  ["time without an offset", (a) => a.clock.set("2026-05-01T09:00"), /a moment with its offset/],
  ["number as text", (a) => a.clock.advance({ days: "2" as never }), /not by "days": "2"/],
  ["nothing to set", (a) => a.clock.set(undefined as never), /either advance or set/],
];

function othersOfTest(): void {
  it.each(slips)("are told of a slip, and do nothing: %s", async (_, slip, words) => {
    await expect(slip(acct)).rejects.toThrow(words);
  });

  it("get errors of the class and code that the server has", async () => {
    await expect(acct.restore("nowhere")).rejects.toMatchObject({ name: "NotFoundError" });
    await expect(acct.save("")).rejects.toMatchObject({ name: "UsageError", code: "BadValue" });
    const refused = { name: "RefusedError", code: "NameTaken" };
    await expect(acct.organisation("Test company")).rejects.toMatchObject(refused);
  });

  it("has books of its own, where it is a second one, which tokens of the first do not open", async () => {
    const uk = await acct.organisation("Second", { country: "GB" });
    const at = { "xero-tenant-id": uk.tenant };
    expect((await send("GET", "/Organisation", undefined, at)).status).toBe(403);
    const own = { authorization: `Bearer ${await uk.token()}`, ...at };
    const { json } = await send("GET", "/Organisation", undefined, own);
    expect(json.Organisations[0]).toMatchObject({ Name: "Second", BaseCurrency: "GBP" });
    await acct.restore();
    expect((await send("GET", "/Organisation", undefined, own)).status).not.toBe(200);
    expect((await acct.organisation("Second", { country: "GB" })).tenant).toBe(uk.tenant);
  });

  it("has people who sign in to an app of the test without a browser, and renew what they get", async () => {
    const email = "pat@shop.example";
    expect(await acct.person({ email, role: "read-only" })).toMatchObject({ email, name: "pat" });
    const { tokens, clientId, clientSecret } = await acct.signIn({ email });
    const authorization = `Bearer ${tokens?.access_token}`;
    const connections = await fetch(`${acct.origin}/connections`, { headers: { authorization } });
    expect(await connections.json()).toMatchObject([{ tenantId: acct.tenant }]);
    const at = { authorization, "xero-tenant-id": acct.tenant };
    expect((await send("GET", "/Contacts", undefined, at)).status).toBe(200);
    expect((await send("PUT", "/Contacts", { Name: "New" }, at)).status).toBe(403);
    const grant = { grant_type: "refresh_token", refresh_token: tokens?.refresh_token ?? "" };
    const proof = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const renewed = await fetch(`${acct.issuer}/connect/token`, {
      method: "POST",
      headers: { authorization: `Basic ${proof}` },
      body: new URLSearchParams(grant),
    });
    expect(renewed.status).toBe(200);
    await expect(acct.signIn({ email: "eve@shop.example" })).rejects.toThrow(/No person/);
    await expect(acct.signIn({ email, scopes: ["everything"] })).rejects.toThrow(/not allowed/);
    await acct.restore();
    await expect(acct.signIn({ email })).rejects.toThrow(/not signed in/);
  });

  it("lets an app of yours send people to sign in, and leads them back with a code", async () => {
    await acct.person({ email: "ann@shop.example", password: "kiln and clay and glaze" });
    const redirectUri = "https://shop.example/back";
    const { clientId } = await acct.app({ kind: "pkce", redirectUri });
    const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    const asked = { client_id: clientId, redirect_uri: redirectUri, state: "s 1", ...challenge };
    const scope = { response_type: "code", scope: "openid accounting.contacts" };
    const address = `${acct.issuer}/identity/connect/authorize?${new URLSearchParams({ ...asked, ...scope })}`;
    const { url, code, tokens } = await acct.signIn({ email: "ann@shop.example", address });
    const back = new URL(url);
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect([back.searchParams.get("state"), code, tokens]).toEqual([
      "s 1",
      back.searchParams.get("code"),
      undefined,
    ]);
  });

  it("give no password to another server, whose address is refused before it is read", async () => {
    await acct.person({ email: "bo@shop.example" });
    let requestCount = 0;
    const stranger = createServer((_, outgoing) => {
      requestCount += 1;
      outgoing.end('<input name="proof" value="1">');
    });
    await once(stranger.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    for (const address of [`http://127.0.0.1:${port}/`, `${acct.issuer}0/`]) {
      const refused = acct.signIn({ email: "bo@shop.example", address });
      await expect(refused).rejects.toThrow(`below ${acct.issuer}/, not at ${address}.`);
    }
    expect(requestCount).toBe(0);
  });

  it("may do what the role of a person and their app's scopes allow", async () => {
    const as = async (options: object) => ({
      authorization: `Bearer ${await acct.token(options)}`,
    });
    const reader = await as({ role: "read-only" });
    expect((await send("GET", "/Contacts", undefined, reader)).status).toBe(200);
    expect((await send("PUT", "/Contacts", { Name: "New" }, reader)).status).toBe(403);
    const narrow = await as({ scopes: ["accounting.contacts.read"] });
    expect((await send("GET", "/Invoices", undefined, narrow)).status).toBe(401);
    await expect(acct.token({ role: "chief" })).rejects.toThrow(/read-only, not "chief"/);
    await expect(acct.token({ scopes: ["all"] })).rejects.toThrow(/not \["all"\]/);
  });
}

function startOfTest(): void {
  it("gives the same answers to the same requests, and other keys", async () => {
    const other = await startAcct({ as, clock, ids: 42 });
    try {
      const ask = async (given: Acct) => {
        const authorization = `Bearer ${await given.token()}`;
        const contact = await send("PUT", "/Contacts", { Name: "Same" }, { authorization }, given);
        return contact.text;
      };
      expect(await ask(other)).toBe(await ask(acct));
      expect(other.tenant).toBe(acct.tenant);
      expect(other.clientSecret).not.toBe(acct.clientSecret);
    } finally {
      await other.stop();
    }
  });

  it("leaves no file, port or timer when it is stopped or fails", async () => {
    const own = `acct-kit-${process.pid}-`;
    const folders = () => readdirSync(tmpdir()).filter((each) => each.startsWith(own));
    const before = folders();
    for (let round = 0; round < 3; round += 1) {
      await using given = await startAcct({ as });
      const made = folders().filter((each) => !before.includes(each));
      expect(made).toHaveLength(as === "child" ? 0 : 1);
      for (const each of made) expect(statSync(join(tmpdir(), each)).mode & 0o777).toBe(0o700);
      expect((await fetch(given.origin)).status).toBe(404);
    }
    await expect(startAcct({ as, limits: "minute=none" })).rejects.toThrow(/minute/);
    await expect(startAcct({ as, country: "XX" })).rejects.toThrow(/not XX/);
    for (const [slip, words] of [
      [{ seeds: "shop.yaml" }, /startAcct takes country, .*, not seeds/],
      [{ as: "thread" }, /one of process, child, not "thread"/],
      [{ ids: 1.5 }, /a whole number from 0/],
    ] as const) {
      await expect(startAcct({ as, ...slip } as StartOptions)).rejects.toThrow(words);
    }
    expect(folders()).toEqual(before);
  });

  it("says at its end which planned faults no request met", async () => {
    const given = await startAcct({ as });
    await given.fail({ path: "/Invoices", kind: "429" });
    await expect(given.stop({ unused: "error" })).rejects.toThrow("429 at /Invoices");
  });
}

function webhooksOfTest(): void {
  const invoice = { eventCategory: "INVOICE", eventType: "CREATE" };

  it("are delivered in order to a receiver that checks their signatures", async () => {
    const hook = await acct.webhook({ events: ["invoice", "contact"] });
    const ContactID = await contact();
    const made = await send("PUT", "/Invoices", sale(ContactID));
    expect(await hook.next({}, 5000)).toMatchObject({ eventCategory: "CONTACT" });
    const { InvoiceID } = made.json.Invoices[0];
    const own = { resourceId: InvoiceID, tenantId: acct.tenant };
    expect(await hook.next({ eventType: "CREATE" }, 5000)).toMatchObject({ ...invoice, ...own });
    const forged = await fetch(hook.url, { method: "POST", body: '{"events":[]}' });
    expect(forged.status).toBe(401);
    await expect(hook.next({ eventType: "DELETE" }, 1)).rejects.toThrow(/Within 1 ms came /);
  });

  it("are tried again by the clock, and given up after a day", async () => {
    const hook = await acct.webhook();
    await hook.answer(500);
    const ContactID = await contact();
    await send("PUT", "/Invoices", sale(ContactID));
    await acct.clock.advance({ hours: 2 });
    await hook.answer(200);
    await acct.clock.advance({ hours: 2 });
    expect(await hook.next({}, 5000)).toMatchObject(invoice);
    await hook.answer(500);
    const authorization = `Bearer ${await acct.token()}`;
    await send("PUT", "/Invoices", sale(ContactID), { authorization });
    await acct.clock.advance({ hours: 26 });
    await hook.answer(200);
    await acct.clock.advance({ hours: 26 });
    await expect(hook.next({}, 1)).rejects.toThrow("came nothing");
  });
}
