/** Writes XML elements with texts truncated to the length in the schema. */
import { escapeXml } from "../../wire/xml.ts";
import { cutText, toOneLine } from "../journal-format.ts";

/** Element with child elements, or with text that is escaped already. */
export function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

/** Element with text, truncated to `max`; empty string where there is no text. */
export function textElement(name: string, text: string | undefined, max: number): string {
  const shownText = cutText(text ?? "", max);
  return shownText === "" ? "" : element(name, escapeXml(shownText));
}

/**
 * Shortens codes to a maximum length and keeps them unique: a code that is too long, or whose short
 * form is taken, ends in a number.
 */
export class ShortCodes {
  readonly #max: number;
  readonly #byText = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  of(text: string): string {
    const knownCode = this.#byText.get(text);
    if (knownCode !== undefined) return knownCode;
    const wholeText = toOneLine(text) || "-";
    let code = cutText(wholeText, this.#max);
    for (let next = 2; this.#taken.has(code) || (next === 2 && code !== wholeText); next += 1) {
      const suffix = `~${next}`;
      code = cutText(wholeText, this.#max - suffix.length) + suffix;
    }
    this.#byText.set(text, code);
    this.#taken.add(code);
    return code;
  }
}
