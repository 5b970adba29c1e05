/**
 * Pages of a server for users who sign in: the books of their organisations below
 * `/books/{OrganisationID}`, their account at `/me`, and for advisers the administration of each
 * organisation below `/admin/{OrganisationID}`.
 *
 * A check precedes all of them: it identifies the user by a cookie, and accepts only forms of its
 * own pages.
 */

import { NotFoundError } from "../resources/errors.ts";
import { readId } from "../resources/scalar.ts";
import { browserActor } from "../service/audit/actors.ts";
import {
  type BrowserSession,
  beginBrowserSession,
  browserSession,
  endSessions,
} from "../service/auth/browser-sessions.ts";
import { lacksSecondFactor } from "../service/auth/second-factor.ts";
import { type FormShown, signInByForm } from "../service/auth/sign-in/sign-in-by-form.ts";
import {
  answerBrowser,
  type BrowserRequest,
  cookieLine,
  cookieName,
} from "../service/http/browser.ts";
import type { AnswerPages, PagesHost } from "../service/server/serve.ts";
import type { ServiceResponse } from "../wire/http.ts";
import {
  type AccountContext,
  accountPath,
  sessionCookie,
  yourBooks,
} from "./account/account-router.ts";
import { organisationAt } from "./books/context.ts";
import { isPage } from "./books/routes.ts";
import { seeOther } from "./frame/headers.ts";
import { messagePage, noticePage } from "./frame/message.ts";
import {
  administrationPath,
  answerInBooks,
  booksPath,
  chooseBooks,
  infoOf,
  noBooks,
  principalOf,
  signOutPath,
  siteOf,
} from "./served-books.ts";
import { signInPage } from "./sign-in/sign-in-pages.ts";

const signInPath = "/sign-in";

export function servedPages(host: PagesHost): AnswerPages {
  return (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    const isOurs =
      path === "/" ||
      path === signInPath ||
      path === signOutPath ||
      [booksPath, accountPath, administrationPath].some((root) => isUnder(path, root)) ||
      isPage(path);
    if (!isOurs) return undefined;
    return answerBrowser(incoming, outgoing, (request) =>
      answer(host, request).catch((error: unknown) => {
        host.report(error, { method: request.method, path: booksPath, query: [], headers: {} });
        return noticePage(500, "This did not work", "It has been reported; try again later.", [
          yourBooks,
        ]);
      }),
    );
  };
}

const withQuery = ({ path, query }: BrowserRequest) =>
  query.size === 0 ? path : `${path}?${query}`;

const isUnder = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

async function answer(host: PagesHost, request: BrowserRequest): Promise<ServiceResponse> {
  const { method, path } = request;
  const home = addressAtHome(host, request);
  if (home !== undefined) return seeOther(home);
  if (method === "POST" && request.origin !== new URL(host.origin()).origin) {
    return noticePage(403, "This did not work", "The form was sent from another page.", [
      yourBooks,
    ]);
  }
  if (path === signInPath) return method === "POST" ? trySignIn(host, request) : showSignIn();
  const secret = request.cookies.get(cookieName(host.origin(), sessionCookie));
  const session = secret === undefined ? undefined : await browserSession(host, secret);
  if (secret === undefined || session === undefined) return toSignIn(request);
  if (path === signOutPath) return signOut(host, request, session);
  const setUpPath = `${accountPath}/second-factor`;
  if (
    path !== setUpPath &&
    (await lacksSecondFactor(host.directory, host.secondFactor, session.person))
  ) {
    return seeOther(setUpPath);
  }
  // Addresses of `acct view` name no organisation; they redirect to the user's books.
  if (path === "/" || path === booksPath) return chooseBooks(host, session, "/");
  if (isPage(path)) return chooseBooks(host, session, withQuery(request));
  if (isUnder(path, accountPath)) return answerAtAccount(host, request, session);
  if (isUnder(path, administrationPath)) return answerAdministration(host, request, session);
  return answerInBooks(host, request, session);
}

// --- account and administration ----------------------------------------------------------------

async function answerAtAccount(
  host: PagesHost,
  request: BrowserRequest,
  session: BrowserSession,
): Promise<ServiceResponse> {
  const { accountPages } = await import("./account/account.ts");
  const ctx = contextOf(host, request, session);
  return accountPages(ctx, request.path.slice(accountPath.length));
}

function contextOf(
  host: PagesHost,
  request: BrowserRequest,
  session: BrowserSession,
): AccountContext {
  const { query, form } = request;
  return {
    host,
    request,
    session,
    query,
    form,
    formToken: session.formToken,
    trail: [],
    by: browserActor(session.person, request.from(host.trusts)),
    base: accountPath,
    owner: { name: "acct", href: "/" },
    tabs: [],
    faults: [],
  };
}

