/** Requests for pages and their responses. */
import type { Markup } from "../../output/markup.ts";
import type { Chunks } from "../../wire/body.ts";
import type { FilledForm, UploadedFile } from "../../wire/filled-form.ts";

/** Request for a page, with all that links and forms on any page need. */
export interface PageContext {
  /** Base of the addresses of the pages: empty, or a path without a slash at the end. */
  readonly base: string;
  readonly query: URLSearchParams;
  /** Fields of a submitted form. */
  readonly form: URLSearchParams | undefined;
  /** Files of a submitted form. */
  readonly files?: readonly UploadedFile[];
  /** CSRF token, secret to the reader, which every form that changes data contains. */
  readonly formToken: string;
  /** Trail: the addresses of the pages that led to this one, the first page first. */
  readonly trail: readonly string[];
  /** Errors of the submitted form. */
  readonly faults: readonly string[];
}

/** Context of pages whose links extend the trail. */
export interface TrailContext extends PageContext {
  /** Address of the request below the base, without the trail. */
  readonly here: string;
  /** Whether the reader may see the page at an address, as far as is known. */
  readonly mayOpen: (address: string) => boolean;
}

export interface PageRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Path below the base, percent-encoded, beginning with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a submitted form. */
  readonly form?: URLSearchParams | undefined;
  /** Reads a submitted form with files; undefined for any other request. */
  readonly upload?: (() => Promise<FilledForm>) | undefined;
  readonly cookies?: ReadonlyMap<string, string> | undefined;
}

/** A page without the frame that all pages share. */
export interface Page {
  readonly title: string;
  /** The heading; the title when not given. */
  readonly heading?: Markup | string;
  readonly body: Markup;
  readonly status?: number;
}

/** Response to a request: a page, a redirect to an address below the base, or a file. */
export type PageResponse =
  | Page
  | { readonly seeOther: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly pdf: { readonly name: string; readonly bytes: Uint8Array } }
  /** Attachment, which the browser saves and never displays; its type is not told where unknown. */
  | {
      readonly attachment: {
        readonly name: string;
        readonly body: Chunks;
        readonly type?: string;
      };
    };
