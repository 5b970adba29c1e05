/** Addresses of books without a path of their own: in a database, or in a folder of books. */

export interface DatabaseAddress {
  /** URL to connect to, password included: `postgres://user:password@host/database`. */
  readonly url: string;
  /** Name or id of the organisation; undefined where the address names none. */
  readonly organisation: string | undefined;
}

/** Parses `postgres://host/database#organisation`; undefined for a place without a scheme. */
export function databaseAddress(address: string): DatabaseAddress | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return undefined;
  const [url = "", ...rest] = address.split("#");
  const organisation = plainText(rest.join("#"));
  return { url, organisation: organisation === "" ? undefined : organisation };
}

/** Decodes text that may be percent-encoded; text that is not is returned as it is. */
function plainText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Formats the address of a book in a database, as `databaseAddress` parses it. */
export function placeInDatabase({ url, organisation }: DatabaseAddress): string {
  return organisation === undefined ? url : `${url}#${encodeURIComponent(organisation)}`;
}

/**
 * Matches a password in a URL: up to the last @ before the path, or in the whole text where the
 * password is not encoded as it should be.
 */
const password = /^(\w+:\/\/[^:@/?#]*):(?:[^/?#]*@|(?!\d*(?:[/?#]|$)).*@)/;

/** Removes the password from an address, for messages and logs. */
export function withoutPassword(address: string): string {
  return address.replace(password, "$1@").replace(/([?&]password=)[^&#]*/g, "$1…");
}

export interface FolderAddress {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Name or id of the organisation; undefined where the address names none. */
  readonly organisation: string | undefined;
}

const folderScheme = "folder:";

/**
 * Parses an address written by `placeInFolder`; undefined for the path of a file, or other text.
 */
export function folderAddress(address: string): FolderAddress | undefined {
  if (!address.startsWith(folderScheme)) return undefined;
  const [folder = "", organisation = ""] = address.slice(folderScheme.length).split("#");
  const name = decodeURIComponent(organisation);
  return { folder: decodeURIComponent(folder), organisation: name === "" ? undefined : name };
}

/**
 * Formats the address of a book in a folder; its prefix distinguishes it from the path of a file.
 */
export function placeInFolder({ folder, organisation = "" }: FolderAddress): string {
  return `${folderScheme}${encodeURIComponent(folder)}#${encodeURIComponent(organisation)}`;
}
