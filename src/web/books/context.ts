/** Context of requests for pages of the books. */
import type { Client } from "../../client/client.ts";
import { dayIn } from "../../ledger/dates/timezones.ts";
import type { Marks } from "../../output/figures.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import type { PageContext, TrailContext } from "../frame/page-context.ts";

/** The books that pages show: their client, reader and base address. */
export interface Site extends Pick<PageContext, "base" | "formToken"> {
  /** Client that acts for the reader; the service refuses what the reader may not see. */
  readonly client: Client;
  /** Clock that returns milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /**
   * Whether the reader has permission for an API request, as far as is known. Pages leave out what
   * is not permitted; the service itself enforces permissions.
   *
   * @param path  path below the API root
   */
  readonly allows: (method: "GET" | "POST", path: string) => boolean;
  /** Signed-in user; undefined in a local book, which needs no sign-in. */
  readonly person?: SignedIn | undefined;
}

export interface SignedIn {
  readonly name: string;
  /** Address of the user's account pages. */
  readonly account: string;
  /** Address of the organisation's administration pages; undefined for users without that right. */
  readonly administration?: string | undefined;
  /** Address to which a form with the CSRF token signs the user out. */
  readonly signOut: string;
  /** Address of the choice of organisations; undefined where the user has only one. */
  readonly others?: string | undefined;
}

/** Context of one request for a page of the books. */
export interface BooksContext extends Site, TrailContext {
  readonly organisation: Organisation;
  readonly cookies: ReadonlyMap<string, string>;
  /**
   * Decimal mark, separators and time zone of the organisation, for formatting figures and times.
   */
  readonly numberMarks: Marks;
  /** Current date in the time zone of the organisation, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Reads the organisation. @throws NotFoundError */
export async function organisationAt({ client }: Pick<Site, "client">): Promise<Organisation> {
  for await (const record of client.list(organisation)) return record;
  throw new NotFoundError("NotFound", "The service names no organisation.");
}

export function todayAt({ clock }: Site, { Timezone }: Organisation): string {
  return dayIn(clock(), Timezone ?? "UTC");
}
