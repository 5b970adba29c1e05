/** Flag parsers that contacts and the organisation share: addresses and payment terms. */
import { addressFields } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import type { InputOf } from "../../resources/field.ts";
import { readTerm, type Term, termExamples } from "../../resources/payment-terms.ts";
import { ownFlag } from "./command.ts";
import { parsePairs } from "./pairs.ts";

export type Address = InputOf<typeof addressFields>;

const addressAliases = {
  line1: "AddressLine1",
  line2: "AddressLine2",
  line3: "AddressLine3",
  line4: "AddressLine4",
  street: "AddressLine1",
  postcode: "PostalCode",
} as const;

/**
 * Parses `street=4 Heron Lane,city=Wellington`.
 *
 * @throws UsageError `BadPairs`
 */
export const readAddress =
  (flag: string) =>
  (text: string): Address =>
    parsePairs(text, addressFields, { flag, aliases: addressAliases, omit: ["AddressType"] });

/** Options of both payment terms. */
export interface TermOptions {
  readonly salesTerms?: Term | undefined;
  readonly billTerms?: Term | undefined;
}

/** Parses payment terms in words: `20th of the following month`. */
export const readTerms =
  (flag: string, daysMax = 31) =>
  (text: string): Term => {
    const term = readTerm(text);
    if (term !== undefined && term.Day <= daysMax) return term;
    throw new UsageError(
      "BadValue",
      `${flag} takes at most ${daysMax} days, such as ${termExamples}.`,
    );
  };

const termsFlag = (name: string, help: string) =>
  ownFlag(name, help, { placeholder: "TERMS", read: readTerms(`--${name}`) });

/** Flags of payment terms. */
export const termFlags = [
  termsFlag("sales-terms", 'when invoices fall due: "20 days", "20th of the following month"'),
  termsFlag("bill-terms", "when bills fall due"),
];

/** Returns the payment terms that are given, as the field of a contact or an organisation. */
export function termsIn({ salesTerms: Sales, billTerms: Bills }: TermOptions) {
  if (Sales === undefined && Bills === undefined) return {};
  return { PaymentTerms: { ...(Sales && { Sales }), ...(Bills && { Bills }) } };
}
