/** Recordings of what a program and a service say, made by the built program and played against another. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { bin, builtDesk } from "../built.ts";

const desk = builtDesk();
const json = { accept: "application/json", "content-type": "application/json" };

/** Records until `end` is called. */
async function recording(name: string, baseUrl: string, token: string, tenant = "", env = {}) {
  const file = join(desk.home, name);
  const words = ["record", file, "--base-url", baseUrl, "--port", "0"];
  const more = { ACCT_TOKEN: token, ...(tenant && { ACCT_TENANT: tenant }), ...env };
  const child = spawn(process.execPath, [bin, ...words], { env: { ...desk.env, ...more } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  while (!said.includes("Ctrl-C")) {
    await Promise.race([once(child.stderr, "data"), once(child, "exit")]);
    if ((child.exitCode ?? child.signalCode) !== null) throw new Error(said);
  }
  const [url = ""] = /http:\S+?(?=\. )/.exec(said) ?? [];
  const end = async () => {
    child.kill("SIGINT");
    await once(child, "exit");
    return said;
  };
  return { file, url, end };
}

/** What a shop does in a day: some 500 requests, among them refused ones. */
async function shopDay(url: string): Promise<number> {
  let count = 0;
  const ask = async (method: string, path: string, body?: object, headers: object = json) => {
    count += 1;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { method, headers: { ...headers }, ...sent });
    const text = await answer.text();
    return text.startsWith("{") ? JSON.parse(text) : text;
  };
  for (let at = 0; count < 500; at += 1) {
    const lines = [{ Description: "Mug", Quantity: at + 1, UnitAmount: 9.5, AccountCode: "200" }];
    const sale = { Type: "ACCREC", Date: "2026-03-01", DueDate: "2026-03-20", LineItems: lines };
    const Contact = { Name: `Customer ${at % 40}` };
    const made = await ask("PUT", "/Invoices", { ...sale, Contact, Status: "AUTHORISED" });
    const [{ InvoiceID }] = made.Invoices;
    await ask("GET", `/Invoices/${InvoiceID}`);
    await ask("POST", `/Invoices/${InvoiceID}`, { Reference: `PO-${at}` });
    await ask("GET", `/Invoices/${InvoiceID}`, undefined, { accept: "text/xml" });
    await ask("GET", `/Invoices/${InvoiceID}/History`);
    await ask("GET", "/Invoices?page=1&pageSize=5&order=InvoiceNumber%20DESC");
    await ask("PUT", "/Invoices", { ...sale, Contact, CurrencyCode: "XXX" });
    await ask("GET", "/Invoices?where=Date%3D%3D%222026-03-01%22");
    await ask("GET", `/Contacts?where=Name.Contains(%22Customer%20${at % 40}%22)`);
    if (at % 10 === 0)
      await ask("GET", `/Invoices/${InvoiceID}`, undefined, { accept: "application/pdf" });
    if (at % 10 === 5) await ask("GET", "/Reports/TrialBalance?date=2026-03-31");
  }
  return count;
}

/** A built server for tests, which does as the public cloud. */
async function served(...flags: string[]) {
  const words = ["serve", "--ephemeral", "--ready", "json", ...flags];
  const child = spawn(process.execPath, [bin, ...words], { env: desk.env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  return JSON.parse(String(line)) as { url: string; token: string; tenant: string; ca: string };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of answers, as they come.
type Json = any;

/** Changes made in the bodies of answers, or in the answers, with what is told of each. */
const planted: Readonly<Record<string, (body: Json, answer: Json) => unknown>> = {
  "1 status ": (_, answer) => Object.assign(answer, { status: 201 }),
  "2 new Invoices[].Total": ({ Invoices }) => delete Invoices[0].Total,
  "3 missing Invoices[].Extra": ({ Invoices }) => Object.assign(Invoices[0], { Extra: 1 }),
  "4 missing Response.Invoices[].Invoice[].Whole": (_, answer) =>
    Object.assign(answer, { body: answer.body.replace("<Total>", "<Whole>1</Whole><Total>") }),
  "5 type HistoryRecords[].Details": ({ HistoryRecords }) =>
    Object.assign(HistoryRecords[0], { Details: 7 }),
  "6 header x-minlimit-remaining": (_, { headers }) => delete headers["x-minlimit-remaining"],
  "7 code Type": (body) => Object.assign(body, { Type: "OtherException" }),
  "9 header content-type": (_, { headers }) =>
    Object.assign(headers, { "content-type": "text/json" }),
  "12 format Invoices[].Date": ({ Invoices }) => Object.assign(Invoices[0], { Date: "2026-03-01" }),
  "13 type Invoices[].AmountDue": ({ Invoices }) => Object.assign(Invoices[0], { AmountDue: "5" }),
  "16 order Invoices": ({ Invoices }) => Invoices.reverse(),
  "20 new Invoices[].LineItems[]": ({ Invoices }) => Object.assign(Invoices[0], { LineItems: [] }),
};

test("500 exchanges of a shop differ in nothing between two servers, and twelve changes are told", async () => {
  const flags = ["--new-contacts", "--strict-dates"];
  const [first, second] = [await served(...flags), await served(...flags)];
  const { file, url, end } = await recording("shop", first.url, first.token);
  const count = await shopDay(url);
  expect(await end()).toContain(`${count} exchanges are in`);
  expect(count).toBeGreaterThanOrEqual(500);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const at = ["--base-url", second.url, "-o", "json"];
  const { status, stdout, stderr } = desk.acct(["compare", file, ...at], {
    ACCT_TOKEN: second.token,
  });
  expect([JSON.parse(stdout), stderr, status]).toEqual([
    [],
    `0 differences in ${count} exchanges.\n`,
    0,
  ]);
  const lines = readFileSync(file, "utf8").split("\n").slice(0, 21);
  for (const [what, change] of Object.entries(planted)) {
    const number = Number.parseInt(what, 10);
    const exchange = JSON.parse(lines[number] ?? "");
    const { answer } = exchange;
    const isJson = answer.body.startsWith("{");
    const body = isJson ? JSON.parse(answer.body) : answer.body;
    change(body, answer);
    if (isJson) answer.body = JSON.stringify(body);
    lines[number] = JSON.stringify(exchange);
  }
  const other = `${file}-other`;
  writeFileSync(other, `${lines.join("\n")}\n`);
  const compared = desk.acct(["compare", other, "-o", "json"]);
  const told = JSON.parse(compared.stdout).map(
    ({ exchange, kind, path }: Json) => `${exchange} ${kind} ${path}`,
  );
  expect([told, compared.status]).toEqual([Object.keys(planted), 7]);
  // What is known, or of no matter, is not told again.
  const known = `${file}-known.json`;
  writeFileSync(known, compared.stdout);
  expect(desk.acct(["compare", other, "--accept", known])).toEqual({
    status: 0,
    stdout: "",
    stderr: "0 differences in 20 exchanges, beside 12 that are expected.\n",
  });
  const masked = desk.acct([
    "compare",
    other,
    "--mask",
    "Date",
    "--mask",
    "Invoices[].Total",
    "--mask",
    "content-type",
  ]);
  expect([masked.status, masked.stdout.trim().split("\n").length]).toEqual([7, 9]);
  expect(desk.acct(["compare", other, "--accept", file])).toMatchObject({ status: 5, stdout: "" });
});

test("what a server says of the cloud is recorded and replayed by the authority that it tells", async () => {
  expect(desk.acct(["dev-cert"]).status).toBe(0);
  const { url: baseUrl, token, tenant, ca } = await served("--as-cloud", "--port", "0");
  expect(baseUrl).toMatch(/^https:/);
  const { hostname, port } = new URL(baseUrl);
  const connections = (options: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: "api.xero.com", authorization: `Bearer ${token}` };
      const at = { hostname, port, path: "/connections", headers, servername: "api.xero.com" };
      get({ ...at, ...options }, ({ statusCode }) => resolve(statusCode)).on("error", reject);
    });
  await expect(connections({})).rejects.toThrow(/certificate/);
  expect(await connections({ ca: readFileSync(ca) })).toBe(200);
  const trusted = { NODE_EXTRA_CA_CERTS: ca };
  const { file, url, end } = await recording("cloud", baseUrl, token, tenant, trusted);
  for (const Name of ["Ann", "Ben"]) {
    const body = JSON.stringify({ Name });
    expect((await fetch(`${url}/Contacts`, { method: "PUT", headers: json, body })).status).toBe(
      200,
    );
  }
  await fetch(`${url}/Invoices?where=Date%3D%3D%222026-03-01%22`, { headers: json });
  await end();
  const own = { ACCT_TOKEN: token, ACCT_TENANT: tenant };
  const at = ["--base-url", baseUrl, "--mask", "Contacts[].Name"];
  const untrusted = desk.acct(["compare", file, ...at], own);
  expect(untrusted).toMatchObject({ status: 6, stdout: "" });
  // Contacts of these names are there by now.
  expect(desk.acct(["compare", file, ...at], { ...own, ...trusted }).status).toBe(7);
  expect(desk.acct(["compare", file])).toEqual({
    status: 0,
    stdout: "",
    stderr: "0 differences in 3 exchanges.\n",
  });
});

test("what is no recording is refused, and a file that is there is not written over", async () => {
  const file = join(desk.home, "notes");
  writeFileSync(file, "{}\nnotes");
  expect(desk.acct(["compare", file])).toMatchObject({ status: 5, stdout: "" });
  const words = ["record", file, "--base-url", "http://127.0.0.1:1/api.xro/2.0"];
  expect(desk.acct(words, { ACCT_TOKEN: "t" })).toMatchObject({ status: 2 });
  expect(readFileSync(file, "utf8")).toBe("{}\nnotes");
  expect(desk.acct(["record", join(desk.home, "new"), "--demo"])).toMatchObject({ status: 2 });
});

test("a port that is taken leaves no file, and where nothing may be changed a write is not passed on", async () => {
  await using server = createServer((_request, answer) => void answer.end("{}")).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/api.xro/2.0`;
  const file = join(desk.home, "taken");
  const more = { ACCT_TOKEN: "t" };
  const words = ["record", file, "--base-url", base, "--port", String(port)];
  expect(desk.acct(words, more)).toMatchObject({ status: 6, stdout: "" });
  expect(existsSync(file)).toBe(false);
  const { url, end } = await recording("read-only", base, "t", "", { ACCT_READ_ONLY: "1" });
  expect((await fetch(`${url}/Contacts`)).status).toBe(200);
  expect((await fetch(`${url}/Contacts`, { method: "PUT", body: "{}" })).status).toBe(403);
  await end();
});

test("no secret stands in a recording, wherever it was sent or answered", async () => {
  const secret = "s3cr3t-m4rk";
  const service = createServer((request, answer) => {
    request.resume().once("end", () => {
      const head = { "content-type": "application/json", "set-cookie": `a=${secret}` };
      answer.writeHead(200, { ...head, "x-own": secret, "www-authenticate": `Basic ${secret}` });
      answer.end(JSON.stringify({ access_token: secret, refresh_token: secret, Name: "Shop" }));
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void service.close());
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/api.xro/2.0`;
  const tenant = "33333333-3333-4333-8333-333333333333";
  const { file, url, end } = await recording("secrets", base, secret, tenant);
  const headers = {
    ...json,
    authorization: `Bearer ${secret}`,
    cookie: `a=${secret}`,
    "x-api-key": secret,
    "proxy-authorization": secret,
  };
  await fetch(`${url}/Invoices?access_token=${secret}&page=1`, { headers });
  await fetch(`${url}/Contacts`, { headers: json });
  const body = JSON.stringify({ client_secret: secret, Name: "Shop" });
  await fetch(`${url}/Contacts`, { method: "PUT", headers, body });
  const origin = new URL(url).origin;
  for (const path of ["/connect/token", `/identity/connect/authorize?code=${secret}`]) {
    const { status } = await fetch(`${origin}${path}`, { method: "POST", headers, body });
    expect(status).toBe(404);
  }
  await end();
  const text = readFileSync(file, "utf8");
  expect(text.match(/"method"/g)).toHaveLength(3);
  expect(text).toContain('"xero-tenant-id":"T1"');
  expect(text).toContain("Shop");
  expect(text).not.toContain(secret);
  expect(text).not.toContain(tenant);
});
