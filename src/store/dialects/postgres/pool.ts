/**
 * Connections to a PostgreSQL server, by `pg`.
 *
 * A connection that is lost, as all are when the server is restarted, is thrown away and another
 * made when it is needed; what was under way on it fails as unavailable.
 */
import pg from "pg";
import type { PostgresClient, PostgresPool } from "./connection.ts";

const { DatabaseError, Pool, types } = pg;

/** Connections of one process. Writers of one organisation run one after another anyway. */
const connectionsMax = 10;
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
/** How long a request may take. */
const statementTimeoutMs = 60_000;
/** A process that hangs inside a transaction loses it, and its lock. */
const idleInTransactionMs = 60_000;
/** Finds dead connections. */
const keepAliveAfterMs = 10_000;

/** int8, and the numeric that a sum of them is. */
const integers: ReadonlySet<number> = new Set([20, 1700]);

/**
 * A pool of connections.
 *
 * @param url  `postgres://…`; what its query says goes before the settings here
 */
export function poolOf(url: string): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    application_name: "acct",
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    pipeline: true,
    types: { getTypeParser },
  });
  // The statements of a lost connection fail by themselves, and an idle one has none.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    async connect() {
      try {
        return clientOf(await pool.connect());
      } catch (error) {
        throw lost(error, true);
      }
    },
    end: () => pool.end(),
    figures: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/** Statements are sent as they come; the server answers them in their order. */
function clientOf(client: pg.PoolClient): PostgresClient {
  return {
    query: (text, values, asLists) => {
      const name = nameOf(text);
      return client
        .query({
          text,
          values: values as unknown[],
          ...(name === undefined ? {} : { name }),
          ...(asLists ? { rowMode: "array" as const } : {}),
        })
        .catch((error: unknown) => {
          throw lost(error, false);
        });
    },
    release: (broken = false) => client.release(broken),
  };
}

/** What `pg` says of a connection that was lost, which bears no code. */
const lostMessage =
  /^(Connection terminated|timeout e|Client (has encountered|was closed)|Query re)/;
const connectionFailure = "08006";

/** The error, with the code that servers give to a lost connection where it is one. */
function lost(error: unknown, connecting: boolean): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const isLost = connecting || (!("code" in error) && lostMessage.test(error.message));
  return isLost ? Object.assign(error, { code: connectionFailure }) : error;
}

function getTypeParser(type: number, format?: "text" | "binary") {
  return format !== "binary" && integers.has(type) ? integerOf : types.getTypeParser(type, format);
}

/** Integers beyond the safe ones would lose digits silently. */
function integerOf(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`The database holds ${text}, which is no safe integer.`);
}

// --- prepared statements -------------------------------------------------------------------------

/** Statements that a connection keeps prepared, at most. */
const namesMax = 1024;
const names = new Map<string, string>();
/** Texts that came once; where and order of callers make many that never come again. */
const cameOnce = new Set<string>();
const cameOnceMax = 1024;

/** What rows a cursor gives depends on what it was opened for, and not on the text. */
const ofCursor = /^fetch /;

/** The name under which a text is prepared; undefined for one that has not come before. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= namesMax || ofCursor.test(text)) return undefined;
  if (cameOnce.delete(text)) {
    const name = `acct_${names.size + 1}`;
    names.set(text, name);
    return name;
  }
  if (cameOnce.size >= cameOnceMax) cameOnce.clear();
  cameOnce.add(text);
  return undefined;
}
