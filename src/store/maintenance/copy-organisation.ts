/**
 * Copies a whole organisation from one store into another, of any databases.
 *
 * The rows of all its tables are copied in small batches, under its number in the other store, in
 * one transaction there; before the commit they are read back and compared. So the result is an
 * equal copy, or none.
 */
import { CompiledQuery, sql } from "kysely";
import { RefusedError } from "../../resources/errors.ts";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import { createOrganisation, type Listing, organisationOf } from "../records/organisations.ts";
import { isExact } from "../schema/define.ts";
import { directoryTables } from "../schema/definitions/directory-tables.ts";
import type { Store } from "../store.ts";
import { serverKey, type Tx } from "../tx/tx.ts";
import type { Verification } from "./verify.ts";

/** The contents of a table for an organisation, as row count and digest. */
export interface Contents {
  readonly table: string;
  readonly rows: number;
  /** Digest of the rows, independent of their order: hexadecimal. */
  readonly digest: string;
}

export interface CopyResult {
  /** Number of the organisation in the target store. */
  readonly org: number;
  readonly tables: readonly Contents[];
  /** Verification result of the copy. */
  readonly verification: Verification;
}

type Verify = (tx: Tx) => Promise<Verification>;

/** Rows in memory at a time; fewer when rows hold pieces of files. */
const rowsAtATime = 256;
const piecesAtATime = 8;

/**
 * Copies an organisation, with its own id, under the next number of another store.
 * @param verify  verifies the copy before the commit
 * @throws RefusedError `OrganisationExists` when the target has it already, `DoesNotAddUp` when its
 *   books do not, `CopyDiffers`; in all cases nothing is kept
 */
export async function copyOrganisation(
  from: Store,
  owner: Listing,
  to: Store,
  verify: Verify,
): Promise<CopyResult> {
  const record = await from.read(owner.org, organisationOf);
  let copiedParts: Omit<CopyResult, "org"> | undefined;
  const org = await createOrganisation(to, record, undefined, async (targetTx) => {
    copiedParts = await from.read(owner.org, (source) => fill(source, targetTx, verify));
  });
  if (copiedParts === undefined) throw new Error("The organisation was made, and nothing copied.");
  return { org, ...copiedParts };
}

async function fill(source: Tx, targetTx: Tx, verify: Verify): Promise<Omit<CopyResult, "org">> {
  const tables = await copyRows(source, targetTx, ["organisation"]);
  const verification = await verify(targetTx);
  if (verification.faults.length > 0) {
    const details = verification.faults.map((message) => ({ message }));
    throw new RefusedError(
      "DoesNotAddUp",
      "The books do not add up, and were not copied.",
      details,
    );
  }
  return { tables, verification };
}

/**
 * Copies the rows of an organisation or of a server (without plan-signing keys), and compares them.
 * @param alreadyMade  tables whose rows exist already
 * @throws RefusedError `CopyDiffers`
 */
export async function copyRows(
  source: Tx,
  targetTx: Tx,
  alreadyMade: readonly string[] = [],
): Promise<readonly Contents[]> {
  const tableCopies = await shapesIn(source);
  refuseOtherShapes(tableCopies, await shapesIn(targetTx));
  // The chain is copied with its records, so this transaction must add no link.
  targetTx.lock?.writeSet.forget();
  const tables: Contents[] = [];
  for (const shape of tableCopies) {
    const sum = new RowDigest();
    for await (const rows of rowsOf(source, shape)) {
      for (const row of rows) sum.add(row);
      if (alreadyMade.includes(shape.table)) continue;
      const targetRows = shape.isOfServer ? rows : rows.map((row) => [targetTx.org, ...row]);
      await targetTx.connection.insert(shape.insertion, targetRows);
    }
    tables.push({ table: shape.table, ...sum.total() });
  }
  for (const [at, shape] of tableCopies.entries()) {
    const { rows, digest } = await contentsOf(targetTx, shape);
    const contents = tables[at];
    if (contents?.rows === rows && contents.digest === digest) continue;
    const message = `The copy of ${shape.table} differs: ${rows} rows for ${contents?.rows}.`;
    throw new RefusedError("CopyDiffers", message);
  }
  return tables;
}

/** The same transaction for another organisation of its store; its writes enter no write set. */
export function txOf(tx: Tx, org: number): Tx {
  return {
    org,
    dialect: tx.dialect,
    lock: undefined,
    get connection() {
      return tx.connection;
    },
    get db() {
      return tx.db;
    },
  };
}

