/**
 * Writes XML element by element; elements without content are left out, as the standards demand.
 */
import { escapeAttribute, escapeXml } from "./xml.ts";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly content: string | readonly Element[];
}

type ElementContent = string | undefined | readonly (Element | undefined)[];

/** Writes an element; undefined when it has no content. */
export function element(
  name: string,
  content: ElementContent,
  attributes: Element["attributes"] = {},
): Element | undefined {
  if (content === undefined || content === "") return undefined;
  if (typeof content === "string") return { name, attributes, content };
  const children = content.filter((each) => each !== undefined);
  return children.length === 0 ? undefined : { name, attributes, content: children };
}

export function writeDocument(
  name: string,
  namespaces: Readonly<Record<string, string>>,
  content: readonly (Element | undefined)[],
): string {
  const root = element(name, content, namespaces);
  if (root === undefined) throw new Error("A document has content.");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeIndented(root, "")}`;
}

function writeIndented({ name, attributes, content }: Element, indent: string): string {
  const attributeText = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value = ""]) => ` ${key}="${escapeAttribute(value)}"`)
    .join("");
  if (typeof content === "string") {
    return `${indent}<${name}${attributeText}>${escapeXml(content)}</${name}>\n`;
  }
  const innerXml = content.map((each) => writeIndented(each, `${indent}  `)).join("");
  return `${indent}<${name}${attributeText}>\n${innerXml}${indent}</${name}>\n`;
}
