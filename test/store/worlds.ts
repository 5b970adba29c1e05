/** The worlds in which the store lives: a file of SQLite, and PostgreSQL, with a server or without. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { inject, type ProvidedContext } from "vitest";
import type { PostgresPool } from "../../src/store/dialects/postgres/driver.ts";
import { poolOf } from "../../src/store/dialects/postgres/pool.ts";
import { postgresDialect } from "../../src/store/dialects/postgres/postgres.ts";
import { sqliteDialect } from "../../src/store/dialects/sqlite/sqlite.ts";
import { createOrganisation } from "../../src/store/records/organisations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { StoreDialect } from "../../src/store/tx/dialect.ts";
import { databaseOn, onServer } from "../postgres/setup.ts";
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
  /** Copies the tables of a new store into it, where that is faster than making them. */
  withTables?(): Promise<void>;
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

function pgliteWorld(): World {
  let opened: Promise<PGlite> | undefined;
  return {
    name: "PostgreSQL",
    async empty() {
      opened ??= PGlite.create();
      const database = await opened;
      await database.exec("drop schema public cascade; create schema public;");
      return { path: "", dialect: () => postgresDialect(pgliteOf(database)) };
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

function serverWorld({ server, template }: ProvidedContext["postgres"]): World {
  const made: string[] = [];
  return {
    name: "PostgreSQL",
    async empty() {
      const name = `acct_test_${process.pid}_${made.length}`;
      made.push(name);
      let making: Promise<void> | undefined;
      const make = (from: string) => {
        making ??= onServer(server, `create database ${name} encoding 'UTF8' template ${from}`);
        return making;
      };
      return {
        path: "",
        dialect() {
          const pool = poolOf(databaseOn(server, name));
          return postgresDialect({
            ...pool,
            connect: async () => {
              await make("template0");
              return pool.connect();
            },
          });
        },
        withTables: () => make(template),
      };
    },
    async close() {
      for (const name of made) {
        await onServer(server, `drop database if exists ${name} with (force)`);
      }
    },
  };
}

/** PGlite has one connection; whoever wants it waits for its turn. */
function pgliteOf(database: PGlite): PostgresPool {
  return {
    async connect() {
      const before = turns.get(database) ?? Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      turns.set(database, promise);
      await before;
      return {
        query: async (text, values, asLists) => {
          const { rows, affectedRows } = await database.query(text, [...values], {
            ...(asLists ? { rowMode: "array" } : {}),
            parsers: { 20: Number, 1700: Number },
          });
          return { rows, rowCount: affectedRows ?? null };
        },
        sendNow: () => undefined,
        release: () => resolve(),
      };
    },
    end: () => Promise.resolve(),
  };
}

const turns = new WeakMap<PGlite, Promise<void>>();

const worldsOf: Readonly<Record<string, readonly (() => World)[]>> = {
  sqlite: [sqliteWorld],
  pglite: [sqliteWorld, pgliteWorld],
  postgres: [() => serverWorld(inject("postgres"))],
};

export const worlds: readonly (() => World)[] = worldsOf[process.env.STORE_WORLD ?? "sqlite"] ?? [];

/** A store with one organisation, number 1. */
export async function storeIn(database: Database): Promise<Store> {
  await database.withTables?.();
  const store = await openStore(database.dialect());
  await createOrganisation(store, organisation(), 1);
  return store;
}
