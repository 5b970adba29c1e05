/** Pages of the books on a server, within the permissions of the user's role. */
import { createClient } from "../client/client.ts";
import { html } from "../output/markup.ts";
import { NotFoundError, RefusedError } from "../resources/errors.ts";
import { readId } from "../resources/scalar.ts";
import { routeFor } from "../service/api/routing.ts";
import { createService } from "../service/api/service.ts";
import type { BrowserSession } from "../service/auth/browser-sessions.ts";
import type { Book } from "../service/books/book.ts";
import type { BrowserRequest } from "../service/http/browser.ts";
import type { Principal } from "../service/request/context.ts";
import { isPermitted } from "../service/request/permissions.ts";
import { organisationRoles } from "../service/request/scopes.ts";
import type { PagesHost } from "../service/server/serve.ts";
import type { RequestInfo, ServiceResponse, Transport } from "../wire/http.ts";
import { accountPath, yourBooks } from "./account/account-router.ts";
import { answerPage } from "./books/answer-page.ts";
import type { Site } from "./books/context.ts";
import { seeOther } from "./frame/headers.ts";
import { messagePage, noticePage } from "./frame/message.ts";

export const booksPath = "/books";
export const administrationPath = "/admin";
export const signOutPath = "/sign-out";

/**
 * Redirects to the books of the user's only organisation, or lets the user choose one of several.
 *
 * @param onward  address within the books
 */
export async function chooseBooks(
  host: PagesHost,
  session: BrowserSession,
  onward: string,
): Promise<ServiceResponse> {
  const nameByTenant = await host.namesOf(session.memberships.map(({ tenant }) => tenant));
  const [only, ...others] = nameByTenant.keys();
  if (only !== undefined && others.length === 0) return seeOther(`${booksPath}/${only}${onward}`);
  const title = nameByTenant.size === 0 ? "There are no books for you here" : "Which books?";
  const sorted = [...nameByTenant].sort(([, a], [, b]) => a.localeCompare(b));
  const links = sorted.map(
    ([tenant, name]) =>
      html`<li><a href="${`${booksPath}/${tenant}${onward}`}">${name}</a></li>
`,
  );
  const list =
    nameByTenant.size === 0
      ? html`<p>You work for no organisation on this server.</p>`
      : html`<ul>
${links}</ul>`;
  const body = html`<h1>${title}</h1>
<p>You are signed in as <strong>${session.person.name}</strong>.</p>
${list}
<p><a href="${accountPath}">Your account</a></p>
<form method="post" action="${signOutPath}"><input type="hidden" name="token" value="${session.formToken}">
<p><button class="plain">Sign out</button></p></form>`;
  return messagePage(200, { title, body });
}

export async function answerInBooks(
  host: PagesHost,
  request: BrowserRequest,
  session: BrowserSession,
): Promise<ServiceResponse> {
  const [, , segment = "", ...rest] = request.path.split("/");
  const tenant = readId(segment);
  const membership = session.memberships.find((membership) => membership.tenant === tenant);
  if (tenant === undefined || membership === undefined) return noBooks();
  const path = `/${rest.join("/")}`;
  if (request.path === `${booksPath}/${segment}`) return seeOther(`${booksPath}/${tenant}/`);
  const basePath = `${booksPath}/${tenant}`;
  const info = infoOf(host, request);
  const report = (error: unknown) =>
    host.report(error, { method: request.method, path: basePath, query: [], headers: {} });
  try {
    return await host.byBook(tenant, (book) =>
      answerPage(
        siteOf(host, book, session, membership.role, { base: basePath, info }),
        { ...request, path },
        report,
      ),
    );
  } catch (error) {
    if (error instanceof NotFoundError) return noBooks();
    throw error;
  }
}

/** Request facts that are passed to the service. */
export function infoOf({ trusts }: PagesHost, { from }: BrowserRequest): RequestInfo {
  const { address, requestId = "" } = from(trusts);
  return {
    id: requestId,
    address,
    through: "BROWSER",
  };
}

export const noBooks = () =>
  noticePage(404, "There are no such books", "You do not work for such an organisation here.", [
    yourBooks,
  ]);

export function siteOf(
  { clock }: PagesHost,
  book: Book,
  session: BrowserSession,
  role: keyof typeof organisationRoles,
  { base, info }: { readonly base: string; readonly info: RequestInfo },
): Site {
  const { person, formToken, memberships } = session;
  const principal = principalOf(book, session, role);
  const { dependencies: surroundings } = book;
  const { transport: handle } = createService({
    ...surroundings,
    authenticate: () => principal,
    responseId: surroundings.newId,
  });
  const transport: Transport = (serviceRequest) => handle({ ...serviceRequest, info: { ...info } });
  return {
    client: createClient(transport, { unitDecimals: 4, rollsBack: true }),
    base,
    clock,
    allows: (method, path) => isAllowed(principal, method, path),
    formToken,
    person: {
      name: person.name,
      account: accountPath,
      ...(role === "adviser"
        ? { administration: `${administrationPath}/${book.tenant}/people` }
        : {}),
      signOut: signOutPath,
      ...(memberships.length > 1 ? { others: "/" } : {}),
    },
  };
}

/** The signed-in user, as whom the pages of a book send their requests. */
export function principalOf(
  { org, tenant }: Book,
  { person }: BrowserSession,
  role: keyof typeof organisationRoles,
): Principal {
  return {
    ...{ org, tenant, app: "acct", appName: "acct" },
    ...{ user: person.name, email: person.email, isPerson: true, scopes: "all" },
    ...organisationRoles[role],
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
