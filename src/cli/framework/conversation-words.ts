/** Words of a command line that does the same as a conversation. */
import type { Context } from "../context/context.ts";

/** Where the work was done, as far as the command line said so. */
export function placeWords({ flags }: Pick<Context, "flags">): string[] {
  return [
    ...flagWords("book", flags.book),
    ...flagWords("database", flags.database),
    ...flagWords("profile", flags.profile),
    ...flagWords("base-url", flags.baseUrl),
    ...flagWords("tenant", flags.tenant),
    ...(flags.demo ? ["--demo"] : []),
  ];
}

/** A value that begins with a dash would pass for a flag if it stood on its own. */
export function flagWords(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}
