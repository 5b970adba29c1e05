import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { page, pagePolicy } from "../../src/output/html/page.ts";
import { escapeHtml } from "../../src/output/markup.ts";
import { fc } from "../support/properties.ts";

test("markup is escaped, between tags and in attributes with either quote", () => {
  expect(escapeHtml(`Fish & "Chips" <b onclick='x'>`)).toBe(
    "Fish &#38; &#34;Chips&#34; &#60;b onclick=&#39;x&#39;&#62;",
  );
});

test("escaped text ends no tag, quote or entity, and reads the same in a browser", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped.replace(/&#\d+;/g, "")).not.toMatch(/[&<>"']/);
      const read = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      expect(read).toBe(text);
    }),
  );
});

test("a page loads its own style only, and its title is escaped", () => {
  const html = page("Till & <b>", "<p>Hello</p>");
  expect(html).toContain("<title>Till &#38; &#60;b&#62;</title>");
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(pagePolicy()).toBe(`default-src 'none'; style-src 'sha256-${hash}'`);
  expect(html).not.toMatch(/<script|<link|src=|url\(/);
});
