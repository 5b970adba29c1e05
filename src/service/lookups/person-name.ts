/** The name of a person, which the directory keeps in one piece and the API in two. */
export interface NameParts {
  readonly first: string;
  /** The last word; undefined where there is but one. */
  readonly last: string | undefined;
}

export function partsOf(name: string): NameParts {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : undefined;
  return { first: words.join(" "), last };
}
