/**
 * Validates identifiers in e-invoices: electronic addresses, bank accounts, numbers with check
 * digits.
 *
 * @source EAS code list of the European Commission; rules of Peppol for the form of identifiers
 */
import { passesLuhn } from "../resources/common.ts";
import type { Identifier } from "./model.ts";

/** Schemes of electronic addresses (EAS codes). */
const addressSchemes: ReadonlySet<string> = new Set(
  "0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0219 0220 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 AN AQ AS AU EM".split(
    " ",
  ),
);

/** Whether a GS1 number (GLN) has the right check digit. */
export function isGln(digits: string): boolean {
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}

/** Whether a number is a valid Australian Business Number. */
export function isAbn(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  const sum = weights.reduce(
    (total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}

/** Creates a test whether the weighted sum of digits is a multiple of 11. */
const isModulo11 = (weights: readonly number[]) => (text: string) => {
  if (!new RegExp(`^\\d{${weights.length}}$`).test(text)) return false;
  return weights.reduce((sum, weight, at) => sum + weight * Number(text[at]), 0) % 11 === 0;
};

const isNorwegian = isModulo11([3, 2, 7, 6, 5, 4, 3, 2, 1]);

const isSwedish = (text: string) => /^\d{10}$/.test(text) && passesLuhn(text);
/** Whether a number is a valid SIREN of a business in France. */
export const isSiren = (text: string) => /^\d{9}$/.test(text) && passesLuhn(text);

function isBelgian(text: string): boolean {
  return /^[01]\d{9}$/.test(text) && 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8));
}

/**
 * Whether a text is a Leitweg-ID, which addresses a public body in Germany, with its check digits.
 * @source KoSIT, Formatspezifikation Leitweg-ID (ISO/IEC 7064, MOD 97-10)
 */
export function isLeitwegId(text: string): boolean {
  if (!/^\d{2,12}(?:-[A-Za-z\d]{1,30})?-\d{2}$/.test(text)) return false;
  const digits = text.replaceAll("-", "").replace(/[A-Z]/gi, (letter) => `${parseInt(letter, 36)}`);
  return BigInt(digits) % 97n === 1n;
}

/** Format checks of identifiers that receivers apply, by scheme (ISO/IEC 6523). */
const forms: Readonly<Record<string, (id: string) => boolean>> = {
  "0007": isSwedish,
  "0088": isGln,
  "0106": (id) => /^\d{8}$/.test(id),
  "0151": isAbn,
  "0184": (id) => /^DK\d{8}$/.test(id),
  "0190": (id) => /^\d{20}$/.test(id),
  "0192": isNorwegian,
  "0201": (id) => /^[A-Za-z\d]{6}$/.test(id),
  "0204": isLeitwegId,
  "0208": isBelgian,
  "0210": (id) => /^(?:\d{11}|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])$/i.test(id),
  "0211": (id) => /^IT\d{11}$/i.test(id),
  "0217": (id) => /^\d{12}$/.test(id),
  "9944": (id) => /^NL\d{9}B\d{2}$/.test(id),
  EM: (id) => /^[^\s@]{2,}@[^\s@]{2,}$/.test(id),
};

/** Parses an electronic address in the form of Peppol, `0088:9429041234563`. */
export function readElectronicAddress(text: string): Identifier | undefined {
  const match = /^\s*(\d{4}|[A-Za-z]{2})\s*:\s*(\S.*?)\s*$/.exec(text);
  if (match === null) return undefined;
  const [, scheme = "", id = ""] = match;
  return { scheme: scheme.toUpperCase(), id };
}

/** Reason why a text is no electronic address; undefined if it is one. */
export function electronicAddressFault(text: string): string | undefined {
  const address = readElectronicAddress(text);
  if (address === undefined) {
    return `An electronic address is written as SCHEME:IDENTIFIER, 0088:9429041234563, not '${text.slice(0, 60)}'.`;
  }
  const { scheme = "", id } = address;
  if (!addressSchemes.has(scheme)) {
    return `There is no scheme of electronic addresses ${scheme}; 0088 is a GLN or NZBN, 0151 an ABN, 0204 a Leitweg-ID, 9930 a German VAT number, EM an email address.`;
  }
  if (forms[scheme]?.(id) === false) {
    return `'${id.slice(0, 60)}' is no identifier of the scheme ${scheme}: its form or its check digit is wrong.`;
  }
  return undefined;
}

export function writeElectronicAddress({ scheme, id }: Identifier): string {
  return scheme === undefined ? id : `${scheme}:${id}`;
}

/** Normalises an account number for comparison: no spaces or punctuation, upper case. */
export function plainAccount(text: string | undefined): string {
  return (text ?? "").toUpperCase().replace(/[^A-Z\d]/g, "");
}
