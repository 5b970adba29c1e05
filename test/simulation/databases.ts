/** Where the books of a simulation are kept: a file, or a database on a server of its own. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { poolOf } from "../../src/store/dialects/postgres/pool.ts";
import { postgresDialect } from "../../src/store/dialects/postgres/postgres.ts";
import { sqliteDialect } from "../../src/store/dialects/sqlite/sqlite.ts";
import type { StoreDialect } from "../../src/store/tx/dialect.ts";
import { startCluster } from "../postgres/cluster.ts";
import type { Disk } from "./disk.ts";
import type { StoreFault } from "./steps.ts";

/** How a store fails; a disk of a server's own is full where it says so. */
export type DatabaseFault = StoreFault | "full";

/** The books of one run. */
export interface Database {
  /** As `acct` takes it, by `--book` or `--database`. */
  readonly place: string;
  /** The folder in which the book lies, with nothing else in it; undefined on a server. */
  readonly folder: string | undefined;
  /** A folder for what is no book. */
  readonly scratch: string;
  /** What it lies on, as this process finds it; undefined where that cannot be told to fail. */
  readonly disk: Disk | undefined;
  /** What programs run on, whose clock can be put; undefined where it cannot. */
  readonly machine: Disk | undefined;
  dialect(): StoreDialect;
  /** Ends the server of the database as a power cut does, and starts it again. */
  restart(): Promise<void>;
  /** The error of the database for a fault. */
  errorOf(fault: DatabaseFault): Error;
  remove(): Promise<void>;
}

export interface Databases {
  readonly name: "sqlite" | "postgres";
  /** An empty one. */
  fresh(): Promise<Database>;
  /** Has copies made of one from now on, which nobody has open. */
  keep(database: Database): Promise<void>;
  /** A copy of the one that was kept. */
  copy(): Promise<Database>;
  close(): Promise<void>;
}

const sqliteError = (errcode: number, message: string) =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });

const inFile: Readonly<Record<DatabaseFault, () => Error>> = {
  full: () => sqliteError(13, "database or disk is full"),
  busy: () => sqliteError(5, "database is locked"),
  killed: () => new Error("killed"),
  "killed after a commit": () => new Error("killed"),
};

const serverError = (code: string, message: string) => Object.assign(new Error(message), { code });

const onServer: Readonly<Record<DatabaseFault, () => Error>> = {
  full: () => serverError("53100", "could not extend file"),
  busy: () => serverError("40001", "could not serialize access"),
  killed: () => new Error("killed"),
  "killed after a commit": () => serverError("57P01", "terminating connection"),
};

/** @param disk  of the folder in which they are made */
export function files(disk?: Disk): Databases {
  const home = mkdtempSync(join(disk?.env.FAULTY_FOLDER ?? tmpdir(), "acct-simulation-"));
  const scratch = mkdtempSync(join(tmpdir(), "acct-simulation-home-"));
  const kept = join(home, "kept.acct");
  let count = 0;
  const made = (): Database & { readonly folder: string } => {
    count += 1;
    const folder = join(home, String(count));
    mkdirSync(folder);
    const place = join(folder, "books.acct");
    return {
      place,
      folder,
      scratch,
      disk,
      machine: disk,
      dialect: () => sqliteDialect(place),
      restart: async () => undefined,
      errorOf: (fault) => inFile[fault](),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  };
  return {
    name: "sqlite",
    fresh: async () => made(),
    keep: async ({ place }) => copyFileSync(place, kept),
    copy: async () => {
      const database = made();
      copyFileSync(kept, database.place);
      return database;
    },
    async close() {
      for (const each of [home, scratch]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** @param machine  on which programs run that work on it */
export async function server(machine?: Disk): Promise<Databases> {
  // What a commit has promised must be on disk, or the power cut would take it.
  const cluster = await startCluster({ durable: true });
  const scratch = mkdtempSync(join(tmpdir(), "acct-simulation-home-"));
  let count = 0;
  let kept = "template0";
  const run = async (statement: string) => {
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const made = async (template: string): Promise<Database & { readonly name: string }> => {
    count += 1;
    const name = `simulation_${count}`;
    await run(`create database ${name} encoding 'UTF8' template ${template}`);
    const url = new URL(cluster.url);
    url.pathname = name;
    return {
      name,
      place: url.href,
      folder: undefined,
      scratch,
      disk: undefined,
      machine,
      dialect: () => postgresDialect(poolOf(url.href)),
      restart: () => cluster.restart(),
      errorOf: (fault) => onServer[fault](),
      remove: () => run(`drop database ${name} with (force)`),
    };
  };
  return {
    name: "postgres",
    fresh: () => made("template0"),
    keep: async ({ place }) => {
      kept = new URL(place).pathname.slice(1);
    },
    copy: () => made(kept),
    async close() {
      await cluster.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
