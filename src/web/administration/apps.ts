/** Administration pages of the apps of an organisation. */
import { html, type Markup } from "../../output/markup.ts";
import { NotFoundError } from "../../resources/errors.ts";
import {
  type App,
  listApps,
  proofOf,
  registerApp,
  renewSecret,
  unregisterApp,
} from "../../service/auth/apps.ts";
import { disconnectFrom, type Grant, grantsIn } from "../../service/auth/grants.ts";
import { redirectTo } from "../account/account-router.ts";
import { timeText } from "../books/shown-values.ts";
import { cardTable, isolated, pagePart } from "../frame/components.ts";
import { askPage, choiceField, form, submit, textField, typed } from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import type { Route } from "../frame/router.ts";
import type { AdministrationContext } from "./context.ts";

const kinds = [
  ["machine", "Machine: works in its own name, with a secret"],
  ["web", "Web: people sign in, it keeps a secret"],
  ["web-without-pkce", "Web, by a library that sends no PKCE"],
  ["pkce", "Desktop or phone: people sign in, it can keep none"],
  ["agent", "Agent: it proposes, and people approve"],
] as const;
const kindNames = {
  machine: "Machine",
  web: "Web",
  pkce: "Desktop or phone",
  agent: "Agent",
} as const;

const kindOf = ({ kind, withoutPkce }: App) =>
  withoutPkce ? `${kindNames[kind]}, without PKCE` : kindNames[kind];

/**
 * Apps that this organisation may change: its own machine apps; where the server has no other
 * organisation, all apps of the server.
 */
async function ownApps({ registry, book }: AdministrationContext): Promise<App[]> {
  const { isOfMany } = book.dependencies.server;
  const allApps = await listApps(registry);
  return allApps.filter(({ tenant }) => !isOfMany || tenant === book.tenant);
}

/** Finds an app of this organisation. @throws NotFoundError */
async function ownApp(ctx: AdministrationContext, id: string): Promise<App> {
  const app = (await ownApps(ctx)).find((ownApp) => ownApp.id === id);
  if (app === undefined) throw new NotFoundError("NotFound", "There is no such app.");
  return app;
}

async function showApps(ctx: AdministrationContext): Promise<Page> {
  const apps = await ownApps(ctx);
  const grants = await grantsIn(ctx.host, ctx.book.tenant);
  return {
    title: "Apps",
    body: html`${cardTable({
      caption: "Registered apps",
      columns: [
        { heading: "App" },
        { heading: "Kind" },
        { heading: "Client id" },
        { heading: "Since" },
        { heading: "" },
      ],
      rows: apps.map((app) => [
        isolated(app.name),
        kindOf(app),
        isolated(app.id),
        timeText(app.createdAt, ctx.timezone),
        actLinks(ctx, app),
      ]),
      empty: "No app is registered here.",
    })}
${pagePart("connected", "Connected by people", appTable(ctx, grants))}
${pagePart("register", "Register an app", registerForm(ctx))}`,
  };
}

function actLinks({ base }: AdministrationContext, app: App): Markup {
  const { id, name } = app;
  const secret =
    proofOf(app) === "pkce"
      ? ""
      : html`<a href="${base}/apps/${id}/secret" aria-label="Another secret for ${name}">Another secret</a>`;
  return html`<span class="links">${secret}<a href="${base}/apps/${id}/remove" aria-label="Remove ${name}">Remove</a></span>`;
}

function appTable({ base, timezone }: AdministrationContext, grants: readonly Grant[]): Markup {
  return cardTable({
    caption: "Apps that people have connected to the organisation",
    columns: [
      { heading: "App" },
      { heading: "In the name of" },
      { heading: "Since" },
      { heading: "" },
    ],
    rows: grants.map(({ appId, appName, personId, email, at }) => [
      isolated(appName),
      isolated(email),
      timeText(at, timezone),
      html`<a href="${base}/apps/${appId}/people/${personId}" aria-label="Disconnect ${appName} of ${email}">Disconnect</a>`,
    ]),
    empty: "Nobody has connected an app to this organisation.",
  });
}

