/** Names and media types of attachments. */
import { refusal } from "../../resources/errors.ts";
import { directionMarkFault } from "../../resources/scalar.ts";
import type { Limits } from "../../wire/body.ts";

/** Size limit of one attachment: 25 MB. */
export const fileLimits: Limits = { bytesMax: 25 * 1024 * 1024, what: "A file" };
/** Maximum number of attachments on one record. */
export const filesMax = 10;

const nameBytesMax = 255;
const mimeTypeCharactersMax = 255;

/** Characters that some file systems or headers cannot carry, or that form paths. */
const refusedCharacters = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Validates a file name, and normalises it (NFC), so that equal-looking names are equal.
 *
 * @throws RefusedError for an invalid name
 */
export function readFileName(text: string): string {
  const name = text.normalize("NFC");
  const refusedCharacter = refusedCharacters.exec(name)?.[0];
  if (refusedCharacter !== undefined) {
    const shownCharacter = /[\p{Cc}\p{Cs}]|\p{Noncharacter_Code_Point}/u.test(refusedCharacter)
      ? "control characters"
      : refusedCharacter;
    throw refusal(
      "Parameter",
      `A file name cannot hold any of < > : " / \\ | ? *, such as here: ${shownCharacter}.`,
    );
  }
  const fault = directionMarkFault(name);
  if (fault !== undefined) throw refusal("Form", `A file name ${fault}.`);
  if (name.trim() === "" || name === "." || name === "..") {
    throw refusal("Form", `'${name}' is no name of a file.`);
  }
  const bytes = Buffer.byteLength(name);
  if (bytes > nameBytesMax) {
    throw refusal("Limit", `A file name has at most ${nameBytesMax} bytes in UTF-8, not ${bytes}.`);
  }
  return name;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaType = new RegExp(
  `^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
);

/** Returns the content type of an upload as sent. @throws RefusedError for an invalid one */
export function readMimeType(header: string | undefined): string {
  const text = header?.trim() ?? "";
  if (text === "") return "application/octet-stream";
  if (text.length <= mimeTypeCharactersMax && mediaType.test(text)) return text;
  throw refusal(
    "Form",
    `The Content-Type must be a media type such as image/png, not '${text.slice(0, 60)}'.`,
  );
}

/** Encodes a file name for URLs, including brackets, which some clients cannot read. */
export function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns the header that makes browsers save a file and never display it.
 *
 * @source RFC 6266: an ASCII name for old clients, then the full name
 */
export function dispositionOf(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encodedName = asciiName === name ? "" : `; filename*=UTF-8''${encodeFileName(name)}`;
  return `attachment; filename="${asciiName}"${encodedName}`;
}
