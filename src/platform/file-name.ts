/** Creates file names from numbers of records, which may contain any characters. */

/** Device names reserved by Windows, whatever their extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** Maximum length of a name in bytes; every file system has room for an extension after it. */
const bytesMax = 200;

/**
 * Makes a name that is safe on any system: `INV-0042` stays as it is, `../a:b` becomes `a-b`.
 *
 * @param wanted    wanted name, usually a number
 * @param fallback  safe name for when no character of the wanted one is left
 */
export function fileName(wanted: string | undefined, fallback: string, extension: string): string {
  const plainName = (wanted ?? "")
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, "-")
    .replace(/\s+/g, " ")
    .replace(/^[\s.\-~]+|[\s.]+$/g, "");
  let name = "";
  for (const character of plainName) {
    if (Buffer.byteLength(name + character) > bytesMax) break;
    name += character;
  }
  name = name.replace(/[\s.-]+$/, "");
  return `${name === "" || devices.test(name.split(".", 1)[0] ?? "") ? fallback : name}.${extension}`;
}

/**
 * Content-Disposition header: `inline; filename="INV-0042.pdf"`, with an encoded full name if it is
 * not ASCII.
 */
export function inlineDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const encodedName = encodeURIComponent(name).replace(
    /['()*!]/g,
    (text) => `%${text.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name
    ? `inline; filename="${name}"`
    : `inline; filename="${ascii}"; filename*=UTF-8''${encodedName}`;
}

/** Header of a PDF response with the characters that no font has, percent-encoded. */
export const missingHeader = "x-missing-characters";
