/**
 * Encodes text in the character sets that laws and programs prescribe.
 *
 * A letter that the set lacks is written without its accent if that helps, else as a question mark;
 * replaced characters are collected for a note to the user.
 */

/**
 * Characters by code, where a set differs from ISO 8859-1 above 0x7F. A space marks a code that is
 * unused or the same.
 */
const differences = {
  "iso-8859-15": { 164: "€", 166: "Š", 168: "š", 180: "Ž", 184: "ž", 188: "Œ", 189: "œ", 190: "Ÿ" },
  "windows-1252": Object.fromEntries(
    [..."€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"].flatMap((letter, at) =>
      letter === " " ? [] : [[0x80 + at, letter]],
    ),
  ),
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;

export type Charset = "utf-8" | keyof typeof differences;

/** Encodes text in one character set. */
export class Encoder {
  readonly #charset: Charset;
  readonly #bytes: ReadonlyMap<string, number> | undefined;
  readonly #replaced = new Set<string>();

  constructor(charset: Charset) {
    this.#charset = charset;
    this.#bytes = charset === "utf-8" ? undefined : tableOf(differences[charset]);
  }

  /** Notes for the user: the characters that the set lacks. */
  notes(): readonly string[] {
    if (this.#replaced.size === 0) return [];
    return [
      `${this.#charset} has no ${[...this.#replaced].join(" ")}: the plain letter or a question mark stands for each.`,
    ];
  }

  encode(text: string): Uint8Array {
    const byteByCharacter = this.#bytes;
    if (byteByCharacter === undefined) return Buffer.from(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what every set has.
    if (/^[\x00-\x7f]*$/.test(text)) return Buffer.from(text, "latin1");
    const bytes: number[] = [];
    for (const letter of text) {
      const knownByte = byteByCharacter.get(letter);
      if (knownByte !== undefined) bytes.push(knownByte);
      else bytes.push(...this.#nearest(letter, byteByCharacter));
    }
    return Uint8Array.from(bytes);
  }

  #nearest(letter: string, byteByCharacter: ReadonlyMap<string, number>): number[] {
    this.#replaced.add(letter);
    const plainCharacters = [...letter.normalize("NFKD").replace(/\p{M}+/gu, "")];
    const bytes = plainCharacters.flatMap((text) => byteByCharacter.get(text) ?? []);
    return bytes.length > 0 && bytes.length === plainCharacters.length ? bytes : [questionMarkCode];
  }
}

const questionMarkCode = "?".charCodeAt(0);

function tableOf(upperHalf: Readonly<Record<number, string>>): ReadonlyMap<string, number> {
  const byteByCharacter = new Map<string, number>();
  for (let byte = 0; byte < 0x100; byte += 1) {
    const ownCharacter = upperHalf[byte];
    if (ownCharacter !== undefined) byteByCharacter.set(ownCharacter, byte);
    else if (byte < 0x80 || byte >= 0xa0) byteByCharacter.set(String.fromCharCode(byte), byte);
  }
  return byteByCharacter;
}
