/** Pages of a user's own account: profile, sessions, and permissions granted to apps. */
import { html, type Markup } from "../../output/markup.ts";
import { refusal } from "../../resources/errors.ts";
import {
  beginBrowserSession,
  endSessions,
  type ListedSession,
  sessionsOf,
} from "../../service/auth/browser-sessions.ts";
import { type Grant, grantsBy, revokeGrant } from "../../service/auth/grants.ts";
import { changePassword } from "../../service/auth/people.ts";
import { confirmPassword, waitText } from "../../service/auth/sign-in/passwords-tried.ts";
import { cookieLine } from "../../service/http/browser.ts";
import { scopeDescription } from "../../service/request/scopes.ts";
import { timeText } from "../books/shown-values.ts";
import { cardTable, isolated, link, pagePart } from "../frame/components.ts";
import { askPage, form, submit, textField } from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import { notFound, type Route } from "../frame/router.ts";
import { type AccountContext, pagesOf, redirectTo, sessionCookie } from "./account-router.ts";
import { roleNames } from "./role-names.ts";
import { secondFactorPart, secondFactorRoutes } from "./second-factor-pages.ts";

async function showAccount(ctx: AccountContext): Promise<Page> {
  const { host, session } = ctx;
  const { person, memberships } = session;
  const grants = await grantsBy(host, person.id);
  const tenants = [
    ...memberships,
    ...grants.flatMap((grant) => grant.tenants.map((tenant) => ({ tenant }))),
  ];
  const nameByTenant = await host.namesOf(tenants.map(({ tenant }) => tenant));
  return {
    title: "Your account",
    body: html`<p>You are signed in as ${isolated(person.name)}, ${isolated(person.email)}.</p>
${pagePart("organisations", "Organisations", organisationsTable(ctx, nameByTenant))}
${pagePart("sessions", "Where you are signed in", await sessionsTable(ctx))}
${pagePart("apps", "Apps you have allowed", appsTable(grants, nameByTenant))}
${pagePart("password", "Your password", passwordForm(ctx))}
${pagePart("second-factor", "Your second factor", await secondFactorPart(ctx))}`,
  };
}

type OrganisationNames = ReadonlyMap<string, string>;

function organisationsTable({ session }: AccountContext, nameByTenant: OrganisationNames): Markup {
  const rows = session.memberships.flatMap(({ tenant, role }) => {
    const name = nameByTenant.get(tenant);
    if (name === undefined) return [];
    const administered = role === "adviser" ? link(`/admin/${tenant}/people`, "Administer") : "";
    return [[link(`/books/${tenant}/`, name), roleNames[role], administered]];
  });
  return cardTable({
    caption: "Organisations you work for",
    columns: [{ heading: "Organisation" }, { heading: "Your role" }, { heading: "" }],
    rows,
    empty: "You work for no organisation on this server.",
  });
}

// --- sessions ----------------------------------------------------------------------------------

async function sessionsTable(ctx: AccountContext): Promise<Markup> {
  const { host, session } = ctx;
  const all = await sessionsOf(host, session.person.id);
  const rows = all.map((each) => [
    isolated(browserName(each)),
    each.address === undefined ? "" : isolated(each.address),
    timeText(each.since),
    each.id === session.id
      ? "This browser"
      : form(
          ctx,
          `/sessions/${each.id}/end`,
          html`<button class="plain" aria-label="Sign out ${browserName(each)}">Sign out</button>`,
        ),
  ]);
  return html`${cardTable({
    caption: "Browsers in which you are signed in",
    columns: [{ heading: "Browser" }, { heading: "From" }, { heading: "Since" }, { heading: "" }],
    rows,
  })}${all.length < 2 ? "" : form(ctx, "/sessions/others/end", submit("Sign out all other browsers", "all", "1"))}`;
}

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** Browser of a session, as far as its user agent tells: `Firefox on Linux`. */
function browserName({ agent = "" }: ListedSession): string {
  const firstNamed = (patterns: readonly (readonly [string, string])[]) =>
    patterns.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [firstNamed(browsers), firstNamed(systems)];
  if (browser === undefined) return "Another program";
  return system === undefined ? browser : `${browser} on ${system}`;
}

async function endSession({ host, session, by }: AccountContext, id = ""): Promise<PageResponse> {
  const { person } = session;
  if (id === "others") {
    await endSessions(host, { person, by }, { allBut: session.id });
    return redirectTo("", "signed-out-others");
  }
  const endedCount = await endSessions(host, { person, by }, { id });
  if (endedCount === 0) throw notFound();
  return redirectTo("", "signed-out");
}

