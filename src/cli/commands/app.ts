/** `acct app`: the programs that may work on a served book. */
import { id, resource, text, timestamp } from "../../resources/field.ts";
import { bookPath } from "../book-path.ts";
import { confirmed } from "../change.ts";
import { command, group } from "../command.ts";
import { type Context, personOf } from "../context.ts";

const fields = {
  ClientID: id({ always: true }),
  Name: text({ always: true, key: true }),
  CreatedDateUTC: timestamp({ always: true }),
} as const;

const registered = resource("App", fields, {
  collection: [],
  record: [],
  batchMax: 1,
  plural: "Apps",
  id: "ClientID",
  columns: ["Name", "ClientID", "CreatedDateUTC"],
  noun: "app",
  summary: "programs that may work on a served book",
});

const added = {
  ...registered,
  fields: { ...fields, ClientSecret: text({ always: true }) },
  columns: ["Name", "ClientID", "ClientSecret"],
};

const doors = () => import("../../client/served.ts");

function shown({ id: ClientID, name: Name, createdAt: CreatedDateUTC }: KnownApp) {
  return { ClientID, Name, CreatedDateUTC };
}

type KnownApp = { readonly id: string; readonly name: string; readonly createdAt: number };

const pathOf = (ctx: Context) => bookPath(ctx, "acct app");

const addCommand = command("add", "register an app")
  .argument("NAME", "what it is called; answers name it as their provider")
  .note("Prints its client id and its secret. The secret is not kept, and cannot be shown again.")
  .example("acct app add 'Till at the door' --book quay.acct")
  .action(async (ctx, name) => {
    const path = await pathOf(ctx);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be registered.`);
    const { app, secret } = await (await doors()).addApp(path, name, ctx.clock);
    await ctx.out.record(added, { ...shown(app), ClientSecret: secret });
    ctx.out.say("Keep the secret: it is shown this once.");
  });

const listCommand = command("list", "list the apps")
  .alias("ls")
  .action(async (ctx) => {
    const apps = await (await doors()).listApps(await pathOf(ctx), ctx.clock);
    await ctx.out.records(registered, apps.map(shown));
  });

const removeCommand = command("remove", "remove an app; its tokens count no longer")
  .alias("delete")
  .argument("APP", "app, by name or client id")
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .example("acct app remove 'Till at the door' --yes")
  .action(async (ctx, key) => {
    const path = await pathOf(ctx);
    const { findApp, removeApp } = await doors();
    const { id: clientId, name } = await findApp(path, key, ctx.clock);
    await confirmed(ctx, `Remove the app ${name}?`);
    if (ctx.flags.dryRun) return ctx.out.say(`${name} would be removed.`);
    await removeApp(path, clientId, ctx.clock);
    ctx.out.say(`Removed ${name}.`);
  });

const tokenCommand = command("token", "print an access token for scripts on this machine")
  .argument("APP", "app, by name or client id")
  .note("It counts for 30 minutes, and what is done with it is done in your name.")
  .example("ACCT_TOKEN=$(acct app token till --book quay.acct)")
  .action(async (ctx, key) => {
    const path = await pathOf(ctx);
    const { findApp, issueToken } = await doors();
    if (ctx.flags.dryRun) {
      const { name } = await findApp(path, key, ctx.clock);
      return ctx.out.say(`${name} would be given a token.`);
    }
    const { token, expiresAt } = await issueToken(path, key, personOf(ctx), ctx.clock);
    const expires_in = Math.ceil((expiresAt - ctx.clock()) / 1000);
    await ctx.out.value({ access_token: token, token_type: "Bearer", expires_in }, token);
  });

export const appNoun = group(
  "app",
  registered.summary,
  [addCommand, listCommand, removeCommand, tokenCommand],
  { aliases: ["apps"] },
);
