/**
 * A server as far as it is about no one of its organisations: who signs in, and by which apps.
 *
 * The book of one organisation is a server of its own; a folder or a database is one for all that
 * are in it, whether or not somebody said which.
 */

import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { type Directory, directoryIn, recordOnServer } from "../../store/directory/directory.ts";
import type { Act } from "../../store/operations/audit-log.ts";
import { type Listing, organisations } from "../../store/records/organisations.ts";
import { openBook, openDatabase } from "../books/book.ts";
import { folderAt, openFolderDirectory } from "../books/book-folder.ts";

export interface Server {
  readonly directory: Directory;
  /** OrganisationID of the one that its place names; undefined where it names none of several. */
  readonly tenant: string | undefined;
  organisations(): Promise<readonly Listing[]>;
  close(): Promise<void>;
}

/**
 * @param place  as `openBook` takes it, but that it need not name one of several organisations
 * @throws as `openBook` does for one that it names, NotFoundError `NoFolder`, UnavailableError
 */
export async function openServer(place: string): Promise<Server> {
  const filed = folderAddress(place);
  if (filed !== undefined && filed.organisation === undefined) return serverIn(filed.folder);
  const address = databaseAddress(place);
  if (address !== undefined && address.organisation === undefined) {
    const store = await openDatabase(address.url);
    return {
      directory: directoryIn(store),
      tenant: undefined,
      organisations: () => organisations(store),
      close: () => store.close(),
    };
  }
  const book = await openBook(place);
  try {
    return {
      directory: directoryIn(await book.directory()),
      tenant: book.tenant,
      organisations: () => organisations(book.store),
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

/** Enters in the log of a server an act that concerns all of its organisations. */
export async function recordOnAll(
  { directory, organisations }: Server,
  act: Pick<Act<"SERVER">, "kind" | "by" | "at" | "changes">,
): Promise<void> {
  const known = await organisations();
  const subject = known.map(({ Name }) => Name).join(", ");
  const tenants = known.map(({ OrganisationID }) => OrganisationID);
  await directory.write((tx) => recordOnServer(tx, { ...act, subject, tenants }));
}
