/**
 * The books of many organisations on a server: PostgreSQL and those who speak as it does.
 *
 * The writers of one organisation take turns by a lock on its row, held for one transaction; those
 * of different organisations never meet. Journals are numbered without gaps, so two postings of one
 * organisation would wait for each other anyway, or worse, be run in vain and again.
 */
import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
  type TransactionSettings,
} from "kysely";
import type {
  Connection,
  Fault,
  Insertion,
  Row,
  StoreDialect,
  StoreDriver,
  Value,
} from "./dialect.ts";

/** What is needed of a client of `pg`, or of anything that can stand in for one. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<PostgresResult>;
  /** @param broken  do not use this connection again */
  release(broken?: boolean): void;
}

export interface PostgresResult {
  readonly rows: Record<string, unknown>[];
  readonly fields?: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rowCount?: number | null;
}

/** What is needed of a pool of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** Parameters that one statement may take. */
const parametersMax = 32_767;
/** Rows of one insert: a full chunk, else the next smaller, so that few texts are ever made. */
const chunks = [512, 64, 8, 1] as const;

/** Any number, the same in every process that migrates. */
const schemaLock = 0x61636374;

export function postgresDialect(pool: PostgresPool): StoreDialect {
  return {
    place: "The database",
    oneWriter: false,
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool),
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
      await sql`select pg_advisory_xact_lock(${sql.lit(schemaLock)})`.execute(tx);
      await sql`create table if not exists schema_version (version bigint not null)`.execute(tx);
    },
    async setSchemaVersion(tx, version) {
      await sql`delete from schema_version`.execute(tx);
      await sql`insert into schema_version (version) values (${version})`.execute(tx);
    },
    async lockOrganisation(tx, org) {
      await sql`select 1 from organisation where org = ${org} for update`.execute(tx);
    },

    // Text is ordered and compared byte by byte, as SQLite does, whatever the server's locale.
    columnTypes: { text: 'text collate "C"', integer: "bigint", bytes: "bytea" },
    tableEnd: () => "",
    expect: () => Promise.resolve(),
    fold: foldExpression,
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    endsWith: (text, part) => sql`right(${text}, ${sql.lit([...part].length)}) = ${part}`,
    ordering: { asc: "asc nulls first", desc: "desc nulls last" },

    faultOf,
  };
}

const undefinedTable = "42P01";
const uniqueViolation = "23505";
/** Serialization failure, deadlock. */
const transient = new Set(["40001", "40P01"]);
/** Of the network, by Node; of the server, classes 08 and 57P and 53300 (too many connections). */
const unreachable = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOSTUNREACH|08|57P|53300)/;

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function faultOf(error: unknown): Fault | undefined {
  const code = codeOf(error);
  if (transient.has(code)) return { is: "transient" };
  if (code === uniqueViolation) {
    return { is: "conflict", on: (error as { constraint?: string }).constraint ?? "" };
  }
  return unreachable.test(code) ? { is: "unavailable" } : undefined;
}

class PostgresDriver implements StoreDriver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#pool.connect());
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: PostgresConnection, { accessMode }: TransactionSettings) {
    // A reader sees one moment throughout. A writer sees, statement by statement, what the writer
    // before it has left, since nobody else writes once it holds the lock of its organisation.
    await connection.run(
      accessMode === "read only"
        ? "begin isolation level repeatable read read only"
        : "begin isolation level read committed",
    );
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.run("commit");
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.run("rollback");
    } catch {
      // The connection is gone, and the transaction with it; what failed first is what matters.
      connection.broken = true;
    }
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

const bigints = new Set([20, 1700]); // int8, and the numeric that a sum of them is

class PostgresConnection implements Connection {
  broken = false;
  readonly #client: PostgresClient;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  release(): void {
    this.#client.release(this.broken);
  }

  async run(text: string, values: Value[] = []): Promise<void> {
    await this.#client.query(text, values);
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, fields, rowCount } = await this.#client.query(text, [...parameters]);
    for (const { name, dataTypeID } of fields ?? []) {
      if (bigints.has(dataTypeID)) for (const row of rows) row[name] = integerOf(row[name]);
    }
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async rows(text: string, parameters: readonly Value[]): Promise<readonly Row[]> {
    const { rows, fields = [] } = await this.#client.query(text, [...parameters]);
    const columns = fields.map(({ name, dataTypeID }) => ({ name, big: bigints.has(dataTypeID) }));
    return rows.map((row) =>
      columns.map(({ name, big }) => (big ? integerOf(row[name]) : (row[name] as Value))),
    );
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield before it throws
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error("The store reads in pages, not in streams.");
  }

  async insert(insertion: Insertion, rows: readonly Row[]): Promise<void> {
    const width = insertion.columns.length;
    let from = 0;
    for (const chunk of chunks) {
      if (chunk > 1 && chunk * width > parametersMax) continue;
      for (; from + chunk <= rows.length; from += chunk) {
        await this.run(insertText(insertion, chunk), rows.slice(from, from + chunk).flat());
      }
    }
  }
}

/** Integers beyond the safe ones would lose digits silently. */
function integerOf(value: unknown): number | null {
  if (value === null) return null;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`The database holds ${String(value)}, which is no safe integer.`);
}

const insertTexts = new WeakMap<Insertion, Map<number, string>>();

function insertText(insertion: Insertion, count: number): string {
  const texts = insertTexts.get(insertion) ?? new Map<number, string>();
  insertTexts.set(insertion, texts);
  let text = texts.get(count);
  if (text === undefined) {
    const { table, columns, tail } = insertion;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const rows = Array.from({ length: count }, (_, row) => {
      const marks = columns.map((_column, at) => `$${row * columns.length + at + 1}`);
      return `(${marks.join(", ")})`;
    });
    text = `insert into "${table}" (${names}) values ${rows.join(", ")} ${tail}`;
    texts.set(count, text);
  }
  return text;
}

// -------------------------------------------------------------------------------------------------
// fold

// What `fold` removes, in the spelling of PostgreSQL's regular expressions.
const accents = "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]";

let letters: { readonly upper: string; readonly lower: string } | undefined;

/**
 * Every letter that has a lower case of its own and no accent to lose before, with that lower case:
 * as JavaScript has it, since what a server calls lower case depends on its locale.
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

function foldExpression(text: ReturnType<StoreDialect["fold"]>): ReturnType<StoreDialect["fold"]> {
  const { upper, lower } = caseTable();
  return sql`(case when ${text} ~ '^[\\x01-\\x7f]*$' then lower(${text} collate "C") else
    normalize(translate(regexp_replace(normalize(${text}, nfd), ${sql.lit(accents)}, '', 'g'),
    ${sql.lit(upper)}, ${sql.lit(lower)}), nfc) end)`;
}
