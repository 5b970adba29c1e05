/** The language of the paper of a country. */
import { regionAt } from "../../ledger/regions/index.ts";
import { marksOf } from "../figures.ts";
import { french } from "./french.ts";
import { german, type Phrase } from "./german.ts";
import { english, filled, type PaperLanguage } from "./words.ts";

const phrases = { de: german, fr: french };
const separators = { de: ".", fr: "/" };

/** @param country  of the organisation, ISO 3166 */
export function wordsOf(country: string): PaperLanguage {
  const { language } = regionAt(country).paper;
  if (language === undefined) return english;
  return {
    language,
    marks: { ...marksOf(country), percent: "\u00a0%" },
    say: (phrase, ...values) => filled(phrases[language][phrase], values),
    day: (date) => date.split("-").toReversed().join(separators[language]),
  };
}

/** The words for a label of a report; itself where paper has none. */
export const sayLabel = ({ say }: PaperLanguage, label: string): string =>
  label in german ? say(label as Phrase) : label;
