/**
 * Creditor references: payment references with check digits, printed on invoices.
 *
 * Blanks and marks in them have no meaning. The body of such a reference, its digits without check
 * digits, often is the invoice number.
 */
import { passesLuhn, passesMod97 } from "../../resources/common.ts";

export type ReferenceKind = "RF" | "QRR" | "OGM" | "Finnish" | "Nordic";

export interface CreditorReference {
  readonly kind: ReferenceKind;
  /** The reference without blanks and marks. */
  readonly reference: string;
  /** The body: digits without check digits and leading zeros. */
  readonly body: string;
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, "").toUpperCase();

/** An account number normalised for comparison: letters and digits, upper case. */
export const accountKey = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Sum of the digits' products with weights that repeat from the right. */
function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += digit * (weights[index % weights.length] ?? 0);
  }
  return sum;
}

/** @source Swiss payment standards, QR-IBAN: modulo 10, recursive */
function passesRecursive10(digits: string): boolean {
  const carries = "0946827135";
  let carry = 0;
  for (const digit of digits.slice(0, -1)) carry = Number(carries[(carry + Number(digit)) % 10]);
  return (10 - carry) % 10 === Number(digits.at(-1));
}

/** @source Febelfin: the first ten digits by 97, 97 for a remainder of 0 */
function passesOgm(digits: string): boolean {
  return (Number(digits.slice(0, 10)) % 97 || 97) === Number(digits.slice(10));
}

/** @source Finanssiala: weights 7, 3, 1 from the right */
function passesFinnish(digits: string): boolean {
  return (10 - (weightedSum(digits.slice(0, -1), [7, 3, 1]) % 10)) % 10 === Number(digits.at(-1));
}

/** @source Bankgirot, Nets (KID): Luhn, or modulo 11 with weights 2 to 7 and `-` for 10 */
function passesNordic(text: string): boolean {
  const digits = text.slice(0, -1);
  const check = text.at(-1);
  const checkDigit = (11 - (weightedSum(digits, [2, 3, 4, 5, 6, 7]) % 11)) % 11;
  return passesLuhn(text) || check === (checkDigit === 10 ? "-" : String(checkDigit));
}

interface Standard {
  readonly kind: ReferenceKind;
  readonly shape: RegExp;
  readonly passes: (reference: string) => boolean;
  readonly body: (reference: string) => string;
}

const standards: readonly Standard[] = [
  {
    kind: "RF",
    shape: /^RF\d\d[A-Z0-9]{1,21}$/,
    passes: passesMod97,
    body: (reference) => reference.slice(4),
  },
  {
    kind: "QRR",
    shape: /^\d{27}$/,
    passes: passesRecursive10,
    body: (reference) => reference.slice(0, -1),
  },
  {
    kind: "OGM",
    shape: /^\d{12}$/,
    passes: passesOgm,
    body: (reference) => reference.slice(0, 10),
  },
  {
    kind: "Finnish",
    shape: /^\d{4,20}$/,
    passes: passesFinnish,
    body: (reference) => reference.slice(0, -1),
  },
  {
    kind: "Nordic",
    shape: /^\d{1,24}[\d-]$/,
    passes: passesNordic,
    body: (reference) => reference.slice(0, -1),
  },
];

/**
 * Parses a bank field for references: one result for each standard whose check digits are valid.
 */
export function creditorReferences(text: string): CreditorReference[] {
  const withoutSpaces = withoutBlanks(text);
  const isMarked = /^(\+{3}|\*{3})\d{3}\/\d{4}\/\d{5}\1$/.test(withoutSpaces);
  const reference = isMarked ? withoutSpaces.replace(/\D/g, "") : withoutSpaces;
  return standards
    .filter(({ shape, passes }) => shape.test(reference) && passes(reference))
    .map(({ kind, body }) => ({ kind, reference, body: body(reference).replace(/^0+/, "") }));
}

const inText = [
  /\bRF\d\d(?: ?[A-Z0-9]{4}){0,5}(?: ?[A-Z0-9]{1,4})?\b/g,
  /(?<!\d)\d{2}(?: ?\d{5}){5}(?!\d)/g,
  /(\+{3}|\*{3}) ?\d{3} ?\/ ?\d{4} ?\/ ?\d{5} ?\1/g,
];

/**
 * Finds references in free text, only of kinds that other digits do not resemble (RF, QRR, OGM with
 * marks).
 */
export function findReferences(text: string): CreditorReference[] {
  const upper = text.toUpperCase();
  return inText.flatMap((pattern) =>
    [...upper.matchAll(pattern)].flatMap(([match]) =>
      longestReference(match).filter(({ kind }) => kind !== "Finnish" && kind !== "Nordic"),
    ),
  );
}

/**
 * Following words may look like a part of the reference: they are cut at blanks until the check
 * digits are valid.
 */
function longestReference(match: string): CreditorReference[] {
  const words = match.split(" ");
  for (let count = words.length; count > 0; count -= 1) {
    const references = creditorReferences(words.slice(0, count).join(" "));
    if (references.length > 0) return references;
  }
  return [];
}
