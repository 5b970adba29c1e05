/** Builds the command line that is equivalent to a wizard's answers. */
import type { Context } from "../context/context.ts";

/** Returns the flags that chose the target, as far as they were given. */
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

/** Returns a flag with its value; a value that begins with a dash is joined to it by `=`. */
export function flagWords(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}
