/** `acct webhook`: subscriptions to events of the book, and their deliveries. */
import {
  type DeliveryQuery,
  type Webhook,
  type WebhookTarget,
  withWebhooks,
} from "../../admin/webhooks.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { resourceByCategory } from "../../resources/index.ts";
import { allowances } from "../../wire/webhook.ts";
import { bookPath } from "../connection/book-path.ts";
import { type Child, type Context, personOf } from "../context/context.ts";
import { command, wordOf } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { readWords } from "../values/read-words.ts";
import {
  delivery,
  shownDelivery,
  shownWebhook,
  webhook,
  webhookWithKey,
} from "./webhook-records.ts";

/** Kinds of events, by the noun of the records that they concern. */
const eventByWord = new Map(
  [...resourceByCategory].map(([category, resource]) => [wordOf(resource), { category, resource }]),
);
const kindNames = [...eventByWord.keys()];

/** Help of the flag for kinds of events, which all verbs share. */
const eventsHelp = `of what: ${kindNames.join(", ")}`;
const events = {
  placeholder: "LIST",
  read: (text: string): string[] =>
    readWords("events", kindNames, text).flatMap((name) => eventByWord.get(name)?.category ?? []),
} as const;

const allow = [
  "where it may be sent beyond https to public addresses: http, private",
  { placeholder: "LIST", read: (text: string) => readWords("allow", allowances, text) },
] as const;

interface AllowOptions {
  readonly allow?: readonly string[] | undefined;
}

async function deskOf(ctx: Context, options: AllowOptions = {}): Promise<WebhookTarget> {
  const path = await bookPath(ctx, "acct webhook");
  return { path, operator: personOf(ctx), allow: options.allow, remedy: moreAbout };
}

/** Help on allowing addresses: for this command, and for the server that delivers later. */
const moreAbout = (words: string) =>
  `--allow ${words} changes that here, and --webhook-allow ${words} where acct serve delivers`;

/** Returns the command that activates a subscription. */
const remedy = ({ name }: Webhook) => `then run acct webhook validate '${name}'`;

const addCommand = command("add", "tell an address of events")
  .alters()
  .answers(webhookWithKey)
  .argument("URL", "where deliveries are sent, by https")
  .flag("events", `${eventsHelp}; invoice when not given`, events)
  .flag("name", "what it is called; the host of the address when not given")
  .flag("app", "the app that it belongs to, by name or client id", { placeholder: "APP" })
  .flag("allow", ...allow)
  .note(
    "Prints the key by which deliveries are signed; ACCT_WEBHOOK_KEY is taken for it where that is " +
      "set. The receiver is sent empty deliveries, and must answer those that are signed rightly with " +
      "200 or another 2xx, and the others with 401, without a body: only then is it told of anything.",
  )
  .note(
    "Deliveries are made by acct serve; where it may send them beyond https to public addresses is " +
      "said there too, with --webhook-allow.",
  )
  .example("acct webhook add https://shop.example/hook --events invoice,contact")
  .example("acct webhook add http://127.0.0.1:3000/hook --allow http,private --name dev")
  .action(async (ctx, url, { events: categories, allow: allowed, name, app }) => {
    const desk = await deskOf(ctx, { allow: allowed });
    if (ctx.flags.dryRun) return ctx.out.say(`${url} would be told of events.`);
    const added = await withWebhooks(desk, ({ addSubscription }, dependencies) =>
      addSubscription(dependencies, {
        ...{ url, name, categories, app, signingKey: keyOf(ctx) },
        allow: allowed,
      }),
    );
    const SigningKey = added.signingKey;
    await ctx.out.record(webhookWithKey, { ...shownWebhook(added), SigningKey });
    if (added.status !== "OK") {
      ctx.out.say(
        `It is not in use yet. ${added.reason ?? ""} Mend that, or give the receiver its key, ${remedy(added)}.`,
      );
    }
  });

/** Returns the signing key given by the environment, so that a receiver may know it beforehand. */
const keyOf = ({ env }: Context) => env.ACCT_WEBHOOK_KEY || undefined;

const listCommand = command("list", "list who is told of events")
  .alias("ls")
  .answers(webhook)
  .example("acct webhook list")
  .action(async (ctx) => {
    const webhooks = await withWebhooks(await deskOf(ctx), ({ listSubscriptions }, dependencies) =>
      listSubscriptions(dependencies),
    );
    await ctx.out.records(webhook, webhooks.map(shownWebhook));
  });

const webhookHelp = "webhook, by name, address or id";

const showCommand = command("show", "show one of them")
  .answers(webhook)
  .argument("WEBHOOK", webhookHelp)
  .example("acct webhook show shop.example")
  .action(async (ctx, key) => {
    await ctx.out.record(webhook, shownWebhook(await foundWebhook(ctx, key)));
  });

async function foundWebhook(ctx: Context, key: string): Promise<Webhook> {
  return withWebhooks(await deskOf(ctx), ({ findSubscription }, dependencies) =>
    findSubscription(dependencies, key),
  );
}

