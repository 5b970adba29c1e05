/**
 * Text that may be shown on a terminal.
 *
 * A name or a note came from somebody else. Control characters in it could move the cursor, rewrite
 * what was printed before, change the title of the window or type into the shell; characters that
 * turn the writing direction can make a line read as another. They are shown, never obeyed.
 */

// C0, DEL and C1; line and paragraph separators; marks, embeddings, overrides and isolates.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\r\n|[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

// Most text is of this kind, and to see that takes a tenth of the time of a search for the others.
const harmless =
  /^[\x20-\x7e\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]*$/;

/**
 * One line: line breaks show as `↵`, other control characters by their pictures (`␛`) or codes.
 *
 * The result holds no control character at all, and no half of a surrogate pair.
 */
export function safeLine(text: string): string {
  return replaced(text, pictured);
}

/** Several lines: line breaks and tabs stay, the rest is as in a single line. */
export function safeText(text: string): string {
  return replaced(text, (character) => layout(character) ?? pictured(character));
}

/** JSON text that holds none of these characters as themselves; its value is the same. */
export function safeJson(json: string): string {
  return replaced(
    json,
    (character) => layout(character) ?? `\\u${hex(character.charCodeAt(0), 4)}`,
  );
}

/** XML text with these characters as references; its content is the same. */
export function safeXml(xml: string): string {
  return replaced(xml, (character) => {
    const code = character.charCodeAt(0);
    // XML has no way at all to write those below, but for the return.
    const reference = code < 0x20 && character !== "\r" ? "\ufffd" : `&#x${hex(code, 2)};`;
    return layout(character) ?? reference;
  });
}

function replaced(text: string, by: (character: string) => string): string {
  return harmless.test(text) ? text : text.toWellFormed().replace(unsafe, by);
}

function pictured(character: string): string {
  if (character === "\n" || character === "\r" || character === "\r\n") return "↵";
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `\\u${hex(code, 4)}`;
}

/** Line breaks and tabs between the parts of a file; undefined for anything else. */
function layout(character: string): string | undefined {
  if (character === "\r\n") return "\n";
  return character === "\n" || character === "\t" ? character : undefined;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
