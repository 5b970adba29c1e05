import { describe, expect, test } from "vitest";
import { Unreadable } from "../../src/wire/json.ts";
import { escapeXml, readXml, type XmlNode } from "../../src/wire/xml.ts";
import { fc, runs } from "../support/properties.ts";

/** An element as nested arrays, which are easy to compare. */
function outline(element: XmlNode): unknown {
  const { name, nil, text, children } = element;
  const inside = children.length > 0 ? children.map(outline) : text;
  return nil ? [name, null] : [name, inside];
}

describe("accepted XML documents", () => {
  test.each<[string, unknown]>([
    ["<a/>", ["a", ""]],
    ["<a />", ["a", ""]],
    ["<a></a >", ["a", ""]],
    ["\n<?xml version='1.0' encoding=\"utf-16\"?>\n<!-- c --><a>x</a>\n<!-- c -->\n", ["a", "x"]],
    ["<a> x </a>", ["a", " x "]],
    [
      "<a><b>1</b>\n<c><d/></c></a>",
      [
        "a",
        [
          ["b", "1"],
          ["c", [["d", ""]]],
        ],
      ],
    ],
    ["<n:a xmlns:n='u'><n:b x='1' y=\"2\"/></n:a>", ["a", [["b", ""]]]],
    ["<a xsi:nil='true'/>", ["a", null]],
    ["<a xsi:nil='false'>x</a>", ["a", "x"]],
    ["<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>", ["a", "<>&\"'A😀"]],
    ["<a>x<![CDATA[<b>&amp;]]>y</a>", ["a", "x<b>&amp;y"]],
    ["<a>x<!-- > --><?php ?>y</a>", ["a", "xy"]],
    ["<a>1\r\n2\r3</a>", ["a", "1\n2\n3"]],
    ["<a>1&#13;&#10;2</a>", ["a", "1\r\n2"]],
    ["<Größe>1</Größe>", ["Größe", "1"]],
    ["<__proto__><constructor>x</constructor></__proto__>", ["__proto__", [["constructor", "x"]]]],
  ])("the XML document %j is accepted", (text, expected) => {
    expect(outline(readXml(text))).toEqual(expected);
  });
});

describe("refused XML documents", () => {
  test.each([
    ["", "there is no XML element"],
    ["text", "there is text outside the root element in line 1"],
    ["<a/>text", "there is text outside the root element"],
    ["<a/><b/>", "there is a second root element"],
    ["<a><b>1</b>", "the element a is not closed"],
    ["<a>\n<b>1</c></a>", "c is closed, but b is open in line 2"],
    ["<a></a></a>", "a is closed, but nothing is open"],
    ["<a", "the tag a is not correct"],
    ["<a b=c/>", "the tag a is not correct"],
    ["<a b/>", "the tag a is not correct"],
    ["<a b='<'/>", "the tag a is not correct"],
    ["<a>1 < 2</a>", "there is a < that begins no tag"],
    ["<a><!-- </a>", "a comment does not end"],
    ["<a><![CDATA[ </a>", "a CDATA section does not end"],
    ["<![CDATA[x]]><a/>", "there is text outside the root element"],
    ["<?xml", "an instruction does not end"],
    ["<!DOCTYPE a><a/>", "a DOCTYPE is not allowed"],
    [
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      "a DOCTYPE is not allowed",
    ],
    ["<a>&x;</a>", "there is an entity that is not known, &x;"],
    ["<a>& b</a>", "there is an entity that is not known, &"],
    ["<a>&#0;</a>", "there is an entity that is not known, &#0;"],
    ["<a>&#8;</a>", "there is an entity that is not known"],
    ["<a>&#xD800;</a>", "there is an entity that is not known"],
    ["<a>&#x110000;</a>", "there is an entity that is not known"],
    ["<a>\u0001</a>", "there is a character that XML does not allow in line 1"],
  ])("the XML document %j is refused with the reason", (text, reason) => {
    expect(() => readXml(text)).toThrow(Unreadable);
    expect(() => readXml(text)).toThrow(reason);
  });
});

test("escaped XML text is read back unchanged", () => {
  const text = fc.string({ unit: "grapheme" }).map((each) => each.replaceAll("\u0000", ""));
  fc.assert(
    fc.property(
      fc.oneof(text, fc.constantFrom("\r\n", "]]>", "&amp;", "<![CDATA[", "a\tb\nc\r")),
      (each) => {
        expect(readXml(`<a>${escapeXml(each)}</a>`).text).toBe(each);
      },
    ),
  );
});

test("characters that XML cannot have are written as the replacement character", () => {
  expect(escapeXml("a\u0000b\u001bc\uffff\u0000")).toBe("a\ufffdb\ufffdc\ufffd\ufffd");
});

test("any text is either read as an XML document or refused with one error", () => {
  const piece = fc.constantFrom(
    "<a>",
    "</a>",
    "<b/>",
    "<",
    ">",
    "&",
    "&lt;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!",
    " x='1'",
    "é",
    "\n",
    "x",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        expect(readXml(pieces.join("")).name).not.toBe("");
      } catch (error) {
        expect(error).toBeInstanceOf(Unreadable);
      }
    }),
    { numRuns: runs(2000) },
  );
});
