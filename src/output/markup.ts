/** HTML as text: what comes from outside is escaped, and markup is a type of its own. */

import { turningShown } from "../resources/scalar.ts";

/** Text as it stands between tags and in quoted attributes, where none of it is markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Markup, whose texts are escaped. */
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

/** A page or a part of one: texts between the tags are escaped, other markup stands as it is. */
export function html(tags: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  // What stands in an attribute may be sent again, and stays as it is.
  return new Markup(
    tags.map((tag, at) => tag + markupOf(parts[at] ?? "", !tag.endsWith('="'))).join(""),
  );
}

function markupOf(part: MarkupPart, isShown: boolean): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map((each) => markupOf(each, isShown)).join("");
  return escapeHtml(isShown ? turningShown(String(part)) : String(part));
}