function registerForm(ctx: AdministrationContext): Markup {
  const isSingle = !ctx.book.dependencies.server.isOfMany;
  return form(
    ctx,
    "/apps",
    textField(ctx, { name: "name", label: "Name", max: 100 }),
    ...(isSingle
      ? [
          choiceField(ctx, { name: "kind", label: "Kind", values: kinds, value: "machine" }),
          textField(ctx, {
            name: "redirect",
            label: "Redirect URI",
            isOptional: true,
            max: 2000,
            hint: "Where people are sent back to; not for a machine. Several with spaces between.",
          }),
        ]
      : []),
    submit("Register"),
  );
}

async function register(ctx: AdministrationContext): Promise<Page> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const isOnly = !ctx.book.dependencies.server.isOfMany;
  const chosen = (isOnly && kinds.find(([each]) => each === typed(ctx, "kind"))?.[0]) || "machine";
  const withoutPkce = chosen === "web-without-pkce";
  const kind = withoutPkce ? "web" : chosen;
  const redirectUris = isOnly ? typed(ctx, "redirect").split(/\s+/).filter(Boolean) : [];
  const newApp = { name: typed(ctx, "name"), kind, redirectUris, withoutPkce };
  const { app, secret } = await registerApp(ctx.registry, newApp, randomUUID());
  return secretPage(ctx, app, secret);
}

/** Page that shows the secret of an app, the only time it is shown. */
function secretPage({ base }: AdministrationContext, app: App, secret: string | undefined): Page {
  return {
    title: `${app.name} is registered`,
    heading: html`${isolated(app.name)} is registered`,
    body: html`<dl class="facts"><div><dt>Client id</dt><dd><code>${app.id}</code></dd></div>${
      secret === undefined ? "" : html`<div><dt>Secret</dt><dd><code>${secret}</code></dd></div>`
    }</dl>
${secret === undefined ? "" : html`<p>Keep the secret: it is shown this once.</p>`}
<p><a href="${base}/apps">Back to the apps</a></p>`,
  };
}

async function askSecret(ctx: AdministrationContext, id = ""): Promise<Page> {
  const { name } = await ownApp(ctx, id);
  return askPage(ctx, {
    title: `Give ${name} another secret?`,
    text: "The one it has counts no longer: it cannot get tokens until it is given the other one.",
    button: "Another secret",
    path: `/apps/${id}/secret`,
    back: "/apps",
  });
}

async function setSecret(ctx: AdministrationContext, id = ""): Promise<Page> {
  const app = await ownApp(ctx, id);
  const secret = await renewSecret(ctx.registry, app.id);
  const shownPage = secretPage(ctx, app, secret);
  const title = `${app.name} has another secret`;
  return { ...shownPage, title, heading: html`${isolated(app.name)} has another secret` };
}

async function askRemove(ctx: AdministrationContext, id = ""): Promise<Page> {
  const { name } = await ownApp(ctx, id);
  return askPage(ctx, {
    title: `Remove ${name}?`,
    text: "Its tokens count no longer, and what people have allowed it is forgotten.",
    button: "Remove",
    path: `/apps/${id}/remove`,
    back: "/apps",
  });
}

async function remove(ctx: AdministrationContext, id = ""): Promise<PageResponse> {
  await unregisterApp(ctx.registry, (await ownApp(ctx, id)).id);
  return redirectTo("/apps", "app-removed");
}

async function askDisconnect(ctx: AdministrationContext, appId = "", personId = ""): Promise<Page> {
  const grants = await grantsIn(ctx.host, ctx.book.tenant);
  const grant = grants.find((grant) => grant.appId === appId && grant.personId === personId);
  if (grant === undefined) throw new NotFoundError("NotFound", "It is connected no longer.");
  return askPage(ctx, {
    title: `Disconnect ${grant.appName}?`,
    text: html`It can do nothing more in this organisation in the name of ${isolated(grant.email)}, until they connect it again.`,
    button: "Disconnect",
    path: `/apps/${appId}/people/${personId}`,
    back: "/apps",
  });
}

async function disconnect(
  ctx: AdministrationContext,
  appId = "",
  personId = "",
): Promise<PageResponse> {
  await disconnectFrom({ ...ctx.host, by: ctx.by }, { appId, personId }, ctx.book.tenant);
  return redirectTo("/apps", "disconnected");
}

export const appRoutes: readonly Route<AdministrationContext>[] = [
  { path: "/apps", show: showApps, act: register },
  { path: "/apps/{id}/secret", show: askSecret, act: setSecret },
  { path: "/apps/{id}/remove", show: askRemove, act: remove },
  { path: "/apps/{id}/people/{person}", show: askDisconnect, act: disconnect },
];
