/** The query builder of a transaction changes no rows, by its type; this is about SQL that is written out. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Statements that note what they change themselves, or change nothing that the chain covers. */
const known: Readonly<Record<string, string>> = {
  "src/store/operations/bulk.ts": "notes the rows of any table",
  "src/store/mapping/line-items.ts": "lines, which it notes as removed",
  "src/store/transactions/reference-cache.ts": "versions of cached data",
  "src/store/transactions/idempotency.ts": "answers that are out of date",
  "src/store/directory/call-counts.ts": "counts of calls",
  "src/store/outbox/webhooks.ts": "leases and numbers of deliveries",
  "src/store/upgrade/25-bring-up.ts": "balances, before there is a chain or beside it",
  "src/store/upgrade/28-handles.ts": "handles and their counters, linked after the migrations",
};

test("SQL statements that change rows are only in the source files that update the hash chain", () => {
  const writing = /`\s*(update|delete from|insert into)\s+[$a-z_"]/;
  const found = globSync("src/{store,service,admin}/**/*.ts").filter(
    (path) => !path.includes("/dialects/") && writing.test(readFileSync(path, "utf8")),
  );
  expect(found.sort()).toEqual(Object.keys(known).sort());
});
