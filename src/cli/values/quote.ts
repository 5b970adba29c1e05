/** Quotes words for shell command lines. */

/** Quotes a word so that the shell passes it unchanged. */
export type Quote = (word: string) => string;

const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** Quotes for the shells that share the rules of POSIX. */
export const posixQuote: Quote = (word) =>
  plainWord.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Quotes for fish, where a backslash is an escape inside quotes too. */
export const fishQuote: Quote = (word) =>
  plainWord.test(word) ? word : `'${word.replace(/[\\']/g, "\\$&")}'`;

export const powershellQuote: Quote = (word) =>
  /^[\w+:./-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;

/** Returns the quoting function of the user's shell. */
export function quoteFor(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Quote {
  if (/(^|\/)fish$/.test(env.SHELL ?? "")) return fishQuote;
  return platform === "win32" && !env.SHELL ? powershellQuote : posixQuote;
}
