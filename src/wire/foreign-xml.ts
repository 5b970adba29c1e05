/**
 * Lenient reader for XML of others: bank statements and error answers are useful even when the
 * prolog is wrong or elements are unknown. Entities stay unexpanded; those a document defines are
 * never replaced.
 */
import { XMLParser } from "fast-xml-parser";
import { XmlNode } from "./xml.ts";

export const foreignDepthMax = 64;

/** An element from the parser: its children by name, or text by `#text`. */
type Parsed = Readonly<Record<string, string | readonly Parsed[]>> & {
  readonly ":@"?: Readonly<Record<string, string>>;
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: foreignDepthMax,
});

/**
 * Parses a text into elements below a nameless root.
 * @throws Error, whose message names nested tags
 */
export function foreignXml(text: string): XmlNode {
  return withParts(new XmlNode("", false), parser.parse(text));
}

function withParts(node: XmlNode, parts: readonly Parsed[]): XmlNode {
  const children: XmlNode[] = [];
  for (const { ":@": attributes = {}, ...part } of parts) {
    for (const [name, content] of Object.entries(part)) {
      if (typeof content === "string") node.text += content;
      else {
        const child = withParts(new XmlNode(name, false), content);
        child.attributes = attributes;
        children.push(child);
      }
    }
  }
  node.children = children;
  return node;
}
