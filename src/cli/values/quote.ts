/** How words are written in a line that a person is to give to their shell. */

/** How a word is written so that the shell hands it on as it is. */
export type Quote = (word: string) => string;

const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** Quotes for the shells that share the rules of POSIX. */
export const posixQuote: Quote = (word) =>
  plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** In fish a backslash means something between quotes too. */
export const fishQuote: Quote = (word) =>
  plainWord.test(word) ? word : `'${word.replace(/[\\']/g, "\\$&")}'`;

export const powershellQuote: Quote = (word) =>
  /^[\w+:./-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;

/** The quoting of the shell that the person works in. */
export function quoteFor(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Quote {
  if (/(^|\/)fish$/.test(env.SHELL ?? "")) return fishQuote;
  return platform === "win32" && !env.SHELL ? powershellQuote : posixQuote;
}
