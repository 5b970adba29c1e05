/** The headers of all pages and of the files beside them. */
import { policyOf } from "../../output/html/frame.ts";
import { inlineDisposition } from "../../platform/file-name.ts";
import { contentTypeOf } from "../../wire/format.ts";
import type { ServiceResponse } from "../../wire/http.ts";

/** The headers of every answer to a browser: for its reader alone, and nothing from elsewhere in it. */
export const privateHeaders = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex, nofollow, noarchive",
  // Not even less: browsers would no longer say where a form was sent from.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Headers where the address itself is a secret, which no other page may read in `Referer`. */
export const secretHeaders = { ...privateHeaders, "referrer-policy": "no-referrer" } as const;

/** Needs of a page beside the common set of headers. */
export interface PageNeeds {
  /** The only style of a page without style sheet, script and images; those of the books when not given. */
  readonly style?: string | undefined;
  /** Whether a page with a style of its own has an image: the logo on a customer's page. */
  readonly hasLogo?: boolean;
  /** Whether the address of the page is a secret: of a customer's page, or with a code of a sign-in. */
  readonly isSecret?: boolean;
  /** An origin beside this one to which forms lead: after a sign-in the browser goes on to the app. */
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

/** Of a file that somebody attached, in which nothing runs. */
export const attachmentHeaders = {
  "content-security-policy": "sandbox; default-src 'none'",
} as const;

export function seeOther(location: string, headers = {}): ServiceResponse {
  return { status: 303, headers: { ...privateHeaders, location, ...headers }, body: "" };
}

/** A printed record, shown in the browser under its name. */
export function pdfAnswer(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  common: Readonly<Record<string, string>> = privateHeaders,
): ServiceResponse {
  const disposition = inlineDisposition(name);
  const type = contentTypeOf("pdf");
  const headers = { ...common, "content-type": type, "content-disposition": disposition };
  return { status: 200, headers, body: bytes };
}
