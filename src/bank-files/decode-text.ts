/**
 * Decodes the bytes of a bank file to text.
 *
 * A byte order mark determines the encoding. Without one, bytes that are valid UTF-8 are read as
 * such, as declarations in files are often wrong; then the declared encoding is used, else
 * windows-1252.
 */
import { BankFileError } from "./bank-statement.ts";

/**
 * Characters 0x80 to 0xff of code page 852, used by Polish and Czech banks, which `TextDecoder`
 * lacks.
 */
const cp852 =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0";

/** Characters 0x80 to 0x9f of windows-1252, which some Node.js versions decode as ISO 8859-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

type Decode = (bytes: Uint8Array, isLast: boolean) => string;

/** Doubt about an encoding that nobody named. */
export interface AssumedEncoding {
  /** Whether the letters are not those of windows-1252, in which they are read. */
  readonly isWrong: boolean;
  readonly sentence: string;
}

const decodeCp852: Decode = (bytes) => decodeByTable(bytes, cp852);
const decodeWindows1252: Decode = (bytes) => decodeByTable(bytes, windows1252);

function decodeByTable(bytes: Uint8Array, table: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return text.replace(/[\x80-\xff]/g, (letter) => table[letter.charCodeAt(0) - 0x80] ?? letter);
}

const latin = /^(?:windows-?125[2]|cp-?1252|1252|iso-?8859-?1|latin-?1|us-?ascii|ascii|none)$/i;

/** Decoder of an encoding. @throws BankFileError `BadEncoding` */
function decoderOf(name: string): Decode {
  if (latin.test(name)) return decodeWindows1252;
  if (/^(?:cp|ibm|dos|windows)?-?852$/i.test(name)) return decodeCp852;
  const decoder = textDecoder(name);
  return (bytes, isLast) => {
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch {
      throw new BankFileError("BadEncoding", `The file is not written in ${name}.`);
    }
  };
}

function textDecoder(name: string) {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch {
    throw new BankFileError("BadEncoding", `There is no encoding "${name.slice(0, 40)}".`);
  }
}

const byteMarks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

/** Number of bytes by which the encoding is detected. */
const headBytes = 4096;

/** Encoding that the first bytes declare: in an XML declaration or an OFX header. */
function declaredEncoding(fileStart: string): string | undefined {
  const xml = /<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(fileStart)?.[1];
  if (xml !== undefined) return xml;
  const encoding = /^\s*OFXHEADER[\s\S]*?\bENCODING\s*:\s*([\w-]+)/i.exec(fileStart)?.[1];
  if (encoding === undefined) return undefined;
  if (/^(?:utf-?8|unicode)$/i.test(encoding)) return undefined;
  const charset = /\bCHARSET\s*:\s*([\w-]+)/i.exec(fileStart)?.[1] ?? "1252";
  return /^\d{3,4}$/.test(charset) ? `windows-${charset}` : charset;
}

/** End of the last complete UTF-8 character in a buffer. */
function endOfWholeCharacters(bytes: Uint8Array): number {
  for (let backwardIndex = 1; backwardIndex <= Math.min(3, bytes.length); backwardIndex += 1) {
    const byte = bytes[bytes.length - backwardIndex] as number;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > backwardIndex ? bytes.length - backwardIndex : bytes.length;
  }
  return bytes.length;
}

/**
 * First word of bytes in an undeclared encoding that windows-1252 and windows-1250, of Polish, Czech
 * and Hungarian, read differently.
 */
function findWordInDoubt(bytes: Uint8Array): AssumedEncoding | undefined {
  const letters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const windows1250 = new TextDecoder("windows-1250");
  for (const [word] of letters.matchAll(/[A-Za-z]*[\x80-\xff][A-Za-z\x80-\xff]*/g)) {
    const wordBytes = Buffer.from(word, "latin1");
    const read = decodeWindows1252(wordBytes, true);
    const otherWord = windows1250.decode(wordBytes);
    const sentence = `"${read}" is read in windows-1252; in windows-1250 it is "${otherWord}". --encoding settles it.`;
    if (read !== otherWord) return { isWrong: false, sentence };
  }
  return undefined;
}

/** Encodings of letters that windows-1252 lacks, as `TextDecoder` names them, with those of code pages. */
const otherEncodings = [
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
  "windows-1251",
  "windows-1253",
  "cp852",
  "macintosh",
];

/**
 * Word that is of no language in windows-1252: it has bytes that are no letters there, a sign of
 * punctuation or a capital between small letters, pairs of Shift_JIS, or a run of accented letters.
 */
