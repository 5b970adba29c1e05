/**
 * Fonts for what the type of documents has no letters for: Chinese, Japanese, Arabic and the rest.
 *
 * They are large, so none comes with the program. A font of the machine is used where it has the
 * character: those that ACCT_FONTS names, files or folders, before what fontconfig finds.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A font by its file, and by its name where the file holds several; empty otherwise. */
export interface Face {
  readonly file: string;
  readonly family: string;
}

/** Switches the fonts of the machine off, for documents that are the same everywhere. */
const none = "none";
/** In ACCT_FONTS at most. */
const filesMax = 200;

const found = new Map<string, readonly Face[]>();

/** Fonts that may have a character, the best first; whether one has it, it says itself. */
export function facesFor(codePoint: number): readonly Face[] {
  const { ACCT_FONTS: said = "" } = process.env;
  if (said === none) return [];
  const key = `${said} ${codePoint}`;
  let faces = found.get(key);
  if (faces === undefined) {
    faces = [...named(said), ...matched(codePoint)];
    found.set(key, faces);
  }
  return faces;
}

function named(said: string): Face[] {
  const files = said
    .split(delimiter)
    .filter((each) => each !== "")
    .flatMap((place) => {
      try {
        if (!statSync(place).isDirectory()) return [place];
        return readdirSync(place).map((name) => join(place, name));
      } catch {
        return [];
      }
    });
  // A file of several fonts is used through fontconfig, which knows what they are called.
  const single = files.filter((file) => /\.(ttf|otf)$/i.test(file));
  return single.slice(0, filesMax).map((file) => ({ file, family: "" }));
}

/** Fonts of fontconfig: outlines alone, since pictures of letters cannot be printed. */
function matched(codePoint: number): Face[] {
  const pattern = `:charset=${codePoint.toString(16)}:color=false:scalable=true`;
  try {
    const asked = ["--format", "%{file}\t%{postscriptname}\n", pattern];
    const options = {
      encoding: "utf8",
      timeout: 5000,
      stdio: "pipe",
    } as const;
    const [file = "", name] = execFileSync("fc-match", asked, options).trim().split("\t");
    if (!/\.(ttf|otf|ttc)$/i.test(file)) return [];
    return [{ file, family: /\.ttc$/i.test(file) ? (name ?? "") : "" }];
  } catch {
    return [];
  }
}

// --- runs ----------------------------------------------------------------------------------------

/** Text that is put with one font. */
export interface Run<F> {
  readonly text: string;
  readonly font: F;
}

/**
 * Text in runs of one font each, in the order in which they are seen from the left.
 *
 * The library lays out word by word, each word in its own direction. Words that are written from the
 * right are put in reverse order here, with what stands between them; the line itself goes from the
 * left.
 *
 * @param fontOf  the font of a character; of a space another than that of words from the right, which
 *   would turn it to their other side
 */
export function runsOf<F>(text: string, fontOf: (character: string) => F): Run<F>[] {
  const runs: { text: string; font: F }[] = [];
  for (const character of visualOrder(text)) {
    const font = fontOf(character);
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

const fromRight =
  "\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}";
/** From the first letter that is written from the right to the last, digits and signs between them. */
const turned = new RegExp(`[${fromRight}](?:[^\\p{L}\\n]|[${fromRight}])*[${fromRight}]`, "gu");

function visualOrder(text: string): string {
  return text.replace(turned, (part) => part.split(/( +)/).reverse().join(""));
}
