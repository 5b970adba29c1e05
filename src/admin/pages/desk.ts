/**
 * The pages of accounts and administration: how they are found, framed and answered.
 *
 * Pages send requests as commands do, with the signed-in user as principal. A form is accepted only
 * with the CSRF token of the user's own session; an error is shown on the page of the form, a success
 * on the page that follows.
 */
import type { Client } from "../../client/client.ts";
import { html, Markup } from "../../output/markup.ts";
import { checkToken, refusalOf } from "../../pages/answer.ts";
import { answerAsset } from "../../pages/assets.ts";
import { framed } from "../../pages/layout.ts";
import { alert, type Content, link } from "../../pages/parts.ts";
import { routesBy } from "../../pages/routes.ts";
import type { Page } from "../../pages/visit.ts";
import { AcctError, NotFoundError, SchemaError, UnavailableError } from "../../resources/errors.ts";
import type { TenantRegistry } from "../../service/auth/apps.ts";
import type { BrowserSession } from "../../service/auth/browser-sessions.ts";
import type { Staff } from "../../service/auth/people.ts";
import type { Book } from "../../service/books/book.ts";
import type { BrowserRequest } from "../../service/http/browser.ts";
import type { PagesHost } from "../../service/server/serve.ts";
import type { Actor } from "../../store/operations/audit-log.ts";
import { pageHeaders, seeOther } from "../../web/frame/headers.ts";
import type { ServiceResponse } from "../../wire/http.ts";

/** A person at a page of theirs. */
export interface Desk {
  readonly host: PagesHost;
  readonly request: BrowserRequest;
  readonly session: BrowserSession;
  /** The same person for the audit log. */
  readonly by: Actor;
  /** Begins the addresses of these pages. */
  readonly base: string;
  /** Whose pages they are. */
  readonly owner: { readonly name: string; readonly href: string };
  readonly tabs: readonly Tab[];
  /** What is wrong with the form that was sent. */
  readonly faults: readonly string[];
}

/** An adviser at the pages of an organisation. */
export interface AdministrationDesk extends Desk {
  readonly book: Book;
  /** Asks the service in the name of the person. */
  readonly client: Client;
  /** Of the organisation: moments are shown in it. */
  readonly timezone: string | undefined;
  readonly staff: Staff;
  readonly registry: TenantRegistry;
}

export interface Tab {
  readonly title: string;
  readonly path: string;
}

/** What was done, by a word that an address bears. */
const sayings = {
  "signed-out": "That browser is signed out.",
  "signed-out-others": "All other browsers are signed out.",
  "taken-back": "The app can do nothing more in your name.",
  "password-changed": "Your password is changed, and every other sign-in of yours has ended.",
  "person-added": "They may sign in from now on.",
  "role-changed": "The role is changed, and counts within two seconds.",
  "person-removed": "They work for this organisation no longer.",
  "app-removed": "The app is removed, and its tokens count no longer.",
  disconnected: "The app can do nothing more here in the name of that person.",
  "webhook-enabled": "The receiver checks signatures, and is told of what happens from now on.",
  "webhook-disabled": "The receiver is told of nothing until it is enabled again.",
  "webhook-removed": "The subscription is removed.",
  resent: "The delivery is sent again, before anything later.",
} as const;

export type Said = keyof typeof sayings;

/** Another page to go on to. */
export interface Onward {
  /** Below the base. */
  readonly to: string;
  readonly said: Said;
  /** What the cookie of the session holds from now on. */
  readonly secret?: string;
}

export interface DeskRoute<D extends Desk> {
  /** Segments in braces stand for any segment. */
  readonly path: string;
  readonly show: (desk: D, ...parameters: string[]) => Promise<Page>;
  /** Answers a form that was sent to it. */
  readonly act?: (desk: D, ...parameters: string[]) => Promise<Page | Onward>;
}

/** The answer to a request below the base; `secret` is to go into the cookie. */
export interface Answered {
  readonly response: ServiceResponse;
  readonly secret?: string | undefined;
}

/** Answers requests for the pages of some routes. */
export function pagesOf<D extends Desk>(routes: readonly DeskRoute<D>[]) {
  const routeAt = routesBy(routes);
  return async (desk: D, path: string): Promise<Answered> => {
    const { method, form } = desk.request;
    const asset = method === "POST" ? undefined : answerAsset(path);
    if (asset !== undefined) return { response: asset };
    const found = routeAt(path);
    const shown = (page: Page, at: Desk = desk) => ({ response: answerOf(at, page, path) });
    try {
      if (found === undefined) throw nothingHere();
      const { route, parameters } = found;
      if (method !== "POST") return shown(await route.show(desk, ...parameters));
      if (route.act === undefined) throw nothingHere();
      checkToken(form, desk.session.formToken);
      try {
        const done = await route.act(desk, ...parameters);
        return "to" in done ? onward(desk, done) : shown(done);
      } catch (error) {
        // What is gone is told of by a page of its own.
        if (!isSaid(error)) throw error;
        const at = { ...desk, faults: messagesOf(error) };
        return shown({ ...(await route.show(at, ...parameters)), status: 400 }, at);
      }
    } catch (error) {
      const report = (fault: unknown) =>
        desk.host.report(fault, { method, path: desk.base, query: [], headers: {} });
      return shown(refusalOf(error, report));
    }
  };
}

