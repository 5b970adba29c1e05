/** The address of a book in a folder of books, each in a file of its own. */

export interface FolderAddress {
  /** Its absolute path. */
  readonly folder: string;
  /** What tells the organisation from others there: its name or its id. */
  readonly organisation: string | undefined;
}

const scheme = "folder:";

/** Reads what `placeInFolder` writes; undefined for the path of a file, and for whatever else. */
export function folderAddress(place: string): FolderAddress | undefined {
  if (!place.startsWith(scheme)) return undefined;
  const [folder = "", organisation = ""] = place.slice(scheme.length).split("#");
  const said = decodeURIComponent(organisation);
  return { folder: decodeURIComponent(folder), organisation: said === "" ? undefined : said };
}

/** The place of a book, told from the path of a file by how it begins. */
export function placeInFolder({ folder, organisation = "" }: FolderAddress): string {
  return `${scheme}${encodeURIComponent(folder)}#${encodeURIComponent(organisation)}`;
}
