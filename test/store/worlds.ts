/**
 * The worlds in which the store lives: a file of SQLite, and PostgreSQL without a server.
 *
 * `TEST_POSTGRES=postgres://…` adds a server, on which databases are made and dropped.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Client, Pool } from "pg";
import type { StoreDialect } from "../../src/store/dialect.ts";
import { createOrganisation } from "../../src/store/organisations.ts";
import { type PostgresPool, postgresDialect } from "../../src/store/postgres.ts";
import { sqliteDialect } from "../../src/store/sqlite.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { organisation } from "./samples.ts";

export interface World {
  readonly name: string;
  /** An empty database. */
  empty(): Promise<Database>;
  close(): Promise<void>;
}

export interface Database {
  /** Speaks to it; any number may. */
  dialect(): StoreDialect;
  /** Where it lies; empty for PostgreSQL. */
  readonly path: string;
}

function sqliteWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "acct-store-"));
  let count = 0;
  return {
    name: "SQLite",
    async empty() {
      count += 1;
      const path = join(folder, `${count}.acct`);
      return { path, dialect: () => sqliteDialect(path) };
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function postgresWorld(): World {
  let opened: Promise<PGlite> | undefined;
  return {
    name: "PostgreSQL",
    async empty() {
      opened ??= PGlite.create();
      const database = await opened;
      await database.exec("drop schema public cascade; create schema public;");
      return { path: "", dialect: () => postgresDialect(poolOf(database)) };
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

function serverWorld(url: string): World {
  const made: string[] = [];
  const pools: Pool[] = [];
  return {
    name: "PostgreSQL server",
    async empty() {
      const name = `acct_test_${process.pid}_${made.length}`;
      await onServer(
        url,
        `drop database if exists ${name} with (force)`,
        `create database ${name}`,
      );
      made.push(name);
      const address = new URL(url);
      address.pathname = name;
      return {
        path: "",
        dialect() {
          const pool = new Pool({ connectionString: address.href });
          pools.push(pool);
          return postgresDialect(pool);
        },
      };
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.ended || pool.end()));
      await onServer(url, ...made.map((name) => `drop database if exists ${name} with (force)`));
    },
  };
}

async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** PGlite has one connection; whoever wants it waits for its turn. */
function poolOf(database: PGlite): PostgresPool {
  return {
    async connect() {
      const before = turns.get(database) ?? Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      turns.set(database, promise);
      await before;
      return {
        query: async (text, values) => {
          const { rows, fields, affectedRows } = await database.query<Record<string, unknown>>(
            text,
            values,
          );
          return { rows, fields, rowCount: affectedRows ?? null };
        },
        release: () => resolve(),
      };
    },
    end: () => Promise.resolve(),
  };
}

const turns = new WeakMap<PGlite, Promise<void>>();

const server = process.env.TEST_POSTGRES;

export const worlds: readonly (() => World)[] = [
  sqliteWorld,
  postgresWorld,
  ...(server === undefined ? [] : [() => serverWorld(server)]),
];

/** A store with one organisation, number 1. */
export async function storeIn(database: Database): Promise<Store> {
  const store = await openStore(database.dialect());
  await createOrganisation(store, organisation(), 1);
  return store;
}
