/** Small arrangements of lists that many endpoints need. */

export function grouped<T, K = string>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Each text once, without those that are missing or empty. */
export function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined && value !== "") as string[];
}
