/**
 * XML that others make, read loosely: statements of banks and errors of services are worth having
 * also where a prolog lies or elements are unknown. Entities stay as they are written; a document's
 * own are never replaced.
 */
import { XMLParser } from "fast-xml-parser";
import { XmlNode } from "./xml.ts";

export const foreignDepthMax = 64;

/** An element as the parser gives it: its children by its name, or text by `#text`. */
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

/** The elements of a text below one without a name. @throws Error, which names nested tags as such */
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
