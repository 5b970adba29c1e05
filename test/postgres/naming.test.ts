/** That each statement and each table is about one organisation, or is known not to be. */
import { Client } from "pg";
import { describe, expect, inject, test } from "vitest";
import type { DirectoryTables } from "../../src/store/schema/index.ts";
import { tablesIn, unnamed } from "./naming.ts";

const keyed = new Set(["document", "document_line", "contact", "posting", "organisation"]);

describe("an SQL statement that restricts each of its tables to an organisation", () => {
  test.each([
    "select id from document where org = $1 and id in ($2, $3)",
    'select "document"."id" from "document" where "document"."org" = $1',
    "select d.id from document as d join contact c on c.org = d.org and c.id = d.contact_id where d.org = $1",
    "select d.id from document d, contact c where d.org = $1 and c.org = $1",
    "select 1 from document where org = $1 and exists (select 1 from posting p where p.org = document.org)",
    "insert into document (org, id) values ($1, $2) on conflict (org, id) do update set id = excluded.id",
    "insert into posting (org, n) select org, 1 from document where org = $1",
    "update document set status = 'from contact' where org = $1",
    "update document as d set total = c.n from contact as c where c.org = d.org and d.org = $1",
    "delete from posting where org = $1 and number < $2",
    "with due as (select id from document where org = $1) select * from due",
    "select id from document where org = $1 union all select id from contact where org = $1",
    "select 1 from organisation where org = $1 for update",
    "select sum(n) from (values (1), (2)) as v (n)",
    "select from app where id = $1",
    "begin isolation level read committed",
  ])(
    "the SQL statement is accepted, since each of its tables is restricted to an organisation: %s",
    (text) => expect(unnamed(text, keyed)).toEqual([]),
  );
});

describe("an SQL statement that does not restrict each of its tables to an organisation", () => {
  test.each([
    ["select id from document where id = $1", ["document"]],
    ["select id from document", ["document"]],
    ["select organ, org from document where id = $1", ["document"]],
    ["select id from document where id = $1 and status = 'org = 1'", ["document"]],
    [
      "select id from document d join contact c on c.id = d.contact_id where d.org = $1",
      ["contact"],
    ],
    ["select id from document d, contact c where org = $1", ["document", "contact"]],
    [
      "select 1 from document where org = $1 and exists (select 1 from posting where n = 1)",
      ["posting"],
    ],
    ["select id from document where org = $1 union select id from contact", ["contact"]],
    ["with due as (select id from document) select * from due where org = $1", ["document"]],
    ["insert into document (id) values ($1)", ["document"]],
    ["insert into posting (org, n) select org, 1 from document", ["document"]],
    ["update document set org = 1", ["document"]],
    ["update document as d set total = c.n from contact as c where d.org = $1", ["contact"]],
    ["delete from posting", ["posting"]],
    ["declare stream no scroll cursor for select * from contact", ["contact"]],
  ])(
    "the SQL statement is found to leave a table unrestricted to an organisation: %s",
    (text, tables) => expect(unnamed(text, keyed)).toEqual(tables),
  );
});

// --- the schema ----------------------------------------------------------------------------------

/** Tables that are not of one organisation, but of a server, and why. */
const exempt: Readonly<Record<keyof DirectoryTables | "schema_version", string>> = {
  schema_version: "how far the tables of the database are",
  person: "people sign in to the server",
  membership: "as what a person works, for an organisation that it names by its id",
  app: "apps are of the server, and connected to organisations",
  connection: "which app may work for which organisation, named by its id",
  consent: "what a person allowed an app, whichever organisations they chose",
  artefact: "codes, tokens and sessions, which are there before an organisation is chosen",
  directory_key: "with what the server signs",
  policy: "what apps and people may do, for an organisation that it names by its id",
  attempt: "wrong passwords, of people and of addresses",
};

async function asked<R extends object>(text: string): Promise<R[]> {
  const client = new Client({ connectionString: inject("postgres").shared });
  await client.connect();
  const { rows } = await client.query<R>(text);
  await client.end();
  return rows;
}

test("the primary key of every table begins with the organisation id, except in the server's own tables", async () => {
  const rows = await asked<{ table: string; key: string }>(`
    select t.relname as "table", (
      select a.attname from pg_index i join pg_attribute a
      on a.attrelid = t.oid and a.attnum = i.indkey[0]
      where i.indrelid = t.oid and i.indisprimary
    ) as key
    from pg_class t where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`);
  const others = rows.filter(({ key }) => key !== "org").map(({ table }) => table);
  expect(others.sort()).toEqual(Object.keys(exempt).sort());
  expect(rows.length - others.length).toBeGreaterThan(35);
});

test("every constraint and unique index of a table with an organisation id includes that id", async () => {
  const rows = await asked<{ index: string; table: string; key: string }>(`
    select x.relname as "index", t.relname as "table", a.attname as key
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where i.indisunique and t.relnamespace = 'public'::regnamespace`);
  const keyedTables = new Set(inject("postgres").keyed);
  const across = rows.filter(({ table, key }) => keyedTables.has(table) && key !== "org");
  expect(across).toEqual([]);
  const references = await asked(`
    select conname from pg_constraint
    where contype in ('f', 'x') and connamespace = 'public'::regnamespace`);
  expect(references).toEqual([]);
});

test("no database sequence numbers the records of several organisations", async () => {
  const rows = await asked<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public'",
  );
  // That of these tests.
  expect(rows).toEqual([{ name: "test_organisation" }]);
});

test("the tables that an SQL statement reads are found in its joins and in the queries within it", () => {
  const statement = `select 1 from person as p join membership m on m.person_id = p.id
    where exists (select 1 from document where org = $1)`;
  expect(tablesIn(statement)).toEqual(["person", "membership", "document"]);
});
