/**
 * Routes the pages of user accounts and of administration.
 *
 * Pages send requests as commands do, with the signed-in user as principal. An error is shown on
 * the page of the form, a success on the page that follows.
 */
import { html, Markup } from "../../output/markup.ts";
import type { BrowserSession } from "../../service/auth/browser-sessions.ts";
import type { BrowserRequest } from "../../service/http/browser.ts";
import type { PagesHost } from "../../service/server/serve.ts";
import type { Actor } from "../../store/operations/audit-log.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { alert, link } from "../frame/components.ts";
import { layoutPage } from "../frame/layout.ts";
import { type WayOn, waysOn } from "../frame/message.ts";
import type { Page, PageContext, PageResponse } from "../frame/page-context.ts";
import { answerIn, type Room, type Route, routesBy } from "../frame/router.ts";

/** Context of a request by a signed-in user for a page of an account or of administration. */
export interface AccountContext extends PageContext {
  readonly host: PagesHost;
  readonly request: BrowserRequest;
  readonly session: BrowserSession;
  /** The user as the actor of audit entries. */
  readonly by: Actor;
  /** Name of the page owner (a person or an organisation), with its link. */
  readonly owner: { readonly name: string; readonly href: string };
  readonly tabs: readonly Tab[];
}

export interface Tab {
  readonly title: string;
  readonly path: string;
}

export const accountPath = "/me";
/** Way on from errors outside the books. */
export const yourBooks: WayOn = ["/books", "Your books"];
/** Cookie of a session on the pages. */
export const sessionCookie = "acct_books";

/** Messages about completed actions, by the keyword in the address of the page that shows them. */
const notices = {
  "signed-out": "That browser is signed out.",
  "signed-out-others": "All other browsers are signed out.",
  "taken-back": "The app can do nothing more in your name.",
  "password-changed": "Your password is changed, and every other sign-in of yours has ended.",
  "second-factor-off": "The second factor is taken off: the password alone signs you in.",
  "person-added": "They may sign in from now on.",
  "person-invited":
    "They may sign in once they have chosen a password, by the link mailed to them.",
  "link-mailed": "The link is mailed to them. It is good once, for 30 minutes.",
  "role-changed": "The role is changed, and counts within two seconds.",
  "person-removed": "They work for this organisation no longer.",
  "app-removed": "The app is removed, and its tokens count no longer.",
  disconnected: "The app can do nothing more here in the name of that person.",
  "webhook-enabled": "The receiver checks signatures, and is told of what happens from now on.",
  "webhook-disabled": "The receiver is told of nothing until it is enabled again.",
  "webhook-removed": "The subscription is removed.",
  resent: "The delivery is sent again, before anything later.",
} as const;

type Notice = keyof typeof notices;

/** Redirects to a page that shows what was done. @param path  path below the base */
export function redirectTo(path: string, notice: Notice): PageResponse {
  return { seeOther: `${path}?${new URLSearchParams({ said: notice })}` };
}

/** Creates the handler of requests for the pages of some routes. */
export function pagesOf<C extends AccountContext>(routes: readonly Route<C>[]) {
  const routeAt = routesBy(routes);
  return (ownContext: C, path: string): Promise<ServiceResponse> => {
    const { base, formToken, host, request } = ownContext;
    const { method } = request;
    const accountRoom: Room<C, Route<C>> = {
      routeAt,
      base,
      formToken,
      contextOf: () => Promise.resolve(ownContext),
      document: (page, { context: ctx = ownContext, isRefusal }) =>
        documentOf(ctx, isRefusal ? withWaysOn(ctx, page) : page, path),
      showsFaults: true,
      report: (fault) => host.report(fault, { method, path: base, query: [], headers: {} }),
    };
    return answerIn(accountRoom, { ...request, path });
  };
}

/** An error with ways on from it: the first page of the room and the books. */
function withWaysOn({ base, tabs: [first] }: AccountContext, page: Page): Page {
  const { title, path } = first ?? { title: "Your account", path: "" };
  return {
    ...page,
    body: html`${page.body}${waysOn([[`${base}${path}`, title], yourBooks])}`,
  };
}

function documentOf(ctx: AccountContext, page: Page, path: string): Markup {
  const { owner, base, faults, query } = ctx;
  const notice = notices[query.get("said") as Notice];
  return layoutPage({
    title: `${faults.length > 0 ? "Error: " : ""}${page.title} – ${owner.name}`,
    name: owner.name,
    owner: link(owner.href, owner.name),
    base,
    bar: barOf(ctx),
    navigation: tabNavigation(ctx, path),
    content: html`<h1>${page.heading ?? page.title}</h1>
${faults.map(alert)}${
  notice === undefined || faults.length > 0
    ? ""
    : html`<p class="said" role="status">${notice}</p>
`
}${page.body}`,
  });
}

function barOf({ session, formToken }: AccountContext): Markup {
  const { person } = session;
  return html`<div class="person">${link(accountPath, person.name)}
${link("/books", "Books")}
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${formToken}"><button class="plain">Sign out</button></form></div>`;
}

function tabNavigation({ base, tabs }: AccountContext, path: string): Markup | "" {
  if (tabs.length === 0) return "";
  const item = ({ title, path: to }: Tab) => {
    const isCurrent = path === to || path.startsWith(`${to}/`);
    const current = isCurrent ? new Markup(` aria-current="${path === to ? "page" : "true"}"`) : "";
    return html`<li><a href="${base}${to}"${current}>${title}</a></li>`;
  };
  return html`<nav aria-label="Administration"><ul class="strip">${tabs.map(item)}</ul></nav>`;
}
