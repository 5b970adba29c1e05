/**
 * Entry point of the pages: finds the route of a request, and turns its page, or an error, into a
 * response.
 *
 * A form is accepted only with the CSRF token of its own reader.
 */
import { html, type Markup } from "../../output/markup.ts";
import { inlineDisposition } from "../../platform/file-name.ts";
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  SchemaError,
  UnavailableError,
  UsageError,
} from "../../resources/errors.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { attachmentHeaders, pageHeaders, pdfAnswer, privateHeaders, seeOther } from "./headers.ts";
import type { Page, PageContext, PageRequest, PageResponse } from "./page-context.ts";
import { answerAsset } from "./static-files.ts";

export interface Route<C extends PageContext> {
  /** Path pattern; a segment in braces matches any segment. */
  readonly path: string;
  readonly show: (context: C, ...parameters: string[]) => Promise<PageResponse>;
  /** Handles a form submitted to the page. */
  readonly act?: (context: C, ...parameters: string[]) => Promise<PageResponse>;
}

export interface RouteMatch<R> {
  readonly route: R;
  /** Decoded values of the segments in braces. */
  readonly parameters: readonly string[];
}

/**
 * Facts for the frame of a page; `context` is undefined where the service could not be reached for
 * it.
 */
export interface FrameContext<C, R> {
  readonly route: R | undefined;
  readonly context: C | undefined;
  readonly isRefusal: boolean;
}

/** A set of pages with a common frame, for one reader. */
export interface Room<C extends PageContext, R extends Route<C>> {
  readonly routeAt: (path: string) => RouteMatch<R> | undefined;
  readonly base: string;
  readonly formToken: string;
  readonly contextOf: () => Promise<C>;
  readonly document: (page: Page, layoutContext: FrameContext<C, R>) => Markup;
  /** Whether errors of a form are shown on the page of the form. */
  readonly showsFaults?: boolean;
  /** Called for each failure that is a bug. */
  readonly report: (error: unknown) => void;
}

export async function answerIn<C extends PageContext, R extends Route<C>>(
  pages: Room<C, R>,
  request: PageRequest,
): Promise<ServiceResponse> {
  const asset = request.method === "POST" ? undefined : answerAsset(request.path);
  if (asset !== undefined) return asset;
  const match = pages.routeAt(request.path);
  let context: C | undefined;
  const show = (page: Page, isRefusal: boolean): ServiceResponse => {
    const body = String(pages.document(page, { route: match?.route, context, isRefusal }));
    return { status: page.status ?? 200, headers: pageHeaders(), body };
  };
  try {
    if (match === undefined) throw notFound();
    context = await pages.contextOf();
    const { route, parameters } = match;
    let response: PageResponse;
    try {
      response = await answerRoute(route, request.method, context, parameters);
    } catch (error) {
      if (pages.showsFaults !== true || request.method !== "POST" || !isOfForm(error)) throw error;
      context = { ...context, faults: messagesOf(error) };
      response = { ...(await route.show(context, ...parameters)), status: 400 };
    }
    if ("seeOther" in response) return seeOther(pages.base + response.seeOther, response.headers);
    if ("pdf" in response) return pdfAnswer(response.pdf);
    if ("attachment" in response) return attachmentOf(response.attachment);
    return show(response, false);
  } catch (error) {
    return show(refusalOf(error, pages.report), true);
  }
}

async function answerRoute<C extends PageContext>(
  { show, act }: Route<C>,
  method: PageRequest["method"],
  context: C,
  parameters: readonly string[],
): Promise<PageResponse> {
  if (method !== "POST") return show(context, ...parameters);
  if (act === undefined) throw notFound();
  checkToken(context.form, context.formToken);
  return act(context, ...parameters);
}

/** Checks the CSRF token of a form. @throws RefusedError `StaleForm` */
function checkToken(form: URLSearchParams | undefined, formToken: string): void {
  const { timingSafeEqual, hash } = process.getBuiltinModule("node:crypto");
  const digest = (text: string) => Buffer.from(hash("sha256", text, "hex"));
  if (timingSafeEqual(digest(form?.get("token") ?? ""), digest(formToken))) return;
  throw new RefusedError(
    "StaleForm",
    "This form is no longer good. Go back, load the page again, and send it once more.",
  );
}

type AttachmentResponse = Extract<PageResponse, { readonly attachment: unknown }>["attachment"];

