/**
 * Sees every statement that the store sends to a server in a test file, and refuses one that does
 * not name the organisation for each table that is keyed by one.
 */
import pg from "pg";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { directoryTables } from "../../src/store/schema/definitions/directory-tables.ts";
import { tablesIn, unnamed } from "./naming.ts";

/** Whole statements that are about no organisation in particular, and why. */
const exempt: ReadonlyMap<string, string> = new Map([
  [
    'select org, id as "OrganisationID", name as "Name" from organisation order by org',
    "which organisations there are, for whoever opens a database",
  ],
  [
    "select org, event_categories as told from organisation where event_categories is not null order by org",
    "which organisations have subscribers, for whoever delivers to them",
  ],
  ["select max(org) as org from organisation", "the number of a new one"],
  [
    "select org from organisation where id = $1 limit 1",
    "whether an organisation of this id is there, before one is made",
  ],
]);

/** Files that break books by hand, and one that runs migrations, which change all organisations. */
const exemptFiles = [
  "/test/store/schema/schema.test.ts",
  "/test/store/maintenance/verify.test.ts",
  "/test/service/verification/verification.test.ts",
];

/** Put on the clients of `pg` once in a process; the files that run in it take turns. */
const clients: { seen?: Set<string> } & Record<"query", unknown> = pg.Client.prototype;
clients.seen ??= record();
const { seen } = clients;

/** Only what the store sends, which says who it is. @returns where the texts come to */
function record(): Set<string> {
  const texts = new Set<string>();
  /** Connections that make or change tables, which is about all organisations. */
  const migrating = new WeakSet<pg.Client>();
  const sent = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
  clients.query = function query(this: pg.Client, ...given: unknown[]) {
    const of = (this as unknown as { connectionParameters: { application_name?: string } })
      .connectionParameters.application_name;
    if (of !== "acct") return sent.apply(this, given);
    const { text } = given[0] as pg.QueryConfig;
    if (text.startsWith("create table if not exists schema_version")) migrating.add(this);
    if (/^(commit|rollback)/.test(text)) migrating.delete(this);
    if (!migrating.has(this)) texts.add(text);
    return sent.apply(this, given);
  };
  return texts;
}

const keyed = new Set(inject("postgres").keyed);
const isOfServer = (table: string) => table === "call_count" || table in directoryTables;

beforeAll(() => seen.clear());
afterAll(() => {
  const { testPath = "" } = expect.getState();
  if (exemptFiles.some((path) => testPath.endsWith(path))) return;
  const strays = [...seen]
    .filter((text) => !exempt.has(text.replace(/\s+/g, " ").trim()))
    .map((text) => ({ text, unnamed: unnamed(text, keyed) }))
    .filter((each) => each.unnamed.length > 0);
  expect(strays, "statements that name no organisation").toEqual([]);
  const mixed = [...seen].filter((text) => {
    const read = tablesIn(text);
    return read.some(isOfServer) && read.some((table) => keyed.has(table) && !isOfServer(table));
  });
  // On a cluster the ones lie on the coordinator, the others on its nodes.
  expect(mixed, "statements that join tables of the server with those of organisations").toEqual(
    [],
  );
});
