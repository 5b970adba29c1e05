/** Text made fit for paper: clusters, lines, directions, fonts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { namesInCollection } from "../../src/output/pdf/font-collection.ts";
import { type FontChoice, fontRuns } from "../../src/output/pdf/font-runs.ts";
import { facesFor, languageIn, useFonts } from "../../src/output/pdf/fonts.ts";
import { clustersOf, normaliseText, wrapText } from "../../src/output/pdf/text.ts";
import { isFromRight, visualRuns } from "../../src/output/pdf/visual-runs.ts";

test.each<[string, string, string]>([
  ["control characters and marks of direction are removed", "a\u0007\u202eb\u2066c\u00ad", "abc"],
  ["all kinds of line ends become one", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
  ["a direction mark at the start of a line stays", "\u200fa\u200fb", "\u200fab"],
  [
    "joiners stay between letters",
    "\u0645\u06cc\u200c\u062e \u200cx\u200c",
    "\u0645\u06cc\u200c\u062e x",
  ],
  ["joiners stay between pictures", "\u{1f469}\u200d\u{1f3ed}", "\u{1f469}\u200d\u{1f3ed}"],
  ["Arabic signs before numbers stay", "\u0600 12", "\u0600 12"],
  ["private-use characters are kept", "a\ue000b", "a\ue000b"],
  ["half a surrogate pair becomes the replacement character", "a\ud800b", "a\ufffdb"],
])("text to be printed is cleaned: %s", (_what, typed, seen) => {
  expect(normaliseText(typed)).toBe(seen);
});

test.each<[string, string[]]>([
  ["e\u0301x", ["e\u0301", "x"]],
  ["\u{1f469}\u200d\u{1f3ed}!", ["\u{1f469}\u{1f3ed}", "!"]],
  ["\u{1f44d}\u{1f3fd}", ["\u{1f44d}"]],
  ["\u2764\ufe0f", ["\u2764"]],
  ["\u845b\u{e0100}\u57ce", ["\u845b", "\u57ce"]],
])("the printed text %j is split into the characters %j", (typed, drawn) => {
  expect(clustersOf(typed).map((each) => each.drawn)).toEqual(drawn);
  expect(
    clustersOf(typed)
      .map((each) => each.typed)
      .join(""),
  ).toBe(typed);
});

// --- lines ----------------------------------------------------------------------------------------

/** Wide characters are two columns. */
const columns = (text: string) =>
  [...text.replaceAll("\u200f", "")].reduce((sum, each) => sum + (each > "\u2fff" ? 2 : 1), 0);

test.each<[string, string, number, string[]]>([
  ["words", "one two three", 7, ["one two", "three"]],
  ["a long word", "abcdefghij kl", 4, ["abcd", "efgh", "ij", "kl"]],
  ["Japanese, anywhere", "香港の茶碗と皿", 8, ["香港の茶", "碗と皿"]],
  ["but not before a full stop", "香港の茶。碗", 8, ["香港の", "茶。碗"]],
  ["nor before small kana and long vowels", "香港のチャー碗", 8, ["香港の", "チャー碗"]],
  ["nor after an opening bracket", "香港茶「碗」皿", 8, ["香港茶", "「碗」皿"]],
  ["Latin words inside stay whole", "香港ABC茶碗", 8, ["香港ABC", "茶碗"]],
  ["a number with its unit before it", "合計12000円", 8, ["合計", "12000円"]],
  ["Korean at its spaces", "한국어 설명 그릇", 10, ["한국어", "설명 그릇"]],
  ["Thai between words", "สวัสดีครับคุณ", 10, ["สวัสดีครับ", "คุณ"]],
  [
    "accents stay with their letters",
    "e\u0301e\u0301e\u0301e\u0301",
    4,
    ["e\u0301e\u0301", "e\u0301e\u0301"],
  ],
  [
    "Arabic, each line from the right",
    "\u0623\u0628 \u062c\u062f ab",
    5,
    ["\u200f\u0623\u0628 \u062c\u062f", "\u200fab"],
  ],
])("printed text is wrapped: %s", (_what, text, width, expected) => {
  expect(wrapText(text, width, columns)).toEqual(expected);
});

test("a long text without spaces is broken without loss, and no line exceeds the width", () => {
  const text = "北京市朝阳区建国门外大街甲6号华熙国际中心（技术服务费），包含现场安装。".repeat(40);
  const lines = wrapText(text, 30, columns);
  expect(lines.join("")).toBe(text);
  for (const line of lines) {
    expect(columns(line)).toBeLessThanOrEqual(30);
    expect(line).not.toMatch(/^[，。）]|（$/);
  }
});

// --- directions -----------------------------------------------------------------------------------

const shown = (line: string) =>
  visualRuns(line)
    .map(({ text, isFromRight: turned }) => (turned ? `<${text}` : `>${text}`))
    .join(" ");

// Hebrew letters stand for all that go from the right; what is seen begins at the left.
test.each<[string, string, string]>([
  ["left-to-right text only", "abc 12", ">abc 12"],
  ["right-to-left text only", "אב גד", "<אב גד"],
  ["right-to-left words in a left-to-right line", "a אב גד b", ">a  <אב גד > b"],
  ["left-to-right words in a right-to-left line", "אב x גד", "< גד >x <אב "],
  ["figures in a right-to-left line", "אב 123 גד", "< גד >123 <אב "],
  ["brackets in a right-to-left line are mirrored", "אב (גד)", "<אב )גד("],
  ["brackets around left-to-right words are mirrored", "אב (x)", "<( >x <אב )"],
  ["a line with a right-to-left mark", "\u200fx אב", "< אב >x"],
  ["figures in an Arabic line", "مبلغ 1,500.00 ريال", "< ريال >1,500.00 <مبلغ "],
])("a printed line is put in visual order: %s", (_what, line, seen) => {
  expect(shown(line)).toBe(seen);
});

