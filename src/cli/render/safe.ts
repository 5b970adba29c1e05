/**
 * Makes text safe for display on a terminal.
 *
 * Names and notes are untrusted input. Control characters in them could move the cursor, overwrite
 * earlier output, change the window title or type into the shell; bidirectional marks can make a
 * line read as another. They are shown as visible symbols instead.
 */

// C0, DEL and C1; line and paragraph separators; marks, embeddings, overrides and isolates.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\r\n|[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

// Matches most texts; this test takes a tenth of the time of a search for unsafe characters.
const harmless =
  /^[\x20-\x7e\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]*$/;

/**
 * Makes a text safe in one line: line breaks become `↵`, other control characters their symbols
 * (`␛`) or codes. The result contains no control character and no unpaired surrogate.
 */
export function safeLine(text: string): string {
  return replaceUnsafe(text, visibleForm);
}

/**
 * Makes a text of several lines safe: line breaks and tabs are kept, other characters as in one
 * line.
 */
export function safeText(text: string): string {
  return replaceUnsafe(text, (character) => layoutCharacter(character) ?? visibleForm(character));
}

/** Escapes unsafe characters in JSON text; its value is unchanged. */
export function safeJson(json: string): string {
  return replaceUnsafe(
    json,
    (character) => layoutCharacter(character) ?? `\\u${toHex(character.charCodeAt(0), 4)}`,
  );
}

/** Replaces unsafe characters in XML by character references; its content is unchanged. */
export function safeXml(xml: string): string {
  return replaceUnsafe(xml, (character) => {
    const code = character.charCodeAt(0);
    // XML cannot represent characters below U+0020, except the carriage return.
    const reference = code < 0x20 && character !== "\r" ? "\ufffd" : `&#x${toHex(code, 2)};`;
    return layoutCharacter(character) ?? reference;
  });
}

function replaceUnsafe(text: string, by: (character: string) => string): string {
  return harmless.test(text) ? text : text.toWellFormed().replace(unsafe, by);
}

function visibleForm(character: string): string {
  if (character === "\n" || character === "\r" || character === "\r\n") return "↵";
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `\\u${toHex(code, 4)}`;
}

/**
 * Returns line breaks and tabs unchanged, as layout of a file; undefined for any other character.
 */
function layoutCharacter(character: string): string | undefined {
  if (character === "\r\n") return "\n";
  return character === "\n" || character === "\t" ? character : undefined;
}

function toHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
