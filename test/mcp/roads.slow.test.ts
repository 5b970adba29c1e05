/** Every tool on both roads, before the built program. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { aliases } from "../../src/mcp/aliases.ts";
import { bin, runBuilt, serveBuilt } from "../cli/built.ts";
import { planCalls, readCalls } from "./calls.ts";

const home = mkdtempSync(join(tmpdir(), "acct-mcp-"));
let books = 0;
afterAll(() => rmSync(home, { recursive: true }));

/** A sample company of its own. */
function madeBook(name: string) {
  const env = { HOME: home, ACCT_BOOK: join(home, `${name}.acct`) };
  expect(runBuilt(["init", "--demo"], env).status).toBe(0);
  return env;
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "trial", version: "1.2" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const overStdio = () => {
  const env = madeBook("stdio");
  const command = { command: process.execPath, args: [bin, "mcp"], env };
  return connected(new StdioClientTransport(command));
};

/** A served book with an agent, and a token of it. */
async function servedToAgent(resource?: (origin: string) => string) {
  const env = madeBook(`http-${books++}`);
  const words = ["app", "add", "Helper", "--kind", "agent", "-o", "json"];
  const { ClientID, ClientSecret } = JSON.parse(runBuilt(words, env).stdout);
  const { baseUrl } = await serveBuilt(["--mcp", "--port", "0", "--no-rate-limit"], env);
  const { origin } = new URL(baseUrl);
  const basic = Buffer.from(`${ClientID}:${ClientSecret}`).toString("base64");
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  if (resource !== undefined) body.set("resource", resource(origin));
  const headers = { authorization: `Basic ${basic}` };
  const answered = await fetch(`${origin}/connect/token`, { method: "POST", headers, body });
  const { access_token: token } = (await answered.json()) as { access_token: string };
  return { origin, token, env };
}

const overHttp = async () => {
  const { origin, token, env } = await servedToAgent();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const address = new URL(`${origin}/mcp`);
  const client = await connected(new StreamableHTTPClientTransport(address, { requestInit }));
  // No contact is made of it in either case, since it has no name.
  const nameless = { kind: "contact", records: [{ Name: "" }] };
  const refusal = async () =>
    JSON.stringify(await client.callTool({ name: "create", arguments: nameless }));
  const readsAlone = expect.stringContaining("By your policy you read, and write nothing.");
  expect(await refusal()).toEqual(readsAlone);
  expect(runBuilt(["policy", "set", "Helper", "--may", "plan"], env).status).toBe(0);
  // A server that runs knows the policies of another process some seconds later.
  await expect.poll(refusal, { timeout: 600_000 }).not.toEqual(readsAlone);
  return client;
};

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("over %s", (_, opened) => {
  test("every tool answers, those that would change the books with a plan", async () => {
    const client = await opened();
    const called = new Set<string>();
    for (const [name, given] of [...readCalls, ...planCalls]) {
      const { isError = false, content } = await client.callTool({ name, arguments: given });
      expect(isError, `${name} ${JSON.stringify(given)}: ${JSON.stringify(content)}`).toBe(false);
      called.add(name);
    }
    const { structuredContent } = await client.callTool({ name: "plans", arguments: {} });
    const { plans } = structuredContent as { plans: { handle: string; State: string }[] };
    expect(plans.map(({ State }) => State)).toEqual(planCalls.map(() => "WAITING"));
    const plan = plans[0]?.handle ?? "";
    const ends = [
      ["plan_show", false],
      ["apply", true],
      ["plan_withdraw", false],
      ["apply", true],
    ] as const;
    for (const [name, isRefused] of ends) {
      const { isError = false } = await client.callTool({ name, arguments: { plan } });
      expect({ name, isError }).toEqual({ name, isError: isRefused });
      called.add(name);
    }
    const { tools } = await client.listTools();
    expect(new Set([...called, "plans", "undo_plan"])).toEqual(
      new Set(tools.map(({ name }) => name)),
    );
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("month_end");
  });
});

test("the port asks for a token, says where they come from, and takes no page of another host", async () => {
  const { origin, token, env } = await servedToAgent();
  const asked = await fetch(`${origin}/mcp`, { method: "POST", body: "{}" });
  expect(asked.status).toBe(401);
  const [, place = ""] =
    /resource_metadata="(.+)"/.exec(asked.headers.get("www-authenticate") ?? "") ?? [];
  await expect(fetch(place).then((each) => each.json())).resolves.toMatchObject({
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
  });
  const headers = { authorization: `Bearer ${token}`, origin: "https://elsewhere.example" };
  expect((await fetch(`${origin}/mcp`, { method: "POST", headers, body: "{}" })).status).toBe(403);
  expect(
    (await fetch(`${origin}/mcp`, { method: "POST", headers: { authorization: "Bearer x" } }))
      .status,
  ).toBe(401);
  const without = await serveBuilt(["--port", "0"], {
    ...env,
    ACCT_BOOK: madeBook("other").ACCT_BOOK,
  });
  expect((await fetch(`${new URL(without.baseUrl).origin}/mcp`, { method: "POST" })).status).toBe(
    404,
  );
});

test("a token for the tools of agents is good at /mcp alone, and for another resource there is none", async () => {
  const { origin, token, env } = await servedToAgent((from) => `${from}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit });
  const client = await connected(transport);
  const { structuredContent } = await client.callTool({ name: "books", arguments: {} });
  expect(structuredContent).toMatchObject({ organisation: { BaseCurrency: "NZD" } });
  const asked = await fetch(`${origin}/api.xro/2.0/Organisation`, requestInit);
  expect(asked.status).toBe(401);
  await client.callTool({
    name: "create",
    arguments: { kind: "contact", records: [{ Name: "X" }] },
  });
  const audited = runBuilt(["audit", "list", "--kind", "request.refused", "-o", "json"], env);
  expect(JSON.parse(audited.stdout)).toMatchObject([
    { AppName: "Helper", Agent: "trial/1.2", Through: "MCP", Address: "127.0.0.1" },
  ]);
  await expect(servedToAgent(() => "https://elsewhere.example/mcp")).resolves.toMatchObject({
    token: undefined,
  });
});

/** Arguments that any alias takes, of records of the sample company. */
const anyArguments: Readonly<Record<string, unknown>> = {
  name: "Round",
  code: "MUG",
  narration: "Round",
  contactId: "contact:Kauri Hotel",
  bankAccountId: "account:090",
  accountId: "account:090",
  invoiceId: "invoice:INV-0217",
  creditNoteId: "credit-note:CN-0010",
  quoteId: "quote:QU-0003",
  itemId: "item:MUG",
  trackingCategoryId: "tracking:Studio",
  type: "ACCREC",
  amount: 5,
  optionNames: ["Round"],
  options: [{ name: "Round" }],
  lineItems: [{ description: "Mug", quantity: 1, unitAmount: 10, accountCode: "200" }],
  manualJournalLines: [
    { lineAmount: 5, accountCode: "404" },
    { lineAmount: -5, accountCode: "200" },
  ],
};

test("an agent without a policy writes nothing by any tool, alias, or the service with the same token", async () => {
  const { origin, token, env } = await servedToAgent();
  const baseUrl = `${origin}/api.xro/2.0`;
  const own = { HOME: join(home, "agent"), ACCT_TOKEN: token, ACCT_BASE_URL: baseUrl };
  const words = [bin, "mcp", "--base-url", baseUrl];
  const written = () => runBuilt(["log", "list", "--limit", "1", "-o", "json"], env).stdout;
  const before = written();
  const spawned = (more: readonly string[]) =>
    connected(
      new StdioClientTransport({ command: process.execPath, args: [...words, ...more], env: own }),
    );
  const tools = await spawned([]);
  const aliased = await spawned(["--aliases", "xero-mcp-server"]);
  const listed = (await aliased.listTools()).tools.filter(
    ({ name, annotations }) => annotations?.readOnlyHint !== true && /^(create|update)-/.test(name),
  );
  expect(listed).toHaveLength(aliases.filter(({ reads }) => reads !== true).length);
  const byAlias = listed.map(({ name, inputSchema: { required = [] } }) => {
    const given = required.map((each) => [each, anyArguments[each] ?? "Round"]);
    return [aliased, name, Object.fromEntries(given)] as const;
  });
  const calls = [
    ...planCalls.map(([name, given]) => [tools, name, given] as const),
    ...byAlias,
    [tools, "apply", { plan: "plan:1" }] as const,
  ];
  for (const [client, name, given] of calls) {
    const { isError = false } = await client.callTool({ name, arguments: given });
    expect({ name, isError }).toEqual({ name, isError: true });
  }
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ Name: "Round" });
  for (const path of ["/Contacts", "/Extensions/Plans", "/Items"]) {
    const answered = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body });
    expect([path, answered.status]).toEqual([path, 403]);
  }
  expect(written()).toBe(before);
  expect(runBuilt(["plan", "list", "-o", "json"], env).stdout.trim()).toBe("[]");
}, 600_000);
