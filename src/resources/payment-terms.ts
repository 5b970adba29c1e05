/** Payment terms in words: `20th of the following month`. */

/** Payment term: a number of days or a day of the month, and its base date. */
export interface Term {
  readonly Day: number;
  readonly Type: TermType;
}
type TermType = keyof typeof patterns;

/** Pattern of the words after the day, by type of payment term; without hyphens and articles. */
const patterns = {
  DAYSAFTERBILLDATE: /^days?(?: after (?:document|invoice|bill)(?: date)?)?$/,
  DAYSAFTERBILLMONTH: /^(?:days? after )?(?:end of month|month ?end)$/,
  OFCURRENTMONTH: /^of (?:this |current )?month$/,
  OFFOLLOWINGMONTH: /^(?:of )?(?:next|following) ?month$/,
} as const;

/** Examples of all kinds, for messages. */
export const termExamples =
  '"30 days", "20 days after the end of the month", "20th of the month", "20th of the following ' +
  'month", "end of the month", "on receipt"';

/** Parses payment terms, in words or with the name of the API; undefined for any other text. */
export function readTerm(text: string): Term | undefined {
  const plainText = text
    .trim()
    .toLowerCase()
    .replace(/[-:\s]+/g, " ")
    .replace(/\bthe /g, "")
    .replace(/^on receipt$/, "0 days")
    .replace(/^net (\d+)$/, "$1 days")
    .replace(/^(?:eom|month end)$/, "end of month")
    .replace(/^end of/, "31 of");
  const [, day, kind = ""] = /^(\d{1,3})(?:st|nd|rd|th)? (.+)$/.exec(plainText) ?? [];
  const Type = (Object.keys(patterns) as TermType[]).find(
    (type) => patterns[type].test(kind) || kind === type.toLowerCase(),
  );
  return Type === undefined ? undefined : { Day: Number(day), Type };
}

/** Formats payment terms. @param type  of a contact, or of a repeating invoice */
export function termWords(day: number, type: string): string {
  const daysAfter = `${day} ${day === 1 ? "day" : "days"} after the`;
  if (/^DAYSAFTER\w+DATE$/.test(type)) return day === 0 ? "on receipt" : `${daysAfter} document`;
  if (/^DAYSAFTER\w+MONTH$/.test(type)) return `${daysAfter} end of the month`;
  const month = type === "OFFOLLOWINGMONTH" ? "the following month" : "the month";
  return day === 31 ? `end of ${month}` : `${day}${endingOn(day)} of ${month}`;
}

const endingOn = (day: number): string =>
  (Math.floor(day / 10) === 1 ? undefined : ["", "st", "nd", "rd"][day % 10]) || "th";
