/**
 * What libraries send whose languages need not be installed here, as their sources make it, and what
 * they read of the answers.
 *
 * @source XeroAPI/xero-ruby lib/xero-ruby/api_client.rb; XeroAPI/xero-php-oauth2 examples/callback.php
 * with league/oauth2-client; waynerobinson/xeroizer lib/xeroizer/http.rb
 */
import { expect, test } from "vitest";
import { Browser, desk, employ } from "../service/auth/served.ts";

const redirect_uri = "http://localhost:3000/callback";
const scope =
  "openid profile email offline_access accounting.transactions accounting.contacts accounting.settings";

/** How a library signs in, and what it sends of an invoice to create. */
interface Library {
  /** Parameters of the page beyond those that each sends. */
  readonly page: Readonly<Record<string, string>>;
  /** Whether the app proves itself by Basic, or else in the form. */
  readonly isBasic: boolean;
  /** What a renewal sends beyond the token. */
  readonly renewal: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: { readonly type: string; readonly body: string };
  /** What it takes the number of the made invoice from. */
  readonly number: RegExp;
}

const line = { Description: "Work", Quantity: 2, UnitAmount: 50, AccountCode: "200" };
const xml = `<Invoice><Type>ACCREC</Type><Contact><Name>Somebody New</Name></Contact><Date>2026-03-01</Date>
  <DueDate>2026-03-20</DueDate><LineItems><LineItem><Description>Work</Description><Quantity>2</Quantity>
  <UnitAmount>50</UnitAmount><AccountCode>200</AccountCode></LineItem></LineItems></Invoice>`;
const json = (dates: object) =>
  JSON.stringify({
    Invoices: [{ Type: "ACCREC", Contact: { Name: "Somebody New" }, LineItems: [line], ...dates }],
  });
const inJson = /"InvoiceNumber":"([^"]+)"/;

const libraries: Readonly<Record<string, Library>> = {
  "xero-ruby": {
    page: {},
    isBasic: true,
    renewal: {},
    headers: { accept: "application/json", "content-type": "application/json" },
    create: {
      type: "application/json",
      body: json({ Date: "2026-03-01", DueDate: "2026-03-20" }),
    },
    number: inJson,
  },
  "xero-php-oauth2": {
    page: { state: "s", approval_prompt: "auto" },
    isBasic: false,
    renewal: { redirect_uri },
    headers: { accept: "application/json" },
    create: {
      type: "application/json",
      body: json({ Date: "2026-03-01T00:00:00+00:00", DueDate: "2026-03-20T00:00:00+00:00" }),
    },
    number: inJson,
  },
  xeroizer: {
    page: { state: "s" },
    isBasic: true,
    renewal: {},
    headers: { charset: "utf-8" },
    create: {
      type: "application/x-www-form-urlencoded",
      body: String(new URLSearchParams({ xml })),
    },
    number: /<InvoiceNumber>([^<]+)</,
  },
};

test.each(Object.entries(libraries))(
  "what %s sends signs in, renews, creates, updates and prints",
  async (_name, { page, isBasic, renewal, headers, create, number }) => {
    const at = await desk({ pkceOptional: true, newContacts: true });
    await employ(at);
    const made = { name: "Shop", kind: "web", redirectUris: [redirect_uri] } as const;
    const { id: client_id, secret: client_secret } = await at.app(made);
    const query = new URLSearchParams({ response_type: "code", client_id, redirect_uri, scope });
    for (const [name, value] of Object.entries(page)) query.set(name, value);
    const browser = new Browser(at.origin);
    const asked = await browser.open(`${at.origin}/identity/connect/authorize?${query}`);
    const back = new URL((await browser.allow(await browser.signIn(asked))).url);
    const code = back.searchParams.get("code") ?? "";

    const basic = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
    const token = async (form: Readonly<Record<string, string>>) => {
      const own = isBasic ? form : { ...form, client_id, client_secret };
      const proof = isBasic ? { authorization: `Basic ${basic}` } : undefined;
      const { status, json } = await at.post("/connect/token", own, proof);
      expect(status).toBe(200);
      return json;
    };
    const first = await token({ grant_type: "authorization_code", code, redirect_uri });
    const { refresh_token } = first;
    const { access_token } = await token({
      grant_type: "refresh_token",
      refresh_token,
      ...renewal,
    });
    const authorization = `Bearer ${access_token}`;
    const connections = await fetch(`${at.origin}/connections`, { headers: { authorization } });
    const [{ tenantId }] = (await connections.json()) as [{ tenantId: string }];

    const signed = { ...headers, authorization, "xero-tenant-id": tenantId };
    const ask = async (method: string, path: string, more: object = {}, body?: string) => {
      const sent = { method, headers: { ...signed, ...more }, ...(body && { body }) };
      const answer = await fetch(`${at.origin}/api.xro/2.0${path}`, sent);
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const type = { "content-type": create.type };
    const [, called = ""] = number.exec(await ask("PUT", "/Invoices", type, create.body)) ?? [];
    expect(called).not.toBe("");
    const changed = await ask("POST", `/Invoices/${called}`, type, create.body);
    expect(number.exec(changed)?.[1]).toBe(called);
    expect(await ask("GET", "/Invoices?page=1")).toMatch(number);
    expect(await ask("GET", `/Invoices/${called}`, { accept: "application/pdf" })).toMatch(
      /^%PDF-/,
    );
  },
);
