/** Administration pages of webhook subscriptions and their deliveries. */

import { html, type Markup } from "../../output/markup.ts";
import { refusal } from "../../resources/errors.ts";
import { resourceByCategory } from "../../resources/index.ts";
import { wordsOf } from "../../resources/scalar.ts";
import { createPoster } from "../../service/webhooks/post.ts";
import {
  addSubscription,
  type Delivery,
  disableSubscription,
  findDelivery,
  findSubscription,
  listDeliveries,
  listSubscriptions,
  removeSubscription,
  resend,
  type SubscriberDependencies,
  validate,
  type Webhook,
} from "../../service/webhooks/subscriptions.ts";
import { redirectTo } from "../account/account-router.ts";
import { timeText } from "../books/shown-values.ts";
import {
  badge,
  cardTable,
  facts,
  isolated,
  link,
  pagePart,
  type Tone,
} from "../frame/components.ts";
import { askPage, form, submit, textField, typed } from "../frame/forms.ts";
import type { Page, PageResponse } from "../frame/page-context.ts";
import type { Route } from "../frame/router.ts";
import type { AdministrationContext } from "./context.ts";

const statuses: Readonly<Record<Webhook["status"], readonly [words: string, tone: Tone]>> = {
  OK: ["In use", "done"],
  INTENT: ["Not validated", "late"],
  DISABLED: ["Disabled", "void"],
};

const status = ({ status: each }: Webhook): Markup => badge(...statuses[each]);

const eventNames = (categories: readonly string[]) =>
  categories.map((each) => wordsOf(resourceByCategory.get(each)?.plural ?? each)).join(", ");

/** Number of deliveries per page, the newest first. */
const deliveriesMax = 50;

async function showWebhooks(ctx: AdministrationContext): Promise<Page> {
  const { book } = ctx;
  const webhooks = await listSubscriptions(book);
  const rows = [];
  for (const each of webhooks) {
    const failed = (await listDeliveries(book, { webhookId: each.id, limit: deliveriesMax })).find(
      ({ reason }) => reason !== undefined,
    );
    const failure = [each.reason, failed?.reason].find((reason) => reason !== undefined) ?? "";
    rows.push([
      link(`${ctx.base}/webhooks/${each.id}`, each.name),
      isolated(each.url),
      eventNames(each.categories),
      status(each),
      isolated(failure),
    ]);
  }
  return {
    title: "Webhooks",
    body: html`${cardTable({
      caption: "Receivers of events",
      columns: [
        { heading: "Name" },
        { heading: "Address" },
        { heading: "Events" },
        { heading: "Status" },
        { heading: "Last failure" },
      ],
      rows,
      empty: "Nobody is told of events.",
    })}
${pagePart("subscribe", "Tell an address of events", addForm(ctx))}`,
  };
}

function addForm(ctx: AdministrationContext): Markup {
  const chosenEvents = new Set(ctx.form?.getAll("event") ?? ["INVOICE"]);
  const checks = [...resourceByCategory].map(([category, { plural }]) => {
    const id = `event-${category.toLowerCase()}`;
    const checked = chosenEvents.has(category) ? html` checked=""` : "";
    return html`<div class="field check"><input type="checkbox" id="${id}" name="event" value="${category}"${checked}><label for="${id}">${wordsOf(plural)}</label></div>
`;
  });
  return form(
    ctx,
    "/webhooks",
    textField(ctx, {
      name: "url",
      label: "Address",
      type: "url",
      max: 2000,
      hint: "By https. It is sent empty deliveries first, and must answer those that are signed rightly with 200, and the others with 401.",
    }),
    textField(ctx, {
      name: "name",
      label: "Name",
      isOptional: true,
      max: 100,
      hint: "The host of the address when left empty.",
    }),
    html`<fieldset><legend>Events</legend>
${checks}</fieldset>
`,
    submit("Add"),
  );
}

/** Runs work with an HTTP client for webhook receivers, and closes it again. */
async function withSubscriber<T>(
  { book, by, host }: AdministrationContext,
  action: (dependencies: SubscriberDependencies) => Promise<T>,
): Promise<T> {
  const allowed = host.webhookAllowed;
  const { post, close } = createPoster({ allowed });
  try {
    return await action({ ...book, by, allowed, post });
  } finally {
    await close();
  }
}

async function add(ctx: AdministrationContext): Promise<Page> {
  const categories = ctx.form?.getAll("event") ?? [];
  const name = typed(ctx, "name") || undefined;
  const added = await withSubscriber(ctx, (dependencies) =>
    addSubscription(dependencies, { url: typed(ctx, "url"), name, categories }),
  );
  return {
    title: `${added.name} is subscribed`,
    heading: html`${isolated(added.name)} is subscribed`,
    body: html`${facts([
      ["Key by which deliveries are signed", html`<code>${added.signingKey}</code>`],
      ["Status", status(added)],
    ])}
${added.reason === undefined ? "" : html`<p>${added.reason} Give the receiver its key, and then enable the subscription.</p>`}
<p>${link(`${ctx.base}/webhooks/${added.id}`, "Go on to the subscription")}</p>`,
  };
}

