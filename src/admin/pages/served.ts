/**
 * The books in the browsers of people who sign in to a server, below `/books/{OrganisationID}`.
 *
 * Pages ask the service as the person: what their role does not permit is refused there. A guard
 * stands before all of them: it knows the person by a cookie, and takes forms of its own pages alone.
 */
import { createClient } from "../../client/client.ts";
import { escapeHtml } from "../../output/html/markup.ts";
import { page, pagePolicy } from "../../output/html/page.ts";
import { answerPage, pageHeaders, privateHeaders, refusedPage } from "../../pages/answer.ts";
import type { Site } from "../../pages/visit.ts";
import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import { inBrowser } from "../../service/audit/actors.ts";
import {
  type BrowserSession,
  beginBrowserSession,
  browserSession,
  endSessions,
} from "../../service/auth/browser-sessions.ts";
import { organisationRoles } from "../../service/auth/scopes.ts";
import { signInPage } from "../../service/auth/sign-in/pages.ts";
import { signIn, waitText } from "../../service/auth/sign-in/passwords-tried.ts";
import type { Book } from "../../service/books/book.ts";
import { answerBrowser, type BrowserRequest } from "../../service/http/browser.ts";
import type { AnswerPages, PagesHost } from "../../service/http/serve.ts";
import type { Principal } from "../../service/request/context.ts";
import { isPermitted } from "../../service/request/permissions.ts";
import { routeFor } from "../../service/request/routing.ts";
import { createService } from "../../service/request/service.ts";
import type { RequestInfo, ServiceResponse, Transport } from "../../wire/http.ts";

const booksPath = "/books";
const signInPath = "/sign-in";
const signOutPath = "/sign-out";

export function servedPages(host: PagesHost): AnswerPages {
  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    const isOurs =
      path === "/" || path === signInPath || path === signOutPath || isBelow(path, booksPath);
    if (!isOurs) return undefined;
    return answerBrowser(incoming, outgoing, (request) =>
      answer(host, request).catch((error: unknown) => {
        host.report(error, { method: request.method, path: booksPath, query: [], headers: {} });
        return refusedPage(500, "This did not work", "It has been reported; try again later.");
      }),
    );
  };
}

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

async function answer(host: PagesHost, request: BrowserRequest): Promise<ServiceResponse> {
  const { method, path } = request;
  const home = addressAtHome(host, request);
  if (home !== undefined) return goTo(home);
  if (method === "POST" && request.origin !== new URL(host.origin()).origin) {
    return refusedPage(403, "This did not work", "The form was sent from another page.");
  }
  if (path === signInPath)
    return method === "POST" ? trySignIn(host, request) : showSignIn(request);
  const secret = request.cookies.get(cookieName(host));
  const session = secret === undefined ? undefined : await browserSession(host, secret);
  if (secret === undefined || session === undefined) return toSignIn(request);
  if (path === signOutPath) return signOut(host, request, session);
  if (path === "/" || path === booksPath) return chooseBooks(host, session);
  return answerInBooks(host, request, session);
}

// --- addresses ---------------------------------------------------------------------------------

/** Says in an address that the browser has been sent there from another name. */
const sentOn = "sent_on";

/**
 * Where a browser goes on that calls this server by another name than its own: cookies are of one
 * name. Once only, since a proxy that hides the name would send it on for ever.
 */
function addressAtHome(
  { origin }: PagesHost,
  { method, host, path, query }: BrowserRequest,
): string | undefined {
  const isElsewhere = method === "GET" && host !== new URL(origin()).host;
  if (!isElsewhere || query.has(sentOn)) return undefined;
  const asked = new URLSearchParams([...query, [sentOn, "1"]]);
  return `${origin()}${path}?${asked}`;
}

function goTo(location: string, cookie?: string): ServiceResponse {
  const headers: Record<string, string> = { ...privateHeaders, location };
  if (cookie !== undefined) headers["set-cookie"] = cookie;
  return { status: 303, headers, body: "" };
}

