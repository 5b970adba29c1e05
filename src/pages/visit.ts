/** What a page is made from, and what becomes of a request for one. */
import type { Client } from "../client/client.ts";
import { today } from "../ledger/dates/timezones.ts";
import type { Marks } from "../output/figures.ts";
import type { Markup } from "../output/markup.ts";
import { NotFoundError } from "../resources/errors.ts";
import { type Organisation, organisation } from "../resources/organisation.ts";
import type { Chunks } from "../wire/body.ts";

/** The books that pages show, their reader, and where the pages lie. */
export interface Site {
  /** Asks in the name of the reader: what they may not see is refused there. */
  readonly client: Client;
  /** Begins the addresses of the pages: empty, or a path without a slash at the end. */
  readonly base: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /**
   * Whether the reader may ask this of the API, as far as that is known: what is not is left out of
   * the pages. The service decides.
   *
   * @param path  below the API root
   */
  readonly allows: (method: "GET" | "POST", path: string) => boolean;
  /** Stands in each form that changes something, and nobody else knows it. */
  readonly formToken: string;
  /** The person who is signed in; undefined for the owner of a book on this machine. */
  readonly person?: SignedIn | undefined;
}

export interface SignedIn {
  readonly name: string;
  /** Where the pages of their account are. */
  readonly account: string;
  /** Where the organisation is administered; undefined for those who may not. */
  readonly administration?: string | undefined;
  /** Where a form with the token signs the person out. */
  readonly signOut: string;
  /** Where the other organisations of the person are, where there are any. */
  readonly others?: string | undefined;
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
export type Shown =
  | Page
  | { readonly seeOther: string }
  | { readonly pdf: { readonly name: string; readonly bytes: Uint8Array } }
  /** What somebody attached, which is saved and never shown. */
  | { readonly attachment: { readonly name: string; readonly body: Chunks } };

/** One request for a page. */
export interface Visit {
  readonly site: Site;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams | undefined;
  /** The address that was asked for, below the base, without the trail. */
  readonly here: string;
  /** The addresses that led here, the first one first; each is that of a page. */
  readonly trail: readonly string[];
  readonly organisation: Organisation;
  /** Of figures, as they are in the country of the organisation. */
  readonly marks: Marks;
  /** `YYYY-MM-DD` where the organisation is. */
  readonly today: string;
  /** Whether the reader may see the page at an address, as far as that is known. */
  readonly leads: (address: string) => boolean;
}

/** What links and forms of a page follow from. */
export interface Place extends Pick<Visit, "trail"> {
  readonly site: Pick<Site, "base">;
}

/** @throws NotFoundError */
export async function organisationAt({ client }: Pick<Site, "client">): Promise<Organisation> {
  for await (const each of client.list(organisation)) return each;
  throw new NotFoundError("NotFound", "The service names no organisation.");
}

export function todayAt({ clock }: Site, { Timezone }: Organisation): string {
  return today(clock(), Timezone ?? "UTC");
}
