/**
 * The PostgreSQL server of a run of tests: that of `ACCT_TEST_POSTGRES`, or one to throw away.
 *
 * On it is one database with the tables of a store, which all who want no database of their own
 * share: each test as an organisation of its own.
 */
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { createOrganisation } from "../../src/store/organisations.ts";
import { postgresStore } from "../../src/store/postgres.ts";
import { organisation } from "../store/samples.ts";
import { startCluster } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: {
      /** On which databases may be made. */
      readonly server: string;
      /** The database that is shared. */
      readonly shared: string;
    };
  }
}

/** Numbers of organisations that are copied, at most. */
const copiesMax = 1_000_000_000;
const shared = `acct_test_${process.pid}`;

let end: (() => Promise<void>) | undefined;

export async function setup(project: TestProject): Promise<void> {
  const given = process.env.ACCT_TEST_POSTGRES;
  const cluster = given === undefined ? await startCluster() : undefined;
  const server = given ?? cluster?.url ?? "";
  await onServer(server, `create database ${shared} encoding 'UTF8' template template0`);
  const address = databaseOn(server, shared);
  const store = await postgresStore(address);
  // The service gives each organisation the number after the highest; copies have those before.
  await createOrganisation(store, organisation(), copiesMax);
  await store.close();
  await onServer(
    address,
    "create sequence test_organisation",
    "create table test_template (name text primary key)",
  );
  project.provide("postgres", { server, shared: address });
  end = async () => {
    if (cluster === undefined) await onServer(server, `drop database ${shared} with (force)`);
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
