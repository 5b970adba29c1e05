/**
 * The directory of a server: people, apps, connections, and what sign-in remembers.
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
  /** The same, for what the server keeps as an organisation would. */
  readonly tx: Tx;
}

/** The same, once an act was entered in the audit log of the server. */
export type AuditedDirectoryTx = Audited<DirectoryTx>;

export interface Directory {
  /** Reads from one moment. */
  read<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>;
  /** Wholly or not at all; as with a store, the work may be run again. */
  write<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>;
}

/** The directory in a store, which stays its owner's to close. */
export function directoryIn(store: Pick<Store, "read" | "write">): Directory {
  return {
    read: (work) => store.read(serverKey, (tx) => work(directoryTx(tx))),
    write: (work) => store.write(serverKey, (tx) => work(directoryTx(tx))),
  };
}

export function directoryTx(tx: Tx): DirectoryTx {
  // The tables of books and of the directory are independent.
  return { db: tx.db as unknown as Transaction<DirectoryTables>, tx };
}

/** Enters an act in the log of the server. @returns the transaction, in which it may be done */
export async function recordOnServer(
  directoryTx: DirectoryTx,
  act: Act<"SERVER">,
): Promise<AuditedDirectoryTx> {
  const { tx } = directoryTx;
  await lockChain(tx);
  await append(tx, act);
  return directoryTx as AuditedDirectoryTx;
}

/** Writers of an organisation hold its lock already; of a server there is none. */
const lockChain = (tx: Tx) => tx.dialect.lockNew(tx.connection, "audit log");

/**
 * Notes rows of the directory that are about to be written or removed, for the chain of the server.
 *
 * @param keys  the columns of each
 */
export async function chained(
  { tx }: DirectoryTx,
  table: ChainedDirectoryTable,
  keys: readonly Row[],
): Promise<void> {
  if (keys.length === 0) return;
  await lockChain(tx);
  tx.lock?.writeSet.touch(table, keys);
}
