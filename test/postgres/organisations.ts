/**
 * New organisations in the database that the tests share, each a copy of a new book of its country.
 *
 * Making one by the service takes longer than most tests, so the first who wants one of a country
 * does, and leaves a function in the database that copies it in one round trip.
 */
import { Client } from "pg";
import { inject } from "vitest";
import { type BookOptions, createBookIn } from "../../src/service/books/book.ts";
import type { NewBook } from "../../src/service/books/new-book.ts";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { type Listing, updateOrganisation } from "../../src/store/records/organisations.ts";
import type { Store } from "../../src/store/store.ts";
import { acted } from "../support/audit.ts";

let opened: Promise<Store> | undefined;

/** The store that this process shares among its tests. */
export function sharedStore(): Promise<Store> {
  opened ??= postgresStore(inject("postgres").shared);
  return opened;
}

let asking: Promise<Client> | undefined;

/** A connection for what no store would do. */
function client(): Promise<Client> {
  asking ??= connected();
  return asking;
}

async function connected(): Promise<Client> {
  const made = new Client({ connectionString: inject("postgres").shared });
  await made.connect();
  return made;
}

/** Any number that is not that of the store. */
const templateLock = 0x74657374;

/** A function that copies an organisation under the next number and an id of its own. */
const functionText = (name: string, statements: readonly string[]) => `
  create function ${name}(new_id text) returns bigint language plpgsql as $$
  declare
    made bigint := nextval('test_organisation');
  begin
    ${statements.join("\n    ")}
    update organisation set id = new_id where org = made;
    return made;
  end $$;
  insert into test.template values ('${name}');`;

async function templateOf(name: string, made: NewBook, options: BookOptions): Promise<void> {
  const asked = await client();
  // A transaction keeps its connection where a pooler gives one to each.
  await asked.query("begin");
  await asked.query("select pg_advisory_xact_lock($1)", [templateLock]);
  try {
    const known = await asked.query("select from test.template where name = $1", [name]);
    if (known.rowCount !== 0) return;
    const { org } = await createBookIn(await sharedStore(), made, options);
    // Books of tests all begin with the same ids; those of organisations are of the whole database.
    await asked.query("update organisation set id = $1 where org = $2", [name, org]);
    const { rows } = await asked.query<{ table: string; columns: string }>(`
      select table_name as "table", string_agg(quote_ident(column_name), ', ') as columns
      from information_schema.columns
      where table_schema = 'public' and column_name <> 'org' and table_name in (
        select table_name from information_schema.columns where column_name = 'org')
      group by table_name`);
    const statements: string[] = [];
    for (const { table, columns } of rows) {
      const some = await asked.query(`select from "${table}" where org = ${org} limit 1`);
      if (some.rowCount === 0) continue;
      const from = `select made, ${columns} from "${table}" where org = ${org}`;
      statements.push(`insert into "${table}" (org, ${columns}) ${from};`);
    }
    await asked.query(functionText(name, statements));
  } finally {
    await asked.query("commit");
  }
}

const templates = new Map<string, Promise<void>>();

/** Adds an organisation as `made` and `options` describe it; those of one country are the same. */
export async function newOrganisation(made: NewBook, options: BookOptions): Promise<Listing> {
  const name = `test_new_${made.country.toLowerCase()}`;
  const template = templates.get(name) ?? templateOf(name, made, options);
  templates.set(name, template);
  await template;
  const id = crypto.randomUUID();
  const { rows } = await (await client()).query<{ org: string }>(`select ${name}($1) as org`, [id]);
  const org = Number(rows[0]?.org);
  // What the function has changed is taken into the chain, as what the program changes is.
  await (await sharedStore()).write(org, (tx) => updateOrganisation(acted(tx), {}));
  return { org, OrganisationID: id, Name: made.name };
}

/** Closes what this process has open; the next test that wants it opens it anew. */
export async function closeShared(): Promise<void> {
  const [client, store] = [asking, opened];
  asking = undefined;
  opened = undefined;
  await (await client)?.end();
  await (await store)?.close();
}