const isSaid = (error: unknown): error is AcctError =>
  error instanceof AcctError &&
  !(error instanceof NotFoundError) &&
  !(error instanceof UnavailableError) &&
  !(error instanceof SchemaError) &&
  error.code !== "StaleForm";

function messagesOf(error: AcctError): readonly string[] {
  const messages = error.details.map(({ message }) => message);
  return messages.length === 0 ? [error.message] : messages;
}

export function nothingHere(): NotFoundError {
  return new NotFoundError("NotFound", "There is no such page.");
}

function onward({ base }: Desk, { to, said, secret }: Onward): Answered {
  const location = `${base}${to}?${new URLSearchParams({ said })}`;
  return { response: seeOther(location), secret };
}

function answerOf(desk: Desk, page: Page, path: string): ServiceResponse {
  const { owner, base, faults } = desk;
  const said = sayings[desk.request.query.get("said") as Said];
  const body = framed({
    title: `${faults.length > 0 ? "Error: " : ""}${page.title} – ${owner.name}`,
    owner: link(owner.href, owner.name),
    base,
    bar: barOf(desk),
    navigation: navigation(desk, path),
    content: html`<h1>${page.heading ?? page.title}</h1>
${faults.map(alert)}${
  said === undefined || faults.length > 0
    ? ""
    : html`<p class="said" role="status">${said}</p>
`
}${page.body}`,
  });
  return { status: page.status ?? 200, headers: pageHeaders(), body: String(body) };
}

function barOf({ session }: Desk): Markup {
  const { person, formToken } = session;
  return html`<div class="person">${link(accountPath, person.name)}
${link("/books", "Books")}
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${formToken}"><button class="plain">Sign out</button></form></div>`;
}

function navigation({ base, tabs }: Desk, path: string): Markup | "" {
  if (tabs.length === 0) return "";
  const item = ({ title, path: to }: Tab) => {
    const isHere = path === to || path.startsWith(`${to}/`);
    const current = isHere ? new Markup(` aria-current="${path === to ? "page" : "true"}"`) : "";
    return html`<li><a href="${base}${to}"${current}>${title}</a></li>`;
  };
  return html`<nav aria-label="Administration"><ul class="strip">${tabs.map(item)}</ul></nav>`;
}

export const accountPath = "/me";

// --- forms -------------------------------------------------------------------------------------

/** @param path  below the base */
export function form(
  { base, session }: Desk,
  path: string,
  ...content: readonly Content[]
): Markup {
  return html`<form class="form" method="post" action="${base}${path}">
<input type="hidden" name="token" value="${session.formToken}">
${content}</form>`;
}

export const submit = (text: string, name?: string, value?: string): Markup =>
  name === undefined
    ? html`<div class="acts"><button class="act">${text}</button></div>
`
    : html`<button class="act other" name="${name}" value="${value ?? ""}">${text}</button>`;

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "url";
  readonly value?: string | undefined;
  readonly autocomplete?: string;
  readonly isOptional?: true;
  readonly max?: number;
  /** Stands below the field. */
  readonly hint?: string;
}

/** What was typed before stands there again, but for passwords. */
export function textField(desk: Desk, field: TextField): Markup {
  const { name, label, type = "text", isOptional, max = 255, hint } = field;
  const { autocomplete = "off" } = field;
  const typed = type === "password" ? "" : (desk.request.form?.get(name) ?? field.value ?? "");
  const id = `field-${name}`;
  const described = hint === undefined ? "" : new Markup(` aria-describedby="${id}-hint"`);
  const required = isOptional ? "" : new Markup(" required");
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" maxlength="${max}" autocomplete="${autocomplete}" value="${typed}"${required}${described}>
${hint === undefined ? "" : html`<p class="soft" id="${id}-hint">${hint}</p>`}</div>
`;
}

export function choiceField(
  desk: Desk,
  field: {
    readonly name: string;
    readonly label: string;
    readonly values: readonly (readonly [value: string, text: string])[];
    readonly value?: string | undefined;
  },
): Markup {
  const { name, label, values } = field;
  const chosen = desk.request.form?.get(name) ?? field.value;
  const id = `field-${name}`;
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${values.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? new Markup(" selected") : ""}>${text}</option>`,
  )}</select></div>
`;
}

export const typed = ({ request }: Desk, name: string): string =>
  request.form?.get(name)?.trim() ?? "";

/** Asks before something is ended or taken away. */
export function askPage(
  desk: Desk,
  asked: {
    readonly title: string;
    /** What becomes of it, in a sentence or two. */
    readonly text: Content;
    readonly button: string;
    /** Of this page and of the one to go back to, below the base. */
    readonly path: string;
    readonly back: string;
  },
): Page {
  const { title, text, button, path, back } = asked;
  return {
    title,
    body: html`<p>${text}</p>
${form(
  desk,
  path,
  html`<div class="acts"><button class="act">${button}</button><a class="act other" href="${desk.base}${back}">Leave it as it is</a></div>
`,
)}`,
  };
}
