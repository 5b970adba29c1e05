/** `acct app`: the API apps that may access a served book. */

import type { AdminDependencies, ListedApp } from "../../admin/apps.ts";
import { UsageError } from "../../resources/errors.ts";
import { boolean, choice, id, resource, text, timestamp } from "../../resources/field.ts";
import { bookPath, servedPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { formats } from "../render/formats/index.ts";

const kinds = ["web", "pkce", "machine", "agent"] as const;

const fields = {
  ClientID: id({ always: true }),
  Name: text({ always: true, key: true }),
  Kind: choice(kinds, { always: true }),
  RedirectURIs: text({ always: true }),
  /** For a web app whose library does not support PKCE. */
  WithoutPKCE: boolean(),
  CreatedDateUTC: timestamp({ always: true }),
  /** The organisation of a machine app. */
  Organisation: text(),
} as const;

const registered = resource("App", fields, {
  plural: "Apps",
  id: "ClientID",
  columns: ["Name", "Kind", "ClientID", "CreatedDateUTC"],
  noun: "app",
  summary: "programs that may work on a served book",
});

/** Columns of the list where there are several organisations. */
const listedApp = { ...registered, columns: [...registered.columns, "Organisation"] };

const addedApp = {
  ...registered,
  fields: { ...fields, ClientSecret: text({ always: true }) },
  columns: ["Name", "Kind", "ClientID", "ClientSecret"],
};

const administration = () => import("../../admin/apps.ts");

function appRow(app: ListedApp) {
  const { id: ClientID, name: Name, kind: Kind, redirectUris, createdAt, organisation } = app;
  const RedirectURIs = redirectUris.join(" ");
  const registeredApp = {
    ...{ ClientID, Name, Kind, RedirectURIs, CreatedDateUTC: createdAt },
    ...(app.withoutPkce && { WithoutPKCE: true }),
  };
  return organisation === undefined
    ? registeredApp
    : { ...registeredApp, Organisation: organisation };
}

/**
 * Returns the dependencies of app administration: for a whole server, or for one organisation
 * (machine apps).
 *
 * @param isOfOne  whether the app is of one organisation
 */
async function dependenciesOf(ctx: Context, isOfOne = false): Promise<AdminDependencies> {
  const path = await (isOfOne ? bookPath : servedPath)(ctx, "acct app");
  return { path, clock: ctx.clock, operator: personOf(ctx) };
}

/**
 * Prints the client secret as a message where the output format or columns omit it: it cannot be
 * shown again.
 */
function saySecret({ flags, out }: Context, secret: string): void {
  const isPrinted =
    formats[flags.output].holds !== "ids" &&
    (flags.columns === undefined || flags.columns.includes("ClientSecret"));
  if (!isPrinted) out.say(`Its secret: ${secret}`);
  out.say("Keep the secret: it is shown this once.");
}

const addCommand = command("add", "register an app")
  .alters()
  .argument("NAME", "what it is called; answers name it as their provider")
  // A PKCE app has no client secret.
  .answers((options) => ((options as { kind?: string }).kind === "pkce" ? registered : addedApp))
  .field("kind", fields.Kind, {
    help: "web: people sign in, it keeps a secret; pkce: they sign in, it can keep none; machine: nobody does; agent: it proposes, and people approve",
  })
  .flag("redirect-uri", "where people are sent back to when they have signed in", {
    placeholder: "URI",
    repeat: true,
    read: (given) => given,
  })
  .switch(
    "without-pkce",
    "of a web app: its library sends no PKCE, as the official one for the web",
  )
  .note("Prints its client id and its secret. The secret is not kept, and cannot be shown again.")
  .note(
    "Without --kind it is a machine, which works for the organisation of this book alone, or a web " +
      "app when a --redirect-uri is given; of several organisations --tenant names that of a machine. " +
      "Redirect URIs begin with https, or with http on localhost; those of " +
      "a pkce app may have a scheme of its own. On 127.0.0.1 a pkce app may use any port.",
  )
  .example("acct app add 'Till at the door' --book quay.acct")
  .example("acct app add Desk --kind pkce --redirect-uri http://127.0.0.1/callback")
  .example(
    "acct app add Shop --kind web --without-pkce --redirect-uri https://shop.example/callback",
  )
  .action(async (ctx, name, { kind, redirectUri: redirectUris, withoutPkce }) => {
    if ((kind === "web" || kind === "pkce") && redirectUris === undefined) {
      const message = `A ${kind} app needs a --redirect-uri: where people go when they have signed in.`;
      throw new UsageError("BadFlags", message);
    }
    const newApp = { name, kind, redirectUris, withoutPkce };
    const { needsOrganisation, addApp } = await administration();
    const dependencies = await dependenciesOf(ctx, await needsOrganisation(newApp));
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be registered.`);
    const { app, secret } = await addApp(dependencies, newApp);
    if (secret === undefined) return ctx.out.record(registered, appRow(app));
    await ctx.out.record(addedApp, { ...appRow(app), ClientSecret: secret });
    saySecret(ctx, secret);
    if (app.kind !== "web" || app.withoutPkce) return;
    ctx.out.say(
      "It signs people in by PKCE; where its library sends none, acct app update NAME --without-pkce.",
    );
  });

const updateCommand = command("update", "let a web app sign people in without PKCE, or not")
  .alters()
  .answers(registered)
  .argument("APP", "app, by name or client id")
  .field("without-pkce", boolean(), { help: "its library sends none" })
  .example("acct app update Shop --without-pkce")
  .example("acct app update Shop --no-without-pkce")
  .action(async (ctx, key, { withoutPkce }) => {
    if (withoutPkce === undefined) {
      throw new UsageError("MissingValue", "Say --without-pkce or --no-without-pkce.");
    }
    const dependencies = await dependenciesOf(ctx);
    const { findApp, updateApp } = await administration();
    const { id: clientId, name } = await findApp(dependencies, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be changed.`);
    await ctx.out.record(
      registered,
      appRow(await updateApp(dependencies, clientId, { withoutPkce })),
    );
  });

