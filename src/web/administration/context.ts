/** Context of requests for administration pages. */
import type { Client } from "../../client/client.ts";
import type { TenantRegistry } from "../../service/auth/apps.ts";
import type { Staff } from "../../service/auth/people.ts";
import type { Book } from "../../service/books/book.ts";
import type { AccountContext } from "../account/account-router.ts";

/** Context of a request by an adviser for an administration page of an organisation. */
export interface AdministrationContext extends AccountContext {
  readonly book: Book;
  /** Client of the service that acts for the signed-in user. */
  readonly client: Client;
  /** Time zone of the organisation, in which times are shown. */
  readonly timezone: string | undefined;
  readonly staff: Staff;
  readonly registry: TenantRegistry;
}
