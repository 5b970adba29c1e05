/**
 * The boundary of the pages: finds the page that a request means, and makes an answer of it, or of
 * what went wrong.
 */

import { marksOf } from "../output/figures.ts";
import { html } from "../output/markup.ts";
import { inlineDisposition } from "../platform/file-name.ts";
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  SchemaError,
  UnavailableError,
  UsageError,
} from "../resources/errors.ts";
import {
  attachmentHeaders,
  pageHeaders,
  pdfAnswer,
  privateHeaders,
  seeOther,
} from "../web/frame/headers.ts";
import { messagePage, notice } from "../web/frame/message.ts";
import type { Chunks } from "../wire/body.ts";
import type { ServiceResponse } from "../wire/http.ts";
import { answerAsset } from "./assets.ts";
import { type Crumb, document } from "./layout.ts";
import { isPage, openingBy, type Route, routeAt, titleAt } from "./routes.ts";
import { hereOf, linkTo, stepsOf, trailIn } from "./trail.ts";
import {
  organisationAt,
  type Page,
  type PageRequest,
  type Shown,
  type Site,
  todayAt,
  type Visit,
} from "./visit.ts";

/** A page for somebody to whom nothing of the books is shown. */
export function refusedPage(status: number, title: string, text: string): ServiceResponse {
  return messagePage(status, notice(title, text));
}

/** @param report  told of every failure that is a bug */
export async function answerPage(
  site: Site,
  request: PageRequest,
  report: (error: unknown) => void,
): Promise<ServiceResponse> {
  const asset = request.method === "POST" ? undefined : answerAsset(request.path);
  if (asset !== undefined) return asset;
  const found = routeAt(request.path);
  let name: string | undefined;
  const show = (shown: Page, crumbs: readonly Crumb[]): ServiceResponse => {
    const around = { site, organisation: name, crumbs, path: request.path };
    const body = String(document(shown, { ...around, section: found?.route.section }));
    return { status: shown.status ?? 200, headers: pageHeaders(), body };
  };
  try {
    if (found === undefined) throw nothingHere();
    const organisation = await organisationAt(site);
    name = organisation.Name;
    const visit: Visit = {
      site,
      query: request.query,
      form: request.form,
      here: hereOf(request.path, request.query),
      trail: trailIn(request.form ?? request.query, isPage),
      organisation,
      marks: { ...marksOf(organisation.CountryCode), timezone: organisation.Timezone },
      today: todayAt(site, organisation),
      leads: openingBy(site),
    };
    const shown = await shownBy(found.route, request, visit, found.parameters);
    if ("seeOther" in shown) return seeOther(site.base + shown.seeOther);
    if ("pdf" in shown) return pdfAnswer(shown.pdf);
    if ("attachment" in shown) return attachmentOf(shown.attachment);
    return show(shown, crumbsOf(visit, found.route));
  } catch (error) {
    return show(refusalOf(error, report), [{ title: "Overview", href: linkTo({ site }, "/") }]);
  }
}

function shownBy(
  { show, act }: Route,
  { method, form }: PageRequest,
  visit: Visit,
  parameters: readonly string[],
): Promise<Shown> {
  if (method !== "POST") return show(visit, ...parameters);
  if (act === undefined) throw nothingHere();
  checkToken(form, visit.site.formToken);
  return act(visit, ...parameters);
}

/** Refuses a form that no page of the reader's has made. @throws RefusedError `StaleForm` */
export function checkToken(form: URLSearchParams | undefined, formToken: string): void {
  const { timingSafeEqual, hash } = process.getBuiltinModule("node:crypto");
  const digest = (text: string) => Buffer.from(hash("sha256", text, "hex"));
  if (timingSafeEqual(digest(form?.get("token") ?? ""), digest(formToken))) return;
  throw new RefusedError(
    "StaleForm",
    "This form is no longer good. Go back, load the page again, and send it once more.",
  );
}

function attachmentOf({ name, body }: { readonly name: string; readonly body: Chunks }) {
  const headers = {
    ...privateHeaders,
    "content-type": "application/octet-stream",
    "content-disposition": inlineDisposition(name).replace(/^inline/, "attachment"),
    ...attachmentHeaders,
  };
  return { status: 200, headers, body };
}

/** The way here; where nothing led here, what the page stands under. */
function crumbsOf(visit: Visit, { parent }: Route): readonly Crumb[] {
  const home = { title: "Overview", href: linkTo(visit, "/") };
  const { here } = visit;
  if (here === "/" || here.startsWith("/?")) return [];
  const steps = stepsOf(visit).filter(([address]) => address !== "/");
  if (steps.length === 0) {
    return parent === undefined
      ? [home]
      : [home, { title: titleAt(parent), href: linkTo(visit, parent) }];
  }
  return [home, ...steps.map(([address, href]) => ({ title: titleAt(address), href }))];
}

function nothingHere(): NotFoundError {
  return new NotFoundError("NotFound", "There is no such page.");
}

/** What is said of an error; one that is a bug is reported. */
export function refusalOf(error: unknown, report: (error: unknown) => void): Page {
  const found = refusals.find(([kind]) => error instanceof kind);
  if (found === undefined || !(error instanceof AcctError)) {
    report(error);
    return {
      title: "This page cannot be shown",
      body: html`<p>Something went wrong. It has been reported; try again later.</p>`,
      status: 500,
    };
  }
  const [, status, title] = found;
  const messages = error.details.map(({ message }) => message);
  const said = messages.length === 0 ? [error.message] : messages;
  const own = error instanceof AuthError && error.status === 401 ? 502 : status;
  return { title, body: html`${said.map((each) => html`<p>${each}</p>`)}`, status: own };
}

// biome-ignore lint/suspicious/noExplicitAny: the constructors of errors take different things.
type ErrorClass = abstract new (...given: any[]) => AcctError;

const refusals: readonly (readonly [ErrorClass, number, string])[] = [
  [NotFoundError, 404, "There is nothing here"],
  [AuthError, 403, "You may not see this"],
  [SchemaError, 503, "The books cannot be used"],
  [RefusedError, 400, "This cannot be done"],
  [UsageError, 400, "This cannot be done"],
  [UnavailableError, 503, "The books cannot be reached"],
];
