/** Twenty agents at once on one served book: nothing is lost or done twice, and stale plans are named. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Office, openOffice } from "../cli/office.ts";
import { base64 } from "./calls.ts";

const names = Array.from({ length: 20 }, (_, at) => `agent-${at + 1}`);
/** Milliseconds, in which a machine that has much to do answers all of them. */
const timeout = 600_000;
let office: Office;
let agents: Client[];

async function agentNamed(name: string, basic: string): Promise<Client> {
  const { origin } = office;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    resource: `${origin}/mcp`,
  });
  const headers = { authorization: `Basic ${basic}` };
  const answered = await fetch(`${origin}/connect/token`, { method: "POST", headers, body });
  const { access_token: token } = (await answered.json()) as { access_token: string };
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ name, version: "1" });
  const address = new URL(`${origin}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  return client;
}

beforeAll(async () => {
  office = await openOffice("--mcp", "--no-rate-limit");
  const words = ["app", "add", "Helper", "--kind", "agent", "-o", "json"];
  const { ClientID, ClientSecret } = JSON.parse(await office.ok(words));
  await office.ok(["policy", "set", "Helper", "--may", "apply"]);
  const basic = base64(`${ClientID}:${ClientSecret}`);
  agents = await Promise.all(names.map((name) => agentNamed(name, basic)));
}, timeout);
afterAll(async () => {
  for (const agent of agents) await agent.close();
  await office.close();
});

/** Has every agent call a tool at once. @returns their answers, refusals too */
async function all(name: string, given: (at: number) => Record<string, unknown>) {
  const called = agents.map(async (agent, at) => {
    const call = { name, arguments: given(at) };
    const { structuredContent } = await agent.callTool(call, { timeout });
    // biome-ignore lint/suspicious/noExplicitAny: each tool answers with an object of its own
    return structuredContent as any;
  });
  return Promise.all(called);
}

const statesOf = (answers: readonly { state?: string; rule?: string }[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ state, rule }) => state ?? rule ?? "")
      .entries()
      .map(([state, own]) => [state, own.length]),
  );

test("twenty plans of invoices are applied at once, each once and by its agent", {
  timeout,
}, async () => {
  const Contact = { Name: "Moa Coffee" };
  const LineItems = [{ Description: "Frame", Quantity: 1, UnitAmount: 10, AccountCode: "200" }];
  const made = await all("create", (at) => ({
    kind: "invoice",
    records: [{ Contact, LineItems, Reference: names[at], Status: "AUTHORISED" }],
  }));
  expect(statesOf(made)).toEqual({ WAITING: 20 });
  // Each is applied by two calls, of which one finds it done.
  const applied = await Promise.all(
    [1, 2].map(() => all("apply", (at) => ({ plan: made[at].handle }))),
  );
  expect(new Set(applied.flat().map(({ state }) => state))).toEqual(new Set(["APPLIED"]));
  const listed = await office.ok(["invoice", "list", "--status", "AUTHORISED", "-o", "json"]);
  const invoices = JSON.parse(listed) as { Reference?: string; InvoiceNumber: string }[];
  const own = invoices.filter(({ Reference = "" }) => Reference.startsWith("agent-"));
  expect(own.map(({ Reference }) => Reference).toSorted()).toEqual(names.toSorted());
  expect(new Set(own.map(({ InvoiceNumber }) => InvoiceNumber)).size).toBe(20);
  const log = JSON.parse(await office.ok(["log", "list", "--all", "-o", "json"]));
  const logged = (log as { Agent?: string }[]).flatMap(({ Agent }) => Agent ?? []);
  expect(logged.toSorted()).toEqual(names.map((name) => `${name}/1`).toSorted());
});

test("of twenty plans that change one contact the first is applied, and the others name it", {
  timeout,
}, async () => {
  const made = await all("update", (at) => ({
    handle: "contact:Moa Coffee",
    fields: { FirstName: names[at] },
  }));
  expect(statesOf(made)).toEqual({ WAITING: 20 });
  const applied = await all("apply", (at) => ({ plan: made[at].handle }));
  expect(statesOf(applied)).toEqual({ APPLIED: 1, Plan: 19 });
  const stale = applied.filter(({ rule }) => rule === "Plan");
  expect(stale.every(({ message }) => message.includes("contact Moa Coffee"))).toBe(true);
  const winner = names[applied.findIndex(({ state }) => state === "APPLIED")];
  const shown = JSON.parse(await office.ok(["contact", "show", "Moa Coffee", "-o", "json"]));
  expect(shown.FirstName).toBe(winner);
  await office.ok(["book", "verify"]);
});
