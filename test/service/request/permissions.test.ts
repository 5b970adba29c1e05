/** Who may do what: every route, for every role and every scope. */

import { expect, test } from "vitest";
import { allRoutes, routeFor, routeName } from "../../../src/service/api/routing.ts";
import { createService } from "../../../src/service/api/service.ts";
import { planKeyInMemory } from "../../../src/service/plans/plan-key.ts";
import type { Principal } from "../../../src/service/request/context.ts";
import {
  allScopes,
  apiScopes,
  appScopes,
  identityScopes,
  organisationRoles,
} from "../../../src/service/request/scopes.ts";
import { type Role, roles } from "../../../src/store/directory/people.ts";
import { guid } from "../../store/samples.ts";
import { serverOf } from "../../support/audit.ts";
import { type World, world } from "../fixture.ts";

const nobody = new Error("The books are closed.");

/** Asks a service whose books are closed: what is permitted fails on them. */
function asking(who: Partial<Principal>) {
  const principal: Principal = {
    org: 1,
    app: guid(1),
    appName: "Till",
    user: "Ana",
    email: "ana@heron.example",
    ...organisationRoles.adviser,
    scopes: "all",
    ...who,
  };
  const closed = () => Promise.reject(nobody);
  const service = createService({
    store: { read: closed, write: closed, apart: closed } as never,
    clock: () => 0,
    newId: () => guid(9),
    responseId: () => guid(9),
    mailer: async () => undefined,
    baseUrl: "http://x",
    publicUrl: "http://x",
    planKey: planKeyInMemory(),
    // A server without policies.
    server: serverOf({ read: async () => [] } as never),
    report: () => undefined,
    authenticate: () => principal,
  });
  return async (method: string, path: string) => {
    const { status, body } = await service.transport({
      method,
      path: path.replace(/\{[^}]+\}/g, guid(2)),
      query: [],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: new TextEncoder().encode("{}"),
    });
    return { status, text: String(body) };
  };
}

const table = allRoutes().filter(({ path }) => path !== "/openapi.json");
const lineOf = ({ method, path }: { method: string; path: string }) => `${method.padEnd(7)}${path}`;

/** Every route, and what of `all` may use it. */
async function permitted<K extends string>(
  all: readonly K[],
  who: (each: K) => Partial<Principal>,
  refusal: 401 | 403,
): Promise<Map<string, Set<K>>> {
  const found = new Map<string, Set<K>>();
  for (const each of all) {
    const ask = asking(who(each));
    for (const route of table) {
      const { status, text } = await ask(route.method, route.path);
      const line = lineOf(route);
      const set = found.get(line) ?? new Set();
      found.set(line, set);
      if (status !== refusal) set.add(each);
      else expect(text).toContain(refusal === 401 ? "AuthorizationUnsuccessful" : "Forbidden");
    }
  }
  return found;
}

function written(found: ReadonlyMap<string, ReadonlySet<string>>): string {
  const lines = [...found].map(([line, set]) => `${line}\n    ${[...set].join(" ") || "-"}`);
  return `${lines.sort().join("\n")}\n`;
}

test("each role has exactly its documented access", async () => {
  const found = await permitted(roles, (role) => organisationRoles[role], 403);
  await expect(written(found)).toMatchFileSnapshot("../../golden/permissions-roles.txt");
  for (const [line, who] of found) {
    const isAdministration = line.includes("/AuditEntries");
    expect([line, who.has("adviser")]).toEqual([line, true]);
    expect([line, who.has("standard")]).toEqual([line, !isAdministration]);
    if (isAdministration) {
      expect([line, who.size]).toEqual([line, 1]);
      continue;
    }
    const isReport =
      /\/(Reports|Journals|AccountTransactions|AuditFiles|ClosingChecks|Overview)\b/.test(line);
    expect([line, who.has("standard-without-reports")]).toEqual([line, !isReport]);
    expect([line, who.has("read-only")]).toEqual([line, line.startsWith("GET")]);
    if (isReport) expect(who.has("invoice-only"), line).toBe(false);
  }
});

