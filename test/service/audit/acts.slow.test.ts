/** Every kind of act is done for real, and its entry read back: by whom, from where, what changed. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { type AuditEntry, type AuditKind, auditKinds } from "../../../src/resources/audit-entry.ts";
import { allowedBy } from "../../../src/service/webhooks/addresses.ts";
import { addSubscription } from "../../../src/service/webhooks/subscriptions.ts";
import { latestVersion } from "../../../src/store/upgrade/state.ts";
import { signatureOf } from "../../../src/wire/webhook.ts";
import { newDesk } from "../../cli/real.ts";
import { tester } from "../../support/audit.ts";
import { giveSecondFactor } from "../auth/factors.ts";
import { type Desk, desk, password } from "../auth/served.ts";
import { codeOf, exchange, scope, till } from "../auth/tokens.ts";
import { contact } from "../fixture.ts";
import { deliverer, localPost } from "../webhooks/subscribed.ts";

const { acct, home } = newDesk();
const email = "ana@heron.example";
const key = "a key of sixteen letters";

/** A person at the terminal, whom `newDesk` names; nothing came over a port. */
const terminal = { User: "Ana Reid", EmailAddress: email, Through: "TERMINAL" } as const;
/** The fixture's own caller in the process. */
const owner = { User: "Tess Tester", EmailAddress: "tess@heron.example", Through: "TERMINAL" };
const browser = { User: "Ana Reid", EmailAddress: email, Through: "BROWSER", Address: "127.0.0.1" };
const overTheApi = { AppName: "Till", Through: "API", Address: "127.0.0.1" } as const;
const itself = { User: "System Generated", Through: "SERVER" } as const;

interface Office {
  readonly at: Desk;
  /** A command line on the book that is served. */
  run(line: string): Promise<string>;
}

/** A line that must succeed. */
async function office(): Promise<Office> {
  const at = await desk({ hasPages: true });
  const run = async (line: string) => {
    const { code, stdout, stderr } = await acct(line, { env: { ACCT_BOOK: at.given.book.path } });
    expect([line, code, stderr]).toEqual([line, 0, expect.anything()]);
    return stdout;
  };
  return { at, run };
}

