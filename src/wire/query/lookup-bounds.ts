/** Lookups of many values, split into requests of a length that servers take. */

/** Limits of one request in a lookup of many values: servers limit the length of a URL. */
export interface LookupBounds {
  readonly valuesMax: number;
  /** Maximum characters of all values, as encoded in the URL. */
  readonly charactersMax: number;
}

/** Limits inside the process, where a URL may be long; the answer should be one page. */
export const embeddedBounds: LookupBounds = { valuesMax: 100, charactersMax: 40_000 };
/** Limits that every server accepts. */
export const remoteBounds: LookupBounds = { valuesMax: 60, charactersMax: 1_500 };

/** Splits values into groups within the limits, one request each. */
export function* groupWithinBounds(
  values: Iterable<string>,
  bounds: LookupBounds,
  eachCharacters: number,
): Generator<string[]> {
  let group: string[] = [];
  let characterCount = 0;
  for (const value of values) {
    const more = encodeURIComponent(value).length + eachCharacters;
    const isFull = group.length >= bounds.valuesMax || characterCount + more > bounds.charactersMax;
    if (isFull && group.length > 0) {
      yield group;
      group = [];
      characterCount = 0;
    }
    group.push(value);
    characterCount += more;
  }
  if (group.length > 0) yield group;
}