test("each OAuth scope has exactly its documented access", async () => {
  const every = [...apiScopes, ...identityScopes, ...appScopes];
  const found = await permitted(every, (scope) => ({ scopes: new Set([scope]) }), 401);
  await expect(written(found)).toMatchFileSnapshot("../../golden/permissions-scopes.txt");
  for (const [line, which] of found) {
    // The broad scopes together open everything, and what none of the API is opens nothing.
    expect(
      allScopes.some((scope) => which.has(scope)),
      line,
    ).toBe(true);
    for (const scope of [...identityScopes, ...appScopes]) expect(which.has(scope)).toBe(false);
    for (const scope of which) {
      const isReading = line.startsWith("GET");
      // Listening changes nothing, though it posts.
      if (line.includes("/WebhookListeners")) continue;
      if (scope.endsWith(".read")) expect([line, scope, isReading]).toEqual([line, scope, true]);
      // What writes also reads; but what is kept of reports is a setting.
      if (line.includes("/Reports")) continue;
      const reading = found.get(line.replace(/^\w+ +/, "GET    "));
      if (reading !== undefined) expect([line, scope, reading.has(scope)]).toContain(true);
    }
  }
});

test("several OAuth scopes together allow the access of each of them", async () => {
  const scopes = new Set(["accounting.settings.read", "accounting.invoices"]);
  const ask = asking({ scopes });
  expect((await ask("GET", "/Accounts")).status).toBe(500);
  expect((await ask("PUT", "/Accounts")).status).toBe(401);
  expect((await ask("PUT", "/Invoices")).status).toBe(400);
  expect((await ask("GET", "/Contacts")).status).toBe(401);
});

test("the singular name of a collection has the same routes and permissions as the plural", async () => {
  const paths = new Set(table.map(({ path }) => path));
  const nameOf = new Map(
    table.flatMap(({ path, resource }) =>
      // Both names of the organisation have routes of their own.
      resource !== undefined && path === `/${resource.plural}` && !paths.has(`/${resource.name}`)
        ? [[resource.plural, resource.name] as const]
        : [],
    ),
  );
  expect([...nameOf]).toEqual(expect.arrayContaining([["Invoices", "Invoice"]]));
  expect(nameOf.size).toBeGreaterThan(25);
  const { "invoice-only": invoices, "read-only": looks } = organisationRoles;
  const who = [invoices, looks, { scopes: new Set(["accounting.contacts"]) }];
  for (const { method, path } of table) {
    const [, collection = "", ...rest] = path.split("/");
    const name = nameOf.get(collection);
    if (name === undefined) continue;
    const alias = ["", name.toLowerCase(), ...rest].join("/");
    const { route } = routeFor(method, alias.replace(/\{[^}]+\}/g, guid(2)));
    expect([alias, route.path]).toEqual([alias, path]);
    expect(routeName(method, alias.replace(/\{[^}]+\}/g, guid(2)))).toBe(path);
    for (const each of who) {
      const { status } = await asking(each)(method, alias);
      expect([alias, status]).toEqual([alias, (await asking(each)(method, path)).status]);
    }
  }
});

test("a missing OAuth scope is reported before a missing role", async () => {
  const ask = asking({ ...organisationRoles["read-only"], scopes: new Set() });
  expect((await ask("PUT", "/Invoices")).status).toBe(401);
});

