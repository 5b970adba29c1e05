/**
 * Fonts for what the type of documents has no letters for: Chinese, Japanese, Arabic and the rest.
 *
 * They are large, so none comes with the program. A font of the machine is used where it has the
 * character: those that are named, by `--font` and ACCT_FONTS, before what fontconfig finds.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { namesInCollection } from "./font-collection.ts";

/** A font by its file, and by its name where the file holds several; empty otherwise. */
export interface Face {
  readonly file: string;
  readonly family: string;
}

export interface Wanted {
  readonly codePoint: number;
  readonly isBold: boolean;
  /** As fontconfig has it: `ja`, `zh-tw`; Han characters have other shapes in each. */
  readonly language: string | undefined;
}

/** Switches the fonts of the machine off, for documents that are the same everywhere. */
const none = "none";
/** That are named, at most. */
const filesMax = 200;

export const fontFile = /\.(ttf|otf|ttc|otc)$/i;
const collection = /\.(ttc|otc)$/i;

const found = new Map<string, readonly Face[]>();
let first: readonly string[] = [];

/** Goes to these files before all others. @param files  of this process, from now on */
export function useFonts(files: readonly string[]): void {
  first = files;
  found.clear();
}

/** Fonts that may have a character, the best first; whether one has it, it says itself. */
export function facesFor(wanted: Wanted): readonly Face[] {
  const { ACCT_FONTS: said = "" } = process.env;
  const key = [said, ...Object.values(wanted)].join(" ");
  let faces = found.get(key);
  if (faces === undefined) {
    const places = [...first, ...(said === none ? [] : said.split(delimiter))];
    const own = named(places, wanted.language);
    faces = said === none ? own : [...own, ...matched(wanted)];
    found.set(key, faces);
  }
  return faces;
}

function named(places: readonly string[], language: string | undefined): Face[] {
  const files = places
    .filter((each) => each !== "")
    .flatMap((place) => {
      try {
        if (!statSync(place).isDirectory()) return [place];
        return readdirSync(place).map((name) => join(place, name));
      } catch {
        return [];
      }
    })
    .filter((file) => fontFile.test(file));
  return files.slice(0, filesMax).flatMap((file) => {
    if (!collection.test(file)) return [{ file, family: "" }];
    return byLanguage(namesInCollection(file), language).map((family) => ({ file, family }));
  });
}

/** How collections call their fonts of a language: `NotoSansCJKjp-Regular`. */
const marks: Readonly<Record<string, RegExp>> = {
  ja: /jp/i,
  ko: /kr/i,
  "zh-cn": /sc/i,
  "zh-tw": /tc/i,
  "zh-hk": /hk|tc/i,
};

function byLanguage(names: readonly string[], language: string | undefined): readonly string[] {
  const mark = marks[language ?? ""];
  if (mark === undefined) return names;
  return [...names.filter((each) => mark.test(each)), ...names.filter((each) => !mark.test(each))];
}

/** Fonts of fontconfig: outlines alone, since pictures of letters cannot be printed. */
function matched({ codePoint, isBold, language }: Wanted): Face[] {
  const pattern = `:charset=${codePoint.toString(16)}:color=false:scalable=true`;
  const spoken = language === undefined ? "" : `:lang=${language}`;
  const regular = matchedBy(`${pattern}${spoken}`);
  return isBold ? [...matchedBy(`${pattern}${spoken}:weight=bold`), ...regular] : regular;
}

function matchedBy(pattern: string): Face[] {
  try {
    const asked = ["--format", "%{file}\t%{postscriptname}\n", pattern];
    const options = {
      encoding: "utf8",
      timeout: 5000,
      stdio: "pipe",
    } as const;
    const [file = "", name] = execFileSync("fc-match", asked, options).trim().split("\t");
    if (!fontFile.test(file)) return [];
    return [{ file, family: collection.test(file) ? (name ?? "") : "" }];
  } catch {
    return [];
  }
}

/** What a text is written in, where its letters or else the country tell; for Han characters. */
export function languageIn(text: string, country: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/\p{Script=Bopomofo}/u.test(text)) return "zh-tw";
  if (!/\p{Script=Han}/u.test(text)) return undefined;
  return { JP: "ja", KR: "ko", TW: "zh-tw", HK: "zh-hk", MO: "zh-hk", CN: "zh-cn", SG: "zh-cn" }[
    country
  ];
}
