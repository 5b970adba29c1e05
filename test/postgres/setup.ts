/**
 * The PostgreSQL server of a run of tests: that of `ACCT_TEST_POSTGRES`, or one to throw away.
 *
 * On it is one database with the tables of a store, which all who want no database of their own
 * share: each test as an organisation of its own. With `ACCT_TEST_PGBOUNCER` it is reached through a
 * PgBouncer to throw away, before a server to throw away; with `ACCT_TEST_CITUS` its rows lie on two
 * workers.
 */
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { distribute } from "../../src/admin/serve-book.ts";
import { postgresStore } from "../../src/store/dialects/postgres/postgres.ts";
import { createOrganisation } from "../../src/store/records/organisations.ts";
import { organisation } from "../store/samples.ts";
import { startCluster, startSpread } from "./cluster.ts";
import { startPooler } from "./pooler.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: {
      /** On which databases may be made. */
      readonly server: string;
      /** The database that is shared. */
      readonly shared: string;
      /** A database with the tables of a store and nothing in them, to copy. */
      readonly template: string;
      /** The tables that are keyed by organisation. */
      readonly keyed: readonly string[];
    };
  }
}

/** Numbers of organisations that are copied, at most. */
const copiesMax = 1_000_000_000;
const shared = `acct_test_${process.pid}`;
const template = `${shared}_template`;

const quietly = { dryRun: false, begin: () => undefined, done: () => undefined };

let end: (() => Promise<void>) | undefined;

export async function setup(project: TestProject): Promise<void> {
  const given = process.env.ACCT_TEST_POSTGRES;
  const isSpread = given === undefined && process.env.ACCT_TEST_CITUS !== undefined;
  const spread = isSpread ? await startSpread() : undefined;
  const cluster = spread ?? (given === undefined ? await startCluster() : undefined);
  const server = given ?? cluster?.url ?? "";
  await onServer(server, `create database ${template} encoding 'UTF8' template template0`);
  await (await postgresStore(databaseOn(server, template))).close();
  if (spread === undefined)
    await onServer(server, `create database ${shared} template ${template}`);
  else await distribute(await spread.database(shared), { ...quietly, shards: 8 });
  const isPooled = cluster !== undefined && process.env.ACCT_TEST_PGBOUNCER !== undefined;
  const pooler = isPooled ? await startPooler(cluster) : undefined;
  const pooled = pooler && `${databaseOn(pooler.url, shared)}&pooled=1`;
  const address = pooled ?? databaseOn(server, shared);
  const store = await postgresStore(address);
  // The service gives each organisation the number after the highest; copies have those before.
  await createOrganisation(store, organisation(), copiesMax);
  const columns = await store.read(0, ({ dialect, connection }) => dialect.columns(connection));
  const keyed = columns.filter(({ column }) => column === "org").map(({ table }) => table);
  await store.close();
  await onServer(
    address,
    "create sequence test_organisation",
    // Not among the tables of the store, which would be refused with it.
    "create schema test",
    "create table test.template (name text primary key)",
  );
  project.provide("postgres", { server, shared: address, template, keyed });
  end = async () => {
    await pooler?.stop();
    const drops = [shared, template].map((name) => `drop database ${name} with (force)`);
    if (cluster === undefined) await onServer(server, ...drops);
    await cluster?.stop();
  };
}

export async function teardown(): Promise<void> {
  await end?.();
}

/** The address of a database on the same server. */
export function databaseOn(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

export async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
