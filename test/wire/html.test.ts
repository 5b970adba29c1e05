import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml } from "../../src/wire/html.ts";

test("markup becomes text, between tags and in attributes of either quote", () => {
  expect(escapeHtml(`Fish & "Chips" <b onclick='x'>`)).toBe(
    "Fish &#38; &#34;Chips&#34; &#60;b onclick=&#39;x&#39;&#62;",
  );
});

test("nothing of it ends a tag, a quote or an entity, and a browser reads the same letters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped.replace(/&#\d+;/g, "")).not.toMatch(/[&<>"']/);
      const read = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      expect(read).toBe(text);
    }),
  );
});
