import { describe, expect, test } from "vitest";
import { safeJson, safeLine, safeText, safeXml } from "../../src/cli/render/safe.ts";
import { displayWidth, pad, truncate, wrapText } from "../../src/output/display-width.ts";
import { anyText, controlCharacters } from "../cli/render/samples.ts";
import { fc } from "../support/properties.ts";

describe("the display width", () => {
  test.each([
    ["", 0],
    ["Blue Kiln", 9],
    ["Café", 4],
    ["Cafe\u0301", 4],
    ["€ 5", 3],
    ["日本陶器", 8],
    ["한국", 4],
    ["\u1112\u1161\u11ab", 2], // the same syllable from its parts
    ["ﾊﾝｶｸ", 4], // half-width
    ["ＡＢ", 4], // full-width
    ["Ω≈", 2],
    ["สวัสดี", 4],
    ["مرحبا", 5],
    ["👍", 2],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["❤", 1],
    ["🇳🇿", 2],
    ["a\u200bb", 2],
    ["𠀀", 2],
    ["…", 1],
    ["␛", 1],
  ])('the display width of the text "%s" is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

test.each([
  ["Blue Kiln Pottery", 17, "Blue Kiln Pottery"],
  ["Blue Kiln Pottery", 10, "Blue Kiln…"],
  ["Blue Kiln Pottery", 9, "Blue Kil…"],
  ["日本陶器", 7, "日本陶…"],
  ["日本陶器", 6, "日本…"],
  ["abc", 1, "…"],
  ["created payment P-304 of 20.00", 27, "created payment P-304 of…"],
  ["created payment P-304 of 20.00", 25, "created payment P-304 of…"],
  ["Wellingtonian-Antarctic-Company", 25, "Wellingtonian-Antarctic-…"],
])('the text "%s" shortened to %i columns is "%s"', (text, width, expected) => {
  expect(truncate(text, width)).toBe(expected);
});

test("text is padded by its display width, not by its length", () => {
  expect(pad("日本", 6, "left")).toBe("日本  ");
  expect(pad("9.00", 6, "right")).toBe("  9.00");
  expect(pad("too long", 3, "left")).toBe("too long");
});

test.each([
  ["a long walk home", 6, ["a long", "walk", "home"]],
  ["a long walk home", undefined, ["a long walk home"]],
  ["abcdefgh ij", 4, ["abcd", "efgh", "ij"]],
  ["日本陶器", 5, ["日本", "陶器"]],
])('the text "%s" wrapped at %s columns is %j', (text, width, expected) => {
  expect(wrapText(text, width)).toEqual(expected);
});

test("shortened and wrapped text is no wider than the given width, and wrapping loses only spaces", () => {
  fc.assert(
    fc.property(anyText.map(safeLine), fc.integer({ min: 2, max: 30 }), (text, width) => {
      expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
      const lines = wrapText(text, width);
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
    }),
  );
});

describe("unsafe characters", () => {
  test.each([
    ["Glaze\ntest\r\n!", "Glaze↵test↵!"],
    ["a\tb\u0000", "a␉b␀"],
    ["\u001b]0;title\u0007", "␛]0;title␇"],
    ["\u009b31m\u007f", "\\u009b31m␡"],
    ["abc\u202etxt.exe", "abc\\u202etxt.exe"],
    ["half \ud83d", "half \ufffd"],
    ["Blue Kiln", "Blue Kiln"],
  ])("the text %j is shown on one line as %j", (text, expected) => {
    expect(safeLine(text)).toBe(expected);
  });

  test("line ends and tabs are kept in a multi-line text", () => {
    expect(safeText("a\tb\r\nc\nd\re\u001b")).toBe("a\tb\nc\nd↵e␛");
  });

  test("control characters are replaced in terminal and XML output, and escaped in JSON", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(safeLine(text)).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        for (const safe of [safeLine, safeText, safeXml])
          expect(safe(text)).not.toMatch(controlCharacters);
        const json = safeJson(JSON.stringify({ text }));
        expect(json).not.toMatch(controlCharacters);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });

  test("control characters are written as character references in XML", () => {
    expect(safeXml("<a>\u009b\u202e\n</a>")).toBe("<a>&#x9b;&#x202e;\n</a>");
  });
});
