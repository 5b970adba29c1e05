/**
 * The directory of a server: people, apps, connections, and what sign-in remembers.
 *
 * It lies in a store like any other: in the file of the book that is served alone, in a file of its
 * own beside many books, or in the database that holds them all.
 */
import type { Transaction } from "kysely";
import type { DirectoryTables } from "../schema/index.ts";
import type { Store } from "../store.ts";
import type { Tx } from "../transactions/tx.ts";

/** A transaction on the directory. */
export interface DirectoryTx {
  readonly db: Transaction<DirectoryTables>;
}

export interface Directory {
  /** Reads from one moment. */
  read<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>;
  /** Wholly or not at all; as with a store, the work may be run again. */
  write<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>;
}

/** The key of no organisation, so that writers of the directory have a queue of their own. */
const nobody = 0;

/** The directory in a store, which stays its owner's to close. */
export function directoryIn(store: Pick<Store, "read" | "write">): Directory {
  return {
    read: (work) => store.read(nobody, (tx) => work(on(tx))),
    write: (work) => store.write(nobody, (tx) => work(on(tx))),
  };
}

function on({ db }: Tx): DirectoryTx {
  // The tables of books and of the directory are independent.
  return { db: db as unknown as Transaction<DirectoryTables> };
}