// --- apps --------------------------------------------------------------------------------------

function appsTable(grants: readonly Grant[], nameByTenant: OrganisationNames): Markup {
  return cardTable({
    caption: "Apps that work in your name",
    columns: [
      { heading: "App" },
      { heading: "It can" },
      { heading: "Organisations" },
      { heading: "Allowed" },
      { heading: "" },
    ],
    rows: grants.map((grant) => [
      isolated(grant.appName),
      abilitiesOf(grant),
      isolated(grant.tenants.flatMap((tenant) => nameByTenant.get(tenant) ?? []).join(", ")),
      timeText(grant.at),
      html`<a href="/me/apps/${grant.appId}" aria-label="Take back what ${grant.appName} can do">Take back</a>`,
    ]),
    empty: "You have allowed nothing to any app.",
  });
}

function abilitiesOf({ scopes }: Grant): Markup | string {
  const abilityTexts = new Set(scopes.flatMap((scope) => scopeDescription(scope) ?? []));
  if (abilityTexts.size === 0) return "know who you are";
  const list = [...abilityTexts].map((ability) => html`<li>${ability}</li>`);
  return list.length === 1
    ? String([...abilityTexts][0])
    : html`<details><summary>${list.length} things</summary><ul>${list}</ul></details>`;
}

async function askRevoke(ctx: AccountContext, appId = ""): Promise<Page> {
  const grants = await grantsBy(ctx.host, ctx.session.person.id);
  const grant = grants.find((grant) => grant.appId === appId);
  if (grant === undefined) throw notFound();
  return askPage(ctx, {
    title: `Take back what ${grant.appName} can do?`,
    text: "It can do nothing more in your name, on any of your machines, until you allow it again.",
    button: "Take back",
    path: `/apps/${grant.appId}`,
    back: "",
  });
}

async function revokeApp({ host, session, by }: AccountContext, appId = ""): Promise<PageResponse> {
  await revokeGrant({ ...host, by }, { appId, personId: session.person.id });
  return redirectTo("", "taken-back");
}

// --- password ----------------------------------------------------------------------------------

function passwordForm(ctx: AccountContext): Markup {
  return html`${form(
    ctx,
    "",
    // The hidden user name lets password managers assign the new password to the account.
    html`<input hidden type="text" name="username" autocomplete="username" readonly value="${ctx.session.person.email}">`,
    textField(ctx, {
      name: "current",
      label: "Current password",
      type: "password",
      autocomplete: "current-password",
      max: 1024,
    }),
    textField(ctx, {
      name: "next",
      label: "New password",
      type: "password",
      autocomplete: "new-password",
      max: 1024,
      hint: "At least 15 characters, or 8 with a second factor: several words are easy to keep. Every other sign-in of yours ends, in browsers and in apps.",
    }),
    textField(ctx, {
      name: "again",
      label: "New password again",
      type: "password",
      autocomplete: "new-password",
      max: 1024,
    }),
    submit("Change the password"),
  )}`;
}

async function setPassword(ctx: AccountContext): Promise<PageResponse> {
  const { host, request, session, by } = ctx;
  const { directory, clock } = host;
  const { id, email } = session.person;
  const newPassword = request.form?.get("next") ?? "";
  if (newPassword !== request.form?.get("again")) throw refused("The two new passwords differ.");
  const password = request.form?.get("current") ?? "";
  const origin = request.from(host.trusts);
  const outcome = await confirmPassword(directory, clock, { email, password, origin });
  if (outcome.person === undefined) {
    throw refused(
      outcome.waitMs > 0 ? waitText(outcome.waitMs) : "The password that you have is not right.",
    );
  }
  await changePassword({ directory, clock, by }, id, newPassword);
  // Changing the password ended every session, this one included, so a new one begins.
  const from = { address: origin.address, agent: request.agent };
  const secret = await beginBrowserSession(host, id, from);
  request.setCookie(cookieLine(host.origin(), sessionCookie, secret));
  return redirectTo("", "password-changed");
}

const refused = (message: string) => refusal("People", message);

const routes: readonly Route<AccountContext>[] = [
  { path: "/", show: showAccount, act: setPassword },
  { path: "/sessions/{id}/end", show: () => Promise.reject(notFound()), act: endSession },
  { path: "/apps/{id}", show: askRevoke, act: revokeApp },
  ...secondFactorRoutes(showAccount),
];

export const accountPages = pagesOf(routes);
