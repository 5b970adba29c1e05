/** File names made from the numbers of records, which may hold anything. */

/** Names that Windows keeps for devices, whatever their extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** Longest name in bytes, which leaves room for an extension in every file system. */
const bytesMax = 200;

/**
 * A name that is safe in any folder of any system: `INV-0042` stays as it is, and `../a:b` becomes
 * `a-b`.
 *
 * @param wanted    most likely a number
 * @param fallback  safe by itself, for a name of which nothing is left
 */
export function fileName(wanted: string | undefined, fallback: string, extension: string): string {
  const plain = (wanted ?? "")
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, "-")
    .replace(/\s+/g, " ")
    .replace(/^[\s.\-~]+|[\s.]+$/g, "");
  let kept = "";
  for (const character of plain) {
    if (Buffer.byteLength(kept + character) > bytesMax) break;
    kept += character;
  }
  kept = kept.replace(/[\s.-]+$/, "");
  return `${kept === "" || devices.test(kept.split(".", 1)[0] ?? "") ? fallback : kept}.${extension}`;
}

/** `inline; filename="INV-0042.pdf"`, with the whole name beside it where ASCII cannot hold it. */
export function inlineDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const whole = encodeURIComponent(name).replace(
    /['()*!]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name
    ? `inline; filename="${name}"`
    : `inline; filename="${ascii}"; filename*=UTF-8''${whole}`;
}

/** In which a printed document names, percent-encoded, the characters that it has no font for. */
export const missingHeader = "x-missing-characters";
