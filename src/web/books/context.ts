/** The books that pages show, and requests for them. */
import type { Client } from "../../client/client.ts";
import { today } from "../../ledger/dates/timezones.ts";
import type { Marks } from "../../output/figures.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { type Organisation, organisation } from "../../resources/organisation.ts";
import type { PageContext, TrailContext } from "../frame/page-context.ts";

/** The books that pages show, their reader, and where the pages lie. */
export interface Site extends Pick<PageContext, "base" | "formToken"> {
  /** Asks in the name of the reader: what they may not see is refused there. */
  readonly client: Client;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /**
   * Whether the reader may ask this of the API, as far as that is known: what is not is left out of
   * the pages. The service decides.
   *
   * @param path  below the API root
   */
  readonly allows: (method: "GET" | "POST", path: string) => boolean;
  /** The signed-in user; undefined in a local book, which is opened without signing in. */
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

/** One request for a page of the books. */
export interface BooksContext extends Site, TrailContext {
  readonly organisation: Organisation;
  /** Of figures, as they are in the country of the organisation. */
  readonly marks: Marks;
  /** `YYYY-MM-DD` where the organisation is. */
  readonly today: string;
}

/** @throws NotFoundError */
export async function organisationAt({ client }: Pick<Site, "client">): Promise<Organisation> {
  for await (const each of client.list(organisation)) return each;
  throw new NotFoundError("NotFound", "The service names no organisation.");
}

export function todayAt({ clock }: Site, { Timezone }: Organisation): string {
  return today(clock(), Timezone ?? "UTC");
}
