/** The language of the paper of a country. */
import { regionAt } from "../../ledger/regions/index.ts";
import { amount, marksOf } from "../figures.ts";
import { french } from "./french.ts";
import { german, type Phrase } from "./german.ts";
import { english, filled, type PaperLanguage } from "./words.ts";

const phrases = { de: german, fr: french };
const separators = { de: ".", fr: "/" };

/** @param country  of the organisation, ISO 3166 */
export function wordsOf(country: string): PaperLanguage {
  const { language } = regionAt(country).paper;
  if (language === undefined) return english;
  const marks = { ...marksOf(country), percent: "\u00a0%" };
  return {
    language,
    marks,
    say: (phrase, ...values) => filled(phrases[language][phrase], values),
    day: (date) => date.split("-").toReversed().join(separators[language]),
    longDay(date) {
      const inWords = { dateStyle: "long", timeZone: "UTC" } as const;
      const text = new Date(date).toLocaleDateString(language, inWords);
      return language === "fr" ? text.replace(/^1 /, "1er ") : text;
    },
    sum: (cents, currency) => `${amount(cents, currency, marks)} ${currency}`,
  };
}

/** The words for a label of a report; itself where paper has none. */
export const sayLabel = ({ say }: PaperLanguage, label: string): string =>
  label in german ? say(label as Phrase) : label;

/**
 * What the number of an organisation in a register is called. In France a place of a business has a
 * SIRET, which is its SIREN with five digits more.
 */
export const registerLabel = ({ say, language }: PaperLanguage, number = ""): string =>
  say(
    language === "fr" && number.replace(/\s/g, "").length === 14
      ? "Number of the place"
      : "Company number",
  );
