/** Where the organisations of a server are: in the files of a folder, or in one database. */
import { statSync } from "node:fs";
import { type Listing, organisations, subscribed } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import { type BookOptions, openBook, openBookIn } from "./book.ts";
import type { Folder, Unusable } from "./folder.ts";
import type { Held } from "./tenants.ts";

/** Files are opened several times each, and a process has so many. */
const filesMax = 32;
/** In a database a book costs hardly anything while nobody asks for it. */
const inDatabaseMax = 1_000;

/**
 * The books of a folder.
 *
 * @param unusable  told of each file once that is of no use
 */
export function heldInFolder(
  folder: Folder,
  options: BookOptions,
  unusable: (found: Unusable) => void = () => undefined,
): Held {
  const told = new Set<string>();
  return {
    async look() {
      for (const found of folder.look()) {
        const key = `${found.path}\n${found.reason}`;
        if (!told.has(key)) unusable(found);
        told.add(key);
      }
    },
    listings: folder.books,
    open: ({ OrganisationID }) => openBook(folder.books.get(OrganisationID)?.path ?? "", options),
    mark: ({ OrganisationID }) => markOf(folder.books.get(OrganisationID)?.path ?? ""),
    openMax: filesMax,
  };
}

/** When the file of a book, or its log, was last written to. */
function markOf(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(" ");
}

/** The books of a database, which stays its owner's to close. */
export function heldInDatabase(store: Store, options: BookOptions, place: string): Held {
  const listings = new Map<string, Listing>();
  let told: ReadonlyMap<number, string> = new Map();
  return {
    async look() {
      const found = await organisations(store);
      told = await subscribed(store);
      listings.clear();
      for (const each of found) listings.set(each.OrganisationID, each);
    },
    listings,
    open: async (listing) => openBookIn(store, listing, options, place),
    // Subscribers may be added by another program, and are to be looked after from then on.
    mark: ({ org }) => told.get(org),
    openMax: inDatabaseMax,
  };
}
