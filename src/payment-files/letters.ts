/**
 * Reduces text to the characters that banks accept: Latin letters without accents, digits, space
 * and / - ? : ( ) . , ' +.
 *
 * @source EPC217-08, SEPA Requirements for an Extended Character Set, with the German spelling of
 *   umlauts
 */

const written: Readonly<Record<string, string>> = Object.fromEntries(
  "ä ae|ö oe|ü ue|ß ss|æ ae|œ oe|ø o|đ d|ð d|þ th|ł l|ı i|ħ h|ŋ n|& +|@ (at)|_ -|– -|— -|‘ '|’ '|` '|´ '|\" '|“ '|” '|; ,|[ (|] )|{ (|} )|€ EUR|£ GBP|$ USD|! .|% pct|# No.|* .|= -|~ -|| /|\\ /|< (|> )"
    .split(/\|(?=. )/)
    .map((text) => [text.slice(0, 1), text.slice(2)]),
);

const allowed = /^[A-Za-z\d/?:().,'+ -]$/;

/** Converts text to these characters, on one line; other characters become spaces. */
export function plainLetters(text: string): string {
  const isCapitals = text === text.toUpperCase();
  const spelled = [...text.normalize("NFC")].map((sign) => {
    const plainLetter = toPlainSign(sign) ?? " ";
    return isCapitals ? plainLetter.toUpperCase() : plainLetter;
  });
  return spelled.join("").replace(/\s+/g, " ").trim();
}

/** Letters and digits of a text that have no equivalent in these characters. */
export function lostLetters(text: string): string {
  return [...text.normalize("NFC")]
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign) && toPlainSign(sign) === undefined)
    .join("");
}

function toPlainSign(sign: string): string | undefined {
  const lower = sign.toLowerCase();
  const spelled = written[lower];
  if (spelled !== undefined) {
    return lower === sign ? spelled : spelled.charAt(0).toUpperCase() + spelled.slice(1);
  }
  const bare = sign.normalize("NFKD").replace(/\p{M}/gu, "");
  return bare !== "" && [...bare].every((text) => allowed.test(text)) ? bare : undefined;
}
