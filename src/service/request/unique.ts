/** Returns the distinct texts, without missing or empty ones. */
export function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values)].filter((value) => value !== undefined && value !== "") as string[];
}
