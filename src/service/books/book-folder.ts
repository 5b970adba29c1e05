/**
 * A folder of books: one organisation per file, and beside them the directory of the server.
 *
 * The organisation of a file is read from the file itself, so that the operator may add or remove
 * files.
 */
import { closeSync, existsSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FolderAddress } from "../../platform/book-address.ts";
import { clearLeftovers } from "../../platform/part-file.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { organisationIn } from "../../store/dialects/book-file.ts";
import {
  type Listing,
  organisationAmong,
  refuseNameAmong,
} from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import { type OpenFileOptions, openFile } from "./file/open-file.ts";

const extension = ".acct";
/** Copies of books from before an upgrade, which are kept beside them. */
const keptBefore = /\.before-\d+\.acct(-\d+)?$/;
export const directoryName = `directory${extension}`;

/** A book file in a folder. */
export interface FiledBook extends Listing {
  readonly path: string;
}

/** A file that cannot be served, with the reason. */
export interface Unusable {
  readonly path: string;
  readonly reason: string;
}

export interface Folder {
  /** Lists the files again, and reads the organisations of new files. */
  look(): readonly Unusable[];
  /** Book files by OrganisationID. */
  readonly books: ReadonlyMap<string, FiledBook>;
}

/** Makes the folder without opening a file. @throws NotFoundError `NoFolder` */
export function folderAt(path: string): Folder {
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new NotFoundError("NoFolder", `There is no folder at ${path}.`);
  }
  /** Listings by path; a file is read again only when it is replaced. */
  const known = new Map<string, { readonly file: number; readonly listing: Listing | undefined }>();
  const bookById = new Map<string, FiledBook>();
  return {
    books: bookById,
    look() {
      const unusable: Unusable[] = [];
      const inodeByPath = filesIn(path);
      for (const key of known.keys()) if (!inodeByPath.has(key)) known.delete(key);
      for (const [each, file] of inodeByPath) {
        if (known.get(each)?.file === file) continue;
        const listing = listingAt(each, unusable);
        known.set(each, { file, listing });
      }
      bookById.clear();
      for (const [each, { listing }] of known) {
        if (listing === undefined) continue;
        const other = bookById.get(listing.OrganisationID);
        if (other === undefined) bookById.set(listing.OrganisationID, { ...listing, path: each });
        else
          unusable.push({ path: each, reason: `it holds the same organisation as ${other.path}` });
      }
      return unusable;
    },
  };
}

/** Returns the book files in the order of their names, each with its inode number. */
function filesIn(path: string): Map<string, number> {
  const inodeByPath = new Map<string, number>();
  for (const name of readdirSync(path).sort()) {
    if (!name.endsWith(extension) || name === directoryName || name.startsWith(".")) continue;
    if (keptBefore.test(name)) continue;
    const file = statSync(join(path, name), { throwIfNoEntry: false });
    if (file?.isFile()) inodeByPath.set(join(path, name), file.ino);
  }
  return inodeByPath;
}

function listingAt(path: string, unusable: Unusable[]): Listing | undefined {
  try {
    const listing = organisationIn(path);
    if (listing !== undefined) return listing;
    unusable.push({ path, reason: "it holds no book yet" });
  } catch (error) {
    unusable.push({ path, reason: (error as Error).message });
  }
  return undefined;
}

/** Whether the directory of a folder exists yet. */
export function hasFolderDirectory(folder: string): boolean {
  return existsSync(join(folder, directoryName));
}

/** Opens the store of a folder's directory, which is made at first use. */
export async function openFolderDirectory(
  folder: string,
  options: OpenFileOptions = {},
): Promise<Store> {
  const path = join(folder, directoryName);
  clearLeftovers(path);
  // Access is for the owner only: the signing keys in it would let a reader pose as anybody.
  closeSync(openSync(path, "a", 0o600));
  return openFile(path, options);
}

/** @throws RefusedError `OrganisationExists` where a book in the folder has that name */
export function refuseNameIn(folder: string, name: string): void {
  if (!existsSync(folder)) return;
  const { look, books } = folderAt(folder);
  look();
  refuseNameAmong(books.values(), name);
}

/**
 * Returns the file of a book in a folder.
 *
 * @throws NotFoundError `NoFolder`, `NoOrganisation`; UsageError `WhichOrganisation`
 */
export function fileOf({ folder, organisation }: FolderAddress): string {
  const { look, books } = folderAt(folder);
  look();
  return organisationAmong([...books.values()], organisation, `The folder ${folder}`).path;
}
