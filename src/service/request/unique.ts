/** Each text once, without those that are missing or empty. */
export function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined && value !== "") as string[];
}
