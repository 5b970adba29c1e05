/** Lookups of many values, split into requests of a length that servers take. */

/** How much one request may ask for: an address has a length that servers take. */
export interface LookupBounds {
  readonly valuesMax: number;
  /** Characters of all values, as they stand in the address. */
  readonly charactersMax: number;
}

/** A request that never leaves the process may be long; its answer should be one page. */
export const embeddedBounds: LookupBounds = { valuesMax: 100, charactersMax: 40_000 };
/** No more than every server takes. */
export const remoteBounds: LookupBounds = { valuesMax: 60, charactersMax: 1_500 };

/** Values in groups that one request each may ask for. */
export function* inBounds(
  values: Iterable<string>,
  bounds: LookupBounds,
  eachCharacters: number,
): Generator<string[]> {
  let group: string[] = [];
  let characters = 0;
  for (const value of values) {
    const more = encodeURIComponent(value).length + eachCharacters;
    const isFull = group.length >= bounds.valuesMax || characters + more > bounds.charactersMax;
    if (isFull && group.length > 0) {
      yield group;
      group = [];
      characters = 0;
    }
    group.push(value);
    characters += more;
  }
  if (group.length > 0) yield group;
}