/** The address within these pages that somebody is led to; the first page for any other. */
function onward(text: string | null): string {
  const isOurs = text !== null && /^\/books\/[^\\\s#]*$/.test(text) && text.length <= onwardMax;
  return isOurs ? text : "/";
}

const onwardMax = 8_000;

function toSignIn({ method, path, query }: BrowserRequest): ServiceResponse {
  const search = String(query);
  const to = method === "GET" ? onward(search === "" ? path : `${path}?${search}`) : "/";
  return goTo(to === "/" ? signInPath : `${signInPath}?${new URLSearchParams({ to })}`);
}

// --- signing in and out ------------------------------------------------------------------------

/** Under TLS no other name and no other path can set it. */
function cookieName({ origin }: PagesHost): string {
  return origin().startsWith("https:") ? "__Host-acct_books" : "acct_books";
}

function cookieOf(host: PagesHost, value: string, more = ""): string {
  const secure = host.origin().startsWith("https:") ? "; Secure" : "";
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`;
}

interface SignInFault {
  readonly email: string;
  readonly fault: string;
  readonly status: 400 | 429;
}

function showSignIn(_request: BrowserRequest, wrong?: SignInFault): ServiceResponse {
  const { email = "", fault, status = 200 } = wrong ?? {};
  return plainPage(status, signInPage({ app: "the books", proof: "", email, fault }));
}

function plainPage(status: number, body: string): ServiceResponse {
  const headers = {
    ...pageHeaders,
    "content-security-policy": `${pagePolicy()}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
  return { status, headers, body };
}

async function trySignIn(host: PagesHost, request: BrowserRequest): Promise<ServiceResponse> {
  const { directory, clock, isProxied } = host;
  const form = request.form ?? new URLSearchParams();
  const email = form.get("email") ?? "";
  const password = form.get("password") ?? "";
  const origin = request.from(isProxied);
  const { person, ...refused } = await signIn(directory, clock, { email, password, origin });
  if (person !== undefined) {
    const from = { address: origin.address, agent: request.agent };
    const secret = await beginBrowserSession(host, person.id, from);
    return goTo(onward(request.query.get("to")), cookieOf(host, secret));
  }
  const waitMs = "waitMs" in refused ? refused.waitMs : 0;
  if (waitMs === 0) {
    const fault = "The email address or the password is not right.";
    return showSignIn(request, { email, fault, status: 400 });
  }
  const shown = showSignIn(request, { email, fault: waitText(waitMs), status: 429 });
  const headers = { ...shown.headers, "retry-after": String(Math.ceil(waitMs / 1000)) };
  return { ...shown, headers };
}

async function signOut(
  host: PagesHost,
  { method, form, from }: BrowserRequest,
  { id, person, formToken }: BrowserSession,
): Promise<ServiceResponse> {
  if (method !== "POST" || form?.get("token") !== formToken) return goTo("/");
  const by = inBrowser(person, from(host.isProxied));
  await endSessions(host, { person, by }, { id });
  return goTo(signInPath, cookieOf(host, "", "; Max-Age=0"));
}

// --- the books -----------------------------------------------------------------------------------

/** The books of the one organisation that somebody works for; a choice where there are several. */
async function chooseBooks(host: PagesHost, session: BrowserSession): Promise<ServiceResponse> {
  const names = await host.namesOf(session.memberships.map(({ tenant }) => tenant));
  const [only, ...others] = names.keys();
  if (only !== undefined && others.length === 0) return goTo(`${booksPath}/${only}/`);
  const title = names.size === 0 ? "There are no books for you here" : "Which books?";
  const sorted = [...names].sort(([, a], [, b]) => a.localeCompare(b));
  const links = sorted.map(
    ([tenant, name]) => `<li><a href="${booksPath}/${tenant}/">${escapeHtml(name)}</a></li>`,
  );
  const list =
    names.size === 0
      ? "<p>You work for no organisation on this server.</p>"
      : `<ul>\n${links.join("\n")}\n</ul>`;
  const body = `<h1>${title}</h1>
<p>You are signed in as <strong>${escapeHtml(session.person.name)}</strong>.</p>
${list}
<form method="post" action="${signOutPath}"><input type="hidden" name="token" value="${session.formToken}">
<p><button class="plain">Sign out</button></p></form>`;
  return plainPage(200, page(title, body));
}

async function answerInBooks(
  host: PagesHost,
  request: BrowserRequest,
  session: BrowserSession,
): Promise<ServiceResponse> {
  const [, , segment = "", ...rest] = request.path.split("/");
  const tenant = readId(segment);
  const membership = session.memberships.find((each) => each.tenant === tenant);
  if (tenant === undefined || membership === undefined) return noBooks();
  const path = `/${rest.join("/")}`;
  if (request.path === `${booksPath}/${segment}`) return goTo(`${booksPath}/${tenant}/`);
  const base = `${booksPath}/${tenant}`;
  const info = infoOf(host, request);
  const report = (error: unknown) =>
    host.report(error, { method: request.method, path: base, query: [], headers: {} });
  try {
    return await host.byBook(tenant, (book) =>
      answerPage(
        siteOf(host, book, session, membership.role, { base, info }),
        { ...request, path },
        report,
      ),
    );
  } catch (error) {
    if (error instanceof NotFoundError) return noBooks();
    throw error;
  }
}

/** What the service is told of a request for a page. */
function infoOf({ isProxied }: PagesHost, { from }: BrowserRequest): RequestInfo {
  const { address, requestId = "" } = from(isProxied);
  return {
    id: requestId,
    address,
    through: "BROWSER",
    route: undefined,
    app: undefined,
    organisation: undefined,
    code: undefined,
    chaos: undefined,
  };
}

const noBooks = () =>
  refusedPage(404, "There are no such books", "You do not work for such an organisation here.");

function siteOf(
  { clock }: PagesHost,
  book: Book,
  session: BrowserSession,
  role: keyof typeof organisationRoles,
  { base, info }: { readonly base: string; readonly info: RequestInfo },
): Site {
  const { person, formToken, memberships } = session;
  const principal: Principal = {
    org: book.org,
    tenant: book.tenant,
    app: "acct",
    appName: "acct",
    user: person.name,
    email: person.email,
    scopes: "all",
    ...organisationRoles[role],
  };
  const { surroundings } = book;
  const { handle } = createService({
    ...surroundings,
    authenticate: () => principal,
    responseId: surroundings.newId,
  });
  const asked: Transport = (each) => handle({ ...each, info: { ...info } });
  return {
    client: createClient(asked, { unitDecimals: 4, rollsBack: true }),
    base,
    clock,
    allows: (method, path) => isAllowed(principal, method, path),
    formToken,
    person: {
      name: person.name,
      signOut: signOutPath,
      ...(memberships.length > 1 ? { others: "/" } : {}),
    },
  };
}

function isAllowed(principal: Principal, method: "GET" | "POST", path: string): boolean {
  try {
    return isPermitted(principal, routeFor(method, path).route);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof RefusedError) return false;
    throw error;
  }
}