/** Answers requests for administration pages, which exist only for advisers of the organisation. */
async function answerAdministration(
  host: PagesHost,
  request: BrowserRequest,
  session: BrowserSession,
): Promise<ServiceResponse> {
  const [, , segment = "", ...rest] = request.path.split("/");
  const advised = session.memberships.filter(({ role }) => role === "adviser");
  if (segment === "") {
    const [only, ...others] = advised;
    const [own] = session.memberships;
    if (only === undefined) return own === undefined ? noBooks() : noAdviser(own.role);
    return seeOther(
      others.length > 0 ? accountPath : `${administrationPath}/${only.tenant}/people`,
    );
  }
  const ownMembership = session.memberships.find(({ tenant }) => tenant === readId(segment));
  const membership = advised.find(({ tenant }) => tenant === ownMembership?.tenant);
  if (ownMembership !== undefined && membership === undefined) return noAdviser(ownMembership.role);
  if (membership === undefined) return noBooks();
  const { tenant, role } = membership;
  const base = `${administrationPath}/${tenant}`;
  if (rest.join("") === "") return seeOther(`${base}/people`);
  try {
    return await host.byBook(tenant, async (book) => {
      const { administrationPages, administrationTabs } = await import(
        "./administration/administration.ts"
      );
      if (request.method === "POST") {
        const { boundsOf, isUnlimited: isFree } = await import("../service/plans/policy.ts");
        const caller = principalOf(book, session, role);
        const bounds = await boundsOf(book.dependencies, caller, { headers: {} });
        if (bounds !== undefined && !isFree(bounds)) return boundByPolicy();
      }
      const ctx = contextOf(host, request, session);
      const { by } = ctx;
      const { directory, clock } = host;
      const { client } = siteOf(host, book, session, role, { base, info: infoOf(host, request) });
      const { store, org } = book;
      const newId = () => process.getBuiltinModule("node:crypto").randomUUID();
      const nameByTenant = await host.namesOf([tenant]);
      return administrationPages(
        {
          ...ctx,
          base,
          owner: { name: nameByTenant.get(tenant) ?? "Books", href: `${booksPath}/${tenant}/` },
          tabs: administrationTabs,
          book,
          client,
          timezone: (await organisationAt({ client })).Timezone,
          staff: { directory, store, org, tenant, clock, newId, by },
          registry: { directory, tenant, clock, by },
        },
        `/${rest.join("/")}`,
      );
    });
  } catch (error) {
    if (error instanceof NotFoundError) return noBooks();
    throw error;
  }
}

const boundByPolicy = () =>
  noticePage(
    403,
    "You may not change this",
    "A policy binds what you write, so people, apps and settings are changed by another adviser.",
    [yourBooks],
  );

const noAdviser = (role: string) =>
  noticePage(
    403,
    "You may not see this",
    `People, apps and settings are for those with the role adviser, and yours is ${role}: ask one of them.`,
    [yourBooks],
  );

// --- addresses ---------------------------------------------------------------------------------

/** Query parameter that marks a redirect from another host name. */
const sentOn = "sent_on";

/**
 * Address to redirect to when the browser used another host name than the server's own, since
 * cookies belong to one name. The redirect happens only once: behind a proxy that hides the name it
 * would repeat for ever.
 */
function addressAtHome(
  { origin }: PagesHost,
  { method, host, path, query }: BrowserRequest,
): string | undefined {
  const isElsewhere = method === "GET" && host !== new URL(origin()).host;
  if (!isElsewhere || query.has(sentOn)) return undefined;
  const parameters = new URLSearchParams([...query, [sentOn, "1"]]);
  return `${origin()}${path}?${parameters}`;
}

/**
 * Address within these pages to continue at after sign-in; the first page where the text is not
 * such an address.
 */
function safeReturnPath(text: string | null): string {
  const [path = ""] = text?.split("?", 1) ?? [];
  const isKnown = /^\/(books|me|admin)(\/|$)/.test(path) || isPage(path);
  const isOurs = text !== null && isKnown && /^[^\\\s#]{1,8000}$/.test(text);
  return isOurs ? text : "/";
}

function toSignIn(request: BrowserRequest): ServiceResponse {
  const to = request.method === "GET" ? safeReturnPath(withQuery(request)) : "/";
  return seeOther(to === "/" ? signInPath : `${signInPath}?${new URLSearchParams({ to })}`);
}

// --- signing in and out ------------------------------------------------------------------------

function showSignIn(formShown: Partial<FormShown> = {}, status = 200): ServiceResponse {
  return messagePage(status, signInPage({ email: "", ...formShown, app: "the books", proof: "" }));
}

async function trySignIn(host: PagesHost, request: BrowserRequest): Promise<ServiceResponse> {
  const origin = request.from(host.trusts);
  const outcome = await signInByForm(host, request.form ?? new URLSearchParams(), origin);
  if (outcome.person === undefined) {
    const page = showSignIn(outcome.formShown, outcome.status);
    return { ...page, headers: { ...page.headers, ...outcome.headers } };
  }
  const from = { address: origin.address, agent: request.agent };
  const secret = await beginBrowserSession(host, outcome.person.id, from);
  for (const cookie of outcome.cookies) request.setCookie(cookie);
  request.setCookie(cookieLine(host.origin(), sessionCookie, secret));
  return seeOther(safeReturnPath(request.query.get("to")));
}

async function signOut(
  host: PagesHost,
  { method, form, from, setCookie }: BrowserRequest,
  { id, person, formToken }: BrowserSession,
): Promise<ServiceResponse> {
  if (method !== "POST" || form?.get("token") !== formToken) return seeOther("/");
  const by = browserActor(person, from(host.trusts));
  await endSessions(host, { person, by }, { id });
  setCookie(cookieLine(host.origin(), sessionCookie, "", "; Max-Age=0"));
  return seeOther(signInPath);
}