test.each<[string, boolean]>([
  ["abc אב", false],
  ["אב abc", true],
  ["12 אב", true],
  ["\u200fabc", true],
  ["", false],
])("the text %j is laid out from right to left: %s", (text, expected) => {
  expect(isFromRight(text)).toBe(expected);
});

// --- fonts ----------------------------------------------------------------------------------------

/** Fonts by the characters that they have. */
const fonts: Readonly<Record<string, RegExp>> = {
  own: /^[ -~\u00a0-\u024f\ufffd]$/,
  arabic: /^[ ().\u0600-\u06ff]$/,
  han: /^[\u3000-\u9fff]$/,
  dots: /^[\u0300-\u036f]$/,
};

function choice(missing: string[] = []): FontChoice<string> {
  const has = (font: string, text: string) =>
    [...text].every((each) => fonts[font]?.test(each) === true);
  return {
    own: "own",
    has,
    fontOf: (text) => Object.keys(fonts).find((font) => has(font, text)),
    missing: (text) => void missing.push(text),
  };
}

const runs = (line: string) => fontRuns(line, choice()).map(({ font, text }) => `${font}:${text}`);

test.each<[string, string, string[]]>([
  ["the program's own font is preferred", "Tea 茶 x", ["own:Tea ", "han:茶", "own: x"]],
  ["spaces between right-to-left letters take the font of the letters", "اب جد", ["arabic:اب جد"]],
  [
    "a sign that the right-to-left font lacks is a run of its own",
    "اب*جد",
    ["arabic:جد", "own:*", "arabic:اب"],
  ],
  [
    "several signs that the right-to-left font lacks are put in visual order",
    "اب!?جد",
    ["arabic:جد", "own:?!", "arabic:اب"],
  ],
  [
    "a letter and an accent that no single font has come from two fonts",
    "q\u0315",
    ["own:q", "dots:\u0315"],
  ],
])("each run of printed text gets a font: %s", (_what, line, expected) => {
  expect(runs(line)).toEqual(expected);
});

test("characters that no font has are printed as the replacement sign, and reported with the typed text", () => {
  const missing: string[] = [];
  expect(fontRuns("a \u{1f389}\u{1f389} b", choice(missing))).toEqual([
    { text: "a ", font: "own", isWhole: false },
    { text: "\ufffd\ufffd", font: undefined, typed: "\u{1f389}\u{1f389}", isWhole: false },
    { text: " b", font: "own", isWhole: false },
  ]);
  expect(missing).toEqual(["\u{1f389}", "\u{1f389}"]);
});

test.each<[string, string, string | undefined]>([
  ["お茶", "NZ", "ja"],
  ["도자기", "NZ", "ko"],
  ["茶碗", "JP", "ja"],
  ["茶碗", "TW", "zh-tw"],
  ["茶碗", "NZ", undefined],
  ["tea", "JP", undefined],
])('the font for "%s" in a book of %s is chosen by the language: %s', (text, country, language) => {
  expect(languageIn(text, country)).toBe(language);
});

/** Two fonts in one file, as those of East Asia come. */
function collectionOf(files: readonly string[]): Buffer {
  const fonts_ = files.map((file) => readFileSync(file));
  const head = Buffer.alloc(12 + 4 * fonts_.length);
  head.write("ttcf", 0, "latin1");
  head.writeUInt32BE(0x0001_0000, 4);
  head.writeUInt32BE(fonts_.length, 8);
  let offset = head.length;
  const moved = fonts_.map((font, at) => {
    head.writeUInt32BE(offset, 12 + 4 * at);
    const copy = Buffer.from(font);
    for (let table = 0; table < copy.readUInt16BE(4); table += 1) {
      const place = 12 + 16 * table + 8;
      copy.writeUInt32BE(copy.readUInt32BE(place) + offset, place);
    }
    offset += copy.length;
    return copy;
  });
  return Buffer.concat([head, ...moved]);
}

test("fonts of a collection file are identified by name, and those of the text's language come first", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-fonts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "Both.ttc");
  const own = join(import.meta.dirname, "../../fonts");
  const files = ["IBMPlexSans-Regular.ttf", "IBMPlexSans-SemiBold.ttf"];
  writeFileSync(path, collectionOf(files.map((file) => join(own, file))));
  expect(namesInCollection(path)).toEqual(["IBMPlexSans-Regular", "IBMPlexSans-SemiBold"]);
  expect(namesInCollection(join(own, "IBMPlexSans-Regular.ttf"))).toEqual([]);
  writeFileSync(join(folder, "cut.ttc"), "ttcf\0\0");
  expect(namesInCollection(join(folder, "cut.ttc"))).toEqual([]);

  vi.stubEnv("ACCT_FONTS", "none");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    useFonts([]);
  });
  useFonts([path]);
  const wanted = { codePoint: 0x8336, isBold: false, language: "ja" };
  expect(facesFor(wanted)).toEqual([
    { file: path, family: "IBMPlexSans-Regular" },
    { file: path, family: "IBMPlexSans-SemiBold" },
  ]);
});