async function showWebhook(ctx: AdministrationContext, key = ""): Promise<Page> {
  const { book, base } = ctx;
  const webhook = await findSubscription(book, key);
  const deliveries = await listDeliveries(book, { webhookId: webhook.id, limit: deliveriesMax });
  const path = `/webhooks/${webhook.id}`;
  const enable = webhook.status === "OK" ? "Validate again" : "Enable";
  return {
    title: webhook.name,
    heading: html`${isolated(webhook.name)} ${status(webhook)}`,
    body: html`${facts([
      ["Address", isolated(webhook.url)],
      ["Events", eventNames(webhook.categories)],
      ["Since", timeText(webhook.createdAt, ctx.timezone)],
      ...(webhook.reason === undefined
        ? []
        : [["Why it is not in use", isolated(webhook.reason)] as const]),
    ])}
${form(ctx, path, submit(enable, "do", "enable"))}<p class="links">${
      webhook.status === "DISABLED" ? "" : link(`${base}${path}/disable`, "Disable")
    }${link(`${base}${path}/remove`, "Remove")}</p>
${pagePart("deliveries", "Deliveries", deliveryTable(ctx, webhook, deliveries))}`,
  };
}

function deliveryTable(
  ctx: AdministrationContext,
  webhook: Webhook,
  deliveries: readonly Delivery[],
): Markup {
  return cardTable({
    caption: `The last ${deliveriesMax} deliveries, the newest first`,
    columns: [
      { heading: "Events" },
      { heading: "Made" },
      { heading: "Status" },
      { heading: "Tries", figures: true },
      { heading: "Answer", figures: true },
      { heading: "Failure" },
      { heading: "" },
    ],
    rows: deliveries.map((each) => [
      each.firstSequence === each.lastSequence
        ? String(each.firstSequence)
        : `${each.firstSequence} to ${each.lastSequence}`,
      timeText(each.createdAt, ctx.timezone),
      each.status === "DELIVERED" ? badge("Delivered", "done") : badge("Waiting", "open"),
      String(each.tries),
      each.answered === undefined ? "" : String(each.answered),
      isolated(each.reason ?? ""),
      webhook.status === "OK"
        ? form(
            ctx,
            `/webhooks/${webhook.id}`,
            html`<button class="plain" name="resend" value="${each.id}" aria-label="Send ${each.firstSequence} again">Send again</button>`,
          )
        : "",
    ]),
    empty: "Nothing was sent yet.",
  });
}

/** Validates and enables a subscription, or sends a delivery again, as the form says. */
async function actOn(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  const webhook = await findSubscription(ctx.book, key);
  const to = `/webhooks/${webhook.id}`;
  const again = typed(ctx, "resend");
  if (again !== "") {
    const { webhookId } = await findDelivery(ctx.book, again);
    if (webhookId !== webhook.id) throw refused("That delivery is of another subscription.");
    await resend({ ...ctx.book, by: ctx.by }, again);
    return redirectTo(to, "resent");
  }
  const now = await withSubscriber(ctx, (dependencies) => validate(dependencies, webhook));
  if (now.status !== "OK") throw refused(now.reason ?? "The receiver does not check signatures.");
  return redirectTo(to, "webhook-enabled");
}

const refused = (message: string) => refusal("Webhook", message);

async function askDisable(ctx: AdministrationContext, key = ""): Promise<Page> {
  const { id, name } = await findSubscription(ctx.book, key);
  return askPage(ctx, {
    title: `Disable ${name}?`,
    text: "What happens until it is enabled again it is never told. What it has not taken by now is held, and sent then.",
    button: "Disable",
    path: `/webhooks/${id}/disable`,
    back: `/webhooks/${id}`,
  });
}

async function disable(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  const webhook = await findSubscription(ctx.book, key);
  await disableSubscription({ ...ctx.book, by: ctx.by }, webhook);
  return redirectTo(`/webhooks/${webhook.id}`, "webhook-disabled");
}

async function askRemove(ctx: AdministrationContext, key = ""): Promise<Page> {
  const { id, name } = await findSubscription(ctx.book, key);
  return askPage(ctx, {
    title: `Remove ${name}?`,
    text: "What waits for it and the log of its deliveries are removed with it.",
    button: "Remove",
    path: `/webhooks/${id}/remove`,
    back: `/webhooks/${id}`,
  });
}

async function remove(ctx: AdministrationContext, key = ""): Promise<PageResponse> {
  const webhook = await findSubscription(ctx.book, key);
  await removeSubscription({ ...ctx.book, by: ctx.by }, webhook);
  return redirectTo("/webhooks", "webhook-removed");
}

export const webhookRoutes: readonly Route<AdministrationContext>[] = [
  { path: "/webhooks", show: showWebhooks, act: add },
  { path: "/webhooks/{id}", show: showWebhook, act: actOn },
  { path: "/webhooks/{id}/disable", show: askDisable, act: disable },
  { path: "/webhooks/{id}/remove", show: askRemove, act: remove },
];
