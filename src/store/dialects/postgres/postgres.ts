/**
 * The store of many organisations on a server: PostgreSQL, or a database with its protocol.
 *
 * A writer locks the row of its organisation for its transaction. So each sees all earlier writes,
 * as in a serial order, and no retry is needed. Journals are numbered without gaps, so two postings
 * of one organisation would wait for each other anyway.
 */
import {
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type { Trouble } from "../../../platform/disk.ts";
import { selectVersions, versionsIn } from "../../connection/versions.ts";
import type { Tables } from "../../schema/index.ts";
import { openStore, type Store } from "../../store.ts";
import type { DatabaseFault, StoreDialect } from "../../tx/dialect.ts";
import { isLost, PostgresDriver, type PostgresPool, UnsureCommitError } from "./driver.ts";
import { poolOf } from "./pool.ts";
import { lineOfRow, type ShapeRow, selectShape } from "./shape.ts";

/**
 * Opens the store in a database of a PostgreSQL server; its tables are made when it is empty.
 *
 * @param url  `postgres://user:password@host/database`, with the parameters that `pg` knows
 * @throws UnavailableError; RefusedError `BookTooNew`
 */
export function postgresStore(url: string): Promise<Store> {
  return openStore(postgresAt(url));
}

export const postgresAt = (url: string): StoreDialect => postgresDialect(poolOf(url));

/** Key of the advisory lock for migrations: an arbitrary number, the same in every process. */
const schemaLock = 0x61636374;

/** @param commitWaitMs  maximum wait for the answer to a commit; 15 s when not given */
export function postgresDialect(pool: PostgresPool, commitWaitMs?: number): StoreDialect {
  return {
    place: "The database",
    oneWriter: false,
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool, commitWaitMs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),

    async schemaVersion(db) {
      try {
        const { rows } = await sql<{ version: number }>`
          select version from schema_version`.execute(db);
        return rows[0]?.version ?? 0;
      } catch (error) {
        if (codeOf(error) === undefinedTable) return 0;
        throw error;
      }
    },
    prepare: () => Promise.resolve(),
    async lockSchema(tx) {
      // Processes that start meanwhile wait without a timeout, and a migration may take as long as
      // it needs.
      await liftTimeLimit(tx);
      await sql`select pg_advisory_xact_lock(${sql.lit(schemaLock)})`.execute(tx);
      // Of a Citus cluster: one connection to a node sees what the transaction did before.
      await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
      await sql`create table if not exists schema_version (version bigint not null)`.execute(tx);
    },
    distributeNew: async (db, table) => (await import("./distribute.ts")).distributeNew(db, table),
    liftTimeLimit,
    async setSchemaVersion(tx, version) {
      await sql`delete from schema_version`.execute(tx);
      await sql`insert into schema_version (version) values (${version})`.execute(tx);
    },
    upgrading: "acct book upgrade --database with its address",
    async shape(db) {
      const { rows } = await sql.raw<ShapeRow>(selectShape).execute(db);
      return { lines: rows.map(lineOfRow), asMade: new Set() };
    },
    async lockOrganisation(connection, org) {
      // A writer that waited for the lock is given the row as the previous writer left it.
      const [row] = await connection.rows(`${selectVersions} $1 for update`, [org]);
      return versionsIn(row);
    },

    lockNew: (connection, known) =>
      connection.executeDeferred("select pg_advisory_xact_lock(hashtextextended($1, 0))", [known]),
    async columns(connection) {
      const rows = await connection.rows(
        `select table_name, column_name, data_type from information_schema.columns
        where table_schema = current_schema() order by table_name, column_name`,
        [],
      );
      return rows.map(([table, column, type]) => ({
        table: table as string,
        column: column as string,
        holdsBytes: type === "bytea",
      }));
    },

    // Text is ordered and compared byte by byte, as SQLite does, whatever the server's locale.
    columnTypes: { text: 'text collate "C"', integer: "bigint", bytes: "bytea" },
    tableEnd: () => "",
    // Unlogged table: a commit that touches nothing else does not wait for the disk.
    unlogged: "unlogged",
    expect: () => Promise.resolve(),
    fold: foldExpression,
    contains: (text, substring) => sql`strpos(${text}, ${substring}) > 0`,
    endsWith: (text, suffix) => sql`right(${text}, ${sql.lit([...suffix].length)}) = ${suffix}`,
    ordering: { asc: "asc nulls first", desc: "desc nulls last" },

    faultOf,
  };
}

