/**
 * The directory of a server: people, apps, connections, and the artefacts of sign-in.
 *
 * It lies in a store like any other: in the file of the book that is served alone, in a file of its
 * own beside many books, or in the database that holds them all.
 */
import type { Transaction } from "kysely";
import type { Row } from "../connection/connection.ts";
import { type Act, type Audited, append } from "../operations/audit-log.ts";
import type { ChainedDirectoryTable, DirectoryTables } from "../schema/index.ts";
import type { Store } from "../store.ts";
import { serverKey, type Tx } from "../tx/tx.ts";

/** A transaction on the directory. */
export interface DirectoryTx {
  readonly db: Transaction<DirectoryTables>;
  /**
   * The same transaction as one of organisation 0, under which the server keeps its audit log and
   * chain.
   */
  readonly tx: Tx;
}

/** A directory transaction in which an audit entry was recorded, as changes require. */
export type AuditedDirectoryTx = Audited<DirectoryTx>;

export interface Directory {
  /** Reads from one snapshot. */
  read<T>(action: (tx: DirectoryTx) => Promise<T>): Promise<T>;
  /** Writes in one transaction; as with a store, the work may be retried. */
  write<T>(action: (tx: DirectoryTx) => Promise<T>): Promise<T>;
}

/** The directory in a store; the caller remains responsible for closing the store. */
export function directoryIn(store: Pick<Store, "read" | "write">): Directory {
  return {
    read: (action) => store.read(serverKey, (tx) => action(directoryTx(tx))),
    write: (action) => store.write(serverKey, (tx) => action(directoryTx(tx))),
  };
}

export function directoryTx(tx: Tx): DirectoryTx {
  // The tables of the directory and of books are independent.
  return { db: tx.db as unknown as Transaction<DirectoryTables>, tx };
}

/**
 * Records an entry in the audit log of the server.
 * @returns the transaction in which the change may be made
 */
export async function recordOnServer(
  directoryTx: DirectoryTx,
  auditAct: Act<"SERVER">,
): Promise<AuditedDirectoryTx> {
  const { tx } = directoryTx;
  await lockChain(tx);
  await append(tx, auditAct);
  return directoryTx as AuditedDirectoryTx;
}

/** Locks the chain of the server, which has no organisation row to lock. */
const lockChain = (tx: Tx) => tx.dialect.lockNew(tx.connection, "audit log");

/**
 * Adds directory rows that are about to be written or removed to the write set of the server's
 * chain.
 * @param keys  the key columns of each row
 */
export async function touchChained(
  { tx }: DirectoryTx,
  table: ChainedDirectoryTable,
  keys: readonly Row[],
): Promise<void> {
  if (keys.length === 0) return;
  await lockChain(tx);
  tx.lock?.writeSet.touch(table, keys);
}
