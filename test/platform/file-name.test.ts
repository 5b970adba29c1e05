/** File names made from whatever stands in a number. */
import { expect, test } from "vitest";
import { fileName, inlineDisposition } from "../../src/platform/file-name.ts";
import { fc } from "../support/properties.ts";

test.each([
  ["INV-0042", "INV-0042.pdf"],
  ["2026/07", "2026-07.pdf"],
  ["../../etc/passwd", "etc-passwd.pdf"],
  ["..", "id.pdf"],
  ["", "id.pdf"],
  [undefined, "id.pdf"],
  [".hidden", "hidden.pdf"],
  ["-rf", "rf.pdf"],
  ["a\u0000b\u001b[31mc\nd", "a-b-[31mc-d.pdf"],
  ["\u202egpj.exe", "gpj.exe.pdf"],
  ["CON", "id.pdf"],
  ["nul.txt", "id.pdf"],
  ["C:\\temp\\x", "C-temp-x.pdf"],
  ["\u0160koda 7", "\u0160koda 7.pdf"],
  ["x".repeat(300), `${"x".repeat(200)}.pdf`],
])("the file name %j is saved as %j", (number, name) => {
  expect(fileName(number, "id", "pdf")).toBe(name);
});

test("no text used as a file name leads out of its folder", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const name = fileName(text, "id", "pdf");
      expect(name).toMatch(/^[^.\-~\s][^/\\:*?"<>|\p{C}]*\.pdf$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(204);
    }),
  );
});

test("a Content-Disposition header has the file name in ASCII and in UTF-8", () => {
  expect(inlineDisposition("INV-0042.pdf")).toBe('inline; filename="INV-0042.pdf"');
  expect(inlineDisposition("\u0160koda 7.pdf")).toBe(
    "inline; filename=\"_koda 7.pdf\"; filename*=UTF-8''%C5%A0koda%207.pdf",
  );
  expect(inlineDisposition("a%41.pdf")).toBe(
    "inline; filename=\"a_41.pdf\"; filename*=UTF-8''a%2541.pdf",
  );
});
