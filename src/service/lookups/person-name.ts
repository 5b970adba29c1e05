/** First and last name of a person: the directory stores one text, the API has two fields. */
export interface NameParts {
  readonly first: string;
  /** The last word of the name; undefined for a single word. */
  readonly last: string | undefined;
}

export function partsOf(name: string): NameParts {
  const words = name.trim().split(/\s+/);
  const lastName = words.length > 1 ? words.pop() : undefined;
  return { first: words.join(" "), last: lastName };
}
