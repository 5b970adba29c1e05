import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { escapeHtml, html } from "../../src/output/markup.ts";
import { messagePage } from "../../src/web/frame/message.ts";
import { fc } from "../support/properties.ts";

test("markup in a text is escaped, between tags and in attributes with either quote", () => {
  expect(escapeHtml(`Fish & "Chips" <b onclick='x'>`)).toBe(
    "Fish &#38; &#34;Chips&#34; &#60;b onclick=&#39;x&#39;&#62;",
  );
});

test("escaped text cannot end a tag, quote or entity, and is decoded to the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped.replace(/&#\d+;/g, "")).not.toMatch(/[&<>"']/);
      const read = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      expect(read).toBe(text);
    }),
  );
});

test("an HTML page allows only its own style to load, and its title is escaped", () => {
  const { body, headers } = messagePage(200, { title: "Till & <b>", body: html`<p>Hello</p>` });
  const text = String(body);
  expect(text).toContain("<title>Till &#38; &#60;b&#62;</title>");
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(headers["content-security-policy"]).toContain(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action`,
  );
  expect(text).not.toMatch(/<script|<link|src=|url\(/);
});
