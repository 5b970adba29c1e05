/** HTTP headers of all pages and of their assets. */
import { policyOf } from "../../output/html/frame.ts";
import { inlineDisposition } from "../../platform/file-name.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";

/**
 * Headers of every answer to a browser: private to its reader, with no resources of other origins.
 */
export const privateHeaders = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex, nofollow, noarchive",
  // Not `no-referrer`: browsers would then no longer send the origin of a form.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Headers of pages with a secret address, which `Referer` must not reveal to other pages. */
export const secretHeaders = { ...privateHeaders, "referrer-policy": "no-referrer" } as const;

/** Exceptions of a page from the common headers. */
export interface PageNeeds {
  /**
   * Inline style of a page that uses neither the shared style sheet, script nor images; undefined
   * for pages of the books.
   */
  readonly style?: string | undefined;
  /** Whether a page with an inline style has an image: the logo on a customer's page. */
  readonly hasLogo?: boolean;
  /**
   * Whether the page has a secret address: a customer's page, or one with a sign-in code.
   */
  readonly isSecret?: boolean;
  /**
   * Further origin that forms may lead to: after a sign-in the browser is redirected to the app.
   */
  readonly sendsTo?: string | undefined;
}

export function pageHeaders(needs: PageNeeds = {}): Readonly<Record<string, string>> {
  const { style, hasLogo = false, isSecret = false, sendsTo = "" } = needs;
  const loads =
    style === undefined
      ? "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:"
      : policyOf(style) + (hasLogo ? "; img-src 'self'" : "");
  return {
    ...(isSecret ? secretHeaders : privateHeaders),
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${loads}; form-action ${`'self' ${sendsTo}`.trim()}; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** Headers of an attachment: no script in it may run. */
export const attachmentHeaders = {
  "content-security-policy": "sandbox; default-src 'none'",
} as const;

export function seeOther(location: string, headers = {}): ServiceResponse {
  return { status: 303, headers: { ...privateHeaders, location, ...headers }, body: "" };
}

/** Answer with a PDF, which the browser shows under its file name. */
export function pdfAnswer(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  commonHeaders: Readonly<Record<string, string>> = privateHeaders,
): ServiceResponse {
  const disposition = inlineDisposition(name);
  const type = contentTypeOf("pdf");
  const headers = { ...commonHeaders, "content-type": type, "content-disposition": disposition };
  return { status: 200, headers, body: bytes };
}