/** Whether a store has no organisation, no person and no key. */
export async function isUnused(server: Tx): Promise<boolean> {
  for (const table of ["organisation", "audit_entry", ...Object.keys(directoryTables)]) {
    const { rows } = await sql`select 1 from ${sql.id(table)} limit 1`.execute(server.db);
    if (rows.length > 0) return false;
  }
  return true;
}

/** The row count and digest of each table of the organisation. */
export async function tableContents(tx: Tx): Promise<Contents[]> {
  const contentses: Contents[] = [];
  for (const shape of await shapesIn(tx)) contentses.push(await contentsOf(tx, shape));
  return contentses;
}

// --- tables --------------------------------------------------------------------------------------

interface TableCopy {
  readonly table: string;
  /** Whether the table has no column `org`. */
  readonly isOfServer: boolean;
  /** All columns but `own`, in the order of their names. */
  readonly columns: readonly string[];
  readonly holdsBytes: boolean;
  readonly insertion: Insertion;
}

/**
 * Columns of an organisation that are specific to a store: its key, and the versions of its
 * reference data.
 */
const notCopied: ReadonlySet<string> = new Set(["org", "chart_version", "contact_version"]);

/** The tables keyed by organisation, or those of a server, in the order of their names. */
async function shapesIn({ dialect, connection, org }: Tx): Promise<TableCopy[]> {
  const byTable = Map.groupBy(await dialect.columns(connection), ({ table }) => table);
  const tableCopies: TableCopy[] = [];
  for (const [table, rows] of [...byTable].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isOfServer = table in directoryTables;
    if (isOfServer ? org !== serverKey : !rows.some(({ column }) => column === "org")) continue;
    const columns = rows.map(({ column }) => column).filter((column) => !notCopied.has(column));
    columns.sort();
    tableCopies.push({
      table,
      isOfServer,
      columns,
      holdsBytes: rows.some(({ holdsBytes }) => holdsBytes),
      insertion: { table, columns: isOfServer ? columns : ["org", ...columns] },
    });
  }
  return tableCopies;
}

function refuseOtherShapes(source: readonly TableCopy[], targetCopies: readonly TableCopy[]): void {
  const text = (tableCopies: readonly TableCopy[]) =>
    tableCopies.map(({ table, columns }) => `${table}(${columns.join()})`).join(" ");
  if (text(source) !== text(targetCopies)) {
    throw new Error(`The stores have different tables: ${text(source)} and ${text(targetCopies)}.`);
  }
}

function selectColumn(table: string, column: string): string {
  return isExact(table, column) ? `cast("${column}" as text) as "${column}"` : `"${column}"`;
}

/** Condition that excludes the plan-signing key, which never leaves its server. */
const ofServer = (table: string) => (table === "directory_key" ? `"use" <> 'plan'` : "1 = 1");

async function* rowsOf({ org, connection }: Tx, shape: TableCopy): AsyncGenerator<Row[]> {
  const { table, columns, holdsBytes, isOfServer } = shape;
  const names = columns.map((column) => selectColumn(table, column)).join(", ");
  const ownRows = isOfServer ? ofServer(table) : `org = ${Number(org)}`;
  const query = CompiledQuery.raw(`select ${names} from "${table}" where ${ownRows}`);
  const size = holdsBytes ? piecesAtATime : rowsAtATime;
  for await (const { rows } of connection.streamQuery<Record<string, Value>>(query, size)) {
    yield rows.map((row) => columns.map((column) => row[column] ?? null));
  }
}

async function contentsOf(tx: Tx, shape: TableCopy): Promise<Contents> {
  const sum = new RowDigest();
  for await (const rows of rowsOf(tx, shape)) for (const row of rows) sum.add(row);
  return { table: shape.table, ...sum.total() };
}

// --- digest --------------------------------------------------------------------------------------

const modulus = 1n << 256n;

/**
 * A digest independent of row order, since two databases need not return the same order: the sum of
 * the SHA-256 of each row, modulo 2^256.
 */
class RowDigest {
  #rows = 0;
  #sum = 0n;

  add(row: Row): void {
    const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
    for (const value of row) {
      if (value instanceof Uint8Array) hash.update(`b${value.length}:`).update(value);
      else hash.update(value === null ? "n" : `${typeof value} ${JSON.stringify(value)}`);
    }
    this.#rows += 1;
    this.#sum = (this.#sum + BigInt(`0x${hash.digest("hex")}`)) % modulus;
  }

  total(): { rows: number; digest: string } {
    return { rows: this.#rows, digest: this.#sum.toString(16).padStart(64, "0") };
  }
}
