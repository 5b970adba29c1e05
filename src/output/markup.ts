/** HTML templates: interpolated text is escaped, and markup has a type of its own. */

import { showDirectionMarks } from "../resources/scalar.ts";

/** Escapes text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Markup in which all text has been escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type MarkupPart = string | number | Markup | readonly MarkupPart[];

/** Template tag for HTML: interpolated strings are escaped, `Markup` is inserted as it is. */
export function html(tags: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  // Attribute values may be submitted again, so direction marks in them are not made visible.
  return new Markup(
    tags.map((tag, at) => tag + markupOf(parts[at] ?? "", !tag.endsWith('="'))).join(""),
  );
}

function markupOf(content: MarkupPart, isShown: boolean): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map((each) => markupOf(each, isShown)).join("");
  return escapeHtml(isShown ? showDirectionMarks(String(content)) : String(content));
}