/** Asks the book itself as somebody of a role. */
function as(given: World, role: Role) {
  const service = createService({
    store: given.book.store,
    clock: () => given.now,
    newId: () => process.getBuiltinModule("node:crypto").randomUUID(),
    responseId: () => guid(9),
    mailer: async () => undefined,
    baseUrl: "http://x",
    publicUrl: "http://x",
    planKey: planKeyInMemory(),
    server: serverOf(given.book.store),
    authenticate: () => ({
      org: given.book.org,
      app: guid(1),
      appName: "Till",
      user: "Ana",
      email: "ana@heron.example",
      ...organisationRoles[role],
      scopes: "all",
    }),
  });
  const full = async (
    method: string,
    path: string,
    body: object,
    query: Readonly<Record<string, string>> = {},
  ) => {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const sent = method === "GET" ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    const request = { method, path, query: Object.entries(query), headers, ...sent };
    const answer = await service.transport(request);
    return { status: answer.status, text: String(answer.body) };
  };
  const status = async (method: string, path: string, body: object) =>
    (await full(method, path, body)).status;
  return Object.assign(status, { full });
}

test("the invoice-only role can write sales invoices, and is refused for bills", async () => {
  const given = await world();
  const made = await given.ok("PUT", "/Contacts", { Name: "Ariki" });
  const Contact = { ContactID: made.Contacts[0].ContactID };
  const LineItems = [{ Description: "Mug", Quantity: 1, UnitAmount: 5, AccountCode: "200" }];
  const bill = { Type: "ACCPAY", Contact, LineItems };
  const ask = as(given, "invoice-only");
  expect(await ask("PUT", "/Invoices", { Type: "ACCREC", Contact, LineItems })).toBe(200);
  expect(await ask("PUT", "/Invoices", bill)).toBe(403);
  const kept = await given.ok("PUT", "/Invoices", bill);
  const { InvoiceID } = kept.Invoices[0];
  expect(await ask("POST", `/Invoices/${InvoiceID}`, { Reference: "mine" })).toBe(403);
  expect(await ask("POST", "/Invoices", { InvoiceID, Status: "DELETED" })).toBe(403);
  expect((await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0].Status).toBe("DRAFT");
});

test("the invoice-only role can read only sales documents, on every route", async () => {
  const given = await world();
  const made = await given.ok("PUT", "/Contacts", { Name: "Ariki" });
  const Contact = { ContactID: made.Contacts[0].ContactID };
  const LineItems = [{ Description: "Mug", Quantity: 1, UnitAmount: 5, AccountCode: "200" }];
  const kept: Record<string, { readonly sale: string; readonly purchase: string }> = {};
  for (const [plural, id, types] of [
    ["Invoices", "InvoiceID", ["ACCREC", "ACCPAY"]],
    ["CreditNotes", "CreditNoteID", ["ACCRECCREDIT", "ACCPAYCREDIT"]],
  ] as const) {
    const ids: string[] = [];
    for (const Type of types) {
      const body = { Type, Contact, LineItems, CreditNoteNumber: `N-${Type}` };
      ids.push((await given.ok("PUT", `/${plural}`, body))[plural][0][id]);
    }
    const [sale = "", purchase = ""] = ids;
    kept[plural] = { sale, purchase };
  }
  const ask = as(given, "invoice-only");
  for (const [plural, { sale, purchase }] of Object.entries(kept)) {
    const id = plural === "Invoices" ? "InvoiceID" : "CreditNoteID";
    const lists: Record<string, string>[] = [
      {},
      { where: 'Type!="ACCREC"' },
      { where: 'Type=="ACCPAY" OR Type=="ACCPAYCREDIT"' },
      { IDs: `${sale},${purchase}` },
      { where: `${id}==Guid("${purchase}")` },
      { page: "1", searchTerm: "N-" },
      { order: "Type DESC", page: "1" },
    ];
    for (const query of lists) {
      const { status, text } = await ask.full("GET", `/${plural}`, {}, query);
      expect([status, text.includes(purchase)]).toEqual([200, false]);
    }
    expect((await ask.full("GET", `/${plural}`, {}, {})).text).toContain(sale);
    // Somebody else has just read it: what was read is not given to who may not.
    await given.ok("GET", `/${plural}/${purchase}`);
    await given.ok("GET", `/${plural}/${purchase}`);
    for (const rest of ["", "/History", "/Attachments", "/pdf"]) {
      expect([rest, await ask("GET", `/${plural}/${purchase}${rest}`, {})]).toEqual([rest, 403]);
    }
    expect(await ask("GET", `/${plural}/${sale}`, {})).toBe(200);
  }
});

