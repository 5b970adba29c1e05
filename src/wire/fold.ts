/** Folds text for comparison (no letter case, no accents), and compares by code point. */

// Combining accents of Latin, Greek and Cyrillic. Marks of other scripts are letters in their own
// right (the vowels of Devanagari, the voicing of kana) and stay.
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** Removes letter case and accents from `text`. Folding twice changes nothing. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return (
    text
      .normalize("NFD")
      .replace(accents, "")
      .toLowerCase()
      // Lower-casing produces a final sigma at the end of a word, which a prefix search would miss.
      .replaceAll("ς", "σ")
      // Recomposed, so that a Hangul syllable does not match as the start of a longer one.
      .normalize("NFC")
  );
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/**
 * Compares two texts by code point, as SQLite and the "C" collation of PostgreSQL order UTF-8.
 * @returns below zero, zero or above zero
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    // Surrogates stand for code points above all other units, although their own values are lower.
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
