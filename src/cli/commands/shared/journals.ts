/**
 * The journals of the ledger, one by one, as a list or an export asks for them.
 *
 * The service reads them by their numbers alone; days are picked here.
 */
import type { Client, Records } from "../../../client/client.ts";
import { type Journal, journal } from "../../../resources/journal.ts";
import type { Period } from "../../values/dates.ts";

export const bases = ["accrual", "cash"] as const;

export interface JournalQuery extends Partial<Period> {
  /** Accrual when not given. */
  readonly basis?: (typeof bases)[number] | undefined;
  /** Only numbers above this one. */
  readonly offset?: number | undefined;
  /** Milliseconds since 1970 UTC: only journals posted then or later. */
  readonly modifiedSince?: number | undefined;
}

/** In the order of their numbers, which is not that of their dates. */
export async function* journalsOf(client: Client, query: JournalQuery): AsyncGenerator<Journal> {
  const { from, to, basis, offset, modifiedSince } = query;
  const parameters = { paymentsOnly: basis === "cash" ? "true" : "false" };
  const all: Records<typeof journal> = client.list(journal, { parameters, offset, modifiedSince });
  for await (const each of all) {
    const isOutside =
      (from !== undefined && each.JournalDate < from) ||
      (to !== undefined && each.JournalDate > to);
    if (!isOutside) yield each;
  }
}