const keyCommand = command("key", "print the key by which deliveries are signed")
  .argument("WEBHOOK", webhookHelp)
  .note("The receiver compares the header x-xero-signature with its own signature of the body.")
  .example("acct webhook key shop.example")
  .action(async (ctx, key) => {
    const { signingKey } = await foundWebhook(ctx, key);
    await ctx.out.value({ signing_key: signingKey }, signingKey);
  });

const removeCommand = command("remove", "tell an address of nothing any more")
  .alters()
  .alias("delete")
  .argument("WEBHOOK", webhookHelp)
  .note("What waits for it and its log are removed. Asks first, unless --yes is given.")
  .example("acct webhook remove shop.example --yes")
  .action(async (ctx, key) => {
    const webhook = await foundWebhook(ctx, key);
    await confirm(ctx, `Remove the webhook ${webhook.name}, with what waits for it?`);
    if (ctx.flags.dryRun) return ctx.out.say(`${webhook.name} would be removed.`);
    await withWebhooks(await deskOf(ctx), ({ removeSubscription }, dependencies) =>
      removeSubscription(dependencies, webhook),
    );
    ctx.out.say(`Removed ${webhook.name}.`);
  });

/** Sends the empty validation deliveries, and reports the result. */
async function validateWebhook(ctx: Context, key: string, options: AllowOptions): Promise<void> {
  const webhook = await foundWebhook(ctx, key);
  if (ctx.flags.dryRun) return ctx.out.say(`${webhook.name} would be sent empty deliveries.`);
  const desk = await deskOf(ctx, { allow: options.allow ?? webhook.allowed });
  const now = await withWebhooks(desk, ({ validate }, access) => validate(access, webhook));
  if (now.status !== "OK") {
    throw new RefusedError("IntentToReceive", `${now.reason} Mend that, ${remedy(now)} again.`);
  }
  ctx.out.say(`${now.name} checks signatures, and is told of what happens from now on.`);
}

const validateCommand = command("validate", "let a receiver show that it checks signatures")
  .alters()
  .argument("WEBHOOK", webhookHelp)
  .flag("allow", ...allow)
  .note("One that does not is told of nothing until it does. --allow is as add was given it.")
  .example("acct webhook validate shop.example")
  .action(validateWebhook);

const enableCommand = command("enable", "tell an address of events again")
  .alters()
  .argument("WEBHOOK", webhookHelp)
  .flag("allow", ...allow)
  .note("The receiver shows first that it checks signatures, as with validate.")
  .example("acct webhook enable shop.example")
  .action(validateWebhook);

const disableCommand = command("disable", "tell an address of nothing for a while")
  .alters()
  .argument("WEBHOOK", webhookHelp)
  .note(
    "What happens until it is enabled again it is never told. What it has not taken by now is held, " +
      "and sent then.",
  )
  .example("acct webhook disable shop.example")
  .action(async (ctx, key) => {
    const webhook = await foundWebhook(ctx, key);
    if (ctx.flags.dryRun) return ctx.out.say(`${webhook.name} would be disabled.`);
    await withWebhooks(await deskOf(ctx), ({ disableSubscription }, dependencies) =>
      disableSubscription(dependencies, webhook),
    );
    ctx.out.say(`Disabled ${webhook.name}.`);
  });

const deliveryStatuses = ["waiting", "delivered"] as const;
const limitUsual = 50;

const deliveriesCommand = command("deliveries", "what was sent, to whom, and what became of it")
  .answers(delivery)
  .optionalArgument("WEBHOOK", `${webhookHelp}; all of them when not given`)
  .flag("status", `only ${deliveryStatuses.join(" or ")}`, {
    placeholder: "STATUS",
    values: deliveryStatuses,
    read: (text) => readWords("status", deliveryStatuses, text)[0],
  })
  .flag("limit", `${limitUsual} when not given`, { placeholder: "N", read: readLimit })
  .note("Newest first. What was delivered is kept for 30 days.")
  .example("acct webhook deliveries shop.example --status waiting")
  .action(async (ctx, key, { status, limit = limitUsual }) => {
    const onlyWebhook = key === undefined ? undefined : await foundWebhook(ctx, key);
    const wantedStatus = status === undefined ? undefined : statusesKept[status];
    const query = { webhookId: onlyWebhook?.id, status: wantedStatus, limit };
    await ctx.out.records(delivery, await deliveryRows(ctx, query));
  });

const statusesKept = { waiting: "WAITING", delivered: "DELIVERED" } as const;

/** Returns deliveries with the names of their subscriptions, without deliveries to listeners. */
async function deliveryRows(ctx: Context, query: DeliveryQuery) {
  return withWebhooks(await deskOf(ctx), async (subscriptions, dependencies) => {
    const webhooks = await subscriptions.listSubscriptions(dependencies);
    const deliveries = await subscriptions.listDeliveries(dependencies, query);
    return deliveries.flatMap((delivery) => {
      const to = webhooks.find(({ id }) => id === delivery.webhookId);
      return to === undefined ? [] : [shownDelivery(delivery, to)];
    });
  });
}