async function liftTimeLimit(tx: Pick<Kysely<Tables>, "getExecutor">): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

const undefinedTable = "42P01";
/** Error codes for unknown tables or columns, and for `on conflict` without a matching index. */
const unknownNames = new Set([undefinedTable, "42703", "42P10"]);
const uniqueViolation = "23505";
/** Error code for text that is invalid UTF-8, which can only be a NUL character. */
const invalidText = "22021";
/** Error codes that a retry resolves: serialization failure, deadlock. */
const transientCodes = new Set(["40001", "40P01"]);
/**
 * Error codes of an unreachable server: network errors of Node, SQLSTATE classes 08 and 57P, and
 * 53300 (too many connections).
 */
const unreachable = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOSTUNREACH|08|57P|53300)/;
/** Error code of a server that is starting or stopping; nothing was begun. */
const cannotConnectNow = "57P03";
/** Error codes only the operator can resolve: credentials, unknown database, rights, memory. */
const refused = /^(28|3D000|42501|53)/;
/** Disk trouble by error code: a full disk, a read-only server, an I/O error, damaged pages. */
const troubles: Readonly<Record<string, Trouble>> = {
  "53100": "DiskFull",
  "25006": "ReadOnly",
  "58030": "DiskFailing",
  XX001: "Damaged",
  XX002: "Damaged",
};
/** Error codes of a statement timeout and of an idle transaction that was ended. */
const timeoutCodes = new Set(["57014", "25P03"]);

/**
 * Error codes of a pooler: settings that a connection is opened with, and prepared statements that
 * another connection has or has not.
 */
const poolerCodes = new Set(["42P05", "26000"]);
/** The columns of a violated key, all that Citus passes on of a conflict on a worker. */
const keyColumns = /\(([^)]*)\)=/;

const startParameter = /startup parameter/;

const isOfPooler = (code: string, error: unknown) =>
  poolerCodes.has(code) || (code === "08P01" && startParameter.test((error as Error).message));

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function faultOf(error: unknown): DatabaseFault | undefined {
  if (error instanceof UnsureCommitError) return { is: "unsure" };
  const code = codeOf(error);
  if (transientCodes.has(code)) return { is: "transient" };
  if (code === uniqueViolation) {
    const { constraint, detail = "" } = error as { constraint?: string; detail?: string };
    return { is: "conflict", on: constraint ?? keyColumns.exec(detail)?.[1] ?? "" };
  }
  if (code === invalidText) return { is: "unfit" };
  if (unknownNames.has(code)) return { is: "schema" };
  const trouble = troubles[code];
  if (trouble !== undefined) return { is: "disk", trouble };
  if (code === cannotConnectNow) {
    return { is: "unavailable", because: "it is starting or stopping; try again in a moment" };
  }
  if (timeoutCodes.has(code)) return { is: "unavailable", because: "it took too long to answer" };
  if (isOfPooler(code, error)) {
    const reason = "a pooler such as PgBouncer answers there; put pooled=1 into the address";
    return { is: "unavailable", because: reason };
  }
  if (isLost(error)) return { is: "lost" };
  if (unreachable.test(code)) return { is: "unavailable" };
  return refused.test(code) ? { is: "unavailable", because: (error as Error).message } : undefined;
}

// The accents that `fold` removes, as a PostgreSQL regular expression.
const accents = "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]";

let letters: { readonly upper: string; readonly lower: string } | undefined;

/**
 * The letters that have a lower case, accents excluded, and their lower-case forms as in
 * JavaScript: a server's own lower case depends on its locale.
 */
function caseTable(): { readonly upper: string; readonly lower: string } {
  if (letters !== undefined) return letters;
  let upper = "ς";
  let lower = "σ";
  for (let code = 0x41; code < 0x1_f000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    const small = letter.toLowerCase();
    if (small !== letter && small.length === letter.length && letter.normalize("NFD") === letter) {
      upper += letter;
      lower += small;
    }
  }
  letters = { upper, lower };
  return letters;
}

/** The SQL expression that folds `text` as `wire/fold.ts` does. */
export function foldExpression(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const { upper, lower } = caseTable();
  return sql`(case when ${text} ~ '^[\\x01-\\x7f]*$' then lower(${text} collate "C") else
    normalize(translate(regexp_replace(normalize(${text}, nfd), ${sql.lit(accents)}, '', 'g'),
    ${sql.lit(upper)}, ${sql.lit(lower)}), nfc) end)`;
}
