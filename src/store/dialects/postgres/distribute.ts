/**
 * The tables of organisations spread over the nodes of a Citus cluster, by organisation.
 *
 * All of them are colocated, so that an organisation lies on one node, with its lock. Tables of the
 * directory stay on the coordinator: no statement joins the two kinds, and a lost node must not keep
 * the people of other organisations from signing in. So do unlogged tables, since Citus cannot move
 * them from node to node.
 */
import { Kysely, sql } from "kysely";
import { SchemaError, UsageError } from "../../../resources/errors.ts";
import { tables } from "../../schema/all-tables.ts";
import type { Tables } from "../../schema/index.ts";
import type { StoreDialect } from "../../tx/dialect.ts";
import { prepareTables } from "../../upgrade/migrate.ts";

/** The table that is distributed first, and with which the others are colocated. */
const firstTable = "organisation";
/** Number of shards of each table, which is also the maximum number of nodes. */
const usualShards = 64;

/** The tables of organisations of a database with Citus. */
export interface Distribution {
  /** Tables that are not distributed, in the order in which they will be. */
  readonly left: readonly string[];
  /** Number of shards of each table; undefined where none is distributed. */
  readonly shards: number | undefined;
}

/** The distribution of a database; undefined where it has no Citus. */
export function distributionOf(dialect: StoreDialect): Promise<Distribution | undefined> {
  return withTables(dialect, distributionIn);
}

export interface DistributeOptions {
  /** Number of shards where no table is distributed; 64 when not given. */
  readonly shards?: number | undefined;
  /** Whether to change nothing. */
  readonly dryRun: boolean;
  /** Callback with the planned steps, before the first one. */
  readonly begin: (left: readonly string[], shardCount: number) => void;
  /** Called with each table that is distributed. */
  readonly done: (table: string) => void;
}

/**
 * Distributes the tables of organisations that are not yet, each in a transaction of its own. Nobody
 * else may use them meanwhile.
 *
 * @throws SchemaError `NoCitus`; UsageError where there is another number of shards
 */
export function distribute(
  dialect: StoreDialect,
  { shards: wanted, dryRun, begin, done }: DistributeOptions,
): Promise<readonly string[]> {
  return withTables(dialect, async (db) => {
    const distribution = await distributionIn(db);
    if (distribution === undefined) throw noCitus();
    const { left, shards = wanted ?? usualShards } = distribution;
    if (wanted !== undefined && wanted !== shards) {
      const message = `The tables have ${shards} shards, and --shards is for the first time.`;
      throw new UsageError("BadFlags", message);
    }
    begin(left, shards);
    for (const table of dryRun ? [] : left) {
      await db.transaction().execute(async (tx) => {
        await dialect.lockSchema(tx);
        await distributeTable(tx, table, shards);
        // The coordinator keeps the rows that it has copied to the shards.
        await sql`select truncate_local_data_after_distributing_table(${table})`.execute(tx);
      });
      done(table);
    }
    return left;
  });
}

/** Distributes a new table of organisations in a database where the others are distributed. */
export async function distributeNew(db: Kysely<Tables>, table: string): Promise<void> {
  const shardCount = (await distributionIn(db))?.shards;
  if (shardCount !== undefined) await distributeTable(db, table, shardCount);
}

async function distributeTable(db: Kysely<Tables>, table: string, shards: number): Promise<void> {
  const colocation =
    table === firstTable
      ? sql`colocate_with => 'none', shard_count => ${sql.lit(shards)}`
      : sql`colocate_with => ${firstTable}`;
  await sql`select create_distributed_table(${table}, 'org', ${colocation})`.execute(db);
}

async function withTables<T>(
  dialect: StoreDialect,
  action: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Tables>({ dialect });
  try {
    await prepareTables(db, dialect);
    return await action(db);
  } finally {
    await db.destroy();
  }
}

async function distributionIn(db: Kysely<Tables>): Promise<Distribution | undefined> {
  const { rows: found } = await sql<{ has: boolean }>`
    select to_regclass('pg_catalog.pg_dist_shard') is not null as has`.execute(db);
  if (found[0]?.has !== true) return undefined;
  const { rows } = await sql<{ table: string; shards: number }>`
    select c.relname as "table", count(*) as shards
    from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
    where c.relnamespace = current_schema()::regnamespace group by c.relname`.execute(db);
  const shardsByTable = new Map(rows.map(({ table, shards }) => [table, shards]));
  const tablesLeft = Object.entries(tables).flatMap(([table, { unlogged }]) =>
    unlogged || shardsByTable.has(table) ? [] : [table],
  );
  return { left: tablesLeft, shards: shardsByTable.get(firstTable) };
}

const noCitus = () =>
  new SchemaError(
    "NoCitus",
    "The database has no Citus. Where it is installed on the coordinator and all workers, this makes it on each: create extension citus",
  );