/** A receiver that checks signatures, until it is broken. */
async function receiver() {
  const state = { isBroken: false };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isRight = request.headers["x-xero-signature"] === signatureOf(key, body);
    response.writeHead(state.isBroken ? 500 : isRight ? 200 : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { state, url };
}

async function subscribed(at: Desk) {
  const { state, url } = await receiver();
  const allowed = allowedBy(["http", "private"]);
  const reaching = { ...at.given.book, by: tester, allowed, post: localPost() };
  const allow = ["http", "private"];
  await addSubscription(reaching, {
    url,
    name: "shop",
    signingKey: key,
    categories: ["CONTACT"],
    allow,
  });
  return state;
}

const signInWith = (at: Desk, secret: string) =>
  fetch(`${at.origin}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ email, password: secret }),
    headers: { origin: at.origin, "x-request-id": "req-7" },
    redirect: "manual",
  });

async function cookieOf(at: Desk): Promise<string> {
  const answer = await signInWith(at, password);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

/** Entries of one kind in the log of a folder of books. */
async function serverActs(data: string, kind: string): Promise<readonly AuditEntry[]> {
  const env = { ACCT_BOOK: "", ACCT_DATA: data };
  const { stdout } = await acct(`audit list --kind ${kind} -o json`, { env });
  return JSON.parse(stdout);
}

const till1 = { Subject: "Till", ...terminal };
/** A person of the served book. */
async function employed({ at }: Office) {
  const { employ } = await import("../auth/served.ts");
  return employ(at);
}

async function withSecondFactor(o: Office) {
  const person = await employed(o);
  await giveSecondFactor(o.at, person);
  return person;
}

type Expected = Partial<Record<keyof AuditEntry, unknown>>;

const changed = (Name: string, Before: unknown, After: unknown) =>
  expect.objectContaining({
    Name,
    ...(Before === undefined ? {} : { Before }),
    ...(After === undefined ? {} : { After }),
  });

const acts = {
  "sign-in.succeeded": async (o) => {
    await employed(o);
    await signInWith(o.at, password);
    return { ...browser, RequestID: "req-7", Act: "signed in" };
  },
  "sign-in.failed": async (o) => {
    await employed(o);
    await signInWith(o.at, "guessed wrong");
    return { Subject: email, Through: "BROWSER", Address: "127.0.0.1", RequestID: "req-7" };
  },
  "sign-in.locked": async (o) => {
    await employed(o);
    for (let guess = 0; guess < 5; guess += 1) await signInWith(o.at, `guess ${guess}`);
    return { Subject: email, Changes: [changed("Wait", undefined, "5 seconds")] };
  },
  "session.ended": async (o) => {
    await employed(o);
    const cookie = await cookieOf(o.at);
    const home = await fetch(`${o.at.origin}/books`, { headers: { cookie } });
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(await home.text()) ?? [];
    await fetch(`${o.at.origin}/sign-out`, {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers: { origin: o.at.origin, cookie },
      redirect: "manual",
    });
    return { ...browser, Act: expect.stringContaining("signed out") };
  },
  "person.added": async (o) => {
    const { addMember } = await import("../../../src/service/auth/people.ts");
    await addMember(o.at.staff, { email, role: "standard", password });
    return {
      ...owner,
      Subject: email,
      Changes: expect.arrayContaining([changed("Role", undefined, "standard")]),
    };
  },
  "person.changed": async (o) => {
    await knownElsewhere(o);
    await o.run(`user add bo@heron.example --role standard --name 'Bo Kahu'`);
    return {
      ...terminal,
      Subject: "bo@heron.example",
      Changes: [changed("Name", "Bo", "Bo Kahu")],
    };
  },
  "person.role-changed": async (o) => {
    await employed(o);
    await o.run(`user role ${email} read-only`);
    return { ...terminal, Subject: email, Changes: [changed("Role", "adviser", "read-only")] };
  },
  "person.password-changed": async (o) => {
    await employed(o);
    const { changePassword } = await import("../../../src/service/auth/people.ts");
    await changePassword(o.at.staff, email, "another horse battery");
    return { ...owner, Subject: email, Changes: [] };
  },
  "person.link-made": async (o) => {
    await employed(o);
    await o.run(`user reset ${email} --public-url https://books.example`);
    const Changes = [changed("Until", undefined, expect.stringMatching(/^\d{4}-.*Z$/))];
    return { ...terminal, Subject: email, Changes };
  },
  "person.second-factor-set": async (o) => {
    await withSecondFactor(o);
    return { ...owner, Subject: email };
  },
  "person.second-factor-removed": async (o) => {
    await withSecondFactor(o);
    await o.run(`user reset ${email} --second-factor`);
    return { ...terminal, Subject: email };
  },
  "person.recovery-codes-made": async (o) => {
    const { renewRecoveryCodes } = await import("../../../src/service/auth/second-factor.ts");
    await renewRecoveryCodes(o.at.staff, await withSecondFactor(o));
    return { ...owner, Subject: email };
  },
  "person.unlocked": async (o) => {
    await employed(o);
    await o.run(`user unlock ${email}`);
    return { ...terminal, Subject: email };
  },
  "person.removed": async (o) => {
    await employed(o);
    await o.run(`user remove ${email} --yes`);
    return { ...terminal, Subject: email, Changes: [changed("Role", "adviser", undefined)] };
  },
  "app.registered": async (o) => {
    await o.run("app add Till --redirect-uri https://till.example/back");
    return { ...till1, Changes: expect.arrayContaining([changed("Kind", undefined, "web")]) };
  },
  "app.changed": async (o) => {
    await o.run("app add Till --kind web --redirect-uri https://till.example/back");
    await o.run("app update Till --without-pkce");
    return { ...till1, Changes: [changed("WithoutPKCE", "false", "true")] };
  },
  "app.secret-changed": async (o) => {
    await o.run("app add Till");
    await o.run("app secret Till --yes");
    return { ...till1, Changes: [] };
  },
  "app.token-issued": async (o) => {
    await o.run("app add Till");
    await o.run("app token Till");
    return till1;
  },
  "app.removed": async (o) => {
    await o.run("app add Till");
    await o.run("app remove Till --yes");
    return till1;
  },
  "policy.set": async (o) => {
    await o.run("app add Till --kind agent");
    await o.run("policy set Till --may plan");
    return { ...till1, Changes: [changed("may", undefined, "plan")] };
  },
  "policy.removed": async (o) => {
    await o.run("app add Till --kind agent");
    await o.run("policy set Till --may plan");
    await o.run("policy remove Till --yes");
    return till1;
  },
  "request.refused": async (o) => {
    await o.run("policy set agent:helper --may plan");
    const headers = { "x-acct-agent": "helper/1" };
    await o.at.given.ask("PUT", "/Contacts", { Name: "Rimu" }, { headers });
    return {
      Subject: "PUT /Contacts",
      Changes: expect.arrayContaining([changed("Rule", undefined, "PolicyPlanOnly")]),
    };
  },
  "consent.given": async ({ at }) => {
    await (await till(at)).allowed();
    const Changes = [
      changed("Scopes", undefined, "accounting.transactions accounting.settings"),
      changed("Organisations", undefined, "Heron Lane Ltd"),
    ];
    return { ...browser, Subject: "Till", Changes };
  },
  "consent.taken-back": async ({ at }) => {
    const app = await till(at);
    const { refresh_token = "" } = await app.tokens();
    await at.post("/connect/revocation", {
      token: refresh_token,
      client_id: app.id,
      client_secret: app.secret,
    });
    return { ...overTheApi, User: "Ana Reid", EmailAddress: email, Subject: "Till" };
  },
  "connection.made": async ({ at }) => {
    const { id, secret } = await at.app({ name: "Till" });
    const credentials = { grant_type: "client_credentials", client_id: id, client_secret: secret };
    const { json } = await at.post("/connect/token", credentials);
    await connections(at, json.access_token);
    return { ...overTheApi, Subject: "Till" };
  },
  "connection.removed": async ({ at }) => {
    const app = await till(at);
    const { json } = await app.ask(exchange(codeOf(await app.allowed(scope))));
    const [{ id } = { id: "" }] = await app.connections(json.access_token);
    await connections(at, json.access_token, "DELETE", `/${id}`);
    return { ...overTheApi, User: "Ana Reid", Subject: "Till" };
  },
  "webhook.added": async ({ at }) => {
    await subscribed(at);
    return {
      ...owner,
      Subject: "shop",
      Changes: expect.arrayContaining([changed("Events", undefined, "CONTACT")]),
    };
  },
  "webhook.enabled": async ({ at }) => {
    await subscribed(at);
    return { ...owner, Subject: "shop", Changes: [changed("Status", "INTENT", "OK")] };
  },
  "webhook.disabled": async (o) => {
    const state = await subscribed(o.at);
    state.isBroken = true;
    const deliver = deliverer(o.at.given);
    await contact(o.at.given);
    for (let next = await deliver(); next !== undefined; next = await deliver()) {
      o.at.given.now = next;
    }
    const Reason = expect.stringMatching(/^Nothing was taken for 24 hours/);
    return {
      ...itself,
      Subject: "shop",
      Changes: [changed("Status", "OK", "DISABLED"), changed("Reason", undefined, Reason)],
    };
  },
  "webhook.resent": async (o) => {
    await subscribed(o.at);
    await contact(o.at.given);
    await deliverer(o.at.given)();
    const id = (await o.run("webhook deliveries -o id")).trim();
    await o.run(`webhook resend ${id}`);
    return { ...terminal, Subject: "shop", Changes: [changed("Delivery", undefined, id)] };
  },
  "webhook.removed": async (o) => {
    await subscribed(o.at);
    await o.run("webhook remove shop --yes");
    return {
      ...terminal,
      Subject: "shop",
      Changes: [changed("Address", expect.stringMatching(/^http/), undefined)],
    };
  },
  "lock-date.changed": async ({ at }) => {
    await at.given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" });
    const { access_token: token = "" } = await (await till(at)).tokens();
    await setting(at, token, { PeriodLockDate: "2026-02-28" });
    return {
      ...overTheApi,
      User: "Ana Reid",
      RequestID: "req-8",
      Changes: [changed("PeriodLockDate", "2026-01-31", "2026-02-28")],
    };
  },
  "tax-return.withdrawn": async ({ at }) => {
    const days = { ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-03-31" };
    const [{ ReportID }] = (await at.given.ok("PUT", "/Reports", days)).Reports;
    await at.given.ok("PUT", "/Reports", { ...days, Withdraw: "One month too many" });
    return {
      ...owner,
      Subject: "GST Return, 1 Feb 2026 to 31 Mar 2026",
      SubjectID: ReportID,
      Changes: [changed("Reason", undefined, "One month too many")],
    };
  },
  "tax-return.sent": async ({ at }) => {
    const days = { ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-03-31" };
    const [{ ReportID }] = (await at.given.ok("PUT", "/Reports", days)).Reports;
    await at.given.ok("PUT", "/Reports", { ...days, Sent: "2026-04-02" });
    return {
      ...owner,
      Subject: "GST Return, 1 Feb 2026 to 31 Mar 2026",
      SubjectID: ReportID,
      Changes: [changed("Sent", undefined, "2026-04-02")],
    };
  },
  "plan.approved": async (office) => {
    const { plan, ben, act } = await proposedPlan(office);
    await ben("/Approve", plan);
    return { ...act, Changes: [changed("Digest", undefined, plan.Digest)] };
  },
  "plan.refused": async (office) => {
    const { plan, ben, act } = await proposedPlan(office);
    await ben(`/${plan.PlanID}/Withdraw?reason=Too+dear`, {});
    return { ...act, Changes: [changed("Reason", undefined, "Too dear")] };
  },
  "organisation.changed": async ({ at }) => {
    await at.given.ok("POST", "/Organisation/Settings", { TaxNumber: "123-456-789" });
    return {
      ...owner,
      Subject: "Heron Lane Ltd",
      Changes: [changed("TaxNumber", undefined, "123-456-789")],
    };
  },
  "branding.changed": async (o) => {
    await o.run("branding set --color '#1d4f91'");
    return { ...terminal, Changes: [changed("Color", undefined, "#1d4f91")] };
  },
  "payment-service.added": async ({ at }) => {
    await at.given.ok("PUT", "/PaymentServices", {
      PaymentServiceName: "Kea Pay",
      PaymentServiceUrl: "https://kea.example/pay",
      PayNowText: "Pay",
    });
    return {
      ...owner,
      Subject: "Kea Pay",
      Changes: [changed("Address", undefined, "https://kea.example/pay")],
    };
  },
  "book.made": async () => ({ ...owner, Subject: "Heron Lane Ltd" }),
  "book.exported": async (o) => {
    await o.run(`export credit-notes --format json --output-file ${join(home, "notes.json")}`);
    return { ...terminal, Subject: "credit notes as json", Act: "exported credit notes as json" };
  },
  "book.backed-up": async (o) => {
    const to = join(home, "quay.backup");
    await o.run(`book backup ${to} --force`);
    return { ...terminal, Changes: expect.arrayContaining([changed("To", undefined, to)]) };
  },
  "book.restored": async (o) => {
    const [from, to] = [join(home, "kept.backup"), join(home, "again.acct")];
    await o.run(`book backup ${from} --force`);
    await acct(`book restore ${from} --yes`, { env: { ACCT_BOOK: to } });
    const { stdout } = await acct("audit list --kind book.restored -o json", {
      env: { ACCT_BOOK: to },
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { ...terminal, Changes: [changed("From", undefined, from)] },
    ]);
    return undefined;
  },
  "server.backed-up": async () => {
    const [data, to] = [join(home, "served"), join(home, "of-servers")];
    const made = await acct(`init --name Quay --country NZ --data ${data}`);
    expect([made.code, made.stderr]).toEqual([0, expect.anything()]);
    await acct(`server backup ${to} --data ${data}`);
    expect(await serverActs(data, "server.backed-up")).toMatchObject([
      {
        ...terminal,
        Subject: "Quay",
        Changes: expect.arrayContaining([changed("To", undefined, expect.stringContaining(to))]),
      },
    ]);
    return undefined;
  },
  "server.keys-rotated": async (o) => {
    await o.run("server keys rotate");
    return {
      ...terminal,
      Subject: "Heron Lane Ltd",
      Changes: [changed("Key", undefined, expect.any(String))],
    };
  },
  "server.restored": async () => {
    const [data, to] = [join(home, "served-again"), join(home, "of-servers")];
    await acct(`server restore ${to} --data ${data}`);
    expect(await serverActs(data, "server.restored")).toMatchObject([
      {
        ...terminal,
        Subject: "Quay",
        Changes: expect.arrayContaining([changed("From", undefined, expect.stringContaining(to))]),
      },
    ]);
    return undefined;
  },
  "book.sealed": async (o) => {
    const seal = await o.run("book seal");
    const [, mark] = /^Seal +(\S+)$/m.exec(seal) ?? [];
    return { ...terminal, Changes: [changed("Seal", undefined, mark)] };
  },
  "book.copied": async (o) => {
    const to = join(home, "copy.acct");
    await o.run(`book copy ${o.at.given.book.path} ${to}`);
    const Changes = [
      changed("From", undefined, o.at.given.book.path),
      changed("To", undefined, to),
    ];
    const { stdout } = await acct("audit list --kind book.copied -o json", {
      env: { ACCT_BOOK: to },
    });
    expect(JSON.parse(stdout)).toMatchObject([{ ...terminal, Changes }]);
    return { ...terminal, Changes };
  },
  "book.upgraded": async (o) => {
    const older = join(home, "older.acct");
    await o.run(`book copy ${o.at.given.book.path} ${older}`);
    const db = new DatabaseSync(older);
    db.exec("pragma user_version = 1");
    db.close();
    await o.run(`book upgrade ${older}`);
    const { stdout } = await acct("audit list --kind book.upgraded -o json", {
      env: { ACCT_BOOK: older },
    });
    const [entry] = JSON.parse(stdout);
    expect(entry).toMatchObject({
      ...terminal,
      Changes: [
        { Name: "SchemaVersion", Before: "1", After: String(latestVersion) },
        { Name: "Program", After: expect.stringMatching(/^acct \d/) },
      ],
    });
    return undefined;
  },
} satisfies Record<AuditKind, (office: Office) => Promise<Expected | undefined>>;

/** A plan that Ann made, Ben who decides on it, and what is entered of whichever way he does. */
async function proposedPlan({ at: { given } }: Office) {
  const { asked, hire } = await import("../plans/people.ts");
  const email = "ben@heron.example";
  await hire(given, email);
  const Body = JSON.stringify({ Name: "Heron" });
  const Requests = [{ Method: "PUT", Path: "/Contacts", MediaType: "application/json", Body }];
  const ask = { ApproveBy: email, Command: "acct contact create", Requests };
  const { Answers: _, ...plan } = await asked(given, "ann@heron.example")("", ask);
  const by = { User: "ben", EmailAddress: email, Through: "TERMINAL" } as const;
  const act = { ...by, Subject: "acct contact create", SubjectID: plan.PlanID };
  return { plan, ben: asked(given, email), act };
}

const connections = (at: Desk, token: string, method = "GET", rest = "") =>
  fetch(`${at.origin}/connections${rest}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });

function setting(at: Desk, token: string, settings: object) {
  return fetch(`${at.origin}/api.xro/2.0/Organisation/Settings`, {
    method: "POST",
    body: JSON.stringify(settings),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-request-id": "req-8",
    },
  });
}

/** Somebody whom the server knows, and who works for none of its organisations. */
async function knownElsewhere({ at }: Office) {
  const { addPerson } = await import("../../../src/store/directory/people.ts");
  const { acted } = await import("../../support/audit.ts");
  const bo = { id: at.staff.newId(), email: "bo@heron.example", name: "Bo" };
  await at.staff.directory.write((tx) => addPerson(acted(tx), bo, undefined, 1));
}

test.each(Object.keys(auditKinds) as AuditKind[])(
  "the act %s is entered in the audit log with its details",
  { timeout: 600_000 },
  async (kind) => {
    const o = await office();
    const expected = await acts[kind](o);
    if (expected === undefined) return;
    const { AuditEntries } = await o.at.given.ok("GET", "/Extensions/AuditEntries", undefined, {
      query: { kind },
    });
    const [entry] = AuditEntries as AuditEntry[];
    expect(entry).toMatchObject({ Kind: kind, Log: auditKinds[kind].log, ...expected });
    const one = await o.at.given.ok("GET", `/Extensions/AuditEntries/${entry?.AuditEntryID}`);
    expect(one.AuditEntries).toEqual([entry]);
    const text = JSON.stringify(AuditEntries);
    for (const secret of [password, key, "guess 1", "guessed wrong", "another horse and cart"])
      expect(text).not.toContain(secret);
  },
);
