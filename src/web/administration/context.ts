/** Requests for pages of administration. */
import type { Client } from "../../client/client.ts";
import type { TenantRegistry } from "../../service/auth/apps.ts";
import type { Staff } from "../../service/auth/people.ts";
import type { Book } from "../../service/books/book.ts";
import type { AccountContext } from "../account/account-router.ts";

/** An adviser at the pages of an organisation. */
export interface AdministrationContext extends AccountContext {
  readonly book: Book;
  /** Asks the service in the name of the person. */
  readonly client: Client;
  /** Of the organisation: moments are shown in it. */
  readonly timezone: string | undefined;
  readonly staff: Staff;
  readonly registry: TenantRegistry;
}
