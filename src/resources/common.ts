/** Objects that occur in several resources. */
import { scaleOf, writeDecimal } from "./decimal.ts";
import { refusal } from "./errors.ts";
import { boolean, choice, id, integer, many, money, one, text } from "./field.ts";

export const lineAmountTypes = ["Exclusive", "Inclusive", "NoTax"] as const;
export type LineAmountTypes = (typeof lineAmountTypes)[number];

/** Currency codes the service knows (ISO 4217, with withdrawn ones that old documents carry). */
export const currencyCodes: readonly string[] =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EEK EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRO MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SKK SLE SLL SOS SRD STD STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VEF VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMK ZMW ZWD".split(
    " ",
  );

export const addressFields = {
  AddressType: choice(["POBOX", "STREET", "DELIVERY"], { default: "POBOX" }),
  AddressLine1: text({ max: 500 }),
  AddressLine2: text({ max: 500 }),
  AddressLine3: text({ max: 500 }),
  AddressLine4: text({ max: 500 }),
  City: text({ max: 255 }),
  Region: text({ max: 255 }),
  PostalCode: text({ max: 50 }),
  Country: text({ max: 50 }),
  AttentionTo: text({ max: 255 }),
} as const;

export const phoneFields = {
  PhoneType: choice(["DEFAULT", "DDI", "MOBILE", "FAX", "OFFICE"], { default: "DEFAULT" }),
  PhoneNumber: text({ max: 50 }),
  PhoneAreaCode: text({ max: 10 }),
  PhoneCountryCode: text({ max: 20 }),
} as const;

export const addresses = many("Address", addressFields, { mergeBy: "AddressType" });
export const phones = many("Phone", phoneFields, { mergeBy: "PhoneType" });

const paymentTerm = {
  Day: integer({ min: 0, max: 31 }),
  Type: choice(["DAYSAFTERBILLDATE", "DAYSAFTERBILLMONTH", "OFCURRENTMONTH", "OFFOLLOWINGMONTH"]),
} as const;

/** Default payment terms of bills and invoices, used if a document has no due date. */
export const paymentTerms = one({ Bills: one(paymentTerm), Sales: one(paymentTerm) });

/** Address for e-invoices of a party, in the notation of e-invoice networks. */
export const electronicAddress = text({
  extension: true,
  max: 100,
  oneLine: true,
  help: "for e-invoices, SCHEME:IDENTIFIER as 0088:9429041234563",
});

/** Tracking categories and options of a line, by id or by name. */
export const lineTracking = many(
  "TrackingCategory",
  {
    Name: text({ max: 100 }),
    Option: text({ max: 100 }),
    TrackingCategoryID: id(),
    TrackingOptionID: id(),
  },
  { max: 2 },
);

/** Balance of receivables or payables of a contact. */
export const balance = one({
  Outstanding: money({ always: true }),
  Overdue: money({ always: true }),
});

export const hasAttachments = boolean({ readOnly: true, always: true });

/** Decimal places of currencies that do not have two. @source ISO 4217 */
const decimalPlacesByCurrency: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
      .split(" ")
      .map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  CLF: 4,
};

/** Decimal places of a currency: 0, 2, 3 or 4. */
export function currencyPlaces(code: string): number {
  return decimalPlacesByCurrency[code] ?? 2;
}

/**
 * Formats a decimal for its currency: zero decimals are dropped for currencies without decimal
 * places.
 */
export function inDigitsOf(code: string | undefined, text: string): string {
  return code !== undefined && currencyPlaces(code) === 0 ? text.replace(/\.0+$/, "") : text;
}

/** Amount for a sentence: `1234.50`, `1234` in yen; decimals other than zero are never dropped. */
export function amountText(cents: number, code: string | undefined): string {
  return inDigitsOf(code, writeDecimal(cents, scaleOf.money));
}

/** The smallest amount of a currency, in cents: 100 where it has no decimal places. */
export function smallestAmount(code: string): 1 | 100 {
  return currencyPlaces(code) === 0 ? 100 : 1;
}

/** Reason why the service does not support a currency; undefined for supported ones. */
export function unsupportedCurrency(code: string): string | undefined {
  const decimals = currencyPlaces(code);
  if (decimals <= 2) return undefined;
  const named = decimals === 3 ? "three" : "four";
  return `${code} has ${named} decimal places, which this service cannot keep exactly; book what it comes to in another currency.`;
}

/** Returns the code of a currency. @throws RefusedError `Currency` for an unsupported one */
export function requireCurrency<Code extends string | undefined>(code: Code): Code {
  const unkept = code && unsupportedCurrency(code);
  if (unkept) throw refusal("Currency", unkept);
  return code;
}

/**
 * Reason why an amount is not possible in a currency; undefined if it is.
 *
 * @param cents  either sign
 */
export function amountFault(field: string, cents: number, code: string): string | undefined {
  const fault = digitsFault(cents, scaleOf.money, code);
  return fault && `The ${field} ${fault}.`;
}

/**
 * Predicate about decimal places that a currency does not have; undefined if the value has none.
 */
export function digitsFault(value: number, scale: number, code: string): string | undefined {
  return currencyPlaces(code) > 0 || value % 10 ** scale === 0
    ? undefined
    : `${writeDecimal(value, scale)} has decimal places, which ${code} has not; give a whole amount`;
}

const bareIban = (text: string): string => text.replace(/\s+/g, "").toUpperCase();

/** Whether a text has the form of an IBAN; its check digits may be wrong, as in masked ones. */
export const hasFormOfIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(bareIban(text));

/**
 * The remainder of a number by 97, letters standing for 10 to 35.
 *
 * @source ISO 7064, MOD 97-10
 */
function mod97(text: string): number {
  let remainder = 0;
  for (const char of text) {
    const value = Number.parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** Whether check digits stand at the third and fourth place. */
export const passesMod97 = (text: string): boolean => mod97(text.slice(4) + text.slice(0, 4)) === 1;

/**
 * Whether the last digit is the Luhn check digit of the others.
 * @source ISO/IEC 7812-1
 */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a text is an IBAN with valid check digits. @source ISO 13616 */
export const isIban = (text: string): boolean => hasFormOfIban(text) && passesMod97(bareIban(text));
