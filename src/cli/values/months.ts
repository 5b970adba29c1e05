/** English month names. */
export const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

/** Returns 1 to 12 for a month name or its first three letters (and "Sept"), otherwise 0. */
export function monthNamed(name: string): number {
  const wanted = name.toLowerCase();
  const at = monthNames.findIndex(
    (month) =>
      month === wanted || month.slice(0, 3) === wanted || (wanted === "sept" && month[0] === "s"),
  );
  return at + 1;
}

/**
 * Returns a month name.
 *
 * @param month  1 to 12
 * @returns `March`
 */
export function monthName(month: number): string {
  const name = monthNames[month - 1] ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}
