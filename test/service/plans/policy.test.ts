/** Policies: who reads, plans or applies, up to which amount, and what no agent ever does. */
import { describe, expect, test } from "vitest";
import { createService } from "../../../src/service/api/service.ts";
import { registerApp, registryIn } from "../../../src/service/auth/apps.ts";
import { type PolicySettings, putPolicy } from "../../../src/service/auth/policy-acts.ts";
import { userFrom } from "../../../src/service/books/book.ts";
import type { Principal } from "../../../src/service/request/context.ts";
import { textOf } from "../../../src/wire/body.ts";
import { tester } from "../../support/audit.ts";
import { contact, invoiced, type Json, sale, type World, world } from "../fixture.ts";
import { path } from "./people.ts";

const helper = "00000000-0000-4000-8000-00000000a9e7";
const agentHeaders = { "x-acct-agent": "helper/1.2; session 7" };
const plans = "make a plan: POST /Extensions/Plans";

type Ask = (method: string, path: string, body?: unknown, headers?: object) => Promise<Json>;

/** Asks as somebody, and answers with the status beside what the JSON says. */
function asking({ book }: World, principal: Partial<Principal>): Ask {
  const { transport: handle } = createService({
    ...book.dependencies,
    responseId: book.dependencies.newId,
    authenticate: () => ({
      ...userFrom({ user: "Ann", email: "ann@heron.example" }),
      org: book.org,
      tenant: book.tenant,
      app: "desk",
      appName: "Desk",
      ...principal,
    }),
  });
  return async (method, target, body, headers = {}) => {
    const [pathOnly = "", query = ""] = target.split("?");
    const { status, body: answered } = await handle({
      method,
      path: pathOnly,
      query: [...new URLSearchParams(query)],
      headers: { accept: "application/json", "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
    const text = await textOf(answered);
    return { status, ...(text.startsWith("{") ? JSON.parse(text) : { text }) };
  };
}

async function bind(given: World, settings: Partial<PolicySettings>, who = "Helper") {
  const { book } = given;
  const registry = registryIn(book.store, book.tenant, () => given.now, tester);
  await registerApp(registry, { name: "Helper", kind: "agent" }, helper).catch(() => undefined);
  const none = { kinds: undefined, perDocument: undefined, perPlan: undefined, perDay: undefined };
  const open = { ...none, approveBy: undefined, until: undefined };
  await putPolicy(registry, who, "", { may: "plan", ...open, ...settings });
}

const agent = (given: World) =>
  asking(given, {
    app: helper,
    appName: "Helper",
    isAgent: true,
  });
const person = (given: World) => asking(given, { isPerson: true });

const request = (Method: string, Path: string, body?: object) => ({
  Method,
  Path,
  ...(body && { MediaType: "application/json", Body: JSON.stringify(body) }),
});
const planOf = (...Requests: object[]) => ({ Requests });

const invoice = (party: Json, UnitAmount: number) =>
  request(
    "PUT",
    "/Invoices",
    sale(party, {
      Status: "AUTHORISED",
      LineItems: [
        { Description: "Work", Quantity: 1, UnitAmount, AccountCode: "200", TaxType: "NONE" },
      ],
    }),
  );

const audited = async (given: World): Promise<Json[]> => {
  const query = { kind: "request.refused", pageSize: "1000" };
  return (
    (await given.ok("GET", "/Extensions/AuditEntries", undefined, { query })).AuditEntries ?? []
  );
};

describe("a policy", () => {
  test("who may only plan is told to make a plan for any other write, and the plan waits for a person", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "plan" });
    const party = await contact(given);
    const refused = await agent(given)("PUT", "/Contacts", { Name: "Rimu" });
    expect(refused).toMatchObject({ status: 403, Rule: "PolicyPlanOnly" });
    expect(refused.Detail).toContain(plans);
    const made = await agent(given)("POST", path, planOf(invoice(party, 100)), agentHeaders);
    expect(made.Plans[0]).toMatchObject({
      Needs: "its maker may only plan",
      Agent: agentHeaders["x-acct-agent"],
    });
    expect(await agent(given)("POST", `${path}/1/Apply`, {})).toMatchObject({ status: 403 });
    expect((await person(given)("POST", `${path}/1/Apply`, {})).status).toBe(400);
    const [{ Digest }] = made.Plans;
    const approving = `${path}/1/Approve?digest=${Digest}`;
    expect((await person(given)("POST", approving, {})).status).toBe(200);
    expect((await person(given)("POST", `${path}/1/Apply`, {})).status).toBe(200);
    const [sold] = (await given.ok("GET", "/Invoices")).Invoices;
    const name = agentHeaders["x-acct-agent"];
    const query = { where: 'Agent.StartsWith("helper")' };
    const { Operations } = await given.ok("GET", "/Extensions/Operations", undefined, { query });
    expect(Operations).toMatchObject([{ Agent: name, User: "Ann" }]);
    const { HistoryRecords } = await given.ok("GET", `/Invoices/${sold.InvoiceID}/History`);
    expect(HistoryRecords[0]).toMatchObject({ Agent: name, User: "Ann" });
  });

  test("a person who may only plan is bound on pages and in every app", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "plan" }, "ann@heron.example");
    for (const app of ["acct", "desk"]) {
      const ask = asking(given, { app, isPerson: true });
      expect(await ask("PUT", "/Contacts", { Name: "Rimu" })).toMatchObject({
        Rule: "PolicyPlanOnly",
      });
    }
  });

  test("an agent without a policy of its own, or after its last day, only reads", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "apply", until: "2020-01-01" });
    for (const app of ["unknown", helper]) {
      const ask = asking(given, { app, isAgent: true });
      const answer = await ask("POST", path, planOf(request("PUT", "/Contacts", { Name: "Rimu" })));
      expect(answer).toMatchObject({ status: 403, Rule: "Policy" });
      expect((await ask("GET", "/Contacts")).status).toBe(200);
    }
  });

  test("of the policies of app and person the narrower counts", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "apply" });
    await bind(given, { may: "plan" }, "ann@heron.example");
    const ask = asking(given, { app: helper, isAgent: true });
    await ask("POST", path, planOf(request("PUT", "/Contacts", { Name: "Rimu" })));
    expect(await ask("POST", `${path}/1/Apply`, {})).toMatchObject({ Rule: "PolicyPlanOnly" });
  });

  test.each([
    [
      "a document beyond its amount",
      { perDocument: 50_000 },
      [501],
      /a document is of 501.00, beyond 500.00/,
    ],
    [
      "documents beyond the amount of a plan",
      { perPlan: 50_000 },
      [300, 300],
      /it is of 600.00, beyond 500.00/,
    ],
    [
      "an amount beyond that of a day",
      { perDay: 50_000 },
      [600],
      /700.00 are applied today, beyond 500.00/,
    ],
  ] as const)(
    "%s waits for a person, under a policy that applies",
    async (_, bounds, amounts, words) => {
      const given = await world("NZ", {}, "alone");
      await bind(given, { may: "apply", ...bounds, approveBy: "adviser" });
      const party = await contact(given);
      const ask = agent(given);
      const small = await ask("POST", path, planOf(invoice(party, 100)));
      expect(small.Plans[0].Needs).toBeUndefined();
      expect((await ask("POST", `${path}/1/Apply`, {})).status).toBe(200);
      const large = await ask("POST", path, planOf(...amounts.map((each) => invoice(party, each))));
      expect(large.Plans[0]).toMatchObject({
        Needs: expect.stringMatching(words),
        ApproveBy: "adviser",
      });
      expect((await ask("POST", `${path}/2/Apply`, {})).status).toBe(400);
      const standard = asking(given, { isPerson: true, role: "STANDARD" });
      const approving = `${path}/2/Approve?digest=${large.Plans[0].Digest}`;
      expect((await standard("POST", approving, {})).status).toBe(400);
      expect((await person(given)("POST", approving, {})).status).toBe(200);
      expect((await ask("POST", `${path}/2/Apply`, {})).status).toBe(200);
    },
  );

  test("what was applied in a day is counted again when a plan is applied", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "apply", perDay: 50_000 });
    const party = await contact(given);
    for (const _ of [1, 2]) await agent(given)("POST", path, planOf(invoice(party, 400)));
    expect((await agent(given)("POST", `${path}/1/Apply`, {})).status).toBe(200);
    expect((await agent(given)("POST", `${path}/2/Apply`, {})).status).toBe(400);
  });

  test("a record of a kind that the policy does not name is not even planned", async () => {
    const given = await world("NZ", {}, "alone");
    await bind(given, { may: "apply", kinds: ["invoice"] });
    const party = await contact(given);
    expect((await agent(given)("POST", path, planOf(invoice(party, 1)))).status).toBe(200);
    const bill = sale(party, { Type: "ACCPAY", InvoiceNumber: "B-1" });
    const answer = await agent(given)("POST", path, planOf(request("PUT", "/Invoices", bill)));
    expect(answer).toMatchObject({
      Rule: "Policy",
      Detail: "By your policy you write invoice, and no bill.",
    });
  });

  test("options of a tracking category are added and removed by who may write those", async () => {
    const given = await world("NZ", {}, "alone");
    const { TrackingCategories } = await given.ok("PUT", "/TrackingCategories", { Name: "Studio" });
    const options = `/TrackingCategories/${TrackingCategories[0].TrackingCategoryID}/Options`;
    const { Options } = await given.ok("PUT", options, { Name: "South" });
    const [{ TrackingOptionID }] = Options;
    const requests = [
      request("PUT", options, { Name: "North" }),
      request("DELETE", `${options}/${TrackingOptionID}`),
    ];
    for (const [kind, status] of [
      ["invoice", 403],
      ["tracking", 200],
    ] as const) {
      await bind(given, { may: "plan", kinds: [kind] });
      for (const each of requests) {
        expect((await agent(given)("POST", path, planOf(each))).status).toBe(status);
      }
    }
  });
});

