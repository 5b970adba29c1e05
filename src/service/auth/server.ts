/**
 * The parts of a server that belong to no single organisation: its people and apps.
 *
 * A book file is a server of its own; a folder or a database is one server for all its
 * organisations, whether or not its address names one.
 */

import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import {
  type AuditedDirectoryTx,
  type Directory,
  directoryIn,
  recordOnServer,
} from "../../store/directory/directory.ts";
import type { Act } from "../../store/operations/audit-log.ts";
import { type Listing, listBooks } from "../../store/records/organisations.ts";
import { openBook, openDatabase } from "../books/book.ts";
import { folderAt, openFolderDirectory } from "../books/book-folder.ts";

export interface Server {
  readonly directory: Directory;
  /** OrganisationID that the address names; undefined where it names none of several. */
  readonly tenant: string | undefined;
  organisations(): Promise<readonly Listing[]>;
  close(): Promise<void>;
}

/**
 * Opens the server of an address.
 *
 * @param place  as for `openBook`, but it need not name one of several organisations
 * @throws as `openBook` for a named organisation; NotFoundError `NoFolder`, UnavailableError
 */
export async function openServer(place: string): Promise<Server> {
  const inDir = folderAddress(place);
  if (inDir !== undefined && inDir.organisation === undefined) return serverIn(inDir.folder);
  const address = databaseAddress(place);
  if (address !== undefined && address.organisation === undefined) {
    const store = await openDatabase(address.url);
    return {
      directory: directoryIn(store),
      tenant: undefined,
      organisations: () => listBooks(store),
      close: () => store.close(),
    };
  }
  const book = await openBook(place);
  try {
    return {
      directory: directoryIn(await book.directory()),
      tenant: book.tenant,
      organisations: () => listBooks(book.store),
      close: () => book.close(),
    };
  } catch (error) {
    await book.close();
    throw error;
  }
}

async function serverIn(folder: string): Promise<Server> {
  const { look, books } = folderAt(folder);
  const store = await openFolderDirectory(folder);
  return {
    directory: directoryIn(store),
    tenant: undefined,
    organisations: async () => {
      look();
      return [...books.values()];
    },
    close: () => store.close(),
  };
}

/**
 * Enters an act that concerns all organisations of a server in the server's audit log.
 *
 * @param action  what is done with it, in its transaction
 */
export async function recordOnAll(
  { directory, organisations }: Server,
  auditAct: Pick<Act<"SERVER">, "kind" | "by" | "at" | "changes">,
  action?: (tx: AuditedDirectoryTx) => Promise<void>,
): Promise<void> {
  const listings = await organisations();
  const subject = listings.map(({ Name }) => Name).join(", ");
  const tenants = listings.map(({ OrganisationID }) => OrganisationID);
  await directory.write(async (tx) => {
    const audited = await recordOnServer(tx, { ...auditAct, subject, tenants });
    await action?.(audited);
  });
}