test("routes below a bill, such as its history, need the permissions for the bill", async () => {
  const given = await world();
  const made = await given.ok("PUT", "/Contacts", { Name: "Ariki" });
  const Contact = { ContactID: made.Contacts[0].ContactID };
  const LineItems = [{ Description: "Mug", Quantity: 1, UnitAmount: 5, AccountCode: "200" }];
  const ids: Record<string, string> = {};
  for (const Type of ["ACCREC", "ACCPAY"]) {
    const kept = await given.ok("PUT", "/Invoices", { Type, Contact, LineItems });
    ids[Type] = kept.Invoices[0].InvoiceID;
  }
  const note = { HistoryRecords: [{ Details: "seen" }] };
  const found = new Map<string, Set<Role>>();
  for (const { method, path } of table) {
    if (!/^\/Invoices\/\{InvoiceID\}/.test(path)) continue;
    for (const [Type, id] of Object.entries(ids)) {
      const at = path.replace("{InvoiceID}", id).replace("{FileName}", "receipt.txt");
      const who = new Set<Role>();
      found.set(`${Type}  ${lineOf({ method, path })}`, who);
      for (const role of roles) {
        const body = path.endsWith("/History") ? note : { Reference: "mine" };
        if ((await as(given, role)(method, at, body)) !== 403) who.add(role);
      }
    }
  }
  await expect(written(found)).toMatchFileSnapshot("../../golden/permissions-bills.txt");
  for (const [line, who] of found) {
    expect([line, who.has("invoice-only")]).toEqual([line, line.startsWith("ACCREC")]);
  }
  const kept = await given.ok("GET", `/Invoices/${ids.ACCPAY}/History`);
  const entered = kept.HistoryRecords.filter((each: { User: string }) => each.User === "Ana");
  // Of each of the three who may: the bill changed, two notes, a file attached and replaced;
  // and the one that was there before was removed by the first.
  const changes = entered.map(({ Changes }: { Changes: string }) => Changes);
  expect(changes.filter((each: string) => each === "Note")).toHaveLength(2 * 3);
  expect(changes.filter((each: string) => / a file$/.test(each))).toHaveLength(2 * 3 + 1);
});

/** Six spellings of an address that routing takes for one. */
const spellings = (path: string) => {
  const [, first = "", ...rest] = path.split("/");
  const encoded = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`;
  const below = rest.map((each) => `/${each}`).join("");
  return [
    path,
    `${path}/`,
    `/${path}`,
    path.toLowerCase(),
    `/${encoded}${below}`,
    `/${first}/${below}`,
  ];
};

test.each([
  ["GET", "/Reports/TrialBalance", { reports: false }, 403],
  ["GET", "/Accounts/x", { role: "INVOICEONLY" }, undefined],
  ["PUT", "/Payments", { role: "INVOICEONLY" }, 403],
  ["PUT", "/Invoices", { role: "READONLY" }, 403],
  ["GET", "/Extensions/AuditEntries", { role: "STANDARD" }, 403],
  ["POST", "/Extensions/Plans/Apply", { role: "READONLY" }, 403],
  ["PUT", "/Contacts", { scopes: new Set(["accounting.settings"]) }, 401],
  ["GET", "/Journals", { scopes: new Set(["accounting.transactions"]) }, 401],
] as const)(
  "%s %s is refused or allowed alike, however the path is spelled",
  async (method, path, who, status) => {
    const ask = asking(who);
    const answers = new Set<number>();
    for (const each of spellings(path)) answers.add((await ask(method, each)).status);
    expect(answers.size).toBe(1);
    if (status !== undefined) expect([...answers]).toEqual([status]);
  },
);