/** Requests that need a person whatever the policy, by what is said of them. */
const needing = {
  "changes bank details": (party: Json) =>
    request("POST", `/Contacts/${party.ContactID}`, { BankAccountDetails: "12-3456-7890123-00" }),
  "sends email": (_: Json, sold: Json) => request("POST", `/Invoices/${sold.InvoiceID}/Email`),
  "closes a period": () =>
    request("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" }),
  "sets opening balances": () =>
    request("POST", "/Setup", { ConversionDate: { Month: 1, Year: 2026 }, ConversionBalances: [] }),
} as const;

test.each(Object.entries(needing))(
  "what an agent plans that %s waits for a person, also where it may apply",
  async (words, make) => {
    const given = await world("NZ", {}, "alone");
    const sold = await invoiced(given, { Status: "AUTHORISED" });
    const party = await contact(given, { EmailAddress: "mia@heron.example" });
    await given.ok("POST", `/Contacts/${sold.Contact.ContactID}`, {
      EmailAddress: "to@heron.example",
    });
    await bind(given, { may: "apply" });
    const { Plans, ...refused } = await agent(given)("POST", path, planOf(make(party, sold)));
    expect(Plans?.[0].Needs ?? refused).toContain(words);
    expect((await agent(given)("POST", `${path}/1/Apply`, {})).status).toBe(400);
  },
);

