/** Queries of journals and postings in the ledger. */
import { setImmediate } from "node:timers/promises";
import { holdMemoryDown } from "../platform/memory.ts";
import { type AccountTransaction, accountTransaction } from "../resources/account-transaction.ts";
import { pathOf } from "../resources/field.ts";
import { type Journal, journal } from "../resources/journal.ts";
import type { Client, Records } from "./types.ts";

export const bases = ["accrual", "cash"] as const;

export interface JournalQuery {
  /** First date, `YYYY-MM-DD`; `to` is the last. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Accounting basis; accrual when not given. */
  readonly basis?: (typeof bases)[number] | undefined;
  /** Only journals with a number above this one. */
  readonly offset?: number | undefined;
  /** Milliseconds since 1970 UTC: only journals created then or later. */
  readonly modifiedSince?: number | undefined;
}

/** Yields journals by ascending number, which is not the order of their dates. */
export async function* journalsOf(client: Client, query: JournalQuery): AsyncGenerator<Journal> {
  const { from, to, basis, offset, modifiedSince } = query;
  const parameters = { paymentsOnly: basis === "cash" ? "true" : "false" };
  const all: Records<typeof journal> = client.list(journal, { parameters, offset, modifiedSince });
  for await (const record of all) {
    const isOutside =
      (from !== undefined && record.JournalDate < from) ||
      (to !== undefined && record.JournalDate > to);
    if (!isOutside) yield record;
  }
}

/** Row count of the first page, small so that output begins early. */
const firstPage = "100";

/** Yields the rows of the account transactions report, page by page. */
export async function* transactionsOf(
  client: Client,
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<AccountTransaction> {
  const page = (moreQuery: Readonly<Record<string, string>>) =>
    client.at(accountTransaction, pathOf(accountTransaction), { ...parameters, ...moreQuery });
  let rows = await page({ pageSize: firstPage });
  yield* rowsOf(rows);
  if (rows.at(-1)?.Next === undefined) return;
  await setImmediate(); // the first page is written before more is read
  const release = holdMemoryDown();
  try {
    for (let cursor = rows.at(-1)?.Next; cursor !== undefined; cursor = rows.at(-1)?.Next) {
      rows = await page({ after: cursor });
      yield* rowsOf(rows);
    }
  } finally {
    release();
  }
}

function* rowsOf(rows: readonly AccountTransaction[]): Generator<AccountTransaction> {
  for (const { Next: _next, ...row } of rows) yield row;
}
