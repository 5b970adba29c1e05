/** Where a book is that is not a path of its own: in a database, or in a folder of books. */

export interface DatabaseAddress {
  /** `postgres://user:password@host/database`, for who connects to it. */
  readonly url: string;
  /** What tells the organisation from others there: its name or its id. */
  readonly organisation: string | undefined;
}

/** Reads `postgres://host/database#organisation`; undefined for what has no scheme. */
export function databaseAddress(place: string): DatabaseAddress | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return undefined;
  const [url = "", ...rest] = place.split("#");
  const organisation = plain(rest.join("#"));
  return { url, organisation: organisation === "" ? undefined : organisation };
}

/** Percent-encoded or typed as it is. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The place of a book as `databaseAddress` reads it. */
export function placeInDatabase({ url, organisation }: DatabaseAddress): string {
  return organisation === undefined ? url : `${url}#${encodeURIComponent(organisation)}`;
}

/** A password in an address: up to the last @ of its host, or of all where it should be encoded. */
const password = /^(\w+:\/\/[^:@/?#]*):(?:[^/?#]*@|(?!\d*(?:[/?#]|$)).*@)/;

/** The address without what nobody is to read: for people and logs. */
export function withoutPassword(place: string): string {
  return place.replace(password, "$1@").replace(/([?&]password=)[^&#]*/g, "$1…");
}

export interface FolderAddress {
  /** Its absolute path. */
  readonly folder: string;
  /** What tells the organisation from others there: its name or its id. */
  readonly organisation: string | undefined;
}

const folderScheme = "folder:";

/** Reads what `placeInFolder` writes; undefined for the path of a file, and for whatever else. */
export function folderAddress(place: string): FolderAddress | undefined {
  if (!place.startsWith(folderScheme)) return undefined;
  const [folder = "", organisation = ""] = place.slice(folderScheme.length).split("#");
  const said = decodeURIComponent(organisation);
  return { folder: decodeURIComponent(folder), organisation: said === "" ? undefined : said };
}

/** The place of a book, told from the path of a file by how it begins. */
export function placeInFolder({ folder, organisation = "" }: FolderAddress): string {
  return `${folderScheme}${encodeURIComponent(folder)}#${encodeURIComponent(organisation)}`;
}