const foreignWord =
  /[A-Za-z\x80-\xff]{0,20}?(?:[\x81\x8d\x8f\x90\x9d]|[A-Za-z][\x82-\x89\x8b\x93-\x95\x98\x99\x9b][A-Za-z]|[A-Za-z][\x8a\x8c\x8e\x9f][a-z]|\x83[\x40-\xfc]|[\x86-\x89\x98][\x80-\xff]|(?:\x82[\x9f-\xf1]){2}|[\xa1-\xff]{4})[A-Za-z\x80-\xff]*/;

/** First word of bytes in an undeclared encoding that is not windows-1252, in those that have it. */
function findForeignWord(bytes: Uint8Array): AssumedEncoding | undefined {
  const letters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const word = foreignWord.exec(letters)?.[0].slice(0, 40);
  if (word === undefined) return undefined;
  const readings = otherEncodings.flatMap((encoding) => {
    try {
      decoderOf(encoding)(bytes, false);
      const text = decoderOf(encoding)(Buffer.from(word, "latin1"), false);
      return /^[\p{L}\p{M}\p{N}ー]+$/u.test(text) ? [`${encoding} ("${text}")`] : [];
    } catch {
      return [];
    }
  });
  const known = readings.length === 0 ? "" : `, such as ${readings.join(", ")}`;
  const sentence = `The file is written neither in UTF-8 nor in windows-1252; --encoding names what it is in${known}.`;
  return { isWrong: true, sentence };
}

/**
 * Decodes a file.
 *
 * @param name  the encoding that the user names
 * @param doubt  told the first word whose letters depend on an encoding that nobody named
 * @throws BankFileError `BadEncoding`
 */
export function* decodeText(
  chunks: Iterable<Uint8Array>,
  name?: string | undefined,
  doubt?: (doubt: AssumedEncoding) => void,
): Generator<string> {
  let pending: Uint8Array = new Uint8Array();
  let decode: Decode | undefined;
  let encodingName: string | undefined;
  let isStarted = false;
  let isAscii = true;
  let isAssumed = false;
  const tellDoubt = (bytes: Uint8Array) => {
    const doubtfulWord = findForeignWord(bytes) ?? findWordInDoubt(bytes);
    if (doubtfulWord === undefined) return;
    isAssumed = false;
    doubt?.(doubtfulWord);
  };
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  const decodeBytes = (bytes: Uint8Array, isLast: boolean): string => {
    if (decode !== undefined) {
      if (isAssumed) tellDoubt(bytes);
      return decode(bytes, isLast);
    }
    const wholeEnd = isLast ? bytes.length : endOfWholeCharacters(bytes);
    try {
      const text = utf8.decode(bytes.subarray(0, wholeEnd));
      isAscii &&= text.length === wholeEnd;
      pending = bytes.subarray(wholeEnd);
      return text;
    } catch {
      const [valid = ""] = new TextDecoder().decode(bytes.subarray(0, wholeEnd)).split("\ufffd", 1);
      if (!isAscii || /[^\0-\x7f]/.test(valid)) {
        throw new BankFileError(
          "BadEncoding",
          "The file mixes UTF-8 with another encoding; name the one that it is written in.",
        );
      }
      decode = decoderOf(encodingName ?? "windows-1252");
      isAssumed = encodingName === undefined;
      if (isAssumed) tellDoubt(bytes);
      pending = new Uint8Array();
      return decode(bytes, isLast);
    }
  };

  const start = (bytes: Uint8Array): Uint8Array => {
    isStarted = true;
    const byteMark = byteMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
    const startText = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
    encodingName = declaredEncoding(startText);
    const encoding = byteMark?.[0] ?? name ?? wideEncoding(bytes);
    if (encoding !== undefined && encoding !== "utf-8") decode = decoderOf(encoding);
    return byteMark === undefined ? bytes : bytes.subarray(byteMark[1].length);
  };

  for (const chunk of chunks) {
    let bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    pending = new Uint8Array();
    if (!isStarted) {
      if (bytes.length < headBytes) {
        pending = Uint8Array.from(bytes); // the caller may fill its buffer anew
        continue;
      }
      bytes = start(bytes);
    }
    const text = decodeBytes(bytes, false);
    if (pending.length > 0) pending = Uint8Array.from(pending);
    if (text !== "") yield text;
  }
  const remaining = isStarted ? pending : start(pending);
  const text = decodeBytes(remaining, true);
  if (text !== "") yield text;
}

/** Detects UTF-16 without byte order mark: every other byte of its markup is zero. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4) return undefined;
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0) return "utf-16le";
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0) return "utf-16be";
  return undefined;
}
