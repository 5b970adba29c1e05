/** What a page is made from, and what becomes of a request for one. */
import type { Markup } from "../../output/markup.ts";
import type { Chunks } from "../../wire/body.ts";

/** One request for a page, with what links and forms of every page follow from. */
export interface PageContext {
  /** Begins the addresses of the pages: empty, or a path without a slash at the end. */
  readonly base: string;
  readonly query: URLSearchParams;
  /** Fields of a form that was sent. */
  readonly form: URLSearchParams | undefined;
  /** Stands in each form that changes something, and nobody else knows it. */
  readonly formToken: string;
  /** The addresses that led here, the first one first; each is that of a page. */
  readonly trail: readonly string[];
  /** Faults of the form that was sent. */
  readonly faults: readonly string[];
}

/** A context whose links go deeper. */
export interface TrailContext extends PageContext {
  /** The address that was asked for, below the base, without the trail. */
  readonly here: string;
  /** Whether the reader may see the page at an address, as far as that is known. */
  readonly leads: (address: string) => boolean;
}

export interface PageRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Below the base, percent-encoded, beginning with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a form that was sent. */
  readonly form?: URLSearchParams | undefined;
}

/** A page as it stands between what all pages have. */
export interface Page {
  readonly title: string;
  /** The heading; the title when not given. */
  readonly heading?: Markup | string;
  readonly body: Markup;
  readonly status?: number;
}

/** A page, another address below the base to go to, or a file. */
export type PageResponse =
  | Page
  | { readonly seeOther: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly pdf: { readonly name: string; readonly bytes: Uint8Array } }
  /** What somebody attached, which is saved and never shown. */
  | { readonly attachment: { readonly name: string; readonly body: Chunks } };
