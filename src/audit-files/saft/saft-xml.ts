/** Elements of XML with texts as long as a schema allows. */
import { escapeXml } from "../../wire/xml.ts";
import { cut, oneLine } from "../journal-format.ts";

/** An element of elements, or of text that is XML already. */
export function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

/** An element of text; none where there is no text. */
export function textElement(name: string, text: string | undefined, max: number): string {
  const shown = cut(text ?? "", max);
  return shown === "" ? "" : element(name, escapeXml(shown));
}

/**
 * Codes of a bounded length that stay different: a text that is too long, or whose beginning is
 * taken, gets a number in place of its end.
 */
export class ShortCodes {
  readonly #max: number;
  readonly #byText = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  of(text: string): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const whole = oneLine(text) || "-";
    let code = cut(whole, this.#max);
    for (let next = 2; this.#taken.has(code) || (next === 2 && code !== whole); next += 1) {
      const end = `~${next}`;
      code = cut(whole, this.#max - end.length) + end;
    }
    this.#byText.set(text, code);
    this.#taken.add(code);
    return code;
  }
}