function attachmentOf({ name, body, type }: AttachmentResponse): ServiceResponse {
  const headers = {
    ...privateHeaders,
    "content-type": type ?? "application/octet-stream",
    "content-disposition": inlineDisposition(name).replace(/^inline/, "attachment"),
    ...attachmentHeaders,
  };
  return { status: 200, headers, body };
}

// --- routes ------------------------------------------------------------------------------------

/**
 * Creates a lookup of routes by path.
 *
 * @returns function that finds the route of a percent-encoded path without query; undefined where
 * there is none
 */
export function routesBy<R extends { readonly path: string }>(
  routes: readonly R[],
): (path: string) => RouteMatch<R> | undefined {
  const parsed = routes.map((route) => ({ route, segments: route.path.slice(1).split("/") }));
  return (path) => {
    const parts = path.slice(1).split("/");
    for (const { route, segments } of parsed) {
      const isMatch =
        segments.length === parts.length &&
        segments.every((segment, at) =>
          segment.startsWith("{") ? parts[at] !== "" : segment === parts[at],
        );
      if (!isMatch) continue;
      const parameters = parts.filter((_, at) => segments[at]?.startsWith("{")).map(decodeSegment);
      return parameters.includes(undefined)
        ? undefined
        : { route, parameters: parameters as readonly string[] };
    }
    return undefined;
  };
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// --- refusals ----------------------------------------------------------------------------------

export function notFound(): NotFoundError {
  return new NotFoundError("NotFound", "There is no such page.");
}

/**
 * Whether an error is about the input of a form; missing records and an unavailable service have
 * pages of their own.
 */
const isOfForm = (error: unknown): error is AcctError =>
  error instanceof AcctError &&
  !(error instanceof NotFoundError) &&
  !(error instanceof UnavailableError) &&
  !(error instanceof SchemaError) &&
  error.code !== "StaleForm";

/** Sentences of a refusal, in which options are named by the labels of a page. */
export function messagesOf(error: AcctError, label?: FlagLabel): readonly string[] {
  const messages = error.details.map(({ message }) => message);
  return (messages.length === 0 ? [error.message] : messages).map((each) => inFields(each, label));
}

/** Label of the field that a flag of the command line is on a page, `--decimal` or `--decimal comma`. */
export type FlagLabel = (words: string) => string | undefined;

/**
 * Names options by the labels of fields where a sentence names them by flags: `“Encoding” settles
 * it.` A flag without a field is its own words; whole commands, `acct currency add USD`, stay.
 */
export function inFields(sentence: string, label: FlagLabel = () => undefined): string {
  return sentence.replace(
    /\bacct (?:'[^']*'|[^;)'.:]|[.:](?!\s|$))*|(--[a-z][a-z-]*)( (?!-)[^\s;,.)]+)?/g,
    (words, flag?: string, value = "") => {
      if (flag === undefined) return words;
      const wholeLabel = label(words);
      if (wholeLabel !== undefined) return `“${wholeLabel}”`;
      return `“${label(flag) ?? flag.slice(2).replaceAll("-", " ")}”${value}`;
    },
  );
}

/** Page for an error; an error that is a bug is reported. */
function refusalOf(error: unknown, report: (error: unknown) => void): Page {
  const entry = refusals.find(([kind]) => error instanceof kind);
  if (entry === undefined || !(error instanceof AcctError)) {
    report(error);
    return {
      title: "This page cannot be shown",
      body: html`<p>Something went wrong. It has been reported; try again later.</p>`,
      status: 500,
    };
  }
  const [, status, title] = entry;
  const pageStatus = error instanceof AuthError && error.status === 401 ? 502 : status;
  return {
    title,
    body: html`${messagesOf(error).map((text) => html`<p>${text}</p>`)}`,
    status: pageStatus,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the constructors of errors take different things.
type ErrorClass = abstract new (...classArguments: any[]) => AcctError;

const refusals: readonly (readonly [ErrorClass, number, string])[] = [
  [NotFoundError, 404, "There is nothing here"],
  [AuthError, 403, "This is not allowed here"],
  [SchemaError, 503, "The books cannot be used"],
  [RefusedError, 400, "This cannot be done"],
  [UsageError, 400, "This cannot be done"],
  [UnavailableError, 503, "The books cannot be reached"],
];
