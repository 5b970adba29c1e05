/** HTML as text: what comes from outside is escaped, and markup is a type of its own. */

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

type Part = string | number | Markup | readonly Part[];

/** A page or a part of one: texts between the tags are escaped, other markup stands as it is. */
export function html(tags: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(tags.map((tag, at) => tag + markupOf(parts[at] ?? "")).join(""));
}

function markupOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(markupOf).join("") : escapeHtml(String(part));
}
