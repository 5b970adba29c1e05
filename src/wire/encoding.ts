/**
 * Decodes the bytes of XML or JSON from outside, in their character encoding.
 *
 * A byte order mark takes precedence over the header, the header over the declaration in the
 * document; when they name different encodings, the text is refused instead of guessed at.
 *
 * @source RFC 7303, 3.2; XML 1.0, appendix F
 */
import { Unreadable } from "./json.ts";

const byteMarks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

/** Patterns of UTF-16 without a byte order mark: every other byte of the first tag is zero. */
const wide = [
  ["utf-16le", [0x3c, 0, 0x3f, 0]],
  ["utf-16be", [0, 0x3c, 0, 0x3f]],
] as const;

/** A character encoding, and its source, as words of a sentence. */
interface NamedEncoding {
  readonly encoding: string;
  readonly by: string;
}

/**
 * Decodes bytes to text.
 * @param contentType  the header, if any
 * @throws Unreadable for two conflicting encodings, or an unknown one
 */
export function textOfBytes(bytes: Uint8Array, contentType?: string | undefined): string {
  const begins = (table: typeof byteMarks | typeof wide) =>
    table.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  const marked = begins(byteMarks);
  const bare = marked === undefined ? begins(wide) : undefined;
  const isWide = (marked ?? bare)?.startsWith("utf-16") === true;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
  const encodings: NamedEncoding[] = [
    ...(marked === undefined
      ? []
      : [{ encoding: marked, by: `its byte order mark says ${marked}` }]),
    ...(charset === undefined ? [] : [namedEncoding(charset, "its header says")]),
  ];
  const startText = new TextDecoder(marked ?? bare ?? "latin1").decode(bytes.subarray(0, 400));
  const declaredName = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(startText)?.[1];
  // Some programs declare utf-16 for bytes that clearly are not UTF-16.
  if (declaredName !== undefined && (isWide || !/^utf-?16$/i.test(declaredName))) {
    encodings.push(namedEncoding(declaredName, "it declares"));
  }
  if (bare !== undefined) encodings.push({ encoding: bare, by: `its bytes are ${bare}` });
  const [first = { encoding: "utf-8", by: "" }] = encodings;
  const otherNamed = encodings.find(({ encoding }) => !agree(first.encoding, encoding));
  if (otherNamed !== undefined) throw new Unreadable(`${first.by}, but ${otherNamed.by}`);
  const encoding = bare ?? marked ?? first.encoding;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const name = encoding === "utf-8" ? "UTF-8" : encoding;
    throw new Unreadable(
      first.by === "" ? `it is not ${name}` : `${first.by}, but it is not ${name}`,
    );
  }
}

/** Whether two encodings agree; `utf-16` matches both byte orders. */
const agree = (first: string, second: string): boolean =>
  first === second ||
  (/^utf-16/.test(first) && /^utf-16/.test(second) && [first, second].includes("utf-16"));

function namedEncoding(label: string, by: string): NamedEncoding {
  const lowerCase = label.toLowerCase();
  if (lowerCase === "utf-16") return { encoding: lowerCase, by: `${by} ${label}` };
  // The platform treats ASCII as windows-1252; ASCII text is valid UTF-8 too.
  if (/^(?:us-)?ascii$/.test(lowerCase)) return { encoding: "utf-8", by: `${by} ${label}` };
  try {
    return { encoding: new TextDecoder(label).encoding, by: `${by} ${label}` };
  } catch {
    throw new Unreadable(`${by} ${label.slice(0, 40)}, which is no encoding that is known`);
  }
}
