/**
 * Finds fonts for scripts that the font of documents lacks: Chinese, Japanese, Arabic and others.
 *
 * Such fonts are large, so none is bundled. Fonts installed on the machine are used where they have
 * the character: first those named by `--font` and ACCT_FONTS, then those that fontconfig finds.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { namesInCollection } from "./font-collection.ts";

/** A font by its file, and by its name if the file is a collection; the name is empty otherwise. */
export interface Face {
  readonly file: string;
  readonly family: string;
}

export interface WantedFace {
  readonly codePoint: number;
  readonly isBold: boolean;
  /** Language code as in fontconfig: `ja`, `zh-tw`; it selects the shapes of Han characters. */
  readonly language: string | undefined;
}

/**
 * Value of ACCT_FONTS that disables fonts of the machine, for documents identical on all machines.
 */
const noFonts = "none";
/** Maximum number of named font files. */
const filesMax = 200;

export const fontFile = /\.(ttf|otf|ttc|otc)$/i;
const collection = /\.(ttc|otc)$/i;

const facesByKey = new Map<string, readonly Face[]>();
let firstFiles: readonly string[] = [];

/**
 * Makes these font files preferred over all others.
 *
 * @param files  files for this process, from now on
 */
export function useFonts(files: readonly string[]): void {
  firstFiles = files;
  facesByKey.clear();
}

/** Fonts that may have a character, the best first; the caller must check that a font has it. */
export function facesFor(wantedFace: WantedFace): readonly Face[] {
  const { ACCT_FONTS: said = "" } = process.env;
  const key = [said, ...Object.values(wantedFace)].join(" ");
  let faces = facesByKey.get(key);
  if (faces === undefined) {
    const fontPaths = [...firstFiles, ...(said === noFonts ? [] : said.split(delimiter))];
    const ownFaces = facesAt(fontPaths, wantedFace.language);
    faces = said === noFonts ? ownFaces : [...ownFaces, ...matchingFaces(wantedFace)];
    facesByKey.set(key, faces);
  }
  return faces;
}

function facesAt(fontPaths: readonly string[], language: string | undefined): Face[] {
  const files = fontPaths
    .filter((fontPath) => fontPath !== "")
    .flatMap((path) => {
      try {
        if (!statSync(path).isDirectory()) return [path];
        return readdirSync(path).map((name) => join(path, name));
      } catch {
        return [];
      }
    })
    .filter((file) => fontFile.test(file));
  return files.slice(0, filesMax).flatMap((file) => {
    if (!collection.test(file)) return [{ file, family: "" }];
    return sortByLanguage(namesInCollection(file), language).map((family) => ({ file, family }));
  });
}

/** Patterns of font names in collections by language: `NotoSansCJKjp-Regular`. */
const languageMarks: Readonly<Record<string, RegExp>> = {
  ja: /jp/i,
  ko: /kr/i,
  "zh-cn": /sc/i,
  "zh-tw": /tc/i,
  "zh-hk": /hk|tc/i,
};

function sortByLanguage(names: readonly string[], language: string | undefined): readonly string[] {
  const mark = languageMarks[language ?? ""];
  if (mark === undefined) return names;
  return [...names.filter((name) => mark.test(name)), ...names.filter((name) => !mark.test(name))];
}

/** Fonts from fontconfig; only outline fonts, as bitmap glyphs cannot be printed. */
function matchingFaces({ codePoint, isBold, language }: WantedFace): Face[] {
  const pattern = `:charset=${codePoint.toString(16)}:color=false:scalable=true`;
  const spoken = language === undefined ? "" : `:lang=${language}`;
  const regular = fontconfigFaces(`${pattern}${spoken}`);
  return isBold ? [...fontconfigFaces(`${pattern}${spoken}:weight=bold`), ...regular] : regular;
}

function fontconfigFaces(pattern: string): Face[] {
  try {
    const args = ["--format", "%{file}\t%{postscriptname}\n", pattern];
    const options = {
      encoding: "utf8",
      timeout: 5000,
      stdio: "pipe",
    } as const;
    const [file = "", name] = execFileSync("fc-match", args, options).trim().split("\t");
    if (!fontFile.test(file)) return [];
    return [{ file, family: collection.test(file) ? (name ?? "") : "" }];
  } catch {
    return [];
  }
}

/** Language of a text by its letters, else by the country; needed for Han characters. */
export function languageIn(text: string, country: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/\p{Script=Bopomofo}/u.test(text)) return "zh-tw";
  if (!/\p{Script=Han}/u.test(text)) return undefined;
  return { JP: "ja", KR: "ko", TW: "zh-tw", HK: "zh-hk", MO: "zh-hk", CN: "zh-cn", SG: "zh-cn" }[
    country
  ];
}