const secretCommand = command("secret", "give an app another secret")
  .alters()
  .answers(addedApp)
  .argument("APP", "app, by name or client id")
  .note("The secret that it had counts no longer. Asks first, as remove does.")
  .example("acct app secret 'Till at the door' --yes")
  .action(async (ctx, key) => {
    const dependencies = await dependenciesOf(ctx);
    const { findApp, renewSecret } = await administration();
    const { id: clientId, name } = await findApp(dependencies, key);
    await confirm(ctx, `Give ${name} another secret? The one it has will count no longer.`);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be given another secret.`);
    const { app, secret } = await renewSecret(dependencies, clientId);
    await ctx.out.record(addedApp, { ...appRow(app), ClientSecret: secret });
    saySecret(ctx, secret);
  });

const listCommand = command("list", "list the apps")
  .alias("ls")
  .answers(listedApp)
  .example("acct app list --book quay.acct")
  .note("Those of the whole server; with --tenant, without what works for another organisation.")
  .action(async (ctx) => {
    const { apps, isOfMany } = await (await administration()).listApps(await dependenciesOf(ctx));
    const isOfOne = apps.some(({ organisation }) => organisation !== undefined);
    await ctx.out.records(isOfMany && isOfOne ? listedApp : registered, apps.map(appRow));
  });

const removeCommand = command("remove", "remove an app; its tokens count no longer")
  .alters()
  .alias("delete")
  .argument("APP", "app, by name or client id")
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct app remove 'Till at the door' --yes")
  .action(async (ctx, key) => {
    const dependencies = await dependenciesOf(ctx);
    const { findApp, removeApp } = await administration();
    const { id: clientId, name } = await findApp(dependencies, key);
    await confirm(ctx, `Remove the app ${name}?`);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be removed.`);
    await removeApp(dependencies, clientId);
    ctx.out.say(`Removed ${name}.`);
  });

const tokenCommand = command("token", "print an access token for scripts on this machine")
  .argument("APP", "app, by name or client id")
  .note("It counts for 30 minutes, and what is done with it is done in your name.")
  .example("ACCT_TOKEN=$(acct app token till --book quay.acct)")
  .action(async (ctx, key) => {
    const dependencies = await dependenciesOf(ctx);
    const { findApp, issueToken } = await administration();
    if (ctx.flags.dryRun) {
      const { name, tenant } = await findApp(dependencies, key);
      await dependenciesOf(ctx, tenant === undefined);
      return ctx.out.say(`${name} would be given a token.`);
    }
    const { token, expiresAt } = await issueToken(dependencies, key);
    const expires_in = Math.ceil((expiresAt - ctx.clock()) / 1000);
    await ctx.out.value({ access_token: token, token_type: "Bearer", expires_in }, token);
  });

export const appVerbs: readonly Child[] = [
  addCommand,
  listCommand,
  updateCommand,
  removeCommand,
  secretCommand,
  tokenCommand,
];