function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new UsageError("BadValue", `--limit takes a number from 1 to 99999, not "${text}".`);
}

/** How long a command waits for the server to send a delivery, in milliseconds. */
const patienceMs = 3000;
const notSent = "It is sent when acct serve runs.";

const resendCommand = command("resend", "send a delivery again, as it was")
  .alters()
  .answers(delivery)
  .argument("DELIVERY", "its id, as deliveries shows it")
  .note("acct serve sends it, before anything later.")
  .example("acct webhook resend 1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11")
  .action(async (ctx, key) => {
    if (ctx.flags.dryRun) return ctx.out.say("It would be sent again.");
    const { own, isSent } = await withWebhooks(
      await deskOf(ctx),
      async (subscriptions, dependencies) => {
        const sentDelivery = await subscriptions.resend(dependencies, key);
        const isSent = await subscriptions.awaitRetry(dependencies, sentDelivery, patienceMs);
        const to = await subscriptions.findSubscription(dependencies, sentDelivery.webhookId);
        const now = await subscriptions.findDelivery(dependencies, sentDelivery.id);
        return { own: shownDelivery(now, to), isSent };
      },
    );
    await ctx.out.record(delivery, own);
    if (!isSent) ctx.out.say(notSent);
  });

const triggerCommand = command("trigger", "tell of a record as if it had just changed")
  .alters()
  .argument("KIND", kindNames.join(", "), { values: kindNames })
  .optionalArgument("RECORD", "its number, name or id; the latest of its kind when not given")
  .flag("type", "create or update; update when not given", {
    placeholder: "TYPE",
    values: ["create", "update"],
    read: (text) => readWords("type", ["create", "update"], text)[0],
  })
  .flag("webhook", `only this ${webhookHelp}`, { placeholder: "WEBHOOK" })
  .note("For testing a receiver. Nothing in the books changes; listeners are told too.")
  .example("acct webhook trigger invoice INV-0204")
  .example("acct webhook trigger contact --type create --webhook shop.example")
  .action(async (ctx, kind, record, { type = "update", webhook: only }) => {
    const [name = ""] = readWords("kind", kindNames, kind);
    const event = eventByWord.get(name);
    if (event === undefined) throw new UsageError("BadValue", "Name a kind of event.");
    const { category, resource } = event;
    const recordId = record === undefined ? undefined : await idNamed(ctx, resource, record);
    const webhookId = only === undefined ? undefined : (await foundWebhook(ctx, only)).id;
    if (ctx.flags.dryRun) return ctx.out.say(`Subscribers would be told of one ${name}.`);
    const request = { category, type: types[type], recordId, webhookId };
    const { id, subscribers, isSent } = await withWebhooks(
      await deskOf(ctx),
      async (subscriptions, dependencies) => {
        const { recordId: id, told } = await subscriptions.trigger(dependencies, request);
        const postedIds = told.flatMap((each) => (each.expiresAt === undefined ? each.id : []));
        return {
          id,
          subscribers: told,
          isSent: await subscriptions.awaitDelivery(dependencies, postedIds, patienceMs),
        };
      },
    );
    const names = subscribers.map((subscriber) =>
      subscriber.expiresAt === undefined ? subscriber.name : "a listener",
    );
    ctx.out.say(`${category} ${request.type} ${id}: told to ${names.join(", ")}.`);
    if (!isSent) ctx.out.say(notSent);
  });

const types = { create: "CREATE", update: "UPDATE" } as const;

async function idNamed(ctx: Context, resource: Resource, key: string): Promise<string> {
  const record: Record<string, unknown> = await (await ctx.client()).find(resource, key);
  return String(record[resource.id]);
}

const listenCommand = command("listen", "follow events here, and hand them to a program")
  .flag(
    "forward-to",
    "where to hand them on, signed, as they would be delivered; http://localhost:3000/hook",
    { placeholder: "URL" },
  )
  .flag("events", `${eventsHelp}; all when not given`, events)
  .flag("signing-key", "sign with this key; ACCT_WEBHOOK_KEY, or a new one, when not given", {
    placeholder: "KEY",
  })
  .note(
    "Needs no address that others can reach: the book, or the service of --base-url, is asked for " +
      "its events. Goes on until Ctrl-C, also when the service or the program is started anew.",
  )
  .note(
    "An answer of the program is an answer, whatever it says: what it refused is not sent again.",
  )
  .example("acct webhook listen --forward-to http://localhost:3000/hook")
  .example("acct webhook listen --events invoice -o json")
  .action(async (ctx, options) => {
    const { listenHere } = await import("./webhook-listen.ts");
    await listenHere(ctx, options);
  });

export const webhookVerbs: readonly Child[] = [
  addCommand,
  listCommand,
  showCommand,
  keyCommand,
  removeCommand,
  enableCommand,
  disableCommand,
  validateCommand,
  deliveriesCommand,
  resendCommand,
  triggerCommand,
  listenCommand,
];