test("forty attempts of an agent to do what none may are refused, stand in the audit log, and write nothing", async () => {
  const given = await world("NZ", {}, "alone");
  const party = await contact(given);
  await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-02-28" });
  await given.ok("POST", path, planOf(request("PUT", "/Contacts", { Name: "Waiting" })));
  await bind(given, { may: "apply" });
  const id = party.ContactID;
  const never: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["POST", `${path}/1/Approve`],
    ["POST", `${path}/Approve`, { Requests: [request("PUT", "/Contacts", { Name: "A" })] }],
    ["POST", `/Extensions/Erasures/${id}`],
    ["POST", "/WebhookListeners"],
    ["DELETE", "/WebhookListeners/1"],
    ["POST", "/WebhookListeners/1/Next"],
  ];
  const writes = [
    ["PUT", "/Contacts", { Name: "Direct" }],
    ["POST", `/Contacts/${id}`, { Name: "Renamed" }],
    ["PUT", "/Invoices", sale(party)],
    ["PUT", "/PaymentServices", { PaymentServices: [] }],
    ["POST", "/Organisation/Settings", { PeriodLockDate: "" }],
    ["POST", `${path}/Apply`, { Requests: [request("PUT", "/Contacts", { Name: "A" })] }],
    ["DELETE", "/Items/1"],
    ["POST", "/Extensions/Operations/last/Undo?apply=true", {}],
  ] as const;
  const encoded = (text: string) =>
    text.replace(/[A-Z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const lower = (text: string) => text.toLowerCase();
  const attempts: (() => Promise<Json>)[] = [
    // As they are, encoded, in another letter case, and with another method in a header.
    ...[...never, ...writes].flatMap(([method, target, body]) => [
      () => agent(given)(method, target, body),
      () => agent(given)(method, encoded(target), body, { "x-http-method-override": "GET" }),
    ]),
    // Within a plan, also in disguise.
    ...never.flatMap(([method, target, body]) =>
      [target, encoded(target), lower(target)].map(
        (each) => () => agent(given)("POST", path, planOf(request(method, each, body ?? {}))),
      ),
    ),
    // A period that is opened by the settings of the organisation.
    ...["2026-01-31", ""].map(
      (PeriodLockDate) => () =>
        agent(given)(
          "POST",
          path,
          planOf(request("POST", "/Organisation/Settings", { PeriodLockDate })),
        ),
    ),
  ];
  expect(attempts.length).toBeGreaterThanOrEqual(40);
  const before = await given.ok("GET", "/Extensions/Operations");
  for (const [at, attempt] of attempts.entries()) {
    const answer = await attempt();
    expect([at, answer.status, answer.Rule]).toEqual([
      at,
      403,
      expect.stringMatching(/^(AgentNever|Policy\w*)$/),
    ]);
    expect([at, (await audited(given)).length]).toEqual([at, at + 1]);
  }
  await agent(given)("PUT", "/Contacts", { Name: "Direct" }, agentHeaders);
  const [entry] = await audited(given);
  expect(entry).toMatchObject({ Kind: "request.refused", Agent: agentHeaders["x-acct-agent"] });
  const query = { app: "HELPER/1.2" };
  const byApp = await given.ok("GET", "/Extensions/AuditEntries", undefined, { query });
  expect(byApp.AuditEntries).toEqual([entry]);
  expect((await given.ok("GET", "/Extensions/Operations")).Operations).toEqual(before.Operations);
  expect((await given.ok("GET", path)).Plans).toHaveLength(1);
  expect((await given.ok("GET", `/Contacts/${id}`)).Contacts[0].Name).toBe(party.Name);
});
