/**
 * Connection pool for a PostgreSQL server, by `pg`.
 *
 * A lost connection, as after a restart of the server, is discarded and replaced when needed;
 * statements under way on it fail as unavailable.
 */
import pg from "pg";
import type { PostgresClient, PostgresPool } from "./driver.ts";

const { DatabaseError, Pool, types } = pg;

/**
 * Maximum connections of one process. Writers of one organisation run one after another anyway.
 */
const connectionsMax = 10;
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
/** Timeout of a statement. */
const statementTimeoutMs = 60_000;
/** Timeout after which a process that hangs inside a transaction loses it, with its lock. */
const idleInTransactionMs = 60_000;
/** Idle time before TCP keep-alive probes, which detect dead connections. */
const keepAliveAfterMs = 10_000;

/** Type ids parsed as integers: int8, and numeric, the type of a sum of int8. */
const integers: ReadonlySet<number> = new Set([20, 1700]);

/**
 * Creates a pool of connections.
 * @param url  `postgres://…`; parameters in its query override the settings here; `pooled=1` is for a
 *   pooler in between that gives a connection for a transaction, which takes neither settings of a
 *   session nor prepared statements
 */
export function poolOf(url: string): PostgresPool {
  const isPooled = URL.canParse(url) && new URL(url).searchParams.get("pooled") === "1";
  const limits = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const pool = new Pool({
    connectionString: url,
    application_name: "acct",
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    ...(isPooled ? {} : limits),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    pipeline: true,
    types: { getTypeParser },
  });
  // Statements of a lost connection report the error themselves; an idle connection has none.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    client.on("notice", ({ routine }) => {
      if (routine === replicationWait) cancelledWaits.add(client);
    });
  });
  return {
    async connect() {
      try {
        return clientOf(await pool.connect(), isPooled);
      } catch (error) {
        throw asLostConnection(error, true);
      }
    },
    end: () => pool.end(),
    ...(isPooled ? { limits } : {}),
    figures: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/**
 * Routine of the server whose warning says that a commit was answered before the standby confirmed
 * it; the text of the warning is in the server's language.
 */
const replicationWait = "SyncRepWaitForLSN";
/** Connections whose last commit was answered so. */
const cancelledWaits = new WeakSet<pg.ClientBase>();

/** Wraps a client: statements are sent at once, and the server answers them in order. */
function clientOf(client: pg.PoolClient, isPooled: boolean): PostgresClient {
  return {
    query: (text, values, wantsLists) => {
      const name = isPooled ? undefined : nameOf(text);
      return client
        .query({
          text,
          values: values as unknown[],
          name,
          ...(wantsLists ? { rowMode: "array" as const } : {}),
        })
        .then(
          ({ rows, rowCount }) => ({ rows, rowCount, isUnsure: cancelledWaits.delete(client) }),
          (error: unknown) => {
            throw asLostConnection(error, false);
          },
        );
    },
    release: (isBroken = false) => client.release(isBroken),
  };
}

/** The message of `pg` for a lost connection; such errors have no code. */
const lostMessage =
  /^(Connection terminated|timeout e|Client (has encountered|was closed)|Query re)/;
const connectionFailure = "08006";
const cannotConnect = "08001";

/** Returns the error, with the code of a lost connection where it reports one. */
function asLostConnection(error: unknown, isConnecting: boolean): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const isLost = isConnecting || (!("code" in error) && lostMessage.test(error.message));
  const code = isConnecting ? cannotConnect : connectionFailure;
  return isLost ? Object.assign(error, { code }) : error;
}

function getTypeParser(type: number, format?: "text" | "binary") {
  return format !== "binary" && integers.has(type) ? integerOf : types.getTypeParser(type, format);
}

/** Parses an integer; throws beyond the safe range, where digits would be lost silently. */
function integerOf(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`The database holds ${text}, which is no safe integer.`);
}

// --- prepared statements -------------------------------------------------------------------------

/** Maximum prepared statements of a connection. */
const namesMax = 1024;
const nameByText = new Map<string, string>();
/**
 * SQL texts seen once. They are not prepared yet, since filters of callers make many that never
 * recur.
 */
const textsSeenOnce = new Set<string>();
const cameOnceMax = 1024;

/** A fetch from a cursor is not prepared: its columns depend on the cursor, not on the text. */
const ofCursor = /^fetch /;

/** The name under which a statement is prepared; undefined at the first use of its text. */
function nameOf(text: string): string | undefined {
  const cachedName = nameByText.get(text);
  if (cachedName !== undefined) return cachedName;
  if (nameByText.size >= namesMax || ofCursor.test(text)) return undefined;
  if (textsSeenOnce.delete(text)) {
    const name = `acct_${nameByText.size + 1}`;
    nameByText.set(text, name);
    return name;
  }
  if (textsSeenOnce.size >= cameOnceMax) textsSeenOnce.clear();
  textsSeenOnce.add(text);
  return undefined;
}
