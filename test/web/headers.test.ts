/** One list of headers for the pages of all rooms: a customer's, sign-in, books, account, administration. */
import { expect, onTestFinished, test } from "vitest";
import { openLoopback } from "../../src/client/session/loopback.ts";
import { routes } from "../../src/web/books/routes.ts";
import { authoriseUrl, type Desk, desk, employ } from "../service/auth/served.ts";
import { contact, sale } from "../service/fixture.ts";
import { atPages } from "./office.ts";

/** Headers of every page. */
const common = {
  "cache-control": "private, no-store",
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow, noarchive",
};

/** The policy of a page. @param loads  beside nothing @param sendsTo  beside its own server */
const policy = (loads: string, sendsTo = "") =>
  `default-src 'none'; ${loads}; form-action 'self'${sendsTo}; base-uri 'none'; frame-ancestors 'none'`;
const ownStyle = "style-src 'sha256-'";
const booksPolicy = policy(
  "style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:",
);

/** The headers that pages decide, without the digest of a style. */
function decided(headers: Headers): Record<string, string> {
  const names = [...Object.keys(common), "content-security-policy"];
  return Object.fromEntries(
    names.map((name) => [name, headers.get(name)?.replace(/'sha256-[^']+'/, "'sha256-'") ?? ""]),
  );
}

const filled = (path: string) => path.replace(/\{[^}]+\}/g, "100");

async function server(): Promise<Desk> {
  const at = await desk({ hasPages: true });
  await employ(at);
  return at;
}

test("pages of books, account and administration have the common security headers, whether found or not", async () => {
  const at = await server();
  const { see } = await atPages(at);
  const { tenant } = at.given.book;
  const addresses = [
    ...routes.map(({ path }) => `/books/${tenant}${filled(path)}`),
    "/me",
    "/me/apps/100",
    ...["people", "apps", "webhooks", "audit"].flatMap((part) => [
      `/admin/${tenant}/${part}`,
      `/admin/${tenant}/${part}/100`,
    ]),
  ];
  for (const address of addresses) {
    const expected = { ...common, "content-security-policy": booksPolicy };
    expect([address, decided((await see(address)).headers)]).toEqual([address, expected]);
  }
});

test("message pages have the security headers, and sign-in forms may redirect to the app", async () => {
  const at = await server();
  const redirect = "https://till.example/back";
  const { id } = await at.app({ name: "Till", kind: "pkce", redirectUris: [redirect] });
  const asked = { client_id: id, redirect_uri: redirect, scope: "openid" };
  const message = policy(ownStyle);
  const signIn = policy(ownStyle, " https://till.example");
  const { see, browser } = await atPages(at);
  const form = await browser.open(authoriseUrl(at, asked));
  for (const [expected, { headers }] of [
    [message, await see("/books/100")],
    [message, await see("/admin/100")],
    [message, await see("/nowhere")],
    [message, await see("/identity/connect/authorize?client_id=none")],
    [message, await browser.open(`${at.origin}/identity/sign-in/none`)],
    [signIn, form],
    [signIn, await browser.signIn(form)],
  ] as const) {
    expect(decided(headers)).toEqual({ ...common, "content-security-policy": expected });
  }
  expect(decided((await fetch(`${at.origin}/sign-in`)).headers)).toEqual({
    ...common,
    "content-security-policy": message,
  });
});

test("pages whose address is a secret have security headers that send no referrer", async () => {
  const at = await server();
  const customer = await contact(at.given, { Name: "Quay" });
  const body = sale(customer, { Status: "AUTHORISED" });
  const [{ InvoiceID }] = (await at.given.ok("PUT", "/Invoices", body)).Invoices;
  const { OnlineInvoices } = await at.given.ok("GET", `/Invoices/${InvoiceID}/OnlineInvoice`);
  const { pathname } = new URL(OnlineInvoices[0].OnlineInvoiceUrl);
  const loopback = await openLoopback("http://127.0.0.1:0/back", () => false);
  onTestFinished(() => loopback.close());
  const secret = { ...common, "referrer-policy": "no-referrer" };
  const ofCustomers = policy(`${ownStyle}; img-src 'self'`);
  for (const [address, expected] of [
    [at.origin + pathname, ofCustomers],
    [`${at.origin}${pathname}x`, ofCustomers],
    [loopback.redirectUri, policy(ownStyle)],
    [`${loopback.redirectUri}x`, policy(ownStyle)],
  ] as const) {
    const { headers } = await fetch(address);
    expect(decided(headers)).toEqual({ ...secret, "content-security-policy": expected });
  }
});
